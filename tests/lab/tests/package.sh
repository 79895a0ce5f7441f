#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# The package of Debian where systemd is PID 1 and there are ports: what somebody sees who installs it, begins as the README
# says, word for word, upgrades, removes.
# usage: lab run --systemd package.sh FOLDER, with losslessd.deb, newer.deb and README.md in it
set -u
. "$LAB_HOME/tests/daemon-lib.sh"
FABRIC=/etc/losslessd/fabric.yaml
EXAMPLE=/run/example.yaml
README=$1/README.md
A=ens1f0np0
CTL=losslessctl

# show UNIT PROPERTY
show() {
	systemctl show -P "$2" "$1"
}

# run WHAT STATUS COMMAND...: its words are in /run/out
run() {
	local what=$1 want=$2 status=0
	shift 2
	"$@" > /run/out 2>&1 < /dev/null || status=$?
	verdict "$what" $status "$want"
}

# A dpkg that knows of what the package depends on and of nothing else: it reads the lists of all packages each time, which
# takes minutes here
small_dpkg() {
	local depends name
	depends=$(dpkg-deb -f "$1" Depends | sed 's/([^)]*)//g; s/[,|]/ /g')
	mkdir -p /run/dpkg/info /run/dpkg/updates /run/dpkg/triggers
	dpkg-query -s $depends 2> /dev/null > /run/dpkg/status
	echo 1 > /run/dpkg/info/format
	for name in $(dpkg-query -W -f '${binary:Package} ' $depends 2> /dev/null); do
		: > "/run/dpkg/info/$name.list"
	done
	mount --bind /run/dpkg /var/lib/dpkg
}

# The node that the README has: it is in the file, and the switch is another node's
small_dpkg "$1/losslessd.deb"
hostname gpu-2
sim_load names=$A,$B
wire_pair $A $B
rdma_load $A $B
unconfigure
mkdir $C/mlx5_0 $C/mlx5_1
wait_carrier $A $B
zero
# Whoever has the machine may forbid packages to start what they bring; not here
rm -f /usr/sbin/policy-rc.d
export DEBIAN_FRONTEND=noninteractive
steps=
echo "ready at $(uptime_s)"

echo "-- install"
run "dpkg -i" 0 dpkg -i "$1/losslessd.deb"
says "says that it is not started, and why" "^losslessd is not started: there is no $FABRIC yet"
is "enabled" enabled systemctl is-enabled losslessd
is "not running" inactive systemctl is-active losslessd
is "the workers wait for requests" "active active" systemctl is-active losslessd-nic.socket losslessd-switch.socket
is "and do nothing yet" "inactive inactive" systemctl is-active losslessd-nic.service losslessd-switch.service
is "no unit failed" "" systemctl --failed --no-legend --plain list-units 'losslessd*'
run "systemctl start without a file" 1 systemctl start losslessd
says "fails" "Assertion failed on job for losslessd.service"
run "systemctl status" 3 systemctl status --no-pager --full losslessd
says "says what is missing" "AssertPathExistsGlob=.*etc/losslessd/fabric.yaml.* was not met"
says "and where to read" "man:losslessd\(8\)"
sed 's/^/     | /' /run/out
is "no unit failed" "" systemctl --failed --no-legend --plain list-units 'losslessd*'

echo "-- begin"
# Root needs no sudo
while read -r command; do
	want=0
	[ "$command" != "losslessctl plan" ] || want=2
	run "README: $command" $want sh -c "$command"
	steps+="${command%% /*}, "
done < <(sed -n '/^## Ten minutes/,$s/^gpu-2\$ \(sudo \)\{0,1\}//p' "$README" | sed '/^losslessctl status/q')
is "that was" "cp, losslessctl check, losslessctl plan, systemctl start losslessd, losslessctl status," echo "$steps"
says "in sync" "^$A +in-sync "
cp $FABRIC $EXAMPLE
is "PFC is there" '{"prio_pfc":[false,false,false,true,false,false,false,false]}' dcb -j pfc show dev $A prio-pfc

echo "-- change"
sed -i 's/^mtu: 4200/mtu: 4000/' $FABRIC
steps=
while read -r command; do
	run "README: $command" 0 sh -c "$command"
	case $command in
	*--confirm*) says "what it is told" "^$A +mtu +4200 .* 4000 +done" ;;
	"losslessctl confirm") is "the MTU stays" 4000 cat /sys/class/net/$A/mtu ;;
	"losslessctl history") says "what it was and is" "mtu.* 4200 .*4000" ;;
	esac
	sed 's/^/     | /' /run/out
	steps+="${command#losslessctl }, "
done < <(sed -n '/^A file that you changed later/,$s/^gpu-2\$ \(sudo \)\{0,1\}//p' "$README" | sed 's/ *#.*//')
is "that was" "apply --confirm 2m, confirm, history, rollback," echo "$steps"
is "the MTU is as it was" 4200 cat /sys/class/net/$A/mtu
cp $EXAMPLE $FABRIC

echo "-- upgrade"
main=$(show losslessd MainPID)
cp /var/lib/losslessd/accepted.yaml /run/accepted.yaml
zero
run "dpkg -i of a newer one" 0 dpkg -i "$1/newer.deb"
holds "another process" test "$(show losslessd MainPID)" != "$main"
ctl 0 "is in sync" status
is "without a write" "" writes
is "what is in force stays so" "" diff /run/accepted.yaml /var/lib/losslessd/accepted.yaml
rm $FABRIC
run "systemctl restart without the file" 0 systemctl restart losslessd
ctl 0 "keeps what is in force" status
cp $EXAMPLE $FABRIC

echo "-- remove, purge"
zero
run "dpkg -r" 0 dpkg -r losslessd
is "nothing runs" "" pgrep -l losslessd
is "the ports stay as they were" "" writes
holds "so does what is in force" cmp -s /run/accepted.yaml /var/lib/losslessd/accepted.yaml
run "dpkg -i again" 0 dpkg -i "$1/losslessd.deb"
is "it starts by itself" active systemctl is-active losslessd
run "dpkg -P" 0 dpkg -P losslessd
is "nothing runs" "" pgrep -l losslessd
holds "the file that somebody wrote is there" cmp -s $EXAMPLE $FABRIC
is "what losslessd wrote is not" "" sh -c 'ls -d /var/lib/losslessd* /run/losslessd 2> /dev/null'
is "the kernel is content" "" kernel_complaints
done_with package
