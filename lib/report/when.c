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

/* Twice the next unit is the first that it is told in: "90 s" says more than "1 min". */
static void format_span(int64_t span_s, char *ret, size_t size)
{
	static const struct {
		int64_t unit_s;
		const char *name;
	} units[] = { { DAY_S, "d" }, { HOUR_S, "h" }, { MINUTE_S, "min" }, { 1, "s" } };
	size_t i = 0;

	while (units[i].unit_s > 1 && span_s < 2 * units[i].unit_s)
		i++;
	(void)snprintf(ret, size, "%" PRId64 " %s", span_s / units[i].unit_s, units[i].name);
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

/* As much of the moment as is not clear anyway. */
static void format_beside(int64_t then_s, int64_t now_s, char *ret, size_t size)
{
	if (now_s - then_s > LONG_AGO_S)
		format_clock(then_s, FORM_DATE, ret, size);
	else if (!same_day(then_s, now_s))
		format_clock(then_s, FORM_DAY, ret, size);
	else
		format_clock(then_s, FORM_CLOCK, ret, size);
}

enum { PART_MAX = WHEN_TEXT_MAX / 2 - 8 };

void when_ago(int64_t then_s, int64_t now_s, char ret[WHEN_TEXT_MAX])
{
	char span[PART_MAX], clock[PART_MAX];

	format_beside(then_s, now_s, clock, sizeof(clock));
	format_span(now_s - then_s, span, sizeof(span));
	if (then_s > now_s)
		(void)snprintf(ret, WHEN_TEXT_MAX, "%s", clock);
	else if (then_s == now_s)
		(void)snprintf(ret, WHEN_TEXT_MAX, "just now (%s)", clock);
	else
		(void)snprintf(ret, WHEN_TEXT_MAX, "%s ago (%s)", span, clock);
}

void when_due(int64_t then_s, int64_t now_s, char ret[WHEN_TEXT_MAX])
{
	char span[PART_MAX], clock[PART_MAX];

	format_beside(then_s, now_s, clock, sizeof(clock));
	format_span(then_s - now_s, span, sizeof(span));
	if (then_s <= now_s)
		(void)snprintf(ret, WHEN_TEXT_MAX, "now (%s)", clock);
	else
		(void)snprintf(ret, WHEN_TEXT_MAX, "in %s (%s)", span, clock);
}

void when_stamp(int64_t then_s, char ret[WHEN_TEXT_MAX])
{
	format_clock(then_s, FORM_STAMP, ret, WHEN_TEXT_MAX);
}
