// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Rate limits through the whole pipeline: which traffic class is limited where the classes are ours
 * and where they are found, and what is said where a limit cannot be.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/cleanup.h"
#include "lib/base/macro.h"
#include "lib/os/dcb.h"
#include "tests/support/cases.h"
#include "tests/support/node.h"

#define PORT	  "ens1"
#define SPEC(qos) "version: 1\nfabric: test\nqos: {" qos "}\nnodes: {\"*\": {}}\n"

static const struct fake_port mlx5 = { PORT, "mlx5_0", "0000:17:00.0", "mlx5_core" };
static const struct fake_port bnxt = { PORT, "bnxt_re0", "0000:17:00.0", "bnxt_en" };
static const struct fake_port ice = { PORT, "irdma0", "0000:17:00.0", "ice" };
static const struct fake_port unknown = { PORT, "roce0", "0000:17:00.0", "newnic" };

static void set_rates(struct node *node, const uint64_t kbit[8])
{
	struct ieee_maxrate maxrate = {};
	struct os_error error = {};

	memcpy(maxrate.tc_maxrate, kbit, sizeof(maxrate.tc_maxrate));
	assert_int_equal(os_dcb_set_maxrate(node->os, PORT, &maxrate, &error), 0);
}

/* Another hand gives priority n the class at place n. */
static void set_classes(struct node *node, const uint8_t classes[8])
{
	struct os_error error = {};
	struct os_dcb dcb;

	assert_int_equal(os_dcb_get(node->os, PORT, &dcb), 0);
	memcpy(dcb.ets.prio_tc, classes, sizeof(dcb.ets.prio_tc));
	assert_int_equal(os_dcb_set_ets(node->os, PORT, &dcb.ets, &error), 0);
}

static void expect_rates(const char *name, struct node *node, const uint64_t kbit[8])
{
	struct os_dcb dcb;

	assert_int_equal(os_dcb_get(node->os, PORT, &dcb), 0);
	for (unsigned int i = 0; i < PRIORITIES; i++)
		case_equal(name, dcb.maxrate.tc_maxrate[i], kbit[i]);
}

/* nic.md 1.1: after attach mlx5 has priority 0 in class 1 and 1 in 0 */
static const struct {
	const char *name;
	const char *spec;
	uint64_t before[8];
	uint64_t after[8];
	unsigned int writes; /* of rates */
} limits[] = {
	{ "of our classes",
	  SPEC("scheduler: {0: 50%, 3: 50%}, max_rate: {0: 1Gbit/s, 3: 2Gbit/s}"),
	  {},
	  { 1000000, 0, 0, 2000000 },
	  1 },
	{ "of the class that is shared",
	  SPEC("scheduler: {0: strict, 3: strict}, max_rate: {5: 1Gbit/s}"),
	  {},
	  { 1000000 },
	  1 },
	{ "of found classes",
	  SPEC("max_rate: {0: 1Gbit/s, 3: 2Gbit/s}"),
	  {},
	  { 0, 1000000, 0, 2000000 },
	  1 },
	{ "what is not named stays",
	  SPEC("max_rate: {0: 1Gbit/s}"),
	  { 100000, 100000, 100000 },
	  { 100000, 1000000, 100000 },
	  1 },
	{ "unlimited", SPEC("max_rate: {0: unlimited}"), { 100000, 100000 }, { 100000 }, 1 },
	{ "as it is",
	  SPEC("max_rate: {0: 1Gbit/s, 2: unlimited}"),
	  { 0, 1000000, 0, 5000000 },
	  { 0, 1000000, 0, 5000000 },
	  0 },
	/* the driver's step, known before: not even drift afterwards */
	{ "rounded",
	  SPEC("max_rate: {2: 150Mbit/s, 3: 25999Mbit/s, 4: 26999Mbit/s}"),
	  {},
	  { 0, 0, 100000, 25500000, 26000000 },
	  1 },
	{ "rounded already",
	  SPEC("max_rate: {2: 150Mbit/s}"),
	  { 0, 0, 100000 },
	  { 0, 0, 100000 },
	  0 },
};

static void test_limits(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(limits); i++) {
		const char *name = limits[i].name;
		struct node node;

		node_init_ports(&node, &mlx5, 1);
		set_rates(&node, limits[i].before);
		os_fake_writes_reset(node.os);
		case_equal(name, node_apply(&node, limits[i].spec), STATUS_OK);
		case_equal(name, os_fake_writes(node.os, FAKE_DCB_SET, PORT "/maxrate"),
			   limits[i].writes);
		expect_rates(name, &node, limits[i].after);
		case_equal(name, node_status(&node, limits[i].spec), STATUS_OK);
		case_equal(name, node_rollback(&node), STATUS_OK);
		expect_rates(name, &node, limits[i].before);
		node_done(&node);
	}
}

/* A priority that is moved to another class is not limited any more. */
static void test_class_moves(void **state)
{
	static const char spec[] = SPEC("max_rate: {0: 1Gbit/s}");
	static const uint8_t straight[] = { 0, 1, 2, 3, 4, 5, 6, 7 };
	struct node node;

	node_init_ports(&node, &mlx5, 1);
	assert_int_equal(node_apply(&node, spec), STATUS_OK);
	set_classes(&node, straight);
	assert_int_equal(node_status(&node, spec), STATUS_DRIFT);
	assert_int_equal(node_apply(&node, spec), STATUS_OK);
	expect_rates("moved", &node, (const uint64_t[8]){ 1000000, 1000000 });
	node_done(&node);
}

static void test_two_rates_of_one_class(void **state)
{
	static const char spec[] = SPEC("max_rate: {3: 1Gbit/s, 5: 2Gbit/s}");
	static const uint8_t shared[] = { 0, 0, 0, 4, 0, 4, 0, 0 };
	const struct finding *finding;
	struct node node;
	struct pass pass;

	node_init_ports(&node, &mlx5, 1);
	set_classes(&node, shared);
	os_fake_writes_reset(node.os);
	assert_int_equal(node_run(&node, spec, true, &pass), STATUS_FAILED);
	finding = plan_finding(&pass.after, 0, KNOB_MAX_RATE);
	assert_int_equal(finding->verdict, VERDICT_FAILED);
	assert_string_equal(finding->reason,
			    "value refused: priorities 3 and 5 are both in traffic class 4, which "
			    "has one rate: give a scheduler");
	assert_int_equal(os_fake_writes(node.os, FAKE_DCB_SET, PORT "/maxrate"), 0);
	pass_done(&pass);
	assert_int_equal(node_apply(&node, SPEC("max_rate: {3: 1Gbit/s, 5: 1Gbit/s}")), STATUS_OK);
	expect_rates("one rate", &node, (const uint64_t[8]){ [4] = 1000000 });
	node_done(&node);
}

/* Without its classes a limit would hit others. */
static void test_scheduler_refused(void **state)
{
	static const char spec[] =
		SPEC("scheduler: {0: strict, 3: strict}, max_rate: {3: 1Gbit/s}");
	static const struct fake_fault fault = { FAKE_DCB_SET, PORT "/ets", FAKE_STATUS, -22 };
	const struct finding *finding;
	struct node node;
	struct pass pass;

	node_init_ports(&node, &mlx5, 1);
	assert_true(os_fake_fault(node.os, &fault) >= 0);
	assert_int_equal(node_run(&node, spec, true, &pass), STATUS_FAILED);
	finding = plan_finding(&pass.after, 0, KNOB_MAX_RATE);
	assert_int_equal(finding->verdict, VERDICT_FAILED);
	assert_string_equal(finding->reason, "not tried: refused by the driver (status -22)");
	expect_rates("not tried", &node, (const uint64_t[8]){});
	pass_done(&pass);
	node_done(&node);
}

/* The driver knows no less than 1 Gbit/s here: yes, it says, and does another thing. */
static void test_clamped(void **state)
{
	static const char spec[] = SPEC("max_rate: {3: 2500Mbit/s}");
	static const struct fake_fault fault = { FAKE_DCB_SET, PORT "/maxrate", FAKE_CLAMP };
	const struct finding *finding;
	struct node node;
	struct pass pass;

	node_init_ports(&node, &mlx5, 1);
	assert_true(os_fake_fault(node.os, &fault) >= 0);
	assert_int_equal(node_run(&node, spec, true, &pass), STATUS_FAILED);
	finding = plan_finding(&pass.after, 0, KNOB_MAX_RATE);
	assert_int_equal(finding->verdict, VERDICT_FAILED);
	assert_string_equal(finding->reason, "accepted, but not in effect: max_rate is 3:2Gbit/s");
	pass_done(&pass);
	node_done(&node);
}

static void test_who_cannot(void **state)
{
	static const struct {
		const char *name;
		const struct fake_port *port;
		const char *reason;
	} cases[] = {
		{ "bnxt", &bnxt, "the driver has no rate limit for traffic classes" },
		{ "ice", &ice, "the driver has no rate limit for traffic classes" },
		{ "unknown", &unknown,
		  "how newnic takes DCB settings is not known here: read, not written" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		const struct finding *finding;
		struct node node;
		struct pass pass;

		node_init_ports(&node, cases[i].port, 1);
		case_equal(cases[i].name,
			   node_run(&node, SPEC("max_rate: {3: 400Gbit/s}"), true, &pass),
			   STATUS_OK);
		finding = plan_finding(&pass.after, 0, KNOB_MAX_RATE);
		case_equal(cases[i].name, finding->verdict, VERDICT_UNSUPPORTED);
		case_string(cases[i].name, finding->reason, cases[i].reason);
		case_true(cases[i].name, finding->instead && *finding->instead);
		case_equal(cases[i].name, os_fake_writes(node.os, FAKE_DCB_SET, PORT "/maxrate"),
			   0);
		pass_done(&pass);
		node_done(&node);
	}
}

/* Eight bits of 1 Gbit/s: what is more would wrap around, so it is not tried. */
static void test_more_than_the_nic_can_limit_to(void **state)
{
	struct node node;

	node_init_ports(&node, &mlx5, 1);
	assert_int_equal(node_apply(&node, SPEC("max_rate: {3: 256Gbit/s}")), STATUS_SPEC);
	assert_int_equal(node_writes(&node), 0);
	assert_int_equal(node_apply(&node, SPEC("max_rate: {3: 255Gbit/s}")), STATUS_OK);
	node_done(&node);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_limits),
		cmocka_unit_test(test_class_moves),
		cmocka_unit_test(test_two_rates_of_one_class),
		cmocka_unit_test(test_scheduler_refused),
		cmocka_unit_test(test_clamped),
		cmocka_unit_test(test_who_cannot),
		cmocka_unit_test(test_more_than_the_nic_can_limit_to),
	};

	return cmocka_run_group_tests_name("rates", tests, NULL, NULL);
}
