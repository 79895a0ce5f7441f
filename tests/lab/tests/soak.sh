#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# Somebody else writes N times at random, RDMA devices go and come back: in the end all is as the file says, losslessd
# wrote no more than that needed, and has not grown.
# usage: lab run soak.sh BUILD [N [SEED]]
set -u
. "$LAB_HOME/tests/daemon-lib.sh"
N=${2:-300}
SEED=${3:-1}
programs_from "$1"
install -m 755 "$1/tests/lab/foreign" /run/programs/
node_new
for f in $A $B; do
	echo 10 > $D/$f/link_delay_ms
done

anonymous_kib() {
	sed -n 's/^RssAnon:[^0-9]*\([0-9]*\) kB/\1/p' /proc/$1/status
}

descriptors() {
	ls /proc/$1/fd | wc -l
}

# settled: in the spec, and nothing is done any more
is_settled() {
	local before=$(cut -d' ' -f1 /proc/$main/schedstat)
	is_in_spec && sleep .5 && [ "$(cut -d' ' -f1 /proc/$main/schedstat)" = "$before" ]
}

# at_most WHAT LIMIT NUMBER
at_most() {
	if [ "$3" -le "$2" ]; then
		echo "ok   $1: $3, at most $2"
	else
		echo "FAIL $1: $3, at most $2"
		fails=$((fails + 1))
	fi
}

# calls OBJECT: of the setter, on both ports or RDMA devices
calls() {
	cat $D/*/n_$1 $SIMIB/*/n_$1 2> /dev/null | awk '{ sum += $1 } END { print sum + 0 }'
}

wrote() {
	sed -n "s/^$1 //p" /run/wrote
}

# An audit is an hour away: what no event tells is never repaired
nic_start
main_start --contest-window=0
repaired "the start"

# What is needed once is there after some writes
/run/programs/foreign 0 100 > /run/wrote
until_true is_settled
memory=$(anonymous_kib $main)
worker_memory=$(anonymous_kib $nic)
files=$(descriptors $main)
worker_files=$(descriptors $nic)
zero

begin=$SECONDS
/run/programs/foreign $SEED $N > /run/wrote &
other=$!
history=$memory
while sleep 10 && kill -0 $other 2> /dev/null; do
	history+=" $(anonymous_kib $main)"
done
wait $other
echo "     $N writes in $((SECONDS - begin)) s:" $(< /run/wrote)
until_true is_settled
echo "     KiB of memory, every 10 s: $history, and settled $(anonymous_kib $main)"
in_spec "$N foreign writes"
ctl 0 "status agrees" status
# In the middle of a look it is up to 200 KiB more
at_most "KiB of memory more than before" 128 $(($(anonymous_kib $main) - memory))
at_most "KiB of the worker more than before" 64 $(($(anonymous_kib $nic) - worker_memory))
is "no descriptor more" "$files $worker_files" echo $(descriptors $main) $(descriptors $nic)
for object in pfc app pause mtu; do
	at_most "calls of the setter of $object" $((2 * $(wrote $object))) $(calls $object)
done
at_most "calls of the setter of traffic_class" $((2 * $(wrote tclass) + $(wrote devices))) $(($(calls tclass) + $(wrote forgotten)))
for object in ets buffer maxrate trust dcbx; do
	at_most "calls of the setter of $object" 0 $(calls $object)
done
# Between our write and the look after it theirs may come, or the device go
is "nothing else failed" "" sh -c \
	"grep -E 'failed|lost|cannot|nic:' $LOG | grep -vE 'accepted, but not in effect|the device is gone'"
main_stop
nic_stop
is "the kernel is content" "" kernel_complaints
done_with soak
