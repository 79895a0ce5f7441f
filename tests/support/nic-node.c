// SPDX-License-Identifier: LGPL-2.1-or-later
/* See the header. */
#include "tests/support/nic-node.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct fake_port nic_node_ports[2] = {
	{ .name = "ens1f0np0",
	  .rdma = "mlx5_0",
	  .pci = "0000:17:00.0",
	  .driver = "mlx5_core",
	  .ofed = true },
	{ .name = "ens1f1np1",
	  .rdma = "mlx5_1",
	  .pci = "0000:17:00.1",
	  .driver = "mlx5_core",
	  .ofed = true },
};

struct nic_node *nic_node_new(const struct fake_port *ports, size_t n)
{
	struct nic_node *node = calloc(1, sizeof(*node));

	assert_non_null(node);
	assert_int_equal(os_fake_new(ports, n, &node->os), 0);
	nic_provider_init(&node->provider, node->os);
	assert_int_equal(nic_inventory(node->os, &node->inventory), 0);
	os_fake_writes_reset(node->os);
	return node;
}

struct nic_node *nic_node_free(struct nic_node *node)
{
	if (!node)
		return NULL;
	inventory_done(&node->inventory);
	os_free(node->os);
	free(node);
	return NULL;
}

struct state nic_node_state(const struct nic_node *node, size_t index, enum knob knob)
{
	const struct nic *nic = &node->inventory.list[index];
	struct state state = { .target = { .kind = knob_table[knob].target, .nic = *nic } };

	assert_true(index < node->inventory.n);
	(void)snprintf(state.target.name, sizeof(state.target.name), "%s",
		       state.target.kind == TARGET_PORT ? nic->name : nic->rdma);
	return state;
}

int nic_node_observe(struct nic_node *node, const struct state *want, struct state *have)
{
	*have = (struct state){ .target = want->target };
	return node->provider.ops->observe(&node->provider, &want->target, want, have);
}

struct value nic_node_value(struct nic_node *node, size_t index, enum knob knob)
{
	struct state want = nic_node_state(node, index, knob), have;

	want.value[knob].status = VALUE_KNOWN;
	assert_int_equal(nic_node_observe(node, &want, &have), 0);
	return have.value[knob];
}

void nic_node_want(struct state *want, enum knob knob, const char *text)
{
	assert_int_equal(value_parse(&knob_table[knob], text, &want->value[knob]), 0);
}

int nic_node_write(struct nic_node *node, const struct state *want, enum object object,
		   enum step_op op, struct refusal *ret)
{
	const struct provider_ops *ops = node->provider.ops;
	const struct change change = { object, op, UINT64_MAX };
	struct state have = { .target = want->target };

	*ret = (struct refusal){};
	assert_int_equal(ops->read(&node->provider, &want->target, object, &have), 0);
	return ops->write(&node->provider, &want->target, &change, want, &have, ret);
}

void nic_node_assert(const char *name, struct nic_node *node, enum knob knob, const char *text)
{
	struct value value = nic_node_value(node, 0, knob);
	char shown[VALUE_TEXT_MAX];

	case_equal(name, value.status, VALUE_KNOWN);
	value_format(&knob_table[knob], &value, shown, sizeof(shown));
	case_string(name, shown, text);
}
