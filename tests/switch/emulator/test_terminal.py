# SPDX-License-Identifier: LGPL-2.1-or-later
# Owns the check of what a tool meets before it meets commands: a real pty, echo and its wrapping,
# pager, questions, lost input, limits, and each fault of the control file.
import os
import re
import subprocess
import sys
import time
import unittest

from faults import NAMES, Faults
from rig import HERE, Folder, Pty

USER = '<sw-lab-1>'
VIEW = r'\[~sw-lab-1\]'


class Plain(unittest.TestCase):
    def test_pager(self):
        with Pty('huawei') as sw:
            sw.until(USER)
            sw.send('display diffserv domain default\n')
            text = sw.until(r'  ---- More ----')
            self.assertEqual(text.count('\r\n'), 24)
            sw.send(' ')
            text += sw.until(r'  ---- More ----')
            self.assertIn('\x1b[42D' + ' ' * 42 + '\x1b[42D ip-dscp-inbound 22 phb', text)
            sw.send('q')
            text = sw.until(USER)
            self.assertNotIn('phb', text)
            sw.send('screen-length 0 temporary\n')
            sw.until(USER)
            sw.send('display diffserv domain default\n')
            self.assertEqual(sw.until(USER).count(' phb '), 64)

    def test_wrapping_at_the_width(self):
        with Pty('huawei', width=40) as sw:
            sw.until(USER)
            sw.send('display qos configuration interface 100GE 1/0/1\n')
            text = sw.until(USER)
            self.assertTrue(text.startswith('display qos configuration inte\r \rrface'), text)

    def test_modes_and_line_ends(self):
        with Pty('eos') as sw:
            sw.until('sw-lab-3>')
            sw.send('enable\rconfigure session losslessd\r\n')
            text = sw.until(r'\(config-s-lossle\)#')
            self.assertEqual(text, 'enable\r\nsw-lab-3#configure session losslessd\r\n'
                                   'sw-lab-3(config-s-lossle)#')

    def test_control_keys(self):
        with Pty('eos') as sw:
            sw.until('sw-lab-3>')
            sw.send('enable\nconfigure\n')
            sw.until(r'\(config\)#')
            sw.send('no such\x03')
            sw.until(r'\^C\r\nsw-lab-3\(config\)#')
            sw.send('\x1a\n')
            sw.until('\nsw-lab-3#')
            sw.send('\x04')
            self.assertEqual(sw.ended(), 0)

    def test_password_is_not_echoed(self):
        with Pty('ruijie', enable_password='secret') as sw:
            sw.until('>')
            sw.send('enable\n')
            sw.until('Password:')
            sw.send('secret\n')
            self.assertNotIn('secret', sw.until('sw-lab-2#'))

    def test_lines_pasted_too_fast(self):
        """4096 bytes fit, 68 lines of 60; the rest is lost without a word."""
        line = 'description %s' % ('x' * 47)
        with Pty('huawei') as sw:
            sw.until(USER)
            sw.send('system-view\ninterface 100GE1/0/1\n')
            sw.until(r'100GE1/0/1\]')
            with open(sw.faults_file, 'w', encoding='utf-8') as file:
                file.write('hang 1\n')
            # The first line hangs, so that the others wait in the switch's buffer.
            sw.send('description first\n')
            time.sleep(0.2)
            for _ in range(120):
                sw.send(line[:59] + '\n')
            self.assertIn(len(sw.settled('line')), (69, 70))
            self.assertTrue(sw.log('dropped'))

    def test_line_by_line_nothing_is_lost(self):
        with Pty('huawei') as sw:
            sw.until(USER)
            sw.send('system-view\n')
            sw.until(VIEW)
            sw.send('diffserv domain ds1\n')
            sw.until(r'ds1\]')
            for dscp in range(64):
                sw.send('ip-dscp-inbound %d phb cs6 green\n' % dscp)
                sw.until(r'ds1\]')
            self.assertEqual(len(sw.log('line')), 65)
            self.assertEqual(sw.log('dropped'), [])

    def test_vty_limit(self):
        with Pty('huawei', vty_max=1) as sw:
            sw.until(USER)
            first = sw.process, sw.master
            sw.login()
            self.assertIn('VTY users has reached', sw.until('later.\r\n'))
            self.assertEqual(sw.ended(), 1)
            os.close(sw.master)
            sw.process, sw.master = first
            sw.send('quit\n')
            sw.ended()
            os.close(sw.master)
            sw.login()
            sw.until(USER)

    def test_two_at_once(self):
        """No line of one session is lost by another's."""
        with Pty('eos') as sw:
            first = sw.process, sw.master
            sw.until('>')
            sw.login()
            sw.until('>')
            for master in (first[1], sw.master):
                os.write(master, b'enable\nconfigure\n')
            for dscp in range(32):
                for i, master in enumerate((first[1], sw.master)):
                    os.write(master, b'qos map dscp %d to traffic-class 3\n' % (32 * i + dscp))
            sw.send('end\nexit\n')
            sw.ended()
            os.close(sw.master)
            sw.process, sw.master = first
            sw.send('end\nexit\n')
            sw.ended()
            state = sw.state()
            self.assertEqual(len(state['running']['lines']), 64)
            self.assertEqual((state['counts']['line'], state['vty']), (64, []))

    def test_status_outlives_an_empty_line(self):
        with Pty('sonic') as sw:
            sw.until(r'\$ ')
            sw.send('false\n\necho $?\n')
            self.assertIn('\r\n1\r\n', sw.until(r'echo \$\?\r\n\d+\r\n.*\$ '))

    def test_exec(self):
        rows = [('huawei', 'display dcb', 1, 'Error: The exec channel'),
                ('onyx', 'show roce', 1, '% Exec'),
                ('eos', 'show priority-flow-control | no-more', 0, 'Port       Enabled'),
                ('cumulus', 'nv show qos roce -o json', 0, '{}'),
                ('cumulus', 'nv set qos rocee', 2, ''),
                ('sonic', 'show pfc priority', 0, '\nInterface    Lossless'),
                ('sonic', 'sudo config nothing', 2, '')]
        for vendor, line, status, words in rows:
            with self.subTest(vendor + ': ' + line), Folder(vendor) as folder:
                done = subprocess.run(
                    [sys.executable, os.path.join(HERE, 'emulator.py'), vendor, folder.state_file],
                    env={**os.environ, 'SSH_ORIGINAL_COMMAND': line}, check=False, text=True,
                    stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
                self.assertEqual(done.returncode, status)
                self.assertTrue(done.stdout.startswith(words), done.stdout)
                self.assertEqual(bool(done.stderr), status == 2)


class FaultsOfAFile(unittest.TestCase):
    tried = set()

    def switch(self, vendor, *faults, **more):
        self.tried.update(fault.split()[0] for fault in faults)
        return Pty(vendor, faults=faults, **more)

    def view(self, sw):
        sw.until(USER)
        sw.send('system-view\n')
        sw.until(r'\]')
        sw.send('interface 100GE1/0/1\n')
        return sw.until(r'\]')

    def test_1_error(self):
        with self.switch('huawei', 'error 2') as sw:
            self.view(sw)
            sw.send('trust dscp\n')
            self.assertIn("Error: Unrecognized command found at '^' position.", sw.until(r'\]'))
            sw.send('trust dscp\n')
            sw.until(r'\[\*sw-lab-1-100GE1/0/1\]')
            self.assertEqual(sw.log('line'), ['trust dscp'])

    def test_1_error_with_words_at_each_line(self):
        with self.switch('onyx', 'error * % Something is wrong') as sw:
            sw.until('> ')
            sw.send('enable\nconfigure terminal\n')
            sw.until(r'\(config\) # ')
            for _ in range(2):
                sw.send('roce\n')
                self.assertIn('\r\n% Something is wrong\r\n', sw.until(r'\(config\) # '))
            self.assertEqual(sw.log('line'), [])

    def test_1_question(self):
        with self.switch('huawei', 'question 2 This may hurt. Proceed? [Y/N]:') as sw:
            self.view(sw)
            sw.send('trust dscp\n')
            sw.until(r'This may hurt\. Proceed\? \[Y/N\]:')
            sw.send('commit\n')
            sw.until(r'\[~sw-lab-1-100GE1/0/1\]')
            self.assertEqual((sw.log('line'), sw.log('answer')), ([], ['commit']))

    def test_1_cut(self):
        with self.switch('huawei', 'cut 2') as sw:
            self.view(sw)
            sw.send('trust dscp\n')
            self.assertEqual(sw.ended(), 255)
            self.assertEqual(sw.log('line'), [])

    def test_1_hang(self):
        with self.switch('huawei', 'hang 1 2') as sw:
            self.view(sw)
            begin = time.time()
            sw.send('trust dscp\n')
            sw.until(r'\[\*sw-lab-1-100GE1/0/1\]')
            self.assertGreater(time.time() - begin, 0.9)

    def test_1_commit_fails(self):
        with self.switch('huawei', 'commit-fails') as sw:
            self.view(sw)
            sw.send('trust dscp\ncommit\n')
            self.assertIn('Error: Failed to generate committed config',
                          sw.until(r'commit\r\n[^\n]*\r\n\[\*sw-lab-1-100GE1/0/1\]'))

    def test_1_password_age(self):
        with self.switch('huawei', 'password-age 0.5') as sw:
            sw.until(r'Change now\? \[Y/N\]:')
            sw.send('N\n')
            sw.until(USER)
            self.assertEqual(sw.log('answer'), ['N'])

    def test_1_another_question_at_login(self):
        with self.switch('ruijie', 'password-age 0 Accept the terms? [yes/no]:') as sw:
            sw.until(r'Accept the terms\? \[yes/no\]:')
            self.assertEqual(sw.log('answer'), [])

    def test_1_cut_output(self):
        with self.switch('huawei', 'cut-output 23') as sw:
            sw.until(USER)
            sw.send('display diffserv domain default\n')
            self.assertEqual(sw.ended(), 255)
            text = os.read(sw.master, 65536).decode()
            self.assertEqual(text.count(' phb '), 22)
            self.assertNotIn('More', text)

    def test_1_enable_refused(self):
        for vendor, words in (('ruijie', '% Access denied'), ('onyx', '% Access denied')):
            with self.switch(vendor, 'enable-refused', enable_password='x') as sw:
                sw.until('> ?')
                sw.send('enable\n')
                for _ in range(3):
                    sw.until('assword: ?')
                    sw.send('x\n')
                self.assertIn(words, sw.until('> ?'))

    def test_1_pager_stays(self):
        with self.switch('huawei', 'pager-stays') as sw:
            sw.until(USER)
            sw.send('screen-length 0 temporary\n')
            sw.until(USER)
            sw.send('display diffserv domain default\n')
            sw.until('---- More ----')

    def test_1_echo(self):
        with self.switch('huawei', 'wrap-echo 30', 'ansi-echo') as sw:
            sw.until(re.escape(USER) + r'\x1b\[K')
            sw.send('display dcb pfc-profile\n')
            text = sw.until(r'\x1b\[K')
            self.assertIn('\r \r', text)
            echo = re.sub(r'\x1b\[K|\r \r', '', text).split('\r\n')[0]
            self.assertEqual(echo, 'display dcb pfc-profile')
            self.assertIn('\x1b[?2004h', text)

    def test_1_what_looks_like_a_prompt(self):
        with self.switch('eos', 'prompt-in-description', 'banner-hashes') as sw:
            self.assertIn('#' * 30 + '\r\n#  authorised', sw.until('sw-lab-3>'))
            sw.send('show interfaces description\n')
            text = sw.until('\r\nsw-lab-3>')
            self.assertIn('uplink sw-lab-3# spare', text)
            self.assertIn('to sw-lab-5>\r\n', text)

    def test_1_vty_full(self):
        with self.switch('huawei', 'vty-full') as sw:
            sw.until('later.\r\n')
            self.assertEqual(sw.ended(), 1)

    def test_1_slow(self):
        with self.switch('huawei', 'slow 300') as sw:
            sw.until(USER)
            begin = time.time()
            sw.send('display dcb\n')
            sw.until(USER)
            self.assertGreater(time.time() - begin, 0.25)

    def test_1_drop_input(self):
        with self.switch('huawei', 'drop-input 100') as sw:
            sw.until(USER)
            sw.send('display dcb\n' * 40)
            self.assertLess(len(sw.settled('read', 'refused')), 40)
            self.assertTrue(sw.log('dropped'))

    def test_1_prefix_and_line_ends(self):
        with self.switch('huawei', 'ha-prefix HRP_M', 'double-cr') as sw:
            sw.until('HRP_M<sw-lab-1>')
            sw.send('display dcb pfc-profile\n')
            self.assertIn('Priority\r\r\ndefault', sw.until('HRP_M<sw-lab-1>'))

    def test_1_hurry(self):
        """In test_transactions.py."""
        self.tried.add('hurry')

    def test_2_each_fault_was_tried(self):
        self.assertEqual(self.tried, set(NAMES))

    def test_2_unknown_fault(self):
        with Folder('huawei') as folder:
            folder.fault('hangs 5')
            with self.assertRaises(SystemExit):
                Faults(folder.faults_file).lines()


if __name__ == '__main__':
    unittest.main()
