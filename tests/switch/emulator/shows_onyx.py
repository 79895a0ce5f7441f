# SPDX-License-Identifier: LGPL-2.1-or-later
# Owns what an NVIDIA Onyx says when it is asked: the JSON of `| json-print` in the shapes of the
# vendor's Ansible fixtures, and texts. Also the conditions that a word of data cannot say.
from grammar import Refusal, VALUE
from store import node_lines

ECN = {'min': '150', 'max': '1500'}     # what `roce` sets on traffic class 3


def check_limits(cli, state, node, args):
    if int(args['min']) > int(args['max']):
        raise Refusal(VALUE, 0, '%% Invalid threshold: minimum %s is above maximum %s'
                      % (args['min'], args['max']))


def check_pool(cli, state, node, args):
    if 'pool %s type' % args['pool'] not in state['running']['lines']:
        raise Refusal(VALUE, 0, '% Traffic pool does not exist')


def roce_kind(view):
    """What the macro `roce` stands for; None without it."""
    leaf = view.running['lines'].get('roce')
    return leaf.get('kind', 'lossless') if leaf else None


def lossless(view):
    found = [n for n in range(8) if 'pfc %d' % n in view.running['lines']]
    return sorted(set(found + ([3] if roce_kind(view) == 'lossless' else [])))


def pfc_admin(view, port):
    return bool(view.leaf(port, 'pfc')) or roce_kind(view) == 'lossless'


def pfc_global(view):
    return 'pfc' in view.running['lines'] or roce_kind(view) == 'lossless'


def words(numbers):
    return ' '.join(str(n) for n in numbers)


def as_text(value, indent=''):
    """Text form of a reply whose text no source of ours has."""
    if isinstance(value, list):
        return [line for item in value for line in as_text(item, indent)]
    if not isinstance(value, dict):
        return [indent + str(value)]
    rows = []
    for key, item in value.items():
        if isinstance(item, (dict, list)):
            rows += [indent + key + ':'] + as_text(item, indent + '  ')
        else:
            rows.append('%s%s: %s' % (indent, key, item))
    return rows


def pfc(view):
    on = lossless(view)
    ports = {}
    for port in view.ports:
        admin = pfc_admin(view, port)
        ports[port] = [{'PFC admin': 'on' if admin else 'off',
                        'PFC oper': 'Enabled' if admin and pfc_global(view) and on else 'Disabled'}]
    return [{'PFC': 'enabled' if pfc_global(view) else 'disabled'},
            {'Priority Enabled List': words(on),
             'Priority Disabled List': words(n for n in range(8) if n not in on)}, ports]


def congestion(view):
    port = view.args['port']
    out = [{'Interface ethernet': view.args['port_number'], 'ECN marked packets': '0'}]
    for tc in range(8):
        leaf = view.leaf(port, 'tc %d ecn' % tc)
        if not leaf and roce_kind(view) and tc == 3:
            leaf = {'line': 'absolute', **ECN}
        if not leaf:
            out.append({'header': 'TC-%d' % tc, 'Mode': 'none'})
            continue
        relative = 'relative' in leaf['line']
        unit = ' %' if relative else ' KB'
        out.append({'header': 'TC-%d' % tc, 'Mode': 'ECN',
                    'Threshold mode': 'relative' if relative else 'absolute',
                    'Minimum threshold': leaf['min'] + unit,
                    'Maximum threshold': leaf['max'] + unit})
    return out


def trust(view, port):
    leaf = view.leaf(port, 'trust')
    return leaf['trust'] if leaf else 'L3' if roce_kind(view) else 'L2'


def qos(view):
    port = view.args['port']
    to = {}
    for dscp in range(64):
        leaf = view.leaf(port, 'map %d' % dscp)
        to.setdefault(int(leaf['prio']) if leaf else dscp >> 3, []).append(dscp)
    rows = [{'%d(0) %d(1)' % (n, n): [{'switch-priority': str(n), 'DSCP': words(to.get(n, []))}]}
            for n in range(8)]
    return [{port: [{'Trust mode': trust(view, port), 'Default switch-priority': '0',
                     'Default PCP': '0', 'Default DEI': '0'},
                    {'PCP(DEI); DSCP to switch-priority mapping': rows}]}]


def ets(view):
    port = view.args['port']
    rows = []
    for tc in range(8):
        leaf = view.leaf(port, 'tc %d ets' % tc)
        strict = leaf['line'].endswith('strict') if leaf else bool(roce_kind(view)) and tc == 6
        weight = leaf.get('weight', '12') if leaf else '12'
        rows.append({str(tc): [{'S.Mode': 'Strict' if strict else 'WRR',
                                'W': '0' if strict else weight}]})
    return [{'Interface Ethernet': view.args['port_number']}, {'ETS per TC': rows}]


def pool(view):
    name = view.args['pool']
    lines = view.running['lines']
    kind = lines.get('pool %s type' % name)
    if not kind:
        return {}
    memory, prio = lines.get('pool %s memory' % name), lines.get('pool %s map' % name)
    return {name: [{'Type': kind['type'], 'Switch Priorities': prio['prio'] if prio else '',
                    'Memory [%]': '%.2f' % float(memory['percent']) if memory else '0.00'}]}


def counters(view):
    rows = []
    for port in view.ports:
        rows += [port + ':', '  PFC %s:' % view.args['prio']]
        for way in ('rx', 'tx'):
            rows += ['  ' + way.capitalize(), '   %d pause packets' %
                     view.counter(port, '%s_pause_%s' % (way, view.args['prio']))]
    return rows


def roce(view):
    kind = roce_kind(view)
    if not kind:
        return ['RoCE mode : disabled']
    return ['RoCE mode : ' + kind, 'trust : L3', 'Application TLV : UDP 4791 priority 3',
            'ECN : absolute 150/1500 KB',
            'PFC : ' + ('enabled switch-priority 3' if kind == 'lossless' else 'disabled'),
            'TC 3 : WRR 50 %', 'TC 6 : strict']


def lldp(view):
    return [{'port': port, 'rx': 'Enabled', 'tlvs': 'PD, SN, SD, SC, MA' + (
        ', PFC, AP, ETS-C, ETS-R' if view.leaf(port, 'lldp dcbx') else '')} for port in view.ports]


def running(view):
    """One line each, as this switch writes them: `interface ethernet 1/1 qos trust L3`."""
    if 'port' in view.args:
        heading = 'interface ethernet ' + view.args['port_number']
        return port_lines(heading, view.port_node(view.args['port']))
    rows = ['##', '## Running database "initial"', '##']
    rows += node_lines({'lines': view.running['lines'], 'modes': {}}, '   ')
    for heading, node in view.running['modes'].items():
        rows += port_lines('   ' + heading, node)
    return rows


def port_lines(heading, node):
    rows = []
    for leaf in node['lines'].values():
        no = 'no ' if leaf['line'].startswith('no ') else ''
        rows.append('%s%s %s' % (no, heading, leaf['line'][len(no):]))
    return rows


def interface(view):
    port = view.args['port']
    leaf = view.leaf(port, 'mtu')
    off = view.leaf(port, 'shutdown')
    return [{port: [{'Admin state': 'Disabled' if off else 'Enabled',
                     'Operational state': 'Down' if off else 'Up',
                     'MTU': '%s bytes' % (leaf['mtu'] if leaf else '1500')}]}]


def watchdog(view):
    port = view.args['port']
    return [{port: [{'PFC watchdog': 'enabled' if view.leaf(port, 'pfc-wd') else 'disabled'}]}]


def descriptions(view):
    rows = []
    for i, port in enumerate(view.ports):
        leaf = view.leaf(port, 'description')
        text = leaf['text'] if leaf else ''
        if view.cli.faults.find('prompt-in-description') is not None:
            text = ('uplink %s [standalone: master] # spare' % view.cli.host,
                    'to sw-lab-5 > ')[i % 2]
        rows.append({'port': port, 'up': 'up', 'text': text})
    return rows


def version(view):
    return {'Product name': 'Onyx', 'Product release': '3.10.4100', 'Product model': 'x86onie'}


def texts():
    """NAME_text for each reply that is JSON."""
    for name in ('pfc', 'congestion', 'qos', 'ets', 'pool', 'interface', 'watchdog', 'version'):
        reply = globals()[name]
        globals()[name + '_text'] = lambda view, reply=reply: as_text(reply(view))


texts()
