// SPDX-License-Identifier: LGPL-2.1-or-later
/* Words and counts for the writers; pure. */
#include "lib/report/facts.h"

#include <string.h>

#include "lib/base/macro.h"
#include "lib/model/driver.h"

static const char *const outcome_names[] = {
	[STEP_PLANNED] = "not begun",	    [STEP_DONE] = "done",     [STEP_ALREADY] = "already so",
	[STEP_STALE] = "changed meanwhile", [STEP_FAILED] = "failed", [STEP_SKIPPED] = "skipped",
};
static_assert(ARRAY_SIZE(outcome_names) == STEP_OUTCOME_MAX, "a word for each outcome");

static const char *const op_names[] = {
	[STEP_SET] = "set",
	[STEP_ADD] = "add",
	[STEP_DELETE] = "delete",
};
static_assert(ARRAY_SIZE(op_names) == STEP_OP_MAX, "a word for each operation");

const char *step_outcome_name(enum step_outcome outcome)
{
	return outcome_names[outcome];
}

const char *step_op_name(enum step_op op)
{
	return op_names[op];
}

const char *knob_name(enum knob knob)
{
	return knob < KNOB_MAX ? knob_table[knob].name : "";
}

const char *file_base(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

const struct plan *report_findings(const struct report *report)
{
	return report->after ? report->after : report->plan;
}

/* Which of two verdicts a target is called by: what people have to look at first. */
static int verdict_rank(enum verdict verdict)
{
	static const int ranks[] = {
		[VERDICT_NOT_APPLICABLE] = 0, [VERDICT_UNSUPPORTED] = 1, [VERDICT_IN_SYNC] = 2,
		[VERDICT_UNKNOWN] = 3,	      [VERDICT_PENDING] = 4,	 [VERDICT_DRIFT] = 5,
		[VERDICT_CONTESTED] = 6,      [VERDICT_FAILED] = 7,
	};
	static_assert(ARRAY_SIZE(ranks) == VERDICT_MAX, "a rank for each verdict");

	return ranks[verdict];
}

/*
 * Findings that count for the exit status come before those that do not; among equals the rank
 * decides.
 */
static bool finding_outweighs(const struct finding *a, const struct finding *b)
{
	if (a->exit != b->exit)
		return exit_worse(a->exit, b->exit) == a->exit;
	return verdict_rank(a->verdict) > verdict_rank(b->verdict);
}

enum verdict target_verdict(const struct plan *plan, size_t target)
{
	const struct finding *worst = NULL;

	for (size_t i = 0; i < plan->n_findings; i++) {
		const struct finding *finding = &plan->findings[i];

		if (finding->target == target && (!worst || finding_outweighs(finding, worst)))
			worst = finding;
	}
	return worst ? worst->verdict : plan->want->list[target].verdict;
}

bool plan_is_crowded(const struct plan *plan)
{
	size_t n[TARGET_KIND_MAX] = {};

	for (size_t i = 0; i < plan->want->n; i++)
		if (++n[plan->want->list[i].target.kind] >= TOGETHER_MIN)
			return true;
	return false;
}

static void append(char *text, size_t size, const char *separator, const char *word)
{
	size_t used = strlen(text);

	if (*word)
		(void)snprintf(text + used, size - used, "%s%s", used ? separator : "", word);
}

void target_describe(const struct target *target, char *text, size_t size)
{
	const struct nic *nic = &target->nic;
	char word[2 * NAME_MAX_BYTES];

	text[0] = '\0';
	append(text, size, " ", nic->driver);
	append(text, size, " ", nic->pci);
	if (target->kind == TARGET_PORT && *nic->rdma) {
		append(text, size, ", ", nic->rdma);
	} else if (target->kind == TARGET_RDMA && *nic->name) {
		(void)snprintf(word, sizeof(word), "port %u is %s", nic->rdma_port, nic->name);
		append(text, size, ", ", word);
	}
	if (nic->vf) {
		(void)snprintf(word, sizeof(word), "VF of %s",
			       *nic->pf ? nic->pf : "an unknown PF");
		append(text, size, ", ", word);
	}
	if (nic->master_ifindex) {
		(void)snprintf(word, sizeof(word), "enslaved to %s",
			       *nic->master ? nic->master : "a device out of sight");
		append(text, size, ", ", word);
	}
	if (*nic->lower) {
		(void)snprintf(word, sizeof(word), "on %s", nic->lower);
		append(text, size, ", ", word);
	}
	if (nic->link_layer == LINK_LAYER_INFINIBAND)
		append(text, size, ", ", "InfiniBand");
	else if (nic->ifindex && target->kind == TARGET_PORT && !nic->carrier)
		append(text, size, ", ", nic->up ? "no carrier" : "down");
}

static void unsupported_advice(const struct finding *finding, char *text, size_t size)
{
	if (finding->knob < KNOB_MAX)
		(void)snprintf(text, size, "see losslessctl explain %s", knob_name(finding->knob));
}

static bool is_read_only(const struct finding *finding)
{
	return finding->knob < KNOB_MAX &&
	       object_table[knob_table[finding->knob].object].read_only;
}

bool finding_advice_is_own(const struct finding *finding)
{
	return finding->verdict == VERDICT_UNSUPPORTED ||
	       (finding->verdict == VERDICT_DRIFT && is_read_only(finding));
}

void finding_advice(const struct plan *plan, const struct finding *finding, char *text, size_t size)
{
	const char *verb = plan->direction == PLAN_BACK ? "rollback" : "apply";

	text[0] = '\0';
	switch (finding->verdict) {
	case VERDICT_DRIFT:
		if (is_read_only(finding))
			unsupported_advice(finding, text, size);
		else if (!finding->not_ours && !plan->kept)
			(void)snprintf(text, size, "run losslessctl %s --once", verb);
		break;
	case VERDICT_PENDING:
		if (plan->kept)
			(void)snprintf(text, size, "tried again by itself");
		else
			(void)snprintf(text, size, "run %s again", verb);
		break;
	case VERDICT_UNSUPPORTED:
		if (finding->instead)
			(void)snprintf(text, size, "%s", finding->instead);
		else
			unsupported_advice(finding, text, size);
		break;
	case VERDICT_CONTESTED:
	case VERDICT_UNKNOWN:
	case VERDICT_FAILED:
	case VERDICT_IN_SYNC:
	case VERDICT_NOT_APPLICABLE:
	case VERDICT_MAX:
		break;
	}
}

bool step_knob_drops_link(const struct plan *plan, const struct step *step, enum knob knob)
{
	const struct target *target = &plan->want->list[step->target].target;
	uint32_t drops = driver_find(target->nic.driver)->drops_link;

	if (!step->may_drop_link)
		return false;
	for (size_t i = 0; i < step->n_knobs; i++)
		if (drops & KNOB_BIT(step->knob[i]))
			return drops & KNOB_BIT(knob);
	return true;
}

static bool step_has(const struct step *step, size_t target, enum knob knob)
{
	if (step->target != target)
		return false;
	for (size_t i = 0; i < step->n_knobs; i++)
		if (step->knob[i] == knob)
			return true;
	return false;
}

bool change_is_first(const struct plan *plan, size_t step, enum knob knob)
{
	for (size_t i = 0; i < step; i++)
		if (step_has(&plan->steps[i], plan->steps[step].target, knob))
			return false;
	return true;
}

static int outcome_rank(enum step_outcome outcome)
{
	static const int ranks[] = {
		[STEP_ALREADY] = 0, [STEP_DONE] = 1,  [STEP_PLANNED] = 2,
		[STEP_SKIPPED] = 3, [STEP_STALE] = 4, [STEP_FAILED] = 5,
	};
	static_assert(ARRAY_SIZE(ranks) == STEP_OUTCOME_MAX, "a rank for each outcome");

	return ranks[outcome];
}

static bool superseded(const struct plan *plan, size_t number, enum knob knob)
{
	const struct step *step = &plan->steps[number];

	for (size_t i = number + 1; i < plan->n_steps; i++)
		if (plan->steps[i].op == step->op && step_has(&plan->steps[i], step->target, knob))
			return true;
	return false;
}

const struct step *change_worst(const struct plan *plan, size_t target, enum knob knob)
{
	const struct step *worst = NULL;

	for (size_t i = 0; i < plan->n_steps; i++) {
		const struct step *step = &plan->steps[i];

		if (!step_has(step, target, knob) || superseded(plan, i, knob))
			continue;
		if (!worst || outcome_rank(step->outcome) > outcome_rank(worst->outcome))
			worst = step;
	}
	return worst;
}

static bool target_is_first(const struct plan *plan, size_t step)
{
	for (size_t i = 0; i < step; i++)
		if (plan->steps[i].target == plan->steps[step].target)
			return false;
	return true;
}

static void count_changes(const struct plan *plan, struct report_counts *counts)
{
	for (size_t i = 0; i < plan->n_steps; i++) {
		const struct step *step = &plan->steps[i];

		counts->targets_changed += target_is_first(plan, i);
		for (size_t k = 0; k < step->n_knobs; k++) {
			if (!change_is_first(plan, i, step->knob[k]))
				continue;
			counts->changes++;
			counts->outcome[change_worst(plan, step->target, step->knob[k])->outcome]++;
		}
	}
}

struct report_counts report_count(const struct report *report)
{
	const struct plan *now = report_findings(report);
	struct report_counts counts = {};

	for (size_t i = 0; now && i < now->want->n; i++) {
		enum target_kind kind = now->want->list[i].target.kind;

		counts.targets[kind]++;
		counts.in_sync[kind] += target_verdict(now, i) == VERDICT_IN_SYNC;
	}
	if (report->plan)
		count_changes(report->plan, &counts);
	return counts;
}

void knob_range_format(const struct knob_info *knob, char *text, size_t size)
{
	size_t used;

	switch (knob->kind) {
	case VALUE_NUMBER:
	case VALUE_OPTIONAL:
		(void)snprintf(text, size, "%u to %u%s%s%s", knob->min, knob->max,
			       *knob->unit ? " " : "", knob->unit,
			       knob->kind == VALUE_OPTIONAL ? ", or unset" : "");
		return;
	case VALUE_WORD:
		text[0] = '\0';
		for (const char *const *word = knob->words; *word; word++) {
			used = strlen(text);
			(void)snprintf(text + used, size - used, "%s%s", used ? ", " : "", *word);
		}
		return;
	case VALUE_PRIORITIES:
	case VALUE_SWITCHES:
	case VALUE_PORT_SWITCHES:
		(void)snprintf(text, size, "a set of priorities, 0 to 7, or none");
		return;
	case VALUE_PAUSE:
		(void)snprintf(text, size, "off, or of rx, tx, autoneg those that are on");
		return;
	case VALUE_DSCP_MAP:
		(void)snprintf(text, size, "DSCP 0 to 63 to priority 0 to 7");
		return;
	case VALUE_ETS:
		(void)snprintf(text, size,
			       "priority:class/how for each priority; how is a share in percent or "
			       "strict");
		return;
	case VALUE_RATES:
		(void)snprintf(text, size,
			       "tcN:rate for each traffic class that has a limit, or unlimited; N "
			       "alone is a priority, where its class is not managed");
		return;
	case VALUE_KIND_MAX:
		break;
	}
	text[0] = '\0';
}
