# SPDX-License-Identifier: LGPL-2.1-or-later
# Owns what a Ruijie says when it is asked, as rows; their formats stand in ruijie.yaml. Nothing of
# it but the running configuration's indentation is known from anywhere.
from grammar import Refusal, VALUE
from store import node_lines


def check_limits(cli, state, node, args):
    if int(args['min']) > int(args['max']):
        raise Refusal(VALUE, 0, '% The minimum is above the maximum')


def configuration(tree):
    lines = ['', 'Building configuration...', 'Current configuration: 1 bytes', '']
    return lines + [line.replace('   ', ' ', 1) if line.startswith('   ') else line
                    for line in node_lines(tree)] + ['end']


def running(view):
    if 'port' not in view.args:
        return configuration(view.running)
    port = view.args['port']
    return configuration({'lines': {}, 'modes': {'interface ' + port: view.port_node(port)}})


def startup(view):
    return configuration(view.state['startup'])


def pfc(view):
    rows = []
    for port in view.ports:
        on = view.leaf(port, 'pfc') is not None
        lossless = [str(n) for n in range(8) if view.leaf(port, 'pfc %d' % n)]
        rows.append({'port': port, 'mode': 'on' if on else 'off', 'priorities': ','.join(lossless),
                     'oper': 'on' if on and lossless else 'off'})
    return rows


def descriptions(view):
    rows = []
    for i, port in enumerate(view.ports):
        leaf = view.leaf(port, 'description')
        text = leaf['text'] if leaf else ''
        if view.cli.faults.find('prompt-in-description') is not None:
            text = ('uplink %s# spare' % view.cli.host, 'to sw-lab-5>')[i % 2]
        rows.append({'port': port, 'up': 'up', 'text': text})
    return rows


def version(view):
    return ['System description      : Ruijie Full 10G Routing Switch(S6520)',
            'System software version : S6520_RGOS 12.5']
