#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""The tables of README and README.zh against the rows of drivers and the dialects.
readme.py [--update] SOURCES"""
import glob
import os
import re
import sys

try:
    import yaml
except ImportError:
    print('no yaml (Debian: python3-yaml)')
    sys.exit(77)

update, sources = '--update' in sys.argv, sys.argv[-1]
WRITTEN = {'README.md': {True: 'written', False: 'compared'}, 'README.zh.md': {True: '写入', False: '只比较'}}
fails = 0


def check(what, ok, why=''):
    global fails
    print('%s %s%s' % ('ok  ' if ok else 'FAIL', what, '' if ok else ': ' + str(why)))
    fails += not ok


def read(name):
    with open(os.path.join(sources, name), encoding='utf-8') as file:
        return file.read()


# ---- drivers: a row of the table in C is {...}, the last one has no name ----

code = read('lib/model/driver.c')
drivers = {}
for row in re.split(r'\n\t\{\n', code[code.index('table[] = {'):code.index('static const struct driver_info unknown')])[1:]:
    name = re.search(r'\.name = "(\w*)"', row)[1]
    most = re.search(r'\.lossless_max = (\d+)', row)
    drops = re.search(r'\.drops_link = (.*?),\n', row, re.S)
    drivers[name] = ('.writes_dcb = true' in row, int(most[1]) if most else 8,
                     re.findall(r'KNOB_BIT\(KNOB_(\w+)\)', drops[1]) if drops else [])
del drivers['']     # soft-RoCE on a virtual device
check('drivers', len(drivers) >= 4 and drivers['ice'][1] == 1, drivers)

# ---- dialects: knobs by the weakest of their lines ----

ORDER = ('vendor', 'field', 'False')
dialects = {}
for path in glob.glob(os.path.join(sources, 'config/dialects/*.yaml')):
    with open(path, encoding='utf-8') as file:
        dialect = yaml.safe_load(file)
    counts = [0, 0, 0, 0]
    for knob in dialect['knobs'].values():
        variants = [variant for variant in (knob if isinstance(knob, list) else [knob]) if 'unsupported' not in variant]
        counts[max((ORDER.index(str(variant.get('verified', dialect['verified']))) for variant in variants), default=3)] += 1
    dialects[dialect['dialect']] = counts

def commands(name):
    """What is shown of commands, without what is said about it."""
    return [re.sub(r' +# .*', '', line) for block in re.findall(r'^```console\n(.*?)^```', read(name), re.M | re.S)
            for line in block.split('\n')]


check('both have the same commands', commands('README.md') == commands('README.zh.md'),
      set(commands('README.md')) ^ set(commands('README.zh.md')))
check('there are some', len(commands('README.md')) > 30)

for name, words in WRITTEN.items():
    if not os.path.exists(os.path.join(sources, name)):
        continue
    text = made = read(name)
    rows = [[cell.strip() for cell in line.strip('|').split('|')] for line in text.split('\n') if line.startswith('|')]
    for driver, (writes, most, drops) in drivers.items():
        want = [words[writes], str(most), ', '.join(drops).lower() or '–']
        row = [cells for cells in rows if cells[0] == driver]
        check('%s: %s' % (name, driver), len(row) == 1 and row[0][2:5] == want, '%s, wanted %s' % (row, want))
    for dialect, counts in sorted(dialects.items()):
        want = [str(count) for count in counts]
        row = [cells for cells in rows if cells[0] == dialect]
        if update and row:
            made = re.sub(r'^(\| %s \|[^|]*\|).*$' % dialect, r'\1 %s |' % ' | '.join(want), made, flags=re.M)
            continue
        check('%s: %s' % (name, dialect), len(row) == 1 and row[0][2:] == want, '%s, wanted %s' % (row, want))
    told = {cells[0] for cells in rows if re.fullmatch(r'[a-z]+-[a-z]+|sonic', cells[0])}
    check(name + ': no dialect that is not there', told == set(dialects), told)
    if made != text:
        with open(os.path.join(sources, name), 'w', encoding='utf-8') as file:
            file.write(made)
        print('updated ' + name)
sys.exit(fails > 0)
