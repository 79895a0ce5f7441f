# SPDX-License-Identifier: LGPL-2.1-or-later
# Owns the commands of SONiC: `config`, `show`, sonic-db-cli and sonic-cfggen over a CONFIG_DB.
# Redis takes anything; what orchagent would not understand is noted in the log as `ignored`.
import copy
import fnmatch
import json
import re
import sys

from shell import Failed, Shell

USAGE = "Usage: config [OPTIONS] COMMAND [ARGS]...\nTry \"config -h\" for help.\n\nError: %s"
ROOT = 'Root privileges are required for this operation'
PORT_MAPS = ('dscp_to_tc_map', 'tc_to_queue_map', 'tc_to_pg_map', 'pfc_to_queue_map')
QOS_TABLES = ('DSCP_TO_TC_MAP', 'TC_TO_QUEUE_MAP', 'TC_TO_PRIORITY_GROUP_MAP', 'QUEUE',
              'MAP_PFC_PRIORITY_TO_QUEUE', 'PORT_QOS_MAP', 'WRED_PROFILE', 'SCHEDULER',
              'BUFFER_PG', 'BUFFER_QUEUE', 'BUFFER_PROFILE', 'BUFFER_POOL')
AZURE_TC = {3: 3, 4: 4, 5: 2, 8: 0, 46: 5, 48: 6}


def azure(ports):
    """What `config qos reload` writes."""
    same = {str(n): str(n) for n in range(8)}
    groups = {str(n): str(n) if n in (3, 4, 7) else '0' for n in range(8)}
    tables = {
        'DSCP_TO_TC_MAP': {'AZURE': {str(n): str(AZURE_TC.get(n, 1)) for n in range(64)}},
        'TC_TO_QUEUE_MAP': {'AZURE': dict(same)},
        'TC_TO_PRIORITY_GROUP_MAP': {'AZURE': groups},
        'MAP_PFC_PRIORITY_TO_QUEUE': {'AZURE': dict(same)},
        'WRED_PROFILE': {'AZURE_LOSSLESS': {
            'ecn': 'ecn_all', 'wred_green_enable': 'true', 'green_min_threshold': '1048576',
            'green_max_threshold': '2097152', 'green_drop_probability': '5'}},
        'SCHEDULER': {'scheduler.0': {'type': 'DWRR', 'weight': '14'},
                      'scheduler.1': {'type': 'DWRR', 'weight': '15'}},
        'BUFFER_POOL': {'ingress_lossless_pool': {'type': 'ingress', 'mode': 'dynamic'}},
        'BUFFER_PROFILE': {
            'ingress_lossy_profile': {'pool': 'ingress_lossless_pool', 'size': '0',
                                      'dynamic_th': '3'},
            'pg_lossless_100000_5m_profile': {
                'pool': 'ingress_lossless_pool', 'size': '19456', 'xon': '19456',
                'xoff': '35840', 'dynamic_th': '0'}},
        'PORT_QOS_MAP': {}, 'QUEUE': {}, 'BUFFER_PG': {}}
    for port in ports:
        tables['PORT_QOS_MAP'][port] = {'pfc_enable': '3,4',
                                        **{name: 'AZURE' for name in PORT_MAPS}}
        tables['BUFFER_PG'][port + '|0'] = {'profile': 'ingress_lossy_profile'}
        tables['BUFFER_PG'][port + '|3-4'] = {'profile': 'pg_lossless_100000_5m_profile'}
        for queue in range(7):
            lossless = queue in (3, 4)
            row = {'scheduler': 'scheduler.%d' % lossless}
            if lossless:
                row['wred_profile'] = 'AZURE_LOSSLESS'
            tables['QUEUE']['%s|%d' % (port, queue)] = row
    return tables


def fresh(state):
    """The CONFIG_DB of a switch that was just installed."""
    ports = {name: {'admin_status': 'up', 'alias': 'etp%d' % (i + 1), 'index': str(i + 1),
                    'lanes': str(i * 4), 'mtu': '9100', 'speed': '100000'}
             for i, name in enumerate(state['ports'])}
    return {'DEVICE_METADATA': {'localhost': {'hostname': state['host'], 'type': 'ToRRouter'}},
            'PORT': ports, **azure(state['ports'])}


def aligned(rows, right=()):
    """As `tabulate` writes its "simple" tables: a column is two wider than its heading."""
    widths = [max([len(rows[0][i]) + 2] + [len(str(row[i])) for row in rows[1:]])
              for i in range(len(rows[0]))]

    def text(row):
        return '  '.join(str(cell).rjust(width) if i in right else str(cell).ljust(width)
                         for i, (cell, width) in enumerate(zip(row, widths))).rstrip()

    return [text(rows[0]), '  '.join('-' * width for width in widths)] + \
        [text(row) for row in rows[1:]]


class Session(Shell):
    def __init__(self, data, store, term, faults):
        super().__init__(data, store, term, faults)
        with store.open() as state:
            if not state['running']:
                state['running'] = fresh(state)
                state['startup'] = copy.deepcopy(state['running'])
        self.ports = list(state['ports'])

    def is_config(self, words):
        if words[0] == 'sonic-db-cli':
            return words[2:3] in (['HSET'], ['HDEL'], ['DEL'], ['HMSET'])
        if words[0] == 'sonic-cfggen':
            return '-w' in words or '--write-to-db' in words
        return words[0] == 'config' and words[1:2] not in (['save'], ['checkpoint'])

    def incomplete(self, state, port):
        """Why the port's PFC would not work: a map without all of its rows, no buffer."""
        db = state['running']
        row = db.get('PORT_QOS_MAP', {}).get(port, {})
        name = row.get('dscp_to_tc_map')
        rows = len(db.get('DSCP_TO_TC_MAP', {}).get(name, {}))
        if name and rows not in (0, 64):
            yield 'DSCP_TO_TC_MAP|%s has %d of 64 rows' % (name, rows)
        buffers = set()
        for key, fields in db.get('BUFFER_PG', {}).items():
            if key.startswith(port + '|') and 'lossy' not in fields.get('profile', 'lossy'):
                first, _, last = key.partition('|')[2].partition('-')
                buffers.update(range(int(first), int(last or first) + 1))
        for priority in row.get('pfc_enable', '').split(','):
            if priority.isdigit() and int(priority) not in buffers:
                yield 'no lossless BUFFER_PG for priority %s of %s' % (priority, port)

    def accept(self, state, text, table=None, key=None, fields=()):
        self.store.log(state, 'line', table or '', text)
        for field, value in fields:
            why = self.misunderstood(state, table, key, field, value)
            if why:
                self.store.log(state, 'ignored', '%s|%s' % (table, key), why)
        if table == 'PORT_QOS_MAP' and key in self.ports:
            for why in self.incomplete(state, key):
                self.store.log(state, 'ignored', '%s|%s' % (table, key), why)

    def misunderstood(self, state, table, key, field, value):
        """Why orchagent makes nothing of it; None if it does."""
        rules = self.data['tables'].get(table)
        if rules is None:
            return 'no such table'
        rule = next((rule for name, rule in rules.items() if re.fullmatch(name, field)), None)
        if rule is None:
            return 'no such field: ' + field
        rule = {'NAME': r'[A-Za-z0-9_.\[\]|-]*', 'NUMBER': r'\d+'}.get(rule, rule)
        if not re.fullmatch(rule, value):
            return 'bad value of %s: %s' % (field, value)
        port = key.split('|')[0]
        if table in ('PORT_QOS_MAP', 'QUEUE', 'BUFFER_PG') and port not in self.ports + ['global']:
            return 'no such port'
        targets = {'dscp_to_tc_map': 'DSCP_TO_TC_MAP', 'tc_to_queue_map': 'TC_TO_QUEUE_MAP',
                   'tc_to_pg_map': 'TC_TO_PRIORITY_GROUP_MAP', 'wred_profile': 'WRED_PROFILE',
                   'pfc_to_queue_map': 'MAP_PFC_PRIORITY_TO_QUEUE', 'scheduler': 'SCHEDULER'}
        if field in targets and value not in state['running'].get(targets[field], {}):
            return 'no such %s: %s' % (targets[field], value)
        return None

    # ---- sonic-db-cli ----

    def cmd_sonic_db_cli(self, words, root):
        if len(words) < 2 or words[0] != 'CONFIG_DB':
            raise Failed('Invalid database name input: ' + ' '.join(words[:1]))
        verb, args = words[1].upper(), words[2:]
        call = getattr(self, 'db_' + verb.lower(), None)
        if call is None:
            raise Failed('(error) ERR unknown command')
        with self.store.open() as state:
            self.term.say(call(state, args, ' '.join(['sonic-db-cli'] + words)))

    @staticmethod
    def split(key):
        table, _, rest = key.partition('|')
        return table, rest

    def db_hset(self, state, args, text):
        if len(args) < 3 or len(args) % 2 == 0:
            raise Failed("(error) ERR wrong number of arguments for 'hset' command")
        table, key = self.split(args[0])
        row = state['running'].setdefault(table, {}).setdefault(key, {})
        fields = list(zip(args[1::2], args[2::2]))
        new = sum(field not in row for field, _ in fields)
        row.update(fields)
        row.pop('NULL', None)
        self.accept(state, text, table, key, fields)
        return str(new)

    def db_hmset(self, state, args, text):
        self.db_hset(state, args, text)
        return 'True'

    def db_hdel(self, state, args, text):
        table, key = self.split(args[0])
        row = state['running'].get(table, {}).get(key, {})
        gone = [field for field in args[1:] if row.pop(field, None) is not None]
        if not row:
            state['running'].get(table, {}).pop(key, None)
        self.accept(state, text, table, key)
        return str(len(gone))

    def db_del(self, state, args, text):
        gone = 0
        for name in args:
            table, key = self.split(name)
            gone += state['running'].get(table, {}).pop(key, None) is not None
        self.accept(state, text)
        return str(gone)

    def row(self, state, name):
        table, key = self.split(name)
        return state['running'].get(table, {}).get(key, {})

    def db_hget(self, state, args, text):
        self.store.log(state, 'read', '', text)
        return self.row(state, args[0]).get(args[1], '')

    def db_hgetall(self, state, args, text):
        """A Python dict, not JSON."""
        self.store.log(state, 'read', '', text)
        return str(self.row(state, args[0]))

    def db_keys(self, state, args, text):
        self.store.log(state, 'read', '', text)
        keys = ['%s|%s' % (table, key) for table, rows in state['running'].items() for key in rows]
        return '\n'.join(fnmatch.filter(keys, args[0]))

    def db_exists(self, state, args, text):
        self.store.log(state, 'read', '', text)
        return str(int(bool(self.row(state, args[0]))))

    # ---- sonic-cfggen ----

    def cmd_sonic_cfggen(self, words, root):
        with self.store.open() as state:
            if words[:2] == ['-d', '--var-json'] and len(words) == 3:
                self.store.log(state, 'read', '', 'sonic-cfggen ' + ' '.join(words))
                if words[2] in state['running']:
                    self.term.say(json.dumps(state['running'][words[2]], indent=4))
                return
            if words == ['-d', '--print-data']:
                self.store.log(state, 'read', '', 'sonic-cfggen ' + ' '.join(words))
                self.term.say(json.dumps(state['running'], indent=4))
                return
            if len(words) == 3 and words[0] == '-a' and words[2] in ('-w', '--write-to-db'):
                self.merge(state, words[1], root)
                return
        raise Failed('sonic-cfggen: error: unrecognized arguments: ' + ' '.join(words), 2)

    def merge(self, state, text, root):
        if not root:
            raise Failed(ROOT)
        try:
            tables = json.loads(text)
            for table, rows in tables.items():
                for key, fields in rows.items():
                    state['running'].setdefault(table, {}).setdefault(key, {}).update(fields)
                    self.accept(state, json.dumps({table: {key: fields}}), table, key,
                                list(fields.items()))
        except (ValueError, AttributeError):
            raise Failed('sonic-cfggen: error: invalid JSON') from None

    # ---- config ----

    def cmd_config(self, words, root):
        if not root:
            raise Failed(ROOT)
        text = 'config ' + ' '.join(words)
        for n in (3, 2, 1):
            call = getattr(self, 'config_' + '_'.join(words[:n]).replace('-', '_'), None)
            if call is not None and len(words) >= n:
                return call(words[n:], text)
        raise Failed(USAGE % ('No such command "%s".' % ' '.join(words)), 2)

    def need(self, good, what):
        if not good:
            raise Failed(USAGE % what, 2)

    def config_interface_pfc_priority(self, words, text):
        """Its status is 0 whatever it says."""
        self.need(len(words) == 3 and words[2] in ('on', 'off') and
                  re.fullmatch('[0-7]', words[1]), 'Invalid value for priority or status')
        port, priority, on = words[0], words[1], words[2] == 'on'
        with self.store.open() as state:
            row = state['running'].get('PORT_QOS_MAP', {}).get(port)
            if row is None:
                self.store.log(state, 'refused', '', text)
                self.term.say('Cannot find interface ' + port)
                return
            have = [n for n in row.get('pfc_enable', '').split(',') if n]
            if (priority in have) == on:
                self.store.log(state, 'refused', '', text)
                self.term.say('Priority %s has already been enabled on %s' % (priority, port) if on
                              else 'Priority %s is not enabled on %s' % (priority, port))
                return
            have = sorted(have + [priority]) if on else [n for n in have if n != priority]
            row['pfc_enable'] = ','.join(have)
            self.accept(state, text, 'PORT_QOS_MAP', port)

    def config_interface_mtu(self, words, text):
        self.need(len(words) == 2 and words[0] in self.ports, 'Invalid port')
        self.need(re.fullmatch(r'\d+', words[1]) and 68 <= int(words[1]) <= 9216,
                  'Invalid value for "<interface_mtu>"')
        with self.store.open() as state:
            state['running']['PORT'][words[0]]['mtu'] = words[1]
            self.accept(state, text)

    def config_ecn(self, words, text):
        options = dict(zip(words[::2], words[1::2]))
        fields = {'-gmin': 'green_min_threshold', '-gmax': 'green_max_threshold',
                  '-gdrop': 'green_drop_probability', '-ymin': 'yellow_min_threshold',
                  '-ymax': 'yellow_max_threshold', '-ydrop': 'yellow_drop_probability',
                  '-rmin': 'red_min_threshold', '-rmax': 'red_max_threshold',
                  '-rdrop': 'red_drop_probability'}
        name = options.pop('-profile', None)
        self.need(name and options and len(words) % 2 == 0 and all(
            key in fields and re.fullmatch(r'\d+', value) and int(value) < 1 << 32
            for key, value in options.items()), 'no such option')
        with self.store.open() as state:
            row = state['running'].get('WRED_PROFILE', {}).get(name)
            if row is None:
                raise Failed('Error: Profile %s does not exist' % name)
            new = {**row, **{fields[key]: value for key, value in options.items()}}
            for color in ('green', 'yellow', 'red'):
                low, high = (int(new.get('%s_%s_threshold' % (color, end), 0))
                             for end in ('min', 'max'))
                if low > high or int(new.get(color + '_drop_probability', 0)) > 100:
                    raise Failed('Error: invalid thresholds of ' + color)
            row.update(new)
            self.accept(state, text)

    def config_pfcwd_start(self, words, text):
        action, restore, rest = 'drop', None, []
        words = list(words)
        while words:
            word = words.pop(0)
            if word in ('--action', '-a', '--restoration-time', '-r') and words:
                if word in ('--action', '-a'):
                    action = words.pop(0)
                else:
                    restore = words.pop(0)
            else:
                rest.append(word)
        self.need(action in ('drop', 'forward', 'alert'), 'Invalid value for "--action"')
        self.need(len(rest) >= 2 and re.fullmatch(r'\d+', rest[-1]) and
                  100 <= int(rest[-1]) <= 5000, 'Invalid value for "DETECTION_TIME"')
        self.need(restore is None or (re.fullmatch(r'\d+', restore) and
                                      100 <= int(restore) <= 60000),
                  'Invalid value for "--restoration-time"')
        ports = self.ports if rest[:-1] == ['all'] else rest[:-1]
        self.need(all(port in self.ports for port in ports), 'Invalid port')
        with self.store.open() as state:
            for port in ports:
                state['running'].setdefault('PFC_WD', {})[port] = {
                    'action': action, 'detection_time': rest[-1],
                    'restoration_time': restore or str(2 * int(rest[-1]))}
            self.accept(state, text)

    def config_pfcwd_start_default(self, words, text):
        self.need(not words, 'Got unexpected extra argument')
        with self.store.open() as state:
            # x ports / 32, at least once
            table = {port: {'action': 'drop', 'detection_time': '200', 'restoration_time': '200'}
                     for port in self.ports}
            state['running']['PFC_WD'] = {'GLOBAL': {'POLL_INTERVAL': '200'}, **table}
            self.accept(state, text)

    def config_pfcwd_stop(self, words, text):
        self.need(all(port in self.ports for port in words), 'Invalid port')
        with self.store.open() as state:
            for port in words or self.ports:
                state['running'].get('PFC_WD', {}).pop(port, None)
            self.accept(state, text)

    def config_pfcwd_interval(self, words, text):
        self.need(len(words) == 1 and re.fullmatch(r'\d+', words[0]) and
                  100 <= int(words[0]) <= 3000, 'Invalid value for "POLL_INTERVAL"')
        with self.store.open() as state:
            state['running'].setdefault('PFC_WD', {}).setdefault('GLOBAL', {})[
                'POLL_INTERVAL'] = words[0]
            self.accept(state, text)

    def config_qos_reload(self, words, text):
        self.commit_fault('Operation not completed successfully, please save and reload '
                          'configuration.')
        ports = words[words.index('--ports') + 1].split(',') if '--ports' in words else None
        with self.store.open() as state:
            tables = azure(ports or self.ports)
            for table in QOS_TABLES:
                if ports is None:
                    state['running'].pop(table, None)
                if table in tables:
                    state['running'].setdefault(table, {}).update(tables[table])
            self.accept(state, text)

    def config_qos_clear(self, words, text):
        self.need(not words, 'Got unexpected extra argument')
        with self.store.open() as state:
            for table in QOS_TABLES:
                state['running'].pop(table, None)
            self.accept(state, text)

    def config_save(self, words, text):
        if words != ['-y'] and (self.term.ask('Existing files will be overwritten, continue? '
                                              '[y/N]: ') or '').lower() not in ('y', 'yes'):
            raise Failed('Aborted!')
        self.commit_fault('Error: cannot write /etc/sonic/config_db.json')
        with self.store.open() as state:
            state['startup'] = copy.deepcopy(state['running'])
            self.store.log(state, 'save')
        self.term.say('Running command: /usr/local/bin/sonic-cfggen -d --print-data > '
                      '/etc/sonic/config_db.json')

    def config_reload(self, words, text):
        self.need(words == ['-y'], 'Aborted!')
        with self.store.open() as state:
            state['running'] = copy.deepcopy(state['startup'])
            self.accept(state, text)

    def config_checkpoint(self, words, text):
        self.need(len(words) == 1, 'Missing argument "CHECKPOINT_NAME".')
        with self.store.open() as state:
            state['checkpoints'][words[0]] = copy.deepcopy(state['running'])
            self.store.log(state, 'checkpoint', '', words[0])
        self.term.say('Checkpoint created successfully.')

    def config_rollback(self, words, text):
        self.need(len(words) == 1, 'Missing argument "CHECKPOINT_NAME".')
        with self.store.open() as state:
            if words[0] not in state['checkpoints']:
                raise Failed("Failed to rollback config. Error: checkpoint '%s' does not exist"
                             % words[0])
            state['running'] = copy.deepcopy(state['checkpoints'][words[0]])
            self.store.log(state, 'rollback', '', words[0])
        self.term.say('Config rolled back successfully.')

    def config_apply_patch(self, words, text):
        self.need(words == ['/dev/stdin'], 'only /dev/stdin is emulated')
        self.commit_fault('Failed to apply patch')
        try:
            patch = json.load(sys.stdin)
            with self.store.open() as state:
                tree = copy.deepcopy(state['running'])
                for step in patch:
                    self.patch(tree, step)
                state['running'] = tree
                for step in patch:
                    self.accept(state, json.dumps(step))
        except (ValueError, KeyError, TypeError) as error:
            raise Failed('Failed to apply patch. Error: %s' % error) from None
        self.term.say('Patch applied successfully.')

    @staticmethod
    def patch(tree, step):
        *path, last = [word.replace('~1', '/').replace('~0', '~')
                       for word in step['path'].split('/')[1:]]
        for word in path:
            tree = tree[word]
        if step['op'] == 'remove':
            del tree[last]
        elif step['op'] == 'add' or (step['op'] == 'replace' and last in tree):
            tree[last] = step['value']
        else:
            raise ValueError('cannot %s %s' % (step['op'], step['path']))

    # ---- show ----

    def cmd_show(self, words, root):
        for n in (2, 1):
            call = getattr(self, 'show_' + '_'.join(words[:n]).replace('-', '_'), None)
            if call is not None and len(words) >= n:
                with self.store.open() as state:
                    self.store.log(state, 'read', '', 'show ' + ' '.join(words))
                    lines = call(state, words[n:])
                self.term.say('\n'.join(lines))
                return
        raise Failed('Usage: show [OPTIONS] COMMAND [ARGS]...\n\nError: No such command "%s".'
                     % ' '.join(words), 2)

    def show_pfc_priority(self, state, words):
        rows = [('Interface', 'Lossless priorities')]
        table = state['running'].get('PORT_QOS_MAP', {})
        for port in words or self.ports:
            if port not in table:
                if words:
                    return ['', 'Cannot find interface ' + port]
                continue
            rows.append((port, table[port].get('pfc_enable') or 'N/A'))
        return [''] + aligned(rows)

    def show_pfc_counters(self, state, words):
        lines = []
        for way in ('Rx', 'Tx'):
            rows = [['Port ' + way] + ['PFC%d' % n for n in range(8)]]
            for port in self.ports:
                counters = state['counters'].get(port, {})
                rows.append([port] + [counters.get('%s_%d' % (way.lower(), n), 0)
                                      for n in range(8)])
            lines += aligned(rows, range(9)) + ['']
        return lines[:-1]

    def show_pfcwd_config(self, state, words):
        table = state['running'].get('PFC_WD', {})
        lines = []
        if 'GLOBAL' in table:
            lines.append('Changed polling interval to %sms' % table['GLOBAL']['POLL_INTERVAL'])
        rows = [('PORT', 'ACTION', 'DETECTION TIME', 'RESTORATION TIME', 'HISTORY')]
        rows += [(port, table[port].get('action', 'drop'), table[port].get('detection_time', ''),
                  table[port].get('restoration_time', ''), 'disable')
                 for port in self.ports if port in table]
        return lines + aligned(rows, range(5))

    def show_pfcwd_stats(self, state, words):
        rows = [('QUEUE', 'STATUS', 'STORM DETECTED/RESTORED', 'TX OK/DROP', 'RX OK/DROP',
                 'TX LAST OK/DROP', 'RX LAST OK/DROP')]
        for port in self.ports:
            for queue, row in state['counters'].get(port, {}).get('pfcwd', {}).items():
                rows.append(('%s:%s' % (port, queue), row['status'],
                             '%d/%d' % (row['detected'], row['restored'])) + ('0/0',) * 4)
        return aligned(rows, range(7))

    def show_ecn(self, state, words):
        lines = []
        for name, row in state['running'].get('WRED_PROFILE', {}).items():
            lines.append('Profile: ' + name)
            width = max(len(field) for field in row)
            rule = ['-' * width + '  ' + '-' * max(len(value) for value in row.values())]
            lines += rule + ['%-*s  %s' % (width, field, value)
                             for field, value in row.items()] + rule + ['']
        return lines[:-1]

    def show_buffer_configuration(self, state, words):
        lines = []
        for name, row in state['running'].get('BUFFER_PROFILE', {}).items():
            lines += ['Profile: ' + name] + ['%-12s %s' % item for item in row.items()] + ['']
        return lines[:-1]

    def show_runningconfiguration_all(self, state, words):
        return [json.dumps(state['running'], indent=4)]

    def show_interfaces_description(self, state, words):
        rows = [('Interface', 'Oper', 'Admin', 'Alias', 'Description')]
        for i, (port, row) in enumerate(state['running'].get('PORT', {}).items()):
            text = row.get('description', 'N/A')
            if self.faults.find('prompt-in-description') is not None:
                text = ('uplink admin@%s:~$ spare' % self.host, 'to sw-lab-5>')[i % 2]
            rows.append((port, 'up', row.get('admin_status', 'down'), row.get('alias', ''), text))
        return aligned(rows, range(5))

    def show_version(self, state, words):
        return ['', 'SONiC Software Version: SONiC.202311', 'Platform: x86_64-emulated-r0']
