// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The simulated port: what a ConnectX with the upstream driver makes of each write.
 * Mirrors drivers/net/ethernet/mellanox/mlx5/core/en_dcbnl.c and the APP list of net/dcb/dcbnl.c
 * (nic.md 1.0, 1.1).
 */
#include <errno.h>
#include <string.h>

#include "lib/base/macro.h"
#include "lib/os/fake-private.h"

enum {
	CABLE_DEFAULT_M = 7,
	CABLE_LIMIT_M = 1000, /* from here on `delay` is ignored */
};

/* mlx5e_ets_init(): each attach resets ETS to this odd map. The firmware owns DCBX until told
 * otherwise. */
void fake_mlx5_attach(struct fake_device *device)
{
	struct fake_hw *hw = &device->hw;

	*hw = (struct fake_hw){
		.ets.ets_cap = FAKE_PRIORITIES,
		.cable_m = CABLE_DEFAULT_M,
		.dcbx = DCB_CAP_DCBX_VER_CEE | DCB_CAP_DCBX_VER_IEEE,
		.pause = { .rx = true, .tx = true },
	};
	memset(hw->ets.tc_tsa, IEEE_8021QAZ_TSA_VENDOR, sizeof(hw->ets.tc_tsa));
	for (uint8_t i = 0; i < FAKE_PRIORITIES; i++)
		hw->ets.prio_tc[i] = i < 2 ? !i : i;
	for (uint8_t i = 0; i < FAKE_DSCPS; i++)
		hw->dscp2prio[i] = i >> 3;
}

/* mlx5e_dbcnl_validate_ets() */
static int check_ets(const struct ieee_ets *ets)
{
	bool has_ets = false;
	unsigned int sum = 0;

	for (int i = 0; i < FAKE_PRIORITIES; i++)
		if (ets->prio_tc[i] >= FAKE_PRIORITIES)
			return -EINVAL;
	for (int i = 0; i < FAKE_PRIORITIES; i++) {
		if (ets->tc_tsa[i] == IEEE_8021QAZ_TSA_CB_SHAPER)
			return -EOPNOTSUPP;
		if (ets->tc_tsa[i] != IEEE_8021QAZ_TSA_ETS)
			continue;
		has_ets = true;
		sum += ets->tc_tx_bw[i];
	}
	return has_ets && sum != 100 ? -EINVAL : 0;
}

int fake_mlx5_set_ets(struct fake_device *device, const struct ieee_ets *ets)
{
	int r;

	r = check_ets(ets);
	if (r < 0)
		return r;
	device->hw.ets = *ets;
	device->hw.ets.willing = 0;
	device->hw.ets.ets_cap = FAKE_PRIORITIES;
	return 0;
}

/* Only a different mask takes the link down and up; the same register write clears global pause. */
int fake_mlx5_set_pfc(struct fake_device *device, const struct ieee_pfc *pfc)
{
	struct fake_hw *hw = &device->hw;

	if (pfc->delay && pfc->delay < CABLE_LIMIT_M)
		hw->cable_m = pfc->delay;
	if (pfc->pfc_en == hw->pfc_en)
		return 0;
	hw->pfc_en = pfc->pfc_en;
	hw->pause.rx = false;
	hw->pause.tx = false;
	device->carrier_from_ms = device->fake->now_ms + device->link_delay_ms;
	return 0;
}

/* Mode 0 gives the port to the firmware; the other setters don't care who owns it. Refusal is a
 * plain 1. */
int fake_mlx5_set_dcbx(struct fake_device *device, uint8_t mode)
{
	struct fake_hw *hw = &device->hw;

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

/* net/ethtool/pause.c asks the driver only if something differs; the driver refuses autonegotiation
 * alone. */
int fake_mlx5_set_pause(struct fake_device *device, const struct os_pause *pause)
{
	struct os_pause *have = &device->hw.pause;

	if (pause->autoneg == have->autoneg && pause->rx == have->rx && pause->tx == have->tx)
		return 0;
	if (pause->autoneg)
		return -EINVAL;
	*have = *pause;
	return 0;
}

/* ---- the APP table of the kernel ---- */

static struct dcb_app *find_app(struct fake_hw *hw, const struct dcb_app *app)
{
	for (size_t i = 0; i < hw->n_app; i++)
		if (hw->app[i].selector == app->selector && hw->app[i].protocol == app->protocol &&
		    hw->app[i].priority == app->priority)
			return &hw->app[i];
	return NULL;
}

int fake_app_table_add(struct fake_hw *hw, const struct dcb_app *app)
{
	if (find_app(hw, app))
		return -EEXIST;
	if (hw->n_app >= ARRAY_SIZE(hw->app))
		return -ENOMEM;
	memmove(hw->app + 1, hw->app, hw->n_app * sizeof(*app));
	hw->app[0] = *app;
	hw->n_app++;
	return 0;
}

static int app_table_delete(struct fake_hw *hw, const struct dcb_app *app)
{
	struct dcb_app *found = find_app(hw, app);

	if (!found)
		return -ENOENT;
	hw->n_app--;
	memmove(found, found + 1, (size_t)(hw->app + hw->n_app - found) * sizeof(*found));
	return 0;
}

static bool is_dscp(const struct dcb_app *app)
{
	return app->selector == IEEE_8021QAZ_APP_SEL_DSCP && app->protocol < FAKE_DSCPS &&
	       app->priority < FAKE_PRIORITIES;
}

/* The first DSCP entry is trust; an older entry of the same DSCP is replaced. */
int fake_mlx5_app_add(struct fake_device *device, const struct dcb_app *app)
{
	struct fake_hw *hw = &device->hw;
	struct dcb_app old = *app;
	bool is_new;
	int r;

	if (!is_dscp(app))
		return -EINVAL;
	old.priority = hw->dscp2prio[app->protocol];
	if (!hw->n_dscp)
		hw->trust_dscp = true;
	hw->dscp2prio[app->protocol] = app->priority;
	is_new = app_table_delete(hw, &old) < 0;
	r = fake_app_table_add(hw, app);
	if (r < 0)
		return r;
	hw->n_dscp += is_new;
	return 0;
}

/* A deleted DSCP goes to priority 0, not to the default map; with the last one trust goes to PCP.
 */
int fake_mlx5_app_delete(struct fake_device *device, const struct dcb_app *app)
{
	struct fake_hw *hw = &device->hw;
	int r;

	if (!is_dscp(app))
		return -EINVAL;
	if (!hw->n_dscp || app->priority != hw->dscp2prio[app->protocol])
		return -ENOENT;
	r = app_table_delete(hw, app);
	if (r < 0)
		return r;
	hw->dscp2prio[app->protocol] = 0;
	if (!--hw->n_dscp)
		hw->trust_dscp = false;
	return 0;
}

void fake_mlx5_app_failed(struct fake_device *device)
{
	device->hw.trust_dscp = false;
}
