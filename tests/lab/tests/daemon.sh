#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# losslessd on a real kernel: events, contests, confirm, devices that come back, storms. All audits are an hour away,
# but for storms: they are seen by audits.
# usage: lab run daemon.sh BUILD
set -u
. "$LAB_HOME/tests/daemon-lib.sh"
programs_from "$1"
node_new

echo "-- the first start, when no driver is there yet"
rdma link del mlx5_0
rdma link del mlx5_1
nic_start
main_start
ctl 1 "status" status
says "says what is lacking" "nothing managed on this node: there is no RDMA device"
holds "the file is in force" cmp $FABRIC /var/lib/losslessd/accepted.yaml
cp $FABRIC /run/first.yaml
sed -i 's/106/104/' $FABRIC
rdma link add mlx5_0 type rxe netdev $A
rdma link add mlx5_1 type rxe netdev $B
repaired "the driver comes: the file that was in force, not the one that was changed"
cp /run/first.yaml $FABRIC
main_stop

echo "-- start"
main_start
ctl 0 "status is in sync after the start" status
in_spec "an unconfigured node"
is "main has no capability" "0000000000000000" sed -n 's/^CapEff:\t//p' /proc/$main/status
is "the worker has CAP_NET_ADMIN only" "0000000000001000" sed -n 's/^CapEff:\t//p' /proc/$nic/status
is "its bounding set too" "0000000000001000" sed -n 's/^CapBnd:\t//p' /proc/$nic/status

echo "-- foreign writes are seen and repaired"
drift() { # WHAT KNOB WRITES COMMAND...
	local what=$1 knob=$2 writes=$3
	shift 3
	zero
	: > $LOG
	"$@" || echo "     '$*' failed"
	logged "$what: told" "$knob: .* to .* \(drift\)"
	repaired "$what"
	wait_carrier $A $B
	is "$what: by no write beyond need" "$writes" writes
	[ "${FIGHT:-}" ] || $CTL apply -f $FABRIC > /dev/null 2>&1
}
put() {
	echo "$1" > "$2"
}
drift "dcb pfc set" pfc "$A/n_pfc:2" dcb pfc set dev $A prio-pfc all:off
drift "dcb app del" dscp_to_priority "$A/n_app:2" dcb app del dev $A dscp-prio 26:3
drift "ethtool -A" pause "$A/n_pause:2" ethtool -A $A rx on tx on
drift "ip link set mtu" mtu "$A/n_mtu:2" ip link set $A mtu 1500
drift "configfs" cm_tos "" put 0 $C/mlx5_0/ports/1/default_roce_tos
drift "traffic_class" traffic_class "mlx5_0/n_tclass:2" put -1 /sys/class/infiniband/mlx5_0/tc/1/traffic_class
ctl 0 "status" status

echo "-- quiet when nothing happens"
sleep 1
strace -f -c -e trace=sendto,sendmsg,recvmsg,recvfrom,openat -o /run/strace -p $main &
tracer=$!
sleep 5
kill -INT $tracer
wait $tracer
is "no message and no file in 5 s" "" sh -c "awk '/sendto|sendmsg|recvmsg|recvfrom|openat/' /run/strace"

echo "-- contested"
zero
: > $LOG
fight() {
	local i
	for i in 1 2 3 4 5 6; do
		dcb pfc set dev $A prio-pfc all:off
		until_true sh -c "dcb -j pfc show dev $A prio-pfc | grep -q true" || return 0
	done
}
UNTIL=3 fight
logged "the fight is over" "pfc: contested"
sleep 1
is "after three writes of ours" "$A/n_pfc:7" writes
ctl 1 "status says contested" status
says "with words" "contested.*reverted 3 times"
ctl 0 "apply heals" apply -f $FABRIC
repaired "after the fight"

echo "-- reload"
cp $FABRIC /run/good.yaml
zero
echo "mtu: 99999" >> $FABRIC
ctl 3 "a bad file is refused" reload
says "with its line" "fabric.yaml:[0-9]*:[0-9]*: error"
is "and nothing is written" "" writes
ctl 0 "the spec before is in force" status
says "which says so" "generation 1 "
says "and that the file waits" "warning: .*fabric.yaml is not what is in force"
cp /run/good.yaml $FABRIC
ctl 0 "a good file is in force at once" reload

echo "-- who may change"
setpriv --reuid 65534 --regid 65534 --clear-groups $CTL status > /run/out 2>&1
verdict "status needs no root" $? 0
setpriv --reuid 65534 --regid 65534 --clear-groups $CTL apply -f $FABRIC > /run/out 2>&1
verdict "apply does" $? 1
says "in one clear line" "needs root"
is "and no other" 1 sh -c "wc -l < /run/out"

echo "-- confirm"
sed 's/106/104/; s/^roce.*/roce: {traffic_class: 104}/' /run/good.yaml > /run/other.yaml
ctl 0 "apply --confirm" apply -f /run/other.yaml --confirm 3s
is "is done" 104 cat $C/mlx5_0/ports/1/default_roce_tos
: > $LOG
logged "unconfirmed it returns" "returned: nobody confirmed"
repaired "unconfirmed"
ctl 0 "apply --confirm" apply -f /run/other.yaml --confirm 30s
ctl 0 "confirm" confirm
ctl 1 "confirm once" confirm
sleep 1
is "it stays" 104 cat $C/mlx5_0/ports/1/default_roce_tos
ctl 0 "rollback" rollback
repaired "rollback"

echo "-- who asks all the time keeps nobody waiting"
for i in 1 2 3; do
	(while [ ! -e /run/enough ]; do $CTL status > /dev/null 2>&1; done) &
done
sleep 1
dcb pfc set dev $A prio-pfc all:off
repaired "beside endless questions"
touch /run/enough
ctl 0 "status" status

echo "-- an apply that is stopped, a rollback that does not get through"
sed 's/pfc: \[3\]/pfc: [3], pfc_watchdog: {detect: 200ms}/' /run/other.yaml > /run/slow.yaml
echo 1500 | tee $D/$A/delay_ms > $D/$B/delay_ms
zero
# what runs in the background of a script ignores SIGINT; SIGTERM stops as well
$CTL apply -f /run/slow.yaml > /run/out 2>&1 &
apply=$!
until_true sh -c "cat $D/*/n_tunable | grep -q 1"
kill $apply
wait $apply
verdict "stopped in its first step" $? 1
sleep 3
echo 0 | tee $D/$A/delay_ms > $D/$B/delay_ms
ctl 2 "nothing goes on by itself" status
says "and why" "the apply was stopped"
ctl 0 "apply goes on" apply -f /run/slow.yaml
echo "errno 5" > $SIMIB/mlx5_0/fault_tclass
ctl 1 "a rollback with a fault" rollback
sleep 2
is "the rest is returned, and stays so" 106 cat $C/mlx5_1/ports/1/default_roce_tos
ctl 2 "status" status
says "says that it has not ended" "a rollback has not ended"
echo off > $SIMIB/mlx5_0/fault_tclass
ctl 0 "rollback goes on" rollback
repaired "rollback in two"

echo "-- confirm, and losslessd is killed meanwhile"
ctl 0 "apply --confirm" apply -f /run/other.yaml --confirm 3s
kill -9 $main
wait $main 2> /dev/null
sleep 3
: > $LOG
main_start
logged "the next start returns it" "returned: nobody confirmed"
repaired "killed while waiting"

echo "-- devices come back"
: > $LOG
rdma link del mlx5_0
until_true sh -c "! test -e /sys/class/infiniband/mlx5_0"
sleep .5
rdma link add mlx5_0 type rxe netdev $A
repaired "an RDMA device that was made anew"
ctl 0 "status" status

echo "-- the worker dies"
kill -9 $nic
wait $nic 2> /dev/null
nic_start
dcb pfc set dev $A prio-pfc all:off
repaired "a new worker goes on"

echo "-- metrics, and a storm of pause frames"
METRICS=/run/losslessd/metrics.prom
sed 's/audit_interval: 1h/audit_interval: 1s/' $FABRIC > /run/storm.yaml
ctl 0 "apply with an audit a second" apply -f /run/storm.yaml
holds "a target is in sync" grep "^losslessd_target_in_sync{target=\"$A\",kind=\"port\"} 1$" $METRICS
holds "the drift is counted" grep "^losslessd_drift_total{target=\"$A\",knob=\"pfc\"} [1-9]" $METRICS
holds "its repair has a time" grep '^losslessd_repair_seconds_count [1-9]' $METRICS
is "everybody may read them" 644 command stat -c %a $METRICS
ctl 0 "status" status
is "without a storm no warning" 0 grep -c "pause storm" /run/out
: > $LOG
while :; do
	echo 3 > $D/$A/pause_storm
	echo 3 > $D/$A/pause_storm
	sleep .2
done &
storm=$!
logged "the storm is told" "$A: a pause storm stops priority 3, [0-9]* PFC frames a second: look"
ctl 0 "status" status
says "warns while it lasts" "^warning: $A: a pause storm stops priority 3, [0-9]* PFC frames"
holds "frames are counted" grep "port=\"$A\",priority=\"3\",direction=\"rx\"} [1-9][0-9][0-9][0-9]" $METRICS
kill $storm
wait $storm 2> /dev/null
logged "its end is told" "$A: the pause storm on priority 3 is over"
is "both once" 2 grep -c "pause storm" $LOG
ctl 0 "status" status
is "which warns no more" 0 grep -c "pause storm" /run/out

. "$LAB_HOME/tests/lldpad.sh"

echo "-- the end"
main_stop
verdict "SIGTERM ends it well" $? 0
is "and takes its metrics away" "" ls /run/losslessd/ -I lock -I started -I bus
nic_stop
is "the kernel is content" "" kernel_complaints
done_with daemon
