// SPDX-License-Identifier: LGPL-2.1-or-later
/* Wanted and found, within what the hardware rounds. */
#include "lib/switch/compare.h"

#include "lib/switch/render.h"

static bool within(uint64_t want, uint64_t have, unsigned int percent)
{
	uint64_t difference = want > have ? want - have : have - want;

	return difference <= want / 100 * percent + want % 100 * percent / 100;
}

static bool field_equal(const struct switch_field *field, unsigned int tolerance, uint64_t want,
			uint64_t have)
{
	if (want == SWITCH_ABSENT)
		return true;
	if (have == SWITCH_ABSENT)
		return false;
	if (field->unit == UNIT_BYTES || field->unit == UNIT_MS)
		return within(want, have, tolerance);
	return want == have;
}

bool entry_equal(const struct switch_knob_info *knob, const struct variant *variant,
		 const struct switch_entry *want, const struct switch_entry *have)
{
	for (size_t i = 0; i < knob->n_fields; i++)
		if ((variant->read.told & (1U << i)) &&
		    !field_equal(&knob->field[i], variant->read.tolerance_percent, want->field[i],
				 have->field[i]))
			return false;
	return true;
}

/* Each entry of @want is in @have. */
static bool has_entries(const struct switch_knob_info *knob, const struct variant *variant,
			const struct switch_value *want, const struct switch_value *have)
{
	for (size_t i = 0; i < want->n; i++) {
		const struct switch_entry *found = switch_value_find(have, want->entry[i].key);

		if (!found || !entry_equal(knob, variant, &want->entry[i], found))
			return false;
	}
	return true;
}

bool values_same(const struct switch_knob_info *knob, const struct variant *variant,
		 const struct switch_value *want, const struct switch_value *have)
{
	return want->status == SWITCH_KNOWN && have->status == SWITCH_KNOWN && want->n == have->n &&
	       has_entries(knob, variant, want, have);
}

const struct switch_entry *entry_default(const struct switch_knob_info *knob,
					 const struct variant *variant, uint32_t key)
{
	return variant->read.by_key ? switch_value_find(&variant->read.fallback, key) : NULL;
}

/* Does a map have it by itself? */
static bool is_native(const struct switch_knob_info *knob, const struct variant *variant,
		      const struct switch_entry *entry)
{
	const struct switch_entry *fallback = entry_default(knob, variant, entry->key);

	return (variant->each.has_fill && entry->field[0] == variant->each.fill) ||
	       (fallback && entry->field[0] == fallback->field[0]);
}

/* How many entries of @have are not in @want, but for those that a map has by itself. */
static size_t extras(const struct switch_knob_info *knob, const struct variant *variant,
		     const struct switch_value *want, const struct switch_value *have)
{
	size_t n = 0;

	for (size_t i = 0; i < have->n; i++)
		n += !is_native(knob, variant, &have->entry[i]) &&
		     !switch_value_find(want, have->entry[i].key);
	return n;
}

bool switch_value_equal(const struct dialect *dialect, const struct dialect_setting *settings,
			size_t n, enum switch_knob knob, const struct switch_value *want,
			const struct switch_value *have, bool exclusive)
{
	const char *vars[VARS_MAX];
	const struct variant *variant;
	char why[8];

	(void)dialect_vars(dialect, settings, n, vars, why, sizeof(why));
	variant = dialect_variant(dialect, knob, vars);
	if (!variant || want->status != SWITCH_KNOWN || have->status != SWITCH_KNOWN)
		return false;
	if (switch_value_is_off(knob, want) && switch_value_is_off(knob, have))
		return true;
	return has_entries(&switch_knob_table[knob], variant, want, have) &&
	       (!exclusive || extras(&switch_knob_table[knob], variant, want, have) == 0);
}
