// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * What ethtool has as ioctl only: a tunable, private flags, private counters. Mirrors
 * net/ethtool/ioctl.c: ethtool_get_tunable(), ethtool_get_strings(), ethtool_get_stats().
 *
 * The kernel answers GSTRINGS and GSTATS with as many elements as the driver has at that moment,
 * whatever room the caller has announced: there is always room for the most that is believed.
 *
 * The kernel's structs end in an array without a size; ours are the same with what stands in it.
 */
#include <errno.h>
#include <linux/ethtool.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/cleanup.h"
#include "lib/base/macro.h"
#include "lib/os/ethtool.h"

enum {
	STATS_TRIES = 3,
	FLAGS_MAX = 32, /* one word */
};

/* ---- the PFC stall watchdog ---- */

struct stall { /* struct ethtool_tunable */
	uint32_t cmd, id, type_id, len;
	uint16_t ms;
};

static_assert(offsetof(struct stall, ms) == sizeof(struct ethtool_tunable), "as the kernel's");

static int request_stall(struct os *os, const char *ifname, uint32_t command, uint16_t *ms)
{
	struct stall stall = {
		.cmd = command,
		.id = ETHTOOL_PFC_PREVENTION_TOUT,
		.type_id = ETHTOOL_TUNABLE_U16,
		.len = sizeof(stall.ms),
		.ms = *ms,
	};
	int r;

	r = os->ops->ethtool(os, ifname, &stall);
	if (r < 0)
		return r;
	*ms = stall.ms;
	return 0;
}

int os_pfc_stall_get(struct os *os, const char *ifname, uint16_t *ret_ms)
{
	uint16_t ms = 0;
	int r;

	r = request_stall(os, ifname, ETHTOOL_GTUNABLE, &ms);
	if (r < 0)
		return r;
	*ret_ms = ms;
	return 0;
}

int os_pfc_stall_set(struct os *os, const char *ifname, uint16_t ms)
{
	return request_stall(os, ifname, ETHTOOL_STUNABLE, &ms);
}

/* ---- sets of strings ---- */

struct set_info { /* struct ethtool_sset_info, of one set */
	uint32_t cmd, reserved;
	uint64_t mask;
	uint32_t n;
};

struct strings { /* struct ethtool_gstrings */
	uint32_t cmd, set, n;
	char name[OS_STATS_MAX][ETH_GSTRING_LEN];
};

static_assert(offsetof(struct set_info, n) == sizeof(struct ethtool_sset_info), "as the kernel's");
static_assert(offsetof(struct strings, name) == sizeof(struct ethtool_gstrings), "as the kernel's");

/* Old kernels let nobody but root ask for one set; what a device is may be asked by everybody. */
static int count_by_info(struct os *os, const char *ifname, uint32_t set, uint32_t *ret)
{
	struct ethtool_drvinfo info = { .cmd = ETHTOOL_GDRVINFO };
	int r;

	r = os->ops->ethtool(os, ifname, &info);
	if (r < 0)
		return r;
	*ret = set == ETH_SS_STATS ? info.n_stats : info.n_priv_flags;
	return *ret ? 0 : -EOPNOTSUPP;
}

/* How many strings there are; -EOPNOTSUPP for none. */
static int count_strings(struct os *os, const char *ifname, uint32_t set, uint32_t *ret)
{
	struct set_info info = { .cmd = ETHTOOL_GSSET_INFO, .mask = 1ULL << set };
	int r;

	r = os->ops->ethtool(os, ifname, &info);
	if (r == -EPERM || r == -EOPNOTSUPP)
		return count_by_info(os, ifname, set, ret);
	if (r < 0)
		return r;
	if (!(info.mask & 1ULL << set) || !info.n)
		return -EOPNOTSUPP;
	*ret = info.n;
	return 0;
}

/* @n is at most what @strings has room for. What a driver leaves out is empty. */
static int read_strings(struct os *os, const char *ifname, uint32_t set, uint32_t n,
			struct strings *strings)
{
	int r;

	strings->cmd = ETHTOOL_GSTRINGS;
	strings->set = set;
	strings->n = n;
	memset(strings->name, 0, n * sizeof(strings->name[0]));
	r = os->ops->ethtool(os, ifname, strings);
	if (r < 0)
		return r;
	return strings->n == n ? 0 : -EAGAIN;
}

/* ---- private flags ---- */

static int find_flag(struct os *os, const char *ifname, const char *flag, uint32_t *ret_bit)
{
	_cleanup_free_ struct strings *strings = NULL;
	uint32_t n;
	int r;

	r = count_strings(os, ifname, ETH_SS_PRIV_FLAGS, &n);
	if (r < 0)
		return r;
	if (n > FLAGS_MAX || strlen(flag) >= ETH_GSTRING_LEN)
		return -EOPNOTSUPP;
	strings = malloc(sizeof(*strings));
	if (!strings)
		return -ENOMEM;
	r = read_strings(os, ifname, ETH_SS_PRIV_FLAGS, n, strings);
	if (r < 0)
		return r;
	for (uint32_t i = 0; i < n; i++)
		if (!strncmp(strings->name[i], flag, ETH_GSTRING_LEN)) {
			*ret_bit = 1U << i;
			return 0;
		}
	return -EOPNOTSUPP;
}

static int read_flags(struct os *os, const char *ifname, const char *flag, uint32_t *ret,
		      uint32_t *ret_bit)
{
	struct ethtool_value value = { .cmd = ETHTOOL_GPFLAGS };
	int r;

	r = find_flag(os, ifname, flag, ret_bit);
	if (r < 0)
		return r;
	r = os->ops->ethtool(os, ifname, &value);
	if (r < 0)
		return r;
	*ret = value.data;
	return 0;
}

int os_private_flag_get(struct os *os, const char *ifname, const char *flag, bool *ret)
{
	uint32_t flags, bit;
	int r;

	r = read_flags(os, ifname, flag, &flags, &bit);
	if (r < 0)
		return r;
	*ret = flags & bit;
	return 0;
}

/* All flags of a device are written as one; the others keep what they were a moment ago. */
int os_private_flag_set(struct os *os, const char *ifname, const char *flag, bool on)
{
	struct ethtool_value value = { .cmd = ETHTOOL_SPFLAGS };
	uint32_t flags, bit;
	int r;

	r = read_flags(os, ifname, flag, &flags, &bit);
	if (r < 0)
		return r;
	value.data = on ? flags | bit : flags & ~bit;
	return os->ops->ethtool(os, ifname, &value);
}

/* ---- counters ---- */

struct values { /* struct ethtool_stats */
	uint32_t cmd, n;
	uint64_t value[OS_STATS_MAX];
};

static_assert(offsetof(struct values, value) == sizeof(struct ethtool_stats), "as the kernel's");

/*
 * One look at the device: the names, the values, and the names again. Over a MiB, because the
 * kernel fills in as many as there are by then; so only as much is cleared as the device has, and
 * the rest takes no memory.
 */
struct look {
	struct strings before;
	struct values values;
	struct strings after;
};

void os_stats_done(struct os_stats *stats)
{
	free(stats->list);
	*stats = (struct os_stats){};
}

static bool same_names(const struct look *look, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		if (strncmp(look->before.name[i], look->after.name[i], ETH_GSTRING_LEN) != 0)
			return false;
	return true;
}

/* Names come from a driver: they end where the field ends, and are shown to people. */
static void copy_name(char ret[ETH_GSTRING_LEN], const char name[ETH_GSTRING_LEN])
{
	size_t i;

	for (i = 0; i + 1 < ETH_GSTRING_LEN && name[i]; i++)
		ret[i] = name[i] >= 0x20 && name[i] < 0x7f ? name[i] : '?';
	ret[i] = '\0';
}

static int copy_stats(const struct look *look, uint32_t n, struct os_stats *ret)
{
	struct os_stat *list = calloc(n, sizeof(*list));

	static_assert(sizeof(list->name) == ETH_GSTRING_LEN, "a name fits");
	if (!list)
		return -ENOMEM;
	for (uint32_t i = 0; i < n; i++) {
		copy_name(list[i].name, look->before.name[i]);
		list[i].value = look->values.value[i];
	}
	*ret = (struct os_stats){ .list = list, .n = n };
	return 0;
}

/* Returns 0 and the number; -EAGAIN if the set changed meanwhile. */
static int look_once(struct os *os, const char *ifname, struct look *look, uint32_t *ret_n)
{
	uint32_t n;
	int r;

	r = count_strings(os, ifname, ETH_SS_STATS, &n);
	if (r < 0)
		return r;
	if (n > OS_STATS_MAX)
		return -E2BIG;
	r = read_strings(os, ifname, ETH_SS_STATS, n, &look->before);
	if (r < 0)
		return r;
	look->values.cmd = ETHTOOL_GSTATS;
	look->values.n = n;
	memset(look->values.value, 0, n * sizeof(look->values.value[0]));
	r = os->ops->ethtool(os, ifname, &look->values);
	if (r < 0)
		return r;
	if (look->values.n != n)
		return -EAGAIN;
	r = read_strings(os, ifname, ETH_SS_STATS, n, &look->after);
	if (r < 0)
		return r;
	*ret_n = n;
	return same_names(look, n) ? 0 : -EAGAIN;
}

int os_stats_get(struct os *os, const char *ifname, struct os_stats *ret)
{
	_cleanup_free_ struct look *look = malloc(sizeof(*look));
	int r = -EAGAIN;
	uint32_t n;

	if (!look)
		return -ENOMEM;
	for (int i = 0; i < STATS_TRIES && r == -EAGAIN; i++)
		r = look_once(os, ifname, look, &n);
	return r < 0 ? r : copy_stats(look, n, ret);
}
