// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * ioctl(SIOCETHTOOL) on the simulated node: tunable, private flag, private counters. Mirrors
 * net/ethtool/ioctl.c.
 */
#include <errno.h>
#include <linux/ethtool.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/macro.h"
#include "lib/os/fake-private.h"

enum {
	STALL_MIN_MS = 80,
	STALL_MAX_MS = 8000,
	STALL_AUTO_MS = 100,
	STALL_LESS_MS = 1000,
	SUBJECT_MAX = OS_NAME_MAX * 2,
};

/* Fault, rights and the device; 0 with the verdict of a write, or what is answered. */
static int enter(struct fake *fake, enum fake_call call, const char *ifname, const char *object,
		 struct fake_device **ret, struct fake_verdict *verdict)
{
	char subject[SUBJECT_MAX];

	(void)snprintf(subject, sizeof(subject), "%s/%s", ifname, object);
	*verdict = fake_enter(fake, call, subject);
	*ret = fake_find_name(fake, ifname);
	if (!*ret)
		return -ENODEV;
	if (call == FAKE_ETHTOOL_SET && !fake->os.privileged)
		return -EPERM;
	/* What a driver refuses it may refuse for its own reasons first */
	return verdict->fate == FAKE_FAIL && call == FAKE_ETHTOOL_GET ? verdict->error : 0;
}

/* ---- the tunable ---- */

static int set_stall(struct fake_device *device, uint16_t ms, const struct fake_verdict *verdict)
{
	int r;

	if (ms == PFC_STORM_PREVENTION_AUTO)
		ms = STALL_AUTO_MS;
	if (ms && (ms < STALL_MIN_MS || ms > STALL_MAX_MS))
		return -EINVAL;
	if (fake_stops(verdict, &r))
		return r;
	device->hw.stall_ms = verdict->fate == FAKE_LESS ? MIN(ms, (uint16_t)STALL_LESS_MS) : ms;
	return 0;
}

static int tunable(struct fake *fake, const char *ifname, void *command)
{
	struct ethtool_tunable *header = command;
	bool set = header->cmd == ETHTOOL_STUNABLE;
	struct fake_verdict verdict;
	struct fake_device *device;
	uint16_t ms;
	int r;

	r = enter(fake, set ? FAKE_ETHTOOL_SET : FAKE_ETHTOOL_GET, ifname, "tunable", &device,
		  &verdict);
	if (r < 0)
		return r;
	if (!(device->parts & FAKE_HAS_STALL) || !fake_has_dcb(device))
		return -EOPNOTSUPP;
	if (header->id != ETHTOOL_PFC_PREVENTION_TOUT || header->type_id != ETHTOOL_TUNABLE_U16 ||
	    header->len != sizeof(ms))
		return -EINVAL;
	if (!set) {
		memcpy(header + 1, &device->hw.stall_ms, sizeof(ms));
		return 0;
	}
	memcpy(&ms, header + 1, sizeof(ms));
	return set_stall(device, ms, &verdict);
}

/* ---- the private flag ---- */

static const char *flag_of(const struct fake_device *device)
{
	return device->parts & FAKE_HAS_FLAG && !device->physfn[0] ? device->driver->flag : NULL;
}

static int private_flags(struct fake *fake, const char *ifname, struct ethtool_value *value)
{
	bool set = value->cmd == ETHTOOL_SPFLAGS;
	struct fake_verdict verdict;
	struct fake_device *device;
	int r;

	r = enter(fake, set ? FAKE_ETHTOOL_SET : FAKE_ETHTOOL_GET, ifname, "privflag", &device,
		  &verdict);
	if (r < 0)
		return r;
	if (!flag_of(device))
		return -EOPNOTSUPP;
	if (!set) {
		value->data = device->hw.lldp_agent;
		return 0;
	}
	if (value->data & ~1U)
		return -EINVAL;
	/* A word knows no less */
	if (fake_stops(&verdict, &r) || verdict.fate == FAKE_LESS)
		return r;
	device->driver->set_flag(device, value->data);
	return 0;
}

int os_fake_poke_flag(struct os *os, const char *ifname, const char *flag, bool on)
{
	struct fake_device *device = fake_find_name(fake_of(os), ifname);

	if (!device)
		return -ENODEV;
	if (!flag_of(device) || strcmp(flag_of(device), flag) != 0)
		return -EOPNOTSUPP;
	device->driver->set_flag(device, on);
	return 0;
}

/* ---- counters ---- */

void fake_stat_name(const char *format, unsigned int i, char name[ETH_GSTRING_LEN])
{
	const char *number = strchr(format, '%');

	if (number)
		(void)snprintf(name, ETH_GSTRING_LEN, "%.*s%u%s", (int)(number - format), format, i,
			       number + strlen("%u"));
	else
		(void)snprintf(name, ETH_GSTRING_LEN, "%s", format);
}

static bool exists(const struct fake_device *device, const struct fake_stat *stat, unsigned int i)
{
	const struct fake_hw *hw = &device->hw;

	switch (stat->when) {
	case FAKE_ALWAYS:
		break;
	case FAKE_WITH_PFC:
		return hw->pfc_en & 1U << i;
	case FAKE_WITH_PAUSE:
		return hw->pause.rx || hw->pause.tx;
	}
	return true;
}

/* Call @each for the counters that there are now, or for all that there can be. Returns how many;
 * what @each returns, if not 0, ends the walk and is returned. */
static int walk_stats(const struct fake_device *device, bool all,
		      int (*each)(const char *name, int n, void *data), void *data)
{
	char name[ETH_GSTRING_LEN];
	int n = 0;
	int r;

	for (size_t i = 0; device->fake->replayed && i < device->n_counter; i++) {
		r = each ? each(device->counter[i].name, (int)i, data) : 0;
		if (r != 0)
			return r;
	}
	if (device->fake->replayed)
		return (int)device->n_counter;
	if (!device->driver || !fake_has_dcb(device))
		return 0;
	for (const struct fake_stat *stat = device->driver->stat; stat->format; stat++) {
		unsigned int times = strchr(stat->format, '%') ? FAKE_PRIORITIES : 1;

		for (unsigned int i = 0; i < times; i++) {
			if (!all && !exists(device, stat, i))
				continue;
			fake_stat_name(stat->format, i, name);
			r = each ? each(name, n, data) : 0;
			if (r != 0)
				return r;
			n++;
		}
	}
	return n;
}

uint64_t fake_counter(const struct fake_device *device, const char *name)
{
	for (size_t i = 0; i < device->n_counter; i++)
		if (!strcmp(device->counter[i].name, name))
			return device->counter[i].value;
	return 0;
}

static int put_name(const char *name, int n, void *data)
{
	char *names = data;

	memset(names + (size_t)n * ETH_GSTRING_LEN, 0, ETH_GSTRING_LEN);
	strcpy(names + (size_t)n * ETH_GSTRING_LEN, name);
	return 0;
}

struct values {
	const struct fake_device *device;
	char *room;
};

static int put_value(const char *name, int n, void *data)
{
	const struct values *values = data;
	uint64_t value = fake_counter(values->device, name);

	memcpy(values->room + (size_t)n * sizeof(value), &value, sizeof(value));
	return 0;
}

static int is_name(const char *name, int n, void *data)
{
	return strcmp(name, data) ? 0 : -EEXIST;
}

int os_fake_poke_stat(struct os *os, const char *ifname, const char *name, uint64_t value)
{
	struct fake_device *device = fake_find_name(fake_of(os), ifname);
	char copy[ETH_GSTRING_LEN];

	if (!device)
		return -ENODEV;
	(void)snprintf(copy, sizeof(copy), "%s", name);
	if (walk_stats(device, true, is_name, copy) != -EEXIST)
		return -ENOENT;
	for (size_t i = 0; i < device->n_counter; i++)
		if (!strcmp(device->counter[i].name, copy)) {
			device->counter[i].value = value;
			return 0;
		}
	if (array_grow(&device->counter, device->n_counter, &device->counter_room,
		       sizeof(*device->counter)) < 0)
		return -ENOMEM;
	memcpy(device->counter[device->n_counter].name, copy, sizeof(copy));
	device->counter[device->n_counter++].value = value;
	return 0;
}

/* ---- sets of strings ---- */

static int count_set(const struct fake_device *device, uint32_t set)
{
	if (set == ETH_SS_STATS)
		return walk_stats(device, false, NULL, NULL);
	return set == ETH_SS_PRIV_FLAGS && flag_of(device);
}

static int set_info(const struct fake_device *device, struct ethtool_sset_info *info)
{
	uint64_t wanted = info->sset_mask;
	unsigned int at = 0;

	info->sset_mask = 0;
	for (uint32_t set = 0; set < 64; set++) {
		uint32_t n = wanted & 1ULL << set ? (uint32_t)count_set(device, set) : 0;

		if (!n)
			continue;
		info->sset_mask |= 1ULL << set;
		memcpy((char *)(info + 1) + at, &n, sizeof(n));
		at += sizeof(n);
	}
	return 0;
}

static int strings(const struct fake_device *device, struct ethtool_gstrings *command)
{
	int n = count_set(device, command->string_set);

	if (n <= 0)
		return -EOPNOTSUPP;
	command->len = (uint32_t)n;
	if (command->string_set == ETH_SS_STATS)
		(void)walk_stats(device, false, put_name, command + 1);
	else
		(void)put_name(flag_of(device), 0, command + 1);
	return 0;
}

static int stats(const struct fake_device *device, struct ethtool_stats *command)
{
	struct values values = { .device = device, .room = (char *)(command + 1) };
	int n = count_set(device, ETH_SS_STATS);

	if (n <= 0)
		return -EOPNOTSUPP;
	command->n_stats = (uint32_t)n;
	(void)walk_stats(device, false, put_value, &values);
	return 0;
}

static int driver_info(const struct fake_device *device, struct ethtool_drvinfo *info)
{
	(void)snprintf(info->driver, sizeof(info->driver), "%.31s", device->driver_name);
	(void)snprintf(info->bus_info, sizeof(info->bus_info), "%.31s", device->pci);
	info->n_stats = (uint32_t)count_set(device, ETH_SS_STATS);
	info->n_priv_flags = (uint32_t)count_set(device, ETH_SS_PRIV_FLAGS);
	return 0;
}

int fake_ethtool(struct os *os, const char *ifname, void *command)
{
	struct fake *fake = fake_of(os);
	struct fake_verdict verdict;
	struct fake_device *device;
	uint32_t number;
	int r;

	memcpy(&number, command, sizeof(number));
	switch (number) {
	case ETHTOOL_GTUNABLE:
	case ETHTOOL_STUNABLE:
		return tunable(fake, ifname, command);
	case ETHTOOL_GPFLAGS:
	case ETHTOOL_SPFLAGS:
		return private_flags(fake, ifname, command);
	}
	r = enter(fake, FAKE_ETHTOOL_GET, ifname, "stats", &device, &verdict);
	if (r < 0)
		return r;
	switch (number) {
	case ETHTOOL_GSSET_INFO:
		return set_info(device, command);
	case ETHTOOL_GSTRINGS:
		return strings(device, command);
	case ETHTOOL_GSTATS:
		return stats(device, command);
	case ETHTOOL_GDRVINFO:
		return driver_info(device, command);
	}
	return -EOPNOTSUPP;
}
