# SPDX-License-Identifier: GPL-2.0
# For scripts in the guest: . "$LAB_HOME/guest/lib.sh"
PATH=$PATH:/usr/sbin:/sbin
D=/sys/kernel/debug/simnic
C=/sys/kernel/config/rdma_cm
fails=0

uptime_s() {
	cut -d' ' -f1 /proc/uptime
}

# sim_load [MODULE PARAMETERS]: a fresh simnic
sim_load() {
	! lsmod | grep -q '^simnic ' || rmmod simnic || exit 1
	insmod "$LAB_MODULES/simnic.ko" "$@" || exit 1
}

# is WHAT EXPECTED COMMAND...: the command's output, white space squeezed, has to be EXPECTED
is() {
	local what=$1 want=$2 got
	shift 2
	got=$("$@" 2>&1 | tr -s ' \t\n' ' ' | sed 's/^ //; s/ $//')
	if [ "$got" = "$want" ]; then
		echo "ok   $what"
	else
		echo "FAIL $what: '$got', expected '$want'"
		fails=$((fails + 1))
	fi
}

# done_with NAME: verdict of the script
done_with() {
	if [ $fails = 0 ]; then
		echo "$1: PASS at $(uptime_s)"
	else
		echo "$1: $fails FAILED"
	fi
	exit $((fails > 0))
}

# wire_pair A B: two netdevs of one kernel that really talk over their wire (10.9.0.1 and 10.9.0.2);
# the local routing table has to come after the per-device ones.
wire_pair() {
	local a=$1 b=$2 f
	ip addr add 10.9.0.1/24 dev "$a"
	ip addr add 10.9.0.2/24 dev "$b"
	ip link set "$a" up mtu 4200
	ip link set "$b" up mtu 4200
	for f in "conf/all/rp_filter 0" "conf/$a/rp_filter 0" "conf/$b/rp_filter 0" \
		"conf/$a/accept_local 1" "conf/$b/accept_local 1"; do
		echo "${f#* }" > "/proc/sys/net/ipv4/${f% *}"
	done
	ip rule add pref 1000 lookup local
	ip rule del pref 0 lookup local
	ip rule add pref 10 oif "$a" lookup 101
	ip rule add pref 11 oif "$b" lookup 102
	wire_routes "$a" "$b"
}

# Needed again after a port was closed and opened (ice does that): routes and neighbours are gone then
wire_routes() {
	local a=$1 b=$2
	ip route replace 10.9.0.2/32 dev "$a" src 10.9.0.1 table 101
	ip route replace 10.9.0.1/32 dev "$b" src 10.9.0.2 table 102
	ip neigh replace 10.9.0.2 lladdr "$(cat "/sys/class/net/$b/address")" dev "$a" nud permanent
	ip neigh replace 10.9.0.1 lladdr "$(cat "/sys/class/net/$a/address")" dev "$b" nud permanent
}

# wait_carrier DEV...: until the link is back
wait_carrier() {
	local d i
	for d in "$@"; do
		for i in $(seq 100); do
			[ "$(cat "/sys/class/net/$d/carrier" 2>/dev/null)" = 1 ] && break
			sleep .1
		done
	done
}

# rdma_load A B: rxe devices mlx5_0 on A and mlx5_1 on B, OFED attributes, RDMA-CM defaults
rdma_load() {
	modprobe -a rdma_rxe rdma_ucm || exit 1
	insmod "$LAB_MODULES/simib.ko" || exit 1
	rdma link add mlx5_0 type rxe netdev "$1" && rdma link add mlx5_1 type rxe netdev "$2" || exit 1
	mountpoint -q /sys/kernel/config || mount -t configfs configfs /sys/kernel/config
	mkdir $C/mlx5_0 $C/mlx5_1
}

# rdma_ping: three rpings from mlx5_0 to mlx5_1
rdma_ping() {
	local server
	timeout 60 rping -s -a 10.9.0.2 -C 3 > /dev/null 2>&1 &
	server=$!
	sleep .7
	timeout 60 rping -c -a 10.9.0.2 -I 10.9.0.1 -C 3 > /dev/null 2>&1 && wait $server
}

# What the kernel complained about since the first of our modules came
kernel_complaints() {
	dmesg | sed '1,/loading out-of-tree module/d' | grep -iE 'bug:|warning:|oops|rcu.*stall'
}

# stat DEV NAME: one ethtool counter
stat() {
	ethtool -S "$1" | sed -n "s/^ *$2: //p"
}
