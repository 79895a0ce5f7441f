/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What happened, for the journal: structured entries; lines on stderr where there is none. */
#pragma once

#include "daemon/manager.h"

/* One entry. EVENT_CHANGED is none. */
void journal_write(const struct manager_happening *happening);

/* A line that is about losslessd itself; @priority as in syslog(3). */
void journal_line(int priority, const char *format, ...)
	__attribute__((__format__(__printf__, 2, 3)));
