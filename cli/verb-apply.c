// SPDX-License-Identifier: LGPL-2.1-or-later
/* apply --once: bring the node into the declared state, in this process. */
#include "cli/session.h"
#include "cli/verbs.h"

int verb_apply(const struct options *options)
{
	_cleanup_(session_done) struct session session;
	int r;

	r = session_open(&session, options, REPORT_APPLY);
	if (r != 0)
		return r;
	if (!option_given(options, OPTION_ONCE))
		return session_no_daemon(&session, options);
	r = session_lock(&session, options);
	if (r != 0)
		return r;
	r = session_read_file(&session, options, FABRIC_PATH);
	if (r != 0)
		return r;
	return session_apply(&session);
}
