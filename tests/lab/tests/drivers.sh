# SPDX-License-Identifier: LGPL-2.1-or-later
# drivers.sh LOSSLESSCTL [BEHAVIOURS [PERSONALITY...]]: the main job and the faults on each driver that the lab can play;
# with BEHAVIOURS also the table that the simulated node is held to.
install -m 755 "$1" /run/losslessctl || exit 1
behaviours=${2:-}
shift $(($# < 2 ? $# : 2))
. "$LAB_HOME/tests/ctl.sh"
sed -i 's/pfc: \[3\]/pfc: [3], scheduler: {0: 50%, 3: 50%}/' $SPEC

# ---- the drivers ----

# driver PERSONALITY: what is different of it, for the checks below.
# BITS what apply leaves of DCBX, MAP of classes; HW what a rollback leaves in the hardware
driver() {
	p=$1 module=$1
	case $p in
	mlx5)
		module="mlx5 ofed=0"
		BITS=0x0d DCBX='{"host":true,"cee":true,"ieee":true}'
		MAP="prio-tc 0:0 1:0 2:0 3:3 4:0 5:0 6:0 7:0" SHARES="0:50 3:50"
		# nic.md 1.1: deleting the last APP sends the DSCP to priority 0 and trust to PCP
		HW="trust pcp pfc_en 0x00 pause rx 1 tx 1 dscp 26 prio 0"
		;;
	bnxt)
		BITS=0x09 DCBX='{"host":true,"ieee":true}'
		MAP="prio-tc 0:0 1:0 2:0 3:1 4:0 5:0 6:0 7:0" SHARES="0:50 1:50"
		# nic.md 1.4: no way back to "never set" but a reset of the driver (GET shows zeros then and now);
		# a deleted DSCP goes to priority 0, and the hardware stays in DSCP mode
		HW="trust dscp pfc_en 0x00 pause rx 1 tx 1 dscp 26 prio 0"
		;;
	ice)
		BITS=0x09 DCBX='{"host":true,"ieee":true}'
		# nic.md 1.5: in DSCP mode a priority keeps the class of its number
		MAP="prio-tc 0:0 1:1 2:2 3:3 4:4 5:5 6:6 7:7" SHARES="0:50 3:50"
		# nic.md 1.5: a deleted DSCP gets a default priority, which PCP mode does not look at
		HW="trust pcp pfc_en 0x00 pause rx 1 tx 1 dscp 26 prio 2"
		;;
	esac
	IN_SPEC="trust dscp pfc_en 0x08 pause rx 0 tx 0 dcbx $BITS app dscp-prio 26:3 mtu 4200 cm RoCE v2 106 tclass 106"
}

# ports PARAMETERS...: two fresh ports, after those of the personality before
ports() {
	if lsmod | grep -q '^simnic '; then
		rmdir $C/mlx5_0 $C/mlx5_1 2> /dev/null
		rdma link del mlx5_0
		rdma link del mlx5_1
		rmmod simib simnic
		ip rule del pref 10
		ip rule del pref 11
		ip rule del pref 1000
		ip rule add pref 0 lookup local
	fi
	sim_load "$@"
	wire_pair $A $B
	rdma_load $A $B
	wait_carrier $A $B
}

# afresh: unconfigured, with the owner of DCB that the driver starts with
afresh() {
	local d
	if [ $p = ice ]; then
		for d in $A $B; do
			echo off | tee $D/$d/fault_* > /dev/null
			ethtool --set-priv-flags $d fw-lldp-agent on
		done
	fi
	unconfigure
	# of these, only mlx5's firmware does that
	[ $p = mlx5 ] || [ $p = ofed ] || echo 0 | tee $D/$A/pfc_clears_pause > $D/$B/pfc_clears_pause
	mkdir -p $C/mlx5_0 $C/mlx5_1
	wait_carrier $A $B
}

shares() {
	dcb ets show dev $1 tc-bw | tr ' ' '\n' | grep -E '^[0-9]:[1-9]'
}

flag() {
	ethtool --show-priv-flags $1 | sed -n 's/^fw-lldp-agent *: //p'
}

everything() {
	dump
	[ $p != ice ] || for d in $A $B; do
		flag $d
	done
}

# ---- the main job ----

main_job() {
	local d
	echo "-- $p: apply"
	everything 2> /dev/null > /run/dump.before
	ctl 0 "$p: apply" apply --once -f $SPEC
	wait_carrier $A $B
	in_spec "$p: the hardware"
	for d in $A $B; do
		is "$p, $d: dcb pfc" '{"prio_pfc":[false,false,false,true,false,false,false,false]}' dcb -j pfc show dev $d prio-pfc
		is "$p, $d: dcb app" '{"dscp_prio":[[26,3]]}' dcb -jN app show dev $d dscp-prio
		is "$p, $d: dcb dcbx" "$DCBX" dcb -j dcbx show dev $d
		is "$p, $d: dcb ets" "$MAP" dcb ets show dev $d prio-tc
		is "$p, $d: dcb ets, shares" "$SHARES" shares $d
		is "$p, $d: ethtool -a" "RX: off TX: off" sh -c "ethtool -a $d | grep X: | sort"
		[ $p != ice ] || is "$p, $d: ethtool --show-priv-flags" off flag $d
	done

	echo "-- $p: nothing to do"
	zero
	ctl 0 "$p: apply again" apply --once -f $SPEC
	ctl 0 "$p: status" status
	is "$p: no setter was called" "" writes

	echo "-- $p: drift and repair"
	dcb pfc set dev $A prio-pfc all:off
	wait_carrier $A $B
	ctl 2 "$p: status sees PFC switched off" status
	says "$p: knob, want and have are named" 'pfc.*(want 3.*have none|3.*none|none.*3)'
	zero
	ctl 0 "$p: apply repairs" apply --once -f $SPEC
	wait_carrier $A $B
	is "$p: by one write of PFC" "$A/n_pfc:1" writes
	in_spec "$p: the hardware"

	echo "-- $p: rollback"
	ctl 0 "$p: rollback" rollback --once
	wait_carrier $A $B
	everything 2> /dev/null > /run/dump.after
	holds "$p: the first state is back, byte for byte" diff /run/dump.before /run/dump.after
	is "$p: what the hardware keeps" "$HW" grep -v personality $D/$A/hw
	ctl 1 "$p: nothing is left to roll back" rollback --once
}

# ---- faults ----

# touched OBJECT: what of `state` a fault of the object may leave behind, on the driver
touched() {
	local dcb='s/trust [a-z]* //; s/pfc_en 0x.. //; s/dcbx 0x.. //; s/dscp [0-9]* prio [0-9]* //; s/app .*mtu/mtu/'
	case $p,$1 in
	mlx5,dcbx) echo 's/dcbx 0x.. //' ;;
	*,dcbx) echo "$dcb" ;; # nic.md 1.4, 1.5: nothing of DCB is taken then
	bnxt,ets) echo 's/pfc_en 0x.. //' ;; # nic.md 1.4: ETS before PFC
	*,ets) echo '' ;;
	ice,pause | *,pfc) echo 's/pfc_en 0x.. //; s/pause rx . tx . //' ;;
	*,pause) echo 's/pause rx . tx . //' ;;
	*,app) echo 's/trust [a-z]* //; s/dscp [0-9]* prio [0-9]* //; s/app .*mtu/mtu/' ;;
	esac
}

# unseen OBJECT MODE: no reader of this driver can tell
unseen() {
	case "$p $1 $2" in
	# nic.md 1.5: the failure is swallowed, and the entry is in the kernel's table
	"ice app "*) ;;
	# the entry is in the kernel's table, and nothing reads the map of the hardware
	*" app silent") [ $p = bnxt ] ;;
	*) false ;;
	esac
}

# fault OBJECT KNOB MODE
fault() {
	local what="$p: $1, $3" edit=$(touched $1)
	echo "$3" > $D/$A/fault_$1
	if unseen $1 "$3"; then
		ctl 0 "$what: nothing tells" apply --once -f $SPEC
		is "$what: not even dcb" '{"dscp_prio":[[26,3]]}' dcb -jN app show dev $A dscp-prio
		is "$what: the other port is served" "$IN_SPEC" state $B mlx5_1
		afresh
		return
	fi
	ctl 1 "$what: apply fails" apply --once -f $SPEC
	says "$what: the knob and the reason" "$2 .*(refused|Input/output error|not in effect|busy)"
	wait_carrier $A $B
	is "$what: the rest of the port is served" "$(sed "$edit" <<< "$IN_SPEC")" sed "$edit" <<< "$(state $A mlx5_0)"
	is "$what: the other port is served" "$IN_SPEC" state $B mlx5_1
}

# busy OBJECT KNOB
busy() {
	if [ $1 != dcbx ]; then
		ctl 0 "$p: $1, busy for a moment: apply waits" apply --once -f $SPEC
		return
	fi
	# the driver has one word for every failure of DCBX, so nothing tells that another try would do
	zero
	ctl 1 "$p: $1, busy for a moment: apply fails" apply --once -f $SPEC
	says "$p: $1, busy for a moment: the knob and the reason" "$2 .*(refused|not in effect)"
	is "$p: $1, busy for a moment: it is tried once" 1 cat $D/$A/n_$1
}

# faults OBJECT KNOB: refused, accepted in silence, busy for a moment, and gone
faults() {
	afresh
	case $p,$1 in
	mlx5,pause) echo 0 > $D/$A/pfc_clears_pause ;;
	bnxt,dcbx) dcb dcbx set dev $A ieee ;;
	ice,dcbx)
		ethtool --set-priv-flags $A fw-lldp-agent off
		echo 0x05 > $D/$A/dcbx
		;;
	esac
	fault $1 $2 "errno 5"
	fault $1 $2 silent
	if ! unseen $1 "busy 1"; then
		echo "busy 1" > $D/$A/fault_$1
		busy $1 $2
	fi
	echo off > $D/$A/fault_$1
	ctl 0 "$p: $1: then apply mends it" apply --once -f $SPEC
	wait_carrier $A $B
	is "$p: $1: all is as the file says" "$IN_SPEC" state $A mlx5_0
	is "$p: $1: classes" "$MAP $SHARES" sh -c "echo '$(dcb ets show dev $A prio-tc)' '$(shares $A)'"
}

# ---- the objects that a plain file does not ask for ----

EXTRA=/run/extra.yaml

# extra_file: all that the driver has, so that less of it can be seen
extra_file() {
	local more=
	[ $p = bnxt ] || more='max_rate: {3: 10500Mbit/s}, pfc_watchdog: {detect: 200ms}'
	cat > $EXTRA <<-END
	version: 1
	fabric: lab
	roce: {traffic_class: 106$([ $p != ofed ] || echo ', cnp: {dscp: 46, priority: 5}')}
	qos: {dscp_to_priority: {26: 3, 34: 4$([ $p != ofed ] || echo ', 46: 5')}, pfc: [3, 4], scheduler: {0: 50%, 3: 30%, 6: 20%}${more:+, $more}}
	$([ $p != ofed ] || echo 'ecn: {priorities: [3], min: 150KiB, max: 1500KiB, probability: 100%}')
	mtu: 4200
	nodes: {"*": {}}
	END
}

# extra_state: what apply of that file changes, by tools that are not ours
extra_state() {
	echo $(extra_lines)
}

extra_lines() {
	local f
	dcb -j pfc show dev $A prio-pfc
	dcb -jN app show dev $A dscp-prio
	dcb ets show dev $A prio-tc tc-bw
	dcb -j maxrate show dev $A
	ethtool --get-tunable $A pfc-prevention-tout
	cat /sys/class/net/$A/mtu
	for f in /sys/class/net/$A/ecn/roce_*/enable/* /sys/class/net/$A/ecn/roce_np/cnp_*; do
		[ ! -f $f ] || echo "${f#*/ecn/} $(< $f)"
	done
} 2> /dev/null

# extra_faults OBJECT KNOB MODE...: each is told by a knob of the object, and mended by the next apply
extra_faults() {
	local object=$1 knob=$2 mode
	shift 2
	for mode in "$@"; do
		afresh
		echo "$mode" > $D/$A/fault_$object
		ctl 1 "$p: $object, $mode: apply fails" apply --once -f $EXTRA
		says "$p: $object, $mode: the knob and the reason" "($knob) .*(refused|Input/output error|not in effect|busy)"
		echo off > $D/$A/fault_$object
		ctl 0 "$p: $object, $mode: then apply mends it" apply --once -f $EXTRA
		is "$p: $object, $mode: all is as the file says" "$extra" extra_state
	done
	afresh
	echo "busy 1" > $D/$A/fault_$object
	ctl 0 "$p: $object, busy for a moment: apply waits" apply --once -f $EXTRA
	echo off > $D/$A/fault_$object
}

# foreign OBJECT KNOB COMMAND...: somebody changes it; status tells, apply writes that and nothing else
foreign() {
	local object=$1 knob=$2
	shift 2
	"$@" > /dev/null 2>&1
	ctl 2 "$p: foreign $knob: status" status
	says "$p: foreign $knob: named" "$knob +drift"
	zero
	ctl 0 "$p: foreign $knob: apply repairs" apply --once -f $EXTRA
	is "$p: foreign $knob: by a write of its object" "$A/n_$object" sh -c "grep -H -v '^0$' $D/$A/n_* | sed 's,^$D/,,; s/:.*//'"
	is "$p: foreign $knob: all is as the file says" "$extra" extra_state
}

put() {
	echo "$1" > "$2"
}

extra_job() {
	local before
	extra_file
	afresh
	before=$(extra_state)
	echo "-- $p: all that it has"
	ctl 0 "$p: apply of all" apply --once -f $EXTRA
	wait_carrier $A $B
	extra=$(extra_state)
	is "$p: PFC of two" '{"prio_pfc":[false,false,false,true,true,false,false,false]}' dcb -j pfc show dev $A prio-pfc
	zero
	ctl 0 "$p: apply of all again" apply --once -f $EXTRA
	is "$p: no setter was called" "" writes
	if [ $p != bnxt ]; then
		holds "$p: the rate of class 3" grep -q '[1-9]' <<< "$(dcb -j maxrate show dev $A | tr ',' '\n' | sed -n 4p)"
		is "$p: the watchdog" "pfc-prevention-tout: 200" ethtool --get-tunable $A pfc-prevention-tout
		foreign maxrate max_rate dcb maxrate set dev $A tc-maxrate 3:1gbit
		foreign tunable pfc_watchdog ethtool --set-tunable $A pfc-prevention-tout 100
	fi
	if [ $p = ofed ]; then
		foreign ecn cnp_dscp put 0 /sys/class/net/$A/ecn/roce_np/cnp_dscp
	fi
	ctl 0 "$p: rollback of all" rollback --once
	wait_carrier $A $B
	is "$p: the first state of all is back" "$before" extra_state

	echo "-- $p: faults of the others, and less than was asked"
	extra_faults pfc pfc clamp
	# bnxt numbers the classes 0, 1, 2: that is not too many
	[ $p = bnxt ] || extra_faults ets scheduler clamp
	extra_faults mtu mtu "errno 5" silent
	if [ $p != bnxt ]; then
		extra_faults maxrate max_rate "errno 5" silent clamp
		extra_faults tunable pfc_watchdog "errno 5" silent
	fi
	[ $p != ofed ] || extra_faults ecn 'ecn_np|ecn_rp|cnp_dscp|cnp_priority' "errno 5" silent
}

# a driver that nobody has vouched for: compared, and not written
read_only() {
	p=plain
	ports personality=plain
	unconfigure
	mkdir -p $C/mlx5_0 $C/mlx5_1
	echo 0 | tee $D/$A/pfc_clears_pause > $D/$B/pfc_clears_pause
	wait_carrier $A $B
	echo "-- $p: read only"
	dump > /run/dump.before 2> /dev/null
	zero
	ctl 1 "$p: apply refuses the ports" apply --once -f $SPEC
	says "$p: pfc is unsupported" 'pfc +unsupported'
	is "$p: and writes none of their DCB" "" sh -c "cat $D/*/n_pfc $D/*/n_ets $D/*/n_app $D/*/n_dcbx $D/*/n_pause | grep -v '^0$'"
	dcb pfc set dev $A prio-pfc 3:on
	ctl 1 "$p: status, with a foreign change" status
	is "$p: rollback" 0 sh -c "$CTL rollback --once > /run/out 2>&1; echo \$?"
	dcb pfc set dev $A prio-pfc all:off
	dump > /run/dump.after 2> /dev/null
	holds "$p: the first state is back, byte for byte" diff /run/dump.before /run/dump.after
}

for p in ${*:-mlx5 bnxt ice}; do
	driver $p
	ports personality=$module
	afresh
	main_job
	echo "-- $p: faults"
	faults dcbx dcbx
	faults pause pause
	faults ets scheduler
	faults app dscp_to_priority
	faults pfc pfc
	[ $p = ice ] || extra_job # ice has one lossless class, and none of the other objects
	echo "$p done at $(uptime_s)"
done
if [ $# = 0 ]; then
	p=mlx5
	driver $p
	p=ofed
	ports personality=mlx5
	extra_job
	read_only
fi
if [ -n "$behaviours" ]; then
	# mlx5's is in all.sh
	for p in bnxt ice plain; do
		echo "-- $p: the table of behaviours"
		ports personality=$p
		"$behaviours" --lab $A mlx5_0 --personality $p || fails=$((fails + 1))
	done
fi
is "the kernel is content" "" kernel_complaints
done_with drivers
