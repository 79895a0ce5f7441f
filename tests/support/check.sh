# SPDX-License-Identifier: LGPL-2.1-or-later
# Sourced by tests that hold one command after the other, in a folder of their own: how each is told and counted in $fails.
fails=0

# check WHAT COMMAND...: what COMMAND and the file err say is shown where it fails
check() {
	local what=$1
	shift
	if "$@" > held 2>&1; then
		echo "ok   $what"
	else
		echo "FAIL $what"
		sed 's/^/     | /' held out err | cut -c 1-200 | head -n 40
		fails=$((fails + 1))
	fi
}
