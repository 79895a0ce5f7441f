// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * import and plan are inverse: whatever a node is like, the file that is imported from it is valid
 * and changes nothing. What it has to say, and what not, is by hand.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/cleanup.h"
#include "lib/base/macro.h"
#include "lib/nic/nic.h"
#include "lib/node/import.h"
#include "tests/support/cases.h"
#include "tests/support/node.h"

static const char port_0[] = "ens1f0np0", port_1[] = "ens1f1np1";

/* What import says of a node. */
struct imported {
	struct inventory inventory;
	struct states want;
	struct states found;
	struct import *import;
	char *text;
	size_t size;
	int r;
};

static void imported_done(struct imported *imported)
{
	imported->import = import_free(imported->import);
	free(imported->text);
	states_done(&imported->found);
	states_done(&imported->want);
	inventory_done(&imported->inventory);
}

static void import_node(const struct node *node, struct imported *ret)
{
	struct provider provider;

	*ret = (struct imported){};
	assert_int_equal(nic_inventory(node->os, &ret->inventory), 0);
	nic_provider_init(&provider, node->os);
	assert_int_equal(import_want(&ret->inventory, &ret->want), 0);
	assert_int_equal(states_observe(&ret->want, &provider, &ret->found), 0);
	assert_int_equal(import_new(&ret->inventory, &ret->found, "gpu-1", NULL, NULL,
				    &ret->import), 0);
	ret->r = import_text(ret->import, &ret->text, &ret->size);
}

/* The file is valid, the plan is empty. */
static void check_inverse(const char *name, struct node *node, const struct imported *imported)
{
	struct pass pass = {};

	case_equal(name, imported->r, 0);
	case_equal(name, strlen(imported->text), imported->size);
	(void)pass_plan(&pass, node->os, imported->text, imported->size, "gpu-1");
	if (pass.plan.n_steps || pass.exit != STATUS_OK || *pass.trouble)
		fail_msg("%s: %zu steps, exit %d, %s; with\n%s", name, pass.plan.n_steps, pass.exit,
			 pass.trouble, imported->text);
	for (size_t i = 0; i < pass.plan.n_findings; i++)
		case_true(name, pass.plan.findings[i].verdict == VERDICT_IN_SYNC ||
					pass.plan.findings[i].verdict == VERDICT_UNSUPPORTED ||
					pass.plan.findings[i].verdict == VERDICT_NOT_APPLICABLE);
	pass_done(&pass);
}

static bool is_noted(const struct imported *imported, const char *who, const char *what,
		     const char *why)
{
	const struct import_notes *notes = import_notes(imported->import);

	for (size_t i = 0; i < notes->n; i++)
		if (strcmp(notes->list[i].who, who) == 0 && strstr(notes->list[i].what, what) &&
		    strstr(notes->list[i].why, why))
			return true;
	return false;
}

/* The part of the file behind its comments. */
static const char *body(const struct imported *imported)
{
	return strstr(imported->text, "version: 1\n");
}

/* ---- whole files ---- */

/* What is applied is what comes back, and what a fresh mlx5 has besides (field guide of mlx5). */
static void test_as_written(void **state)
{
	static const char applied[] = "version: 1\nfabric: test\n"
				      "roce: {traffic_class: 106, cnp: {dscp: 48, priority: 6}}\n"
				      "qos:\n"
				      "  dscp_to_priority: {26: 3, 48: 6}\n"
				      "  pfc: [3]\n"
				      "  cable_length: 30m\n"
				      "  pfc_watchdog: {detect: 200ms}\n"
				      "  scheduler: {0: 50%, 3: 50%, 6: strict}\n"
				      "  max_rate: {3: 40Gbit/s}\n"
				      "ecn: {priorities: [3, 6]}\n"
				      "mtu: 4200\n"
				      "nodes: {\"*\": {}}\n";
	static const char expected[] = "version: 1\n"
				       "fabric: imported    # choose a name\n"
				       "roce:\n"
				       "  traffic_class: 106\n"
				       "  cnp: {dscp: 48, priority: 6}\n"
				       "qos:\n"
				       "  dscp_to_priority: {26: 3, 48: 6}\n"
				       "  pfc: [3]\n"
				       "  cable_length: 30m\n"
				       "  pfc_watchdog: {detect: 200ms}\n"
				       "  scheduler: {0: 50%, 3: 50%, 6: strict}\n"
				       "  max_rate: {3: 40Gbit/s}\n"
				       "  buffers: auto\n"
				       "ecn: {priorities: [3, 6]}\n"
				       "mtu: 4200\n"
				       "nodes:\n"
				       "  gpu-1: {}\n";
	struct imported imported;
	struct node node;

	node_init(&node, 2, true);
	assert_int_equal(node_apply(&node, applied), STATUS_OK);
	import_node(&node, &imported);
	check_inverse("as written", &node, &imported);
	case_string("as written", body(&imported), expected);
	/* Left on by the driver, and no DSCP leads there */
	assert_true(is_noted(&imported, "ens1f0np0, ens1f1np1", "ecn_rp (0,1,2,4,5,7)", "no DSCP"));
	imported_done(&imported);
	node_done(&node);
}

/* What differs stands with its port; most of three stand for all where one may say otherwise. */
static void test_differing_ports(void **state)
{
	static const char expected[] = "version: 1\n"
				       "fabric: imported    # choose a name\n"
				       "roce:\n"
				       "  traffic_class: 106\n"
				       "qos:\n"
				       "  pfc: [3]\n"
				       "  cable_length: 7m\n"
				       "  pfc_watchdog: {detect: 8000ms}\n"
				       "  buffers: auto\n"
				       "mtu: 4200\n"
				       "nodes:\n"
				       "  gpu-1:\n"
				       "    nics:\n"
				       "      - name: [ens1f0np0, ens1f1np1]\n"
				       "        roce:\n"
				       "          cnp: {dscp: 48, priority: 6}\n"
				       "        qos:\n"
				       "          dscp_to_priority: {26: 3, 48: 6}\n"
				       "      - name: ens1f2np2\n"
				       "        qos:\n"
				       "          dscp_to_priority: {26: 3, 46: 5}\n"
				       "        mtu: 9000\n";
	struct imported imported;
	struct node node;

	node_init(&node, 3, false);
	assert_int_equal(node_apply(&node, node_spec), STATUS_OK);
	assert_int_equal(os_fake_poke_app(node.os, port_0, 48, 6), 0);
	assert_int_equal(os_fake_poke_app(node.os, port_1, 48, 6), 0);
	assert_int_equal(os_fake_poke_app(node.os, "ens1f2np2", 46, 5), 0);
	assert_int_equal(os_fake_poke_mtu(node.os, "ens1f2np2", 9000), 0);
	import_node(&node, &imported);
	check_inverse("differing ports", &node, &imported);
	case_string("differing ports", body(&imported), expected);
	/* 48 would come into the map of the third with it */
	assert_true(is_noted(&imported, "ens1f2np2", "cnp_dscp (48)",
			     "dscp_to_priority would change"));
	imported_done(&imported);
	node_done(&node);
}

/* What one of three must not get is said of the two others, though they are the most. */
static void test_one_without(void **state)
{
	struct imported imported;
	struct node node;

	node_init(&node, 3, false);
	assert_int_equal(node_apply(&node, node_spec), STATUS_OK);
	assert_int_equal(os_fake_poke_pause(node.os, "ens1f2np2", false, true, true), 0);
	import_node(&node, &imported);
	check_inverse("one without", &node, &imported);
	if (!strstr(imported.text, "      - name: [ens1f0np0, ens1f1np1]\n"
				   "        qos:\n"
				   "          pfc: [3]\n"
				   "      - name: ens1f2np2\n"))
		fail_msg("not so in\n%s", body(&imported));
	imported_done(&imported);
	node_done(&node);
}

/* ---- odd states ---- */

#define CM "/sys/kernel/config/rdma_cm/mlx5_0/ports/1/"

static void pause_on(struct node *node)
{
	assert_int_equal(os_fake_poke_pause(node->os, port_0, false, true, true), 0);
}

static void several_pfc(struct node *node)
{
	assert_int_equal(os_fake_poke_pfc(node->os, port_0, 0x2c), 0);
	assert_int_equal(os_fake_poke_app(node->os, port_0, 40, 5), 0);
}

static void firmware_owns(struct node *node)
{
	assert_int_equal(os_fake_poke_dcbx(node->os, port_0, 0x0c), 0);
}

/* ToS 105 is DSCP 26 with ECT(1) */
static void tos_105(struct node *node)
{
	assert_int_equal(os_fake_poke_file(node->os, CM "default_roce_tos", "105\n"), 0);
	assert_int_equal(os_fake_poke_file(node->os, "/sys/class/infiniband/mlx5_0/tc/1/"
						     "traffic_class", "105\n"), 0);
	assert_int_equal(os_fake_poke_pfc(node->os, port_0, 1 << 5), 0);
}

static void only_rdma_cm(struct node *node)
{
	assert_int_equal(os_fake_poke_file(node->os, CM "default_roce_tos", "104\n"), 0);
}

static void mode_v1(struct node *node)
{
	assert_int_equal(os_fake_poke_file(node->os, CM "default_roce_mode", "IB/RoCE v1\n"), 0);
}

static void not_lossless(struct node *node)
{
	assert_int_equal(os_fake_poke_pfc(node->os, port_0, 1 << 4), 0);
}

static void twice_mapped(struct node *node)
{
	assert_int_equal(os_fake_poke_app(node->os, port_0, 26, 4), 0);
	assert_int_equal(os_fake_poke_app(node->os, port_0, 10, 1), 0);
}

static void small_mtu(struct node *node)
{
	assert_int_equal(os_fake_poke_mtu(node->os, port_0, 1280), 0);
}

static void plain_user(struct node *node)
{
	os_fake_privileged(node->os, false);
}

static void cnp_elsewhere(struct node *node)
{
	assert_int_equal(os_fake_poke_app(node->os, port_0, 48, 5), 0);
}

static void cnp_lossless(struct node *node)
{
	assert_int_equal(os_fake_poke_app(node->os, port_0, 48, 6), 0);
	assert_int_equal(os_fake_poke_pfc(node->os, port_0, 1 << 3 | 1 << 6), 0);
}

/* Each begins with node_spec applied to two ports of mlx5 with OFED. */
static const struct {
	const char *name;
	void (*make)(struct node *node);
	const char *says;	/* a line of the file; NULL: none in particular */
	const char *silent;	/* not in the file */
	const char *what;	/* noted of the first port or its RDMA device */
	const char *why;
} odd[] = {
	{ "pause beside pfc", pause_on, NULL, NULL,
	  "pfc (3)", "pause would change from rx tx to off" },
	{ "pfc on several", several_pfc, "          pfc: [2, 3, 5]\n", NULL, NULL, NULL },
	{ "firmware owns DCB", firmware_owns, NULL, NULL, "pfc (3)",
	  "dcbx would change from fw to host" },
	{ "another lossless priority", not_lossless, "          pfc: [4]\n", NULL, "cm_tos (106)",
	  "not in pfc" },
	{ "ToS 105, pfc on 5", tos_105, "          pfc: [5]\n", "105", "cm_tos (105)",
	  "not in pfc" },
	{ "RDMA-CM alone", only_rdma_cm, "          apply_to: [rdma-cm]\n", NULL, NULL, NULL },
	{ "v1 beside pfc", mode_v1, NULL, "mode: v1", "cm_mode (v1)", "v1 carries no DSCP" },
	{ "a DSCP on two priorities", twice_mapped, "          dscp_to_priority: {10: 1}\n", NULL,
	  "dscp_to_priority (26:3,4)", "several" },
	{ "a small MTU", small_mtu, "        mtu: 4200\n", "1280", "mtu (1280)", "1500" },
	{ "CNPs mapped elsewhere", cnp_elsewhere, NULL, NULL, "cnp_dscp (48)",
	  "another priority than theirs" },
	{ "CNPs lossless", cnp_lossless, NULL, NULL, "cnp_dscp (48)", "in pfc" },
	{ "a plain user", plain_user, "mtu: 4200\n", NULL, NULL, NULL },
};

static void test_odd_states(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(odd); i++) {
		struct imported imported;
		struct node node;

		node_init(&node, 2, true);
		case_equal(odd[i].name, node_apply(&node, node_spec), STATUS_OK);
		odd[i].make(&node);
		os_fake_writes_reset(node.os);
		import_node(&node, &imported);
		case_equal(odd[i].name, node_writes(&node), 0);
		check_inverse(odd[i].name, &node, &imported);
		if (odd[i].says && !strstr(body(&imported), odd[i].says))
			fail_msg("%s: not said in\n%s", odd[i].name, imported.text);
		if (odd[i].silent && strstr(body(&imported), odd[i].silent))
			fail_msg("%s: said in\n%s", odd[i].name, imported.text);
		if (odd[i].what && !is_noted(&imported, port_0, odd[i].what, odd[i].why) &&
		    !is_noted(&imported, "mlx5_0", odd[i].what, odd[i].why))
			fail_msg("%s: not noted in\n%s", odd[i].name, imported.text);
		imported_done(&imported);
		node_done(&node);
	}
}

/* ---- any state ---- */

static uint32_t dice(uint64_t *seed, uint32_t sides)
{
	*seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)(*seed >> 33) % sides;
}

/* One move of somebody else's hand; what the driver refuses stays as it is. */
static void poke(struct node *node, uint64_t *seed)
{
	const char *port = dice(seed, 2) ? port_0 : port_1;
	char path[128], text[16];

	switch (dice(seed, 9)) {
	case 0:
		(void)os_fake_poke_pfc(node->os, port, (uint8_t)dice(seed, 256));
		return;
	case 1:
		(void)os_fake_poke_dcbx(node->os, port, (uint8_t)dice(seed, 16));
		return;
	case 2:
	case 3:
		(void)os_fake_poke_app(node->os, port, (uint8_t)dice(seed, 64),
				       (uint8_t)dice(seed, 8));
		return;
	case 4:
		(void)os_fake_poke_pause(node->os, port, dice(seed, 2), dice(seed, 2),
					 dice(seed, 2));
		return;
	case 5:
		(void)os_fake_poke_mtu(node->os, port, 1000 + dice(seed, 4) * 1000);
		return;
	case 6:
		(void)snprintf(path, sizeof(path), "/sys/kernel/config/rdma_cm/mlx5_%u/ports/1/"
						   "default_roce_tos", dice(seed, 2));
		break;
	case 7:
		(void)snprintf(path, sizeof(path), "/sys/class/infiniband/mlx5_%u/tc/1/"
						   "traffic_class", dice(seed, 2));
		break;
	default:
		(void)snprintf(path, sizeof(path), "/sys/class/net/%s/ecn/roce_np/cnp_dscp", port);
		(void)snprintf(text, sizeof(text), "%u\n", dice(seed, 64));
		(void)os_fake_poke_file(node->os, path, text);
		return;
	}
	(void)snprintf(text, sizeof(text), "%u\n", dice(seed, 256));
	(void)os_fake_poke_file(node->os, path, text);
}

static void test_any_state(void **state)
{
	enum { NODES = 60, MOVES = 12 };
	static const char *const drivers[] = { "mlx5_core", "bnxt_en", "ice", "ionic" };
	uint64_t seed = 1;

	for (unsigned int i = 0; i < NODES; i++) {
		const char *driver = drivers[i % ARRAY_SIZE(drivers)];
		const struct fake_port ports[] = {
			{ port_0, "mlx5_0", "0000:17:00.0", driver, .ofed = i % 3 == 0 },
			{ port_1, "mlx5_1", "0000:17:00.1", "mlx5_core", .ofed = i % 2 == 0 },
		};
		struct node node;
		char name[64];

		node_init_ports(&node, ports, ARRAY_SIZE(ports));
		if (i % 2)
			(void)node_apply(&node, node_spec);
		for (unsigned int move = 0; move < MOVES; move++) {
			struct imported imported;

			poke(&node, &seed);
			(void)snprintf(name, sizeof(name), "node %u after %u moves", i, move + 1);
			import_node(&node, &imported);
			check_inverse(name, &node, &imported);
			imported_done(&imported);
		}
		node_done(&node);
	}
}

/* ---- names from outside ---- */

static void test_hostile_names(void **state)
{
	static const struct {
		const char *name;
		const char *rdma;
		const char *pci;
		const char *says;
	} cases[] = {
		{ "no", "mlx5_0", "0000:17:00.0", "      - name: \"no\"\n" },
		{ "123", "mlx5_0", "0000:17:00.0", "      - name: \"123\"\n" },
		{ "eth*", "mlx5_0", "0000:17:00.0", "      - rdma: mlx5_0\n" },
		{ "e\x1b[31m", "mlx5_0", "0000:17:00.0", "      - rdma: mlx5_0\n" },
		{ "e\"#{", "mlx5_0", "0000:17:00.0", "      - rdma: mlx5_0\n" },
		{ "e\xff", "m:*", "0000:17:00.0", "      - pci: \"0000:17:00.0\"\n" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		const struct fake_port ports[] = {
			{ cases[i].name, cases[i].rdma, cases[i].pci, "mlx5_core" },
			{ port_1, "mlx5_1", "0000:17:00.1", "mlx5_core" },
		};
		struct imported imported;
		struct node node;

		node_init_ports(&node, ports, ARRAY_SIZE(ports));
		case_equal(cases[i].says, os_fake_poke_mtu(node.os, cases[i].name, 9000), 0);
		import_node(&node, &imported);
		check_inverse(cases[i].says, &node, &imported);
		if (!strstr(imported.text, cases[i].says))
			fail_msg("%s is not in\n%s", cases[i].says, imported.text);
		imported_done(&imported);
		node_done(&node);
	}
}

static void test_node_names(void **state)
{
	static const struct {
		const char *node;
		int r;
	} cases[] = {
		{ "gpu-1", 0 },	      { "gpu-1.example.com", 0 }, { "1", 0 },
		{ "null", 0 },	      { "", -EINVAL },		  { "*", -EINVAL },
		{ "gpu 1", -EINVAL }, { "gpu-[1-2]", -EINVAL },	  { "gpu\n", -EINVAL },
	};
	struct imported imported;
	struct node node;

	node_init(&node, 1, false);
	import_node(&node, &imported);
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		_cleanup_(import_freep) struct import *import = NULL;
		_cleanup_free_ char *text = NULL;
		size_t size = 0;
		struct pass pass = {};

		case_equal(cases[i].node,
			   import_new(&imported.inventory, &imported.found, cases[i].node, NULL,
				      NULL, &import), cases[i].r);
		if (cases[i].r < 0)
			continue;
		case_equal(cases[i].node, import_text(import, &text, &size), 0);
		(void)pass_plan(&pass, node.os, text, size, cases[i].node);
		case_equal(cases[i].node, pass.exit, STATUS_OK);
		pass_done(&pass);
	}
	imported_done(&imported);
	node_done(&node);
}

/* What a neighbour says of itself neither ends a comment nor makes the file a refused one. */
static void test_neighbours(void **state)
{
	struct lldp_neighbor list[] = {
		{ .device = "ens1f0np0", .chassis = "leaf-1", .port = "100GE1/0/1" },
		{ .device = "ens1f1np1", .chassis = "leaf\nmtu: 9000\x1b\xff", .port = "x\r\n# y" },
		{ .device = "eno1", .chassis = "office", .port = "1" },
	};
	const struct lldp_neighbors neighbors = { list, ARRAY_SIZE(list), ARRAY_SIZE(list) };
	_cleanup_(import_freep) struct import *import = NULL;
	struct imported imported;
	struct node node;

	node_init(&node, 2, false);
	import_node(&node, &imported);
	free(imported.text);
	assert_int_equal(import_new(&imported.inventory, &imported.found, "gpu-1", "pod-a",
				    &neighbors, &import), 0);
	assert_int_equal(import_text(import, &imported.text, &imported.size), 0);
	check_inverse("neighbours", &node, &imported);
	assert_non_null(strstr(imported.text, "#   ens1f0np0: leaf-1, port 100GE1/0/1\n"));
	assert_non_null(strstr(imported.text, "\\x0amtu: 9000\\x1b\\xff, port x\\x0d\\x0a# y\n"));
	assert_null(strstr(imported.text, "office"));
	assert_non_null(strstr(imported.text, "fabric: pod-a\n"));
	imported_done(&imported);
	node_done(&node);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_as_written),
		cmocka_unit_test(test_differing_ports),
		cmocka_unit_test(test_one_without),
		cmocka_unit_test(test_odd_states),
		cmocka_unit_test(test_any_state),
		cmocka_unit_test(test_hostile_names),
		cmocka_unit_test(test_node_names),
		cmocka_unit_test(test_neighbours),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
