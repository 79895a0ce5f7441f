#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# The man pages against the sources, both ways: methods, properties and signals with their types, ids of the journal,
# options, metrics. pages.sh SOURCES
set -u
cd "$1" || exit 1
export LC_ALL=C.UTF-8
fails=0
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT

# same WHAT LEAST: code and page in $tmp have the same lines, and at least that many
same() {
	sort -o "$tmp/code" "$tmp/code"
	sort -o "$tmp/page" "$tmp/page"
	if diff "$tmp/code" "$tmp/page" > "$tmp/diff" && [ "$(wc -l < "$tmp/code")" -ge "$2" ]; then
		echo "ok   $1"
	else
		echo "FAIL $1: < in the code only ($(wc -l < "$tmp/code") at all), > in the page only"
		cat "$tmp/diff"
		fails=$((fails + 1))
	fi
}

# section PAGE NAME
section() {
	awk -v name="# $2" '/^# / { inside = $0 == name } inside' "man/$1.scd"
}

bus=daemon/bus-methods.c page=org.lossless.Node1.5
sed -nE 's/^\tMETHOD\("([A-Za-z]+)", "([^"]*)",[^"]*"([^"]*)".*/\1(\2) -> \3/p' $bus | sed 's/ -> $//' > "$tmp/code"
section $page METHODS | sed -nE 's/^\*([A-Za-z]+)\*(\(.*)$/\1\2/p' > "$tmp/page"
same "methods" 9
sed -nE 's/^\tPROPERTY\("([A-Za-z]+)", "([^"]*)"\).*/\1 \2/p' $bus > "$tmp/code"
section $page PROPERTIES | sed -nE 's/^\*([A-Za-z]+)\* (.*)$/\1 \2/p' > "$tmp/page"
same "properties" 13
sed -nE 's/^\tSD_BUS_SIGNAL(_WITH_NAMES)?\("([A-Za-z]+)", "([^"]*)".*/\2(\3)/p' $bus > "$tmp/code"
{ section $page SIGNALS; section $page JOBS; } | sed -nE 's/^\*([A-Za-z]+)\*(\(.*)$/\1\2/p' > "$tmp/page"
same "signals" 5
sed -nE 's/.*strcmp\(name, "([a-z-]+)"\) == 0.*/\1/p' daemon/bus-job.c > "$tmp/code"
section $page OPTIONS | grep -E '^_' | grep -oE '_[a-z-]+_' | tr -d _ > "$tmp/page"
same "options of the bus" 4
grep -ohE 'SD_BUS_ERROR_[A-Z_]+' daemon/bus-{auth,job,methods}.c | grep -v _NULL | sed 's/SD_BUS_ERROR_//; s/_//' | sort -u > "$tmp/code"
grep -oE 'Error\.[A-Za-z]+_' man/$page.scd | tr -d _ | sed 's/Error\.//' | tr a-z A-Z | sort -u > "$tmp/page"
same "errors" 3

page=losslessd.8
sed -nE 's/^#define MESSAGE_[A-Z_]+ "([0-9a-f]{32})"/\1/p' daemon/messages.h > "$tmp/code"
section $page JOURNAL | grep -oE '_[0-9a-f]{32}' | tr -d _ > "$tmp/page"
same "ids of the journal" 16
sed -nE 's/^\t\t    "  (--[a-z-]+).*/\1/p' daemon/main.c > "$tmp/code"
sed -nE 's/^\t"  (--[a-z-]+).*/\1/p' daemon/nic-main.c daemon/switch-main.c >> "$tmp/code"
sort -u -o "$tmp/code" "$tmp/code"
section $page OPTIONS | grep -E '^\*--' | grep -oE -- '--[a-z-]+' > "$tmp/page"
same "options" 7

sed -nE 's/^\t(head|number)\(out, "([a-z_]+)".*/losslessd_\2/p' daemon/metrics.c > "$tmp/code"
section $page METRICS | sed -nE 's/^_(losslessd_[a-z_]+)_( \{.*)?$/\1/p' > "$tmp/page"
same "metrics" 8

page=lossless-dialect.5
{
	grep -ohE '^\s*\{ "[a-z_]+", load_' lib/switch/load-*.c | cut -d'"' -f2
	sed -nE '/static const char \*const names\[\] = \{/,/\};/s/.*\[TRANSACTION_.*/&/p' lib/switch/load-dialect.c | grep -oE '"[a-z]+"' | tr -d '"'
} | sort -u > "$tmp/code"
grep -oE '\*[a-z_]+\*' man/$page.scd | tr -d '*' | sort -u | comm -12 - "$tmp/code" > "$tmp/page"
same "keys of a dialect" 50
sed -nE 's/^\t\[FILTER_[A-Z_]+\] = \{ "([a-z:-]+)".*/\1/p' lib/switch/template.c | sort > "$tmp/code"
section $page LINES | grep -E '^\*[a-z]' | grep -oE '\*[a-z:-]+\*' | tr -d '*' > "$tmp/page"
same "filters of a dialect" 12
sed -nE 's/^\s*\.name = "([a-z_.]+)".*/\1/p' lib/model/switch.c | sort > "$tmp/code"
section $page KNOBS | sed -nE 's/^\|  ([a-z_.]+)$/\1/p' > "$tmp/page"
same "knobs of switches" 16

# Where there is scdoc, it takes them
if command -v scdoc > /dev/null; then
	for file in man/*.scd; do
		scdoc < "$file" > "$tmp/out" 2> "$tmp/err" && [ -s "$tmp/out" ] && continue
		echo "FAIL $file: $(cat "$tmp/err")"
		fails=$((fails + 1))
	done
fi
[ $fails = 0 ] || echo "$fails checks failed"
exit $((fails > 0))
