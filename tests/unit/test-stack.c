// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Bonds and VLANs: what the inventory sees of them, where resolve puts the knobs of their ports,
 * and in which order a plan goes through a stack. N07 and N04 of the field cases as far as they are
 * pure.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/macro.h"
#include "lib/nic/map.h"
#include "lib/reconcile/plan.h"
#include "tests/support/nic-node.h"
#include "tests/support/spec-case.h"

/* ---- inventory ---- */

#define A "ens1f0np0"
#define B "ens1f1np1"

/* RoCE LAG: the second function has lost its RDMA device. */
static const struct fake_port lag_ports[] = {
	{ A, "mlx5_bond_0", "0000:17:00.0", "mlx5_core" },
	{ B, NULL, "0000:17:00.1", "mlx5_core" },
	{ "eno1", NULL, "0000:02:00.0", "tg3" },
};

static const struct fake_port two_ports[] = {
	{ A, "mlx5_0", "0000:17:00.0", "mlx5_core" },
	{ B, "mlx5_1", "0000:17:00.1", "mlx5_core" },
};

/* A virtual machine's VFs, and the card's second port without RDMA. */
static const struct fake_port mixed_ports[] = {
	{ A, "mlx5_0", "0000:17:00.0", "mlx5_core" },
	{ "eth9", NULL, "0000:18:00.0", "tg3" },
	{ "eth8", NULL, "0000:19:00.0", "mlx5_core" },
};

struct made {
	const char *name;
	const char *kind;
	const char *lower;
};

static const struct {
	const char *name;
	const struct fake_port *ports;
	size_t n;
	struct made made[4];
	const char *enslaved[4];	/* to bond0 */
	const char *want;	/* "port rdma master;" ... "| bond rdma driver;" "vlan on lower;" */
} stacks[] = {
	{ "nothing stacked", two_ports, 2, {}, {}, A " mlx5_0 -; " B " mlx5_1 -; " },
	{ "a bond of two RDMA devices",
	  two_ports,
	  2,
	  { { "bond0", "bond" } },
	  { A, B },
	  A " mlx5_0 bond0; " B " mlx5_1 bond0; bond0 has - by mlx5_core; " },
	{ "one RDMA device for the bond",
	  lag_ports,
	  3,
	  { { "bond0", "bond" } },
	  { A, B },
	  A " mlx5_bond_0 bond0; " B " mlx5_bond_0 bond0; bond0 has mlx5_bond_0 by mlx5_core; " },
	{ "others in that bond are not its own",
	  mixed_ports,
	  3,
	  { { "bond0", "bond" } },
	  { A, "eth9", "eth8" },
	  A " mlx5_0 bond0; bond0 has - by mlx5_core; " },
	{ "a team is a bond", two_ports, 2, { { "bond0", "team" } }, { B },
	  A " mlx5_0 -; " B " mlx5_1 bond0; bond0 has - by mlx5_core; " },
	{ "a bridge is none", two_ports, 2, { { "bond0", "bridge" } }, { B },
	  A " mlx5_0 -; " B " mlx5_1 bond0; " },
	{ "a bond of other ports", lag_ports, 3, { { "bond0", "bond" } }, { "eno1" },
	  A " mlx5_bond_0 -; " },
	{ "VLANs, one on the other, one of nobody's",
	  lag_ports,
	  3,
	  { { A ".40", "vlan", A },
	    { A ".40.7", "vlan", A ".40" },
	    { "eno1.3", "vlan", "eno1" },
	    { "mac0", "macvlan", A } },
	  {},
	  A " mlx5_bond_0 -; " A ".40 on " A "; " A ".40.7 on " A ".40; mac0 on " A "; " },
	{ "a VLAN on a bond",
	  two_ports,
	  2,
	  { { "bond0", "bond" }, { "bond0.40", "vlan", "bond0" } },
	  { A, B },
	  A " mlx5_0 bond0; " B " mlx5_1 bond0; bond0 has - by mlx5_core; bond0.40 on bond0; " },
};

static void format_inventory(const struct inventory *inventory, FILE *out)
{
	for (size_t i = 0; i < inventory->n; i++) {
		const struct nic *nic = &inventory->list[i];

		(void)fprintf(out, "%s %s %s; ", nic->name, nic->rdma,
			      *nic->master ? nic->master : "-");
	}
	for (size_t i = 0; i < inventory->stacked.n; i++) {
		const struct nic *nic = &inventory->stacked.list[i];

		if (nic->kind == NIC_BOND)
			(void)fprintf(out, "%s has %s by %s; ", nic->name,
				      *nic->rdma ? nic->rdma : "-", nic->driver);
		else
			(void)fprintf(out, "%s on %s; ", nic->name, nic->lower);
	}
}

static void look_again(struct nic_node *node)
{
	inventory_done(&node->inventory);
	assert_int_equal(nic_inventory(node->os, &node->inventory), 0);
}

static struct nic_node *stack_new(size_t row)
{
	struct nic_node *node = nic_node_new(stacks[row].ports, stacks[row].n);

	for (size_t i = 0; i < ARRAY_SIZE(stacks[row].made) && stacks[row].made[i].name; i++)
		case_equal(stacks[row].name,
			   os_fake_add_link(node->os, stacks[row].made[i].name,
					    stacks[row].made[i].kind, stacks[row].made[i].lower),
			   0);
	for (size_t i = 0; i < ARRAY_SIZE(stacks[row].enslaved) && stacks[row].enslaved[i]; i++)
		case_equal(stacks[row].name,
			   os_fake_enslave(node->os, stacks[row].enslaved[i], "bond0"), 0);
	look_again(node);
	return node;
}

static void test_inventory(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(stacks); i++) {
		_cleanup_node_ struct nic_node *node = stack_new(i);
		char text[1024] = "";
		FILE *out = fmemopen(text, sizeof(text), "w");

		assert_non_null(out);
		format_inventory(&node->inventory, out);
		(void)fclose(out);
		case_string(stacks[i].name, text, stacks[i].want);
	}
}

/* soft-RoCE on the bond itself: DCB is each slave's all the same. */
static void test_soft_roce_on_bond(void **state)
{
	_cleanup_node_ struct nic_node *node = stack_new(6);
	const struct nic *nic;

	assert_int_equal(os_fake_poke_file(node->os,
					   "/sys/class/infiniband/rxe0/ports/1/link_layer",
					   "Ethernet\n"),
			 0);
	assert_int_equal(os_fake_poke_file(node->os, "/sys/class/infiniband/rxe0/parent",
					   "bond0\n"),
			 0);
	look_again(node);
	assert_int_equal(node->inventory.n, 2);
	nic = &node->inventory.list[0];
	assert_string_equal(nic->name, "eno1");
	assert_string_equal(nic->rdma, "rxe0");
	assert_string_equal(nic->driver, "tg3");
	assert_string_equal(inventory_rdma(&node->inventory, nic)->name, "bond0");
	assert_ptr_equal(inventory_rdma(&node->inventory, &node->inventory.list[1]),
			 &node->inventory.list[1]);
}

/* soft-RoCE on a slave: its GIDs are the bond's, and yet it is the slave's alone. */
static void test_soft_roce_on_slave(void **state)
{
	static const char *const files[][2] = {
		{ "ports/1/link_layer", "Ethernet\n" },
		{ "ports/1/gid_attrs/ndevs/0", "bond0\n" },
		{ "parent", "eno1\n" },
	};
	_cleanup_node_ struct nic_node *node = stack_new(6);
	struct os_link link;
	char path[128];

	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		(void)snprintf(path, sizeof(path), "/sys/class/infiniband/rxe0/%s", files[i][0]);
		assert_int_equal(os_fake_poke_file(node->os, path, files[i][1]), 0);
	}
	look_again(node);
	assert_int_equal(node->inventory.n, 2);
	assert_string_equal(node->inventory.list[0].name, "eno1");
	assert_string_equal(node->inventory.list[0].rdma, "rxe0");
	assert_string_equal(inventory_stacked_name(&node->inventory, "bond0")->rdma, "");

	/* No link leads to a PCI function: that it still is the slave's only names say */
	assert_int_equal(map_check(node->os, &node->inventory.list[0], true, &link), 0);
	assert_string_equal(link.name, "eno1");
	assert_int_equal(map_check(node->os, &node->inventory.list[0], true, NULL), 0);
	assert_int_equal(os_fake_poke_file(node->os, path, "eno2\n"), 0);
	assert_int_equal(map_check(node->os, &node->inventory.list[0], true, &link), -ENODEV);
	assert_int_equal(map_check(node->os, &node->inventory.list[0], true, NULL), -ENODEV);
	assert_int_equal(os_fake_poke_file(node->os, path, "eno1\n"), 0);
	assert_int_equal(os_fake_rename(node->os, "eno1", "eno3"), 0);
	assert_int_equal(map_check(node->os, &node->inventory.list[0], true, NULL), -ENODEV);
}

/* L03: many VFs are many rows, none is lost, each knows its PF. */
static void test_many_vfs(void **state)
{
	enum { VFS = 255 };
	static struct fake_port ports[VFS + 1];
	static char names[VFS][3][24];
	struct nic_node *node;

	ports[0] = two_ports[0];
	for (unsigned int i = 0; i < VFS; i++) {
		(void)snprintf(names[i][0], sizeof(names[i][0]), "ens1f0v%u", i);
		(void)snprintf(names[i][1], sizeof(names[i][1]), "mlx5_%u", i + 2);
		(void)snprintf(names[i][2], sizeof(names[i][2]), "0000:%02x:%02x.%x",
			       0x18 + i / 128, i % 128 / 8 + 1, i % 8);
		ports[i + 1] = (struct fake_port){ names[i][0], names[i][1], names[i][2],
						   "mlx5_core", .physfn = "0000:17:00.0" };
	}
	node = nic_node_new(ports, VFS + 1);
	assert_int_equal(node->inventory.n, VFS + 1);
	assert_string_equal(node->inventory.list[0].name, A);
	for (size_t i = 1; i <= VFS; i++)
		assert_string_equal(node->inventory.list[i].pf, A);
	nic_node_free(node);
}

/* ---- resolve ---- */

static struct nic ports[] = {
	{ .ifindex = 3, .rdma_port = 1, .mtu = 1500, .name = A, .rdma = "mlx5_bond_0",
	  .driver = "mlx5_core", .pci = "0000:17:00.0", .master_ifindex = 9, .master = "bond0" },
	{ .ifindex = 4, .rdma_port = 1, .mtu = 1500, .name = B, .rdma = "mlx5_bond_0",
	  .driver = "mlx5_core", .pci = "0000:17:00.1", .master_ifindex = 9, .master = "bond0" },
	{ .ifindex = 5, .rdma_port = 1, .mtu = 9000, .name = "ens2", .rdma = "mlx5_2",
	  .driver = "mlx5_core", .pci = "0000:18:00.0", .mac = { 2, 1 } },
	{ .ifindex = 6, .rdma_port = 1, .mtu = 9000, .name = "ens2v0", .rdma = "mlx5_3",
	  .driver = "mlx5_core", .pci = "0000:18:00.2", .vf = true, .pf = "ens2" },
};
static struct nic stacked[] = {
	{ .kind = NIC_BOND, .ifindex = 9, .rdma_port = 1, .mtu = 1500, .name = "bond0",
	  .rdma = "mlx5_bond_0", .driver = "mlx5_core", .pci = "0000:17:00.0" },
	{ .kind = NIC_VLAN, .ifindex = 10, .mtu = 9000, .name = "ens2.40", .lower = "ens2",
	  .lower_ifindex = 5, .mac = { 2, 1 } },
	{ .kind = NIC_VLAN, .ifindex = 11, .mtu = 8000, .name = "storage", .lower = "ens2",
	  .lower_ifindex = 5, .mac = { 2, 1 } },
};
static struct inventory inventory = {
	.list = ports,
	.n = ARRAY_SIZE(ports),
	.stacked = { .list = stacked, .n = ARRAY_SIZE(stacked) },
};

#define CLAMPS_ONE " # ens2.40 shrinks too, from 9000, and does not grow back by itself"
#define CLAMPS	   " # ens2.40 and 1 more shrink too, and do not grow back by themselves"
#define ENSLAVED   " # because " A " is enslaved to it"
#define PF_ONLY	   " not ours # for its VF ens2v0"

static const struct {
	const char *name;
	const char *text;	/* behind SPEC_HEAD: from line 3 */
	const char *want;
} resolves[] = {
	{ "MTU of a bond", "mtu: 4200\nnics: [{name: " A "}]\nnodes: {n: {}}\n",
	  "bond0 mtu 4200" ENSLAVED "\n" },
	{ "once, for both slaves", "mtu: 4200\nnics: [{rdma: mlx5_bond_0}]\nnodes: {n: {}}\n",
	  "bond0 mtu 4200" ENSLAVED "\n" },
	{ "the bond's name means its slaves; one RDMA device",
	  "roce: {mode: v2}\nqos: {pfc: []}\nnics: [{name: bond0}]\nnodes: {n: {}}\n",
	  A " dcbx host # because DCB is managed\n" A " pfc none\n"
	    "mlx5_bond_0 cm_mode v2\nmlx5_bond_0 gid v2 # because mode is v2\n"
	  B " dcbx host # because DCB is managed\n" B " pfc none\n" },
	{ "slaves that disagree",
	  "mtu: 4200\nnics: [{name: " A "}, {name: " B ", mtu: 9000}]\nnodes: {n: {}}\n",
	  "f:4:45: error: bond0: " B " and another of its ports ask for different mtu (4200 and "
	  "9000), but it has only one\n" },
	{ "VLANs are not meant by patterns, nor by their MAC",
	  "mtu: 9000\nnics: [{name: \"ens2.*\"}, {mac: \"02:01:00:00:00:00\"}]\n"
	  "nodes: {n: {}}\n",
	  "ens2 mtu 9000\n" },
	{ "but by their name",
	  "qos: {pfc: []}\nmtu: 9000\nnics: [{name: ens2.40}]\nnodes: {n: {}}\n",
	  "ens2.40 mtu 9000\n" },
	{ "a VLAN that is not there", "mtu: 9000\nnics: [{name: ens2.42}]\nnodes: {n: {}}\n",
	  "ens2.42: no such device\n" },
	{ "shrinks VLANs", "mtu: 4200\nnics: [{name: ens2}]\nnodes: {n: {}}\n",
	  "ens2 mtu 4200" CLAMPS "\n" },
	{ "shrinks one VLAN", "mtu: 8000\nnics: [{name: ens2}]\nnodes: {n: {}}\n",
	  "ens2 mtu 8000" CLAMPS_ONE "\n" },
	{ "the other one is managed",
	  "mtu: 4200\nnics: [{name: ens2}, {name: storage}]\nnodes: {n: {}}\n",
	  "ens2 mtu 4200" CLAMPS_ONE "\nstorage mtu 4200\n" },
	{ "grows: nobody is touched", "mtu: 9100\nnics: [{name: ens2}]\nnodes: {n: {}}\n",
	  "ens2 mtu 9100\n" },
	{ "VLAN above its port",
	  "mtu: 4200\nnics: [{name: ens2}, {name: storage, mtu: 9000}]\nnodes: {n: {}}\n",
	  "f:4:38: error: mtu 9000 of storage is more than mtu 4200 (line 3) of ens2 below it\n" },
	{ "a VF alone: its PF is told",
	  "qos: {pfc: [3]}\nmtu: 4200\nnics: [{name: ens2v0}]\nnodes: {n: {}}\n",
	  "ens2v0 dcbx not-applicable # inherited from PF ens2\n"
	  "ens2v0 pause not-applicable # inherited from PF ens2\n"
	  "ens2v0 pfc not-applicable # inherited from PF ens2\n"
	  "ens2v0 mtu 4200\n"
	  "ens2 dcbx host" PF_ONLY "\nens2 pause off" PF_ONLY "\nens2 pfc 3" PF_ONLY "\n" },
	{ "a PF that is selected is its own",
	  "qos: {pfc: []}\nnics: [{name: ens2}, {name: ens2v0}]\nnodes: {n: {}}\n",
	  "ens2 dcbx host # because DCB is managed\nens2 pfc none\n"
	  "ens2v0 dcbx not-applicable # inherited from PF ens2\n"
	  "ens2v0 pfc not-applicable # inherited from PF ens2\n" },
};

static void write_state(const struct state *state, FILE *out)
{
	char text[VALUE_TEXT_MAX];

	if (state->verdict != VERDICT_IN_SYNC)
		(void)fprintf(out, "%s: %s\n", state->target.name, state->reason);
	for (enum knob knob = 0; knob < KNOB_MAX; knob++) {
		const struct value *value = &state->value[knob];

		if (value->status == VALUE_UNMANAGED)
			continue;
		value_format(&knob_table[knob], value, text, sizeof(text));
		(void)fprintf(out, "%s %s %s%s%s%s\n", state->target.name, knob_table[knob].name,
			      value->status == VALUE_NOT_APPLICABLE ? "not-applicable" : text,
			      value->not_ours ? " not ours" : "", *value->note ? " # " : "",
			      value->note);
	}
}

static char *resolved(const char *text)
{
	char file[1024];
	struct desired desired = {};
	struct diags diags = {};
	struct spec *spec;
	char *shown = NULL;
	size_t size;
	FILE *out = open_memstream(&shown, &size);

	assert_non_null(out);
	(void)snprintf(file, sizeof(file), "%s%s", SPEC_HEAD, text);
	spec = spec_good(file);
	if (spec_resolve(spec, &inventory, "n", &desired, &diags) < 0)
		diags_write(&diags, out, "f", NULL, 0);
	for (size_t i = 0; i < desired.states.n; i++)
		write_state(&desired.states.list[i], out);
	(void)fclose(out);
	desired_done(&desired);
	diags_done(&diags);
	spec_free(spec);
	return shown;
}

static void test_resolve(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(resolves); i++) {
		char *shown = resolved(resolves[i].text);

		case_string(resolves[i].name, shown, resolves[i].want);
		free(shown);
	}
}

/* A slave that has not what its bond has gets it too. */
static void test_slave_that_differs(void **state)
{
	char *shown;

	ports[1].mtu = 9000;
	shown = resolved("mtu: 4200\nnics: [{name: bond0}]\nnodes: {n: {}}\n");
	ports[1].mtu = 1500;
	assert_string_equal(shown, "bond0 mtu 4200" ENSLAVED "\n" B
				   " mtu 4200 # differs from bond0\n");
	free(shown);
}

/* ---- plan ---- */

enum { TARGETS_MAX = 4 };

static const struct {
	const char *name;
	struct {
		const char *name;
		enum nic_kind kind;
		int ifindex, lower, master;
		const char *want, *have;
	} target[TARGETS_MAX];
	const char *steps;
	const char *back;	/* PLAN_BACK, which takes targets from the end; NULL: the same */
} orders[] = {
	{ "grows from below",
	  { { "v", NIC_VLAN, 2, 1, 0, "9000", "1500" },
	    { "p", NIC_PORT, 1, 0, 0, "9000", "1500" } },
	  "p v" },
	{ "shrinks from above",
	  { { "p", NIC_PORT, 1, 0, 0, "4200", "9000" },
	    { "v", NIC_VLAN, 2, 1, 0, "4000", "9000" } },
	  "v p" },
	{ "shrinks below, grows above: room there is",
	  { { "p", NIC_PORT, 1, 0, 0, "4200", "9000" },
	    { "v", NIC_VLAN, 2, 1, 0, "4200", "1500" } },
	  "v p" },
	{ "grows below, shrinks above",
	  { { "v", NIC_VLAN, 2, 1, 0, "1400", "1500" },
	    { "p", NIC_PORT, 1, 0, 0, "4200", "1500" } },
	  "p v" },
	{ "strangers stay as they are",
	  { { "v", NIC_VLAN, 2, 3, 0, "9000", "1500" },
	    { "p", NIC_PORT, 1, 0, 0, "9000", "1500" } },
	  "v p", "p v" },
	{ "three high, growing",
	  { { "w", NIC_VLAN, 3, 2, 0, "9000", "1500" },
	    { "v", NIC_VLAN, 2, 1, 0, "9000", "1500" },
	    { "p", NIC_PORT, 1, 0, 0, "9000", "1500" } },
	  "p v w" },
	{ "three high, shrinking",
	  { { "p", NIC_PORT, 1, 0, 0, "4200", "9000" },
	    { "v", NIC_VLAN, 2, 1, 0, "4200", "9000" },
	    { "w", NIC_VLAN, 3, 2, 0, "4200", "9000" } },
	  "w v p" },
	{ "a bond gives to its slaves, its VLAN comes last",
	  { { "a", NIC_PORT, 1, 0, 9, "9000", "4200" },
	    { "v", NIC_VLAN, 3, 9, 0, "9000", "1500" },
	    { "x", NIC_BOND, 9, 0, 0, "9000", "1500" },
	    { "b", NIC_PORT, 2, 0, 9, "9000", "4200" } },
	  "x a v b", "x b v a" },
	{ "and first when it shrinks",
	  { { "a", NIC_PORT, 1, 0, 9, "1500", "4200" },
	    { "x", NIC_BOND, 9, 0, 0, "1500", "9000" },
	    { "v", NIC_VLAN, 3, 9, 0, "1500", "9000" } },
	  "v x a" },
};

static void add_target(size_t row, size_t i, struct states *want, struct states *have)
{
	struct nic nic = { .kind = orders[row].target[i].kind,
			   .ifindex = orders[row].target[i].ifindex,
			   .lower_ifindex = orders[row].target[i].lower,
			   .master_ifindex = orders[row].target[i].master };
	const struct knob_info *mtu = &knob_table[KNOB_MTU];

	assert_non_null(states_add(want, TARGET_PORT, &nic, orders[row].target[i].name));
	assert_non_null(states_add(have, TARGET_PORT, &nic, orders[row].target[i].name));
	assert_int_equal(value_parse(mtu, orders[row].target[i].want,
				     &want->list[i].value[KNOB_MTU]),
			 0);
	assert_int_equal(value_parse(mtu, orders[row].target[i].have,
				     &have->list[i].value[KNOB_MTU]),
			 0);
}

static void check_order(size_t row, enum plan_direction direction)
{
	struct states want = {}, have = {};
	struct plan plan;
	char text[64] = "";
	FILE *out = fmemopen(text, sizeof(text), "w");

	assert_non_null(out);
	for (size_t i = 0; i < TARGETS_MAX && orders[row].target[i].name; i++)
		add_target(row, i, &want, &have);
	case_equal(orders[row].name, plan_build(&want, &have, direction, &plan), 0);
	for (size_t i = 0; i < plan.n_steps; i++)
		(void)fprintf(out, "%s%s", i ? " " : "",
			      want.list[plan.steps[i].target].target.name);
	(void)fclose(out);
	case_string(orders[row].name, text,
		    direction == PLAN_BACK && orders[row].back ? orders[row].back :
								 orders[row].steps);
	plan_done(&plan);
	states_done(&want);
	states_done(&have);
}

static void test_order(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(orders); i++) {
		check_order(i, PLAN_FORWARD);
		check_order(i, PLAN_BACK);
	}
}

/* What is not ours is told and never written. */
static void test_not_ours(void **state)
{
	struct states want = {}, have = {};
	struct plan plan;

	add_target(0, 0, &want, &have);
	want.list[0].value[KNOB_MTU].not_ours = true;
	value_note(&want.list[0].value[KNOB_MTU], "for its VF ens1f0v0");
	assert_int_equal(plan_build(&want, &have, PLAN_FORWARD, &plan), 0);
	assert_int_equal(plan.n_steps, 0);
	assert_int_equal(plan.findings[0].verdict, VERDICT_DRIFT);
	assert_int_equal(plan_exit(&plan), STATUS_DRIFT);
	assert_string_equal(plan.findings[0].reason,
			    "for its VF ens1f0v0: let nics select v to set it");
	plan_done(&plan);
	states_done(&want);
	states_done(&have);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_inventory),
		cmocka_unit_test(test_soft_roce_on_bond),
		cmocka_unit_test(test_soft_roce_on_slave),
		cmocka_unit_test(test_many_vfs),
		cmocka_unit_test(test_resolve),
		cmocka_unit_test(test_slave_that_differs),
		cmocka_unit_test(test_order),
		cmocka_unit_test(test_not_ours),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
