#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# losslessd with two emulated switches, and a node whose port is not there: apply, drift and its repair, confirm, a
# switch that hangs, losslessd killed. The emulator's own record says what was sent.
# daemon.sh LOSSLESSCTL LOSSLESSD LOSSLESSD-SWITCH SOURCE-DIR
set -u
export LC_ALL=C.UTF-8 PYTHONDONTWRITEBYTECODE=1 DBUS_SYSTEM_BUS_ADDRESS=unix:path=/no-such-bus
ctl=$(realpath "$1") daemon=$(realpath "$2") worker=$(realpath "$3") source=$4
PATH=$PATH:/usr/sbin:${LAB_DIR:-${XDG_CACHE_HOME:-${HOME:-/}/.cache}/losslessd-lab}/sshd
python=/usr/bin/python3 serve=$source/tests/switch/emulator/serve.py
[ "$(id -u)" = 0 ] || { echo "needs root: losslessctl apply does"; exit 77; }
command -v sshd > /dev/null || { echo "no sshd (Debian: openssh-server)"; exit 77; }
$python -c 'import yaml' 2> /dev/null || { echo "no yaml (Debian: python3-yaml)"; exit 77; }
tmp=$(mktemp -d) fails=0 main= helper=
clean_up() {
	[ -z "$main$helper" ] || kill -KILL $main $helper 2> /dev/null
	$python "$serve" stop "$tmp/sw" > /dev/null
	rm -rf "$tmp"
}
trap clean_up EXIT
cd "$tmp" || exit 1
mkdir run state credentials known once
chmod 755 .
chmod 777 once

ok() {
	echo "ok   $1"
}
bad() {
	echo "FAIL $1"
	sed 's/^/     | /' out log | tail -n 40
	fails=$((fails + 1))
}
holds() { # WHAT COMMAND...
	local what=$1
	shift
	if "$@" > held 2>&1; then ok "$what"; else bad "$what"; fi
}
ctl() { # STATUS WHAT ARGS...
	local want=$1 what=$2 status=0
	shift 2
	timeout 120 "$ctl" "$@" --run-dir run > out 2>&1 < /dev/null || status=$?
	if [ $status = "$want" ]; then ok "$what"; else bad "$what: exit status $status, expected $want"; fi
}
says() { # WHAT PATTERN
	if grep -qE -- "$2" out; then ok "$1"; else bad "$1: no line like '$2'"; fi
}
until_true() { # COMMAND...: for a minute at most
	local i
	for ((i = 0; i < 600; i++)); do
		! "$@" > /dev/null 2>&1 || return 0
		sleep .1
	done
	return 1
}
# lines N: configuration lines that switch N has taken since the file sw-N.seen was made
lines() {
	tail -n +$(($(cat "seen.$1") + 1)) "sw/sw-huawei-$1/state.json.log" | grep -c '^line'
}
seen() {
	local i
	for i in 1 2; do wc -l < "sw/sw-huawei-$i/state.json.log" > seen.$i; done
}
# What switch N runs, as one line; and whether that is what it starts with
running() {
	$python -c 'import json, sys; print(json.dumps(json.load(open(sys.argv[1]))["running"], sort_keys=True))' \
		"sw/sw-huawei-$1/state.json"
}
saved() {
	$python -c 'import json, sys; s = json.load(open(sys.argv[1])); sys.exit(s["running"] != s["startup"])' \
		"sw/sw-huawei-$1/state.json"
}
by_hand() { # N LINE...: somebody else logs in
	local n=$1 port
	shift
	port=$($python "$serve" list sw | awk -v name=sw-huawei-$n '$1 == name { print $3 }')
	printf '%s\n' "$@" quit | ssh -tt -i sw/client -o UserKnownHostsFile=sw/known_hosts -p "$port" 127.0.0.1 \
		> by-hand 2>&1
}
has_pfc() { # N
	running "$1" | grep -q 'dcb pfc enable mode manual'
}
no_pfc() {
	! has_pfc "$1"
}
in_sync() {
	"$ctl" status --run-dir run > status 2>&1
	cat status >> statuses
	[ "$(grep -cE '^sw-huawei-[12] +in-sync' status)" = 2 ]
}

$python "$serve" start sw huawei --count 2 > switches || exit 1
install -m 600 sw/client credentials/switch_client
fabric() { # PFC
	cat <<-END
	version: 1
	fabric: pod-a
	roce: {traffic_class: 106, cnp: {dscp: 48, priority: 6}}
	qos: {dscp_to_priority: {26: 3}, pfc: $1}
	ecn: {priorities: [3], min: 150KiB, max: 1500KiB}
	policy: {switch_audit_interval: 2s, audit_interval: 1h}
	nodes: {gpu-1: {nics: [{name: no-such-port}]}}
	switches:
	END
	while read -r name address port _; do
		cat <<-END
		  $name:
		    {dialect: huawei-cloudengine, address: $address, port: $port, username: $(id -un), key: client,
		    trust: first-use, ports: {100GE1/0/1: gpu-1/port-${name##*-}}}
		END
	done < switches
}
fabric '[3]' > good.yaml
fabric '[3, 4]' > other.yaml
start_worker() {
	CREDENTIALS_DIRECTORY=$tmp/credentials STATE_DIRECTORY=$tmp/known \
		LOSSLESSD_DIALECTS=$source/config/dialects "$worker" --socket run/switch 2>> log &
	helper=$!
	until_true test -S run/switch
}
start_main() {
	"$daemon" --state-dir=state --run-dir=run --switch-socket=run/switch --fabric=good.yaml --node=gpu-1 2>> log &
	main=$!
	until_true sh -c "'$ctl' status --json --run-dir run | grep -q '\"node\": \"gpu-1\"'"
}
: > out
start_worker
mv good.yaml later.yaml	# nothing to begin with
start_main
mv later.yaml good.yaml

# ---- an apply ----

ctl 2 "apply: only the port of the node is pending" apply -f good.yaml
says "apply: both switches" '^0 of 1 port and 2 of 2 switches in sync$'
says "apply: what was changed" '^sw-huawei-1/100GE1/0/1 +pfc.enabled +off +→ +on +done'
for i in 1 2; do
	holds "switch $i has it" has_pfc $i
	holds "switch $i has saved it" saved $i
done
seen
# Without losslessd: as root, with the folder of credentials, which both switches take the same one of
install -d -m 700 etc
holds "without the key it says where that has to be" env LOSSLESSD_CREDENTIALS="$tmp/etc" LOSSLESSD_SWITCH="$worker" \
	LOSSLESSD_DIALECTS="$source/config/dialects" STATE_DIRECTORY="$tmp/once" sh -c \
	"! '$ctl' switch test sw-huawei-1 -f good.yaml --node gpu-1 > out 2>&1; grep -qF 'put it into $tmp/etc, mode 0600' out"
cp credentials/switch_client etc/client
holds "a plan without losslessd: both switches read, with the key that they share" env LOSSLESSD_CREDENTIALS="$tmp/etc" \
	LOSSLESSD_SWITCH="$worker" LOSSLESSD_DIALECTS="$source/config/dialects" STATE_DIRECTORY="$tmp/once" sh -c \
	"'$ctl' plan -f good.yaml --node gpu-1 > out 2>&1; grep -q '2 of 2 switches in sync' out"
holds "nothing of it stays in /run" sh -c '! ls -d /run/losslessd-?????? 2> /dev/null | grep -q .'
ctl 2 "a second apply" apply -f good.yaml
says "a second apply: nothing to change" '^nothing to change$'
holds "a second apply: not one line" test "$(lines 1) $(lines 2)" = "0 0"
holds "history" sh -c "'$ctl' history --state-dir state > out"
says "history: the switches" 'sw-huawei-2/100GE1/0/1 +pfc.enabled +off'

# ---- drift ----

seen
by_hand 1 system-view "interface 100GE1/0/1" "undo dcb pfc enable" commit return
holds "somebody switched PFC off" grep -q 'undo dcb pfc enable' sw/sw-huawei-1/state.json.log
holds "the audit repairs it" until_true has_pfc 1
holds "and only that" test "$(lines 2)" = 0
holds "the journal says what" until_true grep -q 'sw-huawei-1/100GE1/0/1 pfc.enabled: drift, want on, have off' log
holds "all is in sync again" until_true in_sync
ctl 2 "status" status
says "status: which switch, and how" '^sw-huawei-1 +in-sync +huawei-cloudengine 127.0.0.1'

# ---- a commit that does nothing, and says nothing of it ----

echo "commit-fails Info: later" > sw/sw-huawei-1/faults
by_hand 2 system-view "interface 100GE1/0/1" "undo dcb pfc enable" commit return
holds "the other one is repaired" until_true has_pfc 2
before=$(running 1)
ctl 1 "apply: a commit that leaves the mark of what is staged" apply -f other.yaml
says "which is told" "sw-huawei-1 .*the prompt still has '\*': not committed"
holds "nothing of it is in force" test "$(running 1)" = "$before"
: > sw/sw-huawei-1/faults
ctl 0 "rollback to the file before that" rollback
holds "all is in sync again" until_true in_sync

# ---- one that hangs ----

echo "hang 60 *" > sw/sw-huawei-2/faults
until_true grep -q $'\tdisplay' sw/sw-huawei-2/state.json.log
by_hand 1 system-view "interface 100GE1/0/1" "undo dcb pfc enable" commit return
holds "the other one is repaired meanwhile" until_true has_pfc 1
holds "a status waits for nobody" timeout 10 sh -c "'$ctl' status --run-dir run; test \$? -ne 124"
: > sw/sw-huawei-2/faults

# ---- confirm, return ----

holds "all is in sync again" until_true in_sync
at_first=$(running 1)
is_as_at_first() {
	[ "$(running 1)" = "$at_first" ]
}
ctl 2 "apply --confirm" apply -f other.yaml --confirm 4s
holds "it is there" sh -c "grep -q 'priority 4' sw/sw-huawei-1/state.json"
holds "unconfirmed: it returns" until_true is_as_at_first
holds "unconfirmed: in sync with the file before" until_true in_sync
ctl 2 "apply --confirm again" apply -f other.yaml --confirm 5s
kill -KILL $main
wait $main 2> /dev/null
start_main
holds "losslessd killed meanwhile: it returns" until_true is_as_at_first
holds "losslessd killed meanwhile: in sync" until_true in_sync
ctl 2 "apply --confirm once more" apply -f other.yaml --confirm 60s
ctl 0 "confirm" confirm
holds "confirmed: saved" until_true saved 1
ctl 0 "rollback to the file before" rollback
holds "rollback: as before" until_true is_as_at_first
ctl 0 "rollback to nothing" rollback
says "rollback: what it took back" 'pfc.enabled +on +→ +off +done'
holds "rollback: the port is as it was" no_pfc 1

# ---- the end in the middle of a push ----

echo "slow 300" | tee sw/sw-huawei-1/faults > sw/sw-huawei-2/faults
seen
"$ctl" apply -f good.yaml --run-dir run > out 2>&1 &
apply=$!
begun() {
	[ "$(lines 1)" -ge 2 ]
}
until_true begun
kill -TERM $helper
wait $helper 2> /dev/null
helper=
wait $apply
nothing_staged() {
	$python -c 'import json, sys; s = json.load(open(sys.argv[1])); sys.exit(bool(s.get("candidates")))' \
		sw/sw-huawei-1/state.json
}
holds "losslessd-switch ended in the middle: nothing is staged" until_true nothing_staged
holds "and nothing was committed" no_pfc 1
says "which is said of the switch" 'sw-huawei-1 .*(unknown|pending)'
rm -f run/switch
: | tee sw/sw-huawei-1/faults > sw/sw-huawei-2/faults
start_worker
holds "it is there again: repaired" until_true in_sync

# ---- killed in the middle of a rollback ----

echo "slow 300" | tee sw/sw-huawei-1/faults > sw/sw-huawei-2/faults
seen
"$ctl" rollback --run-dir run > out 2>&1 &
back=$!
until_true begun
kill -KILL $main
wait $main $back 2> /dev/null
holds "killed while switches are returned: it is on disk" grep -q '^phase returning' state/undo
: | tee sw/sw-huawei-1/faults > sw/sw-huawei-2/faults
start_main
holds "the next start goes on" until_true no_pfc 1
holds "with both" until_true no_pfc 2
holds "and says so" until_true grep -q 'returned: a rollback was interrupted' log
ctl 2 "apply again" apply -f good.yaml
holds "all is in sync again" until_true in_sync

# ---- asked by themselves, long before the next audit ----

sed 's/switch_audit_interval: 2s/switch_audit_interval: 6h/' good.yaml > slow.yaml
sed 's/switch_audit_interval: 2s/switch_audit_interval: 6h/' other.yaml > slow-other.yaml
ctl 2 "an audit every 6 hours" apply -f slow.yaml
ctl 2 "another file, with --confirm" apply -f slow-other.yaml --confirm 4s
: > log
holds "it returns" until_true grep -q 'returned: nobody confirmed' log
: > statuses
holds "the switches are read again" until_true in_sync
holds "a status meanwhile: they are asked" sh -c "! grep -E 'not asked|switch test' statuses"
holds "what is not there is not told to be" sh -c "! grep -q 'no-such-port: is there' log"
kill -KILL $main
wait $main 2> /dev/null
kill -TERM $helper
wait $helper 2> /dev/null
helper=
rm -f run/switch
start_main
"$ctl" status --run-dir run > out 2>&1
says "started before losslessd-switch: that is said" '^sw-huawei-1 .*unknown.* losslessd-switch cannot be reached'
start_worker
: > statuses
holds "it is asked when it is there" until_true in_sync

holds "losslessd ends well" sh -c "kill $main"
wait $main
holds "with exit status 0" test $? = 0
main=
[ $fails = 0 ] || echo "$fails failed"
exit $((fails > 0))
