// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The ports of this node: each port of each RDMA device with the network device, PCI address and
 * driver that belong to it. Joined from RTNETLINK and sysfs by ifindex; first it is made sure that
 * both show the same network view. What is stacked on the ports is stack.c's.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/cleanup.h"
#include "lib/base/macro.h"
#include "lib/nic/map.h"
#include "lib/nic/nic.h"
#include "lib/nic/stack.h"
#include "lib/os/file.h"

enum {
	NAMESPACE_TRIES = 3,
	NAMESPACE_WAIT_MS = 20,
	PORTS_MAX = 255,
	NICS_MAX = 1024,
};

static_assert((int)NAME_MAX_BYTES >= (int)OS_NAME_MAX, "a name from the seam fits");

/* ---- one namespace ---- */

struct sysfs_view {
	struct os *os;
	const struct os_links *links;
	size_t n;
	bool differs;
};

static int compare_link(const char *name, void *data)
{
	struct sysfs_view *view = data;
	const struct os_link *link;
	char path[OS_PATH_MAX];
	uint64_t ifindex;
	int r;

	if (strlen(name) >= IFNAMSIZ)
		return 0;
	(void)snprintf(path, sizeof(path), "/sys/class/net/%s/ifindex", name);
	r = os_read_number(view->os, path, INT32_MAX, &ifindex);
	if (r == -ENOTDIR || r == -ENOENT)
		return 0; /* bonding_masters is a file; or a device that just went */
	if (r < 0 && r != -EINVAL && r != -ERANGE)
		return r;
	link = r < 0 ? NULL : map_link_by_name(view->links, name);
	if (!link || link->ifindex != (int)ifindex)
		view->differs = true;
	view->n++;
	return 0;
}

/*
 * List the links and see that sysfs has the same. Returns 0; -EXDEV if it has not; another negative
 * errno.
 */
static int dump_links(struct os *os, struct os_links *ret)
{
	for (unsigned int i = 0; i < NAMESPACE_TRIES; i++) {
		struct sysfs_view view = { .os = os, .links = ret };
		int r;

		if (i > 0)
			os->ops->sleep_ms(
				os,
				NAMESPACE_WAIT_MS); /* a device may have come or gone just now */
		os_links_done(ret);
		r = os_link_dump(os, ret);
		if (r < 0)
			return r;
		r = os->ops->list(os, "/sys/class/net", compare_link, &view);
		if (r < 0 && r != -ENOENT)
			return r;
		if (!view.differs && view.n == ret->n)
			return 0;
	}
	return -EXDEV;
}

/* ---- what belongs to a port ---- */

/* What the link @leaf in @folder points to, "" if there is none. */
static void read_link(struct os *os, const char *folder, const char *leaf, char *ret, size_t size)
{
	char path[OS_PATH_MAX];

	(void)snprintf(path, sizeof(path), "%s/%s", folder, leaf);
	if (os_read_link_name(os, path, ret, size) < 0)
		ret[0] = '\0';
}

void nic_fill_device(struct os *os, const char *folder, struct nic *nic)
{
	read_link(os, folder, "device/driver", nic->driver, sizeof(nic->driver));
	read_link(os, folder, "device", nic->pci, sizeof(nic->pci));
	if (!map_is_pci_address(nic->pci))
		nic->pci[0] = '\0';

	read_link(os, folder, "device/physfn", nic->pf, sizeof(nic->pf));
	nic->vf = *nic->pf;
}

void nic_fill_link(const struct os_links *links, const struct os_link *link, struct nic *nic)
{
	const struct os_link *master;

	nic->ifindex = link->ifindex;
	nic->up = link->up;
	nic->carrier = link->carrier;
	nic->mtu = link->mtu;
	nic->mtu_max = link->mtu_max;
	memcpy(nic->mac, link->mac, sizeof(nic->mac));
	(void)snprintf(nic->name, sizeof(nic->name), "%s", link->name);
	nic->master_ifindex = link->master_ifindex;
	master = link->master_ifindex ? map_link_by_index(links, link->master_ifindex) : NULL;
	if (master)
		(void)snprintf(nic->master, sizeof(nic->master), "%s", master->name);
}

/* ---- the walk over RDMA devices and their ports ---- */

struct walk {
	struct os *os;
	const struct os_links *links;
	struct inventory *inventory;
	const char *rdma;
};

static int add_port(struct walk *walk, unsigned int port, const char *link_layer)
{
	struct inventory *inventory = walk->inventory;
	char folder[OS_PATH_MAX - OS_NAME_MAX];
	const struct os_link *link;
	struct nic *nic;
	int r;

	if (inventory->n >= NICS_MAX)
		return -E2BIG;
	r = array_grow(&inventory->list, inventory->n, &inventory->room, sizeof(*inventory->list));
	if (r < 0)
		return r;
	nic = &inventory->list[inventory->n++];
	*nic = (struct nic){ .rdma_port = port };
	(void)snprintf(nic->rdma, sizeof(nic->rdma), "%s", walk->rdma);
	nic->link_layer = strcmp(link_layer, "InfiniBand") == 0 ? LINK_LAYER_INFINIBAND :
								  LINK_LAYER_ETHERNET;

	link = map_port_link(walk->os, walk->links, walk->rdma, port);
	if (link) {
		nic_fill_link(walk->links, link, nic);
		(void)snprintf(folder, sizeof(folder), "/sys/class/net/%s", link->name);
	} else {
		(void)snprintf(folder, sizeof(folder), "/sys/class/infiniband/%s", walk->rdma);
	}
	nic_fill_device(walk->os, folder, nic);
	return 0;
}

static int visit_port(const char *name, void *data)
{
	struct walk *walk = data;
	char path[OS_PATH_MAX], link_layer[OS_NAME_MAX];
	unsigned long port;
	char *end;
	int r;

	if (*name < '1' || *name > '9')
		return 0;
	port = strtoul(name, &end, 10);
	if (*end || port > PORTS_MAX)
		return 0;
	(void)snprintf(path, sizeof(path), "/sys/class/infiniband/%s/ports/%lu/link_layer",
		       walk->rdma, port);
	r = os_read_text(walk->os, path, link_layer, sizeof(link_layer));
	if (r == -ENOENT || r == -ENODEV)
		return 0; /* gone while we looked */
	if (r < 0)
		return r;
	return add_port(walk, (unsigned int)port, link_layer);
}

static int visit_device(const char *name, void *data)
{
	struct walk *walk = data;
	char path[OS_PATH_MAX];
	int r;

	if (strlen(name) >= NAME_MAX_BYTES)
		return 0;
	walk->rdma = name;
	(void)snprintf(path, sizeof(path), "/sys/class/infiniband/%s/ports", name);
	r = walk->os->ops->list(walk->os, path, visit_port, walk);
	return r == -ENOENT || r == -ENODEV ? 0 : r;
}

/* ---- the whole ---- */

static int first_name(const char *name, void *data)
{
	char *first = data;

	if (strlen(name) < NAME_MAX_BYTES && (!*first || strcmp(name, first) < 0))
		(void)snprintf(first, NAME_MAX_BYTES, "%s", name);
	return 0;
}

/* A PF's network device, if it has one here, is a better name than its PCI address. */
static void name_pf(struct os *os, const struct inventory *inventory, struct nic *vf)
{
	char path[OS_PATH_MAX], name[NAME_MAX_BYTES] = "";

	for (size_t i = 0; i < inventory->n; i++) {
		const struct nic *nic = &inventory->list[i];

		if (!nic->vf && *nic->name && strcmp(nic->pci, vf->pf) == 0) {
			(void)snprintf(vf->pf, sizeof(vf->pf), "%s", nic->name);
			return;
		}
	}
	(void)snprintf(path, sizeof(path), "/sys/bus/pci/devices/%s/net", vf->pf);
	(void)os->ops->list(os, path, first_name, name);
	if (*name)
		(void)snprintf(vf->pf, sizeof(vf->pf), "%s", name);
}

/*
 * Those on PCI first, by address; then by port and name, so that the order is the same every time.
 */
static int compare_nics(const void *first, const void *second)
{
	const struct nic *a = first, *b = second;
	int r;

	if (!*a->pci != !*b->pci)
		return *a->pci ? -1 : 1;
	r = strcmp(a->pci, b->pci);
	if (r == 0)
		r = (a->rdma_port > b->rdma_port) - (a->rdma_port < b->rdma_port);
	if (r == 0)
		r = strverscmp(a->name, b->name);
	return r ? r : strverscmp(a->rdma, b->rdma);
}

int nic_inventory(struct os *os, struct inventory *ret)
{
	_cleanup_(inventory_done) struct inventory inventory = {};
	_cleanup_(os_links_done) struct os_links links = {};
	struct walk walk = { .os = os, .links = &links, .inventory = &inventory };
	int r;

	r = dump_links(os, &links);
	if (r < 0)
		return r;
	r = os->ops->list(os, "/sys/class/infiniband", visit_device, &walk);
	if (r < 0 && r != -ENOENT)
		return r;
	r = nic_stack(os, &links, &inventory);
	if (r < 0)
		return r;
	for (size_t i = 0; i < inventory.n; i++)
		if (inventory.list[i].vf)
			name_pf(os, &inventory, &inventory.list[i]);
	if (inventory.n > 0)
		qsort(inventory.list, inventory.n, sizeof(*inventory.list), compare_nics);
	*ret = inventory;
	inventory = (struct inventory){};
	return 0;
}
