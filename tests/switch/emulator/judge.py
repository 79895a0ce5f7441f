#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Owns the foreign judge: Debian's netmiko, which knows none of this, logs in to each emulated
# switch over SSH, switches paging off, configures, commits, saves and reads back.
#
# judge.py DIR [VENDOR...]     DIR: where serve.py may put its switches
import json
import os
import subprocess
import sys
import time

from netmiko import ConnectHandler

HERE = os.path.dirname(os.path.abspath(__file__))
fails = 0


def check(what, good, seen=''):
    global fails
    print(('ok   ' if good else 'FAIL ') + what)
    if not good:
        fails += 1
        print('     | ' + repr(seen)[:800])


class Switch:
    """One emulated switch and what netmiko calls its kind."""

    def __init__(self, root, vendor, kind):
        out = subprocess.run([sys.executable, os.path.join(HERE, 'serve.py'), 'start', root, vendor],
                             check=True, stdout=subprocess.PIPE, text=True).stdout
        self.name, self.address, self.port, self.fingerprint, self.file, self.faults = out.split()
        self.root, self.vendor, self.kind = root, vendor, kind

    def connect(self, **more):
        return ConnectHandler(device_type=self.kind, host=self.address, port=int(self.port),
                              username=os.environ.get('USER') or 'root', use_keys=True,
                              key_file=os.path.join(self.root, 'client'), **more)

    def state(self):
        with open(self.file, encoding='utf-8') as file:
            return json.load(file)

    def set(self, **more):
        state = self.state()
        state.update(more)
        with open(self.file, 'w', encoding='utf-8') as file:
            json.dump(state, file)

    def log(self, *kinds):
        with open(self.file + '.log', encoding='utf-8') as file:
            rows = [row.rstrip('\n').split('\t') for row in file]
        return [row[3] for row in rows if row[0] in kinds]


def huawei(switch):
    lines = ['diffserv domain losslessd', 'ip-dscp-inbound 26 phb af3 green',
             'ip-dscp-inbound 48 phb cs6 green', 'quit', 'interface 100GE1/0/1',
             'trust upstream losslessd', 'dcb pfc enable mode manual', 'quit']
    net = switch.connect()
    check('huawei: netmiko finds the host', net.base_prompt == switch.name, net.base_prompt)
    out = net.send_config_set(lines, exit_config_mode=False)
    check('huawei: nothing refused', 'Error' not in out, out)
    check('huawei: the prompt says that a candidate is there', '[*%s]' % switch.name in out, out)
    check('huawei: nothing in force before commit',
          'diffserv domain losslessd' not in switch.state()['running']['modes'])
    out = net.commit()
    check('huawei: committed', switch.log('commit') == [''], out)
    table = net.send_command('display dcb')
    check('huawei: PFC is on where it was switched on', '100GE1/0/1        default      ENABLE(M)'
          in table and table.count('ENABLE') == 1, table)
    table = net.send_command('display diffserv domain losslessd')
    check('huawei: 65 lines come without a pager', len(table.strip().split('\n')) == 65 and
          ' ip-dscp-inbound 48 phb cs6 green' in table and 'More' not in table, table)
    check('huawei: not saved yet', switch.log('save') == [] and
          switch.state()['startup'] != switch.state()['running'])
    out = net.send_command_timing('save')
    out += net.send_command_timing('Y')
    check('huawei: saved', 'successfully' in out and
          switch.state()['startup'] == switch.state()['running'], out)
    out = net.send_config_set(['interface 100GE1/0/1', 'dcb pfc enable mode automatic'],
                              exit_config_mode=False)
    check('huawei: a refused line is an error in Huawei\'s words',
          "Error: Wrong parameter found at '^' position." in out, out)
    check('huawei: and changes nothing', len(switch.log('refused')) == 1 and
          switch.state()['startup'] == switch.state()['running'])
    check('huawei: the lines are in the log, each once', [line for line in switch.log('line')] ==
          [line for line in lines if line not in ('quit', 'interface 100GE1/0/1')],
          switch.log('line'))
    net.disconnect()


KINDS = {'huawei': ('huawei_vrpv8', huawei)}


def main():
    root = os.path.abspath(sys.argv[1])
    began = time.time()
    for vendor in sys.argv[2:] or KINDS:
        kind, judge = KINDS[vendor]
        judge(Switch(root, vendor, kind))
    print('judge: %d failed, %.0f s' % (fails, time.time() - began))
    sys.exit(fails > 0)


if __name__ == '__main__':
    main()
