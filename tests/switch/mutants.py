#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Changes one word of one line that a dialect sends, or one of its words for values, at a time: the test of that
dialect has to notice each. What it sends stands between double quotes, or behind `words:`.

usage: mutants.py DIALECT.yaml TEST-PROGRAM"""
import os
import re
import subprocess
import sys
import tempfile

# What is said to people, and what is not for this test
PROSE = re.compile(r"^ *(?:- )?(unsupported|impact|verified|dialect|answer|after_login|pager|leave):")


def lines_of(text):
    """Number and text of each line below knobs and transaction."""
    section = ""
    for number, line in enumerate(text.split("\n")):
        if re.match(r"^[a-z]", line):
            section = line.split(":")[0]
        if section in ("knobs", "transaction") and not line.lstrip().startswith("#") and not PROSE.match(line):
            yield number, line


def spans(line):
    """Where something stands that is sent."""
    for quoted in re.finditer(r'"([^"]*)"', line):
        if not re.search(r"(json|at|value|key|expect): *$", line[: quoted.start()]):
            yield quoted.span(1)
    if re.match(r"^ *words: ", line):
        yield line.index("{") + 1, line.rindex("}")


def mutants(text):
    lines = text.split("\n")
    for number, line in lines_of(text):
        seen = set()
        for start, end in spans(line):
            for word in re.finditer(r"(?<![$\w{:])[A-Za-z][\w-]*(?!\w|:\w)", line[start:end]):
                at = start + word.end()
                if at in seen or line[start + word.start() - 1] in "$":
                    continue
                seen.add(at)
                changed = line[:at] + "q" + line[at:]
                yield "\n".join(lines[:number] + [changed] + lines[number + 1 :]), number + 1, changed.strip()


def main():
    path, program = sys.argv[1:]
    with open(path, encoding="utf-8") as file:
        text = file.read()
    n = 0
    survived = []
    with tempfile.TemporaryDirectory() as folder:
        for mutant, number, line in mutants(text):
            with open(os.path.join(folder, os.path.basename(path)), "w", encoding="utf-8") as file:
                file.write(mutant)
            n += 1
            run = subprocess.run([program], env=dict(os.environ, CASE_DIALECTS=folder), capture_output=True, check=False)
            if run.returncode == 0:
                survived.append(f"{path}:{number}: {line}")
    print(f"{n} changes, {len(survived)} unnoticed", *survived, sep="\n")
    sys.exit(1 if survived or n == 0 else 0)


main()
