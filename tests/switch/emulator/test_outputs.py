# SPDX-License-Identifier: LGPL-2.1-or-later
# Owns the check, byte by byte, that read-back looks as vendors' pages and recorded
# sessions show it.
# The expected texts are those of the collected pages.
import json
import unittest

from rig import Rig

PORT = ['system-view', 'interface 100GE1/0/1']


class Huawei(unittest.TestCase):
    def test_dcb(self):
        with Rig('huawei', 'system-view', 'interface 25GE1/0/1', 'dcb pfc enable mode manual',
                 'commit', ports=['25GE1/0/1'],
                 counters={'25GE1/0/1': {'ets': 'default'}}) as rig:
            self.assertEqual(
                rig.must('display dcb'),
                'Interface         PFC Name     PFC Status  ETS Name    ETS Status App-Profile\n'
                '25GE1/0/1         default      ENABLE(M)   default     ENABLE     -')

    def test_pfc_profile(self):
        with Rig('huawei') as rig:
            self.assertEqual(rig.must('display dcb pfc-profile'),
                             'PFC-profile Name                      Priority\n'
                             'default                               3')

    def test_pfc_of_a_port(self):
        with Rig('huawei', counters={'100GE1/0/1': {'queues': ['5']}}) as rig:
            self.assertEqual(
                rig.must('display dcb pfc interface 100ge 1/0/1'),
                'Interface         Queue         Received(Frames)        ReceivedRate(pps)     '
                'DeadlockNum\n'
                '                             Transmitted(Frames)     TransmittedRate(pps)     '
                'RecoveryNum\n'
                '100GE1/0/1             5                       0                        0       '
                '        0\n'
                '                                               0                        0       '
                '        0')

    def test_deadlock(self):
        with Rig('huawei', *PORT, 'dcb pfc enable mode manual', 'quit', 'dcb pfc',
                 'priority 3 turn-off threshold 100', 'commit',
                 counters={'100GE1/0/1': {'turned_off_3': 'TurnOff'}}) as rig:
            self.assertEqual(rig.must('display dcb pfc deadlock trigger status').split('\n')[1],
                             '100GE1/0/1         3  TurnOff           100  TurnOff')
            self.assertEqual(
                rig.must('display dcb pfc buffer').split('\n')[1],
                '100GE1/0/1         3       1600(B)         640(B)        6(K)       5(D)'
                '       40(K)')

    def test_ecn_threshold(self):
        with Rig('huawei', counters={'100GE1/0/1': {'ecn_0': [2048, 2048, 100]}}) as rig:
            self.assertEqual(
                rig.must('display qos ecn threshold interface 100GE 1/0/1').split('\n')[:3],
                ['Interface       Queue     Min     Max  Probability  Queue Size',
                 '100GE1/0/1          0    2048    2048          100           0',
                 '                    1       0       0            0           0'])

    def test_drop_profile(self):
        with Rig('huawei', 'system-view', 'drop-profile roce',
                 'color green buffer-size low-limit 256 high-limit 90000 discard-percentage 90',
                 'commit') as rig:
            self.assertIn('Green    Buffer-size  256  90000  Bytes  90',
                          rig.must('display drop-profile roce').split('\n'))

    def test_domain(self):
        with Rig('huawei', 'system-view', 'diffserv domain ds1', 'ip-dscp-inbound 30 phb af3 green',
                 'commit') as rig:
            lines = rig.must('display diffserv domain ds1').split('\n')
            self.assertEqual(len(lines), 65)
            for line in (' ip-dscp-inbound 26 phb af3 green', ' ip-dscp-inbound 28 phb af3 yellow',
                         ' ip-dscp-inbound 30 phb af3 green', ' ip-dscp-inbound 48 phb cs6 green'):
                self.assertIn(line, lines)
            self.assertIn(' ip-dscp-inbound 30 phb af3 red',
                          rig.must('display diffserv domain default').split('\n'))

    def test_qos_and_dcb_status(self):
        with Rig('huawei', *PORT, 'dcb pfc enable mode manual', 'commit') as rig:
            text = rig.must('display qos configuration interface 100GE 1/0/1').split('\n')
            self.assertIn('trust flag : outer 8021p', text)
            self.assertIn('diffserv domain : default', text)
            self.assertEqual(rig.must('display dcb status interface 100ge 1/0/1 verbose'),
                             'PFC Priority Local=3 Remote=-')

    def test_errors(self):
        """The caret stands under the word, as the prompt stands before it."""
        with Rig('huawei', *PORT) as rig:
            self.assertEqual(
                rig.must_not('dcb pfcs enable'),
                ' ' * len('[~sw-lab-1-100GE1/0/1]dcb ') + '^\n'
                "Error: Unrecognized command found at '^' position.")

    def test_questions(self):
        with Rig('huawei', 'system-view') as rig:
            rig.say('dcb pfc global disable', 'N')
            self.assertEqual(rig.paper.asked, ['Warning: This command will disable PFC on all '
                                               'ports. Continue? [Y/N]'])
            self.assertEqual(rig.session.mark(), '~')
            rig.say('dcb pfc global disable', 'Y')
            self.assertEqual(rig.session.mark(), '*')

    def test_trial(self):
        with Rig('huawei', *PORT, 'trust dscp', 'commit trial 60') as rig:
            self.assertRegex(rig.must('display configuration trial status'),
                             r'\ATrial status: ACTIVE\nTrial time left \(sec\): (60|59)\Z')

    def test_save(self):
        with Rig('huawei') as rig:
            self.assertEqual(rig.say('save', 'Y').split('\n')[-1],
                             'Info: Save the configuration successfully.')
            self.assertTrue(rig.paper.asked[0].endswith('continue? [Y/N]:'))


class Eos(unittest.TestCase):
    def test_queues_of_a_port_and_of_its_profile(self):
        lines = ['enable', 'configure terminal', 'qos profile P', 'uc-tx-queue 5', 'no priority',
                 'bandwidth percent 30', 'exit', 'exit', 'interface Ethernet1', 'service-profile P',
                 'tx-queue 3', 'no priority', 'end']
        with Rig('eos', *lines) as rig:
            rows = rig.must('show qos interfaces Ethernet1').split('\n')
            self.assertEqual([row.split()[-2] for row in rows[8:16]],
                             ['SP', 'SP', 'RR', 'SP', 'RR', 'SP', 'SP', 'SP'])

    def test_map_in_the_configuration(self):
        lines = ['enable', 'configure terminal'] + [
            'qos map dscp %d to traffic-class %d' % pair
            for pair in ((49, 3), (15, 3), (26, 3), (11, 1), (62, 7))] + ['end']
        with Rig('eos', *lines) as rig:
            self.assertEqual(rig.must('show running-config | include qos map dscp'),
                             'qos map dscp 11 to traffic-class 1\n'
                             'qos map dscp 15 49 to traffic-class 3')
            self.assertIn('     2 :    2  2  2  2  3  3  3  3  3  3', rig.must('show qos maps'))

    LINES = ['enable', 'configure', 'qos profile ROCE', 'priority-flow-control on',
             'priority-flow-control priority 3 no-drop', 'uc-tx-queue 3',
             'random-detect ecn minimum-threshold 256 kbytes maximum-threshold 512 kbytes',
             'interface Ethernet1', 'service-profile ROCE', 'tx-queue 3', 'random-detect ecn count',
             'end']

    def test_pfc(self):
        with Rig('eos', *self.LINES, ports=['Ethernet1']) as rig:
            self.assertEqual(rig.must('show priority-flow-control'),
                             'Port       Enabled  Priorities  Active  Note\n'
                             'Ethernet1  Yes      3           Yes     DCBX disabled')

    def test_ecn(self):
        with Rig('eos', *self.LINES) as rig:
            self.assertEqual(rig.must('show qos interfaces ethernet 1 ecn'),
                             'Tx-Queue  Threshold  ECN Min  ECN Max\n3  kbytes  256  512')

    def test_json(self):
        rows = [('show priority-flow-control counters',
                 {'interfaceCounters': {'Ethernet1': {'rxFrames': 0, 'txFrames': 0}}}),
                ('show priority-flow-control counters watchdog', {}),
                ('show qos interfaces ethernet 1 ecn counters queue',
                 {'intfQueueCounters': {'Ethernet1': {'queueCounters': {'3': 0}}}})]
        with Rig('eos', *self.LINES, ports=['Ethernet1']) as rig:
            for line, expected in rows:
                self.assertEqual(json.loads(rig.must(line + ' | json | no-more')), expected)
            flow = json.loads(rig.must('show interfaces ethernet 1 flow-control | json'))
            self.assertEqual(set(flow['interfaceFlowControls']['Ethernet1']),
                             {'txAdminState', 'txOperState', 'rxAdminState', 'rxOperState',
                              'txPause', 'rxPause'})
            rig.must_not('show qos maps | json')

    def test_stuck(self):
        stuck = {'3': {'stuckCount': 2, 'recoveryCount': 1}}
        with Rig('eos', 'enable', counters={'Ethernet1': {'stuck': stuck}}) as rig:
            self.assertEqual(
                json.loads(rig.must('show priority-flow-control counters watchdog | json')),
                {'interfaces': {'Ethernet1': {'txQueues': stuck}}})

    def test_defaults_of_the_map(self):
        """24-31 to 3, 48-55 to 6, 0-7 to 1, 8-15 to 0."""
        with Rig('eos', 'enable') as rig:
            rows = rig.must('show qos maps').split('\n')[3:10]
            tcs = [int(tc) for row in rows for tc in row.split(':')[1].split()]
            self.assertEqual((tcs[24:32], tcs[48:56], tcs[:8], tcs[8:16]),
                             ([3] * 8, [6] * 8, [1] * 8, [0] * 8))

    def test_dcbx(self):
        with Rig('eos', 'enable', 'configure', 'interface Ethernet1', 'dcbx mode ieee') as rig:
            self.assertIn('IEEE DCBX is enabled and active', rig.must('show dcbx ethernet 1'))


class Onyx(unittest.TestCase):
    HEAD = ['enable', 'configure terminal']

    def ask(self, rig, line):
        return json.loads(rig.must(line + ' | json-print'))

    def test_pfc(self):
        with Rig('onyx', *self.HEAD, 'dcb priority-flow-control enable force',
                 'dcb priority-flow-control priority 3 enable',
                 'interface ethernet 1/1 dcb priority-flow-control mode on force',
                 ports=['Eth1/1']) as rig:
            self.assertEqual(self.ask(rig, 'show dcb priority-flow-control')[2],
                             {'Eth1/1': [{'PFC admin': 'on', 'PFC oper': 'Enabled'}]})
            rig.must('no dcb priority-flow-control enable force')
            self.assertEqual(self.ask(rig, 'show dcb priority-flow-control')[2],
                             {'Eth1/1': [{'PFC admin': 'on', 'PFC oper': 'Disabled'}]})

    def test_congestion(self):
        with Rig('onyx', *self.HEAD, 'interface ethernet 1/1 traffic-class 3 congestion-control '
                 'ecn minimum-absolute 500 maximum-absolute 1550') as rig:
            reply = self.ask(rig, 'show interfaces ethernet 1/1 congestion-control')
            self.assertEqual(reply[0], {'Interface ethernet': '1/1', 'ECN marked packets': '0'})
            self.assertIn({'header': 'TC-3', 'Mode': 'ECN', 'Threshold mode': 'absolute',
                           'Minimum threshold': '500 KB', 'Maximum threshold': '1550 KB'}, reply)

    def test_qos(self):
        with Rig('onyx', *self.HEAD, 'interface ethernet 1/1 qos trust both') as rig:
            reply = self.ask(rig, 'show qos interface ethernet 1/1')
            first, second = reply[0]['Eth1/1']
            self.assertEqual(first['Trust mode'], 'both')
            self.assertIn({'3(0) 3(1)': [{'switch-priority': '3',
                                          'DSCP': '24 25 26 27 28 29 30 31'}]},
                          second['PCP(DEI); DSCP to switch-priority mapping'])

    def test_ets(self):
        with Rig('onyx', *self.HEAD,
                 'interface ethernet 1/1 traffic-class 6 dcb ets strict') as rig:
            rows = self.ask(rig, 'show dcb ets interface ethernet 1/1')[1]['ETS per TC']
            self.assertIn({'3': [{'S.Mode': 'WRR', 'W': '12'}]}, rows)
            self.assertEqual(rows[6]['6'][0]['S.Mode'], 'Strict')

    def test_pool(self):
        with Rig('onyx', *self.HEAD, 'traffic pool roce type lossless',
                 'traffic pool roce memory percent 50.00',
                 'traffic pool roce map switch-priority 3') as rig:
            self.assertEqual(self.ask(rig, 'show traffic pool roce'),
                             {'roce': [{'Type': 'lossless', 'Switch Priorities': '3',
                                        'Memory [%]': '50.00'}]})

    def test_counters(self):
        with Rig('onyx', ports=['Eth1/1'], counters={'Eth1/1': {'rx_pause_3': 7}}) as rig:
            self.assertEqual(rig.must('show interfaces ethernet counters pfc prio 3'),
                             'Eth1/1:\n  PFC 3:\n  Rx\n   7 pause packets\n'
                             '  Tx\n   0 pause packets')

    def test_roce(self):
        """The macro is trust L3, ECN 150/1500 KB, PFC on 3, TC 6 strict."""
        with Rig('onyx', *self.HEAD, 'roce') as rig:
            self.assertEqual(self.ask(rig, 'show qos interface ethernet 1/2')[0]['Eth1/2'][0][
                'Trust mode'], 'L3')
            self.assertEqual(self.ask(rig, 'show dcb priority-flow-control')[2]['Eth1/2'][0][
                'PFC oper'], 'Enabled')
            self.assertIn('1500 KB', rig.must('show roce').replace('150/1500', '1500'))


class Cumulus(unittest.TestCase):
    ROCE = """                    operational            applied
state                                      enabled
mode                lossless-single-ipool  lossless-single-ipool
pfc
  pfc-priority      3
  rx-enabled        enabled
  tx-enabled        enabled
  cable-length      100
congestion-control
  congestion-mode   ECN
  enabled-tc        0,3
  min-threshold     146.48 KB
  max-threshold     1.43 MB
  probability       100
trust
  trust-mode        pcp,dscp"""

    def test_roce(self):
        with Rig('cumulus', 'nv set qos roce', 'nv config apply -y') as rig:
            self.assertEqual(rig.must('nv show qos roce'), self.ROCE)
            reply = json.loads(rig.must('nv show qos roce -o json'))
            self.assertEqual(reply['congestion-control']['congestion-mode'], 'ECN')
            port = json.loads(rig.must('nv show interface swp1 qos roce status -o json'))
            marking = port['congestion-control']
            self.assertEqual((port['pfc']['rx-enabled'], marking['min-threshold'],
                              marking['congestion-mode']),
                             ('yes', '153.00 KB', 'ecn, absolute'))
            self.assertEqual(list(port['prio-map']['cnp'].values()), ['6', '48', '6'])
            self.assertEqual(list(port['prio-map']['roce'].values()), ['3', '26', '3'])

    def test_nothing_before_apply(self):
        with Rig('cumulus', 'nv set qos roce') as rig:
            self.assertEqual(json.loads(rig.must('nv show qos roce -o json')), {})
            self.assertEqual(rig.must('nv config diff'), '- set:\n    qos:\n      roce: {}')

    def test_tree(self):
        with Rig('cumulus', 'nv set qos mapping P dscp 26 switch-priority 3',
                 'nv set interface swp1 qos pfc-watchdog', 'nv config apply -y') as rig:
            self.assertEqual(json.loads(rig.must('nv show qos mapping P dscp 26 -o json')),
                             {'switch-priority': '3'})
            reply = json.loads(rig.must('nv show interface swp1 qos pfc-watchdog -o json'))
            self.assertEqual(reply, {'traffic-class': {'3': {'status': 'OK', 'deadlock-count': 0}}})


    def test_configuration_as_commands(self):
        with Rig('cumulus', 'nv set qos pfc P switch-priority 3', 'nv set qos roce',
                 'nv config apply -y') as rig:
            self.assertEqual(rig.must('nv config show -o commands'),
                             'nv set system hostname sw-lab-5\n'
                             'nv set qos pfc P switch-priority 3\nnv set qos roce')
            rig.must_not('nv config show -o json')

    def test_defaults(self):
        line = 'nv show qos mapping default-global dscp 26 -o json'
        with Rig('cumulus') as rig:
            self.assertEqual(json.loads(rig.must(line)), {'switch-priority': '3'})
            self.assertEqual(json.loads(rig.must('nv show qos pfc-watchdog -o json')),
                             {'polling-interval': '100', 'robustness': '3'})
            rig.must('nv set qos mapping default-global dscp 26 switch-priority 4')
            rig.must('nv config apply -y')
            self.assertEqual(json.loads(rig.must(line)), {'switch-priority': '4'})
            self.assertEqual(json.loads(rig.must(line.replace('26', '48'))),
                             {'switch-priority': '6'})


class Sonic(unittest.TestCase):
    def test_priority(self):
        with Rig('sonic', ports=['Ethernet0']) as rig:
            self.assertEqual(rig.must('show pfc priority'),
                             '\nInterface    Lossless priorities\n'
                             '-----------  ---------------------\n'
                             'Ethernet0    3,4')

    def test_counters(self):
        with Rig('sonic', ports=['Ethernet10']) as rig:
            self.assertEqual(rig.must('show pfc counters').split('\n')[0][:42],
                             '   Port Rx    PFC0    PFC1    PFC2    PFC3')

    def test_watchdog(self):
        """The rule of minuses is what tabulate puts there; the collected page left it out."""
        with Rig('sonic', 'sudo config pfcwd start --action drop Ethernet0 600 --restoration-time '
                 '600', 'sudo config pfcwd interval 600') as rig:
            lines = rig.must('show pfcwd config').split('\n')
            self.assertEqual(lines[:2] + lines[3:], [
                'Changed polling interval to 600ms',
                '     PORT    ACTION    DETECTION TIME    RESTORATION TIME    HISTORY',
                'Ethernet0      drop               600                 600    disable'])

    def test_status_is_0_whatever_is_said(self):
        with Rig('sonic') as rig:
            for line, words in (
                    ('sudo config interface pfc priority Ethernet99 3 on',
                     'Cannot find interface Ethernet99'),
                    ('sudo config interface pfc priority Ethernet0 3 on',
                     'Priority 3 has already been enabled on Ethernet0'),
                    ('sudo config interface pfc priority Ethernet0 5 off',
                     'Priority 5 is not enabled on Ethernet0')):
                self.assertEqual(rig.say(line), words)
                self.assertEqual(rig.session.status, 0)

    def test_ecn(self):
        with Rig('sonic') as rig:
            lines = [line.split() for line in rig.must('show ecn').split('\n')]
            self.assertIn(['Profile:', 'AZURE_LOSSLESS'], lines)
            self.assertIn(['green_min_threshold', '1048576'], lines)
            self.assertIn(['ecn', 'ecn_all'], lines)

    def test_json_and_not_json(self):
        with Rig('sonic') as rig:
            table = json.loads(rig.must('sonic-cfggen -d --var-json PORT_QOS_MAP'))
            self.assertEqual(table['Ethernet0'], {
                'dscp_to_tc_map': 'AZURE', 'pfc_enable': '3,4', 'pfc_to_queue_map': 'AZURE',
                'tc_to_pg_map': 'AZURE', 'tc_to_queue_map': 'AZURE'})
            text = rig.must("sonic-db-cli CONFIG_DB HGETALL 'PORT_QOS_MAP|Ethernet0'")
            self.assertTrue(text.startswith("{'pfc_enable': '3,4', "))
            azure = json.loads(rig.must('sonic-cfggen -d --var-json DSCP_TO_TC_MAP'))['AZURE']
            self.assertEqual((azure['26'], azure['3'], azure['4'], azure['48'], len(azure)),
                             ('1', '3', '4', '6', 64))


class Prompts(unittest.TestCase):
    def test_all(self):
        rows = [
            ('huawei', [], '<sw-lab-1>'),
            ('huawei', ['system-view'], '[~sw-lab-1]'),
            ('huawei', ['system-view immediately'], '[sw-lab-1]'),
            ('huawei', PORT, '[~sw-lab-1-100GE1/0/1]'),
            ('huawei', PORT + ['trust dscp'], '[*sw-lab-1-100GE1/0/1]'),
            ('huawei', PORT + ['trust dscp', 'undo trust'], '[~sw-lab-1-100GE1/0/1]'),
            ('huawei', PORT + ['trust dscp', 'commit'], '[~sw-lab-1-100GE1/0/1]'),
            ('eos', [], 'sw-lab-3>'),
            ('eos', ['enable'], 'sw-lab-3#'),
            ('eos', ['enable', 'configure'], 'sw-lab-3(config)#'),
            ('eos', ['enable', 'configure session losslessd'], 'sw-lab-3(config-s-lossle)#'),
            ('eos', ['enable', 'configure', 'interface Ethernet1'], 'sw-lab-3(config-if-Et1)#'),
            ('onyx', [], 'sw-lab-4 [standalone: master] > '),
            ('onyx', ['enable'], 'sw-lab-4 [standalone: master] # '),
            ('onyx', ['enable', 'configure terminal'],
             'sw-lab-4 [standalone: master] (config) # '),
            ('ruijie', ['enable', 'configure', 'interface GigabitEthernet 0/1'],
             'sw-lab-2(config-if-GigabitEthernet 0/1)#'),
        ]
        for vendor, lines, prompt in rows:
            with self.subTest(prompt), Rig(vendor, *lines) as rig:
                self.assertEqual(rig.session.prompt(), prompt)


if __name__ == '__main__':
    unittest.main()
