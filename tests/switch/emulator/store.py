# SPDX-License-Identifier: LGPL-2.1-or-later
# Owns the state of one switch: a JSON file under flock that all its sessions share, the log of
# what was done beside it (FILE.log: kind, session, place, text between tabs), the clock of timed
# rollbacks.
#
# Configuration is a tree of nodes, {"lines": {key: {"line": text, parameters...}},
# "modes": {heading: node}}; NVUE and SONiC keep trees of their own under the same names.
import contextlib
import copy
import fcntl
import json
import os
import time


def new_node():
    return {'lines': {}, 'modes': {}}


def find_node(tree, path, create=False):
    for heading in path:
        if heading not in tree['modes']:
            if not create:
                return None
            tree['modes'][heading] = new_node()
        tree = tree['modes'][heading]
    return tree


def node_lines(tree, indent=''):
    """The tree as configuration text, a list of lines."""
    text = [indent + leaf['line'] for leaf in tree['lines'].values()]
    for heading, node in tree['modes'].items():
        text += [indent + heading] + node_lines(node, indent + '   ')
    return text


class Store:
    def __init__(self, path, data, faults):
        self.path, self.data, self.faults = path, data, faults
        self.session = str(os.getpid())
        self.busy = self.hung_up = False

    def create(self, host=None, ports=None, **more):
        state = {
            'dialect': self.data['dialect'], 'host': host or self.data['host'],
            'ports': ports if isinstance(ports, dict) else
            {name: {} for name in ports or self.data['ports']},
            'running': new_node(), 'startup': None, 'revision': 1, 'commits': [],
            'candidates': {}, 'trial': None, 'vty': [], 'vty_max': self.data.get('vty', 16),
            'counts': {}, 'fault': {'stamp': '', 'lines': 0}, 'family': '', 'enable_password': '',
            'counters': {},
        }
        state.update(copy.deepcopy(self.data.get('state') or {}))
        state.update(more)
        if state['startup'] is None:
            state['startup'] = copy.deepcopy(state['running'])
        self._write(state)
        return state

    def _write(self, state):
        temporary = '%s.%d' % (self.path, os.getpid())
        with open(temporary, 'w', encoding='utf-8') as file:
            json.dump(state, file, indent=1)
        os.rename(temporary, self.path)

    @contextlib.contextmanager
    def open(self):
        """The state, alone; what is changed in it is written."""
        with open(self.path + '.lock', 'w', encoding='utf-8') as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if os.path.exists(self.path):
                with open(self.path, encoding='utf-8') as file:
                    text = file.read()
                state = json.loads(text)
            else:
                state, text = self.create(), ''
            self._expire(state)
            self.busy = True
            try:
                yield state
            finally:
                if json.dumps(state, indent=1) != text:
                    self._write(state)
                self.busy = False
        if self.hung_up:
            os._exit(129)

    def hang_up(self, *_):
        """SIGHUP: the end, but not between reading the state and writing it."""
        self.hung_up = True
        if not self.busy:
            os._exit(129)

    def read(self):
        with self.open() as state:
            return state

    def log(self, state, kind, place='', text=''):
        state['counts'][kind] = state['counts'].get(kind, 0) + 1
        row = '\t'.join((kind, self.session, place, text.replace('\t', ' ').replace('\n', ' ')))
        with open(self.path + '.log', 'a', encoding='utf-8') as file:
            file.write(row + '\n')

    # ---- timed rollback ----

    def trial_begin(self, state, old, seconds, **more):
        hurry = self.faults.number('hurry', 1) or 1
        until = time.time() + seconds / hurry
        state['trial'] = {'old': old, 'until': until, 'hurry': hurry, 'session': self.session}
        state['trial'].update(more)

    def trial_left(self, state):
        trial = state['trial']
        return max(0, int((trial['until'] - time.time()) * trial['hurry'] + 0.999))

    def trial_return(self, state, why):
        state['running'] = state['trial']['old']
        state['trial'] = None
        state['revision'] += 1
        self.log(state, 'rollback', '', why)

    def _expire(self, state):
        trial = state['trial']
        if trial and time.time() >= trial['until']:
            self.trial_return(state, 'time is over')
        elif trial and trial.get('bound') and not os.path.exists('/proc/' + trial['session']):
            self.trial_return(state, 'session ended')

    # ---- sessions and faults ----

    def enter(self):
        """One more terminal line in use; False if there is none."""
        with self.open() as state:
            state['vty'] = [pid for pid in state['vty'] if os.path.exists('/proc/%d' % pid)]
            if len(state['vty']) >= state['vty_max'] or self.faults.find('vty-full') is not None:
                self.log(state, 'full')
                return False
            state['vty'].append(os.getpid())
            self.log(state, 'login')
        return True

    def leave(self):
        with self.open() as state:
            state['vty'] = [pid for pid in state['vty'] if pid != os.getpid()]
            self.log(state, 'logout')

    def next_line(self, state):
        """Number of this configuration line since the control file became what it is."""
        stamp = self.faults.stamp()
        if state['fault']['stamp'] != stamp:
            state['fault'] = {'stamp': stamp, 'lines': 0}
        state['fault']['lines'] += 1
        return state['fault']['lines']
