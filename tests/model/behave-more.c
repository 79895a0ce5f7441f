// SPDX-License-Identifier: LGPL-2.1-or-later
/* Behaviours of a ConnectX: buffers, rates, the stall watchdog, counters, queue pairs. */
#include <errno.h>
#include <string.h>

#include "lib/base/macro.h"
#include "lib/os/ethtool.h"
#include "lib/os/rdma.h"
#include "tests/model/behave.h"

enum {
	MTU = 1500,
	/* xoff for 7 m at 100 Gbit/s, one frame and one cell (en/port_buffer.c) */
	LOSSLESS_MIN = 31612 / 100 * 100 + 272 * MTU / 100 + MTU + 128,
	STALL_AUTO = 0xffff,
};

/* ---- buffers ---- */

static struct dcbnl_buffer two_buffers(uint32_t lossless)
{
	struct dcbnl_buffer buffer = {
		.prio2buffer = { 0, 0, 0, 1, 0, 0, 0, 0 },
		.buffer_size = { 100000, lossless },
	};

	return buffer;
}

static bool buffers_at_first(struct bed *bed)
{
	const struct os_dcb *dcb = behave_dcb(bed);

	EXPECT(dcb->has_buffer);
	EXPECT(dcb->buffer.buffer_size[0] == 262016 && dcb->buffer.total_size == 524160);
	for (int i = 1; i < 8; i++)
		EXPECT(!dcb->buffer.buffer_size[i] && !dcb->buffer.prio2buffer[i]);
	return true;
}

static bool buffers_are_stored(struct bed *bed)
{
	const struct dcbnl_buffer want = two_buffers(200000);
	const struct dcbnl_buffer *have;

	EXPECT(behave_set_buffer(bed, &want) == 0);
	have = &behave_dcb(bed)->buffer;
	EXPECT(!memcmp(have->prio2buffer, want.prio2buffer, sizeof(want.prio2buffer)));
	EXPECT(!memcmp(have->buffer_size, want.buffer_size, sizeof(want.buffer_size)));
	EXPECT(have->total_size == 524160);
	return true;
}

static bool lossless_buffer_has_a_size(struct bed *bed)
{
	struct dcbnl_buffer buffer = two_buffers(0);

	EXPECT(behave_set_pfc(bed, 0x08, 0) == 0);
	EXPECT(behave_set_buffer(bed, &buffer) == -EINVAL);
	buffer = two_buffers(LOSSLESS_MIN - 1);
	EXPECT(behave_set_buffer(bed, &buffer) == -ENOMEM);
	EXPECT(behave_dcb(bed)->buffer.prio2buffer[3] == 0);
	buffer = two_buffers(LOSSLESS_MIN);
	EXPECT(behave_set_buffer(bed, &buffer) == 0);
	EXPECT(behave_dcb(bed)->buffer.buffer_size[1] == LOSSLESS_MIN);
	return true;
}

static bool buffers_have_limits(struct bed *bed)
{
	struct dcbnl_buffer buffer = two_buffers(424161);

	EXPECT(behave_set_buffer(bed, &buffer) == -EINVAL);
	buffer = two_buffers(424160);
	EXPECT(behave_set_buffer(bed, &buffer) == 0);
	buffer.prio2buffer[7] = 8;
	EXPECT(behave_set_buffer(bed, &buffer) == -EINVAL);
	return true;
}

static bool buffers_clamped(struct bed *bed)
{
	const struct dcbnl_buffer buffer = two_buffers(200000);

	EXPECT(bed_fault(bed, "buffer", BED_CLAMP, 0) == 0);
	EXPECT(behave_set_buffer(bed, &buffer) == 0);
	EXPECT(behave_dcb(bed)->buffer.buffer_size[0] == 3 * 32768);
	EXPECT(behave_dcb(bed)->buffer.buffer_size[1] == 6 * 32768);
	return true;
}

static bool buffers_busy(struct bed *bed)
{
	const struct dcbnl_buffer buffer = two_buffers(200000);

	EXPECT(bed_fault(bed, "buffer", BED_BUSY, 1) == 0);
	EXPECT(behave_set_buffer(bed, &buffer) == -EBUSY);
	EXPECT(behave_dcb(bed)->buffer.buffer_size[1] == 0);
	EXPECT(behave_set_buffer(bed, &buffer) == 0);
	EXPECT(behave_dcb(bed)->buffer.buffer_size[1] == 200000);
	return true;
}

/* ---- rates ---- */

static bool rates_come_in_steps(struct bed *bed)
{
	const struct ieee_maxrate maxrate = {
		.tc_maxrate = { 0, 1, 100000, 199999, 25500000, 26000000, 26000001, 99999999 },
	};
	static const uint64_t want[] = { 0,	   100000,   100000,   100000,
					 25500000, 26000000, 26000000, 99000000 };

	EXPECT(behave_dcb(bed)->has_maxrate);
	EXPECT(behave_set_maxrate(bed, &maxrate) == 0);
	for (size_t i = 0; i < ARRAY_SIZE(want); i++)
		EXPECT(behave_dcb(bed)->maxrate.tc_maxrate[i] == want[i]);
	return true;
}

static bool rates_clamped(struct bed *bed)
{
	const struct ieee_maxrate maxrate = { .tc_maxrate = { 2500000 } };

	EXPECT(bed_fault(bed, "maxrate", BED_CLAMP, 0) == 0);
	EXPECT(behave_set_maxrate(bed, &maxrate) == 0);
	EXPECT(behave_dcb(bed)->maxrate.tc_maxrate[0] == 2000000);
	return true;
}

static bool rates_silent(struct bed *bed)
{
	const struct ieee_maxrate maxrate = { .tc_maxrate = { 2500000 } };

	EXPECT(bed_fault(bed, "maxrate", BED_SILENT, 0) == 0);
	EXPECT(behave_set_maxrate(bed, &maxrate) == 0);
	EXPECT(behave_dcb(bed)->maxrate.tc_maxrate[0] == 0);
	return true;
}

/* ---- clamps of DCB ---- */

static bool pfc_clamped(struct bed *bed)
{
	EXPECT(bed_fault(bed, "pfc", BED_CLAMP, 0) == 0);
	EXPECT(behave_set_pfc(bed, 0x18, 0) == 0);
	EXPECT(behave_dcb(bed)->pfc.pfc_en == 0x08);
	return true;
}

static bool ets_clamped(struct bed *bed)
{
	static const uint8_t want[] = { 0, 1, 2, 3, 3, 3, 3, 3 };
	struct ieee_ets ets = {};

	for (uint8_t i = 0; i < 8; i++)
		ets.prio_tc[i] = i;
	EXPECT(bed_fault(bed, "ets", BED_CLAMP, 0) == 0);
	EXPECT(behave_set_ets(bed, &ets) == 0);
	EXPECT(!memcmp(behave_dcb(bed)->ets.prio_tc, want, sizeof(want)));
	return true;
}

/* ---- the stall watchdog ---- */

static bool stall_is(struct bed *bed, uint16_t want)
{
	uint16_t ms = 1;

	return os_pfc_stall_get(bed->os, bed->ifname, &ms) == 0 && ms == want;
}

static int set_stall(struct bed *bed, uint16_t ms)
{
	return os_pfc_stall_set(bed->os, bed->ifname, ms);
}

static bool stall_has_limits(struct bed *bed)
{
	EXPECT(stall_is(bed, 8000));
	EXPECT(set_stall(bed, 79) == -EINVAL);
	EXPECT(set_stall(bed, 8001) == -EINVAL);
	EXPECT(stall_is(bed, 8000));
	EXPECT(set_stall(bed, 80) == 0);
	EXPECT(stall_is(bed, 80));
	EXPECT(set_stall(bed, 0) == 0);
	EXPECT(stall_is(bed, 0));
	return true;
}

static bool stall_auto_reads_100(struct bed *bed)
{
	EXPECT(set_stall(bed, STALL_AUTO) == 0);
	EXPECT(stall_is(bed, 100));
	return true;
}

static bool stall_faults(struct bed *bed)
{
	EXPECT(bed_fault(bed, "tunable", BED_BUSY, 1) == 0);
	EXPECT(set_stall(bed, 100) == -EBUSY);
	EXPECT(stall_is(bed, 8000));
	EXPECT(set_stall(bed, 100) == 0);
	EXPECT(bed_fault(bed, "tunable", BED_SILENT, 0) == 0);
	EXPECT(set_stall(bed, 200) == 0);
	EXPECT(stall_is(bed, 100));
	return true;
}

/* ---- counters and flags ---- */

static bool pause_counters_come_with_pfc(struct bed *bed)
{
	EXPECT(behave_stat(bed, "rx_prio3_bytes", NULL));
	EXPECT(!behave_stat(bed, "rx_prio3_pause", NULL));
	EXPECT(behave_set_pfc(bed, 0x08, 0) == 0);
	EXPECT(behave_stat(bed, "rx_prio3_pause", NULL));
	EXPECT(behave_stat(bed, "tx_prio3_pause", NULL));
	EXPECT(!behave_stat(bed, "rx_prio4_pause", NULL));
	return behave_counts_pause(bed, "rx_prio3_pause");
}

static bool no_flags(struct bed *bed)
{
	bool on;

	EXPECT(os_private_flag_get(bed->os, bed->ifname, "fw-lldp-agent", &on) == -EOPNOTSUPP);
	EXPECT(os_private_flag_set(bed->os, bed->ifname, "fw-lldp-agent", false) == -EOPNOTSUPP);
	return true;
}

static bool others_have_none(struct bed *bed)
{
	struct os_stats stats = {};
	uint16_t ms;
	bool on;

	EXPECT(os_stats_get(bed->os, "lo", &stats) == -EOPNOTSUPP);
	EXPECT(os_pfc_stall_get(bed->os, "lo", &ms) == -EOPNOTSUPP);
	EXPECT(os_private_flag_get(bed->os, "lo", "x", &on) == -EOPNOTSUPP);
	EXPECT(os_stats_get(bed->os, "nosuch0", &stats) == -ENODEV);
	EXPECT(os_pfc_stall_set(bed->os, "nosuch0", 100) == -ENODEV);
	return true;
}

static int user_reads(struct bed *bed)
{
	struct os_qps qps = {};
	int r;

	if (!stall_is(bed, 8000) || !behave_stat(bed, "rx_prio3_bytes", NULL))
		return -ENODATA;
	r = os_qp_dump(bed->os, &qps);
	os_qps_done(&qps);
	return r;
}

static int user_sets_stall(struct bed *bed)
{
	return set_stall(bed, 100);
}

static bool user_reads_only(struct bed *bed)
{
	EXPECT(bed_as_user(bed, user_reads) == 0);
	EXPECT(bed_as_user(bed, user_sets_stall) == -EPERM);
	EXPECT(stall_is(bed, 8000));
	return true;
}

/* ---- queue pairs ---- */

/* How many queue pairs the port's device has, of the kernel or of processes; -1 on an error */
static int count_qps(struct bed *bed, bool user)
{
	struct os_qps qps = {};
	int n = 0;

	if (os_qp_dump(bed->os, &qps) < 0)
		return -1;
	for (size_t i = 0; i < qps.n; i++)
		n += !strcmp(qps.list[i].rdma, bed->rdma) && qps.list[i].user == user;
	os_qps_done(&qps);
	return n;
}

static int user_counts(struct bed *bed)
{
	return -count_qps(bed, true);
}

static bool qps_tell_users(struct bed *bed)
{
	EXPECT(count_qps(bed, false) >= 1);
	EXPECT(count_qps(bed, true) == 0);
	EXPECT(bed_use_rdma(bed, true) == 0);
	EXPECT(count_qps(bed, true) >= 1);
	EXPECT(bed_as_user(bed, user_counts) < 0);
	EXPECT(bed_use_rdma(bed, false) == 0);
	EXPECT(count_qps(bed, true) == 0);
	return true;
}

const struct behaviour behaviours_more[] = {
	{ "one buffer at first, the size of half of it", buffers_at_first },
	{ "buffers are stored", buffers_are_stored },
	{ "a lossless buffer has to hold xoff, a frame and a cell", lossless_buffer_has_a_size },
	{ "buffers have limits", buffers_have_limits },
	{ "buffers, clamped, come in pieces of 32 KiB", buffers_clamped },
	{ "buffers: a busy driver", buffers_busy },
	{ "rates come in steps of 100 Mbit/s and 1 Gbit/s", rates_come_in_steps },
	{ "rates, clamped, come in steps of 1 Gbit/s", rates_clamped },
	{ "rates: a silent driver", rates_silent },
	{ "PFC, clamped, is the lowest priority alone", pfc_clamped },
	{ "ETS, clamped, has four classes", ets_clamped },
	{ "the stall watchdog has limits", stall_has_limits },
	{ "the stall watchdog's own choice reads 100", stall_auto_reads_100 },
	{ "the stall watchdog: busy and silent", stall_faults },
	{ "pause counters exist only with PFC", pause_counters_come_with_pfc },
	{ "no private flags", no_flags },
	{ "lo has no counters, no watchdog, no flags", others_have_none },
	{ "a plain user reads counters, and sets nothing", user_reads_only },
	{ "queue pairs of processes are told from the kernel's", qps_tell_users },
	{},
};
