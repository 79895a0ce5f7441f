// SPDX-License-Identifier: LGPL-2.1-or-later
/* rollback: return to the state before the generation in force. */
#include "cli/client.h"
#include "cli/session.h"
#include "cli/verbs.h"

int verb_rollback(const struct options *options)
{
	_cleanup_(client_closep) struct client *client = NULL;
	_cleanup_(session_done) struct session session = {};
	int r;

	r = session_open(&session, options, REPORT_ROLLBACK);
	if (r != 0)
		return r;
	if (option_given(options, OPTION_ONCE)) {
		r = session_lock(&session, options);
		return r != 0 ? r : session_rollback(&session);
	}
	r = session_connect(&session, options, &client);
	return r != 0 ? r : client_job(client, &session, "Rollback", 0);
}
