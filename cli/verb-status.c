// SPDX-License-Identifier: LGPL-2.1-or-later
/* status: what is so now, against the spec in force. */
#include "cli/session.h"
#include "cli/verbs.h"

int verb_status(const struct options *options)
{
	_cleanup_(session_done) struct session session;
	int r;

	r = session_open(&session, options, REPORT_STATUS);
	if (r != 0)
		return r;
	r = session_read_in_force(&session, options);
	if (r != 0)
		return r;
	return session_status(&session);
}
