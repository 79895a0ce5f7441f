// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The simulated port of a NetXtreme-E. Mirrors drivers/net/ethernet/broadcom/bnxt/bnxt_dcb.c
 * (nic.md 1.4).
 */
#include <errno.h>
#include <string.h>

#include "lib/base/macro.h"
#include "lib/os/fake-private.h"

enum {
	LOSSLESS_MAX = 2, /* classes */
	STATUS_ENOTSUPP = -524, /* no errno of user space; cut to 0xf4 in the status byte */
};

static bool is_host(const struct fake_device *device)
{
	return device->hw.dcbx & DCB_CAP_DCBX_HOST;
}

static bool is_host_ieee(const struct fake_device *device)
{
	return is_host(device) && device->hw.dcbx & DCB_CAP_DCBX_VER_IEEE;
}

/* In host mode the driver shows zeros until this instance of it was set once. */
static void bnxt_get_ets(const struct fake_device *device, struct ieee_ets *ret)
{
	if (device->hw.ets_known || !is_host(device))
		fake_get_ets(device, ret);
	else
		*ret = (struct ieee_ets){ .ets_cap = FAKE_PRIORITIES };
}

static void bnxt_get_pfc(const struct fake_device *device, struct ieee_pfc *ret)
{
	*ret = (struct ieee_pfc){};
	if (device->hw.pfc_known || !is_host(device))
		fake_get_pfc(device, ret);
	ret->pfc_cap = LOSSLESS_MAX;
}

/* bnxt_ets_validate(), including that the highest traffic class in use is not looked at */
static int check_ets(const struct ieee_ets *ets)
{
	unsigned int sum = 0;
	bool zero = false;
	uint8_t max_tc = 0;

	for (int i = 0; i < FAKE_PRIORITIES; i++) {
		if (ets->prio_tc[i] > FAKE_PRIORITIES)
			return -EINVAL;
		max_tc = MAX(max_tc, ets->prio_tc[i]);
	}
	for (int i = 0; i < max_tc; i++) {
		if (ets->tc_tsa[i] == IEEE_8021QAZ_TSA_STRICT)
			continue;
		if (ets->tc_tsa[i] != IEEE_8021QAZ_TSA_ETS)
			return STATUS_ENOTSUPP;
		sum += ets->tc_tx_bw[i];
		zero = zero || !ets->tc_tx_bw[i];
	}
	return sum > 100 || (zero && sum == 100) ? -EINVAL : 0;
}

static int bnxt_set_ets(struct fake_device *device, const struct ieee_ets *ets,
			const struct fake_verdict *verdict)
{
	int r;

	if (!is_host_ieee(device))
		return -EINVAL;
	if (fake_stops(verdict, &r))
		return r;
	r = check_ets(ets);
	if (r < 0)
		return r;
	(void)fake_write_ets(device, ets, verdict);
	device->hw.ets_known = true;
	return 0;
}

static uint8_t lossless_classes(const struct fake_hw *hw, uint8_t mask)
{
	uint8_t classes = 0;

	for (int i = 0; i < FAKE_PRIORITIES; i++)
		if (mask & 1U << i)
			classes |= (uint8_t)(1U << (hw->ets.prio_tc[i] & 7));
	return classes;
}

/* Without ETS in this instance of the driver PFC is refused. New lossless queues reopen the port.
 */
static int bnxt_set_pfc(struct fake_device *device, const struct ieee_pfc *pfc,
			const struct fake_verdict *verdict)
{
	struct fake_hw *hw = &device->hw;
	uint8_t classes = lossless_classes(hw, pfc->pfc_en);
	int r;

	if (!is_host_ieee(device) || !hw->ets_known || __builtin_popcount(classes) > LOSSLESS_MAX)
		return -EINVAL;
	if (fake_stops(verdict, &r))
		return r;
	(void)fake_write_pfc(device, pfc->pfc_en, verdict);
	hw->cable_m = pfc->delay;
	hw->pfc_known = true;
	if (classes & ~hw->lossless_tcs) {
		hw->lossless_tcs |= classes;
		fake_link_bounce(device);
	}
	return 0;
}

/*
 * The kernel's table is written before the firmware: a second priority for a mapped DSCP becomes a
 * second entry, and a failing command leaves the entry behind.
 */
static int bnxt_app_add(struct fake_device *device, const struct dcb_app *app,
			const struct fake_verdict *verdict)
{
	struct fake_hw *hw = &device->hw;
	int r;

	if (!is_host_ieee(device))
		return -EINVAL;
	if (app->selector == IEEE_8021QAZ_APP_SEL_DSCP && app->protocol >= FAKE_DSCPS)
		return -EINVAL;
	r = fake_app_add(hw, app);
	if (r < 0 || fake_stops(verdict, &r))
		return r;
	if (app->selector != IEEE_8021QAZ_APP_SEL_DSCP)
		return 0;
	hw->dscp2prio[app->protocol] = app->priority;
	hw->trust_dscp = true;
	return 0;
}

/* The firmware removes the DSCP whatever its priority: "add the new one, delete the old one" leaves
 * it unmapped. */
static int bnxt_app_delete(struct fake_device *device, const struct dcb_app *app,
			   const struct fake_verdict *verdict)
{
	int r;

	if (!is_host_ieee(device))
		return -EINVAL;
	r = fake_app_drop(&device->hw, app);
	if (r < 0 || fake_stops(verdict, &r))
		return r;
	if (app->selector == IEEE_8021QAZ_APP_SEL_DSCP && app->protocol < FAKE_DSCPS)
		device->hw.dscp2prio[app->protocol] = 0;
	return 0;
}

/* Mode 0 is taken, and from then on every setter refuses. */
static int bnxt_set_dcbx(struct fake_device *device, uint8_t mode,
			 const struct fake_verdict *verdict)
{
	int r;

	if (device->hw.dcbx & DCB_CAP_DCBX_LLD_MANAGED)
		return 1;
	if (fake_stops(verdict, &r))
		return r;
	if (mode & DCB_CAP_DCBX_HOST &&
	    (mode & DCB_CAP_DCBX_VER_CEE || !(mode & DCB_CAP_DCBX_VER_IEEE)))
		return 1;
	device->hw.dcbx = mode;
	return 0;
}

static const struct fake_stat bnxt_stat[] = {
	{ "rx_bytes_pri%u" },		{ "rx_packets_pri%u" },
	{ "tx_bytes_pri%u" },		{ "tx_packets_pri%u" },
	{ "rx_pfc_ena_frames_pri%u" },	{ "tx_pfc_ena_frames_pri%u" },
	{ "pfc_pri%u_rx_duration_us" }, { "pfc_pri%u_rx_transitions" },
	{ "pfc_pri%u_tx_duration_us" }, { "pfc_pri%u_tx_transitions" },
	{ "rx_discard_packets_cos%u" }, {},
};

const struct fake_driver fake_bnxt = {
	.name = "bnxt_en",
	.vendor = "0x14e4\n",
	.function = "0x1750\n",
	.dcbx = DCB_CAP_DCBX_HOST | DCB_CAP_DCBX_VER_IEEE,
	.rx_pause = "rx_pfc_ena_frames_pri%u",
	.tx_pause = "tx_pfc_ena_frames_pri%u",
	.stat = bnxt_stat,
	.get_ets = bnxt_get_ets,
	.get_pfc = bnxt_get_pfc,
	.set_ets = bnxt_set_ets,
	.set_pfc = bnxt_set_pfc,
	.set_dcbx = bnxt_set_dcbx,
	.app_add = bnxt_app_add,
	.app_delete = bnxt_app_delete,
	.check_pause = fake_no_autoneg,
};
