// SPDX-License-Identifier: LGPL-2.1-or-later
/* Behaviours of a driver without habits: what the kernel itself makes of a write. */
#include <errno.h>
#include <string.h>

#include "tests/model/behave.h"

enum { HOST_IEEE = DCB_CAP_DCBX_HOST | DCB_CAP_DCBX_VER_IEEE };

static bool pfc_keeps_link_and_pause(struct bed *bed)
{
	EXPECT(behave_dcb(bed)->dcbx == HOST_IEEE);
	EXPECT(behave_set_pfc(bed, 0x08, 1000) == 0);
	EXPECT(behave_has_carrier(bed));
	EXPECT(behave_pause_is(bed, true, true));
	EXPECT(behave_dcb(bed)->pfc.pfc_en == 0x08 && behave_dcb(bed)->pfc.delay == 1000);
	return true;
}

static bool any_mode(struct bed *bed)
{
	EXPECT(behave_set_dcbx(bed, DCB_CAP_DCBX_LLD_MANAGED) == 0);
	EXPECT(behave_dcb(bed)->dcbx == DCB_CAP_DCBX_LLD_MANAGED);
	EXPECT(behave_set_pfc(bed, 0x08, 0) == 0);
	return true;
}

static bool ets_is_checked(struct bed *bed)
{
	struct ieee_ets ets = behave_ets();

	EXPECT(behave_dcb(bed)->ets.prio_tc[3] == 3);
	EXPECT(behave_set_ets(bed, &ets) == 0);
	EXPECT(behave_dcb(bed)->ets.prio_tc[3] == 1);
	ets.tc_tx_bw[1] = 40;
	EXPECT(behave_set_ets(bed, &ets) == -EINVAL);
	return true;
}

static bool entries_add_up(struct bed *bed)
{
	const struct dcb_app both[] = { behave_dscp_26_3, behave_dscp_26_4 };

	EXPECT(behave_add(bed, &behave_dscp_26_4, 1) == 0);
	EXPECT(behave_add(bed, &behave_dscp_26_3, 1) == 0);
	EXPECT(behave_add(bed, &behave_dscp_26_3, 1) == -EEXIST);
	EXPECT(behave_apps_are(bed, both, 2));
	EXPECT(behave_drop(bed, &behave_dscp_26_3) == 0);
	EXPECT(behave_drop(bed, &behave_dscp_26_3) == -ENOENT);
	EXPECT(bed_dscp_priority(bed, 26) == 4);
	EXPECT(behave_drop(bed, &behave_dscp_26_4) == 0);
	EXPECT(bed_dscp_priority(bed, 26) == 3);
	return true;
}

/* Trust is another attribute */
static bool entries_are_not_trust(struct bed *bed)
{
	const struct dcb_app any[] = { { IEEE_8021QAZ_APP_SEL_ANY, 5, 4791 },
				       { IEEE_8021QAZ_APP_SEL_DSCP, 7, 300 },
				       behave_dscp_26_4 };

	EXPECT(behave_add(bed, &any[2], 1) == 0);
	EXPECT(behave_add(bed, &any[1], 1) == 0);
	EXPECT(behave_add(bed, &any[0], 1) == 0);
	EXPECT(behave_apps_are(bed, any, 3));
	EXPECT(!bed_trusts_dscp(bed));
	return true;
}

static bool rates_as_they_are(struct bed *bed)
{
	const struct ieee_maxrate maxrate = { .tc_maxrate = { 1, 26000001 } };

	EXPECT(behave_set_maxrate(bed, &maxrate) == 0);
	EXPECT(behave_dcb(bed)->maxrate.tc_maxrate[0] == 1);
	EXPECT(behave_dcb(bed)->maxrate.tc_maxrate[1] == 26000001);
	return true;
}

static bool buffers_are_checked(struct bed *bed)
{
	const struct dcbnl_buffer good = { .buffer_size = { 524160 } };
	const struct dcbnl_buffer bad = { .buffer_size = { 524161 } };

	EXPECT(behave_set_buffer(bed, &bad) == -EINVAL);
	EXPECT(behave_set_buffer(bed, &good) == 0);
	EXPECT(behave_dcb(bed)->buffer.buffer_size[0] == 524160);
	return true;
}

static bool counters(struct bed *bed)
{
	return behave_counts_pause(bed, "rx_prio3_pause");
}

const struct behaviour behaviours_plain[] = {
	{ "PFC keeps the link and pause, any cable", pfc_keeps_link_and_pause },
	{ "DCBX: any mode, and it means nothing", any_mode },
	{ "ETS is checked", ets_is_checked },
	{ "entries add up, the highest priority is in force", entries_add_up },
	{ "entries are not trust, any selector is taken", entries_are_not_trust },
	{ "rates as they are", rates_as_they_are },
	{ "buffers are checked", buffers_are_checked },
	{ "PFC counters exist always", counters },
	{ "no stall watchdog", behave_has_no_tunable },
	{},
};
