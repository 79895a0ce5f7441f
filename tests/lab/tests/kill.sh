#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# SIGKILL of losslessd, and of its worker, before and after each write of an apply: afterwards the node is at the file
# or where it began, never between.
# usage: lab run kill.sh BUILD [STEP]: only every STEP-th write
set -u
. "$LAB_HOME/tests/daemon-lib.sh"
programs_from "$1"
step=${2:-1}
cp $FABRIC /run/wanted.yaml
FABRIC=/run/none.yaml
node_new
# Where it began, but for what mlx5 cannot give back: a deleted DSCP stays on priority 0 in its registers
given_back() {
	state "$@" | sed 's/dscp [0-9]* prio 0 //g'
}
START_A=$(given_back $A mlx5_0) START_B=$(given_back $B mlx5_1)

is_at_start() {
	[ "$(given_back $A mlx5_0)" = "$START_A" ] && [ "$(given_back $B mlx5_1)" = "$START_B" ]
}

is_whole() {
	is_in_spec || is_at_start
}

# nic_keep: as systemd does, a new worker after the one that was killed
nic_keep() {
	nic_start
	while wait $nic; [ $? = 137 ]; do
		touch /run/nic.killed
		unset LOSSLESSD_NIC_KILL
		nic_start
	done
}

fresh() {
	unconfigure
	wait_carrier $A $B
	mkdir $C/mlx5_0 $C/mlx5_1
	: > $LOG
}

# was_killed WHO: who talked to it may know before it is gone
was_killed() {
	local i
	for ((i = 0; i < 20; i++)); do
		if [ $1 = nic ]; then
			[ ! -e /run/nic.killed ] || return 0
		else
			kill -0 $main 2> /dev/null || return 0
		fi
		sleep .1
	done
	return 1
}

# round WHO WHEN N CONFIRM: 1 if nobody was killed, because there are fewer writes
round() {
	local who=$1 when=$2 n=$3 confirm=$4 keeper killed=
	fresh
	rm -rf /run/losslessd-nic /run/nic.killed
	if [ $who = nic ]; then
		LOSSLESSD_NIC_KILL=$when:$n nic_keep &
	else
		nic_keep &
	fi
	keeper=$!
	until_true test -S /run/losslessd-nic/socket
	until_true sh -c '[ "$(stat -c %u /run/losslessd-nic/socket)" = 980 ]'
	if [ $who = main ]; then
		LOSSLESSD_NIC_KILL=$when:$n main_start
	else
		main_start
	fi
	$CTL apply -f /run/wanted.yaml $confirm > /run/out 2>&1
	if was_killed $who; then
		killed=yes
		[ $who = nic ] || { wait $main 2> /dev/null; main_start; }
		until_true is_whole
		if [ -z "$confirm" ]; then
			until_true is_in_spec
			holds "$who killed $when write $n: at the file" is_in_spec
		else
			until_true is_at_start
			holds "$who killed $when write $n of an apply to be confirmed: where it began" is_at_start
		fi
	fi
	kill $main 2> /dev/null
	wait $main 2> /dev/null
	# also one that was killed by its last write, and is just being started again
	while kill -0 $keeper 2> /dev/null; do
		pkill -x losslessd-nic
		sleep .1
	done
	wait $keeper
	[ -n "$killed" ]
}

for who in main nic; do
	for when in before after; do
		n=1
		while round $who $when $n ""; do
			echo "     $who $when $n: $(grep -oE 'interrupted: finished|returned: [a-z ]*' $LOG | head -1)"
			n=$((n + step))
		done
		holds "$who $when: there were writes" test $n -gt $step
	done
done
n=1
while round main after $n "--confirm 60s"; do
	n=$((n + 3 * step))
done
holds "an apply to be confirmed: there were writes" test $n -gt 1
is "the kernel is content" "" kernel_complaints
done_with kill
