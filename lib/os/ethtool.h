/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Global pause (802.3x) over ethtool netlink, Linux 5.6 and newer (kernel: net/ethtool/pause.c). */
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
