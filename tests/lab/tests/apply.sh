# SPDX-License-Identifier: LGPL-2.1-or-later
# The main job: an unconfigured node, drift, repair, redundant applies, and the way back.
echo "-- apply"
dump > /run/dump.before
ctl 2 "plan has changes" plan -f $SPEC
is "plan writes nothing" "" writes
ctl 0 "apply" apply --once -f $SPEC
wait_carrier $A $B
in_spec "the hardware"
is "the carrier drops once for one change of PFC" "1 1" cat $D/$A/n_pfc $D/$B/n_pfc
for d in $A $B; do
	is "$d: dcb pfc" '{"prio_pfc":[false,false,false,true,false,false,false,false]}' \
		dcb -j pfc show dev $d prio-pfc
	is "$d: dcb app" '{"dscp_prio":[[26,3]]}' dcb -jN app show dev $d dscp-prio
	is "$d: dcb dcbx" '{"host":true,"cee":true,"ieee":true}' dcb -j dcbx show dev $d
	is "$d: ethtool -a" "RX: off TX: off" sh -c "ethtool -a $d | grep X: | sort"
	is "$d: mtu" 4200 cat /sys/class/net/$d/mtu
done
for d in mlx5_0 mlx5_1; do
	is "$d: configfs" "RoCE v2 106" cat $C/$d/ports/1/default_roce_mode $C/$d/ports/1/default_roce_tos
	is "$d: traffic_class" "Global tclass=106" cat /sys/class/infiniband/$d/tc/1/traffic_class
done
n=$(stat $B rx_prio3_packets)
is "rping" "" traffic
is "all RoCE packets carry ToS 0x6a" "tos 0x6a" captured
holds "20 of them were captured" at_least 20 "$(grep -c 'tos 0x6a' /run/packets)"
holds "they count in priority 3" at_least 20 $(($(stat $B rx_prio3_packets) - n))
ctl 0 "status" status

echo "-- import"
zero
ctl 0 "import" import -o /run/imported.yaml
ctl 0 "its plan is empty" plan -f /run/imported.yaml
is "no setter was called" "" writes
for line in 'traffic_class: 106' 'dscp_to_priority: {26: 3}' 'pfc: [3]' 'mtu: 4200'; do
	holds "it says $line" grep -qF "$line" /run/imported.yaml
done

echo "-- drift and repair"
dcb pfc set dev $A prio-pfc all:off
wait_carrier $A $B
ctl 2 "status sees PFC switched off" status
says "knob, want and have are named" 'pfc.*(want 3.*have none|3.*none|none.*3)'
zero
watch_begin
ctl 0 "apply repairs" apply --once -f $SPEC
watch_end
wait_carrier $A $B
is "by one write of PFC" "$A/n_pfc:1" writes
is "one DCB message, no file" "1 0" sh -c "sed -n 's/.*, \([0-9]*\) file writes/\1/p; s/dcbmon: \([0-9]*\) not.*/\1/p' /run/watch | sort -r"
in_spec "the hardware"

echo "-- nothing to do"
zero
watch_begin
ctl 0 "plan is empty" plan -f $SPEC
ctl 0 "apply again" apply --once -f $SPEC
ctl 0 "and again" apply --once -f $SPEC
ctl 0 "status" status
watch_end
is "no setter was called" "" writes
is "no message, no file" "0 link messages, 0 file writes 0 notifications" watched

echo "-- rollback"
ctl 0 "rollback" rollback --once
wait_carrier $A $B
dump > /run/dump.after
holds "the first state is back, byte for byte" diff /run/dump.before /run/dump.after
ctl 1 "nothing is left to roll back" rollback --once
