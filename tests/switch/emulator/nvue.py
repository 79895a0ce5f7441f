# SPDX-License-Identifier: LGPL-2.1-or-later
# Owns `nv`, the command of Cumulus Linux: a tree that is set and unset, revisions that are applied,
# saved, or taken back when nobody confirms. What may be set says cumulus.yaml.
import copy
import json
import re
import time

import yaml

from grammar import INCOMPLETE, Pattern, Refusal, Types
from shell import Failed, Shell

PRESENCE = ('roce', 'pfc-watchdog')     # mean something although nothing is below


# What there is without anybody setting it: 24-31 are priority 3, 48-55 priority 6.
DEFAULTS = {'qos': {
    'mapping': {'default-global': {
        'trust': 'l2', 'dscp': {str(n): {'switch-priority': str(n >> 3)} for n in range(64)}}},
    'egress-queue-mapping': {'default-global': {
        'switch-priority': {str(n): {'traffic-class': str(n)} for n in range(8)}}},
    'egress-scheduler': {'default-global': {
        'traffic-class': {str(n): {'mode': 'dwrr', 'bw-percent': '12'} for n in range(8)}}},
    'congestion-control': {'default-global': {'traffic-class': {'0': {'ecn': 'disable'}}}},
    'pfc-watchdog': {'polling-interval': '100', 'robustness': '3'}}}


def overlay(below, above):
    """What is set, over what there is by default."""
    if not isinstance(below, dict) or not isinstance(above, dict):
        return above
    out = {word: overlay(below[word], above[word]) if word in above else below[word]
           for word in below}
    return {**out, **{word: above[word] for word in above if word not in below}}


def expand(text):
    """swp1-3 or 24-31 or 3,4 as a list; a plain word is itself."""
    out = []
    for part in text.split(','):
        match = re.fullmatch(r'([a-z]*)(\d+)-(\d+)', part)
        if match:
            first, last = int(match.group(2)), int(match.group(3))
            out += [match.group(1) + str(n) for n in range(first, last + 1)]
        else:
            out.append(part)
    return out


def tree_set(tree, words, value):
    for word in words[:-1]:
        if not isinstance(tree.get(word), dict):
            tree[word] = {}
        tree = tree[word]
    if isinstance(value, dict) and isinstance(tree.get(words[-1]), dict):
        return
    tree[words[-1]] = value


def tree_unset(tree, words):
    """Takes empty branches with it, but not what was set by itself (`qos roce`)."""
    if words[0] not in tree:
        return
    if len(words) == 1:
        del tree[words[0]]
        return
    below = tree[words[0]]
    if isinstance(below, dict):
        tree_unset(below, words[1:])
        if not below and words[0] not in PRESENCE:
            del tree[words[0]]


def tree_get(tree, words):
    for word in words:
        if not isinstance(tree, dict) or word not in tree:
            return None
        tree = tree[word]
    return tree


def flat(tree, path=()):
    rows = {}
    for word, below in tree.items():
        if isinstance(below, dict) and below:
            rows.update(flat(below, path + (word,)))
        else:
            rows[path + (word,)] = below
    return rows


class Session(Shell):
    def __init__(self, data, store, term, faults):
        super().__init__(data, store, term, faults)
        state = store.read()
        self.ports = list(state['ports'])
        self.types = Types(data['types'], self.ports, None)
        self.paths = [(Pattern(row['line']), row) for row in data['paths']]

    def is_config(self, words):
        return words[0] == 'nv' and words[1:2] in (['set'], ['unset'], ['config']) and \
            words[1:3] not in (['config', 'diff'], ['config', 'show'], ['config', 'history'])

    def cmd_nv(self, words, root):
        verbs = {'set': self.set, 'unset': self.unset, 'show': self.show, 'config': self.config}
        if not words or words[0] not in verbs:
            raise Failed("Error: Invalid command '%s'" % ' '.join(['nv'] + words[:1]), 2)
        return verbs[words[0]](words[1:])

    # ---- set and unset ----

    def match(self, words, partial):
        best = None
        for pattern, _ in self.paths:
            try:
                args, _ = pattern.match(words, self.types)
                return pattern, args
            except Refusal as refusal:
                if partial and refusal.kind == INCOMPLETE and refusal.index:
                    return pattern, None
                if best is None or (refusal.index, refusal.kind) > (best.index, best.kind):
                    best = refusal
        if best.kind == INCOMPLETE:
            raise Failed('Error: Incomplete command.', 2)
        at = min(best.index, len(words) - 1)
        raise Failed("Error: Invalid parameter '%s' in '%s'" % (words[at], ' '.join(words)), 2)

    def spread(self, pattern, words):
        """Each path that the words with their lists stand for, as lists of words."""
        paths = [[]]
        kinds = dict(enumerate(kind for _, kind in pattern.sequences[0]))
        for i, word in enumerate(words):
            kind = kinds.get(i)
            choices = expand(word) if kind in self.data['expand'] else [word]
            limit = self.data['limits'].get(kind) if isinstance(kind, str) else None
            if limit is not None and any(int(n) > limit for n in choices):
                raise Failed("Error: '%s' is out of range" % word, 2)
            if kind == 'swps':
                missing = [name for name in choices if name not in self.ports]
                if missing:
                    raise Failed("Error: interface '%s' does not exist" % missing[0])
            paths = [path + [choice] for path in paths for choice in choices]
        return paths

    def pending(self, state):
        return state['candidates'].setdefault('pending', copy.deepcopy(state['running']))

    def settle(self, state, text):
        if state['candidates'].get('pending') == state['running']:
            del state['candidates']['pending']
        self.store.log(state, 'line', '', text)

    def set(self, words):
        if not words:
            raise Failed('Error: Incomplete command.', 2)
        pattern, args = self.match(words, False)
        value, path = {}, words
        if 'value' in args:
            value = args['value']
            path = words[:[name for name, _ in pattern.sequences[0]].index('value')]
        paths = self.spread(pattern, path)
        with self.store.open() as state:
            tree = self.pending(state)
            for each in paths:
                tree_set(tree, each, value)
            self.settle(state, 'nv set ' + ' '.join(words))

    def unset(self, words):
        if not words:
            raise Failed('Error: Incomplete command.', 2)
        pattern, _ = self.match(words, True)
        paths = self.spread(pattern, words)
        with self.store.open() as state:
            tree = self.pending(state)
            for each in paths:
                tree_unset(tree, each)
            self.settle(state, 'nv unset ' + ' '.join(words))

    # ---- revisions ----

    def config(self, words):
        verb, rest = (words + [''])[0], words[1:]
        call = getattr(self, 'config_' + verb, None)
        if call is None:
            raise Failed("Error: Invalid command 'nv config %s'" % verb, 2)
        return call(rest)

    def config_diff(self, words):
        with self.store.open() as state:
            self.store.log(state, 'read', '', 'nv config diff')
            new = state['candidates'].get('pending', state['running'])
            old_rows, new_rows = flat(state['running']), flat(new)
        gone = [row for row in old_rows if row not in new_rows]
        come = [row for row, value in new_rows.items() if old_rows.get(row, self) != value]
        if words[:2] == ['-o', 'commands']:
            for row in gone:
                self.term.say('nv unset ' + ' '.join(row))
            for row in come:
                value = new_rows[row]
                self.term.say('nv set ' + ' '.join(row) + ('' if value == {} else ' ' + value))
            return
        out = []
        for name, rows in (('unset', gone), ('set', come)):
            tree = {}
            for row in rows:
                tree_set(tree, list(row), new_rows.get(row, {}))
            if tree:
                out.append({name: tree})
        if out:
            self.term.say(yaml.safe_dump(out, default_flow_style=False).rstrip('\n'))

    def config_apply(self, words):
        sure = '-y' in words or '--assume-yes' in words
        words = [word for word in words if word not in ('-y', '--assume-yes')]
        if words[:1] == ['--confirm-status']:
            return self.confirm_status()
        if words[:1] in (['--confirm-yes'], ['--confirm-no']):
            return self.confirm(words[0] == '--confirm-yes')
        seconds = 0
        if words[:1] == ['--confirm']:
            match = re.fullmatch(r'(\d+)([smh]?)', (words + ['10'])[1])
            seconds = int(match.group(1)) * {'s': 1, 'h': 3600}.get(match.group(2), 60) \
                if match else 0
            if not 1 <= seconds <= 86400:
                raise Failed("Error: Invalid parameter '%s'" % words[1], 2)
            words = words[2:]
        if len(words) > 1 or (words and not words[0].isdigit()):
            raise Failed("Error: Invalid parameter '%s'" % words[0], 2)
        if not sure and (self.term.ask('Are you sure? [y/N] ') or '').lower() not in ('y', 'yes'):
            raise Failed('Error: not applied')
        self.apply(words[0] if words else None, seconds)

    def apply(self, revision, seconds):
        self.commit_fault('Error: apply failed: the configuration was rejected')
        with self.store.open() as state:
            if state['trial']:
                raise Failed('Error: a revision waits for its confirmation')
            old = state['running']
            if revision is not None:
                found = [entry for entry in state['commits'] if str(entry['id']) == revision]
                if not found:
                    raise Failed("Error: revision '%s' does not exist" % revision)
                new = copy.deepcopy(found[0]['tree'])
            else:
                new = state['candidates'].pop('pending', old)
            self.check(new)
            state['running'] = new
            state['revision'] += 1
            state['commits'].append({'id': state['revision'], 'time': int(time.time()),
                                     'tree': copy.deepcopy(new)})
            if seconds:
                self.store.trial_begin(state, old, seconds)
            elif state['autosave']:
                state['startup'] = copy.deepcopy(new)
            self.store.log(state, 'trial' if seconds else 'commit', '', str(seconds or ''))
            self.term.say('applied [rev_id: %d]' % state['revision'])

    @staticmethod
    def check(tree):
        """A profile that a port names has to be there, and PFC excludes link pause."""
        for port, below in tree.get('interface', {}).items():
            qos = below.get('qos', {})
            for kind in ('mapping', 'pfc', 'congestion-control'):
                name = tree_get(qos, [kind, 'profile'])
                if name and name != 'default-global' and \
                        tree_get(tree, ['qos', kind, name]) is None:
                    raise Failed("Error: %s: profile '%s' does not exist" % (port, name))
            if 'pfc' in qos and 'link-pause' in qos:
                raise Failed('Error: %s: pfc and link-pause exclude each other' % port)

    def confirm_status(self):
        with self.store.open() as state:
            if not state['trial']:
                self.term.say('No pending confirmation')
            else:
                self.term.say('confirmation pending, %d seconds left' %
                              self.store.trial_left(state))

    def confirm(self, keep):
        with self.store.open() as state:
            if not state['trial']:
                raise Failed('Error: no revision waits for a confirmation')
            if keep:
                state['trial'] = None
                self.store.log(state, 'confirm')
                if state['autosave']:
                    state['startup'] = copy.deepcopy(state['running'])
            else:
                self.store.trial_return(state, 'not confirmed')
            self.term.say('confirmed' if keep else 'rolled back')

    def config_save(self, words):
        with self.store.open() as state:
            state['startup'] = copy.deepcopy(state['running'])
            self.store.log(state, 'save')
        self.term.say('saved')

    def config_detach(self, words):
        with self.store.open() as state:
            state['candidates'].pop('pending', None)
            self.store.log(state, 'abort')

    def config_history(self, words):
        for entry in reversed(self.store.read()['commits']):
            self.term.say('- rev_id: %d' % entry['id'])

    def config_show(self, words):
        """What is applied; a switch always has a name."""
        running = self.store.read()['running']
        if words[:2] == ['-o', 'commands']:
            self.term.say('nv set system hostname ' + self.host)
            for path, value in flat(running).items():
                self.term.say('nv set ' + ' '.join(path) + ('' if value == {} else ' ' + value))
        elif words:
            raise Failed("Error: Invalid parameter '%s'" % words[0], 2)
        else:
            tree = overlay({'system': {'hostname': self.host}}, running)
            self.term.say(yaml.safe_dump([{'set': tree}], default_flow_style=False).rstrip('\n'))

    # ---- show ----

    def show(self, words):
        as_json = words[-2:] == ['-o', 'json']
        words = words[:-2] if as_json else words
        with self.store.open() as state:
            self.store.log(state, 'read', '', 'nv show ' + ' '.join(words))
        if words == ['qos', 'roce']:
            return self.show_roce(state, as_json)
        reply = self.special(state, words)
        if reply is None:
            self.match(words, True)
            reply = tree_get(overlay(DEFAULTS, state['running']), words)
        if reply is None:
            raise Failed('Error: The requested item does not exist.')
        if as_json:
            self.term.say(json.dumps(reply, indent=2))
        else:
            self.term.say('\n'.join(self.table(reply if isinstance(reply, dict) else
                                               {words[-1]: reply})))
        return 0

    def table(self, tree, indent=''):
        rows = [] if indent else ['%-20s%-23s%s' % ('', 'operational', 'applied')]
        for word, below in tree.items():
            if isinstance(below, dict):
                rows += [indent + word] + self.table(below, indent + '  ')
            else:
                rows.append('%-20s%-23s%s' % (indent + word, below, below))
        return rows

    @staticmethod
    def roce(tree):
        """The operational view of `qos roce`; None while it is off."""
        roce = tree_get(tree, ['qos', 'roce'])
        if roce is None or roce.get('state') == 'disabled':
            return None
        lossless = roce.get('mode', 'lossless') == 'lossless'
        view = {'state': 'enabled', 'mode': 'lossless-single-ipool' if lossless else 'lossy'}
        if lossless:
            view['pfc'] = {'pfc-priority': '3', 'rx-enabled': 'enabled', 'tx-enabled': 'enabled',
                           'cable-length': roce.get('cable-length', '100')}
        view['congestion-control'] = {
            'congestion-mode': 'ECN', 'enabled-tc': '0,3', 'min-threshold': '146.48 KB',
            'max-threshold': '1.43 MB', 'probability': '100'}
        view['trust'] = {'trust-mode': 'pcp,dscp'}
        return view

    def show_roce(self, state, as_json):
        view = self.roce(state['running'])
        if as_json:
            self.term.say(json.dumps(view or {}, indent=2))
            return 0
        rows = ['%-20s%-23s%s' % ('', 'operational', 'applied')]
        for word, below in (view or {}).items():
            if isinstance(below, dict):
                rows.append(word)
                rows += ['%-20s%s' % ('  ' + name, value) for name, value in below.items()]
            elif word == 'state':
                rows.append('%-20s%-23s%s' % (word, '', below))
            else:
                rows.append('%-20s%-23s%s' % (word, below, below))
        self.term.say('\n'.join(rows))
        return 0

    def special(self, state, words):
        """Views of a port that are no part of the tree."""
        if len(words) < 4 or words[0] != 'interface' or words[1] not in self.ports:
            return None
        port, rest = words[1], words[2:]
        counters = state['counters'].get(port, {})
        if rest == ['qos', 'roce', 'status']:
            return self.port_status(state['running'], port)
        if rest == ['qos', 'roce', 'counters']:
            names = ('rx-pfc-frames', 'tx-pfc-frames', 'tx-ecn-stats')
            return {name: counters.get(name, 0) for name in names}
        if rest == ['qos', 'pfc-watchdog']:
            if tree_get(state['running'], words) is None:
                return {}
            return {'traffic-class': {'3': {'status': counters.get('watchdog', 'OK'),
                                            'deadlock-count': counters.get('deadlocks', 0)}}}
        return None

    def port_status(self, tree, port):
        view = self.roce(tree)
        if view is not None:
            pfc = view.get('pfc', {})
            for name in ('rx-enabled', 'tx-enabled'):
                pfc[name] = 'yes' if pfc else 'no'
            view['pfc'] = pfc
            view['congestion-control'].update({
                'congestion-mode': 'ecn, absolute', 'min-threshold': '153.00 KB',
                'max-threshold': '1.43 MB'})
            view['prio-map'] = {'cnp': {'switch-priority': '6', 'dscp': '48', 'traffic-class': '6'},
                                'roce': {'switch-priority': '3', 'dscp': '26',
                                         'traffic-class': '3'}}
            return view
        name = tree_get(tree, ['interface', port, 'qos', 'pfc', 'profile'])
        profile = tree_get(tree, ['qos', 'pfc', name]) if name else None
        on = ','.join((profile or {}).get('switch-priority', {}))
        yes = {True: 'yes', False: 'no'}
        return {'pfc': {'pfc-priority': on or '-',
                        'rx-enabled': yes[bool(on) and profile.get('rx', 'enable') == 'enable'],
                        'tx-enabled': yes[bool(on) and profile.get('tx', 'enable') == 'enable']}}
