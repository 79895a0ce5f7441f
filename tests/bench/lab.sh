# SPDX-License-Identifier: LGPL-2.1-or-later
# lab.sh LOSSLESSCTL BENCH-NODE: eight ports of the simulated NIC with an RDMA device each, read by both.
. "$LAB_HOME/guest/lib.sh"
PORTS=8
# Programs from memory, not from the shared root; dcb too
install -m 755 "$1" /run/losslessctl
install -m 755 "$2" /run/bench-node
install -m 755 "$(command -v dcb)" /run/dcb
sim_load pairs=$((PORTS / 2))
modprobe -a rdma_rxe rdma_ucm || exit 1
insmod "$LAB_MODULES/simib.ko" || exit 1
mountpoint -q /sys/kernel/config || mount -t configfs configfs /sys/kernel/config
for ((i = 0; i < PORTS; i++)); do
	ip addr add 10.9.$i.1/24 dev sim$i && ip link set sim$i up || exit 1
done
wait_carrier sim{0..7}
for ((i = 0; i < PORTS; i++)); do
	rdma link add mlx5_$i type rxe netdev sim$i && mkdir $C/mlx5_$i || exit 1
done
for _ in $(seq 100); do
	grep -q ffff: /sys/class/infiniband/mlx5_7/ports/1/gids/1 && break
	sleep .1
done
exec /run/bench-node /run/losslessctl /run/dcb
