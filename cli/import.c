// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The switches of an import: a first file asks them for all that can be asked, what comes of it is
 * asked again until nothing is to be changed.
 */
#include "cli/import.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "cli/switches.h"
#include "lib/base/arena.h"
#include "lib/spec/hostlist.h"

struct import_ask {
	struct session *session;
	struct spec *spec;
	struct switch_states states; /* all of the file */
	struct switch_worker worker;
	bool *wanted; /* of them */
	char node[256];
};

struct import_ask *import_ask_close(struct import_ask *ask)
{
	if (!ask)
		return NULL;
	switch_worker_stop(&ask->worker);
	switch_states_done(&ask->states);
	ask->spec = spec_free(ask->spec);
	free(ask->wanted);
	free(ask);
	return NULL;
}

const char *import_ask_fabric(const struct import_ask *ask)
{
	return spec_fabric(ask->spec);
}

const char *import_ask_node(const struct import_ask *ask)
{
	return ask->node;
}

static int no_memory(const struct import_ask *ask)
{
	return session_trouble(ask->session, STATUS_FAILED, "out of memory");
}

/* The owner is this node, as the file calls it: by its whole name, or by the first part. */
static void name_node(struct import_ask *ask)
{
	(void)snprintf(ask->node, sizeof(ask->node), "%s", ask->session->node);
	for (size_t i = 0; i < ask->states.n; i++)
		if (ask->wanted[i])
			(void)snprintf(ask->node, sizeof(ask->node), "%s",
				       ask->states.list[i].owner);
}

static int want_one(struct import_ask *ask, const char *name)
{
	for (size_t i = 0; i < ask->states.n; i++) {
		const struct switch_state *state = &ask->states.list[i];

		if (strcmp(state->name, name) != 0)
			continue;
		if (state->calm != SWITCH_ASKED)
			return session_trouble(ask->session, STATUS_FAILED, "%s is not asked: %s",
					       name, state->reason);
		ask->wanted[i] = true;
		return 0;
	}
	return session_trouble(ask->session, STATUS_FAILED,
			       "%s has no switch %s: see losslessctl switch list",
			       ask->session->path, name);
}

static int want_all(struct import_ask *ask, const struct options *options)
{
	_cleanup_(hostlist_done) struct hostlist names = {};
	_cleanup_(arena_done) struct arena arena = {};
	struct trouble trouble;
	int r;

	ask->wanted = calloc(ask->states.n + 1, sizeof(*ask->wanted));
	if (!ask->wanted)
		return no_memory(ask);
	r = hostlist_expand(options->value[OPTION_SWITCH], true, &arena, &names, &trouble);
	if (r == -EINVAL)
		return usage_error(options->verb, "--switch: %s", trouble.text);
	if (r < 0)
		return no_memory(ask);
	for (size_t i = 0; i < names.n && r == 0; i++)
		r = want_one(ask, names.list[i]);
	return r;
}

static int load(struct import_ask *ask, const struct options *options)
{
	_cleanup_(diags_done) struct diags diags = {};
	struct session *session = ask->session;
	int r;

	r = session_read_in_force(session, options);
	if (r != 0)
		return r;
	r = spec_load(session->text, session->size, &ask->spec, &diags);
	if (r == -EINVAL)
		return session_refused(session, &diags);
	if (r == 0)
		r = switches_list(ask->spec, session->node, &ask->states);
	return r < 0 ? no_memory(ask) : want_all(ask, options);
}

static int start(struct import_ask *ask)
{
	struct switch_states *states = &ask->states;

	if (geteuid() != 0 && !getenv("CREDENTIALS_DIRECTORY"))
		return session_trouble(ask->session, STATUS_FAILED,
				       "import --switch logs in with credentials: it needs root");
	switch_worker_start(&ask->worker, ask->session, ask->spec, states, true);
	if (ask->worker.fd >= 0)
		return 0;
	for (size_t i = 0; i < states->n; i++)
		if (ask->wanted[i])
			return session_trouble(ask->session, STATUS_FAILED, "%s: %s",
					       states->list[i].name, states->list[i].reason);
	return no_memory(ask);
}

int import_ask_open(struct session *session, const struct options *options,
		    struct import_ask **ret)
{
	struct import_ask *ask = calloc(1, sizeof(*ask));
	int r;

	if (!ask)
		return session_trouble(session, STATUS_FAILED, "out of memory");
	*ask = (struct import_ask){ .session = session, .worker.fd = -1 };
	r = load(ask, options);
	if (r == 0)
		r = start(ask);
	if (r != 0) {
		(void)import_ask_close(ask);
		return r;
	}
	name_node(ask);
	*ret = ask;
	return 0;
}

/* ---- asking ---- */

static int tell_failure(const struct import_ask *ask, const struct switch_state *state)
{
	return session_trouble(ask->session, STATUS_FAILED, "%s is %s: %s", state->name,
			       verdict_name(state->verdict), state->reason);
}

/* What each of them says to @text. Returns 0 or an exit status. */
static int ask_each(struct import_ask *ask, const char *text, size_t size,
		    struct switch_states *states)
{
	struct switch_run run = switch_worker_run(&ask->worker, ask->session, states);
	int r = 0;

	for (size_t i = 0; i < states->n && r == 0; i++)
		r = switch_run_ask(&run, i, SWITCH_TEST, text, size, NULL, 0);
	if (r == 0)
		r = switch_run_wait(&run, 0, SWITCH_READ_MS);
	switch_run_done(&run);
	if (ask->session->progress)
		(void)fputs("\r\033[K", stderr);
	for (size_t i = 0; i < states->n; i++)
		if (states->list[i].verdict != VERDICT_IN_SYNC)
			return tell_failure(ask, &states->list[i]);
	return r < 0 ? session_trouble(ask->session, STATUS_FAILED,
				       "losslessd-switch cannot be asked: %s", strerror(-r)) :
		       0;
}

/* The switches of @text, which is a file that was made here. */
static int list(const struct import_ask *ask, const char *text, size_t size,
		struct switch_states *ret)
{
	_cleanup_(diags_done) struct diags diags = {};
	_cleanup_(spec_freep) struct spec *spec = NULL;
	int r;

	r = spec_load(text, size, &spec, &diags);
	if (r == -EINVAL)
		return session_trouble(ask->session, STATUS_FAILED,
				       "the file that came of it would be refused: %s",
				       diags.list[0].message);
	if (r == 0)
		r = switches_list(spec, ask->node, ret);
	return r < 0 ? no_memory(ask) : 0;
}

int import_ask_all(struct import_ask *ask, struct import *import)
{
	_cleanup_(switch_states_done) struct switch_states states = {};
	_cleanup_free_ char *text = NULL;
	size_t size = 0;
	int r = 0;

	for (size_t i = 0; i < ask->states.n && r == 0; i++)
		if (ask->wanted[i])
			r = import_switch_add(import, ask->spec, i);
	if (r == 0)
		r = import_probe(import, &text, &size);
	if (r < 0)
		return no_memory(ask);
	r = list(ask, text, size, &states);
	if (r == 0)
		r = ask_each(ask, text, size, &states);
	if (r != 0)
		return r;
	for (size_t i = 0; i < states.n && r == 0; i++)
		r = import_switch_found(import, &states.list[i]);
	return r < 0 ? no_memory(ask) : 0;
}

/* Returns how much was left out, or -ENOMEM; an exit status in @ret_status, 0 if there is none. */
static int judge(struct import_ask *ask, struct import *import, const char *text, size_t size,
		 int *ret_status)
{
	_cleanup_(switch_states_done) struct switch_states states = {};
	int n = 0, r;

	*ret_status = list(ask, text, size, &states);
	if (*ret_status == 0)
		*ret_status = ask_each(ask, text, size, &states);
	for (size_t i = 0; *ret_status == 0 && i < states.n; i++) {
		r = import_switch_judge(import, &states.list[i]);
		if (r < 0)
			return r;
		n += r;
	}
	return n;
}

int import_ask_text(struct import_ask *ask, struct import *import, char **ret, size_t *ret_size,
		    int *ret_status)
{
	for (;;) {
		int n, r = import_text(import, ret, ret_size);

		if (r < 0 || !ask)
			return r;
		n = judge(ask, import, *ret, *ret_size, ret_status);
		if (n == 0 && *ret_status == 0)
			return 0;
		free(*ret);
		*ret = NULL;
		if (n < 0 || *ret_status != 0)
			return n < 0 ? n : 1;
	}
}
