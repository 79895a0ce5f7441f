#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# losslessd as systemd runs it: installed files, sandboxes, reload, bad files, a read-only sysfs, watchdog, the bus.
# usage: lab run --systemd service.sh INSTALLED, a folder that `meson install` filled
set -u
. "$LAB_HOME/tests/daemon-lib.sh"
FABRIC=/etc/losslessd/fabric.yaml
DROP_IN=/run/systemd/system

# show UNIT PROPERTY
show() {
	systemctl show -P "$2" "$1"
}

# seen UNIT: its main process is there, and what /proc says of it is kept; the worker rests after 10 s
seen() {
	local pid=$(show "$1" MainPID)
	[ "$pid" != 0 ] && cp "/proc/$pid/status" "/run/$1.status"
}

# process UNIT FIELD: as it was seen
process() {
	sed -n "s/^$2:[[:blank:]]*//p" "/run/$1.status"
}

# owner FILE: and its mode
owner() {
	command stat -c '%U %a' "$1"
}

# id_of NAME: the message id as the daemon's header and the catalog have it
id_of() {
	journalctl --list-catalog | sed -n "s/ losslessd: $1.*//p"
}

# entries ID FIELD: since this boot's `mark`
entries() {
	journalctl --sync
	journalctl -q -o json --output-fields="$2" --since "@$since" "MESSAGE_ID=$1" | sed -n "s/.*\"$2\":\"\([^\"]*\)\".*/\1/p"
}

mark() {
	sleep 1
	since=$(date +%s)
}

# drop_in UNIT LINE: for the unit's next start; none without LINE
drop_in() {
	rm -rf "$DROP_IN/$1.d"
	if [ $# -gt 1 ]; then
		mkdir -p "$DROP_IN/$1.d"
		printf '[Service]\n%s\n' "$2" > "$DROP_IN/$1.d/lab.conf"
	fi
	systemctl daemon-reload
}

# ---- what a package would do ----

# The link /lib stays what it is
tar -C "$1" -c . | tar -C / --keep-directory-symlink --no-same-owner -x
systemctl daemon-reload
CTL=$(systemctl cat losslessd | sed -n 's/^ExecReload=+\([^ ]*\) reload$/\1/p')
node_new
zero
systemd-sysusers losslessd.conf
systemd-tmpfiles --create losslessd.conf
journalctl --update-catalog
sed 's/^mtu:/policy: {audit_interval: 1h}\nmtu:/' $SPEC > $FABRIC
is "/run/losslessd" "losslessd 755" owner /run/losslessd
is "credentials" "root 700" owner /etc/losslessd/credentials
# as Debian's packages bring it; not started by systemd, which would have to wait for it then
for dir in /usr/local/share/dbus-1/system.d; do
	[ ! -f $dir/org.lossless.Node1.conf ] || cp $dir/org.lossless.Node1.conf /etc/dbus-1/system.d/
done
# The bus would start it again
POLKIT=${LAB_BIN%/bin}/polkit
[ ! -d $POLKIT/usr ] || tar -C $POLKIT -c --exclude=system-services . | tar -C / --keep-directory-symlink --no-same-owner -x
rm -f /usr/share/dbus-1/system-services/org.freedesktop.PolicyKit1.service
# The bus heeds a policy only for a user that is there when it starts
[ ! -d $POLKIT/usr ] || systemd-sysusers polkitd.conf
mkdir -p /run/dbus
dbus-daemon --system --fork --nopidfile || fails=$((fails + 1))
echo "ready at $(uptime_s)"

echo "-- start"
mark
systemctl start losslessd > /run/out 2>&1
verdict "systemctl start" $? 0
echo "started at $(uptime_s)"
is "is-active" active systemctl is-active losslessd
is "no restart" 0 show losslessd NRestarts
is "status text" "generation 1: in sync" show losslessd StatusText
is "the watchdog is on" 30s show losslessd WatchdogUSec
ctl 0 "status" status
in_spec "through the sandbox of the worker"
is "dcb" '{"prio_pfc":[false,false,false,true,false,false,false,false]}' dcb -j pfc show dev $A prio-pfc
is "the worker's socket" "losslessd 600" owner /run/losslessd/nic
is "the socket for everybody" "losslessd 666" owner /run/losslessd/bus
is "what is in force is for everybody to read" "losslessd 644" owner /var/lib/losslessd/accepted.yaml
is "the entry of the spec" "1" entries "$(id_of 'A fabric file is in force')" LOSSLESS_GENERATION

echo "-- drift, and who does what"
mark
dcb pfc set dev $A prio-pfc all:off
holds "a worker comes" until_true seen losslessd-nic
repaired "dcb pfc set"
main=$(show losslessd MainPID)
seen losslessd
user=$(id -u losslessd)
is "main: user" "$user $user $user $user" process losslessd Uid
is "main: no capability" "0000000000000000 0000000000000000 0000000000000000 0000000000000000 0000000000000000" \
	process losslessd 'Cap[A-Z][a-z]*'
is "main: no new privileges, system calls filtered" "1 2" process losslessd '\(NoNewPrivs\|Seccomp\)'
is "worker: root" "0 0 0 0" process losslessd-nic Uid
is "worker: CAP_NET_ADMIN only" "0000000000000000 0000000000001000 0000000000001000 0000000000001000 0000000000000000" \
	process losslessd-nic 'Cap[A-Z][a-z]*'
is "worker: no new privileges, system calls filtered" "1 2" process losslessd-nic '\(NoNewPrivs\|Seccomp\)'
printf 'user: admin\n' > /etc/losslessd/credentials/leaf-1
chmod 600 /etc/losslessd/credentials/leaf-1
systemctl start losslessd-switch.service
holds "the worker for switches starts" seen losslessd-switch
user=$(id -u losslessd-switch)
is "worker for switches: user" "$user $user $user $user" process losslessd-switch Uid
is "worker for switches: no capability" "$(process losslessd 'Cap[A-Z][a-z]*' | tr '\n' ' ' | sed 's/ $//')" \
	process losslessd-switch 'Cap[A-Z][a-z]*'
is "worker for switches: no new privileges, system calls filtered" "1 2" \
	process losslessd-switch '\(NoNewPrivs\|Seccomp\)'
is "it may read its credentials" "user: admin" setpriv --reuid "$user" --clear-groups \
	cat /run/credentials/losslessd-switch.service/switch_leaf-1
setpriv --reuid "$user" --clear-groups cat /etc/losslessd/credentials/leaf-1 > /run/out 2>&1
verdict "but not where they are kept" $? 1
is "the worker for switches: its socket" "losslessd 600" owner /run/losslessd/switch
is "the entries of drift" pfc entries "$(id_of '@LOSSLESS_TARGET@: @LOSSLESS_KNOB@ is not as declared')" LOSSLESS_KNOB
is "and of the repair" $A entries "$(id_of '@LOSSLESS_TARGET@: @LOSSLESS_KNOB@ was changed')" LOSSLESS_TARGET
journalctl -q -x -u losslessd --since "@$since" > /run/out
says "journalctl -x explains" "The fabric file wants 3; the kernel has none"

echo "-- the bus"
bus() {
	setpriv --reuid 65534 --regid 65534 --clear-groups busctl --system "$@" 2>&1
}
NODE="org.lossless.Node1 /org/lossless/Node1 org.lossless.Node1"
is "everybody may read" "b true" bus get-property $NODE InSync
bus call $NODE Reload "a{sv}" 0 > /run/out
verdict "changing is refused" $? 1
says "with a reason" "Access denied"

echo "-- polkit"
# as USER ARGS...: losslessctl, as somebody with the groups of /etc/group
as() {
	local user=$1
	shift
	setpriv --reuid "$user" --regid 6000 --init-groups $CTL "$@" > /run/out 2>&1
}
refused() { # WHAT USER ARGS...
	local what=$1
	shift
	as "$@"
	verdict "$what" $? 1
	says "$what: what it takes" "^losslessctl: changing this node needs root, or on the system bus polkit's org.lossless.apply$"
	is "$what: one line" 1 sh -c "wc -l < /run/out"
}
polkit_has_name() {
	busctl --system status org.freedesktop.PolicyKit1 > /dev/null 2>&1
}
printf '%s:x:%d:6000::/:/bin/sh\n' neta 6001 bystander 6002 >> /etc/passwd
printf 'everyone:x:6000:\nnetops:x:6010:neta\n' >> /etc/group
cp $FABRIC /run/good.yaml && chmod 644 /run/good.yaml
refused "no polkitd: apply of somebody in the group" neta apply -f /run/good.yaml
if [ -x /usr/lib/polkit-1/polkitd ]; then
	find /usr/local/share/polkit-1/actions /usr/share/polkit-1/actions -name org.lossless.policy 2> /dev/null |
		head -n 1 | xargs -I{} cp -n {} /usr/share/polkit-1/actions/
	systemd-tmpfiles --create polkitd.conf
	cat > /etc/polkit-1/rules.d/10-lossless.rules <<-'END'
	polkit.addRule(function(action, subject) {
		if (action.id == "org.lossless.apply" && subject.isInGroup("netops"))
			return polkit.Result.YES;
	});
	END
	/usr/lib/polkit-1/polkitd --no-debug > /run/polkit.log 2>&1 &
	polkit=$!
	holds "polkitd is on the bus" until_true polkit_has_name
	as neta apply -f /run/good.yaml
	verdict "polkitd: somebody in the group may apply" $? 0
	says "and gets the answer" "^nothing to change$"
	as neta reload
	verdict "and reload" $? 0
	refused "polkitd: apply of somebody else" bystander apply -f /run/good.yaml
	refused "polkitd: reload of somebody else" bystander reload
	as bystander status
	verdict "who may read" $? 0
	bus call $NODE Reload "a{sv}" 0 > /run/out
	verdict "polkitd: refused on the bus too" $? 1
	ctl 0 "root may" apply -f /run/good.yaml
	busctl --system call $NODE Reload "a{sv}" 0 > /run/out
	verdict "on the bus too" $? 0
	kill $polkit
	wait $polkit
	refused "polkitd stopped: apply of somebody in the group" neta apply -f /run/good.yaml
	refused "polkitd stopped: apply of somebody else" bystander apply -f /run/good.yaml
	ctl 0 "polkitd stopped: root may" apply -f /run/good.yaml
	is "the same process all the while" "$main" show losslessd MainPID
else
	echo "     (no polkitd could be fetched: not tried)"
fi

echo "-- reload"
zero
mark
echo "mtu: 99999" >> $FABRIC
ctl 3 "losslessctl reload of a bad file" reload
says "with its place" "fabric.yaml:[0-9]+:[0-9]+: error"
systemctl reload losslessd > /run/out 2>&1
verdict "systemctl reload fails" $? 1
is "is-active" active systemctl is-active losslessd
systemctl kill -s HUP --kill-whom=main losslessd
until_true sh -c "[ \$(systemctl show -P StatusText losslessd | grep -c 'fabric.yaml:') = 1 ]"
show losslessd StatusText > /run/out
says "the status text has its place" "fabric.yaml:[0-9]+:[0-9]+"
is "the same process" "$main" show losslessd MainPID
ctl 0 "the spec before is in force" status
says "and its generation" "generation 1 "
is "no write" "" writes
holds "an entry for the refusal" grep -q . <(entries "$(id_of 'A fabric file was refused')" MESSAGE)
cp /run/good.yaml $FABRIC
systemctl reload losslessd > /run/out 2>&1
verdict "systemctl reload of a good one" $? 0

echo "-- watchdog"
drop_in losslessd.service "WatchdogSec=3"
systemctl restart losslessd
is "restarted" active systemctl is-active losslessd
systemctl kill -s STOP --kill-whom=main losslessd
until_true test "$(show losslessd MainPID)" = 0
until_true sh -c "[ \$(systemctl show -P NRestarts losslessd) = 1 ]"
until_true systemctl is-active losslessd
is "a loop that stands still is started anew" 1 show losslessd NRestarts
ctl 0 "status" status
journalctl --sync
journalctl -q -u losslessd --since "@$since" > /run/out
says "by the watchdog" "Watchdog timeout"

echo "-- a start that takes its time"
systemctl stop losslessd
is "the end is good" success show losslessd Result
drop_in losslessd.service "TimeoutStartSec=4"
echo 8000 > $D/$A/link_delay_ms
dcb pfc set dev $A prio-pfc all:off
wait_carrier $A
mark
systemctl start losslessd > /run/out 2>&1
verdict "a link that comes back after 8 s, with 4 s to start" $? 0
in_spec "and is as it shall be"
is "no restart" 0 show losslessd NRestarts
echo 100 > $D/$A/link_delay_ms

echo "-- a bad file at the start"
systemctl stop losslessd
is "the end is good" success show losslessd Result
drop_in losslessd.service
rm -rf /var/lib/losslessd/*
printf 'nics: [\n' > $FABRIC
mark
systemctl start losslessd > /run/out 2>&1
verdict "systemctl start" $? 0
sleep 7
is "no storm" 0 show losslessd NRestarts
is "is-active" active systemctl is-active losslessd
ctl 1 "status is bad" status
says "and names the place" "fabric.yaml:[0-9]+:[0-9]+"
is "one entry" 1 sh -c "journalctl -q --since @$since MESSAGE_ID=$(id_of 'A fabric file was refused') -o cat | wc -l"
cp /run/good.yaml $FABRIC
ctl 0 "apply heals" apply
ctl 0 "status" status
is "without a restart" 0 show losslessd NRestarts

echo "-- a read-only sysfs"
systemctl stop losslessd losslessd-nic.service 2> /dev/null
drop_in losslessd-nic.service "ProtectKernelTunables=yes"
systemctl start losslessd
mark
zero
echo -1 > /sys/class/infiniband/mlx5_0/tc/1/traffic_class
echo -1 > /sys/class/infiniband/mlx5_1/tc/1/traffic_class
zero
until_true sh -c "$CTL status | grep -q read-only"
ctl 1 "status" status
says "with the cause" "ProtectKernelTunables"
is "one reason for the node" 1 sh -c "$CTL status 2>&1 | grep -c read-only"
says "what is there is still told" "mlx5_0 +traffic_class +drift +106 +unset"
for i in 1 2 3; do $CTL status > /dev/null; done
is "one entry, not for each try or device" 1 sh -c "journalctl -q --since @$since \
	MESSAGE_ID=$(id_of 'Something could not be brought') -o cat | wc -l"
is "no write" "" writes
drop_in losslessd-nic.service
systemctl stop losslessd-nic.service 2> /dev/null
ctl 0 "apply heals" apply
in_spec "writable again"

echo "-- root without the daemon, and back"
systemctl stop losslessd
is "the worker's socket stays" "losslessd 600" owner /run/losslessd/nic
ctl 4 "apply" apply
sed 's/106/104/' /run/good.yaml > /run/other.yaml
ctl 0 "apply --once" apply --once -f /run/other.yaml
systemctl start losslessd > /run/out 2>&1
verdict "systemctl start" $? 0
ctl 0 "losslessd has what root left" status
ctl 0 "and takes it back" rollback
repaired "rollback"

echo "-- the worker rests"
until_true sh -c "! systemctl -q is-active losslessd-nic.service"
is "worker" inactive systemctl is-active losslessd-nic.service
is "its socket" active systemctl is-active losslessd-nic.socket
dcb pfc set dev $A prio-pfc all:off
repaired "it comes again"
is "no unit failed" "" systemctl --failed --no-legend --plain list-units 'losslessd*'
is "the kernel is content" "" kernel_complaints
done_with service
