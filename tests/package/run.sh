#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# ./run test where other users may not come: on a copy, with its logs and exit status here. run.sh SOURCES
set -u
export LC_ALL=C.UTF-8
[ "$(id -u)" = 0 ] || { echo "needs root: only root's tests become another user"; exit 77; }
fails=0
top=$(mktemp -d /tmp/losslessd.XXXXXX) || exit 1
trap 'rm -rf "$top"' EXIT

check() { # WHAT COMMAND...
	local what=$1
	shift
	if "$@"; then
		echo "ok   $what"
	else
		echo "FAIL $what"
		fails=$((fails + 1))
	fi
}

# The script itself, with a test that says where it is instead of all others
mkdir -p "$top/src/tests/lab" "$top/src/build-test"
sed '/^cmd_test() {/a\	echo "in $PWD"; ls; echo said > "$LOGS/said"; exit 3' "$1/run" > "$top/src/run"
printf '#!/bin/sh\n' > "$top/src/tests/lab/lab"
chmod 755 "$top/src/run" "$top/src/tests/lab/lab"
check "the test is in it" grep -q 'exit 3$' "$top/src/run"

# tested MODE: of the folder above
tested() {
	rm -rf "$top/src/build-logs"
	chmod "$1" "$top"
	env -u LOSSLESS_COPY "$top/src/run" test > "$top/out" 2>&1
	status=$?
	place=$(sed -n 's/^in //p' "$top/out")
}
tested 700
check "mode 0700: in a copy" test "${place#/var/tmp/losslessd.}" != "$place"
check "mode 0700: it says so" grep -q "^run: other users cannot read $top/src, " "$top/out"
check "mode 0700: without what was built" sh -c "! grep -qx build-test '$top/out'"
check "mode 0700: the exit status is that of the copy" test $status = 3
check "mode 0700: the log is here" test -s "$top/src/build-logs/said"
check "mode 0700: the copy is gone" test ! -e "${place%/losslessd}"
tested 755
check "mode 0755: in place" test "$place" = "$top/src"
check "mode 0755: the exit status" test $status = 3
exit $((fails > 0))
