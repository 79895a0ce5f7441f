#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""One LLDP frame each, as two switches would send them: IEEE 802.1AB, DCBX TLVs of IEEE 802.1Q annex D."""
import socket
import struct


def tlv(kind, value):
    return struct.pack("!H", kind << 9 | len(value)) + value


def org(oui, subtype, value):
    return tlv(127, bytes.fromhex(oui) + bytes([subtype]) + value)


def app(priority, selector, number):
    return struct.pack("!BH", priority << 5 | selector, number)


def frame(mac, name, port, more):
    mac = bytes.fromhex(mac)
    return (bytes.fromhex("0180c200000e") + mac + b"\x88\xcc" + tlv(1, b"\x04" + mac)
            + tlv(2, b"\x05" + port) + tlv(3, struct.pack("!H", 120)) + tlv(5, name) + more + tlv(0, b""))


def send(device, data):
    with socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 0x88cc) as out:
        out.bind((device, 0))
        out.send(data)


DCBX = (org("0080c2", 9, bytes([0, 0, 0x03, 0, 0x60, 50, 0, 0, 50, 0, 0, 0, 0, 2, 2, 2, 2, 2, 2, 0, 2]))
        + org("0080c2", 11, bytes([8, 1 << 3]))
        + org("0080c2", 12, b"\0" + app(3, 5, 26) + app(6, 5, 48) + app(3, 3, 4791)))
send("sw-ens1f0np0", frame("02aabbccdd01", b"leaf-1.dc.example", b"Ethernet1/7", DCBX))
send("sw-ens1f1np1", frame("02aabbccdd02", b"leaf-2", b"Ethernet1/33", b""))
