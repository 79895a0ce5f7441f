// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Looking and repairing: the whole node after a start or when devices came and went, a part of it
 * after an event, everything again at an audit. What was read last stays in manager->now.
 */
#include <errno.h>
#include <sha256.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "daemon/manager-private.h"
#include "lib/base/cleanup.h"
#include "lib/base/macro.h"

enum { AUDIT_JITTER_PERCENT = 10 };

static const char *const cause_names[] = {
	[CAUSE_BOOT] = "boot",	     [CAUSE_START] = "start",	[CAUSE_DRIFT] = "drift",
	[CAUSE_DEVICE] = "device",   [CAUSE_CRASH] = "crash",	[CAUSE_APPLY] = "apply",
	[CAUSE_ROLLBACK] = "rollback", [CAUSE_RETURN] = "unconfirmed", [CAUSE_LOOK] = "look",
};
static_assert(ARRAY_SIZE(cause_names) == CAUSE_MAX, "a name for each cause");

/* Everything was read, just now. */
static void have_read(struct manager *manager)
{
	manager->read_ms = manager_now_ms(manager);
	manager->read_s = time(NULL);
}

/* ---- what is in force ---- */

void manager_forget(struct manager *manager)
{
	free(TAKE_PTR(manager->text));
	manager->size = 0;
	*manager->hash = *manager->fabric = '\0';
	manager_switches_forget(manager);
	pass_done(&manager->now);
	manager->now = (struct pass){};
	manager->has_now = false;
	free(TAKE_PTR(manager->dirty));
	manager->dirty_any = false;
	manager->released = false;
	manager->looks++;
}

int manager_take_force(struct manager *manager)
{
	int r;

	free(TAKE_PTR(manager->text));
	manager->size = 0;
	*manager->hash = '\0';
	r = store_accepted(manager->store, &manager->text, &manager->size);
	if (r == -ENOENT)
		return 0;
	if (r == 0)
		(void)SHA256Data((const uint8_t *)manager->text, manager->size, manager->hash);
	return r;
}

/* ---- one pass ---- */

void manager_pass_init(struct manager *manager, struct pass *pass, enum cause cause)
{
	manager->missed = false;
	*pass = (struct pass){
		.provider = &manager->provider.provider,
		.adjust = manager_adjust,
		.adjust_data = manager,
		.record = manager->store,
		.cause = cause_names[cause],
		/* Until a file is resolved */
		.desired.policy = manager->has_now ? manager->now.desired.policy : policy_default,
	};
	manager->cause = cause;
}

static bool is_stopped(void *data)
{
	const struct manager *manager = data;

	return manager->stopping || (manager->running && manager->running->stop);
}

static void on_progress(const struct plan *plan, const struct step *step, size_t number, void *data)
{
	struct manager *manager = data;
	struct job *job = manager->running;

	if (job && job->progress)
		job->progress(job, plan, step, number, job->data);
}

struct execute_hooks manager_hooks(struct manager *manager)
{
	return (struct execute_hooks){
		.progress = on_progress,
		.stop = is_stopped,
		.data = manager,
	};
}

/* Plans point into the pass that they belong to. */
static void point_into(struct pass *pass)
{
	pass->plan.want = &pass->desired.states;
	pass->plan.have = &pass->found;
}

/* The plan of what is so after a pass that wrote, else of what was found. */
static void take_after(struct pass *pass)
{
	if (!pass->after.want)
		return;
	plan_done(&pass->plan);
	states_done(&pass->found);
	pass->plan = pass->after;
	pass->found = pass->found_after;
	pass->after = (struct plan){};
	pass->found_after = (struct states){};
	point_into(pass);
}

void manager_adopt(struct manager *manager, struct pass *pass)
{
	uint32_t *dirty;

	take_after(pass);
	pass_done(&manager->now);
	manager->now = *pass;
	*pass = (struct pass){};
	point_into(&manager->now);
	manager->has_now = true;
	if (manager->now.spec) {
		(void)snprintf(manager->fabric, sizeof(manager->fabric), "%s",
			       spec_fabric(manager->now.spec));
		manager_switches_adopt(manager, manager->now.spec);
	}
	manager->now.spec = spec_free(manager->now.spec);
	manager->now.text = NULL;
	manager->looks++;
	have_read(manager);
	dirty = calloc(MAX(manager->now.desired.states.n, (size_t)1), sizeof(*dirty));
	free(manager->dirty);
	manager->dirty = dirty;
	manager->dirty_any = dirty && manager->missed;
	/* It may be about what was read before it: one more look, at everything */
	for (size_t i = 0; manager->dirty_any && i < manager->now.desired.states.n; i++)
		dirty[i] = UINT32_MAX;
}

/* Say it once, in the words of the pass. */
static void tell_trouble(struct manager *manager, const struct pass *pass)
{
	const char *words = *pass->trouble ? pass->trouble : "the spec in force does not fit";

	if (strcmp(manager->last_error, words) == 0)
		return;
	(void)snprintf(manager->last_error, sizeof(manager->last_error), "%s", words);
	manager_tell_event(manager, EVENT_REPAIR_FAILED, "%s", words);
}

void manager_unblock(struct manager *manager)
{
	if (*manager->blocked && strcmp(manager->last_error, manager->blocked) == 0)
		*manager->last_error = '\0';
	*manager->blocked = '\0';
}

/* One reason for the whole node is kept until a repair gets through again. */
static int repair(struct manager *manager, struct pass *pass)
{
	struct execute_hooks hooks = manager_hooks(manager);
	int r;

	r = pass_repair(pass, manager->store, &hooks);
	if (r >= 0)
		manager_unblock(manager);
	if (r >= 0 || r == -ENOMEM)
		return r;
	(void)snprintf(manager->blocked, sizeof(manager->blocked), "%s", pass->trouble);
	tell_trouble(manager, pass);
	return r;
}

/* Nothing could be read: what was known before is no longer so. */
static void forget_now(struct manager *manager)
{
	pass_done(&manager->now);
	manager->now = (struct pass){};
	manager->has_now = false;
	manager_arm_audit(manager);
}

int manager_full(struct manager *manager, enum cause cause)
{
	struct pass pass;
	int r;

	manager_pass_init(manager, &pass, cause);
	r = pass_plan(&pass, manager->os, manager->text, manager->size, manager->node);
	if (r < 0) {
		tell_trouble(manager, &pass);
		pass_done(&pass);
		if (r != -ENOMEM)
			forget_now(manager);
		return r == -ENOMEM ? r : 0;
	}
	if (cause != CAUSE_LOOK && (pass.plan.n_steps || cause == CAUSE_CRASH))
		r = repair(manager, &pass);
	if (r == -ENOMEM) {
		pass_done(&pass);
		return r;
	}
	if (r >= 0)
		*manager->last_error = '\0';
	manager_remember(manager, &pass.plan, pass.cause);
	manager->released &= cause == CAUSE_LOOK;
	manager_adopt(manager, &pass);
	manager_count(manager);
	manager_tell(manager);
	manager_arm_audit(manager);
	manager_arm_retry(manager);
	return 0;
}

/* ---- a part ---- */

/* What the part found is what is so now. */
static void merge(struct manager *manager, const struct states *want, const struct states *found)
{
	for (size_t i = 0; i < want->n; i++) {
		const struct target *target = &want->list[i].target;
		struct state *have;

		have = states_find(&manager->now.found, target->kind, target->name);
		if (!have)
			continue;
		if (found->list[i].verdict != VERDICT_IN_SYNC) {
			/* gone, or unreadable as a whole: the devices are looked at anew */
			manager->dirty_devices = true;
			continue;
		}
		for (enum knob knob = 0; knob < KNOB_MAX; knob++)
			if (want->list[i].value[knob].status != VALUE_UNMANAGED)
				have->value[knob] = found->list[i].value[knob];
	}
}

static int rebuild(struct manager *manager)
{
	struct pass *now = &manager->now;

	plan_done(&now->plan);
	if (plan_build(&now->desired.states, &now->found, PLAN_FORWARD, &now->plan) < 0)
		return -ENOMEM;
	manager->cause = CAUSE_LOOK;
	manager_adjust(&now->plan, &now->desired.policy, manager);
	return 0;
}

static void clean(struct manager *manager)
{
	memset(manager->dirty, 0, manager->now.desired.states.n * sizeof(*manager->dirty));
	manager->dirty_any = false;
}

int manager_part(struct manager *manager)
{
	_cleanup_free_ uint32_t *objects = NULL;
	struct pass pass;
	int r;

	objects = malloc(MAX(manager->now.desired.states.n, (size_t)1) * sizeof(*objects));
	if (!objects)
		return -ENOMEM;
	memcpy(objects, manager->dirty, manager->now.desired.states.n * sizeof(*objects));
	clean(manager);
	manager_pass_init(manager, &pass, CAUSE_DRIFT);
	r = pass_part(&pass, manager->os, &manager->now.desired.states, objects);
	if (r == 0)
		/* before it is mended, so that it is told what was there */
		merge(manager, &pass.desired.states, &pass.found);
	if (r == 0)
		r = rebuild(manager);
	if (r == 0)
		manager_tell(manager);
	manager->cause = CAUSE_DRIFT;
	if (r == 0 && pass.plan.n_steps) {
		r = repair(manager, &pass);
		manager_remember(manager, &pass.plan, pass.cause);
		if (pass.after.want)
			merge(manager, &pass.desired.states, &pass.found_after);
		r = rebuild(manager);
		manager_tell(manager);
	}
	pass_done(&pass);
	manager->released &= manager->audit_due;
	manager_arm_retry(manager);
	return r == -ENOMEM ? r : 0;
}

/* ---- everything again ---- */

/* What was read last is what is so until all is read again: who asks meanwhile gets that. */
static int read_again(struct manager *manager)
{
	struct pass *now = &manager->now, again = *now;
	int r;

	again.provider = &manager->provider.provider;
	again.plan = again.after = (struct plan){};
	again.found = again.found_after = (struct states){};
	r = pass_again(&again);
	if (r < 0) {
		plan_done(&again.plan);
		states_done(&again.found);
		return r;
	}
	plan_done(&now->after);
	plan_done(&now->plan);
	states_done(&now->found_after);
	states_done(&now->found);
	*now = again;
	point_into(now);
	return 0;
}

int manager_audit(struct manager *manager)
{
	struct pass *now = &manager->now;
	int r;

	manager->cause = CAUSE_LOOK;
	/* What is marked from here on is looked at after it */
	clean(manager);
	r = read_again(manager);
	if (r < 0)
		return r;
	have_read(manager);
	if (now->plan.n_steps == 0)
		manager_unblock(manager);
	manager_count(manager);
	for (size_t i = 0; i < now->found.n; i++)
		manager->dirty_devices |= now->found.list[i].verdict == VERDICT_PENDING &&
					  now->desired.states.list[i].verdict == VERDICT_IN_SYNC;
	for (size_t i = 0; i < now->plan.n_steps; i++) {
		const struct step *step = &now->plan.steps[i];

		manager->dirty[step->target] |= UINT32_C(1) << step->object;
		manager->dirty_any = true;
	}
	/* What a confirm let go is not there any more */
	manager->released &= manager->dirty_any || manager->dirty_devices;
	manager_tell(manager);
	manager_arm_audit(manager);
	return 0;
}

static int on_audit(sd_event_source *source, uint64_t usec, void *data)
{
	struct manager *manager = data;

	manager->audit_due = true;
	return 0;
}

static int on_retry(sd_event_source *source, uint64_t usec, void *data)
{
	struct manager *manager = data;

	manager->audit_due = true;
	return 0;
}

/* Arm @source anew at @at_ms of CLOCK_BOOTTIME. */
static void arm(struct manager *manager, sd_event_source **source, int64_t at_ms,
		sd_event_time_handler_t handler)
{
	*source = sd_event_source_disable_unref(*source);
	(void)sd_event_add_time(manager->event, source, CLOCK_BOOTTIME, (uint64_t)at_ms * 1000,
				100 * 1000, handler, manager);
}

void manager_arm_audit(struct manager *manager)
{
	const struct policy *policy =
		manager->has_now ? &manager->now.desired.policy : &policy_default;
	int64_t interval_ms = policy->audit_interval_ms;
	int64_t jitter_ms = interval_ms * AUDIT_JITTER_PERCENT / 100;

	manager->audit_due = false;
	/* Nodes that were started at once do not look at once */
	interval_ms -= jitter_ms ? random() % jitter_ms : 0;
	arm(manager, &manager->audit_timer, manager_now_ms(manager) + interval_ms, on_audit);
}

void manager_arm_retry(struct manager *manager)
{
	int64_t next_ms = guard_next_retry(&manager->guard, manager_now_ms(manager));

	if (next_ms)
		arm(manager, &manager->retry_timer, next_ms, on_retry);
	else
		manager->retry_timer = sd_event_source_disable_unref(manager->retry_timer);
}
