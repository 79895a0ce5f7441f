# SPDX-License-Identifier: LGPL-2.1-or-later
# Owns the check of what is SSH about an emulated switch, with OpenSSH's own client: keys, host keys
# that change, old algorithms, exec, connections that are cut, many switches.
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

from rig import HERE

OLD = ['-oKexAlgorithms=diffie-hellman-group14-sha1', '-oHostKeyAlgorithms=ssh-rsa',
       '-oCiphers=aes128-cbc', '-oMACs=hmac-sha1', '-oPubkeyAcceptedAlgorithms=+ssh-rsa']


def serve(*args, **environment):
    out = subprocess.run([sys.executable, os.path.join(HERE, 'serve.py'), *args], check=True,
                         stdout=subprocess.PIPE, text=True,
                         env={**os.environ, **environment}).stdout
    return [Served(*row.split()) for row in out.splitlines()]


class Served:
    def __init__(self, name, address, port, fingerprint, state, faults):
        self.name, self.address, self.port, self.fingerprint = name, address, port, fingerprint
        self.state, self.faults = state, faults
        self.root = os.path.dirname(os.path.dirname(state))

    def ssh(self, *args, typed='', **environment):
        """Exit status, what came, what OpenSSH complained of."""
        batch = [] if 'SSH_ASKPASS' in environment else ['-oBatchMode=yes']
        done = subprocess.run(
            ['ssh', '-F', 'none', '-p', self.port, '-i', os.path.join(self.root, 'client'),
             '-oIdentitiesOnly=yes', *batch, '-oStrictHostKeyChecking=yes',
             '-oUserKnownHostsFile=' + os.path.join(self.root, 'known_hosts'),
             '-oGlobalKnownHostsFile=/dev/null', *args],
            check=False, input=typed, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            timeout=60, env={**os.environ, **environment})
        return done.returncode, done.stdout, done.stderr


class Serve(unittest.TestCase):
    def setUp(self):
        self.root = tempfile.mkdtemp()

    def tearDown(self):
        serve('stop', self.root)
        shutil.rmtree(self.root)

    def test_shell_and_exec(self):
        switch = serve('start', self.root, 'eos')[0]
        status, out, _ = switch.ssh(switch.address, 'show priority-flow-control | no-more')
        self.assertEqual((status, out.split('\n')[0]),
                         (0, 'Port       Enabled  Priorities  Active  Note'))
        status, out, _ = switch.ssh('-tt', switch.address, typed='enable\nshow version\nexit\n')
        self.assertIn('sw-eos-1#show version\nArista DCS', out)

    def test_exit_statuses(self):
        switch = serve('start', self.root, 'cumulus')[0]
        self.assertEqual(switch.ssh(switch.address, 'nv set qos roce')[0], 0)
        status, _, error = switch.ssh(switch.address, 'nv set qos roce mode x')
        self.assertEqual((status, error.startswith('Error: ')), (2, True))

    def test_old_algorithms(self):
        switch = serve('start', self.root, 'huawei', '--old')[0]
        status, _, error = switch.ssh(switch.address)
        self.assertEqual(status, 255)
        self.assertIn('no matching key exchange method', error)
        _, out, _ = switch.ssh('-tt', *OLD, switch.address, typed='quit\n')
        self.assertIn('<sw-huawei-1>', out)

    def test_host_key_changes(self):
        switch = serve('start', self.root, 'eos')[0]
        changed = serve('swap', self.root, switch.name)[0]
        self.assertNotEqual(changed.fingerprint, switch.fingerprint)
        self.assertEqual(changed.port, switch.port)
        status, _, error = changed.ssh(changed.address, 'show version')
        self.assertEqual(status, 255)
        self.assertIn('REMOTE HOST IDENTIFICATION HAS CHANGED', error)
        self.assertIn(changed.fingerprint, error)
        with open(os.path.join(self.root, switch.name, 'sshd.log'), encoding='utf-8') as file:
            self.assertNotIn('userauth-request', file.read())

    def test_the_connection_is_cut(self):
        switch = serve('start', self.root, 'huawei')[0]
        with open(switch.faults, 'w', encoding='utf-8') as file:
            file.write('cut 2\n')
        status, out, error = switch.ssh('-tt', switch.address, typed='system-view\n'
                                        'interface 100GE1/0/1\ntrust dscp\ncommit\n')
        self.assertEqual(status, 255)
        self.assertIn('trust dscp', out)
        self.assertIn('closed', error + out)

    def test_a_channel_for_one_line_is_cut(self):
        switch = serve('start', self.root, 'cumulus')[0]
        with open(switch.faults, 'w', encoding='utf-8') as file:
            file.write('cut 2\n')
        self.assertEqual([switch.ssh(switch.address, 'nv set qos roce')[0] for _ in range(3)],
                         [0, 255, 0])

    def test_other_keys_and_passwords_are_refused(self):
        switch = serve('start', self.root, 'eos')[0]
        other = os.path.join(self.root, 'other')
        subprocess.run(['ssh-keygen', '-q', '-t', 'ed25519', '-N', '', '-f', other], check=True)
        os.rename(other, os.path.join(self.root, 'client'))
        status, _, error = switch.ssh(switch.address, 'show version')
        self.assertEqual(status, 255)
        self.assertIn('Permission denied (publickey)', error)

    def test_the_log_tells_who_asked(self):
        switch = serve('start', self.root, 'eos')[0]
        switch.ssh(switch.address, 'show version')
        with open(os.path.join(self.root, switch.name, 'sshd.log'), encoding='utf-8') as file:
            self.assertIn('userauth-request', file.read())

    def test_password(self):
        switch = serve('start', self.root, 'onyx', '--user', 'admin', '--password', 'a b$c')[0]
        ask = os.path.join(self.root, 'ask')
        for word, status in (('a b$c', 1), ('a b$d', 255)):
            with open(ask, 'w', encoding='utf-8') as file:
                file.write("#!/bin/sh\necho '%s'\n" % word)
            os.chmod(ask, 0o700)
            got, out, error = switch.ssh(
                '-oPreferredAuthentications=password', '-oNumberOfPasswordPrompts=1',
                'admin@' + switch.address, 'show roce',
                SSH_ASKPASS=ask, SSH_ASKPASS_REQUIRE='force')
            self.assertEqual(got, status, error)
            self.assertEqual('Exec requests' in out, status == 1)

    def test_many(self):
        switches = serve('start', self.root, 'onyx', '--count', '4')
        self.assertEqual([switch.name for switch in switches],
                         ['sw-onyx-%d' % n for n in range(1, 5)])
        self.assertEqual(len({switch.port for switch in switches}), 4)
        _, out, _ = switches[3].ssh('-tt', switches[3].address, typed='exit\n')
        self.assertIn('sw-onyx-4 [standalone: master] > ', out)
        self.assertEqual(len(serve('list', self.root)), 4)

    def test_accounts_of_its_own(self):
        switch = serve('start', self.root, 'eos', EMULATOR_OWN_ACCOUNTS='1')[0]
        self.assertEqual(switch.ssh(switch.address, 'show version')[0], 0)

    def test_push_of_many(self):
        """The helper of the benchmark: lines in, each once on each switch."""
        switches = serve('start', self.root, 'onyx', '--count', '2')
        lines = os.path.join(self.root, 'lines')
        with open(lines, 'w', encoding='utf-8') as file:
            file.write('interface ethernet 1/1 qos trust L3\ninterface ethernet 1/2 qos trust L3\n')
        rows = '\n'.join(' '.join((switch.name, switch.address, switch.port))
                         for switch in switches)
        done = subprocess.run([sys.executable, os.path.join(HERE, 'netmiko-push.py'),
                               'mellanox_mlnxos', os.path.join(self.root, 'client'), lines],
                              input=rows, check=False, stdout=subprocess.PIPE, text=True)
        self.assertEqual(done.stdout.split()[1:], ['2', '0'])
        for switch in switches:
            with open(switch.state + '.log', encoding='utf-8') as file:
                self.assertEqual(file.read().count('\nline\t'), 2)


if __name__ == '__main__':
    unittest.main()
