# SPDX-License-Identifier: LGPL-2.1-or-later
# For the scripts beside it: two unconfigured ports, losslessctl, and the judges that are not ours.
. "$LAB_HOME/guest/lib.sh"
A=sim0 B=sim1
SIMIB=/sys/kernel/debug/simib
SPEC=/run/fabric.yaml
CTL=/run/losslessctl

cat > $SPEC <<'END'
version: 1
fabric: lab
roce: {traffic_class: 106}
qos: {dscp_to_priority: {26: 3}, pfc: [3]}
mtu: 4200
nodes: {"*": {}}
END

# What `state` prints of a port that is as $SPEC says
IN_SPEC="trust dscp pfc_en 0x08 pause rx 0 tx 0 dcbx 0x0d app dscp-prio 26:3 mtu 4200 cm RoCE v2 106 tclass 106"

# node_new: two ports on one cable, RoCE on both, as the kernel brings them up
node_new() {
	sim_load
	wire_pair $A $B
	rdma_load $A $B
	unconfigure
	mkdir $C/mlx5_0 $C/mlx5_1
	wait_carrier $A $B
}

# unconfigure: back to what a fresh boot leaves, and nothing remembered
unconfigure() {
	local f
	for f in $D/$A/fault_* $D/$B/fault_* $SIMIB/*/fault_*; do
		echo off > "$f"
	done
	for f in $A $B; do
		echo 0 | tee $D/$f/reset > $D/$f/delay_ms
		echo 1 > $D/$f/pfc_clears_pause
		[ "$(< /sys/class/net/$f/mtu)" = 1500 ] || ip link set $f mtu 1500
	done
	for f in mlx5_0 mlx5_1; do
		echo -1 > /sys/class/infiniband/$f/tc/1/traffic_class
		# the values belong to the device, not to the folder
		echo 0 > $C/$f/ports/1/default_roce_tos
		rmdir $C/$f
	done 2> /dev/null
	rm -rf /var/lib/losslessd /run/losslessd
	zero
}

# ctl STATUS WHAT ARGS...: losslessctl ARGS has to end with STATUS; its words are in /run/out
ctl() {
	local status=0 want=$1 what=$2
	shift 2
	$CTL "$@" > /run/out 2>&1 || status=$?
	verdict "$what" "$status" "$want"
}

verdict() {
	if [ "$2" = "$3" ]; then
		echo "ok   $1"
	else
		echo "FAIL $1: exit status $2, expected $3"
		tail -n 15 /run/out | sed 's/^/     | /'
		fails=$((fails + 1))
	fi
}

# says WHAT REGEX: one line of /run/out matches
says() {
	if grep -qE "$2" /run/out; then
		echo "ok   $1"
	else
		echo "FAIL $1: no line like '$2'"
		tail -n 15 /run/out | sed 's/^/     | /'
		fails=$((fails + 1))
	fi
}

# within SECONDS COMMAND...: waits until it succeeds
within() {
	local i=$(($1 * 20))
	shift
	until "$@" || [ $((i--)) = 0 ]; do
		sleep .05
	done
}

# holds WHAT COMMAND...: it has to succeed
holds() {
	local what=$1
	shift
	if "$@" > /run/held 2>&1; then
		echo "ok   $what"
	else
		echo "FAIL $what"
		head -n 20 /run/held | sed 's/^/     | /'
		fails=$((fails + 1))
	fi
}

# ---- the module's word ----

# zero, writes: the setter calls since then, of all objects of all ports and RDMA devices
zero() {
	local f
	for f in $D/*/n_* $SIMIB/*/n_*; do
		echo 0 > "$f"
	done
}

writes() {
	grep -H . $D/*/n_* $SIMIB/*/n_* | sed "s,^$D/,,; s,^$SIMIB/,,; /:0\$/d"
}

# state PORT IBDEV: everything that $SPEC manages, from the hardware's side
state() {
	local tc=$(cat /sys/class/infiniband/$2/tc/1/traffic_class)
	echo $(grep -v personality $D/$1/hw) dcbx $(< $D/$1/dcbx) app $(dcb -N app show dev $1) mtu $(< /sys/class/net/$1/mtu) \
		cm $(cat $C/$2/ports/1/default_roce_{mode,tos}) \
		tclass ${tc#Global tclass=}
} 2> /dev/null

in_spec() {
	is "$1 is as the file says" "$IN_SPEC" state $A mlx5_0
	is "$1, the other port too" "$IN_SPEC" state $B mlx5_1
}

# ---- messages and files ----

watch_begin() {
	"$LAB_BIN/dcbmon" 600 $C/mlx5_*/ports/1 /sys/class/infiniband/mlx5_*/tc/1 > /run/watch &
	watcher=$!
	within 5 grep -q listening /run/watch
}

watch_end() {
	sleep .3
	kill $watcher
	wait $watcher
}

watched() {
	sed -n 's/^dcbmon: \([0-9]\)/\1/p' /run/watch
}

# dump: the whole state by other tools, for comparing before and after.
# ethtool 6.1 prints "true" for every pause setting in JSON, so the plain text is in here too.
dump() {
	local d o f
	for d in $A $B; do
		for o in dcbx pfc ets app buffer maxrate; do
			echo "$d $o $(dcb -j $o show dev $d)"
		done
		ethtool --json -a $d
		ethtool -a $d
	done
	rdma -j link
	rdma -j dev
	for f in $C/mlx5_*/ports/1/* /sys/class/infiniband/mlx5_*/tc/1/* /sys/class/net/sim?/mtu \
		/sys/class/net/sim?/qos/* /sys/class/net/sim?/ecn/*/*; do
		[ ! -f "$f" ] || echo "$f: $(< "$f")"
	done
}

# traffic: RDMA-CM pings over the wire; then `captured` has a line per packet's ToS
traffic() {
	local dump
	tcpdump -i $B --immediate-mode -l -n -v 'udp port 4791' > /run/packets 2> /run/tcpdump &
	dump=$!
	within 10 grep -q 'listening on' /run/tcpdump
	rdma_ping || echo "rping failed"
	sleep .3
	kill -INT $dump
	wait $dump
}

captured() {
	grep -o 'tos 0x[0-9a-f]*' /run/packets | sort -u
}

at_least() {
	[ "${2:-0}" -ge "$1" ]
}
