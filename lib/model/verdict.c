// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The words for verdicts and the order of exit statuses; design: one table for people, programs and
 * the exit status.
 */
#include "lib/model/verdict.h"

#include "lib/base/macro.h"

static const char *const names[] = {
	[VERDICT_IN_SYNC] = "in-sync",
	[VERDICT_DRIFT] = "drift",
	[VERDICT_PENDING] = "pending",
	[VERDICT_CONTESTED] = "contested",
	[VERDICT_UNSUPPORTED] = "unsupported",
	[VERDICT_NOT_APPLICABLE] = "not-applicable",
	[VERDICT_UNKNOWN] = "unknown",
	[VERDICT_FAILED] = "failed",
};
static_assert(ARRAY_SIZE(names) == VERDICT_MAX, "one word for each verdict");

const char *verdict_name(enum verdict verdict)
{
	return names[verdict];
}

enum exit_status exit_worse(enum exit_status a, enum exit_status b)
{
	if (a == STATUS_FAILED || b == STATUS_FAILED)
		return STATUS_FAILED;
	return MAX(a, b);
}

enum exit_status verdict_exit(enum verdict verdict)
{
	switch (verdict) {
	case VERDICT_IN_SYNC:
	case VERDICT_NOT_APPLICABLE:
	case VERDICT_UNSUPPORTED:
		return STATUS_OK;
	case VERDICT_DRIFT:
	case VERDICT_PENDING:
		return STATUS_DRIFT;
	case VERDICT_CONTESTED:
	case VERDICT_UNKNOWN:
	case VERDICT_FAILED:
	case VERDICT_MAX:
		break;
	}
	return STATUS_FAILED;
}
