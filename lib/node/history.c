// SPDX-License-Identifier: LGPL-2.1-or-later
/* From JSON lines to a table, line by line checked: the file may have been edited. */
#include "lib/node/history.h"

#include <errno.h>
#include <jansson.h>
#include <time.h>

#include "lib/base/cleanup.h"
#include "lib/base/macro.h"
#include "lib/report/table.h"

enum { LINE_MAX_BYTES = 16 * 1024 };

static void cell_time(struct table *table, json_int_t seconds)
{
	time_t when = (time_t)seconds;
	struct tm local = {};
	char text[64] = "";

	if (localtime_r(&when, &local))
		(void)strftime(text, sizeof(text), "%F %T", &local);
	table_cell(table, 0, TINT_NONE, "%s", text);
}

static int add_row(struct table *table, const char *line)
{
	json_auto_t *record = json_loads(line, 0, NULL);
	const char *target, *knob, *from, *to, *cause;
	json_int_t seconds, generation;

	if (!record || json_unpack(record, "{s:I, s:I, s:s, s:s, s:s, s:s, s:s}", "time", &seconds,
				   "generation", &generation, "target", &target, "knob", &knob,
				   "from", &from, "to", &to, "cause", &cause) < 0)
		return -EBADMSG;
	table_row(table);
	cell_time(table, seconds);
	table_cell(table, 1, TINT_NONE, "%lld", (long long)generation);
	table_cell(table, 2, TINT_NONE, "%s", cause);
	table_cell(table, 3, TINT_NONE, "%s", target);
	table_cell(table, 4, TINT_NONE, "%s", knob);
	table_cell(table, 5, TINT_NONE, "%s", from);
	table_cell(table, 6, TINT_NONE, "%s", to);
	return 0;
}

int history_write(FILE *in, bool json, const struct report_style *style, FILE *out)
{
	static const struct table_column columns[] = {
		{ "TIME" }, { "GENERATION" }, { "CAUSE" }, { "TARGET" },
		{ "KNOB" }, { "FROM", TABLE_SHRINKS_LAST }, { "TO", TABLE_SHRINKS_LAST },
	};
	_cleanup_(table_done) struct table table = { .columns = columns,
						     .n_columns = ARRAY_SIZE(columns) };
	_cleanup_free_ char *line = NULL;
	size_t room = 0;
	ssize_t size;
	int r = 0;

	while (r == 0 && (size = getline(&line, &room, in)) > 0) {
		if (size > LINE_MAX_BYTES)
			return -EBADMSG;
		r = json ? 0 : add_row(&table, line);
		if (json)
			(void)fputs(line, out);
	}
	if (!json && (table.n_rows || table.oom))
		table_write(&table, style, out);
	return r;
}
