// SPDX-License-Identifier: LGPL-2.1-or-later
/* Values and places of a report in a table. */
#include "lib/report/cells.h"

#include <string.h>

#include "lib/report/facts.h"

const struct table_column plan_columns[PLAN_COLUMNS] = {
	{ "TARGET", TABLE_SHRINKS_NEVER },
	{ "KNOB" },
	{ "NOW", TABLE_SHRINKS_LAST },
	{ "THEN", TABLE_SHRINKS_LAST },
	{ "WHERE", TABLE_SHRINKS_NEVER },
	{ "NOTE", TABLE_SHRINKS_FIRST, .below = true },
};

/*
 * A value for a cell: what cannot be said, and a map that has nothing of what is wanted, is ""
 * (shown as a dash).
 */
static void format_value(enum knob knob, const struct value *value, const struct value *beside,
			 char *text, size_t size)
{
	const struct knob_info *info = &knob_table[knob];

	text[0] = '\0';
	if (value->status != VALUE_KNOWN)
		return;
	value_format_beside(info, value, beside, text, size);
	if (info->kind == VALUE_DSCP_MAP && strcmp(text, "none") == 0)
		text[0] = '\0';
}

void cell_value(struct table *table, size_t column, enum knob knob, const struct value *value,
		const struct value *beside)
{
	char text[VALUE_TEXT_MAX];

	format_value(knob, value, beside, text, sizeof(text));
	table_cell(table, column, TINT_NONE, "%s", text);
}

void cell_where(struct table *table, size_t column, const char *file, struct position where)
{
	if (where.line && *file)
		table_cell(table, column, TINT_NONE, "%s:%u", file_base(file), where.line);
}

const char *plural(size_t n)
{
	return n == 1 ? "" : "s";
}
