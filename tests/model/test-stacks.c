// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The whole pipeline on nodes with stacks: bonds, VLANs, VFs, many rails; ports that are renamed or
 * come again; links that go down together or one at a time. Field cases N04, N06, N07, L03, L04.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/cleanup.h"
#include "lib/base/macro.h"
#include "lib/os/link.h"
#include "tests/support/cases.h"
#include "tests/support/node.h"

#define A "ens1f0np0"
#define B "ens1f1np1"

#define HEAD  "version: 1\nfabric: test\n"
#define NODES "nodes: {\"*\": {}}\n"

static uint32_t mtu_of(struct node *node, const char *name)
{
	_cleanup_(os_links_done) struct os_links links = {};

	assert_int_equal(os_link_dump(node->os, &links), 0);
	for (size_t i = 0; i < links.n; i++)
		if (strcmp(links.list[i].name, name) == 0)
			return links.list[i].mtu;
	fail_msg("no link %s", name);
	return 0;
}

static const struct finding *failed(const struct plan *plan, const char *target)
{
	for (size_t i = 0; i < plan->n_findings; i++) {
		const struct finding *finding = &plan->findings[i];

		if (finding->exit == STATUS_FAILED &&
		    strcmp(plan->want->list[finding->target].target.name, target) == 0)
			return finding;
	}
	fail_msg("nothing failed on %s", target);
	return NULL;
}

/* "a pfc, b mtu": the steps that had this outcome, in their order */
static void steps_with(const struct plan *plan, enum step_outcome outcome, char text[512])
{
	FILE *out = fmemopen(text, 512, "w");
	const char *separator = "";

	assert_non_null(out);
	text[0] = '\0';
	for (size_t i = 0; i < plan->n_steps; i++) {
		const struct step *step = &plan->steps[i];

		if (step->outcome != outcome)
			continue;
		(void)fprintf(out, "%s%s %s", separator, plan->want->list[step->target].target.name,
			      object_table[step->object].name);
		separator = ", ";
	}
	(void)fclose(out);
}

/* ---- VLANs: N07 ---- */

static const struct {
	const char *name;
	const char *spec;
	uint32_t port, vlan;	/* MTUs before; 0: 1500 */
	enum exit_status status;
	const char *done;
	uint32_t port_after, vlan_after;
	const char *reason;	/* of what failed on the port */
} vlans[] = {
	{ "growth from below",
	  HEAD "mtu: 9000\nnics: [{name: " A ".40}, {name: " A "}]\n" NODES, 0, 0, STATUS_OK,
	  A " mtu, " A ".40 mtu", 9000, 9000, NULL },
	{ "shrinking from above",
	  HEAD "mtu: 4200\nnics: [{name: " A "}, {name: " A ".40, mtu: 4000}]\n" NODES, 9000, 9000,
	  STATUS_OK, A ".40 mtu, " A " mtu", 4200, 4000, NULL },
	{ "the unmanaged one is clamped",
	  HEAD "mtu: 4200\nnics: [{name: " A "}]\n" NODES, 9000, 9000, STATUS_OK, A " mtu", 4200,
	  4200, NULL },
	{ "the unmanaged one does not grow",
	  HEAD "mtu: 4200\nnics: [{name: " A "}]\n" NODES, 0, 0, STATUS_OK, A " mtu", 4200, 1500,
	  NULL },
	{ "only the VLAN", HEAD "mtu: 4000\nnics: [{name: " A ".40}]\n" NODES, 9000, 9000,
	  STATUS_OK, A ".40 mtu", 9000, 4000, NULL },
	{ "above the maximum",
	  HEAD "mtu: 9000\nnics: [{name: " A ", mtu: 65000}, {name: " A ".40}]\n" NODES, 0, 0,
	  STATUS_FAILED, "", 1500, 1500, "takes 9978 at most" },
};

static void set_mtus(size_t row, struct node *node)
{
	if (!vlans[row].port)
		return;
	case_equal(vlans[row].name, os_fake_poke_mtu(node->os, A, vlans[row].port), 0);
	case_equal(vlans[row].name, os_fake_poke_mtu(node->os, A ".40", vlans[row].vlan), 0);
}

static void test_vlans(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(vlans); i++) {
		struct node node;
		struct pass pass;
		char done[512];

		node_init(&node, 1, false);
		case_equal(vlans[i].name, os_fake_add_link(node.os, A ".40", "vlan", A), 0);
		set_mtus(i, &node);
		case_equal(vlans[i].name, node_run(&node, vlans[i].spec, true, &pass),
			   vlans[i].status);
		steps_with(&pass.plan, STEP_DONE, done);
		case_string(vlans[i].name, done, vlans[i].done);
		case_equal(vlans[i].name, mtu_of(&node, A), vlans[i].port_after);
		case_equal(vlans[i].name, mtu_of(&node, A ".40"), vlans[i].vlan_after);
		if (vlans[i].reason)
			case_true(vlans[i].name,
				  strstr(failed(&pass.after, A)->reason, vlans[i].reason));
		pass_done(&pass);
		os_fake_writes_reset(node.os);
		case_equal(vlans[i].name, node_apply(&node, vlans[i].spec), vlans[i].status);
		case_equal(vlans[i].name, node_writes(&node), vlans[i].status == STATUS_OK ? 0 : 1);
		node_done(&node);
	}
}

/* What failed below is the reason above, and is not tried there. */
static void test_vlan_without_room(void **state)
{
	const struct fake_fault refused = {
		.call = FAKE_LINK_SET, .match = A "/mtu", .mode = FAKE_ERRNO, .error = EINVAL,
	};
	struct node node;
	struct pass pass;
	char skipped[512];

	node_init(&node, 1, false);
	assert_int_equal(os_fake_add_link(node.os, A ".40", "vlan", A), 0);
	assert_int_equal(os_fake_fault(node.os, &refused), 0);
	assert_int_equal(node_run(&node, vlans[0].spec, true, &pass), STATUS_FAILED);
	os_fake_fault_clear(node.os);
	steps_with(&pass.plan, STEP_SKIPPED, skipped);
	assert_string_equal(skipped, A ".40 mtu");
	assert_non_null(strstr(failed(&pass.after, A ".40")->reason, "not tried: value refused"));
	assert_int_equal(os_fake_writes(node.os, FAKE_LINK_SET, A "/mtu"), 1);
	pass_done(&pass);
	/* The port is not managed: the kernel's word, in ours */
	assert_int_equal(node_run(&node, HEAD "mtu: 9000\nnics: [{name: " A ".40}]\n" NODES, true,
				  &pass),
			 STATUS_FAILED);
	assert_non_null(strstr(failed(&pass.after, A ".40")->reason,
			       "value refused: more than " A " below it has"));
	pass_done(&pass);
	node_done(&node);
}

/* Somebody shrinks the port: the VLAN went along, both are drift, the port is mended first. */
static void test_vlan_clamped_by_others(void **state)
{
	struct node node;
	struct pass pass;
	char done[512];

	node_init(&node, 1, false);
	assert_int_equal(os_fake_add_link(node.os, A ".40", "vlan", A), 0);
	assert_int_equal(node_apply(&node, vlans[0].spec), STATUS_OK);
	assert_int_equal(os_fake_poke_mtu(node.os, A, 4200), 0);
	assert_int_equal(mtu_of(&node, A ".40"), 4200);
	assert_int_equal(node_run(&node, vlans[0].spec, true, &pass), STATUS_OK);
	steps_with(&pass.plan, STEP_DONE, done);
	assert_string_equal(done, A " mtu, " A ".40 mtu");
	pass_done(&pass);
	assert_int_equal(node_rollback(&node), STATUS_OK);
	assert_int_equal(mtu_of(&node, A), 1500);
	assert_int_equal(mtu_of(&node, A ".40"), 1500);
	node_done(&node);
}

/* ---- bonds ---- */

static void bond_init(struct node *node, const char *vlan)
{
	node_init(node, 2, true);
	assert_int_equal(os_fake_add_link(node->os, "bond0", "bond", NULL), 0);
	assert_int_equal(os_fake_enslave(node->os, A, "bond0"), 0);
	assert_int_equal(os_fake_enslave(node->os, B, "bond0"), 0);
	if (vlan)
		assert_int_equal(os_fake_add_link(node->os, vlan, "vlan", "bond0"), 0);
}

/* DCB on both slaves, one MTU, and all of it back again. */
static void test_bond(void **state)
{
	_cleanup_free_ char *before = NULL, *after = NULL;
	struct node node;
	struct pass pass;

	bond_init(&node, NULL);
	before = node_dump(&node);
	assert_int_equal(node_run(&node, node_spec, true, &pass), STATUS_OK);
	/* dcbx pause app pfc; cm_tos traffic_class; and the bond's mtu */
	assert_int_equal(pass.plan.n_steps, 2 * 6 + 1);
	pass_done(&pass);
	assert_int_equal(os_fake_writes(node.os, FAKE_LINK_SET, NULL), 1);
	assert_int_equal(os_fake_writes(node.os, FAKE_LINK_SET, "bond0/mtu"), 1);
	assert_int_equal(mtu_of(&node, A), 4200);
	assert_int_equal(mtu_of(&node, B), 4200);
	os_fake_writes_reset(node.os);
	assert_int_equal(node_apply(&node, node_spec), STATUS_OK);
	assert_int_equal(node_writes(&node), 0);
	assert_int_equal(node_rollback(&node), STATUS_OK);
	after = node_dump(&node);
	assert_string_equal(after, before);
	node_done(&node);
}

/* A slave with an MTU of its own is drift; only it is written. */
static void test_bond_slave_differs(void **state)
{
	struct node node;

	bond_init(&node, NULL);
	assert_int_equal(node_apply(&node, node_spec), STATUS_OK);
	assert_int_equal(os_fake_poke_mtu(node.os, B, 1500), 0);
	assert_int_equal(node_status(&node, node_spec), STATUS_DRIFT);
	os_fake_writes_reset(node.os);
	assert_int_equal(node_apply(&node, node_spec), STATUS_OK);
	assert_int_equal(node_writes(&node), 1);
	assert_int_equal(mtu_of(&node, B), 4200);
	node_done(&node);
}

/* More than a slave can do is not tried: the maximum said is the slaves'. */
static void test_bond_maximum(void **state)
{
	struct node node;
	struct pass pass;

	bond_init(&node, "bond0.7");
	assert_int_equal(node_run(&node, HEAD "mtu: 65000\n" NODES, true, &pass), STATUS_FAILED);
	assert_non_null(strstr(failed(&pass.after, "bond0")->reason, "takes 9978 at most"));
	assert_int_equal(os_fake_writes(node.os, FAKE_LINK_SET, NULL), 0);
	pass_done(&pass);
	assert_int_equal(node_apply(&node, HEAD "mtu: 9000\nnics: [{name: bond0}, "
						"{name: bond0.7}]\n" NODES),
			 STATUS_OK);
	assert_int_equal(mtu_of(&node, A), 9000);
	assert_int_equal(mtu_of(&node, "bond0.7"), 9000);
	node_done(&node);
}

/* One RDMA device for both slaves: its knobs once, its GIDs are the bond's. */
static void test_roce_lag(void **state)
{
	static const struct fake_port lag[] = {
		{ A, "mlx5_bond_0", "0000:17:00.0", "mlx5_core", .ofed = true },
		{ B, NULL, "0000:17:00.1", "mlx5_core" },
	};
	static const char *const slots[] = { "0", "1", "2", "3" };
	struct node node;
	struct pass pass;
	char path[128];

	node_init(&node, 1, true);
	node.os = os_free(node.os);
	assert_int_equal(os_fake_new(lag, ARRAY_SIZE(lag), &node.os), 0);
	assert_int_equal(os_fake_add_link(node.os, "bond0", "bond", NULL), 0);
	assert_int_equal(os_fake_enslave(node.os, A, "bond0"), 0);
	assert_int_equal(os_fake_enslave(node.os, B, "bond0"), 0);
	for (size_t i = 0; i < ARRAY_SIZE(slots); i++) {
		(void)snprintf(path, sizeof(path),
			       "/sys/class/infiniband/mlx5_bond_0/ports/1/gid_attrs/ndevs/%s",
			       slots[i]);
		(void)os_fake_poke_file(node.os, path, "bond0\n");
	}
	assert_int_equal(node_run(&node, node_spec, true, &pass), STATUS_OK);
	/* dcbx pause app pfc, twice; cm_tos traffic_class mtu, once */
	assert_int_equal(pass.plan.n_steps, 2 * 4 + 3);
	assert_int_equal(pass.plan.want->n, 4);
	pass_done(&pass);
	assert_int_equal(node_status(&node, node_spec), STATUS_OK);
	assert_int_equal(node_rollback(&node), STATUS_OK);
	assert_int_equal(node_status(&node, node_spec), STATUS_DRIFT);
	node_done(&node);
}

/* ---- VFs: N04 ---- */

static const char vf_spec[] = HEAD "roce: {traffic_class: 106}\n"
				   "qos: {dscp_to_priority: {26: 3}, pfc: [3]}\n"
				   "mtu: 4200\nnics: [{name: ens1f0v0}]\n" NODES;

static void vf_init(struct node *node)
{
	static const struct fake_port vf[] = {
		{ A, "mlx5_0", "0000:3b:00.0", "mlx5_core" },
		{ "ens1f0v0", "mlx5_2", "0000:3b:00.2", "mlx5_core", .physfn = "0000:3b:00.0" },
	};

	node_init(node, 1, false);
	node->os = os_free(node->os);
	assert_int_equal(os_fake_new(vf, ARRAY_SIZE(vf), &node->os), 0);
}

/* The VF has its own; its port is the PF's, which is told and not written. */
static void test_vf_alone(void **state)
{
	static const char pf_spec[] = HEAD "qos: {dscp_to_priority: {26: 3}, pfc: [3]}\n"
					   "nics: [{name: " A "}]\n" NODES;
	struct node node;

	vf_init(&node);
	assert_int_equal(node_apply(&node, vf_spec), STATUS_DRIFT);
	assert_int_equal(os_fake_writes(node.os, FAKE_DCB_SET, NULL), 0);
	assert_int_equal(os_fake_writes(node.os, FAKE_PAUSE_SET, NULL), 0);
	assert_int_equal(mtu_of(&node, "ens1f0v0"), 4200);
	assert_int_equal(mtu_of(&node, A), 1500);
	assert_int_equal(node_apply(&node, pf_spec), STATUS_OK);
	assert_int_equal(node_status(&node, vf_spec), STATUS_OK);
	assert_int_equal(os_fake_poke_pfc(node.os, A, 0), 0);
	assert_int_equal(node_status(&node, vf_spec), STATUS_DRIFT);
	node_done(&node);
}

/* Selected both, the VF says nothing of the port. */
static void test_vf_and_pf(void **state)
{
	struct node node;

	vf_init(&node);
	assert_int_equal(node_apply(&node, node_spec), STATUS_OK);
	assert_int_equal(os_fake_writes(node.os, FAKE_DCB_SET, "ens1f0v0"), 0);
	os_fake_writes_reset(node.os);
	assert_int_equal(node_apply(&node, node_spec), STATUS_OK);
	assert_int_equal(node_writes(&node), 0);
	node_done(&node);
}

/* ---- links: N06 ---- */

enum { DELAY_MS = 2500, RAILS = 8 };

static int64_t now_ms(struct node *node)
{
	return node->os->ops->now_ms(node->os);
}

static int64_t apply_rails(struct node *node, bool in_use, enum exit_status status)
{
	char name[32];
	int64_t begin_ms;

	for (unsigned int i = 0; i < RAILS; i++) {
		(void)snprintf(name, sizeof(name), "ens1f%unp%u", i, i);
		assert_int_equal(os_fake_link_delay(node->os, name, DELAY_MS), 0);
	}
	if (in_use)
		assert_int_equal(os_fake_add_qp(node->os, "mlx5_7", 1, true), 0);
	begin_ms = now_ms(node);
	assert_int_equal(node_apply(node, node_spec), status);
	return now_ms(node) - begin_ms;
}

/* Idle, the links of eight rails are away together; under a job one after the other. */
static void test_rails(void **state)
{
	struct node node;

	node_init(&node, RAILS, false);
	assert_true(apply_rails(&node, false, STATUS_OK) < 2 * DELAY_MS);
	assert_int_equal(node_status(&node, node_spec), STATUS_OK);
	node_done(&node);

	node_init(&node, RAILS, false);
	assert_true(apply_rails(&node, true, STATUS_OK) >= RAILS * DELAY_MS);
	assert_int_equal(node_status(&node, node_spec), STATUS_OK);
	node_done(&node);
}

/* Who holds queue pairs cannot be told: as if somebody did. */
static void test_rails_unknown(void **state)
{
	static const struct fake_fault fault = { .call = FAKE_RDMA_DUMP,
						 .mode = FAKE_ERRNO,
						 .error = EOPNOTSUPP };
	struct node node;

	node_init(&node, RAILS, false);
	assert_true(os_fake_fault(node.os, &fault) >= 0);
	assert_true(apply_rails(&node, false, STATUS_OK) >= RAILS * DELAY_MS);
	assert_int_equal(os_fake_hits(node.os), 1);
	node_done(&node);
}

static const struct {
	const char *name;
	bool bond, in_use;
	unsigned int pfc_writes;	/* of B */
} lost[] = {
	{ "idle: the others go on", false, false, 1 },
	{ "in use: B is never written", false, true, 0 },
	{ "slaves of one bond: neither", true, false, 0 },
	{ "in use, slaves", true, true, 0 },
};

/* The link of A does not come back. */
static void test_link_lost(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(lost); i++) {
		struct node node;
		struct pass pass;
		char text[512];

		node_init(&node, 2, false);
		if (lost[i].bond) {
			node_done(&node);
			bond_init(&node, NULL);
		}
		if (lost[i].in_use)
			case_equal(lost[i].name, os_fake_add_qp(node.os, "mlx5_1", 1, true), 0);
		case_equal(lost[i].name, os_fake_link_delay(node.os, A, 3600 * 1000), 0);
		case_equal(lost[i].name, node_run(&node, node_spec, true, &pass), STATUS_FAILED);
		case_true(lost[i].name,
			  strstr(failed(&pass.after, A)->reason, "no carrier after 30 s"));
		steps_with(&pass.plan, STEP_FAILED, text);
		case_string(lost[i].name, text, A " pfc");
		steps_with(&pass.plan, STEP_SKIPPED, text);
		case_string(lost[i].name, text, lost[i].pfc_writes ? "" : B " pfc");
		case_equal(lost[i].name, os_fake_writes(node.os, FAKE_DCB_SET, B "/pfc"),
			   lost[i].pfc_writes);
		pass_done(&pass);
		node_done(&node);
	}
}

/* Nobody uses RDMA, and yet: of a bond one link always stays. */
static void test_bond_keeps_a_link(void **state)
{
	struct node node;
	int64_t begin_ms;

	bond_init(&node, NULL);
	assert_int_equal(os_fake_link_delay(node.os, A, DELAY_MS), 0);
	assert_int_equal(os_fake_link_delay(node.os, B, DELAY_MS), 0);
	begin_ms = now_ms(&node);
	assert_int_equal(node_apply(&node, node_spec), STATUS_OK);
	assert_true(now_ms(&node) - begin_ms >= 2 * DELAY_MS);
	node_done(&node);
}

/* ---- names: L04 ---- */

/* Two ports swap their names: the file means names, so the other port is drift now. */
static void test_names_swapped(void **state)
{
	static const char spec[] = HEAD "mtu: 4200\nnics: [{name: " A "}]\n" NODES;
	struct node node;

	node_init(&node, 2, false);
	assert_int_equal(node_apply(&node, spec), STATUS_OK);
	assert_int_equal(os_fake_rename(node.os, A, "tmp"), 0);
	assert_int_equal(os_fake_rename(node.os, B, A), 0);
	assert_int_equal(os_fake_rename(node.os, "tmp", B), 0);
	assert_int_equal(node_status(&node, spec), STATUS_DRIFT);
	assert_int_equal(node_apply(&node, spec), STATUS_OK);
	assert_int_equal(mtu_of(&node, A), 4200);
	node_done(&node);
}

/* A new name between plan and write: the port that has the old one by then is left alone. */
static void test_renamed_meanwhile(void **state)
{
	static const char spec[] = HEAD "mtu: 4200\nnics: [{name: " A "}]\n" NODES;
	struct pass pass = {};
	struct node node;

	node_init(&node, 2, false);
	assert_int_equal(pass_plan(&pass, node.os, spec, strlen(spec), "gpu-1"), 0);
	assert_int_equal(os_fake_rename(node.os, A, "rail0"), 0);
	assert_int_equal(os_fake_rename(node.os, B, A), 0);
	assert_int_equal(pass_apply(&pass, node.store, NULL), 0);
	assert_int_not_equal(pass.exit, STATUS_OK);
	assert_int_equal(node_writes(&node), 0);
	pass_done(&pass);
	assert_int_equal(node_apply(&node, spec), STATUS_OK);
	assert_int_equal(mtu_of(&node, "rail0"), 1500);
	node_done(&node);
}

/* An RDMA device that comes again has nothing of what it was told. */
static void test_registered_again(void **state)
{
	struct node node;

	node_init(&node, 2, true);
	assert_int_equal(node_apply(&node, node_spec), STATUS_OK);
	assert_int_equal(os_fake_reregister_rdma(node.os, "mlx5_1"), 0);
	os_fake_writes_reset(node.os);
	assert_int_equal(node_status(&node, node_spec), STATUS_DRIFT);
	assert_int_equal(node_apply(&node, node_spec), STATUS_OK);
	assert_int_equal(node_writes(&node), 2); /* cm_tos, traffic_class */
	node_done(&node);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_vlans),
		cmocka_unit_test(test_vlan_without_room),
		cmocka_unit_test(test_vlan_clamped_by_others),
		cmocka_unit_test(test_bond),
		cmocka_unit_test(test_bond_slave_differs),
		cmocka_unit_test(test_bond_maximum),
		cmocka_unit_test(test_roce_lag),
		cmocka_unit_test(test_vf_alone),
		cmocka_unit_test(test_vf_and_pf),
		cmocka_unit_test(test_rails),
		cmocka_unit_test(test_rails_unknown),
		cmocka_unit_test(test_link_lost),
		cmocka_unit_test(test_bond_keeps_a_link),
		cmocka_unit_test(test_names_swapped),
		cmocka_unit_test(test_renamed_meanwhile),
		cmocka_unit_test(test_registered_again),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
