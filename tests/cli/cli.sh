#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# losslessctl as a person meets it: exit statuses, words on stdout and stderr, JSON, help, the demo. Needs no NIC and
# touches none: every file here selects ports that no machine has. As root the verbs that write are tried too, in a state
# directory of their own; without root their refusal is.
# cli.sh LOSSLESSCTL SOURCES
set -u
export LC_ALL=C.UTF-8
unset NO_COLOR
sources=$2
tmp=$(mktemp -d) || exit 1
clean_up() {
	[ ! -d "$tmp/pts" ] || umount "$tmp/pts"
	rm -rf "$tmp"
}
trap clean_up EXIT
chmod 755 "$tmp"
install -m 755 "$1" "$tmp/losslessctl" || exit 1
ctl=$tmp/losslessctl
cd "$tmp" || exit 1
fails=0
python=/usr/bin/python3	# a shim of somebody's in front of it may take seconds
[ -x $python ] || python=python3

ok() {
	echo "ok   $1"
}

bad() {
	echo "FAIL $1"
	sed 's/^/     | /' out err | head -n 20
	fails=$((fails + 1))
}

# ctl STATUS WHAT ARGS...: losslessctl ARGS ends with STATUS; its words are in out and err
ctl() {
	local status=0 want=$1 what=$2
	shift 2
	"$ctl" "$@" > out 2> err < /dev/null || status=$?
	if [ $status = "$want" ]; then
		ok "$what"
	else
		bad "$what: exit status $status, expected $want"
	fi
}

# says FILE WHAT PATTERN: a line of out or err matches
says() {
	if grep -qE -- "$3" "$1"; then
		ok "$2"
	else
		bad "$2: no line like '$3' in $1"
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
		head -n 20 held | sed 's/^/     | /'
	fi
}

one_line() {
	holds "$1: one line on stderr, nothing on stdout" test "$(wc -l < err) $(wc -c < out)" = "1 0"
}

# json WHAT EXPRESSION: out is one document d, and the expression is true of it
json() {
	holds "$1" $python -c 'import json, sys
d = json.load(open("out"))
assert d["schema"] == 1, "schema"
assert eval("(" + sys.argv[1] + ")"), sys.argv[1]' "$2"
}

without_escapes() {
	! grep -q $'\033' out
}

is_root() {
	[ "$(id -u)" = 0 ]
}

# ---- files ----

cat > good.yaml <<'END'
version: 1
fabric: pod-a
roce:
  traffic_class: 106
qos:
  dscp_to_priority: {26: 3}
  pfc: [3]
nics: [{name: "no-such-port*"}]
nodes:
  "*": {}
END
sed 's/"no-such-port\*"/no-such-port/' good.yaml > absent.yaml
sed 's/"\*": {}/gpu-1: {}/' good.yaml > one-node.yaml
sed 's/  pfc: /  pfc_prios: /; s/26: 3/26: 9/' good.yaml > bad.yaml
: > empty.yaml

# ---- usage ----

ctl 64 "no verb"
one_line "no verb"
says err "and where help is" 'losslessctl --help'
ctl 64 "a verb that is none" frobnicate
one_line "a verb that is none"
says err "is named" "'frobnicate'"
ctl 64 "a verb is its whole word" stat
ctl 64 "an option before the verb" --json status
ctl 64 "an option of another verb" check --once good.yaml
says err "where its help is" 'losslessctl check --help'
ctl 64 "an option is its whole word" plan --js
ctl 64 "an option without its value" plan -f
ctl 64 "an option with an empty value" plan --node=
ctl 64 "an option given twice" plan --json --json
ctl 64 "a value where none is taken" plan --json=yes
ctl 64 "a node that is no host name" plan --node ../x
ctl 64 "an empty word" check ""
ctl 64 "a line break in a word" check $'a\nb'
ctl 64 "an escape sequence in a word" explain $'\e[31mpfc'
ctl 64 "a word that is not UTF-8" check $'\xff'
ctl 64 "a word longer than any file name" check "$(printf '%05000d' 1)"
ctl 64 "an argument too many" check good.yaml bad.yaml
ctl 64 "an argument where none is taken" plan good.yaml
ctl 64 "an argument too few" check
ctl 64 "a knob that is none" explain pfcc
one_line "a knob that is none"
says err "the knobs are named" ' pfc '
ctl 64 "a thing that cannot be shown" show switchs
ctl 64 "show nics takes no file" show nics -f good.yaml
ctl 64 "show counters takes no node" show counters --node a
ctl 64 "an interval needs a unit" show counters --interval 1
says err "an interval needs a unit: says so" "--interval: '1' has no unit|--interval: .*unit"
ctl 64 "an interval that is too long" show counters --interval 2h
ctl 64 "only counters have an interval" show nics --interval 1s
ctl 64 "only cables have LLDP" show nics --lldp x

# ---- verify: no machine of the tests has an RDMA device, tests/lab/tests/verify.sh has two ----

ctl 64 "verify: --listen waits for anybody" verify --listen peer
ctl 64 "verify: from nobody in particular" verify --listen --from ens1f0np0
ctl 64 "verify: too few messages" verify --messages 99
says err "verify: says how many" '--messages: 99 is not in 100..100000'
ctl 64 "verify: too many messages" verify --messages 100001
ctl 64 "verify: no such port" verify --port 65536
if [ -z "$(ls /sys/class/infiniband 2> /dev/null)" ]; then
	ctl 1 "verify: no RDMA device" verify
	says err "verify: says so" '^losslessctl: no port with an RDMA device on this node$'
	ctl 1 "verify --listen: no RDMA device" verify --listen
	ctl 1 "verify PEER: no RDMA device, and nobody is asked" verify nobody.invalid
	holds "verify: one line" test "$(wc -l < err)" = 1
	ctl 1 "verify --json: no RDMA device" verify --json
	says out "verify --json: says so" '"trouble": "no port with an RDMA device on this node"'
fi

# ---- help ----

ctl 0 "--version" --version
says out "name and version" '^losslessctl [0-9]+\.[0-9]+\.[0-9]+$'
ctl 0 "--help" --help
holds "--help fits 80 columns" awk 'length > 80 { exit 1 }' out
verbs=$(sed -n '/^Verbs:/,/^$/s/^  \([a-z-]*\) .*/\1/p' out)
holds "--help names verbs" test "$(wc -w <<< "$verbs")" -ge 8
holds "--help names the verbs of the table" test "$verbs" = \
	"$(sed -n 's/^\t\t\.name = "\(.*\)",$/\1/p' "$sources/cli/main.c")"
manual=$sources/man/losslessctl.1.scd
holds "so does the manual" test "$verbs" = \
	"$(sed -n '/^# VERBS/,/^# OPTIONS/s/^\*\([a-z-]*\)\*.*/\1/p' "$manual")"
for verb in $verbs; do
	ctl 0 "$verb --help" "$verb" --help
	says out "$verb: usage" "^Usage: losslessctl $verb"
	holds "$verb --help fits 80 columns" awk 'length > 80 { exit 1 }' out
	for option in $(sed -n '/^Options:/,$s/^  \(-[-a-zA-Z]*\).*/\1/p' out); do
		holds "$verb: the manual has $option" grep -q "^\*$option\*" "$manual"
		[ "$option" = --help ] || holds "$verb: $option is in its usage" \
			sh -c "sed '/^\$/q' out | grep -q -- '[[ ]$option'"
	done
	holds "$verb: what tests use is not shown" sh -c "! grep -qE 'state-dir|run-dir|fault' out"
done

# ---- check ----

ctl 0 "check: a good file" check good.yaml
says out "check: is called valid" '^good\.yaml: valid'
holds "check: without a word on stderr" test ! -s err
ctl 3 "check: a bad file" check bad.yaml
holds "check: nothing on stdout" test ! -s out
says err "check: place and message" "^bad\.yaml:7:3: error: unknown key 'pfc_prios'"
says err "check: the line" '^ +7 \|   pfc_prios: \[3\]$'
says err "check: the caret below it" '^ +\|   \^~~~~~~~~$'
says err "check: the other error too" '^bad\.yaml:6:[0-9]+: error: .*9'
holds "check: sorted by place" sh -c "grep error: err | sort -c -t: -k2n"
ctl 3 "check: an empty file" check empty.yaml
ctl 3 "check --json: a bad file" check --json bad.yaml
json "check --json: the same errors" 'd["exit"] == 3 and d["errors"] == len(d["diagnostics"]) == 2 and
	[x["where"]["line"] for x in d["diagnostics"]] == [6, 7]'
says err "check --json: and the text on stderr" '^bad\.yaml:7:3: error:'
ctl 0 "check --json: a good file" check --json good.yaml
json "check --json: no diagnostics" 'd["exit"] == 0 and d["diagnostics"] == [] and d["fabric"] == "pod-a"'
ctl 1 "check: a file that is missing" check missing.yaml
one_line "check: a file that is missing"
says err "check: says which" 'missing\.yaml: No such file'
ctl 1 "check: a folder" check .
one_line "check: a folder"
head -c 16777217 /dev/zero | tr '\0' '#' > large.yaml
ctl 3 "check: more than 16 MiB" check large.yaml
says err "check: says the limit" 'large\.yaml.*16 MiB'
ctl 1 "check --json: a file that is missing" check --json missing.yaml
json "check --json: is a document too" 'd["exit"] == 1 and "missing.yaml" in d["trouble"]'
json "check --json: of its own kind" 'd["report"] == "check" and d["file"] == "missing.yaml"'
json "check --json: and no pass" 'list(d) == ["schema", "report", "node", "file", "exit", "trouble"]'
for verb in confirm reload; do
	ctl 4 "$verb --json: no losslessd" $verb --json --run-dir "$tmp/none"
	json "$verb --json: says so" 'd["report"] == "'$verb'" and d["exit"] == 4 and d["trouble"]'
done
ctl 1 "show spec --json: a file that is missing" show spec --json -f ./missing.yaml --state-dir "$tmp/none"
json "show spec --json: is a document of its kind" 'd["report"] == "show" and d["file"] == "./missing.yaml"'
for verb in check "show spec -f" "plan -f"; do
	ctl 3 "$verb: a refused file in another folder" $verb "$tmp/bad.yaml" --json
	json "$verb: is named as it was given" 'd["file"].startswith("/") and d["file"].endswith("/bad.yaml")'
done

# ---- plan, status ----

if ! "$ctl" show nics > out 2> err; then
	bad "show nics"
fi
ctl 0 "show nics --json" show nics --json
json "show nics --json: a list" 'isinstance(d["nics"], list)'
ctl 1 "plan: no port matches" plan -f good.yaml
says err "plan: nothing is managed" 'nothing managed on this node'
ctl 1 "status: no port matches" status -f good.yaml
ctl 1 "plan: the node is not in the file" plan -f one-node.yaml --node gpu-2
says err "plan: says which node, which file, and what to do" "'gpu-2' is not among the nodes of one-node\.yaml; .*--node"
ctl 1 "status: the node is not in the file" status -f one-node.yaml --node gpu-2
says err "status: which file" "'gpu-2' is not among the nodes of one-node\.yaml; "
ctl 1 "plan --json: is a document" plan --json -f good.yaml
json "plan --json: with the same trouble" '"nothing managed" in d["trouble"] and d["targets"] == [] and d["exit"] == 1'
ctl 3 "plan: a refused file" plan -f bad.yaml
says err "plan: all errors" "^bad\.yaml:7:3: error: unknown key 'pfc_prios'"
ctl 3 "plan --json: a refused file" plan --json -f bad.yaml
json "plan --json: its errors" 'd["exit"] == 3 and d["errors"] == 2'
ctl 1 "plan: a file that is missing" plan -f missing.yaml
one_line "plan: a file that is missing"
ctl 2 "status: a port that is not there" status -f absent.yaml --state-dir "$tmp/none"
says err "status: says that losslessd is not running" 'losslessd is not running'
says out "status: the port is pending" '^no-such-port +pending'
says out "status: with what to do" '^next: losslessctl apply --once, when what it waits for is there$'
ctl 2 "status --json: the same" status --json -f absent.yaml --state-dir "$tmp/none" --node GPU-1.example.org
json "status --json: the same facts" 'd["exit"] == 2 and d["fabric"] == "pod-a" and d["generation"] == 0 and
	d["file"] == "absent.yaml" and
	[t["verdict"] for t in d["targets"] if t["name"] == "no-such-port"] == ["pending"] and
	"run apply again" in [k["advice"] for t in d["targets"] for k in t["knobs"]]'
ctl 2 "status: a file in another folder" status -f ./absent.yaml --state-dir "$tmp/none"
says out "status: its name without the folder" 'compared with absent\.yaml'
ctl 2 "status --json: a file in another folder" status --json -f ./absent.yaml --state-dir "$tmp/none"
json "status --json: the file as it was given" 'd["file"] == "./absent.yaml"'
ctl 0 "show spec" show spec -f absent.yaml --state-dir "$tmp/none"
says out "show spec: a port that is not there" '^no-such-port'
ctl 0 "show spec --json" show spec --json -f absent.yaml --state-dir "$tmp/none"
json "show spec --json: the same target" '"no-such-port" in [t["name"] for t in d["targets"]]'

# ---- apply, rollback ----

ctl 4 "apply without --once: there is no daemon" apply -f good.yaml
says err "apply: says what to do" 'losslessctl apply --once'
ctl 4 "rollback without --once" rollback
places=(--state-dir "$tmp/state" --run-dir "$tmp/run")
unprivileged=()
! is_root || unprivileged=(setpriv --reuid=65534 --regid=65534 --clear-groups)
for verb in "apply --once -f missing.yaml" "rollback --once"; do
	status=0
	"${unprivileged[@]}" "$ctl" $verb "${places[@]}" > out 2> err || status=$?
	holds "$verb needs root, and reads nothing before" test $status = 1
	one_line "$verb"
	says err "$verb: says so" 'needs root.*sudo'
done
if is_root; then
	ctl 1 "rollback: nothing is recorded" rollback --once "${places[@]}"
	says err "rollback: says so" 'nothing to return to'
	ctl 1 "apply: nothing is managed" apply --once -f good.yaml "${places[@]}"
	holds "apply: and nothing is in force" test ! -e state/accepted.yaml
	ctl 3 "apply: a refused file" apply --once -f bad.yaml "${places[@]}"
	holds "apply: and nothing is in force" test ! -e state/accepted.yaml
	ctl 2 "apply: a port that is not there" apply --once -f absent.yaml "${places[@]}"
	says out "apply: nothing to change" '^nothing to change'
	says out "apply: the port is pending" '^no-such-port +– +pending'
	holds "apply: the file is in force" cmp absent.yaml state/accepted.yaml
	ctl 2 "status: compares with the file in force" status "${places[@]}"
	says out "status: names it" 'compared with accepted\.yaml; generation 1 in force'
	ctl 2 "status: for everybody" status --json "${places[@]}"
	json "status: generation" 'd["generation"] == 1 and d["file"].endswith("/state/accepted.yaml")'
	exec 9> run/lock
	flock 9
	ctl 1 "apply: another writer" apply --once -f absent.yaml "${places[@]}" 9>&-
	exec 9>&-
	one_line "apply: another writer"
	says err "apply: says what to do" 'is writing on this node'
	: > file
	ctl 1 "apply: a state directory that is a file" apply --once -f absent.yaml --state-dir file --run-dir run
	says err "apply: nothing was changed" 'nothing was changed'
fi

# ---- run ----

# run STATUS WHAT FOLDER ARGS...: FOLDER/run ARGS, without root
run() {
	local status=0 want=$1 what=$2 folder=$3
	shift 3
	"${unprivileged[@]}" "$folder/run" "$@" > out 2> err < /dev/null || status=$?
	holds "run: $what" test $status = "$want"
}
mkdir -p sources/tests/lab
cp "$sources/run" sources/
cp "$sources/tests/lab/lab" sources/tests/lab/
run 0 "--help" sources --help
run 64 "--help takes no more" sources --help extra
run 64 "build takes no more" sources build extra
run 64 "no command" sources
chmod 555 sources
run 1 "build in a folder that cannot be written" sources build
one_line "run: build in a folder that cannot be written"
says err "run: says so, and what to do" '^run: cannot write in .*/build-logs: .*copy the sources'
chmod 755 sources
if is_root; then
	mkdir sources/build-logs
	run 1 "build with another's logs" sources build
	one_line "run: build with another's logs"
fi

# ---- the result has to arrive ----

status=0
"$ctl" explain pfc > /dev/full 2> err || status=$?
holds "a result that cannot be written is a failure" test $status = 1
says err "and says so" 'cannot write the result'


# Whichever of stdin, stdout and stderr is closed: no file and no socket takes its place
for closed in "<&-" ">&-" "2>&-" "<&- >&-" "<&- >&- 2>&-"; do
	status=0
	rm -f closed.bundle
	eval '"$ctl" record closed.bundle < /dev/null > out 2> err '"$closed" || status=$?
	holds "record with $closed: the bundle and nothing else" \
		test "$status $(head -n 1 closed.bundle) $(tail -n 1 closed.bundle)" = "0 losslessd bundle 1 end"
done
status=0
"$ctl" status -f absent.yaml --state-dir "$tmp/none" 2> err >&- || status=$?
holds "a result without a stdout is a failure" test $status = 1
says err "and says so" 'cannot write the result: Bad file descriptor'
if is_root; then
	status=0
	"$ctl" apply --once -f bad.yaml "${places[@]}" > out 2>&- || status=$?
	holds "apply without a stderr: refused" test $status = 3
	holds "apply without a stderr: no word of it in the lock" \
		test "$(sed 's/[0-9]*$//' run/lock)" = "losslessctl, process "
fi

# ---- explain ----

knobs=$(sed -n 's/^\t\t\.name = "\([a-z_]*\)",$/\1/p' "$sources/lib/model/knob.c")
for knob in $knobs; do
	ctl 0 "explain $knob" explain "$knob"
	holds "explain $knob fits 80 columns" awk 'length > 80 { exit 1 }' out
	says out "explain $knob: says why" '^  what '
	ctl 0 "explain $knob --json" explain "$knob" --json
	cat out >> explained
done
holds "explain --json: one document a knob, with name, why and kernel interface" $python -c '
import json, sys
text, names = open("explained").read(), []
while text.strip():
    d, end = json.JSONDecoder().raw_decode(text.lstrip())
    text = text.lstrip()[end:]
    assert d["schema"] == 1 and d["why"] and d["kernel"], d
    names.append(d["name"])
assert names == sys.argv[1:], names' $knobs

# ---- demo ----

ctl 0 "demo" demo --fast
cp out demo.out
says out "demo: the plan" '^ens1f0np0 +pfc +none +3 +fabric\.yaml:7 +link drops for a moment'
says out "demo: drift" '^ens1f0np0 +pfc +drift +3 +none +fabric\.yaml:7'
says out "demo: its repair is one change" '^1 change done on 1 target$'
holds "demo: three times in sync" test "$(grep -c '^all 2 ports and 2 RDMA devices in sync$' out)" -ge 3
says out "demo: each step came out" '^# Each step came out as it should'
holds "demo: no word on stderr" test ! -s err
holds "demo: no colours in a file" without_escapes
for fault in dcb-set/pfc dcb-set/app pause-set/ens1f1np1 write/default_roce_tos dcb-get/ens1f0np0; do
	ctl 1 "demo: a fault at $fault" demo --fast --fault "$fault"
	holds "demo: and not the last word" sh -c "! grep -q 'came out as it should' out"
	says err "demo: says what is wrong" '^losslessctl: demo: '
done
ctl 64 "demo: a fault that is none" demo --fast --fault nothing/here

# ---- a recorded node ----

ctl 0 "record" record -
cp out this.bundle
says out "record: is a bundle" '^losslessd bundle 1$'
holds "record: to its end" test "$(tail -n 1 out)" = end
ctl 0 "record to a file" record file.bundle
holds "record: says nothing, then" test "$(wc -c < out) $(wc -c < err)" = "0 0"
ctl 1 "record: not over a file" record file.bundle
one_line "record: not over a file"
says err "record: and says so" 'file\.bundle is there already'
ctl 0 "record of a bundle" record --root this.bundle -
holds "record of a bundle: is the bundle" cmp out this.bundle

node=$sources/tests/golden/mlx5-upstream.bundle
sed 's/nics: .*/mtu: 4200/' good.yaml > all.yaml
ctl 2 "plan --root" plan --root "$node" -f all.yaml
says out "plan --root: of the recorded node" '^ens1f0np0 +pfc +none +3 '
ctl 2 "status --root" status --root "$node" -f all.yaml
says out "status --root: is the recorded node" 'node gpu-1, compared'
holds "status --root: nobody asks for losslessd there" test ! -s err
ctl 2 "plan --root --json" plan --json --root "$node" -f all.yaml
json "plan --root --json: names the node" 'd["node"] == "gpu-1" and d["exit"] == 2'
ctl 0 "show nics --root" show nics --root "$node"
says out "show nics --root: the ports" '^ens1f1np1 '
sed '/^link ens1f0np0 /s/ mtu [0-9]* min 68 max [0-9]*/ mtu 4294967294 min 68 max 4294967295/' "$node" > large.bundle
ctl 0 "show nics --json: the largest MTU that netlink can say" show nics --json --root large.bundle
json "show nics --json: as it is" '(4294967294, 4294967295) in [(n["mtu"], n["mtu_max"]) for n in d["nics"]]'
ctl 0 "show counters --root" show counters --root "$node" --interval 200ms
ctl 0 "show counters --root --json" show counters --root "$node" --json
json "show counters: every priority of both ports" '[len(p["rates"]["rx_bytes"]) for p in d["ports"]] == [8, 8]'
json "show counters: 0 where a counter stood still, null where there is none" \
	'all(p["rates"]["rx_bytes"] == [0] * 8 and p["rates"]["cnp_sent"] == p["rates"]["rx_dropped"] == 0 and
	p["rates"]["rx_pause_time"] == [None] * 8 for p in d["ports"])'
json "show counters: by growth in a second" 'all(p["seconds"] == 1 and p["rates"]["rx_pause"][3] == 0 for p in d["ports"])'
ctl 0 "show gids --root" show gids --root "$node"
says out "show gids --root: index, type, port" '^mlx5_0/1 +[0-9]+ +RoCE v2 +ens1f0np0 '
ctl 0 "show gids --root --json" show gids --root "$node" --json
json "show gids --root: the same" '"RoCE v2" in [g["type"] for g in d["gids"] if g["netdev"] == "ens1f0np0"]'
sed 's/pfc: .*/pfc: [0,1,2,3,4,5,6,7]/' all.yaml > warned.yaml
for verb in plan status "show spec" doctor nccl-env "show cables" "show switches"; do
	"$ctl" $verb --json --root "$node" -f warned.yaml > out 2> err
	json "$verb --json: the warnings of the file" \
		'[x["severity"] for x in d["diagnostics"]] == ["warning"] * '"$(grep -c '^warned\.yaml:.* warning:' err)"' != [] and
		all(x["message"] and x["where"]["line"] == 7 for x in d["diagnostics"])'
done
ctl 0 "show spec --root" show spec --root "$node" -f all.yaml
# ---- show cables: what lldpcli prints, and all that may be wrong with it ----

cat > cables.yaml <<-END
	version: 1
	fabric: cli
	roce: {traffic_class: 106}
	qos: {dscp_to_priority: {26: 3}, pfc: [3]}
	nodes:
	  gpu-[1-2]: {}
	switches:
	  leaf-1:
	    dialect: arista-eos
	    address: 192.0.2.11
	    username: lossless
	    password: leaf
	    trust: first-use
	    ports:
	      "Ethernet1/[7-8]": "gpu-[1-2]/ens1f0np0"
END
cp "$sources/tests/fuzz/corpus/fuzz-lldp/lldpd" heard.json
cables="show cables -f cables.yaml --state-dir $tmp/none --node"
export LOSSLESSD_LLDPCLI=$tmp/lldpcli
ctl 0 "show cables: without lldpcli the file alone" $cables gpu-1
says out "show cables: the file" '^ens1f0np0 +leaf-1/Ethernet1/7$'
holds "show cables: one line says why" test "$(wc -l < err)" = 1
says err "show cables: why" 'lldpcli is not installed'
ctl 0 "show cables --json: without lldpcli" $cables gpu-1 --json
json "show cables --json: nothing is known" \
	'd["lldp"] is False and "not installed" in d["trouble"] and [c["verdict"] for c in d["cables"]] == [None] * 2'
printf '#!/bin/sh\n[ "$*" = "-f json0 show neighbors details" ] || exit 9\ncat %s\n' "$tmp/heard.json" > lldpcli
chmod 755 lldpcli
ctl 0 "show cables: lldpcli is asked" $cables gpu-1
says out "show cables: confirmed" '^ens1f0np0 +leaf-1/Ethernet1/7 +confirmed +agrees +agrees$'
ctl 2 "show cables: a cable that differs" $cables gpu-2 --json
json "show cables: what LLDP says" '[(c["verdict"], c["lldp"]["chassis"], c["lldp"]["port"]) for c in d["cables"]] ==
	[("differs", "leaf-1", "Ethernet1/7")] and d["exit"] == 2'
for what in 'echo no' 'yes' 'exit 1' 'kill -9 $$' 'cat heard.json; exit 3' 'head -c 100 heard.json'; do
	printf '#!/bin/sh\ncd %s\n%s\n' "$tmp" "$what" > lldpcli
	ctl 0 "show cables: lldpcli is '$what'" $cables gpu-1
	holds "show cables: lldpcli is '$what': the file alone" grep -qE '^ens1f0np0 +leaf-1/Ethernet1/7$' out
	holds "show cables: lldpcli is '$what': said in one line" test "$(wc -l < err)" = 1
done
rm lldpcli
ctl 0 "show cables --lldp" $cables gpu-1 --lldp heard.json
says out "show cables --lldp: is asked instead" ' confirmed '
holds "show cables --lldp: nothing on stderr" test ! -s err
ctl 1 "show cables --lldp: a file that is not there" $cables gpu-1 --lldp no-such.json
one_line "show cables --lldp: a file that is not there"
ctl 1 "show cables --lldp: a file of something else" $cables gpu-1 --lldp cables.yaml
one_line "show cables --lldp: a file of something else"
ctl 3 "show cables: a file that is refused" show cables -f bad.yaml --state-dir "$tmp/none"
ctl 0 "show cables --root" show cables --root "$node" -f cables.yaml
says err "show cables --root: no LLDP in a bundle" 'a bundle has nothing of LLDP'
ctl 0 "show cables --root --lldp" show cables --root "$node" -f cables.yaml --lldp heard.json
says out "show cables --root --lldp: of the recorded node" '^ens1f0np0 +leaf-1/Ethernet1/7 +confirmed '
unset LOSSLESSD_LLDPCLI

# ---- show switches: the file and the dialects, nobody is asked ----

mkdir dialects
cat > dialects/tiny.yaml <<-'END'
	dialect: tiny
	verified: field
	session: {channel: shell, prompt: '$host#', error: ['^%']}
	vars: {model: [A1, B2]}
	knobs:
	  trust:
	    scope: switch
	    set: a
	    unset: b
	    read: {send: b, row: '^(?<value>dscp)$'}
	  pfc:
	    verified: vendor
	    scope: port
	    impact: "all ports lose frames for a moment"
	    each: {set: a, del: b}
	    read: {send: i, row: '^(?<port>\S+) +(?<value>[\d, -]+)$', as: ranges}
	  mtu:
	    scope: port
	    set: a $value
	    unset: b
	    read: {send: m $port, row: '^(?<value>\d+)$'}
END
cat > switches.yaml <<-END
	version: 1
	fabric: cli
	qos: {dscp_to_priority: {26: 3}, pfc: [3]}
	mtu: 4200
	nodes:
	  gpu-[1-2]: {}
	switches:
	  leaf-1: {dialect: tiny, address: 192.0.2.11, username: l, password: p, trust: first-use, ports: {"1/[1-2]": "gpu-[1-2]/ens1"}}
	  leaf-2: {dialect: tiny, manage: render, ports: {1/1: gpu-2/ens2}}
END
switches="show switches -f switches.yaml --state-dir $tmp/none --node gpu-1"
export LOSSLESSD_DIALECTS=$tmp/nowhere:$tmp/dialects
ctl 0 "show switches" $switches
says out "show switches: one that is pushed to" '^leaf-1 +tiny +1 vendor, 2 field +192\.0\.2\.11 +gpu-1 +push +2$'
says out "show switches: one that is not asked" '^leaf-2 +tiny +1 vendor, 2 field +– +gpu-2 +render +1$'
says out "show switches: a knob of the whole switch" '^trust +leaf-1, leaf-2 +one for the whole switch$'
says out "show switches: what writing does to other ports" '^pfc +leaf-1, leaf-2 +all ports lose frames for a moment$'
holds "show switches: a knob of one port is not told" sh -c '! grep -q ^mtu out'
ctl 0 "show switches --json" $switches --json
json "show switches --json: the same" '[(s["name"], s["verified"], s["mine"], s["manage"], s["ports"]) for s in d["switches"]] ==
	[("leaf-1", "field", True, "push", 2), ("leaf-2", "field", False, "render", 1)]'
json "show switches --json: every knob that the file wants" '[(k["name"], k["scope"], k["verified"]) for k in d["switches"][0]["knobs"]] ==
	[("trust", "switch", "field"), ("pfc", "port", "vendor"), ("mtu", "port", "field")]'
sed -i 's/leaf-2: {/leaf-2: {vars: {model: C3}, /' switches.yaml
ctl 1 "show switches: a variable that the dialect does not take" $switches
says out "show switches: which, and what it takes" '^leaf-2: .*model.*C3.*A1'
says out "show switches: the other one all the same" '^pfc +leaf-1 +all ports'
sed -i 's/dialect: tiny, manage/dialect: none-such, manage/; s/vars: {model: C3}, //' switches.yaml
ctl 1 "show switches: a dialect that is nowhere" $switches
says out "show switches: where it was looked for" "^leaf-2: no dialect none-such in $tmp/nowhere:$tmp/dialects, which have "
says out "show switches: it is listed" '^leaf-2 +none-such +– '
echo 'dialect: [' > dialects/none-such.yaml
ctl 1 "show switches: a dialect that is refused" $switches --json
json "show switches: its place" '"/none-such.yaml:" in d["switches"][1]["trouble"] and d["exit"] == 1'
ctl 0 "show switches: a file without switches" show switches -f good.yaml --state-dir "$tmp/none"
says out "show switches: none" '^the file has no switches$'
unset LOSSLESSD_DIALECTS

# ---- switch: what keeps its worker from being asked is said, whoever the owner is ----

export LOSSLESSD_SWITCH=$tmp/no-such-worker
for switch in leaf-1 leaf-2; do
	for n in 1 2; do
		ctl 1 "switch render $switch on gpu-$n" switch render $switch -f switches.yaml --state-dir "$tmp/none" --node gpu-$n
		says err "switch render $switch on gpu-$n: why not" "^losslessctl: $switch is unknown: $tmp/no-such-worker cannot be started: No such file"
	done
done
unset LOSSLESSD_SWITCH

ctl 1 "--node is stronger than the bundle's" plan --root "$node" --node gpu-9 -f one-node.yaml
says err "--node: the name" "'gpu-9' is not among"
for verb in apply rollback; do
	ctl 64 "$verb does not take --root" $verb --once --root "$node"
	one_line "$verb --root"
done
ctl 1 "a bundle that is not there" plan --root no-such-bundle -f all.yaml
one_line "a bundle that is not there"
ctl 1 "a bundle that is none" plan --root good.yaml -f all.yaml
says err "a bundle that is none: its place" '^good\.yaml:1:1: error: not a bundle'

# Somebody presses Ctrl-C before the first step: nothing is begun, and both ways on are named.
$python -c 'import os, signal, sys
signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
os.kill(os.getpid(), signal.SIGINT)
os.execv(sys.argv[1], sys.argv[1:])' "$ctl" demo --fast > out 2> err
holds "Ctrl-C: a failure" test $? = 1
says out "Ctrl-C: what was done" '^0 of [0-9]+ changes done: [0-9]+ not begun$'
says err "Ctrl-C: what next" 'stopped by a signal.*apply --once goes on, rollback --once returns'

# A chroot may have /dev without /dev/pts; root gets one of its own.
ptmx=/dev/ptmx pts=/dev/pts
if is_root && ! $python -c 'import os; os.openpty()' 2> /dev/null; then
	mkdir pts && mount -t devpts -o newinstance,ptmxmode=0666 devpts pts
	ptmx=$tmp/pts/ptmx pts=$tmp/pts
fi

# on_terminal COLUMNS COMMAND...: out is what a terminal of that width is sent
on_terminal() {
	$python - $ptmx $pts "$@" > out 2> err <<-'END' || bad "a terminal of $1 columns"
	import fcntl, os, struct, sys, termios
	ptmx, pts, columns = sys.argv[1:4]
	command = sys.argv[4:]
	fd = os.open(ptmx, os.O_RDWR | os.O_NOCTTY)
	TIOCSPTLCK, TIOCGPTN = 0x40045431, 0x80045430	# asm-generic/ioctls.h; termios lacks them
	fcntl.ioctl(fd, TIOCSPTLCK, struct.pack("i", 0))
	number = struct.unpack("I", fcntl.ioctl(fd, TIOCGPTN, bytes(4)))[0]
	terminal = os.open("%s/%d" % (pts, number), os.O_RDWR | os.O_NOCTTY)
	fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, int(columns), 0, 0))
	pid = os.fork()
	if pid == 0:
	    for end in 0, 1, 2:
	        os.dup2(terminal, end)
	    os.environ["TERM"] = "xterm"
	    os.execv(command[0], command)
	os.close(terminal)
	data = b""
	while True:
	    try:
	        part = os.read(fd, 65536)
	    except OSError:
	        break
	    if not part:
	        break
	    data += part
	os.waitpid(pid, 0)
	sys.stdout.buffer.write(data.replace(b"\r\n", b"\n"))
	END
}
on_terminal 80 "$ctl" demo --fast
holds "demo: colours on a terminal" grep -q $'\033\\[3' out
sed -i $'s/\033\\[[0-9]*m//g' out
holds "demo: at most 80 columns there" awk 'length > 80 { print; bad = 1 } END { exit bad }' out
NO_COLOR=1 on_terminal 200 "$ctl" demo --fast
holds "demo: NO_COLOR" without_escapes
holds "demo: a wide terminal shows what a file gets" cmp out demo.out

# A node of eight rails, one of them not in order: together on a terminal, one by one elsewhere.
rails="status -f $sources/tests/golden/rails.yaml --root $sources/tests/golden/rails.bundle"
for columns in 80 200; do
	NO_COLOR=1 on_terminal $columns "$ctl" $rails
	says out "status, $columns columns: the sum first" '^7 of 8 ports and 7 of 8 RDMA devices in sync$'
	says out "status, $columns columns: what is wrong" '^rail5 +mtu +drift +4200 +1500 '
	says out "status, $columns columns: the rest together" '^rail\[0-4,6-7\] +in-sync +7 ports, mlx5_core$'
	says out "status, $columns columns: GIDs together" '^mlx5_\[0-7\] gid are in-sync \(index 3\)$'
	holds "status, $columns columns: the last word" test "$(tail -n 1 out)" = "next: losslessctl apply --once"
	holds "status, $columns columns: NO_COLOR" without_escapes
	holds "status, $columns columns: it fits" awk -v columns=$columns 'length > columns { exit 1 }' out
done
on_terminal 80 "$ctl" $rails
says out "status: colours on a terminal" $'^\033\\[33m7 of 8 ports'
ctl 2 "status in a pipe" $rails
says out "status in a pipe: a line for each target" '^rail0 +in-sync +mlx5_core 0000:1a:00.0, mlx5_0$'
holds "status in a pipe: sixteen of them" test "$(grep -cE '^(rail|mlx5_)[0-7] +(in-sync|drift) +mlx5_core' out)" = 16
holds "status in a pipe: no colours" without_escapes
# What a plain user did not read is not in sync
sed 's/^reader root/reader user/; \,^file /sys/kernel/config/rdma_cm/.*_tos, { N; s,^file \(.*\)\n.*,unreadable \1 EACCES, }' \
	"$sources/tests/golden/rails.bundle" > user.bundle
ctl 2 "status of a plain user" status -f "$sources/tests/golden/rails.yaml" --root user.bundle
says out "status of a plain user: what was read is in sync" '^7 of 8 ports and 0 of 8 RDMA devices in sync$'
says out "status of a plain user: the others are unknown" '^mlx5_0 +unknown +mlx5_core '
says out "status of a plain user: and why" '^mlx5_0, .* cm_tos are unknown \(needs root or losslessd\)$'
# Long values and long notes
NO_COLOR=1 on_terminal 80 "$ctl" status -f "$sources/tests/golden/bnxt.yaml" --root "$sources/tests/golden/bnxt.bundle"
holds "status: long values fit" sh -c "sed 's/–/-/g' out | awk 'length > 80 { exit 1 }'"
says out "status: a note below its line" '^    nothing is changed here: dcbx is unsupported$'
says out "status: values are split at blanks" '^ +7:2/strict +7:0/strict$'

NO_COLOR=1 on_terminal 80 "$ctl" status -f "$sources/tests/golden/mlx5-ofed.yaml" \
	--root "$sources/tests/golden/mlx5-ofed.bundle"
says out "status: values give way before places do" '^ens1f0np0 +scheduler +drift +0:0/50% +0:1/vendor +mlx5-ofed.yaml:11$'
holds "status: and that fits" sh -c "sed 's/–/-/g' out | awk 'length > 80 { exit 1 }'"
# A plan too, and what stands below it
while read -r file bundle; do
	NO_COLOR=1 on_terminal 80 "$ctl" plan --root "$sources/tests/golden/$bundle.bundle" -f "$sources/$file" --node gpu-1
	holds "plan of $bundle: it fits" sh -c "sed 's/–/-/g' out | awk 'length > 80 { exit 1 }'"
	says out "plan of $bundle: a note below its line" '^    (because|link drops) '
done <<-END
	config/examples/eight-nodes-dual-rail.yaml mlx5-upstream
	config/examples/eight-nodes-dual-rail.yaml mlx5-ofed
	tests/golden/ice.yaml ice
	tests/golden/mixed.yaml mixed
END
# A sentence that is exactly as wide as the screen, with another behind it
NO_COLOR=1 on_terminal 80 "$ctl" status -f "$sources/tests/golden/mlx5-upstream.yaml" --root "$sources/tests/golden/mlx5-upstream.bundle"
says out "status: a sentence may be as wide as the screen" '^mlx5_0, mlx5_1 traffic_class are unsupported \(mlx5_core without OFED has no such$'
says out "status: and goes on below" '^attribute\): cm_tos covers RDMA-CM, not NCCL \(set NCCL_IB_TC\), other verbs$'

# By another program's exit status: a valgrind that this runs under must not judge the shell's memory.
[ $fails = 0 ] || echo "$fails failed"
cd / && clean_up
[ $fails = 0 ] && exec true
exec false
