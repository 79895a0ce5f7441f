// SPDX-License-Identifier: LGPL-2.1-or-later
/* Words and counts of what doctor found. */
#include "lib/model/diagnosis.h"

#include <stdlib.h>

#include "lib/base/macro.h"

static const char *const names[] = {
	[HEALTH_GOOD] = "good",
	[HEALTH_NOTICE] = "notice",
	[HEALTH_PROBLEM] = "problem",
	[HEALTH_UNKNOWN] = "unknown",
	[HEALTH_NOT_APPLICABLE] = "not-applicable",
};
static_assert(ARRAY_SIZE(names) == HEALTH_MAX, "a name for each");

void diagnoses_done(struct diagnoses *diagnoses)
{
	free(diagnoses->list);
	*diagnoses = (struct diagnoses){};
}

const char *health_name(enum health health)
{
	return names[health];
}

size_t diagnoses_count(const struct diagnoses *diagnoses, enum health health)
{
	size_t n = 0;

	for (size_t i = 0; i < diagnoses->n; i++)
		n += diagnoses->list[i].health == health;
	return n;
}

enum exit_status diagnoses_exit(const struct diagnoses *diagnoses)
{
	for (size_t i = 0; i < diagnoses->n; i++) {
		const struct diagnosis *diagnosis = &diagnoses->list[i];

		if (diagnosis->health == HEALTH_PROBLEM ||
		    (diagnosis->health == HEALTH_UNKNOWN && !diagnosis->needs_root))
			return STATUS_FAILED;
	}
	return STATUS_OK;
}
