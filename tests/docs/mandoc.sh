#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# Another reader of man pages than groff takes them, and shows them in 80 columns. mandoc.sh PAGE...
set -u
export LC_ALL=C.UTF-8
command -v mandoc > /dev/null || { echo "no mandoc (Debian: mandoc)"; exit 77; }
fails=0
[ $# -ge 6 ] || { echo "FAIL only $# pages"; fails=1; }
for page; do
	# -W error: what scdoc makes has paragraphs without text, which is style
	if ! told=$(mandoc -T lint -W error "$page"); then
		echo "FAIL ${page##*/}: $told"
		fails=$((fails + 1))
	elif wide=$(mandoc -T ascii -O width=78 "$page" | sed 's/.\x08//g' | awk 'length > 80'); [ -n "$wide" ]; then
		printf 'FAIL %s: wider than 80 columns:\n%s\n' "${page##*/}" "$wide"
		fails=$((fails + 1))
	elif stray=$(mandoc -T ascii "$page" | sed 's/.\x08//g' | grep -E '\*_|[a-z]_( |$)'); [ -n "$stray" ]; then
		printf 'FAIL %s: a mark of scdoc that was meant for emphasis:\n%s\n' "${page##*/}" "$stray"
		fails=$((fails + 1))
	else
		echo "ok   ${page##*/}"
	fi
done
exit $((fails > 0))
