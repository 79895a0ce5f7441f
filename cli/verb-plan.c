// SPDX-License-Identifier: LGPL-2.1-or-later
/* plan: what apply would change. */
#include "cli/session.h"
#include "cli/verbs.h"

int verb_plan(const struct options *options)
{
	_cleanup_(session_done) struct session session;
	int r;

	r = session_open(&session, options, REPORT_PLAN);
	if (r != 0)
		return r;
	r = session_read_file(&session, options, FABRIC_PATH);
	if (r != 0)
		return r;
	return session_plan(&session);
}
