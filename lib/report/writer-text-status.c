// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The status for people: whether all is in sync, what is not and since when, the targets, what is
 * worth knowing, and last what to do. Each part behind an empty line. A terminal gets those that
 * are in sync together, a file a line for each.
 */
#include "lib/report/writer-text.h"

#include <inttypes.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/macro.h"
#include "lib/report/cells.h"
#include "lib/report/facts.h"
#include "lib/report/findings.h"
#include "lib/report/names.h"
#include "lib/report/notes.h"
#include "lib/report/switches.h"
#include "lib/report/table.h"
#include "lib/report/when.h"
#include "lib/report/width.h"

enum {
	NAMES_MAX = 8,		/* told of those that stand together */
	OTHERS_MAX = 2,		/* ... that are not ours */
	FRESH_S = 5,		/* what was read so long ago is what is so */
};

/* ---- head ---- */

/* What is true on this node, and since when that is known. */
static void write_force(const struct report *report, const struct report_style *style, FILE *out)
{
	bool tells_age = report->read_s &&
			 (style->width || report->now_s - report->read_s >= FRESH_S);
	const char *separator = tells_age ? "\n" : "; ";
	char text[WHEN_TEXT_MAX];

	if (report->generation) {
		(void)fprintf(out, "%sgeneration %" PRIu64 " in force", separator,
			      report->generation);
		separator = ", ";
	}
	if (tells_age && style->width)
		when_ago(report->read_s, report->now_s, text);
	else if (tells_age)
		when_stamp(report->read_s, text);
	if (tells_age)
		(void)fprintf(out, "%sread %s", separator, text);
}

static void write_head(const struct report *report, const struct report_style *style, FILE *out)
{
	printable_put(out, "fabric %s, node %s, compared with %s", report->fabric, report->node,
		      file_base(report->file));
	write_force(report, style, out);
	(void)fputc('\n', out);
	confirm_write(report, style, out);
	if (report->interrupted)
		(void)fprintf(out,
			      "%s interrupted: apply --once brings the file in force, "
			      "rollback --once returns\n",
			      report->interrupted);
	warnings_write(report, style, out);
}

/* ---- targets ---- */

/* Those that stand in one line. */
struct together {
	const char **names;
	size_t n;
	size_t room;
	const char *driver;	/* of all of them; NULL: they have several */
};

static int together_add(struct together *together, const char *name, const char *driver)
{
	int r = array_grow(&together->names, together->n, &together->room,
			   sizeof(*together->names));

	if (r < 0)
		return r;
	if (together->n == 0)
		together->driver = driver;
	else if (together->driver && strcmp(together->driver, driver) != 0)
		together->driver = NULL;
	together->names[together->n++] = name;
	return 0;
}

/* Their line: "rail[0-7]  in-sync  8 ports, mlx5_core". */
static void together_row(struct table *table, const struct together *together,
			 enum verdict verdict, size_t max, const char *what)
{
	_cleanup_free_ char *names = names_fold(together->names, together->n, max);
	const char *driver = together->driver ?: "";

	if (!names) {
		table->oom = true;
		return;
	}
	table_row(table);
	table_cell(table, 0, TINT_NONE, "%s", names);
	table_cell(table, 1, verdict_tint(verdict), "%s", verdict_name(verdict));
	table_cell(table, 2, TINT_NONE, "%zu %s%s%s", together->n, what, *driver ? ", " : "",
		   driver);
}

static void target_row(struct table *table, const struct plan *plan, size_t index)
{
	const struct target *target = &plan->want->list[index].target;
	enum verdict verdict = target_verdict(plan, index);
	char text[FACT_TEXT_MAX];

	target_describe(target, text, sizeof(text));
	table_row(table);
	table_cell(table, 0, TINT_NONE, "%s", target->name);
	table_cell(table, 1, verdict_tint(verdict), "%s", verdict_name(verdict));
	table_cell(table, 2, TINT_NONE, "%s", text);
}

static bool is_well(const struct plan *plan, size_t index)
{
	return target_verdict(plan, index) == VERDICT_IN_SYNC;
}

/* Targets of one kind that are in sync: together if there are many, else where they stand. */
static void kind_rows(struct table *table, const struct plan *plan, enum target_kind kind)
{
	static const char *const whats[] = {
		[TARGET_PORT] = "ports", [TARGET_RDMA] = "RDMA devices"
	};
	static_assert(ARRAY_SIZE(whats) == TARGET_KIND_MAX, "a noun for each kind");
	struct together together = {};

	for (size_t i = 0; i < plan->want->n; i++) {
		const struct target *target = &plan->want->list[i].target;

		if (target->kind == kind && is_well(plan, i) &&
		    together_add(&together, target->name, target->nic.driver) < 0)
			table->oom = true;
	}
	if (together.n >= TOGETHER_MIN)
		together_row(table, &together, VERDICT_IN_SYNC, NAMES_MAX, whats[kind]);
	for (size_t i = 0; i < plan->want->n; i++)
		if (together.n < TOGETHER_MIN && plan->want->list[i].target.kind == kind &&
		    is_well(plan, i))
			target_row(table, plan, i);
	free(together.names);
}

/* Switches that are well, or that other nodes keep. */
static void switch_rows(struct table *table, const struct switch_states *states, bool others)
{
	struct together together = {};

	for (size_t i = 0; states && i < states->n; i++) {
		const struct switch_state *state = &states->list[i];

		if (others ? state->calm == SWITCH_OF_ANOTHER :
			     switch_state_verdict(state) == VERDICT_IN_SYNC)
			if (together_add(&together, state->name, state->dialect) < 0)
				table->oom = true;
	}
	if (together.n >= TOGETHER_MIN)
		together_row(table, &together, others ? VERDICT_UNKNOWN : VERDICT_IN_SYNC,
			     others ? OTHERS_MAX : NAMES_MAX,
			     others ? "switches of other nodes" : "switches");
	for (size_t i = 0; i < together.n && together.n < TOGETHER_MIN; i++)
		switch_target_row(table, switch_states_find(states, together.names[i]));
	free(together.names);
}

/* What is not in sync stands first, in lines of its own. */
static void rows_together(struct table *table, const struct report *report)
{
	const struct switch_states *states = report->switches;

	for (size_t i = 0; states && i < states->n; i++)
		if (states->list[i].calm != SWITCH_OF_ANOTHER &&
		    switch_state_verdict(&states->list[i]) != VERDICT_IN_SYNC)
			switch_target_row(table, &states->list[i]);
	for (size_t i = 0; i < report->plan->want->n; i++)
		if (!is_well(report->plan, i))
			target_row(table, report->plan, i);
	for (enum target_kind kind = 0; kind < TARGET_KIND_MAX; kind++)
		kind_rows(table, report->plan, kind);
	switch_rows(table, states, false);
	switch_rows(table, states, true);
}

static bool is_crowded(const struct report *report)
{
	return plan_is_crowded(report->plan) ||
	       (report->switches && report->switches->n >= TOGETHER_MIN);
}

static void rows_each(struct table *table, const struct report *report)
{
	for (size_t i = 0; report->switches && i < report->switches->n; i++)
		switch_target_row(table, &report->switches->list[i]);
	for (size_t i = 0; i < report->plan->want->n; i++)
		target_row(table, report->plan, i);
}

static void write_targets(const struct report *report, const struct report_style *style, FILE *out)
{
	static const struct table_column columns[] = {
		{ "TARGET", TABLE_SHRINKS_FIRST },
		{ "VERDICT" },
		{ "DEVICE", TABLE_SHRINKS_FIRST },
	};
	_cleanup_(table_done) struct table table = { .columns = columns,
						     .n_columns = ARRAY_SIZE(columns) };

	if (style->width && is_crowded(report))
		rows_together(&table, report);
	else
		rows_each(&table, report);
	if (table.n_rows == 0 && !table.oom)
		return;
	(void)fputc('\n', out);
	table_write(&table, style, out);
}

/* ---- notes ---- */

/*
 * Also what is in order and has something to be said: the index of a GID, rules beside a traffic
 * class.
 */
static bool is_worth_knowing(const struct plan *plan, const struct finding *finding)
{
	return finding->exit == STATUS_OK &&
	       (finding->verdict != VERDICT_IN_SYNC || *finding->reason);
}

/* Sentences that @write has to say, to fit, behind @before; nothing if it has none. */
static void write_part(const struct report *report, const struct report_style *style,
		       const char *before,
		       void (*write)(const struct report *report, const struct report_style *style,
				     FILE *out),
		       FILE *out)
{
	_cleanup_free_ char *text = NULL;
	size_t size = 0;
	FILE *part = open_memstream(&text, &size);

	if (!part)
		return;
	write(report, style, part);
	if (fclose(part) != 0 || size == 0)
		return;
	(void)fputs(before, out);
	lines_write(style, 0, text, out);
}

static void write_notes(const struct report *report, const struct report_style *style, FILE *out)
{
	notes_write(report->plan, is_worth_knowing, style, out);
	switches_write_notes(report, style, out);
}

static void write_next(const struct report *report, const struct report_style *style, FILE *out)
{
	next_write(report, out);
}

void status_write_text(const struct report *report, const struct report_style *style, FILE *out)
{
	totals_write(report, style, out);
	write_part(report, style, "", write_head, out);
	(void)findings_write(report, style, out);
	write_targets(report, style, out);
	write_part(report, style, "\n", write_notes, out);
	write_part(report, style, "\n", write_next, out);
}
