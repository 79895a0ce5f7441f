// SPDX-License-Identifier: LGPL-2.1-or-later
/* Moments in words; pure but for the time zone. */
#include "lib/report/when.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "lib/base/macro.h"

enum { MINUTE_S = 60, HOUR_S = 3600, DAY_S = 86400, LONG_AGO_S = 300 * DAY_S };

/* Twice the next unit is the first that it is told in: "90 s ago" says more than "1 min ago". */
static void format_age(int64_t age_s, char *ret, size_t size)
{
	static const struct {
		int64_t unit_s;
		const char *name;
	} units[] = { { DAY_S, "d" }, { HOUR_S, "h" }, { MINUTE_S, "min" }, { 1, "s" } };

	if (age_s == 0) {
		(void)snprintf(ret, size, "just now");
		return;
	}
	for (size_t i = 0; i < ARRAY_SIZE(units); i++) {
		if (age_s < 2 * units[i].unit_s && units[i].unit_s > 1)
			continue;
		(void)snprintf(ret, size, "%" PRId64 " %s ago", age_s / units[i].unit_s,
			       units[i].name);
		return;
	}
}

enum clock_form { FORM_CLOCK, FORM_DAY, FORM_DATE, FORM_STAMP };

static size_t format_tm(enum clock_form form, const struct tm *tm, char *ret, size_t size)
{
	switch (form) {
	case FORM_CLOCK:
		return strftime(ret, size, "%T", tm);
	case FORM_DAY:
		return strftime(ret, size, "%b %e %H:%M", tm);
	case FORM_DATE:
		return strftime(ret, size, "%F", tm);
	case FORM_STAMP:
		return strftime(ret, size, "%FT%T%z", tm);
	}
	return 0;
}

static void format_clock(int64_t then_s, enum clock_form form, char *ret, size_t size)
{
	time_t then = (time_t)then_s;
	struct tm tm;

	if (!localtime_r(&then, &tm) || format_tm(form, &tm, ret, size) == 0)
		(void)snprintf(ret, size, "%" PRId64, then_s);
}

static bool same_day(int64_t then_s, int64_t now_s)
{
	char a[WHEN_TEXT_MAX], b[WHEN_TEXT_MAX];

	format_clock(then_s, FORM_DATE, a, sizeof(a));
	format_clock(now_s, FORM_DATE, b, sizeof(b));
	return strcmp(a, b) == 0;
}

void when_ago(int64_t then_s, int64_t now_s, char ret[WHEN_TEXT_MAX])
{
	char age[WHEN_TEXT_MAX / 2], clock[WHEN_TEXT_MAX / 2 - 4];

	if (now_s - then_s > LONG_AGO_S)
		format_clock(then_s, FORM_DATE, clock, sizeof(clock));
	else if (!same_day(then_s, now_s))
		format_clock(then_s, FORM_DAY, clock, sizeof(clock));
	else
		format_clock(then_s, FORM_CLOCK, clock, sizeof(clock));
	if (then_s > now_s) {
		(void)snprintf(ret, WHEN_TEXT_MAX, "%s", clock);
		return;
	}
	format_age(now_s - then_s, age, sizeof(age));
	(void)snprintf(ret, WHEN_TEXT_MAX, "%s (%s)", age, clock);
}

void when_stamp(int64_t then_s, char ret[WHEN_TEXT_MAX])
{
	format_clock(then_s, FORM_STAMP, ret, WHEN_TEXT_MAX);
}
