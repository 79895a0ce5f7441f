// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * NCCL's view of a node. Facts: NVIDIA/nccl src/transport/net_ib/connect.cc (one traffic class, SL
 * and GID index a process; an index of -1 looks for type, family and range from 2.21 on),
 * net_ib/init.cc (NCCL_IB_HCA: '=' matches whole names, a list of NAME:PORT, at most 32),
 * src/misc/param.cc (files).
 */
#include "lib/node/nccl.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/macro.h"
#include "lib/base/text.h"
#include "lib/nic/counters.h"

enum { HCAS_MAX = 32 }; /* MAX_IB_DEVS */

struct port {
	const struct nic *nic;
	const struct state *rdma; /* what the file wants of its RDMA device, NULL: nothing */
	const struct state *port; /* and of its network device */
	const struct nic *vlan; /* where the GID is, NULL: on the port or its bond itself */
	struct gid_choice gid;
	size_t alike; /* RoCE v2 GIDs of the same family in the table */
	int result; /* of reading it */
};

struct ports {
	struct port list[HCAS_MAX];
	size_t n;
	const struct pass *pass;
	struct nccl_env *env;
};

static void _printf_(3, 4) note(struct nccl_env *env, bool trouble, const char *format, ...)
{
	struct nccl_note *last = &env->notes[env->n_notes];
	va_list arguments;

	if (env->n_notes == NCCL_NOTES_MAX)
		return;
	env->n_notes++;
	last->trouble = trouble;
	va_start(arguments, format);
	(void)vsnprintf(last->text, sizeof(last->text), format, arguments);
	va_end(arguments);
}

/* A setting whose value and reason the caller fills. */
static struct nccl_setting *setting(struct nccl_env *env, const char *name)
{
	struct nccl_setting *last = &env->list[env->n++];

	*last = (struct nccl_setting){ .name = name };
	return last;
}

const struct nccl_setting *nccl_env_find(const struct nccl_env *env, const char *name)
{
	for (size_t i = 0; i < env->n; i++)
		if (strcmp(env->list[i].name, name) == 0)
			return &env->list[i];
	return NULL;
}

/* ---- which ports ---- */

/*
 * Comma and colon part NCCL's list, and a file has no quotes: a name that has more than this cannot
 * be told to it.
 */
static bool name_is_plain(const char *name)
{
	static const char plain[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-";

	return *name && !name[strspn(name, plain)];
}

static const struct state *port_state(const struct states *want, const struct nic *nic)
{
	const struct state *state = states_find(want, TARGET_PORT, nic->name);

	if (!state && *nic->master)
		state = states_find(want, TARGET_PORT, nic->master);
	return state;
}

/* Of a PF whose VF alone is selected things are wanted too, but not for its own sake. */
static bool is_selected(const struct state *state)
{
	if (!state || state->verdict != VERDICT_IN_SYNC)
		return false;
	for (enum knob knob = 0; knob < KNOB_MAX; knob++)
		if (state->value[knob].status != VALUE_UNMANAGED && !state->value[knob].not_ours)
			return true;
	return false;
}

static bool is_listed(const struct ports *ports, const struct nic *nic)
{
	for (size_t i = 0; i < ports->n; i++)
		if (strcmp(ports->list[i].nic->rdma, nic->rdma) == 0 &&
		    ports->list[i].nic->rdma_port == nic->rdma_port)
			return true;
	return false;
}

/* A VF has its PF's port: NCCL would take them for two. */
static bool has_pf(const struct ports *ports, const struct nic *vf)
{
	for (size_t i = 0; i < ports->n && vf->vf; i++)
		if (strcmp(ports->list[i].nic->name, vf->pf) == 0 ||
		    strcmp(ports->list[i].nic->pci, vf->pf) == 0)
			return true;
	return false;
}

static void add_port(struct ports *ports, const struct nic *nic)
{
	const struct states *want = &ports->pass->desired.states;
	const struct state *rdma = states_find(want, TARGET_RDMA, nic->rdma);
	const struct state *port = port_state(want, nic);

	if (nic->link_layer != LINK_LAYER_ETHERNET || is_listed(ports, nic) || has_pf(ports, nic))
		return;
	if (!is_selected(port) && (*nic->name || !is_selected(rdma)))
		return;
	if (!name_is_plain(nic->rdma)) {
		note(ports->env, true,
		     "an RDMA device has a name that NCCL_IB_HCA cannot have (letters, digits, "
		     "'_', '.', '-'): rename it with rdma dev set");
		return;
	}
	if (ports->n == HCAS_MAX) {
		note(ports->env, true, "NCCL takes %d ports at most: %s is left out", HCAS_MAX,
		     nic->rdma);
		return;
	}
	ports->list[ports->n++] = (struct port){ .nic = nic, .rdma = rdma, .port = port };
}

/* ---- their GIDs ---- */

static bool is_alike(const struct gid *gid, const struct port *port)
{
	bool v4 = !strchr(gid->address, ':');

	return gid->rdma_port == port->nic->rdma_port && gid_is_routed_v2(gid) &&
	       v4 == (port->gid.rank == GID_RANK_V4);
}

static void count_alike(const struct pass *pass, struct port *port)
{
	_cleanup_(gids_done) struct gids gids = {};

	if (nic_gids_read(pass->os, port->nic, &gids) < 0)
		return;
	for (size_t i = 0; i < gids.n; i++)
		port->alike += is_alike(&gids.list[i], port);
}

int nccl_gid_find(struct os *os, const struct inventory *inventory, const struct states *want,
		  const struct nic *nic, struct gid_choice *ret, const struct nic **ret_vlan)
{
	const struct nic *below = inventory_rdma(inventory, nic);
	int r;

	*ret_vlan = NULL;
	r = gid_choose(os, nic, ret);
	for (size_t i = 0; i < inventory->stacked.n && r == 0; i++) {
		const struct nic *vlan = &inventory->stacked.list[i];
		bool named = want && states_find(want, TARGET_PORT, vlan->name);
		struct nic there = *nic;
		struct gid_choice found;

		if (vlan->kind != NIC_VLAN || !nic_stands_on(vlan, below))
			continue;
		(void)snprintf(there.name, sizeof(there.name), "%s", vlan->name);
		there.master[0] = '\0';
		if (gid_choose(os, &there, &found) < 0 || found.rank < GID_RANK_GLOBAL)
			continue;
		if (ret->rank >= GID_RANK_GLOBAL && (!named || *ret_vlan))
			continue;
		*ret = found;
		*ret_vlan = vlan;
	}
	return r;
}

static void find_gid(const struct pass *pass, struct port *port)
{
	port->result = nccl_gid_find(pass->os, &pass->inventory, &pass->desired.states, port->nic,
				     &port->gid, &port->vlan);
	if (port->result == 0)
		count_alike(pass, port);
}

/* ---- the settings ---- */

static bool known_tos(const struct state *rdma, uint32_t *ret)
{
	const struct value *tos = rdma ? &rdma->value[KNOB_CM_TOS] : NULL;
	const struct value *class = rdma ? &rdma->value[KNOB_TRAFFIC_CLASS] : NULL;

	if (tos && tos->status == VALUE_KNOWN)
		*ret = tos->data.number;
	else if (class && class->status == VALUE_KNOWN && class->data.optional.set)
		*ret = class->data.optional.number;
	else
		return false;
	return true;
}

/* Then nobody but NCCL itself brings its traffic there. */
static bool wants_lossless(const struct ports *ports)
{
	for (size_t i = 0; i < ports->n; i++) {
		const struct state *port = ports->list[i].port;

		if (port && port->value[KNOB_PFC].status == VALUE_KNOWN &&
		    port->value[KNOB_PFC].data.number)
			return true;
	}
	return false;
}

static void put_tc(const struct ports *ports)
{
	struct nccl_setting *tc;
	const struct port *first = NULL;
	uint32_t value = 0, other;

	for (size_t i = 0; i < ports->n; i++) {
		if (!known_tos(ports->list[i].rdma, &other))
			continue;
		if (first && other != value) {
			note(ports->env, true,
			     "%s has traffic class %u and %s %u, and NCCL has one NCCL_IB_TC for "
			     "all: run it with the devices of one class in NCCL_IB_HCA",
			     first->nic->rdma, value, ports->list[i].nic->rdma, other);
			return;
		}
		first = first ?: &ports->list[i];
		value = other;
	}
	if (!first) {
		note(ports->env, wants_lossless(ports),
		     "the file has no roce.traffic_class: NCCL_IB_TC is not set, and NCCL sends "
		     "with ToS 0");
		return;
	}
	tc = setting(ports->env, "NCCL_IB_TC");
	(void)snprintf(tc->value, sizeof(tc->value), "%u", value);
	(void)snprintf(tc->why, sizeof(tc->why),
		       "traffic class of the fabric file: DSCP %u, ECN bits %u; NCCL does not use "
		       "RDMA-CM's ToS",
		       value >> 2, value & 3);
}

static void put_hca(const struct ports *ports)
{
	struct nccl_setting *hca = setting(ports->env, "NCCL_IB_HCA");
	struct text text = { .text = hca->value, .size = sizeof(hca->value) };

	for (size_t i = 0; i < ports->n; i++)
		text_put(&text, "%s%s:%u", i ? "," : "=", ports->list[i].nic->rdma,
			 ports->list[i].nic->rdma_port);
	if (text.used >= sizeof(hca->value) - 1) {
		ports->env->n--;
		note(ports->env, true, "NCCL_IB_HCA would be longer than NCCL reads (%d bytes)",
		     NCCL_VALUE_MAX - 1);
		return;
	}
	(void)snprintf(hca->why, sizeof(hca->why),
		       "the RoCE ports that the file selects, by whole name ('=')");
}

static bool check_gid(const struct ports *ports, const struct port *port)
{
	if (port->result < 0)
		note(ports->env, true, "cannot read the GID table of %s: %s", port->nic->rdma,
		     strerror(-port->result));
	else if (port->gid.rank < GID_RANK_GLOBAL)
		note(ports->env, true,
		     "%s has no RoCE v2 GID of an IP address%s: give %s an address",
		     port->nic->rdma,
		     port->gid.rank == GID_RANK_LINK_LOCAL ?
			     " (a link-local one is not taken by NCCL)" :
			     "",
		     *port->nic->master ? port->nic->master :
		     *port->nic->name	? port->nic->name :
					  "its network device");
	return port->result == 0 && port->gid.rank >= GID_RANK_GLOBAL;
}

static void put_index(const struct ports *ports)
{
	const struct port *first = &ports->list[0];
	struct nccl_setting *index = setting(ports->env, "NCCL_IB_GID_INDEX");

	(void)snprintf(index->value, sizeof(index->value), "%u", first->gid.index);
	(void)snprintf(index->why, sizeof(index->why),
		       "where RoCE v2 with %s stands now (%s%s%s); it moves with addresses, and "
		       "NCCL 2.21 and later find it by themselves if this is not set",
		       first->gid.rank == GID_RANK_V4 ? "IPv4" : "IPv6", first->gid.address,
		       first->vlan ? " on " : "", first->vlan ? first->vlan->name : "");
}

/* The index differs: from 2.21 on NCCL looks for it by these, on each device. */
static void put_search(const struct ports *ports)
{
	bool v4 = ports->list[0].gid.rank == GID_RANK_V4;
	struct nccl_setting *version, *family;

	version = setting(ports->env, "NCCL_IB_ROCE_VERSION_NUM");
	(void)snprintf(version->value, sizeof(version->value), "2");
	(void)snprintf(version->why, sizeof(version->why),
		       "the RoCE v2 GIDs have different indices: NCCL 2.21 and later look for them "
		       "if NCCL_IB_GID_INDEX is not set");
	family = setting(ports->env, "NCCL_IB_ADDR_FAMILY");
	(void)snprintf(family->value, sizeof(family->value), "%s", v4 ? "AF_INET" : "AF_INET6");
	(void)snprintf(family->why, sizeof(family->why), "all of them have an %s GID",
		       v4 ? "IPv4" : "IPv6");
	note(ports->env, false,
	     "the RoCE v2 GIDs have different indices, and NCCL before 2.21 takes one for all "
	     "devices of a process: give each process its own");
	for (size_t i = 0; i < ports->n; i++)
		note(ports->env, false, "%s has its RoCE v2 GID at index %u",
		     ports->list[i].nic->rdma, ports->list[i].gid.index);
}

static void put_gid(const struct ports *ports)
{
	const struct port *first = &ports->list[0];
	bool good = true, same = true, family = true;

	for (size_t i = 0; i < ports->n; i++) {
		const struct port *port = &ports->list[i];

		good &= check_gid(ports, port);
		same &= port->gid.index == first->gid.index;
		family &= port->gid.rank == first->gid.rank;
	}
	if (!good)
		return;
	if (same) {
		put_index(ports);
		return;
	}
	if (!family) {
		note(ports->env, true,
		     "some devices have an IPv4 GID and others only IPv6, at different indices: "
		     "NCCL takes one NCCL_IB_ADDR_FAMILY");
		return;
	}
	put_search(ports);
	for (size_t i = 0; i < ports->n; i++)
		if (ports->list[i].alike > 1)
			note(ports->env, false,
			     "%s has %zu such GIDs: NCCL_IB_ADDR_RANGE=NETWORK/LENGTH says which",
			     ports->list[i].nic->rdma, ports->list[i].alike);
}

/* With a tag NCCL's SL is the PCP (drivers/infiniband/hw/mlx5/qp.c); without it means nothing. */
static void put_sl(const struct ports *ports)
{
	struct nccl_setting *sl;
	const struct value *map;
	uint32_t tos, mask;

	if (!ports->list[0].vlan || !ports->list[0].port || !known_tos(ports->list[0].rdma, &tos))
		return;
	map = &ports->list[0].port->value[KNOB_DSCP_TO_PRIORITY];
	mask = map->status == VALUE_KNOWN ? map->data.map.priorities[tos >> 2] : 0;
	if (!mask)
		return;
	sl = setting(ports->env, "NCCL_IB_SL");
	(void)snprintf(sl->value, sizeof(sl->value), "%d", __builtin_ctz(mask));
	(void)snprintf(sl->why, sizeof(sl->why),
		       "the priority of DSCP %u, as PCP of frames with the tag of %s", tos >> 2,
		       ports->list[0].vlan->name);
}

int nccl_env_build(const struct pass *pass, struct nccl_env *ret)
{
	_cleanup_free_ struct ports *ports = calloc(1, sizeof(*ports));

	*ret = (struct nccl_env){};
	if (!ports)
		return -ENOMEM;
	*ports = (struct ports){ .pass = pass, .env = ret };
	/* PFs before their VFs */
	for (int vf = 0; vf <= 1; vf++)
		for (size_t i = 0; i < pass->inventory.n; i++)
			if (pass->inventory.list[i].vf == vf)
				add_port(ports, &pass->inventory.list[i]);
	if (!ports->n) {
		note(ret, true, "no RoCE port that NCCL could use is selected by the file");
		return 0;
	}
	for (size_t i = 0; i < ports->n; i++)
		find_gid(pass, &ports->list[i]);
	put_tc(ports);
	put_sl(ports);
	put_hca(ports);
	put_gid(ports);
	return 0;
}
