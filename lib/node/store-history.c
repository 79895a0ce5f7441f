// SPDX-License-Identifier: LGPL-2.1-or-later
/* JSON lines of what was changed, by what cause, from what to what; and a table of them. */
#include "lib/node/store-history.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <time.h>

#include "lib/base/cleanup.h"
#include "lib/base/macro.h"
#include "lib/report/json.h"
#include "lib/report/table.h"
#include "lib/report/when.h"

static int put_line(FILE *out, const char *target, const char *knob, const char *from,
		    const char *to, json_t *head)
{
	json_t *line;
	int r;

	line = json_pack("{s:o, s:s, s:o, s:o}", "target", json_text(target), "knob", knob, "from",
			 json_text(from), "to", json_text(to));
	if (!line || json_object_update_missing(line, head) < 0) {
		json_decref(line);
		return -ENOMEM;
	}
	r = json_dumpf(line, out, JSON_COMPACT | JSON_SORT_KEYS);
	json_decref(line);
	(void)fputc('\n', out);
	return r < 0 ? -ENOMEM : 0;
}

static int put_change(FILE *out, const struct plan *plan, const struct step *step, enum knob knob,
		      json_t *head)
{
	const struct state *want = &plan->want->list[step->target];
	const struct state *have = &plan->have->list[step->target];
	char from[VALUE_TEXT_MAX], to[VALUE_TEXT_MAX];

	value_format_beside(&knob_table[knob], &have->value[knob], &want->value[knob], from,
			    sizeof(from));
	value_format(&knob_table[knob], &want->value[knob], to, sizeof(to));
	return put_line(out, want->target.name, knob_table[knob].name, from, to, head);
}

static int put_changes(FILE *out, const struct plan *plan, json_t *head)
{
	int lines = 0;
	int r;

	for (size_t i = 0; i < plan->n_steps; i++) {
		const struct step *step = &plan->steps[i];

		for (size_t k = 0; step->outcome == STEP_DONE && k < step->n_knobs; k++) {
			r = put_change(out, plan, step, step->knob[k], head);
			if (r < 0)
				return r;
			lines++;
		}
	}
	return lines;
}

/* What was found to differ, and does no longer: a finding that was not read again says nothing. */
static int put_switch(FILE *out, const struct switch_state *before,
		      const struct switch_state *after, json_t *head)
{
	int lines = 0, r;

	for (size_t i = 0; i < before->n; i++) {
		const struct switch_finding *from = &before->findings[i], *to;
		char target[SWITCH_NAME_MAX_BYTES + SWITCH_PORT_MAX];

		to = switch_state_find(after, from->port, from->knob);
		if (from->verdict != VERDICT_DRIFT || !to || to->verdict != VERDICT_IN_SYNC)
			continue;
		(void)snprintf(target, sizeof(target), "%s%s%s", before->name,
			       *from->port ? "/" : "", from->port);
		r = put_line(out, target, switch_knob_table[from->knob].name, from->have,
			     from->want, head);
		if (r < 0)
			return r;
		lines++;
	}
	return lines;
}

/* What one entry of the history is about: a plan, or a switch before and after. */
struct entry {
	const struct plan *plan;
	const struct switch_state *before, *after;
};

static int format(const struct entry *entry, uint64_t generation, const char *cause, int64_t unix_s,
		  char **ret_text, size_t *ret_size)
{
	_cleanup_free_ char *text = NULL;
	size_t size = 0;
	json_t *head;
	FILE *out;
	int r;

	head = json_pack("{s:I, s:I, s:s}", "time", (json_int_t)unix_s, "generation",
			 (json_int_t)generation, "cause", cause);
	out = open_memstream(&text, &size);
	if (!head || !out) {
		json_decref(head);
		if (out)
			(void)fclose(out);
		return -ENOMEM;
	}
	r = entry->plan ? put_changes(out, entry->plan, head) :
			  put_switch(out, entry->before, entry->after, head);
	json_decref(head);
	if (fclose(out) != 0 || r < 0)
		return -ENOMEM;
	if (r == 0)
		return -ENODATA;
	*ret_text = TAKE_PTR(text);
	*ret_size = size;
	return 0;
}

int history_format(const struct plan *plan, uint64_t generation, const char *cause, int64_t unix_s,
		   char **ret_text, size_t *ret_size)
{
	const struct entry entry = { .plan = plan };

	return format(&entry, generation, cause, unix_s, ret_text, ret_size);
}

int history_format_switch(const struct switch_state *before, const struct switch_state *after,
			  uint64_t generation, const char *cause, int64_t unix_s, char **ret_text,
			  size_t *ret_size)
{
	const struct entry entry = { .before = before, .after = after };

	return format(&entry, generation, cause, unix_s, ret_text, ret_size);
}

/* ---- reading it: line by line checked, for the file may have been edited ---- */

enum { LINE_MAX_BYTES = 16 * 1024 };

/* Forget all but the last @n lines of @in. Returns how many. */
static uint64_t skip_to_last(FILE *in, uint64_t n)
{
	uint64_t lines = 0, skipped = 0;
	int c, before = '\n';

	while ((c = getc(in)) != EOF) {
		lines += before == '\n';
		before = c;
	}
	rewind(in);
	while (lines - skipped > n && (c = getc(in)) != EOF)
		skipped += c == '\n';
	return skipped;
}

static void cell_time(struct table *table, const struct report_style *style, json_int_t seconds)
{
	char text[WHEN_TEXT_MAX];

	if (style->width)
		when_ago(seconds, (int64_t)time(NULL), text);
	else
		when_stamp(seconds, text);
	table_cell(table, 0, TINT_NONE, "%s", text);
}

static int add_row(struct table *table, const struct report_style *style, const char *line,
		   size_t size)
{
	json_auto_t *record = size > LINE_MAX_BYTES ? NULL : json_loadb(line, size, 0, NULL);
	const char *target, *knob, *from, *to, *cause;
	json_int_t seconds, generation;

	if (!record || json_unpack(record, "{s:I, s:I, s:s, s:s, s:s, s:s, s:s}", "time", &seconds,
				   "generation", &generation, "target", &target, "knob", &knob,
				   "from", &from, "to", &to, "cause", &cause) < 0)
		return -EBADMSG;
	table_row(table);
	cell_time(table, style, seconds);
	table_cell(table, 1, TINT_NONE, "%lld", (long long)generation);
	table_cell(table, 2, TINT_NONE, "%s", cause);
	table_cell(table, 3, TINT_NONE, "%s", target);
	table_cell(table, 4, TINT_NONE, "%s", knob);
	table_cell(table, 5, TINT_NONE, "%s", from);
	table_cell(table, 6, TINT_NONE, "%s", to);
	return 0;
}

static void add_bad(struct history_bad *bad, uint64_t line)
{
	if (bad->n < HISTORY_BAD_MAX)
		bad->line[bad->n] = line;
	bad->n++;
}

int history_write(FILE *in, uint64_t n, bool json, const struct report_style *style, FILE *out,
		  struct history_bad *ret_bad)
{
	static const struct table_column columns[] = {
		{ "TIME" }, { "GENERATION" }, { "CAUSE" }, { "TARGET" },
		{ "KNOB" }, { "FROM", TABLE_SHRINKS_LAST }, { "TO", TABLE_SHRINKS_LAST },
	};
	_cleanup_(table_done) struct table table = { .columns = columns,
						     .n_columns = ARRAY_SIZE(columns) };
	_cleanup_free_ char *line = NULL;
	uint64_t number = skip_to_last(in, n);
	size_t room = 0;
	ssize_t got;
	int r;

	*ret_bad = (struct history_bad){};
	while ((got = getline(&line, &room, in)) > 0) {
		size_t size = (size_t)got - (line[got - 1] == '\n');

		number++;
		if (add_row(&table, style, line, size) < 0)
			add_bad(ret_bad, number);
		else if (json)
			(void)fprintf(out, "%.*s\n", (int)size, line);
	}
	r = feof(in) ? 0 : -errno;
	if (!json && (table.n_rows || table.oom))
		table_write(&table, style, out);
	return r;
}
