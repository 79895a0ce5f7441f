# SPDX-License-Identifier: LGPL-2.1-or-later
# What a user can run into: no rights, other namespaces, a read-only /sys, somebody else at work.
plain_user() {
	setpriv --reuid=65534 --regid=65534 --clear-groups "$@"
}

# fails STATUS WHAT COMMAND...: like ctl, for more than losslessctl
fails_with() {
	local status=0 want=$1 what=$2
	shift 2
	"$@" > /run/out 2>&1 || status=$?
	verdict "$what" "$status" "$want"
}

one_line() {
	is "$1" 1 sh -c "grep -c . /run/out"
}

echo "-- a plain user"
unconfigure
fails_with 2 "plan" plain_user $CTL plan -f $SPEC
fails_with 1 "apply is refused" plain_user $CTL apply --once -f $SPEC
one_line "in one line"
says "that says what is missing" 'root'
is "nothing was written" "" writes
ctl 0 "root applies" apply --once -f $SPEC
fails_with 0 "status" plain_user $CTL status -f $SPEC
fails_with 0 "plan is empty" plain_user $CTL plan -f $SPEC
zero

echo "-- another network namespace"
fails_with 1 "status" unshare -n $CTL status -f $SPEC
says "says why" 'different network namespaces'
fails_with 1 "apply" unshare -n $CTL apply --once -f $SPEC
says "says why" 'different network namespaces'

echo "-- a read-only /sys"
dcb pfc set dev $A prio-pfc all:off
zero
fails_with 1 "apply" unshare -m sh -c "mount --bind /sys /sys && mount -o remount,bind,ro /sys &&
	exec $CTL apply --once -f $SPEC"
says "says why" '[Rr]ead-only'
is "once" 1 sh -c "grep -ciE 'read-only' /run/out"
is "nothing was written" "" writes

echo "-- a second writer"
unconfigure
echo 700 > $D/$A/delay_ms
$CTL apply --once -f $SPEC > /run/first 2>&1 &
first=$!
within 10 grep -q '[1-9]' $D/$A/n_dcbx
fails_with 1 "apply" $CTL apply --once -f $SPEC
says "names the first one" "$first"
one_line "in one line"
wait $first
is "and the first one did its work" "0 $IN_SPEC" sh -c "echo $? \"$(state $A mlx5_0)\""
echo 0 > $D/$A/delay_ms
