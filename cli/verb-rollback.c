// SPDX-License-Identifier: LGPL-2.1-or-later
/* rollback: return to the state before the generation in force. */
#include "cli/client.h"
#include "cli/verbs.h"

static int rollback_once(const struct options *options)
{
	_cleanup_(session_done) struct session session = {};
	int r;

	r = session_open(&session, options, REPORT_ROLLBACK);
	if (r == 0)
		r = session_lock(&session, options);
	return r != 0 ? r : session_rollback(&session);
}

int verb_rollback(const struct options *options)
{
	if (option_given(options, OPTION_ONCE))
		return rollback_once(options);
	return client_verb(options, REPORT_ROLLBACK, "Rollback");
}
