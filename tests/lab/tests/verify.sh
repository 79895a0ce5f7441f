# SPDX-License-Identifier: LGPL-2.1-or-later
# verify: its word against tcpdump's and ethtool's; what is wrong is made wrong by dcb and by hand in configfs.
echo "-- verify"

# verify STATUS WHAT ARGS...: both ports are of this node, as wire_pair routes them
verify() {
	ctl "$1" "$2" verify -f $SPEC "${@:3}"
}

# listen ARGS...: a listener in the background, ready; `listener` is its process
listen() {
	$CTL verify --listen "$@" > /run/listener 2>&1 &
	listener=$!
	within 10 grep -q '^ready' /run/listener
}

listen_end() {
	kill $listener
	wait $listener
	verdict "the listener ends with a signal" $? 0
}

# map_put, map_del PORT: by dcb, as anybody may
map_del() {
	dcb app del dev "$1" dscp-prio 26:3
}
map_put() {
	dcb app add dev "$1" dscp-prio 26:3
}

ctl 0 "verify: apply" apply --once -f $SPEC
wait_carrier $A $B

tcpdump -i $B --immediate-mode -U -B 16384 -s 64 -w /run/pcap 'udp port 4791' 2> /run/tcpdump &
dump=$!
within 10 grep -q 'listening on' /run/tcpdump
n=$(stat $A tx_prio3_packets) m=$(stat $B rx_prio3_packets)
verify 0 "verify: from one port to the other" --from $A --to $B
sleep .3
kill -INT $dump
wait $dump
# The kernel answers a request for datagrams with a MAD of ToS 0 (308 bytes with its headers): it takes the class of the
# request from a GRH, and IPv4 has none.
tcpdump -r /run/pcap -n -v 2> /dev/null | grep -v 'length 308)' > /run/packets
says "that is proven" "^$A to $B: proven: ToS 0x6a, priority 3 on both ends$"
says "and the way back" "^$B to $A: proven: ToS 0x6a, priority 3 on both ends$"
says "with its columns" "^FROM +TO +TOS OUT +TOS IN +PRIO OUT +PRIO IN +PAUSE +ECN$"
says "and their values" "^$A +$B +0x6a +0x6a +3 +3 +0 "
is "tcpdump says the same" "tos 0x6a" captured
holds "of a thousand packets" at_least 1000 "$(grep -c 'tos 0x6a' /run/packets)"
holds "ethtool says so where they left" at_least 1000 $(($(stat $A tx_prio3_packets) - n))
holds "and where they came" at_least 1000 $(($(stat $B rx_prio3_packets) - m))

$CTL verify -f $SPEC --json --messages 200 > /run/verify.json
verdict "verify: the only two ports, as JSON" $? 0
json_facts() {
	python3 - <<-'END'
	import json
	document = json.load(open("/run/verify.json"))
	way = document["traffic"][0]
	sent, received = way["from"], way["to"]
	print(document["schema"], document["report"], document["exit"], len(document["traffic"]), way["verdict"], way["messages"])
	print(sent["port"], sent["tos"], sent["priority"], received["port"], received["tos"], received["priority"])
	for end, counter in (sent, "tx_packets"), (received, "rx_packets"):
	    counts = end["counters"][counter]
	    print([after - before >= 200 for before, after in zip(counts["before"], counts["after"])].index(True))
	print(received["counters"]["rx_pause"]["after"][3], received["counters"]["cnp_sent"]["after"])
	END
}
is "it has the same facts" "1 verify 0 2 proven 200 $A 106 3 $B 106 3 3 3 0 None" json_facts

echo "-- verify: what is wrong is told"
map_del $B
verify 1 "the map of the receiver is gone" --from $A --to $B
says "is not proven" "^$A to $B: not proven: arrived on priority 0, not 3$"
says "nor the way back" "^$B to $A: not proven: left on priority 0, not 3$"
map_del $A
verify 1 "both maps are gone" --from $A --to $B
says "they left on it too" "^$A to $B: not proven: arrived on priority 0, not 3, and left on it$"
map_put $A
map_put $B
dcb pfc set dev $B prio-pfc all:off
wait_carrier $A $B
verify 1 "the receiver has no PFC" --from $A --to $B
says "which is told" "^$A to $B: not proven: priority 3 has no PFC on $B$"
dcb pfc set dev $B prio-pfc 3:on
wait_carrier $A $B
for d in mlx5_0 mlx5_1; do
	echo -1 > /sys/class/infiniband/$d/tc/1/traffic_class
done
echo 0 > $C/mlx5_0/ports/1/default_roce_tos
verify 1 "another ToS in configfs" --from $A --to $B
says "that way is not proven" "^$A to $B: not proven: arrived with ToS 0x00, not 0x6a"
says "the other one is" "^$B to $A: proven"
echo 104 > $C/mlx5_0/ports/1/default_roce_tos
verify 1 "a ToS without ECN" --from $A --to $B
says "is told" "^$A to $B: not proven: arrived with ToS 0x68, not 0x6a"
echo 106 > $C/mlx5_0/ports/1/default_roce_tos

echo "-- verify: another node"
listen --port 5000
says_listening() {
	grep -qx "listening on $B (mlx5_1) 10.9.0.2 port 5000" /run/listener
}
holds "it says where it listens" says_listening
verify 0 "by its address" 10.9.0.2 --port 5000 --from $A
says "with its name" "^$A to $(hostname)/$B: proven"
verify 0 "and once more" 10.9.0.2 --port 5000 --from mlx5_0
verify 1 "where nobody listens" 10.9.0.2 --port 5001 --from $A
says "that is told" "nobody listens on 10.9.0.2 port 5001: run losslessctl verify --listen there"
holds "another program is refused" sh -c "! timeout 20 rping -c -a 10.9.0.2 -I 10.9.0.1 -p 5000 -C 1"
$CTL verify -f $SPEC 10.9.0.2 --port 5000 --from $A --messages 100000 > /run/out 2>&1 &
long=$!
within 20 sh -c "[ \$(ethtool -S $B | sed -n 's/^ *rx_prio3_packets: //p') -gt $(($(stat $B rx_prio3_packets) + 500)) ]"
ctl 1 "while somebody else is served" verify -f $SPEC 10.9.0.2 --port 5000 --from $A
says "that is told" "is being verified by somebody else: try again"
kill $long
wait $long
verdict "a signal ends it" $? 1
holds "with words" grep -q "failed: stopped by a signal" /run/out
within 10 grep -q 'broke off' /run/listener
verify 0 "and the listener serves the next one" 10.9.0.2 --port 5000 --from $A
listen_end

timeout 60 rping -s -a 10.9.0.2 -p 5002 -C 1 > /dev/null 2>&1 &
stranger=$!
sleep .7
verify 1 "another program listens" 10.9.0.2 --port 5002 --from $A
says "that is told" "what listens on 10.9.0.2 is no losslessctl of this version|broke off|refused"
kill $stranger 2> /dev/null
wait $stranger

mkdir -p /run/bin
cat > /run/bin/ssh <<'END'
#!/bin/sh
echo "Welcome to $2"
shift 3
exec /run/losslessctl "$@"
END
chmod 755 /run/bin/ssh
PATH=/run/bin:$PATH verify 0 "by ssh" other-node --from $A --to $B
says "it is proven" "^$A to $(hostname)/$B: proven"
is "and nothing is left of it" "" pgrep -f "verify --listen"

as_nobody() {
	setpriv --reuid 65534 --regid 65534 --clear-groups "$@"
}
as_nobody $CTL verify -f $SPEC > /run/out 2>&1
verdict "a plain user can do it" $? 0
chmod 600 /dev/infiniband/rdma_cm
as_nobody $CTL verify -f $SPEC 10.9.0.2 > /run/out 2>&1
verdict "but not where the device is not for him" $? 1
says "that is told" "cannot use RDMA-CM: .*: is module rdma_ucm loaded, and may this user open /dev/infiniband/rdma_cm"
chmod 666 /dev/infiniband/rdma_cm
ctl 1 "a port that is not there" verify -f $SPEC --from sim9 --to $B
says "that is told" "there is no port sim9 with a RoCE v2 address"

ctl 0 "verify: rollback" rollback --once
wait_carrier $A $B
