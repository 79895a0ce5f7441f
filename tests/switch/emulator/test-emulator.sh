#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# The emulated switches against vendors' pages (unittest) and against a foreign client (netmiko). Nothing of the
# product runs here: this is what the product is judged by.
# test-emulator.sh [VENDOR...]: only these vendors' judges; LAB_DIR may hold sshd (./run test puts it there)
set -u
export LC_ALL=C.UTF-8 PYTHONDONTWRITEBYTECODE=1 PYTHONWARNINGS=ignore
cd "$(dirname "$(readlink -f "$0")")" || exit 1
PATH=$PATH:/usr/sbin:${LAB_DIR:-${XDG_CACHE_HOME:-${HOME:-/}/.cache}/losslessd-lab}/sshd
python=/usr/bin/python3	# Debian's netmiko is for Debian's Python
fails=0

$python -c 'import netmiko, yaml' 2> /dev/null || { echo "no netmiko (Debian: python3-netmiko python3-yaml)"; exit 77; }
command -v sshd > /dev/null || { echo "no sshd (Debian: openssh-server)"; exit 77; }
command -v ssh > /dev/null || { echo "no ssh (Debian: openssh-client)"; exit 77; }
tmp=$(mktemp -d) || exit 1
clean_up() {
	local dir
	for dir in "$tmp"/*/; do
		[ ! -d "$dir" ] || $python serve.py stop "$dir" > /dev/null
	done
	rm -rf "$tmp"
}
trap clean_up EXIT

# netmiko sleeps most of its time: its judges run beside everything else
vendors=("$@")
[ $# -gt 0 ] || vendors=(huawei eos onyx cumulus sonic ruijie)
jobs=()
for vendor in "${vendors[@]}"; do
	timeout 240 $python judge.py "$tmp/$vendor" "$vendor" > "$tmp/$vendor.out" 2>&1 < /dev/null &
	jobs+=($!)
done

for name in commands outputs transactions terminal serve files; do
	if $python -m unittest "test_$name" > "$tmp/unit.out" 2>&1 < /dev/null; then
		echo "ok   $name: $(grep '^Ran ' "$tmp/unit.out")"
	else
		echo "FAIL $name"
		sed 's/^/     | /' "$tmp/unit.out" | tail -n 60
		fails=$((fails + 1))
	fi
done

for i in "${!vendors[@]}"; do
	wait "${jobs[i]}" || {
		grep -q '^FAIL' "$tmp/${vendors[i]}.out" || echo "FAIL ${vendors[i]}: the judge ended early" >> "$tmp/${vendors[i]}.out"
		fails=$((fails + 1))
	}
	cat "$tmp/${vendors[i]}.out"
done
exit $((fails > 0))
