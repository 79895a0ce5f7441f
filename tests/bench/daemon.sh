#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# losslessd on eight ports of the simulated NIC with an RDMA device each: how soon it repairs, what it costs when idle.
# usage: lab run daemon.sh BUILD [DRIFTS [SECONDS OF IDLING]]
set -u
. "$LAB_HOME/tests/daemon-lib.sh"
PORTS=8
RUNS=${2:-1000}
IDLE=${3:-60}
LLDPAD=${LAB_BIN%/bin}/lldpad
programs_from "$1"
# From memory, with all libraries: the shared root is slow, and a process of dcb would pay for it
install -m 755 "$1/tests/bench/bench-repair" "$1/daemon/losslessd-switch" "$(command -v dcb)" /run/programs/
mkdir /run/libraries
ldd /run/programs/dcb /run/programs/losslessd /run/programs/losslessd-switch | sed -n 's/.*=> \(\/[^ ]*\).*/\1/p' | sort -u | xargs cp -Lt /run/libraries
export LD_LIBRARY_PATH=/run/libraries
cat > $FABRIC <<'END_OF_FILE'
version: 1
fabric: bench
roce: {traffic_class: 106}
qos: {dscp_to_priority: {26: 3}, pfc: [3], scheduler: {0: 50%, 3: 50%}}
mtu: 4200
nodes: {vm: {}}
END_OF_FILE
export LOSSLESSD_DIALECTS=$(dirname "$0")/../../config/dialects CREDENTIALS_DIRECTORY=/run/credentials STATE_DIRECTORY=/run/known

# One pair more: its ports have no RDMA device, so losslessd leaves them alone
node_of_eight() {
	local i
	sim_load pairs=$((PORTS / 2 + 1))
	modprobe -a rdma_rxe rdma_ucm || exit 1
	insmod "$LAB_MODULES/simib.ko" || exit 1
	mountpoint -q /sys/kernel/config || mount -t configfs configfs /sys/kernel/config
	for ((i = 0; i < PORTS + 2; i++)); do
		ip addr add 10.9.$i.1/24 dev sim$i && ip link set sim$i up || exit 1
	done
	wait_carrier sim{0..9}
	for ((i = 0; i < PORTS; i++)); do
		rdma link add mlx5_$i type rxe netdev sim$i && mkdir $C/mlx5_$i || exit 1
	done
}

# A switch for each port; nothing listens there, so that each is asked and told as unknown
add_switches() {
	local i
	mkdir -p $CREDENTIALS_DIRECTORY $STATE_DIRECTORY
	chown 980:980 $CREDENTIALS_DIRECTORY $STATE_DIRECTORY
	echo word > $CREDENTIALS_DIRECTORY/switch_word
	echo "switches:" >> $FABRIC
	for ((i = 0; i < PORTS; i++)); do
		echo "  leaf-$i: {dialect: huawei-cloudengine, address: 127.0.0.1, port: 1, username: u, password: word," \
			"ports: {100GE1/0/1: vm/sim$i}}" >> $FABRIC
	done
}

switch_start() {
	mkdir -p /run/losslessd
	chown 980:980 /run/losslessd
	setpriv --reuid 980 --regid 980 --clear-groups /run/programs/losslessd-switch --socket /run/losslessd/switch 2>> $LOG &
	switch=$!
	until_true test -S /run/losslessd/switch
}

switches_asked() {
	[ "$(grep -c '^losslessd: leaf-[0-9]*: unknown' $LOG)" = $PORTS ]
}

# links_bounce N|Y: whether a changed PFC mask drops the link, as mlx5 does
links_bounce() {
	local f
	for f in $D/*/link_bounces; do
		echo "$1" > "$f"
	done
}

private_kib() {
	local pid sum=0
	for pid in "$@"; do
		sum=$((sum + $(awk '/^Private_(Clean|Dirty):/ { sum += $2 } END { print sum + 0 }' /proc/$pid/smaps_rollup)))
	done
	echo $sum
}

# Nanoseconds computed, and how often it went to sleep by itself
spent() {
	cut -d' ' -f1 /proc/$1/schedstat
	sed -n 's/^voluntary_ctxt_switches:\t//p' /proc/$1/status
}

# idle NAME BUDGET PROCESS: a row of the table
idle() {
	local before=($(spent $3)) after
	sleep $IDLE
	after=($(spent $3))
	awk -v name="$1" -v budget="$2" -v ns=$((after[0] - before[0])) -v n=$((after[1] - before[1])) -v s=$IDLE \
		-v kib=$(private_kib $3) 'BEGIN {
			printf "| %s | **%.3f %%** | %d | **%.1f MiB** | %s |\n", name, ns / s / 1e7, n, kib / 1024, budget
		}'
}

node_of_eight
links_bounce N
nic_start
main_start --contest-window=0
$CTL status > /run/out || { cat /run/out $LOG; exit 1; }

repair() {
	/run/programs/bench-repair $main sim0 mlx5_0 /run/programs/dcb sim8 "$@" || { tail -n 5 $LOG; exit 1; }
}
repair $RUNS
echo
echo "The same, when a changed PFC mask drops the link for 100 ms:"
echo
links_bounce Y
repair $((RUNS < 50 ? RUNS : 50)) pfc

echo
echo "losslessd and losslessd-nic after that: $(private_kib $main) and $(private_kib $nic) KiB of private memory"
nic_stop
main_stop
rm -rf /var/lib/losslessd
add_switches
switch_start
nic_start
main_start
until_true switches_asked || { tail -n 20 $LOG; exit 1; }
sleep 5
echo "Right after a start, with $PORTS switches in the file: losslessd $(private_kib $main), losslessd-nic $(private_kib $nic)," \
	"losslessd-switch $(private_kib $switch) KiB, together $(private_kib $main $nic $switch) KiB (budget 6144);" \
	"$(grep -vc '^#' /run/losslessd/metrics.prom) metrics; without the two workers, which end after 10 s:"
nic_stop
kill $switch
wait $switch
echo
echo "| idle for $IDLE s | CPU | wakeups | private memory | budget |"
echo "|---|---|---|---|---|"
idle losslessd "≤ 0.1 %, ≤ 6 MiB" $main
main_stop

mkdir -p /var/lib/lldpad
cp "$LLDPAD"/usr/lib/*-linux-gnu/lib*.so.* /run/libraries/
install -m 755 "$LLDPAD/usr/sbin/lldpad" /run/programs/
/run/programs/lldpad -f /run/lldpad.conf > /run/lldpad.log 2>&1 &
agent=$!
sleep 5
idle lldpad "–" $agent || cat /run/lldpad.log
kill $agent
