#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""lossless-fabric(7) against the product: what a how-to's commands are in the fabric file, and which lines each dialect
has for them. guide.py LOSSLESSCTL LOSSLESSD-SWITCH SOURCES"""
import json
import os
import re
import subprocess
import sys
import tempfile

ctl, worker, sources = (os.path.realpath(path) for path in sys.argv[1:])
fails = 0
PORTS = {'arista-eos': 'Ethernet1', 'huawei-cloudengine': '100GE1/0/1', 'linux-switchdev': 'swp1',
         'nvidia-cumulus': 'swp1', 'nvidia-onyx': '1/1', 'ruijie-rgos': 'HundredGigabitEthernet 0/1',
         'sonic': 'Ethernet0'}
# What leads to a place and away from it, or is of LLDP, says nothing of PFC or the map
WAYS = re.compile(r'^(system-view|quit|return|save|commit|abort|exit|end|write( memory)?|configure .*|interface \S+( \S+)?|'
                  r'configuration write|nv config .*|sudo config save -y|lldp .*|dcbx .*)$')


def check(what, ok, why=''):
    global fails
    print('%s %s%s' % ('ok  ' if ok else 'FAIL', what, '' if ok else ': ' + str(why)))
    fails += not ok


with open(sources + '/man/lossless-fabric.7.scd', encoding='utf-8') as file:
    page = file.read()


def section(name):
    return page.split('\n# %s\n' % name)[1].split('\n# ')[0]


folder = tempfile.TemporaryDirectory()
os.chdir(folder.name)


def told(text, *words):
    with open('fabric.yaml', 'w', encoding='utf-8') as file:
        file.write('version: 1\nfabric: pod-a\n' + text)
    env = dict(os.environ, LOSSLESSD_SWITCH=worker, LOSSLESSD_DIALECTS=sources + '/config/dialects')
    done = subprocess.run([ctl, *words, '-f', 'fabric.yaml'], capture_output=True, text=True, env=env, timeout=60)
    return done.returncode, done.stdout, done.stderr


# ---- what is typed on a node ----

def knobs(text):
    status, out, err = told(text + '\nnodes: {"*": {}}\n', 'show', 'spec', '--json', '--root',
                            sources + '/tests/golden/mlx5-ofed.bundle')
    if status == 3:
        return None
    return {knob['name'] for target in json.loads(out)['targets'] for knob in target['knobs']}


MAP = 'qos: {dscp_to_priority: {26: 3}}'
typed = re.findall(r'^(\*.*\*)\n\tfile: _(.*?)_(?: .*?)?\+\+\nknob: _(\w+)_', section('FROM A HOW-TO'), re.M)
check('commands of a how-to', len(typed) >= 12, len(typed))
for commands, text, knob in typed:
    has = knobs(text)
    if has is None:     # it needs the map beside it
        check('%s does not come with the map' % knob, knob not in knobs(MAP))
        has = knobs(text + '\n' + MAP)
    check('%s: %s' % (commands, knob), has and knob in has, has)
check('the one that the guide is asked for', {'cm_mode', 'cm_tos', 'traffic_class', 'pfc', 'trust', 'dscp_to_priority'} <=
      {knob for _, _, knob in typed})
for text in ('cma_roce_mode -d mlx5_0 -p 1 -m 2', 'echo 106 > /sys/class/infiniband/mlx5_0/tc/1/traffic_class'):
    check(text, '*%s*' % text in section('FROM A HOW-TO'))

# ---- verdicts, with the exit status of each ----

with open(sources + '/lib/model/verdict.c', encoding='utf-8') as file:
    code = file.read()
names = dict(re.findall(r'\[VERDICT_(\w+)\] = "([\w-]+)"', code))
statuses, waiting = {}, []
for case, status in re.findall(r'case VERDICT_(\w+):|return STATUS_(\w+);', code[code.index('verdict_exit('):]):
    if case:
        waiting.append(case)
    else:
        statuses |= {names[one]: {'OK': '0', 'DRIFT': '2', 'FAILED': '1'}[status] for one in waiting if one in names}
        waiting = []
said = dict(re.findall(r'^\*([\w-]+)\* \((\d)\)$', section('VERDICTS'), re.M))
check('verdicts', said == statuses and len(said) == len(names) >= 8, '%s, in the code %s' % (said, statuses))

# ---- what is typed on a switch ----

pfc, mapping = section('PFC OF A SWITCH').split('\nAnd for ')
for text in ('priority-flow-control mode on', 'priority-flow-control priority 3'):
    check(text, '_%s_' % text in pfc)
dialects = sorted(name[:-5] for name in os.listdir(sources + '/config/dialects'))
check('a port of each dialect', dialects == sorted(PORTS), dialects)


def lines_of(text):
    """The dialects of a section with their lines; None where there are none."""
    found = {}
    for name, body in re.findall(r'^_([\w-]+)_\n\t(.*?)(?=\n\n|\n*\Z)', text, re.M | re.S):
        body = [re.sub(r'\\(.)', r'\1', line) for line in body.split('++\n')]
        found[name] = None if body[0].startswith('Nothing') else body
    return found


def rendered(dialect, qos):
    status, out, err = told('qos: %s\nnodes: {gpu-1: {}}\nswitches:\n  leaf-1:\n    dialect: %s\n    username: x\n'
                            '    ports: {"%s": gpu-1/ens1f0np0}\n' % (qos, dialect, PORTS[dialect]),
                            'switch', 'render', 'leaf-1', '--node', 'gpu-1', '--json')
    check('%s: %s: rendered' % (dialect, qos), status == 0, err)
    return [line for line in json.loads(out)['lines'] if line and not WAYS.match(line)]


def alike(said, sent):
    return len(said) == len(sent) and all(
        re.fullmatch('.*'.join(re.escape(part) for part in a.split('...')), b) for a, b in zip(said, sent))


for qos, text in (('{pfc: [3]}', pfc), ('{dscp_to_priority: {26: 3}}', mapping)):
    said = lines_of(text)
    check('%s: all dialects' % qos, sorted(said) == dialects, sorted(said))
    for dialect in dialects:
        sent = rendered(dialect, qos)
        check('%s: %s' % (dialect, qos), alike(said.get(dialect) or [], sent), '%s, sent is %s' % (said.get(dialect), sent))
sys.exit(fails > 0)
