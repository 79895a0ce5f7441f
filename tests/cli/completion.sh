#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# What a real bash offers for losslessctl: the verbs, options and words of the sources, and no others.
# completion.sh LOSSLESSCTL SOURCES
set -u
export LC_ALL=C.UTF-8
program=$(readlink -f "$1") sources=$(readlink -f "$2") fails=0
library=/usr/share/bash-completion/bash_completion
[ -r $library ] || { echo "needs bash-completion" && exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/home" && cd "$work" || exit 1
export HOME=$work/home
mkdir bin sub
cp "$program" bin/losslessctl
printf 'Host gpu-7 gpu-8 other\n' > ssh.conf
cat > fabric.yaml <<-END
	version: 1
	fabric: pod-a
	nodes: {"*": {}}
	switches:
	  leaf-1: {dialect: sonic, address: 192.0.2.11, username: a, key: a, ports: {"Ethernet0": gpu-1/eth0}}
	  leaf-2: {dialect: sonic, address: 192.0.2.12, username: a, key: a, ports: {"Ethernet0": gpu-2/eth0}}
END
set +u
. $library
. "$sources/cli/losslessctl.bash"
set -u

# offered WORD...: what stands there after TAB behind the last of them, sorted, on one line
offered() {
	# as readline cuts it: '=' is a word of its own
	COMP_LINE=$* COMP_POINT=${#COMP_LINE} COMP_WORDS=() COMP_TYPE=9 COMP_KEY=9
	local word
	for word in "$@"; do
		case $word in
		--*=*) COMP_WORDS+=("${word%%=*}" =) && [ -z "${word#*=}" ] || COMP_WORDS+=("${word#*=}") ;;
		*) COMP_WORDS+=("$word") ;;
		esac
	done
	COMP_CWORD=$((${#COMP_WORDS[@]} - 1)) COMPREPLY=()
	set +u
	_losslessctl "$work/bin/losslessctl" "$word" 2>&1
	set -u
	printf '%s\n' "${COMPREPLY[@]}" | sort | paste -sd' '
}

# offers LINE WANTED: words of the line by blanks; a blank at its end begins a new one
offers() {
	local -a words
	local got
	read -ra words <<< "$1"
	[[ $1 != *' ' ]] || words+=("")
	got=$(offered "${words[@]}")
	if [ "$got" = "$2" ]; then
		echo "ok   $1"
	else
		printf 'FAIL %s\n  offered: %s\n  wanted:  %s\n' "$1" "$got" "$2"
		fails=$((fails + 1))
	fi
}

# many LEAST WORD...: they are words for `offers`, if so many were found
many() {
	local least=$1
	shift
	if [ $# -lt "$least" ]; then
		echo "FAIL only $# found in the sources: $*" >&2
		echo "?"
	fi
	printf '%s\n' "$@" | sort | paste -sd' '
}

# table FILE NAME: the first text of each row of a table of C
table() {
	sed -n "/ $2\[\] = {/,/^};/s/^\t{ \"\([^\"]*\)\".*/\1/p" "$sources/cli/$1"
}

# ---- against the sources ----

verbs=$(sed -n 's/^\t\t\.name = "\(.*\)",/\1/p' "$sources/cli/main.c")
offers "losslessctl " "$(many 15 --help --version $verbs)"
offers "losslessctl show " "$(many 6 $(table verb-show.c things))"
offers "losslessctl switch " "$(many 4 $(table verb-switch.c actions))"
offers "losslessctl explain " "$(many 20 $(sed -n 's/^\t*\.name = "\(.*\)",/\1/p' "$sources/lib/model/knob.c"))"
for verb in $verbs; do
	options=$(bin/losslessctl "$verb" --help | sed -n '/^Options:/,$s/^  \(-[^ ]*\).*/\1/p')
	offers "losslessctl $verb -" "$(many 1 $options)"
done

# ---- one by one ----

offers "losslessctl st" "status"
offers "losslessctl --v" "--version"
offers "losslessctl nothing -" ""
offers "losslessctl apply --c" "--confirm"
offers "losslessctl apply --once --json -" "--confirm --fabric --help --node -f"
offers "losslessctl apply --confirm " ""
offers "losslessctl apply --confirm 2m --o" "--once"
offers "losslessctl apply --confirm=2m --c" ""
offers "losslessctl plan -f fa" "fabric.yaml"
offers "losslessctl plan --root=fa" "fabric.yaml"
offers "losslessctl plan --root s" "ssh.conf sub"
offers "losslessctl check fa" "fabric.yaml"
offers "losslessctl check fabric.yaml " ""
offers "losslessctl show c" "cables counters"
offers "losslessctl show --interval 2s gi" "gids"
offers "losslessctl show nics " ""
offers "losslessctl nccl-env --format " "json nccl.conf shell"
offers "losslessctl explain pf" "pfc pfc_watchdog"
offers "losslessctl explain --json c" "cable_length cm_mode cm_tos cnp_dscp cnp_priority"
offers "losslessctl explain pfc " ""
offers "losslessctl switch -f fabric.yaml test " "leaf-1 leaf-2"
offers "losslessctl switch render -f fabric.yaml leaf-2" "leaf-2"
offers "losslessctl switch list -f fabric.yaml " ""
offers "losslessctl switch -f fabric.yaml test leaf-1 " ""
offers "losslessctl switch -f none.yaml test " ""
offers "losslessctl status >fa" "fabric.yaml"
offers "losslessctl nccl-env --format " "json nccl.conf shell"
offers "losslessctl nccl-env --format=n" "nccl.conf"
offers "losslessctl import -f fabric.yaml --switch " "leaf-1 leaf-2"
offers "losslessctl import --fo" "--force"
# What somebody has begun to write is not run, wherever it stands
for word in '$(touch${IFS}ran)' '`touch${IFS}ran`' 'x[$(touch${IFS}ran)]' '--no[$(touch${IFS}ran)]=x' '--node=$(touch${IFS}ran)' \
	@ '*' ']' '"' "'" '\'; do
	for line in "plan $word --js" "switch $word --js" "plan -f $word --js"; do
		offers "losslessctl $line" --json
	done
	offers "losslessctl $word -" ""
	offered losslessctl switch -f "$word" test '' > /dev/null
	offered losslessctl explain "$word" > /dev/null
	offered losslessctl nccl-env --format "$word" > /dev/null
done
if [ ! -e ran ]; then
	echo "ok   nothing is run"
else
	echo "FAIL a word of the line was run"
	fails=$((fails + 1))
fi
mkdir home/.ssh && cp ssh.conf home/.ssh/config
offers "losslessctl status -H gp" "gpu-7 gpu-8"

# A whole bash with the file where it is looked for: by the name of the command
mkdir -p share/bash-completion/completions
cp "$sources/cli/losslessctl.bash" share/bash-completion/completions/losslessctl
loaded=$(XDG_DATA_HOME=$work/share PATH=$work/bin:$PATH bash --norc -c \
	". $library && _completion_loader losslessctl; complete -p losslessctl" 2>&1)
if [ "$loaded" = "complete -F _losslessctl losslessctl" ]; then
	echo "ok   loaded by its name"
else
	echo "FAIL loaded by its name: $loaded"
	fails=$((fails + 1))
fi
exit $((fails > 0))
