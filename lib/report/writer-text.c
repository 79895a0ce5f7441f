// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The report for people. What a change is, where it comes from and why stand in the plan; what is
 * not in order stands in one table (findings.c); what is only worth knowing stands below, as
 * sentences. The status has a file of its own.
 */
#include "lib/report/writer-text.h"

#include <string.h>

#include "lib/base/macro.h"
#include "lib/report/cables.h"
#include "lib/report/cells.h"
#include "lib/report/facts.h"
#include "lib/report/findings.h"
#include "lib/report/notes.h"
#include "lib/report/switches.h"
#include "lib/report/table.h"

static const enum tint verdict_tints[] = {
	[VERDICT_IN_SYNC] = TINT_GOOD,	   [VERDICT_DRIFT] = TINT_CHANGE,
	[VERDICT_PENDING] = TINT_CHANGE,   [VERDICT_CONTESTED] = TINT_BAD,
	[VERDICT_UNSUPPORTED] = TINT_NONE, [VERDICT_NOT_APPLICABLE] = TINT_NONE,
	[VERDICT_UNKNOWN] = TINT_CHANGE,   [VERDICT_FAILED] = TINT_BAD,
};
static_assert(ARRAY_SIZE(verdict_tints) == VERDICT_MAX, "a tint for each verdict");

enum tint verdict_tint(enum verdict verdict)
{
	return verdict_tints[verdict];
}

static const enum tint outcome_tints[] = {
	[STEP_PLANNED] = TINT_CHANGE, [STEP_DONE] = TINT_GOOD,	[STEP_ALREADY] = TINT_GOOD,
	[STEP_STALE] = TINT_CHANGE,   [STEP_FAILED] = TINT_BAD, [STEP_SKIPPED] = TINT_CHANGE,
};
static_assert(ARRAY_SIZE(outcome_tints) == STEP_OUTCOME_MAX, "a tint for each outcome");

/* "all 2 ports and 2 RDMA devices in sync", or "1 of 2 ports and 2 of 2 RDMA devices in sync" */
void totals_write(const struct report *report, const struct report_style *style, FILE *out)
{
	static const char *const nouns[] = {
		[TARGET_PORT] = "port", [TARGET_RDMA] = "RDMA device"
	};
	static_assert(ARRAY_SIZE(nouns) == TARGET_KIND_MAX, "a noun for each kind");
	struct report_counts counts = report_count(report);
	struct switch_counts switches = switches_count(report);
	bool all = switches.in_sync == switches.switches, many = switches.switches > 1;
	const char *separator = "";
	char text[FACT_TEXT_MAX];
	int used;

	for (size_t kind = 0; kind < TARGET_KIND_MAX; kind++) {
		all = all && counts.in_sync[kind] == counts.targets[kind];
		many = many || counts.targets[kind] > 1;
	}
	used = snprintf(text, sizeof(text), "%s", all && many ? "all " : "");
	for (size_t kind = 0; kind < TARGET_KIND_MAX; kind++) {
		if (!counts.targets[kind])
			continue;
		used += snprintf(text + used, sizeof(text) - (size_t)used, "%s", separator);
		if (!all)
			used += snprintf(text + used, sizeof(text) - (size_t)used, "%zu of ",
					 counts.in_sync[kind]);
		used += snprintf(text + used, sizeof(text) - (size_t)used, "%zu %s%s",
				 counts.targets[kind], nouns[kind], plural(counts.targets[kind]));
		separator = " and ";
	}
	if (switches.switches) {
		used += snprintf(text + used, sizeof(text) - (size_t)used, "%s", separator);
		if (!all)
			used += snprintf(text + used, sizeof(text) - (size_t)used, "%zu of ",
					 switches.in_sync);
		used += snprintf(text + used, sizeof(text) - (size_t)used, "%zu switch%s",
				 switches.switches, switches.switches == 1 ? "" : "es");
		separator = " and ";
	}
	if (!*separator)
		return;
	(void)snprintf(text + used, sizeof(text) - (size_t)used, " in sync");
	tint_write(style, all && report->exit == STATUS_OK ? TINT_GOOD : TINT_CHANGE, text, out);
	(void)fputc('\n', out);
}

/* ---- plan ---- */

static bool has_step(const struct plan *plan, const struct finding *finding)
{
	return finding->knob < KNOB_MAX && change_worst(plan, finding->target, finding->knob);
}

static bool beside_the_plan(const struct plan *plan, const struct finding *finding)
{
	return finding->verdict != VERDICT_IN_SYNC && !has_step(plan, finding);
}

static void plan_row(struct table *table, const struct report *report, const struct step *step,
		     enum knob knob)
{
	const struct plan *plan = report->plan;
	const struct value *want = &plan->want->list[step->target].value[knob];
	const struct value *have = &plan->have->list[step->target].value[knob];
	bool drops = step_knob_drops_link(plan, step, knob);

	table_row(table);
	table_cell(table, 0, TINT_NONE, "%s", plan->want->list[step->target].target.name);
	table_cell(table, 1, TINT_NONE, "%s", knob_name(knob));
	cell_value(table, 2, knob, have, want);
	cell_value(table, 3, knob, want, want);
	cell_where(table, 4, report->file, want->where);
	table_cell(table, 5, drops ? TINT_CHANGE : TINT_NONE, "%s%s%s",
		   drops ? "link drops for a moment" : "", drops && *want->note ? "; " : "",
		   want->note);
}

static void plan_rows(struct table *table, const struct report *report)
{
	for (size_t i = 0; i < report->plan->n_steps; i++) {
		const struct step *step = &report->plan->steps[i];

		for (size_t k = 0; k < step->n_knobs; k++)
			if (change_is_first(report->plan, i, step->knob[k]))
				plan_row(table, report, step, step->knob[k]);
	}
}

/* A port whose map needs several messages is named once. */
static bool note_is_told(const struct plan *plan, size_t step)
{
	for (size_t i = 0; i < step; i++)
		if (plan->steps[i].note == plan->steps[step].note &&
		    plan->steps[i].target == plan->steps[step].target)
			return true;
	return false;
}

static void write_step_note(const struct plan *plan, size_t first,
			    const struct report_style *style, FILE *out)
{
	const char *note = plan->steps[first].note;
	_cleanup_free_ char *names = NULL;
	size_t size;
	FILE *list = open_memstream(&names, &size);

	for (size_t i = first; list && i < plan->n_steps; i++)
		if (plan->steps[i].note == note && !note_is_told(plan, i))
			(void)fprintf(list, "%s%s", i > first ? ", " : "",
				      plan->want->list[plan->steps[i].target].target.name);
	if (list && fclose(list) == 0)
		line_put(style, out, "%s: %s", names, note);
}

/* What a step leaves behind that no rollback takes back; each is said once for all its targets. */
static void write_step_notes(const struct plan *plan, const struct report_style *style, FILE *out)
{
	for (size_t i = 0; i < plan->n_steps; i++) {
		size_t first = 0;

		while (plan->steps[first].note != plan->steps[i].note)
			first++;
		if (plan->steps[i].note && first == i)
			write_step_note(plan, i, style, out);
	}
}

static void write_plan(const struct report *report, const struct report_style *style, FILE *out)
{
	_cleanup_(table_done) struct table table = { .columns = plan_columns,
						     .n_columns = PLAN_COLUMNS };
	struct plan_counts counts = plan_count(report->plan);
	struct switch_counts switches = switches_count(report);
	size_t changes = counts.changes + switches.changes;
	size_t targets = counts.targets + switches.targets_changed;

	if (changes == 0) {
		(void)fputs("nothing to change; ", out);
		totals_write(report, style, out);
	} else {
		switches_plan_rows(&table, report);
		plan_rows(&table, report);
		table_write(&table, style, out);
		(void)fprintf(out, "%zu change%s on %zu target%s", changes, plural(changes),
			      targets, plural(targets));
		if (counts.may_drop_link)
			(void)fprintf(out, ", %zu may drop a link", counts.may_drop_link);
		(void)fputc('\n', out);
	}
	write_step_notes(report->plan, style, out);
	notes_write(report->plan, beside_the_plan, style, out);
	cables_write_notes(report, style, out);
	switches_write_notes(report, style, out);
}

static bool is_note(const struct plan *plan, const struct finding *finding)
{
	return finding->verdict != VERDICT_IN_SYNC && finding->exit == STATUS_OK;
}

/* ---- apply, rollback ---- */

static void change_row(struct table *table, const struct plan *plan, size_t target, enum knob knob)
{
	const struct step *step = change_worst(plan, target, knob);
	const struct value *want = &plan->want->list[target].value[knob];

	table_row(table);
	table_cell(table, 0, TINT_NONE, "%s", plan->want->list[target].target.name);
	table_cell(table, 1, TINT_NONE, "%s", knob_name(knob));
	cell_value(table, 2, knob, &plan->have->list[target].value[knob], want);
	table_cell(table, 3, TINT_NONE, "→");
	cell_value(table, 4, knob, want, want);
	table_cell(table, 5, outcome_tints[step->outcome], "%s", step_outcome_name(step->outcome));
	table_cell(table, 6, TINT_NONE, "%s", step->reason);
}

static void write_changes(const struct report *report, const struct report_style *style,
			  FILE *out)
{
	const struct plan *plan = report->plan;
	static const struct table_column columns[] = {
		{ "TARGET", TABLE_SHRINKS_NEVER },
		{ "KNOB" },
		{ "FROM", TABLE_SHRINKS_LAST },
		{ "" },
		{ "TO", TABLE_SHRINKS_LAST },
		{ "RESULT" },
		{ "NOTE", TABLE_SHRINKS_FIRST, .below = true },
	};
	_cleanup_(table_done) struct table table = { .columns = columns,
						     .n_columns = ARRAY_SIZE(columns) };

	switches_change_rows(&table, report);
	for (size_t i = 0; i < plan->n_steps; i++)
		for (size_t k = 0; k < plan->steps[i].n_knobs; k++)
			if (change_is_first(plan, i, plan->steps[i].knob[k]))
				change_row(&table, plan, plan->steps[i].target,
					   plan->steps[i].knob[k]);
	if (table.n_rows > 0 || table.oom)
		table_write(&table, style, out);
}

/* "8 changes done on 4 targets", or "5 of 8 changes done: 1 failed, 2 skipped" */
static void write_outcome(const struct report *report, FILE *out)
{
	struct report_counts counts = report_count(report);
	struct switch_counts switches = switches_count(report);
	size_t good = counts.outcome[STEP_DONE] + counts.outcome[STEP_ALREADY] + switches.done;
	size_t changes = counts.changes + switches.changes;
	size_t targets = counts.targets_changed + switches.targets_changed;
	const char *separator = ": ";

	if (changes == 0) {
		(void)fputs("nothing to change\n", out);
		return;
	}
	if (good == changes) {
		(void)fprintf(out, "%zu change%s done on %zu target%s\n", good, plural(good),
			      targets, plural(targets));
		return;
	}
	(void)fprintf(out, "%zu of %zu change%s done", good, changes, plural(changes));
	for (enum step_outcome i = 0; i < STEP_OUTCOME_MAX; i++) {
		if (i == STEP_DONE || i == STEP_ALREADY || !counts.outcome[i])
			continue;
		(void)fprintf(out, "%s%zu %s", separator, counts.outcome[i], step_outcome_name(i));
		separator = ", ";
	}
	if (switches.done < switches.changes)
		(void)fprintf(out, "%s%zu on switches not", separator,
			      switches.changes - switches.done);
	(void)fputc('\n', out);
}

/* Where a person goes from here. */
static void write_way_on(const struct report *report, FILE *out)
{
	if (report->exit == STATUS_OK || report_count(report).changes == 0)
		return;
	if (report->after && report->after->kept)
		(void)fputs("losslessd tries again by itself; losslessctl rollback returns\n", out);
	else if (report->kind == REPORT_APPLY)
		(void)fputs("run apply --once again when the cause is gone, or rollback --once to "
			    "return\n",
			    out);
	else
		(void)fputs("run rollback --once again when the cause is gone\n", out);
}

/* A pass that ended before its first write has nothing to tell of its steps. */
static bool begun(const struct report *report)
{
	struct report_counts counts = report_count(report);

	return counts.outcome[STEP_PLANNED] < counts.changes || report->switches_before;
}

static void write_apply(const struct report *report, const struct report_style *style, FILE *out)
{
	if (begun(report))
		write_changes(report, style, out);
	write_outcome(report, out);
	write_step_notes(report->plan, style, out);
	if (!report->after) {
		confirm_write(report, style, out);
		return;
	}
	if (findings_write(report, style, out))
		(void)fputc('\n', out);
	totals_write(report, style, out);
	notes_write(report->after, is_note, style, out);
	switches_write_notes(report, style, out);
	write_way_on(report, out);
	confirm_write(report, style, out);
}

void warnings_write(const struct report *report, const struct report_style *style, FILE *out)
{
	for (size_t i = 0; i < report->n_warnings; i++)
		line_put(style, out, "warning: %s", report->warnings[i]);
}

void report_write_text(const struct report *report, const struct report_style *style, FILE *out)
{
	if (!report->plan) {
		warnings_write(report, style, out);
		return;
	}
	switch (report->kind) {
	case REPORT_PLAN:
		write_plan(report, style, out);
		break;
	case REPORT_APPLY:
	case REPORT_ROLLBACK:
		write_apply(report, style, out);
		break;
	case REPORT_STATUS:
		status_write_text(report, style, out);
		break;
	case REPORT_OTHER:
	case REPORT_KIND_MAX:
		break;
	}
	if (report->kind != REPORT_STATUS)
		warnings_write(report, style, out);
}
