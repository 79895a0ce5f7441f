#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# import as people and scripts use it: where it writes, what it says, what it refuses. That its plan is empty is tested on
# every golden node and in tests/model.
# import.sh LOSSLESSCTL SOURCES
set -u
export LC_ALL=C.UTF-8
unset NO_COLOR
ctl=$(readlink -f "$1") golden=$(readlink -f "$2")/tests/golden fails=0
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1
export LOSSLESSD_LLDPCLI=$tmp/no-lldpcli

ok() {
	echo "ok   $1"
}

bad() {
	echo "FAIL $1"
	sed 's/^/     | /' out err | head -n 20
	fails=$((fails + 1))
}

# import STATUS WHAT ARGS...
import() {
	local status=0 want=$1 what=$2
	shift 2
	"$ctl" import "$@" > out 2> err < /dev/null || status=$?
	if [ $status = "$want" ]; then
		ok "$what"
	else
		bad "$what: exit status $status, expected $want"
	fi
}

# holds WHAT COMMAND...
holds() {
	local what=$1
	shift
	if "$@" > held 2>&1; then
		ok "$what"
	else
		bad "$what"
	fi
}

# ---- usage ----

import 64 "an argument" out.yaml
import 64 "--json: it is YAML" --json
import 64 "--force without -o" --force
import 64 "-f without --switch" -f fabric.yaml
import 64 "--switch with a recorded node" --root "$golden/rails.bundle" --switch leaf-1
import 64 "-o without a name" -o
import 64 "a node that is no host name" --root "$golden/rails.bundle" --node 'a b'
holds "one line on stderr, nothing on stdout" test "$(wc -l < err) $(wc -c < out)" = "1 0"

printf 'version: 1\n' > refused.yaml
import 3 "--switch with a file that is refused" --switch leaf-1 -f refused.yaml
holds "and --help says so" grep -q '3 if the file of -f is refused' <("$ctl" import --help)

# ---- to stdout and on ----

import 0 "to stdout" --root "$golden/rails.bundle"
cp out rails.yaml
cp err rails.notes
holds "valid" "$ctl" check rails.yaml
holds "reproducible" test "$("$ctl" import --root "$golden/rails.bundle" 2> /dev/null | cmp - rails.yaml && echo same)" = same
set -o pipefail
holds "valid in a pipe" sh -c '"$1" import --root "$2" 2> /dev/null | "$1" check -' - "$ctl" "$golden/rails.bundle"
holds "empty in a pipe" sh -c '"$1" import --root "$2" 2> /dev/null | "$1" plan -f - --root "$2"' - "$ctl" "$golden/rails.bundle"
holds "stderr: what was not taken, and why" grep -qE '^losslessctl: not taken: rail0, .*: scheduler \(.*vendor.*\): a class is neither' rails.notes
holds "and the file says the same" test "$(grep -c 'class is neither' rails.yaml)" -gt 0
holds "as many lines as notes" test "$(grep -c '^#   [^ ]' rails.yaml)" = "$(grep -c 'not taken' rails.notes)"
holds "80 columns" test "$(awk 'length > 80' rails.yaml | wc -l)" = 0
holds "--node is the node" grep -qx '  other: {}' <("$ctl" import --root "$golden/vf.bundle" --node other 2> /dev/null)
"$ctl" import --root "$golden/rails.bundle" > /dev/full 2> err
holds "a result that cannot be written is a failure" grep -q 'cannot write the result' err

# ---- to a file ----

umask 022
import 0 "-o" --root "$golden/rails.bundle" -o new.yaml
holds "for all to read" test "$(stat -c %a new.yaml)" = 644
holds "the same, and nothing on stdout" test "$(cmp new.yaml rails.yaml && wc -c < out)" = 0
import 1 "-o over a file" --root "$golden/vf.bundle" -o new.yaml
holds "says so and what to do" grep -q 'new.yaml is there already: .*--force' err
holds "which stays" cmp new.yaml rails.yaml
import 0 "--force" --root "$golden/vf.bundle" -o new.yaml --force
holds "is there instead" grep -q '^  gpu-4: {}$' new.yaml
holds "with the same rights" test "$(stat -c %a new.yaml)" = 644
holds "and nothing beside it" test "$(echo new.yaml*)" = new.yaml
import 1 "-o where there is no folder" --root "$golden/vf.bundle" -o no/such.yaml
import 1 "--force where there is no folder" --root "$golden/vf.bundle" -o no/such.yaml --force
ln -s new.yaml link.yaml
import 1 "-o over a link" --root "$golden/vf.bundle" -o link.yaml
mkdir sub
cp rails.yaml sub/linked.yaml
chmod 640 sub/linked.yaml
ln -s sub/linked.yaml by-link.yaml
import 0 "--force over a link" --root "$golden/vf.bundle" -o by-link.yaml --force
holds "the link stays" test "$(readlink by-link.yaml)" = sub/linked.yaml
holds "the file that it leads to is replaced" cmp sub/linked.yaml new.yaml
holds "and keeps its rights" test "$(stat -c %a sub/linked.yaml)" = 640
holds "and nothing beside either" test "$(echo by-link.yaml* sub/*)" = "by-link.yaml sub/linked.yaml"
mkfifo fifo
ln -s nowhere dangling
ln -s /dev/full device
for place in fifo dangling device sub; do
	import 1 "-o over what is no file: $place" --root "$golden/vf.bundle" -o $place
	holds "does not name --force" sh -c '! grep -q -- --force err'
	import 1 "--force over what is no file: $place" --root "$golden/vf.bundle" -o $place --force
	holds "says so" grep -qx "losslessctl: $place is not replaced: it is no regular file, nor leads to one; .*" err
done
holds "and they stay" test "$(stat -c %F fifo dangling device sub | paste -sd,) $(stat -Lc %F device)" = \
	"fifo,symbolic link,symbolic link,directory character special file"
holds "and nothing is made" test ! -e nowhere -a ! -e "$(echo /dev/full.*)"

# ---- what cannot be read ----

sed 's/^reader root$/reader user/' "$golden/mlx5-upstream.bundle" > user.bundle
import 0 "as a plain user" --root user.bundle
holds "what is left is valid" "$ctl" check out
holds "stderr: needs root" grep -qE '^losslessctl: not taken: .*cnp_dscp.*: only root can read it' err
holds "the file says it too" grep -q 'only root can read it' out

# Files of drivers are any text: what cannot be is neither taken nor believed
odd() {
	sed "/$1/ { n; s/.*/ $2/ }" "$golden/mlx5-ofed.bundle" > odd.bundle
	import 0 "$1 is $2" --root odd.bundle
	holds "is not taken, and why is said" grep -qE "^losslessctl: not taken: .*$3" err
	holds "is not in the file" test "$(grep -v '^#' out | grep -c "$2")" = 0
	holds "which is valid" "$ctl" check out
	holds "and empty" "$ctl" plan -f out --root odd.bundle
}
odd cnp_802p_prio 4200 'cnp_dscp.*: a file takes DSCP 0 to 63 and priority 0 to 7'
odd cnp_dscp 100000 'cnp_dscp \(100000\): a file takes DSCP 0 to 63 and priority 0 to 7'

import 1 "no RDMA device" --root "$golden/unconfigured.bundle"
holds "said in one line, no file" test "$(wc -l < err) $(wc -c < out)" = "1 0"
import 1 "no RDMA device, -o" --root "$golden/unconfigured.bundle" -o none.yaml
holds "no file" test ! -e none.yaml

# ---- cables ----

cat > heard.json <<'END'
{"lldp":[{"interface":[{"name":"ens1f0np0","via":"LLDP","chassis":[{"id":[{"type":"mac","value":"02:00:00:00:00:01"}],
"name":[{"value":"leaf-1"}]}],"port":[{"id":[{"type":"ifname","value":"Ethernet1/7"}]}]}]}]}
END
import 0 "--lldp" --root "$golden/mlx5-upstream.bundle" --lldp heard.json
holds "the cable stands in a comment" grep -qx '#   ens1f0np0: leaf-1, port Ethernet1/7' out
import 1 "--lldp: a file that is not there" --root "$golden/mlx5-upstream.bundle" --lldp no-such.json
holds "--lldp: one line" test "$(wc -l < err) $(wc -c < out)" = "1 0"
exit $((fails > 0))
