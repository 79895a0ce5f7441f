# SPDX-License-Identifier: LGPL-2.1-or-later
# Owns what a Huawei CloudEngine says when it is asked, as rows; their formats stand in huawei.yaml.
# Also the conditions of its commands that a word of data cannot say.
from grammar import Refusal, VALUE
from store import find_node, node_lines
from transaction import difference, prune

FAMILY_3 = ('CE6866', 'CE6860', 'CE8850-SAN', 'CE8851-32CQ8DQ')
PHBS = ('be', 'af1', 'af2', 'af3', 'af4', 'ef', 'cs6', 'cs7')
UNITS = {'bytes': 1, 'kbytes': 1024, 'mbytes': 1 << 20}


# ---- conditions ----

def check_priorities(cli, state, node, args):
    """At most three priorities of 0 to 5 on one family, four of 0 to 7 on the others."""
    few = cli.family in FAMILY_3
    have = {leaf['priority'] for key, leaf in node['lines'].items() if len(key.split()) == 2}
    if few and int(args['priority']) > 5:
        raise Refusal(VALUE, 1)
    if len(have | {args['priority']}) > (3 if few else 4):
        raise Refusal(VALUE, 0, 'Error: The number of PFC priorities exceeds the limit.')


def check_priority(cli, state, node, args):
    if 'priority ' + args['priority'] not in node['lines']:
        raise Refusal(VALUE, 0, 'Error: PFC is not enabled for the priority.')


def check_limits(cli, state, node, args):
    low, high = (int(args[name]) * UNITS[args.get(name + 'unit', 'bytes')]
                 for name in ('low', 'high'))
    if low > high:
        raise Refusal(VALUE, 0, 'Error: The low limit must not exceed the high limit.')


def check_pfc(cli, state, node, args):
    """`auto` negotiates: LLDP has to carry DCBX."""
    if args['mode'] == 'auto' and not ('lldp' in cli.tree(state)['lines'] and
                                       'lldp dcbx' in node['lines']):
        raise Refusal(VALUE, 0, 'Error: LLDP or its DCBX TLV is not enabled.')
    if state['counters'].get(args['port'], {}).get('congested'):
        raise Refusal(VALUE, 0, 'Error: The operation failed because the port is congested.')


def check_headroom(cli, state, node, args):
    if any('dcb pfc' in below['lines'] for below in cli.tree(state)['modes'].values()):
        raise Refusal(VALUE, 0, 'Error: PFC is enabled on an interface.')


# ---- read-back ----

def priorities(view):
    lines = view.node('dcb pfc')['lines']
    return sorted(leaf['priority'] for key, leaf in lines.items() if len(key.split()) == 2)


def pfc_on(view, port):
    leaf = view.leaf(port, 'dcb pfc')
    return leaf['mode'] if leaf and 'pfc global' not in view.running['lines'] else None


def dcb(view):
    rows = []
    for port in view.ports:
        mode = pfc_on(view, port)
        status = {'manual': 'ENABLE(M)', 'auto': 'ENABLE(A)', None: '-'}[mode]
        rows.append({'port': port, 'pfc': 'default' if mode else '-', 'status': status,
                     'ets': view.counter(port, 'ets', '-'), 'app': '-',
                     'ets_status': 'ENABLE' if view.counter(port, 'ets', None) else '-'})
    return rows


def pfc_profile(view):
    return [{'name': 'default', 'priority': ' '.join(priorities(view)) or '-'}]


def pfc(view):
    port = view.args['port']
    rows = []
    for queue in view.counter(port, 'queues', None) or (
            priorities(view) if pfc_on(view, port) else []):
        row = {'port': port if not rows else '', 'queue': queue, '_rows': ['row', 'below']}
        for name in ('rx', 'rx_rate', 'deadlocks', 'tx', 'tx_rate', 'recoveries'):
            row[name] = view.counter(port, '%s_%s' % (name, queue), 0)
        rows.append(row)
    return rows


def enabled_queues(view):
    for port in view.ports:
        if pfc_on(view, port):
            for i, queue in enumerate(priorities(view)):
                yield port, '' if i else port, queue


def deadlock(view):
    lines = view.node('dcb pfc')['lines']
    rows = []
    for port, name, queue in enabled_queues(view):
        threshold = lines.get('priority %s off' % queue, {}).get('count', '30')
        status = view.counter(port, 'turned_off_' + queue, 'Normal')
        rows.append({'port': name, 'queue': queue, 'action': 'TurnOff', 'threshold': threshold,
                     'status': status})
    return rows


def pfc_buffer(view):
    return [{'port': name, 'queue': queue} for _, name, queue in enabled_queues(view)]


def limits(view, profile):
    lines = view.node('drop-profile ' + profile)['lines']
    leaf = lines.get('ecn') or lines.get('color green')
    if not leaf:
        return 0, 0, 0
    low, high = (int(leaf[name]) * UNITS[leaf.get(name + 'unit', 'bytes')]
                 for name in ('low', 'high'))
    return low, high, int(leaf['percent'])


def ecn(view):
    rows = []
    port = view.args['port']
    for queue in range(8):
        wred = view.leaf(port, 'queue %d wred' % queue)
        on = view.leaf(port, 'queue %d ecn' % queue) and wred
        if view.cli.family in FAMILY_3 and 'qos ecn' not in view.running['lines']:
            on = None
        low, high, percent = limits(view, wred['wred']) if on else (0, 0, 0)
        low, high, percent = view.counter(port, 'ecn_%d' % queue, (low, high, percent))
        rows.append({'port': '' if queue else port, 'queue': queue, 'min': low, 'max': high,
                     'percent': percent, 'size': 0})
    return rows


def drop_profile(view):
    rows = []
    wanted = 'drop-profile ' + view.args.get('profile', '')
    for heading, node in view.running['modes'].items():
        if not heading.startswith(wanted) or ('profile' in view.args and heading != wanted):
            continue
        rows.append('Drop-profile ' + heading.split()[1])
        for key, leaf in node['lines'].items():
            color = leaf.get('color', 'ECN').capitalize() if key != 'ecn' else 'ECN'
            rows.append({'color': color, 'type': 'Buffer-size', 'low': leaf['low'],
                         'high': leaf['high'], 'percent': leaf['percent'],
                         'unit': leaf.get('lowunit', 'bytes').capitalize()})
    return rows or ['Error: The drop profile does not exist.']


def default_color(dscp):
    """Of the default domain: the drop precedences of AF, 28 is yellow and 30 red."""
    if 8 <= dscp < 40 and dscp % 8 in (4, 6):
        return 'yellow' if dscp % 8 == 4 else 'red'
    return 'green'


def domain(view):
    name = view.args['domain']
    node = find_node(view.running, ['diffserv domain ' + name])
    if node is None and name != 'default':
        return ['Error: The domain does not exist.']
    rows = ['diffserv domain name:' + name]
    for dscp in range(64):
        leaf = node['lines'].get('ip-dscp-inbound %d' % dscp) if node else None
        rows.append({'dscp': dscp, 'phb': leaf['phb'] if leaf else PHBS[dscp >> 3],
                     'color': leaf.get('color', 'green') if leaf else default_color(dscp)})
    return rows


def drr_queues(view, port):
    leaf = view.leaf(port, 'schedule')
    if not leaf:
        return range(0)
    return range(int(leaf['drr']), int(leaf.get('drrto', leaf['drr'])) + 1)


def qos(view):
    port = view.args['port']
    layer3 = view.state['ports'][port].get('layer3')
    upstream = view.leaf(port, 'upstream')
    trusts = 'dscp' if view.leaf(port, 'trust') or layer3 else 'outer 8021p'
    rows = ['Interface : ' + port, 'trust flag : ' + trusts,
            'diffserv domain : ' + (upstream['upstream'] if upstream else 'default'),
            'queue   shaping     schedule    wred']
    for queue in range(8):
        wred = view.leaf(port, 'queue %d wred' % queue)
        rows.append({'queue': queue, 'shaping': 'NA', 'wred': wred['wred'] if wred else 'NA',
                     'schedule': 'drr' if queue in drr_queues(view, port) else 'pq'})
    return rows


def dcb_status(view):
    port = view.args['port']
    return [{'local': ','.join(priorities(view)) if pfc_on(view, port) else '-',
             'remote': view.counter(port, 'remote', '-')}]


# ---- configuration ----

def current(view):
    if 'port' not in view.args:
        return node_lines(view.running) + ['return']
    port = view.args['port']
    return ['#', 'interface ' + port] + \
        [' ' + line.strip() for line in node_lines(view.port_node(port))] + ['#', 'return']


def saved(view):
    return node_lines(view.state['startup']) + ['return']


def candidate(view):
    return node_lines(prune(view.cli.tree(view.state)))


def changes(view):
    rows = difference(view.running, view.cli.tree(view.state), ('running', 'candidate'))
    return [row for row in rows if not row.startswith(('---', '+++', '@@'))]


def trial(view):
    if not view.state['trial']:
        return ['Trial status: INACTIVE']
    left = view.cli.store.trial_left(view.state)
    return ['Trial status: ACTIVE', 'Trial time left (sec): %d' % left]


def commits(view):
    return [{'n': n + 1, 'id': entry['id']}
            for n, entry in enumerate(reversed(view.state['commits']))]


def interface(view):
    port = view.args['port']
    state = 'DOWN' if view.leaf(port, 'shutdown') else 'UP'
    jumbo, mtu = view.leaf(port, 'jumboframe'), view.leaf(port, 'mtu')
    frame = jumbo['size'] if jumbo else '9216'
    return ['%s current state : %s' % (port, state),
            'Line protocol current state : ' + state,
            'Description: ' + description(view, port),
            'Switch Port, Route Port, The Maximum Transmit Unit is %s' %
            (mtu['mtu'] if mtu else '1500'),
            'The Maximum Frame Length is ' + frame]


def description(view, port):
    if view.cli.faults.find('prompt-in-description') is not None:
        at = list(view.state['ports']).index(port)
        return ('uplink %s# spare' % view.cli.host, 'to sw-lab-5>', '[*%s]' % view.cli.host)[at % 3]
    leaf = view.leaf(port, 'description')
    return leaf['text'] if leaf else ''


def descriptions(view):
    return [{'port': port, 'phy': 'down' if view.leaf(port, 'shutdown') else 'up',
             'text': description(view, port)} for port in view.ports]


def version(view):
    return ['Huawei Versatile Routing Platform Software',
            'VRP (R) software, Version 8.230 (%s V300R023C00)' % view.cli.family,
            'HUAWEI %s uptime is 3 days, 2 hours, 1 minute' % view.cli.family]


def lldp(view):
    return [{'port': port, 'time': 101, 'peer_port': peer['port'], 'peer': peer['host']}
            for port, peer in view.state.get('neighbors', {}).items()]


def tlvs(view):
    port = view.args['port']
    on = 'Yes' if view.leaf(port, 'lldp dcbx') else 'No'
    return ['LLDP tlv-config of port [%s]' % port,
            {'name': 'TLV', 'on': 'Status', 'default': 'Default'},
            {'name': 'Port Description TLV', 'on': 'Yes', 'default': 'Yes'},
            {'name': 'System Name TLV', 'on': 'Yes', 'default': 'Yes'},
            {'name': 'DCBX TLV', 'on': on, 'default': 'No'}]
