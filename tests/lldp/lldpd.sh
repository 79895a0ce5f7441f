#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# show cables against a real lldpd: in a network namespace of its own, with frames made by hand as two switches would send
# them. What has no root or no lldpd is skipped, but for lldpcli that hangs. lldpd.sh LOSSLESSCTL
set -u
fetched=${LAB_DIR:-${XDG_CACHE_HOME:-${HOME:-/}/.cache}/losslessd-lab}/lldpd	# ./run test puts it there
export LC_ALL=C.UTF-8 PATH=$PATH:/usr/sbin:/sbin:$fetched LD_LIBRARY_PATH=$fetched
ctl=$(readlink -f "$1")
here=$(dirname "$(readlink -f "$0")")
python=/usr/bin/python3
[ -x $python ] || python=python3
fails=0

ok() {
	echo "ok   $1"
}

bad() {
	echo "FAIL $1"
	sed 's/^/     | /' out err
	fails=$((fails + 1))
}

# says WHAT FILE PATTERN
says() {
	if grep -qE -- "$3" "$2"; then ok "$1"; else bad "$1: no line like '$3' in $2"; fi
}

# show STATUS WHAT ARGS...
show() {
	local status=0 want=$1 what=$2
	shift 2
	"$ctl" show cables -f fabric.yaml --state-dir "$tmp/none" --node gpu-1 "$@" > out 2> err < /dev/null || status=$?
	if [ $status = "$want" ]; then ok "$what"; else bad "$what: exit status $status, expected $want"; fi
}

# lldpcli LINE: what is run instead of it
lldpcli() {
	printf '#!/bin/sh\n%s\n' "$1" > lldpcli
	chmod 755 lldpcli
}

# The second time, in the namespaces
if [ "${2:-}" = inside ]; then
	tmp=$3
	cd "$tmp" || exit 1
	export LOSSLESSD_LLDPCLI=$tmp/lldpcli
	mount -t tmpfs none /run && mkdir /run/lldpd || exit 77
	# Who its package would have made
	for file in passwd group; do
		{ grep -v ^_lldpd: /etc/$file; echo "_lldpd:x:65501:65501::/run/lldpd:/bin/false"; } > /run/$file
		mount --bind /run/$file /etc/$file || exit 77
	done
	ip link set lo up
	for port in ens1f0np0 ens1f1np1 ens2f0np0; do
		ip link add $port type veth peer name sw-$port || exit 77
		ip link set $port up
		ip link set sw-$port up
	done
	lldpcli "LD_LIBRARY_PATH=$LD_LIBRARY_PATH exec $(type -P lldpcli) -u /run/lldpd.socket "'"$@"'
	show 0 "lldpd is not running: the file alone"
	says "lldpd is not running: said" err 'is lldpd running'
	lldpd -d -u /run/lldpd.socket -I 'ens*' -L /bin/true > lldpd.log 2>&1 &
	lldpd=$!
	trap 'kill $lldpd' EXIT
	for _ in $(seq 100); do
		command lldpcli -u /run/lldpd.socket resume > resume.log 2>&1 && break
		sleep 0.1
	done
	# Until it has heard all: a frame that comes before it listens is lost
	for _ in $(seq 50); do
		"$python" "$here/send.py" || exit 1
		[ "$(command lldpcli -u /run/lldpd.socket -f json0 show neighbors details | grep -c '"via"')" = 2 ] && break
		sleep 0.2
	done
	show 2 "show cables"
	says "the right port, and what it advertises" out '^ens1f0np0 +leaf-1/Ethernet1/7 +confirmed +agrees +agrees$'
	says "a cable at another switch" out '^ens1f1np1 +leaf-1/Ethernet1/8 +differs +– +–$'
	says "which one" out '^ens1f1np1: LLDP says leaf-2/Ethernet1/33$'
	says "a port that hears nobody" out '^ens2f0np0 +leaf-1/Ethernet1/9 +unseen +– +–$'
	exit $((fails > 0))
fi

tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
chmod 755 "$tmp"
cd "$tmp" || exit 1
cat > fabric.yaml <<-END
	version: 1
	fabric: lldp
	roce: {traffic_class: 106, cnp: {dscp: 48, priority: 6}}
	qos: {dscp_to_priority: {26: 3}, pfc: [3]}
	nodes: {gpu-1: {}}
	switches:
	  leaf-1:
	    dialect: arista-eos
	    manage: render
	    ports: {Ethernet1/7: gpu-1/ens1f0np0, Ethernet1/8: gpu-1/ens1f1np1, Ethernet1/9: gpu-1/ens2f0np0}
END
export LOSSLESSD_LLDPCLI=$tmp/lldpcli
for what in 'exec sleep 60' 'exec > /dev/null; exec sleep 60'; do
	lldpcli "$what"
	show 0 "lldpcli that hangs ('$what'): the file alone"
	says "lldpcli that hangs: the file" out '^ens1f0np0 +leaf-1/Ethernet1/7$'
	says "lldpcli that hangs: said" err 'no answer|lldpcli failed'
done
[ $fails = 0 ] || exit 1

[ "$(id -u)" = 0 ] || { echo "needs root"; exit 77; }
command -v lldpd > /dev/null || { echo "no lldpd (Debian: lldpd)"; exit 77; }
unshare -n -m -p -f --kill-child true 2> /dev/null || { echo "no namespaces here"; exit 77; }
# With the last process of the namespace lldpd and its children are gone too
unshare -n -m -p -f --kill-child "$here/lldpd.sh" "$ctl" inside "$tmp"
