#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# nccl-env: what a shell, NCCL's file and a program get, on golden nodes that are changed here. NCCL's reader of files is
# told in words below (src/misc/param.cc of NCCL). nccl.sh LOSSLESSCTL SOURCES
set -u
export LC_ALL=C.UTF-8
ctl=$(readlink -f "$1") golden=$(readlink -f "$2")/tests/golden
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1
. "$golden/../support/check.sh"
python=/usr/bin/python3
[ -x $python ] || python=python3

# ctl STATUS WHAT ARGS...
ctl() {
	local status=0 want=$1 what=$2
	shift 2
	"$ctl" nccl-env "$@" > out 2> err < /dev/null || status=$?
	check "$what: exit status $want" test $status = "$want"
}

# values SHELL: what the variables are in a shell that took the lines, sorted
values() {
	env -i "$1" -c '. ./out && exec /usr/bin/env' | grep ^NCCL_ | sort
}

# are WHAT LINE...: the variables are these, and no others, in every format
node=$golden/mlx5-upstream
are() {
	local what=$1 shell
	shift
	printf '%s\n' "$@" > want
	for shell in /bin/sh /bin/bash; do
		values $shell > have
		check "$what: sourced by $shell" diff want have
	done
	"$ctl" nccl-env --format nccl.conf "${from[@]}" > out 2> err
	# A line that begins with # is skipped, what is before the first = is the name, all behind it the value
	grep -v '^#' out | grep = | sort > have
	check "$what: from NCCL's file" diff want have
	"$ctl" nccl-env --format json "${from[@]}" > out 2> err
	$python -c 'import json
d = json.load(open("out"))
assert d["schema"] == 1 and d["report"] == "nccl-env"
for s in sorted(d["settings"], key=lambda s: s["name"]):
    assert s["because"]
    print(s["name"] + "=" + s["value"])' > have 2>> err
	check "$what: from JSON" diff want have
	"$ctl" nccl-env --json "${from[@]}" > again 2> err
	check "$what: --json is the same" cmp out again
}

# ---- no traffic class ----

sed '/^roce:/d; /traffic_class/d' "$node.yaml" > pfc.yaml
ctl 1 "PFC, and no traffic class" --root "$node.bundle" -f pfc.yaml
check "PFC, and no traffic class: says so" grep -q 'the file has no roce.traffic_class: NCCL_IB_TC is not set' err
check "PFC, and no traffic class: the others are told" grep -q NCCL_IB_HCA out
sed -i 's/  pfc: .*/  pfc: []/' pfc.yaml
ctl 0 "no PFC, and no traffic class" --root "$node.bundle" -f pfc.yaml

# ---- one index ----

from=(--root "$node.bundle" -f "$node.yaml")
ctl 0 "a node" "${from[@]}"
check "a node: nothing on stderr" test ! -s err
are "a node" NCCL_IB_GID_INDEX=3 NCCL_IB_HCA==mlx5_0:1,mlx5_1:1 NCCL_IB_TC=106

# ---- another index on each device: 2.21 and later look themselves ----

# Of mlx5_1 the slots 2 and 3 change places
awk '/mlx5_1.*types\/2/ { v = "RoCE v2" } /mlx5_1.*types\/3/ { v = "IB/RoCE v1" } /^ / && v { $0 = " " v; v = "" } 1' \
	"$node.bundle" > moved.bundle
from=(--root moved.bundle -f "$node.yaml")
ctl 0 "indices that differ" "${from[@]}"
check "indices that differ: who cannot, and what to do" grep -q 'before 2\.21 takes one' err
check "indices that differ: which" grep -qx 'losslessctl: mlx5_1 has its RoCE v2 GID at index 2' err
are "indices that differ" NCCL_IB_ADDR_FAMILY=AF_INET NCCL_IB_HCA==mlx5_0:1,mlx5_1:1 NCCL_IB_ROCE_VERSION_NUM=2 \
	NCCL_IB_TC=106

# Two such GIDs on the first device: only a range tells them apart
sed '/mlx5_0.*types\/0/,/^ /s/IB.RoCE v1/RoCE v2/; /mlx5_0.*gids\/0/,/^ /s/^ .*/ 0000:0000:0000:0000:0000:ffff:c633:640b/' \
	moved.bundle > two.bundle
sed -i '/mlx5_0.*ndevs\/0/,/^ /s/^ .*/ eth9/' two.bundle
ctl 0 "two GIDs" --root two.bundle -f "$node.yaml"
check "two GIDs: says what tells them apart" grep -q 'mlx5_0 has 2 such GIDs: NCCL_IB_ADDR_RANGE' err

# IPv6 alone
sed 's/0000:0000:0000:0000:0000:ffff:c000:020/2001:0db8:0000:0000:0000:0000:0000:020/' moved.bundle > v6.bundle
from=(--root v6.bundle -f "$node.yaml")
ctl 0 "IPv6" "${from[@]}"
are "IPv6" NCCL_IB_ADDR_FAMILY=AF_INET6 NCCL_IB_HCA==mlx5_0:1,mlx5_1:1 NCCL_IB_ROCE_VERSION_NUM=2 NCCL_IB_TC=106

# IPv4 on one device, IPv6 on the other, at different indices
sed 's/0000:0000:0000:0000:0000:ffff:c000:020c/2001:0db8:0000:0000:0000:0000:0000:020c/' moved.bundle > both.bundle
from=(--root both.bundle -f "$node.yaml")
ctl 1 "two families" "${from[@]}"
check "two families: one cause" grep -q 'one NCCL_IB_ADDR_FAMILY' err
are "two families" NCCL_IB_HCA==mlx5_0:1,mlx5_1:1 NCCL_IB_TC=106

# ---- what cannot be told is left out, and the rest is still good ----

sed 's/0000:0000:0000:0000:0000:ffff:c000:020c/0000:0000:0000:0000:0000:0000:0000:0000/' "$node.bundle" > bare.bundle
from=(--root bare.bundle -f "$node.yaml")
ctl 1 "a port without an address" "${from[@]}"
check "a port without an address: which" grep -q 'mlx5_1 has no RoCE v2 GID of an IP address (a link-local.*give ens1f1np1' err
are "a port without an address" NCCL_IB_HCA==mlx5_0:1,mlx5_1:1 NCCL_IB_TC=106

sed 's/^nodes:/nics: [{rdma: mlx5_0}, {rdma: mlx5_1, roce: {traffic_class: 105}}]\n&/' "$node.yaml" > classes.yaml
from=(--root "$node.bundle" -f classes.yaml)
ctl 1 "two traffic classes" "${from[@]}"
check "two traffic classes: both" grep -q 'mlx5_0 has traffic class 106 and mlx5_1 105' err
are "two traffic classes" NCCL_IB_GID_INDEX=3 NCCL_IB_HCA==mlx5_0:1,mlx5_1:1

sed 's/^nodes:/nics: [{rdma: mlx5_1}]\n&/' "$node.yaml" > one.yaml
from=(--root "$node.bundle" -f one.yaml)
ctl 0 "one port selected" "${from[@]}"
are "one port selected" NCCL_IB_GID_INDEX=3 NCCL_IB_HCA==mlx5_1:1 NCCL_IB_TC=106

# ---- a VLAN carries the GIDs ----

sed '/ndevs\/[23]$/,/^ /s/^ bond0$/ bond0.40/' "$golden/bond.bundle" > vlan.bundle
from=(--root vlan.bundle -f "$golden/bond.yaml")
ctl 0 "a VLAN" "${from[@]}"
check "a VLAN: is named" grep -q 'bond0\.40' out
are "a VLAN" NCCL_IB_GID_INDEX=3 NCCL_IB_HCA==mlx5_bond_0:1 NCCL_IB_SL=3 NCCL_IB_TC=106

# ---- names that are made to break it ----

for name in "x';touch\${IFS}cut;'" 'x$(touch${IFS}cut)' 'x`touch${IFS}cut`' 'a,b' 'a:1' '^a' 'x"y' 'x\y'; do
	$python -c 'import sys
text = open(sys.argv[1]).read().replace("mlx5_1", sys.argv[2])
open("evil.bundle", "w").write(text)' "$node.bundle" "$name"
	from=(--root evil.bundle -f "$node.yaml")
	ctl 1 "a device named $name" "${from[@]}"
	are "a device named $name" NCCL_IB_GID_INDEX=3 NCCL_IB_HCA==mlx5_0:1 NCCL_IB_TC=106
	check "a device named $name: nothing was run" test ! -e cut
done

# A network device may have any byte but blanks and slashes in its name: none reaches a terminal
LC_ALL=C sed "s/ens1f1np1/x\\o377/g; s/0000:0000:0000:0000:0000:ffff:c000:020c/0000:0000:0000:0000:0000:0000:0000:0000/" \
	"$node.bundle" > escape.bundle
ctl 1 "a network device with bytes in its name" --root escape.bundle -f "$node.yaml"
check "a network device with bytes in its name: is told" grep -q 'give x\\xff an address$' err
check "a network device with bytes in its name: no such byte" sh -c '! LC_ALL=C grep -q "[^ -~]" err'

# ---- words ----

ctl 64 "a format that is none" --format yaml
check "a format that is none: which there are" grep -q "shell, nccl.conf or json, and not 'yaml'" err
ctl 64 "two formats" --json --format shell
ctl 1 "no file" --root "$node.bundle" -f missing.yaml
check "no file: nothing on stdout" test ! -s out
ctl 3 "a refused file" --root "$node.bundle" -f <(echo 'version: 2')
check "a refused file: nothing on stdout" test ! -s out

[ $fails = 0 ] || echo "$fails checks failed"
exit $((fails > 0))
