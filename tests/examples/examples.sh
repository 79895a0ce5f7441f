#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# What people copy: each file of config/examples is valid, is planned on a recorded node, and each of its switches has the
# lines that it should. The numbers are counted by hand from the facts in tests/golden/NAME.why, as said above each line.
# examples.sh LOSSLESSCTL LOSSLESSD-SWITCH SOURCES
set -u
export LC_ALL=C.UTF-8
ctl=$(readlink -f "$1") sources=$3
export LOSSLESSD_SWITCH; LOSSLESSD_SWITCH=$(readlink -f "$2")
export LOSSLESSD_DIALECTS=$sources/config/dialects
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
cp "$sources"/config/examples/*.yaml "$tmp" && cd "$tmp" || exit 1
sh "$sources/config/examples/thousand-nodes.sh" > thousand-nodes.yaml
fails=0
planned=" " rendered=" "

# verdict WHAT IS EXPECTED
verdict() {
	if [ "$2" = "$3" ]; then
		echo "ok   $1"
	else
		printf 'FAIL %s\n     | is:       %s\n     | expected: %s\n' "$1" "$2" "$3"
		fails=$((fails + 1))
	fi
}

# plans FILE BUNDLE NODE STATUS SUMMARY: what the plan of this node ends with
plans() {
	local status=0
	"$ctl" plan -f "$1.yaml" --root "$sources/tests/golden/$2.bundle" --node "$3" > out 2> err || status=$?
	verdict "$1: plan of $3 ($2)" "$(grep -E '^[0-9]+ changes? on ' out) ($status)" "$5 ($4)"
	planned+="$1 "
}

# changes TARGET KNOB...: of the plan just made, the knobs of this target
changes() {
	local target=$1
	shift
	verdict "     $target" "$(awk -v target="$target" '$1 == target && /yaml:/ { printf "%s ", $2 }' out)" "$* "
}

# renders FILE SWITCH N LINE: of the lines to be pasted, N are as LINE
renders() {
	local status=0
	"$ctl" switch -f "$1.yaml" --node any render "$2" > out 2> err || status=$?
	verdict "$1: $2 has $3 × $4" "$(sed '/to take them back$/,$d' out | grep -cE "$4") ($status)" "$3 (0)"
	[[ $rendered == *" $1/$2 "* ]] || rendered+="$1/$2 "
}

# ---- plans ----

# mlx5-upstream.why: seven each port and its device; the fabric file adds the metres of cable, 7 by itself. One port is
# meant, and PFC alone drops the link
plans two-nodes-back-to-back mlx5-upstream gpu-1 2 "8 changes on 2 targets, 1 may drop a link"
changes ens1f0np0 dcbx pause trust dscp_to_priority pfc cable_length mtu
changes mlx5_0 cm_tos
# The same without the cable. What is upstream's lack (ecn_np, ecn_rp) is a note; cnp_* are as wanted by themselves
plans four-nodes-one-switch mlx5-upstream gpu-4 2 "7 changes on 2 targets, 1 may drop a link"
changes ens1f0np0 dcbx pause trust dscp_to_priority pfc mtu
# Both ports: twice as much
plans eight-nodes-dual-rail mlx5-upstream gpu-8 2 "14 changes on 4 targets, 2 may drop a link"
# mlx5-ofed.why: seven with the scheduler, and cm_tos and traffic_class on each device; the second port's CNPs have another
# DSCP
plans storage-and-gpu mlx5-ofed gpu-5 2 "19 changes on 4 targets, 2 may drop a link"
changes ens1f1np1 dcbx pause scheduler trust dscp_to_priority pfc cnp_dscp mtu
verdict "     a ToS for each device" "$(awk '$2 == "cm_tos" || $2 == "traffic_class" { printf "%s:%s ", $1, $4 }' out)" \
	"mlx5_0:106 mlx5_0:106 mlx5_1:138 mlx5_1:138 "
# bond.why: the MTU once, five on each slave, the ToS once
plans bond bond gpu-10 2 "12 changes on 4 targets, 2 may drop a link"
changes bond0 mtu
changes mlx5_bond_0 cm_tos
# mlx5-ofed.why: seven with the watchdog and two of the device; the second port's reaction point and CNPs besides
plans ofed-and-upstream mlx5-ofed gpu-5 2 "20 changes on 4 targets, 2 may drop a link"
changes ens1f0np0 dcbx pause trust dscp_to_priority pfc pfc_watchdog mtu
changes mlx5_1 cm_tos traffic_class
# ... and none of that on gpu-1, whose lack of the attribute is a note
plans ofed-and-upstream mlx5-upstream gpu-1 2 "14 changes on 4 targets, 2 may drop a link"
verdict "     the attribute" "$(grep -c '^mlx5_0, mlx5_1 traffic_class are unsupported ' out)" 1
# ice.why without a scheduler and DSCP 0: six and five, of which each APP message and PFC drop the link: trust and map are
# one line each on the first port
plans tos-105-priority-5 ice gpu-7 2 "11 changes on 4 targets, 5 may drop a link"
changes ens4f0 fw_lldp_agent pause trust dscp_to_priority pfc mtu
verdict "     ToS and priority" "$(awk '$2 == "cm_tos" || $2 == "pfc" { printf "%s ", $4 }' out)" "5 105 5 105 "
# rails.why: three on rail5, whose map came with its driver (48>>3 is 6); the others lack 48:6
plans thousand-nodes rails gpu-0042 2 "10 changes on 9 targets"
changes rail5 mtu
changes rail0 dscp_to_priority

# ---- switches: a line for each port, of which there are as many as the file cables ----

renders four-nodes-one-switch leaf-1 4 '^dcb pfc enable mode manual$'
renders four-nodes-one-switch leaf-1 1 '^ip-dscp-inbound 26 phb af3 green$'
renders four-nodes-one-switch leaf-1 1 'low-limit 153600 high-limit 1536000 discard-percentage 100$'
for leaf in leaf-1 leaf-2; do
	renders eight-nodes-dual-rail $leaf 8 "^nv set interface 'swp[1-8]' qos pfc profile losslessd$"
	renders eight-nodes-dual-rail $leaf 1 '^nv set qos pfc losslessd switch-priority 3$'
done
renders eight-nodes-dual-rail leaf-1 1 'min-threshold 153600$'
renders eight-nodes-dual-rail leaf-2 1 'min-threshold 409600$'
# The first, the last, and the one of the node above: a worker for each, so not all 200
for leaf in leaf-01-0 leaf-02-1 leaf-25-7; do
	renders thousand-nodes $leaf 40 '^priority-flow-control priority 3 no-drop$'
done

# ---- all of them ----

for file in *.yaml; do
	verdict "$file: check" "$("$ctl" check "$file" 2>&1)" "$file: valid, fabric $(awk '$1 == "fabric:" { print $2 }' "$file")"
	verdict "$file: on a node" "$(grep -c " ${file%.yaml} " <<< "$planned")" 1
	[ "$file" != thousand-nodes.yaml ] || continue
	while read -r name; do
		verdict "$file: $name" "$(grep -c " ${file%.yaml}/$name " <<< "$rendered")" 1
	done < <("$ctl" show -f "$file" switches 2> /dev/null | awk 'NR > 1 && !NF { exit } NR > 1 { print $1 }')
done
"$ctl" show -f thousand-nodes.yaml switches > out 2> err
verdict "thousand-nodes: leaves" "$(grep -cE '^leaf-(0[1-9]|1[0-9]|2[0-5])-[0-7] .* 40$' out)" 200
verdict "thousand-nodes: owners" "$(awk '$1 ~ /^leaf-/ { print $(NF - 2) }' out | sort -u | wc -l)" 200
exit $((fails > 0))
