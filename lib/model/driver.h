/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What differs between NIC drivers, as data: orders and quirks are rows, not conditions in the
 * code.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "lib/model/knob.h"

#define KNOB_BIT(knob) (UINT32_C(1) << (knob))

struct driver_info {
	const char *name;		/* as in /sys/class/net/NAME/device/driver */
	/* KNOB_BIT of each knob whose change takes the link down for a moment */
	uint32_t drops_link;
	/* adding DSCP -> priority removes the DSCP's old entry by itself */
	bool app_add_replaces;
	const char *app_delete_note; /* what a deleted DSCP entry leaves behind; NULL: nothing */
};

/* The row of a driver; unknown drivers get a row that assumes the worst. Never NULL. */
const struct driver_info *driver_find(const char *name);
