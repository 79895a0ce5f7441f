// SPDX-License-Identifier: LGPL-2.1-or-later
/* reload: put the installed file in force. */
#include "cli/client.h"
#include "cli/verbs.h"

int verb_reload(const struct options *options)
{
	return client_verb(options, REPORT_APPLY, "Reload");
}
