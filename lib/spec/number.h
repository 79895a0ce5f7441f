/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Whole numbers and quantities, from the text of a scalar to a checked value. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/cleanup.h"

enum { TROUBLE_MAX = 256 };

/* Why a text was refused, with what to write instead; without the name of the key. */
struct trouble {
	char text[TROUBLE_MAX];
};

/* Always false, so that a parser can return it. */
bool trouble_set(struct trouble *trouble, const char *format, ...) _printf_(2, 3);

/* A text as messages show it: cut when it is long. */
struct shown {
	char text[64];
};
struct shown shown(const char *text);

struct unit {
	const char *name; /* NULL ends a list */
	uint64_t factor;
};

extern const struct unit size_units[]; /* to bytes */
extern const struct unit time_units[]; /* to milliseconds */
extern const struct unit rate_units[]; /* to kbit/s */
extern const struct unit percent_units[];
extern const struct unit length_units[]; /* to metres */

/*
 * Read @text: decimal digits, or 0x and hexadecimal digits; with @units a decimal number and one
 * unit. The range, in the smallest unit, is checked on the full-width number. On failure
 * @ret_trouble has the value as written and what is allowed.
 */
bool number_parse(const char *text, uint64_t min, uint64_t max, const struct unit *units,
		  uint64_t *ret, struct trouble *ret_trouble);

/* "0..63", "1m..999m": each end in the largest unit that divides it; @units may be NULL. */
struct shown range_shown(uint64_t min, uint64_t max, const struct unit *units);

/* True for a key like 26:3, which is one text to YAML; @ret_split is where the colon is. */
bool number_has_colon(const char *text, size_t *ret_split);
