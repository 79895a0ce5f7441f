/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tables of changes and the lines that they become, one for each dialect. */
#pragma once

#include "tests/switch/dialect-case.h"

enum { CHANGES_MAX = 16, SETTINGS_MAX = 4 };

struct case_change {
	enum switch_knob knob;
	const char *port;
	const char *from; /* as case_value(); NULL: nothing is known */
	const char *to; /* NULL: unmanaged */
};

struct render_case {
	const char *name;
	struct dialect_setting settings[SETTINGS_MAX]; /* end with a name of NULL */
	struct case_change changes[CHANGES_MAX]; /* end where @from and @to are NULL */
	/* Each with a newline; "> " leads somewhere, "< " back up. */
	const char *lines;
	const char *why; /* in the sentence, if it is refused */
};

/* Run one case; fails the test with its name. */
void render_case(const struct dialect *dialect, const struct render_case *c);

/* Run @n cases with config/dialects/DIALECT.yaml. */
void render_cases(const char *dialect, const struct render_case *cases, size_t n);

/* The lines of a verb of the transaction, each with a newline. */
void render_verb_case(const char *dialect, enum transaction_verb verb, unsigned int seconds,
		      const char *lines);
