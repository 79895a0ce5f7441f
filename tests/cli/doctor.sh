#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# doctor: each check finds what it is for, on golden nodes that are changed here; what the golden nodes have is tested
# there. doctor.sh LOSSLESSCTL SOURCES
set -u
export LC_ALL=C.UTF-8
ctl=$(readlink -f "$1") sources=$(readlink -f "$2")
golden=$sources/tests/golden
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1
. "$sources/tests/support/check.sh"
python=/usr/bin/python3
[ -x $python ] || python=python3

# doctor STATUS NODE [ARGS...]: of node.bundle, with the file of the golden NODE unless ARGS say otherwise
doctor() {
	local status=0 want=$1 name=$2
	shift 2
	[ $# -gt 0 ] || set -- -f "$golden/$name.yaml"
	"$ctl" doctor --root node.bundle "$@" > out 2> err < /dev/null || status=$?
	check "$what: exit status $want" test $status = "$want"
}

# finds LINE: it is said, whole, runs of blanks as one; misses PATTERN: nothing like it is
finds() {
	tr -s ' ' < out > squeezed
	check "$what: $1" grep -qxF -- "$1" squeezed
}
misses() {
	check "$what: not $1" sh -c '! grep -qE -- "$1" out' - "$1"
}

# changed NODE SED...: the golden node as the sed scripts change it, with extra.txt before its end
changed() {
	local name=$1
	shift
	: >> extra.txt
	sed -e "" "${@/#/-e}" "$golden/$name.bundle" | sed '$d' > node.bundle
	{ cat extra.txt; echo end; } >> node.bundle
	: > extra.txt
}

# ---- ready ----

what="all in order"
awk '/^link rail5 / { sub("mtu 1500", "mtu 4200") }
	/mlx5_5\/.*default_roce_tos$/ || /mlx5_5\/tc/ { set = $0; print; getline
		if ($0 ~ /^ /) $0 = set ~ /tos/ ? " 106" : " Global tclass=106"; else print " Global tclass=106" }
	1' "$golden/rails.bundle" > node.bundle
doctor 0 rails
finds "node dgx-1: ready"
check "$what: nothing else to read" test "$(wc -l < out)" = 4
"$ctl" doctor --json --root node.bundle -f "$golden/rails.yaml" > out 2> err
check "$what: as JSON" $python -c 'import json
d = json.load(open("out"))
assert d["schema"] == 1 and d["report"] == "doctor" and d["ready"] and d["exit"] == 0 and d["node"] == "dgx-1"
assert all(f["result"] in ("good", "not-applicable") and f["cure"] is None for f in d["findings"])'

what="nothing wrong, and something that nobody could read"
cp node.bundle good.bundle
sed '/^file \/sys\/kernel\/security\/lockdown/ { N; s/.*/unreadable \/sys\/kernel\/security\/lockdown EIO/ }' good.bundle > node.bundle
doctor 1 rails
finds "node dgx-1: could not be told, 1 unknown"
"$ctl" doctor --json --root node.bundle -f "$golden/rails.yaml" > out 2> err
check "$what: as JSON" $python -c 'import json
d = json.load(open("out"))
assert d["ready"] is None and d["exit"] == 1, d["ready"]'

# ---- no NIC: one screen ----

what="no NIC"
{
	printf 'losslessd bundle 1\nnode gpu-0\nkernel 6.12.1\nreader user\n'
	echo 'link lo index 1 lower 0 master 0 mtu 65536 min 0 max 0 mac 00:00:00:00:00:00 up 1 carrier 1 kind -'
	printf 'symlink /sys/class/net/lo ../../devices/virtual/net/lo\nfile /sys/class/net/lo/ifindex\n 1\nend\n'
} > node.bundle
doctor 1 mlx5-upstream
finds "problem rdma: no RDMA device, and no network device whose driver has one"
check "$what: a screen of 80 by 24" sh -c 'test "$(fold -s -w 80 out | wc -l)" -le 24'
check "$what: one problem" grep -qx 'node gpu-0: not ready, 1 problem' out

what="no fabric file"
if [ ! -e /etc/losslessd/fabric.yaml ]; then
	cp "$golden/mlx5-upstream.bundle" node.bundle
	doctor 0 mlx5-upstream --node gpu-1
	finds "notice file: no fabric file is in force"
	finds "notice dcbx of ens1f0np0, ens1f1np1: DCB is owned by firmware (mode 0x0c)"
	misses "the file wants"
fi

what="a refused file"
cp "$golden/mlx5-upstream.bundle" node.bundle
echo 'version: 2' > bad.yaml
doctor 3 mlx5-upstream -f bad.yaml
finds "problem file: the fabric file is refused"
finds " → losslessctl check bad.yaml says why"
check "$what: why" grep -q '^bad.yaml:1:10: error:' err
"$ctl" doctor --json --root node.bundle -f bad.yaml > out 2> err
check "$what: why, as JSON" $python -c 'import json
d = json.load(open("out"))
assert d["exit"] == 3 and [(x["severity"], x["where"]["line"]) for x in d["diagnostics"]][0] == ("error", 1), d["diagnostics"]'
"$ctl" doctor --root node.bundle -f - < bad.yaml > out 2> err
finds " → losslessctl check - says why"

what="a file of other nodes"
sed 's/"\*": {}/gpu-99: {}/' "$golden/mlx5-upstream.yaml" > other.yaml
doctor 1 mlx5-upstream -f other.yaml
check "$what: says so" grep -q "^problem .*file: nothing managed on this node: 'gpu-1' is not among the nodes of other.yaml; " out

# ---- RDMA devices and ports ----

what="module loaded, no device"
echo 'dir /sys/module/mlx5_ib' > extra.txt
changed unconfigured
doctor 1 unconfigured
finds "problem rdma of ens1f0np0, ens1f1np1: mlx5_core without an RDMA device, though mlx5_ib is loaded: RoCE may be off"

what="iWARP"
changed ice '/irdma1\/node_type/,/^ /s/^ .*/ 4: RNIC/'
doctor 1 ice
finds "problem roce of irdma1: speaks iWARP, not RoCE"

what="links"
changed rails '/^link rail2 /s/up 1 carrier 1/up 1 carrier 0/' '/^link rail3 /s/up 1 carrier 1/up 0 carrier 0/'
doctor 1 rails
finds "problem link of rail2: has no carrier"
finds "problem link of rail3: is down"

what="an unknown driver"
changed mlx5-upstream 's/drivers\/mlx5_core$/drivers\/qede/'
doctor 1 mlx5-upstream
finds "notice driver of ens1f0np0, ens1f1np1: qede takes no DCB settings of losslessd"

what="a bond that cannot"
changed bond '/bonding\/mode/,/^ /s/^ .*/ balance-rr 0/' 's/drivers\/mlx5_core$/drivers\/ice/'
doctor 1 bond
finds "problem bond of bond0: balance-rr: RoCE is not done for such a bond"
finds "problem bond of ens1f0np0, ens1f1np1: ice takes no DCB settings while it is enslaved"

what="an MTU that the driver does not take"
changed mlx5-upstream '/^link ens1f0np0/s/max 9978/max 2000/'
doctor 1 mlx5-upstream
finds "problem mtu of ens1f0np0: the file wants 4200, and the driver takes 2000 at most"
finds "problem mtu of ens1f1np1: is 1500, and the file wants 4200"

what="a PF that is not selected"
cp "$golden/vf.bundle" node.bundle
printf '%s\n' 'version: 1' 'fabric: a' 'mtu: 1500' 'qos: {dscp_to_priority: {26: 3}, pfc: [3]}' 'nics: [{name: "ens1f0v*"}]' \
	'nodes: {"*": {}}' > vfs.yaml
doctor 1 vf -f vfs.yaml
finds " → cure first what keeps losslessd from this port: losslessctl status says what"
finds " → losslessctl status says what"
misses apply

zeros=0000:0000:0000:0000:0000:0000:0000:0000
what="GIDs"
changed mlx5-upstream "s/0000:0000:0000:0000:0000:ffff:c000:020b/$zeros/" \
	"s/0000:0000:0000:0000:0000:ffff:c000:020c/$zeros/" '/mlx5_1.*types\/1/,/^ /s/^ .*/ IB\/RoCE v1/'
doctor 1 mlx5-upstream
finds "problem gid of mlx5_0: has a link-local RoCE v2 GID only"
finds "problem gid of mlx5_1: has no RoCE v2 GID, RoCE v1 at index 0, 1"

what="pause beside PFC"
changed rails '/^pause rail4 /s/rx 0 tx 0/rx 1 tx 1/' '/^pause rail6 /s/rx 0/rx 1/'
doctor 1 rails
finds "problem pause of rail4: global pause is on (rx tx) beside PFC"
finds "problem pause of rail6: global pause is on (rx) beside PFC"

what="a GID on a VLAN"
changed bond '/ndevs\/[23]$/,/^ /s/^ bond0$/ bond0.40/'
"$ctl" doctor --json --root node.bundle -f "$golden/bond.yaml" > out 2> err
check "$what: is good" $python -c 'import json
assert [f["found"] for f in json.load(open("out"))["findings"] if f["check"] == "gid"] == ["index 3, 192.0.2.111 on bond0.40"]'

# ---- the host ----

what="lldpad"
printf 'file /proc/812/comm\n lldpad\n' > extra.txt
changed mlx5-upstream
doctor 1 mlx5-upstream
finds "problem lldpad: lldpad is running (process 812) and overwrites PFC, ETS and the DSCP map"

what="scripts"
printf 'file /etc/rc.local\n # dcb pfc set dev ens1f0np0 prio-pfc all:off\n echo dcb\n' > extra.txt
printf 'file /etc/systemd/system/a.service\n ExecStart=/sbin/dcb app add dev x dscp-prio 26:3\n' >> extra.txt
changed mlx5-upstream
doctor 1 mlx5-upstream
finds "notice scripts: /etc/systemd/system/a.service has 'ExecStart=/sbin/dcb app add dev x dscp-prio 26:3'"
misses 'rc\.local'

what="scripts that cannot be read"
printf 'unreadable /etc/rc.local EACCES\nunreadable /etc/systemd/system/b.service EIO\n' > extra.txt
changed mlx5-upstream 's/^reader root/reader user/'
doctor 1 mlx5-upstream
finds "unknown scripts: /etc/rc.local can be read by root alone"
finds "unknown scripts: /etc/systemd/system/b.service cannot be read: Input/output error"
misses 'scripts.*none found'

what="no rdma_cm"
changed mlx5-upstream '/kernel\/config\/rdma_cm/d' '/module\/rdma_cm/d'
doctor 1 mlx5-upstream
finds "problem rdma-cm: rdma_cm is not loaded: RDMA-CM's ToS cannot be set"
what="no configfs"
changed mlx5-upstream '/kernel\/config\/rdma_cm/d'
doctor 1 mlx5-upstream
finds "problem rdma-cm: rdma_cm is loaded, and configfs is not mounted here: RDMA-CM's ToS cannot be set"

# ---- PCI ----

# What a plain user reads of configuration space ends after 64 bytes
what="a plain user"
changed mlx5-upstream 's/^reader root/reader user/' 's/^ size 4096/ size 64/' '/^ 0x\(040\|060\|1..\) /d'
doctor 1 mlx5-upstream
finds "unknown relaxed-ordering of mlx5_0, mlx5_1: its PCI configuration can be read by root alone"
finds "unknown acs of 0000:16:01.0: its PCI configuration can be read by root alone"
misses '^problem .*(acs|relaxed|sysfs)'
"$ctl" doctor --json --root node.bundle -f "$golden/mlx5-upstream.yaml" > out 2> err
check "$what: unknown for that reason alone" $python -c 'import json
assert all(f["needs_root"] for f in json.load(open("out"))["findings"] if f["result"] == "unknown")'

what="nothing wrong but what root alone can read"
sed -e '/^link rail5 /s/mtu 1500/mtu 4200/' "$golden/rails.bundle" > node.bundle
sed -i -e 's/^reader root/reader user/' -e 's/^ size 4096/ size 64/' -e '/^ 0x\(040\|060\|1..\) /d' node.bundle
sed 's/^mtu:/x-mtu:/; s/^roce:/x-roce:/' "$golden/rails.yaml" > qos.yaml
doctor 0 rails -f qos.yaml
check "$what: ready" grep -qx 'node dgx-1: ready, 2 unknown' out

what="ACS"
changed mlx5-upstream '/drivers\/pcieport\/0000:16:03.0\/config/,/0x110/s/^ 0x110 0d0001005f000000/ 0x110 0d0001005f000800/'
doctor 1 mlx5-upstream
finds "problem acs of 0000:16:03.0: redirects what NIC and GPU send each other (ACSCtl 0x0008)"
# Source validation and upstream forwarding redirect nothing
changed mlx5-upstream 's/^ 0x110 0d0001005f000000/ 0x110 0d0001005f001100/'
doctor 1 mlx5-upstream
misses acs:

what="dma-buf"
changed mlx5-upstream '/module\/nvidia_peermem/d' 's/NVIDIA UNIX x86_64 Kernel/NVIDIA UNIX Open Kernel/' 's/^kernel .*/kernel 5.4.0/'
doctor 1 mlx5-upstream
finds "problem gpudirect: nvidia_peermem is not loaded, and this kernel has no dma-buf for RDMA"
changed mlx5-upstream '/module\/nvidia_peermem/d' 's/NVIDIA UNIX x86_64 Kernel/NVIDIA UNIX Open Kernel/'
doctor 1 mlx5-upstream
misses gpudirect:

# ---- NCCL ----

nccl() {
	what="nccl.conf: $1" wants=$2
	awk -v new="$1" '/^file \/etc\/nccl.conf/ { print; print " " new; skip = 1; next } skip && /^ / { next } { skip = 0 } 1' \
		"$golden/mlx5-upstream.bundle" > node.bundle
	doctor 1 mlx5-upstream
	[ -z "$wants" ] || finds "$wants"
}
nccl 'NCCL_IB_DISABLE=1' "problem nccl: NCCL_IB_DISABLE=1 in /etc/nccl.conf: NCCL uses TCP"
nccl 'NCCL_IB_ROCE_VERSION_NUM=1' \
	"problem nccl: NCCL_IB_ROCE_VERSION_NUM=1 in /etc/nccl.conf: RoCE v1 is not routed and has no DSCP"
nccl 'NCCL_IB_HCA==mlx5_1,mlx5_' "problem nccl: NCCL_IB_HCA==mlx5_1,mlx5_ in /etc/nccl.conf: there is no mlx5_ here"
nccl 'NCCL_IB_HCA=mlx5' "problem nccl: NCCL_IB_TC is not set: NCCL sends with ToS 0, and the file wants 106"
misses 'there is no'
nccl 'NCCL_IB_TC=0x6a' ""
misses 'nccl:'

# An index of another family works as well; one of RoCE v1 or of a link-local address does not
pinned() {
	for device in mlx5_0 mlx5_1; do
		printf 'file /sys/class/infiniband/'$device'/ports/1/%s\n %s\n' \
			gids/4 2001:0db8:0000:0000:0000:0000:0000:000$2 gid_attrs/types/4 "$3" gid_attrs/ndevs/4 ens1f0np0
	done > extra.txt
	changed mlx5-upstream
	awk -v new="NCCL_IB_GID_INDEX=$1" '{ print } /^file \/etc\/nccl.conf/ { print " " new }' node.bundle > pinned.bundle
	mv pinned.bundle node.bundle
	doctor 1 mlx5-upstream
}
what="nccl.conf: the index of an IPv6 GID"
pinned 4 1 "RoCE v2"
misses 'GID_INDEX'
what="nccl.conf: the index of a RoCE v1 GID"
pinned 4 1 "IB/RoCE v1"
finds "problem nccl: NCCL_IB_GID_INDEX=4 in /etc/nccl.conf: mlx5_0 has its RoCE v2 GID at index 3"
what="nccl.conf: the index of a link-local GID"
pinned 1 1 "RoCE v2"
finds "problem nccl: NCCL_IB_GID_INDEX=1 in /etc/nccl.conf: mlx5_0 has its RoCE v2 GID at index 3"
what="nccl.conf: an index behind the last"
pinned 9 1 "RoCE v2"
finds "problem nccl: NCCL_IB_GID_INDEX=9 in /etc/nccl.conf: mlx5_0 has its RoCE v2 GID at index 3"

# ---- JSON and the manual have every check ----

cp "$golden/mlx5-ofed.bundle" node.bundle
"$ctl" doctor --json --root node.bundle -f "$golden/mlx5-ofed.yaml" > out 2> err
check "JSON has every check, with what, how and cure" $python -c 'import json, re, sys
d = json.load(open("out"))
names = re.findall(r"\.info\.name = \"([a-z-]+)\"", open(sys.argv[1] + "/lib/node/doctor.c").read())
assert len(names) >= 20, names
assert list(dict.fromkeys(f["check"] for f in d["findings"])) == names, names
assert all(f["what"] and f["how"] and f["found"] for f in d["findings"])
assert all(f["cure"] for f in d["findings"] if f["result"] in ("problem", "notice"))
page = open(sys.argv[1] + "/man/losslessctl.1.scd").read()
page = page[page.index("# DOCTOR"):page.index("# NCCL")]
listed = re.findall(r"_([a-z-]+)_", "\n".join(l for l in page.split("\n") if l.startswith("|")))
assert listed == names, (listed, names)' "$sources"

[ $fails = 0 ] || echo "$fails checks failed"
exit $((fails > 0))
