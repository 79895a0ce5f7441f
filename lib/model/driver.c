// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Rows of what NIC drivers do differently. Sources: Linux 6.12,
 * drivers/net/ethernet/mellanox/mlx5/core/en_dcbnl.c (mlx5e_dcbnl_ieee_setpfc toggles the port,
 * mlx5e_dcbnl_ieee_setapp deletes the DSCP's old entry); rxe sits on netdevs without DCB.
 */
#include "lib/model/driver.h"

#include <string.h>

#include "lib/base/macro.h"

static const struct driver_info table[] = {
	{
		.name = "mlx5_core",
		.drops_link = KNOB_BIT(KNOB_PFC),
		.app_add_replaces = true,
		.app_delete_note = "a deleted DSCP stays on priority 0 in the hardware",
	},
};

/* Nothing is known: anything that reaches the MAC may drop the link. */
static const struct driver_info unknown = {
	.name = "",
	.drops_link = KNOB_BIT(KNOB_PAUSE) | KNOB_BIT(KNOB_SCHEDULER) | KNOB_BIT(KNOB_TRUST) |
		      KNOB_BIT(KNOB_DSCP_TO_PRIORITY) | KNOB_BIT(KNOB_PFC) | KNOB_BIT(KNOB_MTU),
};

const struct driver_info *driver_find(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(table); i++)
		if (strcmp(table[i].name, name) == 0)
			return &table[i];
	return &unknown;
}
