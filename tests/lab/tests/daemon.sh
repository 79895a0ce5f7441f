#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# losslessd on a real kernel, started by hand: events, repairs, confirm, crashes.
# usage: lab run daemon.sh BUILD
set -u
build=$1
. "$LAB_HOME/tests/ctl.sh"
cp "$build/cli/losslessctl" $CTL
DAEMON=/run/losslessd.program
cp "$build/daemon/losslessd" $DAEMON

# daemon_start ARGS...: and wait for its socket
daemon_start() {
	mkdir -p /run/losslessd
	$DAEMON --fabric=$SPEC "$@" > /run/daemon.log 2>&1 &
	daemon=$!
	await test -S /run/losslessd/bus
}

daemon_stop() {
	kill $daemon
	wait $daemon
}

# await COMMAND...: until it is true, for a minute at most
await() {
	local i
	for i in $(seq 600); do
		"$@" > /dev/null 2>&1 && return
		sleep 0.1
	done
	return 1
}

# healed WHAT: everything is in the spec again, seen by others than losslessd
healed() {
	await is_in_spec
	in_spec "$1"
}

is_in_spec() {
	[ "$(state $A)" = "$IN_SPEC" ] && [ "$(state $B)" = "$IN_SPEC" ]
}

node_new
sed -i 's/^mtu:/policy: {audit_interval: 1h}\nmtu:/' $SPEC
echo "-- start"
daemon_start
ctl 0 "status is in sync after the start" status
in_spec "an unconfigured node is in the spec"
cat /run/daemon.log
