// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * What is wrong, why, since when, and where to go from there. What is to be done about all of one
 * verdict is said once, below; only what is to be done about one value stands in its line.
 */
#include "lib/report/findings.h"

#include <string.h>

#include "lib/base/macro.h"
#include "lib/report/cables.h"
#include "lib/report/cells.h"
#include "lib/report/facts.h"
#include "lib/report/switches.h"
#include "lib/report/when.h"

/* ---- the table ---- */

void finding_since(struct table *table, const struct report *report,
		   const struct report_style *style, int64_t since_s)
{
	char text[WHEN_TEXT_MAX];

	if (!since_s)
		return;
	if (style->width && report->now_s)
		when_ago(since_s, report->now_s, text);
	else
		when_stamp(since_s, text);
	table_cell(table, FINDING_SINCE, TINT_NONE, "%s", text);
}

static void finding_row(struct table *table, const struct report *report,
			const struct report_style *style, const struct finding *finding)
{
	const struct plan *plan = report_findings(report);
	char advice[FACT_TEXT_MAX] = "";

	if (finding_advice_is_own(finding))
		finding_advice(plan, finding, advice, sizeof(advice));
	table_row(table);
	table_cell(table, 0, TINT_NONE, "%s", plan->want->list[finding->target].target.name);
	table_cell(table, 1, TINT_NONE, "%s", knob_name(finding->knob));
	table_cell(table, 2, verdict_tint(finding->verdict), "%s", verdict_name(finding->verdict));
	if (finding->knob < KNOB_MAX) {
		const struct value *want = &plan->want->list[finding->target].value[finding->knob];

		cell_value(table, 3, finding->knob, want, want);
		cell_value(table, 4, finding->knob,
			   &plan->have->list[finding->target].value[finding->knob], want);
		cell_where(table, FINDING_WHERE, report->file, want->where);
	}
	finding_since(table, report, style, finding->since_s);
	table_cell(table, FINDING_NOTE, TINT_NONE, "%s%s%s", finding->reason,
		   *finding->reason && *advice ? ": " : "", advice);
}

bool findings_write(const struct report *report, const struct report_style *style, FILE *out)
{
	static const struct table_column columns[] = {
		{ "TARGET", TABLE_SHRINKS_NEVER },
		{ "KNOB" },
		{ "VERDICT" },
		{ "WANT", TABLE_SHRINKS_LAST },
		{ "HAVE", TABLE_SHRINKS_LAST },
		[FINDING_WHERE] = { "WHERE", TABLE_SHRINKS_NEVER },
		[FINDING_SINCE] = { "SINCE", TABLE_SHRINKS_LAST, .optional = true },
		[FINDING_NOTE] = { "NOTE", TABLE_SHRINKS_FIRST, .below = true },
	};
	_cleanup_(table_done) struct table table = { .columns = columns,
						     .n_columns = ARRAY_SIZE(columns) };
	const struct plan *plan = report_findings(report);
	bool any;

	switches_finding_rows(&table, report, style);
	for (size_t i = 0; i < plan->n_findings; i++)
		if (plan->findings[i].exit != STATUS_OK)
			finding_row(&table, report, style, &plan->findings[i]);
	any = table.n_rows > 0 || table.oom;
	if (any) {
		(void)fputc('\n', out);
		table_write(&table, style, out);
	}
	return cables_write_findings(report, style, out) || any;
}

/* ---- what to do ---- */

enum { NEXT_MAX = 12 };

/* Whether losslessd keeps this node decides what is left for people. */
struct next {
	const char *alone;
	const char *kept;
};

static const char not_by_us[] = "see its note for what losslessd cannot set on this device";
static const char unreadable[] = "see its note for why it cannot be read";

static const struct next nexts[] = {
	[VERDICT_FAILED] = { "losslessctl apply --once again, when the cause (its note) is gone",
			     "see its note for the cause; losslessd tries again by itself, "
			     "losslessctl apply at once" },
	[VERDICT_CONTESTED] = { "stop who else writes it (its note), then losslessctl apply --once",
				"stop who else writes it (its note), then losslessctl apply" },
	[VERDICT_UNKNOWN] = { unreadable, unreadable },
	[VERDICT_DRIFT] = { "losslessctl apply --once",
			    "losslessd repairs it by itself: losslessctl status --watch" },
	[VERDICT_PENDING] = { "losslessctl apply --once, when what it waits for is there",
			      "losslessd goes on by itself when what it waits for is there" },
	[VERDICT_UNSUPPORTED] = { not_by_us, not_by_us },
	[VERDICT_IN_SYNC] = {},
	[VERDICT_NOT_APPLICABLE] = {},
};
static_assert(ARRAY_SIZE(nexts) == VERDICT_MAX, "what to do about each verdict");

/* The first of these that there is goes first. */
static const enum verdict urgency[] = {
	VERDICT_FAILED,	 VERDICT_CONTESTED, VERDICT_DRIFT,
	VERDICT_PENDING, VERDICT_UNKNOWN,   VERDICT_UNSUPPORTED,
};

static const char *next_of_finding(const struct plan *plan, const struct finding *finding)
{
	if (finding->verdict == VERDICT_DRIFT &&
	    (finding->not_ours || finding_advice_is_own(finding)))
		return not_by_us;
	if (!plan->kept)
		return nexts[finding->verdict].alone;
	/* What is held back has its reason */
	if (finding->verdict == VERDICT_DRIFT && *finding->reason)
		return "losslessctl apply, for what losslessd does not do by itself (its note)";
	return nexts[finding->verdict].kept;
}

/* Said once, however many want it. */
static void say(const char *told[NEXT_MAX], size_t *n, const char *words, FILE *out)
{
	for (size_t i = 0; i < *n; i++)
		if (told[i] == words)
			return;
	if (*n == NEXT_MAX)
		return;
	told[(*n)++] = words;
	(void)fprintf(out, "next: %s\n", words);
}

/* It has been asked, and losslessd will hear its answer. */
static bool is_awaited(const struct plan *plan, const struct switch_state *state)
{
	return plan->kept && state->calm == SWITCH_ASKED && state->verdict == VERDICT_PENDING;
}

static void write_switch(const struct plan *plan, const struct switch_state *state, FILE *out)
{
	if (state->calm != SWITCH_ASKED || switch_state_exit(state) == STATUS_OK ||
	    is_awaited(plan, state))
		return;
	if (state->verdict != VERDICT_IN_SYNC)
		(void)fprintf(out, "next: losslessctl switch test %s\n", state->name);
	else if (state->manage == MANAGE_READ)
		(void)fprintf(out,
			      "next: losslessctl switch render %s has the lines: it is only read "
			      "(manage)\n",
			      state->name);
}

static bool wants_push(const struct switch_state *state, enum verdict verdict)
{
	for (size_t i = 0; i < state->n; i++)
		if (state->manage == MANAGE_PUSH && state->calm == SWITCH_ASKED &&
		    state->findings[i].verdict == verdict &&
		    switch_finding_exit(&state->findings[i]) != STATUS_OK)
			return true;
	return false;
}

static void write_verdict(const struct report *report, enum verdict verdict,
			  const char *told[NEXT_MAX], size_t *n, FILE *out)
{
	const struct plan *plan = report_findings(report);

	for (size_t i = 0; i < plan->n_findings; i++)
		if (plan->findings[i].verdict == verdict && plan->findings[i].exit != STATUS_OK)
			say(told, n, next_of_finding(plan, &plan->findings[i]), out);
	for (size_t i = 0; report->switches && i < report->switches->n; i++)
		if (wants_push(&report->switches->list[i], verdict) ||
		    (verdict == VERDICT_PENDING && is_awaited(plan, &report->switches->list[i])))
			say(told, n, plan->kept ? nexts[verdict].kept : nexts[verdict].alone, out);
}

void confirm_write(const struct report *report, const struct report_style *style, FILE *out)
{
	char text[WHEN_TEXT_MAX];

	if (!report->confirm_s)
		return;
	if (style->width)
		when_due(report->confirm_s, report->now_s, text);
	else
		when_stamp(report->confirm_s, text);
	(void)fprintf(out, "returns %s%s unless losslessctl confirm\n",
		      style->width ? "" : "at ", text);
}

void next_write(const struct report *report, FILE *out)
{
	const char *told[NEXT_MAX];
	size_t n = 0;

	if (report->confirm_s)
		(void)fputs("next: losslessctl confirm keeps it, losslessctl rollback returns at "
			    "once\n",
			    out);
	if (report->exit == STATUS_OK)
		return;
	for (size_t i = 0; i < ARRAY_SIZE(urgency); i++)
		write_verdict(report, urgency[i], told, &n, out);
	for (size_t i = 0; report->switches && i < report->switches->n; i++)
		write_switch(report_findings(report), &report->switches->list[i], out);
	if (cables_exit(report) != STATUS_OK)
		(void)fputs("next: losslessctl show cables, for what two ends contradict each "
			    "other in\n",
			    out);
}
