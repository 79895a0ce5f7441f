#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# For the scripts beside it: losslessctl, a daemon over a simulated node, and how results are judged.
# Arguments: LOSSLESSCTL FAKE-DAEMON ...
set -u
export LC_ALL=C.UTF-8
unset NO_COLOR
tmp=$(mktemp -d) || exit 1
pids=()
clean_up() {
	[ ${#pids[@]} = 0 ] || kill -KILL "${pids[@]}" 2> /dev/null
	rm -rf "$tmp"
}
trap clean_up EXIT
chmod 755 "$tmp"
install -m 755 "$1" "$tmp/losslessctl" || exit 1
ctl=$tmp/losslessctl
fake=$(realpath "$2")
fails=0
run=$tmp/run
# No bus of this machine
export DBUS_SYSTEM_BUS_ADDRESS=unix:path=$tmp/no-such-bus

ok() {
	echo "ok   $1"
}

bad() {
	echo "FAIL $1"
	sed 's/^/     | /' out err log | head -n 30
	fails=$((fails + 1))
}

holds() { # WHAT COMMAND...
	local what=$1
	shift
	if "$@" > held 2>&1; then ok "$what"; else bad "$what"; fi
}

# ctl STATUS WHAT ARGS...: losslessctl ARGS ends with STATUS; its words are in out and err
ctl() {
	local status=0 want=$1 what=$2
	shift 2
	"${as[@]}" "$ctl" "$@" --run-dir "$run" > out 2> err < /dev/null || status=$?
	if [ $status = "$want" ]; then ok "$what"; else bad "$what: exit status $status, expected $want"; fi
}
as=()

says() { # FILE WHAT PATTERN
	if grep -qE -- "$3" "$1"; then ok "$2"; else bad "$2: no line like '$3' in $1"; fi
}

one_line() {
	holds "$1: one line on stderr, nothing on stdout" test "$(wc -l < err) $(wc -c < out)" = "1 0"
}

# until_true COMMAND...: for 20 s at most
until_true() {
	local i
	for ((i = 0; i < 400; i++)); do
		! "$@" > /dev/null 2>&1 || return 0
		sleep .05
	done
	return 1
}

answers() {
	"$ctl" status --json --run-dir "$run" > answer 2>&1
	grep -q '"node": "gpu-1"' answer && ! grep -q 'not running' answer
}

# begin OPTION...: a daemon on a node as its driver left it
begin() {
	rm -rf "$run"
	mkdir "$run"
	"$fake" "$@" "$run" 2> log &
	pid=$!
	pids+=($pid)
	until_true answers || { bad "the daemon does not start"; exit 1; }
}

end() {
	kill $pid
	wait $pid
	holds "${1:-the daemon ends well}" test $? = 0
}

done_with() {
	[ $fails = 0 ] || echo "$fails failed"
	exit $((fails > 0))
}
