// SPDX-License-Identifier: LGPL-2.1-or-later
/* A pause storm from the counters of a port to what is told of it. */
#include "lib/base/macro.h"
#include "tests/daemon/manager-bed.h"
#include "tests/support/cases.h"

static const char before[] = BED_HEAD BED_NODES;

/* For @seconds the peer stops priority 3 of BED_PORT, as mlx5 counts it: while PFC is on there. */
static void storm_for(unsigned int seconds, uint64_t *frames)
{
	for (unsigned int i = 0; i < seconds; i++) {
		*frames += 5000;
		assert_int_equal(os_fake_poke_stat(bed.os, BED_PORT, "rx_prio3_pause", *frames), 0);
		bed.fake->sleep_ms(bed.os, 1000);
		bed.manager->audit_due = true;
		bed_settle();
	}
}

static size_t n_warnings(void)
{
	struct report report = {};

	manager_storms(bed.manager, &report);
	return report.n_warnings;
}

/* Nothing counts there any more: it is told that it is over, as far as anybody can say. */
static void test_storm_without_pfc(void **state)
{
	static const char moved[] = "version: 1\nfabric: test\n"
				    "qos: {dscp_to_priority: {26: 4}, pfc: [4]}\n" BED_NODES;
	uint64_t frames = 0;

	assert_int_equal(bed_answer(JOB_APPLY, before, 0), STATUS_OK);
	storm_for(4, &frames);
	assert_int_equal(bed.told[EVENT_STORM_BEGIN], 1);
	assert_int_equal(n_warnings(), 1);
	assert_int_equal(bed_answer(JOB_APPLY, moved, 0), STATUS_OK);
	bed.manager->audit_due = true;
	bed_settle();
	assert_int_equal(bed.told[EVENT_STORM_END], 1);
	assert_int_equal(n_warnings(), 0);
	assert_int_equal(bed_answer(JOB_APPLY, before, 0), STATUS_OK);
	storm_for(4, &frames);
	assert_int_equal(bed.told[EVENT_STORM_BEGIN], 2);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_storm_without_pfc, bed_begin, bed_end),
	};

	return cmocka_run_group_tests_name("manager-storm", tests, NULL, NULL);
}
