// SPDX-License-Identifier: LGPL-2.1-or-later
/* Words for cables, and what they mean for the exit status. */
#include "lib/model/cabling.h"

#include <assert.h>
#include <stdlib.h>

#include "lib/base/macro.h"

static const char *const verdicts[] = {
	[CABLE_UNKNOWN] = "unknown",	 [CABLE_CONFIRMED] = "confirmed",
	[CABLE_DIFFERS] = "differs",	 [CABLE_UNSEEN] = "unseen",
	[CABLE_ELSEWHERE] = "elsewhere", [CABLE_UNLISTED] = "unlisted",
};
static_assert(ARRAY_SIZE(verdicts) == CABLE_VERDICT_MAX, "a word for each verdict");

static const char *const adverts[] = {
	[ADVERT_NONE] = "",
	[ADVERT_AGREES] = "agrees",
	[ADVERT_DIFFERS] = "differs",
	[ADVERT_MISSING] = "not advertised",
};
static_assert(ARRAY_SIZE(adverts) == ADVERT_VERDICT_MAX, "a word for each");

const char *cable_verdict_name(enum cable_verdict verdict)
{
	return verdicts[verdict];
}

const char *advert_verdict_name(enum advert_verdict verdict)
{
	return adverts[verdict];
}

void cabling_done(struct cabling *cabling)
{
	free(cabling->list);
	*cabling = (struct cabling){};
}

enum exit_status cabling_exit(const struct cabling *cabling)
{
	for (size_t i = 0; i < cabling->n; i++) {
		const struct cable *cable = &cabling->list[i];

		if (cable->verdict == CABLE_DIFFERS || cable->verdict == CABLE_UNLISTED ||
		    cable->pfc.verdict == ADVERT_DIFFERS || cable->dscp.verdict == ADVERT_DIFFERS)
			return STATUS_DRIFT;
	}
	return STATUS_OK;
}
