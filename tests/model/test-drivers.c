// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The whole pipeline on a port of each kind of NIC: the steps by hand from nic.md 1.1 to 1.7, the
 * second plan empty, the way back, and what comes of a write that goes wrong in any of six ways.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/cleanup.h"
#include "lib/base/macro.h"
#include "lib/model/driver.h"
#include "tests/support/cases.h"
#include "tests/support/node.h"

#define HEAD  "version: 1\nfabric: test\n"
#define NODES "nodes: {\"*\": {}}\n"
#define ROCE  "roce: {traffic_class: 106, cnp: {dscp: 46, priority: 5}}\n"
#define REST  "ecn: {priorities: [3]}\nmtu: 4200\n"

/* Everything that a file can ask of a port */
static const char all_spec[] = HEAD ROCE "qos:\n"
					 "  dscp_to_priority: {26: 3}\n"
					 "  pfc: [3]\n"
					 "  pfc_watchdog: {detect: 200ms}\n"
					 "  buffers: auto\n"
					 "  scheduler: {0: 50%, 3: 50%, 5: strict}\n"
					 "  max_rate: {5: 2500Mbit/s}\n" REST NODES;
/* Nothing is said of the scheduler */
static const char lean_spec[] = HEAD ROCE "qos:\n"
					  "  dscp_to_priority: {26: 3}\n"
					  "  pfc: [3]\n" NODES;
static const char roce_spec[] = HEAD "roce: {traffic_class: 106}\n" NODES;

static const struct fake_port upstream = { "ens1", "mlx5_0", "0000:17:00.0", "mlx5_core" };
static const struct fake_port ofed = {
	"ens1", "mlx5_0", "0000:17:00.0", "mlx5_core", .ofed = true
};
static const struct fake_port bnxt = { "ens1", "bnxt_re0", "0000:17:00.0", "bnxt_en" };
static const struct fake_port ice = { "ens1", "irdma0", "0000:17:00.0", "ice" };
static const struct fake_port ionic = {
	"ens1", "ionic_0", "0000:17:00.0", "ionic", .no_dcb = true
};
static const struct fake_port unknown = { "ens1", "qedr0", "0000:17:00.0", "qede" };
/* soft-RoCE on a virtual machine's port */
static const struct fake_port rxe = {
	"ens1", "rxe0", "0000:17:00.0", "virtio_net", .no_dcb = true
};

static const struct {
	const char *name;
	const struct fake_port *port;
	const char *spec;
	enum exit_status exit;		/* of status and of apply, when all is done */
	/* nothing is left behind that the driver does not show */
	bool exact;
	const char *steps;
} nodes[] = {
	/*
	 * cc_params for CNPs, but neither a switch for ECN nor a traffic class; writing np_cnp_prio
	 * clears np_cnp_prio_mode
	 */
	{ "mlx5 upstream", &upstream, all_spec, STATUS_OK, false,
	  "dcbx set, pause set, ets set, max_rate set, app add, pfc set!, pfc_watchdog set, "
	  "cnp_dscp set, cnp_priority set, mtu set, cm_tos set" },
	{ "mlx5 OFED", &ofed, all_spec, STATUS_OK, true,
	  "dcbx set, pause set, ets set, max_rate set, app add, pfc set!, pfc_watchdog set, "
	  "ecn_np set 3, ecn_rp set 3, cnp_dscp set, cnp_priority set, mtu set, cm_tos set, "
	  "traffic_class set" },
	/* the host owns it from the start; ETS before PFC; zeros are shown again, not what was */
	{ "bnxt", &bnxt, all_spec, STATUS_OK, false,
	  "pause set, ets set!, app add, pfc set!, mtu set, cm_tos set" },
	{ "bnxt, no scheduler", &bnxt, lean_spec, STATUS_OK, false,
	  "pause set, ets set!, app add, pfc set!, cm_tos set" },
	/* the second ETS is another round: the first DSCP entry has set it to its defaults */
	{ "ice", &ice, all_spec, STATUS_OK, true,
	  "fw_lldp_agent set, pause set, ets set!, app add 26!, app add 46!, pfc set!, mtu set, "
	  "cm_tos set, ets set!" },
	{ "ice, no scheduler", &ice, lean_spec, STATUS_OK, true,
	  "fw_lldp_agent set, pause set, app add 26!, app add 46!, pfc set!, cm_tos set" },
	/* no DCB below: the port is left alone, its RDMA device is not */
	{ "ionic", &ionic, all_spec, STATUS_FAILED, true, "cm_tos set" },
	{ "unknown", &unknown, all_spec, STATUS_FAILED, true, "cm_tos set" },
	{ "rxe, lossless", &rxe, all_spec, STATUS_FAILED, true, "cm_tos set" },
	{ "rxe", &rxe, roce_spec, STATUS_OK, true, "cm_tos set" },
};

static void format_steps(const struct plan *plan, char *text, size_t size)
{
	static const char *const ops[] = { "set", "add", "delete" };
	size_t used = 0;

	*text = '\0';
	for (size_t i = 0; i < plan->n_steps && used < size; i++) {
		const struct step *step = &plan->steps[i];

		used += (size_t)snprintf(text + used, size - used, "%s%s %s", i ? ", " : "",
					 object_table[step->object].name, ops[step->op]);
		if (step->parts != UINT64_MAX && used < size)
			used += (size_t)snprintf(text + used, size - used, " %d",
						 __builtin_ctzll(step->parts));
		if (step->may_drop_link && used < size)
			used += (size_t)snprintf(text + used, size - used, "!");
	}
}

/* A node with one port; with OFED nobody has switched ECN on yet. */
static void open_node(struct node *node, const struct fake_port *port)
{
	static const char *const points[] = { "roce_np", "roce_rp" };
	char path[128];

	node_init_ports(node, port, 1);
	for (unsigned int i = 0; port->ofed && i < 2 * PRIORITIES; i++) {
		(void)snprintf(path, sizeof(path), "/sys/class/net/ens1/ecn/%s/enable/%u",
			       points[i / PRIORITIES], i % PRIORITIES);
		assert_int_equal(os_fake_poke_file(node->os, path, "0"), 0);
	}
}

/* What the drivers show of all that the spec speaks of; the caller frees. */
static char *seen(struct node *node, const char *spec)
{
	char *text = calloc(1, 8192);
	struct pass pass;
	size_t used = 0;

	assert_non_null(text);
	(void)node_run(node, spec, false, &pass);
	for (size_t i = 0; i < pass.found.n; i++) {
		for (enum knob knob = 0; knob < KNOB_MAX; knob++) {
			char value[VALUE_TEXT_MAX];

			value_format(&knob_table[knob], &pass.found.list[i].value[knob], value,
				     sizeof(value));
			used += (size_t)snprintf(text + used, 8192 - used, "%s %s\n",
						 knob_table[knob].name, value);
			assert_true(used < 8192);
		}
	}
	pass_done(&pass);
	return text;
}

static void apply_and_back(size_t row)
{
	const char *name = nodes[row].name, *spec = nodes[row].spec;
	_cleanup_free_ char *before = NULL, *after = NULL, *seen_before = NULL, *seen_after = NULL;
	struct node node;
	struct pass pass;
	char steps[512];

	open_node(&node, nodes[row].port);
	seen_before = seen(&node, spec);
	before = node_dump(&node);
	case_equal(name, node_writes(&node), 0);
	case_equal(name, node_run(&node, spec, true, &pass), nodes[row].exit);
	format_steps(&pass.plan, steps, sizeof(steps));
	case_string(name, steps, nodes[row].steps);
	case_equal(name, node_writes(&node), pass.plan.n_steps);
	case_equal(name, pass.after.n_steps, 0);
	pass_done(&pass);
	os_fake_writes_reset(node.os);
	case_equal(name, node_status(&node, spec), nodes[row].exit);
	case_equal(name, node_apply(&node, spec), nodes[row].exit);
	case_equal(name, node_writes(&node), 0);
	case_equal(name, node_rollback(&node), STATUS_OK);
	seen_after = seen(&node, spec);
	case_string(name, seen_after, seen_before);
	after = node_dump(&node);
	if (nodes[row].exact)
		case_string(name, after, before);
	node_done(&node);
}

static void test_apply_and_back(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(nodes); i++)
		apply_and_back(i);
}

/* ---- who cannot be written ---- */

static void expect_refused(struct node *node, const char *name, const char *spec,
			   enum knob knob, const char *reason, const char *instead)
{
	const struct finding *finding;
	struct pass pass;

	os_fake_writes_reset(node->os);
	case_equal(name, node_run(node, spec, true, &pass), STATUS_FAILED);
	finding = plan_finding(&pass.plan, 0, knob);
	case_true(name, finding);
	case_equal(name, finding->verdict, VERDICT_UNSUPPORTED);
	case_string(name, finding->reason, reason);
	case_true(name, finding->instead && strstr(finding->instead, instead));
	case_equal(name, os_fake_writes(node->os, FAKE_ANY_WRITE, "ens1"), 0);
	pass_done(&pass);
	node_done(node);
}

static void test_refused_before_the_first_write(void **state)
{
	struct node node;

	/* N05, nic.md 1.4: LLD_MANAGED cannot be left at run time */
	open_node(&node, &bnxt);
	assert_int_equal(os_fake_poke_dcbx(node.os, "ens1", 0x06), 0);
	expect_refused(&node, "bnxt of its firmware", all_spec, KNOB_DCBX,
		       "owned by firmware DCBX agent (LLD_MANAGED): disable it in NVM", "nvm");
	/* nic.md 1.5: all setters refuse in a bond */
	open_node(&node, &ice);
	assert_int_equal(os_fake_add_link(node.os, "bond0", "bond", NULL), 0);
	assert_int_equal(os_fake_enslave(node.os, "ens1", "bond0"), 0);
	expect_refused(&node, "ice in a bond", lean_spec, KNOB_PFC,
		       "ice refuses DCB writes while the port is in bond0", "before the port");
	/* nic.md 1.6 */
	open_node(&node, &ionic);
	expect_refused(&node, "ionic", all_spec, KNOB_PFC, "ionic has no DCB", "nicctl");
	open_node(&node, &unknown);
	expect_refused(&node, "unknown", all_spec, KNOB_PFC,
		       "how qede takes DCB settings is not known here: read, not written",
		       "vendor's own tool");
	open_node(&node, &rxe);
	expect_refused(&node, "rxe", all_spec, KNOB_PFC, "virtio_net has no DCB",
		       "cannot be lossless");
}

static void test_more_than_the_nic_can(void **state)
{
	static const struct {
		const char *name;
		const struct fake_port *port;
		const char *pfc;
		enum exit_status exit;
	} cases[] = {
		{ "ice, two", &ice, "[3, 4]", STATUS_SPEC },
		{ "bnxt, three", &bnxt, "[2, 3, 4]", STATUS_SPEC },
		{ "bnxt, two", &bnxt, "[3, 4]", STATUS_OK },
		{ "mlx5, three", &upstream, "[2, 3, 4]", STATUS_OK },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct node node;
		char spec[256];

		(void)snprintf(spec, sizeof(spec),
			       HEAD "qos: {dscp_to_priority: {18: 2, 26: 3, 34: 4}, pfc: "
				    "%s}\n" NODES,
			       cases[i].pfc);
		open_node(&node, cases[i].port);
		case_equal(cases[i].name, node_apply(&node, spec), cases[i].exit);
		if (cases[i].exit != STATUS_OK)
			case_equal(cases[i].name, node_writes(&node), 0);
		node_done(&node);
	}
}

/* N10: eight files, one switch: two writes, and never again. */
static void test_one_switch_behind_eight_files(void **state)
{
	struct node node;

	open_node(&node, &ofed);
	os_fake_np_coupled(node.os, true);
	assert_int_equal(node_apply(&node, all_spec), STATUS_OK);
	assert_int_equal(os_fake_writes(node.os, FAKE_WRITE, "/ecn/roce_np/enable"), 1);
	assert_int_equal(os_fake_writes(node.os, FAKE_WRITE, "/ecn/roce_rp/enable"), 1);
	os_fake_writes_reset(node.os);
	for (int i = 0; i < 10; i++)
		assert_int_equal(node_apply(&node, all_spec), STATUS_OK);
	assert_int_equal(node_writes(&node), 0);
	node_done(&node);
}

/* nic.md 4.4: a locked-down kernel shows cc_params to nobody; that is no drift. */
static void test_lockdown(void **state)
{
	const struct finding *finding;
	struct node node;
	struct pass pass;

	open_node(&node, &upstream);
	assert_int_equal(os_fake_lockdown(node.os, true), 0);
	assert_int_equal(node_run(&node, all_spec, false, &pass), STATUS_FAILED);
	finding = plan_finding(&pass.plan, 0, KNOB_CNP_DSCP);
	assert_int_equal(finding->verdict, VERDICT_UNKNOWN);
	assert_string_equal(finding->reason, "unobservable: kernel lockdown");
	pass_done(&pass);
	os_fake_privileged(node.os, false);
	assert_int_equal(os_fake_lockdown(node.os, false), 0);
	assert_int_equal(node_run(&node, all_spec, false, &pass), STATUS_DRIFT);
	finding = plan_finding(&pass.plan, 0, KNOB_CNP_DSCP);
	assert_int_equal(finding->exit, STATUS_OK);
	assert_string_equal(finding->reason, "needs root or losslessd");
	pass_done(&pass);
	node_done(&node);
}

/* ---- what goes wrong with one write ---- */

enum fate { FATE_FAILS, FATE_MAY_FAIL, FATE_WORKS };

static const struct {
	const char *name;
	struct fake_fault fault;	/* .skip is set by the loop */
	enum fate fate;
	const char *reason;
} faults[] = {
	{ "refused",
	  { .call = FAKE_ANY_WRITE, .mode = FAKE_STATUS, .error = -EINVAL, .times = 1 },
	  FATE_FAILS, "refused" },
	{ "silent",
	  { .call = FAKE_ANY_WRITE, .mode = FAKE_SILENT, .times = 1 },
	  FATE_FAILS, "accepted, but not in effect" },
	/* what knows no less is as it was wanted */
	{ "clamped",
	  { .call = FAKE_ANY_WRITE, .mode = FAKE_CLAMP, .times = 1 },
	  FATE_MAY_FAIL, "accepted, but not in effect" },
	{ "busy once",
	  { .call = FAKE_ANY_WRITE, .mode = FAKE_BUSY, .times = 1 }, FATE_WORKS, "" },
	{ "busy for ever",
	  { .call = FAKE_ANY_WRITE, .mode = FAKE_BUSY, .times = 4 }, FATE_FAILS, "busy" },
};

static const struct {
	const char *name;
	const struct fake_port *port;
	unsigned int writes;	/* as above, in the first round */
	bool keeps_entries;	/* whatever the hardware says, the kernel's table has the entry */
	bool swallows_refusals;	/* of entries */
} personalities[] = {
	{ "mlx5 upstream", &upstream, 11 },
	{ "mlx5 OFED", &ofed, 14 },
	{ "bnxt", &bnxt, 6, .keeps_entries = true },
	{ "ice", &ice, 8, .keeps_entries = true, .swallows_refusals = true },
};

/* What reading back does not show (nic.md 1.0.1): counters alone would tell. */
static bool is_invisible(size_t row, size_t fault, const struct step *step)
{
	if (step->object != OBJECT_APP || step->op != STEP_ADD)
		return false;
	if (faults[fault].fault.mode == FAKE_SILENT)
		return personalities[row].keeps_entries;
	/* taking the entry out again meets the other busy answers: it works after all */
	if (faults[fault].fault.mode == FAKE_BUSY && personalities[row].keeps_entries)
		return true;
	return personalities[row].swallows_refusals;
}

/* The other steps are done, but for those that need this one. */
static void expect_others_done(const char *name, const struct plan *plan, const struct step *step)
{
	const char *driver = plan->want->list[step->target].target.nic.driver;

	for (size_t i = 0; i < plan->n_steps; i++) {
		const struct step *other = &plan->steps[i];
		bool needs = other->target == step->target &&
			     (other->object == step->object ||
			      driver_needs(driver_find(driver), other->object, step->object));

		if (other == step || (needs && other->outcome == STEP_SKIPPED))
			continue;
		case_true(name, other->outcome == STEP_DONE || other->outcome == STEP_ALREADY);
	}
}

static void expect_failed(const char *name, const struct pass *pass, const struct step *step,
			  const char *reason)
{
	const struct finding *finding;

	case_true(name, strstr(step->reason, reason));
	expect_others_done(name, &pass->plan, step);
	finding = plan_finding(&pass->after, step->target, step->knob[0]);
	/* On mlx5 the PFC write that follows switches pause off as well (nic.md 1.1) */
	if (finding->verdict == VERDICT_IN_SYNC)
		return;
	case_equal(name, finding->verdict, VERDICT_FAILED);
	case_true(name, strstr(finding->reason, reason));
	case_equal(name, pass->exit, STATUS_FAILED);
}

/* Another apply mends it. Classes that changed in spite of DSCP mode are ice's to keep. */
static void expect_mended(const char *name, struct node *node, size_t row,
			  size_t fault, const struct step *step)
{
	bool fixed = driver_find(personalities[row].port->driver)->dscp_fixes_classes;

	if (fixed && step->object == OBJECT_ETS && faults[fault].fault.mode == FAKE_CLAMP)
		return;
	case_equal(name, node_apply(node, all_spec), STATUS_OK);
	case_equal(name, node_status(node, all_spec), STATUS_OK);
}

/* Returns false when write @number does not exist. */
static bool fault_at(size_t row, size_t fault, unsigned int number)
{
	struct fake_fault at = faults[fault].fault;
	const struct step *step;
	struct node node;
	struct pass pass;
	bool reached, works;
	char name[96];

	open_node(&node, personalities[row].port);
	at.skip = number;
	assert_true(os_fake_fault(node.os, &at) >= 0);
	(void)node_run(&node, all_spec, true, &pass);
	reached = os_fake_hits(node.os) > 0;
	if (reached) {
		step = &pass.plan.steps[number];
		(void)snprintf(name, sizeof(name), "%s, %s: %s", personalities[row].name,
			       faults[fault].name, object_table[step->object].name);
		works = faults[fault].fate == FATE_WORKS ||
			(faults[fault].fate == FATE_MAY_FAIL && step->outcome == STEP_DONE) ||
			is_invisible(row, fault, step);
		/* SDCBX is answered with yes or no, never with a reason (net/dcb/dcbnl.c) */
		if (step->object == OBJECT_DCBX && at.mode == FAKE_BUSY)
			expect_failed(name, &pass, step, "refused");
		else if (!works)
			expect_failed(name, &pass, step, faults[fault].reason);
		else
			case_equal(name, pass.exit, STATUS_OK);
		os_fake_fault_clear(node.os);
		expect_mended(name, &node, row, fault, step);
	}
	pass_done(&pass);
	node_done(&node);
	return reached;
}

static void test_faults(void **state)
{
	for (size_t row = 0; row < ARRAY_SIZE(personalities); row++) {
		for (size_t fault = 0; fault < ARRAY_SIZE(faults); fault++) {
			unsigned int number = 0;

			while (fault_at(row, fault, number))
				number++;
			case_true(personalities[row].name, number >= personalities[row].writes);
		}
	}
}

/* The device goes with a write: what is left of it is not tried, and apply is to be run again. */
static bool gone_at(size_t row, unsigned int number)
{
	const struct fake_fault fault = {
		.call = FAKE_ANY_WRITE, .mode = FAKE_GONE, .skip = number, .times = 1
	};
	const char *name = personalities[row].name;
	struct node node;
	struct pass pass;
	bool reached;

	open_node(&node, personalities[row].port);
	assert_true(os_fake_fault(node.os, &fault) >= 0);
	(void)node_run(&node, all_spec, true, &pass);
	reached = os_fake_hits(node.os) > 0;
	if (reached) {
		size_t target = pass.plan.steps[number].target;
		const struct finding *finding = plan_finding(&pass.after, target, KNOB_NONE);

		case_equal(name, pass.plan.steps[number].outcome, STEP_FAILED);
		case_equal(name, pass.exit, STATUS_DRIFT);
		/* cc_params are the RDMA device's: it is gone, the port goes on */
		if (!finding)
			finding = plan_finding(&pass.after, ++target, KNOB_NONE);
		case_true(name, finding);
		case_equal(name, finding->verdict, VERDICT_PENDING);
		for (size_t i = number + 1; i < pass.plan.n_steps; i++)
			case_true(name, pass.plan.steps[i].target != target ||
						pass.plan.steps[i].outcome >= STEP_FAILED);
	}
	pass_done(&pass);
	node_done(&node);
	return reached;
}

static void test_gone(void **state)
{
	for (size_t row = 0; row < ARRAY_SIZE(personalities); row++) {
		unsigned int number = 0;

		while (gone_at(row, number))
			number++;
		case_true(personalities[row].name, number >= personalities[row].writes);
	}
}

/*
 * Somebody left CEE|HOST (0x05) behind. mlx5's setters do not look at the version (nic.md 1.1), so
 * the host owns it and no step is needed; ice takes no setting then (1.5), and no mode without HOST
 * either, so that the way back is not mode 0.
 */
static void test_foreign_dcbx(void **state)
{
	static const struct {
		const char *name;
		const struct fake_port *port;
		bool step;
	} cases[] = { { "mlx5", &ofed, false }, { "ice", &ice, true } };

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		const char *name = cases[i].name;
		_cleanup_free_ char *before = NULL, *after = NULL;
		struct node node;

		open_node(&node, cases[i].port);
		if (cases[i].port == &ice)
			case_equal(name, os_fake_poke_flag(node.os, "ens1", "fw-lldp-agent", false),
				   0);
		case_equal(name, os_fake_poke_dcbx(node.os, "ens1", 0x05), 0);
		before = node_dump(&node);
		case_equal(name, node_apply(&node, lean_spec), STATUS_OK);
		case_equal(name, os_fake_writes(node.os, FAKE_DCB_SET, "ens1/dcbx"), cases[i].step);
		case_equal(name, node_status(&node, lean_spec), STATUS_OK);
		case_equal(name, node_rollback(&node), STATUS_OK);
		after = node_dump(&node);
		case_string(name, after, before);
		node_done(&node);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_apply_and_back),
		cmocka_unit_test(test_refused_before_the_first_write),
		cmocka_unit_test(test_more_than_the_nic_can),
		cmocka_unit_test(test_one_switch_behind_eight_files),
		cmocka_unit_test(test_lockdown),
		cmocka_unit_test(test_faults),
		cmocka_unit_test(test_gone),
		cmocka_unit_test(test_foreign_dcbx),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
