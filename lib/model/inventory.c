// SPDX-License-Identifier: LGPL-2.1-or-later
/* The ports that lib/nic finds, and how they and the devices stacked on them belong together. */
#include "lib/model/inventory.h"

#include <stdlib.h>
#include <string.h>

void inventory_done(struct inventory *inventory)
{
	free(inventory->stacked.list);
	free(inventory->list);
	*inventory = (struct inventory){};
}

const struct nic *inventory_stacked(const struct inventory *inventory, int ifindex)
{
	for (size_t i = 0; ifindex && i < inventory->stacked.n; i++)
		if (inventory->stacked.list[i].ifindex == ifindex)
			return &inventory->stacked.list[i];
	return NULL;
}

const struct nic *inventory_stacked_name(const struct inventory *inventory, const char *name)
{
	for (size_t i = 0; i < inventory->stacked.n; i++)
		if (strcmp(inventory->stacked.list[i].name, name) == 0)
			return &inventory->stacked.list[i];
	return NULL;
}

const struct nic *inventory_rdma(const struct inventory *inventory, const struct nic *nic)
{
	const struct nic *bond = inventory_stacked(inventory, nic->master_ifindex);

	return bond && *bond->rdma && strcmp(bond->rdma, nic->rdma) == 0 ? bond : nic;
}

bool nic_stands_on(const struct nic *upper, const struct nic *lower)
{
	return upper->lower_ifindex && upper->lower_ifindex == lower->ifindex;
}

bool nic_gives_to(const struct nic *bond, const struct nic *port)
{
	return bond->kind == NIC_BOND && port->master_ifindex == bond->ifindex;
}

int nic_bond(const struct nic *nic)
{
	return nic->kind == NIC_BOND ? nic->ifindex : nic->master_ifindex;
}
