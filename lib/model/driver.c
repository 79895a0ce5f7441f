// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Rows of what NIC drivers do differently. Sources: Linux 6.12 drivers/net/ethernet:
 * mellanox/mlx5/core/en_dcbnl.c (mlx5e_dcbnl_ieee_setpfc toggles the port, _setapp deletes the
 * DSCP's old entry), broadcom/bnxt/bnxt_dcb.c (bnxt_dcbnl_ieee_setpfc wants ETS, bnxt_dcbnl_setdcbx
 * refuses to leave LLD_MANAGED), intel/ice/ice_dcb_nl.c (ice_dcbnl_devreset, ice_dcbnl_setapp).
 * mlx5e_dcbnl_ieee_setmaxrate has eight bits for the number of steps and did not check them before
 * 43b27d1bd88a of November 2025: 25.6 to 25.9 Gbit/s and all above 255 became something else.
 * MLNX_OFED 24.07; Broadcom's bnxt_setupcc.sh; Intel's guide 635330; rxe sits on netdevs without
 * DCB. Nothing of bnxt and ice was tried on hardware.
 */
#include "lib/model/driver.h"

#include <linux/dcbnl.h>
#include <string.h>

#include "lib/base/macro.h"

static const struct driver_info table[] = {
	{
		.name = "mlx5_core",
		.rdma_module = "mlx5_ib",
		.writes_dcb = true,
		.drops_link = KNOB_BIT(KNOB_PFC),
		.dcbx_host = DCB_CAP_DCBX_HOST,
		.app_add_replaces = true,
		.app_delete_note = "a deleted DSCP stays on priority 0 in the hardware",
		.cable_length = true,
		.rates = { { 25500000, 100000 }, { 255000000, 1000000 } },
		.vendor_driver = "OFED",
		.instead[KNOB_ECN_NP] = "mlxconfig ROCE_CC_PRIO_MASK_P1 (bit = priority, default "
					"all), then reset the firmware; or MLNX_OFED",
		.instead[KNOB_ECN_RP] = "mlxconfig ROCE_CC_PRIO_MASK_P1 (bit = priority, default "
					"all), then reset the firmware; or MLNX_OFED",
		.instead[KNOB_CNP_DSCP] = "mlxconfig CNP_DSCP_P1, then reset the firmware",
		.instead[KNOB_CNP_PRIORITY] = "mlxconfig CNP_802P_PRIO_P1, then reset the firmware",
	},
	{
		.name = "bnxt_en",
		.rdma_module = "bnxt_re",
		.writes_dcb = true,
		/* the queues are mapped anew: close and open */
		.drops_link = KNOB_BIT(KNOB_SCHEDULER) | KNOB_BIT(KNOB_PFC),
		.dcbx_host = DCB_CAP_DCBX_HOST | DCB_CAP_DCBX_VER_IEEE,
		.dcb_needs_host = true,
		.lld_stays = "owned by firmware DCBX agent (LLD_MANAGED): disable it in NVM",
		.app_delete_first = true,
		.app_refused_stays = true,
		.pfc_needs_ets = true,
		.zeros_until_set = true,
		.classes = PRIORITIES,
		.lossless_max = 2,
		.instead[KNOB_DCBX] = "niccli or bnxtnvm: nvm option for the firmware's DCBX agent "
				      "off, then reboot",
		.instead[KNOB_ECN_NP] = "bnxt_re of Linux has it on from load; Broadcom's own "
					"driver has bnxt_setupcc.sh",
		.instead[KNOB_ECN_RP] = "bnxt_re of Linux has it on from load; Broadcom's own "
					"driver has bnxt_setupcc.sh",
		.instead[KNOB_CNP_DSCP] = "Broadcom's own driver has bnxt_setupcc.sh",
		.instead[KNOB_CNP_PRIORITY] = "Broadcom's own driver has bnxt_setupcc.sh",
	},
	{
		.name = "ice",
		.rdma_module = "irdma",
		.writes_dcb = true,
		/* every change of these is dev_close and dev_open */
		.drops_link = KNOB_BIT(KNOB_SCHEDULER) | KNOB_BIT(KNOB_TRUST) |
			      KNOB_BIT(KNOB_DSCP_TO_PRIORITY) | KNOB_BIT(KNOB_PFC),
		.dcbx_host = DCB_CAP_DCBX_HOST | DCB_CAP_DCBX_VER_IEEE,
		.agent_flag = "fw-lldp-agent",
		.dcb_needs_host = true,
		.no_dcb_in_bond = true,
		.app_delete_first = true,
		.app_one_per_message = true,
		.app_add_note = "the port's first DSCP entry sets ETS to its defaults, and what "
				"the hardware says of an entry is not told",
		.positive_is_unknown = true,
		.pause_after_pfc_refused = true,
		.classes = 4,
		.dscp_fixes_classes = true,
		.lossless_max = 1,
		.instead[KNOB_ECN_NP] = "irdma of Linux has no DCQCN; Intel's own driver has it in "
					"configfs irdma/DEVICE/roce_dcqcn_enable",
		.instead[KNOB_ECN_RP] = "irdma of Linux has no DCQCN; Intel's own driver has it in "
					"configfs irdma/DEVICE/roce_dcqcn_enable",
	},
	{
		.name = "ionic",
		.dcb_instead = "AMD's nicctl sets it: update qos, update port --pause-type pfc, "
			       "update dcqcn",
		.instead[KNOB_ECN_NP] = "AMD's nicctl sets it: update dcqcn",
		.instead[KNOB_ECN_RP] = "AMD's nicctl sets it: update dcqcn",
		.instead[KNOB_CNP_DSCP] = "AMD's nicctl sets it: update dcqcn --cnp-dscp",
		.instead[KNOB_CNP_PRIORITY] = "AMD's nicctl sets it: update dcqcn",
	},
	{
		/* soft-RoCE on a virtual device */
		.name = "",
		.dcb_instead = "a virtual port has no queues to be lossless: exclude it in `nics`, "
			       "or leave qos out for it",
	},
	{ .name = "8021q" }, /* net/8021q/vlan_dev.c: an MTU of its own never reaches the port */
};

/* Nothing is known: anything that reaches the MAC may drop the link, and DCB is only read. */
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

const struct driver_info *driver_at(size_t index)
{
	return index < ARRAY_SIZE(table) ? &table[index] : NULL;
}

bool driver_needs(const struct driver_info *driver, enum object object, enum object before)
{
	if (!object_table[object].dcb)
		return false;
	if (before == OBJECT_FW_LLDP_AGENT)
		return driver->agent_flag != NULL;
	if (before == OBJECT_DCBX)
		return driver->dcb_needs_host;
	if (object == OBJECT_MAX_RATE)
		return before == OBJECT_ETS; /* else it would limit another class */
	if (object != OBJECT_PFC)
		return false;
	return (before == OBJECT_ETS && driver->pfc_needs_ets) ||
	       (before == OBJECT_PAUSE && driver->pause_after_pfc_refused);
}

uint32_t driver_rate(const struct driver_info *driver, uint32_t kbit)
{
	uint32_t below = 0;

	if (!kbit || !driver->rates[0].step_kbit)
		return kbit;
	for (size_t i = 0; i < ARRAY_SIZE(driver->rates); i++) {
		uint32_t step = driver->rates[i].step_kbit;

		if (kbit <= driver->rates[i].max_kbit)
			return MAX(kbit / step * step, below ?: step);
		below = driver->rates[i].max_kbit;
	}
	return 0;
}

const char *driver_instead(const struct driver_info *driver, enum knob knob)
{
	if (driver->instead[knob])
		return driver->instead[knob];
	if (object_table[knob_table[knob].object].dcb && driver->dcb_instead)
		return driver->dcb_instead;
	return knob_table[knob].instead;
}
