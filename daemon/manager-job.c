// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Jobs: what people ask for, and what losslessd asks of itself (to return what nobody confirmed, to
 * finish or return what a crash left). One at a time; a status is answered in between.
 */
#include <errno.h>
#include <inttypes.h>
#include <sha256.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <systemd/sd-daemon.h>
#include <time.h>

#include "daemon/manager-private.h"
#include "lib/base/cleanup.h"
#include "lib/base/macro.h"
#include "lib/node/store-switch.h"
#include "lib/report/facts.h"

enum {
	RETURN_AGAIN_S = 30,	/* a return that did not get through */
	ASK_AGAIN_S = 1,	/* one that could not even be asked for */
};

struct job *job_free(struct job *job)
{
	if (job)
		free(job->text);
	free(job);
	return NULL;
}

static void finish(struct job *job, const struct report *report, const struct diags *diags)
{
	if (report)
		job->exit = report->exit;
	if (job->done)
		job->done(job, report, diags, job->data);
}

/* A changed file changes nothing by itself, but people should know that it waits. */
static void warn_of_file(struct manager *manager, struct report *report)
{
	manager_hash_file(manager);
	if (!*manager->file_hash || strcmp(manager->file_hash, manager->hash) == 0)
		return;
	(void)snprintf(manager->file_words, sizeof(manager->file_words),
		       "%s is not what is in force: losslessctl reload applies it",
		       manager->places.fabric);
	report->warnings[report->n_warnings++] = manager->file_words;
}

/* A job that ends with one line and nothing else. */
static void finish_with(struct manager *manager, struct job *job, enum exit_status status,
			const char *words)
{
	struct report report = {
		.kind = job->kind == JOB_ROLLBACK ? REPORT_ROLLBACK : REPORT_APPLY,
		.node = manager->node,
		.fabric = "",
		.file = job->file,
		.trouble = words,
		.exit = status,
	};

	if (job->kind == JOB_STATUS && manager->text)
		warn_of_file(manager, &report);
	finish(job, &report, NULL);
}

/* ---- confirm ---- */

static int on_confirm_over(sd_event_source *source, uint64_t usec, void *data)
{
	struct manager *manager = data;

	manager->confirm_timer = sd_event_source_disable_unref(manager->confirm_timer);
	if (manager_ask_own(manager, JOB_ROLLBACK, CAUSE_RETURN) < 0)
		manager_arm_confirm(manager, ASK_AGAIN_S);
	return 0;
}

/* From now on, unless it is known since it began. */
static int64_t confirm_end_us(const struct manager *manager, struct store_confirm confirm)
{
	int64_t left_s = confirm.until_s - (int64_t)time(NULL);

	if (manager->confirm_us)
		return manager->confirm_us;
	left_s = MAX(MIN(left_s, confirm.span_s), (int64_t)0);
	return manager_now_us() + left_s * 1000 * 1000;
}

bool manager_confirm_over(const struct manager *manager)
{
	return store_get_confirm(manager->store).until_s &&
	       manager_now_us() >= manager->confirm_us;
}

static void disarm_confirm(struct manager *manager)
{
	manager->confirm_timer = sd_event_source_disable_unref(manager->confirm_timer);
}

/* @least_s: not before, for a return that did not get through to be tried again. */
void manager_arm_confirm(struct manager *manager, int64_t least_s)
{
	struct store_confirm confirm = store_get_confirm(manager->store);
	int64_t at_us;

	disarm_confirm(manager);
	manager->confirm_us = confirm.until_s ? confirm_end_us(manager, confirm) : 0;
	if (!confirm.until_s)
		return;
	at_us = MAX(manager->confirm_us, manager_now_us() + least_s * 1000 * 1000);
	if (sd_event_add_time(manager->event, &manager->confirm_timer, CLOCK_BOOTTIME,
			      (uint64_t)at_us, 100 * 1000, on_confirm_over, manager) >= 0)
		return;
	manager->confirm_us = 0;
	(void)manager_ask_own(manager, JOB_ROLLBACK, CAUSE_RETURN);
}

static bool any_held(const struct plan *plan)
{
	for (size_t i = 0; i < plan->n_findings; i++)
		if (plan->findings[i].knob < KNOB_MAX &&
		    plan->findings[i].verdict == VERDICT_PENDING)
			return true;
	return false;
}

static void do_confirm(struct manager *manager, struct job *job)
{
	bool may_hold = manager->has_now && manager->now.desired.policy.disruptive ==
						    DISRUPTIVE_CONFIRM;
	int r;

	if (!store_get_confirm(manager->store).until_s && !may_hold) {
		finish_with(manager, job, STATUS_FAILED,
			    "nothing waits for a confirm: apply --confirm TIME begins it");
		return;
	}
	r = store_confirm(manager->store);
	if (r < 0) {
		finish_with(manager, job, STATUS_FAILED, "the confirm cannot be kept on disk");
		return;
	}
	manager_arm_confirm(manager, 0);
	manager_switches_confirm(manager);
	manager->released = may_hold && any_held(&manager->now.plan);
	manager->audit_due |= manager->released;
	finish_with(manager, job, STATUS_OK, NULL);
}

/* ---- apply ---- */

/* Before the first write: from when on it returns by itself, on disk with the undo record. */
static int begin_confirm(struct manager *manager, struct job *job)
{
	struct store_confirm confirm = {};
	int64_t span_s = (int64_t)((job->confirm_ms + 999) / 1000);

	if (job->confirm_ms && manager->text && manager->size == job->size &&
	    memcmp(manager->text, job->text, job->size) == 0) {
		finish_with(manager, job, STATUS_FAILED,
			    "this file is in force already, so there is nothing to return to: "
			    "apply without --confirm, or rollback");
		return -EALREADY;
	}
	if (job->confirm_ms)
		confirm = (struct store_confirm){ (int64_t)time(NULL) + span_s, span_s };
	store_set_confirm(manager->store, confirm);
	return 0;
}

static void remember_error(struct manager *manager, const struct pass *pass, const char *file)
{
	const struct diag *first = NULL;

	for (size_t i = 0; i < pass->diags.n && !first; i++)
		if (pass->diags.list[i].severity == SEVERITY_ERROR)
			first = &pass->diags.list[i];
	if (pass->exit == STATUS_SPEC && first)
		(void)snprintf(manager->last_error, sizeof(manager->last_error),
			       "%s:%u:%u: %s", file_base(file), first->where.line,
			       first->where.column, first->message);
	else
		(void)snprintf(manager->last_error, sizeof(manager->last_error), "%s",
			       pass->trouble);
}

/* Nothing is written here, whatever drifts. */
static void warn_of_block(struct manager *manager, struct report *report)
{
	if (!*manager->blocked)
		return;
	report->warnings[report->n_warnings++] = manager->blocked;
	report->exit = STATUS_FAILED;
}

static void finish_pass(struct manager *manager, struct job *job, const struct pass *pass,
			enum report_kind kind)
{
	struct report report = pass_report(pass, kind, job->file);

	if (!*report.node)
		report.node = manager->node;
	if (!*report.fabric)
		report.fabric = manager->fabric;
	report.generation = store_generation(manager->store);
	report.now_s = (int64_t)time(NULL);
	if (kind == REPORT_STATUS || kind == REPORT_APPLY)
		report.confirm_s = store_get_confirm(manager->store).until_s;
	if (kind == REPORT_STATUS) {
		report.read_s = manager->read_s;
		manager_switches_report(manager, &report);
		warn_of_block(manager, &report);
		warn_of_file(manager, &report);
		manager_storms(manager, &report);
	}
	/* A rollback: before what they are of is forgotten */
	if (kind == REPORT_APPLY ? pass->after.want != NULL : pass->switches_before.n > 0)
		manager_switches_report(manager, &report);
	finish(job, &report, &pass->diags);
}

static int carry_out(struct manager *manager, struct job *job, struct pass *pass)
{
	struct store_confirm before = store_get_confirm(manager->store);
	uint64_t generation = store_generation(manager->store);
	struct execute_hooks hooks = manager_hooks(manager);
	int64_t end_us = manager->confirm_us;
	int r;

	r = begin_confirm(manager, job);
	if (r < 0)
		return r;
	disarm_confirm(manager);
	manager->confirm_us =
		job->confirm_ms ? manager_now_us() + (int64_t)job->confirm_ms * 1000 : 0;
	pass->before = manager_switches_push;
	pass->before_data = manager;
	guard_forgive(&manager->guard);
	manager->state = "applying";
	r = pass_apply(pass, manager->store, &hooks);
	manager->stopped = job->stop;
	if (job->stop)
		(void)store_stop(manager->store);
	if (r < 0 && store_generation(manager->store) == generation) {
		store_set_confirm(manager->store, before);
		manager->confirm_us = end_us;
	}
	return r;
}

/* Nothing came of it, or not all: it is told, and what is in force now is read back. */
static int refuse_apply(struct manager *manager, struct job *job, struct pass *pass)
{
	bool refused = pass->exit == STATUS_SPEC;
	int r;

	remember_error(manager, pass, job->file);
	manager_tell_event(manager, refused ? EVENT_SPEC_REFUSED : EVENT_REPAIR_FAILED, "%s",
			   manager->last_error);
	finish_pass(manager, job, pass, REPORT_APPLY);
	if (refused)
		return 0;
	r = manager_take_force(manager);
	manager_arm_confirm(manager, 0);
	manager_dirty_devices(manager);
	return r;
}

/*
 * The file of the start asks for nothing of what is here yet: it is in force all the same, for the
 * drivers may come later than this process. Whoever asks for an apply is refused instead.
 */
static bool may_wait(const struct job *job, const struct pass *pass, int r)
{
	return r == -ENOENT && job->own && job->kind == JOB_RELOAD && pass->desired.node_found;
}

static int accept_early(struct manager *manager, struct job *job, struct pass *pass)
{
	int r;

	r = store_accept(manager->store, job->text, job->size, &pass->plan);
	if (r == 0)
		r = manager_take_force(manager);
	if (r < 0) {
		(void)snprintf(manager->last_error, sizeof(manager->last_error),
			       "cannot keep the fabric file, nothing was changed: %s",
			       strerrordesc_np(-r));
		manager_tell_event(manager, EVENT_REPAIR_FAILED, "%s", manager->last_error);
	} else {
		manager_tell_event(manager, EVENT_SPEC_ACCEPTED, "generation %" PRIu64
				   " in force: %s", store_generation(manager->store),
				   file_base(job->file));
		/* That look tells what is lacking */
		manager_dirty_devices(manager);
	}
	finish_pass(manager, job, pass, REPORT_APPLY);
	return r == -ENOMEM ? r : 0;
}

/* @cause of who asks for it. */
static int do_apply(struct manager *manager, struct job *job, enum cause cause)
{
	_cleanup_(pass_done) struct pass pass;
	int r;

	manager_pass_init(manager, &pass, cause);
	r = pass_plan(&pass, manager->os, job->text, job->size, manager->node);
	if (r == 0)
		r = carry_out(manager, job, &pass);
	if (r == -EALREADY)
		return 0;
	if (may_wait(job, &pass, r))
		return accept_early(manager, job, &pass);
	if (r < 0 && r != -ENOMEM)
		return refuse_apply(manager, job, &pass);
	if (r < 0)
		return r;
	manager_unblock(manager);
	*manager->last_error = '\0';
	manager->released = false;
	manager_remember(manager, &pass.plan, pass.cause);
	r = manager_take_force(manager);
	manager_arm_confirm(manager, 0);
	manager_tell_event(manager, EVENT_SPEC_ACCEPTED, "generation %" PRIu64 " in force: %s",
			   store_generation(manager->store), file_base(job->file));
	finish_pass(manager, job, &pass, REPORT_APPLY);
	manager_adopt(manager, &pass);
	manager_count(manager);
	manager_tell(manager);
	manager_arm_audit(manager);
	manager_arm_retry(manager);
	return r;
}

/* ---- the file in /etc ---- */

static int do_reload(struct manager *manager, struct job *job, enum cause cause)
{
	char words[384];
	int r;

	(void)snprintf(job->file, sizeof(job->file), "%s", manager->places.fabric);
	r = manager_read_fabric(manager, &job->text, &job->size);
	if (r == -ENOMEM)
		return r;
	if (r < 0) {
		(void)snprintf(words, sizeof(words), "cannot read %s: %s", manager->places.fabric,
			       r == -EFBIG ? "larger than 16 MiB" : strerrordesc_np(-r));
		(void)snprintf(manager->last_error, sizeof(manager->last_error), "%s", words);
		manager_tell_event(manager, EVENT_SPEC_REFUSED, "%s", words);
		finish_with(manager, job, STATUS_FAILED, words);
		return 0;
	}
	(void)SHA256Data((const uint8_t *)job->text, job->size, manager->file_hash);
	/* At the start systemd waits for READY=1 anyway, which main sends */
	if (!job->own)
		(void)sd_notify(0, "RELOADING=1");
	r = do_apply(manager, job, cause);
	if (!job->own)
		(void)sd_notify(0, "READY=1");
	return r;
}

/* ---- rollback ---- */

static enum manager_event rollback_event(enum cause cause)
{
	return cause == CAUSE_RETURN ? EVENT_RETURNED : EVENT_ROLLED_BACK;
}

static const char *rollback_words(enum cause cause)
{
	switch (cause) {
	case CAUSE_RETURN:
		return "returned: nobody confirmed in time";
	case CAUSE_CRASH:
		return "returned: a rollback was interrupted";
	default:
		return "returned by rollback";
	}
}

/* What came of it; a rollback that did not get through goes on being one. */
static void tell_rollback(struct manager *manager, const struct pass *pass, int r, enum cause cause)
{
	if (r < 0)
		manager_tell_event(manager, EVENT_REPAIR_FAILED, "%s", pass->trouble);
	else if (pass->exit != STATUS_OK)
		manager_tell_event(manager, EVENT_REPAIR_FAILED,
				   "not all could be returned: see losslessctl status; losslessctl "
				   "rollback goes on");
	else
		manager_tell_event(manager, rollback_event(cause), "%s", rollback_words(cause));
}

/* What nobody confirmed in time was confirmed, replaced or returned before its turn came. */
static bool is_overtaken(const struct manager *manager)
{
	/* At the start it is decided */
	if (manager->first_job)
		return false;
	for (size_t i = 0; i < manager->n_jobs; i++)
		if (manager->jobs[i]->kind == JOB_CONFIRM)
			return true;
	return !manager_confirm_over(manager);
}

static int do_rollback(struct manager *manager, struct job *job, enum cause cause)
{
	struct execute_hooks hooks = manager_hooks(manager);
	_cleanup_(pass_done) struct pass pass;
	int r;

	disarm_confirm(manager);
	manager_pass_init(manager, &pass, cause);
	guard_forgive(&manager->guard);
	manager->stopped = false;
	manager->state = "applying";
	pass.returned = manager_switches_return;
	pass.returned_data = manager;
	r = pass_rollback(&pass, manager->os, manager->store, &hooks);
	if (r == -ENOMEM)
		return r;
	manager_remember(manager, &pass.plan, pass.cause);
	tell_rollback(manager, &pass, r, cause);
	finish_pass(manager, job, &pass, REPORT_ROLLBACK);
	manager_forget(manager);
	r = manager_take_force(manager);
	manager_arm_confirm(manager, RETURN_AGAIN_S);
	if (r < 0)
		return r;
	manager->dirty_devices = manager->text != NULL;
	if (!manager->text)
		manager_count(manager);
	manager_tell(manager);
	return 0;
}

/* ---- looking ---- */

/* What is not in order has been so since it was told. */
static void say_since(struct manager *manager)
{
	struct plan *plan = &manager->now.plan;

	for (size_t i = 0; i < plan->n_findings; i++) {
		struct finding *finding = &plan->findings[i];

		if (finding->exit != STATUS_OK)
			finding->since_s = manager_since_s(
				manager, &plan->want->list[finding->target].target, finding->knob);
	}
}

static void finish_status(struct manager *manager, struct job *job)
{
	if (!manager->text) {
		finish_with(manager, job, STATUS_FAILED,
			    *manager->last_error ? manager->last_error :
						   "nothing is in force on this node: run "
						   "losslessctl apply");
		return;
	}
	if (!manager->has_now) {
		finish_with(manager, job, STATUS_FAILED, *manager->last_error ?
			    manager->last_error : "the first look at this node is under way");
		return;
	}
	manager->now.exit = plan_exit(&manager->now.plan);
	say_since(manager);
	pass_find_rival(&manager->now);
	(void)snprintf(job->file, sizeof(job->file), "%s/accepted.yaml",
		       manager->places.state_dir);
	finish_pass(manager, job, &manager->now, REPORT_STATUS);
}

static int do_status(struct manager *manager, struct job *job)
{
	int r = 0;

	if (manager->text && manager->has_now && !manager->running && !manager->dirty_devices)
		r = manager_audit(manager);
	else if (manager->text && !manager->running)
		r = manager_full(manager, CAUSE_LOOK);
	if (r >= 0)
		finish_status(manager, job);
	return r == -ENOMEM ? r : 0;
}

static int do_plan(struct manager *manager, struct job *job)
{
	struct pass pass;
	int r;

	manager_pass_init(manager, &pass, CAUSE_APPLY);
	r = pass_plan(&pass, manager->os, job->text, job->size, manager->node);
	finish_pass(manager, job, &pass, REPORT_PLAN);
	pass_done(&pass);
	return r == -ENOMEM ? r : 0;
}

/* ---- the queue ---- */

static int do_own(struct manager *manager, struct job *job, enum cause cause)
{
	switch (job->kind) {
	case JOB_APPLY:
		return do_apply(manager, job, cause);
	case JOB_RELOAD:
		return do_reload(manager, job, cause);
	case JOB_ROLLBACK:
		if (cause != CAUSE_RETURN || !is_overtaken(manager))
			return do_rollback(manager, job, cause);
		manager_arm_confirm(manager, 0);
		break;
	case JOB_STATUS:
		return do_status(manager, job);
	case JOB_PLAN:
		return do_plan(manager, job);
	case JOB_CONFIRM:
		do_confirm(manager, job);
		break;
	}
	return 0;
}

int manager_do_job(struct manager *manager, struct job *job)
{
	enum cause cause = job->kind == JOB_ROLLBACK ? CAUSE_ROLLBACK : CAUSE_APPLY;
	int r;

	if (job->own)
		cause = (enum cause)job->own_cause;
	/* A status and a plan look only: they may be asked for while another job waits */
	if (job->kind != JOB_STATUS)
		manager->running = job;
	r = do_own(manager, job, cause);
	if (job->number == manager->first_job)
		manager->first_job = 0;
	manager->running = NULL;
	manager->state = "idle";
	(void)job_free(job);
	return r;
}

int manager_ask_own(struct manager *manager, enum job_kind kind, enum cause cause)
{
	struct job *job = calloc(1, sizeof(*job));

	if (!job)
		return -ENOMEM;
	job->kind = kind;
	job->own = true;
	job->own_cause = cause;
	if (!manager_ask(manager, job)) {
		(void)job_free(job);
		return -ENOMEM;
	}
	if (!manager->started)
		manager->first_job = job->number;
	return 0;
}
