// SPDX-License-Identifier: LGPL-2.1-or-later
/* Behaviours of MLNX_OFED's ecn/ below a netdev (nic.md 1.2). */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "lib/base/macro.h"
#include "lib/os/file.h"
#include "tests/model/behave.h"

static const char *path_of(struct bed *bed, const char *file)
{
	static char path[OS_PATH_MAX];

	(void)snprintf(path, sizeof(path), "/sys/class/net/%s/ecn/%s", bed->ifname, file);
	return path;
}

static bool reads(struct bed *bed, const char *file, const char *want)
{
	char text[64];

	return os_read_text(bed->os, path_of(bed, file), text, sizeof(text)) >= 0 &&
	       !strcmp(text, want);
}

static int write_text(struct bed *bed, const char *file, const char *text)
{
	return os_write_text(bed->os, path_of(bed, file), text);
}

static bool ecn_at_first(struct bed *bed)
{
	static const char *const want[][2] = {
		{ "roce_np/enable/0", "1" },
		{ "roce_np/enable/7", "1" },
		{ "roce_rp/enable/3", "1" },
		{ "roce_np/min_time_between_cnps", "4" },
		{ "roce_np/cnp_dscp", "48" },
		{ "roce_np/cnp_802p_prio", "6" },
		{ "roce_rp/clamp_tgt_rate", "0" },
		{ "roce_rp/clamp_tgt_rate_after_time_inc", "1" },
		{ "roce_rp/rpg_time_reset", "300" },
		{ "roce_rp/rpg_byte_reset", "32767" },
		{ "roce_rp/rpg_threshold", "1" },
		{ "roce_rp/rpg_max_rate", "0" },
		{ "roce_rp/rpg_ai_rate", "5" },
		{ "roce_rp/rpg_hai_rate", "50" },
		{ "roce_rp/rpg_gd", "11" },
		{ "roce_rp/rpg_min_dec_fac", "50" },
		{ "roce_rp/rpg_min_rate", "1" },
		{ "roce_rp/rate_to_set_on_first_cnp", "0" },
		{ "roce_rp/dce_tcp_g", "1019" },
		{ "roce_rp/dce_tcp_rtt", "1" },
		{ "roce_rp/rate_reduce_monitor_period", "4" },
		{ "roce_rp/initial_alpha_value", "1023" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(want); i++)
		EXPECT(reads(bed, want[i][0], want[i][1]));
	EXPECT(!os_exists(bed->os, path_of(bed, "roce_np/enable/8")));
	return true;
}

static bool enabled_once(struct bed *bed)
{
	EXPECT(write_text(bed, "roce_np/enable/3", "1") == -EPERM);
	EXPECT(write_text(bed, "roce_np/enable/3", "0") == 0);
	EXPECT(reads(bed, "roce_np/enable/3", "0"));
	EXPECT(write_text(bed, "roce_np/enable/3", "0") == 0);
	EXPECT(write_text(bed, "roce_np/enable/3", "1") == 0);
	EXPECT(reads(bed, "roce_np/enable/3", "1"));
	return true;
}

static bool enabled_one_by_one(struct bed *bed)
{
	EXPECT(write_text(bed, "roce_rp/enable/3", "0") == 0);
	EXPECT(reads(bed, "roce_rp/enable/3", "0"));
	EXPECT(reads(bed, "roce_rp/enable/4", "1"));
	EXPECT(reads(bed, "roce_np/enable/3", "1"));
	return true;
}

static bool params_are_stored(struct bed *bed)
{
	EXPECT(write_text(bed, "roce_np/cnp_dscp", "26") == 0);
	EXPECT(reads(bed, "roce_np/cnp_dscp", "26"));
	EXPECT(write_text(bed, "roce_rp/rpg_time_reset", "100000") == 0);
	EXPECT(reads(bed, "roce_rp/rpg_time_reset", "100000"));
	return true;
}

static bool too_wide_is_cut(struct bed *bed)
{
	EXPECT(write_text(bed, "roce_np/cnp_dscp", "64") == 0);
	EXPECT(reads(bed, "roce_np/cnp_dscp", "0"));
	EXPECT(write_text(bed, "roce_np/cnp_802p_prio", "13") == 0);
	EXPECT(reads(bed, "roce_np/cnp_802p_prio", "5"));
	EXPECT(write_text(bed, "roce_rp/rpg_time_reset", "-1") == 0);
	EXPECT(reads(bed, "roce_rp/rpg_time_reset", "-1"));
	return true;
}

/* What then stands there nobody knows */
static bool garbage_is_taken(struct bed *bed)
{
	EXPECT(write_text(bed, "roce_rp/rpg_ai_rate", "fast") == 0);
	EXPECT(write_text(bed, "roce_rp/rpg_ai_rate", "7 up") == 0);
	EXPECT(reads(bed, "roce_rp/rpg_ai_rate", "7"));
	return true;
}

static bool ecn_faults(struct bed *bed)
{
	EXPECT(bed_fault(bed, "ecn", BED_BUSY, 1) == 0);
	EXPECT(write_text(bed, "roce_np/cnp_dscp", "26") == -EBUSY);
	EXPECT(write_text(bed, "roce_np/cnp_dscp", "26") == 0);
	EXPECT(bed_fault(bed, "ecn", BED_SILENT, 0) == 0);
	EXPECT(write_text(bed, "roce_np/cnp_dscp", "27") == 0);
	EXPECT(reads(bed, "roce_np/cnp_dscp", "26"));
	return true;
}

static bool ecn_clamped(struct bed *bed)
{
	EXPECT(bed_fault(bed, "ecn", BED_CLAMP, 0) == 0);
	EXPECT(write_text(bed, "roce_np/cnp_dscp", "64") == 0);
	EXPECT(reads(bed, "roce_np/cnp_dscp", "63"));
	return true;
}

static int user_writes(struct bed *bed)
{
	return write_text(bed, "roce_np/cnp_dscp", "26");
}

static bool user_may_not(struct bed *bed)
{
	EXPECT(bed_as_user(bed, user_writes) == -EACCES);
	EXPECT(reads(bed, "roce_np/cnp_dscp", "48"));
	return true;
}

const struct behaviour behaviours_ofed[] = {
	{ "ECN is on for all priorities, with NVCONFIG's values", ecn_at_first },
	{ "ECN: what is enabled cannot be enabled again", enabled_once },
	{ "ECN is enabled for each priority", enabled_one_by_one },
	{ "ECN parameters are stored", params_are_stored },
	{ "ECN: what is too wide is cut", too_wide_is_cut },
	{ "ECN: garbage is taken", garbage_is_taken },
	{ "ECN: busy and silent", ecn_faults },
	{ "ECN, clamped, is the largest value", ecn_clamped },
	{ "ECN: a plain user may not write", user_may_not },
	{},
};
