// SPDX-License-Identifier: LGPL-2.1-or-later
/* confirm: keep what apply --confirm did. */
#include "cli/client.h"
#include "cli/verbs.h"

int verb_confirm(const struct options *options)
{
	return client_verb(options, REPORT_APPLY, "Confirm");
}
