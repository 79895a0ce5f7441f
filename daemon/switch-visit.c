// SPDX-License-Identifier: LGPL-2.1-or-later
/* From a request to a conversation. */
#include "daemon/switch-visit.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/cleanup.h"
#include "lib/base/macro.h"
#include "lib/switch/dialect-file.h"

enum {
	CONNECT_MS = 10 * 1000,
	BANNER_MS = 15 * 1000,
	AUTH_MS = 20 * 1000,
	COMMAND_MS = 30 * 1000,
	QUIET_MS = 100,
	ANSWER_MAX = 4 * 1024 * 1024,
	PATH_BYTES = 512,
};

volatile sig_atomic_t visit_cancelled;

static void hang_up(struct visit *visit)
{
	visit->session = session_free(visit->session);
	visit->drive.session = NULL;
	visit->peer = ssh_peer_free(visit->peer);
	free(TAKE_PTR(visit->answers));
	credential_done(&visit->key);
	credential_done(&visit->password);
	credential_done(&visit->enable);
}

void visit_done(struct visit *visit)
{
	hang_up(visit);
	drive_done(&visit->drive);
	visit->dialect = dialect_free(visit->dialect);
	switch_wish_done(&visit->wish);
	visit->spec = spec_free(visit->spec);
}

static int fail(struct visit *visit, enum verdict verdict, enum verdict *ret_verdict,
		const char *format, ...) _printf_(4, 5);

static int fail(struct visit *visit, enum verdict verdict, enum verdict *ret_verdict,
		const char *format, ...)
{
	va_list args;

	va_start(args, format);
	(void)vsnprintf(visit->words, visit->size, format, args);
	va_end(args);
	*ret_verdict = verdict;
	return -1;
}

/* ---- the file ---- */

static int take_file(struct visit *visit, enum verdict *ret_verdict)
{
	_cleanup_(diags_done) struct diags diags = {};
	const struct switch_call *call = visit->work->call;
	size_t size = strlen(visit->work->text);
	int r;

	visit->record = size < call->text_size ? visit->work->text + size + 1 : "";
	r = spec_load(visit->work->text, size, &visit->spec, &diags);
	if (r == 0)
		r = spec_switch_resolve(visit->spec, call->name, &visit->wish, &diags);
	if (r == -ENOENT)
		return fail(visit, VERDICT_FAILED, ret_verdict, "the file has no switch %s",
			    call->name);
	if (r == -EINVAL)
		return fail(visit, VERDICT_FAILED, ret_verdict, "the file is refused: line %u: %s",
			    diags.list[0].where.line, diags.list[0].message);
	return r < 0 ? fail(visit, VERDICT_FAILED, ret_verdict, "out of memory") : 0;
}

static int take_dialect(struct visit *visit, enum verdict *ret_verdict)
{
	char why[512] = "out of memory";
	int r;

	r = dialect_read(dialect_folders(DIALECT_PATH), visit->wish.dialect, &visit->dialect, why,
			 sizeof(why));
	if (r == -ENOENT)
		return fail(visit, VERDICT_UNSUPPORTED, ret_verdict, "line %u: %s",
			    visit->wish.dialect_where.line, why);
	return r < 0 ? fail(visit, VERDICT_FAILED, ret_verdict, "%s", why) : 0;
}

static void on_finding(const struct switch_finding *finding, void *data)
{
	const struct visit *visit = data;
	char text[SWITCH_REPLY_MAX];

	switch_finding_format(finding, text, sizeof(text));
	switch_say(visit->work, SWITCH_FINDING, finding->verdict, text);
}

static void on_progress(const char *words, void *data)
{
	const struct visit *visit = data;

	switch_progress(visit->work, words);
}

static bool is_stopped(void *data)
{
	return visit_cancelled;
}

int visit_prepare(struct visit *visit, const struct switch_work *work, char *words, size_t size,
		  enum verdict *ret_verdict)
{
	*visit = (struct visit){ .work = work, .words = words, .size = size };
	if (take_file(visit, ret_verdict) < 0 || take_dialect(visit, ret_verdict) < 0)
		return -1;
	visit->drive = (struct drive){
		.dialect = visit->dialect,
		.wish = &visit->wish,
		.find = on_finding,
		.progress = on_progress,
		.stopped = is_stopped,
		.data = visit,
	};
	return 0;
}

/* ---- who we are there ---- */

/* Nothing without a name. Returns 0 or -1 with words that never have the secret. */
static int take_secret(struct visit *visit, const char *name, struct credential *ret,
		       enum verdict *ret_verdict)
{
	char why[256] = "";
	int r = *name ? credential_read(NULL, name, ret, why, sizeof(why)) : 0;

	/* where people put it: the folder that it was looked for in is gone when they read this */
	if (r == -ENOENT)
		return fail(visit, VERDICT_FAILED, ret_verdict,
			    "credential \"%s\" is not there: put it into %s, mode 0600", name,
			    getenv("LOSSLESSD_CREDENTIALS") ?: CREDENTIALS_FOLDER);
	if (r < 0)
		return fail(visit, VERDICT_FAILED, ret_verdict, "%s", why);
	return 0;
}

/* A file of its own, or the one that remembers for all switches. */
static const char *known_hosts_path(const struct visit *visit)
{
	static char path[PATH_BYTES];
	const char *folder = getenv("STATE_DIRECTORY") ?: SWITCH_STATE_DIR;

	if (*visit->wish.known_hosts)
		(void)snprintf(path, sizeof(path), "%s/switch_%s",
			       getenv("CREDENTIALS_DIRECTORY") ?: "", visit->wish.known_hosts);
	else
		(void)snprintf(path, sizeof(path), "%s/known_hosts", folder);
	return path;
}

/* A list that ends with NULL; NULL without memory, or if it is empty. */
static const char **terminated(const struct switch_texts *texts)
{
	const char **list = texts->n ? calloc(texts->n + 1, sizeof(*list)) : NULL;

	for (size_t i = 0; list && i < texts->n; i++)
		list[i] = texts->list[i];
	return list;
}

void visit_ssh_done(struct ssh_options *options)
{
	free((void *)options->fingerprints);
	free((void *)options->legacy);
}

int visit_ssh_options(struct visit *visit, struct ssh_options *ret, enum verdict *ret_verdict)
{
	const struct switch_wish *wish = &visit->wish;

	*ret = (struct ssh_options){
		.address = *wish->address ? wish->address : wish->name,
		.alias = *wish->address ? wish->name : NULL,
		.port = wish->port,
		.user = wish->username,
		.fingerprints = terminated(&wish->host_keys),
		.known_hosts = known_hosts_path(visit),
		.trust = wish->first_use ? SSH_TRUST_FIRST_USE : SSH_TRUST_STRICT,
		.legacy = terminated(&wish->legacy),
		.connect_ms = CONNECT_MS,
		.banner_ms = BANNER_MS,
		.auth_ms = AUTH_MS,
		.command_ms = COMMAND_MS,
		.cancelled = &visit_cancelled,
	};
	if ((wish->host_keys.n && !ret->fingerprints) || (wish->legacy.n && !ret->legacy))
		return fail(visit, VERDICT_FAILED, ret_verdict, "out of memory");
	return 0;
}

/* ---- the conversation ---- */

enum verdict visit_ssh_verdict(enum ssh_end end)
{
	switch (end) {
	case SSH_END_OK:
		return VERDICT_IN_SYNC;
	case SSH_END_REFUSED:
	case SSH_END_UNREACHABLE:
	case SSH_END_TIMEOUT:
	case SSH_END_LOST:
		return VERDICT_UNKNOWN;
	case SSH_END_BUSY:
	case SSH_END_CANCELLED:
		return VERDICT_PENDING;
	case SSH_END_KEY_CHANGED:
	case SSH_END_KEY_UNKNOWN:
	case SSH_END_KNOWN_HOSTS:
	case SSH_END_ALGORITHM:
	case SSH_END_AUTH:
	case SSH_END_BAD:
	case SSH_END_MAX:
		break;
	}
	return VERDICT_FAILED;
}

enum verdict visit_session_verdict(enum session_end end)
{
	switch (end) {
	case SESSION_OK:
		return VERDICT_IN_SYNC;
	case SESSION_TRUNCATED:
	case SESSION_TIMEOUT:
	case SESSION_TOO_LONG:
	case SESSION_LOST:
		return VERDICT_UNKNOWN;
	case SESSION_CANCELLED:
		return VERDICT_PENDING;
	case SESSION_REFUSED:
	case SESSION_MODE:
	case SESSION_QUESTION:
	case SESSION_PASSWORD:
	case SESSION_BAD:
	case SESSION_END_MAX:
		break;
	}
	return VERDICT_FAILED;
}

static void warn_of_connection(const struct visit *visit)
{
	const char *words;

	for (size_t i = 0; (words = ssh_peer_warning(visit->peer, i)); i++)
		switch_say(visit->work, SWITCH_WARNING, VERDICT_IN_SYNC, words);
	for (size_t i = 0; (words = session_warning(visit->session, i)); i++)
		switch_say(visit->work, SWITCH_WARNING, VERDICT_IN_SYNC, words);
}

static int dial(struct visit *visit, struct channel **ret, enum verdict *ret_verdict)
{
	const struct session_rules *rules = dialect_rules(visit->dialect);
	_cleanup_(visit_ssh_done) struct ssh_options options = {};
	enum ssh_end end;

	if (visit_ssh_options(visit, &options, ret_verdict) < 0 ||
	    take_secret(visit, visit->wish.key, &visit->key, ret_verdict) < 0 ||
	    take_secret(visit, visit->wish.password, &visit->password, ret_verdict) < 0)
		return -1;
	options.key = visit->key.text;
	options.password = visit->password.text;
	end = ssh_peer_open(&options, &visit->peer, visit->words, visit->size);
	if (end == SSH_END_OK)
		end = ssh_peer_channel(visit->peer,
				       rules->channel == SESSION_EXEC ? 0 : rules->width, ret,
				       visit->words, visit->size);
	*ret_verdict = visit_ssh_verdict(end);
	return end == SSH_END_OK ? 0 : -1;
}

static int answers_make(struct visit *visit, enum verdict *ret_verdict)
{
	const struct switch_wish *wish = &visit->wish;

	visit->answers = calloc(wish->n_answers + 1, sizeof(*visit->answers));
	if (!visit->answers)
		return fail(visit, VERDICT_FAILED, ret_verdict, "out of memory");
	for (size_t i = 0; i < wish->n_answers; i++)
		visit->answers[i] = (struct session_ask){
			wish->answers[i].name, wish->answers[i].value, ASK_ANY,
		};
	return 0;
}

int visit_open(struct visit *visit, enum verdict *ret_verdict)
{
	static const struct session_limits limits = { COMMAND_MS, QUIET_MS, ANSWER_MAX };
	struct channel *channel;
	enum session_end end;

	switch_progress(visit->work, "logging in");
	if (take_secret(visit, visit->wish.enable, &visit->enable, ret_verdict) < 0 ||
	    answers_make(visit, ret_verdict) < 0 || dial(visit, &channel, ret_verdict) < 0)
		return -1;
	end = session_open(dialect_rules(visit->dialect), channel, &limits, visit->answers,
			   visit->wish.n_answers, visit->enable.text, &visit->session,
			   visit->words, visit->size);
	*ret_verdict = visit_session_verdict(end);
	if (end != SESSION_OK)
		return -1;
	visit->drive.session = visit->session;
	warn_of_connection(visit);
	return 0;
}

bool visit_open_again(struct visit *visit)
{
	char *words = visit->words, ignored[SWITCH_REPLY_MAX];
	size_t size = visit->size;
	enum verdict verdict;
	int r;

	hang_up(visit);
	visit->words = ignored;
	visit->size = sizeof(ignored);
	r = visit_open(visit, &verdict);
	visit->words = words;
	visit->size = size;
	return r == 0;
}
