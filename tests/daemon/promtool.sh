#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# Prometheus' own judge of the text of the metrics: its syntax, its names, its types.
# usage: promtool.sh TEST-METRICS; LAB_DIR may hold promtool (./run test puts it there)
set -u
PATH=$PATH:${LAB_DIR:-${XDG_CACHE_HOME:-${HOME:-/}/.cache}/losslessd-lab}/promtool
command -v promtool > /dev/null || { echo "no promtool (Debian: prometheus)"; exit 77; }
fails=0

out=$("$1" --text | promtool check metrics 2>&1)
if [ $? = 0 ] && [ -z "$out" ]; then
	echo "ok   the text is well"
else
	printf 'FAIL promtool says:\n%s\n' "$out"
	fails=1
fi

# A judge that finds nothing wrong in anything is none
if "$1" --text | sed 's/^losslessd_repairs_total /&x/' | promtool check metrics > /dev/null 2>&1; then
	echo "FAIL promtool takes a word for a number"
	fails=1
else
	echo "ok   a damaged text is refused"
fi
exit $fails
