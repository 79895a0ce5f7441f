// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * From a port of an RDMA device to its network device. Three ways, the surest first: the network
 * device of its GIDs (drivers/infiniband/core/sysfs.c gid_attrs/ndevs; a slot that is not in use
 * gives EINVAL), the network devices on the same PCI device with their dev_port (how rdma-core's
 * rdma-ndd and ibdev2netdev do it), the attribute `parent` of soft-RoCE
 * (drivers/infiniband/sw/rxe/rxe_verbs.c).
 */
#include "lib/nic/map.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/macro.h"
#include "lib/os/file.h"

enum {
	SLOTS_MAX = 4096,
	STACKED_MAX = 8, /* VLANs on VLANs */
};

const struct os_link *map_link_by_name(const struct os_links *links, const char *name)
{
	for (size_t i = 0; i < links->n; i++)
		if (strcmp(links->list[i].name, name) == 0)
			return &links->list[i];
	return NULL;
}

const struct os_link *map_link_by_index(const struct os_links *links, int ifindex)
{
	for (size_t i = 0; i < links->n; i++)
		if (links->list[i].ifindex == ifindex)
			return &links->list[i];
	return NULL;
}

bool map_is_pci_address(const char *text)
{
	static const char digits[] = "0123456789abcdef";
	size_t domain = strspn(text, digits);
	const char *rest = text + domain;

	return domain >= 4 && domain <= 8 && rest[0] == ':' && strspn(rest + 1, digits) == 2 &&
	       rest[3] == ':' && strspn(rest + 4, digits) == 2 && rest[6] == '.' &&
	       rest[7] >= '0' && rest[7] <= '7' && !rest[8];
}

/* The device below VLANs and the like: GIDs of their addresses are in the same table. */
static const struct os_link *base_of(const struct os_links *links, const struct os_link *link)
{
	static const char *const stacked[] = { "vlan", "macvlan", "ipvlan" };

	for (unsigned int depth = 0; link && depth < STACKED_MAX; depth++) {
		bool found = false;

		for (size_t i = 0; i < ARRAY_SIZE(stacked); i++)
			found |= strcmp(link->kind, stacked[i]) == 0;
		if (!found)
			return link;
		link = map_link_by_index(links, link->link_ifindex);
	}
	return NULL;
}

/*
 * Slot by slot in their order, until there is no further one: the first is in use, as a rule, while
 * a listing of the folder is in no order, and soft-RoCE has a thousand.
 */
static const struct os_link *by_gid(struct os *os, const struct os_links *links, const char *rdma,
				    unsigned int port)
{
	char path[OS_PATH_MAX], ndev[OS_NAME_MAX];

	for (unsigned int slot = 0; slot < SLOTS_MAX; slot++) {
		const struct os_link *link;
		int r;

		(void)snprintf(path, sizeof(path),
			       "/sys/class/infiniband/%s/ports/%u/gid_attrs/ndevs/%u", rdma, port,
			       slot);
		r = os_read_text(os, path, ndev, sizeof(ndev));
		if (r == -ENOENT)
			break;
		if (r < 0)
			continue; /* an empty slot */
		link = base_of(links, map_link_by_name(links, ndev));
		if (link)
			return link;
	}
	return NULL;
}

struct neighbours {
	struct os *os;
	const struct os_links *links;
	unsigned int port;
	size_t n;
	const struct os_link *any;
	const struct os_link *same_port; /* with the lowest index: representors come later */
};

static int try_neighbour(const char *name, void *data)
{
	struct neighbours *neighbours = data;
	const struct os_link *link = map_link_by_name(neighbours->links, name);
	char path[OS_PATH_MAX];
	uint64_t dev_port = 0;

	if (!link)
		return 0;
	neighbours->n++;
	neighbours->any = link;
	(void)snprintf(path, sizeof(path), "/sys/class/net/%s/dev_port", link->name);
	if (os_read_number(neighbours->os, path, UINT32_MAX, &dev_port) < 0 ||
	    dev_port + 1 != neighbours->port)
		return 0;
	if (!neighbours->same_port || link->ifindex < neighbours->same_port->ifindex)
		neighbours->same_port = link;
	return 0;
}

static const struct os_link *by_device(struct os *os, const struct os_links *links,
				       const char *rdma, unsigned int port)
{
	struct neighbours neighbours = { .os = os, .links = links, .port = port };
	char path[OS_PATH_MAX];

	(void)snprintf(path, sizeof(path), "/sys/class/infiniband/%s/device/net", rdma);
	(void)os->ops->list(os, path, try_neighbour, &neighbours);
	if (neighbours.same_port)
		return neighbours.same_port;
	return neighbours.n == 1 ? neighbours.any : NULL;
}

static const struct os_link *by_parent(struct os *os, const struct os_links *links,
				       const char *rdma)
{
	char path[OS_PATH_MAX], name[OS_NAME_MAX];

	(void)snprintf(path, sizeof(path), "/sys/class/infiniband/%s/parent", rdma);
	if (os_read_text(os, path, name, sizeof(name)) < 0)
		return NULL;
	return map_link_by_name(links, name);
}

const struct os_link *map_port_link(struct os *os, const struct os_links *links, const char *rdma,
				    unsigned int port)
{
	const struct os_link *link = by_gid(os, links, rdma, port), *slave;

	/* The GIDs of a slave are its bond's; which slave it is, the device below says */
	if (link && strcmp(link->kind, "bond") == 0) {
		slave = by_device(os, links, rdma, port);
		if (!slave)
			slave = by_parent(os, links, rdma);
		return slave ? slave : link;
	}
	if (!link)
		link = by_device(os, links, rdma, port);
	return link ? link : by_parent(os, links, rdma);
}

/* Is the RDMA device of that name still the same one, with @link as its network device? */
static bool is_same_device(struct os *os, const struct nic *nic, struct os_link *link)
{
	char path[OS_PATH_MAX], name[OS_NAME_MAX];

	/* What it links to says at once that the device is there */
	(void)snprintf(path, sizeof(path), "/sys/class/infiniband/%s/device", nic->rdma);
	if (*nic->pci && os_read_link_name(os, path, name, sizeof(name)) >= 0)
		return strcmp(name, nic->pci) == 0;
	if (nic->ifindex > 0)
		return map_port_link(os, &(struct os_links){ .list = link, .n = 1 },
				     nic->rdma, nic->rdma_port);
	(void)snprintf(path, sizeof(path), "/sys/class/infiniband/%s", nic->rdma);
	return os_exists(os, path);
}

int map_check(struct os *os, const struct nic *nic, bool rdma, struct os_link *ret)
{
	struct os_link link = { .ifindex = nic->ifindex };
	int r;

	if (nic->ifindex > 0) {
		r = ret ? os_link_get(os, nic->ifindex, &link) :
			  os->ops->link_name(os, nic->ifindex, link.name);
		if (r < 0)
			return r;
		if (strcmp(link.name, nic->name) != 0)
			return -ENODEV;
	}
	if (rdma && !is_same_device(os, nic, &link))
		return -ENODEV;
	if (ret)
		*ret = link;
	return 0;
}
