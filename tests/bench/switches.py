#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Owns the benchmark of pushes to many switches: `losslessctl apply --once` beside a script with
# netmiko and threads, at 1, 8 and 64 switches that take their time to answer. As root, in a mount
# namespace of its own, so that nothing of a losslessd of this machine is touched.
#
# switches.py BUILD [RUNS [MS]]
import os
import re
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCES = os.path.dirname(os.path.dirname(HERE))
EMULATOR = os.path.join(SOURCES, 'tests', 'switch', 'emulator')
COUNTS = (1, 8, 64)
FABRIC = """version: 1
fabric: bench
roce: {traffic_class: 106}
qos: {dscp_to_priority: {26: 3}, pfc: [3], scheduler: {0: 50%, 3: 50%}}
nodes:
"""
SWITCH = """  leaf-%d:
    dialect: huawei-cloudengine
    address: 127.0.0.1
    port: %d
    username: root
    key: key
    known_hosts: hosts
    owner: gpu-1
    ports: {"100GE1/0/1": %s/ens1f0np0}
"""


class Failed(Exception):
    """A run that is no measurement."""


class Server:
    """switch-server, and what it spent when it has ended."""

    def __init__(self, bench, *args):
        self.errors = tempfile.TemporaryFile('w+')
        self.process = subprocess.Popen(
            [os.path.join(bench.build, 'tests', 'bench', 'switch-server'), args[0],
             bench.path('host_key'), *args[1:]],
            stdout=subprocess.PIPE, stderr=self.errors, text=True)

    def ports(self, count):
        return [int(self.process.stdout.readline()) for _ in range(count)]

    def end(self):
        self.process.send_signal(signal.SIGTERM)
        _, _, usage = os.wait4(self.process.pid, 0)
        self.process.returncode = 0
        self.process.stdout.close()
        self.errors.seek(0)
        said = self.errors.read()
        if said:
            raise Failed(said)
        return usage.ru_utime + usage.ru_stime


def spent_by(argv, good, **more):
    """Seconds, and seconds of CPU of it and of all that it has waited for."""
    with tempfile.TemporaryFile('w+') as out:
        began = time.monotonic()
        process = subprocess.Popen(argv, stdout=out, stderr=out, **more)
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.monotonic() - began
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        said = out.read()
    if not good(process.returncode, said):
        raise Failed('%s: exit status %d\n%s' % (argv[0], process.returncode, said[-4000:]))
    return seconds, usage.ru_utime + usage.ru_stime


class Bench:
    def __init__(self, build, root, delay_ms):
        self.build, self.root, self.delay_ms = build, root, delay_ms
        os.chmod(root, 0o755)
        for name in ('cred', 'state', 'ours', 'netmiko'):
            os.mkdir(self.path(name))
        shutil.copytree(os.path.join(SOURCES, 'config', 'dialects'), self.path('dialects'))
        shutil.copy(os.path.join(build, 'daemon', 'losslessd-switch'), self.path('worker'))
        for name, kind in (('host_key', 'ed25519'), ('client', 'rsa')):
            subprocess.run(['ssh-keygen', '-q', '-t', kind, '-N', '', '-m', 'PEM', '-f',
                            self.path(name)], check=True)
        shutil.copy(self.path('client'), self.path('cred/switch_key'))
        os.chmod(self.path('cred/switch_key'), 0o644)   # only losslessd-switch's user has a look

    def path(self, name):
        return os.path.join(self.root, name)

    def prepare(self, ports):
        with open(self.path('host_key.pub'), encoding='utf-8') as file:
            key = ' '.join(file.read().split()[:2])
        with open(self.path('cred/switch_hosts'), 'w', encoding='utf-8') as file:
            file.writelines('[127.0.0.1]:%d %s\n' % (port, key) for port in ports)
        with open(self.path('fabric.yaml'), 'w', encoding='utf-8') as file:
            # A NIC has one switch: each but the first goes to one of a node that is not here
            names = ['gpu-%d' % (i + 1) for i in range(len(ports))]
            file.write(FABRIC)
            file.writelines('  %s: {nics: [{name: ens1f0np0}]}\n' % name for name in names)
            file.write('switches:\n')
            for i, (name, port) in enumerate(zip(names, ports)):
                file.write(SWITCH % (i + 1, port, name))

    def ours(self, ports):
        self.prepare(ports)
        for name in os.listdir('/var/lib/losslessd'):   # of our namespace, see alone()
            os.unlink(os.path.join('/var/lib/losslessd', name))
        env = {**os.environ, 'LOSSLESSD_SWITCH': self.path('worker'), 'NO_COLOR': '1',
               'LOSSLESSD_DIALECTS': self.path('dialects'),
               'CREDENTIALS_DIRECTORY': self.path('cred'), 'STATE_DIRECTORY': self.path('state')}
        all_good = '%d of %d switch' % (len(ports), len(ports))
        return spent_by([os.path.join(self.build, 'cli', 'losslessctl'), 'apply', '--once',
                         '--node', 'gpu-1', '-f', self.path('fabric.yaml')],
                        lambda status, said: status == 2 and all_good in said, env=env)

    def netmiko(self, ports):
        with open(self.path('switches'), 'w', encoding='utf-8') as file:
            file.writelines('leaf-%d 127.0.0.1 %d\n' % (i + 1, port)
                            for i, port in enumerate(ports))
        with open(self.path('switches'), encoding='utf-8') as file:
            return spent_by(['/usr/bin/python3', os.path.join(EMULATOR, 'netmiko-push.py'),
                             'huawei', self.path('client'), self.path('lines'), '--threads',
                             str(len(ports))], lambda status, said: status == 0, stdin=file)

    def record(self, who):
        """One push to the emulated switch, from nothing; returns its log."""
        state = self.path(who + '.json')
        server = Server(self, 'record', self.path(who), '/usr/bin/python3',
                        os.path.join(EMULATOR, 'emulator.py'), 'huawei', state)
        try:
            getattr(self, who)(server.ports(1))
        finally:
            server.end()
        with open(state + '.log', encoding='utf-8') as file:
            rows = [line.rstrip('\n').split('\t') for line in file]
        if not any(row[0] == 'save' for row in rows):
            raise Failed('%s: not saved:\n%s' % (who, rows))
        return rows

    def lines(self, rows):
        """For netmiko: what the product had the switch take, behind its reading."""
        texts = {'commit': 'commit', 'save': 'save', 'answer': 'Y'}
        begin = next(i for i, row in enumerate(rows) if row[3] == 'system-view')
        said = [texts.get(row[0], row[3]) for row in rows[begin + 1:]
                if row[0] in ('line', 'mode', 'commit', 'save', 'answer')]
        said[-2:] = ['save', 'Y']       # the answer was logged first
        with open(self.path('lines'), 'w', encoding='utf-8') as file:
            file.writelines(line + '\n' for line in said)
        return len(said)

    def play(self, who, count):
        """Seconds, CPU of the client, CPU of the switches."""
        server = Server(self, 'play', self.path(who), str(count), str(self.delay_ms))
        try:
            seconds, cpu = getattr(self, who)(server.ports(count))
        finally:
            theirs = server.end()
        return seconds, cpu, theirs

    def run(self):
        """{(who, count): seconds and CPU}, each also said when it is known."""
        got = {}
        for count in COUNTS:
            for who in ('ours', 'netmiko'):
                got[who, count] = self.play(who, count)
                print('%s, %d: %.1f s, CPU %.2f s, of the switches %.2f s'
                      % (who, count, *got[who, count]), file=sys.stderr, flush=True)
        return got


def median(values, which):
    return statistics.median(value[which] for value in values)


def ratio(values, others, which):
    return statistics.median(a[which] / b[which] for a, b in zip(values, others))


def table(runs):
    """A run is {(who, count): (seconds, cpu, theirs)}."""
    got = {key: [run[key] for run in runs] for key in runs[0]}
    print('| switches | time, of 1 alone: ours | netmiko | budget | CPU: ours / netmiko | budget '
          '| time: ours | netmiko | CPU: ours | netmiko | CPU of the switches: ours | netmiko |')
    print('|---|---|---|---|---|---|---|---|---|---|---|---|')
    for count in COUNTS:
        ours, other = got['ours', count], got['netmiko', count]
        print('| %d | **%.2f** | %.2f | %s | **%.3f** | %s | %.1f s | %.1f s | %.2f s | %.2f s | '
              '%.2f s | %.2f s |'
              % (count, ratio(ours, got['ours', 1], 0), ratio(other, got['netmiko', 1], 0),
                 '≤ 1.5' if count == 64 else '–', ratio(ours, other, 1),
                 '≤ 0.2' if count == 64 else '–', median(ours, 0), median(other, 0),
                 median(ours, 1), median(other, 1), median(ours, 2), median(other, 2)))


def answers_of(path):
    total = 0
    for name in os.listdir(path):
        with open(os.path.join(path, name), 'rb') as file:
            data = file.read()
        while data:
            size = int(re.match(rb'(\d+) ', data).group(1))
            data = data[data.index(b'\n') + 1 + size:]
            total += 1
    return total - len(os.listdir(path))


def main():
    build = os.path.abspath(sys.argv[1])
    runs = int(sys.argv[2]) if len(sys.argv) > 2 else 3
    delay_ms = int(sys.argv[3]) if len(sys.argv) > 3 else 200
    with tempfile.TemporaryDirectory() as root:
        bench = Bench(build, root, delay_ms)
        bench.lines(bench.record('ours'))
        bench.record('netmiko')
        print('%d ms an answer: %d answers of a switch to losslessctl in %d logins, %d to netmiko '
              'in 1; medians of %d runs' % (delay_ms, answers_of(bench.path('ours')),
                                            len(os.listdir(bench.path('ours'))),
                                            answers_of(bench.path('netmiko')), runs))
        print(flush=True)
        table([bench.run() for _ in range(runs)])


def alone():
    """In a mount namespace, in which what losslessd keeps and holds is ours."""
    if os.environ.get('BENCH_ALONE'):
        return
    script = 'for d in /var/lib/losslessd /run/losslessd; do ' \
             'mkdir -p $d && mount -t tmpfs none $d || exit; done; exec "$@"'
    os.environ['BENCH_ALONE'] = 'yes'
    os.execvp('unshare', ['unshare', '-m', 'sh', '-c', script, 'sh', sys.executable, *sys.argv])


if __name__ == '__main__':
    alone()
    try:
        main()
    except Failed as error:
        sys.exit('switches.py: %s' % error)
