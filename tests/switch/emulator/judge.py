#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Owns the foreign judge: Debian's netmiko, which knows none of this, logs in to each emulated
# switch over SSH, switches paging off, configures, commits, saves and reads back.
#
# judge.py DIR VENDOR     DIR: where serve.py may put its switch
import json
import os
import pwd
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
        program = [sys.executable, os.path.join(HERE, 'serve.py'), 'start', root, vendor]
        out = subprocess.run(program, check=True, stdout=subprocess.PIPE, text=True).stdout
        self.name, self.address, self.port, self.fingerprint, self.file, self.faults = out.split()
        self.root, self.vendor, self.kind = root, vendor, kind

    def connect(self, **more):
        """Its search for the first prompt gives up after two seconds, which a busy machine may
        need to start Python: then once more."""
        for left in (2, 1, 0):
            try:
                return ConnectHandler(device_type=self.kind, host=self.address, port=int(self.port),
                                      username=pwd.getpwuid(os.getuid()).pw_name, use_keys=True,
                                      key_file=os.path.join(self.root, 'client'), **more)
            except ValueError as error:
                print('     ' + str(error))
                if not left:
                    raise
        return None

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


def eos(switch):
    lines = ['qos map dscp 26 to traffic-class 3', 'qos profile ROCE', 'qos trust dscp',
             'priority-flow-control on', 'priority-flow-control priority 3 no-drop',
             'interface Ethernet1', 'service-profile ROCE']
    switch.set(enable_password='secret')
    net = switch.connect(secret='secret')
    net.enable()
    check('eos: netmiko becomes enabled', net.check_enable_mode())
    out = net.send_config_set(lines, config_mode_command='configure session losslessd',
                              exit_config_mode=False)
    check('eos: nothing refused', '%' not in out and '(config-s-lossle' in out, out)
    check('eos: nothing in force before commit', switch.state()['running']['lines'] == {})
    out = net.send_command('show session-config diffs')
    check('eos: the diff says so', '+   service-profile ROCE' in out, out)
    net.send_command('commit timer 00:02:00', expect_string=r'#')
    check('eos: tried', switch.log('trial') == ['120'] and not net.check_config_mode())
    table = net.send_command('show priority-flow-control')
    check('eos: PFC is on', 'Ethernet1  Yes      3           Yes     DCBX disabled' in table, table)
    net.send_command('configure session losslessd commit', expect_string=r'#')
    check('eos: confirmed', switch.log('confirm') == [''] and switch.state()['trial'] is None)
    flow = net.send_command('show interfaces ethernet 1 flow-control | json | no-more')
    check('eos: JSON', json.loads(flow)['interfaceFlowControls']['Ethernet1']['txAdminState'] ==
          'off', flow)
    maps = net.send_command('show running-config')
    check('eos: not saved yet', switch.log('save') == [], maps)
    net.save_config()
    check('eos: saved', switch.state()['startup'] == switch.state()['running'])
    out = net.send_config_set(['interface Ethernet1', 'priority-flow-control priority 9 no-drop'])
    check('eos: a refused line is an error in Arista\'s words', '% Invalid input' in out, out)
    check('eos: the lines are in the log', switch.log('line') == [
        line for line in lines if not line.startswith('interface')], switch.log('line'))
    net.disconnect()


def onyx(switch):
    lines = ['interface ethernet 1/1 qos trust L3', 'dcb priority-flow-control enable force',
             'dcb priority-flow-control priority 3 enable',
             'interface ethernet 1/1 dcb priority-flow-control mode on force']
    net = switch.connect()
    net.enable()
    check('onyx: netmiko becomes enabled', net.check_enable_mode())
    out = net.send_config_set(lines)
    check('onyx: nothing refused', '%' not in out and '(config) #' in out, out)
    check('onyx: left configuration', not net.check_config_mode())
    reply = json.loads(net.send_command('show dcb priority-flow-control | json-print'))
    check('onyx: PFC works on one port', reply[2]['Eth1/1'][0]['PFC oper'] == 'Enabled' and
          reply[2]['Eth1/2'][0]['PFC oper'] == 'Disabled', reply)
    table = net.send_command('show interfaces ethernet counters pfc prio 3')
    check('onyx: 48 lines come without a pager', table.count('pause packets') == 16 and
          'lines 1-' not in table, table)
    check('onyx: not saved yet', switch.log('save') == [])
    net.save_config()
    check('onyx: saved', switch.state()['startup'] == switch.state()['running'] and
          len(switch.log('save')) == 1)
    out = net.send_config_set(['interface ethernet 1/1 qos trust L4'])
    check('onyx: a refused line is an error that begins with %', '\n% ' in out, out)
    check('onyx: each line is in the log once', len(switch.log('line')) == 4, switch.log('line'))
    net.disconnect()


def ruijie(switch):
    """This netmiko has no ruijie_os: Cisco's is near enough."""
    lines = ['interface GigabitEthernet 0/1', 'priority-flow-control mode on',
             'priority-flow-control priority 3']
    switch.set(enable_password='secret', login_mode='enable')
    net = switch.connect(secret='secret')
    check('ruijie: netmiko finds the host', net.base_prompt == switch.name, net.base_prompt)
    out = net.send_config_set(lines)
    check('ruijie: nothing refused', '%' not in out and
          '(config-if-GigabitEthernet 0/1)#' in out, out)
    text = net.send_command('show running-config interface GigabitEthernet 0/1')
    check('ruijie: both lines are there', ' priority-flow-control mode on\n'
          ' priority-flow-control priority 3\n' in text, text)
    check('ruijie: not saved yet', switch.log('save') == [])
    net.save_config('write')
    check('ruijie: saved', switch.state()['startup'] == switch.state()['running'] and
          len(switch.log('save')) == 1)
    out = net.send_config_set(['interface GigabitEthernet 0/1', 'priority-flow-control priority 8'])
    check('ruijie: a refused line has its caret', "% Invalid input detected at '^' marker." in out,
          out)
    net.disconnect()
    switch.set(login_mode='user')
    net = switch.connect(secret='secret')
    check('ruijie: terminal settings are refused before enable',
          'terminal length 0' in switch.log('refused'), switch.log('refused'))
    net.enable()
    check('ruijie: enable with a password', net.check_enable_mode())
    net.disconnect()


def shell(net, line):
    """A line of bash and its exit status."""
    out = net.send_command(line)
    return out, net.send_command('echo $?').strip()


def cumulus(switch):
    lines = ['nv set qos mapping P trust l3', 'nv set qos mapping P dscp 26 switch-priority 3',
             'nv set interface swp1-8 qos mapping profile P', 'nv set qos roce']
    net = switch.connect()
    for line in lines:
        out, status = shell(net, line)
        check('cumulus: taken: ' + line, status == '0' and out.strip() == '', out)
    out = net.send_command('nv config diff')
    check('cumulus: the diff says so', "switch-priority: '3'" in out, out)
    check('cumulus: nothing applied yet', switch.state()['running'] == {})
    out, status = shell(net, 'nv config apply -y')
    check('cumulus: applied', status == '0' and len(switch.log('commit')) == 1, out)
    reply = json.loads(net.send_command('nv show qos roce -o json'))
    check('cumulus: RoCE is on', reply['pfc']['pfc-priority'] == '3', reply)
    check('cumulus: not saved yet', switch.state()['startup'] == {})
    shell(net, 'nv config save')
    check('cumulus: saved', switch.state()['startup'] == switch.state()['running'])
    out, status = shell(net, 'nv set qos roce mode lossles')
    check('cumulus: a refused line has an error and a status', 'Error: ' in out and status == '2',
          out)
    check('cumulus: the lines are in the log', switch.log('line') == lines, switch.log('line'))
    net.disconnect()


def sonic(switch):
    key = "sonic-db-cli CONFIG_DB HSET 'DSCP_TO_TC_MAP|losslessd' "
    net = switch.connect()
    pairs = {dscp: {26: 3, 48: 6}.get(dscp, 0) for dscp in range(64)}
    for line in [key + ' '.join('%d %d' % pair for pair in pairs.items()),
                 "sonic-db-cli CONFIG_DB HSET 'PORT_QOS_MAP|Ethernet0' dscp_to_tc_map losslessd"]:
        out, status = shell(net, line)
        # of a long line netmiko leaves the wrapped end of the echo in the answer
        check('sonic: taken: ' + line, status == '0' and out.split()[-1] in ('0', '64'), out)
    check('sonic: all of it means something', switch.log('ignored') == [], switch.log('ignored'))
    table = json.loads(net.send_command('sonic-cfggen -d --var-json DSCP_TO_TC_MAP'))
    check('sonic: read back as JSON', table['losslessd'] ==
          {str(dscp): str(tc) for dscp, tc in pairs.items()}, table)
    out, status = shell(net, 'sudo config interface pfc priority Ethernet0 4 off')
    check('sonic: PFC off for priority 4', status == '0' and out.strip() == '', out)
    table = net.send_command('show pfc priority Ethernet0')
    check('sonic: as the table says', 'Ethernet0    3' in table and '3,4' not in table, table)
    check('sonic: not saved yet', switch.log('save') == [])
    out, status = shell(net, 'sudo config save -y')
    check('sonic: saved', status == '0' and
          switch.state()['startup'] == switch.state()['running'], out)
    out, status = shell(net, 'sudo config pfcwd start --action dropp all 400')
    check('sonic: a refused line has a usage and a status', 'Error: ' in out and status == '2', out)
    net.disconnect()


KINDS = {'huawei': ('huawei_vrpv8', huawei), 'eos': ('arista_eos', eos),
         'onyx': ('mellanox_mlnxos', onyx), 'cumulus': ('linux', cumulus),
         'sonic': ('linux', sonic), 'ruijie': ('cisco_ios', ruijie)}


def main():
    root, vendor = os.path.abspath(sys.argv[1]), sys.argv[2]
    began = time.time()
    kind, judge = KINDS[vendor]
    judge(Switch(root, vendor, kind))
    print('judge: %s: %d failed, %.0f s' % (vendor, fails, time.time() - began))
    sys.exit(fails > 0)


if __name__ == '__main__':
    main()
