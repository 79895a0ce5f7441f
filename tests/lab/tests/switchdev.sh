#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# Both ends of a cable: a NIC of this node, and the port of a switch with a plain Linux. The switch is a network namespace
# with that port, Debian's sshd, sudo and dcb, and an account that may run dcb and ip by sudo.
# usage: lab run switchdev.sh BUILD DIALECTS [daemon]: only what needs losslessd
set -u
. "$LAB_HOME/tests/daemon-lib.sh"
SWITCH=/run/programs/losslessd-switch
SOCKET=/run/losslessd-switch/socket
ADDRESS=10.77.0.2
END_A="sw-linux/$B"

# ---- the switch ----

on_switch() {
	ip netns exec switch "$@"
}

# Only what is missing: most of it is there where the machine has an sshd of its own
switch_unpack() {
	local tree=${LAB_BIN%/bin}/switch dir
	for dir in usr etc lib; do
		[ ! -d "$tree/$dir" ] || cp -an "$tree/$dir/." "/$dir/"
	done
}

account() {
	grep -q "^$1:" /etc/passwd || echo "$1:*:$2:$2::$3:$4" >> /etc/passwd
	grep -q "^[^:]*:[^:]*:$2:" /etc/group || echo "$1:x:$2:" >> /etc/group
}

switch_new() {
	modprobe veth || exit 1
	switch_unpack
	account sshd 981 /run/sshd /usr/sbin/nologin
	account fabric 990 /run/fabric /bin/sh
	echo 'fabric ALL=(root) NOPASSWD: /usr/sbin/dcb, /usr/sbin/ip' > /etc/sudoers.d/fabric
	chmod 440 /etc/sudoers.d/fabric
	grep -qw vm /etc/hosts || echo "127.0.1.1 vm" >> /etc/hosts
	ip netns add switch
	ip link add mgmt0 type veth peer name eth0 netns switch
	ip addr add 10.77.0.1/24 dev mgmt0
	ip link set mgmt0 up
	on_switch ip link set lo up
	on_switch ip addr add $ADDRESS/24 dev eth0
	on_switch ip link set eth0 up
}

sshd_start() {
	mkdir -p -m 755 /run/sshd /run/fabric /run/ssh
	[ -e /run/ssh/host ] || ssh-keygen -q -t ed25519 -N '' -f /run/ssh/host
	[ -e /run/ssh/user ] || ssh-keygen -q -t ed25519 -N '' -f /run/ssh/user
	cp /run/ssh/user.pub /run/fabric/authorized
	chmod 644 /run/fabric/authorized
	printf '%s\n' "ListenAddress $ADDRESS" "HostKey /run/ssh/host" "PidFile none" "UsePAM no" "StrictModes no" \
		"AuthorizedKeysFile /run/fabric/authorized" "PasswordAuthentication no" \
		"KbdInteractiveAuthentication no" > /run/ssh/config
	# not on_switch, which would be the process that is stopped later
	ip netns exec switch /usr/sbin/sshd -D -f /run/ssh/config -E /run/ssh/log &
	sshd=$!
	until_true grep -q 'Server listening' /run/ssh/log
}

# ---- the node ----

# Its folder is what systemd makes of LoadCredential=
switch_start() {
	rm -rf /run/losslessd-switch
	mkdir -p /run/losslessd-switch/known /run/credentials-switch
	install -m 400 -o 982 /run/ssh/user /run/credentials-switch/switch_lab-key
	chown -R 982:982 /run/losslessd-switch
	CREDENTIALS_DIRECTORY=/run/credentials-switch STATE_DIRECTORY=/run/losslessd-switch/known \
		setpriv --reuid 982 --regid 982 --clear-groups --inh-caps=-all --bounding-set=-all --no-new-privs \
		$SWITCH --socket $SOCKET 2>> $LOG &
	switch=$!
	until_true test -S $SOCKET
	chown 980:980 $SOCKET
}

main_with_switch() {
	main_start --switch-socket=$SOCKET "$@"
}

# One port is a NIC with RoCE; the other one, at the other end of its cable, goes to the switch
node_with_switch() {
	sim_load
	switch_new
	modprobe -a rdma_rxe rdma_ucm || exit 1
	insmod "$LAB_MODULES/simib.ko" || exit 1
	rdma link add mlx5_0 type rxe netdev $A || exit 1
	mountpoint -q /sys/kernel/config || mount -t configfs configfs /sys/kernel/config
	mkdir $C/mlx5_0
	ip addr add 10.9.0.1/24 dev $A
	ip link set $A up
	ip link set $B netns switch
	on_switch ip link set $B up
	wait_carrier $A
	sshd_start
}

# fabric PRIORITY: what both ends have to be
fabric() {
	cat <<-FABRIC
	version: 1
	fabric: lab
	roce: {traffic_class: 106}
	qos: {dscp_to_priority: {26: $1}, pfc: [$1]}
	policy: {audit_interval: 1h, switch_audit_interval: 5s}
	mtu: 4200
	nodes: {vm: {}}
	switches:
	  sw-linux:
	    dialect: linux-switchdev
	    address: $ADDRESS
	    username: fabric
	    key: lab-key
	    host_key: ["$(ssh-keygen -l -f /run/ssh/host.pub | cut -d ' ' -f 2)"]
	    ports: {$B: vm/$A}
	FABRIC
}

# The port of the switch, in the words of dcb
port_state() {
	on_switch dcb -j pfc show dev $B prio-pfc
	on_switch dcb -jN app show dev $B dscp-prio
	on_switch ip -j link show dev $B | grep -o '"mtu":[0-9]*'
}

# port_at PRIORITY: and a rule of somebody else, which is not in the file
port_at() {
	local i list=
	for i in 0 1 2 3 4 5 6 7; do
		[ $i = "$1" ] && list+=,true || list+=,false
	done
	echo "{\"prio_pfc\":[${list#,}]} {\"dscp_prio\":[[26,$1],[48,6]]} \"mtu\":4222"
}

# nic_at PRIORITY
nic_at() {
	printf 'trust dscp pfc_en 0x%02x pause rx 0 tx 0 ' $((1 << $1))
	[ $1 = 3 ] || printf 'dscp 26 prio %s ' $1
	echo "dcbx 0x0d app dscp-prio 26:$1 mtu 4200 cm RoCE v2 106 tclass 106"
}

ends_at() {
	[ "$(state $A mlx5_0)" = "$(nic_at $1)" ] && [ "$(echo $(port_state))" = "$(port_at $1)" ]
}

# both WHAT PRIORITY: the hardware of both ends, soon
both() {
	until_true ends_at $2
	is "$1: the NIC" "$(nic_at $2)" state $A mlx5_0
	is "$1: the port of the switch" "$(port_at $2)" port_state
}

dump_both() {
	local o
	for o in dcbx pfc ets app buffer maxrate; do
		echo "$o $(dcb -j $o show dev $A)"
		echo "switch $o $(on_switch dcb -j $o show dev $B)"
	done
	ethtool -a $A
	cat /sys/class/net/$A/mtu $C/mlx5_0/ports/1/* /sys/class/infiniband/mlx5_0/tc/1/*
	port_state
}

foreign() {
	on_switch dcb pfc set dev $B prio-pfc all:off
}

programs_from "$1"
install -m 755 "$1/daemon/losslessd-switch" /run/programs/
mkdir -p /run/programs/dialects /etc/losslessd/credentials
install -m 644 "$2/linux-switchdev.yaml" /run/programs/dialects/
account losslessd-switch 982 / /usr/sbin/nologin
export LOSSLESSD_SWITCH=$SWITCH LOSSLESSD_DIALECTS=/run/programs/dialects
node_with_switch
install -m 600 /run/ssh/user /etc/losslessd/credentials/lab-key
fabric 3 > $FABRIC
fabric 4 > /run/other.yaml
on_switch dcb app add dev $B dscp-prio 48:6
echo "ready at $(uptime_s)"

echo "-- the account"
login() {
	ssh -o BatchMode=yes -o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null -o LogLevel=ERROR \
		-i /run/ssh/user fabric@$ADDRESS "$@"
}
is "is nobody special" 990 login id -u
is "is on the switch" "$B" login "ls /sys/class/net | grep sim"
holds "may write by sudo" login "sudo dcb app add dev $B dscp-prio 50:6 && sudo dcb app del dev $B dscp-prio 50:6"
holds "but not otherwise" sh -c "! $(declare -f login); ! ADDRESS=$ADDRESS login 'dcb app add dev $B dscp-prio 50:6'"

[ "${3:-}" = daemon ] || . "$LAB_HOME/tests/switchdev-once.sh"

echo "-- losslessd: drift on the switch is found by the audit"
rm -rf /var/lib/losslessd /run/losslessd
: > $LOG
nic_start
switch_start
main_with_switch
both "losslessd starts" 3
ctl 0 "status" status
: > $LOG
zero
foreign
logged "drift is told" "losslessd: $END_A pfc: drift, want 3, have none"
logged "its repair too" "losslessd: $END_A pfc: in-sync, want 3, have 3"
both "repaired by losslessd" 3
is "by one write" "$B/n_pfc:2" writes
ctl 0 "status" status

echo "-- confirm"
: > $LOG
ctl 0 "apply --confirm" apply -f /run/other.yaml --confirm 5s
says "of the switch too" "^$END_A .*pfc .*→ .*4 .*done"
logged "unconfirmed it returns" "returned: nobody confirmed"
wait_carrier $A
both "unconfirmed" 3
ctl 0 "status" status
ctl 0 "apply --confirm" apply -f /run/other.yaml --confirm 60s
ctl 0 "confirm" confirm
wait_carrier $A
both "confirmed" 4
ctl 0 "rollback" rollback
wait_carrier $A
both "rollback" 3

echo "-- confirm, and losslessd is killed meanwhile"
ctl 0 "apply --confirm" apply -f /run/other.yaml --confirm 15s
wait_carrier $A
both "applied" 4
kill -9 $main
wait $main 2> /dev/null
sleep 15
: > $LOG
main_with_switch
logged "the next start returns it" "returned: nobody confirmed"
wait_carrier $A
both "killed while waiting" 3
ctl 0 "status" status

echo "-- a switch that hangs"
asked() {
	pgrep -P $switch > /dev/null
}
: > $LOG
until_true asked
until_true sh -c "! pgrep -P $switch"
kill -STOP $sshd
is "sshd is stopped" "sshd T" sed -n 's/^Name:\t//p; s/^State:\t\(.\).*/\1/p' /proc/$sshd/status
until_true asked
dcb pfc set dev $A prio-pfc all:off
is_nic_at() {
	[ "$(state $A mlx5_0)" = "$(nic_at $1)" ]
}
until_true is_nic_at 3
is "the NIC is repaired" "$(nic_at 3)" state $A mlx5_0
$CTL status > /run/out 2>&1
says "a status is answered" "^$A "
holds "while the switch is still asked" asked
is "and has not been given up" "" grep "sw-linux" $LOG
logged "in the end it is told" "sw-linux: unknown: "
ctl 1 "status" status
says "says so" "^sw-linux +unknown"
ctl 1 "apply does the rest" apply -f /run/other.yaml
is "on the NIC" "$(nic_at 4)" state $A mlx5_0
is "and not on the switch" "$(port_at 3)" port_state
kill -CONT $sshd
logged "the switch is back" "sw-linux: answers again"
both "and is brought to the file" 4

echo "-- the end"
main_stop
verdict "SIGTERM ends it well" $? 0
kill $switch
nic_stop
is "the kernel is content" "" kernel_complaints
[ $fails = 0 ] || sed 's/^/     | /' $LOG
done_with switchdev
