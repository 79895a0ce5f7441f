/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What is not in order: each value with want, have, since when and why; and what to do next. */
#pragma once

#include "lib/report/table.h"

/* Columns of that table, for those who add rows. */
enum { FINDING_WHERE = 5, FINDING_SINCE, FINDING_NOTE };

/* Since when a row is so, if that is known. */
void finding_since(struct table *table, const struct report *report,
		   const struct report_style *style, int64_t since_s);

/*
 * The table, and that of cables whose ends differ; each behind an empty line. Returns false if
 * there is nothing to write.
 */
bool findings_write(const struct report *report, const struct report_style *style, FILE *out);

/* "returns in 90 s (14:04:41) unless losslessctl confirm", if it does. */
void confirm_write(const struct report *report, const struct report_style *style, FILE *out);

/* "next: losslessctl apply --once": a line for each thing to do, the most urgent first. */
void next_write(const struct report *report, FILE *out);
