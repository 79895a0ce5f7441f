#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# Other hosts, by an ssh of our own: it tells how it was called, and runs losslessctl here. Hosts called down*, none*,
# odd* and fail* are that.
# remote.sh LOSSLESSCTL FAKE-DAEMON
. "$(dirname "$0")/lib.sh"
cd "$tmp" || exit 1
mkdir bin
golden=$(cd "$(dirname "$0")/../golden" && pwd)
cat > bin/ssh <<END
#!/bin/bash
echo "begin \$*" >> $tmp/called
while [ "\$1" != -- ]; do shift; done
host=\$2
shift 3
[ ! -e $tmp/slow ] || sleep .3
case \$host in
down*) echo "ssh: connect to host \$host port 22: No route to host" >&2; status=255 ;;
none*) echo "bash: line 1: losslessctl: command not found" >&2; status=127 ;;
odd-1) echo '{"schema": 1, "exit": 0'; status=0 ;;
odd-2) echo '{"schema": 1, "exit": 0, "targets": [], "diagnostics": [{"severity": "warning", "message": "harmless"}]}'; status=2 ;;
odd-3) echo '{"schema": 1, "exit": 2, "targets": [1, {"name": "\u001b[31m", "knobs": [{"exit": 2, "want": 5}, 7]},
	{"knobs": {"a": 1}}], "summary": [], "generation": "x"}'; status=2 ;;
leaf-1) cat $tmp/switch.json; status=1 ;;
leaf-2) cat $tmp/ports.json; status=2 ;;
leaf-3) cat $tmp/cable.json; status=2 ;;
leaf-4) echo '{"schema": 1, "exit": 2, "switches": {"exit": 1}, "cables": [[], {"exit": "1"}, {"exit": 4294967296}]}'; status=2 ;;
bnxt-1) $tmp/losslessctl "\$@" --root $golden/bnxt.bundle -f $golden/bnxt.yaml; status=\$? ;;
bnxt-2) $tmp/losslessctl "\$@" --root $golden/bnxt.bundle -f $tmp/absent.yaml; status=\$? ;;
odd-4) head -c 5000000 /dev/zero | tr '\0' '['; status=0 ;;
fail*) cat > /dev/null; echo "losslessctl: changing this node needs root" >&2; status=1 ;;
*)
	[ "\$1" != apply ] || tee $tmp/text-\$host > /dev/null
	[ "\$1" != apply ] || exec < $tmp/text-\$host
	$tmp/losslessctl "\$@" --run-dir $run
	status=\$?
	;;
esac
echo "end \$host" >> $tmp/called
exit \$status
END
chmod 755 bin/ssh
export PATH=$tmp/bin:$PATH

fabric() { # NODES
	cat <<-END
	version: 1
	fabric: pod-a
	roce: {traffic_class: 106}
	qos: {dscp_to_priority: {26: 3}, pfc: [3]}
	nodes: {"*": {}$1}
	END
}
fabric '' > all.yaml
fabric ', "gpu-[1-3]": {}' > three.yaml
fabric ', "gpu-[1-2]": {}, down-1: {}, none-1: {}, "odd-[1-4]": {}' > mixed.yaml
fabric ', a-fails: {}, fail-1: {}, gpu-1: {}' > first.yaml
fabric ', a-1: {}, fail-1: {}, "gpu-[01-40]": {}' > later.yaml
fabric ', "gpu-[01-20]": {}' > twenty.yaml
fabric ', "leaf-[1-4]": {}, "bnxt-[1-2]": {}' > notes.yaml
{ fabric '' && echo 'nics: [{name: nosuch}]'; } > absent.yaml
cat > switch.json <<-'END'
	{"schema": 1, "exit": 1, "targets": [{"name": "ens1", "knobs": [{"name": "mtu", "exit": 2, "verdict": "drift"}]}],
	"switches": [{"name": "leaf-9", "verdict": "unknown", "exit": 0, "reason": "owner is gpu-2", "knobs": []},
	{"name": "leaf-1", "verdict": "failed", "exit": 1, "reason": "no credential", "knobs": []}]}
END
cat > ports.json <<-'END'
	{"schema": 1, "exit": 2, "targets": [], "switches": [{"name": "leaf-1", "verdict": "drift", "exit": 2, "reason": null,
	"knobs": [{"port": "1/1", "name": "pfc", "verdict": "in-sync", "exit": 0}, {"port": "1/2", "name": "pfc",
	"verdict": "drift", "exit": 2, "want": "3", "have": "none", "note": "read only"}]}]}
END
cat > cable.json <<-'END'
	{"schema": 1, "exit": 2, "targets": [], "cables": [{"device": "ens1", "switch": "leaf-1", "port": "1/1", "name": "mtu",
	"verdict": "drift", "exit": 2, "want": "4200", "note": "NIC has 4200, switch has 1500"}]}
END

is_root() {
	[ "$(id -u)" = 0 ]
}

# remote STATUS WHAT ARGS...: as ctl, without an option that the other side would not take
remote() {
	local status=0 want=$1 what=$2
	shift 2
	: > called
	"$ctl" "$@" > out 2> err < /dev/null || status=$?
	if [ $status = "$want" ]; then ok "$what"; else bad "$what: exit status $status, expected $want"; fi
}

json() { # WHAT EXPRESSION
	holds "$1" /usr/bin/python3 -c 'import json, sys
d = json.load(open("out"))
assert d["schema"] == 1 and eval("(" + sys.argv[1] + ")"), sys.argv[1]' "$2"
}

# ---- which hosts ----

for host in -oProxyCommand=x - '' 'a b' 'a;b' 'a$(b)' "a'b" 'a/b' 'a,b' 'ä'; do
	remote 64 "-H '$host'" status -H "$host"
	holds "-H '$host': no ssh" test ! -s called
done
for more in "-f three.yaml" "--node a" "--root x" --fabric "--state-dir x"; do
	remote 64 "-H with $more" status -H gpu-1 $more
	holds "-H with $more: no ssh" test ! -s called
done
remote 64 "-H is not for what changes" apply -H gpu-1
for more in "--watch" "--node a" "--root x"; do
	remote 64 "status --fabric with $more" status --fabric $more
done
remote 64 "apply --fabric --once" apply --fabric --once
remote 1 "a history of nothing else than words" history -H gpu-1 -n '1;x'
holds "and no ssh" test ! -s called

# ---- one host ----

begin
if is_root; then
	ctl 0 "apply here" apply -f all.yaml
	remote 0 "status -H" status -H me@gpu-1.example.org
	says out "status -H: what that host says" 'in sync$'
	says called "status -H: how it was asked" '^begin -- me@gpu-1.example.org losslessctl status$'
	remote 0 "status -H --json" status -H gpu-1 --json
	json "status -H --json" 'd["report"] == "status" and d["node"] == "gpu-1"'
	kill -USR1 $pid
	remote 2 "status -H: drift there" status -H gpu-1
fi
remote 1 "a host that is down" status -H down-1
says err "a host that is down: what ssh says" 'No route to host'
says err "a host that is down: what it means" 'losslessctl: down-1 cannot be asked by ssh'
remote 1 "a host without losslessctl" status -H none-1 --json
json "is a document too" 'd["exit"] == 1 and "none-1" in d["trouble"]'
remote 1 "history of a host that is down" history -H down-1 --json
json "history: is a document of its own kind" 'd["report"] == "history" and "down-1" in d["trouble"] and "steps" not in d'
end

# ---- all hosts ----

begin
remote 1 "status --fabric: no node has a name" status --fabric -f all.yaml --state-dir none
one_line "no node has a name"
says err "no node has a name: what to do" 'all.yaml names no node, and "\*" cannot be asked: write nodes by name'
remote 1 "status --fabric: not only ports" status --fabric -f notes.yaml --state-dir none
says out "a switch as a whole, before what is less bad" '^leaf-1 +failed +– +– +leaf-1: failed, no credential; 1 more$'
says out "a port of a switch" '^leaf-2 +drift +– +– +leaf-1/1/2 pfc: drift, want 3, have none, read only$'
says out "a cable" '^leaf-3 +drift +– +– +ens1 – leaf-1/1/1 mtu: drift, want 4200, NIC has 4200, switch has 1500$'
says out "one that says no reason answered" '^leaf-4 +drift +– +– +see losslessctl -H leaf-4 status$'
says out "the worst, not the first" '^bnxt-1 +failed +– +[0-9]/[0-9] +ens3f1np1 dcbx: unsupported, want host, .*; 13 more$'
says out "why, and no dashes" '^bnxt-2 +pending +– +[0-9]/[0-9] +nosuch: pending, no such device'
if is_root; then
	remote 0 "apply --fabric" apply --fabric -f three.yaml
	says out "apply --fabric: a line for each" '^gpu-2 +in-sync +[0-9–]+ +4/4'
	says out "apply --fabric: and the sum" '^3 of 3 nodes in sync$'
	holds "the file goes by stdin" cmp three.yaml text-gpu-3
	says called "how it is called" '^begin -T -o BatchMode=yes -o ConnectTimeout=10 -o ServerAliveInterval=15 -- gpu-1 losslessctl apply --json -f -$'
	holds "one first" test "$(sed -n 2p called)" = "end gpu-1"
	remote 0 "apply --fabric: from stdin" apply --fabric --json -f three.yaml
	json "apply --fabric --json" '[n["node"] for n in d["nodes"]] == ["gpu-1", "gpu-2", "gpu-3"] and
		{n["report"]["report"] for n in d["nodes"]} == {"apply"} and d["exit"] == 0'
	remote 0 "status --fabric" status --fabric -f three.yaml --state-dir none
	kill -USR1 $pid
	remote 2 "status --fabric: drift" status --fabric -f three.yaml --state-dir none
	says out "status --fabric: the first of it" '^gpu-1 +drift +.*3/4 +ens1f0np0 pfc: drift, want 3, have none'
	ctl 0 "apply here" apply -f all.yaml
	remote 1 "status --fabric: not all can be asked" status --fabric -f mixed.yaml --state-dir none
	says out "one that is down" '^down-1 +unknown .*No route to host'
	says out "one without losslessctl" '^none-1 +unknown .*command not found'
	says out "the others all the same" '^gpu-2 +in-sync'
	holds "a warning is no trouble" sh -c '! grep -q harmless out'
	holds "an odd one takes over no terminal" sh -c "! grep -q $'\033' out"
	remote 1 "status --fabric --json: the same" status --fabric --json -f mixed.yaml --state-dir none
	json "by node" '{n["node"]: (n["exit"], bool(n["report"])) for n in d["nodes"]} == {"gpu-1": (0, True), "gpu-2": (0, True),
		"down-1": (1, False), "none-1": (1, False), "odd-1": (1, False), "odd-2": (1, True), "odd-3": (2, True),
		"odd-4": (1, False)}'
	touch slow
	remote 0 "twenty nodes" status --fabric -f twenty.yaml --state-dir none
	says out "all of them" '^20 of 20 nodes in sync$'
	holds "at most 16 at once" /usr/bin/python3 -c '
n = most = 0
for line in open("called"):
    n += 1 if line.startswith("begin") else -1
    most = max(most, n)
assert 2 <= most <= 16, most'
	rm slow
fi
remote 1 "apply --fabric: the first one fails" apply --fabric -f later.yaml
if is_root; then
	says out "the one before went well" '^a-1 +in-sync'
	says out "that one says why" '^fail-1 +unknown +– +– +losslessctl: changing this node needs root$'
	says out "those that were not reached" '^gpu-40 +not begun +– +– +not begun$'
fi
sed 's/pfc:/pfcc:/' three.yaml > bad.yaml
remote 3 "apply --fabric: a refused file" apply --fabric -f bad.yaml
holds "apply --fabric: asks nobody" test ! -s called
end

# ---- the end of history ----

mkdir -p hist
for i in 1 2 3 4 5; do
	echo "{\"cause\":\"apply\",\"from\":\"none\",\"generation\":$i,\"knob\":\"pfc\",\"target\":\"p$i\",\"time\":1790000000,\"to\":\"3\"}"
done > hist/history
remote 0 "history" history --state-dir hist
holds "history: all, the newest last" test "$(awk 'NR > 1 { print $4 }' out | tr '\n' ' ')" = "p1 p2 p3 p4 p5 "
says out "history in a file: moments with their zone" '^2026-09-21T[0-9:]{8}[+-][0-9]{4} +1 +apply +p1 '
remote 0 "history -n" history --state-dir hist -n 2
holds "history -n 2: the last two" test "$(awk 'NR > 1 { print $4 }' out | tr '\n' ' ')" = "p4 p5 "
remote 0 "history --json -n" history --state-dir hist -n 9 --json
holds "history -n 9: all five" cmp out hist/history
if /usr/bin/python3 -c 'import os; os.openpty()' 2> /dev/null; then
	/usr/bin/python3 -c 'import pty, sys; pty.spawn(sys.argv[1:])' "$ctl" history --state-dir hist < /dev/null > out
	says out "history on a terminal: how long ago" '^[0-9]+ d ago \([^)]+\) +1 +apply +p1 '
fi
mkdir -p torn/history damaged
{ head -n 1 hist/history && echo '{"broken' && sed -n 2p hist/history && head -n 1 hist/history | head -c 40; } > damaged/history
for json in "" --json; do
	remote 1 "history $json: damaged" history --state-dir damaged $json
	holds "history $json: what is whole is shown" test "$(grep -c p1 out) $(grep -c p2 out) $(grep -c broken out)" = "1 1 0"
	says err "history $json: what is not" 'damaged/history: no record of a change, and left out: lines 2, 4$'
	holds "history $json: in one line" test "$(wc -l < err)" = 1
	remote 1 "history $json: a folder" history --state-dir torn $json
	says err "history $json: a folder: says so" 'cannot read torn/history: Is a directory'
done
printf %s "$(cat hist/history)" > torn.whole && rmdir torn/history && mv torn.whole torn/history
remote 0 "history: a last line without its end" history --state-dir torn -n 1 --json
holds "history -n 1: is the last one" cmp out <(tail -n 1 hist/history)
for i in 1 2 3 4 5 6 7 8 9 10; do echo no; done > damaged/history
remote 1 "history: nothing but damage" history --state-dir damaged -n 9
says err "history: as the file counts" 'left out: lines 2, 3, 4, 5, 6, 7, 8, 9 and 1 more$'
remote 64 "history -n 0" history --state-dir hist -n 0
remote 64 "history -n some" history --state-dir hist -n some

# ---- a file from stdin ----

"$ctl" check - < three.yaml > out 2> err
holds "check -: from stdin" test $? = 0
sed 's/pfc:/pfcc:/' three.yaml | "$ctl" check - > out 2> err
holds "check -: refused" test $? = 3
says err "by that name" '^stdin:4:[0-9]+: error'
done_with
