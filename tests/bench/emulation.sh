#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# CPU time of the same work here and in the lab, whose CPU is emulated: 20 plans of the golden node with 8 rails.
# emulation.sh WHERE LOSSLESSCTL SOURCES
set -eu
plan() {
	"$ctl" plan -f "$golden/rails.yaml" --root "$golden/rails.bundle" > /dev/null || [ $? = 2 ]
}
ctl=$2 golden=$3/tests/golden
plan # from memory, then
TIMEFORMAT="| 20 plans of 8 rails, $1 | %U s | %S s |"
time for _ in {1..20}; do plan; done
