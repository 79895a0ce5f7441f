// SPDX-License-Identifier: LGPL-2.1-or-later
/* Names in few words, and moments: what people read of them. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "lib/base/cleanup.h"
#include "lib/base/macro.h"
#include "lib/report/names.h"
#include "lib/report/when.h"
#include "tests/support/cases.h"

enum { NAMES = 10 };

static void test_names(void **state)
{
	static const struct {
		const char *name;
		const char *names[NAMES];
		size_t max;
		const char *want;
	} cases[] = {
		{ "none", {}, 0, "" },
		{ "one", { "rail0" }, 0, "rail0" },
		{ "two are no range", { "mlx5_0", "mlx5_1" }, 0, "mlx5_0, mlx5_1" },
		{ "three are", { "mlx5_0", "mlx5_1", "mlx5_2" }, 0, "mlx5_[0-2]" },
		{ "a gap", { "rail0", "rail1", "rail2", "rail6", "rail7" }, 0, "rail[0-2,6-7]" },
		{ "out of order", { "a3", "a1", "a2" }, 0, "a[1-3]" },
		{ "from 9 to 10", { "a9", "a10", "a11" }, 0, "a[9-11]" },
		{ "widths stay", { "n07", "n08", "n09", "n10" }, 0, "n[07-10]" },
		{ "07 is not 7", { "n7", "n07", "n8", "n08" }, 0, "n7, n07, n8, n08" },
		{ "only the last number", { "ens1f0np0", "ens1f1np1", "ens1f2np2" }, 0,
		  "ens1f0np0, ens1f1np1, ens1f2np2" },
		{ "what stands behind it", { "e1x", "e2x", "e3y", "e3x" }, 0, "e[1-3]x, e3y" },
		{ "others in between", { "a1", "eth", "a2", "b", "a3" }, 0, "a[1-3], eth, b" },
		{ "no number at all", { "a", "b", "c" }, 0, "a, b, c" },
		{ "a number that is none", { "m1234567890", "m1234567891", "m1234567892" }, 0,
		  "m1234567890, m1234567891, m1234567892" },
		{ "wide characters", { "\xe5\x8f\xb0" "1", "\xe5\x8f\xb0" "2", "\xe5\x8f\xb0" "3" },
		  0, "\xe5\x8f\xb0[1-3]" },
		{ "enough", { "a", "b1", "b2", "b3", "c", "d" }, 2, "a, b[1-3] and 2 more" },
		{ "just enough", { "a", "b" }, 2, "a, b" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		_cleanup_free_ char *text = NULL;
		size_t n = 0;

		while (n < NAMES && cases[i].names[n])
			n++;
		text = names_fold(cases[i].names, n, cases[i].max);
		case_true(cases[i].name, text);
		case_string(cases[i].name, text, cases[i].want);
	}
}

/* 2026-11-30 14:03:11 UTC, by date(1) */
#define NOW INT64_C(1796047391)

static void test_when(void **state)
{
	static const struct {
		const char *name;
		int64_t then_s;
		const char *want;
	} cases[] = {
		{ "now", NOW, "just now (14:03:11)" },
		{ "a second", NOW - 1, "1 s ago (14:03:10)" },
		{ "seconds up to two minutes", NOW - 119, "119 s ago (14:01:12)" },
		{ "minutes", NOW - 120, "2 min ago (14:01:11)" },
		{ "minutes up to two hours", NOW - 7199, "119 min ago (12:03:12)" },
		{ "hours", NOW - 7200, "2 h ago (12:03:11)" },
		{ "yesterday has its day", NOW - 15 * 3600, "15 h ago (Nov 29 23:03)" },
		{ "hours up to two days", NOW - 47 * 3600, "47 h ago (Nov 28 15:03)" },
		{ "days", NOW - 3 * 86400, "3 d ago (Nov 27 14:03)" },
		{ "a day of one digit", NOW - 25 * 86400, "25 d ago (Nov  5 14:03)" },
		{ "long ago", NOW - 400 * 86400, "400 d ago (2025-10-26)" },
		{ "a clock that was set back", NOW + 60, "14:04:11" },
	};
	char text[WHEN_TEXT_MAX];

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		when_ago(cases[i].then_s, NOW, text);
		case_string(cases[i].name, text, cases[i].want);
	}
	when_due(NOW + 90, NOW, text);
	assert_string_equal(text, "in 90 s (14:04:41)");
	when_due(NOW + 15 * 3600, NOW, text);
	assert_string_equal(text, "in 15 h (Dec  1 05:03)");
	when_due(NOW - 1, NOW, text);
	assert_string_equal(text, "now (14:03:10)");
	when_stamp(NOW, text);
	assert_string_equal(text, "2026-11-30T14:03:11+0000");
	assert_int_equal(setenv("TZ", "CET-1", 1), 0);
	tzset();
	when_stamp(NOW, text);
	assert_string_equal(text, "2026-11-30T15:03:11+0100");
	when_ago(NOW - 60, NOW, text);
	assert_string_equal(text, "60 s ago (15:02:11)");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_when),
	};

	if (setenv("TZ", "UTC0", 1) < 0)
		return 1;
	tzset();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
