/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Netlink messages made byte by byte, without the code under test: good ones and hostile ones. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "lib/os/os.h"

enum { PACKET_MAX = 65536 };

struct packet {
	size_t size;
	size_t message; /* where the last message begins */
	uint8_t data[PACKET_MAX];
};

/* "c40000004e00..."; blanks between are skipped. */
void packet_hex(struct packet *packet, const char *hex);

/* Begin a message in the datagram; @header is the one of its family, may be NULL. */
void packet_message(struct packet *packet, uint16_t type, uint16_t flags, const void *header,
		    size_t header_size);
void packet_bytes(struct packet *packet, const void *data, size_t size);
void packet_attr(struct packet *packet, uint16_t type, const void *data, size_t size);
void packet_string(struct packet *packet, uint16_t type, const char *text);
void packet_u32(struct packet *packet, uint16_t type, uint32_t value);
void packet_u8(struct packet *packet, uint16_t type, uint8_t value);

/* What is put between the two stands in the nest. */
size_t packet_nest(struct packet *packet, uint16_t type);
void packet_nest_end(struct packet *packet, size_t nest);

/* NLMSG_ERROR without the copy of the request's payload; @error 0 is an ACK. */
void packet_error(struct packet *packet, int error);
void packet_done(struct packet *packet, uint16_t flags);

/* Answer the next request with it, and empty it. */
void packet_reply(struct packet *packet, struct os *os, int protocol);

/* Fails the test with @name if the last request is not @hex; sequence number and port are left out.
 */
void packet_expect(const char *name, const struct os *os, int protocol, const char *hex);
