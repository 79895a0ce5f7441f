// SPDX-License-Identifier: LGPL-2.1-or-later
/* One row for each event: its id, its weight. */
#include "daemon/journal.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <syslog.h>
#include <systemd/sd-journal.h>

#include "daemon/messages.h"
#include "lib/base/macro.h"

static const struct {
	const char *id;
	int priority;
} events[] = {
	[EVENT_DRIFT_FOUND] = { MESSAGE_DRIFT_FOUND, LOG_WARNING },
	[EVENT_DRIFT_REPAIRED] = { MESSAGE_DRIFT_REPAIRED, LOG_NOTICE },
	[EVENT_REPAIR_FAILED] = { MESSAGE_REPAIR_FAILED, LOG_ERR },
	[EVENT_CONTESTED] = { MESSAGE_CONTESTED, LOG_ERR },
	[EVENT_CONTEST_OVER] = { MESSAGE_CONTEST_OVER, LOG_NOTICE },
	[EVENT_SPEC_ACCEPTED] = { MESSAGE_SPEC_ACCEPTED, LOG_NOTICE },
	[EVENT_SPEC_REFUSED] = { MESSAGE_SPEC_REFUSED, LOG_ERR },
	[EVENT_ROLLED_BACK] = { MESSAGE_ROLLED_BACK, LOG_NOTICE },
	[EVENT_RETURNED] = { MESSAGE_RETURNED, LOG_WARNING },
	[EVENT_FINISHED] = { MESSAGE_FINISHED, LOG_WARNING },
	[EVENT_RESYNC] = { MESSAGE_RESYNC, LOG_WARNING },
	[EVENT_DEVICE_PENDING] = { MESSAGE_DEVICE_PENDING, LOG_WARNING },
	[EVENT_DEVICE_BACK] = { MESSAGE_DEVICE_BACK, LOG_NOTICE },
	[EVENT_HELD] = { MESSAGE_HELD, LOG_WARNING },
	[EVENT_STORM_BEGIN] = { MESSAGE_STORM_BEGIN, LOG_WARNING },
	[EVENT_STORM_END] = { MESSAGE_STORM_END, LOG_NOTICE },
	[EVENT_CHANGED] = {},
};
static_assert(ARRAY_SIZE(events) == EVENT_MAX, "a row for each event");

static bool has_journal(void)
{
	return getenv("JOURNAL_STREAM") != NULL;
}

static const char *or_nothing(const char *text)
{
	return text ? text : "";
}

void journal_write(const struct manager_happening *happening)
{
	if (!events[happening->event].id)
		return;
	if (!has_journal()) {
		(void)fprintf(stderr, "losslessd: %s\n", or_nothing(happening->words));
		return;
	}
	(void)sd_journal_send("MESSAGE=%s", or_nothing(happening->words), "MESSAGE_ID=%s",
			      events[happening->event].id, "PRIORITY=%d",
			      events[happening->event].priority, "LOSSLESS_TARGET=%s",
			      or_nothing(happening->target), "LOSSLESS_KNOB=%s",
			      or_nothing(happening->knob), "LOSSLESS_WANT=%s",
			      or_nothing(happening->want), "LOSSLESS_HAVE=%s",
			      or_nothing(happening->have), "LOSSLESS_GENERATION=%" PRIu64,
			      happening->generation, "LOSSLESS_CAUSE=%s",
			      or_nothing(happening->cause), NULL);
}

void journal_line(int priority, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	if (has_journal()) {
		(void)sd_journal_printv(priority, format, args);
	} else {
		(void)fputs("losslessd: ", stderr);
		(void)vfprintf(stderr, format, args);
		(void)fputc('\n', stderr);
	}
	va_end(args);
}
