#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Every command line of README and man pages: one behind a prompt ("$ ", "gpu-1$ ") in a block is run, in the order of its page, on
a simulated node with an emulated switch, and has to print what is shown below it; "..." alone in a line stands for any
lines that were cut out. One in running text is held against --help, and run on a node where the file is in force. What
needs a machine with systemd or a package is in ELSEWHERE, with the test that runs it.

commands.py [--update] [--verbose] BUILD SOURCES [PAGE...]
--update writes what the commands print into the pages, but where something was cut out; --verbose shows it."""
import glob
import os
import pwd
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time

# Lines that another test runs: what they look like, its file, a line of it
ELSEWHERE = (
    (r'sudo losslessctl apply --once', 'tests/lab/tests/apply.sh', 'apply --once -f $SPEC'),
    (r'sudo losslessctl rollback --once', 'tests/lab/tests/apply.sh', 'rollback --once'),
    (r'(?:sudo )?losslessctl apply --confirm 2m', 'tests/lab/tests/package.sh', 'apply --confirm 2m, '),
    (r'(?:sudo )?losslessctl confirm', 'tests/lab/tests/package.sh', ', confirm, '),
    (r'sudo systemctl enable --now losslessd', 'tests/lab/tests/service.sh', 'systemctl start losslessd'),
    (r'sudo systemctl start losslessd', 'tests/lab/tests/package.sh', 'losslessctl plan, systemctl start losslessd'),
    (r'losslessctl verify gpu-1', 'tests/lab/tests/verify.sh', 'verify 0 "by ssh" other-node'),
    (r'losslessctl verify --listen', 'tests/lab/tests/verify.sh', '$CTL verify --listen'),
    (r'\./run demo', 'tests/cli/cli.sh', 'ctl 0 "demo" demo --fast'),
    (r'\./run test', 'run', 'test) cmd_test "$@" ;;'),
    (r'\./run package', 'run', 'package) cmd_package'),
    (r'sudo apt install ./losslessd_\*\.deb', 'tests/package/chroot.sh', 'apt install /tmp/packages/losslessd.deb'),
    (r'busctl get-property org.lossless.Node1 .* InSync', 'tests/lab/tests/service.sh', 'bus get-property $NODE InSync'),
)
# What running text leaves to who reads it
COMPLETE = {
    '--node': 'plan --node gpu-1',
    'apply --confirm': 'apply --confirm 2m',
    'check': 'check /etc/losslessd/fabric.yaml',
    'explain': 'explain pfc',
    'record': 'record -',
    'show': 'show nics',
    'show counters': 'show counters --interval 100ms',
    'switch accept-key': 'switch accept-key leaf-1 --fingerprint SHA256:' + 'x' * 43,
    'switch render': 'switch render leaf-1',
    'switch test': 'switch test leaf-1',
    'verify': 'verify gpu-1',
}
# The recorded node is not as the file declares
FAILS = ('losslessctl doctor',)
BUNDLE, NODE = 'tests/golden/mlx5-upstream.bundle', 'gpu-1'
PLACES = (('/usr/share/doc/losslessd/examples', 'examples'), ('/etc/losslessd', 'etc'),
          ('/var/lib/losslessd', 'run/state'), ('/run/losslessd', 'run'))
PROMPT = re.compile(r'(gpu-\d)?\$ ')     # with the node that it is typed on, where that matters
COMMANDS = r'(?:sudo +)?(?:losslessctl|losslessd|systemctl|apt|apt-get|install|cp|ssh-keygen|busctl|dbus-send|\./run|meson)\b'

# In the sandbox losslessctl is this: the installed paths are those of the sandbox, the node is simulated, and the
# switch of the documentation is the emulated one
SHIM = r'''#!/usr/bin/python3
import os, re, subprocess, sys
ctl, box, words = os.environ['CTL'], os.environ['BOX'], sys.argv[1:]
verb = words[0] if words else ''
known = subprocess.run([ctl, verb, '--help'], capture_output=True, text=True).stdout if verb[:1].isalpha() else ''
more, given = [], lambda option: any(word.split('=')[0] == option for word in words)
daemon = os.path.exists(box + '/run/bus')
accepted = os.path.exists(box + '/run/state/accepted.yaml')
if known and not given('--help') and not given('-H'):
    if verb in ('apply', 'confirm', 'rollback', 'reload', 'status'):
        more += ['--run-dir', box + '/run']
    if verb in ('apply', 'confirm', 'rollback', 'status', 'show', 'switch', 'history'):
        more += ['--state-dir', box + '/run/state']
    alone = verb == 'import' and not given('--switch') or given('--listen') or \
        verb == 'show' and words[1:2] not in (['spec'], ['cables'], ['switches'])
    if '-f FILE' in known and not given('-f') and not (accepted and verb == 'status') and not alone:
        words += ['-f', box + '/etc/fabric.yaml']
    if '--root BUNDLE' in known and not given('--root') and not (daemon and verb == 'status'):
        more += ['--root', os.environ['BUNDLE']]
    if '--node NAME' in known and not given('--node') and not alone and not (daemon and verb in ('apply', 'status')):
        more += ['--node', os.environ['NODE']]
    if os.environ.get('PORT') and verb in ('switch',) and '-f' in words:
        at = words.index('-f') + 1
        with open(words[at]) as file:
            text = file.read()
        os.makedirs(box + '/moved', exist_ok=True)
        words[at] = box + '/moved/' + os.path.basename(words[at])
        with open(words[at], 'w') as file:
            file.write(re.sub('address: 192.0.2.11$', '<<: {address: 127.0.0.1, port: %s}' % os.environ['PORT'], text,
                              flags=re.M))
os.execv(ctl, [ctl] + words + more)
'''
SSH = '''#!/bin/bash
while [ "$1" != -- ]; do shift; done
shift 2
exec "$@"
'''

args = sys.argv[1:]
update, verbose = '--update' in args, '--verbose' in args
args = [word for word in args if not word.startswith('--')]
build, sources = (os.path.realpath(path) for path in args[:2])
pages = args[2:] or sorted(glob.glob(sources + '/README*.md') + glob.glob(sources + '/man/*.scd'))
fails = 0


def check(what, ok, why=''):
    global fails
    if not ok:
        print('FAIL %s%s' % (what, ': ' + why if why else ''))
        fails += 1


class Box:
    """Where the commands of one page run."""
    def __init__(self):
        self.root = tempfile.mkdtemp()
        os.chmod(self.root, 0o755)
        for folder in ('bin', 'etc/credentials', 'home', 'run', 'known', 'libexec'):
            os.makedirs(os.path.join(self.root, folder))
        shutil.copytree(sources + '/config/examples', self.root + '/examples')
        shutil.copy(build + '/daemon/losslessd-switch', self.root + '/libexec')
        for name, text in (('losslessctl', SHIM), ('ssh', SSH), ('sudo', '#!/bin/bash\nexec "$@"\n')):
            with open(self.path('bin', name), 'w', encoding='utf-8') as file:
                file.write(text)
            os.chmod(self.path('bin', name), 0o755)
        users = {entry.pw_name for entry in pwd.getpwall()}
        shutil.chown(self.path('known'), 'losslessd-switch' if 'losslessd-switch' in users else 'nobody')
        self.daemon = None
        self.env = dict(os.environ, BOX=self.root, CTL=build + '/cli/losslessctl', BUNDLE=sources + '/' + BUNDLE,
                        NODE=NODE, LC_ALL='C.UTF-8', HOME=self.path('home'),
                        PATH=self.path('bin') + ':/usr/bin:/bin:/usr/sbin:/sbin',
                        LOSSLESSD_DIALECTS=sources + '/config/dialects', STATE_DIRECTORY=self.path('known'),
                        LOSSLESSD_SWITCH=self.path('libexec/losslessd-switch'),
                        LOSSLESSD_CREDENTIALS=self.path('etc/credentials'),
                        DBUS_SYSTEM_BUS_ADDRESS='unix:path=/nonexistent')
        self.env.pop('NO_COLOR', None)
        self.folder, self.switch = self.path('home'), None

    def path(self, *parts):
        return os.path.join(self.root, *parts)

    def start_daemon(self):
        fabric = self.path('etc/fabric.yaml')
        with open(self.path('daemon.log'), 'w', encoding='utf-8') as log:
            self.daemon = subprocess.Popen([build + '/tests/daemon/fake-daemon', '--bundle', self.env['BUNDLE'], '--node',
                                            self.env['NODE'], '--fabric', fabric, self.path('run')], stderr=log)
        for _ in range(200):
            if os.path.exists(self.path('run/bus')):
                break
            time.sleep(0.05)
        # What losslessd does by itself when it starts
        subprocess.run([self.env['CTL'], 'reload', '--run-dir', self.path('run')], capture_output=True, check=False)

    def start_switch(self):
        serve = sources + '/tests/switch/emulator/serve.py'
        path = self.env['PATH'] + ':' + os.environ.get('LAB_DIR', os.path.join(
            os.environ.get('XDG_CACHE_HOME') or os.path.expanduser('~/.cache'), 'losslessd-lab')) + '/sshd'
        key = glob.glob(self.path('home/*.pub'))
        row = subprocess.run(['/usr/bin/python3', '-B', serve, 'start', self.path('sw'), 'huawei', '--user', 'lossless',
                              '--password', 'x', *(['--key', *key] if key else [])],
                             capture_output=True, text=True, env=dict(os.environ, PATH=path), check=True).stdout.split()
        self.switch, self.env['PORT'], self.key = row[0], row[2], row[3]

    def inside(self, text):
        if self.switch:
            text = text.replace('SHA256:' + 'x' * 43, self.key)
        for shown, real in PLACES:
            text = re.sub(re.escape(shown) + r'(?![\w-])', self.path(real), text)
        return text

    def outside(self, text):
        for shown, real in PLACES:
            text = text.replace(self.path(real), shown)
        text = text.replace(self.path('moved'), '/etc/losslessd').replace(self.root, '')
        if self.switch:
            text = text.replace('[127.0.0.1]:' + self.env['PORT'], '192.0.2.11').replace('127.0.0.1', '192.0.2.11')
            text = text.replace(self.key, 'SHA256:' + 'x' * 43)
        text = re.sub(r'\d{4}-\d\d-\d\d \d\d:\d\d:\d\d', '2026-12-01 09:00:00', text)
        return [line.rstrip() for line in text.split('\n')]

    def run(self, command):
        if re.search(r'systemctl (enable --now|start|restart) losslessd', command):
            self.start_daemon()
            return 0, []
        if 'unix:path=/run/losslessd/bus' in command and not self.daemon:
            self.start_daemon()
        if re.search(r'losslessctl switch (test|list|accept-key)', command) and not self.switch:
            self.start_switch()
        shell = 'cd %s\n%s\nstatus=$?\npwd > %s\nexit $status' % (
            shlex.quote(self.folder), self.inside(command), self.path('folder'))
        done = subprocess.run(['bash', '-c', shell], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              stdin=subprocess.DEVNULL, text=True, env=self.env, timeout=120, check=False)
        with open(self.path('folder'), encoding='utf-8') as file:
            self.folder = file.read().strip()
        lines = self.outside(done.stdout)
        while lines and not lines[-1]:
            lines.pop()
        return done.returncode, lines

    def end(self):
        if self.daemon:
            self.daemon.send_signal(signal.SIGTERM)
            self.daemon.wait()
        if self.switch:
            subprocess.run(['/usr/bin/python3', '-B', sources + '/tests/switch/emulator/serve.py', 'stop',
                            self.path('sw')], capture_output=True, check=False)
        shutil.rmtree(self.root)


def blocks(text, scd):
    """Ranges of lines of blocks, and how far they are indented."""
    lines, start = text.split('\n'), None
    for at, line in enumerate(lines):
        if line.strip().startswith('```'):
            if start is not None:
                yield start, at, line[:len(line) - len(line.lstrip())]
            start = at + 1 if start is None else None
    if scd:
        return
    start, fenced = None, False
    for at, line in enumerate(lines + ['']):
        fenced ^= line.strip().startswith('```')
        if not fenced and line.startswith('    ') and (start is not None or at == 0 or not lines[at - 1].strip()):
            start = at if start is None else start
        elif start is not None and (line.strip() or at == len(lines)):
            yield start, at, '    '
            start = None


def matches(shown, said):
    """Lines against lines, "..." for any."""
    if not shown:
        return not said
    if shown[0] == '...':
        return any(matches(shown[1:], said[at:]) for at in range(len(said) + 1))
    return bool(said) and shown[0] == said[0] and matches(shown[1:], said[1:])


def elsewhere(command):
    for pattern, file, line in ELSEWHERE:
        if re.fullmatch(pattern, command):
            path = os.path.join(sources, file)
            there = ''
            if os.path.exists(path):
                with open(path, encoding='utf-8') as test:
                    there = test.read()
            used.add(pattern)
            check('%s is run by %s' % (command, file), line in there, 'no line there has: ' + line)
            return True
    return False


def block_run(box, name, lines, start, end, indent):
    """Runs one block; returns its lines as they should be."""
    at, made = start, []
    scd = name.endswith('.scd')
    while at < end:
        line = lines[at].removeprefix(indent)
        at += 1
        made.append(lines[at - 1])
        prompt = PROMPT.match(line)
        if not prompt:
            check('%s:%d' % (name, at), not re.match(COMMANDS + ' ', line) or line.endswith(','),
                  'a command without a prompt: ' + line)
            continue
        where, command = '%s:%d' % (name, at), line[prompt.end():]
        box.env['NODE'] = prompt[1] or NODE
        while command.endswith('\\') and at < end:
            command = command.rstrip('\\') + lines[at].removeprefix(indent).lstrip()
            made.append(lines[at])
            at += 1
        if scd:
            command = command.replace('\\\\', '\\')
        shown = []
        while at < end and not PROMPT.match(lines[at].removeprefix(indent)):
            shown.append(lines[at].removeprefix(indent).rstrip())
            at += 1
        gap = []
        while shown and not shown[-1]:
            gap.append(shown.pop())
        bare = re.sub(r' +# .*$', '', command).strip()
        status, said = 0, []
        if elsewhere(bare):
            check(where, not shown or shown == ['b true'], 'what another test runs has no output here')
            if 'losslessd' in bare and 'systemctl' in bare:
                box.run(bare)
            said = shown
        else:
            status, said = box.run(bare)
            count[0] += 1
            ran.add(bare.removeprefix('sudo '))
        if verbose:
            print('$ %s\n%s' % (bare, '\n'.join(said)))
        wanted = re.search(r'# exit status (\d+)', command)
        check('%s: %s' % (where, bare), status == int(wanted[1]) if wanted else status in (0, 2),
              'exit status %d:\n%s' % (status, '\n'.join(said)))
        if update and '...' not in shown and shown:
            shown = said
        check('%s: %s' % (where, bare), not shown or matches(shown, said),
              'it says:\n%s' % '\n'.join('  | ' + one for one in said))
        made += [(indent + one).rstrip() for one in shown] + gap
    return made


# ---- what stands in running text ----

def usage(*words):
    done = subprocess.run([build + '/cli/losslessctl', *words, '--help'], capture_output=True, text=True, check=False)
    return done.stdout if done.returncode == 0 else ''


verbs = re.findall(r'^  ([a-z-]+)  ', usage().split('Verbs:')[1].split('Options:')[0], re.M)


def held(where, words):
    """Against --help, as far as they are literal: the verb, its options, the thing or action behind it."""
    if words[0].startswith('-'):
        check(where, words[0] in usage() or any(words[0] in usage(verb) for verb in verbs), 'no such option: ' + words[0])
        return
    text = usage(words[0]) if words[0] in verbs else ''
    check(where, bool(text), 'no such verb: ' + words[0])
    for option in words[1:]:
        option = option.split('=')[0]
        if option.startswith('-'):
            check(where, re.search(r'(^|[\s[|])%s\b' % re.escape(option), text, re.M) is not None,
                  '%s has no option %s' % (words[0], option))
    if words[0] in ('switch', 'show') and len(words) > 1 and re.fullmatch('[a-z-]+', words[1]):
        check(where, re.search(r'^%s( NAME)?:' % words[1], text, re.M) is not None, 'no such thing: ' + words[1])


def node():
    """Where the file of the documentation is in force."""
    box = Box()
    shutil.copy(sources + '/config/examples/four-nodes-one-switch.yaml', box.path('etc/fabric.yaml'))
    box.start_daemon()
    return box


def mention(where, words):
    """losslessctl WORDS; what was run once is not run again."""
    held(where, words)
    words = ' '.join(words)
    command = 'losslessctl ' + COMPLETE.get(words, words)
    if command in ran or elsewhere(command):
        return
    ran.add(command)
    count[1] += 1
    box = node()
    try:
        status, said = box.run(command)
    finally:
        box.end()
    if verbose:
        print('$ %s\n%s' % (command, '\n'.join(said)))
    check('%s: %s' % (where, command), (status == 1 if command in FAILS else status in (0, 2)) and said, 'exit status %d:\n%s' % (status, '\n'.join(said)))


def prose(name, lines, inside):
    text = '\n'.join('' if at in inside else line for at, line in enumerate(lines))
    for found in re.finditer(r'(?<![\w/])(?:([`*])(?:sudo )?)?(losslessctl\s+)?((?:[-\w=]+\s*)+)(?=([`*]?))', text):
        words, marked = found[3].split(), found[1] and found[1] == found[4]
        if words[0] in verbs and (found[2] or marked and len(words) > 1) or marked and found[2]:
            where = text.count('\n', 0, found.start()) + 1
            mention('%s:%d: losslessctl %s' % (name, where, ' '.join(words)), words)


def page_check(path):
    name = os.path.relpath(path, sources)
    with open(path, encoding='utf-8') as file:
        text = file.read()
    lines, inside, made, last = text.split('\n'), set(), [], 0
    box = Box()
    if path.endswith('.scd'):
        shutil.copy(sources + '/config/fabric.yaml', box.path('etc'))
    try:
        ranges = sorted(blocks(text, path.endswith('.scd')))
        for start, end, indent in ranges:
            inside |= set(range(start, end))
            made += lines[last:start] + block_run(box, name, lines, start, end, indent)
            last = end
    finally:
        box.end()
    made += lines[last:]
    prose(name, lines, inside)
    if update and made != lines:
        with open(path, 'w', encoding='utf-8') as file:
            file.write('\n'.join(made))
        print('updated ' + name)


if os.getuid() != 0:
    print('needs root: losslessd obeys nobody else')
    sys.exit(77)
count, used, ran = [0, 0], set(), set()
for one in pages:
    page_check(one)
if not args[2:]:
    for row in ELSEWHERE:
        check('%s is shown somewhere' % row[0], row[0] in used)
print('%d commands run, %d more of running text, %d wrong' % (*count, fails))
sys.exit(fails > 0)
