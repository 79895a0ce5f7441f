#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# units.sh BUILD SOURCE: what is installed around the programs, judged by systemd's own tools: sandboxes, units, users,
# catalog. Starts nothing; as any user.
set -u
export LC_ALL=C.UTF-8
build=$1 source=$2 fails=0
command -v systemd-analyze > /dev/null || { echo "needs systemd-analyze" && exit 77; }
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
root=$dir/root

# check WHAT TROUBLE
check() {
	if [ -z "$2" ]; then
		echo "ok   $1"
	else
		printf 'FAIL %s:\n%s\n' "$1" "$2"
		fails=$((fails + 1))
	fi
}

# score UNIT MOST: what systemd-analyze makes of the sandbox; the threshold is in tenths
score() {
	local out status=0
	out=$(systemd-analyze security --no-pager --offline=true --threshold="$2" "$build/systemd/$1.service" 2>&1) || status=$?
	echo "     $(tail -n 1 <<< "$out")"
	grep -q 'Overall exposure level' <<< "$out" || status=1
	[ $status = 0 ] || { echo "FAIL the sandbox of $1 lets through more than $2 of 100:" && echo "$out" && fails=$((fails + 1)); }
}
score losslessd 13
score losslessd-nic 17
score losslessd-switch 13

check "meson install" "$(DESTDIR=$root meson install -C "$build" --no-rebuild --quiet 2>&1 | grep -v '^Entering directory')"
find_file() {
	find "$root" -path "*$1" | grep . || echo "nothing like $1" >&2
}
units=$(dirname "$(find_file /losslessd.service)")
check "each program that a unit names is installed" "$(sed -n 's/^Exec[A-Za-z]*=[+-]*\([^ ]*\).*/\1/p' "$units"/*.service |
	while read -r program; do
		[ -x "$root$program" ] || echo "$program"
	done)"

# The paths in the units are those of this build: as they are in the installed tree
mkdir "$dir/units"
cp "$units"/* "$dir/units/"
sed -i "s,^\(Exec[A-Za-z]*=[+-]*\)/,\1$root/," "$dir"/units/*.service
check "systemd-analyze verify" "$(systemd-analyze verify --recursive-errors=no --man=no "$dir"/units/* 2>&1 | grep losslessd)"

# ---- users ----

check "systemd-sysusers" "$(systemd-sysusers --root="$dir" --dry-run "$source/systemd/losslessd.sysusers" 2>&1 |
	grep -v '^Would \|^Creating ')"
check "units, socket and files name users that are made" "$(
	{
		sed -n 's/^\(User\|SocketUser\)=//p' "$build"/systemd/*.service "$source"/systemd/*.socket
		awk '$1 == "d" && $4 != "root" { print $4 }' "$source/systemd/losslessd.tmpfiles"
		sed -n 's/.*<policy user="\([^"]*\)".*/\1/p' "$source/config/org.lossless.Node1.conf"
		sed -n 's/.*unix-user:\([^<]*\)<.*/\1/p' "$source/config/org.lossless.policy"
	} | sort -u | while read -r user; do
		grep -q "^u $user " "$source/systemd/losslessd.sysusers" || echo "$user"
	done)"

# ---- journal ----

ids=$(sed -n 's/^#define MESSAGE_[A-Z_]* "\([0-9a-f]\{32\}\)"$/\1/p' "$source/daemon/messages.h" | sort)
check "16 ids or more, none twice" "$([ "$(wc -l <<< "$ids")" -ge 16 ] || echo "$ids"; uniq -d <<< "$ids")"
check "an id in each line of messages.h" "$(grep '^#define' "$source/daemon/messages.h" | grep -v '"[0-9a-f]\{32\}"$')"
mkdir -p "$dir/journal/usr/lib/systemd/catalog" "$dir/journal/var/lib/systemd/catalog"
cp "$source/systemd/losslessd.catalog" "$dir/journal/usr/lib/systemd/catalog/"
check "journalctl takes the catalog" "$(journalctl --root="$dir/journal" --update-catalog 2>&1)"
check "it explains each id, and no other" "$(diff <(echo "$ids") \
	<(journalctl --root="$dir/journal" --list-catalog | sed -n 's/ losslessd: .*//p' | sort))"

# ---- bus ----

check "XML" "$(python3 -c 'import sys, xml.dom.minidom
for name in sys.argv[1:]:
	xml.dom.minidom.parse(name)' "$source/config/org.lossless.Node1.conf" "$source/config/org.lossless.policy" 2>&1)"
check "the daemon has the name and the action of these files" "$(
	grep -q '"org.lossless.Node1"' "$source/daemon/bus-private.h" || echo org.lossless.Node1
	grep -q '"org.lossless.apply"' "$source/daemon/bus-private.h" || echo org.lossless.apply
	grep -q '<action id="org.lossless.apply">' "$source/config/org.lossless.policy" || echo action)"

exit $((fails > 0))
