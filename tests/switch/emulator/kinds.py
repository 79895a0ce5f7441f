#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Owns the count of where the commands of each emulated switch come from: the table in README.md,
# which test_files.py holds to this.
from emulator import VENDORS, load

KINDS = ('vendor', 'field', 'ours')


def table():
    rows = ['| switch | commands | vendor page | field | ours |', '|---|---|---|---|---|']
    for vendor in VENDORS:
        data = load(vendor)
        kinds = [command['from'] for command in data['commands'] + data.get('paths', [])]
        rows.append('| %s | %d | %s |' % (vendor, len(kinds), ' | '.join(
            str(kinds.count(kind)) for kind in KINDS)))
    return '\n'.join(rows)


if __name__ == '__main__':
    print(table())
