// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Where the knobs of stacked ports belong: DCB to the slave, the MTU to its bond, RDMA knobs to the
 * RDMA device, once. And what an MTU means to those above (net/8021q/vlan.c vlan_device_event: a
 * device that shrinks takes its VLANs along, one that grows does not).
 */
#include <errno.h>
#include <stdio.h>

#include "lib/spec/spec-internal.h"

static bool state_wants(const struct state *state)
{
	for (enum knob knob = 0; knob < KNOB_MAX; knob++)
		if (state->value[knob].status != VALUE_UNMANAGED)
			return true;
	return false;
}

/* "its ports A and B"; of a bond the one that was first is not known any more. */
static void ports_name(const struct state *first, const struct nic *port, char *text, size_t size)
{
	const struct nic *nic = &first->target.nic;

	if (nic->kind == NIC_BOND)
		(void)snprintf(text, size, "%s and another of its ports", port->name);
	else
		(void)snprintf(text, size, "its ports %s and %s", nic->name, port->name);
}

/* What several ports have in common has one set of knobs: all have to want the same of it. */
static int states_agree(const struct state *first, const struct state *second,
			const struct nic *port, struct diags *diags)
{
	for (enum knob knob = 0; knob < KNOB_MAX; knob++) {
		const struct value *a = &first->value[knob], *b = &second->value[knob];
		char left[VALUE_TEXT_MAX], right[VALUE_TEXT_MAX], ports[3 * NAME_MAX_BYTES];

		if (a->status == b->status &&
		    (a->status != VALUE_KNOWN || value_equal(&knob_table[knob], a, b)))
			continue;
		if (a->status != b->status)
			b = b->status == VALUE_UNMANAGED ? a : b;
		value_format(&knob_table[knob], &first->value[knob], left, sizeof(left));
		value_format(&knob_table[knob], &second->value[knob], right, sizeof(right));
		ports_name(first, port, ports, sizeof(ports));
		diag_add(diags, SEVERITY_ERROR, b->where, 1,
			 "%s: %s ask for different %s (%.40s and %.40s), but it has only one",
			 first->target.name, ports, knob_table[knob].name,
			 first->value[knob].status == VALUE_KNOWN ? left : "nothing",
			 second->value[knob].status == VALUE_KNOWN ? right : "nothing");
		return -EINVAL;
	}
	return 0;
}

int state_place(struct states *states, const struct state *state, const struct nic *port,
		struct diags *diags)
{
	const struct state *known =
		states_find(states, state->target.kind, state->target.name);
	struct state *kept;

	if (known && known->verdict == VERDICT_IN_SYNC)
		return states_agree(known, state, port, diags);
	if (known || !state_wants(state))
		return 0;
	kept = states_add(states, state->target.kind, &state->target.nic, state->target.name);
	if (!kept)
		return -ENOMEM;
	*kept = *state;
	return 0;
}

int stack_place_port(struct states *states, const struct inventory *inventory, struct state *port,
		     struct diags *diags)
{
	const struct nic *nic = &port->target.nic;
	const struct nic *bond = inventory_stacked(inventory, nic->master_ifindex);
	struct value *mtu = &port->value[KNOB_MTU];
	struct state above = { .target = { .kind = TARGET_PORT } };
	int r;

	if (bond && mtu->status == VALUE_KNOWN) {
		above.target.nic = *bond;
		above.target.nic.pci[0] = '\0'; /* the RDMA device's, no sign of the bond */
		(void)snprintf(above.target.name, sizeof(above.target.name), "%s", bond->name);
		above.value[KNOB_MTU] = *mtu;
		value_note(&above.value[KNOB_MTU], "because %s is enslaved to it", nic->name);
		if (nic->mtu == bond->mtu)
			*mtu = (struct value){};
		else
			value_note(mtu, "differs from %s", bond->name);
		r = state_place(states, &above, nic, diags);
		if (r < 0)
			return r;
	}
	return state_place(states, port, nic, diags);
}

/* ---- MTUs of a stack ---- */

static struct state *find_mtu(const struct states *states, int ifindex)
{
	for (size_t i = 0; i < states->n; i++) {
		struct state *state = &states->list[i];

		if (state->target.kind == TARGET_PORT && state->target.nic.ifindex == ifindex &&
		    state->value[KNOB_MTU].status == VALUE_KNOWN)
			return state;
	}
	return NULL;
}

static int check_bound(const struct states *states, const struct state *upper, struct diags *diags)
{
	const struct state *lower = find_mtu(states, upper->target.nic.lower_ifindex);
	const struct value *mtu = &upper->value[KNOB_MTU];

	if (!lower || mtu->data.number <= lower->value[KNOB_MTU].data.number)
		return 0;
	diag_add(diags, SEVERITY_ERROR, mtu->where, 1,
		 "mtu %u of %s is more than mtu %u (line %u) of %s below it", mtu->data.number,
		 upper->target.name, lower->value[KNOB_MTU].data.number,
		 lower->value[KNOB_MTU].where.line, lower->target.name);
	return -EINVAL;
}

/* The VLANs that shrink with @state, whether they are asked or not. */
static void note_clamped(const struct states *states, const struct inventory *inventory,
			 struct state *state)
{
	struct value *mtu = &state->value[KNOB_MTU];
	const struct nic *first = NULL;
	unsigned int more = 0;

	for (size_t i = 0; i < inventory->stacked.n; i++) {
		const struct nic *nic = &inventory->stacked.list[i];

		if (!nic_stands_on(nic, &state->target.nic) || nic->mtu <= mtu->data.number ||
		    find_mtu(states, nic->ifindex))
			continue;
		if (first)
			more++;
		else
			first = nic;
	}
	if (!first)
		return;
	if (more)
		value_note(mtu, "%s and %u more shrink too, and do not grow back by themselves",
			   first->name, more);
	else
		value_note(mtu, "%s shrinks too, from %u, and does not grow back by itself",
			   first->name, first->mtu);
}

int stack_check(const struct states *states, const struct inventory *inventory, struct diags *diags)
{
	int r;

	for (size_t i = 0; i < states->n; i++) {
		struct state *state = &states->list[i];

		if (state->target.kind != TARGET_PORT ||
		    state->value[KNOB_MTU].status != VALUE_KNOWN)
			continue;
		r = check_bound(states, state, diags);
		if (r < 0)
			return r;
		note_clamped(states, inventory, state);
	}
	return 0;
}
