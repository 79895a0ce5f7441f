// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Other hosts by ssh. Each answers for itself, as a document that is believed no more than any text
 * from outside; what cannot be asked is a node that could not tell.
 */
#include "cli/remote.h"
#include "cli/progress.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "cli/file.h"
#include "cli/ssh.h"
#include "cli/stop.h"
#include "cli/terminal.h"
#include "cli/verbs.h"
#include "lib/base/macro.h"
#include "lib/report/fabric.h"
#include "lib/spec/number.h"

enum {
	AT_ONCE = 16,
	ANSWER_MAX = 4 * 1024 * 1024,
	WORDS_MAX = 4096,
};

/* ---- one host ---- */

static enum report_kind kind_of(const struct options *options)
{
	static const struct {
		const char *verb;
		enum report_kind kind;
	} kinds[] = {
		{ "status", REPORT_STATUS },
		{ "plan", REPORT_PLAN },
		{ "apply", REPORT_APPLY },
		{ "confirm", REPORT_APPLY },
	};

	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		if (strcmp(options->verb->name, kinds[i].verb) == 0)
			return kinds[i].kind;
	return REPORT_OTHER;
}

/* What may stand beside -H, as the other host is to read it. */
static int add_options(struct ssh_call *call, const struct options *options)
{
	for (enum option option = 0; option < OPTION_MAX; option++) {
		if (!option_given(options, option) || option == OPTION_HOST)
			continue;
		if (option != OPTION_JSON && option != OPTION_WATCH && option != OPTION_COUNT)
			return usage_error(options->verb, "-H asks another host: without %s",
					   option_name(option));
		call->word[call->n_words++] = option_name(option);
		if (*options->value[option])
			call->word[call->n_words++] = options->value[option];
	}
	return 0;
}

int remote_host(const struct options *options)
{
	struct ssh_call call = {
		.host = options->value[OPTION_HOST],
		.word = { options->verb->name },
		.n_words = 1,
		.in = -1,
		.out = -1,
		.err = -1,
	};
	struct session session = {
		.kind = kind_of(options),
		.verb = options->verb->name,
		.json = option_given(options, OPTION_JSON),
		.out = stdout,
	};
	int status = -1, r;
	pid_t pid;

	r = add_options(&call, options);
	if (r != 0)
		return r;
	r = ssh_begin(&call, &pid);
	if (r < 0)
		return session_trouble(&session, STATUS_FAILED, "ssh cannot be started: %s",
				       strerror(-r));
	r = ssh_end_any(&pid, &status);
	if (r == 0 && status >= STATUS_OK && status <= STATUS_NO_DAEMON)
		return status;
	if (status == SSH_FAILED)
		return session_trouble(&session, STATUS_FAILED, "%s cannot be asked by ssh",
				       call.host);
	return session_trouble(&session, STATUS_FAILED, "losslessctl on %s did not answer (%d)",
			       call.host, status);
}

/* ---- all of them ---- */

struct fleet {
	struct session *session;
	struct ssh_call call; /* the same for each, but for host and files */
	const char *text; /* what each reads; NULL: nothing */
	size_t size;
	bool changes; /* one first; no more after a failure */
	struct fabric_node *nodes;
	struct {
		pid_t pid; /* 0: does not run */
		int out, err;
	} * runs;
	size_t n;
	size_t next; /* not begun yet */
	size_t running;
	size_t ended;
	bool failed;
};

static void fleet_done(struct fleet *fleet)
{
	for (size_t i = 0; i < fleet->n; i++) {
		free(fleet->nodes[i].json);
		free(fleet->nodes[i].words);
	}
	free(fleet->nodes);
	free(fleet->runs);
}

static int fleet_init(struct fleet *fleet, const struct spec *spec)
{
	size_t n = spec_node_count(spec);

	fleet->nodes = calloc(n, sizeof(*fleet->nodes));
	fleet->runs = calloc(n, sizeof(*fleet->runs));
	if (!fleet->nodes || !fleet->runs)
		return -ENOMEM;
	fleet->n = n;
	for (size_t i = 0; i < n; i++)
		fleet->nodes[i] = (struct fabric_node){
			.name = spec_node_name(spec, i),
			.exit = STATUS_FAILED,
		};
	return 0;
}

/* At most @max bytes of what was written to @fd, as text. NULL without memory. */
static char *take_text(int fd, size_t max, size_t *ret_size)
{
	char *text = malloc(max + 1), *fitting;
	ssize_t n = text ? pread(fd, text, max, 0) : -1;

	if (n < 0) {
		free(text);
		return NULL;
	}
	text[n] = '\0';
	*ret_size = (size_t)n;
	fitting = realloc(text, (size_t)n + 1);
	return fitting ?: text;
}

/* The last line that says something. */
static void keep_last_line(char *text)
{
	size_t size = strlen(text);
	const char *line;

	while (size > 0 && strchr("\r\n", text[size - 1]))
		text[--size] = '\0';
	line = strrchr(text, '\n');
	if (line)
		memmove(text, line + 1, strlen(line + 1) + 1);
}

static int begin_node(struct fleet *fleet, size_t i)
{
	_cleanup_close_ int in = -1;
	int r;

	fleet->nodes[i].begun = true;
	fleet->runs[i].out = file_in_memory("out", NULL, 0);
	fleet->runs[i].err = file_in_memory("err", NULL, 0);
	in = fleet->text ? file_in_memory("fabric", fleet->text, fleet->size) : -1;
	if (fleet->runs[i].out < 0 || fleet->runs[i].err < 0 || (fleet->text && in < 0))
		return -EMFILE;
	fleet->call.host = fleet->nodes[i].name;
	fleet->call.in = in;
	fleet->call.out = fleet->runs[i].out;
	fleet->call.err = fleet->runs[i].err;
	r = ssh_begin(&fleet->call, &fleet->runs[i].pid);
	fleet->running += r == 0;
	return r;
}

/* Pending is no failure: losslessd there tries again by itself. */
static bool is_failure(enum exit_status exit)
{
	return exit != STATUS_OK && exit != STATUS_DRIFT;
}

static void end_node(struct fleet *fleet, size_t i, int status)
{
	struct fabric_node *node = &fleet->nodes[i];
	size_t size;

	node->json = take_text(fleet->runs[i].out, ANSWER_MAX, &node->json_size);
	node->words = take_text(fleet->runs[i].err, WORDS_MAX, &size);
	if (node->words)
		keep_last_line(node->words);
	if (status >= STATUS_OK && status <= STATUS_NO_DAEMON)
		node->exit = (enum exit_status)status;
	fabric_node_judge(node);
	(void)close(fleet->runs[i].out);
	(void)close(fleet->runs[i].err);
	fleet->runs[i].pid = 0;
	fleet->running--;
	fleet->ended++;
	if (fleet->changes && is_failure(node->exit))
		fleet->failed = true;
	progress_line(fleet->session->progress, "[%zu/%zu] %s", fleet->ended, fleet->n, node->name);
}

static bool may_begin(const struct fleet *fleet)
{
	size_t most = fleet->changes && fleet->ended == 0 ? 1 : AT_ONCE;

	return fleet->next < fleet->n && fleet->running < most && !fleet->failed &&
	       !stop_requested();
}

static int run_fleet(struct fleet *fleet)
{
	int status, r = 0;
	pid_t pid;

	for (;;) {
		while (r == 0 && may_begin(fleet))
			r = begin_node(fleet, fleet->next++);
		if (!fleet->running)
			return r;
		if (ssh_end_any(&pid, &status) < 0)
			return -ECHILD;
		for (size_t i = 0; i < fleet->next; i++)
			if (fleet->runs[i].pid == pid)
				end_node(fleet, i, status);
	}
}

/* ---- what is asked ---- */

static int load_nodes(struct session *session, const struct options *options, struct spec **ret)
{
	_cleanup_(diags_done) struct diags diags = {};
	int r;

	if (strcmp(options->verb->name, "apply") == 0)
		r = session_read_file(session, options, FABRIC_PATH);
	else
		r = session_read_in_force(session, options);
	if (r != 0)
		return r;
	r = spec_load(session->text, session->size, ret, &diags);
	if (r == -ENOMEM)
		return session_trouble(session, STATUS_FAILED, "out of memory");
	if (r < 0)
		return session_refused(session, &diags);
	if (spec_node_count(*ret) == 0)
		return session_trouble(session, STATUS_FAILED,
				       "%s names no node, and \"*\" cannot be asked: write nodes "
				       "by name, such as \"gpu-[1-8]\": {}",
				       session->path);
	return 0;
}

static int usage_of_fabric(const struct options *options)
{
	static const enum option alone[] = { OPTION_ONCE, OPTION_NODE, OPTION_ROOT, OPTION_WATCH };

	for (size_t i = 0; i < ARRAY_SIZE(alone); i++)
		if (option_given(options, alone[i]))
			return usage_error(options->verb, "--fabric asks every node: without %s",
					   option_name(alone[i]));
	return 0;
}

/* "status --json", "apply --json -f - --confirm-msec", as each node is to read it. */
static int make_call(struct fleet *fleet, const struct options *options, char confirm[32])
{
	struct ssh_call *call = &fleet->call;
	uint64_t confirm_ms = 0;
	int r;

	*call = (struct ssh_call){ .word = { options->verb->name, "--json" },
				   .n_words = 2,
				   .batch = true };
	call->apart = fleet->changes = kind_of(options) != REPORT_STATUS;
	if (strcmp(options->verb->name, "apply") != 0)
		return 0;
	fleet->text = fleet->session->text;
	fleet->size = fleet->session->size;
	call->word[call->n_words++] = "-f";
	call->word[call->n_words++] = "-";
	r = options_confirm(options, &confirm_ms);
	if (r != 0 || !confirm_ms)
		return r;
	(void)snprintf(confirm, 32, "%" PRIu64 "ms", confirm_ms);
	call->word[call->n_words++] = "--confirm";
	call->word[call->n_words++] = confirm;
	return 0;
}

static int report_fleet(const struct fleet *fleet)
{
	const struct session *session = fleet->session;
	enum exit_status exit = STATUS_OK;

	for (size_t i = 0; i < fleet->n; i++)
		exit = exit_worse(exit, is_failure(fleet->nodes[i].exit) ? STATUS_FAILED :
									   fleet->nodes[i].exit);
	if (session->json)
		fabric_write_json(fleet->nodes, fleet->n, exit, session->out);
	else
		fabric_write_text(fleet->nodes, fleet->n, &session->style, session->out);
	return (int)exit;
}

static int ask_fleet(struct fleet *fleet)
{
	int r;

	if (fleet->changes)
		stop_watch("\nlosslessctl: no further node is begun; once more stops waiting\n");
	r = run_fleet(fleet);
	stop_unwatch();
	progress_end(fleet->session->progress);
	if (r < 0)
		say("ssh cannot be started: %s", strerror(-r));
	return report_fleet(fleet);
}

int remote_fabric(const struct options *options)
{
	_cleanup_(session_done) struct session session = {};
	_cleanup_(fleet_done) struct fleet fleet = { .session = &session };
	_cleanup_(spec_freep) struct spec *spec = NULL;
	char confirm[32];
	int r;

	r = usage_of_fabric(options);
	if (r != 0)
		return r;
	r = session_open(&session, options, kind_of(options));
	if (r == 0)
		r = load_nodes(&session, options, &spec);
	if (r == 0)
		r = make_call(&fleet, options, confirm);
	if (r != 0)
		return r;
	if (fleet_init(&fleet, spec) < 0)
		return session_trouble(&session, STATUS_FAILED, "out of memory");
	return ask_fleet(&fleet);
}
