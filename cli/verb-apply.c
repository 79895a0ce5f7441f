// SPDX-License-Identifier: LGPL-2.1-or-later
/* apply: bring the node into the declared state, by losslessd or, with --once, in this process. */
#include "cli/client.h"
#include "cli/session.h"
#include "cli/verbs.h"
#include "lib/spec/number.h"

enum { CONFIRM_MIN_MS = 1000, CONFIRM_MAX_MS = 24 * 60 * 60 * 1000 };

static int apply_once(struct session *session, const struct options *options)
{
	int r;

	r = session_lock(session, options);
	if (r != 0)
		return r;
	r = session_read_file(session, options, FABRIC_PATH);
	if (r != 0)
		return r;
	return session_apply(session);
}

static int read_confirm(const struct options *options, uint64_t *ret_ms)
{
	const char *text = options->value[OPTION_CONFIRM];
	struct trouble trouble;

	*ret_ms = 0;
	if (!text)
		return 0;
	if (option_given(options, OPTION_ONCE))
		return usage_error(options->verb, "--confirm needs losslessd, --once does without");
	if (!number_parse(text, CONFIRM_MIN_MS, CONFIRM_MAX_MS, time_units, ret_ms, &trouble))
		return usage_error(options->verb, "--confirm: %s", trouble.text);
	return 0;
}

int verb_apply(const struct options *options)
{
	_cleanup_(client_closep) struct client *client = NULL;
	_cleanup_(session_done) struct session session = {};
	uint64_t confirm_ms;
	int r;

	r = read_confirm(options, &confirm_ms);
	if (r != 0)
		return r;
	r = session_open(&session, options, REPORT_APPLY);
	if (r != 0)
		return r;
	if (option_given(options, OPTION_ONCE))
		return apply_once(&session, options);
	if (option_given(options, OPTION_NODE))
		return usage_error(options->verb,
				   "losslessd knows which node this is: --node needs --once");
	r = session_connect(&session, options, &client);
	if (r == 0)
		r = session_read_file(&session, options, FABRIC_PATH);
	return r != 0 ? r : client_job(client, &session, "Apply", confirm_ms);
}
