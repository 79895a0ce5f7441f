// SPDX-License-Identifier: LGPL-2.1-or-later
/* Behaviours of a NetXtreme-E (nic.md 1.4). */
#include <errno.h>
#include <string.h>

#include "tests/model/behave.h"

enum {
	HOST_IEEE = DCB_CAP_DCBX_HOST | DCB_CAP_DCBX_VER_IEEE,
	STATUS_ENOTSUPP = -12, /* 524, cut to a byte */
};

/* Each priority in a class of its own, all strict */
static struct ieee_ets spread(void)
{
	struct ieee_ets ets = {};

	for (uint8_t i = 0; i < 8; i++)
		ets.prio_tc[i] = i;
	return ets;
}

static int set_spread(struct bed *bed)
{
	const struct ieee_ets ets = spread();

	return behave_set_ets(bed, &ets);
}

static bool host_owns_dcbx(struct bed *bed)
{
	EXPECT(behave_dcb(bed)->has_dcbx && behave_dcb(bed)->dcbx == HOST_IEEE);
	EXPECT(behave_apps_are(bed, NULL, 0));
	EXPECT(!bed_trusts_dscp(bed));
	return true;
}

static bool zeros_until_set(struct bed *bed)
{
	const struct ieee_ets none = { .ets_cap = 8 };
	const struct os_dcb *dcb = behave_dcb(bed);

	EXPECT(dcb->has_ets && !memcmp(&dcb->ets, &none, sizeof(none)));
	EXPECT(dcb->has_pfc && !dcb->pfc.pfc_en && !dcb->pfc.delay && dcb->pfc.pfc_cap == 2);
	EXPECT(set_spread(bed) == 0);
	dcb = behave_dcb(bed);
	EXPECT(dcb->ets.prio_tc[3] == 3 && !dcb->pfc.pfc_en);
	EXPECT(behave_set_pfc(bed, 0x08, 0) == 0);
	EXPECT(behave_dcb(bed)->pfc.pfc_en == 0x08);
	return true;
}

static bool ets_before_pfc(struct bed *bed)
{
	EXPECT(behave_set_pfc(bed, 0x08, 0) == -EINVAL);
	EXPECT(behave_set_pfc(bed, 0x00, 0) == -EINVAL);
	EXPECT(set_spread(bed) == 0);
	EXPECT(behave_set_pfc(bed, 0x08, 0) == 0);
	return true;
}

static bool two_lossless_classes(struct bed *bed)
{
	const struct ieee_ets together = behave_ets();

	EXPECT(set_spread(bed) == 0);
	EXPECT(behave_set_pfc(bed, 0x38, 0) == -EINVAL);
	EXPECT(behave_set_pfc(bed, 0x18, 0) == 0);
	EXPECT(behave_dcb(bed)->pfc.pfc_en == 0x18);
	/* Classes count, not priorities */
	EXPECT(behave_set_ets(bed, &together) == 0);
	EXPECT(behave_set_pfc(bed, 0x0f, 0) == 0);
	return true;
}

static bool ets_has_two_algorithms(struct bed *bed)
{
	struct ieee_ets ets = behave_ets();

	ets.tc_tsa[0] = IEEE_8021QAZ_TSA_CB_SHAPER;
	EXPECT(behave_set_ets(bed, &ets) == STATUS_ENOTSUPP);
	ets.tc_tsa[0] = IEEE_8021QAZ_TSA_VENDOR;
	EXPECT(behave_set_ets(bed, &ets) == STATUS_ENOTSUPP);
	EXPECT(behave_dcb(bed)->ets.prio_tc[3] == 0);
	return true;
}

static bool ets_shares(struct bed *bed)
{
	struct ieee_ets ets = behave_ets();

	ets.tc_tx_bw[1] = 51;
	EXPECT(behave_set_ets(bed, &ets) == -EINVAL);
	ets.tc_tx_bw[1] = 40;
	EXPECT(behave_set_ets(bed, &ets) == 0);
	ets.tc_tx_bw[0] = 0;
	ets.tc_tx_bw[1] = 100;
	EXPECT(behave_set_ets(bed, &ets) == -EINVAL);
	ets.prio_tc[7] = 9;
	EXPECT(behave_set_ets(bed, &ets) == -EINVAL);
	EXPECT(behave_dcb(bed)->ets.tc_tx_bw[1] == 40);
	return true;
}

static bool nothing_without_host(struct bed *bed)
{
	EXPECT(set_spread(bed) == 0);
	EXPECT(behave_add(bed, &behave_dscp_26_3, 1) == 0);
	EXPECT(behave_set_dcbx(bed, 0) == 0);
	EXPECT(behave_dcb(bed)->dcbx == 0);
	EXPECT(set_spread(bed) == -EINVAL);
	EXPECT(behave_set_pfc(bed, 0x08, 0) == -EINVAL);
	EXPECT(behave_add(bed, &behave_dscp_48_6, 1) == -EINVAL);
	EXPECT(behave_drop(bed, &behave_dscp_26_3) == -EINVAL);
	EXPECT(behave_set_dcbx(bed, HOST_IEEE) == 0);
	EXPECT(behave_set_pfc(bed, 0x08, 0) == 0);
	return true;
}

static bool dcbx_refused(struct bed *bed)
{
	EXPECT(behave_set_dcbx(bed, DCB_CAP_DCBX_HOST) == 1);
	EXPECT(behave_set_dcbx(bed, HOST_IEEE | DCB_CAP_DCBX_VER_CEE) == 1);
	EXPECT(behave_dcb(bed)->dcbx == HOST_IEEE);
	EXPECT(behave_set_dcbx(bed, HOST_IEEE) == 0);
	return true;
}

/* ---- APP ---- */

static bool second_entry(struct bed *bed)
{
	const struct dcb_app both[] = { behave_dscp_26_4, behave_dscp_26_3 };

	EXPECT(behave_add(bed, &behave_dscp_26_3, 1) == 0);
	EXPECT(bed_trusts_dscp(bed));
	EXPECT(behave_add(bed, &behave_dscp_26_4, 1) == 0);
	EXPECT(behave_apps_are(bed, both, 2));
	EXPECT(bed_dscp_priority(bed, 26) == 4);
	return true;
}

static bool deleting_the_old_one_unmaps(struct bed *bed)
{
	EXPECT(behave_add(bed, &behave_dscp_26_3, 1) == 0);
	EXPECT(behave_add(bed, &behave_dscp_26_4, 1) == 0);
	EXPECT(behave_drop(bed, &behave_dscp_26_3) == 0);
	EXPECT(behave_apps_are(bed, &behave_dscp_26_4, 1));
	EXPECT(bed_dscp_priority(bed, 26) == 0);
	return true;
}

static bool delete_first(struct bed *bed)
{
	EXPECT(behave_add(bed, &behave_dscp_26_3, 1) == 0);
	EXPECT(behave_drop(bed, &behave_dscp_26_3) == 0);
	EXPECT(behave_add(bed, &behave_dscp_26_4, 1) == 0);
	EXPECT(behave_apps_are(bed, &behave_dscp_26_4, 1));
	EXPECT(bed_dscp_priority(bed, 26) == 4);
	return true;
}

static bool failed_app_stays(struct bed *bed)
{
	const struct dcb_app app = { IEEE_8021QAZ_APP_SEL_DSCP, 2, 48 };

	EXPECT(bed_fault(bed, "app", BED_STATUS, EIO) == 0);
	EXPECT(behave_add(bed, &app, 1) == -EIO);
	EXPECT(behave_apps_are(bed, &app, 1));
	EXPECT(bed_dscp_priority(bed, 48) == 6);
	EXPECT(!bed_trusts_dscp(bed));
	return true;
}

static bool app_errors(struct bed *bed)
{
	const struct dcb_app too_large = { IEEE_8021QAZ_APP_SEL_DSCP, 3, 64 };

	EXPECT(behave_add(bed, &behave_dscp_26_3, 1) == 0);
	EXPECT(behave_add(bed, &behave_dscp_26_3, 1) == -EEXIST);
	EXPECT(behave_drop(bed, &behave_dscp_26_4) == -ENOENT);
	EXPECT(behave_add(bed, &too_large, 1) == -EINVAL);
	return true;
}

static bool other_selectors(struct bed *bed)
{
	const struct dcb_app roce[] = { { IEEE_8021QAZ_APP_SEL_DGRAM, 3, 4791 },
					{ IEEE_8021QAZ_APP_SEL_ETHERTYPE, 3, 0x8915 } };

	EXPECT(behave_add(bed, &roce[1], 1) == 0);
	EXPECT(behave_add(bed, &roce[0], 1) == 0);
	EXPECT(behave_apps_are(bed, roce, 2));
	EXPECT(!bed_trusts_dscp(bed));
	EXPECT(behave_drop(bed, &roce[1]) == 0);
	EXPECT(behave_apps_are(bed, roce, 1));
	return true;
}

/* ---- the rest ---- */

static bool lossless_queues_drop_the_link(struct bed *bed)
{
	EXPECT(set_spread(bed) == 0);
	EXPECT(behave_has_carrier(bed));
	EXPECT(behave_set_pfc(bed, 0x08, 0) == 0);
	EXPECT(!behave_has_carrier(bed));
	EXPECT(behave_carrier_returns(bed));
	EXPECT(behave_set_pfc(bed, 0x00, 0) == 0);
	EXPECT(behave_set_pfc(bed, 0x08, 0) == 0);
	EXPECT(behave_has_carrier(bed));
	return true;
}

static bool pause_beside_pfc(struct bed *bed)
{
	EXPECT(set_spread(bed) == 0);
	EXPECT(behave_set_pfc(bed, 0x08, 0) == 0);
	EXPECT(behave_pause_is(bed, true, true));
	EXPECT(behave_set_pause(bed, false, false, false) == 0);
	EXPECT(behave_set_pause(bed, false, true, true) == 0);
	EXPECT(behave_pause_is(bed, true, true));
	EXPECT(behave_set_pause(bed, true, true, true) == -EINVAL);
	return true;
}

static bool faults(struct bed *bed)
{
	EXPECT(set_spread(bed) == 0);
	EXPECT(bed_fault(bed, "pfc", BED_BUSY, 1) == 0);
	EXPECT(behave_set_pfc(bed, 0x08, 0) == -EBUSY);
	EXPECT(behave_set_pfc(bed, 0x08, 0) == 0);
	EXPECT(bed_fault(bed, "pfc", BED_SILENT, 0) == 0);
	EXPECT(behave_set_pfc(bed, 0x10, 0) == 0);
	EXPECT(behave_dcb(bed)->pfc.pfc_en == 0x08);
	EXPECT(bed_fault(bed, "pfc", BED_CLAMP, 0) == 0);
	EXPECT(behave_set_pfc(bed, 0x30, 0) == 0);
	EXPECT(behave_dcb(bed)->pfc.pfc_en == 0x10);
	EXPECT(bed_fault(bed, "dcbx", BED_BUSY, 1) == 0);
	EXPECT(behave_set_dcbx(bed, HOST_IEEE) == 1);
	return true;
}

static bool counters(struct bed *bed)
{
	EXPECT(behave_stat(bed, "tx_pfc_ena_frames_pri3", NULL));
	EXPECT(behave_stat(bed, "rx_bytes_pri3", NULL));
	EXPECT(set_spread(bed) == 0);
	EXPECT(behave_set_pfc(bed, 0x08, 0) == 0);
	return behave_counts_pause(bed, "rx_pfc_ena_frames_pri3");
}

const struct behaviour behaviours_bnxt[] = {
	{ "the host owns DCBX", host_owns_dcbx },
	{ "ETS and PFC read zero until they are set", zeros_until_set },
	{ "PFC before ETS is refused", ets_before_pfc },
	{ "at most two classes are lossless", two_lossless_classes },
	{ "ETS: an unknown algorithm is status 0xf4", ets_has_two_algorithms },
	{ "ETS: shares up to 100, none of them zero then", ets_shares },
	{ "without HOST and IEEE everything is refused", nothing_without_host },
	{ "DCBX: HOST needs IEEE alone", dcbx_refused },
	{ "a second priority for a DSCP is a second entry", second_entry },
	{ "deleting the old entry then unmaps the DSCP", deleting_the_old_one_unmaps },
	{ "delete before remap works", delete_first },
	{ "a failed APP stays in the table", failed_app_stays },
	{ "APP: EEXIST, ENOENT, EINVAL", app_errors },
	{ "APP: any selector", other_selectors },
	{ "new lossless queues drop the link", lossless_queues_drop_the_link },
	{ "pause beside PFC is taken and kept", pause_beside_pfc },
	{ "busy, silent, clamped", faults },
	{ "PFC counters exist always", counters },
	{ "no stall watchdog", behave_has_no_tunable },
	{ "buffers and rates are taken and lost", behave_has_no_buffer },
	{},
};
