# SPDX-License-Identifier: LGPL-2.1-or-later
# Owns what goes wrong on purpose: a control file with one fault a line, `NAME ARGS...`, read anew
# whenever it matters. Without the file nothing goes wrong. README.md lists the names.
import os

NAMES = {
    'hang': 'SECONDS [N]: say nothing for so long at the next, or the n-th, configuration line',
    'error': 'N|* [TEXT]: refuse that configuration line',
    'question': 'N|* TEXT: ask something nobody knows at that line',
    'cut': 'N: the connection ends at that line',
    'cut-output': 'LINES: the connection ends after so many lines of an answer',
    'commit-fails': '[TEXT]: what is committed, applied or saved as a whole is refused',
    'password-age': 'SECONDS [TEXT]: a question about an old password, or TEXT, after login',
    'enable-refused': ': whatever the password is',
    'pager-stays': ': the command that switches it off is taken, and nothing changes',
    'wrap-echo': '[COLUMNS]: echoes wrap there (40)',
    'ansi-echo': ': escape sequences in prompts and echoes',
    'prompt-in-description': ': descriptions of ports look like prompts',
    'banner-hashes': ': a banner made of # before the first prompt',
    'vty-full': ': nobody is let in',
    'slow': '[MS]: each answer takes so long (200)',
    'drop-input': '[BYTES]: what is pasted beyond that is lost (256)',
    'ha-prefix': 'TEXT: stands in front of each prompt',
    'double-cr': ': lines end with CR CR LF',
    'hurry': 'TIMES: timed rollbacks run that much faster',
}


class Faults:
    def __init__(self, path):
        self.path = path

    def stamp(self):
        """Another one when the file is another: lines are counted from then on."""
        try:
            st = os.stat(self.path)
        except (OSError, TypeError):
            return ''
        return '%d.%d' % (st.st_ino, st.st_mtime_ns)

    def lines(self):
        try:
            with open(self.path, encoding='utf-8') as file:
                rows = [row.split() for row in file if row.strip() and row[0] != '#']
        except (OSError, TypeError):
            return []
        for row in rows:
            if row[0] not in NAMES:
                raise SystemExit('emulator: no fault is called ' + row[0])
        return rows

    def find(self, name):
        """Arguments of the first fault with that name; None if there is none."""
        for row in self.lines():
            if row[0] == name:
                return row[1:]
        return None

    def number(self, name, default):
        """Its number, `default` if it has none; None if there is no such fault."""
        args = self.find(name)
        return None if args is None else float(args[0]) if args else default

    def at_line(self, n):
        """(name, text) of what happens at the n-th configuration line, in the file's order."""
        hits = []
        for name, *args in self.lines():
            if name in ('error', 'question', 'cut') and args and args[0] in ('*', str(n)):
                hits.append((name, ' '.join(args[1:])))
            elif name == 'hang' and (args[1:] or ['1'])[0] in ('*', str(n)):
                hits.append((name, args[0]))
        return hits
