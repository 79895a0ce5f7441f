// SPDX-License-Identifier: LGPL-2.1-or-later
/* What is done with a switch: the verbs, each in a child of its own. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "daemon/switch-visit.h"
#include "lib/base/cleanup.h"
#include "lib/base/macro.h"

/* ---- what all have in common ---- */

static void on_terminate(int signal_number)
{
	visit_cancelled = 1;
}

static void listen_to_the_end(void)
{
	const struct sigaction action = { .sa_handler = on_terminate };

	(void)sigaction(SIGTERM, &action, NULL);
}

/* Its wants in the shape of its dialect. Returns 0, or -1 with @ret_verdict. */
static int want(struct visit *visit, enum verdict *ret_verdict)
{
	int r;

	if (visit->work->call->verb == SWITCH_RETURN)
		r = drive_return(&visit->drive, visit->record, strlen(visit->record));
	else
		r = drive_want(&visit->drive);
	if (r == 0)
		return 0;
	(void)snprintf(visit->words, visit->size, "%s",
		       r == -ENOMEM ? "out of memory" : visit->drive.words);
	*ret_verdict = VERDICT_FAILED;
	return -1;
}

/* Returns the verdict of a switch that was spoken with. */
static enum verdict conclude(struct visit *visit, enum session_end end)
{
	if (end != SESSION_OK)
		(void)snprintf(visit->words, visit->size, "%s", visit->drive.words);
	else
		*visit->words = '\0';
	return visit_session_verdict(end);
}

/* What a verb does once it is logged in. */
typedef enum verdict (*visit_work)(struct visit *visit);

static enum verdict run_there(const struct switch_work *work, char *words, size_t size,
			      visit_work there)
{
	_cleanup_(visit_done) struct visit visit;
	enum verdict verdict;

	listen_to_the_end();
	if (visit_prepare(&visit, work, words, size, &verdict) < 0 || want(&visit, &verdict) < 0 ||
	    visit_open(&visit, &verdict) < 0)
		return verdict;
	return there(&visit);
}

/* ---- looking ---- */

static enum verdict read_there(struct visit *visit)
{
	enum session_end end;

	switch_progress(visit->work, "reading");
	end = drive_observe(&visit->drive);
	if (end == SESSION_OK)
		drive_tell(&visit->drive, false);
	return conclude(visit, end);
}

static enum verdict run_read(const struct switch_work *work, char *words, size_t size)
{
	return run_there(work, words, size, read_there);
}

static enum verdict test_there(struct visit *visit)
{
	enum verdict verdict = read_there(visit);

	if (verdict == VERDICT_IN_SYNC)
		(void)snprintf(visit->words, visit->size, "calls itself %s; %zu changes to make",
			       session_host(visit->session), visit->drive.n_changes);
	return verdict;
}

static enum verdict run_test(const struct switch_work *work, char *words, size_t size)
{
	return run_there(work, words, size, test_there);
}

/* ---- writing ---- */

static bool is_broken(enum session_end end)
{
	return end == SESSION_LOST || end == SESSION_TRUNCATED || end == SESSION_TIMEOUT ||
	       end == SESSION_TOO_LONG;
}

static enum verdict push_there(struct visit *visit)
{
	const struct switch_call *call = visit->work->call;
	enum session_end end = SESSION_OK;

	if (call->verb == SWITCH_RETURN && call->trial_s)
		end = drive_withdraw(&visit->drive);
	switch_progress(visit->work, "reading");
	if (end == SESSION_OK)
		end = drive_observe(&visit->drive);
	if (end == SESSION_OK) {
		end = drive_push(&visit->drive, call->verb == SWITCH_PUSH ? call->trial_s : 0);
		/* What it was in the middle of is not left to whoever comes next */
		if (is_broken(end) && !visit_cancelled && visit_open_again(visit))
			drive_recover(&visit->drive);
	}
	/* Also after a refusal: which lines are in force is what people need then */
	drive_tell(&visit->drive, end != SESSION_CANCELLED);
	return conclude(visit, end);
}

static enum verdict run_push(const struct switch_work *work, char *words, size_t size)
{
	return run_there(work, words, size, push_there);
}

static enum verdict confirm_there(struct visit *visit)
{
	return conclude(visit, drive_confirm(&visit->drive));
}

static enum verdict run_confirm(const struct switch_work *work, char *words, size_t size)
{
	return run_there(work, words, size, confirm_there);
}

/* ---- without logging in ---- */

static void say_verb(struct visit *visit, enum transaction_verb verb, enum switch_kind kind)
{
	struct drive *drive = &visit->drive;
	struct switch_script script = {};

	if (switch_render_verb(drive->dialect, drive->settings, drive->n_settings, verb, 0,
			       &script, visit->words, visit->size) == 0)
		for (size_t i = 0; i < script.n; i++)
			switch_say(visit->work, kind, VERDICT_IN_SYNC, script.list[i].text);
	switch_script_done(&script);
}

static int say_lines(struct visit *visit, enum switch_kind kind)
{
	struct drive *drive = &visit->drive;
	int r = drive_render(drive, kind == SWITCH_UNDO);

	if (r < 0)
		return r;
	say_verb(visit, TRANSACTION_BEGIN, kind);
	for (size_t i = 0; i < drive->script.n; i++)
		switch_say(visit->work, kind, VERDICT_IN_SYNC, drive->script.list[i].text);
	say_verb(visit, TRANSACTION_COMMIT, kind);
	say_verb(visit, TRANSACTION_END, kind);
	say_verb(visit, TRANSACTION_SAVE, kind);
	return 0;
}

static enum verdict run_render(const struct switch_work *work, char *words, size_t size)
{
	_cleanup_(visit_done) struct visit visit;
	enum verdict verdict;
	int r;

	if (visit_prepare(&visit, work, words, size, &verdict) < 0 || want(&visit, &verdict) < 0)
		return verdict;
	r = say_lines(&visit, SWITCH_LINE);
	if (r == 0)
		r = say_lines(&visit, SWITCH_UNDO);
	(void)snprintf(words, size, "%s", r == 0 ? "" : visit.drive.words);
	return r == 0 ? VERDICT_IN_SYNC : VERDICT_FAILED;
}

/* ---- its key ---- */

static enum verdict say_key(const struct switch_work *work, const struct host_key *key,
			    const char *old, char *words, size_t size)
{
	char fingerprint[FINGERPRINT_MAX];

	if (!host_key_fingerprint(key->base64, fingerprint)) {
		(void)snprintf(words, size, "what it shows is no key");
		return VERDICT_FAILED;
	}
	switch_say(work, SWITCH_LINE, VERDICT_IN_SYNC, fingerprint);
	switch_say(work, SWITCH_UNDO, VERDICT_IN_SYNC, old);
	(void)snprintf(words, size, "%s", key->type);
	return VERDICT_IN_SYNC;
}

/* Take the key that it shows, if it is the one that somebody has compared. */
static enum verdict accept(const struct visit *visit, const struct ssh_options *options,
			   const struct host_key *key, char *words, size_t size)
{
	char fingerprint[FINGERPRINT_MAX];

	if (!host_key_fingerprint(key->base64, fingerprint) ||
	    strcmp(fingerprint, visit->record) != 0) {
		(void)snprintf(words, size, "it shows another key by now: %s", fingerprint);
		return VERDICT_FAILED;
	}
	return visit_ssh_verdict(ssh_peer_accept(options, key, words, size));
}

static enum verdict run_key(const struct switch_work *work, char *words, size_t size)
{
	_cleanup_(visit_ssh_done) struct ssh_options options = {};
	_cleanup_(host_key_done) struct host_key key = {};
	_cleanup_(visit_done) struct visit visit;
	char old[FINGERPRINT_MAX] = "";
	enum verdict verdict;
	enum ssh_end end;

	listen_to_the_end();
	if (visit_prepare(&visit, work, words, size, &verdict) < 0 ||
	    visit_ssh_options(&visit, &options, &verdict) < 0)
		return verdict;
	if (visit.wish.host_keys.n || *visit.wish.known_hosts) {
		(void)snprintf(words, size, "the file says itself which key it has: change it "
			       "there (host_key, known_hosts)");
		return VERDICT_FAILED;
	}
	end = ssh_peer_key(&options, &key, old, words, size);
	if (end != SSH_END_OK)
		return visit_ssh_verdict(end);
	if (work->call->verb == SWITCH_ACCEPT)
		return accept(&visit, &options, &key, words, size);
	return say_key(work, &key, old, words, size);
}

const switch_run switch_runs[SWITCH_VERB_MAX] = {
	[SWITCH_TEST] = run_test,
	[SWITCH_RENDER] = run_render,
	[SWITCH_PUSH] = run_push,
	[SWITCH_READ] = run_read,
	[SWITCH_RETURN] = run_push,
	[SWITCH_CONFIRM] = run_confirm,
	[SWITCH_KEY] = run_key,
	[SWITCH_ACCEPT] = run_key,
};
