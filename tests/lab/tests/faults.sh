# SPDX-License-Identifier: LGPL-2.1-or-later
# Each fault of the hardware: apply fails and says where, serves everything else, and the next one mends it.
SCHEDULED=/run/scheduled.yaml
sed 's/pfc: \[3\]/pfc: [3], scheduler: {0: 50%, 3: 50%}/' $SPEC > $SCHEDULED

# Text of `state` that a fault of the object may leave behind
touched() {
	case $1 in
	dcbx) echo 's/dcbx 0x.. //' ;;
	pause) echo 's/pause rx . tx . //' ;;
	app) echo 's/trust [a-z]* //; s/app .*mtu/mtu/' ;;
	pfc) echo 's/pfc_en 0x.. //' ;;
	tclass) echo 's/ tclass.*//' ;;
	ets) echo '' ;;
	esac
}

ets_in_spec() {
	is "$1" "prio-tc 0:0 1:0 2:0 3:3 4:0 5:0 6:0 7:0" dcb ets show dev $A prio-tc
	is "$1, shares" "50 50" sh -c "dcb ets show dev $A tc-bw | tr ' ' '\n' | sed -n 's/^[03]:\([0-9]*\)/\1/p'"
}

# fault OBJECT KNOB MODE WORDS: apply with this fault, everything else not yet or already in place
fault() {
	local what="$1, $3" edit=$(touched "$1")
	echo "$3" > "$file"
	ctl 1 "$what: apply fails" apply --once -f $SCHEDULED
	says "$what: the knob and the reason" "$2 .*($4)"
	is "$what: the rest of the port is served" "$(sed "$edit" <<< "$IN_SPEC")" sed "$edit" <<< "$(state $A mlx5_0)"
	is "$what: the other port is served" "$IN_SPEC" state $B mlx5_1
}

# faults OBJECT KNOB: all of them, then none
faults() {
	local file=$D/$A/fault_$1
	[ "$1" != tclass ] || file=$SIMIB/mlx5_0/fault_tclass
	unconfigure
	[ "$1" != pause ] || echo 0 > $D/$A/pfc_clears_pause
	fault "$1" "$2" "errno 5" 'refused|Input/output error'
	fault "$1" "$2" "errno 16" 'refused|busy'
	fault "$1" "$2" silent 'not in effect'
	echo off > "$file"
	ctl 0 "$1: then apply mends it" apply --once -f $SCHEDULED
	is "$1: all is as the file says" "$IN_SPEC" state $A mlx5_0
	ets_in_spec "$1: classes"
}

echo "-- faults"
faults dcbx dcbx
faults pause pause
faults ets scheduler
faults app dscp_to_priority
faults pfc pfc
faults tclass traffic_class

echo "-- an RDMA device that is not there"
NAMED=/run/named.yaml
sed 's/^nodes/nics: [{rdma: mlx5_0}, {rdma: mlx5_1}]\nnodes/' $SPEC > $NAMED
unconfigure
rdma link del mlx5_0
ctl 2 "apply waits for it" apply --once -f $NAMED
says "it is named" 'mlx5_0.*pending|pending.*mlx5_0'
is "the other port is served" "$IN_SPEC" state $B mlx5_1
rdma link add mlx5_0 type rxe netdev $A
ctl 0 "then it is there" apply --once -f $NAMED
is "and served" "$IN_SPEC" state $A mlx5_0

echo "-- an RDMA device that goes during apply"
unconfigure
echo 700 > $D/$A/delay_ms
$CTL apply --once -f $NAMED > /run/out 2>&1 &
apply=$!
within 10 grep -q '[1-9]' $D/$A/n_dcbx
rdma link del mlx5_0
wait $apply
is "apply does not call that success" yes sh -c "[ $? != 0 ] && echo yes"
says "the device is named" 'mlx5_0'
is "the other port is served" "$IN_SPEC" state $B mlx5_1
rdma link add mlx5_0 type rxe netdev $A
echo 0 > $D/$A/delay_ms
ctl 0 "the next apply finishes" apply --once -f $NAMED
is "all of it" "$IN_SPEC" state $A mlx5_0

echo "-- an MTU that the port cannot do"
unconfigure
sed 's/4200/9979/' $SPEC > /run/mtu.yaml
ctl 1 "apply fails" apply --once -f /run/mtu.yaml
says "and names the largest one" 'mtu.*9978'
is "the port is left as it was" "trust pcp pfc_en 0x00 pause rx 1 tx 1 dcbx 0x0c app mtu 1500 cm RoCE v2 106 tclass 106" state $A mlx5_0
