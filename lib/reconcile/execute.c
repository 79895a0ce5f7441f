// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The plan executor. Reads before each write, writes once, reads until it is so; knows what a
 * refusal means for the steps that follow. Touches the machine only through the provider.
 */
#include "lib/reconcile/execute.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "lib/base/macro.h"
#include "lib/model/driver.h"
#include "lib/reconcile/change.h"
#include "lib/reconcile/links.h"

enum {
	BUSY_FIRST_MS = 200,
	POLL_FIRST_MS = 5,
	POLL_MAX_MS = 100,
};

struct run {
	struct plan *plan;
	struct provider *provider;
	struct links links;
};

static void say(struct step *step, const char *format, ...) _printf_(2, 3);

static void say(struct step *step, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	(void)vsnprintf(step->reason, sizeof(step->reason), format, args);
	va_end(args);
}

/* What to call an errno that a write was answered with. */
static const char *refusal_words(int error)
{
	switch (error) {
	case EBUSY:
	case EAGAIN:
		return "busy: the device is in use";
	case ENOSPC:
		return "resources exhausted";
	case EPERM:
	case EACCES:
		return "denied, although root: look at SELinux, AppArmor, lockdown";
	case EROFS:
		return "read-only for losslessd: look at the hardening of its units "
		       "(ProtectKernelTunables=) or the mounts of its container";
	case ENODEV:
	case ENOENT:
		return "the device is gone";
	case EINVAL:
	case ERANGE:
		return "value refused";
	case EOPNOTSUPP:
		return "not supported";
	default:
		return strerrordesc_np(error) ?: "unknown error";
	}
}

static bool is_busy(const struct refusal *refusal)
{
	int error = refusal->error == EREMOTEIO ? -refusal->status : refusal->error;

	return error == EBUSY || error == EAGAIN;
}

static void say_refusal(struct step *step)
{
	const struct refusal *refusal = &step->refusal;
	const char *separator = *refusal->text ? ": " : "";

	if (is_busy(refusal))
		say(step, "busy, tried %d times: the device is in use%s%s", EXECUTE_BUSY_TRIES,
		    separator, refusal->text);
	else if (refusal->error == EREMOTEIO)
		say(step, "refused by the driver (status %d)%s%s", refusal->status, separator,
		    refusal->text);
	else
		say(step, "%s%s%s", refusal_words(refusal->error), separator, refusal->text);
}

static const struct state *wanted(const struct run *run, const struct step *step)
{
	return &run->plan->want->list[step->target];
}

/* ---- comparing ---- */

static struct change change_of(const struct step *step)
{
	return (struct change){ step->object, step->op, step->parts };
}

static bool step_reached(const struct step *step, const struct state *want,
			 const struct state *have)
{
	const struct change change = change_of(step);

	for (size_t i = 0; i < step->n_knobs; i++) {
		enum knob knob = step->knob[i];

		if (!change_reached(&change, knob, &want->value[knob], &have->value[knob]))
			return false;
	}
	return true;
}

/*
 * Is the object still as the plan saw it? Maps and attributes for each priority are edited one by
 * one, by earlier steps of the plan too, so only their result counts.
 */
static bool step_expected(const struct step *step, const struct state *planned,
			  const struct state *have)
{
	const struct change change = change_of(step);

	if (object_table[step->object].map || object_table[step->object].files)
		return true;
	for (size_t i = 0; i < step->n_knobs; i++) {
		enum knob knob = step->knob[i];

		if (have->value[knob].status != VALUE_KNOWN ||
		    !change_expected(&change, knob, &planned->value[knob], &have->value[knob]))
			return false;
	}
	return true;
}

/* With its owner, DCB may begin to read otherwise: what a host has never set is zero there. */
static bool reads_anew(const struct plan *plan, const struct step *step)
{
	const struct target *target = &plan->want->list[step->target].target;

	if (!object_table[step->object].dcb || !driver_find(target->nic.driver)->zeros_until_set)
		return false;
	for (size_t i = 0; i < plan->n_steps && &plan->steps[i] != step; i++)
		if (plan->steps[i].target == step->target &&
		    plan->steps[i].object == OBJECT_DCBX && plan->steps[i].outcome == STEP_DONE)
			return true;
	return false;
}

/* ---- one step ---- */

static int read_object(const struct run *run, const struct step *step, struct state *ret)
{
	const struct state *want = wanted(run, step);

	*ret = (struct state){ .target = want->target };
	return run->provider->ops->read(run->provider, &want->target, step->object, ret);
}

static void fail(struct step *step, int error)
{
	step->outcome = STEP_FAILED;
	step->refusal.error = error;
	say_refusal(step);
}

/* Write, again while the device is busy. Returns what the provider's write returned last. */
static int write_patiently(const struct run *run, struct step *step, const struct state *have)
{
	const struct change change = change_of(step);
	unsigned int wait_ms = BUSY_FIRST_MS;
	int r;

	for (int try = 1;; try++) {
		step->refusal = (struct refusal){};
		r = run->provider->ops->write(run->provider, &wanted(run, step)->target, &change,
					      wanted(run, step), have, &step->refusal);
		if (r >= 0)
			return r;
		if (!step->refusal.error)
			step->refusal.error = -r;
		if (!is_busy(&step->refusal) || try == EXECUTE_BUSY_TRIES)
			return r;
		run->provider->ops->sleep_ms(run->provider, wait_ms);
		wait_ms *= 2;
	}
}

static void say_not_in_effect(const struct run *run, struct step *step, const struct state *have)
{
	const struct state *want = wanted(run, step);
	const struct change change = change_of(step);
	char text[VALUE_NOTE_MAX];

	step->outcome = STEP_FAILED;
	for (size_t i = 0; i < step->n_knobs; i++) {
		enum knob knob = step->knob[i];

		if (change_reached(&change, knob, &want->value[knob], &have->value[knob]))
			continue;
		value_format_beside(&knob_table[knob], &have->value[knob], &want->value[knob], text,
				    sizeof(text));
		say(step, "accepted, but not in effect: %s is %s", knob_table[knob].name, text);
		return;
	}
}

/* Read back until it is so or the settle time is over. */
static void verify_step(const struct run *run, struct step *step)
{
	int64_t end_ms =
		run->provider->ops->now_ms(run->provider) + object_table[step->object].settle_ms;
	unsigned int wait_ms = POLL_FIRST_MS;
	struct state have;
	int r;

	for (;;) {
		r = read_object(run, step, &have);
		if (r < 0) {
			fail(step, -r);
			return;
		}
		if (step_reached(step, wanted(run, step), &have)) {
			step->outcome = STEP_DONE;
			return;
		}
		if (run->provider->ops->now_ms(run->provider) >= end_ms)
			break;
		run->provider->ops->sleep_ms(run->provider, wait_ms);
		wait_ms = MIN(wait_ms * 2, (unsigned int)POLL_MAX_MS);
	}
	say_not_in_effect(run, step, &have);
}

static void stale(struct step *step, const char *why)
{
	step->outcome = STEP_STALE;
	step->refusal = (struct refusal){};
	say(step, "%s", why);
}

/* Whether it was written only reading tells. */
static bool is_unknown(int r)
{
	return r == -ECONNRESET || r == -ETIMEDOUT || r == -EBADMSG;
}

/* There is no answer, and it is not so: who died will not do it any more, who is slow may. */
static void judge_unknown(struct step *step, int r, const struct refusal *refusal)
{
	if (r == -ECONNRESET) {
		stale(step, "the reply was lost");
		return;
	}
	step->refusal = *refusal;
	fail(step, refusal->error);
	step->in_doubt = true;
}

static void run_step(struct run *run, struct step *step)
{
	const struct state *want = wanted(run, step);
	struct refusal refusal;
	struct state have;
	bool had_carrier;
	int r;

	r = read_object(run, step, &have);
	if (r < 0) {
		fail(step, -r);
		return;
	}
	if (step_reached(step, want, &have)) {
		step->outcome = STEP_ALREADY;
		return;
	}
	if (!reads_anew(run->plan, step) &&
	    !step_expected(step, &run->plan->have->list[step->target], &have)) {
		stale(step, "changed by somebody else meanwhile");
		return;
	}
	had_carrier = links_up(&run->links, step);
	r = write_patiently(run, step, &have);
	if (r == -ESTALE) {
		stale(step, "changed by somebody else meanwhile");
		return;
	}
	if (r < 0 && !is_unknown(r)) {
		fail(step, step->refusal.error);
		return;
	}
	refusal = step->refusal;
	verify_step(run, step);
	if (r < 0 && step->outcome != STEP_DONE)
		judge_unknown(step, r, &refusal);
	if (r != 0 && had_carrier)
		links_dropped(&run->links, step);
}

/* ---- all steps ---- */

/* The step before on the same target that makes this one pointless, NULL if there is none. */
static const struct step *blocker(const struct plan *plan, size_t number)
{
	const struct step *step = &plan->steps[number];
	const struct driver_info *driver =
		driver_find(plan->want->list[step->target].target.nic.driver);

	for (size_t i = 0; i < number; i++) {
		const struct step *before = &plan->steps[i];

		if (before->target != step->target || before->outcome != STEP_FAILED)
			continue;
		if (before->object == step->object || before->refusal.error == ENODEV ||
		    driver_needs(driver, step->object, before->object))
			return before;
	}
	return NULL;
}

/* The step on the device below that was not done, without which this one asks for too much. */
static const struct step *unfounded(const struct plan *plan, size_t number)
{
	const struct step *step = &plan->steps[number];
	const struct state *want = &plan->want->list[step->target];

	for (size_t i = 0; i < number; i++) {
		const struct step *below = &plan->steps[i];
		const struct state *have = &plan->have->list[below->target];
		enum knob knob = step->knob[0];

		if (below->object != step->object || !object_table[step->object].stacked ||
		    !nic_stands_on(&want->target.nic, &have->target.nic))
			continue;
		if ((below->outcome == STEP_SKIPPED ||
		     (below->outcome == STEP_FAILED && !below->carrier_lost)) &&
		    want->value[knob].data.number > have->value[knob].data.number)
			return below;
	}
	return NULL;
}

static bool may_run(struct run *run, size_t number)
{
	struct step *step = &run->plan->steps[number];
	const struct step *before = blocker(run->plan, number) ?: unfounded(run->plan, number);

	if (before) {
		step->outcome = STEP_SKIPPED;
		say(step, "not tried: %s", before->reason);
		return false;
	}
	return !step->may_drop_link || links_allow(&run->links, step);
}

static void report_progress(const struct execute_hooks *hooks, const struct plan *plan,
			    size_t number)
{
	if (hooks && hooks->progress)
		hooks->progress(plan, &plan->steps[number], number, hooks->data);
}

static int undone(const struct plan *plan)
{
	for (size_t i = 0; i < plan->n_steps; i++)
		if (plan->steps[i].outcome != STEP_DONE && plan->steps[i].outcome != STEP_ALREADY)
			return 1;
	return 0;
}

int plan_execute(struct plan *plan, struct provider *provider, const struct execute_hooks *hooks)
{
	struct run run = {
		.plan = plan,
		.provider = provider,
		.links = { .plan = plan, .provider = provider },
	};

	for (size_t i = 0; i < plan->n_steps; i++) {
		if (hooks && hooks->stop && hooks->stop(hooks->data))
			break;
		report_progress(hooks, plan, i);
		if (may_run(&run, i))
			run_step(&run, &plan->steps[i]);
		report_progress(hooks, plan, i);
	}
	links_await_all(&run.links);
	return undone(plan);
}

/* ---- what became of it ---- */

/* The reading is no proof where the kernel's table keeps what the driver refused. */
static bool is_proof(const struct step *step, const struct plan *after)
{
	const struct target *target = &after->want->list[step->target].target;

	return step->object != OBJECT_APP || !driver_find(target->nic.driver)->app_refused_stays;
}

static void explain_step(const struct step *step, struct plan *after)
{
	for (size_t i = 0; i < after->n_findings; i++) {
		struct finding *finding = &after->findings[i];

		if (finding->target != step->target || finding->knob == KNOB_NONE ||
		    knob_table[finding->knob].object != step->object)
			continue;
		if (finding->verdict != VERDICT_DRIFT && !step->carrier_lost &&
		    (finding->verdict != VERDICT_IN_SYNC || is_proof(step, after)))
			continue;
		finding->verdict = VERDICT_FAILED;
		finding->exit = STATUS_FAILED;
		(void)snprintf(finding->reason, sizeof(finding->reason), "%s", step->reason);
	}
}

void plan_explain_failures(const struct plan *plan, struct plan *after)
{
	for (size_t i = 0; i < plan->n_steps; i++) {
		enum step_outcome outcome = plan->steps[i].outcome;

		if (outcome == STEP_FAILED || outcome == STEP_SKIPPED)
			explain_step(&plan->steps[i], after);
	}
}

int states_observe(const struct states *want, struct provider *provider, struct states *ret)
{
	struct states states = {};
	int r;

	for (size_t i = 0; i < want->n; i++) {
		const struct state *wanted_state = &want->list[i];
		struct state *have;

		have = states_add(&states, wanted_state->target.kind, &wanted_state->target.nic,
				  wanted_state->target.name);
		if (!have) {
			states_done(&states);
			return -ENOMEM;
		}
		if (wanted_state->verdict != VERDICT_IN_SYNC)
			continue;
		r = provider->ops->observe(provider, &wanted_state->target, wanted_state, have);
		if (r >= 0)
			continue;
		have->verdict = r == -ENODEV ? VERDICT_PENDING : VERDICT_UNKNOWN;
		(void)snprintf(have->reason, sizeof(have->reason), "%s",
			       r == -ENODEV	   ? "the device is gone" :
			       strerrordesc_np(-r) ?:
						     "cannot be read");
	}
	*ret = states;
	return 0;
}
