// SPDX-License-Identifier: LGPL-2.1-or-later
/* Short forms for the rows of the tables of behaviours. */
#include "tests/model/behave.h"

#include <errno.h>
#include <string.h>

#include "lib/os/ethtool.h"
#include "lib/os/link.h"

enum {
	CARRIER_STEP_MS = 50,
	CARRIER_STEPS = 60,
};

const struct dcb_app behave_dscp_26_3 = { IEEE_8021QAZ_APP_SEL_DSCP, 3, 26 };
const struct dcb_app behave_dscp_26_4 = { IEEE_8021QAZ_APP_SEL_DSCP, 4, 26 };
const struct dcb_app behave_dscp_48_6 = { IEEE_8021QAZ_APP_SEL_DSCP, 6, 48 };

static int word(int r, const struct os_error *error)
{
	if (r == -EREMOTEIO)
		return error->status;
	return r < 0 ? r - 1000 : 0;
}

int behave_add(struct bed *bed, const struct dcb_app *app, size_t n)
{
	struct os_error error;

	return word(os_dcb_app_add(bed->os, bed->ifname, app, n, &error), &error);
}

int behave_drop(struct bed *bed, const struct dcb_app *app)
{
	struct os_error error;

	return word(os_dcb_app_delete(bed->os, bed->ifname, app, 1, &error), &error);
}

int behave_set_pfc(struct bed *bed, uint8_t mask, uint16_t cable_m)
{
	const struct ieee_pfc pfc = { .pfc_en = mask, .delay = cable_m };
	struct os_error error;

	return word(os_dcb_set_pfc(bed->os, bed->ifname, &pfc, &error), &error);
}

int behave_set_ets(struct bed *bed, const struct ieee_ets *ets)
{
	struct os_error error;

	return word(os_dcb_set_ets(bed->os, bed->ifname, ets, &error), &error);
}

int behave_set_dcbx(struct bed *bed, uint8_t mode)
{
	struct os_error error;

	return word(os_dcb_set_dcbx(bed->os, bed->ifname, mode, &error), &error);
}

int behave_set_buffer(struct bed *bed, const struct dcbnl_buffer *buffer)
{
	struct os_error error;

	return word(os_dcb_set_buffer(bed->os, bed->ifname, buffer, &error), &error);
}

int behave_set_maxrate(struct bed *bed, const struct ieee_maxrate *maxrate)
{
	struct os_error error;

	return word(os_dcb_set_maxrate(bed->os, bed->ifname, maxrate, &error), &error);
}

const struct os_dcb *behave_dcb(struct bed *bed)
{
	static struct os_dcb dcb;

	if (os_dcb_get(bed->os, bed->ifname, &dcb) < 0)
		memset(&dcb, 0, sizeof(dcb));
	return &dcb;
}

bool behave_apps_are(struct bed *bed, const struct dcb_app *app, size_t n)
{
	const struct os_dcb *dcb = behave_dcb(bed);

	return dcb->has_app && dcb->n_app == n &&
	       (n == 0 || !memcmp(dcb->app, app, n * sizeof(*app)));
}

struct ieee_ets behave_ets(void)
{
	struct ieee_ets ets = {
		.tc_tx_bw = { 50, 50 },
		.tc_tsa = { IEEE_8021QAZ_TSA_ETS, IEEE_8021QAZ_TSA_ETS },
		.prio_tc = { 0, 0, 0, 1, 0, 0, 2, 0 },
	};

	return ets;
}

bool behave_has_carrier(struct bed *bed)
{
	struct os_link link;

	return os_link_get(bed->os, bed->ifindex, &link) == 0 && link.carrier;
}

bool behave_carrier_returns(struct bed *bed)
{
	for (int i = 0; i < CARRIER_STEPS && !behave_has_carrier(bed); i++)
		bed->os->ops->sleep_ms(bed->os, CARRIER_STEP_MS);
	return behave_has_carrier(bed);
}

int behave_set_pause(struct bed *bed, bool autoneg, bool rx, bool tx)
{
	const struct os_pause pause = { .autoneg = autoneg, .rx = rx, .tx = tx };
	struct os_error error;

	return os_pause_set(bed->os, bed->ifindex, &pause, &error);
}

bool behave_pause_is(struct bed *bed, bool rx, bool tx)
{
	struct os_pause pause;

	return os_pause_get(bed->os, bed->ifindex, &pause) == 0 && !pause.autoneg &&
	       pause.rx == rx && pause.tx == tx;
}

bool behave_stat(struct bed *bed, const char *name, uint64_t *ret)
{
	struct os_stats stats = {};
	bool found = false;

	if (os_stats_get(bed->os, bed->ifname, &stats) < 0)
		return false;
	for (size_t i = 0; i < stats.n && !found; i++) {
		found = !strcmp(stats.list[i].name, name);
		if (found && ret)
			*ret = stats.list[i].value;
	}
	os_stats_done(&stats);
	return found;
}

bool behave_counts_pause(struct bed *bed, const char *name)
{
	uint64_t before, after, shown;

	EXPECT(behave_stat(bed, name, &before));
	shown = behave_dcb(bed)->pfc.indications[3];
	EXPECT(bed_storm(bed, 3, name) == 0);
	EXPECT(behave_stat(bed, name, &after));
	EXPECT(after == before + BED_STORM_FRAMES);
	EXPECT(behave_dcb(bed)->pfc.indications[3] == shown + BED_STORM_FRAMES);
	return true;
}

bool behave_has_no_tunable(struct bed *bed)
{
	uint16_t ms;

	EXPECT(os_pfc_stall_get(bed->os, bed->ifname, &ms) == -EOPNOTSUPP);
	EXPECT(os_pfc_stall_set(bed->os, bed->ifname, 100) == -EOPNOTSUPP);
	return true;
}

bool behave_has_no_buffer(struct bed *bed)
{
	const struct ieee_maxrate maxrate = { .tc_maxrate = { 100000 } };
	const struct dcbnl_buffer buffer = { .buffer_size = { 100000 } };

	EXPECT(!behave_dcb(bed)->has_buffer && !behave_dcb(bed)->has_maxrate);
	EXPECT(behave_set_buffer(bed, &buffer) == 0);
	EXPECT(behave_set_maxrate(bed, &maxrate) == 0);
	EXPECT(!behave_dcb(bed)->has_buffer && !behave_dcb(bed)->has_maxrate);
	return true;
}
