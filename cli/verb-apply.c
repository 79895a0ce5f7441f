// SPDX-License-Identifier: LGPL-2.1-or-later
/* apply: bring the node into the declared state, by losslessd or, with --once, in this process. */
#include "cli/client.h"
#include "cli/session.h"
#include "cli/verbs.h"

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

int verb_apply(const struct options *options)
{
	_cleanup_(client_closep) struct client *client = NULL;
	_cleanup_(session_done) struct session session = {};
	uint64_t confirm_ms;
	int r;

	r = options_confirm(options, &confirm_ms);
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
