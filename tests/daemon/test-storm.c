// SPDX-License-Identifier: LGPL-2.1-or-later
/* When a storm of pause frames begins and ends: readings in, changes out. */
#include "daemon/storm.h"
#include "lib/base/macro.h"
#include "tests/support/cases.h"

enum { READINGS = 6 };

#define QUIET STORM_SAME

static const struct {
	const char *name;
	struct {
		int64_t after_ms;
		int64_t frames;		/* more than before; negative: fewer */
		enum storm_change want;
	} reading[READINGS];
} cases[] = {
	{ "the first reading says nothing", { { 1000, 9000000, QUIET } } },
	{ "one long reading is enough",
	  { { 0, 5, QUIET }, { 60000, 60000, STORM_BEGINS }, { 60000, 0, STORM_ENDS } } },
	{ "just below", { { 0, 5, QUIET }, { 60000, 59940, QUIET }, { 60000, 59940, QUIET } } },
	{ "short readings have to be two",
	  { { 0, 0, QUIET },
	    { 1000, 1000, QUIET },
	    { 1000, 1000, STORM_BEGINS },
	    { 1000, 299, QUIET },
	    { 1000, 299, STORM_ENDS } } },
	{ "a burst in between is no storm",
	  { { 0, 0, QUIET },
	    { 1000, 50000, QUIET },
	    { 1000, 999, QUIET },
	    { 1000, 50000, QUIET },
	    { 1000, 0, QUIET } } },
	{ "between the thresholds it goes on",
	  { { 0, 0, QUIET },
	    { 2000, 2000, STORM_BEGINS },
	    { 1000, 0, QUIET },
	    { 1000, 300, QUIET },
	    { 1000, 0, QUIET },
	    { 1000, 0, STORM_ENDS } } },
	{ "between the thresholds none begins",
	  { { 0, 0, QUIET }, { 2000, 1400, QUIET }, { 2000, 1400, QUIET } } },
	{ "readings that follow at once add up",
	  { { 0, 0, QUIET },
	    { 10, 900, QUIET },
	    { 10, 900, QUIET },
	    { 1980, 200, STORM_BEGINS } } },
	{ "at the same time", { { 0, 0, QUIET }, { 0, 100000, QUIET } } },
	{ "counted anew: no storm, and no end of one",
	  { { 0, 1000000, QUIET },
	    { 2000, 4000, STORM_BEGINS },
	    { 2000, -1003000, QUIET },
	    { 2000, 4000, QUIET },
	    { 2000, 0, STORM_ENDS } } },
	{ "more than fits does not wrap",
	  { { 0, 0, QUIET }, { 1000, INT64_MAX, QUIET }, { 1000, INT64_MAX, STORM_BEGINS } } },
};

static void test_readings(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct storm storm = {};
		uint64_t frames = 0;
		int64_t at_ms = 5000;

		for (size_t j = 0; j < READINGS; j++) {
			at_ms += cases[i].reading[j].after_ms;
			frames += (uint64_t)cases[i].reading[j].frames;
			case_equal(cases[i].name, storm_feed(&storm, frames, at_ms),
				   cases[i].reading[j].want);
		}
	}
}

static void test_rate(void **state)
{
	struct storm storm = {};

	(void)storm_feed(&storm, 7, 0);
	(void)storm_feed(&storm, 7 + 9000, 2000);
	assert_int_equal(storm.per_s, 4500);
}

/* What the driver counted and what DCB counts have no difference. */
static void test_other_source(void **state)
{
	struct storm storm = {};

	(void)storm_feed(&storm, 0, 0);
	storm_count_anew(&storm);
	assert_int_equal(storm_feed(&storm, 1000000, 2000), STORM_SAME);
	assert_int_equal(storm_feed(&storm, 1004000, 4000), STORM_BEGINS);
	storm_count_anew(&storm);
	assert_int_equal(storm_feed(&storm, 0, 6000), STORM_SAME);
	assert_true(storm.on);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_readings),
		cmocka_unit_test(test_rate),
		cmocka_unit_test(test_other_source),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
