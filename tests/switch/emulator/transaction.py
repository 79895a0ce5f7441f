# SPDX-License-Identifier: LGPL-2.1-or-later
# Owns the three ways in which a line becomes the configuration in force: at once, by the commit of
# a candidate of one's own (Huawei), by the commit of a session with a name (Arista). Also saving,
# and commits that return by themselves.
import copy
import difflib
import time

from grammar import Refusal, VALUE
from store import new_node, node_lines


def prune(node):
    """Without modes that were entered and left empty."""
    node = copy.deepcopy(node)
    for heading in list(node['modes']):
        below = prune(node['modes'][heading])
        node['modes'][heading] = below
        if not below['lines'] and not below['modes'] and not below.get('keep'):
            del node['modes'][heading]
    return node


def same(a, b):
    return prune(a) == prune(b)


class Transactions:
    def transactions_init(self):
        self.named = None               # the session of Arista's that we are in
        self.candidate = None           # Huawei: our own copy, if there is one
        self.base = 0                   # the revision that it was copied from
        self.immediate = self.data['transaction'] == 'immediate'
        self.mmi = False                # Huawei's machine mode: nothing is asked

    def tree(self, state):
        """What a line is checked against."""
        if self.named:
            return state['candidates'][self.named]['tree']
        return self.candidate if self.candidate is not None else state['running']

    def edit(self, state):
        """What a line changes."""
        if self.data['transaction'] == 'private' and not self.immediate and self.candidate is None:
            self.candidate = copy.deepcopy(state['running'])
            self.base = state['revision']
        return self.tree(state)

    def edited(self, state):
        if self.candidate is not None and same(self.candidate, state['running']):
            self.candidate = None
        if self.candidate is None and self.named is None:
            state['running'] = prune(state['running'])

    def mark(self):
        if self.data['transaction'] != 'private' or self.immediate:
            return ''
        return '~' if self.candidate is None else '*'

    def commit_fault(self, state, default):
        words = self.faults.find('commit-fails')
        if words is not None:
            self.store.log(state, 'refused', 'commit', ' '.join(words))
            raise Refusal(VALUE, 0, ' '.join(words) or default)

    def install(self, state, tree):
        state['running'] = prune(tree)
        state['revision'] += 1
        state['commits'].append({'id': 1000000000 + state['revision'], 'time': int(time.time())})

    # ---- Huawei ----

    def do_machine_mode(self, match):
        self.do_paging_off(match)
        self.mmi = True

    def do_system_view(self, match):
        self.immediate = match.args.get('how') == 'immediately'
        self.do_configure(match)

    def may_leave(self, depth):
        """Leaving configuration with a candidate asks what to do with it."""
        if self.candidate is None or self.is_config(self.stack[depth].mode):
            return True
        answer = self.question(self.data['leave_question'], 'leave').upper()
        if answer == 'Y':
            with self.store.open() as state:
                self.commit_private(state, 0, None)
        elif answer == 'N':
            self.candidate = None
        return answer in ('Y', 'N')

    def left_configuration(self):
        self.named = None

    def may_end_trial(self, state, persist):
        """One with a name by that name, in any session; one without in the session it is of."""
        trial = state['trial']
        if trial['persist'] != persist or (not persist and trial['session'] != self.store.session):
            raise Refusal(VALUE, 0, self.data['errors']['trial'])

    def commit_private(self, state, seconds, persist):
        if self.candidate is not None and self.base != state['revision']:
            raise Refusal(VALUE, 0, self.data['errors']['stale'])
        if state['trial']:
            self.may_end_trial(state, persist)
        elif persist and not seconds:
            raise Refusal(VALUE, 0, self.data['errors']['no_trial'])
        self.commit_fault(state, self.data['errors']['commit'])
        if state['trial']:
            # The second commit keeps what the trial had; a candidate on top of it goes with it.
            state['trial'] = None
            self.store.log(state, 'confirm')
        if self.candidate is None and not seconds:
            self.store.log(state, 'commit', '', 'nothing')
            return
        old = state['running']
        if self.candidate is not None:
            self.install(state, self.candidate)
        self.candidate = None
        if seconds:
            self.store.trial_begin(state, old, seconds, bound=persist is None, persist=persist)
        self.store.log(state, 'trial' if seconds else 'commit', '', str(seconds or ''))

    def do_commit(self, match):
        with self.store.open() as state:
            self.commit_private(state, 0, match.args.get('persist'))

    def do_commit_trial(self, match):
        with self.store.open() as state:
            if state['trial']:
                raise Refusal(VALUE, 0, self.data['errors']['trial'])
            self.commit_private(state, int(match.args.get('seconds', 600)),
                                match.args.get('persist'))
        if match.command.get('say'):
            self.term.say(match.command['say'].format(seconds=match.args.get('seconds', 600)))

    def do_abort_trial(self, match):
        with self.store.open() as state:
            if not state['trial']:
                raise Refusal(VALUE, 0, self.data['errors']['no_trial'])
            self.may_end_trial(state, match.args.get('persist'))
            self.store.trial_return(state, 'abort trial')
        self.term.say(match.command['say'])

    def do_clear_candidate(self, match):
        self.candidate = None
        with self.store.open() as state:
            self.store.log(state, 'abort')

    def do_refresh_candidate(self, match):
        """Our lines again on top of what is in force now."""
        with self.store.open() as state:
            if self.candidate is not None:
                self.candidate = merge(state['running'], self.candidate)
                self.base = state['revision']
            self.store.log(state, 'mode', 'refresh')

    def session_end(self):
        """What the end of a session undoes: its candidate, and a trial that is not persistent."""
        with self.store.open() as state:
            trial = state['trial']
            if trial and trial.get('bound') and trial['session'] == self.store.session:
                self.store.trial_return(state, 'session ended')

    # ---- Arista ----

    def do_configure_session(self, match):
        name = match.args.get('name') or 'sess-%d' % (int(time.time()) % 1000)
        with self.store.open() as state:
            if state['trial'] and state['trial'].get('name') == name:
                raise Refusal(VALUE, 0, self.data['errors']['pending'])
            if name not in state['candidates']:
                state['candidates'][name] = {'tree': copy.deepcopy(state['running'])}
        self.named = name
        self.do_configure(match)

    def commit_named(self, state, seconds):
        self.commit_fault(state, self.data['errors']['commit'])
        old = state['running']
        self.install(state, state['candidates'].pop(self.named)['tree'])
        if seconds:
            self.store.trial_begin(state, old, seconds, name=self.named)
        self.store.log(state, 'trial' if seconds else 'commit', self.named, str(seconds or ''))

    def leave_named(self):
        self.named = None
        while self.is_config(self.stack[-1].mode):
            self.stack.pop()

    def do_commit_session(self, match):
        hours, minutes, seconds = (int(n) for n in match.args.get('time', '0:0:0').split(':'))
        with self.store.open() as state:
            if state['trial']:
                raise Refusal(VALUE, 0, self.data['errors']['pending'])
            self.commit_named(state, hours * 3600 + minutes * 60 + seconds)
        self.leave_named()

    def do_abort_session(self, match):
        with self.store.open() as state:
            state['candidates'].pop(self.named, None)
            self.store.log(state, 'abort', self.named)
        self.leave_named()

    def do_clear_session(self, match):
        """`rollback clean-config`: the candidate is empty."""
        with self.store.open() as state:
            state['candidates'][self.named]['tree'] = new_node()
            self.store.log(state, 'line', 'session', match.line)

    def do_end_session(self, match):
        """`configure session NAME commit | abort` of one that is pending or has a timer."""
        name, commit = match.args['name'], match.args['what'] == 'commit'
        with self.store.open() as state:
            trial = state['trial']
            if trial and trial.get('name') == name:
                if commit:
                    state['trial'] = None
                    self.store.log(state, 'confirm', name)
                else:
                    self.store.trial_return(state, 'abort')
            elif name not in state['candidates']:
                raise Refusal(VALUE, 0, self.data['errors']['no_session'].format(name=name))
            elif commit:
                self.named = name
                self.commit_named(state, 0)
                self.named = None
            else:
                state['candidates'].pop(name)
                self.store.log(state, 'abort', name)

    # ---- saving ----

    def do_save(self, match):
        with self.store.open() as state:
            state['startup'] = copy.deepcopy(state['running'])
            self.store.log(state, 'save')
        if match.command.get('say'):
            self.term.say(match.command['say'])


def merge(running, candidate):
    """The candidate's entries over those that somebody else committed."""
    out = copy.deepcopy(running)
    out['lines'].update(copy.deepcopy(candidate['lines']))
    for heading, node in candidate['modes'].items():
        out['modes'][heading] = merge(out['modes'].get(heading, new_node()), node)
    return out


def difference(old, new, names):
    """Unified, without the time stamps."""
    return list(difflib.unified_diff(node_lines(prune(old)), node_lines(prune(new)), *names,
                                     lineterm=''))
