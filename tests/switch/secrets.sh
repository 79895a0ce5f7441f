#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# Where passwords and keys of switches are not: losslessd, its worker and losslessctl between two emulated switches, all
# that they say, keep and leave behind is looked through, and so are processes while it goes on. Then a secret is put
# into each of these places, and has to be seen there.
# secrets.sh LOSSLESSCTL LOSSLESSD LOSSLESSD-SWITCH SOURCE-DIR
set -u
export LC_ALL=C.UTF-8 PYTHONDONTWRITEBYTECODE=1
[ "$(id -u)" = 0 ] || { echo "needs root: losslessctl apply does"; exit 77; }
PATH=$PATH:/usr/sbin:${LAB_DIR:-${XDG_CACHE_HOME:-${HOME:-/}/.cache}/losslessd-lab}/sshd
# A /run that is ours alone, with a journal in it
if [ -z "${SECRETS_OWN_RUN:-}" ] && unshare -m mount -t tmpfs tmpfs /run 2> /dev/null; then
	SECRETS_OWN_RUN=yes exec unshare -m "$0" "$@"
fi
own_run=${SECRETS_OWN_RUN:-}
unset SECRETS_OWN_RUN
# CAP_SYS_PTRACE: most containers may not look into processes of other users
sees=$((0x$(sed -n 's/^CapEff:[[:blank:]]*//p' /proc/self/status) >> 19 & 1))
ctl=$(realpath "$1") daemon=$(realpath "$2") worker=$(realpath "$3") source=$(realpath "$4")
. "$source/tests/support/bus.sh"
python=/usr/bin/python3 serve=$source/tests/switch/emulator/serve.py tool=$source/tests/switch/secrets.py
command -v sshd > /dev/null || { echo "no sshd (Debian: openssh-server)"; exit 77; }
command -v dbus-daemon > /dev/null || { echo "no dbus-daemon"; exit 77; }
$python -c 'import yaml' 2> /dev/null || { echo "no yaml (Debian: python3-yaml)"; exit 77; }
# Who losslessctl makes its worker: the user of the package, where that is installed
worker_user=$(id -u losslessd-switch 2> /dev/null) || worker_user=65534
tmp=$(mktemp -d) fails=0 main= helper= watcher= pids=()
clean_up() {
	kill -KILL $main $helper $watcher "${pids[@]}" 2> /dev/null
	wait 2> /dev/null
	$python "$serve" stop "$tmp/sw" > /dev/null
	rm -rf "$tmp"
}
trap clean_up EXIT
[ -z "$own_run" ] || mount -t tmpfs tmpfs /run || exit 1
cd "$tmp" || exit 1
mkdir secrets said seen state known credentials run cores bundles etc
chmod 755 . run
chmod 700 secrets etc
chmod 777 cores
chown "$worker_user" known credentials run
run=$tmp/run
[ -z "$own_run" ] || { run=/run/losslessd && install -d -o "$worker_user" $run; }

ok() {
	echo "ok   $1"
}
bad() {
	echo "FAIL $1"
	cat "said/$last" held 2> /dev/null | sed 's/^/     | /' | tail -n 30
	fails=$((fails + 1))
}
holds() { # WHAT COMMAND...
	local what=$1
	shift
	if "$@" > held 2>&1; then ok "$what"; else bad "$what"; fi
}
# ctl STATUS WHAT ARGS...: all that it says is kept
n=0 last=
ctl() {
	local want=$1 what=$2 status=0
	shift 2
	n=$((n + 1)) last=$n
	timeout 120 "$ctl" "$@" > "said/$n" 2>&1 < /dev/null || status=$?
	if [ $status = "$want" ]; then ok "$what"; else bad "$what: exit status $status, expected $want"; fi
}
says() { # WHAT PATTERN
	holds "$1" grep -qE -- "$2" "said/$last"
}
until_true() { # COMMAND...: for a minute at most
	local i
	for ((i = 0; i < 600; i++)); do
		! "$@" > /dev/null 2>&1 || return 0
		sleep .1
	done
	return 1
}
secret() { # NAME: a new one, which is in no argument of a program
	local letters=({a..z} {A..Z} {0..9}) text= i
	for ((i = 0; i < 24; i++)); do text+=${letters[SRANDOM % 62]}; done
	echo "$text" > "secrets/$1"
}
give() { # SECRET NAME: to losslessd-switch as systemd does it, to losslessctl as root has it
	install -m 400 -o "$worker_user" "secrets/$1" "credentials/switch_$2"
	install -m 600 "secrets/$1" "etc/$2"
}

# ---- two switches, their secrets, and a fabric ----

for name in password enable wrong-password wrong-enable; do secret $name; done
# Before anything is watched: its arguments have the password
$python "$serve" start sw huawei --user operator --password "$(cat secrets/password)" > switches || exit 1
$python "$serve" start sw eos --user operator --password "$(cat secrets/password)" >> switches || exit 1
SSH_ORIGINAL_COMMAND=true $python "$source/tests/switch/emulator/emulator.py" eos sw/sw-eos-1/state.json > /dev/null
$python "$source/tests/switch/product.py" set sw/sw-eos-1/state.json "enable_password=\"$(cat secrets/enable)\""
cp sw/client secrets/key
give password word && give key key && give enable enable
declare -A address=() print=()
while read -r name _ port fingerprint _; do
	address[$name]=$port print[$name]=$fingerprint
done < switches
fabric() { # PFC
	cat <<-END
	version: 1
	fabric: pod-a
	qos: {pfc: $1}
	policy: {switch_audit_interval: 1h, audit_interval: 1h}
	nodes: {gpu-1: {nics: [{name: no-such-port}]}}
	switches:
	  sw-huawei-1: {dialect: huawei-cloudengine, address: 127.0.0.1, port: ${address[sw-huawei-1]}, username: operator,
	    password: word, ports: {100GE1/0/1: gpu-1/no-such-port}}
	  sw-eos-1: {dialect: arista-eos, address: 127.0.0.1, port: ${address[sw-eos-1]}, username: operator, key: key,
	    enable: enable, ports: {Ethernet1: gpu-1/port-2}}
	END
}
fabric '[3]' > good.yaml
fabric '[3, 4]' > other.yaml
export LOSSLESSD_SWITCH=$worker LOSSLESSD_DIALECTS=$source/config/dialects LOSSLESSD_CREDENTIALS=$tmp/etc
export STATE_DIRECTORY=$tmp/known DBUS_SYSTEM_BUS_ADDRESS=unix:path=$tmp/system-bus

# ---- the programs, all of which may leave cores ----

ulimit -c unlimited
bus_conf "$tmp/system-bus" > bus.conf
dbus-daemon --nofork --config-file="$tmp/bus.conf" 2> said/bus &
pids+=($!)
until_true test -S system-bus
busctl --address="$DBUS_SYSTEM_BUS_ADDRESS" capture > seen/bus.pcap 2> said/capture &
pids+=($!)
until_true test -s seen/bus.pcap
if [ -n "$own_run" ]; then
	$python "$tool" journal /run/systemd/journal/socket "$tmp/seen/journal" &
	pids+=($!)
	until_true test -S /run/systemd/journal/socket
	export JOURNAL_STREAM=1:1
fi
start_worker() {
	CREDENTIALS_DIRECTORY=$tmp/credentials setpriv --reuid "$worker_user" --regid 65534 --clear-groups sh -c \
		"cd '$tmp/cores' && exec '$worker' --socket $run/switch" >> said/worker 2>&1 &
	helper=$!
	until_true test -S $run/switch
}
start_main() { # where a core of it would be found
	(cd cores && exec "$daemon" --state-dir="$tmp/state" --run-dir=$run --switch-socket=$run/switch \
		--fabric="$tmp/good.yaml" --node=gpu-1 >> "$tmp/said/main" 2>&1) &
	main=$!
	until_true sh -c "'$ctl' status --json --run-dir $run | grep -q '\"node\": \"gpu-1\"'"
}
mv good.yaml later.yaml	# nothing to begin with
start_worker
start_main
mv later.yaml good.yaml
$python "$tool" watch secrets $helper "$tmp/seen" &
watcher=$!

# ---- what people do with them ----

once=(--state-dir once --run-dir once)
here=(-f good.yaml --node gpu-1)
mkdir once
for name in sw-huawei-1 sw-eos-1; do
	ctl 0 "accept-key $name" switch accept-key $name "${here[@]}" --fingerprint "${print[$name]}"
	ctl 0 "test $name" switch test $name "${here[@]}"
	ctl 0 "render $name" switch render $name "${here[@]}"
done
holds "test where nobody may mount" setpriv --inh-caps=-sys_admin --bounding-set=-sys_admin \
	"$ctl" switch test sw-eos-1 "${here[@]}"
holds "nothing of it stays in /run" sh -c '! ls -d /run/losslessd-?????? 2> /dev/null | grep -q .'
ctl 0 "switch list" switch list "${here[@]}" --json
ctl 2 "plan" plan "${here[@]}"
for name in sw-huawei-1 sw-eos-1; do echo "hang 2 2" > sw/$name/faults; done
ctl 2 "apply" apply -f good.yaml --run-dir $run
says "apply: both switches" '2 of 2 switches in sync$'
for name in sw-huawei-1 sw-eos-1; do : > sw/$name/faults; done
ctl 2 "apply --once" apply --once "${here[@]}" "${once[@]}"
ctl 2 "apply of another file" apply -f other.yaml --run-dir $run --json
ctl 2 "status" status --run-dir $run
ctl 2 "status --json" status --run-dir $run --json
ctl 0 "history" history --state-dir state
ctl 0 "history --json" history --state-dir state --json
ctl 0 "record" record bundles/node
for verb in spec switches cables; do "$ctl" show $verb "${here[@]}" > "said/show-$verb" 2>&1; done
node=(org.lossless.Node1 /org/lossless/Node1)
until_true busctl --address="$DBUS_SYSTEM_BUS_ADDRESS" introspect "${node[@]}"
for call in "introspect ${node[*]}" "call ${node[*]} org.lossless.Node1 GetReport a{sv} 0" \
	"call ${node[*]} org.lossless.Node1 GetStatus" "call ${node[*]} org.lossless.Node1 Rollback a{sv} 0"; do
	holds "the bus: ${call##* org.lossless.Node1 }" busctl --address="$DBUS_SYSTEM_BUS_ADDRESS" $call
	cat held >> said/busctl
done
until_true sh -c "'$ctl' status --run-dir $run | grep -q '2 of 2 switches in sync'"
holds_in_memory() { # WHAT PID...
	local what=$1
	shift
	[ $sees = 0 ] || holds "$what: no secret in memory" $python "$tool" memory secrets "$@"
}
holds_in_memory "losslessd, its worker" $main $helper

# ---- what goes wrong ----

give wrong-password word && give wrong-enable enable
ctl 1 "test with a wrong password" switch test sw-huawei-1 "${here[@]}"
says "which is refused" 'the switch refused user "operator"'
ctl 1 "test with a wrong password to enable" switch test sw-eos-1 "${here[@]}"
says "which is refused" 'the switch refused the password to enable'
ctl 1 "apply with both" apply -f good.yaml --run-dir $run
says "a refused password" '^sw-huawei-1 .*the switch refused user'
says "a refused password to enable" '^sw-eos-1 .*the switch refused the password to enable'
chmod 644 etc/word
ctl 1 "a file that everybody may read" apply --once "${here[@]}" "${once[@]}"
says "is not used" 'can be read by everybody'
give password word && give enable enable

job_has_secret() {
	local jobs=$(cat /proc/$helper/task/$helper/children)
	[ -n "$jobs" ] || return
	[ $sees = 1 ] || { sleep 2 && return; }
	$python "$tool" memory secrets $jobs > /dev/null
	[ $? = 1 ]
}
for signal in SEGV ABRT; do
	if [ $signal = SEGV ]; then fabric '[3, 5]'; else fabric '[4, 5]'; fi > $signal.yaml
	for name in sw-huawei-1 sw-eos-1; do echo "hang 8 2" > sw/$name/faults; done
	"$ctl" apply -f $signal.yaml --run-dir $run > said/$signal 2>&1 &
	job=$!
	until_true job_has_secret
	kill -$signal $(cat /proc/$helper/task/$helper/children)
	wait $job
	last=$signal
	says "a job ends by SIG$signal: told" '^sw-[a-z]+-1 '
	holds "a job ends by SIG$signal: no core" test -z "$(ls cores)"
	for name in sw-huawei-1 sw-eos-1; do : > sw/$name/faults; done
done
# Who runs a worker has had its secrets in hand; where nobody may mount, its copies would stay in the /run of this machine
if [ -n "$own_run" ]; then
	for name in sw-huawei-1 sw-eos-1; do echo "hang 8 2" > sw/$name/faults; done
	(cd cores && exec "$ctl" apply --once -f "$tmp/good.yaml" --node gpu-1 --state-dir "$tmp/once" \
		--run-dir "$tmp/once" > "$tmp/said/killed" 2>&1) &
	job=$!
	until_true grep -q $'^fault' sw/sw-huawei-1/state.json.log
	holds_in_memory "losslessctl" $job
	kill -ABRT $job
	wait $job 2> /dev/null
	[ ! -e cores/core ] || mv cores/core cores/losslessctl
	for name in sw-huawei-1 sw-eos-1; do : > sw/$name/faults; done
fi
kill -SEGV $main
wait $main 2> /dev/null
start_main
ctl 2 "apply after all of it" apply -f good.yaml --run-dir $run
says "apply: both switches" '2 of 2 switches in sync$'

# ---- what is left ----

last=none
touch seen/over
wait $watcher
watcher=
mkdir switches.logs
for name in sw-huawei-1 sw-eos-1; do cat sw/$name/state.json.log sw/$name/sshd.log > switches.logs/$name; done
places=(said seen/bus.pcap state known once bundles switches.logs)
if [ -n "$own_run" ]; then places+=(/run seen/journal); else places+=(run); fi
# Of losslessd and losslessctl there may be some, where the machine lets them be; of losslessd-switch never
[ -z "$(ls cores)" ] || places+=(cores)
for place in "${places[@]}"; do
	holds "no secret in $place" $python "$tool" find secrets "$place"
done
holds "none in any command line or environment" test ! -e seen/shown
[ $sees = 0 ] || holds "jobs were seen with secrets in memory" test -s seen/memory
holds "none of them may leave a core" grep -qx "limit 0 0, user $worker_user, files of 0" seen/cores
holds "not one" test "$(grep -vcx "limit 0 0, user $worker_user, files of 0" seen/cores)" = 0
[ -n "$own_run" ] || echo "     (no mount namespace here: neither a journal nor all of /run was looked through)"
[ $sees = 1 ] || echo "     (no CAP_SYS_PTRACE here: no memory was looked through)"

# ---- and if there were one ----

# leaks FOLDER: a secret as it could come out, in a file for each way
leaks() {
	local name
	for name in password enable wrong-password wrong-enable; do
		cat secrets/$name > "$1/$name"
		cut -c 4-20 secrets/$name > "$1/$name.cut"
		base64 secrets/$name > "$1/$name.base64"
		{ printf 'operator:' && cat secrets/$name; } | base64 > "$1/$name.base64-of-more"
		od -An -tx1 secrets/$name | tr -d ' \n' > "$1/$name.hex"
		od -An -tx1 -w32 secrets/$name > "$1/$name.od"
	done
	cat secrets/key > "$1/key"
	tail -n 3 secrets/key | head -n 1 > "$1/key.line"
	grep -v -e ----- secrets/key | base64 -d > "$1/key.der"
	tail -c 100 "$1/key.der" | od -An -tx1 -v | tr -d ' \n' > "$1/key.hex"
	base64 -w 76 secrets/key > "$1/key.base64"
}
mkdir leaks
leaks leaks
for place in "${places[@]}" good.yaml; do
	rm -rf planted
	mkdir planted
	head -c 300000 "$(find "$place" -type f | head -n 1)" > innocent
	for leak in leaks/*; do cat innocent "$leak" innocent > planted/${leak#*/}; done
	$python "$tool" find secrets planted | sort > found
	holds "planted in $place: seen, in each of $(ls leaks | wc -l) forms" diff found <(ls planted/*)
done
planted() { # WHAT PLACE COMMAND...: leaves it there
	local what=$1 place=$2
	"${@:3}"
	holds "planted in $what: seen" until_true sh -c "! '$python' '$tool' find secrets '$place'"
}
planted "a message on the bus" seen/bus.pcap busctl --address="$DBUS_SYSTEM_BUS_ADDRESS" emit /leak org.lossless.Leak Leak s \
	"$(cat secrets/enable)"
[ -z "$own_run" ] || planted "an entry of the journal" seen/journal logger --journald <<< "MESSAGE=$(cat secrets/key | tr '\n' ' ')"
rm -rf cores/*
LEAK=$(cat secrets/password) bash -c 'cd cores && sh -c "kill -SEGV \$\$"; true' 2> /dev/null
if [ -n "$(ls cores)" ]; then
	holds "planted in a core: seen" sh -c "! '$python' '$tool' find secrets cores"
else
	echo "     (cores go elsewhere on this machine: none was looked through)"
fi
rm seen/over
$python "$tool" watch secrets $helper "$tmp/seen" &
watcher=$!
LEAK=$(cat secrets/password) sleep 60 &
pids+=($!)
holds "planted in an environment: seen" until_true grep -qx 'environ of sleep' seen/shown
sh -c 'sleep 60; exit' leak "$(cat secrets/password)" &
pids+=($!)
holds "planted in a command line: seen" until_true grep -qx 'cmdline of sh' seen/shown
touch seen/over
wait $watcher
watcher=
holds "losslessd ends well" kill $main
wait $main
holds "with exit status 0" test $? = 0
main=
[ $fails = 0 ] || echo "$fails failed"
exit $((fails > 0))
