# SPDX-License-Identifier: LGPL-2.1-or-later
# all.sh LOSSLESSCTL [BEHAVIOURS]: every check of losslessd against a real kernel, in one boot.
install -m 755 "$1" /run/losslessctl || exit 1
. "$LAB_HOME/tests/ctl.sh"
node_new
echo "ready at $(uptime_s)"
for part in apply counters verify faults refusals stack; do
	. "$LAB_HOME/tests/$part.sh"
	echo "$part done at $(uptime_s)"
done
if [ -n "${2:-}" ]; then
	unconfigure
	echo "-- the table of behaviours that the simulated node is held to"
	"$2" --lab $A mlx5_0 || fails=$((fails + 1))
fi
is "the kernel is content" "" kernel_complaints
done_with losslessd
