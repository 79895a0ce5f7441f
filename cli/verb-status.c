// SPDX-License-Identifier: LGPL-2.1-or-later
/* status: what is so now, against the spec in force; read by losslessd, or without it here. */
#include <errno.h>

#include "cli/client.h"
#include "cli/session.h"
#include "cli/verbs.h"

/* Another file, node or machine than losslessd's: only this process can tell. */
static bool is_local(const struct options *options)
{
	return option_given(options, OPTION_FILE) || option_given(options, OPTION_NODE) ||
	       option_given(options, OPTION_ROOT);
}

static int read_here(struct session *session, const struct options *options)
{
	int r;

	r = session_read_in_force(session, options);
	return r != 0 ? r : session_status(session);
}

int verb_status(const struct options *options)
{
	_cleanup_(client_closep) struct client *client = NULL;
	_cleanup_(session_done) struct session session = {};
	bool watch = option_given(options, OPTION_WATCH);
	int r;

	if (watch && is_local(options))
		return usage_error(options->verb,
				   "--watch asks losslessd: without -f, --node, --root");
	r = session_open(&session, options, REPORT_STATUS);
	if (r != 0)
		return r;
	if (watch) {
		r = session_connect(&session, options, &client);
		return r != 0 ? r : client_watch(client, &session);
	}
	if (client_open(options, &client) < 0)
		return read_here(&session, options);
	if (!is_local(options))
		return client_status(client, &session);
	session.nobody_asks_for_the_daemon = true;
	return read_here(&session, options);
}
