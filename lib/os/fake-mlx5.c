// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The simulated port of a ConnectX: what the upstream driver makes of each write.
 * Mirrors drivers/net/ethernet/mellanox/mlx5/core/en_dcbnl.c (nic.md 1.0, 1.1).
 */
#include <errno.h>
#include <string.h>

#include "lib/base/macro.h"
#include "lib/os/fake-private.h"

enum {
	CABLE_LIMIT_M = 1000, /* from here on `delay` is ignored */
	RATE_FINE_MAX_KBIT = 26000000, /* 255 * 100 Mbit/s, rounded up to 1 Gbit/s */
	RATE_FINE_KBIT = 100000,
	RATE_COARSE_KBIT = 1000000,
};

/* mlx5e_ets_init(): each attach resets ETS to this odd map. */
static void mlx5_reset(struct fake_device *device)
{
	struct ieee_ets *ets = &device->hw.ets;

	memset(ets->tc_tsa, IEEE_8021QAZ_TSA_VENDOR, sizeof(ets->tc_tsa));
	ets->prio_tc[0] = 1;
	ets->prio_tc[1] = 0;
}

/* Only a different mask takes the link down and up; the same register write clears global pause. */
static int mlx5_set_pfc(struct fake_device *device, const struct ieee_pfc *pfc,
			const struct fake_verdict *verdict)
{
	struct fake_hw *hw = &device->hw;
	int r;

	if (fake_stops(verdict, &r))
		return r;
	if (pfc->delay && pfc->delay < CABLE_LIMIT_M)
		hw->cable_m = pfc->delay;
	if (!fake_write_pfc(device, pfc->pfc_en, verdict))
		return 0;
	hw->pause.rx = false;
	hw->pause.tx = false;
	fake_link_bounce(device);
	return 0;
}

/* Steps of 100 Mbit/s up to 25.5 Gbit/s, of 1 Gbit/s above; never less than one step. */
static uint64_t round_rate(uint64_t kbit, const struct fake_verdict *verdict)
{
	bool fine = kbit <= RATE_FINE_MAX_KBIT && verdict->fate != FAKE_LESS;
	uint64_t unit = fine ? RATE_FINE_KBIT : RATE_COARSE_KBIT;
	uint64_t units = kbit / unit;

	return kbit ? MAX(units, (uint64_t)1) * unit : 0;
}

static int mlx5_set_maxrate(struct fake_device *device, const struct ieee_maxrate *maxrate,
			    const struct fake_verdict *verdict)
{
	int r;

	if (fake_stops(verdict, &r))
		return r;
	for (int i = 0; i < FAKE_PRIORITIES; i++)
		device->hw.maxrate.tc_maxrate[i] = round_rate(maxrate->tc_maxrate[i], verdict);
	return 0;
}

/* Mode 0 gives the port to the firmware; the other setters don't care who owns it. Refusal is a
 * plain 1. */
static int mlx5_set_dcbx(struct fake_device *device, uint8_t mode,
			 const struct fake_verdict *verdict)
{
	struct fake_hw *hw = &device->hw;
	int r;

	if (fake_stops(verdict, &r))
		return r;
	if (mode & DCB_CAP_DCBX_LLD_MANAGED)
		return 1;
	if (!mode)
		hw->dcbx &= (uint8_t)~DCB_CAP_DCBX_HOST;
	else if (mode & DCB_CAP_DCBX_HOST)
		hw->dcbx = mode;
	else
		return 1;
	return 0;
}

/* A failed firmware command ends DSCP trust. */
static bool command_stops(struct fake_device *device, const struct fake_verdict *verdict, int *ret)
{
	if (verdict->fate == FAKE_REFUSE)
		device->hw.trust_dscp = false;
	return fake_stops(verdict, ret);
}

/* The first DSCP entry is trust; an older entry of the same DSCP is replaced. */
static int mlx5_app_add(struct fake_device *device, const struct dcb_app *app,
			const struct fake_verdict *verdict)
{
	struct fake_hw *hw = &device->hw;
	struct dcb_app old = *app;
	bool is_new;
	int r;

	if (!fake_is_dscp(app))
		return -EINVAL;
	if (command_stops(device, verdict, &r))
		return r;
	old.priority = hw->dscp2prio[app->protocol];
	if (!hw->n_dscp)
		hw->trust_dscp = true;
	hw->dscp2prio[app->protocol] = app->priority;
	is_new = fake_app_drop(hw, &old) < 0;
	r = fake_app_add(hw, app);
	if (r < 0)
		return r;
	hw->n_dscp += is_new;
	return 0;
}

/* A deleted DSCP goes to priority 0, not to the default map; with the last one trust goes to PCP.
 */
static int mlx5_app_delete(struct fake_device *device, const struct dcb_app *app,
			   const struct fake_verdict *verdict)
{
	struct fake_hw *hw = &device->hw;
	int r;

	if (!fake_is_dscp(app))
		return -EINVAL;
	if (command_stops(device, verdict, &r))
		return r;
	if (!hw->n_dscp || app->priority != hw->dscp2prio[app->protocol])
		return -ENOENT;
	r = fake_app_drop(hw, app);
	if (r < 0)
		return r;
	hw->dscp2prio[app->protocol] = 0;
	if (!--hw->n_dscp)
		hw->trust_dscp = false;
	return 0;
}

/* en_stats.c: which of them there are depends on what is set. */
static const struct fake_stat mlx5_stat[] = {
	{ "rx_out_of_buffer" },
	{ "rx_discards_phy" },
	{ "rx_pause_ctrl_phy" },
	{ "tx_pause_ctrl_phy" },
	{ "tx_pause_storm_warning_events" },
	{ "tx_pause_storm_error_events" },
	{ "rx_prio%u_bytes" },
	{ "rx_prio%u_packets" },
	{ "rx_prio%u_discards" },
	{ "rx_prio%u_buf_discard" },
	{ "rx_prio%u_cong_discard" },
	{ "rx_prio%u_marked" },
	{ "tx_prio%u_bytes" },
	{ "tx_prio%u_packets" },
	{ "rx_prio%u_pause", FAKE_WITH_PFC },
	{ "rx_prio%u_pause_duration", FAKE_WITH_PFC },
	{ "tx_prio%u_pause", FAKE_WITH_PFC },
	{ "tx_prio%u_pause_duration", FAKE_WITH_PFC },
	{ "rx_prio%u_pause_transition", FAKE_WITH_PFC },
	{ "rx_global_pause", FAKE_WITH_PAUSE },
	{ "rx_global_pause_duration", FAKE_WITH_PAUSE },
	{ "tx_global_pause", FAKE_WITH_PAUSE },
	{ "tx_global_pause_duration", FAKE_WITH_PAUSE },
	{ "rx_global_pause_transition", FAKE_WITH_PAUSE },
	{},
};

const struct fake_driver fake_mlx5 = {
	.name = "mlx5_core",
	.vendor = "0x15b3\n",
	.function = "0x1021\n",
	.dcbx = DCB_CAP_DCBX_VER_CEE | DCB_CAP_DCBX_VER_IEEE, /* firmware owns it */
	.has_stall = true,
	.rx_pause = "rx_prio%u_pause",
	.tx_pause = "tx_prio%u_pause",
	.stat = mlx5_stat,
	.reset = mlx5_reset,
	.get_ets = fake_get_ets,
	.get_pfc = fake_get_pfc,
	.set_ets = fake_set_ets,
	.set_pfc = mlx5_set_pfc,
	.set_buffer = fake_write_buffer,
	.set_maxrate = mlx5_set_maxrate,
	.set_dcbx = mlx5_set_dcbx,
	.app_add = mlx5_app_add,
	.app_delete = mlx5_app_delete,
	.check_pause = fake_no_autoneg,
};
