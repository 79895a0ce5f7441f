/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Cells that more than one table has. */
#pragma once

#include "lib/report/table.h"

/* A plan, of NICs as of switches. */
enum { PLAN_COLUMNS = 6 };
extern const struct table_column plan_columns[PLAN_COLUMNS];

/* @value as it reads beside another; what cannot be said, and an empty map, is a dash. */
void cell_value(struct table *table, size_t column, enum knob knob, const struct value *value,
		const struct value *beside);

/* "fabric.yaml:7"; nothing for a place without a line. */
void cell_where(struct table *table, size_t column, const char *file, struct position where);

/* "s" where there is not just one. */
const char *plural(size_t n);
