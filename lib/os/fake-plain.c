// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * A simulated port without any vendor's habits: every object is taken as it comes, any APP selector
 * goes to the kernel's list, no write drops the link. Trust is PCP whatever the list says, as in
 * drivers with the DCB attribute apptrust, which nobody sets here.
 */
#include <errno.h>

#include "lib/os/fake-private.h"

static int plain_set_pfc(struct fake_device *device, const struct ieee_pfc *pfc,
			 const struct fake_verdict *verdict)
{
	int r;

	if (fake_stops(verdict, &r))
		return r;
	(void)fake_write_pfc(device, pfc->pfc_en, verdict);
	device->hw.cable_m = pfc->delay;
	return 0;
}

static int plain_set_maxrate(struct fake_device *device, const struct ieee_maxrate *maxrate,
			     const struct fake_verdict *verdict)
{
	int r;

	if (fake_stops(verdict, &r))
		return r;
	device->hw.maxrate = *maxrate;
	return 0;
}

static int plain_set_dcbx(struct fake_device *device, uint8_t mode,
			  const struct fake_verdict *verdict)
{
	int r;

	if (fake_stops(verdict, &r))
		return r;
	device->hw.dcbx = mode;
	return 0;
}

static bool has_dscp(const struct dcb_app *app)
{
	return app->selector == IEEE_8021QAZ_APP_SEL_DSCP && app->protocol < FAKE_DSCPS;
}

static int plain_app_add(struct fake_device *device, const struct dcb_app *app,
			 const struct fake_verdict *verdict)
{
	int r;

	if (fake_stops(verdict, &r))
		return r;
	r = fake_app_add(&device->hw, app);
	if (r < 0)
		return r;
	if (has_dscp(app))
		device->hw.dscp2prio[app->protocol] = app->priority;
	return 0;
}

/* Of several priorities the highest is in force. */
static int plain_app_delete(struct fake_device *device, const struct dcb_app *app,
			    const struct fake_verdict *verdict)
{
	struct fake_hw *hw = &device->hw;
	int highest = -1;
	int r;

	if (fake_stops(verdict, &r))
		return r;
	r = fake_app_drop(hw, app);
	if (r < 0 || !has_dscp(app))
		return r;
	for (size_t i = 0; i < hw->n_app; i++)
		if (hw->app[i].selector == app->selector && hw->app[i].protocol == app->protocol &&
		    hw->app[i].priority > highest)
			highest = hw->app[i].priority;
	hw->dscp2prio[app->protocol] = (uint8_t)(highest < 0 ? app->protocol >> 3 : highest);
	return 0;
}

static const struct fake_stat plain_stat[] = {
	{ "rx_prio%u_bytes" },
	{ "rx_prio%u_packets" },
	{ "tx_prio%u_bytes" },
	{ "tx_prio%u_packets" },
	{ "rx_prio%u_pause" },
	{ "tx_prio%u_pause" },
	{},
};

const struct fake_driver fake_plain = {
	.name = "plain",
	.vendor = "0x1af4\n",
	.function = "0x0001\n",
	.dcbx = DCB_CAP_DCBX_HOST | DCB_CAP_DCBX_VER_IEEE,
	.rx_pause = "rx_prio%u_pause",
	.tx_pause = "tx_prio%u_pause",
	.stat = plain_stat,
	.get_ets = fake_get_ets,
	.get_pfc = fake_get_pfc,
	.set_ets = fake_set_ets,
	.set_pfc = plain_set_pfc,
	.set_buffer = fake_write_buffer,
	.set_maxrate = plain_set_maxrate,
	.set_dcbx = plain_set_dcbx,
	.app_add = plain_app_add,
	.app_delete = plain_app_delete,
	.check_pause = fake_no_autoneg,
};
