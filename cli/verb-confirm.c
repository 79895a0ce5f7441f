// SPDX-License-Identifier: LGPL-2.1-or-later
/* confirm: keep what apply --confirm did. */
#include "cli/client.h"
#include "cli/session.h"
#include "cli/verbs.h"

int verb_confirm(const struct options *options)
{
	_cleanup_(client_closep) struct client *client = NULL;
	_cleanup_(session_done) struct session session = {};
	int r;

	r = session_open(&session, options, REPORT_APPLY);
	if (r == 0)
		r = session_connect(&session, options, &client);
	return r != 0 ? r : client_job(client, &session, "Confirm", 0);
}
