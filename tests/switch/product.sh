#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# The product as people run it, between emulated switches: apply, status, rollback; each fault; what names may be; where
# secrets are. NICs are pending, because no machine has them. Every case has a folder, and two switches of its own.
# product.sh LOSSLESSCTL LOSSLESSD LOSSLESSD-SWITCH SSH-CLIENT SOURCES [CASE...]
set -u
export LC_ALL=C.UTF-8 PYTHONDONTWRITEBYTECODE=1
unset NO_COLOR
ctl=$(realpath "$1") daemon=$(realpath "$2") worker=$(realpath "$3") client=$(realpath "$4") sources=$5
shift 5
[ "$(id -u)" = 0 ] || { echo "needs root"; exit 77; }
PATH=$PATH:/usr/sbin:${LAB_DIR:-${XDG_CACHE_HOME:-${HOME:-/}/.cache}/losslessd-lab}/sshd
command -v sshd > /dev/null || { echo "no sshd (Debian: openssh-server)"; exit 77; }
# Who losslessctl makes its worker: the user of the package, where that is installed
worker_user=$(id -nu losslessd-switch 2> /dev/null) || worker_user=nobody
python=/usr/bin/python3
$python -c 'import yaml' 2> /dev/null || { echo "no yaml (Debian: python3-yaml)"; exit 77; }
tmp=$(mktemp -d) || exit 1
chmod 755 "$tmp"
clean_up() {
	for dir in "$tmp"/*/sw; do
		[ ! -d "$dir" ] || $python "$sources/tests/switch/emulator/serve.py" stop "$dir" > /dev/null
	done
	rm -rf "$tmp"
}
trap clean_up EXIT
install -m 755 "$worker" "$tmp/losslessd-switch"
cp -r "$sources/config/dialects" "$tmp/dialects"
chmod -R a+rX "$tmp/dialects"
export LOSSLESSD_SWITCH=$tmp/losslessd-switch LOSSLESSD_DIALECTS=$tmp/site:$tmp/dialects

declare -A dialect=([huawei]=huawei-cloudengine [eos]=arista-eos [onyx]=nvidia-onyx [cumulus]=nvidia-cumulus [sonic]=sonic
	[ruijie]=ruijie-rgos)
declare -A port=([huawei]=100GE1/0/1 [eos]=Ethernet1 [onyx]=1/1 [cumulus]=swp1 [sonic]=Ethernet0
	[ruijie]="HundredGigabitEthernet 0/1")
declare -A address=() key=() more=()

# What people are told to do with the template: commands of their own
mkdir "$tmp/site"
sed '/^  pfc.*: {unsupported/d' "$sources/config/dialects/ruijie-rgos.yaml" > "$tmp/site/ruijie-rgos.yaml"
cat >> "$tmp/site/ruijie-rgos.yaml" << 'END'
  pfc.priorities: {unsupported: "of each port (pfc)"}
  pfc.enabled:
    scope: port
    needs: [pfc]
    in: "interface $port"
    set: "priority-flow-control mode on"
    unset: "no priority-flow-control mode"
    read:
      send: "show priority-flow-control"
      row: '^(?<port>\S+ \S+) +(?<value>\S+)'
      words: {"on": true, "off": false}
  pfc:
    scope: port
    in: "interface $port"
    each: {set: "priority-flow-control priority $key", del: "no priority-flow-control priority $key"}
    read:
      send: "show priority-flow-control"
      row: '^(?<port>\S+ \S+) +(?:on|off) +(?:on|off) *(?<value>[\d,]*)$'
      as: list
  pfc_watchdog: {unsupported: "no source"}
  pfc_watchdog.enabled: {unsupported: "no source"}
END

# ---- a case ----

ok() {
	echo "ok   $name: $1"
}

bad() {
	echo "FAIL $name: $1"
	cat out err | grep -v ' is unsupported: ' | sed 's/^/     | /' | head -n 25
}

# holds WHAT COMMAND...
holds() {
	local what=$1
	shift
	if "$@" > held 2>&1; then
		ok "$what"
	else
		bad "$what"
		sed 's/^/     > /' held | head -n 20
	fi
}

# says WHAT PATTERN: a line of what came out matches
says() {
	holds "$1" grep -hqE -- "$2" out err
}

product() {
	$python "$sources/tests/switch/product.py" "$@"
}

serve() {
	$python "$sources/tests/switch/emulator/serve.py" "$@"
}

state() {
	echo "sw/sw-$1-1/state.json"
}

faults() {
	echo "sw/sw-$1-1/faults"
}

# visit VENDOR: somebody logs in, so that the switch looks at its clock
visit() {
	SSH_ORIGINAL_COMMAND=true $python "$sources/tests/switch/emulator/emulator.py" "$1" "$(state "$1")" \
		"$(faults "$1")" > /dev/null
}

# start VENDOR [OPTION...]: one switch more in this case
start() {
	local row
	row=$(serve start sw "$@")
	read -r _ _ address[$1] key[$1] _ <<< "$row"
	# Its database is made by who comes first
	visit "$1"
	[ -e cred/switch_admin ] || install -m 600 -o "$worker_user" sw/client cred/switch_admin
}

# fabric VENDOR...: what the file says of them; qos has the text of its settings
fabric() {
	local vendor i=0 nics=
	for vendor; do
		i=$((i + 1))
		nics+="${nics:+, }{name: ens${i}f0np0}"
	done
	printf 'version: 1\nfabric: pod-a\n%s\nnodes:\n  gpu-1: {nics: [%s]}\nswitches:\n' "$qos" "$nics"
	i=0
	for vendor; do
		i=$((i + 1))
		printf '  sw-%s-1:\n    dialect: %s\n    address: 127.0.0.1\n    port: %s\n' "$vendor" "${dialect[$vendor]}" \
			"${address[$vendor]}"
		printf '    ports: {"%s": gpu-1/ens%df0np0}\n' "${port[$vendor]}" $i
		printf '    %s\n' "${more[$vendor]:-username: root
    key: admin
    host_key: [\"${key[$vendor]}\"]}"
	done
}

# run STATUS WHAT VERB...: losslessctl VERB ends with STATUS
run() {
	local want=$1 what=$2 status=0
	shift 2
	"$ctl" "$@" > out 2> err < /dev/null || status=$?
	if [ $status = "$want" ]; then
		ok "$what"
	else
		bad "$what: exit status $status, expected $want"
	fi
}

apply() {
	run "$1" "$2" apply --once -f fabric.yaml --node gpu-1 --state-dir state --run-dir state "${@:3}"
}

status() {
	run "$1" "$2" status -f fabric.yaml --node gpu-1 "${@:3}"
}

# untouched VENDOR: what it has is what it had when begin was called, and nothing waits
untouched() {
	holds "$1: nothing staged" product settled "$(state "$1")"
	holds "$1: nothing changed" cmp <(product running "$(state "$1")") "before.$1"
}

# remember VENDOR...
remember() {
	local vendor
	for vendor; do
		product running "$(state "$vendor")" > "before.$vendor"
		product mark "$(state "$vendor")" > "mark.$vendor"
	done
}

# written VENDOR: how many lines that write came since
written() {
	product log "$(state "$1")" "$(cat "mark.$1")" line commit save | wc -l
}

# blank VENDOR: as on a switch on which nothing of it is set
blank() {
	case $1 in
	huawei) product set "$(state huawei)" {running,startup}'/modes/dcb pfc/lines={}' ;;
	sonic) product set "$(state sonic)" {running,startup}'/PORT_QOS_MAP/Ethernet0/pfc_enable=""' ;;
	esac
}

# begin VENDOR...: the switches and the file
begin() {
	local vendor
	for vendor; do
		start "$vendor"
		blank "$vendor"
	done
	qos=$small
	fabric "$@" > fabric.yaml
	remember "$@"
}

small='qos:
  pfc: [3]'
all='roce:
  traffic_class: 106
  cnp: {dscp: 48, priority: 6}
qos:
  dscp_to_priority: {26: 3, 48: 6}
  pfc: [3]
  pfc_watchdog: {detect: 200ms, restore: 400ms, action: drop}
ecn: {priorities: [3], min: 150KiB, max: 1500KiB, probability: 100%}
mtu: 4200'

# ---- 1, 2: both ends as render says, and back ----

# speak VENDOR LINE...: a session of its own
speak() {
	"$client" "port=${address[$1]}" user=root "key=$PWD/sw/client" "known=$PWD/sw/known_hosts" \
		"dialect=$sources/config/dialects/${dialect[$1]}.yaml" -- "${@:2}"
}

# disturb VENDOR: somebody else's session switches PFC of the port off
disturb() {
	local lines
	case $1 in
	huawei) lines=(system-view "interface ${port[$1]}" "undo dcb pfc enable" commit return) ;;
	eos) lines=("configure terminal" "interface ${port[$1]}" "no priority-flow-control" end) ;;
	onyx) lines=("configure terminal" "no interface ethernet ${port[$1]} dcb priority-flow-control mode force" exit) ;;
	cumulus) lines=("nv unset interface ${port[$1]} qos pfc profile" "nv config apply -y") ;;
	sonic) lines=("sudo config interface pfc priority ${port[$1]} 3 off") ;;
	ruijie) lines=("configure terminal" "interface ${port[$1]}" "no priority-flow-control mode" end) ;;
	esac
	speak "$1" "${lines[@]}"
}

# spoil VENDOR: what is by itself as it is wanted is otherwise
spoil() {
	local lines
	case $1 in
	huawei) lines=(system-view "interface ${port[$1]}" "jumboframe enable 1518" commit return) ;;
	eos) lines=("configure terminal" "qos map dscp 26 to traffic-class 1" "qos map dscp 48 to traffic-class 7"
		"interface ${port[$1]}" "tx-queue 6" "no priority" end) ;;
	onyx) lines=("configure terminal" "interface ethernet ${port[$1]} qos map dscp 26 to switch-priority 0"
		"interface ethernet ${port[$1]} qos map dscp 48 to switch-priority 7" "interface ethernet ${port[$1]} mtu 1500 force" exit) ;;
	sonic) lines=("sudo config interface mtu ${port[$1]} 1500") ;;
	*) return ;;
	esac
	holds "$1: spoiled" speak "$1" "${lines[@]}"
	product keep "$(state "$1")"
}

declare -A disturbed=([sonic]="pfc +drift +3 +none")
# What stays, because others may use it by now: LLDP, PFC of the whole switch, an empty profile; a default that is said
declare -A stays=([huawei]=$'lldp enable\n'
	[onyx]=$'dcb priority-flow-control enable force\ninterface ethernet 1/1 qos trust L2\n'
	[cumulus]=$'qos pfc losslessd rx enable\nqos pfc losslessd tx enable\n')

# life VENDOR VENDOR
life() {
	local vendor
	begin "$@"
	qos=$all
	fabric "$@" > fabric.yaml
	for vendor; do
		spoil "$vendor"
	done
	remember "$@"
	for vendor; do
		cp "before.$vendor" "first.$vendor"
	done
	# The NICs are pending, or what a dialect cannot do fails
	apply "$ends" "applied"
	for vendor; do
		cp out "out.$vendor"
	done
	for vendor; do
		holds "$vendor: saved" product settled "$(state "$vendor")"
		holds "$vendor: told" grep -qE "^sw-$vendor-1/${port[$vendor]} .* done$" "out.$vendor"
		run 0 "$vendor: rendered" switch render --json "sw-$vendor-1" -f fabric.yaml
		holds "$vendor: sent as rendered" product sent "$(state "$vendor")" "$(cat "mark.$vendor")" out
	done
	remember "$@"
	apply "$ends" "applied again"
	for vendor; do
		holds "$vendor: nothing sent again" test "$(written "$vendor")" = 0
	done
	status "$ends" "status" --json
	for vendor; do
		holds "$vendor: in sync" product calm out "sw-$vendor-1"
		holds "$vendor: changed by hand" disturb "$vendor"
	done
	status "$ends" "status of what was changed by hand"
	for vendor; do
		says "$vendor: drift with switch, port, knob, want, have" \
			"^sw-$vendor-1/${port[$vendor]} +${disturbed[$vendor]:-pfc.enabled +drift +on +off}"
	done
	apply "$ends" "repaired"
	for vendor; do
		untouched "$vendor"
	done
	run 0 "returned" rollback --once --state-dir state --run-dir state
	for vendor; do
		holds "$vendor: saved again" product settled "$(state "$vendor")"
		product running "$(state "$vendor")" > "last.$vendor"
		holds "$vendor: as it was, but for what others may use" diff <(printf "%s" "${stays[$vendor]-}" | sort - "first.$vendor") "last.$vendor"
	done
}

case_huawei_eos() {
	ends=2 life huawei eos
}

case_onyx_cumulus() {
	ends=2 life onyx cumulus
}

case_sonic_ruijie() {
	ends=1 life sonic ruijie
}

# ---- 3: faults ----

# alone VICTIM OTHER STATUS PATTERN: after an apply one line tells of it, nothing is left there, the other is served
alone() {
	apply "$3" "applied beside it"
	says "told in one line" "^sw-$1-1 +– +(failed|unknown|pending) +– +– +– +$4"
	holds "only one line" test "$(grep -cE "^sw-$1-1 +– " out)" = 1
	untouched "$1"
	holds "$2: served" grep -qE "^sw-$2-1/.* done$" out
	holds "$2: saved" product settled "$(state "$2")"
	holds "$2: written" test "$(written "$2")" -gt 2
}

# fault VICTIM OTHER FAULT PATTERN
fault() {
	begin "$1" "$2"
	echo "$3" > "$(faults "$1")"
	alone "$1" "$2" 1 "$4"
}

# leave VENDOR: somebody, or we before, stages a line and does not commit it
leave() {
	local lines
	case $1 in
	eos) lines=("configure session losslessd" "interface Ethernet2" "description stale") ;;
	cumulus) lines=("nv set interface swp2 description stale") ;;
	*) return ;;
	esac
	holds "$1: left something" speak "$1" "${lines[@]}"
}

# again VICTIM: without the fault, the next apply does all of it and nothing else
again() {
	: > "$(faults "$1")"
	leave "$1"
	remember "$1"
	apply 2 "applied without the fault"
	holds "$1: saved" product settled "$(state "$1")"
	run 0 "$1: rendered" switch render --json "sw-$1-1" -f fabric.yaml
	holds "$1: sent as rendered" product sent "$(state "$1")" "$(cat "mark.$1")" out
	holds "$1: nothing else is in force" test "$(product running "$(state "$1")" | grep -c stale)" = 0
}

case_wrong_key() {
	begin eos huawei
	ssh-keygen -q -t ed25519 -N '' -f other
	install -m 600 -o "$worker_user" other cred/switch_other
	more[eos]="username: root
    key: other
    host_key: [\"${key[eos]}\"]"
	fabric eos huawei > fabric.yaml
	alone eos huawei 1 'the switch refused user "root" with the key'
}

case_changed_host_key() {
	begin huawei onyx
	serve swap sw sw-huawei-1 > swapped
	: > sw/sw-huawei-1/sshd.log
	alone huawei onyx 1 "host key changed: expected SHA256:"
	holds "no user was named to it" test "$(grep -c userauth-request sw/sw-huawei-1/sshd.log)" = 0
	holds "the known key is told" grep -qF "${key[huawei]}" out
	holds "its key is told" grep -qF "$(cut -d ' ' -f 4 swapped)" out
}

case_no_enable_password() {
	begin ruijie huawei
	product set "$(state ruijie)" 'enable_password="s"'
	alone ruijie huawei 1 "the switch wants a password to enable, and there is none"
}

case_refused_enable() {
	begin eos cumulus
	product set "$(state eos)" 'enable_password="right"'
	echo wrong-word-1 | install -m 600 -o "$worker_user" /dev/stdin cred/switch_enable
	more[eos]="username: root
    key: admin
    enable: enable
    host_key: [\"${key[eos]}\"]"
	fabric eos cumulus > fabric.yaml
	alone eos cumulus 1 "the switch refused the password to enable"
	holds "it is not shown" test "$(cat out err | grep -c wrong-word-1)" = 0
}

case_question_huawei() {
	fault huawei onyx "question 1 This will disturb. Continue? [Y/N]:" "line 1 of 10, 'dcb pfc': confirmation required: This will disturb"
	again huawei
}

case_question_eos() {
	fault eos huawei "question 2 Proceed (y/n)? [no]" "line [12] of 5, '.*': confirmation required: Proceed"
	again eos
}

case_refused_line_cumulus() {
	fault cumulus eos "error 2 Error: not now" "line [12] of 4, 'nv set .*': Error: not now"
	again cumulus
}

case_commit_huawei() {
	fault huawei eos "commit-fails Error: The configuration conflicts with profile p1." "'commit': Error: The configuration conflicts with profile p1"
	again huawei
}

case_commit_eos() {
	fault eos onyx "commit-fails" "'commit': % Failed to commit the session"
	again eos
}

case_commit_cumulus() {
	fault cumulus huawei "commit-fails Error: rejected" "'nv config apply -y': Error: rejected"
	again cumulus
}

case_cut_huawei() {
	fault huawei eos "cut 2" "line 2 of 10, 'priority 3': the connection was closed"
	again huawei
}

case_cut_eos() {
	fault eos huawei "cut 3" "line [23] of 5, '.*': the connection was closed"
	again eos
}

case_cut_cumulus() {
	fault cumulus huawei "cut 3" "line [23] of 4, 'nv set .*': the answer ended without an exit status"
	again cumulus
}

# Where each line counts at once, what was taken is told
case_cut_onyx() {
	begin onyx huawei
	echo "cut 3" > "$(faults onyx)"
	apply 1 "cut off"
	says "told in one line" "^sw-onyx-1 +– +unknown .*2 lines before it are in force, not saved"
	says "what is so is told" "^sw-onyx-1 +pfc.priorities +none +→ +3 +done"
	holds "huawei: saved" product settled "$(state huawei)"
}

case_no_terminal_line() {
	fault huawei cumulus "vty-full" "the switch closed the connection before its first prompt"
}

case_hang() {
	fault huawei eos "hang 60 2" "line 2 of 10, '.*': no prompt came in time"
}

case_old_algorithms() {
	begin onyx
	start huawei --old
	fabric onyx huawei > fabric.yaml
	remember huawei
	alone huawei onyx 1 "no common kex: the switch offers diffie-hellman-group14-sha1.* .legacy_algorithms"
	more[huawei]="username: root
    key: admin
    legacy_algorithms: [ssh-rsa, diffie-hellman-group14-sha1, aes128-cbc, hmac-sha1]
    host_key: [\"${key[huawei]}\"]"
	fabric onyx huawei > fabric.yaml
	apply 2 "with old algorithms"
	says "a warning" "^warning: sw-huawei-1"
	holds "saved" product settled "$(state huawei)"
}

# own_worker: one that can be told from those of other cases
own_worker() {
	cp "$tmp/losslessd-switch" .
	LOSSLESSD_SWITCH=$PWD/losslessd-switch
}

# jobs_of: ids of its children that speak with switches
jobs_of() {
	local pid
	for pid in $(pgrep -f "^$PWD/losslessd-switch"); do
		pgrep -P "$pid"
	done
}

# ended VENDOR: its job is told to end in the middle of a push
ended() {
	begin "$1" onyx
	own_worker
	echo "hang 8 2" > "$(faults "$1")"
	apply 2 "ended" &
	for _ in $(seq 100); do
		[ -z "$(product log "$(state "$1")" 0 fault)" ] || ! product log "$(state onyx)" 0 save | grep -q . || break
		sleep 0.1
	done
	kill -TERM $(jobs_of)	# onyx is done by now
	wait $!
	says "told in one line" "^sw-$1-1 +– +pending .*line [12] of [0-9]+, '.*': cancelled"
	untouched "$1"
	holds "onyx: saved" product settled "$(state onyx)"
	# A program goes on when who asked for it is gone
	[ "$1" != cumulus ] || sleep 8
	again "$1"
}

case_ended_huawei() {
	ended huawei
}

case_ended_eos() {
	ended eos
}

case_ended_cumulus() {
	ended cumulus
}

# Who asked is told to stop: the lines that wait for a switch are not waited for, and what is staged goes
case_stopped() {
	begin eos onyx
	echo "hang 6 3" > "$(faults eos)"
	"$ctl" apply --once -f fabric.yaml --node gpu-1 --state-dir state --run-dir state > out 2> err < /dev/null &
	local pid=$!
	for _ in $(seq 100); do
		[ -z "$(product log "$(state eos)" 0 fault)" ] || break
		sleep 0.1
	done
	kill -TERM $pid
	wait $pid
	holds "it ends with what is not in sync" test $? != 0
	says "told in one line" "^sw-eos-1 +– +pending .*stopped before it answered"
	for _ in $(seq 150); do
		product settled "$(state eos)" > /dev/null 2>&1 && break
		sleep 0.1
	done
	untouched eos
	again eos
}

# ---- 4: what nobody confirms returns, by the switch's own clock where it has one ----

# until_true COMMAND...: for a minute at most
until_true() {
	local i
	for ((i = 0; i < 600; i++)); do
		! "$@" > /dev/null 2>&1 || return 0
		sleep 0.1
	done
	return 1
}

# serve_node: losslessd and losslessd-switch of this case
serve_node() {
	rm -f run/switch
	"$LOSSLESSD_SWITCH" --socket run/switch 2>> log &
	helper=$!
	until_true test -S run/switch
	DBUS_SYSTEM_BUS_ADDRESS=unix:path=/no-such-bus "$daemon" --state-dir=state --run-dir=run --switch-socket=run/switch \
		--fabric=good.yaml --node=gpu-1 2>> log &
	main=$!
	until_true sh -c "'$ctl' status --json --run-dir run | grep -q '\"node\": \"gpu-1\"'"
}

# end_node: as without power
end_node() {
	kill -KILL $main $helper
	wait $main $helper 2> /dev/null
}

# tried STATUS WHAT VERB...: by losslessd
tried() {
	run "$1" "$2" "${@:3}" --run-dir run
}

# since VENDOR KIND...: what it logged of these kinds since it was remembered
since() {
	product log "$(state "$1")" "$(cat "mark.$1")" "${@:2}"
}

on_trial() {
	product trial "$(state "$1")"
}

not_on_trial() {
	! on_trial "$1"
}

is_as_before() {
	cmp <(product running "$(state "$1")") "before.$1"
}

has_returned() {
	visit "$1"
	is_as_before "$1"
}

has_four() {
	product running "$(state "$1")" | grep -qE "${four[$1]}"
}

declare -A four=([huawei]='priority 4' [eos]='priority 4 no-drop' [cumulus]='switch-priority 4' [onyx]='priority 4 enable')
# How long the switch waits, as its own record has it: two minutes more than we do
declare -A clock=([4s]=124 [60s]=180)

in_sync() {
	"$ctl" status --run-dir run | grep -q "^sw-$1-1 *in-sync"
}

# put_on_trial VENDOR TIME
put_on_trial() {
	remember "$1" onyx
	tried 2 "apply --confirm $2" apply -f other.yaml --confirm "$2"
	holds "$1: it is there" has_four "$1"
	holds "$1: on trial, for $2 and two minutes" grep -qE "^trial .*${clock[$2]}$" <(since "$1" trial)
	holds "$1: nothing is saved" test "$(since "$1" save | wc -l)" = 0
	holds "onyx: it is there" has_four onyx
	sent=$(since "$1" line | wc -l)
}

# on_trial_of VENDOR: each way that it ends
on_trial_of() {
	mkdir run
	begin "$1" onyx
	fabric "$1" onyx | sed 's/pfc: \[3\]/&\npolicy: {switch_audit_interval: 2s, audit_interval: 1h}/' > good.yaml
	sed 's/pfc: \[3\]/pfc: [3, 4]/' good.yaml > other.yaml
	own_worker
	chown root cred cred/* known	# who runs it reads it, and has no right beside
	serve_node
	tried 2 "apply" apply -f good.yaml
	put_on_trial "$1" 4s
	holds "onyx: unconfirmed, it returns" until_true is_as_before onyx
	holds "$1: unconfirmed, it returns" until_true is_as_before "$1"
	holds "$1: because it was told to" grep -qE '^rollback .*(abort|not confirmed)' <(since "$1" rollback)
	holds "$1: by no line of configuration" test "$(since "$1" line | wc -l)" = "$sent"
	holds "$1: nothing is on trial" not_on_trial "$1"
	holds "$1: in sync with the file before" until_true in_sync "$1"
	put_on_trial "$1" 60s
	tried 0 "confirm" confirm
	holds "$1: nothing is on trial" not_on_trial "$1"
	holds "$1: confirmed, it stays, and is saved" product settled "$(state "$1")"
	holds "$1: it is still there" has_four "$1"
	tried 0 "rollback" rollback
	holds "$1: back, and saved" product settled "$(state "$1")"
	holds "$1: as before" is_as_before "$1"
	echo "hurry 30" > "$(faults "$1")"
	put_on_trial "$1" 4s
	end_node
	holds "$1: cut off, it returns by itself" until_true has_returned "$1"
	holds "$1: because the time was over" grep -q 'time is over' <(since "$1" rollback)
	holds "onyx: has no clock" has_four onyx
	serve_node
	holds "onyx: returned by losslessd, which is there again" until_true is_as_before onyx
	holds "$1: as before" is_as_before "$1"
	holds "$1: in sync with the file before" until_true in_sync "$1"
	kill $main $helper
	wait $main $helper
}

case_trial_eos() {
	on_trial_of eos
}

case_trial_huawei() {
	on_trial_of huawei
}

case_trial_cumulus() {
	on_trial_of cumulus
}

# ---- 5: names ----

# hostile KEY: the file in which that name is what it should not be, @WORD@
hostile() {
	printf 'version: 1\nfabric: pod-a\nqos: {pfc: [3]}\nnodes:\n  gpu-1: {nics: [{name: ens1f0np0}]}\nswitches:\n'
	local switch=leaf-1 at=127.0.0.1 on=1/1 user=root credential=admin var=dscp ask="sure?"
	case $1 in
	switch) switch=@WORD@ ;;
	address) at=@WORD@ ;;
	port) on=@WORD@ ;;
	user) user=@WORD@ ;;
	credential) credential=@WORD@ ;;
	var) var=@WORD@ ;;
	ask) ask=@WORD@ ;;
	esac
	printf '  "%s":\n    dialect: arista-eos\n    address: "%s"\n    port: 1\n    username: "%s"\n    key: "%s"\n' "$switch" \
		"$at" "$user" "$credential"
	printf '    vars: {queue: "%s"}\n    answers: [{ask: "%s", answer: y}]\n    ports: {"%s": gpu-1/ens1f0np0}\n' "$var" "$ask" \
		"$on"
}

case_names_check() {
	local what word
	for what in switch address port user credential; do
		for word in 'a\"b' "a'b" 'a;reload' 'a\nreload' 'a$(reload)' 'a`reload`' 'a|b' 'a\tb' 'a\\b'; do
			hostile $what > fabric.yaml
			$python -c 'import sys
text = open("fabric.yaml").read()
open("fabric.yaml", "w").write(text.replace("@WORD@", sys.argv[1]))' "$word"
			run 3 "$what is $word" check fabric.yaml
		done
	done
	for what in switch address port; do
		hostile $what | sed 's/@WORD@/-oProxyCommand=reload/' > fabric.yaml
		run 3 "$what begins with a dash" check fabric.yaml
	done
	for what in var ask; do
		hostile $what | sed 's/@WORD@/a\\nreload/' > fabric.yaml
		run 3 "$what has two lines" check fabric.yaml
	done
}

# What a file may say, and no dialect takes: a second word, a var of another kind
case_names_worker() {
	local vendor all="huawei eos onyx cumulus sonic ruijie" of
	begin $all
	remember $all
	for vendor in $all; do
		of=${port[$vendor]}
		port[$vendor]="$of evil"
		fabric "$vendor" > fabric.yaml
		port[$vendor]=$of
		status 1 "$vendor: a port of two words"
		says "$vendor: named" "^sw-$vendor-1 .*$of evil"
		more[$vendor]="username: root
    key: admin
    vars: {model: \"x; evil\"}
    answers: [{ask: \"sure\", answer: \"y; evil\"}]
    host_key: [\"${key[$vendor]}\"]"
		fabric "$vendor" > fabric.yaml
		status 1 "$vendor: a var that is a command"
		holds "$vendor: nothing of it came there" test -z "$(grep -s evil "$(state "$vendor").log")"
		holds "$vendor: nothing written" test "$(written "$vendor")" = 0
	done
}

# ---- 6: secrets ----

# watch: what all processes show of themselves, until there is a file "over"
watch() {
	while [ ! -e over ]; do
		grep -lsaF -f secrets /proc/[0-9]*/cmdline /proc/[0-9]*/environ >> shown
		for pid in $(jobs_of); do
			grep -s 'Max core file size' "/proc/$pid/limits" >> cores
		done
		sleep 0.2
	done
}

case_secrets() {
	local word=pass-$RANDOM$RANDOM enable=enable-$RANDOM$RANDOM vendor
	touch shown cores
	own_worker
	start huawei --user operator --password "$word"
	start eos --user operator --password "$word"
	product set "$(state eos)" "enable_password=\"$enable\""
	install -m 600 -o "$worker_user" /dev/stdin cred/switch_word <<< "$word"
	install -m 600 -o "$worker_user" /dev/stdin cred/switch_enable <<< "$enable"
	printf '%s\n' "$word" "$enable" > secrets
	sed -n 2,3p sw/client >> secrets
	more[huawei]="username: operator
    password: word
    host_key: [\"${key[huawei]}\"]"
	more[eos]="username: operator
    key: admin
    enable: enable
    host_key: [\"${key[eos]}\"]"
	qos=$small
	fabric huawei eos > fabric.yaml
	echo "hang 2 3" > "$(faults huawei)"
	watch &
	apply 2 "with a password, a key and one to enable"
	status 2 "read" --json
	cp out status.out
	cp err status.err
	touch over
	wait $!
	apply 2 "again" --json
	echo wrong-word-2 > secrets.more
	install -m 600 -o "$worker_user" secrets.more cred/switch_word
	install -m 600 -o "$worker_user" secrets.more cred/switch_enable
	cat secrets.more >> secrets
	status 1 "refused"
	says "a refused password" "^sw-huawei-1 .*the switch refused user"
	run 0 "recorded" record bundle
	for vendor in huawei eos; do
		holds "$vendor: saved" product settled "$(state $vendor)"
	done
	holds "none in any argument or environment" test ! -s shown
	holds "none in what was said, kept or logged" test -z "$(grep -rlF -f secrets out err status.out status.err bundle state known \
		sw/*/state.json.log sw/*/sshd.log fabric.yaml)"
	holds "cores are forbidden" grep -q 'Max core file size *0 *0 ' cores
	holds "to all" test "$(grep -vc 'Max core file size *0 *0 ' cores)" = 0
}

# ---- import ----

# imported VENDOR: what import writes of it is valid, and changes nothing
imported() {
	remember "$1"
	run 0 "$1: imported" import -f fabric.yaml --node gpu-1 --switch "sw-$1-1"
	cp out imported.yaml
	cp err imported.err
	holds "$1: nothing was written" test "$(written "$1")" = 0
	untouched "$1"
	run 0 "$1: valid" check imported.yaml
	run 0 "$1: the plan is empty" plan -f imported.yaml --node gpu-1
	says "$1: and says so" "^nothing to change"
	run 0 "$1: in sync" status -f imported.yaml --node gpu-1 --json
	holds "$1: nothing was written by that" test "$(written "$1")" = 0
}

# has PATTERN WHAT: a line of what was imported
has() {
	holds "$2" grep -qE -- "$1" imported.yaml
}

# import_of VENDOR PATTERN...: as it is first, and as it is after an apply of everything, with these lines then
import_of() {
	local pattern
	start "$1"
	qos=$small
	fabric "$1" > fabric.yaml
	imported "$1"
	qos=$all
	fabric "$1" > fabric.yaml
	"$ctl" apply --once -f fabric.yaml --node gpu-1 --state-dir state --run-dir state > out 2> err
	imported "$1"
	run 0 "$1: applied, there is nothing to do" apply --once -f imported.yaml --node gpu-1 --state-dir state --run-dir state
	holds "$1: nothing was written by that either" test "$(written "$1")" = 0
	for pattern in "    address: 127.0.0.1" "    username: root" "    key: admin" "      - \"?${key[$1]}\"?" "      pfc: \[3\]" "${@:2}"; do
		has "^${pattern//+/\\+}$" "$1: $pattern"
	done
}

curve='    ecn: \{priorities: \[3\], min: 150KiB, max: 1500KiB.*\}'
dog='      pfc_watchdog: \{detect: 200ms, restore: 400ms.*\}'

case_import_huawei() {
	import_of huawei "$curve" '      dscp_to_priority: .*'
}

case_import_eos() {
	import_of eos "$curve" "$dog"
}

case_import_onyx() {
	import_of onyx "$curve"
}

case_import_cumulus() {
	import_of cumulus "$curve" '      dscp_to_priority: \{26: 3, 48: 6\}' '    mtu: 4200'
}

case_import_sonic() {
	import_of sonic "$curve" "$dog" '      dscp_to_priority: .*'
}

case_import_ruijie() {
	import_of ruijie
}

# Of two ports one is otherwise, and it is another node's; what is cabled to no switch of the file
case_import_ports() {
	begin eos
	qos=$all
	fabric eos > fabric.yaml
	apply 2 "applied to one port"
	sed -i 's|^  gpu-1: .*|  "gpu-[1-2]": {}|; s|^    ports: .*|    ports: {Ethernet1: gpu-1/ens1f0np0, Ethernet2: gpu-2/ens1f0np0}|' fabric.yaml
	imported eos
	has "^  sw-eos-1/Ethernet2|^#   sw-eos-1/Ethernet2: its cable: " "the other port: why it is not taken"
	has "^      Ethernet1: gpu-1/ens1f0np0$" "this node's is"
	holds "the other is not" test "$(grep -c 'Ethernet2:.*gpu-2' imported.yaml)" = 0
}

# fails WHAT PATTERN ARGS...: nothing on stdout, and a reason
fails() {
	run "$1" "$2" import -f fabric.yaml "${@:4}"
	holds "$2: no file" test ! -s out
	says "$2: why" "$3"
}

case_import_refused() {
	begin huawei
	fails 1 "a switch that is none" "fabric.yaml has no switch no-such" --node gpu-1 --switch no-such
	fails 64 "no list" "--switch: " --node gpu-1 --switch 'sw-[1'
	fails 1 "another node's" "sw-huawei-1 is not asked: owner is gpu-1" --node gpu-2 --switch sw-huawei-1
	fails 64 "a file without a switch" "needs --switch" --node gpu-1
	fails 64 "a recorded node" "--root" --node gpu-1 --switch sw-huawei-1 --root "$sources/tests/golden/vf.bundle"
	env -u CREDENTIALS_DIRECTORY setpriv --reuid=65534 --regid=65534 --clear-groups "$ctl" import -f fabric.yaml --node gpu-1 \
		--switch sw-huawei-1 > out 2> err
	says "as a plain user: why" "needs root"
	more[huawei]="username: root
    key: admin
    host_key: [\"SHA256:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\"]"
	fabric huawei > fabric.yaml
	fails 1 "another key" "host key" --node gpu-1 --switch sw-huawei-1
	holds "one line" test "$(wc -l < err)" = 1
	sed -i 's/^    port: .*/    port: 1/' fabric.yaml
	fails 1 "nobody there" "sw-huawei-1 is unknown: .*connection refused" --node gpu-1 --switch sw-huawei-1
	untouched huawei
	sed -i 's/^  pfc: /  pfcs: /' fabric.yaml
	fails 3 "a file that is refused" "unknown key" --node gpu-1 --switch sw-huawei-1
}

# ---- the end ----

# try CASE: in a folder of its own
try() {
	name=${1//_/ }
	mkdir -p "$tmp/$1/cred" "$tmp/$1/known" "$tmp/$1/state"
	cd "$tmp/$1" || return
	chmod 755 .
	chown "$worker_user" cred known
	touch out err
	export CREDENTIALS_DIRECTORY=$PWD/cred STATE_DIRECTORY=$PWD/known
	"case_$1"
}

cases=("$@")
[ $# -gt 0 ] || mapfile -t cases < <(sed -n 's/^case_\([a-z_0-9]*\)() {$/\1/p' "$0")
for one in "${cases[@]}"; do
	while [ "$(jobs -pr | wc -l)" -ge 5 ]; do
		wait -n
	done
	try "$one" > "$tmp/$one.log" 2>&1 &
done
wait
for one in "${cases[@]}"; do
	cat "$tmp/$one.log"
	grep -q '^ok' "$tmp/$one.log" || echo "FAIL $one: nothing was tried"
done > "$tmp/all"
cat "$tmp/all"
fails=$(grep -c '^FAIL' "$tmp/all")
[ "$fails" = 0 ] || echo "$fails failed"
exit $((fails > 0))
