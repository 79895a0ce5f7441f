#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# simnic and simib as an OFED ConnectX: what the tools see, the vendor attributes, the traffic class.
. "$LAB_HOME/guest/lib.sh"
sim_load names=ens1f0np0,ens1f1np1 bus=0000:3b:00.0,0000:3b:00.1
A=ens1f0np0
N=/sys/class/net/$A

is "driver" mlx5_core sh -c "ethtool -i $A | sed -n 's/^driver: //p'"
is "bus info" 0000:3b:00.0 sh -c "ethtool -i $A | sed -n 's/^bus-info: //p'"
is "device link" 0000:3b:00.0 sh -c "basename \$(readlink $N/device)"
is "driver link" mlx5_core sh -c "basename \$(readlink $N/device/driver)"
is "vendor" 0x15b3 cat $N/device/vendor
ip link set $A up
ip link set ens1f1np1 up
is "speed" "Speed: 100000Mb/s" sh -c "ethtool $A | grep Speed"

is "ets after attach" "prio-tc 0:1 1:0 2:2 3:3 4:4 5:5 6:6 7:7" \
	sh -c "dcb ets show dev $A prio-tc"
is "firmware owns dcbx" "cee ieee" dcb dcbx show dev $A
is "global pause is on" "RX: on TX: on" sh -c "ethtool -a $A | grep X: | sort"
is "pause counters hidden" "" stat $A rx_prio3_pause
dcb pfc set dev $A prio-pfc all:off 3:on
is "pause counters appear with PFC" 0 stat $A rx_prio3_pause
is "PFC cleared pause" "RX: off TX: off" sh -c "ethtool -a $A | grep X: | sort"
echo 3 > $D/$A/pause_storm
is "pause storm" 1000 stat $A rx_prio3_pause
# dcb 6.1 writes bytes/s into a field of kbit/s: this is 40.55 Gbit/s
dcb maxrate set dev $A tc-maxrate 3:324400kbit
is "maxrate granularity" 40000000 sh -c "cut -d' ' -f4 $N/qos/maxrate"
echo "0 0 0 1230000 0 0 0 0" > $N/qos/maxrate
is "finer below 25.5 Gbit/s" 1200000 sh -c "cut -d' ' -f4 $N/qos/maxrate"
is "eight numbers or none" 1 sh -c "echo '1 2 3' > $N/qos/maxrate 2>/dev/null; echo \$?"

E=$N/ecn
is "ecn enable" 1 cat $E/roce_np/enable/3
is "enabling twice is refused" 1 sh -c "echo 1 > $E/roce_np/enable/3 2>/dev/null; echo \$?"
echo 0 > $E/roce_np/enable/3
is "disabled" 0 cat $E/roce_np/enable/3
echo 46 > $E/roce_np/cnp_dscp
is "cnp_dscp" 46 cat $E/roce_np/cnp_dscp
echo 112 > $E/roce_np/cnp_dscp
is "cut to six bits" 48 cat $E/roce_np/cnp_dscp
is "rp parameters" 17 sh -c "ls $E/roce_rp | wc -l"
is "ecn writes counted" 4 cat $D/$A/n_ecn
is "ecn changes counted" 3 cat $D/$A/hw_ecn
echo 1 > $D/$A/ecn_read_empty
is "firmware error reads empty" "" cat $E/roce_np/cnp_dscp
is "maxrate format" "0 0 0 1200000 0 0 0 0" cat $N/qos/maxrate
is "prio2buffer format" "Priority Buffer 0 0" sh -c "head -2 $N/qos/prio2buffer"
is "buffer_size format" "Port buffer size = 524160 Spare buffer size = 262144" \
	sh -c "head -2 $N/qos/buffer_size"
echo 130000,100000,0,0,0,0,0,0 > $N/qos/buffer_size && echo 0,0,0,1,0,0,0,0 > $N/qos/prio2buffer
is "buffers over netlink" "prio-buffer 0:0 1:0 2:0 3:1 4:0 5:0 6:0 7:0" \
	dcb buffer show dev $A prio-buffer
is "lossless buffer too small" 1 \
	sh -c "echo 130000,20000,0,0,0,0,0,0 > $N/qos/buffer_size 2>/dev/null; echo \$?"
echo auto > $N/settings/pfc_stall_prevention
is "stall prevention" auto cat $N/settings/pfc_stall_prevention
is "tunable" "pfc-prevention-tout: 100" ethtool --get-tunable $A pfc-prevention-tout
is "no qos/trust in this OFED" "tc_num prio2buffer maxrate buffer_size" \
	sh -c "ls -r $N/qos"

rmmod simnic
sim_load ofed=2
is "qos/trust in the old OFED" pcp cat /sys/class/net/sim0/qos/trust
wire_pair sim0 sim1
rdma_load sim0 sim1
T=/sys/class/infiniband/mlx5_0/tc/1/traffic_class
is "traffic class unset" "" cat $T
echo 106 > $T
is "traffic class" "Global tclass=106" cat $T
echo -1 > $T
echo "src_ip=10.9.0.1,dst_ip=10.9.0.0/24,tclass=96" > $T
is "rule" "src_ip=10.9.0.1,dst_ip=10.9.0.0/24,tclass=96" cat $T
echo "src_ip=10.9.0.1,dst_ip=10.9.0.0/24,tclass=-1" > $T
is "rule deleted" "" cat $T
is "bad values refused" "1 1 1" sh -c "for v in 256 x=1 dst_ip=1.2.3,tclass=1; do
	echo \$v > $T 2>/dev/null; echo \$?; done"
is "writes counted" "7 4" cat /sys/kernel/debug/simib/mlx5_0/n_tclass /sys/kernel/debug/simib/mlx5_0/hw_tclass
is "ttl" 0 cat /sys/class/infiniband/mlx5_0/ttl/1/ttl
echo "busy 2" > /sys/kernel/debug/simib/mlx5_0/fault_tclass
is "traffic class busy twice" "1 1 0" sh -c "for i in 1 2 3; do
	echo 104 > $T 2>/dev/null; echo \$?; done"
echo 104 > /sys/class/infiniband/mlx5_1/tc/1/traffic_class
for d in sim0 sim1; do
	dcb app add dev $d dscp-prio 26:3
done
is "rping" "" rdma_ping
is "forced class arrives in priority 3" yes \
	sh -c "[ $(stat sim1 rx_prio3_packets) -ge 20 ] && echo yes"
echo 106 > $C/mlx5_0/ports/1/default_roce_tos
rdma link del mlx5_0
rdma link add mlx5_0 type rxe netdev sim0
is "a new ib device has lost its class" "" cat $T
is "and its RDMA-CM tos" 0 cat $C/mlx5_0/ports/1/default_roce_tos
rdma link del mlx5_0
rdma link del mlx5_1
rmmod simib simnic
is "unloads" "" sh -c "lsmod | grep -E '^sim(nic|ib) '"
is "kernel is content" "" kernel_complaints
done_with ports
