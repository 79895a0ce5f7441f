#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Owns how secrets.sh looks for secrets: in which forms, in files, in what processes show of
# themselves and in their memory; and it stands in for journald.
#
# secrets.py find FOLDER PATH...          each place below PATH that has a secret of FOLDER: a line,
#                                         and exit status 1
# secrets.py plant FOLDER PATH...         find sees one in a copy of each PATH where it is put, in
#                                         every form: else a line, and exit status 1
# secrets.py memory FOLDER PID...         the same of the memory of processes
# secrets.py watch FOLDER WORKER OUT      until there is OUT/over: command lines and environments of
#                                         all processes go to OUT/shown if they have one; of WORKER's
#                                         children to OUT/cores whether they leave cores, to OUT/memory
#                                         whether they had a secret
# secrets.py journal SOCKET OUT           appends what is sent there to OUT, memfds too
import array
import base64
import glob
import os
import re
import socket
import sys
import time

TOKEN_PART = 12     # of a token that was cut: nothing else has so many of its letters
KEY_PART = 16       # bytes of a key, and letters of its text
# The modulus and the public exponent of an RSA key of 2048 bits stand before (RFC 8017, A.1.2)
KEY_PUBLIC = 280


def spelled(data):
    """These bytes as programs write them."""
    yield data
    yield data.hex().encode()
    yield data.hex().upper().encode()
    for between in ' :':
        yield between.join('%02x' % byte for byte in data).encode()
    for skip in range(3):
        # As it comes out wherever it stands in what is encoded: without the ends, which depend on it
        text = base64.b64encode(bytes(skip) + data)
        yield text[-(-skip * 4 // 3):-4]


def of_token(token):
    for begin in range(0, len(token) - TOKEN_PART + 1, TOKEN_PART // 2):
        yield from spelled(token[begin:begin + TOKEN_PART])


def of_key(text):
    body = b''.join(line for line in text.split(b'\n') if not line.startswith(b'-----'))
    for begin in range(KEY_PUBLIC // 3 * 4, len(body) - KEY_PART, KEY_PART):
        yield body[begin:begin + KEY_PART]
    for begin in range(len(text) // 3, len(text) - 40, KEY_PART):
        yield from list(spelled(text[begin:begin + KEY_PART]))[-3:]
    data = base64.b64decode(body)
    for begin in range(KEY_PUBLIC, len(data) - KEY_PART, KEY_PART):
        part = data[begin:begin + KEY_PART]
        yield part
        yield part[::-1]    # a number in memory
        yield part.hex().encode()


def needles_of(folder):
    """All forms of all secrets. Each is long enough to be nothing else."""
    found = set()
    for name in sorted(os.listdir(folder)):
        with open(os.path.join(folder, name), 'rb') as file:
            text = file.read().strip()
        found.update(of_key(text) if text.startswith(b'-----') else of_token(text))
    short = [needle for needle in found if len(needle) < TOKEN_PART - 2]
    if short or not found:
        sys.exit('secrets: no secrets, or too short: %r' % short)
    return sorted(found)


def first_in(data, needles):
    return next((needle for needle in needles if needle in data), None)


# ---- files ----

def files_below(path):
    if os.path.isfile(path):
        yield path
    for folder, _, names in os.walk(path):
        for name in names:
            full = os.path.join(folder, name)
            if os.path.isfile(full) and not os.path.islink(full):
                yield full


def bad_files(needles, path):
    """What has one: names of files count too."""
    for name in files_below(path):
        with open(name, 'rb') as file:
            if first_in(file.read(), needles) or first_in(os.fsencode(name), needles):
                yield name


def find(folder, *paths):
    needles, bad = needles_of(folder), []
    for path in paths:
        if not any(files_below(path)):
            bad.append('%s: there is nothing to look at' % path)
        bad += bad_files(needles, path)
    print('\n'.join(bad))
    sys.exit(bool(bad))


# ---- processes ----

def read_proc(pid, name):
    try:
        with open('/proc/%s/%s' % (pid, name), 'rb') as file:
            return file.read()
    except OSError:     # it is over
        return b''


def memory_of(pid):
    """What can be written of it: a secret is no constant."""
    try:
        with open('/proc/%s/mem' % pid, 'rb', 0) as mem:
            for row in read_proc(pid, 'maps').decode().split('\n'):
                match = re.match(r'([0-9a-f]+)-([0-9a-f]+) rw', row)
                if match:
                    begin, end = (int(text, 16) for text in match.groups())
                    try:
                        mem.seek(begin)
                        yield mem.read(end - begin)
                    except OSError:
                        continue
    except OSError:
        return


def has_in_memory(needles, pid):
    return any(first_in(data, needles) for data in memory_of(pid))


def memory(folder, *pids):
    needles, bad = needles_of(folder), []
    for pid in pids:
        if not any(memory_of(pid)):
            bad.append('%s: cannot be read' % pid)
        elif has_in_memory(needles, pid):
            bad.append('%s: %s' % (pid, read_proc(pid, 'comm').decode().strip()))
    print('\n'.join(bad))
    sys.exit(bool(bad))


def core_words(pid):
    """Whether it may leave a core; None if it is over. Files in /proc of who may not are root's."""
    limit = re.search(rb'Max core file size +(\d+|unlimited) +(\d+|unlimited)',
                      read_proc(pid, 'limits'))
    try:
        owner = os.stat('/proc/%s/environ' % pid).st_uid
    except OSError:
        return None
    user = re.search(rb'^Uid:\t(\d+)', read_proc(pid, 'status'), re.M)
    if not limit or not user:
        return None
    return 'limit %s %s, user %s, files of %d' % (limit.group(1).decode(), limit.group(2).decode(),
                                                  user.group(1).decode(), owner)


class Watch:
    def __init__(self, folder, worker, out):
        self.needles, self.worker, self.out = needles_of(folder), worker, out
        self.told = set()

    def tell(self, name, words):
        if (name, words) not in self.told:
            self.told.add((name, words))
            with open(os.path.join(self.out, name), 'a', encoding='utf-8') as file:
                file.write(words + '\n')

    def look_at(self, pid):
        for name in ('cmdline', 'environ'):
            if first_in(read_proc(pid, name), self.needles):
                self.tell('shown', '%s of %s' % (name, read_proc(pid, 'comm').decode().strip()))

    def look_at_job(self, pid):
        words = core_words(pid)
        if words:
            self.tell('cores', words)
        if has_in_memory(self.needles, pid):
            self.tell('memory', 'a job had one')

    def jobs(self):
        children = read_proc(self.worker, 'task/%s/children' % self.worker)
        return children.decode().split()

    def run(self):
        while not os.path.exists(os.path.join(self.out, 'over')):
            for path in glob.glob('/proc/[0-9]*'):
                self.look_at(os.path.basename(path))
            for pid in self.jobs():
                self.look_at_job(pid)
            time.sleep(0.05)


def watch(folder, worker, out):
    Watch(folder, worker, out).run()


# ---- the journal ----

def take(sock):
    """A message, or what is in the memfd that comes instead of a long one."""
    data, more, _, _ = sock.recvmsg(1 << 20, socket.CMSG_SPACE(4))
    for level, kind, fds in more:
        if level == socket.SOL_SOCKET and kind == socket.SCM_RIGHTS:
            for fd in array.array('i', fds):
                with os.fdopen(fd, 'rb') as file:
                    file.seek(0)
                    data += file.read()
    return data


def journal(path, out):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sock:
        sock.bind(path)
        os.chmod(path, 0o666)
        while True:
            data = take(sock)
            with open(out, 'ab') as file:
                file.write(data + b'\n')


VERBS = {'find': find, 'memory': memory, 'watch': watch, 'journal': journal}

if __name__ == '__main__':
    VERBS[sys.argv[1]](*sys.argv[2:])
