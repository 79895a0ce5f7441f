// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The switches that this node owns: read every switch_audit_interval, pushed before the NICs of an
 * apply and when they drift. All of it is losslessd-switch's work: nothing here waits for a switch
 * but an apply, and that for a limited time.
 */
#include <errno.h>
#include <sha256.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "daemon/manager-private.h"
#include "lib/base/cleanup.h"
#include "lib/base/macro.h"
#include "lib/node/store-switch.h"
#include "lib/report/cables.h"
#include "lib/report/switches.h"

enum {
	REPAIRS_MAX = 3,		/* one after the other; then somebody else is at work */
	JITTER_PERCENT = 10,
	AGAIN_MS = 30 * 1000,		/* nobody could be asked */
	NAME_BYTES = SWITCH_NAME_MAX_BYTES + SWITCH_PORT_MAX,
};

static_assert(CONFIRM_MAX_MS / 1000 + SWITCH_TRIAL_MARGIN_S <= SWITCH_TRIAL_MAX_S,
	      "the longest apply --confirm can be a trial");

static struct manager_switches *switches_of(struct manager *manager)
{
	return &manager->switches;
}

/* ---- the worker ---- */

static void hang_up(struct manager_switches *switches)
{
	switches->io = sd_event_source_disable_unref(switches->io);
	if (switches->run.fd >= 0)
		(void)close(switches->run.fd);
	switch_run_done(&switches->run);
	switches->run = (struct switch_run){ .fd = -1, .states = &switches->states };
}

static int dial(const char *path)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd;

	if (!path || strlen(path) >= sizeof(address.sun_path))
		return -ENOENT;
	(void)snprintf(address.sun_path, sizeof(address.sun_path), "%s", path);
	fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return -errno;
	if (connect(fd, (const struct sockaddr *)&address, sizeof(address)) < 0) {
		int error = errno;

		(void)close(fd);
		return -error;
	}
	return fd;
}

/* Returns whether it can be asked; if not, that is what is so of each switch. */
static bool reach(struct manager *manager)
{
	struct manager_switches *switches = switches_of(manager);
	char words[FINDING_TEXT_MAX];
	int fd;

	if (switches->run.fd >= 0)
		return true;
	fd = dial(manager->places.switch_socket);
	if (fd < 0) {
		(void)snprintf(words, sizeof(words), "losslessd-switch cannot be reached: %s",
			       strerrordesc_np(-fd));
		switches_say(&switches->states, SWITCH_ASKED, words);
		return false;
	}
	switches->run = (struct switch_run){
		.fd = fd,
		.states = &switches->states,
		.wait = manager_wait_fd,
		.wait_data = manager,
	};
	return true;
}

/* ---- what is told ---- */

static void tell_one(struct manager *manager, enum manager_event event,
		     const struct switch_state *state, const struct switch_finding *finding)
{
	char name[NAME_BYTES], words[4 * FINDING_TEXT_MAX];

	switch_target_name(state, finding->port, name, sizeof(name));
	(void)snprintf(words, sizeof(words), "%s %s: %s, want %s%s%s%s%s", name,
		       switch_knob_name(finding->knob), verdict_name(finding->verdict),
		       finding->want, *finding->have ? ", have " : "", finding->have,
		       *finding->note ? ": " : "", finding->note);
	manager_tell_knob(manager, event, name, switch_knob_name(finding->knob), finding->want,
			  finding->have, words);
}

static enum manager_event event_of(enum verdict before, enum verdict now)
{
	bool was_bad = before == VERDICT_DRIFT || before == VERDICT_FAILED ||
		       before == VERDICT_CONTESTED;

	return now == VERDICT_IN_SYNC && was_bad ? EVENT_DRIFT_REPAIRED : manager_event_of(now);
}

static bool tell_findings(struct manager *manager, const struct switch_state *before,
			  const struct switch_state *now)
{
	bool changed = false;

	for (size_t i = 0; i < now->n; i++) {
		const struct switch_finding *finding = &now->findings[i], *old;
		enum manager_event event;

		old = switch_state_find(before, finding->port, finding->knob);
		if (old ? old->verdict == finding->verdict : finding->verdict == VERDICT_IN_SYNC)
			continue;
		changed = true;
		event = event_of(old ? old->verdict : VERDICT_IN_SYNC, finding->verdict);
		if (event == EVENT_DRIFT_REPAIRED)
			manager->repairs++;
		if (event != EVENT_MAX)
			tell_one(manager, event, now, finding);
	}
	return changed;
}

/* What is so of the switch as a whole, once for each change. */
static bool tell_whole(struct manager *manager, const struct switch_state *before,
		       const struct switch_state *now)
{
	bool was_well = before->verdict == VERDICT_IN_SYNC;
	bool is_well = now->verdict == VERDICT_IN_SYNC;

	if (now->calm != SWITCH_ASKED ||
	    (before->verdict == now->verdict && strcmp(before->reason, now->reason) == 0))
		return false;
	if (!is_well)
		manager_tell_port(manager, EVENT_REPAIR_FAILED, now->name, "%s: %s: %s", now->name,
				  verdict_name(now->verdict), now->reason);
	else if (!was_well && before->read_s)
		manager_tell_port(manager, EVENT_DEVICE_BACK, now->name, "%s: answers again",
				  now->name);
	return true;
}

static bool is_open(const struct manager_switches *switches, size_t index)
{
	return switches->run.job && switches->run.job[index];
}

/* That is what was told from now on, but of those that are being read. */
static void remember(struct manager_switches *switches)
{
	for (size_t i = 0; i < switches->states.n; i++) {
		struct switch_states now = {}, one = { &switches->states.list[i], 1, 1 };

		if (is_open(switches, i) || switch_states_copy(&one, &now) < 0)
			continue;
		switch_state_clear(&switches->told.list[i]);
		switches->told.list[i] = now.list[0];
		free(now.list);
	}
}

/* Compare with what was told, tell what changed. */
static void tell(struct manager *manager)
{
	struct manager_switches *switches = switches_of(manager);
	bool changed = false;

	for (size_t i = 0; i < switches->states.n && i < switches->told.n; i++) {
		/* What is being read is told when it is read */
		if (is_open(switches, i))
			continue;
		switch_state_date(&switches->states.list[i], &switches->told.list[i],
				  (int64_t)time(NULL));
		changed |= tell_whole(manager, &switches->told.list[i], &switches->states.list[i]);
		changed |= tell_findings(manager, &switches->told.list[i],
					 &switches->states.list[i]);
	}
	remember(switches);
	if (changed)
		manager_tell_changed(manager);
}

/* ---- looking, and repairing what drifted ---- */

static void contest(struct switch_state *state)
{
	for (size_t i = 0; i < state->n; i++) {
		struct switch_finding *finding = &state->findings[i];

		if (finding->verdict != VERDICT_DRIFT)
			continue;
		finding->verdict = VERDICT_CONTESTED;
		(void)snprintf(finding->note, sizeof(finding->note),
			       "somebody else keeps changing it: find out who, then losslessctl "
			       "apply");
	}
}

/* Its way back is on disk first. */
static void repair(struct manager *manager, size_t index)
{
	struct manager_switches *switches = switches_of(manager);
	struct switch_state *state = &switches->states.list[index];
	_cleanup_free_ char *record = NULL;

	if (switches->one[index].repairs++ >= REPAIRS_MAX) {
		contest(state);
		return;
	}
	if (switch_record_format(state, &record) < 0 ||
	    store_switch_add(manager->store, state->name, record) < 0)
		return;
	if (switch_run_ask(&switches->run, index, SWITCH_PUSH, manager->text, manager->size, NULL,
			   0) == 0)
		switches->one[index].pushes = true;
}

static bool may_repair(const struct manager *manager, const struct switch_state *state)
{
	return state->manage == MANAGE_PUSH && manager->has_now &&
	       manager->now.desired.policy.drift == POLICY_REPAIR && !manager->stopped &&
	       store_phase(manager->store) == STORE_IDLE;
}

/* A job is over. */
static void take(struct manager *manager, size_t index)
{
	struct manager_switches *switches = switches_of(manager);
	struct switch_state *state = &switches->states.list[index];
	bool pushed = switches->one[index].pushes;

	switches->one[index].pushes = false;
	state->took_ms = manager_now_ms(manager) - switches->one[index].asked_ms;
	if (!switch_state_differs(state) && !pushed)
		switches->one[index].repairs = 0;
	if (pushed)
		store_switch_history(manager->store, &switches->told.list[index], state, "drift");
	tell(manager);
	if (!pushed && switch_state_differs(state) && may_repair(manager, state)) {
		repair(manager, index);
		tell(manager);
	}
}

static int on_answer(sd_event_source *source, int fd, uint32_t events, void *data)
{
	struct manager *manager = data;
	struct manager_switches *switches = switches_of(manager);
	int r;

	for (size_t i = 0; i < switches->states.n; i++)
		switches->one[i].was_open = is_open(switches, i);
	r = switch_run_hear(&switches->run);
	for (size_t i = 0; i < switches->states.n; i++)
		if (switches->one[i].was_open && !switches->run.job[i])
			take(manager, i);
	if (r < 0 || switches->run.n_open == 0)
		hang_up(switches);
	if (r < 0)
		manager_switches_arm(manager);
	return 0;
}

/* What is still open when nobody waits for it is heard by the loop. */
static void hear_later(struct manager *manager)
{
	struct manager_switches *switches = switches_of(manager);

	if (switches->run.n_open == 0 ||
	    sd_event_add_io(manager->event, &switches->io, switches->run.fd, EPOLLIN, on_answer,
			    manager) < 0)
		hang_up(switches);
}

void manager_switches_look(struct manager *manager)
{
	struct manager_switches *switches = switches_of(manager);

	if (switches->busy || !manager->text || !switch_states_any_asked(&switches->states) ||
	    !reach(manager)) {
		tell(manager);
		return;
	}
	for (size_t i = 0; i < switches->states.n; i++) {
		struct switch_state *state = &switches->states.list[i];

		if (!switch_state_is_asked(state) || is_open(switches, i))
			continue;
		switches->one[i].asked_ms = manager_now_ms(manager);
		if (switch_run_ask(&switches->run, i, SWITCH_READ, manager->text, manager->size,
				   NULL, 0) == 0)
			continue;
		switch_state_clear(state);
		state->verdict = VERDICT_UNKNOWN;
		(void)snprintf(state->reason, sizeof(state->reason),
			       "losslessd-switch cannot be asked");
	}
	if (!switches->io)
		hear_later(manager);
	tell(manager);
}

static int on_audit(sd_event_source *source, uint64_t usec, void *data)
{
	struct manager *manager = data;

	manager_switches_look(manager);
	manager_switches_arm(manager);
	return 0;
}

static int64_t interval(const struct manager *manager)
{
	return manager->has_now ? manager->now.desired.policy.switch_audit_interval_ms :
				  policy_default.switch_audit_interval_ms;
}

/* Of one nothing is known, and nothing will be heard: losslessd-switch was not there. */
static bool any_unheard(const struct manager_switches *switches)
{
	for (size_t i = 0; i < switches->states.n; i++)
		if (switch_state_is_asked(&switches->states.list[i]) &&
		    !switches->states.list[i].read_s && !is_open(switches, i))
			return true;
	return false;
}

void manager_switches_arm(struct manager *manager)
{
	struct manager_switches *switches = switches_of(manager);
	int64_t interval_ms = interval(manager), jitter_ms;

	switches->audit = sd_event_source_disable_unref(switches->audit);
	switches->interval_ms = interval_ms;
	if (!switch_states_any_asked(&switches->states))
		return;
	if (any_unheard(switches))
		interval_ms = MIN(interval_ms, (int64_t)AGAIN_MS);
	jitter_ms = interval_ms * JITTER_PERCENT / 100;
	interval_ms -= jitter_ms ? random() % jitter_ms : 0;
	(void)sd_event_add_time_relative(manager->event, &switches->audit, CLOCK_BOOTTIME,
					 (uint64_t)interval_ms * 1000, 1000 * 1000, on_audit,
					 manager);
}

/* ---- which they are ---- */

void manager_switches_forget(struct manager *manager)
{
	struct manager_switches *switches = switches_of(manager);

	hang_up(switches);
	switches->audit = sd_event_source_disable_unref(switches->audit);
	switch_states_done(&switches->states);
	switch_states_done(&switches->told);
	free(TAKE_PTR(switches->one));
	*switches->hash = '\0';
	switches->interval_ms = 0;
}

/* Returns whether they are others than before. */
static bool set(struct manager *manager, const struct spec *spec, const char *text, size_t size)
{
	struct manager_switches *switches = switches_of(manager);
	char hash[SHA256_DIGEST_STRING_LENGTH];

	(void)SHA256Data((const uint8_t *)text, size, hash);
	if (strcmp(hash, switches->hash) == 0)
		return false;
	manager_switches_forget(manager);
	if (switches_list(spec, manager->node, &switches->states) < 0 ||
	    switch_states_copy(&switches->states, &switches->told) < 0)
		return false;
	switches->one = calloc(MAX(switches->states.n, (size_t)1), sizeof(*switches->one));
	if (!switches->one) {
		manager_switches_forget(manager);
		return false;
	}
	(void)snprintf(switches->hash, sizeof(switches->hash), "%s", hash);
	return true;
}

void manager_switches_adopt(struct manager *manager, const struct spec *spec)
{
	if (!manager->text)
		return;
	if (set(manager, spec, manager->text, manager->size))
		manager_switches_look(manager);
	else if (interval(manager) == switches_of(manager)->interval_ms)
		return;
	/* An apply has set them already, when its policy was not in force yet, or could not ask */
	manager_switches_arm(manager);
}

/* ---- with an apply ---- */

/* The pass waits itself: the loop hears nothing meanwhile. Returns false if none is ours. */
static bool begin(struct manager *manager)
{
	struct manager_switches *switches = switches_of(manager);

	if (!switch_states_any_asked(&switches->states))
		return false;
	hang_up(switches);
	for (size_t i = 0; i < switches->states.n; i++)
		switches->one[i] = (struct manager_switch){ .asked_ms = manager_now_ms(manager) };
	switches->busy = true;
	if (reach(manager))
		return true;
	switches->busy = false;
	tell(manager);
	return false;
}

static void end(struct manager *manager)
{
	struct manager_switches *switches = switches_of(manager);

	for (size_t i = 0; i < switches->states.n; i++)
		if (switch_state_is_asked(&switches->states.list[i]) && !is_open(switches, i))
			switches->states.list[i].took_ms =
				manager_now_ms(manager) - switches->one[i].asked_ms;
	switches->busy = false;
	hear_later(manager);
	tell(manager);
	manager_switches_arm(manager);
}

void manager_switches_push(struct pass *pass, void *data)
{
	struct manager *manager = data;
	struct manager_switches *switches = switches_of(manager);
	uint64_t confirm_ms = manager->running ? manager->running->confirm_ms : 0;
	uint32_t trial_s = confirm_ms ? (uint32_t)(confirm_ms / 1000) + SWITCH_TRIAL_MARGIN_S : 0;

	(void)set(manager, pass->spec, pass->text, pass->size);
	if (!begin(manager))
		return;
	switches_read(&switches->run, pass->text, pass->size);
	switches_push(&switches->run, manager->store, pass->text, pass->size, trial_s,
		      &pass->switches_before);
	store_switches_history(manager->store, &pass->switches_before, &switches->states,
			       pass->cause ?: "apply");
	end(manager);
}

void manager_switches_confirm(struct manager *manager)
{
	struct manager_switches *switches = switches_of(manager);
	_cleanup_free_ char *records = NULL;

	if (!manager->text || store_switch_records(manager->store, &records) < 0 ||
	    !begin(manager))
		return;
	switches_confirm(&switches->run, records, manager->text, manager->size);
	end(manager);
}

void manager_switches_return(struct pass *pass, void *data)
{
	struct manager *manager = data;
	struct manager_switches *switches = switches_of(manager);
	_cleanup_free_ char *records = NULL, *text = NULL;
	_cleanup_(diags_done) struct diags diags = {};
	_cleanup_(spec_freep) struct spec *spec = NULL;
	size_t size = 0;

	if (store_switch_records(manager->store, &records) < 0 ||
	    store_accepted(manager->store, &text, &size) < 0 ||
	    spec_load(text, size, &spec, &diags) < 0)
		return;
	(void)set(manager, spec, text, size);
	if (!begin(manager))
		return;
	if (switches_return(&switches->run, records, text, size, pass->on_trial,
			    &pass->switches_before))
		store_switch_returned(manager->store);
	store_switches_history(manager->store, &pass->switches_before, &switches->states,
			       pass->cause ?: "rollback");
	end(manager);
}

/* ---- in a report ---- */

void manager_switches_report(struct manager *manager, struct report *report)
{
	struct manager_switches *switches = switches_of(manager);

	if (switches->states.n == 0)
		return;
	report->switches = &switches->states;
	report->exit = exit_worse(report->exit, switches_exit(&switches->states));
	if (switches_drift(&switches->states))
		report->exit = exit_worse(report->exit, STATUS_DRIFT);
	report->exit = exit_worse(report->exit, cables_exit(report));
}

const struct switch_states *manager_switch_states(const struct manager *manager)
{
	return manager->switches.states.n ? &manager->switches.states : NULL;
}

size_t manager_switches_drifted(const struct manager *manager)
{
	const struct switch_states *states = &manager->switches.states;
	size_t n = 0;

	for (size_t i = 0; i < states->n; i++)
		n += switch_state_exit(&states->list[i]) != STATUS_OK;
	return n;
}
