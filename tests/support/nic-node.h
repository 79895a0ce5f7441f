/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A simulated node with its NIC provider, and the few moves that tests of lib/nic make with it.
 * Failures end the test.
 */
#pragma once

#include "lib/nic/nic.h"
#include "lib/os/fake.h"
#include "tests/support/cases.h"

struct nic_node {
	struct os *os;
	struct provider provider;
	struct inventory inventory;
};

/* Two ports of one mlx5 card with OFED: ens1f0np0 on mlx5_0, ens1f1np1 on mlx5_1. */
extern const struct fake_port nic_node_ports[2];

struct nic_node *nic_node_new(const struct fake_port *ports, size_t n);
struct nic_node *nic_node_free(struct nic_node *node);

static inline void nic_node_freep(struct nic_node **node)
{
	*node = nic_node_free(*node);
}

#define _cleanup_node_ __attribute__((__cleanup__(nic_node_freep)))

/* The target that @knob belongs to on NIC @index of the inventory, nothing managed. */
struct state nic_node_state(const struct nic_node *node, size_t index, enum knob knob);

/* Observe @want; returns what the provider returned. */
int nic_node_observe(struct nic_node *node, const struct state *want, struct state *have);

/* Observe one knob of NIC @index, which has to work. */
struct value nic_node_value(struct nic_node *node, size_t index, enum knob knob);

/* Want @text (as value_format() writes it) of a knob. */
void nic_node_want(struct state *want, enum knob knob, const char *text);

/* Read the object, write it towards @want; returns what the write returned. */
int nic_node_write(struct nic_node *node, const struct state *want, enum object object,
		   enum step_op op, struct refusal *ret);

/* NIC 0 has this value, as value_format() writes it; @name is the case that says so. */
void nic_node_assert(const char *name, struct nic_node *node, enum knob knob, const char *text);
