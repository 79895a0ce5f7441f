// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * What stands where on the simulated node. Mirrors the trees of a ConnectX: the PCI function with
 * its netdev and its RDMA device below it, symbolic links from /sys/class, the GID table with holes
 * (field case N03).
 */
#include <errno.h>
#include <net/if_arp.h>
#include <stdio.h>
#include <string.h>

#include "lib/base/macro.h"
#include "lib/os/fake-private.h"

static const char cm_root[] = "/sys/kernel/config/rdma_cm";
static const char pci_root[] = "/sys/devices/pci0000:00";
static const char debug_root[] = "/sys/kernel/debug/mlx5";
static const char virtual_root[] = "/sys/devices/virtual";

/* ---- netdev attributes ---- */

static int show_ifindex(struct fake_device *device, unsigned int index, char *text, size_t size)
{
	return snprintf(text, size, "%d\n", device->ifindex);
}

static int show_iflink(struct fake_device *device, unsigned int index, char *text, size_t size)
{
	return snprintf(text, size, "%d\n", device->lower ? device->lower : device->ifindex);
}

static int show_mtu(struct fake_device *device, unsigned int index, char *text, size_t size)
{
	return snprintf(text, size, "%u\n", device->mtu);
}

static int show_address(struct fake_device *device, unsigned int index, char *text, size_t size)
{
	const uint8_t *mac = device->mac;

	return snprintf(text, size, "%02x:%02x:%02x:%02x:%02x:%02x\n", mac[0], mac[1], mac[2],
			mac[3], mac[4], mac[5]);
}

static int show_flags(struct fake_device *device, unsigned int index, char *text, size_t size)
{
	return snprintf(text, size, "0x%x\n",
			(unsigned int)(IFF_UP | IFF_BROADCAST | IFF_MULTICAST));
}

static int show_carrier(struct fake_device *device, unsigned int index, char *text, size_t size)
{
	return snprintf(text, size, "%d\n", fake_carrier(device));
}

static int show_operstate(struct fake_device *device, unsigned int index, char *text, size_t size)
{
	return snprintf(text, size, "%s\n", fake_carrier(device) ? "up" : "down");
}

static int show_dev_port(struct fake_device *device, unsigned int index, char *text, size_t size)
{
	return snprintf(text, size, "%u\n", device->dev_port);
}

static int show_type(struct fake_device *device, unsigned int index, char *text, size_t size)
{
	return snprintf(text, size, "%d\n", device->ifindex == 1 ? ARPHRD_LOOPBACK : ARPHRD_ETHER);
}

static const struct fake_attribute netdev_attributes[] = {
	{ "address", show_address, NULL },   { "carrier", show_carrier, NULL },
	{ "dev_port", show_dev_port, NULL }, { "flags", show_flags, NULL },
	{ "ifindex", show_ifindex, NULL },   { "iflink", show_iflink, NULL },
	{ "mtu", show_mtu, NULL },	     { "operstate", show_operstate, NULL },
	{ "type", show_type, NULL },
};

/* ---- RDMA attributes ---- */

static int show_link_layer(struct fake_device *device, unsigned int index, char *text, size_t size)
{
	return snprintf(text, size, "%s\n", device->rdma.infiniband ? "InfiniBand" : "Ethernet");
}

static int show_state(struct fake_device *device, unsigned int index, char *text, size_t size)
{
	bool up = device->rdma.infiniband || fake_carrier(device);

	return snprintf(text, size, "%s\n", up ? "4: ACTIVE" : "1: DOWN");
}

/* Two rows for the link-local address, two for the IPv4 address 192.0.2.N; v1 stands before v2. */
enum { GID_LINK_LOCAL_V1, GID_LINK_LOCAL_V2, GID_IPV4_V1, GID_IPV4_V2, GID_FIRST_EMPTY };

static bool gid_is_empty(const struct fake_device *device, unsigned int index)
{
	return index >= (device->rdma.infiniband ? 1U : (unsigned int)GID_FIRST_EMPTY);
}

static int show_gid(struct fake_device *device, unsigned int index, char *text, size_t size)
{
	const uint8_t *m = device->mac;

	if (gid_is_empty(device, index))
		return snprintf(text, size, "0000:0000:0000:0000:0000:0000:0000:0000\n");
	if (index >= GID_IPV4_V1)
		return snprintf(text, size, "0000:0000:0000:0000:0000:ffff:c000:02%02x\n",
				device->number + 1);
	return snprintf(text, size, "fe80:0000:0000:0000:%02x%02x:%02xff:fe%02x:%02x%02x\n",
			m[0] ^ 2U, m[1], m[2], m[3], m[4], m[5]);
}

/* The kernel answers EINVAL for a slot without a GID */
static int show_gid_type(struct fake_device *device, unsigned int index, char *text, size_t size)
{
	if (gid_is_empty(device, index))
		return -EINVAL;
	return snprintf(text, size, "%s\n", index & 1 ? "RoCE v2" : "IB/RoCE v1");
}

static int show_gid_netdev(struct fake_device *device, unsigned int index, char *text, size_t size)
{
	if (gid_is_empty(device, index) || !device->name[0])
		return -EINVAL;
	return snprintf(text, size, "%s\n", device->name);
}

static const struct fake_attribute port_attributes[] = {
	{ "link_layer", show_link_layer, NULL },
	{ "state", show_state, NULL },
};

static const struct fake_attribute gid_attributes[] = {
	{ "gids", show_gid, NULL },
	{ "gid_attrs/types", show_gid_type, NULL },
	{ "gid_attrs/ndevs", show_gid_netdev, NULL },
};

/* ---- directories ---- */

/* Each of these returns 0 or the first error, so that building a tree is a list of lines. */
#define TRY(call)                  \
	do {                       \
		int _r = (call);   \
		if (_r < 0)        \
			return _r; \
	} while (0)

static int make_dir(struct fake *fake, const char *path)
{
	if (fake->loading)
		return 0;
	return fake_tree_make(fake, FAKE_DIR, path) ? 0 : -ENOMEM;
}

int fake_sysfs_base(struct fake *fake)
{
	TRY(make_dir(fake, pci_root));
	TRY(make_dir(fake, "/sys/class/net"));
	TRY(make_dir(fake, "/sys/class/infiniband"));
	TRY(make_dir(fake, "/sys/module/rdma_cm"));
	TRY(make_dir(fake, "/sys/module/ib_core"));
	TRY(os_fake_lockdown(&fake->os, false));
	return make_dir(fake, cm_root);
}

static int add_vf(struct fake_device *device)
{
	struct fake *fake = device->fake;
	char target[OS_PATH_MAX];
	char path[OS_PATH_MAX];
	unsigned int number = 0;

	(void)snprintf(target, sizeof(target), "../%s", device->physfn);
	TRY(fake_tree_link(fake, target, "%s/%s/physfn", pci_root, device->pci));
	do {
		(void)snprintf(path, sizeof(path), "%s/%s/virtfn%u", pci_root, device->physfn,
			       number++);
	} while (fake_tree_find(fake, path, false));
	(void)snprintf(target, sizeof(target), "../%s", device->pci);
	return fake_tree_link(fake, target, "%s", path);
}

int fake_sysfs_pci(struct fake_device *device)
{
	struct fake *fake = device->fake;
	char path[OS_PATH_MAX];
	char target[OS_PATH_MAX];

	(void)snprintf(path, sizeof(path), "%s/%s", pci_root, device->pci);
	TRY(make_dir(fake, path));
	TRY(fake_tree_text(fake, device->driver->vendor, "%s/vendor", path));
	TRY(fake_tree_text(fake,
			   device->physfn[0] && device->driver == &fake_mlx5 ?
				   "0x101e\n" :
				   device->driver->function,
			   "%s/device", path));
	(void)snprintf(target, sizeof(target), "/sys/bus/pci/drivers/%s", device->driver_name);
	TRY(make_dir(fake, target));
	(void)snprintf(target, sizeof(target), "/sys/module/%s", device->driver_name);
	TRY(make_dir(fake, target));
	(void)snprintf(target, sizeof(target), "../../../bus/pci/drivers/%s", device->driver_name);
	TRY(fake_tree_link(fake, target, "%s/driver", path));
	(void)snprintf(target, sizeof(target), "../../../devices/pci0000:00/%s", device->pci);
	TRY(fake_tree_link(fake, target, "/sys/bus/pci/devices/%s", device->pci));
	return device->physfn[0] ? add_vf(device) : 0;
}

/* The folder of the netdev; @relative to /sys/devices. */
static void netdev_folder(const struct fake_device *device, char *path, size_t size)
{
	if (device->fake->replayed)
		(void)snprintf(path, size, "/sys/class/net/%s", device->name);
	else if (device->pci[0])
		(void)snprintf(path, size, "%s/%s/net/%s", pci_root, device->pci, device->name);
	else
		(void)snprintf(path, size, "%s/net/%s", virtual_root, device->name);
}

int fake_sysfs_netdev(struct fake_device *device)
{
	struct fake *fake = device->fake;
	char folder[OS_PATH_MAX - OS_NAME_MAX];
	char target[OS_PATH_MAX];

	netdev_folder(device, folder, sizeof(folder));
	for (size_t i = 0; i < ARRAY_SIZE(netdev_attributes); i++)
		TRY(fake_tree_attribute(fake, &netdev_attributes[i], device, 0, "%s/%s", folder,
					netdev_attributes[i].name));
	if (device->pci[0]) {
		(void)snprintf(target, sizeof(target), "../../../%s", device->pci);
		TRY(fake_tree_link(fake, target, "%s/device", folder));
	}
	if (device->rdma.ofed && fake_has_dcb(device))
		TRY(fake_ecn_sysfs(device, folder));
	(void)snprintf(target, sizeof(target), "../../%s", folder + strlen("/sys/"));
	return fake_tree_link(fake, target, "/sys/class/net/%s", device->name);
}

void fake_sysfs_drop_netdev(struct fake_device *device)
{
	char path[OS_PATH_MAX];

	netdev_folder(device, path, sizeof(path));
	fake_tree_remove(fake_tree_find(device->fake, path, false));
	(void)snprintf(path, sizeof(path), "/sys/class/net/%s", device->name);
	fake_tree_remove(fake_tree_find(device->fake, path, false));
}

static void rdma_folder(const struct fake_device *device, char *path, size_t size)
{
	if (device->fake->replayed)
		(void)snprintf(path, size, "/sys/class/infiniband/%s", device->rdma.name);
	else
		(void)snprintf(path, size, "%s/%s/infiniband/%s", pci_root, device->pci,
			       device->rdma.name);
}

static int add_gids(struct fake_device *device, const char *folder)
{
	for (size_t i = 0; i < ARRAY_SIZE(gid_attributes); i++)
		for (unsigned int n = 0; n < FAKE_GIDS; n++)
			TRY(fake_tree_attribute(device->fake, &gid_attributes[i], device, n,
						"%s/ports/1/%s/%u", folder, gid_attributes[i].name,
						n));
	return 0;
}

/* OFED has them too; there ecn/ is what counts. */
static bool has_cc_params(const struct fake_device *device)
{
	return device->driver == &fake_mlx5 && fake_has_dcb(device) && !device->rdma.ofed &&
	       !device->rdma.infiniband;
}

int fake_sysfs_rdma(struct fake_device *device)
{
	struct fake *fake = device->fake;
	char folder[OS_PATH_MAX - OS_NAME_MAX];
	char target[OS_PATH_MAX];

	rdma_folder(device, folder, sizeof(folder));
	TRY(fake_tree_text(fake, "1: CA\n", "%s/node_type", folder));
	for (size_t i = 0; i < ARRAY_SIZE(port_attributes); i++)
		TRY(fake_tree_attribute(fake, &port_attributes[i], device, 0, "%s/ports/1/%s",
					folder, port_attributes[i].name));
	TRY(add_gids(device, folder));
	if (device->rdma.ofed)
		TRY(fake_tree_attribute(fake, &fake_traffic_class, device, 0, "%s/tc/1/%s", folder,
					fake_traffic_class.name));
	(void)snprintf(target, sizeof(target), "../../../%s", device->pci);
	TRY(fake_tree_link(fake, target, "%s/device", folder));
	if (has_cc_params(device)) {
		(void)snprintf(target, sizeof(target), "%s/%s", debug_root, device->pci);
		TRY(fake_ecn_debugfs(device, target));
	}
	(void)snprintf(target, sizeof(target), "../../%s", folder + strlen("/sys/"));
	return fake_tree_link(fake, target, "/sys/class/infiniband/%s", device->rdma.name);
}

void fake_sysfs_drop_rdma(struct fake_device *device)
{
	char path[OS_PATH_MAX];

	rdma_folder(device, path, sizeof(path));
	fake_tree_remove(fake_tree_find(device->fake, path, false));
	(void)snprintf(path, sizeof(path), "/sys/class/infiniband/%s", device->rdma.name);
	fake_tree_remove(fake_tree_find(device->fake, path, false));
	(void)snprintf(path, sizeof(path), "%s/%s/cc_params", debug_root, device->pci);
	fake_tree_remove(fake_tree_find(device->fake, path, false));
}

int fake_sysfs_cm_group(struct fake_device *device)
{
	const char *name = device->rdma.name;

	TRY(fake_tree_attribute(device->fake, &fake_cm_mode, device, 0, "%s/%s/ports/1/%s", cm_root,
				name, fake_cm_mode.name));
	return fake_tree_attribute(device->fake, &fake_cm_tos, device, 0, "%s/%s/ports/1/%s",
				   cm_root, name, fake_cm_tos.name);
}
