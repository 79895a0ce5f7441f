/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The history: one JSON line for each knob that was changed. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "lib/reconcile/plan.h"
#include "lib/report/report.h"

/*
 * The lines of all steps of @plan that wrote something; the caller frees. Returns 0, -ENODATA if
 * there are none, -ENOMEM.
 */
int history_format(const struct plan *plan, uint64_t generation, const char *cause, int64_t unix_s,
		   char **ret_text, size_t *ret_size);

/* The same of a switch: what differed in @before and is in sync in @after. */
int history_format_switch(const struct switch_state *before, const struct switch_state *after,
			  uint64_t generation, const char *cause, int64_t unix_s, char **ret_text,
			  size_t *ret_size);

enum { HISTORY_BAD_MAX = 8 };

/* Lines that are no record of a change: how many, and the first of them. */
struct history_bad {
	size_t n;
	uint64_t line[HISTORY_BAD_MAX];
};

/*
 * Write the last @n lines of @in, as store_end() made them, to @out: as a table, or as they are
 * (@json); but for @ret_bad, counted from 1. Returns 0, or a negative errno of reading or -ENOMEM.
 */
int history_write(FILE *in, uint64_t n, bool json, const struct report_style *style, FILE *out,
		  struct history_bad *ret_bad);
