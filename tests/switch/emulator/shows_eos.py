# SPDX-License-Identifier: LGPL-2.1-or-later
# Owns what an Arista says when it is asked, as rows (formats in eos.yaml) or as JSON whose shapes
# follow the parsers that read it. Also the conditions that a word of data cannot say.
from grammar import Refusal, VALUE
from store import new_node, node_lines
from transaction import difference, prune


def check_limits(cli, state, node, args):
    if args['unit'] != args['unit2'] or int(args['min']) > int(args['max']):
        raise Refusal(VALUE, 0)


def default_tc(dscp):
    """0-7 go to TC 1, 8-15 to TC 0, the others to their eighth."""
    return {0: 1, 1: 0}.get(dscp >> 3, dscp >> 3)


def profile_node(view, port):
    leaf = view.leaf(port, 'service')
    return view.node('qos profile ' + leaf['service']) if leaf else new_node()


def leaf_of(view, port, key):
    """A setting of the port, or of the profile that it has."""
    return view.leaf(port, key) or profile_node(view, port)['lines'].get(key)


def queue_leaf(view, port, queue, key):
    found = None
    for node in (profile_node(view, port), view.port_node(port)):
        for heading in ('uc-tx-queue %d' % queue, 'tx-queue %d' % queue):
            below = node['modes'].get(heading, new_node())
            found = below['lines'].get(key, found)
    return found


def pfc(view):
    rows = []
    off = 'pfc off' in view.running['lines']
    for port in view.ports:
        on = leaf_of(view, port, 'pfc') is not None
        lossless = [str(n) for n in range(8) if leaf_of(view, port, 'pfc %d' % n)]
        active = on and lossless and not off
        rows.append({'port': port, 'enabled': 'Yes' if on else 'No',
                     'priorities': ','.join(lossless), 'active': 'Yes' if active else 'No',
                     'note': 'DCBX ' + ('enabled' if view.leaf(port, 'dcbx') else 'disabled')})
    return rows


def short(view, port):
    return 'Et' + view.types.port_number(port)


def counters(view):
    return [{'port': short(view, port), 'rx': view.counter(port, 'rx'),
             'tx': view.counter(port, 'tx')} for port in view.ports]


def counters_json(view):
    return {'interfaceCounters': {port: {'rxFrames': view.counter(port, 'rx'),
                                         'txFrames': view.counter(port, 'tx')}
                                  for port in view.ports}}


def stuck_json(view):
    """Empty until something was stuck."""
    found = {port: {'txQueues': view.counter(port, 'stuck')}
             for port in view.ports if view.counter(port, 'stuck', None)}
    return {'interfaces': found} if found else {}


def stuck(view):
    return [{'port': port, 'queue': queue, 'stuck': row['stuckCount'],
             'recovered': row['recoveryCount']}
            for port, entry in stuck_json(view).get('interfaces', {}).items()
            for queue, row in entry['txQueues'].items()]


def marked(view):
    port = view.args['port']
    return {str(queue): view.counter(port, 'marked_%d' % queue) for queue in range(8)
            if queue_leaf(view, port, queue, 'ecn count')}


def ecn_counters(view):
    return [{'queue': queue, 'marked': count} for queue, count in marked(view).items()]


def ecn_counters_json(view):
    return {'intfQueueCounters': {view.args['port']: {'queueCounters': marked(view)}}}


def flow_state(view, port, way):
    leaf = view.leaf(port, 'flowcontrol ' + way)
    return leaf['on'] if leaf else 'off'


def flow(view):
    return [{'port': short(view, port), 'send': flow_state(view, port, 'send'),
             'receive': flow_state(view, port, 'receive')} for port in view.ports]


def flow_json(view):
    out = {}
    for port in view.ports:
        send, receive = flow_state(view, port, 'send'), flow_state(view, port, 'receive')
        out[port] = {'txAdminState': send, 'txOperState': send, 'rxAdminState': receive,
                     'rxOperState': receive, 'txPause': 0, 'rxPause': 0}
    return {'interfaceFlowControls': out}


def ecn(view):
    rows = []
    for queue in range(8):
        leaf = queue_leaf(view, view.args['port'], queue, 'ecn')
        if leaf:
            rows.append({'queue': queue, 'unit': leaf['unit'], 'min': leaf['min'],
                         'max': leaf['max']})
    return rows


def trust(view):
    rows = []
    for port in view.ports:
        leaf = leaf_of(view, port, 'trust')
        rows.append({'port': port, 'trust': leaf.get('trust', 'untrusted').upper()
                     if leaf else 'DSCP' if view.state['ports'][port].get('layer3') else 'COS'})
    return rows


def queues(view):
    """What counts, whether the port or its profile says it. A queue is strict unless it is said."""
    port = view.args['port']
    rows = [port + ':', '   Trust Mode: ' + trust(view)[0]['trust'], '   Default COS: 0',
            '   Default DSCP: 0', '   Port shaping rate: disabled',
            '  Tx    Bandwidth     Bandwidth                   Shape Rate'
            '         Priority   ECN/WRED',
            ' Queue  (percent)     Guaranteed (units)           (units)', ' ' + 88 * '-']
    for queue in reversed(range(8)):
        leaf, share = (queue_leaf(view, port, queue, key) for key in ('priority', 'bandwidth'))
        rows.append('   %d        %-12s  - ( - )              -            ( - )      %s         %s'
                    % (queue, share['percent'] if share else '-',
                       'RR' if leaf and leaf['line'] == 'no priority' else 'SP',
                       'L' if queue_leaf(view, port, queue, 'ecn') else 'D'))
    return rows + ['', 'Legend:', 'RR -> Round Robin', 'SP -> Strict Priority']


def maps(view):
    lines = view.running['lines']
    tcs = [int(lines['map dscp %d' % n]['class']) if 'map dscp %d' % n in lines else default_tc(n)
           for n in range(64)]
    rows = ['   Dscp-tc map:', '     d1 :  d2 0  1  2  3  4  5  6  7  8  9',
            '     --------------------------------------']
    for tens in range(7):
        rows.append('%7d :  %s' % (tens, ''.join('%3d' % tc for tc in
                                                   tcs[tens * 10:tens * 10 + 10])))
    queues = [lines.get('map tc %d' % n, {}).get('queue', str(n)) for n in range(8)]
    return rows + ['', '   Tc - tx-queue map:', '     tc:      ' + ''.join('%3d' % n for n in
                                                                          range(8)),
                   '     tx-queue:' + ''.join('%3s' % queue for queue in queues)]


def profile(view):
    name = view.args['profile']
    return ['qos profile ' + name] + node_lines(view.node('qos profile ' + name), '   ')


def dcbx(view):
    on = view.leaf(view.args['port'], 'dcbx')
    return [view.args['port'] + ':',
            '   %s DCBX is enabled and active' % on['mode'].upper() if on else
            '   DCBX is disabled']


# ---- configuration ----

def configuration(tree):
    """DSCPs of one class stand in one line; those that are so anyway are not printed."""
    classes, others = {}, {}
    for key, leaf in tree['lines'].items():
        if not key.startswith('map dscp '):
            others[key] = leaf
        elif int(leaf['class']) != default_tc(int(leaf['dscp'])):
            classes.setdefault(leaf['class'], []).append(int(leaf['dscp']))
    maps = ['qos map dscp %s to traffic-class %s' % (' '.join(str(n) for n in sorted(dscps)), to)
            for to, dscps in sorted(classes.items())]
    return maps + node_lines({'lines': others, 'modes': tree['modes']})


def running(view):
    if 'port' in view.args:
        port = view.args['port']
        return ['interface ' + port] + node_lines(view.port_node(port), '   ')
    return ['! Command: show running-config'] + configuration(view.running) + ['end']


def startup(view):
    return ['! Command: show startup-config'] + configuration(view.state['startup']) + ['end']


def diffs(view):
    name = view.cli.named
    return difference(view.running, view.cli.tree(view.state),
                      ('system:/running-config', 'session:/%s-session-config' % name))


def session_config(view):
    return node_lines(prune(view.cli.tree(view.state)))


def sessions(view):
    rows = [{'name': name, 'state': 'pending'} for name in view.state['candidates']]
    trial = view.state['trial']
    return rows + ([{'name': trial['name'], 'state': 'pendingCommitTimer'}] if trial else [])


def mtu(view):
    leaf = view.leaf(view.args['port'], 'mtu')
    return int(leaf['mtu']) if leaf else 1500


def interface(view):
    return [view.args['port'] + ' is up, line protocol is up (connected)',
            '  Ethernet MTU %d bytes' % mtu(view)]


def interface_json(view):
    return {'interfaces': {view.args['port']: {'name': view.args['port'], 'mtu': mtu(view),
                                               'interfaceStatus': 'connected'}}}


def descriptions(view):
    rows = []
    for i, port in enumerate(view.ports):
        leaf = view.leaf(port, 'description')
        text = leaf['text'] if leaf else ''
        if view.cli.faults.find('prompt-in-description') is not None:
            text = ('uplink %s# spare' % view.cli.host, 'to sw-lab-5>')[i % 2]
        rows.append({'port': short(view, port), 'up': 'up', 'text': text})
    return rows


def version_json(view):
    return {'modelName': 'DCS-7060CX-32S', 'version': '4.31.2F', 'mfgName': 'Arista'}


def version(view):
    return ['Arista DCS-7060CX-32S', 'Software image version: 4.31.2F']
