// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Congestion control of a simulated ConnectX, in the two forms that drivers have for it: ecn/ below
 * the netdev (MLNX_OFED 24.07, core/en_ecn.c) and cc_params in debugfs (upstream,
 * drivers/infiniband/hw/mlx5/cong.c). Both show the same firmware values.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/macro.h"
#include "lib/os/fake-private.h"

enum { NP, RP };

enum { GARBAGE = 0x2badbad5 }; /* what bad text writes here; anything in reality */

/* Those of NP come first. @ofed or @upstream is NULL if there is no such file. */
static const struct {
	const char *ofed;
	const char *upstream;
	uint32_t mask; /* width of the firmware's field */
	uint32_t initial; /* NVCONFIG default (nic.md 1.1.1) */
} params[FAKE_ECN_PARAMS] = {
	{ "min_time_between_cnps", "np_min_time_between_cnps", UINT32_MAX, 4 },
	{ "cnp_dscp", "np_cnp_dscp", 0x3f, 48 },
	{ "cnp_802p_prio", "np_cnp_prio", 0x7, 6 },
	{ "clamp_tgt_rate", "rp_clamp_tgt_rate", 0x1, 0 },
	{ "clamp_tgt_rate_after_time_inc", "rp_clamp_tgt_rate_ati", 0x1, 1 },
	{ "rpg_time_reset", "rp_time_reset", UINT32_MAX, 300 },
	{ "rpg_byte_reset", "rp_byte_reset", UINT32_MAX, 32767 },
	{ "rpg_threshold", "rp_threshold", UINT32_MAX, 1 },
	{ "rpg_max_rate", "rp_max_rate", UINT32_MAX, 0 },
	{ "rpg_ai_rate", "rp_ai_rate", UINT32_MAX, 5 },
	{ "rpg_hai_rate", "rp_hai_rate", UINT32_MAX, 50 },
	{ "rpg_gd", "rp_gd", UINT32_MAX, 11 },
	{ "rpg_min_dec_fac", "rp_min_dec_fac", UINT32_MAX, 50 },
	{ "rpg_min_rate", "rp_min_rate", UINT32_MAX, 1 },
	{ "rate_to_set_on_first_cnp", "rp_rate_to_set_on_first_cnp", UINT32_MAX, 0 },
	{ "dce_tcp_g", "rp_dce_tcp_g", UINT32_MAX, 1019 },
	{ "dce_tcp_rtt", "rp_dce_tcp_rtt", UINT32_MAX, 1 },
	{ "rate_reduce_monitor_period", "rp_rate_reduce_monitor_period", UINT32_MAX, 4 },
	{ "initial_alpha_value", "rp_initial_alpha_value", UINT32_MAX, 1023 },
	{ NULL, "np_cnp_prio_mode", 0x1, 1 },
	{ NULL, "rtt_resp_dscp_valid", 0x1, 0 },
	{ NULL, "rtt_resp_dscp", 0x3f, 0 },
};

enum {
	NP_PARAMS = 3,
	CNP_PRIO = 2,
	CNP_PRIO_MODE = 19,
};

void fake_ecn_defaults(struct fake_hw *hw)
{
	hw->ecn_enable[NP] = UINT8_MAX;
	hw->ecn_enable[RP] = UINT8_MAX;
	for (size_t i = 0; i < ARRAY_SIZE(params); i++)
		hw->ecn_param[i] = params[i].initial;
}

/* ---- OFED ---- */

/* sscanf() whose result nobody looks at: what is no number writes garbage. */
static uint32_t ofed_number(const char *text)
{
	long long value;
	char *end;

	value = strtoll(text, &end, 10);
	return end == text ? GARBAGE : (uint32_t)value;
}

/* The index holds the protocol and the priority. */
static int show_enable(struct fake_device *device, unsigned int index, char *text, size_t size)
{
	uint8_t mask = device->hw.ecn_enable[index / FAKE_PRIORITIES];

	return snprintf(text, size, "%d\n", mask >> index % FAKE_PRIORITIES & 1);
}

/* One bit of the number counts. What is enabled cannot be enabled again. */
static int store_enable(struct fake_device *device, unsigned int index, const char *text, bool less)
{
	unsigned int proto = index / FAKE_PRIORITIES;
	uint8_t *mask = &device->hw.ecn_enable[proto];
	uint8_t bits = (uint8_t)(1U << index % FAKE_PRIORITIES);
	uint32_t on = ofed_number(text);

	if (on && *mask & bits)
		return -EPERM;
	if (proto == NP && device->fake->np_coupled)
		bits = UINT8_MAX;
	*mask = on & 1 ? *mask | bits : *mask & (uint8_t)~bits;
	return 0;
}

static int show_param(struct fake_device *device, unsigned int index, char *text, size_t size)
{
	return snprintf(text, size, "%d\n", (int)device->hw.ecn_param[index]);
}

static void set_param(struct fake_device *device, unsigned int index, uint32_t value, bool less)
{
	uint32_t mask = params[index].mask;

	device->hw.ecn_param[index] = less ? MIN(value, mask) : value & mask;
}

static int store_param(struct fake_device *device, unsigned int index, const char *text, bool less)
{
	set_param(device, index, ofed_number(text), less);
	return 0;
}

static const struct fake_attribute enable_attribute = { "enable", show_enable, store_enable };
static const struct fake_attribute param_attribute = { "param", show_param, store_param };

int fake_ecn_sysfs(struct fake_device *device, const char *folder)
{
	static const char *const protos[] = { "roce_np", "roce_rp" };
	int r = 0;

	for (unsigned int i = 0; i < 2 * FAKE_PRIORITIES && r == 0; i++)
		r = fake_tree_attribute(device->fake, &enable_attribute, device, i,
					"%s/ecn/%s/enable/%u", folder, protos[i / FAKE_PRIORITIES],
					i % FAKE_PRIORITIES);
	for (unsigned int i = 0; i < ARRAY_SIZE(params) && r == 0; i++)
		if (params[i].ofed)
			r = fake_tree_attribute(device->fake, &param_attribute, device, i,
						"%s/ecn/%s/%s", folder, protos[i >= NP_PARAMS],
						params[i].ofed);
	return r;
}

/* ---- upstream ---- */

/* kstrtou32() with base 0; a value that is too wide is cut by the field. */
static int store_cc(struct fake_device *device, unsigned int index, const char *text, bool less)
{
	unsigned long long value;
	char *end;

	if (*text < '0' || *text > '9')
		return -EINVAL;
	errno = 0;
	value = strtoull(text, &end, 0);
	if (*end == '\n')
		end++;
	if (*end)
		return -EINVAL;
	if (errno || value > UINT32_MAX)
		return -ERANGE;
	set_param(device, index, (uint32_t)value, less);
	if (index == CNP_PRIO)
		device->hw.ecn_param[CNP_PRIO_MODE] = 0;
	return 0;
}

static const struct fake_attribute cc_attribute = { "cc", show_param, store_cc };

int fake_ecn_debugfs(struct fake_device *device, const char *folder)
{
	int r = 0;

	for (unsigned int i = 0; i < ARRAY_SIZE(params) && r == 0; i++)
		r = fake_tree_attribute(device->fake, &cc_attribute, device, i, "%s/cc_params/%s",
					folder, params[i].upstream);
	return r;
}

/* ---- as text ---- */

void fake_ecn_dump(FILE *out, const struct fake_device *device)
{
	const struct fake_hw *hw = &device->hw;

	fprintf(out, "  ecn np 0x%02x rp 0x%02x\n", hw->ecn_enable[NP], hw->ecn_enable[RP]);
	for (size_t i = 0; i < ARRAY_SIZE(params); i++)
		if (hw->ecn_param[i] != params[i].initial)
			fprintf(out, "  ecn %s %u\n", params[i].upstream, hw->ecn_param[i]);
}
