#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Owns what a script of a network team does today: the same lines to N switches with netmiko and
# threads. For comparison in benchmarks; it checks nothing but the vendor's error text.
#
# netmiko-push.py KIND KEY LINES [--threads N] [--save COMMAND] [--delay FACTOR] [--fast]
#   < the lines that serve.py prints
#   KIND: netmiko's device type.  LINES: a file.  Prints SECONDS OK FAILED.
import argparse
import concurrent.futures
import os
import pwd
import re
import sys
import time
import warnings

warnings.simplefilter('ignore')

from netmiko import ConnectHandler  # noqa: E402

WRONG = re.compile(r'^(Error:|%|bash:)', re.M)


def push(switch, args, lines):
    """One switch. Returns its error text, None if there is none."""
    name, address, port = switch.split()[:3]
    try:
        net = ConnectHandler(device_type=args.kind, host=address, port=int(port), use_keys=True,
                             username=pwd.getpwuid(os.getuid()).pw_name, key_file=args.key,
                             secret=args.secret, fast_cli=args.fast,
                             global_delay_factor=args.delay)
        if args.kind == 'linux':
            out = '\n'.join(net.send_command(line) for line in lines)
        else:
            if not args.kind.startswith('huawei'):
                net.enable()
            commits = args.kind == 'huawei_vrpv8'
            out = net.send_config_set(lines, exit_config_mode=not commits)
            out += net.commit() if commits else ''
        if args.save:
            out += net.send_command(args.save, expect_string=r'[>#\]$]')
        net.disconnect()
    except Exception as error:      # one switch that is down is a row, not the end
        return '%s: %s' % (name, error)
    found = WRONG.search(out.replace('\r', ''))
    return '%s: %s' % (name, out[found.start():].split('\n')[0]) if found else None


def main():
    parser = argparse.ArgumentParser(prog='netmiko-push.py')
    parser.add_argument('kind')
    parser.add_argument('key')
    parser.add_argument('lines')
    parser.add_argument('--threads', type=int, default=16)
    parser.add_argument('--save')
    parser.add_argument('--secret', default='')
    parser.add_argument('--delay', type=float, default=1, help='global_delay_factor')
    parser.add_argument('--fast', action='store_true')
    args = parser.parse_args()
    with open(args.lines, encoding='utf-8') as file:
        lines = [row.rstrip('\n') for row in file if row.strip()]
    switches = [row for row in sys.stdin if row.strip()]
    began = time.time()
    with concurrent.futures.ThreadPoolExecutor(args.threads) as pool:
        results = list(pool.map(lambda switch: push(switch, args, lines), switches))
    failed = [result for result in results if result]
    for result in failed:
        print(result, file=sys.stderr)
    print('%.1f %d %d' % (time.time() - began, len(results) - len(failed), len(failed)))
    sys.exit(bool(failed))


if __name__ == '__main__':
    main()
