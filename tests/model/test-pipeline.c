/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The whole pipeline on a simulated node: what holds whatever the node looks like. The second plan
 * is empty, the inverse restores, a failure at any write is told and mended by the next apply, the
 * unmanaged is never written.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/cleanup.h"
#include "lib/base/macro.h"
#include "tests/support/cases.h"
#include "tests/support/node.h"

static const char full_spec[] = "version: 1\n"
				"fabric: test\n"
				"roce: {traffic_class: 106}\n"
				"qos:\n"
				"  dscp_to_priority: {26: 3, 48: 6}\n"
				"  pfc: [3]\n"
				"  cable_length: 30m\n"
				"  scheduler: {0: 50%, 3: 50%, 6: strict}\n"
				"mtu: 4200\n"
				"nodes:\n"
				"  \"*\": {}\n";

static const struct {
	const char *name;
	const char *spec;
	size_t ports;
	bool ofed;
	/* counted by hand: objects of one port that differ after driver load, times ports */
	size_t steps;
} nodes[] = {
	/* dcbx pause app pfc mtu; cm_tos traffic_class */
	{ "two ports, OFED", node_spec, 2, true, 2 * 7 },
	{ "two ports, upstream", node_spec, 2, false, 2 * 6 },	/* no traffic_class */
	{ "all knobs", full_spec, 2, true, 2 * 8 },		/* and ets */
	{ "eight ports", full_spec, 8, true, 8 * 8 },
};

static void test_apply_once_is_enough(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(nodes); i++) {
		struct node node;
		struct pass pass;

		node_init(&node, nodes[i].ports, nodes[i].ofed);
		case_equal(nodes[i].name, node_status(&node, nodes[i].spec), STATUS_DRIFT);
		case_equal(nodes[i].name, node_writes(&node), 0);
		case_equal(nodes[i].name, node_run(&node, nodes[i].spec, true, &pass), STATUS_OK);
		case_equal(nodes[i].name, pass.plan.n_steps, nodes[i].steps);
		case_equal(nodes[i].name, node_writes(&node), nodes[i].steps);
		case_equal(nodes[i].name, pass.after.n_steps, 0);
		pass_done(&pass);
		os_fake_writes_reset(node.os);
		case_equal(nodes[i].name, node_status(&node, nodes[i].spec), STATUS_OK);
		case_equal(nodes[i].name, node_apply(&node, nodes[i].spec), STATUS_OK);
		case_equal(nodes[i].name, node_apply(&node, nodes[i].spec), STATUS_OK);
		case_equal(nodes[i].name, node_writes(&node), 0);
		node_done(&node);
	}
}

/*
 * The first state comes back after apply, drift, repair and two redundant applies, also by another
 * process.
 */
static void test_rollback(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(nodes); i++) {
		_cleanup_free_ char *before = NULL, *after = NULL;
		struct node node;

		node_init(&node, nodes[i].ports, nodes[i].ofed);
		case_equal(nodes[i].name, node_status(&node, nodes[i].spec), STATUS_DRIFT);
		before = os_fake_dump(node.os);
		case_equal(nodes[i].name, node_apply(&node, nodes[i].spec), STATUS_OK);
		case_equal(nodes[i].name, os_fake_poke_pfc(node.os, "ens1f0np0", 0), 0);
		case_equal(nodes[i].name, node_apply(&node, nodes[i].spec), STATUS_OK);
		case_equal(nodes[i].name, node_apply(&node, nodes[i].spec), STATUS_OK);
		node_reopen(&node);
		case_equal(nodes[i].name, node_apply(&node, nodes[i].spec), STATUS_OK);
		node_reopen(&node);
		case_equal(nodes[i].name, node_rollback(&node), STATUS_OK);
		after = os_fake_dump(node.os);
		case_string(nodes[i].name, after, before);
		os_fake_writes_reset(node.os);
		case_equal(nodes[i].name, node_rollback(&node), STATUS_FAILED);
		case_equal(nodes[i].name, node_writes(&node), 0);
		node_done(&node);
	}
}

/*
 * Two specs, one after the other: each generation has its own way back, and the one before is in
 * force again.
 */
static void test_rollback_of_second_spec(void **state)
{
	static const char smaller[] = "version: 1\nfabric: test\nmtu: 9000\nnodes: {\"*\": {}}\n";
	_cleanup_free_ char *before = NULL, *after = NULL, *accepted = NULL;
	struct node node;
	size_t size;

	node_init(&node, 2, true);
	assert_int_equal(node_apply(&node, node_spec), STATUS_OK);
	before = os_fake_dump(node.os);
	assert_int_equal(node_apply(&node, smaller), STATUS_OK);
	assert_int_equal(node_rollback(&node), STATUS_OK);
	after = os_fake_dump(node.os);
	assert_string_equal(after, before);
	assert_int_equal(store_accepted(node.store, &accepted, &size), 0);
	assert_string_equal(accepted, node_spec);
	node_done(&node);
}

static void test_repairs_just_that(void **state)
{
	struct node node;

	node_init(&node, 2, true);
	assert_int_equal(node_apply(&node, node_spec), STATUS_OK);
	os_fake_writes_reset(node.os);
	assert_int_equal(os_fake_poke_pfc(node.os, "ens1f1np1", 0), 0);
	assert_int_equal(node_status(&node, node_spec), STATUS_DRIFT);
	assert_int_equal(node_apply(&node, node_spec), STATUS_OK);
	assert_int_equal(node_writes(&node), 1);
	assert_int_equal(os_fake_writes(node.os, FAKE_DCB_SET, "ens1f1np1/pfc"), 1);
	node_done(&node);
}

/* ---- failures ---- */

static const struct {
	const char *name;
	struct fake_fault fault;	/* .skip is set by the loop */
	enum exit_status exit;		/* of the apply that meets it */
	const char *reason;		/* in what is said of it */
} faults[] = {
	{ "errno",
	  { .call = FAKE_ANY_WRITE, .mode = FAKE_ERRNO, .error = EIO, .times = 1 },
	  STATUS_FAILED,
	  "Input/output error" },
	{ "no space",
	  { .call = FAKE_ANY_WRITE, .mode = FAKE_ERRNO, .error = ENOSPC, .times = 1 },
	  STATUS_FAILED,
	  "resources exhausted" },
	{ "says yes, does nothing",
	  { .call = FAKE_ANY_WRITE, .mode = FAKE_SILENT, .times = 1 },
	  STATUS_FAILED,
	  "accepted, but not in effect" },
	{ "busy twice",
	  { .call = FAKE_ANY_WRITE, .mode = FAKE_BUSY, .times = 2 },
	  STATUS_OK,
	  NULL },
	{ "busy longer",
	  { .call = FAKE_ANY_WRITE, .mode = FAKE_BUSY, .times = 4 },
	  STATUS_FAILED,
	  "busy" },
};

static size_t count_outcome(const struct plan *plan, enum step_outcome outcome)
{
	size_t n = 0;

	for (size_t i = 0; i < plan->n_steps; i++)
		n += plan->steps[i].outcome == outcome;
	return n;
}

static bool reason_given(const struct plan *after, const char *reason)
{
	for (size_t i = 0; i < after->n_findings; i++)
		if (after->findings[i].verdict == VERDICT_FAILED &&
		    strstr(after->findings[i].reason, reason))
			return true;
	return false;
}

/* Returns false when write @number does not exist. */
static bool fail_at(size_t row, unsigned int number, size_t steps)
{
	struct fake_fault fault = faults[row].fault;
	struct node node;
	struct pass pass;
	char name[64];
	bool reached;

	(void)snprintf(name, sizeof(name), "%s at write %u", faults[row].name, number + 1);
	node_init(&node, 2, true);
	fault.skip = number;
	case_true(name, os_fake_fault(node.os, &fault) >= 0);
	reached = node_run(&node, full_spec, true, &pass) != STATUS_OK;
	if (faults[row].exit == STATUS_OK)
		reached = node_writes(&node) > steps;
	if (reached) {
		case_equal(name, pass.exit, faults[row].exit);
		case_equal(name, count_outcome(&pass.plan, STEP_FAILED),
			   faults[row].reason != NULL);
		if (faults[row].reason)
			case_true(name, reason_given(&pass.after, faults[row].reason));
		case_equal(name, count_outcome(&pass.plan, STEP_SKIPPED), 0);
	}
	pass_done(&pass);
	os_fake_fault_clear(node.os);
	case_equal(name, node_apply(&node, full_spec), STATUS_OK);
	case_equal(name, node_status(&node, full_spec), STATUS_OK);
	node_done(&node);
	return reached;
}

static void test_failure_at_every_write(void **state)
{
	enum { STEPS = 2 * 8 };

	for (size_t row = 0; row < ARRAY_SIZE(faults); row++) {
		unsigned int number = 0;

		while (fail_at(row, number, STEPS))
			number++;
		case_equal(faults[row].name, number, STEPS);
	}
}

/* The same on the way back: the record stays, the next rollback ends it. */
static void test_failure_at_every_write_of_a_rollback(void **state)
{
	unsigned int number = 0;
	bool reached = true;

	for (; reached; number++) {
		struct fake_fault fault = {
			.call = FAKE_ANY_WRITE, .mode = FAKE_ERRNO, .error = EIO, .times = 1
		};
		_cleanup_free_ char *before = NULL, *after = NULL;
		struct node node;

		node_init(&node, 2, true);
		assert_int_equal(node_status(&node, full_spec), STATUS_DRIFT);
		before = os_fake_dump(node.os);
		assert_int_equal(node_apply(&node, full_spec), STATUS_OK);
		fault.skip = number;
		assert_true(os_fake_fault(node.os, &fault) >= 0);
		reached = node_rollback(&node) != STATUS_OK;
		os_fake_fault_clear(node.os);
		if (reached)
			assert_int_equal(node_rollback(&node), STATUS_OK);
		after = os_fake_dump(node.os);
		assert_string_equal(after, before);
		node_done(&node);
	}
	assert_int_equal(number - 1, 2 * 8);
}

/* A read that fails is "unknown", never drift and never in sync, and nothing is written blindly. */
static void test_failure_at_every_read(void **state)
{
	static const enum fake_call calls[] = { FAKE_OPEN, FAKE_READ, FAKE_CLOSE, FAKE_NETLINK };

	for (size_t i = 0; i < ARRAY_SIZE(calls); i++) {
		unsigned int number = 0;
		bool reached = true;

		for (; reached && number < 2000; number++) {
			struct fake_fault fault = { .call = calls[i],
						    .mode = FAKE_ERRNO,
						    .error = EIO,
						    .skip = number,
						    .times = 1 };
			struct node node;
			enum exit_status status;

			node_init(&node, 1, true);
			assert_int_equal(node_apply(&node, node_spec), STATUS_OK);
			os_fake_writes_reset(node.os);
			assert_true(os_fake_fault(node.os, &fault) >= 0);
			status = node_status(&node, node_spec);
			reached = status != STATUS_OK;
			case_true("status", status == STATUS_OK || status == STATUS_FAILED);
			os_fake_fault_clear(node.os);
			case_equal("writes", node_writes(&node), 0);
			case_equal("after", node_status(&node, node_spec), STATUS_OK);
			node_done(&node);
		}
		case_true("some reads", number > 1);
	}
}

/* ---- what else may happen ---- */

/* Somebody else writes between plan and apply: not overwritten unseen, planned anew. */
static void test_changed_meanwhile(void **state)
{
	struct node node;
	struct pass pass = {};

	node_init(&node, 1, true);
	assert_int_equal(pass_plan(&pass, node.os, node_spec, strlen(node_spec), "gpu-1"), 0);
	assert_int_equal(os_fake_poke_pfc(node.os, "ens1f0np0", 0x10), 0);
	assert_int_equal(pass_apply(&pass, node.store, NULL), 0);
	assert_int_equal(pass.exit, STATUS_OK);
	assert_int_equal(count_outcome(&pass.plan, STEP_STALE), 1);
	pass_done(&pass);
	assert_int_equal(node_status(&node, node_spec), STATUS_OK);
	node_done(&node);
}

static const struct {
	const char *name;
	const char *spec;
	const char *may;	/* the only object that may be written */
} partial[] = {
	{ "mtu only", "version: 1\nfabric: t\nmtu: 4200\nnodes: {\"*\": {}}\n", "/mtu" },
	{ "roce only", "version: 1\nfabric: t\nroce: {traffic_class: 106}\nnodes: {\"*\": {}}\n",
	  "/sys/" },
};

static void test_unmanaged_is_never_written(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(partial); i++) {
		struct node node;

		node_init(&node, 2, true);
		case_equal(partial[i].name, node_apply(&node, partial[i].spec), STATUS_OK);
		case_true(partial[i].name, node_writes(&node) > 0);
		case_equal(partial[i].name, os_fake_writes(node.os, FAKE_ANY_WRITE, partial[i].may),
			   node_writes(&node));
		node_done(&node);
	}
}

/*
 * Killed after the record was made and before the end: told, finished by the next apply, returned
 * by rollback.
 */
static void test_interrupted(void **state)
{
	_cleanup_free_ char *before = NULL, *after = NULL;
	struct node node;
	struct pass pass;

	node_init(&node, 2, true);
	assert_int_equal(node_run(&node, node_spec, false, &pass), STATUS_DRIFT);
	before = os_fake_dump(node.os);
	assert_int_equal(store_accept(node.store, node_spec, strlen(node_spec)), 0);
	assert_int_equal(store_begin(node.store, &pass.plan), 0);
	pass_done(&pass);
	assert_int_equal(os_fake_poke_pfc(node.os, "ens1f0np0", 8), 0);
	node_reopen(&node);
	assert_true(store_interrupted(node.store));
	assert_int_equal(node_apply(&node, node_spec), STATUS_OK);
	assert_false(store_interrupted(node.store));
	assert_int_equal(node_rollback(&node), STATUS_OK);
	after = os_fake_dump(node.os);
	assert_string_equal(after, before);
	node_done(&node);
}

static void test_no_ports(void **state)
{
	struct node node;
	struct pass pass;

	node_init(&node, 0, false);
	assert_int_equal(node_run(&node, node_spec, true, &pass), STATUS_FAILED);
	assert_non_null(strstr(pass.trouble, "nothing managed on this node"));
	pass_done(&pass);
	node_done(&node);
}

static void test_read_only_sysfs(void **state)
{
	struct fake_fault fault = {
		.call = FAKE_OPEN, .match = "/mtu", .mode = FAKE_ERRNO, .error = EROFS
	};
	struct node node;
	struct pass pass;

	node_init(&node, 2, true);
	assert_true(os_fake_fault(node.os, &fault) >= 0);
	assert_int_equal(node_run(&node, node_spec, true, &pass), STATUS_FAILED);
	assert_non_null(strstr(pass.trouble, "read-only"));
	assert_int_equal(node_writes(&node), 0);
	pass_done(&pass);
	node_done(&node);
}

/* A link that does not come back ends all steps that may drop another one; the rest goes on. */
static void test_carrier_lost(void **state)
{
	struct node node;
	struct pass pass;

	node_init(&node, 2, true);
	assert_int_equal(os_fake_link_delay(node.os, "ens1f0np0", 60 * 1000), 0);
	assert_int_equal(node_run(&node, node_spec, true, &pass), STATUS_FAILED);
	assert_int_equal(count_outcome(&pass.plan, STEP_FAILED), 1);
	assert_int_equal(count_outcome(&pass.plan, STEP_SKIPPED), 1);
	assert_int_equal(count_outcome(&pass.plan, STEP_DONE), 2 * 7 - 2);
	assert_true(reason_given(&pass.after, "no carrier after 30 s"));
	assert_true(reason_given(&pass.after, "ens1f0np0 has no carrier"));
	assert_int_equal(os_fake_writes(node.os, FAKE_DCB_SET, "ens1f1np1/pfc"), 0);
	pass_done(&pass);
	assert_int_equal(node_apply(&node, node_spec), STATUS_OK);
	node_done(&node);
}

static bool stop_after_three(void *data)
{
	return (*(unsigned int *)data)++ >= 3;
}

/* Ctrl-C: the steps so far are done, none is half done, the exit says so. */
static void test_stopped(void **state)
{
	unsigned int asked = 0;
	struct execute_hooks hooks = { .stop = stop_after_three, .data = &asked };
	struct node node;
	struct pass pass = {};

	node_init(&node, 2, true);
	assert_int_equal(pass_plan(&pass, node.os, node_spec, strlen(node_spec), "gpu-1"), 0);
	assert_int_equal(pass_apply(&pass, node.store, &hooks), 0);
	assert_int_equal(pass.exit, STATUS_FAILED);
	assert_int_equal(count_outcome(&pass.plan, STEP_DONE), 3);
	assert_int_equal(node_writes(&node), 3);
	pass_done(&pass);
	assert_int_equal(node_apply(&node, node_spec), STATUS_OK);
	node_done(&node);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_apply_once_is_enough),
		cmocka_unit_test(test_rollback),
		cmocka_unit_test(test_rollback_of_second_spec),
		cmocka_unit_test(test_repairs_just_that),
		cmocka_unit_test(test_failure_at_every_write),
		cmocka_unit_test(test_failure_at_every_write_of_a_rollback),
		cmocka_unit_test(test_failure_at_every_read),
		cmocka_unit_test(test_changed_meanwhile),
		cmocka_unit_test(test_unmanaged_is_never_written),
		cmocka_unit_test(test_interrupted),
		cmocka_unit_test(test_no_ports),
		cmocka_unit_test(test_read_only_sysfs),
		cmocka_unit_test(test_carrier_lost),
		cmocka_unit_test(test_stopped),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
