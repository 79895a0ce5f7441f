// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * What of a plan may be done now. A step that has to wait is taken out of the plan, and the finding
 * says why: by policy, because a job uses the link, after a failure, or because somebody else keeps
 * writing the same thing.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "daemon/manager-private.h"
#include "lib/model/driver.h"
#include "lib/node/rival.h"

/* Why a step is not done now. */
struct hold {
	bool held;
	enum verdict verdict;
	char words[2 * VALUE_NOTE_MAX];
};

static void hold(struct hold *hold, enum verdict verdict, const char *format, ...) _printf_(3, 4);

static void hold(struct hold *hold, enum verdict verdict, const char *format, ...)
{
	va_list args;

	hold->held = true;
	hold->verdict = verdict;
	va_start(args, format);
	(void)vsnprintf(hold->words, sizeof(hold->words), format, args);
	va_end(args);
}

/* Nobody stands behind it and waits. */
static bool in_background(enum cause cause)
{
	switch (cause) {
	case CAUSE_APPLY:
	case CAUSE_ROLLBACK:
	case CAUSE_RETURN:
	case CAUSE_BOOT:
	case CAUSE_CRASH:
		return false;
	case CAUSE_START:
	case CAUSE_DRIFT:
	case CAUSE_DEVICE:
	case CAUSE_LOOK:
	case CAUSE_MAX:
		break;
	}
	return true;
}

/* Who else writes, as far as that can be seen. */
static void name_rival(struct manager *manager, const struct plan *plan, const struct step *step,
		       char *text, size_t size)
{
	const struct value *dcbx = &plan->have->list[step->target].value[KNOB_DCBX];
	char rival[256] = "";

	if (object_table[step->object].dcb)
		rival_find(manager->os, rival, sizeof(rival));
	if (*rival)
		(void)snprintf(text, size, "%s", rival);
	else if (object_table[step->object].dcb && dcbx->status == VALUE_KNOWN &&
		 dcbx->data.number != DCBX_HOST)
		(void)snprintf(text, size, "DCBX is owned by %s",
			       dcbx->data.number == DCBX_LLD ? "an LLDP agent" : "the firmware");
	else
		(void)snprintf(text, size, "somebody else keeps writing it");
}

static void hold_contested(struct manager *manager, const struct plan *plan,
			   const struct step *step, struct hold *ret)
{
	struct guard_entry *entry;

	entry = guard_entry(&manager->guard, &plan->want->list[step->target].target, step->object,
			    false);
	if (!entry)
		return;
	if (!entry->contested && guard_is_fight(&manager->guard, entry, manager_now_ms(manager))) {
		entry->contested = true;
		name_rival(manager, plan, step, entry->words, sizeof(entry->words));
	}
	if (entry->contested) {
		hold(ret, VERDICT_CONTESTED, "reverted %d times, not written any more: %s",
		     GUARD_REPAIRS_MAX, entry->words);
		return;
	}
	if (entry->retry_ms > manager_now_ms(manager))
		hold(ret, VERDICT_FAILED, "%s; tried %u time%s, again in %" PRId64 " s",
		     entry->words, entry->failures, entry->failures == 1 ? "" : "s",
		     (entry->retry_ms - manager_now_ms(manager) + 999) / 1000);
}

static void hold_disruptive(struct manager *manager, const struct plan *plan,
			    const struct policy *policy, const struct step *step, struct hold *ret)
{
	struct provider *provider = &manager->provider.provider;
	int r;

	switch (policy->disruptive) {
	case DISRUPTIVE_IDLE:
		r = provider->ops->in_use(provider, &plan->want->list[step->target].target);
		if (r > 0)
			hold(ret, VERDICT_PENDING, "the link would drop, and a job has a queue "
			     "pair on it: waits until it ends, or for losslessctl apply");
		else if (r < 0)
			hold(ret, VERDICT_PENDING, "the link would drop, and whether a job uses "
			     "it cannot be told: waits for losslessctl apply");
		break;
	case DISRUPTIVE_APPLY:
		hold(ret, VERDICT_PENDING, "the link would drop: waits for losslessctl apply "
		     "(policy.disruptive)");
		break;
	case DISRUPTIVE_CONFIRM:
		if (!manager->released)
			hold(ret, VERDICT_PENDING, "the link would drop: waits for losslessctl "
			     "confirm (policy.disruptive)");
		break;
	case DISRUPTIVE_NEVER:
		hold(ret, VERDICT_DRIFT, "the link would drop: never done in the background "
		     "(policy.disruptive)");
		break;
	}
}

/* The node is on its way somewhere else, or somebody said stop: nothing goes forward by itself. */
static void hold_all(struct manager *manager, struct hold *ret)
{
	if (store_phase(manager->store) == STORE_RETURNING)
		hold(ret, VERDICT_PENDING,
		     "a rollback has not ended: rollback goes on, apply brings the file in force");
	else if (manager_confirm_over(manager))
		hold(ret, VERDICT_PENDING, "nobody confirmed: the state before is returned to");
	else if (manager->stopped)
		hold(ret, VERDICT_PENDING,
		     "the apply was stopped: apply goes on, rollback returns");
}

static void hold_step(struct manager *manager, const struct plan *plan,
		      const struct policy *policy, const struct step *step, struct hold *ret)
{
	*ret = (struct hold){};
	if (!in_background(manager->cause))
		return;
	hold_all(manager, ret);
	if (!ret->held)
		hold_contested(manager, plan, step, ret);
	if (ret->held)
		return;
	if (policy->drift == POLICY_REPORT)
		hold(ret, VERDICT_DRIFT, "only reported (policy.drift)");
	else if (step->may_drop_link)
		hold_disruptive(manager, plan, policy, step, ret);
}

static void say_held(struct plan *plan, const struct step *step, const struct hold *hold)
{
	for (size_t i = 0; i < plan->n_findings; i++) {
		struct finding *finding = &plan->findings[i];

		if (finding->target != step->target || finding->knob >= KNOB_MAX ||
		    knob_table[finding->knob].object != step->object ||
		    finding->verdict != VERDICT_DRIFT)
			continue;
		finding->verdict = hold->verdict;
		finding->exit = hold->verdict == VERDICT_DRIFT || hold->verdict == VERDICT_PENDING ?
					STATUS_DRIFT : STATUS_FAILED;
		(void)snprintf(finding->reason, sizeof(finding->reason), "%s", hold->words);
	}
}

/* The step that was taken out before on the same target, without which @step makes no sense. */
static bool needs_held(const struct plan *plan, const struct step *step, const struct step *held)
{
	const struct target *target = &plan->want->list[step->target].target;

	return held->target == step->target &&
	       (held->object == step->object ||
		driver_needs(driver_find(target->nic.driver), step->object, held->object));
}

/* A device that is missing for longer than it may is no longer pending. */
static void judge_missing(struct manager *manager, struct plan *plan, uint32_t grace_ms)
{
	for (size_t i = 0; i < plan->n_findings; i++) {
		struct finding *finding = &plan->findings[i];
		const struct target *target = &plan->want->list[finding->target].target;
		int64_t since_s;

		if (finding->knob != KNOB_NONE || finding->verdict != VERDICT_PENDING)
			continue;
		since_s = manager_since_s(manager, target, KNOB_NONE);
		if (!since_s || (time(NULL) - since_s) * 1000 < (int64_t)grace_ms)
			continue;
		finding->verdict = VERDICT_FAILED;
		finding->exit = STATUS_FAILED;
		(void)snprintf(finding->reason, sizeof(finding->reason),
			       "device missing for longer than policy.grace (%u s)",
			       grace_ms / 1000);
	}
}

void manager_adjust(struct plan *plan, const struct policy *policy, void *data)
{
	struct manager *manager = data;
	struct hold why;
	size_t n = 0;

	plan->kept = true;
	judge_missing(manager, plan, policy->grace_ms);
	for (size_t i = 0; i < plan->n_steps; i++) {
		struct step step = plan->steps[i];

		hold_step(manager, plan, policy, &step, &why);
		for (size_t k = n; !why.held && k < i; k++)
			if (needs_held(plan, &step, &plan->steps[k]))
				hold(&why, VERDICT_PENDING, "waits for %s",
				     object_table[plan->steps[k].object].name);
		if (why.held) {
			say_held(plan, &step, &why);
			continue;
		}
		/* What is done stands in front, what is held behind it, for those that need it */
		plan->steps[i] = plan->steps[n];
		plan->steps[n++] = step;
	}
	plan->n_steps = n;
}

/* A map that was mended in two messages was mended once. */
static bool is_repeated(const struct plan *plan, size_t number)
{
	const struct step *step = &plan->steps[number];

	for (size_t i = 0; i < number; i++)
		if (plan->steps[i].target == step->target &&
		    plan->steps[i].object == step->object &&
		    plan->steps[i].outcome == step->outcome)
			return true;
	return false;
}

/* Since the first event that nothing was done about yet; -1: that is not why it is done. */
static int64_t took_us(const struct manager *manager)
{
	if (!in_background(manager->cause) || !manager->event_us)
		return -1;
	return manager_now_us() - manager->event_us;
}

void manager_remember(struct manager *manager, const struct plan *plan, const char *cause)
{
	bool fight = in_background(manager->cause);

	for (size_t i = 0; i < plan->n_steps; i++) {
		const struct step *step = &plan->steps[i];
		struct guard_entry *entry;

		if (step->outcome == STEP_DONE)
			manager_tell_step(manager, plan, step, cause, took_us(manager));
		if ((step->outcome != STEP_DONE && step->outcome != STEP_FAILED) ||
		    is_repeated(plan, i))
			continue;
		entry = guard_entry(&manager->guard, &plan->want->list[step->target].target,
				    step->object, true);
		if (!entry)
			continue;
		if (step->outcome == STEP_FAILED)
			guard_failed(entry, manager_now_ms(manager), step->reason);
		else if (fight)
			guard_repaired(entry, manager_now_ms(manager));
	}
}
