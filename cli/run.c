// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The verbs that read or change the machine, on a session that is ready: the same for the real node
 * and the demo.
 */
#include "cli/progress.h"
#include "cli/session.h"
#include "cli/stop.h"
#include "cli/switches.h"
#include "cli/terminal.h"
#include "lib/node/store-switch.h"
#include "lib/report/facts.h"

int session_plan(struct session *session)
{
	_cleanup_(pass_done) struct pass pass = { .file = session->path };

	session->kind = REPORT_PLAN;
	if (pass_plan(&pass, session->os, session->text, session->size, session->node) == 0)
		session_switches_read(session, &pass);
	return session_report(session, &pass);
}

int session_status(struct session *session)
{
	_cleanup_(pass_done) struct pass pass = { .record = session->store, .file = session->path };

	session->kind = REPORT_STATUS;
	if (!session->nobody_asks_for_the_daemon)
		(void)fputs("losslessctl: losslessd is not running: read by this process\n",
			    stderr);
	if (pass_plan(&pass, session->os, session->text, session->size, session->node) == 0)
		session_switches_read(session, &pass);
	return session_report(session, &pass);
}

static const char *step_words(enum step_outcome outcome)
{
	if (outcome == STEP_PLANNED)
		return "begun";
	return outcome == STEP_DONE || outcome == STEP_ALREADY ? "done" : "failed";
}

static void show_progress(const struct plan *plan, const struct step *step, size_t number,
			  void *data)
{
	const struct session *session = data;
	char knobs[256] = "";

	for (size_t i = 0, at = 0; i < step->n_knobs && at < sizeof(knobs); i++)
		at += (size_t)snprintf(knobs + at, sizeof(knobs) - at, "%s%s", i ? " " : "",
				       knob_name(step->knob[i]));
	progress_step(session->progress, number + 1, plan->n_steps,
		      plan->want->list[step->target].target.name, knobs, step_words(step->outcome));
}

static bool stop_hook(void *data)
{
	return stop_requested();
}

static void say_stopped(const struct session *session)
{
	if (stop_requested())
		say("stopped by a signal between two steps: %s",
		    session->kind == REPORT_APPLY ?
			    "losslessctl apply --once goes on, rollback --once returns" :
			    "losslessctl rollback --once goes on");
}

int session_apply(struct session *session)
{
	struct execute_hooks hooks = { .progress = show_progress,
				       .stop = stop_hook,
				       .data = session };
	struct switch_push push = { .session = session };
	_cleanup_(pass_done) struct pass pass = {
		.record = session->store,
		.file = session->path,
		.before = session_switches_push,
		.before_data = &push,
	};

	session->kind = REPORT_APPLY;
	if (pass_plan(&pass, session->os, session->text, session->size, session->node) < 0)
		return session_report(session, &pass);
	stop_watch(stop_after_step);
	/* What waited for a confirm is kept, or makes way */
	if (session->store)
		store_set_confirm(session->store, (struct store_confirm){});
	(void)pass_apply(&pass, session->store, &hooks);
	session_switches_finish(&pass, &push);
	stop_unwatch();
	progress_end(session->progress);
	say_stopped(session);
	return session_report(session, &pass);
}

int session_rollback(struct session *session)
{
	struct execute_hooks hooks = { .progress = show_progress,
				       .stop = stop_hook,
				       .data = session };
	_cleanup_(pass_done) struct pass pass = {
		.returned = session_switches_return,
		.returned_data = session,
	};

	session->kind = REPORT_ROLLBACK;
	stop_watch(stop_after_step);
	(void)pass_rollback(&pass, session->os, session->store, &hooks);
	stop_unwatch();
	progress_end(session->progress);
	say_stopped(session);
	return session_report(session, &pass);
}
