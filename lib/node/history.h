/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The history as people and programs read it. */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "lib/report/report.h"

/*
 * Write the lines of @in, as store_end() made them, to @out: as a table, or as they are (@json).
 * Returns 0; -EBADMSG at a line that is none; -ENOMEM.
 */
int history_write(FILE *in, bool json, const struct report_style *style, FILE *out);
