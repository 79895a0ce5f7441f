// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The report for programs: the facts of writer-text.c under stable keys. Values are the texts that people see
 * and value_parse() reads; what cannot be said is null. json_pack() consumes what "o" hands over, also
 * when it fails, and returns NULL for a NULL among them: one check at the end sees every lack of memory.
 */
#include <string.h>

#include "lib/base/macro.h"
#include "lib/report/facts.h"
#include "lib/report/json.h"

static const char *const kind_names[] = {
	[REPORT_PLAN] = "plan",
	[REPORT_APPLY] = "apply",
	[REPORT_ROLLBACK] = "rollback",
	[REPORT_STATUS] = "status",
};
static_assert(ARRAY_SIZE(kind_names) == REPORT_KIND_MAX, "a name for each kind of report");

/* Append, and remember if that failed. */
static void add(json_t *list, json_t *value, bool *oom)
{
	if (json_array_append_new(list, value) < 0)
		*oom = true;
}

static json_t *value_json(enum knob knob, const struct value *value, const struct value *beside)
{
	char text[VALUE_TEXT_MAX];

	if (value->status != VALUE_KNOWN)
		return json_null();
	value_format_beside(&knob_table[knob], value, beside, text, sizeof(text));
	return json_text(text);
}

static json_t *position_json(struct position where)
{
	if (!where.line)
		return json_null();
	return json_pack("{s:i, s:i}", "line", (int)where.line, "column", (int)where.column);
}

/* A finding; name and values are null where it is about the target as a whole. */
static json_t *finding_json(const struct plan *plan, const struct finding *finding)
{
	static const struct value nothing;
	bool whole = finding->knob == KNOB_NONE;
	const struct value *want = whole ? &nothing : &plan->want->list[finding->target].value[finding->knob];
	const struct value *have = whole ? &nothing : &plan->have->list[finding->target].value[finding->knob];
	char advice[FACT_TEXT_MAX];

	finding_advice(finding, advice, sizeof(advice));
	return json_pack("{s:o, s:s, s:i, s:o, s:o, s:o, s:o, s:o, s:o}", "name", json_text(knob_name(finding->knob)),
			 "verdict", verdict_name(finding->verdict), "exit", finding->exit, "want",
			 value_json(finding->knob, want, want), "have", value_json(finding->knob, have, want), "where",
			 position_json(want->where), "because", json_text(want->note), "reason",
			 json_text(finding->reason), "advice", json_text(advice));
}

static json_t *target_json(const struct plan *plan, size_t index, bool *oom)
{
	const struct target *target = &plan->want->list[index].target;
	json_t *knobs = json_array();
	char text[FACT_TEXT_MAX];

	for (size_t i = 0; i < plan->n_findings; i++)
		if (plan->findings[i].target == index)
			add(knobs, finding_json(plan, &plan->findings[i]), oom);
	target_describe(target, text, sizeof(text));
	return json_pack("{s:s, s:o, s:o, s:o, s:o, s:s, s:o}", "kind", target_kind_name(target->kind), "name",
			 json_text(target->name), "driver", json_text(target->nic.driver), "pci",
			 json_text(target->nic.pci), "device", json_text(text), "verdict",
			 verdict_name(target_verdict(plan, index)), "knobs", knobs);
}

static json_t *targets_json(const struct plan *plan, bool *oom)
{
	json_t *list = json_array();

	for (size_t i = 0; plan && i < plan->want->n; i++)
		add(list, target_json(plan, i, oom), oom);
	return list;
}

static json_t *change_json(const struct plan *plan, const struct step *step, enum knob knob)
{
	const struct value *want = &plan->want->list[step->target].value[knob];
	const struct value *have = &plan->have->list[step->target].value[knob];

	return json_pack("{s:s, s:o, s:o, s:o, s:o}", "name", knob_name(knob), "now", value_json(knob, have, want),
			 "then", value_json(knob, want, want), "where", position_json(want->where), "because",
			 json_text(want->note));
}

static json_t *refusal_json(const struct step *step)
{
	if (step->outcome != STEP_FAILED)
		return json_null();
	return json_pack("{s:i, s:i, s:o}", "errno", step->refusal.error, "status", step->refusal.status, "text",
			 json_text(step->refusal.text));
}

static json_t *step_json(const struct plan *plan, const struct step *step, bool *oom)
{
	json_t *knobs = json_array();

	for (size_t i = 0; i < step->n_knobs; i++)
		add(knobs, change_json(plan, step, step->knob[i]), oom);
	return json_pack("{s:s, s:s, s:s, s:s, s:b, s:o, s:o, s:o}", "target",
			 plan->want->list[step->target].target.name, "object", object_table[step->object].name, "op",
			 step_op_name(step->op), "outcome", step_outcome_name(step->outcome), "may_drop_link",
			 step->may_drop_link, "knobs", knobs, "reason", json_text(step->reason), "refusal",
			 refusal_json(step));
}

static json_t *steps_json(const struct plan *plan, bool *oom)
{
	json_t *list = json_array();

	for (size_t i = 0; plan && i < plan->n_steps; i++)
		add(list, step_json(plan, &plan->steps[i], oom), oom);
	return list;
}

static json_t *summary_json(const struct report *report)
{
	struct report_counts counts = report_count(report);
	size_t may_drop_link = report->plan ? plan_count(report->plan).may_drop_link : 0;
	size_t targets = counts.targets[TARGET_PORT] + counts.targets[TARGET_RDMA];
	size_t in_sync = counts.in_sync[TARGET_PORT] + counts.in_sync[TARGET_RDMA];

	return json_pack("{s:I, s:I, s:I, s:I, s:I, s:I, s:I}", "changes", (json_int_t)counts.changes, "targets_changed",
			 (json_int_t)counts.targets_changed, "may_drop_link", (json_int_t)may_drop_link, "done",
			 (json_int_t)(counts.outcome[STEP_DONE] + counts.outcome[STEP_ALREADY]), "failed",
			 (json_int_t)counts.outcome[STEP_FAILED], "targets", (json_int_t)targets, "in_sync",
			 (json_int_t)in_sync);
}

static json_t *warnings_json(const struct report *report, bool *oom)
{
	json_t *list = json_array();

	for (size_t i = 0; i < report->n_warnings; i++)
		add(list, json_text(report->warnings[i]), oom);
	return list;
}

void report_write_json(const struct report *report, FILE *out)
{
	json_auto_t *document = NULL;
	bool oom = false;

	document = json_pack("{s:i, s:s, s:o, s:o, s:o, s:I, s:i, s:b, s:o, s:o, s:o, s:o, s:o}", "schema", REPORT_SCHEMA,
			     "report",
			     kind_names[report->kind], "node", json_text(report->node), "fabric", json_text(report->fabric),
			     "file", json_text(report->file), "generation", (json_int_t)report->generation, "exit",
			     report->exit, "interrupted", report->interrupted, "trouble", json_text(report->trouble),
			     "warnings", warnings_json(report, &oom), "targets", targets_json(report_findings(report), &oom), "steps",
			     steps_json(report->plan, &oom), "summary", summary_json(report));
	json_finish(document, oom, out);
}

static json_t *diag_json(const struct diag *diag)
{
	return json_pack("{s:s, s:o, s:o}", "severity", diag->severity == SEVERITY_ERROR ? "error" : "warning", "where",
			 position_json(diag->where), "message", json_text(diag->message));
}

void diags_write_json(const struct diags *diags, const char *file, enum exit_status status, FILE *out)
{
	json_auto_t *document = NULL;
	json_t *list = json_array();
	bool oom = diags->oom;

	for (size_t i = 0; i < diags->n; i++)
		add(list, diag_json(&diags->list[i]), &oom);
	document = json_pack("{s:i, s:o, s:i, s:I, s:I, s:o}", "schema", REPORT_SCHEMA, "file", json_text(file), "exit",
			     status, "errors", (json_int_t)diags->count[SEVERITY_ERROR], "warnings",
			     (json_int_t)diags->count[SEVERITY_WARNING], "diagnostics", list);
	json_finish(document, oom, out);
}
