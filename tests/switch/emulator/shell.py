# SPDX-License-Identifier: LGPL-2.1-or-later
# Owns what of bash a tool meets on a Linux switch: words, quotes, ; && ||, sudo, sh -c, exit
# statuses. The vendor's own programs are methods cmd_NAME of the session that inherits this.
import re
import shlex
import time

from terminal import Gone, Interrupted


class Failed(Exception):
    """A program that says why on stderr, and its exit status."""

    def __init__(self, text, status=1):
        super().__init__(text)
        self.text, self.status = text, status


class Ended(Exception):
    """exit"""


class Shell:
    def __init__(self, data, store, term, faults):
        self.data, self.store, self.term, self.faults = data, store, term, faults
        self.host = store.read()['host']
        self.root = False
        self.status = 0

    # ---- the session ----

    def session(self):
        if not self.store.enter():
            self.term.say(self.data['full'])
            return 1
        try:
            self.greet()
            while True:
                self.turn()
        except (Gone, Ended):
            pass
        finally:
            self.store.leave()
        return self.status

    def greet(self):
        if self.faults.find('banner-hashes') is not None:
            self.term.say('#' * 30 + '\n#  authorised use only  #\n' + '#' * 30)
            time.sleep(0.3)
        if self.data.get('banner') and self.term.pty:
            self.term.say(self.data['banner'].rstrip('\n'))
        age = self.faults.find('password-age')
        if age is not None:
            time.sleep(float(age[0]) if age else 0)
            answer = self.term.ask(' '.join(age[1:]) or self.data['password_age'])
            self.note('answer', 'interrupted' if answer is None else answer)

    def turn(self):
        name = 'root_prompt' if self.root else 'prompt'
        try:
            line = self.term.prompt(self.data[name].format(host=self.host))
        except Interrupted:
            self.term.say('^C')
            return
        if not line.strip():
            return
        try:
            self.status = self.list(line)
        except Ended:
            if not self.root:
                raise
            self.root = False
        self.term.pause()

    def execute(self, command):
        try:
            self.status = self.list(command)
        except Ended:
            pass
        self.term.pause()
        return self.status

    # ---- a line of bash ----

    def list(self, line):
        """Commands between ; && ||. Anything else of bash is refused."""
        try:
            lexer = shlex.shlex(line, posix=True, punctuation_chars=';&|<>')
            lexer.whitespace_split = True
            words = list(lexer)
        except ValueError as error:
            self.term.complain('bash: syntax error: %s' % error)
            return 2
        command, status, skip = [], 0, False
        for word in words + [';']:
            if word not in (';', '&&', '||'):
                command.append(word)
                continue
            if command and not skip:
                status = self.simple(command)
                self.status = status
            skip = (word == '&&' and status != 0) or (word == '||' and status == 0)
            command = []
        return status

    def simple(self, words):
        words, bad = self.redirections(words)
        if bad:
            self.term.complain("bash: syntax error near unexpected token `%s'" % bad)
            return 2
        words = [word.replace('$?', str(self.status)) for word in words]
        return self.program(words, self.root)

    @staticmethod
    def redirections(words):
        """Without those from and to /dev/null and of stderr; what else is no word comes back."""
        out, i = [], 0
        while i < len(words):
            if re.fullmatch(r'[<>]+&?|&>', words[i]):
                if words[i + 1:i + 2] not in (['/dev/null'], ['1'], ['&1']):
                    return out, words[i]
                if out and out[-1] in ('0', '1', '2'):
                    out.pop()
                i += 1
            elif re.fullmatch(r'[|&]+', words[i]):
                if words[i:i + 2] != ['|', 'cat']:
                    return out, words[i]
                i += 1
            else:
                out.append(words[i])
            i += 1
        return out, None

    def program(self, words, root):
        """Run one program. Returns its exit status."""
        if not words:
            return 0
        if words[0] == 'sudo':
            return self.sudo(words[1:])
        if words[0] in ('sh', 'bash') and words[1:2] == ['-c'] and len(words) > 2:
            return self.list(words[2])
        call = getattr(self, 'cmd_' + words[0].replace('-', '_'), None)
        if call is None:
            self.note('refused', ' '.join(words))
            self.term.complain('bash: %s: command not found' % words[0])
            return 127
        if self.is_config(words) and not self.fault_at_line(words):
            return 1
        try:
            return call(words[1:], root) or 0
        except Failed as failed:
            self.note('refused', ' '.join(words))
            self.term.complain(failed.text)
            return failed.status

    def sudo(self, words):
        while words[:1] and words[0] in ('-n', '-E', '-S', '--'):
            words = words[1:]
        if words[:1] in (['su'], ['-i'], ['-s']):
            self.root = True
            return 0
        return self.program(words, True)

    def fault_at_line(self, words):
        with self.store.open() as state:
            hits = self.faults.at_line(self.store.next_line(state))
            for name, _ in hits:
                self.store.log(state, 'fault', '', name + ' ' + ' '.join(words))
        for name, text in hits:
            if name == 'hang':
                time.sleep(float(text))
            elif name == 'cut':
                self.term.cut()
            elif name == 'error':
                self.note('refused', ' '.join(words))
                self.term.complain(text or 'Error: operation failed')
                return False
            elif (self.term.ask(text or 'Are you really sure? [yes/no]: ') or '') not in (
                    'y', 'Y', 'yes'):
                return False
        return True

    def note(self, kind, text=''):
        with self.store.open() as state:
            self.store.log(state, kind, '', text)

    def commit_fault(self, default):
        words = self.faults.find('commit-fails')
        if words is not None:
            raise Failed(' '.join(words) or default)

    def is_config(self, words):
        raise NotImplementedError

    # ---- programs that every Linux has ----

    def cmd_exit(self, words, root):
        raise Ended

    cmd_logout = cmd_exit

    def cmd_true(self, words, root):
        return 0

    cmd_stty = cmd_cd = cmd_export = cmd_true

    def cmd_false(self, words, root):
        return 1

    def cmd_echo(self, words, root):
        self.term.say(' '.join(words))

    def cmd_hostname(self, words, root):
        self.term.say(self.host)

    def cmd_whoami(self, words, root):
        self.term.say('root' if root else self.data['user'])

    def cmd_uname(self, words, root):
        self.term.say('Linux')
