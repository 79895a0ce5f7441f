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

/*
 * Write the lines of @in, as store_end() made them, to @out: as a table, or as they are (@json).
 * Returns 0; -EBADMSG at a line that is none; -ENOMEM.
 */
int history_write(FILE *in, bool json, const struct report_style *style, FILE *out);
