#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""fabric.yaml(5) against the tables: each key of the file and each knob stands there, with what the program itself says
of it; a page that lacks a key, has one too many, or has one twice is not made.
tables.py PAGE-PROGRAM LOSSLESSCTL SOURCES MADE-PAGE"""
import json
import math
import re
import subprocess
import sys

program, ctl, sources, made = sys.argv[1:]
fails = 0


def check(what, ok, why=''):
    global fails
    print('%s %s%s' % ('ok  ' if ok else 'FAIL', what, '' if ok else ': ' + why))
    fails += not ok


def run(*command, text=''):
    done = subprocess.run(command, input=text, capture_output=True, text=True, timeout=60)
    return done.returncode, done.stdout, done.stderr


with open(sources + '/man/fabric.yaml.5.scd', encoding='utf-8') as file:
    template = file.read()
with open(made, encoding='utf-8') as file:
    page = file.read()
marks = re.findall(r'^\t*@(\w+) (\w+)@$', template, re.M)

# The rows as they are written down, with what their macros stand for
with open(sources + '/lib/spec/key.c', encoding='utf-8') as file:
    code = file.read()
macros = {name: re.findall(r'ROW\(of, "(\w+)"', body) for name, body in
          re.findall(r'#define (SETTINGS|SELECTORS)\(of\)(.*?)\n\n', code, re.S)}
table = code[code.index('const struct key_info key_table[]'):code.index('const size_t key_table_size')]
rows = {(of.lower(), name) for of, name in re.findall(r'ROW\((\w+), "(\w+)"', table)}
for macro, of in re.findall(r'\b(SETTINGS|SELECTORS)\((\w+)\)', table):
    rows |= {(of.lower(), name) for name in macros[macro]}
check('keys are in the table', len(rows) > 70, str(len(rows)))
check('the page has the keys of the table', set(marks) == rows, str(set(marks) ^ rows))

status, out, err = run(program, text=template)
check('the page is made', status == 0 and out == page, err)
for section, key in marks:
    mark = '@%s %s@' % (section, key)
    status, out, err = run(program, text=template.replace(mark, '', 1))
    check('without ' + mark, status == 1 and err == 'page: lacks the key %s %s\n' % (section, key), err)
for text, want in (('@roce tos@', 'page: the fabric file has no key roce tos'),
                   ('@nosuch pfc@', 'page: the fabric file has no key nosuch pfc'),
                   ('@qos pfc@', 'page: qos pfc stands there twice'),
                   ('@nosuch@', 'page: @nosuch@ means nothing')):
    status, out, err = run(program, text=template + text + '\n')
    check('with ' + text, status == 1 and want in err, err)

# Defaults of the policy
with open(sources + '/lib/model/policy.h', encoding='utf-8') as file:
    code = file.read()
defaults = {key: '%dm' % (ms // 60000) if ms % 60000 == 0 else '%ds' % (ms // 1000) for key, ms in
            ((key, math.prod(int(n) for n in text.split('*'))) for key, text in re.findall(r'\.(\w+)_ms = ([\d *]+),', code))}
defaults |= {key: word.lower() for key, word in re.findall(r'\.(drift|disruptive) = [A-Z]+_(\w+),', code)}
check('policy has defaults', len(defaults) == 5, str(defaults))
for key, value in defaults.items():
    text = template.split('@policy %s@' % key)[1].split('@')[0].split('\n#')[0]
    check('default of ' + key, re.search(r'\b%s\b' % value, text) is not None, text)

# Knobs: what explain says, in a page without marks of scdoc
plain = re.sub(r'\\(.)', r'\1', page)
status, out, err = run(ctl, 'explain', 'nosuch')
knobs = err.split('there are:')[1].split()
check('knobs', len(knobs) >= 20, err)
blocks = dict(re.findall(r'^\*(\w+)\*, of an? [^\n]*\n\t(.*?)\n\n', plain, re.M | re.S))
check('the page has the knobs that explain has', set(blocks) == set(knobs), str(set(blocks) ^ set(knobs)))
for knob in knobs:
    facts = json.loads(run(ctl, 'explain', '--json', knob)[1])
    wanted = [facts[name] for name in ('why', 'spec', 'kernel', 'drivers', 'instead') if facts[name]]
    if facts['words']:
        wanted.append('_values_: ' + ', '.join(facts['words']))
    if facts['required']:
        wanted.append('refused before the first write')
    if not facts['settable']:
        wanted.append('never written')
    missing = [text for text in wanted if text not in blocks.get(knob, '')]
    check('knob ' + knob, not missing, str(missing))

# Drivers: the advice of each row in the block of its knob, whichever drivers there are
with open(sources + '/lib/model/driver.c', encoding='utf-8') as file:
    code = file.read()
found = 0
for name, row in re.findall(r'\.name = "(\w+)",(.*?)\n\t\},', code, re.S):
    for knob, text in re.findall(r'\.instead\[KNOB_(\w+)\] = ((?:"[^"]*"\s*)+)', row):
        words = '_instead, %s_: %s' % (name, ''.join(re.findall(r'"([^"]*)"', text)))
        check('advice of %s for %s' % (name, knob.lower()), words in blocks.get(knob.lower(), ''), words)
        found += 1
check('drivers have advice', found > 8, str(found))

sys.exit(fails > 0)
