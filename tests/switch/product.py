#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Owns what product.sh asks of emulated switches and reports: states, logs, lines. Ends with 1 and
# one line if something is not so.
#
# product.py log STATE MARK KIND...      texts of these kinds of entries behind the MARKth
# product.py mark STATE                  how many entries there are
# product.py running STATE               what is in force, sorted lines
# product.py settled STATE               saved, nothing staged, nothing on trial
# product.py set STATE NAME=JSON...      change the state, as if it had always been so
# product.py trial STATE                 something is on trial
# product.py keep STATE                  what is in force is saved
# product.py sent STATE MARK RENDER      what was sent is what `switch render --json` said
# product.py calm REPORT SWITCH          a report with --json says that all of it is in sync
import json
import os
import shlex
import sys

LOGIN = ('screen-length', 'enable', 'no cli session', 'terminal ')
MEANS = {'commit': '<commit>', 'nv config apply -y': '<commit>', 'save': '<save>',
         'write memory': '<save>', 'write': '<save>', 'configuration write': '<save>',
         'nv config save': '<save>', 'sudo config save -y': '<save>',
         'nv config detach': '<abort>', 'abort': '<abort>'}


def state_of(path):
    with open(path, encoding='utf-8') as file:
        return json.load(file)


def rows_of(path):
    if not os.path.exists(path + '.log'):
        return []
    with open(path + '.log', encoding='utf-8') as file:
        return [line.rstrip('\n').split('\t') for line in file]


def log(path, mark, *kinds):
    for kind, _, place, text in rows_of(path)[int(mark):]:
        if kind in kinds:
            print(' '.join((kind, place, text)))


def mark(path):
    print(len(rows_of(path)))


def flat(tree, path=''):
    """A row for each leaf: what is in force of a CLI, a value of what has a database."""
    if 'line' in tree:
        yield path + tree['line']
        return
    if not tree and ' ' in path.strip():    # a table without rows is none
        yield path
    for key, below in tree.items():
        if not isinstance(below, dict):
            if key != 'keep':
                yield '%s%s %s' % (path, key, below)
        elif key in ('lines', 'modes'):
            yield from flat(below, path) if below else ()
        elif 'line' in below:
            yield path + below['line']
        else:
            yield from flat(below, '%s%s ' % (path, key))


def running(path):
    for row in sorted(flat(state_of(path)['running'])):
        if row.strip():
            print(row)


def settled(path):
    state = state_of(path)
    if state['candidates'] or state['trial']:
        sys.exit('staged: %s' % list(state['candidates']))
    if state['startup'] != state['running']:
        sys.exit('not saved')


def change(path, *settings):
    state = state_of(path)
    for setting in settings:
        name, _, value = setting.partition('=')
        *way, last = name.split('/')
        at = state
        for key in way:
            at = at[key]
        at[last] = json.loads(value)
    with open(path, 'w', encoding='utf-8') as file:
        json.dump(state, file, indent=1)


def trial(path):
    if not state_of(path)['trial']:
        sys.exit('nothing is on trial')


def keep(path):
    state = state_of(path)
    state['startup'] = state['running']
    with open(path, 'w', encoding='utf-8') as file:
        json.dump(state, file, indent=1)


def heard(rows):
    """What the switch took, in its own words."""
    for kind, _, place, text in rows:
        if kind in ('commit', 'save', 'abort'):
            yield '<%s>' % kind
        elif kind == 'line' and place.startswith('interface ethernet'):
            yield text if text.startswith('interface') else \
                'no %s %s' % (place, text[3:]) if text.startswith('no ') else place + ' ' + text
        elif kind == 'line' or (kind == 'mode' and not text.startswith(LOGIN)):
            yield text


def said(line):
    if line in MEANS:
        return MEANS[line]
    words = shlex.split(line)
    return ' '.join(words[1:] if words[0] == 'sudo' else words)


def sent(path, first, render):
    with open(render, encoding='utf-8') as file:
        want = [said(line) for line in json.load(file)['lines']]
    have = list(heard(rows_of(path)[int(first):]))
    for i in range(max(len(want), len(have))):
        pair = [texts[i] if i < len(texts) else 'nothing' for texts in (want, have)]
        if pair[0] != pair[1]:
            sys.exit('line %d: rendered "%s", sent "%s"' % (i + 1, *pair))


def calm(path, name):
    """In sync, but for what the dialect says that it cannot do."""
    with open(path, encoding='utf-8') as file:
        switch = next(s for s in json.load(file)['switches'] if s['name'] == name)
    if switch['verdict'] not in ('in-sync', 'unsupported') or switch['reason']:
        sys.exit('%s: %s' % (switch['verdict'], switch['reason']))
    verdicts = {knob['name']: knob['verdict'] for knob in switch['knobs']}
    bad = {k: v for k, v in verdicts.items() if v not in ('in-sync', 'unsupported')}
    if bad or 'in-sync' not in verdicts.values():
        sys.exit(str(bad or 'nothing is in sync'))


VERBS = {'log': log, 'mark': mark, 'running': running, 'settled': settled, 'set': change,
         'trial': trial, 'keep': keep, 'sent': sent, 'calm': calm}

if __name__ == '__main__':
    VERBS[sys.argv[1]](*sys.argv[2:])
