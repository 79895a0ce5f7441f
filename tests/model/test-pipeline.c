// SPDX-License-Identifier: LGPL-2.1-or-later
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
		before = node_dump(&node);
		case_equal(nodes[i].name, node_apply(&node, nodes[i].spec), STATUS_OK);
		case_equal(nodes[i].name, os_fake_poke_pfc(node.os, "ens1f0np0", 0), 0);
		case_equal(nodes[i].name, node_apply(&node, nodes[i].spec), STATUS_OK);
		case_equal(nodes[i].name, node_apply(&node, nodes[i].spec), STATUS_OK);
		node_reopen(&node);
		case_equal(nodes[i].name, node_apply(&node, nodes[i].spec), STATUS_OK);
		node_reopen(&node);
		case_equal(nodes[i].name, node_rollback(&node), STATUS_OK);
		after = node_dump(&node);
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
	before = node_dump(&node);
	assert_int_equal(node_apply(&node, smaller), STATUS_OK);
	assert_int_equal(node_rollback(&node), STATUS_OK);
	after = node_dump(&node);
	assert_string_equal(after, before);
	assert_int_equal(store_accepted(node.store, &accepted, &size), 0);
	assert_string_equal(accepted, node_spec);
	node_done(&node);
}

/* Two ports swap their names behind our back: each gets its own state back. */
static void test_rollback_after_rename(void **state)
{
	static const char one_port[] = "version: 1\nfabric: test\nqos: {pfc: [3]}\n"
				       "nics: [{name: ens1f0np0}]\nnodes: {\"*\": {}}\n";
	_cleanup_free_ char *before = NULL, *after = NULL;
	struct node node;

	node_init(&node, 2, true);
	before = node_dump(&node);
	assert_int_equal(node_apply(&node, one_port), STATUS_OK);
	assert_int_equal(os_fake_rename(node.os, "ens1f0np0", "tmp"), 0);
	assert_int_equal(os_fake_rename(node.os, "ens1f1np1", "ens1f0np0"), 0);
	node_reopen(&node);
	os_fake_writes_reset(node.os);
	assert_int_equal(node_rollback(&node), STATUS_OK);
	assert_int_equal(os_fake_writes(node.os, FAKE_DCB_SET, "tmp/pfc"), 1);
	assert_int_equal(os_fake_writes(node.os, FAKE_DCB_SET, "ens1f0np0/"), 0);
	assert_int_equal(os_fake_rename(node.os, "ens1f0np0", "ens1f1np1"), 0);
	assert_int_equal(os_fake_rename(node.os, "tmp", "ens1f0np0"), 0);
	after = node_dump(&node);
	assert_string_equal(after, before);
	node_done(&node);
}

/* A file that only says it in other words changes nothing, and costs no way back. */
static void test_rollback_twice(void **state)
{
	static const char commented[] = "# the same\n";
	_cleanup_free_ char *before = NULL, *after = NULL, *other = NULL;
	struct node node;

	node_init(&node, 2, true);
	assert_int_equal(node_status(&node, node_spec), STATUS_DRIFT);
	before = node_dump(&node);
	assert_true(asprintf(&other, "%s%s", commented, node_spec) > 0);
	assert_int_equal(node_apply(&node, node_spec), STATUS_OK);
	assert_int_equal(node_apply(&node, other), STATUS_OK);
	assert_int_equal(node_rollback(&node), STATUS_OK);
	assert_int_equal(node_status(&node, node_spec), STATUS_OK);
	assert_int_equal(node_rollback(&node), STATUS_OK);
	after = node_dump(&node);
	assert_string_equal(after, before);
	assert_int_equal(node_rollback(&node), STATUS_FAILED);
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
	const char *reason;	/* in what is said of it; NULL: it is overcome */
} faults[] = {
	{ "errno",
	  { .call = FAKE_ANY_WRITE, .mode = FAKE_ERRNO, .error = EIO, .times = 1 },
	  "Input/output error" },
	{ "no space",
	  { .call = FAKE_ANY_WRITE, .mode = FAKE_ERRNO, .error = ENOSPC, .times = 1 },
	  "resources exhausted" },
	{ "says yes, does nothing",
	  { .call = FAKE_ANY_WRITE, .mode = FAKE_SILENT, .times = 1 },
	  "accepted, but not in effect" },
	{ "busy twice",
	  { .call = FAKE_ANY_WRITE, .mode = FAKE_BUSY, .times = 2 }, NULL },
	{ "busy longer",
	  { .call = FAKE_ANY_WRITE, .mode = FAKE_BUSY, .times = 4 },
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

static const struct step *failed_step(const struct plan *plan)
{
	for (size_t i = 0; i < plan->n_steps; i++)
		if (plan->steps[i].outcome == STEP_FAILED)
			return &plan->steps[i];
	return NULL;
}

/* One step failed, the others are done; what is said fits what is so. */
static void expect_failure(const char *name, size_t row, const struct pass *pass)
{
	const struct step *step = failed_step(&pass->plan);

	case_true(name, step);
	case_equal(name, count_outcome(&pass->plan, STEP_FAILED), 1);
	case_equal(name, count_outcome(&pass->plan, STEP_SKIPPED), 0);
	if (step->object == OBJECT_DCBX && faults[row].fault.mode == FAKE_BUSY)
		return;
	case_true(name, strstr(step->reason, faults[row].reason));
	/* On mlx5 the PFC write that follows switches pause off as well (nic.md 1.1) */
	if (step->object == OBJECT_PAUSE) {
		case_equal(name, pass->exit, STATUS_OK);
		return;
	}
	case_equal(name, pass->exit, STATUS_FAILED);
	case_true(name, reason_given(&pass->after, faults[row].reason));
}

/* Returns false when write @number does not exist. */
static bool fail_at(size_t row, unsigned int number)
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
	(void)node_run(&node, full_spec, true, &pass);
	if (faults[row].reason) {
		reached = failed_step(&pass.plan) != NULL;
		if (reached)
			expect_failure(name, row, &pass);
	} else if (os_fake_hits(node.os) && failed_step(&pass.plan)) {
		/* SDCBX is answered with yes or no, never with a reason (net/dcb/dcbnl.c) */
		reached = true;
		case_equal(name, failed_step(&pass.plan)->object, OBJECT_DCBX);
	} else {
		reached = os_fake_hits(node.os) > 0;
		case_equal(name, pass.exit, STATUS_OK);
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

		while (fail_at(row, number))
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
		before = node_dump(&node);
		assert_int_equal(node_apply(&node, full_spec), STATUS_OK);
		fault.skip = number;
		assert_true(os_fake_fault(node.os, &fault) >= 0);
		reached = node_rollback(&node) != STATUS_OK;
		os_fake_fault_clear(node.os);
		if (reached)
			assert_int_equal(node_rollback(&node), STATUS_OK);
		after = node_dump(&node);
		assert_string_equal(after, before);
		node_done(&node);
	}
	assert_int_equal(number - 1, 2 * 8);
}

/*
 * A read that fails is "unknown", or did not matter; never drift, never a blind write. Returns
 * false when read @number does not exist.
 */
static bool fail_read_at(enum fake_call call, unsigned int number)
{
	struct fake_fault fault = {
		.call = call, .mode = FAKE_ERRNO, .error = EIO, .skip = number, .times = 1
	};
	struct node node;
	enum exit_status status;
	bool reached;
	char name[32];

	(void)snprintf(name, sizeof(name), "call %d at %u", call, number + 1);
	node_init(&node, 1, true);
	case_equal(name, node_apply(&node, node_spec), STATUS_OK);
	os_fake_writes_reset(node.os);
	case_true(name, os_fake_fault(node.os, &fault) >= 0);
	status = node_status(&node, node_spec);
	reached = os_fake_hits(node.os) > 0;
	case_true(name, status == STATUS_OK || status == STATUS_FAILED);
	os_fake_fault_clear(node.os);
	case_equal(name, node_writes(&node), 0);
	case_equal(name, node_status(&node, node_spec), STATUS_OK);
	node_done(&node);
	return reached;
}

static void test_failure_at_every_read(void **state)
{
	static const enum fake_call calls[] = { FAKE_OPEN, FAKE_READ, FAKE_CLOSE, FAKE_NETLINK,
						FAKE_LINK_NAME };

	for (size_t i = 0; i < ARRAY_SIZE(calls); i++) {
		unsigned int number = 0;

		while (fail_read_at(calls[i], number))
			number++;
		case_true("several reads", number > (calls[i] == FAKE_LINK_NAME ? 0 : 3));
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

/* What everybody sees of a port that a pattern selected, and that is no port for RDMA any more. */
static void test_gone_is_told(void **state)
{
	static const char other[] = "version: 1\nfabric: test\nmtu: 9000\nnodes: {\"*\": {}}\n";
	const struct finding *finding;
	struct node node;
	struct pass pass;

	node_init(&node, 2, true);
	assert_int_equal(node_apply(&node, node_spec), STATUS_OK);
	assert_int_equal(os_fake_remove(node.os, "/sys/class/infiniband/mlx5_0"), 0);
	os_fake_writes_reset(node.os);
	for (int apply = 0; apply < 2; apply++) {
		pass = (struct pass){ .record = node.store };
		assert_int_equal(
			pass_plan(&pass, node.os, node_spec, strlen(node_spec), "gpu-1"), 0);
		if (apply)
			assert_int_equal(pass_apply(&pass, node.store, NULL), 0);
		assert_int_equal(pass.exit, STATUS_DRIFT);
		assert_int_equal(pass.desired.states.n, 3);
		assert_string_equal(pass.desired.states.list[2].target.name, "ens1f0np0");
		finding = plan_finding(&pass.plan, 2, KNOB_NONE);
		assert_non_null(finding);
		assert_int_equal(finding->verdict, VERDICT_PENDING);
		assert_string_equal(finding->reason, "was managed and has no RDMA device any more");
		pass_done(&pass);
	}
	assert_int_equal(node_writes(&node), 0);
	/* Another file may not want it; a record that is not known says nothing */
	pass = (struct pass){ .record = node.store };
	assert_int_equal(pass_plan(&pass, node.os, other, strlen(other), "gpu-1"), 0);
	assert_int_equal(pass.desired.states.n, 1);
	pass_done(&pass);
	assert_int_equal(node_status(&node, node_spec), STATUS_OK);
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
	_cleanup_free_ char *before = NULL, *after = NULL, *accepted = NULL;
	struct states undo = {};
	struct node node;
	struct pass pass;
	size_t size;

	node_init(&node, 2, true);
	before = node_dump(&node);
	assert_int_equal(node_apply(&node, node_spec), STATUS_OK);
	os_fake_writes_reset(node.os);
	assert_true(os_fake_fault(node.os, &fault) >= 0);
	assert_int_equal(node_run(&node,
				  "version: 1\nfabric: test\nmtu: 9000\nnodes: {\"*\": {}}\n", true,
				  &pass),
			 STATUS_FAILED);
	assert_non_null(strstr(pass.trouble, "read-only"));
	assert_int_equal(node_writes(&node), 0);
	pass_done(&pass);
	/* the file before is still in force, and so is its way back */
	assert_int_equal(store_accepted(node.store, &accepted, &size), 0);
	assert_string_equal(accepted, node_spec);
	assert_int_equal(store_undo(node.store, &undo), 0);
	states_done(&undo);
	os_fake_fault_clear(node.os);
	assert_int_equal(node_rollback(&node), STATUS_OK);
	after = node_dump(&node);
	assert_string_equal(after, before);
	node_done(&node);
}

/*
 * A link that does not come back while a job runs ends all steps that may drop another one; the
 * rest goes on (field case N06).
 */
static void test_carrier_lost(void **state)
{
	struct node node;
	struct pass pass;

	node_init(&node, 2, true);
	assert_int_equal(os_fake_link_delay(node.os, "ens1f0np0", 60 * 1000), 0);
	assert_int_equal(os_fake_add_qp(node.os, "mlx5_1", 1, true), 0);
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
		cmocka_unit_test(test_rollback_after_rename),
		cmocka_unit_test(test_rollback_twice),
		cmocka_unit_test(test_gone_is_told),
		cmocka_unit_test(test_repairs_just_that),
		cmocka_unit_test(test_failure_at_every_write),
		cmocka_unit_test(test_failure_at_every_write_of_a_rollback),
		cmocka_unit_test(test_failure_at_every_read),
		cmocka_unit_test(test_changed_meanwhile),
		cmocka_unit_test(test_unmanaged_is_never_written),
		cmocka_unit_test(test_no_ports),
		cmocka_unit_test(test_read_only_sysfs),
		cmocka_unit_test(test_carrier_lost),
		cmocka_unit_test(test_stopped),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
