/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Are values what is wanted, as a dialect says how exactly a switch keeps them. */
#pragma once

#include "lib/switch/dialect-internal.h"

/* Numbers of @have as @want has them; those that @want leaves open, and those
 * that the switch cannot tell, count for nothing. */
bool entry_equal(const struct switch_knob_info *knob, const struct variant *variant,
		 const struct switch_entry *want, const struct switch_entry *have);

/* Both known, the same keys, and equal entries. */
bool values_same(const struct switch_knob_info *knob, const struct variant *variant,
		 const struct switch_value *want, const struct switch_value *have);

/* What a map has for @key by itself; NULL if the dialect does not say so. */
const struct switch_entry *entry_default(const struct switch_knob_info *knob,
					 const struct variant *variant, uint32_t key);
