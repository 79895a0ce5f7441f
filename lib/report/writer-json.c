// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The report for programs: the facts of writer-text.c under stable keys. Values are the texts that
 * people see and value_parse() reads; what cannot be said is null.
 */
#include <errno.h>
#include <string.h>

#include "lib/base/cleanup.h"
#include "lib/base/macro.h"
#include "lib/report/cables.h"
#include "lib/report/facts.h"
#include "lib/report/json.h"
#include "lib/report/switches.h"

static const char *const kind_names[] = {
	[REPORT_PLAN] = "plan",
	[REPORT_APPLY] = "apply",
	[REPORT_ROLLBACK] = "rollback",
	[REPORT_STATUS] = "status",
	[REPORT_OTHER] = NULL,
};
static_assert(ARRAY_SIZE(kind_names) == REPORT_KIND_MAX, "a name for each kind of report");

static json_t *value_json(enum knob knob, const struct value *value, const struct value *beside)
{
	char text[VALUE_TEXT_MAX];

	if (value->status != VALUE_KNOWN)
		return json_null();
	value_format_beside(&knob_table[knob], value, beside, text, sizeof(text));
	return json_text(text);
}

/* Told of what is not in order, as far as somebody watched. */
static json_t *since_json(int64_t since_s, enum exit_status exit)
{
	return since_s && exit != STATUS_OK ? json_integer(since_s) : json_null();
}

/* A finding; name and values are null where it is about the target as a whole. */
static json_t *finding_json(const struct plan *plan, const struct finding *finding)
{
	static const struct value nothing;
	bool whole = finding->knob == KNOB_NONE;
	const struct value *want = whole ? &nothing :
					   &plan->want->list[finding->target].value[finding->knob];
	const struct value *have = whole ? &nothing :
					   &plan->have->list[finding->target].value[finding->knob];
	char advice[FACT_TEXT_MAX];

	finding_advice(plan, finding, advice, sizeof(advice));
	return json_pack("{s:o, s:s, s:i, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "name",
			 json_text(knob_name(finding->knob)), "verdict",
			 verdict_name(finding->verdict), "exit", finding->exit, "want",
			 value_json(finding->knob, want, want), "have",
			 value_json(finding->knob, have, want), "where", position_json(want->where),
			 "because", json_text(want->note), "reason", json_text(finding->reason),
			 "advice", json_text(advice), "since",
			 since_json(finding->since_s, finding->exit));
}

static json_t *target_json(const struct plan *plan, size_t index, bool *oom)
{
	const struct target *target = &plan->want->list[index].target;
	json_t *knobs = json_array();
	char text[FACT_TEXT_MAX];

	for (size_t i = 0; i < plan->n_findings; i++)
		if (plan->findings[i].target == index)
			json_add(knobs, finding_json(plan, &plan->findings[i]), oom);
	target_describe(target, text, sizeof(text));
	return json_pack("{s:s, s:o, s:o, s:o, s:o, s:s, s:o}", "kind",
			 target_kind_name(target->kind), "name", json_text(target->name), "driver",
			 json_text(target->nic.driver), "pci", json_text(target->nic.pci), "device",
			 json_text(text), "verdict", verdict_name(target_verdict(plan, index)),
			 "knobs", knobs);
}

static json_t *targets_json(const struct plan *plan, bool *oom)
{
	json_t *list = json_array();

	for (size_t i = 0; plan && i < plan->want->n; i++)
		json_add(list, target_json(plan, i, oom), oom);
	return list;
}

static json_t *change_json(const struct plan *plan, const struct step *step, enum knob knob)
{
	const struct value *want = &plan->want->list[step->target].value[knob];
	const struct value *have = &plan->have->list[step->target].value[knob];

	return json_pack("{s:s, s:o, s:o, s:o, s:o}", "name", knob_name(knob), "now",
			 value_json(knob, have, want), "then", value_json(knob, want, want),
			 "where", position_json(want->where), "because", json_text(want->note));
}

static json_t *refusal_json(const struct step *step)
{
	if (step->outcome != STEP_FAILED)
		return json_null();
	return json_pack("{s:i, s:i, s:o}", "errno", step->refusal.error, "status",
			 step->refusal.status, "text", json_text(step->refusal.text));
}

static json_t *step_json(const struct plan *plan, const struct step *step, bool *oom)
{
	json_t *knobs = json_array();

	for (size_t i = 0; i < step->n_knobs; i++)
		json_add(knobs, change_json(plan, step, step->knob[i]), oom);
	return json_pack("{s:o, s:s, s:s, s:s, s:b, s:o, s:s, s:o, s:o}", "target",
			 json_text(plan->want->list[step->target].target.name), "object",
			 object_table[step->object].name, "op", step_op_name(step->op), "outcome",
			 step_outcome_name(step->outcome), "may_drop_link", step->may_drop_link,
			 "knobs", knobs, "note", step->note ?: "", "reason",
			 json_text(step->reason), "refusal", refusal_json(step));
}

static json_t *steps_json(const struct plan *plan, bool *oom)
{
	json_t *list = json_array();

	for (size_t i = 0; plan && i < plan->n_steps; i++)
		json_add(list, step_json(plan, &plan->steps[i], oom), oom);
	return list;
}

static json_t *summary_json(const struct report *report)
{
	struct report_counts counts = report_count(report);
	size_t may_drop_link = report->plan ? plan_count(report->plan).may_drop_link : 0;
	size_t targets = counts.targets[TARGET_PORT] + counts.targets[TARGET_RDMA];
	size_t in_sync = counts.in_sync[TARGET_PORT] + counts.in_sync[TARGET_RDMA];

	return json_pack("{s:I, s:I, s:I, s:I, s:I, s:I, s:I}", "changes",
			 (json_int_t)counts.changes, "targets_changed",
			 (json_int_t)counts.targets_changed, "may_drop_link",
			 (json_int_t)may_drop_link, "done",
			 (json_int_t)(counts.outcome[STEP_DONE] + counts.outcome[STEP_ALREADY]),
			 "failed", (json_int_t)counts.outcome[STEP_FAILED], "targets",
			 (json_int_t)targets, "in_sync", (json_int_t)in_sync);
}

static json_t *switch_finding_json(const struct switch_finding *finding)
{
	return json_pack("{s:o, s:o, s:s, s:i, s:o, s:o, s:o, s:i, s:o, s:o}", "port",
			 json_text(finding->port), "name",
			 json_text(switch_knob_name(finding->knob)), "verdict",
			 verdict_name(finding->verdict), "exit", switch_finding_exit(finding),
			 "want", json_text(finding->want), "have", json_text(finding->have),
			 "where", position_json(finding->where), "commands",
			 (int)finding->n_lines, "note", json_text(finding->note), "since",
			 since_json(finding->since_s, switch_finding_exit(finding)));
}

static json_t *switch_json(const struct switch_state *state, bool *oom)
{
	json_t *knobs = json_array();

	for (size_t i = 0; i < state->n; i++)
		json_add(knobs, switch_finding_json(&state->findings[i]), oom);
	return json_pack("{s:o, s:o, s:o, s:o, s:s, s:b, s:s, s:i, s:o, s:o, s:I, s:o}", "name",
			 json_text(state->name), "dialect", json_text(state->dialect), "address",
			 json_text(state->address), "owner", json_text(state->owner), "manage",
			 manage_name(state->manage), "mine", state->mine, "verdict",
			 verdict_name(switch_state_verdict(state)), "exit",
			 switch_state_exit(state), "reason", json_text(state->reason), "warning",
			 json_text(state->warning), "read", (json_int_t)state->read_s, "knobs",
			 knobs);
}

static json_t *switches_json(const struct switch_states *states, bool *oom)
{
	json_t *list = json_array();

	for (size_t i = 0; states && i < states->n; i++)
		json_add(list, switch_json(&states->list[i], oom), oom);
	return list;
}

void switches_write_json(const struct switch_states *states, FILE *out)
{
	json_auto_t *document = NULL;
	bool oom = false;

	document = json_pack("{s:i, s:o}", "schema", REPORT_SCHEMA, "switches",
			     switches_json(states, &oom));
	json_finish(document, oom, out);
}

static json_t *lines_json(const char *text, bool *oom)
{
	json_t *list = json_array();

	for (size_t n; *text; text += n + (text[n] == '\n')) {
		_cleanup_free_ char *line = NULL;

		n = strcspn(text, "\n");
		line = strndup(text, n);
		json_add(list, line ? json_string(line) : NULL, oom);
	}
	return list;
}

void lines_write_json(const char *name, const char *lines, const char *undo, FILE *out)
{
	json_auto_t *document = NULL;
	bool oom = false;

	document = json_pack("{s:i, s:s, s:o, s:o}", "schema", REPORT_SCHEMA, "switch", name,
			     "lines", lines_json(lines, &oom), "undo", lines_json(undo, &oom));
	json_finish(document, oom, out);
}

struct cable_list {
	json_t *list;
	bool *oom;
};

static void add_cable(const struct cable_finding *finding, void *data)
{
	const struct cable_list *cables = data;
	char words[2 * FINDING_TEXT_MAX];

	cable_words(finding, words, sizeof(words));
	json_add(cables->list,
	    json_pack("{s:o, s:o, s:o, s:s, s:s, s:i, s:o, s:o, s:o, s:o, s:o}", "device",
		      json_text(finding->cable->device), "switch", json_text(finding->state->name),
		      "port", json_text(finding->cable->port), "name", knob_name(finding->knob),
		      "verdict", verdict_name(VERDICT_DRIFT), "exit", STATUS_DRIFT, "want",
		      value_json(finding->knob, finding->want, finding->want), "nic_has",
		      json_text(finding->nic), "switch_has", json_text(finding->other), "where",
		      position_json(finding->want->where), "note", json_text(words)),
	    cables->oom);
}

static json_t *cables_json(const struct report *report, bool *oom)
{
	struct cable_list cables = { json_array(), oom };

	cables_judge(report, add_cable, &cables);
	return cables.list;
}

static json_t *warnings_json(const struct report *report, bool *oom)
{
	json_t *list = json_array();

	for (size_t i = 0; i < report->n_warnings; i++)
		json_add(list, json_text(report->warnings[i]), oom);
	return list;
}

/* Of a verb that makes no pass. */
static void write_trouble(const struct report *report, FILE *out)
{
	json_auto_t *document = NULL;

	document = json_pack("{s:i, s:o, s:o, s:o, s:i, s:o}", "schema", REPORT_SCHEMA, "report",
			     json_text(report->verb), "node", json_text(report->node), "file",
			     json_text(report->file), "exit", report->exit, "trouble",
			     json_text(report->trouble));
	json_finish(document, false, out);
}

void report_write_json(const struct report *report, FILE *out)
{
	json_auto_t *document = NULL;
	bool oom = false;

	if (report->kind == REPORT_OTHER) {
		write_trouble(report, out);
		return;
	}
	document = json_pack("{s:i, s:s, s:o, s:o, s:o, s:I, s:i, s:b, s:o, s:o, s:o, s:o, s:o,"
			     "s:o, s:o, s:o, s:o, s:o}",
			     "schema", REPORT_SCHEMA, "report",
			     report->verb ?: kind_names[report->kind], "node",
			     json_text(report->node), "fabric", json_text(report->fabric), "file",
			     json_text(report->file), "generation", (json_int_t)report->generation,
			     "exit", report->exit, "interrupted", report->interrupted != NULL,
			     "trouble", json_text(report->trouble), "warnings",
			     warnings_json(report, &oom), "diagnostics",
			     diagnostics_json(report->diags, &oom),
			     "targets", targets_json(report_findings(report), &oom), "steps",
			     steps_json(report->plan, &oom), "switches",
			     switches_json(report->switches, &oom), "switches_before",
			     switches_json(report->switches_before, &oom), "cables",
			     cables_json(report, &oom), "summary",
			     summary_json(report), "confirm_until",
			     report->confirm_s ? json_integer(report->confirm_s) : json_null());
	json_finish(document, oom, out);
}

void diags_write_json(const struct diags *diags, const char *file, const char *fabric,
		      enum exit_status status, FILE *out)
{
	json_auto_t *document = NULL;
	bool oom = diags->oom;

	document = json_pack("{s:i, s:o, s:o, s:i, s:I, s:I, s:o}", "schema", REPORT_SCHEMA, "file",
			     json_text(file), "fabric", json_text(fabric), "exit", status, "errors",
			     (json_int_t)diags->count[SEVERITY_ERROR], "warnings",
			     (json_int_t)diags->count[SEVERITY_WARNING], "diagnostics",
			     diagnostics_json(diags, &oom));
	json_finish(document, oom, out);
}

/* ---- show, explain ---- */

static json_t *mac_json(const uint8_t mac[6])
{
	if (!(mac[0] | mac[1] | mac[2] | mac[3] | mac[4] | mac[5]))
		return json_null();
	return json_sprintf("%02x:%02x:%02x:%02x:%02x:%02x", mac[0], mac[1], mac[2], mac[3], mac[4],
			    mac[5]);
}

static json_t *nic_json(const struct nic *nic)
{
	return json_pack(
		"{s:o, s:i, s:o, s:i, s:o, s:o, s:s, s:o, s:b, s:o, s:o, s:b, s:b, s:I, s:I}",
		"name", json_text(nic->name), "ifindex", nic->ifindex, "rdma", json_text(nic->rdma),
		"rdma_port", (int)nic->rdma_port, "driver", json_text(nic->driver), "pci",
		json_text(nic->pci), "link_layer",
		nic->link_layer == LINK_LAYER_INFINIBAND ? "infiniband" : "ethernet", "mac",
		mac_json(nic->mac), "vf", nic->vf, "pf", json_text(nic->pf), "master",
		json_text(nic->master), "up", nic->up, "carrier", nic->carrier, "mtu",
		(json_int_t)nic->mtu, "mtu_max", (json_int_t)nic->mtu_max);
}

void inventory_write_json(const struct inventory *inventory, FILE *out)
{
	json_auto_t *document = NULL;
	json_t *list = json_array();
	bool oom = false;

	for (size_t i = 0; i < inventory->n; i++)
		if (json_array_append_new(list, nic_json(&inventory->list[i])) < 0)
			oom = true;
	document = json_pack("{s:i, s:o}", "schema", REPORT_SCHEMA, "nics", list);
	json_finish(document, oom, out);
}

/* One rate, or one for each priority; null where it is not known. */
static json_t *rates_json(const struct port_counters *port, enum counter counter, bool *oom)
{
	bool one = counter_table[counter].of != COUNTER_OF_PRIORITY;
	json_t *list = one ? NULL : json_array();
	double rate;

	for (unsigned int i = 0; i < counter_width(counter); i++) {
		json_t *value = counter_rate(port, counter, i, &rate) ? json_real(rate) :
									json_null();

		if (one)
			return value;
		json_add(list, value, oom);
	}
	return list;
}

static json_t *port_warnings_json(const struct port_counters *port, bool *oom)
{
	struct counter_warning warnings[COUNTER_WARNINGS_MAX];
	size_t n = port->result < 0 ? 0 : counters_judge(port, warnings);
	json_t *list = json_array();

	for (size_t i = 0; i < n; i++)
		json_add(list, json_text(warnings[i].text), oom);
	return list;
}

static json_t *port_counters_json(const struct port_counters *port, bool *oom)
{
	int error = port->result < 0 ? port->result : port->after.error;
	json_t *rates = json_object(), *lossless = json_array();

	for (enum counter counter = 0; counter < COUNTER_MAX; counter++)
		if (json_object_set_new(rates, counter_table[counter].name,
					rates_json(port, counter, oom)) < 0)
			*oom = true;
	for (int i = 0; i < PRIORITIES; i++)
		if (port->after.lossless & 1U << i)
			json_add(lossless, json_integer(i), oom);
	return json_pack("{s:o, s:o, s:i, s:o, s:f, s:o, s:o, s:o}", "name",
			 json_text(port->nic.name), "rdma", json_text(port->nic.rdma), "rdma_port",
			 (int)port->nic.rdma_port, "lossless", lossless, "seconds",
			 (double)(port->after.at_ms - port->before.at_ms) / 1000, "rates", rates,
			 "warnings", port_warnings_json(port, oom), "trouble",
			 json_text(error < 0 && error != -EOPNOTSUPP ? strerror(-error) : NULL));
}

void counters_write_json(const struct port_counters *ports, size_t n, FILE *out)
{
	json_auto_t *document = NULL;
	json_t *list = json_array();
	bool oom = false;

	for (size_t i = 0; i < n; i++)
		json_add(list, port_counters_json(&ports[i], &oom), &oom);
	document = json_pack("{s:i, s:o}", "schema", REPORT_SCHEMA, "ports", list);
	json_finish(document, oom, out);
}

void gids_write_json(const struct gids *gids, FILE *out)
{
	json_auto_t *document = NULL;
	json_t *list = json_array();
	bool oom = false;

	for (size_t i = 0; i < gids->n; i++) {
		const struct gid *gid = &gids->list[i];

		json_add(list,
		    json_pack("{s:o, s:i, s:i, s:o, s:o, s:o}", "rdma", json_text(gid->rdma),
			      "rdma_port", (int)gid->rdma_port, "index", (int)gid->index, "type",
			      json_text(gid->type), "netdev", json_text(gid->netdev), "address",
			      json_text(gid->address)),
		    &oom);
	}
	document = json_pack("{s:i, s:o}", "schema", REPORT_SCHEMA, "gids", list);
	json_finish(document, oom, out);
}

static json_t *wanted_json(enum knob knob, const struct value *want)
{
	char text[VALUE_TEXT_MAX];

	value_format(&knob_table[knob], want, text, sizeof(text));
	return json_pack("{s:s, s:o, s:i, s:i, s:o}", "name", knob_table[knob].name, "want",
			 want->status == VALUE_KNOWN ? json_text(text) : json_null(), "line",
			 (int)want->where.line, "column", (int)want->where.column, "because",
			 json_text(want->note));
}

static json_t *state_json(const struct state *state, bool *oom)
{
	json_t *knobs = json_array();

	for (enum knob knob = 0; knob < KNOB_MAX; knob++)
		if (state->value[knob].status != VALUE_UNMANAGED &&
		    json_array_append_new(knobs, wanted_json(knob, &state->value[knob])) < 0)
			*oom = true;
	return json_pack("{s:s, s:o, s:s, s:o, s:o}", "kind", target_kind_name(state->target.kind),
			 "name", json_text(state->target.name), "verdict",
			 verdict_name(state->verdict), "reason", json_text(state->reason), "knobs",
			 knobs);
}

void desired_write_json(const struct states *want, const struct diags *diags, FILE *out)
{
	json_auto_t *document = NULL;
	json_t *list = json_array();
	bool oom = false;

	for (size_t i = 0; i < want->n; i++)
		if (json_array_append_new(list, state_json(&want->list[i], &oom)) < 0)
			oom = true;
	document = json_pack("{s:i, s:o, s:o}", "schema", REPORT_SCHEMA, "diagnostics",
			     diagnostics_json(diags, &oom), "targets", list);
	json_finish(document, oom, out);
}

/* The words of a knob, null for a knob without. */
static json_t *words_json(const struct knob_info *knob)
{
	json_t *list;

	if (knob->kind != VALUE_WORD)
		return json_null();
	list = json_array();
	for (const char *const *word = knob->words; list && *word; word++)
		(void)json_array_append_new(list, json_string(*word));
	return list;
}

static json_t *range_json(const struct knob_info *knob)
{
	if (knob->kind != VALUE_NUMBER && knob->kind != VALUE_OPTIONAL)
		return json_null();
	return json_pack("{s:I, s:I}", "min", (json_int_t)knob->min, "max", (json_int_t)knob->max);
}

void knob_write_json(enum knob knob, FILE *out)
{
	const struct knob_info *info = &knob_table[knob];
	json_auto_t *document = NULL;

	document = json_pack(
		"{s:i, s:s, s:s, s:s, s:o, s:o, s:o, s:s, s:s, s:s, s:b, s:b, s:o}", "schema",
		REPORT_SCHEMA, "name", info->name, "target", target_kind_name(info->target), "why",
		info->why, "range", range_json(info), "unit", json_text(info->unit), "words",
		words_json(info), "spec", info->spec, "kernel", info->kernel, "drivers",
		info->drivers, "required", info->required, "settable",
		!object_table[info->object].read_only, "instead", json_text(info->instead));
	json_finish(document, false, out);
}
