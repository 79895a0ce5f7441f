# SPDX-License-Identifier: LGPL-2.1-or-later
# Both ends of a cable by losslessctl alone: apply, drift and repair, redundant applies, and the way back.
# imported WHEN: what import says of both ends changes neither
imported() {
	zero
	ctl 0 "import, $1" import -f $FABRIC --switch sw-linux -o /run/imported.yaml --force
	ctl 0 "its plan is empty, $1" plan -f /run/imported.yaml
	is "no setter was called by either, here or there" "" writes
}

imported "not configured"
echo "-- apply --once"
dump_both > /run/dump.before
ctl 2 "plan has changes" plan -f $FABRIC
says "of the NIC" "^(port )?$A .*pfc"
says "and of the switch" "^$END_A .*pfc .*none .*3"
zero
ctl 0 "apply" apply --once -f $FABRIC
cp /run/out /run/apply.out
says "one report has the NIC" "$A .*pfc.*done"
says "and the switch" "^$END_A .*pfc .*→ .*3 .*done"
wait_carrier $A
both "apply" 3
[ $fails = 0 ] || { cat /run/apply.out /run/ssh/log; done_with switchdev; }
is "its writes on the switch" "$B/n_app:1 $B/n_mtu:1 $B/n_pfc:1" sh -c "grep -H . $D/$B/n_* | sed 's,^$D/,,; /:0\$/d'"
ctl 0 "status" status

imported "configured"
for line in 'traffic_class: 106' 'dscp_to_priority: {26: 3' 'pfc: [3]' 'mtu: 4200'; do
	holds "it says $line" grep -qF "$line" /run/imported.yaml
done

echo "-- nothing to do"
zero
ctl 0 "apply again" apply --once -f $FABRIC
ctl 0 "status" status
ctl 0 "plan" plan -f $FABRIC
is "no setter was called, here or there" "" writes

echo "-- drift on the switch"
foreign
ctl 2 "status sees PFC switched off there" status
says "switch, port, knob, want, have" "^$END_A +pfc +drift +3 +none "
zero
ctl 0 "apply repairs it" apply --once -f $FABRIC
is "by one write" "$B/n_pfc:1" writes
wait_carrier $A
both "repaired" 3

echo "-- rollback --once"
ctl 0 "rollback" rollback --once
says "of the switch too" "^$END_A .*pfc"
wait_carrier $A
dump_both > /run/dump.after
holds "both ends are as they were, byte for byte" diff /run/dump.before /run/dump.after
ctl 1 "nothing is left to roll back" rollback --once
