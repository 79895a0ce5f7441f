#!/bin/sh
# Writes the fabric file of 1,000 nodes with eight rails on 200 leaves: sh thousand-nodes.sh > fabric.yaml
#
# By hand one would write the first 30 lines; it is the cabling that wants a program. Nodes come in groups of 40; each
# group has a leaf for each rail. Take the loop and put your own inventory in its place: what matters is that the same
# file goes to every node and that `losslessctl check` is asked before it does.
cat << 'END'
# 1,000 nodes with eight rails on 200 leaves, made by thousand-nodes.sh.
# leaf-GG-R is the leaf of rail R for the nodes of group GG; each of 40 nodes has one port on it.
version: 1
fabric: pod-xl

roce:
  traffic_class: 106
  cnp: {dscp: 48, priority: 6}

qos:
  dscp_to_priority: {26: 3, 48: 6}
  pfc: [3]

ecn: {priorities: [3], min: 150KiB, max: 1500KiB, probability: 100%}

mtu: 4200

nics:
  - name: "rail*"               # rail0 to rail7, as udev was told to call them

nodes:
  gpu-[0001-1000]: {}           # a range keeps the width of its first number

x-leaf: &leaf                   # what all leaves have in common
  dialect: arista-eos
  username: lossless
  key: leaf-admin

switches:
END
group=1
while [ $group -le 25 ]; do
	first=$((group * 40 - 39)) rail=0
	while [ $rail -le 7 ]; do
		# The owner logs in and keeps the leaf. Without `owner` it were the first node of a group, for all eight
		printf '  leaf-%02d-%d: {<<: *leaf, address: 192.0.2.%d, owner: gpu-%04d,\n' \
			$group $rail $((group * 8 - 7 + rail)) $((first + rail))
		printf '    ports: {"Ethernet[1-40]/1": "gpu-[%04d-%04d]/rail%d"}}\n' $first $((first + 39)) $rail
		rail=$((rail + 1))
	done
	group=$((group + 1))
done
