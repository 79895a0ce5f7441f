#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# losslessctl and losslessd as people meet them: against a daemon over a simulated node, then against losslessd itself
# with a file that selects no port. As root also: other users, and a bus with a polkit of our own.
# client.sh LOSSLESSCTL FAKE-DAEMON FAKE-POLKIT LOSSLESSD
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/../support/bus.sh"
polkit=$(realpath "$3") daemon=$(realpath "$4")
cd "$tmp" || exit 1

cat > good.yaml <<'END'
version: 1
fabric: pod-a
roce: {traffic_class: 106}
qos: {dscp_to_priority: {26: 3}, pfc: [3]}
nodes: {"*": {}}
END
sed 's/106/104/' good.yaml > other.yaml
printf "%s\n" EXTEND_TIMEOUT_USEC=30000000 READY=1 RELOADING=1 READY=1 EXTEND_TIMEOUT_USEC=30000000 STOPPING=1 > expected
sed 's/pfc:/pfcc:/' good.yaml > bad.yaml
sed 's/\[3\]/[3, 4]/' good.yaml > warned.yaml

# ---- nobody there ----

for verb in "apply -f good.yaml" rollback confirm reload "status --watch"; do
	ctl 4 "$verb: no losslessd" $verb
	one_line "$verb: no losslessd"
	says err "$verb: says so" 'losslessd is not running: systemctl start losslessd'
done
mkdir "$run"
python3 -c 'import socket, sys; socket.socket(socket.AF_UNIX).bind(sys.argv[1])' "$run/bus"
ctl 4 "a socket that nobody serves" apply -f good.yaml
says err "a socket that nobody serves: the same" 'losslessd is not running'

# ---- the jobs ----

begin --fabric "$tmp/good.yaml"
if [ "$(id -u)" = 0 ]; then
	ctl 1 "status: nothing in force" status
	says err "status: the words of losslessd" 'nothing is in force'
	ctl 3 "apply: a refused file" apply -f bad.yaml
	says err "apply: its place, by the name that was given" "^bad.yaml:4:[0-9]+: error: unknown key 'pfcc'"
	holds "apply: the line itself" grep -q 'pfcc' err
	ctl 3 "apply --json: a refused file" apply --json -f bad.yaml
	says out "apply --json: its errors" '"errors": 1'
	ctl 0 "apply" apply -f good.yaml
	says out "apply: the result" '^[0-9]+ changes done on 4 targets$'
	holds "apply: without colours in a file" sh -c "! grep -q $'\033' out"
	holds "apply: no progress in a file" test ! -s err
	ctl 0 "apply again" apply -f good.yaml
	says out "apply again: nothing" '^nothing to change$'
	ctl 0 "apply --json" apply --json -f good.yaml
	says out "apply --json: the document" '"report": "apply"'
	ctl 0 "apply --json: a file with a warning" apply --json -f warned.yaml
	says err "apply --json: the warning" '^warned.yaml:4:.* warning:'
	says out "apply --json: the same" '"severity": "warning"'
	ctl 0 "rollback of it" rollback
	ctl 0 "reload" reload
	ctl 0 "status" status
	says out "status: in sync" 'in sync$'
	holds "status: no word on stderr" test ! -s err
	if command -v dbus-send > /dev/null; then
		timeout 10 dbus-send --peer="unix:path=$run/bus" --print-reply /org/lossless/Node1 \
			org.lossless.Node1.GetStatus > out 2> err
		says out "a foreign client gets an answer" 'string "dscp_to_priority"'
	fi
	kill -USR1 $pid
	ctl 2 "status after a foreign write" status
	says out "status: what it is" '^ens1f0np0 +pfc +drift +3 +none'
	ctl 1 "confirm: nothing waits" confirm
	one_line "confirm"
	ctl 0 "rollback" rollback
	ctl 1 "rollback: nothing is left" rollback
	says err "rollback: the words of losslessd" 'nothing to return to'
	ctl 64 "--node is not losslessd's" apply -f good.yaml --node gpu-2
	ctl 64 "--confirm needs a time" apply -f good.yaml --confirm soon
	ctl 64 "--confirm without losslessd" apply --once -f good.yaml --confirm 2m
fi
ctl 1 "status with a file of its own is read here" status -f good.yaml --state-dir "$tmp/none"
holds "status -f: losslessd is not named" sh -c "! grep -q 'is not running' err"
end

# ---- a terminal ----

# on_terminal STATUS WHAT TEXT KEYS COMMAND...: with stdout and stderr on a terminal; KEYS are pressed once it shows TEXT
cat > terminal.py <<'END'
import fcntl, os, pty, struct, sys, termios
text, keys = (word.encode().decode("unicode_escape").encode() for word in sys.argv[1:3])
pid, fd = pty.fork()
if pid == 0:
    os.environ["TERM"] = "xterm"
    rows, columns = (int(n) for n in os.environ.get("SIZE", "24x80").split("x"))
    fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
    os.execv(sys.argv[3], sys.argv[3:])
data = b""
with open("screen", "wb", buffering=0) as screen:
    while True:
        try:
            part = os.read(fd, 65536)
        except OSError:
            break
        if not part:
            break
        data += part
        screen.write(part)
        if keys and text in data:
            os.write(fd, keys)
            keys = b""
status = os.waitpid(pid, 0)[1]
sys.stdout.buffer.write(data.replace(b"\r\n", b"\n"))
sys.exit(os.waitstatus_to_exitcode(status))
END
on_terminal() {
	local status=0 want=$1 what=$2
	shift 2
	timeout 60 /usr/bin/python3 terminal.py "$@" --run-dir "$run" > out 2> err || status=$?
	if [ $status = "$want" ]; then ok "$what"; else bad "$what: exit status $status, expected $want"; fi
}
if [ "$(id -u)" = 0 ] && /usr/bin/python3 -c 'import os; os.openpty()' 2> /dev/null; then
	begin --step-ms 300
	on_terminal 0 "apply on a terminal" "" "" "$ctl" apply -f good.yaml
	says out "apply: progress, step by step" $'\[1/[0-9]+\] .*\[2/[0-9]+\] '
	says out "apply: each step by its target and knob" '\] ens1f0np0 pfc'
	says out "apply: what it waits for behind the last step" $'\\[12/12\\] waiting for links, reading back\r'
	ctl 0 "rollback" rollback
	on_terminal 1 "Ctrl-C stops between two steps" '[2/' '\x03' "$ctl" apply -f other.yaml
	says out "Ctrl-C: says so" 'stopping after this step'
	says out "Ctrl-C: what was done" 'changes? done: [0-9]+ not begun|not begun'
	ctl 0 "and apply goes on" apply -f other.yaml
	: > screen
	# Twice without a change: the moments in it grow old
	(until_true sh -c 'test $(grep -c "Ctrl-C ends" screen) -ge 2'; kill -USR1 $pid) &
	on_terminal 2 "status --watch" drift '\x03' "$ctl" status --watch
	says out "status --watch: before" 'all 2 ports and 2 RDMA devices in sync'
	says out "status --watch: drift is shown when it is there" '^ens1f0np0 +pfc +.*drift'
	holds "status --watch: says nothing of steps" sh -c "! grep -q 'this step' out"
	# Ten lines of it, a blank one, the clock, the cursor
	SIZE=14x80 on_terminal 2 "status --watch: a low terminal" "Ctrl-C ends" '\x03' "$ctl" status --watch
	says out "status --watch: a low terminal has the first lines" '1 of 2 ports and 2 of 2 RDMA devices in sync'
	says out "status --watch: and how many are left out" '^\.\.\. and [0-9]+ more: losslessctl status$'
	holds "status --watch: it fits" awk '/in sync/ { n = 0 } { n++ } /Ctrl-C ends/ && n > 13 { exit 1 }' out
	for columns in 30 40 60; do
		SIZE=24x$columns on_terminal 2 "status --watch: a narrow terminal" "Ctrl-C ends" '\x03' "$ctl" status --watch
		holds "status --watch, $columns columns: no row is scrolled away" awk -v columns=$columns '
			{ gsub(/\r|\033\[[0-9;]*m/, "") }
			sub(/.*\033\[2J/, "") { n = 0 }
			{ n += length == 0 ? 1 : int((length + columns - 1) / columns) }
			/Ctrl-C ends/ { seen = 1; if (n > 23) bad = 1 }
			END { exit bad || !seen }' out
	done
	SIZE=24x40 on_terminal 0 "apply on a narrow terminal" "" "" "$ctl" apply -f good.yaml
	holds "apply: progress is no wider than that" sh -c "tr '\r' '\n' < out | sed 's/\x1b\[K//' | grep '^\[' | awk 'length > 39 { exit 1 }'"
	end
else
	echo "ok   no terminal or no root here: not tried"
fi

# ---- it dies ----

if [ "$(id -u)" = 0 ]; then
	begin --die-after 3
	ctl 1 "losslessd dies in the middle" apply -f good.yaml
	one_line "losslessd dies"
	says err "losslessd dies: what to do" 'losslessd ended meanwhile: see journalctl -u losslessd, and losslessctl status'
	wait $pid
	begin
	ctl 0 "apply" apply -f good.yaml
	"$ctl" status --watch --run-dir "$run" > out 2> err &
	watcher=$!
	pids+=($watcher)
	until_true grep -q 'in sync$' out
	kill -USR1 $pid
	until_true grep -q ' drift ' out
	holds "status --watch in a file: once for each change" test "$(grep -c '^TARGET ' out)" -ge 2
	holds "status --watch: no clearing in a file" sh -c "! grep -q $'\033' out"
	end
	wait $watcher
	holds "status --watch: losslessd ends: 4" test $? = 4
	says err "status --watch: says so" 'losslessd is not running any more'
fi

# ---- who may ----

# serve_bus yes|no: a bus with a polkit of that mind
serve_bus() {
	bus_conf "$tmp/system-bus" > bus.conf
	export DBUS_SYSTEM_BUS_ADDRESS=unix:path=$tmp/system-bus
	rm -f "$tmp/system-bus"
	dbus-daemon --nofork --config-file="$tmp/bus.conf" 2> bus.log &
	bus_pid=$!
	pids+=($bus_pid)
	until_true test -S "$tmp/system-bus"
	"$polkit" "$1" > asked 2>&1 &
	polkit_pid=$!
	pids+=($polkit_pid)
}

end_bus() {
	kill $polkit_pid $bus_pid
	wait $polkit_pid $bus_pid
	export DBUS_SYSTEM_BUS_ADDRESS=unix:path=$tmp/no-such-bus
}

refused() { # WHAT
	one_line "$1"
	says err "$1: what it needs" "changing this node needs root, or on the system bus polkit's org.lossless.apply"
}

if [ "$(id -u)" = 0 ] && command -v dbus-daemon > /dev/null; then
	as=(setpriv --reuid=65534 --regid=65534 --clear-groups)
	begin --fabric "$tmp/good.yaml"
	for verb in "apply -f good.yaml" rollback confirm reload; do
		ctl 1 "$verb as a plain user, without a bus" $verb
		refused "$verb as a plain user"
	done
	end
	serve_bus no
	begin
	ctl 1 "apply as a plain user: polkit says no" apply -f good.yaml
	refused "polkit says no"
	holds "polkit was asked for the action, about that connection" grep -qE \
		'^org.lossless.apply system-bus-name :1\.[0-9]+ [01]$' asked
	as=()
	ctl 0 "apply as root asks no polkit" apply -f good.yaml
	holds "polkit was asked once" test "$(wc -l < asked)" = 1
	end
	end_bus
	as=(setpriv --reuid=65534 --regid=65534 --clear-groups)
	serve_bus yes
	begin --step-ms 100
	ctl 0 "apply as a plain user: polkit says yes" apply -f good.yaml
	says out "polkit says yes: the result" 'changes done on 4 targets$'
	holds "polkit was asked" test "$(wc -l < asked)" = 1
	ctl 0 "rollback" rollback
	holds "the word holds for one change" test "$(wc -l < asked)" = 2
	"${as[@]}" "$ctl" apply -f good.yaml --run-dir "$run" > out 2> err &
	job=$!
	until_true sh -c "test \$(wc -l < asked) = 3"
	sleep .4
	kill -TERM $job
	wait $job
	holds "SIGTERM as a plain user: stopped" test $? = 1
	says out "SIGTERM: what was not begun" 'not begun'
	holds "to stop it polkit is not asked again" test "$(wc -l < asked)" = 3
	kill $polkit_pid
	wait $polkit_pid
	ctl 1 "apply as a plain user: no polkit" apply -f good.yaml
	refused "no polkit"
	as=()
	kill $bus_pid
	wait $bus_pid
	ctl 2 "the bus goes away: the socket stays" status --json
	end
	export DBUS_SYSTEM_BUS_ADDRESS=unix:path=$tmp/no-such-bus
else
	echo "ok   no dbus-daemon or no root here: not tried"
fi

# ---- losslessd itself ----

if [ "$(id -u)" = 0 ]; then
	sed 's/^nodes/nics: [{name: no-such-port}]\nnodes/' good.yaml > absent.yaml
	rm -rf "$run"
	mkdir "$run"
	# What systemd is told
	python3 -c 'import socket, sys
sock = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
sock.bind("notify")
while True: print(sock.recv(4096).decode().replace("\n", " "), flush=True)' > notified &
	pids+=($!)
	until_true test -S notify
	NOTIFY_SOCKET=$tmp/notify "$daemon" --run-dir="$run" --state-dir="$tmp/state" --fabric="$tmp/absent.yaml" --socket="$tmp/nic" --node=gpu-1 2> log &
	pid=$!
	pids+=($pid)
	until_true answers || { bad "losslessd does not start"; exit 1; }
	ctl 2 "losslessd: the file in /etc is in force" status
	says out "losslessd: a port that is missing is pending" '^no-such-port +pending'
	says out "losslessd: since when, in a file" \
		'^no-such-port +– +pending +– +– +– +20[0-9-]{8}T[0-9:]{8}[+-][0-9]{4} +no such device'
	says out "losslessd: what next" '^next: losslessd goes on by itself when what it waits for is there$'
	holds "losslessd: what was read just now has no age in a file" sh -c "! grep -q 'read [0-9j]' out"
	ctl 2 "losslessd: status --json" status --json
	says out "losslessd: since when, for programs" '"since": 1[0-9]{9}'
	if /usr/bin/python3 -c 'import os; os.openpty()' 2> /dev/null; then
		on_terminal 2 "losslessd: status on a terminal" "" "" "$ctl" status
		says out "losslessd: since when, on a terminal" '(just now|[0-9]+ s ago) \([0-9:]{8}\)'
		says out "losslessd: and when it was read" '^generation 1 in force, read (just now|[0-9]+ s ago) \([0-9:]{8}\)$'
	fi
	ctl 2 "losslessd: apply" apply -f absent.yaml
	sed 's/106/104/' absent.yaml > absent-104.yaml
	ctl 2 "losslessd: apply --confirm" apply -f absent-104.yaml --confirm 10m
	says out "apply --confirm: when it returns, in a file" \
		'^returns at 20[0-9-]{8}T[0-9:]{8}[+-][0-9]{4} unless losslessctl confirm$'
	if /usr/bin/python3 -c 'import os; os.openpty()' 2> /dev/null; then
		on_terminal 2 "apply --confirm: status" "" "" "$ctl" status
		says out "status: when it returns" \
			'^returns in ([0-9]{3} s|[5-9] min|10 min) \([0-9A-Za-z: ]+\) unless losslessctl confirm$'
		says out "status: what next" '^next: losslessctl confirm keeps it, losslessctl rollback returns at once$'
	fi
	ctl 2 "apply --confirm: status --json" status --json
	says out "status --json: until when" '"confirm_until": 1[0-9]{9}'
	ctl 0 "losslessd: confirm" confirm
	ctl 2 "losslessd: status" status
	holds "status: it stays" sh -c "! grep -q returns out"
	ctl 3 "losslessd: a refused file" apply -f bad.yaml
	says err "losslessd: its place" '^bad.yaml:4:[0-9]+: error'
	ctl 2 "losslessd: reload" reload
	ctl 1 "losslessd: apply --once is refused" apply --once -f absent.yaml --state-dir "$tmp/state"
	says err "losslessd: says what to do" 'keeps this node: run losslessctl apply without --once'
	ctl 0 "losslessd: rollback" rollback
	end "losslessd ends well"
	until_true grep -q STOPPING notified
	holds "losslessd: asks for time to start and to stop, says when it is ready" sh -c \
		"grep -oE '^(EXTEND_TIMEOUT_USEC=30000000|READY=1|RELOADING=1|STOPPING=1)' notified | diff expected -"

	# No driver yet, and nothing that is named: drivers may come later than losslessd
	start_early() {
		rm -rf "$run"
		mkdir "$run"
		"$daemon" --run-dir="$run" --state-dir="$tmp/early" --fabric="$tmp/early.yaml" --socket="$tmp/nic" --node=gpu-1 2> log &
		pid=$!
		pids+=($pid)
		until_true answers || { bad "losslessd does not start"; exit 1; }
	}
	sed 's/^nodes/nics: [{driver: no-such-driver}]\nnodes/' good.yaml > early.yaml
	cp early.yaml first.yaml
	start_early
	ctl 1 "no driver yet: status" status
	says err "no driver yet: said" 'nothing managed on this node'
	holds "no driver yet: the file is in force" cmp first.yaml early/accepted.yaml
	holds "no driver yet: told" grep -q 'generation 1 in force: early.yaml' log
	ctl 1 "no driver yet: another one that selects nothing is refused" apply -f good.yaml
	holds "no driver yet: the first one stays" cmp first.yaml early/accepted.yaml
	end "no driver yet: ends well"
	sed 's/106/104/' first.yaml > early.yaml
	start_early
	holds "a changed file does not go in unasked" cmp first.yaml early/accepted.yaml
	ctl 1 "a changed file: status" status
	says out "a changed file: said" 'early.yaml is not what is in force: losslessctl reload applies it'
	ctl 0 "no driver yet: rollback" rollback
	holds "no driver yet: nothing is in force" test ! -e early/accepted.yaml
	end "a changed file: ends well"
	sed 's/"\*"/gpu-7/' first.yaml > early.yaml
	rm -rf early
	start_early
	holds "a file that is not about this node is not taken" test ! -e early/accepted.yaml
	end "not about this node: ends well"
	rm early.yaml
	mkfifo early.yaml
	start_early
	ctl 1 "a FIFO in place of the file: status" status
	end "a FIFO in place of the file: ends well"
	rm early.yaml

	# Killed between the record of an apply and its file
	cp absent.yaml early.yaml
	rm -rf early
	mkdir early
	printf 'losslessd undo 1\ngeneration 1\nbefore 0\nphase applying\nprevious none\n' > early/undo
	start_early
	holds "a first apply that never came in force: the file is taken" cmp absent.yaml early/accepted.yaml
	holds "never came in force: told" grep -q 'apply of generation 1 was interrupted before it changed anything' log
	cp early/undo early/undo.1
	end "never came in force: ends well"
	printf 'losslessd undo 1\ngeneration 2\nbefore 1\nphase applying\nprevious %s\n' "$(wc -c < absent.yaml)" |
		cat - absent.yaml > early/undo
	start_early
	holds "a later one: the file before is in force" cmp absent.yaml early/accepted.yaml
	ctl 2 "a later one: status" status
	says out "a later one: its generation" 'generation 1 in force$'
	holds "a later one: told" grep -q 'apply of generation 2 was interrupted before' log
	holds "a later one: nothing was finished" sh -c "! grep -q 'was interrupted: finished' log"
	# A plain apply keeps what waited for a confirm
	ctl 2 "apply --confirm, then the same without" apply -f absent-104.yaml --confirm 10m
	ctl 2 "the same without" apply -f absent-104.yaml
	holds "the same without: nothing waits, on disk" sh -c "! grep -q ^confirm early/undo"
	ctl 2 "apply --confirm, then another one by hand" apply -f absent.yaml --confirm 10m
	end "by hand: losslessd ends well"
	ctl 2 "by hand" apply --once -f absent-104.yaml --state-dir "$tmp/early"
	holds "by hand: nothing waits, on disk" sh -c "! grep -q ^confirm early/undo"
fi

done_with
