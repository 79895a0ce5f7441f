// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * What is done with a switch. This version does nothing with one and says so: what is on it stays
 * unknown, and nothing is ever called done that was not.
 */
#include <stdio.h>

#include "daemon/switch-job.h"

static enum verdict no_login(const struct switch_work *work, char *words, size_t size)
{
	(void)snprintf(words, size,
		       "%s is not part of this version: this version does not log in to switches",
		       switch_verb_name(work->call->verb));
	return work->call->verb == SWITCH_PUSH ? VERDICT_UNSUPPORTED : VERDICT_UNKNOWN;
}

static enum verdict no_dialect(const struct switch_work *work, char *words, size_t size)
{
	(void)snprintf(words, size,
		       "%s is not part of this version: this version knows no dialect of a switch",
		       switch_verb_name(work->call->verb));
	return VERDICT_UNSUPPORTED;
}

const switch_run switch_runs[SWITCH_VERB_MAX] = {
	[SWITCH_TEST] = no_login,
	[SWITCH_RENDER] = no_dialect,
	[SWITCH_PUSH] = no_login,
	[SWITCH_READ] = no_login,
	[SWITCH_RETURN] = no_login,
	[SWITCH_CONFIRM] = no_login,
	[SWITCH_KEY] = no_login,
};
