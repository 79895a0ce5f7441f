// SPDX-License-Identifier: LGPL-2.1-or-later
/* rollback --once: return to the state before the generation in force, in this process. */
#include "cli/session.h"
#include "cli/verbs.h"

int verb_rollback(const struct options *options)
{
	_cleanup_(session_done) struct session session;
	int r;

	r = session_open(&session, options, REPORT_ROLLBACK);
	if (r != 0)
		return r;
	if (!option_given(options, OPTION_ONCE))
		return session_no_daemon(&session, options);
	r = session_lock(&session, options);
	if (r != 0)
		return r;
	return session_rollback(&session);
}
