# SPDX-License-Identifier: LGPL-2.1-or-later
# Owns what the tests of the emulator stand on: a switch in this process without a terminal, and a
# switch behind a real pty.
import os
import pty
import re
import select
import shutil
import struct
import fcntl
import subprocess
import sys
import tempfile
import termios
import time

from emulator import load, session_of
from faults import Faults
from store import Store

HERE = os.path.dirname(os.path.abspath(__file__))


class Folder:
    """A state file and a control file that go away with it."""

    def __init__(self, vendor, **state):
        self.folder = tempfile.mkdtemp()
        self.vendor, self.data = vendor, load(vendor)
        self.state_file = os.path.join(self.folder, 'state.json')
        self.faults_file = os.path.join(self.folder, 'faults')
        self.faults = Faults(self.faults_file)
        self.store = Store(self.state_file, self.data, self.faults)
        self.store.create(**state)

    def close(self):
        shutil.rmtree(self.folder)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def fault(self, *lines):
        with open(self.faults_file, 'w', encoding='utf-8') as file:
            file.write('\n'.join(lines) + '\n')

    def state(self):
        return self.store.read()

    def log(self, *kinds):
        """Texts of these kinds of entries, in order."""
        try:
            with open(self.state_file + '.log', encoding='utf-8') as file:
                rows = [row.rstrip('\n').split('\t') for row in file]
        except FileNotFoundError:
            return []
        return [row[3] for row in rows if row[0] in kinds]


class Paper:
    """Stands for a terminal: keeps what is said, answers questions from a list."""

    pty = True

    def __init__(self):
        self.lines, self.answers, self.asked = [], [], []
        self.paging = False

    def say(self, text=''):
        self.lines += text.split('\n')

    complain = say

    def page(self, lines):
        self.lines += lines

    def pause(self):
        pass

    def ask(self, text, echo=True):
        self.asked.append(text)
        return self.answers.pop(0) if self.answers else None


class Rig(Folder):
    """A switch in this process; say() gives what it answers to a line."""

    def __init__(self, vendor, *lines, **state):
        super().__init__(vendor, **state)
        self.login()
        for line in lines:
            self.must(line)

    def login(self):
        self.store = Store(self.state_file, self.data, self.faults)
        self.paper = Paper()
        self.session = session_of(self.data)(self.data, self.store, self.paper, self.faults)

    def say(self, line, *answers):
        """Lines of the answer, as one string."""
        self.paper.lines, self.paper.asked = [], []
        self.paper.answers = list(answers)
        if hasattr(self.session, 'run'):
            self.session.run(line)
        else:
            self.session.status = self.session.list(line)
        return '\n'.join(self.paper.lines)

    def refused(self):
        return self.state()['counts'].get('refused', 0)

    def must(self, line, *answers):
        """As say(), of a line that may not be refused."""
        before = self.refused()
        out = self.say(line, *answers)
        if self.refused() != before:
            raise AssertionError('%s refused: %s: %s' % (self.vendor, line, out))
        return out

    def must_not(self, line):
        before = self.refused()
        out = self.say(line)
        if self.refused() == before:
            raise AssertionError('%s took: %s' % (self.vendor, line))
        return out


class Pty(Folder):
    """A switch behind a pty, as a program of its own."""

    def __init__(self, vendor, width=200, faults=(), **state):
        super().__init__(vendor, **state)
        self.fault(*faults)
        self.login(width)

    def login(self, width=200):
        self.master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack('HHHH', 24, width, 0, 0))
        environment = {name: value for name, value in os.environ.items()
                       if name != 'SSH_ORIGINAL_COMMAND'}
        self.process = subprocess.Popen(
            [sys.executable, os.path.join(HERE, 'emulator.py'), self.vendor, self.state_file,
             self.faults_file], stdin=slave, stdout=slave, stderr=slave, env=environment,
            start_new_session=True)
        os.close(slave)
        self.seen = ''

    def close(self):
        os.close(self.master)
        self.process.wait()
        super().close()

    def send(self, text):
        os.write(self.master, text.encode())

    def until(self, pattern, seconds=20):
        """What comes until the end of it matches; it is taken away."""
        end = time.time() + seconds
        while not re.search('(?:' + pattern + r')\Z', self.seen):
            left = end - time.time()
            if left <= 0 or not select.select([self.master], [], [], left)[0]:
                raise AssertionError('no %r in %r' % (pattern, self.seen))
            try:
                data = os.read(self.master, 65536)
            except OSError:
                data = b''
            if not data:
                raise AssertionError('end of %r, no %r' % (self.seen, pattern))
            self.seen += data.decode()
        out, self.seen = self.seen, ''
        return out

    def settled(self, *kinds):
        """The log when nothing has come for a while."""
        rows = self.log(*kinds)
        quiet = 0
        while quiet < 15:
            time.sleep(0.1)
            now = self.log(*kinds)
            quiet = quiet + 1 if now == rows and now else 0
            rows = now
        return rows

    def ended(self, seconds=20):
        return self.process.wait(seconds)
