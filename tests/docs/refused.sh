#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# Pages that commands.py has to find something wrong with, and one that it has not. refused.sh BUILD SOURCES
set -u
export LC_ALL=C.UTF-8
[ "$(id -u)" = 0 ] || { echo "needs root"; exit 77; }
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
fails=0

# page STATUS WHAT PATTERN LINE...: what is said of a page with these lines
page() {
	local want=$1 what=$2 pattern=$3 status=0
	shift 3
	printf '%s\n' "$@" > "$tmp/page.md"
	"$(dirname "$0")/commands.py" "$build" "$sources" "$tmp/page.md" > "$tmp/out" 2>&1 || status=$?
	if [ $status = "$want" ] && grep -qE -- "$pattern" "$tmp/out"; then
		echo "ok   $what"
	else
		echo "FAIL $what: exit status $status, expected $want, and /$pattern/ in"
		sed 's/^/     | /' "$tmp/out"
		fails=$((fails + 1))
	fi
}
build=$1 sources=$2
example="cp /usr/share/doc/losslessd/examples/two-nodes-back-to-back.yaml /etc/losslessd/fabric.yaml"
checked="/etc/losslessd/fabric.yaml: valid, fabric bench"

page 0 "a good page" "2 commands run, 1 more of running text, 0 wrong" '```console' "\$ sudo $example" \
	'$ losslessctl check /etc/losslessd/fabric.yaml' "$checked" '```' 'See `losslessctl explain pfc`.'
page 0 "cut" "0 wrong" '```' "\$ $example" '$ losslessctl plan' 'TARGET     KNOB              NOW    THEN  WHERE           NOTE' \
	... '```'
page 1 "another output" "it says:" '```' "\$ $example" '$ losslessctl check /etc/losslessd/fabric.yaml' "$checked." '```'
page 1 "a line too few" "it says:" '```' "\$ $example" '$ losslessctl plan' 'TARGET     KNOB              NOW    THEN  WHERE           NOTE' \
	'```'
page 1 "cut at the wrong place" "it says:" '```' "\$ $example" '$ losslessctl plan' ... 'TARGET NOTHING' ... '```'
page 1 "indented, another output" "it says:" "" "    \$ $example" '    $ losslessctl check /etc/losslessd/fabric.yaml' '    valid' ""
page 1 "a command that fails" "exit status 1" '```' '$ losslessctl plan' '```'
page 0 "and says so" "0 wrong" '```' '$ losslessctl plan  # exit status 1' '```'
page 1 "no prompt" "a command without a prompt: losslessctl plan" '```' 'losslessctl plan' '```'
page 1 "no prompt, indented" "a command without a prompt: sudo losslessctl" "" "    sudo losslessctl apply" ""
page 1 "no such verb" "exit status 64" '```' '$ losslessctl frobnicate' '```'
page 1 "no such verb in the text" "no such verb: frobnicate" 'Use `losslessctl frobnicate`.'
page 1 "no such option in the text" "plan has no option --frob" 'Use `losslessctl plan --frob`.'
page 1 "no such thing in the text" "no such thing: moods" 'Use `losslessctl show moods`.'
page 1 "no such option of all" "no such option: --frob" 'Use `losslessctl --frob`.'
[ $fails = 0 ] || echo "$fails failed"
exit $((fails > 0))
