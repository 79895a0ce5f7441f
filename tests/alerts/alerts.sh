#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# The alerts and the dashboard against the metrics that losslessd has: no name that nothing exports, and no metric that the
# man page does not tell. Prometheus' own promtool then says of each alert when it fires and when it does not.
# alerts.sh TEST-METRICS SOURCES; LAB_DIR may hold promtool (./run test puts it there)
set -u
export LC_ALL=C.UTF-8
metrics=$(readlink -f "$1") sources=$2
PATH=$PATH:${LAB_DIR:-${XDG_CACHE_HOME:-${HOME:-/}/.cache}/losslessd-lab}/promtool
rules=$sources/config/prometheus/losslessd.rules.yml
dashboard=$sources/config/grafana/losslessd.json
page=$sources/man/losslessd.8.scd
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1
fails=0

# expect WHAT IS EXPECTED
expect() {
	if [ "$2" = "$3" ]; then
		echo "ok   $1"
	else
		printf 'FAIL %s\n     | is:       %s\n     | expected: %s\n' "$1" "${2//$'\n'/ }" "${3//$'\n'/ }"
		fails=$((fails + 1))
	fi
}

# names FILE: of metrics, without what a histogram adds
names() {
	grep -oE '\blosslessd_[a-z_]+' "$1" | sed -E 's/(_repair_seconds)_(bucket|sum|count)$/\1/' | sort -u
}

# ---- names ----

"$metrics" --text > text
sed -n 's/^# HELP \(losslessd_[a-z_]*\) .*/\1/p' text | sort -u > exported
expect "there are metrics" "$([ "$(wc -l < exported)" -gt 10 ] && echo yes)" yes
expect "the man page names each" "$(sed -n '/^# METRICS/,/^# SANDBOX/p' "$page" | grep -oE '^_losslessd_[a-z_]+[a-z]' |
	sed 's/^_//' | sort -u)" "$(cat exported)"
for file in "$rules" "$dashboard" "$sources/tests/alerts/losslessd.test.yml"; do
	names "$file" > used
	expect "${file##*/}: only metrics that there are" "$(comm -23 used exported)" ""
	expect "${file##*/}: some" "$([ -s used ] && echo yes)" yes
done

# ---- labels: those in braces and in templates are the exported ones, or Prometheus' own ----

grep -oE '[a-z_]+="' text | tr -d '="' | sort -u > labels
printf '%s\n' alertname instance job severity >> labels
sort -o labels labels
for file in "$rules" "$dashboard"; do
	grep -oE '(\{|, ?)[a-z_]+ ?(=~|!=|=)\\?"|\$labels\.[a-z_]+|\{\{ ?[a-z_]+ ?\}\}|\b(by|on) \([a-z_, ]+\)' "$file" |
		sed -E 's/\$labels\.//; s/\b(by|on)\b//' | grep -oE '[a-z_]+' | sort -u > used
	expect "${file##*/}: only labels that there are" "$(comm -23 used <(printf '%s\n' le | sort -u - labels))" ""
done

# ---- the dashboard ----

expect "the dashboard is JSON, and every query asks the data source that is chosen" "$(python3 - "$dashboard" 2>&1 << 'END'
import json, sys
board = json.load(open(sys.argv[1]))
uid = "${datasource}"
assert [v["type"] for v in board["templating"]["list"] if v["name"] == "datasource"] == ["datasource"]
ids, titles, cells = set(), set(), set()
for panel in board["panels"]:
    assert panel["datasource"]["uid"] == uid, panel["title"]
    assert panel["id"] not in ids and panel["title"] not in titles, panel["title"]
    ids.add(panel["id"]), titles.add(panel["title"])
    at = panel["gridPos"]
    assert at["x"] + at["w"] <= 24, panel["title"]
    for x in range(at["x"], at["x"] + at["w"]):
        for y in range(at["y"], at["y"] + at["h"]):
            assert (x, y) not in cells, panel["title"] + " lies on another"
            cells.add((x, y))
    for target in panel["targets"]:
        assert target["datasource"]["uid"] == uid and "losslessd_" in target["expr"], panel["title"]
        print(target["expr"].replace("$__rate_interval", "5m").replace("$__range", "6h"), file=open("exprs", "a"))
END
)" ""

# ---- what promtool says ----

if ! command -v promtool > /dev/null; then
	[ $fails = 0 ] || exit 1
	echo "no promtool (Debian: prometheus): when alerts fire was not looked at"
	exit 77
fi
expect "promtool check rules" "$(promtool check rules "$rules" > out 2>&1 && echo yes)" yes
# A dashboard has no checker: its expressions as rules have
{ echo 'groups: [{name: dashboard, rules: ['
awk '{ gsub(/'\''/, "&&"); printf "{record: \"a:b%d\", expr: '\''%s'\''},\n", NR, $0 }' exprs
echo ']}]'; } > exprs.yml
expect "the dashboard's expressions" "$(promtool check rules exprs.yml > out 2>&1 && echo yes || cat out)" yes

# fires: is each alert as losslessd.test.yml says, by the rules here?
fires() {
	promtool test rules losslessd.test.yml > out 2>&1
}
cp "$sources/tests/alerts/losslessd.test.yml" "$rules" .
expect "when each alert fires" "$(fires && echo yes || cat out)" yes
# Every alert has such a test: under another name, and without its time, it has to be missed
while read -r alert; do
	sed "s/alert: $alert$/&Else/" "$rules" > losslessd.rules.yml
	expect "$alert is looked for" "$(fires || echo missed)" missed
	awk -v alert="$alert" '/- alert:/ { inside = $3 == alert } !(inside && /^ *for:/)' "$rules" > losslessd.rules.yml
	cmp -s "$rules" losslessd.rules.yml ||
		expect "$alert is not early" "$(fires || echo missed)" missed
done < <(sed -n 's/^ *- alert: //p' "$rules")
exit $((fails > 0))
