#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Owns the SSH end of emulated switches: one real OpenSSH sshd each, as the user that starts it, on
# a free port of 127.0.0.1. Everything is below one directory; nothing outside of it is touched,
# but that root gets the empty /run/sshd which sshd wants.
#
# serve.py start DIR VENDOR [--count N] [--old] [--key PUBLIC...] [--user NAME] [--password WORD]
#   prints a line for each switch:
#     NAME ADDRESS PORT FINGERPRINT STATE-FILE FAULTS-FILE
# serve.py list DIR | stop DIR [NAME] | swap DIR NAME (a new host key) | restart DIR NAME
# DIR/client is a key that may log in, DIR/known_hosts has the keys of all of them.
import argparse
import grp
import os
import pwd
import re
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import time

from emulator import VENDORS, load
from faults import Faults
from store import Store

HERE = os.path.dirname(os.path.abspath(__file__))
OLD = """KexAlgorithms diffie-hellman-group14-sha1
HostKeyAlgorithms ssh-rsa
PubkeyAcceptedAlgorithms +ssh-rsa
Ciphers aes128-cbc
MACs hmac-sha1
RequiredRSASize 1024
"""
CONFIG = """ListenAddress 127.0.0.1
Port {port}
HostKey {folder}/host_key
PidFile {folder}/sshd.pid
AuthorizedKeysFile {root}/authorized_keys
AllowUsers {user}
PermitRootLogin yes
PasswordAuthentication {password}
KbdInteractiveAuthentication no
UsePAM no
StrictModes no
PrintMotd no
PrintLastLog no
X11Forwarding no
AllowTcpForwarding no
MaxStartups 200
LoginGraceTime 60
LogLevel DEBUG1
PermitUserRC no
Subsystem sftp /bin/false
ForceCommand exec {command}
"""


def run(*args):
    return subprocess.run(args, check=True, stdout=subprocess.PIPE, text=True,
                          stdin=subprocess.DEVNULL).stdout


def make_key(path, kind):
    for name in (path, path + '.pub'):
        if os.path.exists(name):
            os.unlink(name)
    bits = ['-b', '2048'] if kind == 'rsa' else []
    run('ssh-keygen', '-q', '-t', kind, *bits, '-N', '', '-C', 'emulator', '-m', 'PEM', '-f', path)


def find_sshd():
    """`./run test` unpacks one where the package, which would start a service, is not installed."""
    lab = os.environ.get('LAB_DIR', os.path.expanduser('~/.cache/losslessd-lab'))
    path = os.pathsep.join((os.environ.get('PATH', ''), '/usr/sbin', os.path.join(lab, 'sshd')))
    found = shutil.which('sshd', path=path)
    if not found:
        raise SystemExit('serve: no sshd (Debian: openssh-server)')
    return found


def accounts(root):
    """Environment of an sshd for which this machine has not the accounts that it needs: as root a
    user sshd and a root that is not locked; as another user a group of terminals that needs no
    chown; somebody with a password. libnss_wrapper shows it files of ours, nothing is added to
    the machine."""
    passwd, shadow = os.path.join(root, 'passwd'), os.path.join(root, 'shadow')
    if not os.path.exists(passwd):
        if not lacking():
            return None
        write_accounts(root, pwd.getpwuid(os.getuid()).pw_name, '*')
    return {**os.environ, 'LD_PRELOAD': 'libnss_wrapper.so', 'NSS_WRAPPER_PASSWD': passwd,
            'NSS_WRAPPER_GROUP': os.path.join(root, 'group'), 'NSS_WRAPPER_SHADOW': shadow}


def lacking():
    if os.environ.get('EMULATOR_OWN_ACCOUNTS'):
        return True
    if os.getuid() != 0:
        master, slave = os.openpty()
        group = os.fstat(slave).st_gid
        os.close(master)
        os.close(slave)
        return all(entry.gr_gid != group for entry in grp.getgrall() if entry.gr_name == 'tty')
    with open('/etc/shadow', encoding='utf-8') as file:
        locked = any(row.startswith('root:!') for row in file)
    return locked or all(entry.pw_name != 'sshd' for entry in pwd.getpwall())


def write_accounts(root, name, word):
    """A passwd, a group and a shadow with one user, who is us under another name."""
    with open(os.path.join(root, 'group'), 'w', encoding='utf-8') as file:
        file.write('us:x:%d:\n' % os.getgid())
    with open(os.path.join(root, 'passwd'), 'w', encoding='utf-8') as file:
        file.write('%s:x:%d:%d::/:/bin/sh\nsshd:x:65533:65534::/run/sshd:/bin/false\n'
                   % (name, os.getuid(), os.getgid()))
    with open(os.path.join(root, 'shadow'), 'w', encoding='utf-8') as file:
        file.write('%s:%s:19000:0:99999:7:::\nsshd:*:19000:0:99999:7:::\n' % (name, word))


def hashed(password):
    return subprocess.run(['openssl', 'passwd', '-6', '-stdin'], check=True, text=True,
                          input=password, stdout=subprocess.PIPE).stdout.strip()


def free_port():
    with socket.socket() as sock:
        sock.bind(('127.0.0.1', 0))
        return sock.getsockname()[1]


class Switch:
    def __init__(self, root, name):
        self.root, self.name = root, name
        self.folder = os.path.join(root, name)
        self.state = os.path.join(self.folder, 'state.json')
        self.faults = os.path.join(self.folder, 'faults')

    def path(self, name):
        return os.path.join(self.folder, name)

    def setting(self, name):
        with open(self.path('sshd_config'), encoding='utf-8') as file:
            return re.search(r'^%s (.*)$' % name, file.read(), re.M).group(1)

    def create(self, vendor, old, user, password):
        os.makedirs(self.folder)
        make_key(self.path('host_key'), 'rsa' if old else 'ed25519')
        program = [sys.executable, os.path.join(HERE, 'emulator.py'), vendor, self.state,
                   self.faults]
        text = CONFIG.format(port=free_port(), folder=self.folder, root=self.root,
                             user=user, command=shlex.join(program),
                             password='yes' if password else 'no')
        with open(self.path('sshd_config'), 'w', encoding='utf-8') as file:
            file.write(text + (OLD if old else ''))
        Store(self.state, load(vendor), Faults(self.faults)).create(host=self.name)

    def fingerprint(self):
        return run('ssh-keygen', '-lf', self.path('host_key.pub')).split()[1]

    def start(self):
        for _ in range(5):
            subprocess.run([find_sshd(), '-f', self.path('sshd_config'), '-E',
                            self.path('sshd.log')],
                           check=False, stdin=subprocess.DEVNULL, env=accounts(self.root))
            for _ in range(100):
                if self.answers():
                    return
                time.sleep(0.02)
            # Somebody else was given that port in between.
            port = 'Port %d' % free_port()
            with open(self.path('sshd_config'), encoding='utf-8') as file:
                text = re.sub(r'^Port .*$', port, file.read(), flags=re.M)
            with open(self.path('sshd_config'), 'w', encoding='utf-8') as file:
                file.write(text)
        raise SystemExit('serve: sshd does not start, see ' + self.path('sshd.log'))

    def answers(self):
        try:
            with open(self.path('sshd.pid'), encoding='utf-8') as file:
                os.kill(int(file.read()), 0)
            with socket.create_connection(('127.0.0.1', int(self.setting('Port'))), 1):
                return True
        except (OSError, ValueError):
            return False

    def stop(self):
        """Ends the listener that we started, by its id, and waits until it is gone."""
        try:
            with open(self.path('sshd.pid'), encoding='utf-8') as file:
                pid = int(file.read())
            with open('/proc/%d/cmdline' % pid, encoding='utf-8') as file:
                if 'sshd' not in file.read():
                    return
            os.kill(pid, signal.SIGTERM)
            for _ in range(500):
                with open('/proc/%d/stat' % pid, encoding='utf-8') as file:
                    if file.read().rpartition(')')[2].split()[0] == 'Z':
                        return
                time.sleep(0.01)
        except (OSError, ValueError):
            return

    def line(self):
        return ' '.join((self.name, '127.0.0.1', self.setting('Port'), self.fingerprint(),
                         self.state, self.faults))


def known_hosts(root):
    """The keys of all switches, replaced whole."""
    rows = []
    for switch in switches(root):
        with open(switch.path('host_key.pub'), encoding='utf-8') as file:
            rows.append('[127.0.0.1]:%s %s\n' % (switch.setting('Port'), file.read().strip()))
    with open(os.path.join(root, 'known_hosts.new'), 'w', encoding='utf-8') as file:
        file.writelines(rows)
    os.rename(os.path.join(root, 'known_hosts.new'), os.path.join(root, 'known_hosts'))


def switches(root):
    names = [name for name in os.listdir(root) if os.path.exists(
        os.path.join(root, name, 'sshd_config'))]
    return [Switch(root, name) for name in sorted(names, key=lambda n: (len(n), n))]


def start(args):
    root = args.dir
    os.makedirs(root, mode=0o700, exist_ok=True)
    if os.getuid() == 0:
        os.makedirs('/run/sshd', mode=0o755, exist_ok=True)
    client = os.path.join(root, 'client')
    if not os.path.exists(client):
        make_key(client, 'rsa')
    keys = [client + '.pub'] + args.key
    with open(os.path.join(root, 'authorized_keys'), 'w', encoding='utf-8') as file:
        for name in keys:
            with open(name, encoding='utf-8') as key:
                file.write(key.read())
    user = args.user or pwd.getpwuid(os.getuid()).pw_name
    if args.user or args.password:
        write_accounts(root, user, hashed(args.password) if args.password else '*')
    taken = {switch.name for switch in switches(root)}
    names = ('sw-%s-%d' % (args.vendor, n) for n in range(1, 100000))
    for name in [name for name, _ in zip((n for n in names if n not in taken), range(args.count))]:
        switch = Switch(root, name)
        switch.create(args.vendor, args.old, user, args.password)
        switch.start()
        print(switch.line(), flush=True)
    known_hosts(root)


def main():
    parser = argparse.ArgumentParser(prog='serve.py')
    parser.add_argument('verb', choices=('start', 'list', 'stop', 'swap', 'restart'))
    parser.add_argument('dir', type=os.path.abspath)
    parser.add_argument('name', nargs='?', help='VENDOR for start, else the name of a switch')
    parser.add_argument('--count', type=int, default=1)
    parser.add_argument('--old', action='store_true', help='old algorithms only')
    parser.add_argument('--key', action='append', default=[], help='one more key that may log in')
    parser.add_argument('--user', help='log in under this name (with libnss_wrapper)')
    parser.add_argument('--password', help='a password may be used as well as a key')
    args = parser.parse_args()
    if args.verb == 'start':
        args.vendor = args.name
        if args.vendor not in VENDORS:
            parser.error('VENDOR is one of ' + ' '.join(VENDORS))
        start(args)
        return
    chosen = [switch for switch in switches(args.dir) if args.name in (None, switch.name)]
    for switch in chosen:
        if args.verb in ('stop', 'swap', 'restart'):
            switch.stop()
        if args.verb == 'swap':
            with open(switch.path('sshd_config'), encoding='utf-8') as file:
                kind = 'rsa' if 'RequiredRSASize' in file.read() else 'ed25519'
            make_key(switch.path('host_key'), kind)
        if args.verb in ('swap', 'restart'):
            switch.start()
        if args.verb != 'stop':
            print(switch.line())
    # After a swap DIR/known_hosts still has the old key: that is the point of it.


if __name__ == '__main__':
    main()
