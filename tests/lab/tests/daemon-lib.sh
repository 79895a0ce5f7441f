# SPDX-License-Identifier: LGPL-2.1-or-later
# For the scripts that need losslessd: started by hand, as its user, without any privilege.
. "$LAB_HOME/tests/ctl.sh"
DAEMON=/run/programs/losslessd
NIC=/run/programs/losslessd-nic
FABRIC=/run/etc/fabric.yaml
LOG=/run/daemon.log

# programs_from BUILD
programs_from() {
	mkdir -p /run/programs /run/etc
	install -m 755 "$1/cli/losslessctl" $CTL
	install -m 755 "$1/daemon/losslessd" "$1/daemon/losslessd-nic" /run/programs/
	grep -q '^losslessd:' /etc/passwd || echo 'losslessd:x:980:980::/:/usr/sbin/nologin' >> /etc/passwd
	environment=$(sed -n 's/^Environment=//p' "$1/systemd/losslessd.service")
	sed 's/^mtu:/policy: {audit_interval: 1h}\nmtu:/' $SPEC > $FABRIC
}

# until_true COMMAND...: for a minute at most
until_true() {
	local end=$((SECONDS + 60))
	until "$@" > /dev/null 2>&1; do
		[ $SECONDS -lt $end ] || return 1
		sleep .05
	done
}

nic_start() {
	rm -rf /run/losslessd-nic
	mkdir -p /run/losslessd-nic
	$NIC --socket /run/losslessd-nic/socket 2>> $LOG &
	nic=$!
	until_true test -S /run/losslessd-nic/socket
	chown 980:980 /run/losslessd-nic/socket
}

# main_start ARGS...: and wait until it has looked once
main_start() {
	mkdir -p /run/losslessd /var/lib/losslessd
	chown 980:980 /run/losslessd /var/lib/losslessd
	setpriv --reuid 980 --regid 980 --clear-groups --inh-caps=-all --bounding-set=-all --no-new-privs \
		env $environment $DAEMON --fabric=$FABRIC --socket=/run/losslessd-nic/socket "$@" 2>> $LOG &
	main=$!
	until_true test -S /run/losslessd/bus
	$CTL status > /dev/null 2>&1
}

main_stop() {
	kill $main
	wait $main
}

nic_stop() {
	kill $nic
	wait $nic
}

is_in_spec() {
	[ "$(state $A mlx5_0)" = "$IN_SPEC" ] && [ "$(state $B mlx5_1)" = "$IN_SPEC" ]
}

# repaired WHAT: soon everything is in the spec again, seen by others than losslessd
repaired() {
	until_true is_in_spec
	in_spec "$1"
}

# logged WHAT REGEX
logged() {
	until_true grep -qE "$2" $LOG
	holds "$1" grep -E "$2" $LOG
}
