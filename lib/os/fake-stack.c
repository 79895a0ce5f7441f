// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * VLANs and bonds of the simulated node, and how an MTU goes through them. Mirrors net/8021q
 * (vlan_dev_change_mtu(), NETDEV_CHANGEMTU in vlan_device_event()) and drivers/net/bonding
 * (bond_change_mtu(), bond_enslave()).
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "lib/os/fake-private.h"

enum { MTU_DEFAULT = 1500 };

static bool in_range(const struct fake_device *device, uint32_t mtu)
{
	return mtu >= device->mtu_min && (!device->mtu_max || mtu <= device->mtu_max);
}

/* What stands above comes down with it; it does not go up again. */
static void apply_mtu(struct fake_device *device, uint32_t mtu)
{
	struct fake *fake = device->fake;

	device->mtu = mtu;
	for (size_t i = 0; i < fake->n_device; i++) {
		struct fake_device *above = fake->device[i];

		if (above->present && above->lower == device->ifindex &&
		    !strcmp(above->kind, "vlan") && above->mtu > mtu)
			apply_mtu(above, mtu);
	}
}

/* All slaves or none. */
static int set_slaves(struct fake_device *bond, uint32_t mtu)
{
	struct fake *fake = bond->fake;

	for (size_t i = 0; i < fake->n_device; i++)
		if (fake->device[i]->present && fake->device[i]->master == bond->ifindex &&
		    !in_range(fake->device[i], mtu))
			return -EINVAL;
	for (size_t i = 0; i < fake->n_device; i++)
		if (fake->device[i]->present && fake->device[i]->master == bond->ifindex)
			apply_mtu(fake->device[i], mtu);
	return 0;
}

int fake_set_mtu(struct fake_device *device, uint32_t mtu)
{
	const struct fake_device *parent;
	int r = 0;

	parent = device->lower ? fake_find_index(device->fake, device->lower) : NULL;
	if (parent && !strcmp(device->kind, "vlan") && mtu > parent->mtu)
		return -ERANGE;
	if (!strcmp(device->kind, "bond"))
		r = set_slaves(device, mtu);
	if (r == 0)
		apply_mtu(device, mtu);
	return r;
}

int os_fake_poke_mtu(struct os *os, const char *ifname, uint32_t mtu)
{
	struct fake_device *device = fake_find_name(fake_of(os), ifname);

	return device ? fake_set_mtu(device, mtu) : -ENODEV;
}

int os_fake_add_link(struct os *os, const char *name, const char *kind, const char *lower)
{
	const struct fake_device *below = lower ? fake_find_name(fake_of(os), lower) : NULL;
	struct fake_device *device;
	int r;

	if (lower && !below)
		return -ENODEV;
	r = fake_add_virtual(fake_of(os), name, kind, below ? below->mtu : MTU_DEFAULT, &device);
	if (r < 0)
		return r;
	if (below) {
		device->lower = below->ifindex;
		memcpy(device->mac, below->mac, sizeof(device->mac));
	}
	return 0;
}

int os_fake_enslave(struct os *os, const char *ifname, const char *master)
{
	struct fake_device *device = fake_find_name(fake_of(os), ifname);
	const struct fake_device *above = fake_find_name(fake_of(os), master);
	char target[OS_PATH_MAX];

	if (!device || !above)
		return -ENODEV;
	if (!in_range(device, above->mtu))
		return -EINVAL;
	device->master = above->ifindex;
	apply_mtu(device, above->mtu);
	(void)snprintf(target, sizeof(target), "/sys/class/net/%s", master);
	return fake_tree_link(fake_of(os), target, "/sys/class/net/%s/master", ifname);
}
