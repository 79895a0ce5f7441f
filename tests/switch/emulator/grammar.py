# SPDX-License-Identifier: LGPL-2.1-or-later
# Owns the patterns of commands: what a line has to look like, and where and why it does not.
#
# word  a|b  <name:type>  <name:0-63>  <name:a|b>  <name:rest>  [optional words]
import itertools
import re

UNKNOWN, EXTRA, INCOMPLETE, VALUE = range(4)
KIND_NAMES = ('unknown', 'extra', 'incomplete', 'value')
RANGE = re.compile(r'^(\d+(?:\.\d+)?)-(\d+(?:\.\d+)?)$')


class Refusal(Exception):
    """A line that is not taken: the index of the word, and why."""

    def __init__(self, kind, index, text=None):
        super().__init__(text or KIND_NAMES[kind])
        self.kind, self.index, self.text = kind, index, text


class Types:
    """What may stand for a parameter: the types of a data file and the ports of a switch."""

    def __init__(self, types, ports, prefixes):
        self.types = types or {}
        self.prefixes = {alias.lower(): name for name, aliases in (prefixes or {}).items()
                         for alias in [name] + aliases}
        self.ports = {self.port_key(name.replace(' ', '')): name for name in ports}

    def port_key(self, text):
        match = re.match(r'^(\d*[A-Za-z]+)(.*)$', text)
        if not match:
            return text
        name = match.group(1).lower()
        return self.prefixes.get(name, name).lower() + match.group(2)

    def port_number(self, name):
        return re.sub(r'^\d*[A-Za-z]+ ?', '', name)

    def take(self, kind, words, at):
        """The value at words[at] and how many words it is; None if it is no such value."""
        if kind == 'rest':
            return ' '.join(words[at:]), len(words) - at
        if kind == 'port':
            for n in (1, 2):
                name = self.ports.get(self.port_key(''.join(words[at:at + n])))
                if name and at + n <= len(words):
                    return name, n
            return None
        return (words[at], 1) if self.fits(self.types.get(kind, kind), words[at]) else None

    @staticmethod
    def port_refusal(words, at):
        """The word that is wrong of `ethernet 1/99`."""
        if re.search(r'\d', words[at]):
            return Refusal(VALUE, at)
        return Refusal(VALUE if at + 1 < len(words) else INCOMPLETE, at + 1)

    def fits(self, rule, word):
        span = RANGE.match(rule)
        if span:
            whole = '.' not in rule
            if not re.match(r'^(0|[1-9]\d*)$' if whole else r'^\d+(\.\d+)?$', word):
                return False
            return float(span.group(1)) <= float(word) <= float(span.group(2))
        if rule.startswith('/'):
            return re.fullmatch(rule.strip('/'), word) is not None
        if rule == 'word':
            return re.fullmatch(r'[A-Za-z0-9_.:-]{1,64}', word) is not None
        return word in rule.split('|')


class Pattern:
    """One command. Optional groups are spelled out: each alternative is a plain sequence."""

    def __init__(self, text):
        self.text = text
        self.sequences = [self._parse(variant) for variant in self._variants(text)]

    @staticmethod
    def _variants(text):
        parts = re.split(r'\[([^\]]*)\]', text)
        choices = [[part] if i % 2 == 0 else [part, ''] for i, part in enumerate(parts)]
        return [' '.join(choice) for choice in itertools.product(*choices)]

    @staticmethod
    def _parse(text):
        items = []
        for token in re.findall(r'<[^>]*>|\S+', text):
            if token.startswith('<'):
                name, _, kind = token[1:-1].partition(':')
                items.append((name, kind or name))
            else:
                items.append((None, token.split('|')))
        return items

    def match(self, words, types):
        """The parameters and the line as the switch would write it. Raises the best Refusal."""
        best = None
        for sequence in self.sequences:
            try:
                return self._match(sequence, words, types)
            except Refusal as refusal:
                if best is None or (refusal.index, refusal.kind) > (best.index, best.kind):
                    best = refusal
        raise best

    @staticmethod
    def _match(sequence, words, types):
        args, line, at = {}, [], 0
        for name, kind in sequence:
            if at >= len(words):
                raise Refusal(INCOMPLETE, at)
            if name is None:
                if words[at] not in kind:
                    raise Refusal(UNKNOWN, at)
                line.append(words[at])
                at += 1
                continue
            taken = types.take(kind, words, at)
            if taken is None:
                raise types.port_refusal(words, at) if kind == 'port' else Refusal(VALUE, at)
            args[name] = taken[0]
            line.append(taken[0])
            if kind == 'port':
                args[name + '_number'] = types.port_number(taken[0])
            at += taken[1]
        if at < len(words):
            raise Refusal(EXTRA, at)
        return args, ' '.join(line)
