# SPDX-License-Identifier: LGPL-2.1-or-later
# Ports that stand in stacks, with the kernel's own VLANs and bonds; who uses RDMA decides how links go down.
STACK=/run/stack.yaml

# stack_spec LINE...: a fabric file with these lines
stack_spec() {
	{
		printf '%s\n' "version: 1" "fabric: lab" "$@"
		echo 'nodes: {"*": {}}'
	} > $STACK
}

mtus() {
	local d
	for d in "$@"; do
		cat /sys/class/net/$d/mtu
	done
}

# PFC of both ports is drift; what A's link is when B is written. B's own write leaves the cable alone.
carrier_of_a_at_b() {
	local apply i
	# dcb numbers its requests by the second: in the next one the last answer is an error to it
	dcb pfc set dev $A prio-pfc all:off 2> /dev/null
	dcb pfc set dev $B prio-pfc all:off 2> /dev/null
	echo 0 > $D/$B/link_bounces
	wait_carrier $A $B
	echo 3000 > $D/$A/link_delay_ms
	zero
	$CTL apply --once -f $SPEC > /run/out 2>&1 &
	apply=$!
	for i in $(seq 400); do
		[ "$(< $D/$B/n_pfc)" = 0 ] || break
		sleep .05
	done
	cat /sys/class/net/$A/carrier
	wait $apply
	echo $?
	echo 100 > $D/$A/link_delay_ms
	echo 1 > $D/$B/link_bounces
	wait_carrier $A $B
}

echo "-- links, and who uses RDMA"
unconfigure
ctl 0 "both ports as the file says" apply --once -f $SPEC
wait_carrier $A $B
wire_routes $A $B
is "idle: B is written while A's link is away" "0 0" carrier_of_a_at_b
wire_routes $A $B
rping -s -a 10.9.0.2 > /dev/null 2>&1 &
server=$!
sleep .7
rping -c -a 10.9.0.2 -I 10.9.0.1 -C 1000000 > /dev/null 2>&1 &
client=$!
within 10 sh -c 'rdma res show qp | grep -q "comm rping"'
# They keep their queue pairs, and leave us the processor
kill -STOP $client $server
is "two queue pairs of processes, as rdma tells" 2 sh -c 'rdma res show qp | grep -c "comm rping"'
is "in use: B waits for A's link" "1 0" carrier_of_a_at_b
kill -KILL $client $server
wait $client $server 2> /dev/null

echo "-- a VLAN on a port"
unconfigure
modprobe 8021q
ip link add link $A name $A.40 type vlan id 40
ip link set $A.40 up
stack_spec 'mtu: 9000' "nics: [{name: $A.40}, {name: $A}]"
ctl 0 "both grow, the port first" apply --once -f $STACK
is "as the kernel wants it" "9000 9000" mtus $A $A.40
stack_spec 'mtu: 4200' "nics: [{name: $A}]"
ctl 2 "a smaller port" plan -f $STACK
says "announces what goes along" "$A.40 shrinks too, from 9000"
ctl 0 "is applied" apply --once -f $STACK
is "and the kernel does that" "4200 4200" mtus $A $A.40
stack_spec 'mtu: 9000' "nics: [{name: $A.40}]"
ctl 1 "the VLAN alone cannot grow" apply --once -f $STACK
says "because of the port" "more than $A below it has"
stack_spec 'mtu: 65000' "nics: [{name: $A}, {name: $A.40}]"
ctl 1 "more than the port can do" apply --once -f $STACK
says "names the maximum" "$A .*takes 9978 at most"
says "the VLAN has no room" "more than $A below it has"
is "nothing has changed" "4200 4200" mtus $A $A.40
ip link set $A mtu 9000
ip link set $A.40 mtu 9000
stack_spec 'mtu: 4200' "nics: [{name: $A}, {name: $A.40, mtu: 4000}]"
ctl 0 "both shrink, the VLAN first" apply --once -f $STACK
is "to what each was given" "4200 4000" mtus $A $A.40
ctl 0 "rollback" rollback --once
is "and back" "9000 9000" mtus $A $A.40
ip link del $A.40

echo "-- a bond of both ports"
unconfigure
modprobe bonding max_bonds=0
ip link add bond0 type bond mode active-backup miimon 50
for port in $A $B; do
	ip link set $port down
	ip link set $port master bond0
done
ip link set bond0 up
wait_carrier $A $B
stack_spec 'qos: {dscp_to_priority: {26: 3}, pfc: [3]}' 'mtu: 4200' 'nics: [{name: bond0}]'
zero
ctl 0 "its name means both" apply --once -f $STACK
is "one MTU, given to the bond" "4200 4200 4200" mtus bond0 $A $B
is "PFC on each slave" "prio-pfc 0:off 1:off 2:off 3:on 4:off 5:off 6:off 7:off" dcb pfc show dev $A prio-pfc
is "on the other one too" "prio-pfc 0:off 1:off 2:off 3:on 4:off 5:off 6:off 7:off" dcb pfc show dev $B prio-pfc
ctl 0 "status" status
ip link set $B mtu 1500
ctl 2 "a slave with an MTU of its own is drift" status
ctl 0 "and gets the bond's" apply --once -f $STACK
is "all three" "4200 4200 4200" mtus bond0 $A $B
zero
ctl 0 "again" apply --once -f $STACK
is "writes nothing" "" writes
sed -i 's/mtu: 4200/mtu: 65000/' $STACK
ctl 1 "more than a slave can do" apply --once -f $STACK
says "names the slaves' maximum" 'bond0 .*takes 9978 at most'
sed -i 's/mtu: 65000/mtu: 4200/' $STACK
ctl 0 "and back to what it was" apply --once -f $STACK
ip link del bond0
for port in $A $B; do
	ip link set $port up
done
wait_carrier $A $B

echo "-- names, and an RDMA device that comes again"
unconfigure
stack_spec 'mtu: 4200' 'nics: [{name: rail0}]'
ctl 2 "a port that is not there" plan -f $STACK
for port in $A $B; do
	ip link set $port down
done
ip link set $A name tmp
ip link set $B name rail0
ctl 0 "one that was renamed" apply --once -f $STACK
is "only it" "1500 4200" mtus tmp rail0
ip link set rail0 name tmp2
ip link set tmp name rail0
ctl 0 "the name moves on" apply --once -f $STACK
is "and the file means the name" "4200 4200" mtus rail0 tmp2
ip link set rail0 name $A
ip link set tmp2 name $B
for port in $A $B; do
	ip link set $port up
done
wait_carrier $A $B
unconfigure
ctl 0 "all of both ports" apply --once -f $SPEC
wait_carrier $A $B
rdma link del mlx5_0
rdma link add mlx5_0 type rxe netdev $A
ctl 2 "a device that came again has lost its values" status
zero
ctl 0 "and gets them" apply --once -f $SPEC
in_spec "the hardware"
wire_routes $A $B
