#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# The transport against OpenSSH's sshd and against a server of libssh: whom it trusts, what it offers, how it logs in,
# and that secrets stay where they are.  Usage: test-ssh.sh CLIENT SERVER
set -u
client=$1 server=$2
export LC_ALL=C PATH=$PATH:/usr/sbin:/sbin
sshd=$(command -v sshd || echo "${LAB_DIR:-${XDG_CACHE_HOME:-${HOME:-/}/.cache}/losslessd-lab}/sshd/sshd")
[ -x "$sshd" ] || { echo "no sshd (Debian: openssh-server)"; exit 77; }
dir=$(mktemp -d) fails=0 sshd_pid= server_pid=
trap 'stop_sshd; stop_server; rm -rf "$dir"' EXIT
user=$(id -un)
SECRET=correct-horse-7
printf '%s' "$SECRET" > "$dir/password"
printf 'wrong-horse-8' > "$dir/wrong"
chmod 600 "$dir/password" "$dir/wrong"
# others read what is here in the one check that another user makes
chmod 755 "$dir"
# As root it wants a user sshd, which only its package makes, and a root that is not locked: shown to it, and to nobody
# else, by libnss_wrapper
accounts=()
if [ "$(id -u)" = 0 ] && ! getent passwd sshd > /dev/null; then
	{ cat /etc/passwd && echo 'sshd:x:65533:65534::/run/sshd:/usr/sbin/nologin'; } > "$dir/passwd.all"
	echo 'root:*:19000:0:99999:7:::' > "$dir/shadow.all"
	accounts=(env LD_PRELOAD=libnss_wrapper.so NSS_WRAPPER_PASSWD="$dir/passwd.all"
		NSS_WRAPPER_GROUP=/etc/group NSS_WRAPPER_SHADOW="$dir/shadow.all")
fi

ok() {
	echo "ok   $1"
}

bad() {
	echo "FAIL $1: $2"
	sed 's/^/    /' "$dir/out"
	fails=$((fails + 1))
}

# says WHAT TEXT...: each of them stands in what the client said last
says() {
	local what=$1 text
	shift
	for text in "$@"; do
		[ "$text" != ok ] || text=$'^ok$'
		grep -q $([ "$text" = '^ok$' ] || echo -F) -- "$text" "$dir/out" || { bad "$what" "not said: $text"; return; }
	done
	ok "$what"
}

# says_not WHAT TEXT
says_not() {
	if grep -qF -- "$2" "$dir/out"; then bad "$1" "said: $2"; else ok "$1"; fi
}

# is WHAT GOT WANT
is() {
	if [ "$2" = "$3" ]; then ok "$1"; else bad "$1" "is $2, want $3"; fi
}

# until_so COMMAND...: it becomes so, or this test ends
until_so() {
	local i
	for i in {1..500}; do
		"$@" && return
		sleep 0.02
	done
	echo "FAIL never so: $*"
	exit 1
}

run() {
	"$client" "$@" > "$dir/out" 2>&1 < /dev/null
	local status=$?
	cat "$dir/out" >> "$dir/all-outputs"
	return $status
}

# ---- servers ----

cat > "$dir/switch" <<-'END'
	#!/bin/bash
	# A switch behind sshd; the terminal echoes
	dir=$(dirname "$0")
	if [ -n "${SSH_ORIGINAL_COMMAND:-}" ]; then
		echo "ran $SSH_ORIGINAL_COMMAND"
		echo "complained" >&2
		[ "$SSH_ORIGINAL_COMMAND" != "fail" ] || exit 3
		exit 0
	fi
	printf 'Info: welcome\n<sw-lab-1>'
	while read -r line; do
		case $line in
		width) stty size ;;
		quit) exit ;;
		hang)
			echo working
			touch "$dir/hanging"
			until [ -e "$dir/go" ]; do sleep 0.05; done
			;;
		abort) echo dropped ;;
		esac
		printf '<sw-lab-1>'
	done
END
chmod 755 "$dir/switch"
for name in a b; do
	ssh-keygen -q -t ed25519 -N '' -f "$dir/host-$name"
done
ssh-keygen -q -t rsa -b 2048 -N '' -f "$dir/host-rsa"
ssh-keygen -q -t ed25519 -N '' -f "$dir/user"
ssh-keygen -q -t ed25519 -N '' -f "$dir/stranger"
ssh-keygen -q -t ed25519 -N passphrase -f "$dir/locked"
cp "$dir/user.pub" "$dir/authorized"
port=

fingerprint() {
	ssh-keygen -l -f "$dir/$1.pub" | cut -d ' ' -f 2
}

# start_sshd HOSTKEY[,HOSTKEY] [LINE OF CONFIGURATION]...: at the port of before, if there was one
start_sshd() {
	local keys=$1 i
	shift
	stop_sshd
	[ "$(id -u)" != 0 ] || mkdir -p /run/sshd
	for i in {1..50}; do
		: "${port:=$((20000 + RANDOM))}"
		{
			printf 'HostKey %s\n' $(for key in ${keys//,/ }; do echo "$dir/host-$key"; done)
			printf '%s\n' "Port $port" "ListenAddress 127.0.0.1" "PidFile none" "UsePAM no" "StrictModes no" \
				"AuthorizedKeysFile $dir/authorized" "PasswordAuthentication no" "LogLevel DEBUG2" \
				"KbdInteractiveAuthentication no" "ForceCommand $dir/switch" "$@"
		} > "$dir/sshd.conf"
		: > "$dir/sshd.log"
		"${accounts[@]}" "$(readlink -f "$sshd")" -D -f "$dir/sshd.conf" -E "$dir/sshd.log" &
		sshd_pid=$!
		until grep -q 'Server listening' "$dir/sshd.log"; do
			kill -0 $sshd_pid 2> /dev/null || { port=; continue 2; }
			sleep 0.02
		done
		return
	done
	cat "$dir/sshd.log"
	echo "FAIL sshd does not start"
	exit 1
}

stop_sshd() {
	[ -z "$sshd_pid" ] || { kill $sshd_pid && wait $sshd_pid; } 2> /dev/null
	[ ! -e "$dir/sshd.log" ] || cat "$dir/sshd.log" >> "$dir/all-logs"
	sshd_pid=
}

userauths() {
	grep -c 'userauth-request for user' "$dir/sshd.log"
}

start_server() {
	stop_server
	: > "$dir/server.log"
	"$server" "$1" "$dir/host-a" "$dir/password" > "$dir/server.log" 2>&1 &
	server_pid=$!
	until_so test -s "$dir/server.log"
	server_port=$(head -n 1 "$dir/server.log")
}

stop_server() {
	[ -z "$server_pid" ] || { kill $server_pid && wait $server_pid; } 2> /dev/null
	[ ! -e "$dir/server.log" ] || cat "$dir/server.log" >> "$dir/all-logs"
	server_pid=
}

# switch OPTIONS...: as the user who may, with a file of known hosts of its own
switch() {
	run "port=$port" "user=$user" "key=$dir/user" "known=$dir/known" "$@"
}

# ---- host keys ----

start_sshd a
switch trust=0
says "an unknown key is refused" "key-unknown: host key unknown" "$(fingerprint host-a)"
is "and nothing of the user was sent" "$(userauths)" 0
is "and nothing was written" "$(ls "$dir/known" 2> /dev/null)" ""
switch trust=1 -- width quit
says "the first use is trusted" "ok" "warning: the host key ssh-ed25519 $(fingerprint host-a) was not known" "1000 511"
is "it is known with its port" "$(cut -d ' ' -f 1,2 "$dir/known")" "[127.0.0.1]:$port ssh-ed25519"
is "for its owner alone" "$(stat -c %a "$dir/known")" 600
switch trust=0 -- quit
says "from then on it is known" "ok"
says_not "without a warning" "warning"
ssh-keygen -q -H -f "$dir/known" > /dev/null 2>&1
is "hashed" "$(cut -c 1-3 "$dir/known")" "|1|"
switch trust=0
says "a hashed name is found" "ok"
ssh-keygen -q -F "[127.0.0.1]:$port" -f "$dir/known" > "$dir/out"
says "ssh-keygen finds it too" "ssh-ed25519"

start_sshd b
for trust in 0 1; do
	switch trust=$trust
	says "a changed key is refused, trust $trust" "key-changed: host key changed" "$(fingerprint host-a)" "$(fingerprint host-b)"
done
is "no request of a user in the server's log" "$(userauths)" 0
switch legacy=ssh-rsa,aes128-cbc trust=1
says "legacy algorithms do not change that" "key-changed"
switch show=1
says "both fingerprints are shown" "key: ssh-ed25519 $(fingerprint host-b)" "old: $(fingerprint host-a)"
is "without a request of a user" "$(userauths)" 0
printf '# a comment\n[127.0.0.1]:%s,other %s\n' "$port" "$(cut -d ' ' -f 1,2 "$dir/host-a.pub")" >> "$dir/known"
switch accept=1
says "accepting shows them" "key: ssh-ed25519 $(fingerprint host-b)" "old: $(fingerprint host-a)"
switch trust=0
says "and it is known" "ok"
is "other lines stay" "$(cut -d ' ' -f 1 "$dir/known" | tr '\n' ' ')" "# other [127.0.0.1]:$port "
printf '@revoked * %s\n' "$(cut -d ' ' -f 1,2 "$dir/host-b.pub")" >> "$dir/known"
switch trust=1
says "a revoked key is refused" "key-changed: host key revoked"

before=$(userauths)
mkdir "$dir/folder"
switch "known=$dir/folder" trust=1
says "a file that cannot be read is no unknown key" "known-hosts: $dir/folder cannot be read"
if [ "$(id -u)" = 0 ]; then
	mkdir "$dir/secret"
	touch "$dir/secret/known"
	chmod 000 "$dir/secret/known"
	chown -R nobody "$dir/secret"
	cp "$client" "$dir/client" && chmod 755 "$dir/client"
	setpriv --reuid=nobody --clear-groups "$dir/client" "port=$port" user=x "known=$dir/secret/known" trust=1 > "$dir/out" 2>&1
else
	touch "$dir/closed" && chmod 000 "$dir/closed"
	switch "known=$dir/closed" trust=1
fi
says "one without rights neither" "known-hosts:" "Permission denied"
is "no request of a user" "$(userauths)" "$before"

start_sshd a,rsa
printf '[127.0.0.1]:%s %s\n' "$port" "$(cut -d ' ' -f 1,2 "$dir/host-rsa.pub")" > "$dir/known"
switch trust=0
says "of several keys the known one is asked for" "ok"
switch "fingerprints=$(fingerprint host-rsa)" known=/nonexistent
says "a fingerprint of any type is enough" "ok"
switch "fingerprints=$(fingerprint host-b),$(fingerprint host-a)" known=/nonexistent
says "one of several" "ok"
before=$(userauths)
switch "fingerprints=$(fingerprint host-b)" known=/nonexistent trust=1
says "another fingerprint is a changed key" "key-changed: host key changed: expected $(fingerprint host-b)"
is "without a request of a user" "$(userauths)" "$before"
printf 'sw-lab-1 %s\n' "$(cut -d ' ' -f 1,2 "$dir/host-a.pub")" > "$dir/known"
switch trust=0 alias=sw-lab-1
says "the name without the port is another one" "key-unknown"
printf '[SW-lab-1]:%s %s\n' "$port" "$(cut -d ' ' -f 1,2 "$dir/host-a.pub")" > "$dir/known"
switch trust=0 alias=sw-lab-1
says "known by its name" "ok"
printf '[127.0.0.1]:%s %s\n' "$port" "$(cut -d ' ' -f 1,2 "$dir/host-b.pub")" >> "$dir/known"
switch trust=0 alias=sw-lab-1
says "but not if its address has another key" "key-changed"
printf '[127.0.0.*]:* %s\n' "$(cut -d ' ' -f 1,2 "$dir/host-a.pub")" > "$dir/known"
switch trust=0
says "a pattern names it" "ok"

# ---- algorithms ----

OLD=("KexAlgorithms diffie-hellman-group14-sha1" "HostKeyAlgorithms ssh-rsa" "Ciphers aes128-cbc" "MACs hmac-sha1")
rm "$dir/known"
start_sshd rsa "${OLD[@]}"
switch trust=1
says "no common kex" "algorithm: no common kex: the switch offers diffie-hellman-group14-sha1" "we offer curve25519-sha256"
is "one attempt" "$(grep -c 'Connection from' "$dir/sshd.log")" 1
switch trust=1 legacy=diffie-hellman-group14-sha1
says "no common hostkey" "algorithm: no common hostkey: the switch offers ssh-rsa" "we offer"
switch trust=1 legacy=diffie-hellman-group14-sha1,ssh-rsa
says "no common cipher" "algorithm: no common cipher: the switch offers aes128-cbc" "we offer"
switch trust=1 legacy=diffie-hellman-group14-sha1,ssh-rsa,aes128-cbc
says "no common mac" "algorithm: no common mac: the switch offers hmac-sha1" "we offer"
is "nothing of the user was sent" "$(userauths)" 0
switch trust=1 legacy=diffie-hellman-group14-sha1,ssh-rsa,aes128-cbc,hmac-sha1 -- quit
says "legacy algorithms, with a warning" "ok" "warning: legacy algorithms in use: diffie-hellman-group14-sha1,aes128-cbc,hmac-sha1"
switch legacy=+ssh-rsa
says "a name that is none" "algorithm: legacy algorithm \"+ssh-rsa\""
if ssh-keygen -q -t dsa -N '' -f "$dir/host-dsa" 2> /dev/null; then
	start_sshd dsa "HostKeyAlgorithms ssh-dss"
	switch trust=1 legacy=diffie-hellman-group14-sha1,ssh-rsa
	says "only ssh-dss" "algorithm: no common hostkey" "the switch offers ssh-dss"
	switch trust=1 legacy=ssh-dss
	says "which libssh has no more" "algorithm: legacy algorithm \"ssh-dss\": libssh has none"
fi

# ---- keys of users, lines, proxies ----

rm -f "$dir/known"
start_sshd a
switch trust=1 "key=$dir/stranger"
says "a key that is not taken" "auth: the switch refused user \"$user\" with the key; it takes: publickey"
run "port=$port" "user=$user" "known=$dir/known" "password=$dir/password"
says "a password where none is taken" "auth:" "with nothing to log in with; it takes: publickey"
switch "key=$dir/locked"
says "a key with a passphrase" "auth: the private key cannot be used"
switch exec=1 -- "show x"
says "a line on a channel of its own" "line: 0 ran show x" "complained"
switch exec=1 -- "fail"
says "and its status" "line: 1 complained (exit status 3)"
switch "proxy=bash -c 'exec 3<>/dev/tcp/%h/%p; cat <&3 & cat >&3; kill \$!'" -- quit
says "through a command" "ok"
switch 'proxy=exit 1'
says "a command that ends" "busy:"
switch 'proxy=nc %x'
says "a command that is none" "bad: the proxy command"
run "port=$port" 'user=$(touch x)' "known=$dir/known" 'proxy=cat %r'
says "a user that a shell would run" "bad: the proxy command, address or user"

rm -f "$dir/hanging" "$dir/go"
"$client" "port=$port" "user=$user" "key=$dir/user" "known=$dir/known" -- hang abort > "$dir/out" 2>&1 &
pid=$!
until_so test -e "$dir/hanging"
kill -TERM $pid
until_so grep -q '^line:' "$dir/out"
touch "$dir/go"
wait $pid
says "a job that is to end may drop what it staged" "line: 10 cancelled" "line: 0 dropped"
stop_sshd

# ---- passwords ----

# log_in MODE [OPTIONS]
log_in() {
	start_server "$1"
	shift
	rm -f "$dir/known"
	run "port=$server_port" user=admin "known=$dir/known" trust=1 "password=$dir/password" "$@"
}

requests() {
	grep -c "^$1" "$dir/server.log"
}

log_in password -- "screen-length 0 temporary"
says "a password" "ok" "line: 0"
log_in password "password=$dir/wrong"
says "a wrong password" "auth: the switch refused user \"admin\" with the password; it takes: password"
is "is given once" "$(requests 'userauth password')" 1
log_in both "password=$dir/wrong"
is "also where there is another way" "$(requests 'userauth password') $(requests 'userauth keyboard')" "1 0"
log_in questions -- x
says "a question for it" "ok" "line: 0"
log_in questions "password=$dir/wrong"
says "answered wrongly" "auth: the switch refused"
is "is answered once" "$(requests answers)" 1
log_in again "password=$dir/wrong"
says "asked again" "auth: the switch refused the password"
is "there is no other answer" "$(requests answers)" 1
log_in token
says "another question" "auth: the switch asks \"Token: \" before it lets anybody in"
is "has no answer" "$(requests answers)" 0
log_in echoed
says "a question that shows what is typed" "auth: the switch asks"
is "has none either" "$(requests answers)" 0
log_in two
is "two questions have no two answers" "$(requests answers)" 0
log_in gssapi
says "nothing that we have" "auth:" "it takes: gssapi"
log_in close
says "all places are taken" "busy: the switch closed the connection before it said anything"
log_in close-shell -- x
says "closed before the first prompt" "session: 7 the switch closed the connection before its first prompt"
log_in no-shell
says "no shell" "busy: the switch gives no shell"
log_in silent banner_ms=300
says "a switch that says nothing" "timeout: the beginning of SSH took too long"

start_server silent
"$client" "port=$server_port" user=admin "known=$dir/known" "password=$dir/password" > "$dir/out" 2>&1 &
pid=$!
# SIGTERM is 15: it is caught from here on
caught() { [ $((0x$(awk '/^SigCgt/ { print $2 }' /proc/$pid/status) >> 14 & 1)) = 1 ]; }
until_so caught
for file in /proc/[0-9]*/cmdline /proc/$pid/environ; do
	grep -aqs "$SECRET" "$file" && echo "$file"
done > "$dir/found"
is "no command line has a password" "$(cat "$dir/found")" ""
kill -TERM $pid
wait $pid
says "cancelled" "cancelled"
stop_server
run "port=$server_port" user=admin "known=$dir/known"
says "nobody listens" "refused: 127.0.0.1 port $server_port: connection refused"
run address=no.such.host.invalid port=22 user=admin "known=$dir/known"
says "no such host" "unreachable: no.such.host.invalid port 22"

is "no output has a secret" "$(grep -ac -e "$SECRET" -e wrong-horse -e PRIVATE "$dir/all-outputs")" 0
is "no log has one" "$(grep -ac -e "$SECRET" -e wrong-horse "$dir/all-logs")" 0

[ $fails = 0 ] || echo "$fails failed"
exit $((fails > 0))
