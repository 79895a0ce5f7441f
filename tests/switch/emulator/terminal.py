# SPDX-License-Identifier: LGPL-2.1-or-later
# Owns the bytes between the emulated switch and its user: raw pty, echo and its wrapping, line
# ends, pager, questions, an input buffer that overflows silently.
import os
import select
import signal
import sys
import termios
import time
import tty

CTRL_C, CTRL_D, CTRL_Z = '\x03', '\x04', '\x1a'


class Gone(Exception):
    """The user's end is closed."""


class Interrupted(Exception):
    """Ctrl-C."""


class Terminal:
    def __init__(self, data, faults, note):
        self.data, self.faults, self.note = data, faults, note
        self.pty = os.isatty(0)
        self.buffer, self.eof, self.skip_lf = '', False, False
        self.width = 80
        self.paging = 'pager' in data
        self.limit = int(faults.number('drop-input', 256) or data.get('input_limit', 4096))
        if self.pty:
            self.width = os.get_terminal_size(0).columns or 80
            tty.setraw(0, termios.TCSANOW)

    # ---- out ----

    def raw(self, text):
        data = text.encode('utf-8', 'replace')
        try:
            while data:
                data = data[os.write(1, data):]
        except OSError:
            raise Gone from None

    def newline(self):
        if not self.pty and not self.data.get('echo_always'):
            return '\n'
        return '\r\r\n' if self.faults.find('double-cr') is not None else \
            self.data.get('newline', '\r\n')

    def say(self, text=''):
        """One or more lines."""
        self.raw(text.replace('\n', self.newline()) + self.newline())

    def complain(self, text):
        """To stderr, which is the terminal where there is one."""
        if self.pty:
            self.say(text)
        else:
            os.write(2, (text + '\n').encode())

    def pause(self):
        slow = self.faults.number('slow', 200)
        delay = slow if slow is not None else self.data.get('delay_ms', 0)
        if delay:
            time.sleep(delay / 1000)

    def page(self, lines):
        """Lines as far as the pager lets them through."""
        pager = self.data.get('pager')
        paging = pager and (self.paging or self.faults.find('pager-stays') is not None)
        page = pager['lines'] - 1 if paging else 0
        room = page
        last = self.faults.number('cut-output', 1)
        for i, line in enumerate(lines):
            if last is not None and i >= last:
                self.note('fault', 'cut-output')
                self.cut()
            if paging and room <= 0:
                self.raw(pager['text'].format(first=i - page + 1, last=i))
                key = self.key()
                while key not in ' \r\nqQ' + CTRL_C:
                    key = self.key()
                self.raw(pager.get('erase', '\r' + ' ' * 40 + '\r'))
                if key in 'qQ' + CTRL_C:
                    self.note('pager', 'left after %d lines' % i)
                    return
                room = page if key == ' ' else 1
            self.raw(line + self.newline())
            room -= 1

    # ---- in ----

    def fill(self, wait):
        """Take what has come; what does not fit is lost, as in a switch."""
        while not self.eof and select.select([0], [], [], None if wait else 0)[0]:
            try:
                data = os.read(0, 65536).decode('utf-8', 'replace')
            except OSError:
                data = ''
            self.eof = not data
            room = max(0, self.limit - len(self.buffer))
            if len(data) > room:
                self.note('dropped', '%d bytes' % (len(data) - room))
            self.buffer += data[:room]
            wait = False

    def key(self):
        if not self.buffer:
            self.fill(True)
        if not self.buffer:
            raise Gone
        char, self.buffer = self.buffer[0], self.buffer[1:]
        return char

    def line(self, column=0, echo=True):
        """One line, echoed from `column` on. Raises Interrupted, Gone."""
        text = ''
        echo = echo and (self.pty or self.data.get('echo_always', False))
        width = int(self.faults.number('wrap-echo', 40) or 0) or self.width
        ansi = self.faults.find('ansi-echo') is not None
        self.fill(False)
        while True:
            char = self.key()
            if char == '\n' and self.skip_lf:
                self.skip_lf = False
                continue
            self.skip_lf = char == '\r'
            if char in '\r\n':
                break
            if char == CTRL_C:
                raise Interrupted
            if char == CTRL_D:
                if not text:
                    raise Gone
                continue
            if char in '\b\x7f':
                text = text[:-1]
                self.raw('\b \b' if echo else '')
                continue
            text += char
            if not echo:
                continue
            self.raw(('\x1b[K' if ansi and len(text) % 5 == 2 else '') + char)
            column += 1
            if column >= width:
                self.raw(self.data.get('wrap', ' \r'))
                column = 0
        self.raw(self.newline() if self.pty or echo else '')
        return text

    def prompt(self, text):
        if not self.pty and not self.data.get('echo_always'):
            return self.line()
        prefix = ' '.join(self.faults.find('ha-prefix') or [])
        ansi = self.faults.find('ansi-echo') is not None
        self.raw(('\x1b[?2004h' if ansi else '') + prefix + text + ('\x1b[K' if ansi else ''))
        return self.line(len(prefix + text))

    def ask(self, text, echo=True):
        """The answer to a question; None if it was interrupted."""
        self.raw(text)
        try:
            return self.line(len(text), echo)
        except Interrupted:
            self.raw('^C' + self.newline())
            return None

    def cut(self):
        """End the connection, not only the session: its sshd is our parent."""
        parent = os.getppid()
        with open('/proc/%d/comm' % parent, encoding='utf-8') as file:
            name = file.read()
        if name.startswith('sshd'):
            os.kill(parent, signal.SIGKILL)
        sys.stdout.flush()
        os._exit(255)
