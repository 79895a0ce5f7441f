# SPDX-License-Identifier: LGPL-2.1-or-later
# Owns a session at a vendor's own CLI (not a shell): modes and prompts, which line is taken where,
# what it changes in the tree, refusals in the vendor's words. Which lines there are says the
# vendor's data file; what they print, shows_*.py.
import importlib
import json
import re
import time

from grammar import EXTRA, KIND_NAMES, Pattern, Refusal, Types, UNKNOWN, VALUE
from store import find_node, new_node
from terminal import CTRL_Z, Gone, Interrupted
from transaction import Transactions


class Place:
    """A mode on the stack: its name, its parameters, and the node that lines change there."""

    def __init__(self, mode, args=None, path=()):
        self.mode, self.args, self.path = mode, args or {}, list(path)


class Match:
    def __init__(self, command, args, line, depth, path):
        self.command, self.args, self.line = command, args, line
        self.depth, self.path = depth, path


class View:
    """What a read-back command sees."""

    def __init__(self, cli, state, args):
        self.cli, self.state, self.args = cli, state, args
        self.types = cli.types
        self.ports = [args['port']] if 'port' in args else list(state['ports'])
        self.running = state['running']

    def node(self, *path):
        return find_node(self.running, path) or new_node()

    def port_node(self, port):
        return self.node(self.cli.port_heading(port))

    def leaf(self, port, key):
        return self.port_node(port)['lines'].get(key)

    def counter(self, port, name, default=0):
        return self.state['counters'].get(port, {}).get(name, default)


def section(lines, pattern):
    """Lines that match, with what is indented below them."""
    out, level = [], None
    for line in lines:
        indent = len(line) - len(line.lstrip())
        if level is not None and indent <= level:
            level = None
        if level is None and re.search(pattern, line):
            level = indent
        if level is not None:
            out.append(line)
    return out


class Cli(Transactions):
    def __init__(self, data, store, term, faults):
        self.data, self.store, self.term, self.faults = data, store, term, faults
        state = store.read()
        self.types = Types(data.get('types'), state['ports'], data.get('port_prefixes'))
        self.host, self.family = state['host'], state['family']
        self.shows = importlib.import_module('shows_' + data['dialect'])
        self.commands = [(Pattern(command['line']), command) for command in data['commands']]
        self.stack = [Place(state.get('login_mode') or data['login_mode'])]
        self.alive = True
        self.transactions_init()

    # ---- the session ----

    def session(self):
        if not self.store.enter():
            self.term.say(self.data['full'])
            return 1
        try:
            self.greet()
            while self.alive:
                self.turn()
        except Gone:
            pass
        finally:
            self.session_end()
            self.store.leave()
        return 0

    def execute(self, line):
        """One line on a channel of its own, where the vendor takes such."""
        self.stack = [Place(self.data['exec_mode'])]
        self.prompt = lambda: ''
        self.run(line)
        self.session_end()
        return 0

    def greet(self):
        if self.faults.find('banner-hashes') is not None:
            self.term.say('#' * 30 + '\n#  authorised use only  #\n' + '#' * 30)
            time.sleep(0.3)
        if self.data.get('banner'):
            self.term.say(self.data['banner'].rstrip('\n'))
        age = self.faults.find('password-age')
        if age is not None:
            time.sleep(float(age[0]) if age else 0)
            self.question(' '.join(age[1:]) or self.data['password_age'], 'login')

    def turn(self):
        try:
            line = self.term.prompt(self.prompt())
        except Interrupted:
            self.term.say('^C')
            return
        if line.endswith(CTRL_Z):
            line = self.data.get('ctrl_z', '')
        line = line.rstrip()
        if not line.strip() or line.lstrip()[0] in self.data.get('comment', '!'):
            return
        self.run(line)

    def prompt(self):
        place = self.stack[-1]
        text = self.data['modes'][place.mode]['prompt']
        session = '-s-' + self.named[:6] if self.named else ''
        return text.format(host=self.host, mark=self.mark(), s=session, **place.args)

    def question(self, text, where):
        answer = self.term.ask(text)
        with self.store.open() as state:
            self.store.log(state, 'answer', where, 'interrupted' if answer is None else answer)
        return (answer or '').strip()

    # ---- one line ----

    def run(self, line):
        place = self.stack[-1]
        prompt = self.prompt()
        shown, pipes = self.split_pipes(line)
        words = [(word.group(), word.start()) for word in re.finditer(r'\S+', shown)]
        try:
            try:
                match = self.match([word for word, _ in words], line)
            except Refusal as refusal:
                if self.is_config(place.mode) and not self.fault_at_line(line, prompt, words):
                    return
                raise refusal
            if 'show' in match.command:
                self.show(match, pipes, line)
                return
            if pipes:
                raise Refusal(EXTRA, len(words))
            if self.is_config(place.mode) and not self.fault_at_line(line, prompt, words):
                return
            self.obey(match)
        except Refusal as refusal:
            self.refuse(refusal, line, prompt, words)
        self.term.pause()

    def is_config(self, mode):
        return self.data['modes'][mode].get('config', False)

    def split_pipes(self, line):
        if not re.match(r'\s*(show|display)\b', line):
            return line, []
        first, *pipes = re.split(r'\s+\|\s+', line)
        return first, pipes

    def match(self, words, line):
        """The command that the line is, here or, where the vendor does so, in a mode above."""
        best = None
        for depth in range(len(self.stack)):
            place = self.stack[-1 - depth]
            if depth and (not self.data.get('fall_through') or not self.is_config(place.mode)):
                break
            try:
                args, text, command, path = self.match_in(place.mode, place.path, words)
                return Match(command, {**place.args, **args}, text, depth, path)
            except Refusal as refusal:
                if best is None or (refusal.index, refusal.kind) > (best.index, best.kind):
                    best = refusal
        raise best

    def match_in(self, mode, path, words):
        best = Refusal(UNKNOWN, 0)
        for pattern, command in self.commands:
            where = command.get('in', 'any')
            if where != 'any' and mode not in where.split():
                continue
            if self.family not in command.get('families', [self.family]):
                continue
            try:
                args, line = pattern.match(words, self.types)
                return args, line, command, path
            except Refusal as refusal:
                if (refusal.index, refusal.kind) > (best.index, best.kind):
                    best = refusal
        if self.data.get('one_line') == mode:
            return self.match_one_line(mode, path, words, best)
        raise best

    def match_one_line(self, mode, path, words, best):
        """`interface PORT REST` and `no interface PORT REST` stand for REST in that mode."""
        at = 1 if words[:1] == ['no'] else 0
        if words[at:at + 1] != ['interface']:
            raise best
        taken = self.types.take('port', words, at + 1)
        if taken is None:
            raise best
        skipped = at + 1 + taken[1]
        if len(words) == skipped:
            raise best
        try:
            args, line, command, path = self.match_in(
                'interface', path + [self.port_heading(taken[0])], words[:at] + words[skipped:])
        except Refusal as refusal:
            raise Refusal(refusal.kind, refusal.index + skipped - at, refusal.text) from None
        args.update(port=taken[0], port_number=self.types.port_number(taken[0]))
        return args, line, command, path

    def port_heading(self, port):
        return self.data['port_heading'].format(port=port, number=self.types.port_number(port))

    # ---- refusals and faults ----

    def refuse(self, refusal, line, prompt, words):
        with self.store.open() as state:
            self.store.log(state, 'refused', self.stack[-1].mode, line)
        if refusal.text:
            self.term.say(refusal.text)
            return
        at = words[refusal.index][1] if refusal.index < len(words) else len(line)
        caret = ' ' * (len(prompt) + at) + '^'
        word = words[refusal.index][0] if refusal.index < len(words) else ''
        for text in self.data['errors'][KIND_NAMES[refusal.kind]]:
            self.term.say(text.format(caret=caret, word=word))

    def fault_at_line(self, line, prompt, words):
        """Whatever has to happen at this configuration line. False if it goes no further."""
        with self.store.open() as state:
            hits = self.faults.at_line(self.store.next_line(state))
            for name, _ in hits:
                self.store.log(state, 'fault', self.stack[-1].mode, name + ' ' + line)
        for name, text in hits:
            if name == 'hang':
                time.sleep(float(text))
            elif name == 'cut':
                self.session_end()
                self.store.leave()
                self.term.cut()
            elif name == 'error':
                self.refuse(Refusal(UNKNOWN, 0, text or None), line, prompt, words)
                return False
            elif self.question(text or 'Are you really sure? [yes/no]: ', 'line') not in (
                    'y', 'Y', 'yes', 'YES'):
                return False
        return True

    # ---- what a line does ----

    def obey(self, match):
        command = match.command
        for _ in range(match.depth):
            self.stack.pop()
        with self.store.open() as state:
            self.check(state, match)
        ask = command.get('ask')
        if ask and not self.mmi:
            text = ask['text'].format(**match.args)
            answer = self.question(text, self.stack[-1].mode)
            if answer not in ask.get('yes', ['Y', 'y']):
                self.term.say(ask.get('no', '')) if ask.get('no') else None
                return
        if 'do' in command:
            getattr(self, 'do_' + command['do'].replace('-', '_'))(match)
            return
        with self.store.open() as state:
            self.change(state, match)
        if command.get('say'):
            self.term.say(command['say'].format(**match.args))

    def check(self, state, match):
        """Conditions of a command. Raises Refusal with the vendor's words."""
        command, args = match.command, match.args
        tree = self.tree(state)
        node = find_node(tree, match.path) or new_node()
        for rule in command.get('absent', []):
            if rule['key'].format(**args) in node['lines']:
                raise Refusal(VALUE, 0, rule['text'].format(**args))
        for rule in command.get('present', []):
            heading = [part.format(**args) for part in rule['path']]
            if find_node(tree, heading) is None and heading[0] not in rule.get('builtin', []):
                raise Refusal(VALUE, 0, rule['text'].format(**args))
        for rule in command.get('needs', []):
            families = rule.get('families', [self.family])
            if self.family in families and rule['key'] not in tree['lines']:
                raise Refusal(VALUE, 0, rule['text'].format(**args))
        for rule in command.get('unused', []):
            if self.used(tree, rule['arg'], rule['value'].format(**args)):
                raise Refusal(VALUE, 0, rule['text'].format(**args))
        port = args.get('port')
        if port and state['ports'].get(port, {}).get(command.get('not_on')):
            raise Refusal(UNKNOWN, 0)
        if 'check' in command:
            getattr(self.shows, 'check_' + command['check'])(self, state, node, args)

    def used(self, node, arg, value):
        return any(leaf.get(arg) == value for leaf in node['lines'].values()) or \
            any(self.used(below, arg, value) for below in node['modes'].values())

    def change(self, state, match):
        command, args = match.command, match.args
        tree = self.edit(state)
        node = find_node(tree, match.path, create=True)
        kind = 'line'
        for key in command.get('del', []):
            node['lines'].pop(key.format(**args), None)
        if 'drop' in command:
            node['modes'].pop(command['drop'].format(**args), None)
        if 'key' in command:
            node['lines'][command['key'].format(**args)] = {'line': match.line, **args}
        if 'enter' in command:
            kind = self.enter(node, match)
        self.edited(state)
        self.store.log(state, kind, '/'.join(match.path), match.line)

    def enter(self, node, match):
        command, args = match.command, match.args
        heading = command['section'].format(**args)
        kind = 'mode'
        if command.get('creates'):
            kind = 'mode' if heading in node['modes'] else 'line'
            node['modes'].setdefault(heading, new_node())['keep'] = True
        place = Place(command['enter'], args, match.path + [heading])
        self.stack.append(place)
        return kind

    # ---- read-back ----

    def show(self, match, pipes, line):
        command = match.command
        with self.store.open() as state:
            self.store.log(state, 'read', self.stack[-1].mode, line)
            view = View(self, state, match.args)
            as_json = bool({'json', 'json-print'} & set(pipes))
            source = command.get('json') if as_json else command['show']
            if as_json and source is None:
                raise Refusal(VALUE, 0, self.data['errors']['no_json'])
            result = getattr(self.shows, source)(view)
        lines = json.dumps(result, indent=4).split('\n') if as_json else \
            self.format(command, result)
        for pipe in pipes:
            lines = self.pipe(pipe, lines)
        self.term.pause()
        if 'no-more' in pipes:
            for text in lines:
                self.term.say(text)
        else:
            self.term.page(lines)

    def pipe(self, pipe, lines):
        if pipe in self.data.get('pipes', []):
            return lines
        word, _, rest = pipe.partition(' ')
        if word == 'include' and rest:
            return [line for line in lines if re.search(rest, line)]
        if word == 'section' and rest:
            return section(lines, rest)
        raise Refusal(UNKNOWN, 0)

    @staticmethod
    def format(command, result):
        """Rows are parameters of the formats in the data file; a string is a line as it is."""
        if not result:
            return [command['empty']] if command.get('empty') else list(command.get('head', []))
        lines = list(command.get('head', []))
        for row in result:
            if isinstance(row, str):
                lines.append(row)
                continue
            for name in row.get('_rows', ['row']):
                lines.append(command[name].format(**row).rstrip())
        return lines

    # ---- moving about ----

    def note_mode(self, match):
        with self.store.open() as state:
            self.store.log(state, 'mode', self.stack[-1].mode, match.line)

    def do_configure(self, match):
        self.note_mode(match)
        self.stack.append(Place(match.command['mode']))
        if match.command.get('say'):
            self.term.say(match.command['say'])

    def do_quit(self, match):
        self.note_mode(match)
        if len(self.stack) == 1 or not self.may_leave(len(self.stack) - 2):
            self.alive = len(self.stack) > 1
            return
        self.stack.pop()
        if not self.is_config(self.stack[-1].mode):
            self.left_configuration()

    def do_return(self, match):
        self.note_mode(match)
        last = max(i for i, place in enumerate(self.stack) if not self.is_config(place.mode))
        if last + 1 < len(self.stack) and self.may_leave(last):
            del self.stack[last + 1:]
            self.left_configuration()

    def do_enable(self, match):
        with self.store.open() as state:
            password = state['enable_password']
        tries = 3 if password else 0
        for _ in range(tries):
            given = self.term.ask(self.data['password_question'], echo=False)
            if given == password and self.faults.find('enable-refused') is None:
                break
            if given is None:
                tries = -1
                break
        else:
            if tries or self.faults.find('enable-refused') is not None:
                tries = -1
        if tries < 0:
            self.term.say(self.data['enable_refused'])
            with self.store.open() as state:
                self.store.log(state, 'refused', 'enable')
            return
        self.note_mode(match)
        self.stack[-1] = Place(match.command['mode'])

    def do_nothing(self, match):
        self.note_mode(match)
        if match.command.get('say'):
            self.term.say(match.command['say'].format(**match.args))

    def do_paging_off(self, match):
        self.do_nothing(match)
        self.term.paging = False

    def do_paging_on(self, match):
        self.do_nothing(match)
        self.term.paging = 'pager' in self.data

    def do_deny(self, match):
        """A command that is there and not for this user or mode."""
        raise Refusal(VALUE, 0, match.command['text'])
