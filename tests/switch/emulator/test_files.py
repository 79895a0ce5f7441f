# SPDX-License-Identifier: LGPL-2.1-or-later
# Owns the check of the emulator's own files: how they begin, how long they are, that README.md
# counts what is there, and that nothing reads a dialect of the product.
import ast
import glob
import os
import re
import unittest

from emulator import VENDORS, load
from faults import NAMES
from grammar import Pattern
from kinds import KINDS, table
from rig import HERE


def text(path):
    with open(os.path.join(HERE, path), encoding='utf-8') as file:
        return file.read()


class Files(unittest.TestCase):
    def setUp(self):
        self.files = [os.path.basename(name) for kind in ('py', 'yaml', 'sh')
                      for name in glob.glob(os.path.join(HERE, '*.' + kind))]

    def test_form(self):
        self.assertGreater(len(self.files), 20)
        for name in self.files:
            with self.subTest(name):
                lines = text(name).split('\n')
                head = [line for line in lines[:3] if not line.startswith('#!')]
                self.assertEqual(head[0], '# SPDX-License-Identifier: LGPL-2.1-or-later')
                self.assertTrue(head[1].startswith('# '))
                self.assertLessEqual(len(lines), 600)
                if not name.endswith('.sh'):
                    self.assertEqual([line for line in lines if len(line) > 100], [])
                self.assertEqual([line for line in lines if line != line.rstrip()], [])

    def test_no_dialect_is_read(self):
        for name in self.files:
            if name != 'test_files.py':
                self.assertNotIn('dialects', text(name), name)

    def test_imports(self):
        """The standard library, yaml, netmiko for its judge, and files here."""
        allowed = {'yaml'} | {name[:-3] for name in self.files if name.endswith('.py')}
        foreign = {}
        for name in self.files:
            if not name.endswith('.py'):
                continue
            for node in ast.walk(ast.parse(text(name))):
                names = [each.name for each in node.names] if isinstance(node, ast.Import) else \
                    [node.module] if isinstance(node, ast.ImportFrom) else []
                for each in names:
                    if each.split('.')[0] not in allowed | set(os.sys.stdlib_module_names):
                        foreign.setdefault(each, set()).add(name)
        self.assertEqual(foreign, {'netmiko': {'judge.py', 'netmiko-push.py'}})

    def test_readme(self):
        readme = text('README.md')
        self.assertIn(table(), readme, 'kinds.py prints the table')
        for name in NAMES:
            self.assertIn('`%s`' % name, readme)


class Data(unittest.TestCase):
    def test_each_command_says_where_it_is_from(self):
        for vendor in VENDORS:
            data = load(vendor)
            for command in data['commands'] + data.get('paths', []):
                self.assertIn(command.get('from'), KINDS, command)

    def test_each_command_can_be_reached(self):
        """Modes, types, handlers and providers that a command names are there."""
        for vendor in VENDORS:
            data = load(vendor)
            if 'shell' in data:
                continue
            shows = __import__('shows_' + vendor)
            code = text('cli.py') + text('transaction.py')
            for command in data['commands']:
                with self.subTest(vendor + ': ' + command['line']):
                    where = command.get('in', 'any').split()
                    self.assertLessEqual(set(where) - {'any'}, set(data['modes']))
                    self.assertIn(command.get('enter', where[0]), list(data['modes']) + ['any'])
                    for name in ('show', 'json'):
                        self.assertTrue(hasattr(shows, command.get(name, 'running')) or
                                        command.get(name, 'running') == 'running')
                    if 'do' in command:
                        self.assertIn('def do_%s(' % command['do'].replace('-', '_'), code)
                    if 'check' in command:
                        self.assertTrue(hasattr(shows, 'check_' + command['check']))
                    for sequence in Pattern(command['line']).sequences:
                        for name, kind in sequence:
                            if name is not None:
                                self.assertTrue(kind in data['types'] or kind in ('rest', 'port') or
                                                re.match(r'[\d/]|[A-Za-z0-9-]+\|', kind) or
                                                kind == 'immediately', kind)


if __name__ == '__main__':
    unittest.main()
