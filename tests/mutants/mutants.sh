#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# Plants one-line defects, one at a time, in a copy of the tree; each has to turn a test of the suites unit, model or cli
# red. A defect that no longer fits its file is a failure too.
#
# usage: mutants.sh SOURCE-DIR [NAME | --fit]
# --fit only looks whether each defect still fits its file: seconds, so that who changes the file hears of it at once.
set -u
source=$1
only=${2:-} fit=
[ "$only" != --fit ] || only= fit=yes
here=$(dirname "$(readlink -f "$0")")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fails=0

cp -r "$source"/{run,meson.build,meson_options.txt,lib,cli,daemon,systemd,config,man,tests} "$work/" || exit 1
rm -f "$work/tests/lab/meson.build" "$work/tests/mutants/meson.build" "$work/tests/style/meson.build"
[ -n "$fit" ] || meson setup "$work/build" "$work" -Dbuildtype=debug > "$work/log" 2>&1 || { cat "$work/log"; exit 1; }

# Builds and tests the copy; true if all is well
green() {
	ninja -C "$work/build" > "$work/log" 2>&1 || { echo "     does not build"; return 2; }
	# meson exits with the number of tests that failed
	meson test -C "$work/build" --no-rebuild --suite unit --suite model --suite cli > "$work/log" 2>&1 || return 1
}

# plant FILE OLD NEW: replace the one place where OLD stands
plant() {
	OLD=$2 NEW=$3 perl -0pi -e '
		my $n = () = /\Q$ENV{OLD}\E/g;
		die "stands $n times\n" if $n != 1;
		s/\Q$ENV{OLD}\E/$ENV{NEW}/;' "$work/$1"
}

# mutant NAME FILE OLD NEW
mutant() {
	local name=$1 file=$2
	[ -z "$only" ] || [ "$only" = "$name" ] || return 0
	cp "$work/$file" "$work/saved"
	if ! plant "$file" "$3" "$4" 2> "$work/log" || cmp -s "$work/$file" "$work/saved"; then
		echo "FAIL $name: no longer fits $file: $(head -1 "$work/log")"
		fails=$((fails + 1))
	elif [ -n "$fit" ]; then
		echo "ok   $name"
	else
		green
		case $? in
		0)
			echo "FAIL $name: no test noticed"
			fails=$((fails + 1))
			;;
		2)
			echo "FAIL $name: is no program any more"
			fails=$((fails + 1))
			;;
		*) echo "ok   $name: $(grep -oE '[a-z]+ +- [^ ]+ .*FAIL|[^ ]+ +FAIL' "$work/log" | head -1 | tr -s ' ')" ;;
		esac
	fi
	cp "$work/saved" "$work/$file"
}

[ -n "$fit" ] || green || { echo "FAIL the tests fail without any defect"; tail -40 "$work/log"; exit 1; }
. "$here/list.sh"
[ $fails = 0 ] || echo "$fails defects went unnoticed"
exit $((fails > 0))
