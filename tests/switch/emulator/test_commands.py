# SPDX-License-Identifier: LGPL-2.1-or-later
# Owns the check that each emulated switch takes the commands that vendors' pages have, undoes them,
# and refuses them with another word, another number, or half of the line. The lists were written
# from the collected pages, not from the data files.
import json
import unittest

from rig import Rig

HUAWEI = [
    # where, line, undo ('': none is known)
    (['system-view', 'dcb pfc'], 'priority 4', 'undo priority 4'),
    (['system-view', 'dcb pfc'], 'priority 3 deadlock-detect time 10', ''),
    (['system-view', 'dcb pfc'], 'priority 3 deadlock-recovery time 10', ''),
    (['system-view', 'dcb pfc'], 'priority 3 turn-off threshold 30', ''),
    (['system-view'], 'dcb pfc deadlock-detect interval 100', ''),
    (['system-view', 'diffserv domain ds1'], 'ip-dscp-inbound 26 phb af3 green',
     'undo ip-dscp-inbound 26'),
    (['system-view', 'diffserv domain ds1'], 'ip-dscp-inbound 48 phb cs6 green',
     'undo ip-dscp-inbound 48'),
    (['system-view', 'drop-profile roce'],
     'ecn buffer-size low-limit 150000 high-limit 1500000 discard-percentage 100', ''),
    (['system-view', 'drop-profile roce'],
     'color green buffer-size low-limit 150000 high-limit 1500000 discard-percentage 100', ''),
    (['system-view', 'interface 100GE1/0/1'], 'flow-control', 'undo flow-control'),
    (['system-view', 'interface 100GE1/0/1'], 'trust dscp', 'undo trust'),
    (['system-view', 'diffserv domain ds1', 'quit', 'interface 100GE1/0/1'],
     'trust upstream ds1', 'undo trust upstream'),
    (['system-view', 'interface 100GE1/0/1'], 'dcb pfc enable mode manual',
     'undo dcb pfc enable'),
    (['system-view', 'lldp enable', 'interface 100GE1/0/1', 'lldp tlv-enable dcbx'],
     'dcb pfc enable mode auto', 'undo dcb pfc enable'),
    (['system-view', 'drop-profile roce', 'quit', 'interface 100GE1/0/1'],
     'qos queue 3 wred roce', 'undo qos queue 3 wred'),
    (['system-view', 'interface 100GE1/0/1'], 'qos queue 3 ecn', 'undo qos queue 3 ecn'),
    (['system-view', 'interface 100GE1/0/1'], 'qos pq 5 to 7 drr 0 to 4', ''),
    (['system-view'], 'lldp enable', ''),
    (['system-view', 'interface 100GE1/0/1'], 'lldp tlv-enable dcbx', ''),
    (['system-view', 'interface 100GE1/0/1'], 'shutdown', 'undo shutdown'),
]
EOS_PROFILE = ['enable', 'configure session s', 'qos profile ROCE']
EOS_QUEUE = EOS_PROFILE + ['uc-tx-queue 3']
EOS_PORT = ['enable', 'configure session s', 'interface Ethernet1']
EOS = [
    (['enable', 'configure session s'], 'qos map dscp 26 to traffic-class 3', ''),
    (['enable', 'configure session s'], 'qos map traffic-class 3 to tx-queue 3', ''),
    (EOS_PROFILE, 'qos trust dscp', ''),
    (EOS_PROFILE, 'priority-flow-control on', 'no priority-flow-control'),
    (EOS_PROFILE, 'priority-flow-control priority 3 no-drop',
     'no priority-flow-control priority 3'),
    (EOS_QUEUE, 'no priority', ''),
    (EOS_QUEUE, 'priority strict', ''),
    (EOS_QUEUE, 'bandwidth percent 95', ''),
    (EOS_QUEUE, 'random-detect ecn minimum-threshold 256 kbytes maximum-threshold 512 kbytes'
     ' max-mark-probability 100 weight 0', ''),
    (['enable', 'configure session s'], 'priority-flow-control pause watchdog default timeout 0.20',
     ''),
    (['enable', 'configure session s'],
     'priority-flow-control pause watchdog default recovery-time 0.20', ''),
    (['enable', 'configure session s'],
     'priority-flow-control pause watchdog default polling-interval 0.10', ''),
    (['enable', 'configure session s'], 'priority-flow-control pause watchdog action drop', ''),
    (['enable', 'configure session s'], 'priority-flow-control all off', ''),
    (EOS_PORT, 'qos trust dscp', ''),
    (EOS_PROFILE + ['interface Ethernet1'], 'service-profile ROCE', 'no service-profile ROCE'),
    (EOS_PORT + ['tx-queue 3'], 'bandwidth guaranteed 100', ''),
    (EOS_PORT + ['tx-queue 3'], 'random-detect ecn count', ''),
    (EOS_PORT, 'dcbx mode ieee', ''),
    (EOS_PORT, 'priority-flow-control on', 'no priority-flow-control'),
]
ONYX_HEAD = ['enable', 'configure terminal']
ONYX = [
    (ONYX_HEAD, 'interface ethernet 1/1 qos trust L3', 'no interface ethernet 1/1 qos trust'),
    (ONYX_HEAD, 'interface ethernet 1/1 traffic-class 3 congestion-control ecn'
     ' minimum-absolute 150 maximum-absolute 1500',
     'no interface ethernet 1/1 traffic-class 3 congestion-control'),
    (ONYX_HEAD, 'interface ethernet 1/1 traffic-class 3 congestion-control ecn'
     ' minimum-relative 10 maximum-relative 50',
     'no interface ethernet 1/1 traffic-class 3 congestion-control'),
    (ONYX_HEAD, 'interface ethernet 1/1 traffic-class 6 dcb ets strict', ''),
    (ONYX_HEAD, 'dcb priority-flow-control enable force', ''),
    (ONYX_HEAD, 'dcb priority-flow-control priority 3 enable',
     'dcb priority-flow-control priority 3 disable'),
    (ONYX_HEAD, 'interface ethernet 1/1 dcb priority-flow-control mode on force',
     'no interface ethernet 1/1 dcb priority-flow-control mode force'),
    (ONYX_HEAD, 'interface ethernet 1/1 pfc-wd', ''),
    (ONYX_HEAD, 'traffic pool roce type lossless', 'no traffic pool roce'),
    (ONYX_HEAD + ['traffic pool roce type lossless'], 'traffic pool roce memory percent 50.00', ''),
    (ONYX_HEAD + ['traffic pool roce type lossless'], 'traffic pool roce map switch-priority 3',
     ''),
    (ONYX_HEAD, 'roce lossless', 'no roce'),
    (ONYX_HEAD, 'roce semi-lossless', 'no roce'),
    (ONYX_HEAD, 'interface ethernet 1/1 lldp tlv-select dcbx', ''),
    (ONYX_HEAD + ['interface ethernet 1/1'], 'qos trust both', 'no qos trust'),
]
RUIJIE_HEAD = ['enable', 'configure terminal', 'interface GigabitEthernet 0/1']
RUIJIE = [
    (RUIJIE_HEAD, 'priority-flow-control mode on', 'no priority-flow-control mode'),
    (RUIJIE_HEAD, 'priority-flow-control priority 3', 'no priority-flow-control priority 3'),
    (RUIJIE_HEAD, 'mls qos trust dscp', 'no mls qos trust'),
]
CUMULUS = [
    ([], 'nv set qos roce', 'nv unset qos roce'),
    ([], 'nv set qos roce mode lossless', 'nv unset qos roce'),
    ([], 'nv set qos roce state enabled', 'nv unset qos roce'),
    ([], 'nv set qos mapping P trust l3', 'nv unset qos mapping P trust'),
    ([], 'nv set qos mapping P dscp 26 switch-priority 3', 'nv unset qos mapping P dscp 26'),
    ([], 'nv set interface swp1-8 qos mapping profile P',
     'nv unset interface swp1-8 qos mapping profile'),
    ([], 'nv set qos pfc P switch-priority 3', 'nv unset qos pfc P switch-priority 3'),
    ([], 'nv set qos pfc P tx enable', 'nv unset qos pfc P tx'),
    ([], 'nv set qos pfc P rx enable', 'nv unset qos pfc P rx'),
    ([], 'nv set qos pfc P cable-length 50', 'nv unset qos pfc P cable-length'),
    ([], 'nv set interface swp1-8 qos pfc profile P', 'nv unset interface swp1-8 qos pfc'),
    ([], 'nv set qos congestion-control P traffic-class 3 ecn enable',
     'nv unset qos congestion-control P'),
    ([], 'nv set qos congestion-control P traffic-class 3 min-threshold 150000',
     'nv unset qos congestion-control P'),
    ([], 'nv set qos congestion-control P traffic-class 3 max-threshold 1500000',
     'nv unset qos congestion-control P'),
    ([], 'nv set qos congestion-control P traffic-class 3 probability 100',
     'nv unset qos congestion-control P traffic-class 3 probability'),
    ([], 'nv set interface swp1-8 qos congestion-control profile P',
     'nv unset interface swp1-8 qos congestion-control'),
    ([], 'nv set qos egress-queue-mapping default-global switch-priority 3 traffic-class 3',
     'nv unset qos egress-queue-mapping default-global'),
    ([], 'nv set qos egress-scheduler default-global traffic-class 6 mode strict',
     'nv unset qos egress-scheduler default-global traffic-class 6'),
    ([], 'nv set qos traffic-pool roce-lossless memory-percent 50',
     'nv unset qos traffic-pool roce-lossless'),
    ([], 'nv set interface swp1 qos pfc-watchdog', 'nv unset interface swp1 qos pfc-watchdog'),
    ([], 'nv set qos pfc-watchdog polling-interval 100', 'nv unset qos pfc-watchdog'),
    ([], 'nv set qos pfc-watchdog robustness 3', 'nv unset qos pfc-watchdog'),
]
SONIC = [
    ([], 'sudo config interface pfc priority Ethernet0 5 on',
     'sudo config interface pfc priority Ethernet0 5 off'),
    ([], 'sudo config ecn -profile AZURE_LOSSLESS -gmin 1048577 -gmax 2097153 -gdrop 6',
     'sudo config ecn -profile AZURE_LOSSLESS -gmin 1048576 -gmax 2097152 -gdrop 5'),
    ([], 'sudo config pfcwd start --action drop all 400 --restoration-time 400', ''),
    ([], 'sudo config pfcwd start_default', ''),
    ([], 'sudo config qos clear', 'sudo config qos reload'),
]
TABLES = {'huawei': HUAWEI, 'eos': EOS, 'onyx': ONYX, 'ruijie': RUIJIE, 'cumulus': CUMULUS,
          'sonic': SONIC}
# Halves that are commands too, and words behind which any name may stand.
ALSO = {'priority 3', 'dcb pfc', 'interface ethernet 1/1', 'qos pq 5 to 7 drr 0', 'roce',
        'nv set qos roce',
        'ip-dscp-inbound 26 phb af3', 'ip-dscp-inbound 48 phb cs6',
        'random-detect ecn minimum-threshold 256 kbytes maximum-threshold 512 kbytes',
        'random-detect ecn minimum-threshold 256 kbytes maximum-threshold 512 kbytes'
        ' max-mark-probability 100',
        'sudo config ecn -profile AZURE_LOSSLESS -gmin 1048577',
        'sudo config ecn -profile AZURE_LOSSLESS -gmin 1048577 -gmax 2097153',
        'sudo config pfcwd start --action drop all 400', 'sudo'}
BEFORE_NAME = {'mapping', 'profile', 'pfc', 'congestion-control', 'egress-queue-mapping',
               'egress-scheduler', 'traffic-pool', 'traffic pool'}
NAMED = {'P', 'default-global', 'roce-lossless', 'roce'}


def tree(rig):
    """Everything that a line may change."""
    state = rig.state()
    staged = getattr(rig.session, 'candidate', None)
    return json.dumps([state['running'], state['candidates'], staged], sort_keys=True)


def normal(text):
    """Modes that were entered and hold nothing are nothing."""
    for name in ('100GE1/0/1', 'Ethernet1', 'ethernet 1/1', 'GigabitEthernet 0/1'):
        empty = '"interface %s": {"lines": {}, "modes": {}}' % name
        text = text.replace(', ' + empty, '').replace(empty + ', ', '').replace(empty, '')
    return text


def is_name(vendor, words, i):
    """May any name stand there? Where it has to exist, another one is refused as well."""
    if vendor == 'onyx':
        return words[:2] == ['traffic', 'pool'] and i == 2 and 'type' in words
    return vendor == 'cumulus' and words[i] in NAMED and words[i - 1] in BEFORE_NAME


class Commands(unittest.TestCase):
    def each(self, check):
        """All rows, each a test of its own; a switch that is where the line belongs."""
        rows = 0
        for vendor, table in TABLES.items():
            for where, line, undo in table:
                rows += 1
                with self.subTest(vendor + ': ' + line), Rig(vendor, *where) as rig:
                    check(rig, line, undo)
        self.assertGreater(rows, 80)

    def test_taken_and_undone(self):
        def check(rig, line, undo):
            before, lines = tree(rig), rig.state()['counts'].get('line', 0)
            rig.must(line)
            self.assertNotEqual(tree(rig), before, 'nothing changed')
            self.assertEqual(rig.state()['counts']['line'], lines + 1)
            if undo:
                rig.must(undo)
                self.assertEqual(rig.state()['counts']['line'], lines + 2)
                self.assertEqual(normal(tree(rig)), normal(before))
        self.each(check)

    def test_one_word_changed(self):
        def check(rig, line, _):
            words, before = line.split(), tree(rig)
            for i, word in enumerate(words):
                if not is_name(rig.vendor, words, i):
                    rig.must_not(' '.join(words[:i] + [word + 'x'] + words[i + 1:]))
            self.assertEqual(tree(rig), before, 'a refused line changed something')
        self.each(check)

    def test_numbers_out_of_range(self):
        def check(rig, line, _):
            words = line.split()
            for i, word in enumerate(words):
                if word.replace('.', '').isdigit():
                    rig.must_not(' '.join(words[:i] + ['99999999999'] + words[i + 1:]))
                    rig.must_not(' '.join(words[:i] + ['-1'] + words[i + 1:]))
        self.each(check)

    def test_half_a_line(self):
        def check(rig, line, _):
            words = line.split()
            for n in range(1, len(words)):
                if ' '.join(words[:n]) not in ALSO:
                    rig.must_not(' '.join(words[:n]))
        self.each(check)

    def test_too_much_of_a_line(self):
        def check(rig, line, _):
            rig.must_not(line + ' more')
        self.each(check)


ENTERS = ('system-view', 'enable', 'configure', 'interface', 'dcb pfc', 'diffserv domain',
          'drop-profile', 'qos profile', 'uc-tx-queue', 'tx-queue')


class Elsewhere(unittest.TestCase):
    """Lines that are right, and not there."""

    def test_each_one_mode_too_early(self):
        for vendor, table in TABLES.items():
            for where, line, _ in table:
                modes = [i for i, text in enumerate(where) if text.startswith(ENTERS) and
                         'pfc-wd' not in text]
                with self.subTest(vendor + ': ' + line), Rig(vendor) as rig:
                    for i in range(modes[-1] + 1 if modes else 0):
                        rig.must_not(line)
                        rig.must(where[i])

    def test_wrong_mode(self):
        rows = [('huawei', [], 'dcb pfc enable mode manual'),
                ('huawei', ['system-view'], 'dcb pfc enable mode manual'),
                ('huawei', ['system-view', 'interface 100GE1/0/1'], 'priority 3'),
                ('huawei', ['system-view', 'interface 100GE1/0/1'], 'interface 100GE1/0/2'),
                ('huawei', [], 'commit'),
                ('eos', [], 'configure session s'),
                ('eos', ['enable'], 'qos trust dscp'),
                ('eos', ['enable', 'configure'], 'commit'),
                ('eos', ['enable', 'configure'], 'priority-flow-control on'),
                ('onyx', ['enable'], 'dcb priority-flow-control enable force'),
                ('onyx', ['enable'], 'configuration write'),
                ('ruijie', [], 'terminal length 0'),
                ('ruijie', ['enable', 'configure'], 'priority-flow-control mode on'),
                ('ruijie', ['enable', 'configure'], 'write')]
        for vendor, where, line in rows:
            with self.subTest(vendor + ': ' + line), Rig(vendor, *where) as rig:
                rig.must_not(line)

    def test_no_such_port(self):
        rows = [('huawei', ['system-view'], 'interface 100GE1/0/99'),
                ('eos', ['enable', 'configure'], 'interface Ethernet99'),
                ('onyx', ['enable', 'configure terminal'], 'interface ethernet 1/99 pfc-wd'),
                ('ruijie', ['enable', 'configure'], 'interface GigabitEthernet 0/99'),
                ('cumulus', [], 'nv set interface swp1-99 qos pfc-watchdog')]
        for vendor, where, line in rows:
            with self.subTest(vendor + ': ' + line), Rig(vendor, *where) as rig:
                rig.must_not(line)

    def test_what_excludes_each_other(self):
        rows = [('huawei', ['system-view', 'interface 100GE1/0/1', 'flow-control'],
                 'dcb pfc enable mode manual'),
                ('huawei', ['system-view', 'interface 100GE1/0/1', 'dcb pfc enable mode manual'],
                 'flow-control'),
                ('onyx', ['enable', 'configure terminal',
                          'interface ethernet 1/1 flowcontrol send on force'],
                 'interface ethernet 1/1 dcb priority-flow-control mode on force'),
                ('ruijie', RUIJIE_HEAD + ['flowcontrol on'], 'priority-flow-control mode on')]
        for vendor, where, line in rows:
            with self.subTest(vendor + ': ' + line), Rig(vendor, *where) as rig:
                rig.must_not(line)

    def test_what_has_to_be_there_first(self):
        port = ['system-view', 'interface 100GE1/0/1']
        rows = [('huawei', port, 'trust upstream nobody'),
                ('huawei', port, 'qos queue 3 wred nobody'),
                ('huawei', port, 'dcb pfc enable mode auto'),
                ('eos', EOS_PORT, 'service-profile NOBODY'),
                ('onyx', ONYX_HEAD, 'traffic pool roce memory percent 50.00')]
        for vendor, where, line in rows:
            with self.subTest(vendor + ': ' + line), Rig(vendor, *where) as rig:
                rig.must_not(line)


class Families(unittest.TestCase):
    """What depends on the model."""

    def test_headroom_comes_before_pfc(self):
        port = ['system-view', 'interface 100GE1/0/1']
        with Rig('huawei', *port, family='CE6855') as rig:
            rig.must_not('dcb pfc enable mode manual')
            rig.must('quit')
            rig.must('qos buffer headroom-pool size 4 mbytes slot 1')
            rig.must('dcb pfc dscp-mapping enable slot 1')
            rig.must('interface 100GE1/0/1')
            rig.must('dcb pfc enable mode manual')
            rig.must('quit')
            rig.must_not('undo qos buffer headroom-pool size slot 1')

    def test_other_families_have_no_headroom_pool(self):
        with Rig('huawei', 'system-view') as rig:
            rig.must_not('qos buffer headroom-pool size 4 mbytes slot 1')
            rig.must_not('qos ecn enable')

    def test_number_of_priorities(self):
        with Rig('huawei', 'system-view', 'dcb pfc', 'priority 4', 'priority 5',
                 family='CE6866') as rig:
            rig.must_not('priority 2')
            rig.must_not('priority 6')
        with Rig('huawei', 'system-view', 'dcb pfc', 'priority 4', 'priority 5',
                 'priority 7') as rig:
            rig.must_not('priority 2')

    def test_layer_3_ports_have_no_trust(self):
        ports = {'100GE1/0/1': {'layer3': True}}
        with Rig('huawei', 'system-view', 'interface 100GE1/0/1', ports=ports) as rig:
            rig.must_not('trust dscp')

    def test_queue_word_of_the_platform(self):
        with Rig('eos', *EOS_PROFILE, family='jericho') as rig:
            rig.must_not('uc-tx-queue 3')
            rig.must('tx-queue 3')
        with Rig('eos', *EOS_PROFILE) as rig:
            rig.must_not('tx-queue 3')


class Redis(unittest.TestCase):
    """CONFIG_DB takes anything; what nobody would read is in the log."""

    def test_hset(self):
        key = "sonic-db-cli CONFIG_DB HSET 'DSCP_TO_TC_MAP|losslessd' "
        with Rig('sonic') as rig:
            self.assertEqual(rig.must(key + '26 3 48 6'), '2')
            self.assertEqual(rig.must(key + '26 3'), '0')
            self.assertEqual(rig.log('ignored'), [])
            rig.must(key + '64 3')
            rig.must(key + '26 8')
            rig.must("sonic-db-cli CONFIG_DB HSET 'DSCP_TO_TC_MAPP|x' 26 3")
            rig.must("sonic-db-cli CONFIG_DB HSET 'PORT_QOS_MAP|Ethernet0' dscp_to_tc_map nobody")
            rig.must("sonic-db-cli CONFIG_DB HSET 'PORT_QOS_MAP|Ethernet1' pfc_enable 3")
            self.assertEqual(len(rig.log('ignored')), 5)
            rig.must_not(key + '26')
            self.assertEqual(rig.must("sonic-db-cli CONFIG_DB HDEL 'DSCP_TO_TC_MAP|losslessd' 48"),
                             '1')

    def test_what_pfc_needs(self):
        port = "sonic-db-cli CONFIG_DB HSET 'PORT_QOS_MAP|Ethernet0' "
        with Rig('sonic', "sonic-db-cli CONFIG_DB HSET 'DSCP_TO_TC_MAP|short' 26 3") as rig:
            rig.must(port + 'dscp_to_tc_map short')
            self.assertEqual(rig.log('ignored'), ['DSCP_TO_TC_MAP|short has 1 of 64 rows'])
            rig.must(port + 'dscp_to_tc_map AZURE')
            rig.must('sudo config interface pfc priority Ethernet0 5 on')
            self.assertEqual(rig.log('ignored')[1:],
                             ['no lossless BUFFER_PG for priority 5 of Ethernet0'])

    def test_everything_that_a_port_needs(self):
        lines = ["'WRED_PROFILE|losslessd' ecn ecn_all wred_green_enable true green_min_threshold "
                 "150000 green_max_threshold 1500000 green_drop_probability 100",
                 "'SCHEDULER|losslessd' type STRICT",
                 "'TC_TO_PRIORITY_GROUP_MAP|losslessd' 3 3", "'TC_TO_QUEUE_MAP|losslessd' 3 3 6 6",
                 "'QUEUE|Ethernet0|3' wred_profile losslessd",
                 "'QUEUE|Ethernet0|6' scheduler losslessd",
                 "'BUFFER_PG|Ethernet0|3' profile pg_lossless_100000_5m_profile",
                 "'PORT_QOS_MAP|Ethernet0' tc_to_queue_map losslessd tc_to_pg_map losslessd "
                 "pfc_enable 3",
                 "'PFC_WD|Ethernet0' action drop detection_time 400 restoration_time 400",
                 "'PORT|Ethernet0' mtu 9216"]
        with Rig('sonic') as rig:
            for line in lines:
                rig.must('sonic-db-cli CONFIG_DB HSET ' + line)
            self.assertEqual(rig.log('ignored'), [])
            self.assertEqual(rig.state()['running']['PORT']['Ethernet0']['mtu'], '9216')


if __name__ == '__main__':
    unittest.main()
