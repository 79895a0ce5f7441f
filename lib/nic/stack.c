// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * What is stacked on the ports. Under RoCE LAG one RDMA device, which sits on the first port's PCI
 * device, serves all slaves of a bond (drivers/net/ethernet/mellanox/mlx5/core/lag/lag.c,
 * mlx5_lag_create: the other functions lose theirs); soft-RoCE may sit on the bond itself. Either
 * way DCB belongs to each slave. The MTU of a bond is written to its slaves
 * (drivers/net/bonding/bond_main.c bond_change_mtu), that of a VLAN is bounded by the device below
 * (net/8021q/vlan_dev.c vlan_dev_change_mtu).
 */
#include "lib/nic/stack.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/macro.h"
#include "lib/nic/map.h"

enum { STACKED_MAX = 8 }; /* VLANs on VLANs */

struct stack {
	struct os *os;
	const struct os_links *links;
	struct inventory *inventory;
};

/* What a bond or team is to us: one MTU for all that are enslaved to it. */
static bool is_bond(const struct os_link *link)
{
	return strcmp(link->kind, "bond") == 0 || strcmp(link->kind, "team") == 0;
}

static bool is_vlan(const struct os_link *link)
{
	return strcmp(link->kind, "vlan") == 0 || strcmp(link->kind, "macvlan") == 0;
}

static const struct nic *find_port(const struct inventory *inventory, int ifindex)
{
	for (size_t i = 0; i < inventory->n; i++)
		if (inventory->list[i].ifindex == ifindex)
			return &inventory->list[i];
	return NULL;
}

static struct nic *add_stacked(struct stack *stack, const struct os_link *link, enum nic_kind kind)
{
	struct nics *stacked = &stack->inventory->stacked;
	struct nic *nic;

	if (array_grow(&stacked->list, stacked->n, &stacked->room, sizeof(*stacked->list)) < 0)
		return NULL;
	nic = &stacked->list[stacked->n++];
	*nic = (struct nic){ .kind = kind };
	nic_fill_link(stack->links, link, nic);
	return nic;
}

/* ---- RDMA devices of bonds ---- */

static int add_slave(struct stack *stack, const struct os_link *link, const struct nic *rdma)
{
	struct inventory *inventory = stack->inventory;
	char folder[OS_PATH_MAX];
	struct nic *nic;
	int r;

	r = array_grow(&inventory->list, inventory->n, &inventory->room, sizeof(*inventory->list));
	if (r < 0)
		return r;
	nic = &inventory->list[inventory->n++];
	*nic = (struct nic){ .rdma_port = rdma->rdma_port, .link_layer = rdma->link_layer };
	(void)snprintf(nic->rdma, sizeof(nic->rdma), "%s", rdma->rdma);
	nic_fill_link(stack->links, link, nic);
	(void)snprintf(folder, sizeof(folder), "/sys/class/net/%s", link->name);
	nic_fill_device(stack->os, folder, nic);
	return 0;
}

/* 0000:17:00.0 and 0000:17:00.1 are functions of one card. */
static bool same_card(const struct nic *nic, const char *pci)
{
	size_t length = strcspn(nic->pci, ".");

	return *nic->pci && strncmp(nic->pci, pci, length) == 0 && pci[length] == '.';
}

/* Does the RDMA device of @nic, which is enslaved, serve this slave of the same bond as well? */
static bool serves(const struct stack *stack, const struct nic *nic, const struct os_link *slave)
{
	char folder[OS_PATH_MAX];
	struct nic other = {};

	if (find_port(stack->inventory, slave->ifindex))
		return false; /* it has one of its own */
	(void)snprintf(folder, sizeof(folder), "/sys/class/net/%s", slave->name);
	nic_fill_device(stack->os, folder, &other);
	return strcmp(other.driver, nic->driver) == 0 && same_card(nic, other.pci);
}

/* Returns how many slaves were added that @nic (a copy: the list moves) serves, or -ENOMEM. */
static int add_slaves(struct stack *stack, const struct nic *nic, const struct os_link *bond)
{
	bool on_bond = nic->ifindex == bond->ifindex;
	int n = 0;

	for (size_t i = 0; i < stack->links->n; i++) {
		const struct os_link *link = &stack->links->list[i];
		int r;

		if (link->master_ifindex != bond->ifindex)
			continue;
		if (!on_bond && !serves(stack, nic, link))
			continue;
		r = add_slave(stack, link, nic);
		if (r < 0)
			return r;
		n++;
	}
	return n;
}

static void remove_port(struct inventory *inventory, size_t i)
{
	inventory->n--;
	memmove(&inventory->list[i], &inventory->list[i + 1],
		(inventory->n - i) * sizeof(*inventory->list));
}

/*
 * A port whose RDMA device serves a bond: a row for each slave, none for the bond, which gets the
 * RDMA device.
 */
static int share_rdma(struct stack *stack, size_t i, bool *ret_removed)
{
	const struct nic nic = stack->inventory->list[i];
	const struct os_link *link = map_link_by_index(stack->links, nic.ifindex);
	const struct os_link *bond = link;
	struct nic *stacked;
	int r;

	*ret_removed = false;
	if (link && link->master_ifindex)
		bond = map_link_by_index(stack->links, link->master_ifindex);
	if (!bond || !is_bond(bond))
		return 0;
	r = add_slaves(stack, &nic, bond);
	if (r <= 0)
		return r;
	stacked = add_stacked(stack, bond, NIC_BOND);
	if (!stacked)
		return -ENOMEM;
	stacked->rdma_port = nic.rdma_port;
	(void)snprintf(stacked->rdma, sizeof(stacked->rdma), "%s", nic.rdma);
	(void)snprintf(stacked->pci, sizeof(stacked->pci), "%s", nic.pci);
	*ret_removed = bond == link;
	if (*ret_removed)
		remove_port(stack->inventory, i);
	return 0;
}

static int share_all(struct stack *stack)
{
	size_t n = stack->inventory->n;

	for (size_t i = 0; i < n;) {
		bool removed;
		int r;

		r = share_rdma(stack, i, &removed);
		if (r < 0)
			return r;
		if (removed)
			n--;
		else
			i++;
	}
	return 0;
}

/* ---- bonds ---- */

static bool has_slave(const struct inventory *inventory, const struct os_link *bond)
{
	for (size_t i = 0; i < inventory->n; i++)
		if (inventory->list[i].master_ifindex == bond->ifindex)
			return true;
	return false;
}

/* The driver that all slaves have, "" if they differ; the MTU that all of them can do. */
static void sum_up(const struct stack *stack, struct nic *bond)
{
	bool first = true;

	for (size_t i = 0; i < stack->inventory->n; i++) {
		const struct nic *slave = &stack->inventory->list[i];

		if (slave->master_ifindex != bond->ifindex)
			continue;
		if (first)
			(void)snprintf(bond->driver, sizeof(bond->driver), "%s", slave->driver);
		else if (strcmp(bond->driver, slave->driver) != 0)
			bond->driver[0] = '\0';
		first = false;
		if (slave->mtu_max && (!bond->mtu_max || slave->mtu_max < bond->mtu_max))
			bond->mtu_max = slave->mtu_max;
	}
}

static int add_bonds(struct stack *stack)
{
	for (size_t i = 0; i < stack->links->n; i++) {
		const struct os_link *link = &stack->links->list[i];

		if (!is_bond(link) || inventory_stacked(stack->inventory, link->ifindex) ||
		    !has_slave(stack->inventory, link))
			continue;
		if (!add_stacked(stack, link, NIC_BOND))
			return -ENOMEM;
	}
	for (size_t i = 0; i < stack->inventory->stacked.n; i++)
		sum_up(stack, &stack->inventory->stacked.list[i]);
	return 0;
}

/* ---- VLANs ---- */

/* What a VLAN, or one on it, stands on in the end. */
static const struct os_link *base_of(const struct os_links *links, const struct os_link *link)
{
	for (unsigned int depth = 0; link && is_vlan(link) && depth < STACKED_MAX; depth++)
		link = map_link_by_index(links, link->link_ifindex);
	return link;
}

static int add_vlans(struct stack *stack)
{
	for (size_t i = 0; i < stack->links->n; i++) {
		const struct os_link *link = &stack->links->list[i], *base;
		struct nic *vlan;

		if (!is_vlan(link))
			continue;
		base = base_of(stack->links, link);
		if (!base || (!find_port(stack->inventory, base->ifindex) &&
			      !inventory_stacked(stack->inventory, base->ifindex)))
			continue;
		vlan = add_stacked(stack, link, NIC_VLAN);
		if (!vlan)
			return -ENOMEM;
		vlan->lower_ifindex = link->link_ifindex;
		base = map_link_by_index(stack->links, link->link_ifindex);
		(void)snprintf(vlan->lower, sizeof(vlan->lower), "%s", base->name);
		(void)snprintf(vlan->driver, sizeof(vlan->driver), "8021q");
	}
	return 0;
}

int nic_stack(struct os *os, const struct os_links *links, struct inventory *inventory)
{
	struct stack stack = { .os = os, .links = links, .inventory = inventory };
	int r;

	r = share_all(&stack);
	if (r < 0)
		return r;
	r = add_bonds(&stack);
	return r < 0 ? r : add_vlans(&stack);
}
