# SPDX-License-Identifier: LGPL-2.1-or-later
# Owns the check that what is committed, tried, taken back and saved is so in each vendor's way,
# that sessions share one switch, and that the log says exactly what was done.
import json
import time
import unittest

from rig import Rig

PORT = ['system-view', 'interface 100GE1/0/1']


def second(rig):
    """Another session at the same switch: the first comes back with the returned object."""
    first = rig.session, rig.paper, rig.store
    rig.login()
    return first


class Huawei(unittest.TestCase):
    def test_a_candidate_is_no_configuration(self):
        with Rig('huawei', *PORT, 'trust dscp') as rig:
            self.assertEqual(list(rig.state()['running']['modes']), ['dcb pfc'])
            self.assertIn('+interface 100GE1/0/1',
                          rig.must('display configuration candidate changes'))
            rig.must('commit')
            self.assertIn('trust', rig.state()['running']['modes']['interface 100GE1/0/1']['lines'])
            self.assertEqual(rig.log('commit'), [''])
            self.assertEqual(rig.must('display configuration candidate changes'), '')

    def test_clear(self):
        with Rig('huawei', *PORT, 'trust dscp', 'clear configuration candidate') as rig:
            self.assertEqual(rig.session.prompt(), '[~sw-lab-1-100GE1/0/1]')
            self.assertEqual(rig.log('commit'), [])

    def test_leaving_asks(self):
        for answer, left, committed in (('Y', True, 1), ('N', True, 0), ('C', False, 0)):
            with self.subTest(answer), Rig('huawei', *PORT, 'trust dscp') as rig:
                rig.say('return', answer)
                self.assertIn('Uncommitted', rig.paper.asked[0])
                self.assertEqual(rig.session.prompt() == '<sw-lab-1>', left)
                self.assertEqual(len(rig.log('commit')), committed)

    def test_trial_confirmed(self):
        with Rig('huawei', *PORT, 'trust dscp', 'commit trial 60', 'commit') as rig:
            self.assertIsNone(rig.state()['trial'])
            self.assertIn('interface 100GE1/0/1', rig.state()['running']['modes'])
            self.assertEqual(rig.log('trial', 'confirm'), ['60', ''])

    def test_trial_aborted(self):
        for answer, stays in (('Y', False), ('N', True)):
            with self.subTest(answer), Rig('huawei', *PORT, 'trust dscp', 'commit trial 60') as rig:
                rig.say('abort trial', answer)
                self.assertIn('will be rolled back. Continue?', rig.paper.asked[0])
                self.assertEqual('interface 100GE1/0/1' in rig.state()['running']['modes'], stays)

    def test_trial_with_a_name(self):
        """Any session may end it, by its name; none without."""
        with Rig('huawei', *PORT, 'trust dscp', 'commit trial 60 persist p') as rig:
            second(rig)
            rig.must('system-view')
            for line in ('commit', 'commit persist q'):
                self.assertIn('trial configuration mode', rig.must_not(line))
            rig.say('abort trial', 'Y')
            self.assertIsNotNone(rig.state()['trial'])
            rig.must('commit persist p')
            self.assertIsNone(rig.state()['trial'])
            self.assertIn('interface 100GE1/0/1', rig.state()['running']['modes'])
            rig.must_not('commit persist p')

    def test_trial_with_a_name_aborted(self):
        with Rig('huawei', *PORT, 'trust dscp', 'commit trial 60 persist p') as rig:
            rig.say('abort trial', 'Y')
            self.assertIsNotNone(rig.state()['trial'])
            rig.say('abort trial persist p', 'Y')
            self.assertNotIn('interface 100GE1/0/1', rig.state()['running']['modes'])

    def test_trial_of_another_session(self):
        with Rig('huawei', *PORT, 'trust dscp', 'commit trial 60') as rig:
            second(rig)
            rig.store.session = 'another'
            rig.must('system-view')
            rig.must_not('commit')

    def test_trial_returns_by_itself(self):
        with Rig('huawei') as rig:
            rig.fault('hurry 600')
            for line in PORT + ['trust dscp', 'commit trial 60']:
                rig.must(line)
            self.assertIn('interface 100GE1/0/1', rig.state()['running']['modes'])
            time.sleep(0.2)
            self.assertNotIn('interface 100GE1/0/1', rig.state()['running']['modes'])
            self.assertEqual(rig.log('rollback'), ['time is over'])
            self.assertEqual(rig.must('display configuration trial status'),
                             'Trial status: INACTIVE')

    def test_trial_ends_with_its_session(self):
        for words, stays in (('commit trial 60', False), ('commit trial 60 persist p', True)):
            with Rig('huawei', *PORT, 'trust dscp', words) as rig:
                rig.session.session_end()
                self.assertEqual('interface 100GE1/0/1' in rig.state()['running']['modes'], stays)

    def test_half_a_minute_is_too_short(self):
        with Rig('huawei', *PORT, 'trust dscp') as rig:
            rig.must_not('commit trial 59')
            rig.must_not('commit trial 65536')

    def test_somebody_else_committed(self):
        with Rig('huawei', *PORT, 'trust dscp') as rig:
            mine = second(rig)
            for line in PORT + ['description theirs', 'commit']:
                rig.must(line)
            rig.session, rig.paper, rig.store = mine
            rig.must_not('commit')
            rig.must('refresh configuration candidate')
            rig.must('commit')
            lines = rig.state()['running']['modes']['interface 100GE1/0/1']['lines']
            self.assertEqual(set(lines), {'trust', 'description'})

    def test_commit_fails(self):
        words = "Error: The configuration conflicts with profile 'p1'."
        with Rig('huawei', *PORT, 'trust dscp') as rig:
            rig.fault('commit-fails ' + words)
            self.assertEqual(rig.say('commit'), words)
            self.assertEqual(rig.session.prompt(), '[*sw-lab-1-100GE1/0/1]')
            self.assertNotIn('interface 100GE1/0/1', rig.state()['running']['modes'])

    def test_nothing_is_saved_by_itself(self):
        with Rig('huawei', *PORT, 'trust dscp', 'commit', 'return') as rig:
            self.assertNotEqual(rig.state()['startup'], rig.state()['running'])
            rig.say('save', 'N')
            self.assertNotEqual(rig.state()['startup'], rig.state()['running'])
            rig.say('save', 'Y')
            self.assertEqual(rig.state()['startup'], rig.state()['running'])
            self.assertEqual(rig.log('save'), [''])

    def test_log(self):
        """Zero configuration lines, exactly these lines, refused lines."""
        with Rig('huawei', 'display dcb', *PORT, 'quit') as rig:
            self.assertEqual(rig.log('line'), [])
            rig.must('interface 100GE1/0/1')
            rig.must('trust dscp')
            rig.must_not('trust dscpp')
            self.assertEqual(rig.log('line'), ['trust dscp'])
            self.assertEqual(rig.log('refused'), ['trust dscpp'])
            self.assertEqual(rig.log('read'), ['display dcb'])
            self.assertEqual(rig.state()['counts']['line'], 1)


class Eos(unittest.TestCase):
    SESSION = ['enable', 'configure session losslessd', 'qos map dscp 26 to traffic-class 3']

    def test_commit_and_abort(self):
        with Rig('eos', *self.SESSION) as rig:
            self.assertEqual(rig.state()['running']['lines'], {})
            self.assertIn('+qos map dscp 26 to traffic-class 3',
                          rig.must('show session-config diffs'))
            rig.must('abort')
            self.assertEqual(rig.session.prompt(), 'sw-lab-3#')
            for line in self.SESSION[1:] + ['commit']:
                rig.must(line)
            self.assertIn('map dscp 26', rig.state()['running']['lines'])
            self.assertEqual(rig.session.prompt(), 'sw-lab-3#')

    def test_timer(self):
        with Rig('eos', *self.SESSION, 'commit timer 00:02:00') as rig:
            self.assertEqual(rig.log('trial'), ['120'])
            self.assertIn('pendingCommitTimer', rig.must('show configuration sessions'))
            rig.must('configure session losslessd commit')
            self.assertIsNone(rig.state()['trial'])
            self.assertIn('map dscp 26', rig.state()['running']['lines'])

    def test_timer_returns_by_itself(self):
        with Rig('eos') as rig:
            rig.fault('hurry 600')
            for line in self.SESSION + ['commit timer 00:01:00']:
                rig.must(line)
            time.sleep(0.2)
            self.assertEqual(rig.state()['running']['lines'], {})
            rig.must_not('configure session losslessd commit')

    def test_a_session_outlives_its_login(self):
        with Rig('eos', *self.SESSION, 'exit') as rig:
            second(rig)
            rig.must('enable')
            rig.must('configure session losslessd')
            self.assertIn('+qos map dscp 26', rig.must('show session-config diffs'))

    def test_without_a_session_it_is_at_once(self):
        with Rig('eos', 'enable', 'configure', 'qos map dscp 26 to traffic-class 3') as rig:
            self.assertIn('map dscp 26', rig.state()['running']['lines'])
            rig.must('interface Ethernet1')
            rig.must('interface Ethernet2')
            rig.must('end')
            rig.must('write memory')
            self.assertEqual(rig.state()['startup'], rig.state()['running'])


class Others(unittest.TestCase):
    def test_at_once_and_saved_when_told(self):
        rows = [('onyx', ['enable', 'configure terminal', 'roce'], 'configuration write'),
                ('ruijie', ['enable', 'configure', 'interface GigabitEthernet 0/1',
                            'priority-flow-control mode on', 'end'], 'write'),
                ('sonic', ["sonic-db-cli CONFIG_DB HSET 'DSCP_TO_TC_MAP|x' 26 3"],
                 'sudo config save -y')]
        for vendor, lines, save in rows:
            with self.subTest(vendor), Rig(vendor, *lines) as rig:
                self.assertNotEqual(rig.state()['startup'], rig.state()['running'])
                self.assertEqual(rig.log('save'), [])
                rig.must(save)
                self.assertEqual(rig.state()['startup'], rig.state()['running'])
                self.assertEqual(len(rig.log('save')), 1)

    def test_enable_password(self):
        for vendor in ('onyx', 'ruijie', 'eos'):
            with self.subTest(vendor), Rig(vendor, enable_password='secret') as rig:
                rig.say('enable', 'wrong', 'wrong', 'wrong')
                self.assertTrue(rig.session.prompt().rstrip().endswith('>'))
                rig.say('enable', 'wrong', 'secret')
                self.assertTrue(rig.session.prompt().rstrip().endswith('#'))
                self.assertNotIn('secret', json.dumps(rig.log('answer', 'mode', 'refused')))

    def test_sonic_takes_back(self):
        with Rig('sonic', 'sudo config checkpoint before') as rig:
            rig.must('sudo config qos clear')
            rig.must('sudo config rollback before')
            self.assertIn('PORT_QOS_MAP', rig.state()['running'])
            rig.must('sudo config qos clear')
            rig.must('sudo config reload -y')
            self.assertIn('PORT_QOS_MAP', rig.state()['running'])

    def test_sonic_needs_root(self):
        with Rig('sonic') as rig:
            rig.must_not('config qos clear')
            self.assertEqual(rig.session.status, 1)


class Cumulus(unittest.TestCase):
    SET = ['nv set qos roce']

    def test_apply_and_save(self):
        with Rig('cumulus', *self.SET) as rig:
            self.assertEqual(rig.state()['running'], {})
            rig.say('nv config apply', 'n')
            self.assertEqual((rig.session.status, rig.state()['running']), (1, {}))
            rig.must('nv config apply -y')
            self.assertEqual(rig.state()['running'], {'qos': {'roce': {}}})
            self.assertEqual(rig.state()['startup'], {})
            rig.must('nv config save')
            self.assertEqual(rig.state()['startup'], rig.state()['running'])

    def test_confirm(self):
        with Rig('cumulus', *self.SET, 'nv config apply --confirm 2 -y') as rig:
            self.assertIn('pending', rig.must('nv config apply --confirm-status'))
            rig.must('nv config apply --confirm-yes')
            self.assertIsNone(rig.state()['trial'])
            self.assertEqual(rig.log('trial', 'confirm'), ['120', ''])

    def test_time_to_confirm(self):
        for words, seconds in (('90s', '90'), ('3m', '180'), ('1h', '3600'), ('', '600')):
            with self.subTest(words), Rig('cumulus', *self.SET) as rig:
                rig.must(('nv config apply --confirm %s -y' % words).replace('  ', ' '))
                self.assertEqual(rig.log('trial'), [seconds])
        for words in ('0s', '90d', 'soon'):
            with self.subTest(words), Rig('cumulus', *self.SET) as rig:
                rig.must_not('nv config apply --confirm %s -y' % words)

    def test_rejected(self):
        with Rig('cumulus', *self.SET, 'nv config apply --confirm 90s -y') as rig:
            rig.must('nv config apply --confirm-no')
            self.assertEqual((rig.state()['running'], rig.state()['trial']), ({}, None))
            rig.must_not('nv config apply --confirm-no')

    def test_not_confirmed(self):
        with Rig('cumulus') as rig:
            rig.fault('hurry 600')
            rig.must('nv set qos roce')
            rig.must('nv config apply --confirm 1 -y')
            time.sleep(0.2)
            self.assertEqual(rig.state()['running'], {})

    def test_earlier_revision(self):
        with Rig('cumulus', 'nv set qos roce', 'nv config apply -y', 'nv unset qos roce',
                 'nv config apply -y') as rig:
            self.assertEqual(rig.state()['running'], {})
            rig.must('nv config apply 2 -y')
            self.assertEqual(rig.state()['running'], {'qos': {'roce': {}}})

    def test_lossy_has_to_be_left_by_name(self):
        with Rig('cumulus', 'nv set qos roce mode lossy', 'nv set qos roce',
                 'nv config apply -y') as rig:
            self.assertIn('lossy', rig.must('nv show qos roce'))

    def test_profile_has_to_be_there(self):
        with Rig('cumulus', 'nv set interface swp1 qos pfc profile P') as rig:
            rig.must_not('nv config apply -y')

    def test_apply_fails(self):
        with Rig('cumulus', *self.SET) as rig:
            rig.fault('commit-fails')
            rig.must_not('nv config apply -y')
            self.assertEqual((rig.session.status, rig.state()['running']), (1, {}))

    def test_shell(self):
        with Rig('cumulus') as rig:
            self.assertEqual(rig.say('false; echo $?; true && echo a || echo b'), '1\na')
            self.assertEqual(rig.say('sh -c "echo x; echo y"'), 'x\ny')
            rig.say('nvv')
            self.assertEqual(rig.session.status, 127)
            rig.say('nv show qos roce > file')
            self.assertEqual(rig.session.status, 2)
            rig.say('nv show qos roce 2>&1 </dev/null')
            self.assertEqual(rig.session.status, 0)


if __name__ == '__main__':
    unittest.main()
