#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# The rules of CONTRIBUTING.md that a machine can check: who includes whom, which library stands where, how long things
# are. There is no list of exceptions.
set -u
cd "$1" || exit 1
export LC_ALL=C.UTF-8
fails=0
COLUMNS_MAX=100

# check WHAT OFFENDERS: fails with the list if there is one
check() {
	if [ -z "$2" ]; then
		echo "ok   $1"
	else
		printf 'FAIL %s:\n%s\n' "$1" "$2"
		fails=$((fails + 1))
	fi
}

mapfile -t product < <(find lib daemon cli -name '*.[ch]' | sort)
mapfile -t all_c < <(find lib daemon cli man tests -name '*.[ch]' | sort)
mapfile -t sources < <(find lib daemon cli man tests \( -name '*.[ch]' -o -name meson.build -o -name '*.sh' -o -name '*.bash' \) | sort)
sources+=(run tests/lab/lab)
[ ${#product[@]} -gt 20 ] || { echo "FAIL no sources found below $1"; exit 1; }

# ---- who includes whom: no arrow runs up, none between the rooms of a floor ----

check "include rule" "$(awk '
	BEGIN {
		split("base os model spec reconcile nic switch report node daemon cli", room, " ")
		split("0    1  1     2    2         3   3      3      4    5      5", floor, " ")
		for (i in room) level[room[i]] = floor[i]
	}
	function room_of(path, part) {
		split(path, part, "/")
		return part[1] == "lib" ? part[2] : part[1]
	}
	match($0, /^#include "[^"]+"/) {
		path = substr($0, RSTART + 10, RLENGTH - 11)
		from = room_of(FILENAME); to = room_of(path)
		if (!(to in level)) print FILENAME ": " path " is in no room"
		else if (from != to && level[to] >= level[from]) print FILENAME ": " from " may not include " path
	}' "${product[@]}")"

# library_in HEADER-PATTERN FILE-PATTERN: only these files may include it
library_in() {
	check "$1 only in $2" "$(grep -lE "^#include <$1" "${product[@]}" | grep -vE "$2")"
}
library_in 'yaml\.h' '^lib/spec/yaml\.c$'
library_in '(netlink|linux/(netlink|rtnetlink|genetlink))' '^lib/os/'
library_in 'jansson\.h' '^lib/(report/(json|fabric)\.[ch]|node/store-history\.c|switch/(lldp|parse-json)\.c)$'
library_in 'pcre2\.h' '^lib/switch/pattern\.c$'
library_in 'libssh' '^lib/switch/ssh(-[a-z]+)?\.[ch]$'
library_in '(rdma/rdma_cma|infiniband/)' '^cli/traffic-[a-z]+\.[ch]$'
library_in 'systemd/' '^(daemon|cli)/'
check "printing only in writers, daemon and cli" "$(grep -nE '\b(printf|puts|perror)\(|\b(stdout|stderr)\b' \
	$(printf '%s\n' "${product[@]}" | grep '^lib/'))"
check "no attribute of a message outside lib/os" "$(grep -lE '\bnla(ttr|_[a-z]+)\b' "${product[@]}" | grep -v '^lib/os/')"

# ---- how files begin ----

check "SPDX line first" "$(awk 'FNR <= 2 && /SPDX-License-Identifier: / { ok[FILENAME] = 1 }
	END { for (i = 1; i < ARGC; i++) if (!(ARGV[i] in ok)) print ARGV[i] }' "${sources[@]}")"
check "the lab's kernel code is GPL-2.0" "$(grep -L 'SPDX-License-Identifier: GPL-2.0' tests/lab/module/*.[ch])"
check "#pragma once in headers" "$(grep -L '^#pragma once' $(find lib daemon cli tests/support -name '*.h'))"
check "own header first" "$(for f in $(find lib -name '*.c'); do
	[ ! -e "${f%.c}.h" ] || echo "$f"
done | xargs awk 'FNR == 1 { seen = 0 }
	/^#include/ && !seen++ {
		own = FILENAME
		sub(/c$/, "h", own)
		if ($2 != "\"" own "\"") print FILENAME ": " $2
	}')"
check "a comment that says what the file owns" "$(awk 'FNR == 2 && !/^\/\*/ { print FILENAME }' \
	"${product[@]}")"

# ---- how long things are ----

check "files of at most 600 lines" "$(wc -l "${all_c[@]}" | awk '$2 != "total" && $1 > 600 { print $2 ": " $1 }')"
check "meson.build of at most 80 lines" "$(find . -name meson.build -not -path './build*' -exec wc -l {} + |
	awk '$2 != "total" && $1 > 80 { print $2 ": " $1 }')"
check "lines of at most $COLUMNS_MAX columns" "$(awk -v max=$COLUMNS_MAX '{
		width = 0
		n = split($0, part, "\t")
		for (i = 1; i <= n; i++) {
			width += length(part[i])
			if (i < n) width = (int(width / 8) + 1) * 8
		}
		if (width > max) print FILENAME ":" FNR ": " width
	}' "${all_c[@]}")"

lengths=$(ctags -x --_xformat='%F:%n %N %{end}' --kinds-C=f --fields=+ne --languages=C "${product[@]}" |
	awk '{ split($1, at, ":"); print $3 - at[2] + 1, $1, $2 }' | sort -n)
[ -n "$lengths" ] || { echo "FAIL ctags found no function"; fails=$((fails + 1)); }
check "functions of at most 100 lines" "$(awk '$1 > 100' <<< "$lengths")"
check "9 of 10 functions of at most 45 lines" "$(awk '{ n[NR] = $1 } END { at = int(NR * 0.9); if (n[at] > 45) print n[at] }' <<< "$lengths")"
check "median of functions at most 15 lines" "$(awk '{ n[NR] = $1 } END { at = int((NR + 1) / 2); if (n[at] > 15) print n[at] }' <<< "$lengths")"
check "nested at most 3 deep" "$(awk '
	FNR == 1 { in_function = 0 }
	/^{/ { in_function = 1 }
	/^}/ { in_function = 0 }
	in_function && /^\t\t\t\t+(if|for|while|switch|do) / { print FILENAME ":" FNR }' "${product[@]}")"

# ---- habits ----

check "no typedef of a struct" "$(grep -nE '^typedef struct' "${product[@]}")"
check "no blank at line ends" "$(grep -nE '[[:blank:]]+$' "${sources[@]}")"
check "no path of one machine" "$(grep -nE '(/work/|/root/|/home/)' "${sources[@]}" README.md ARCHITECTURE.md CONTRIBUTING.md |
	grep -v '^tests/style/style.sh:')"
check "ARCHITECTURE.md names every room" "$(for d in lib/*/; do
	grep -q "^ *\(lib/\)\?$(basename "$d")/" ARCHITECTURE.md || echo "$d"
done)"

[ $fails = 0 ] || echo "$fails rules are broken"
exit $((fails > 0))
