// SPDX-License-Identifier: LGPL-2.1-or-later
/* switch: one switch of the file: is it there, what would be sent, its key. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "cli/progress.h"
#include "cli/switches.h"
#include "cli/terminal.h"
#include "cli/verbs.h"
#include "lib/base/macro.h"

/* What an action works with. */
struct visit {
	struct session session;
	struct spec *spec;
	struct switch_states states;
	struct switch_worker worker;
	struct switch_run run;
	size_t index; /* of the switch that is named */
	/* lines of an answer, as text */
	char *text[2]; /* SWITCH_LINE, SWITCH_UNDO */
	size_t size[2];
	FILE *lines[2];
};

static void visit_done(struct visit *visit)
{
	session_switches_end(&visit->session, &visit->worker, &visit->run);
	for (size_t i = 0; i < ARRAY_SIZE(visit->lines); i++) {
		if (visit->lines[i])
			(void)fclose(visit->lines[i]);
		free(visit->text[i]);
	}
	switch_states_done(&visit->states);
	visit->spec = spec_free(visit->spec);
	session_done(&visit->session);
}

static void on_line(const struct switch_state *state, bool undo, const char *words, void *data)
{
	struct visit *visit = data;

	(void)fprintf(visit->lines[undo], "%s\n", words);
}

static void on_progress(const struct switch_state *state, const char *words, void *data)
{
	const struct visit *visit = data;

	progress_line(visit->session.progress, "%s: %s", state->name, words);
}

static int load(struct visit *visit)
{
	_cleanup_(diags_done) struct diags diags = {};
	struct session *session = &visit->session;
	int r;

	r = spec_load(session->text, session->size, &visit->spec, &diags);
	if (diags_has_errors(&diags))
		return session_refused(session, &diags);
	if (r == 0)
		r = switches_list(visit->spec, session->node, &visit->states);
	return r < 0 ? session_trouble(session, STATUS_FAILED, "out of memory") : 0;
}

/* It is asked, whoever its owner is. */
static int find(struct visit *visit, const struct options *options)
{
	const struct switch_states *states = &visit->states;

	for (visit->index = 0; visit->index < states->n; visit->index++)
		if (strcmp(states->list[visit->index].name, options->second) == 0) {
			states->list[visit->index].calm = SWITCH_ASKED;
			return 0;
		}
	return session_trouble(&visit->session, STATUS_FAILED,
			       "%s has no switch %s: see losslessctl switch list",
			       visit->session.path, options->second);
}

static int begin(struct visit *visit, const struct options *options, bool secrets)
{
	int r;

	r = session_open(&visit->session, options, REPORT_OTHER);
	if (r == 0)
		r = session_read_in_force(&visit->session, options);
	if (r == 0)
		r = load(visit);
	if (r == 0 && options->second)
		r = find(visit, options);
	if (r != 0)
		return r;
	if (secrets && geteuid() != 0 && !getenv("CREDENTIALS_DIRECTORY"))
		return session_trouble(&visit->session, STATUS_FAILED,
				       "switch %s logs in with credentials: it needs root",
				       options->argument);
	for (size_t i = 0; i < ARRAY_SIZE(visit->lines); i++) {
		visit->lines[i] = open_memstream(&visit->text[i], &visit->size[i]);
		if (!visit->lines[i])
			return session_trouble(&visit->session, STATUS_FAILED, "out of memory");
	}
	switch_worker_start(&visit->worker, &visit->session, visit->spec, &visit->states, secrets);
	visit->run = switch_worker_run(&visit->worker, &visit->session, &visit->states);
	visit->run.progress = on_progress;
	visit->run.line = on_line;
	visit->run.data = visit;
	return 0;
}

/* One job with the switch that is named, to its end. Returns 0 or an exit status. */
static int ask(struct visit *visit, enum switch_verb verb, const char *record)
{
	struct switch_state *state = &visit->states.list[visit->index];
	const struct session *session = &visit->session;
	int r = -ENOENT;

	if (visit->worker.fd >= 0)
		r = switch_run_ask(&visit->run, visit->index, verb, session->text, session->size,
				   record, 0);
	if (r == 0)
		(void)switch_run_wait(&visit->run, 0, SWITCH_PUSH_MS);
	for (size_t i = 0; i < ARRAY_SIZE(visit->lines); i++)
		(void)fflush(visit->lines[i]);
	progress_end(session->progress);
	if (*state->warning)
		say("%s: warning: %s", state->name, state->warning);
	if (state->verdict == VERDICT_IN_SYNC)
		return 0;
	return session_trouble(session, STATUS_FAILED, "%s is %s: %s", state->name,
			       verdict_name(state->verdict), state->reason);
}

/* ---- actions ---- */

static int do_list(struct visit *visit, const struct options *options)
{
	struct session *session = &visit->session;

	for (size_t i = 0; i < visit->states.n; i++)
		if (visit->states.list[i].calm == SWITCH_ASKED && visit->worker.fd >= 0)
			(void)switch_run_ask(&visit->run, i, SWITCH_TEST, session->text,
					     session->size, NULL, 0);
	(void)switch_run_wait(&visit->run, 0, SWITCH_READ_MS);
	progress_end(session->progress);
	if (session->json)
		switches_write_json(&visit->states, session->out);
	else
		switches_write_text(&visit->states, &session->style, session->out);
	for (size_t i = 0; i < visit->states.n; i++)
		if (visit->states.list[i].calm == SWITCH_ASKED &&
		    visit->states.list[i].verdict != VERDICT_IN_SYNC)
			return STATUS_FAILED;
	return STATUS_OK;
}

static int do_test(struct visit *visit, const struct options *options)
{
	const struct session *session = &visit->session;
	int r = ask(visit, SWITCH_TEST, NULL);
	struct switch_states one = { &visit->states.list[visit->index], 1, 1 };

	if (r != 0)
		return r;
	if (session->json)
		switches_write_json(&one, session->out);
	else
		switch_write_text(&one, session->path, &session->style, session->out);
	return STATUS_OK;
}

static int do_render(struct visit *visit, const struct options *options)
{
	const struct session *session = &visit->session;
	int r = ask(visit, SWITCH_RENDER, NULL);

	if (r != 0)
		return r;
	if (session->json)
		lines_write_json(options->second, visit->text[0], visit->text[1], session->out);
	else
		(void)fprintf(session->out, "# %s: lines to paste\n%s\n# %s: to take them back\n%s",
			      options->second, visit->text[0], options->second, visit->text[1]);
	return STATUS_OK;
}

static bool confirmed(const struct visit *visit, const struct options *options, const char *new)
{
	const char *given = options->value[OPTION_FINGERPRINT];
	char answer[8] = "";

	if (given)
		return strcmp(given, new) == 0;
	if (!isatty(STDIN_FILENO) || !isatty(STDERR_FILENO))
		return false;
	(void)fprintf(stderr, "Does the switch itself show this fingerprint? (yes/no) ");
	return fgets(answer, sizeof(answer), stdin) && strcmp(answer, "yes\n") == 0;
}

static int do_accept_key(struct visit *visit, const struct options *options)
{
	const struct session *session = &visit->session;
	char *new, *old;
	int r = ask(visit, SWITCH_KEY, NULL);

	if (r != 0)
		return r;
	new = visit->text[0];
	old = visit->text[1];
	new[strcspn(new, "\n")] = old[strcspn(old, "\n")] = '\0';
	(void)fprintf(session->out, "%s shows  %s %s\nknown so far %s\n", options->second,
		      visit->states.list[visit->index].reason, new, *old ? old : "nothing");
	(void)fflush(session->out);
	if (!confirmed(visit, options, new))
		return session_trouble(session, STATUS_FAILED,
				       "nothing was accepted: compare it with what the switch's "
				       "console shows, then losslessctl switch accept-key %s "
				       "--fingerprint %s",
				       options->second, new);
	r = ask(visit, SWITCH_ACCEPT, new);
	if (r == 0)
		(void)fprintf(session->out, "accepted\n");
	return r;
}

static const struct action {
	const char *name;
	bool named; /* needs the name of a switch */
	bool secrets; /* logs in */
	int (*run)(struct visit *visit, const struct options *options);
} actions[] = {
	{ "list", false, true, do_list },
	{ "test", true, true, do_test },
	{ "render", true, false, do_render },
	{ "accept-key", true, true, do_accept_key },
};

static const struct action *action_find(const struct options *options)
{
	for (size_t i = 0; i < ARRAY_SIZE(actions); i++)
		if (strcmp(actions[i].name, options->argument) == 0)
			return &actions[i];
	return NULL;
}

int verb_switch(const struct options *options)
{
	_cleanup_(visit_done) struct visit visit = { .worker.fd = -1 };
	const struct action *action = action_find(options);
	int r;

	if (!action)
		return usage_error(options->verb, "switch does not know '%s'", options->argument);
	if (action->named != (options->second != NULL))
		return usage_error(options->verb, "switch %s %s", action->name,
				   action->named ? "needs the name of one" : "takes no name");
	if (option_given(options, OPTION_FINGERPRINT) && action->run != do_accept_key)
		return usage_error(options->verb, "--fingerprint is for accept-key");
	r = begin(&visit, options, action->secrets);
	return r != 0 ? r : action->run(&visit, options);
}
