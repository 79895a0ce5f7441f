# SPDX-License-Identifier: LGPL-2.1-or-later
# A real lldpad that wants no PFC: losslessd stops after three writes and names it; apply heals when it is gone.
LLDPAD=${LAB_BIN%/bin}/lldpad
libraries=$(echo "$LLDPAD"/usr/lib/*-linux-gnu "$LLDPAD"/lib/*-linux-gnu | tr ' ' :)
echo "-- lldpad comes"
mkdir -p /var/lib/lldpad
zero
: > $LOG
LD_LIBRARY_PATH=$libraries "$LLDPAD/usr/sbin/lldpad" > /run/lldpad.log 2>&1 &
lldpad=$!
tool() {
	LD_LIBRARY_PATH=$libraries "$LLDPAD/usr/sbin/lldptool" "$@" > /run/tool 2>&1 || sed 's/^/     | /' /run/tool
}
until_true env LD_LIBRARY_PATH=$libraries "$LLDPAD/usr/sbin/lldptool" -ping
tool set-lldp -i $A adminStatus=rxtx
tool -T -i $A -V PFC enableTx=yes
tool -T -i $A -V PFC willing=no
tool -T -i $A -V PFC enabled=none
logged "contested in the end" "sim0 [a-z_]*: contested"
logged "lldpad is named" "contested.*lldpad is running .process $lldpad"
sleep 2
# The setter's calls do not tell: lldpad goes on writing
cp $LOG /run/log.before
sleep 5
is "no repair any more, and no word of one" "" diff /run/log.before $LOG
holds "at most three repairs of ours" test "$(grep -c 'sim0 pfc: .* (drift)' $LOG)" -le 3
ctl 1 "status says contested" status
says "and by whom" "contested.*lldpad is running"
says "with a warning" "^warning: lldpad is running .process $lldpad"

echo "-- lldpad goes"
kill $lldpad
wait $lldpad
ctl 0 "apply heals" apply -f $FABRIC
# It has left DCBX as it wants it: ours is the HOST bit alone
was=$IN_SPEC
IN_SPEC=${IN_SPEC/dcbx 0x0d/dcbx 0x09}
repaired "after lldpad"
IN_SPEC=$was
