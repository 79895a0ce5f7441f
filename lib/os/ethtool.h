/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What ethtool shows and sets. Pause over netlink; tunables, private flags and private statistics
 * exist as ioctl only (kernel: net/ethtool/ioctl.c).
 *
 * Global pause (802.3x) over ethtool netlink, Linux 5.6 and newer (kernel: net/ethtool/pause.c).
 */
#pragma once

#include <stdbool.h>

#include "lib/os/os.h"

struct os_pause {
	bool autoneg;
	bool rx;
	bool tx;
};

/*
 * Returns 0; -EOPNOTSUPP if the driver has no such thing or the kernel no ethtool netlink;
 * -ENODEV.
 */
int os_pause_get(struct os *os, int ifindex, struct os_pause *ret);

/* Returns 0; the errno of the driver, with the kernel's text in @ret_error. */
int os_pause_set(struct os *os, int ifindex, const struct os_pause *pause,
		 struct os_error *ret_error);

/*
 * The PFC stall watchdog in ms (tunable pfc-prevention-tout): 0 off, 0xffff the driver's choice.
 * Returns 0; -EOPNOTSUPP; -ENODEV.
 */
int os_pfc_stall_get(struct os *os, const char *ifname, uint16_t *ret_ms);
int os_pfc_stall_set(struct os *os, const char *ifname, uint16_t ms);

/*
 * A private flag by its name ("fw-lldp-agent"). Returns 0; -EOPNOTSUPP if the driver has none of
 * it.
 */
int os_private_flag_get(struct os *os, const char *ifname, const char *flag, bool *ret);
int os_private_flag_set(struct os *os, const char *ifname, const char *flag, bool on);

enum { OS_STATS_MAX = 16384 };	/* counters of one device that are looked at */

struct os_stat {
	char name[32];		/* as ethtool -S shows it */
	uint64_t value;
};

struct os_stats {
	struct os_stat *list;
	size_t n;
};

void os_stats_done(struct os_stats *stats);

/*
 * All private counters. The set of names may change with every setting (mlx5 has pause counters
 * only where PFC is on), so names and values are read together. Returns 0; -EOPNOTSUPP; -E2BIG
 * above OS_STATS_MAX; -EAGAIN if number or names changed in between, three times in a row.
 */
int os_stats_get(struct os *os, const char *ifname, struct os_stats *ret);

/*
 * Number of ethtool's netlink family and of its multicast group for changes. Returns 0; -EOPNOTSUPP
 * on a kernel that has none (before Linux 5.6).
 */
int os_ethtool_group(struct os *os, int *ret_family, uint32_t *ret_group);
