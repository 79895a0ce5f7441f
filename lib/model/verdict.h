/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The eight words for a knob, and what each means for the exit status. */
#pragma once

enum verdict {
	VERDICT_IN_SYNC,	/* read, equal */
	VERDICT_DRIFT,		/* read, differs */
	VERDICT_PENDING,	/* will be tried again: device missing, busy */
	VERDICT_CONTESTED,	/* somebody else keeps writing it */
	VERDICT_UNSUPPORTED,	/* this driver, or this version, cannot */
	VERDICT_NOT_APPLICABLE,	/* does not concern this device */
	VERDICT_UNKNOWN,	/* could not be read */
	VERDICT_FAILED,		/* tried, refused or not in effect */
	VERDICT_MAX,
};

/* Exit status of losslessctl (interface.md). */
enum exit_status {
	STATUS_OK = 0,
	STATUS_FAILED = 1,
	STATUS_DRIFT = 2,
	STATUS_SPEC = 3,
	STATUS_NO_DAEMON = 4,
	STATUS_USAGE = 64,
};

const char *verdict_name(enum verdict verdict);

/* What it means for the exit status, where nothing is required. */
enum exit_status verdict_exit(enum verdict verdict);

/* The worse of two exit statuses: 1 over 2 over 0. */
enum exit_status exit_worse(enum exit_status a, enum exit_status b);
