// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The simulated port of an E810. Mirrors drivers/net/ethernet/intel/ice/ice_dcb_nl.c (nic.md 1.5).
 * What drops its link there closes and opens the netdev.
 */
#include <errno.h>
#include <string.h>

#include "lib/base/macro.h"
#include "lib/os/fake-private.h"

/* ice_dcb_lib.h: a status that is not an errno */
enum { NO_HARDWARE_CHANGE = 1, HARDWARE_CHANGE = 2 };

/* The firmware's LLDP agent owns DCB until its private flag is off. */
static void ice_set_flag(struct fake_device *device, bool on)
{
	struct fake_hw *hw = &device->hw;

	hw->lldp_agent = on;
	hw->dcbx &= (uint8_t) ~(DCB_CAP_DCBX_LLD_MANAGED | DCB_CAP_DCBX_HOST);
	hw->dcbx |= on ? DCB_CAP_DCBX_LLD_MANAGED : DCB_CAP_DCBX_HOST;
}

static void ice_reset(struct fake_device *device)
{
	ice_set_flag(device, true);
}

static bool refuses(const struct fake_device *device)
{
	return device->hw.dcbx & DCB_CAP_DCBX_LLD_MANAGED ||
	       !(device->hw.dcbx & DCB_CAP_DCBX_VER_IEEE) || device->master;
}

static int ice_set_pfc(struct fake_device *device, const struct ieee_pfc *pfc,
		       const struct fake_verdict *verdict)
{
	int r;

	if (refuses(device))
		return -EINVAL;
	if (fake_stops(verdict, &r))
		return r;
	if (fake_write_pfc(device, pfc->pfc_en, verdict))
		fake_link_bounce(device);
	return 0;
}

/* In DSCP mode the priority map can't change, and no error says so. */
static int ice_set_ets(struct fake_device *device, const struct ieee_ets *ets,
		       const struct fake_verdict *verdict)
{
	struct fake_hw *hw = &device->hw;
	struct ieee_ets new = *ets;
	int r;

	if (refuses(device))
		return -EINVAL;
	if (fake_stops(verdict, &r))
		return r;
	if (hw->trust_dscp)
		memcpy(new.prio_tc, hw->ets.prio_tc, sizeof(new.prio_tc));
	if (fake_check_ets(&new) < 0)
		return -EINVAL;
	if (fake_write_ets(device, &new, verdict))
		fake_link_bounce(device);
	return 0;
}

static void enter_dscp_mode(struct fake_hw *hw)
{
	hw->trust_dscp = true;
	for (uint8_t i = 0; i < FAKE_DSCPS; i++)
		hw->dscp2prio[i] = i >> 3;
	memset(hw->ets.tc_tx_bw, 0, sizeof(hw->ets.tc_tx_bw));
	memset(hw->ets.tc_tsa, IEEE_8021QAZ_TSA_ETS, sizeof(hw->ets.tc_tsa));
	hw->ets.tc_tx_bw[0] = 100;
	for (uint8_t i = 0; i < FAKE_PRIORITIES; i++)
		hw->ets.prio_tc[i] = i;
}

/*
 * A mapped DSCP has to be deleted first. Failures of the hardware come out as 1, with the entry in
 * the table; so does a good set that needed no reset. A status other than 0 ends the message.
 */
static int ice_app_add(struct fake_device *device, const struct dcb_app *app,
		       const struct fake_verdict *verdict)
{
	struct fake_hw *hw = &device->hw;
	uint64_t bit;
	int r;

	if (!fake_is_dscp(app) || refuses(device))
		return -EINVAL;
	r = fake_app_add(hw, app);
	if (r < 0)
		return r;
	bit = 1ULL << app->protocol;
	if (hw->dscp_mapped & bit) {
		(void)fake_app_drop(hw, app);
		return -EINVAL;
	}
	hw->dscp_mapped |= bit;
	if (fake_stops(verdict, &r))
		return NO_HARDWARE_CHANGE;
	if (!hw->trust_dscp)
		enter_dscp_mode(hw);
	hw->dscp2prio[app->protocol] = app->priority;
	fake_link_bounce(device);
	return NO_HARDWARE_CHANGE;
}

static int ice_app_delete(struct fake_device *device, const struct dcb_app *app,
			  const struct fake_verdict *verdict)
{
	struct fake_hw *hw = &device->hw;
	int r;

	if (hw->dcbx & DCB_CAP_DCBX_LLD_MANAGED || device->master)
		return -EINVAL;
	if (verdict->fate >= FAKE_FAIL)
		return verdict->error;
	r = fake_app_drop(hw, app);
	if (r < 0)
		return r;
	if (!fake_is_dscp(app))
		return HARDWARE_CHANGE;
	hw->dscp_mapped &= ~(1ULL << app->protocol);
	if (verdict->fate == FAKE_SKIP)
		return 0;
	hw->dscp2prio[app->protocol] = (uint8_t)(app->protocol % FAKE_PRIORITIES);
	if (!hw->dscp_mapped)
		hw->trust_dscp = false;
	fake_link_bounce(device);
	return 0;
}

/* Not zero also for "already so" and for any change in DSCP mode. */
static int ice_set_dcbx(struct fake_device *device, uint8_t mode,
			const struct fake_verdict *verdict)
{
	struct fake_hw *hw = &device->hw;
	int r;

	if (hw->lldp_agent)
		return NO_HARDWARE_CHANGE;
	if (fake_stops(verdict, &r))
		return r;
	if (mode & DCB_CAP_DCBX_LLD_MANAGED || !(mode & DCB_CAP_DCBX_HOST) ||
	    (mode & DCB_CAP_DCBX_VER_IEEE && mode & DCB_CAP_DCBX_VER_CEE))
		return NO_HARDWARE_CHANGE;
	if (mode == hw->dcbx || hw->trust_dscp)
		return NO_HARDWARE_CHANGE;
	hw->dcbx = mode;
	return 0;
}

static int ice_check_pause(const struct fake_device *device, const struct os_pause *pause)
{
	return pause->autoneg || device->hw.pfc_en ? -EOPNOTSUPP : 0;
}

static const struct fake_stat ice_stat[] = {
	{ "rx_dropped.nic" },	      { "link_xoff_rx.nic" },
	{ "link_xoff_tx.nic" },	      { "tx_priority_%u_xoff.nic" },
	{ "tx_priority_%u_xon.nic" }, { "rx_priority_%u_xoff.nic" },
	{ "rx_priority_%u_xon.nic" }, {},
};

const struct fake_driver fake_ice = {
	.name = "ice",
	.vendor = "0x8086\n",
	.function = "0x1592\n",
	.dcbx = DCB_CAP_DCBX_VER_IEEE,
	.flag = "fw-lldp-agent",
	.rx_pause = "rx_priority_%u_xoff.nic",
	.tx_pause = "tx_priority_%u_xoff.nic",
	.stat = ice_stat,
	.reset = ice_reset,
	.get_ets = fake_get_ets,
	.get_pfc = fake_get_pfc,
	.set_ets = ice_set_ets,
	.set_pfc = ice_set_pfc,
	.set_dcbx = ice_set_dcbx,
	.app_add = ice_app_add,
	.app_delete = ice_app_delete,
	.check_pause = ice_check_pause,
	.set_flag = ice_set_flag,
};
