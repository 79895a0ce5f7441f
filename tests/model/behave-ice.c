// SPDX-License-Identifier: LGPL-2.1-or-later
/* Behaviours of an E810 (nic.md 1.5). */
#include <errno.h>
#include <string.h>

#include "lib/os/ethtool.h"
#include "tests/model/behave.h"

enum {
	HOST_IEEE = DCB_CAP_DCBX_HOST | DCB_CAP_DCBX_VER_IEEE,
	AGENT_IEEE = DCB_CAP_DCBX_LLD_MANAGED | DCB_CAP_DCBX_VER_IEEE,
	HOST_CEE = DCB_CAP_DCBX_HOST | DCB_CAP_DCBX_VER_CEE,
};

static const char agent[] = "fw-lldp-agent";

static int agent_off(struct bed *bed)
{
	return os_private_flag_set(bed->os, bed->ifname, agent, false);
}

static bool agent_owns_dcb(struct bed *bed)
{
	const struct ieee_ets ets = behave_ets();
	bool on = false;

	EXPECT(behave_dcb(bed)->dcbx == AGENT_IEEE);
	EXPECT(os_private_flag_get(bed->os, bed->ifname, agent, &on) == 0 && on);
	EXPECT(behave_set_pfc(bed, 0x08, 0) == -EINVAL);
	EXPECT(behave_set_ets(bed, &ets) == -EINVAL);
	EXPECT(behave_add(bed, &behave_dscp_26_3, 1) == -EINVAL);
	EXPECT(behave_drop(bed, &behave_dscp_26_3) == -EINVAL);
	EXPECT(behave_set_dcbx(bed, HOST_IEEE) == 1);
	EXPECT(behave_dcb(bed)->dcbx == AGENT_IEEE);
	return true;
}

static bool flag_ends_agent(struct bed *bed)
{
	bool on = true;

	EXPECT(agent_off(bed) == 0);
	EXPECT(os_private_flag_get(bed->os, bed->ifname, agent, &on) == 0 && !on);
	EXPECT(behave_dcb(bed)->dcbx == HOST_IEEE);
	EXPECT(behave_set_pfc(bed, 0x08, 0) == 0);
	EXPECT(behave_dcb(bed)->pfc.pfc_en == 0x08);
	EXPECT(os_private_flag_set(bed->os, bed->ifname, agent, true) == 0);
	EXPECT(behave_dcb(bed)->dcbx == AGENT_IEEE);
	return true;
}

static bool other_flags(struct bed *bed)
{
	bool on;

	EXPECT(os_private_flag_get(bed->os, bed->ifname, "fw-lldp", &on) == -EOPNOTSUPP);
	EXPECT(os_private_flag_set(bed->os, bed->ifname, "fw-lldp-agent2", on = true) ==
	       -EOPNOTSUPP);
	return true;
}

static int user_sets_flag(struct bed *bed)
{
	return agent_off(bed);
}

static int user_reads_flag(struct bed *bed)
{
	bool on = false;
	int r = os_private_flag_get(bed->os, bed->ifname, agent, &on);

	return r < 0 || on ? r : -ENODATA;
}

static bool user_reads_only(struct bed *bed)
{
	EXPECT(bed_as_user(bed, user_reads_flag) == 0);
	EXPECT(bed_as_user(bed, user_sets_flag) == -EPERM);
	return true;
}

static bool changes_bounce(struct bed *bed)
{
	const struct ieee_ets ets = behave_ets();

	EXPECT(agent_off(bed) == 0);
	EXPECT(behave_set_pfc(bed, 0x08, 0) == 0);
	EXPECT(!behave_has_carrier(bed));
	EXPECT(behave_carrier_returns(bed));
	EXPECT(behave_set_pfc(bed, 0x08, 0) == 0);
	EXPECT(behave_has_carrier(bed));
	EXPECT(behave_set_ets(bed, &ets) == 0);
	EXPECT(!behave_has_carrier(bed));
	EXPECT(behave_carrier_returns(bed));
	EXPECT(behave_set_ets(bed, &ets) == 0);
	EXPECT(behave_has_carrier(bed));
	return true;
}

static bool pfc_ignores_cable(struct bed *bed)
{
	EXPECT(agent_off(bed) == 0);
	EXPECT(behave_dcb(bed)->pfc.pfc_cap == 8 && behave_dcb(bed)->pfc.delay == 7);
	EXPECT(behave_set_pfc(bed, 0x08, 100) == 0);
	EXPECT(behave_dcb(bed)->pfc.delay == 7);
	return true;
}

static bool pause_without_pfc(struct bed *bed)
{
	EXPECT(agent_off(bed) == 0);
	EXPECT(behave_pause_is(bed, true, true));
	EXPECT(behave_set_pause(bed, true, true, true) == -EOPNOTSUPP);
	EXPECT(behave_set_pause(bed, false, false, true) == 0);
	EXPECT(behave_set_pfc(bed, 0x08, 0) == 0);
	EXPECT(behave_set_pause(bed, false, false, false) == -EOPNOTSUPP);
	EXPECT(behave_pause_is(bed, false, true));
	return true;
}

/* ---- APP ---- */

static bool good_app_is_1(struct bed *bed)
{
	EXPECT(agent_off(bed) == 0);
	EXPECT(behave_add(bed, &behave_dscp_26_4, 1) == 1);
	EXPECT(behave_apps_are(bed, &behave_dscp_26_4, 1));
	EXPECT(bed_trusts_dscp(bed));
	EXPECT(bed_dscp_priority(bed, 26) == 4);
	return true;
}

static bool one_app_a_message(struct bed *bed)
{
	const struct dcb_app both[] = { behave_dscp_26_3, behave_dscp_48_6 };
	const struct dcb_app shown[] = { behave_dscp_48_6, behave_dscp_26_3 };

	EXPECT(agent_off(bed) == 0);
	EXPECT(behave_add(bed, both, 2) == 1);
	EXPECT(behave_apps_are(bed, &behave_dscp_26_3, 1));
	EXPECT(behave_add(bed, &behave_dscp_48_6, 1) == 1);
	EXPECT(behave_apps_are(bed, shown, 2));
	return true;
}

static bool remap_refused(struct bed *bed)
{
	EXPECT(agent_off(bed) == 0);
	EXPECT(behave_add(bed, &behave_dscp_26_3, 1) == 1);
	EXPECT(behave_add(bed, &behave_dscp_26_4, 1) == -EINVAL);
	EXPECT(behave_apps_are(bed, &behave_dscp_26_3, 1));
	EXPECT(behave_add(bed, &behave_dscp_26_3, 1) == -EEXIST);
	EXPECT(behave_drop(bed, &behave_dscp_26_3) == 0);
	EXPECT(!bed_trusts_dscp(bed));
	EXPECT(behave_add(bed, &behave_dscp_26_4, 1) == 1);
	EXPECT(behave_apps_are(bed, &behave_dscp_26_4, 1));
	return true;
}

static bool app_errors(struct bed *bed)
{
	const struct dcb_app ethertype = { IEEE_8021QAZ_APP_SEL_ETHERTYPE, 3, 0x8915 };
	const struct dcb_app too_large = { IEEE_8021QAZ_APP_SEL_DSCP, 3, 64 };

	EXPECT(agent_off(bed) == 0);
	EXPECT(behave_add(bed, &ethertype, 1) == -EINVAL);
	EXPECT(behave_add(bed, &too_large, 1) == -EINVAL);
	EXPECT(behave_drop(bed, &behave_dscp_26_3) == -ENOENT);
	EXPECT(behave_apps_are(bed, NULL, 0));
	return true;
}

static bool failures_are_1(struct bed *bed)
{
	EXPECT(agent_off(bed) == 0);
	EXPECT(bed_fault(bed, "app", BED_STATUS, EIO) == 0);
	EXPECT(behave_add(bed, &behave_dscp_26_4, 1) == 1);
	EXPECT(behave_apps_are(bed, &behave_dscp_26_4, 1));
	EXPECT(!bed_trusts_dscp(bed));
	EXPECT(bed_dscp_priority(bed, 26) == 3);
	return true;
}

static bool dscp_mode_resets_ets(struct bed *bed)
{
	const struct ieee_ets ets = behave_ets();
	const struct ieee_ets *have;

	EXPECT(agent_off(bed) == 0);
	EXPECT(behave_set_ets(bed, &ets) == 0);
	EXPECT(behave_add(bed, &behave_dscp_26_3, 1) == 1);
	have = &behave_dcb(bed)->ets;
	for (int i = 0; i < 8; i++)
		EXPECT(have->prio_tc[i] == i && have->tc_tsa[i] == IEEE_8021QAZ_TSA_ETS &&
		       have->tc_tx_bw[i] == (i ? 0 : 100));
	return true;
}

static bool no_map_in_dscp_mode(struct bed *bed)
{
	const struct ieee_ets ets = behave_ets();
	const struct ieee_ets *have;

	EXPECT(agent_off(bed) == 0);
	EXPECT(behave_add(bed, &behave_dscp_26_3, 1) == 1);
	EXPECT(behave_set_ets(bed, &ets) == 0);
	have = &behave_dcb(bed)->ets;
	EXPECT(have->tc_tx_bw[0] == 50 && have->tc_tx_bw[1] == 50);
	for (int i = 0; i < 8; i++)
		EXPECT(have->prio_tc[i] == i);
	return true;
}

/* ---- DCBX ---- */

static bool same_mode_refused(struct bed *bed)
{
	EXPECT(agent_off(bed) == 0);
	EXPECT(behave_set_dcbx(bed, HOST_IEEE) == 1);
	EXPECT(behave_set_dcbx(bed, DCB_CAP_DCBX_VER_IEEE) == 1);
	EXPECT(behave_set_dcbx(bed, HOST_IEEE | DCB_CAP_DCBX_VER_CEE) == 1);
	EXPECT(behave_set_dcbx(bed, HOST_CEE) == 0);
	EXPECT(behave_set_pfc(bed, 0x08, 0) == -EINVAL);
	EXPECT(behave_set_dcbx(bed, HOST_IEEE) == 0);
	EXPECT(behave_add(bed, &behave_dscp_26_3, 1) == 1);
	EXPECT(behave_set_dcbx(bed, HOST_CEE) == 1);
	EXPECT(behave_dcb(bed)->dcbx == HOST_IEEE);
	return true;
}

/* ---- the rest ---- */

static bool faults(struct bed *bed)
{
	EXPECT(agent_off(bed) == 0);
	EXPECT(bed_fault(bed, "pfc", BED_BUSY, 1) == 0);
	EXPECT(behave_set_pfc(bed, 0x08, 0) == -EBUSY);
	EXPECT(behave_set_pfc(bed, 0x08, 0) == 0);
	EXPECT(bed_fault(bed, "pfc", BED_SILENT, 0) == 0);
	EXPECT(behave_set_pfc(bed, 0x10, 0) == 0);
	EXPECT(behave_dcb(bed)->pfc.pfc_en == 0x08);
	EXPECT(bed_fault(bed, "pfc", BED_STATUS, EIO) == 0);
	EXPECT(behave_set_pfc(bed, 0x10, 0) == -EIO);
	return true;
}

static bool counters(struct bed *bed)
{
	EXPECT(behave_stat(bed, "tx_priority_3_xoff.nic", NULL));
	return behave_counts_pause(bed, "rx_priority_3_xoff.nic");
}

const struct behaviour behaviours_ice[] = {
	{ "the firmware agent owns DCB, everything is refused", agent_owns_dcb },
	{ "the private flag ends that, and brings it back", flag_ends_agent },
	{ "other private flags do not exist", other_flags },
	{ "a plain user reads the flag, and does not set it", user_reads_only },
	{ "changes close and open the netdev", changes_bounce },
	{ "PFC ignores the cable length", pfc_ignores_cable },
	{ "pause is refused while PFC is on", pause_without_pfc },
	{ "a good APP answers 1", good_app_is_1 },
	{ "a message ends after its first APP", one_app_a_message },
	{ "remap without delete is refused", remap_refused },
	{ "APP: DSCP below 64 alone, ENOENT", app_errors },
	{ "a failed APP answers 1 too, and stays in the table", failures_are_1 },
	{ "the first DSCP resets ETS", dscp_mode_resets_ets },
	{ "in DSCP mode ETS keeps its map and says yes", no_map_in_dscp_mode },
	{ "DCBX: the same mode is refused, any in DSCP mode", same_mode_refused },
	{ "busy, silent, refused", faults },
	{ "PFC counters exist always", counters },
	{ "no stall watchdog", behave_has_no_tunable },
	{ "buffers and rates are taken and lost", behave_has_no_buffer },
	{},
};
