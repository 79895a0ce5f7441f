#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# Conversations with emulated switches by the dialects that are shipped: well behaved, and with each of their faults.
# Usage: test-emulated.sh CLIENT SOURCE-DIR
set -u
client=$1 source=$2
export LC_ALL=C.UTF-8 PYTHONDONTWRITEBYTECODE=1
PATH=$PATH:/usr/sbin:${LAB_DIR:-${XDG_CACHE_HOME:-${HOME:-/}/.cache}/losslessd-lab}/sshd
python=/usr/bin/python3 serve=$source/tests/switch/emulator/serve.py
command -v sshd > /dev/null || { echo "no sshd (Debian: openssh-server)"; exit 77; }
$python -c 'import yaml' 2> /dev/null || { echo "no yaml (Debian: python3-yaml)"; exit 77; }
tmp=$(mktemp -d) fails=0 vendor= port=
trap 'for dir in "$tmp"/sw-*/; do $python "$serve" stop "$dir" > /dev/null; done; rm -rf "$tmp"' EXIT
printf 'enable-secret-9' > "$tmp/enable"
chmod 600 "$tmp/enable"

# begin VENDOR DIALECT: false if that is not shipped
begin() {
	vendor=$1 dialect=$source/config/dialects/$2.yaml
	[ -e "$dialect" ] || return
	port=$($python "$serve" start "$tmp/sw-$vendor" "$vendor" | cut -d ' ' -f 3)
	control=$tmp/sw-$vendor/sw-$vendor-1/faults
}

# talk WHAT FAULT LINE... -- TEXT...: send the lines; each text stands in what comes of it
talk() {
	local what="$vendor, $1" text
	local lines=()
	printf '%s\n' "$2" > "$control"
	shift 2
	while [ "$1" != -- ]; do
		lines+=("$1")
		shift
	done
	shift
	"$client" "port=$port" "user=$(id -un)" "key=$tmp/sw-$vendor/client" "known=$tmp/sw-$vendor/known_hosts" \
		"enable=$tmp/enable" "dialect=$dialect" -- "${lines[@]}" > "$tmp/out" 2>&1 < /dev/null
	: > "$control"
	for text in "$@"; do
		grep -qF -- "$text" "$tmp/out" && continue
		echo "FAIL $what: not said: $text"
		sed 's/^/    /' "$tmp/out"
		fails=$((fails + 1))
		return
	done
	echo "ok   $what"
}

if begin huawei huawei-cloudengine; then
	default="default                               3"
	ask="display dcb pfc-profile"
	talk "configured" "" system-view "dcb pfc" "priority 5" commit return "$ask" -- \
		"session: 0 sw-huawei-1" "at: ~ dcb-pfc-default" "at: * dcb-pfc-default" "$default"
	talk "a name with a prefix" "ha-prefix HRP_M" system-view -- "session: 0 sw-huawei-1" "at: ~"
	talk "an old password" "password-age 1" "$ask" -- "warning: the switch asks" "$default"
	talk "a pager that stays" "pager-stays" "display current-configuration" -- "line: 0" "return" "at:  "
	talk "a wrapped echo" "wrap-echo 20" "$ask" -- "line: 0" "$default"
	talk "a coloured echo" "ansi-echo" "$ask" -- "line: 0" "$default"
	talk "two carriage returns" "double-cr" "$ask" -- "line: 0" "$default"
	talk "a banner" "banner-hashes" "$ask" -- "line: 0" "$default"
	talk "byte by byte" "slow 20" "$ask" -- "line: 0" "$default"
	talk "prompts in descriptions" "prompt-in-description" "display interface description" "$ask" -- "$default"
	talk "no place" "vty-full" "$ask" -- "closed the connection before its first prompt"
	talk "a question" "question 1 This disrupts. Continue? [Y/N]:" system-view "dcb pfc" -- \
		"line: 3 confirmation required: This disrupts. Continue? [Y/N]:"
	talk "saved" "" save -- "line: 0" "Save the configuration successfully"
	talk "cut off" "cut 1" system-view "dcb pfc" -- "line: 4"
	talk "refused" "" system-view "interface 100GE9/9/9" -- 'line: 1 Error:' '(at "100GE9/9/9")'
	talk "not committed" "commit-fails Error: it conflicts" system-view "dcb pfc" "priority 4" commit -- \
		"line: 1 Error: it conflicts" "at: * dcb-pfc-default"
fi
if begin eos arista-eos; then
	talk "a session" "" "configure session losslessd" "interface Ethernet1" "priority-flow-control on" \
		"show session-config diffs" abort -- "session: 0 sw-eos-1" "config-s-lossle-if-Et1" "+interface Ethernet1"
	talk "a question" "question 1 Proceed (y/n)?" "configure session losslessd" "interface Ethernet1" -- \
		"line: 3 confirmation required: Proceed (y/n)?"
	talk "a wrapped echo" "wrap-echo" "show version" -- "line: 0" "Arista"
fi
if begin onyx nvidia-onyx; then
	talk "configured" "" "configure terminal" "interface ethernet 1/1 mtu 9216 force" exit \
		"show dcb priority-flow-control" -- "session: 0 sw-onyx-1" "at:  config" "Priority Enabled List"
	talk "a pager that stays" "pager-stays" "show running-config" -- "line: 0" "at:  "
fi
if begin ruijie ruijie-rgos; then
	talk "configured" "" "configure terminal" "interface HundredGigabitEthernet 0/1" end -- \
		"session: 0 sw-ruijie-1" "config-if-HundredGigabitEthernet 0/1"
	talk "not enabled" "enable-refused" x -- "session: 8 enable was refused: % Access denied"
	talk "an old password" "password-age 1" "configure terminal" -- "warning: the switch asks" "at:  config"
fi
if begin cumulus nvidia-cumulus; then
	talk "a status" "" "nv show interface nosuch" -- "line: 1" "(exit status 2)"
fi
if begin sonic sonic; then
	talk "JSON" "" "sonic-cfggen -d --var-json PORT" -- "line: 0" '"Ethernet0"'
	talk "a status" "" "false" -- "line: 1"
fi
[ $fails = 0 ] || echo "$fails failed"
exit $((fails > 0))
