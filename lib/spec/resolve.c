// SPDX-License-Identifier: LGPL-2.1-or-later
/* Spec and inventory to what is wanted on one node. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "lib/spec/spec-internal.h"

void desired_done(struct desired *desired)
{
	states_done(&desired->states);
	*desired = (struct desired){};
}

/* The part of the file for this host: whole name first, then up to the first dot; "*" is below
 * either. */
static const struct yaml_node *node_find(const struct spec *spec, const char *host,
					 struct desired *desired)
{
	const struct node_name *found;
	char *dot;

	(void)snprintf(desired->node, sizeof(desired->node), "%s", host);
	for (char *c = desired->node; *c; c++)
		*c = (char)tolower((unsigned char)*c);
	found = spec_find_node(spec, desired->node);
	dot = strchr(desired->node, '.');
	if (!found && dot) {
		*dot = '\0';
		found = spec_find_node(spec, desired->node);
		if (!found)
			*dot = '.';
	}
	desired->node_found = found || spec->all_nodes;
	return found ? found->value : NULL;
}

static void policy_resolve(const struct layers *layers, struct policy *ret)
{
	const struct yaml_node *maps[] = {
		yaml_find(layers->top, "policy"),
		yaml_find(layers->all, "policy"),
		yaml_find(layers->node, "policy"),
	};
	struct policy_fields fields = {};
	struct reader reader = { .policy = &fields };

	for (size_t i = 0; i < sizeof(maps) / sizeof(maps[0]); i++)
		if (maps[i])
			section_read(&reader, maps[i], SECTION_POLICY);
	*ret = policy_default;
	policy_apply(&fields, ret);
}

/* A target of which only the reason can be said. */
static int trouble_add(struct states *states, enum target_kind kind, const struct nic *nic,
		       const char *name, enum verdict verdict, const char *reason)
{
	struct state *state = states_find(states, kind, name);

	if (state)
		return 0;
	state = states_add(states, kind, nic, name);
	if (!state)
		return -ENOMEM;
	state->verdict = verdict;
	(void)snprintf(state->reason, sizeof(state->reason), "%s", reason);
	return 0;
}

/* A VF has its PF's port. Who selects the VF alone is told of that port, which stays as it is. */
static int pf_resolve(const struct layers *layers, const struct inventory *inventory,
		      const struct nic *vf, const struct settings *settings, struct states *states,
		      struct diags *diags)
{
	const struct nic *pf = NULL;

	for (size_t i = 0; i < inventory->n && !pf; i++)
		if (!inventory->list[i].vf && *vf->pf &&
		    strcmp(inventory->list[i].name, vf->pf) == 0)
			pf = &inventory->list[i];
	if (!pf || nics_select(layers->nics, pf).selected)
		return 0;
	return derive_pf(states, settings, pf, vf, diags);
}

static int port_resolve(const struct layers *layers, const struct inventory *inventory,
			const struct nic *nic, struct states *states, struct diags *diags)
{
	struct selection selection = nics_select(layers->nics, nic);
	struct settings settings;
	int r;

	if (!selection.selected)
		return 0;
	if (nic->link_layer == LINK_LAYER_INFINIBAND) {
		bool has_netdev = nic->name[0] != '\0';

		if (!selection.by_name)
			return 0;
		return trouble_add(states, has_netdev ? TARGET_PORT : TARGET_RDMA, nic,
				   has_netdev ? nic->name : nic->rdma, VERDICT_FAILED,
				   "is InfiniBand, not Ethernet");
	}
	layers_apply(layers, nic, NULL, &settings);
	settings_check(&settings, diags);
	r = derive_states(states, &settings, inventory, nic, diags);
	if (r < 0 || !nic->vf)
		return r;
	return pf_resolve(layers, inventory, nic, &settings, states, diags);
}

/* `nics` is about ports: a VLAN is meant only if it is named. It has no more than an MTU. */
static int vlan_resolve(const struct layers *layers, const struct nic *nic, struct states *states,
			struct diags *diags)
{
	struct selection selection = nics_select(layers->nics, nic);
	struct settings settings;

	if (nic->kind != NIC_VLAN || !selection.selected || !selection.by_name)
		return 0;
	layers_apply(layers, nic, NULL, &settings);
	return derive_mtu(states, &settings, nic, diags);
}

static int all_resolve(const struct layers *layers, const struct inventory *inventory,
		       struct states *states, struct diags *diags)
{
	int r = 0;

	for (size_t i = 0; i < inventory->n && r >= 0; i++)
		r = port_resolve(layers, inventory, &inventory->list[i], states, diags);
	for (size_t i = 0; i < inventory->stacked.n && r >= 0; i++)
		r = vlan_resolve(layers, &inventory->stacked.list[i], states, diags);
	return r < 0 ? r : stack_check(states, inventory, diags);
}

static int missing_resolve(const struct layers *layers, const struct inventory *inventory,
			   struct states *states)
{
	struct nics_cursor cursor = {};
	const struct yaml_node *named;
	const char *key;
	int r = 0;

	while (r >= 0 && (named = nics_missing_next(layers->nics, inventory, &cursor, &key)))
		r = trouble_add(states, strcmp(key, "rdma") == 0 ? TARGET_RDMA : TARGET_PORT, NULL,
				named->text, VERDICT_PENDING, "no such device");
	return r;
}

static bool states_want(const struct states *states)
{
	for (size_t i = 0; i < states->n; i++) {
		const struct state *state = &states->list[i];

		if (state->verdict != VERDICT_IN_SYNC)
			return true;
		for (enum knob knob = 0; knob < KNOB_MAX; knob++)
			if (state->value[knob].status != VALUE_UNMANAGED)
				return true;
	}
	return false;
}

int spec_resolve(const struct spec *spec, const struct inventory *inventory, const char *node,
		 struct desired *ret, struct diags *diags)
{
	struct desired desired = {};
	struct layers layers;
	int r = 0;

	layers = layers_get(spec, node_find(spec, node, &desired));
	policy_resolve(&layers, &desired.policy);
	if (desired.node_found)
		r = all_resolve(&layers, inventory, &desired.states, diags);
	if (r >= 0 && desired.node_found)
		r = missing_resolve(&layers, inventory, &desired.states);
	if (r >= 0 && diags_has_errors(diags))
		r = -EINVAL;
	if (r < 0) {
		desired_done(&desired);
		return r;
	}
	desired.managed = states_want(&desired.states);
	*ret = desired;
	return 0;
}
