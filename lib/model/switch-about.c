// SPDX-License-Identifier: LGPL-2.1-or-later
/* The list of them. */
#include "lib/model/switch-about.h"

#include <stdlib.h>

void switch_abouts_done(struct switch_abouts *abouts)
{
	for (size_t i = 0; i < abouts->n; i++)
		free(abouts->list[i].effects);
	free(abouts->list);
	*abouts = (struct switch_abouts){};
}

enum exit_status switch_abouts_exit(const struct switch_abouts *abouts)
{
	for (size_t i = 0; i < abouts->n; i++)
		if (*abouts->list[i].trouble)
			return STATUS_FAILED;
	return STATUS_OK;
}
