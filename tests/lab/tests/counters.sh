# SPDX-License-Identifier: LGPL-2.1-or-later
# show counters, judged by ethtool -S and by hw_counters in sysfs, over an interval that all traffic of a ping falls into.
echo "-- counters"
HW=/sys/class/infiniband

# judges: what grows by RDMA, as "port.name value"; the names are those of show counters
judges() {
	local port ib pair
	for pair in $A:mlx5_0 $B:mlx5_1; do
		port=${pair%:*} ib=${pair#*:}
		echo "$port.rx_packets $(stat $port rx_prio3_packets)"
		echo "$port.tx_packets $(stat $port tx_prio3_packets)"
		echo "$port.rx_bytes $(stat $port rx_prio3_bytes)"
		echo "$port.tx_bytes $(stat $port tx_prio3_bytes)"
		echo "$port.rdma_rx_packets $(< $HW/$ib/ports/1/hw_counters/rcvd_pkts)"
		echo "$port.rdma_tx_packets $(< $HW/$ib/ports/1/hw_counters/sent_pkts)"
	done
}

# grown: the same out of /run/counters, rate times seconds
grown() {
	python3 - <<-'END'
	import json
	for port in json.load(open("/run/counters"))["ports"]:
	    for name in ("rx_packets", "tx_packets", "rx_bytes", "tx_bytes", "rdma_rx_packets", "rdma_tx_packets"):
	        rate = port["rates"][name]
	        rate = rate[3] if isinstance(rate, list) else rate
	        print(port["name"] + "." + name, round(rate * port["seconds"]))
	END
}

ctl 0 "counters: apply" apply --once -f $SPEC
wait_carrier $A $B
judges > /run/judges.before
$CTL show counters --json --interval 8s > /run/counters &
reader=$!
sleep 1
is "counters: rping" "" rdma_ping
holds "counters: within the interval" test -d /proc/$reader
holds "counters: both ports could be read" wait $reader
judges > /run/judges.after
awk 'NR == FNR { before[$1] = $2; next } { print $1, $2 - before[$1] }' /run/judges.before /run/judges.after |
	sort > /run/judges.grown
grown | sort > /run/grown
holds "counters: packets of priority 3 grew on both ports" \
	test "$(grep -c 'sim[01].[rt]x_packets [1-9]' /run/judges.grown)" = 4
is "counters: what grew is what ethtool and sysfs say" "$(tr '\n' ' ' < /run/judges.grown | sed 's/ $//')" \
	cat /run/grown
ctl 0 "counters: rollback" rollback --once
wait_carrier $A $B
