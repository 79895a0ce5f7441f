#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# A node, written as a record of one would be, and a fabric file of its kind against what plan and status have to say of it.
# NAME.plan and NAME.status were written by hand from the facts that NAME.why names, and nothing here writes them. Runs of blanks count as one: how
# tables are laid out is tested elsewhere.
# golden.sh LOSSLESSCTL FOLDER NAME
set -u
export LC_ALL=C.UTF-8
ctl=$(readlink -f "$1") name=$3
cd "$2" || exit 1
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
fails=0

# same WHAT EXPECTED
same() {
	if diff -u "$2" "$tmp/is" > "$tmp/diff"; then
		echo "ok   $name: $1"
	else
		echo "FAIL $name: $1"
		sed 's/^/     | /' "$tmp/diff"
		fails=$((fails + 1))
	fi
}

# told ARGS...: what losslessctl ARGS says of the node, in $tmp/is
told() {
	local status=0
	"$ctl" "$@" --root "$name.bundle" > "$tmp/out" 2> "$tmp/err" < /dev/null || status=$?
	{ cat "$tmp/out" "$tmp/err" && echo "(exit status $status)"; } | tr -s ' ' > "$tmp/is"
}

for verb in plan status; do
	told $verb -f "$name.yaml"
	sed 's/, after apply [0-9]*)$/)/' "$name.$verb" > "$tmp/$verb"
	same $verb "$tmp/$verb"
done
told doctor -f "$name.yaml"
same doctor "$name.doctor"
told nccl-env --format nccl.conf -f "$name.yaml"
same nccl-env "$name.nccl"
if [ -f "$name.counters" ]; then
	told show counters
	same counters "$name.counters"
fi
# What is imported from the node asks for nothing else; without an RDMA device there is nothing to import
if grep -q 'there is no RDMA device' "$name.plan"; then
	told import
	echo "losslessctl: nothing to import on this node: there is no RDMA device; is the driver's RDMA module loaded (mlx5_ib, bnxt_re, irdma, rdma_rxe)?
(exit status 1)" > "$tmp/import"
	same "nothing to import" "$tmp/import"
else
	"$ctl" import --root "$name.bundle" -o "$tmp/import.yaml" 2> "$tmp/notes" < /dev/null || fails=$((fails + 1))
	"$ctl" check "$tmp/import.yaml" > /dev/null || fails=$((fails + 1))
	told plan -f "$tmp/import.yaml"
	sed -i -n '1s/; .*//p; $p' "$tmp/is"
	printf 'nothing to change\n(exit status 0)\n' > "$tmp/import"
	same "the plan with what is imported is empty" "$tmp/import"
fi
grep -q . "$name.why" || { echo "FAIL $name: no reasons"; fails=$((fails + 1)); }
"$ctl" record --root "$name.bundle" - > "$tmp/is"
same "a record of the bundle is the bundle" "$name.bundle"
exit $((fails > 0))
