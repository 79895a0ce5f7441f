// SPDX-License-Identifier: LGPL-2.1-or-later
/* Switches in a report for people. */
#include "lib/report/switches.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "lib/base/macro.h"
#include "lib/report/cells.h"
#include "lib/report/facts.h"
#include "lib/report/findings.h"

enum {
	NAME_BYTES = SWITCH_NAME_MAX_BYTES + SWITCH_PORT_MAX,
	/* Dialect, address, owner, and the words between them */
	DEVICE_BYTES = 64 + 2 * SWITCH_NAME_MAX_BYTES + 32,
};

void switch_target_name(const struct switch_state *state, const char *port, char *ret, size_t size)
{
	(void)snprintf(ret, size, "%s%s%s", state->name, *port ? "/" : "", port);
}

const char *switch_knob_name(enum switch_knob knob)
{
	return knob < SWITCH_KNOB_MAX ? switch_knob_table[knob].name : "";
}

/* What the changes are: as it was before a push, else as it is. */
static const struct switch_states *before_of(const struct report *report)
{
	return report->switches_before ?: report->switches;
}

static const struct switch_finding *after_of(const struct report *report,
					     const struct switch_state *state,
					     const struct switch_finding *finding)
{
	const struct switch_state *after;

	after = report->switches ? switch_states_find(report->switches, state->name) : NULL;
	return after ? switch_state_find(after, finding->port, finding->knob) : NULL;
}

static void cell_target(struct table *table, const struct switch_state *state, const char *port)
{
	char name[NAME_BYTES];

	switch_target_name(state, port, name, sizeof(name));
	table_row(table);
	table_cell(table, 0, TINT_NONE, "%s", name);
}

static void cell_have(struct table *table, size_t column, const struct switch_finding *finding)
{
	char text[FINDING_TEXT_MAX];

	switch_have_format(finding->knob, finding->want, finding->have, text, sizeof(text));
	table_cell(table, column, TINT_NONE, "%s", text);
}

static void plan_row(struct table *table, const struct report *report,
		     const struct switch_state *state, const struct switch_finding *finding)
{
	cell_target(table, state, finding->port);
	table_cell(table, 1, TINT_NONE, "%s", switch_knob_name(finding->knob));
	cell_have(table, 2, finding);
	table_cell(table, 3, TINT_NONE, "%s", finding->want);
	cell_where(table, 4, report->file, finding->where);
	table_cell(table, 5, TINT_NONE, "%u command%s%s%s", finding->n_lines,
		   finding->n_lines == 1 ? "" : "s", *finding->note ? "; " : "", finding->note);
}

void switches_plan_rows(struct table *table, const struct report *report)
{
	const struct switch_states *states = before_of(report);

	for (size_t i = 0; states && i < states->n; i++)
		for (size_t k = 0; k < states->list[i].n; k++)
			if (switch_finding_is_change(&states->list[i],
						     &states->list[i].findings[k]))
				plan_row(table, report, &states->list[i],
					 &states->list[i].findings[k]);
}

static void change_row(struct table *table, const struct report *report,
		       const struct switch_state *state, const struct switch_finding *finding)
{
	const struct switch_finding *after = after_of(report, state, finding);
	enum verdict verdict = after ? after->verdict : VERDICT_UNKNOWN;
	bool done = verdict == VERDICT_IN_SYNC;

	cell_target(table, state, finding->port);
	table_cell(table, 1, TINT_NONE, "%s", switch_knob_name(finding->knob));
	cell_have(table, 2, finding);
	table_cell(table, 3, TINT_NONE, "→");
	table_cell(table, 4, TINT_NONE, "%s", finding->want);
	table_cell(table, 5, done ? TINT_GOOD : TINT_BAD, "%s",
		   done ? step_outcome_name(STEP_DONE) : verdict_name(verdict));
	if (after && !done)
		table_cell(table, 6, TINT_NONE, "%s", after->note);
}

void switches_change_rows(struct table *table, const struct report *report)
{
	const struct switch_states *states = report->switches_before;

	for (size_t i = 0; states && i < states->n; i++)
		for (size_t k = 0; k < states->list[i].n; k++)
			if (switch_finding_is_change(&states->list[i],
						     &states->list[i].findings[k]))
				change_row(table, report, &states->list[i],
					   &states->list[i].findings[k]);
}

static void describe(const struct switch_state *state, char *ret, size_t size)
{
	static const char *const manages[] = {
		[MANAGE_PUSH] = "", [MANAGE_READ] = ", only read", [MANAGE_RENDER] = ", not asked",
	};

	(void)snprintf(ret, size, "%s%s%.200s%s%s%.200s", state->dialect,
		       *state->address ? " " : "", state->address, manages[state->manage],
		       state->mine ? "" : ", owner is ", state->mine ? "" : state->owner);
}

void switch_target_row(struct table *table, const struct switch_state *state)
{
	enum verdict verdict = switch_state_verdict(state);
	char text[DEVICE_BYTES];

	describe(state, text, sizeof(text));
	cell_target(table, state, "");
	table_cell(table, 1, verdict_tint(verdict), "%s", verdict_name(verdict));
	table_cell(table, 2, TINT_NONE, "%s", text);
}

/* The switch as a whole, where there is a reason. */
static void whole_row(struct table *table, const struct report *report,
		      const struct report_style *style, const struct switch_state *state)
{
	if (state->calm != SWITCH_ASKED || state->verdict == VERDICT_IN_SYNC)
		return;
	cell_target(table, state, "");
	table_cell(table, 2, verdict_tint(state->verdict), "%s", verdict_name(state->verdict));
	finding_since(table, report, style, state->since_s);
	table_cell(table, FINDING_NOTE, TINT_NONE, "%s", state->reason);
}

static void finding_row(struct table *table, const struct report *report,
			const struct report_style *style, const struct switch_state *state,
			const struct switch_finding *finding)
{
	cell_target(table, state, finding->port);
	table_cell(table, 1, TINT_NONE, "%s", switch_knob_name(finding->knob));
	table_cell(table, 2, verdict_tint(finding->verdict), "%s", verdict_name(finding->verdict));
	table_cell(table, 3, TINT_NONE, "%s", finding->want);
	cell_have(table, 4, finding);
	cell_where(table, FINDING_WHERE, report->file, finding->where);
	finding_since(table, report, style, finding->since_s);
	table_cell(table, FINDING_NOTE, TINT_NONE, "%s", finding->note);
}

void switches_finding_rows(struct table *table, const struct report *report,
			   const struct report_style *style)
{
	for (size_t i = 0; report->switches && i < report->switches->n; i++) {
		const struct switch_state *state = &report->switches->list[i];

		whole_row(table, report, style, state);
		for (size_t k = 0; k < state->n; k++)
			if (switch_finding_exit(&state->findings[k]) != STATUS_OK)
				finding_row(table, report, style, state,
					    &state->findings[k]);
	}
}

/* In a plan also what cannot be planned for. */
static bool is_note(const struct report *report, const struct switch_finding *finding)
{
	if (finding->verdict == VERDICT_IN_SYNC || finding->verdict == VERDICT_DRIFT)
		return false;
	return report->kind == REPORT_PLAN || switch_finding_exit(finding) == STATUS_OK;
}

static void write_note(const struct switch_state *state, const struct switch_finding *finding,
		       const struct report_style *style, FILE *out)
{
	char name[NAME_BYTES];

	switch_target_name(state, finding->port, name, sizeof(name));
	line_put(style, out, "%s %s is %s: %s", name, switch_knob_name(finding->knob),
		 verdict_name(finding->verdict), finding->note);
}

size_t switches_of_others(const struct report *report)
{
	size_t n = 0;

	for (size_t i = 0; report->switches && i < report->switches->n; i++)
		n += report->switches->list[i].calm == SWITCH_OF_ANOTHER;
	return n;
}

void switches_write_notes(const struct report *report, const struct report_style *style, FILE *out)
{
	size_t others = switches_of_others(report);
	bool together = style->width && others > 1;

	if (together && report->kind != REPORT_STATUS)
		line_put(style, out,
			 "%zu switches are kept by other nodes: see losslessctl show switches",
			 others);
	for (size_t i = 0; report->switches && i < report->switches->n; i++) {
		const struct switch_state *state = &report->switches->list[i];

		if (!(together && state->calm == SWITCH_OF_ANOTHER) &&
		    (state->calm != SWITCH_ASKED ||
		     (report->kind == REPORT_PLAN && state->verdict != VERDICT_IN_SYNC)))
			line_put(style, out, "%s is %s: %s", state->name,
				 verdict_name(state->verdict), state->reason);
		for (size_t k = 0; k < state->n; k++)
			if (is_note(report, &state->findings[k]))
				write_note(state, &state->findings[k], style, out);
		if (*state->warning)
			line_put(style, out, "warning: %s: %s", state->name, state->warning);
	}
}

/* Is it the first change of its port? */
static bool is_first(const struct switch_state *state, size_t k)
{
	for (size_t i = 0; i < k; i++)
		if (switch_finding_is_change(state, &state->findings[i]) &&
		    strcmp(state->findings[i].port, state->findings[k].port) == 0)
			return false;
	return true;
}

struct switch_counts switches_count(const struct report *report)
{
	const struct switch_states *states = before_of(report);
	struct switch_counts counts = {};

	for (size_t i = 0; report->switches && i < report->switches->n; i++) {
		const struct switch_state *state = &report->switches->list[i];

		if (state->calm == SWITCH_OF_ANOTHER)
			continue;
		counts.switches++;
		counts.in_sync += switch_state_verdict(state) == VERDICT_IN_SYNC;
	}
	for (size_t i = 0; states && i < states->n; i++)
		for (size_t k = 0; k < states->list[i].n; k++) {
			const struct switch_state *state = &states->list[i];
			const struct switch_finding *after;

			if (!switch_finding_is_change(state, &state->findings[k]))
				continue;
			counts.changes++;
			counts.targets_changed += is_first(state, k);
			after = after_of(report, state, &state->findings[k]);
			counts.done += after && after->verdict == VERDICT_IN_SYNC;
		}
	return counts;
}

/* ---- switches alone ---- */

static void list_row(struct table *table, const struct switch_state *state)
{
	char text[DEVICE_BYTES];

	describe(state, text, sizeof(text));
	cell_target(table, state, "");
	table_cell(table, 1, verdict_tint(state->verdict), "%s",
		   state->verdict == VERDICT_IN_SYNC ? "reached" : verdict_name(state->verdict));
	table_cell(table, 2, TINT_NONE, "%s", text);
	table_cell(table, 3, TINT_NONE, "%s", state->reason);
}

void switches_write_text(const struct switch_states *states, const struct report_style *style,
			 FILE *out)
{
	static const struct table_column columns[] = {
		{ "SWITCH" },
		{ "VERDICT" },
		{ "DEVICE", TABLE_SHRINKS_LAST },
		{ "NOTE", TABLE_SHRINKS_FIRST },
	};
	_cleanup_(table_done) struct table table = { .columns = columns,
						     .n_columns = ARRAY_SIZE(columns) };

	if (states->n == 0) {
		(void)fputs("the file has no switches\n", out);
		return;
	}
	for (size_t i = 0; i < states->n; i++)
		list_row(&table, &states->list[i]);
	table_write(&table, style, out);
}

void switch_write_text(const struct switch_states *states, const char *file,
		       const struct report_style *style, FILE *out)
{
	const struct report report = { .kind = REPORT_PLAN, .file = file, .switches = states };
	_cleanup_(table_done) struct table table = { .columns = plan_columns,
						     .n_columns = PLAN_COLUMNS };

	switches_plan_rows(&table, &report);
	if (table.n_rows > 0 || table.oom)
		table_write(&table, style, out);
	for (size_t i = 0; i < states->n; i++)
		line_put(style, out, "%s %s", states->list[i].name, states->list[i].reason);
	switches_write_notes(&report, style, out);
}
