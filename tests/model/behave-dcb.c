// SPDX-License-Identifier: LGPL-2.1-or-later
/* Behaviours of a ConnectX: DCB and pause, with the fault modes of a driver. */
#include <errno.h>
#include <string.h>

#include "lib/base/macro.h"
#include "lib/os/dcb.h"
#include "tests/model/behave.h"

/* ---- after driver load ---- */

static bool firmware_owns_dcbx(struct bed *bed)
{
	EXPECT(behave_dcb(bed)->has_dcbx);
	EXPECT(behave_dcb(bed)->dcbx == DCBX_START);
	return true;
}

static bool attach_resets_ets(struct bed *bed)
{
	static const uint8_t map[] = { 1, 0, 2, 3, 4, 5, 6, 7 };
	const struct os_dcb *dcb = behave_dcb(bed);

	EXPECT(dcb->has_ets && dcb->ets.ets_cap == 8 && !dcb->ets.willing);
	EXPECT(!memcmp(dcb->ets.prio_tc, map, sizeof(map)));
	for (size_t i = 0; i < ARRAY_SIZE(map); i++)
		EXPECT(dcb->ets.tc_tsa[i] == IEEE_8021QAZ_TSA_VENDOR);
	return true;
}

static bool starts_without_pfc(struct bed *bed)
{
	const struct os_dcb *dcb = behave_dcb(bed);

	EXPECT(dcb->has_pfc && dcb->pfc.pfc_en == 0);
	EXPECT(dcb->pfc.pfc_cap == 8 && dcb->pfc.delay == 7);
	return true;
}

static bool starts_with_pause(struct bed *bed)
{
	EXPECT(behave_pause_is(bed, true, true));
	return true;
}

static bool starts_with_pcp_trust(struct bed *bed)
{
	EXPECT(behave_apps_are(bed, NULL, 0));
	EXPECT(!bed_trusts_dscp(bed));
	return true;
}

/* ---- trust and the DSCP map ---- */

static bool first_entry_is_trust(struct bed *bed)
{
	EXPECT(behave_add(bed, &behave_dscp_26_3, 1) == 0);
	EXPECT(behave_apps_are(bed, &behave_dscp_26_3, 1));
	EXPECT(bed_trusts_dscp(bed));
	return true;
}

static bool add_replaces(struct bed *bed)
{
	EXPECT(behave_add(bed, &behave_dscp_26_3, 1) == 0);
	EXPECT(behave_add(bed, &behave_dscp_26_4, 1) == 0);
	EXPECT(behave_apps_are(bed, &behave_dscp_26_4, 1));
	EXPECT(bed_dscp_priority(bed, 26) == 4);
	return true;
}

static bool same_entry_again(struct bed *bed)
{
	EXPECT(behave_add(bed, &behave_dscp_26_3, 1) == 0);
	EXPECT(behave_add(bed, &behave_dscp_26_3, 1) == 0);
	EXPECT(behave_apps_are(bed, &behave_dscp_26_3, 1));
	return true;
}

static bool delete_of_missing(struct bed *bed)
{
	EXPECT(behave_drop(bed, &behave_dscp_26_3) == -ENOENT);
	EXPECT(behave_add(bed, &behave_dscp_26_3, 1) == 0);
	EXPECT(behave_drop(bed, &behave_dscp_48_6) == -ENOENT);
	EXPECT(behave_drop(bed, &behave_dscp_26_4) == -ENOENT);
	EXPECT(behave_apps_are(bed, &behave_dscp_26_3, 1));
	return true;
}

static bool deleted_goes_to_priority_0(struct bed *bed)
{
	const struct dcb_app both[] = { behave_dscp_26_3, behave_dscp_48_6 };

	EXPECT(behave_add(bed, both, 2) == 0);
	EXPECT(behave_drop(bed, &behave_dscp_26_3) == 0);
	EXPECT(behave_apps_are(bed, &behave_dscp_48_6, 1));
	EXPECT(bed_dscp_priority(bed, 26) == 0);
	EXPECT(bed_trusts_dscp(bed));
	return true;
}

static bool last_delete_ends_trust(struct bed *bed)
{
	EXPECT(behave_add(bed, &behave_dscp_26_3, 1) == 0);
	EXPECT(behave_drop(bed, &behave_dscp_26_3) == 0);
	EXPECT(behave_apps_are(bed, NULL, 0));
	EXPECT(!bed_trusts_dscp(bed));
	return true;
}

static bool whole_map_in_one_message(struct bed *bed)
{
	struct dcb_app app[64], shown[64];

	for (size_t i = 0; i < ARRAY_SIZE(app); i++) {
		app[i] = (struct dcb_app){ IEEE_8021QAZ_APP_SEL_DSCP, (uint8_t)(i % 8),
					   (uint16_t)i };
		shown[ARRAY_SIZE(app) - 1 - i] = app[i];
	}
	EXPECT(behave_add(bed, app, ARRAY_SIZE(app)) == 0);
	EXPECT(behave_apps_are(bed, shown, ARRAY_SIZE(shown)));
	return true;
}

static bool only_dscp_selectors(struct bed *bed)
{
	const struct dcb_app ethertype = { IEEE_8021QAZ_APP_SEL_ETHERTYPE, 3, 0x8915 };
	const struct dcb_app too_large = { IEEE_8021QAZ_APP_SEL_DSCP, 3, 64 };

	EXPECT(behave_add(bed, &ethertype, 1) == -EINVAL);
	EXPECT(behave_add(bed, &too_large, 1) == -EINVAL);
	EXPECT(behave_drop(bed, &ethertype) == -EINVAL);
	EXPECT(behave_apps_are(bed, NULL, 0));
	return true;
}

static bool message_ends_at_refusal(struct bed *bed)
{
	const struct dcb_app three[] = { behave_dscp_26_3,
					 { IEEE_8021QAZ_APP_SEL_DSCP, 3, 64 },
					 behave_dscp_48_6 };

	EXPECT(behave_add(bed, three, 3) == -EINVAL);
	EXPECT(behave_apps_are(bed, &behave_dscp_26_3, 1));
	return true;
}

static bool failed_command_ends_trust(struct bed *bed)
{
	EXPECT(behave_add(bed, &behave_dscp_26_3, 1) == 0);
	EXPECT(bed_fault(bed, "app", BED_STATUS, EIO) == 0);
	EXPECT(behave_add(bed, &behave_dscp_48_6, 1) == -EIO);
	EXPECT(behave_apps_are(bed, &behave_dscp_26_3, 1));
	EXPECT(!bed_trusts_dscp(bed));
	return true;
}

/* ---- PFC ---- */

static bool pfc_drops_link_and_pause(struct bed *bed)
{
	EXPECT(behave_set_pfc(bed, 0x08, 0) == 0);
	EXPECT(!behave_has_carrier(bed));
	EXPECT(behave_dcb(bed)->pfc.pfc_en == 0x08);
	EXPECT(behave_pause_is(bed, false, false));
	EXPECT(behave_carrier_returns(bed));
	return true;
}

static bool same_pfc_keeps_link(struct bed *bed)
{
	EXPECT(behave_set_pfc(bed, 0x00, 0) == 0);
	EXPECT(behave_has_carrier(bed));
	EXPECT(behave_pause_is(bed, true, true));
	EXPECT(behave_set_pfc(bed, 0x08, 0) == 0);
	EXPECT(behave_carrier_returns(bed));
	EXPECT(behave_set_pause(bed, false, true, true) == 0);
	EXPECT(behave_set_pfc(bed, 0x08, 0) == 0);
	EXPECT(behave_has_carrier(bed));
	EXPECT(behave_pause_is(bed, true, true));
	return true;
}

static bool delay_is_cable_length(struct bed *bed)
{
	EXPECT(behave_set_pfc(bed, 0x00, 100) == 0);
	EXPECT(behave_dcb(bed)->pfc.delay == 100);
	EXPECT(behave_set_pfc(bed, 0x00, 0) == 0);
	EXPECT(behave_dcb(bed)->pfc.delay == 100);
	EXPECT(behave_set_pfc(bed, 0x00, 1000) == 0);
	EXPECT(behave_dcb(bed)->pfc.delay == 100);
	EXPECT(behave_set_pfc(bed, 0x00, 999) == 0);
	EXPECT(behave_dcb(bed)->pfc.delay == 999);
	EXPECT(behave_has_carrier(bed));
	return true;
}

static bool pfc_busy_twice(struct bed *bed)
{
	EXPECT(bed_fault(bed, "pfc", BED_BUSY, 2) == 0);
	EXPECT(behave_set_pfc(bed, 0x08, 0) == -EBUSY);
	EXPECT(behave_set_pfc(bed, 0x08, 0) == -EBUSY);
	EXPECT(behave_dcb(bed)->pfc.pfc_en == 0);
	EXPECT(behave_set_pfc(bed, 0x08, 0) == 0);
	EXPECT(behave_dcb(bed)->pfc.pfc_en == 0x08);
	return true;
}

static bool pfc_silent(struct bed *bed)
{
	EXPECT(bed_fault(bed, "pfc", BED_SILENT, 0) == 0);
	EXPECT(behave_set_pfc(bed, 0x08, 0) == 0);
	EXPECT(behave_dcb(bed)->pfc.pfc_en == 0);
	EXPECT(behave_has_carrier(bed));
	EXPECT(behave_pause_is(bed, true, true));
	return true;
}

/* -ENOTSUPP does not fit the byte: 0xf4, which looks like ENOMEM */
static bool status_is_cut_off(struct bed *bed)
{
	EXPECT(bed_fault(bed, "pfc", BED_STATUS, 524) == 0);
	EXPECT(behave_set_pfc(bed, 0x08, 0) == -12);
	EXPECT(behave_dcb(bed)->pfc.pfc_en == 0);
	return true;
}

/* ---- ETS ---- */

static bool ets_is_stored(struct bed *bed)
{
	const struct ieee_ets want = behave_ets();
	const struct ieee_ets *have;

	EXPECT(behave_set_ets(bed, &want) == 0);
	have = &behave_dcb(bed)->ets;
	EXPECT(!memcmp(have->prio_tc, want.prio_tc, sizeof(want.prio_tc)));
	EXPECT(!memcmp(have->tc_tsa, want.tc_tsa, sizeof(want.tc_tsa)));
	EXPECT(!memcmp(have->tc_tx_bw, want.tc_tx_bw, sizeof(want.tc_tx_bw)));
	EXPECT(have->ets_cap == 8);
	EXPECT(behave_has_carrier(bed));
	return true;
}

static bool ets_sum_must_be_100(struct bed *bed)
{
	struct ieee_ets ets = behave_ets();

	ets.tc_tx_bw[1] = 40;
	EXPECT(behave_set_ets(bed, &ets) == -EINVAL);
	EXPECT(behave_dcb(bed)->ets.prio_tc[0] == 1);
	return true;
}

static bool ets_without_cbs(struct bed *bed)
{
	struct ieee_ets ets = behave_ets();

	ets.tc_tsa[3] = IEEE_8021QAZ_TSA_CB_SHAPER;
	EXPECT(behave_set_ets(bed, &ets) == -EOPNOTSUPP);
	EXPECT(behave_dcb(bed)->ets.prio_tc[0] == 1);
	return true;
}

static bool ets_has_eight_classes(struct bed *bed)
{
	struct ieee_ets ets = behave_ets();

	ets.prio_tc[7] = 8;
	EXPECT(behave_set_ets(bed, &ets) == -EINVAL);
	return true;
}

/* ---- DCBX ---- */

static bool dcbx_host(struct bed *bed)
{
	EXPECT(behave_set_dcbx(bed, DCBX_HOST) == 0);
	EXPECT(behave_dcb(bed)->dcbx == DCBX_HOST);
	return true;
}

static bool dcbx_lld_refused(struct bed *bed)
{
	EXPECT(behave_set_dcbx(bed, DCBX_HOST | DCB_CAP_DCBX_LLD_MANAGED) == 1);
	EXPECT(behave_dcb(bed)->dcbx == DCBX_START);
	return true;
}

/* The value that was there before cannot be written back */
static bool dcbx_without_host_refused(struct bed *bed)
{
	EXPECT(behave_set_dcbx(bed, DCBX_HOST) == 0);
	EXPECT(behave_set_dcbx(bed, DCBX_START) == 1);
	EXPECT(behave_dcb(bed)->dcbx == DCBX_HOST);
	return true;
}

static bool dcbx_mode_0_gives_it_back(struct bed *bed)
{
	EXPECT(behave_set_dcbx(bed, DCBX_HOST) == 0);
	EXPECT(behave_set_dcbx(bed, 0) == 0);
	EXPECT(behave_dcb(bed)->dcbx == DCBX_START);
	return true;
}

static bool dcbx_failure_has_no_name(struct bed *bed)
{
	EXPECT(bed_fault(bed, "dcbx", BED_BUSY, 1) == 0);
	EXPECT(behave_set_dcbx(bed, DCBX_HOST) == 1);
	EXPECT(behave_dcb(bed)->dcbx == DCBX_START);
	EXPECT(behave_set_dcbx(bed, DCBX_HOST) == 0);
	return true;
}

/* ---- pause ---- */

static bool pause_is_stored(struct bed *bed)
{
	EXPECT(behave_set_pause(bed, false, false, true) == 0);
	EXPECT(behave_pause_is(bed, false, true));
	EXPECT(behave_set_pause(bed, false, false, true) == 0);
	EXPECT(behave_set_pause(bed, false, false, false) == 0);
	EXPECT(behave_pause_is(bed, false, false));
	EXPECT(behave_has_carrier(bed));
	return true;
}

static bool pause_without_autoneg(struct bed *bed)
{
	EXPECT(behave_set_pause(bed, true, true, true) == -EINVAL);
	EXPECT(behave_pause_is(bed, true, true));
	return true;
}

static bool pause_with_pfc(struct bed *bed)
{
	EXPECT(behave_set_pfc(bed, 0x08, 0) == 0);
	EXPECT(behave_set_pause(bed, false, true, true) == 0);
	EXPECT(behave_pause_is(bed, true, true));
	EXPECT(behave_dcb(bed)->pfc.pfc_en == 0x08);
	return true;
}

static bool pause_faults(struct bed *bed)
{
	EXPECT(bed_fault(bed, "pause", BED_BUSY, 1) == 0);
	EXPECT(behave_set_pause(bed, false, false, false) == -EBUSY);
	EXPECT(behave_set_pause(bed, false, false, false) == 0);
	EXPECT(bed_fault(bed, "pause", BED_STATUS, EIO) == 0);
	EXPECT(behave_set_pause(bed, false, true, true) == -EIO);
	EXPECT(behave_pause_is(bed, false, false));
	return true;
}

const struct behaviour behaviours_dcb[] = {
	{ "firmware owns DCBX after driver load", firmware_owns_dcbx },
	{ "attach resets ETS to the map 1 0 2 3 4 5 6 7", attach_resets_ets },
	{ "PFC is off after driver load", starts_without_pfc },
	{ "global pause is on after driver load", starts_with_pause },
	{ "trust is PCP after driver load", starts_with_pcp_trust },
	{ "the first DSCP entry is trust", first_entry_is_trust },
	{ "adding replaces the entry of that DSCP", add_replaces },
	{ "the same entry again is no error", same_entry_again },
	{ "delete of what is missing is refused with -2", delete_of_missing },
	{ "a deleted DSCP goes to priority 0", deleted_goes_to_priority_0 },
	{ "the last delete ends DSCP trust", last_delete_ends_trust },
	{ "64 entries fit one message, the newest is shown first", whole_map_in_one_message },
	{ "only DSCP entries below 64 are taken", only_dscp_selectors },
	{ "a message ends at the first refused entry", message_ends_at_refusal },
	{ "a failed APP command ends DSCP trust", failed_command_ends_trust },
	{ "a changed PFC mask drops the link and clears pause", pfc_drops_link_and_pause },
	{ "an unchanged PFC mask keeps link and pause", same_pfc_keeps_link },
	{ "PFC delay is the cable length, 1 to 999", delay_is_cable_length },
	{ "a busy driver refuses PFC twice, then takes it", pfc_busy_twice },
	{ "a silent driver says yes and changes nothing", pfc_silent },
	{ "status -524 arrives as -12", status_is_cut_off },
	{ "ETS is stored", ets_is_stored },
	{ "ETS shares must add up to 100", ets_sum_must_be_100 },
	{ "a credit-based shaper is refused", ets_without_cbs },
	{ "traffic class 8 is refused", ets_has_eight_classes },
	{ "DCBX: HOST is taken", dcbx_host },
	{ "DCBX: LLD_MANAGED is refused", dcbx_lld_refused },
	{ "DCBX: a mode without HOST is refused", dcbx_without_host_refused },
	{ "DCBX: mode 0 gives it back to the firmware", dcbx_mode_0_gives_it_back },
	{ "DCBX: a failure is a plain 1", dcbx_failure_has_no_name },
	{ "pause is stored", pause_is_stored },
	{ "pause autonegotiation is refused", pause_without_autoneg },
	{ "pause beside PFC is taken", pause_with_pfc },
	{ "pause: the driver's errno arrives", pause_faults },
	{},
};
