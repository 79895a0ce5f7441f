#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Owns the program: one session at one emulated switch, on stdin and stdout. It never reads a
# dialect of the product: what a vendor's switch knows stands in VENDOR.yaml here.
#
# emulator.py VENDOR STATE.json [FAULTS]      SSH_ORIGINAL_COMMAND: one line instead of a session
import functools
import os
import signal
import sys

import yaml

from cli import Cli
from faults import Faults
from store import Store
from terminal import Terminal

HERE = os.path.dirname(os.path.abspath(__file__))
VENDORS = ('huawei', 'eos', 'onyx', 'cumulus', 'sonic', 'ruijie')


@functools.lru_cache
def load(vendor):
    loader = getattr(yaml, 'CSafeLoader', yaml.SafeLoader)
    with open(os.path.join(HERE, vendor + '.yaml'), encoding='utf-8') as file:
        return yaml.load(file, loader)


def open_switch(vendor, state_file, faults_file=None):
    """Data, store, terminal, faults of a switch."""
    data = load(vendor)
    faults = Faults(faults_file)
    store = Store(state_file, data, faults)

    def note(kind, text):
        with store.open() as state:
            store.log(state, kind, '', text)

    return data, store, Terminal(data, faults, note), faults


def session_of(data):
    if 'shell' not in data:
        return Cli
    module = __import__(data['shell'])
    return module.Session


def one_command(session, data, term, command):
    """The exec channel: only some vendors have one."""
    how = data.get('exec', 'refused')
    if how == 'refused':
        term.say(data.get('exec_refused', 'exec request failed'))
        return 1
    return session.execute(command)


def main():
    if not 3 <= len(sys.argv) <= 4 or sys.argv[1] not in VENDORS:
        raise SystemExit('usage: emulator.py VENDOR STATE.json [FAULTS]')
    data, store, term, faults = open_switch(*sys.argv[1:])
    signal.signal(signal.SIGHUP, store.hang_up)
    session = session_of(data)(data, store, term, faults)
    command = os.environ.get('SSH_ORIGINAL_COMMAND')
    if command:
        return one_command(session, data, term, command)
    return session.session()


if __name__ == '__main__':
    sys.exit(main())
