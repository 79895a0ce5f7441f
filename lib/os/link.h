/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Network devices over RTNETLINK: the list, one of them, the MTU. Identity is the ifindex; a name
 * may change.
 */
#pragma once

#include <net/if.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/os/os.h"

enum { OS_LINK_DUMP_TRIES = 10 };	/* a dump that was interrupted is repeated so often */

struct os_link {
	int ifindex;
	int link_ifindex;	/* lower device (VLAN, macvlan), 0 if none */
	int master_ifindex;	/* bond, team or bridge it is enslaved to, 0 if none */
	uint32_t mtu;
	uint32_t mtu_min;
	uint32_t mtu_max;	/* 0 if the driver gives none */
	uint8_t mac[6];		/* zero if the address has another length */
	bool up;		/* IFF_UP */
	bool carrier;		/* IFF_LOWER_UP */
	char name[IFNAMSIZ];
	char kind[16];		/* IFLA_INFO_KIND: "bond", "vlan", "" for hardware */
};

struct os_links {
	struct os_link *list;
	size_t n;
	size_t room;
};

void os_links_done(struct os_links *links);

/*
 * List all network devices. An interrupted dump (NLM_F_DUMP_INTR) is discarded and repeated, a
 * message is never cut, and no VF information is asked for. If the kernel says EMSGSIZE all the
 * same (many VFs), device by device, and in the end sysfs, is read (net/core/rtnetlink.c).
 *
 * Returns 0; -EINTR if every try was interrupted (nothing may be concluded from that); another
 * negative errno.
 */
int os_link_dump(struct os *os, struct os_links *ret);

/* One device. Returns 0; -ENODEV if there is none with that index. */
int os_link_get(struct os *os, int ifindex, struct os_link *ret);

/*
 * Set the MTU by index (RTM_NEWLINK with IFLA_MTU).
 *
 * Returns 0; -EINVAL with @ret_error->text from the kernel if it is out of the driver's range;
 * -ENODEV; -EPERM.
 */
int os_link_set_mtu(struct os *os, int ifindex, uint32_t mtu, struct os_error *ret_error);
