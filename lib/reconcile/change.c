// SPDX-License-Identifier: LGPL-2.1-or-later
/* Compare and set: the comparisons of one knob, by what its write edits. */
#include "lib/reconcile/change.h"

/* What a step of its kind brings about: an add does not take away, a delete does not give. */
static bool map_reached(const struct change *change, const struct dscp_map *want,
			const struct dscp_map *have)
{
	for (unsigned int i = 0; i < DSCPS; i++) {
		if (!(want->named & change->parts & dscp_bit(i)))
			continue;
		if (change->op != STEP_DELETE && (want->priorities[i] & ~have->priorities[i]))
			return false;
		if (change->op != STEP_ADD && (have->priorities[i] & ~want->priorities[i]))
			return false;
	}
	return true;
}

bool change_reached(const struct change *change, enum knob knob, const struct value *want,
		    const struct value *have)
{
	if (have->status != VALUE_KNOWN)
		return false;
	if (knob_table[knob].kind == VALUE_DSCP_MAP)
		return map_reached(change, &want->data.map, &have->data.map);
	return (value_difference(&knob_table[knob], want, have) & change->parts) == 0;
}

bool change_expected(const struct change *change, enum knob knob, const struct value *seen,
		     const struct value *have)
{
	const struct knob_info *info = &knob_table[knob];

	if (seen->status != have->status)
		return false;
	if (seen->status != VALUE_KNOWN)
		return true;
	/* Both ways: what was found has to be equal, not good enough */
	return ((value_difference(info, seen, have) | value_difference(info, have, seen)) &
		change->parts) == 0;
}
