// SPDX-License-Identifier: LGPL-2.1-or-later
/* The bed made of the simulated node. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/cleanup.h"
#include "lib/base/macro.h"
#include "lib/os/fake.h"
#include "tests/support/bed-kind.h"

static const struct {
	const char *personality;
	const char *driver;
	bool ofed;
} drivers[] = {
	{ "mlx5", "mlx5_core", true },
	{ "bnxt", "bnxt_en", false },
	{ "ice", "ice", false },
	{ "plain", "simnic", false },
};

static int fake_begin(struct bed *bed)
{
	struct fake_port ports[] = {
		{ .name = "ens1f0np0", .rdma = "mlx5_0", .pci = "0000:17:00.0" },
		{ .name = "ens1f1np1", .rdma = "mlx5_1", .pci = "0000:17:00.1" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(drivers); i++)
		if (!strcmp(drivers[i].personality, bed->personality))
			for (size_t j = 0; j < ARRAY_SIZE(ports); j++) {
				ports[j].driver = drivers[i].driver;
				ports[j].ofed = drivers[i].ofed;
			}
	bed->ifname = ports[0].name;
	bed->rdma = ports[0].rdma;
	return os_fake_new(ports, ARRAY_SIZE(ports), &bed->os);
}

/* Where a fault of the object strikes, if not in DCB */
static const struct {
	const char *object;
	enum fake_call call;
	const char *match; /* NULL: "ifname/object" */
} places[] = {
	{ "pause", FAKE_PAUSE_SET, NULL },
	{ "tunable", FAKE_ETHTOOL_SET, NULL },
	{ "tclass", FAKE_WRITE, "traffic_class" },
	{ "ecn", FAKE_WRITE, "/ecn/" },
};

static int fake_fault(struct bed *bed, const char *object, enum bed_fault fault,
		      unsigned int argument)
{
	struct fake_fault trap = { .call = FAKE_DCB_SET, .times = 0 };
	char match[64];
	int r;

	(void)snprintf(match, sizeof(match), "%s/%s", bed->ifname, object);
	trap.match = match;
	for (size_t i = 0; i < ARRAY_SIZE(places); i++)
		if (!strcmp(object, places[i].object)) {
			trap.call = places[i].call;
			trap.match = places[i].match ?: match;
		}
	switch (fault) {
	case BED_BUSY:
		trap.mode = FAKE_BUSY;
		trap.times = argument;
		break;
	case BED_SILENT:
		trap.mode = FAKE_SILENT;
		break;
	case BED_STATUS:
		trap.mode = FAKE_STATUS;
		trap.error = -(int)argument;
		break;
	case BED_CLAMP:
		trap.mode = FAKE_CLAMP;
		break;
	}
	os_fake_fault_clear(bed->os);
	r = os_fake_fault(bed->os, &trap);
	return r < 0 ? r : 0;
}

/* The first port's lines come first. */
static bool dump_has(struct bed *bed, const char *line)
{
	_cleanup_free_ char *dump = os_fake_dump(bed->os);
	char *end = dump ? strstr(dump, "netdev ens1f1np1") : NULL;

	if (!end)
		return false;
	*end = '\0';
	return strstr(dump, line);
}

static bool fake_trusts_dscp(struct bed *bed)
{
	return dump_has(bed, "\n  hardware trust dscp\n");
}

static int fake_dscp_priority(struct bed *bed, unsigned int dscp)
{
	char line[64];

	for (int priority = 0; priority < 8; priority++) {
		(void)snprintf(line, sizeof(line), "\n  hardware dscp %u priority %d\n", dscp,
			       priority);
		if (dump_has(bed, line))
			return priority;
	}
	return (int)dscp >> 3;
}

static int fake_reregister(struct bed *bed)
{
	return os_fake_reregister_rdma(bed->os, bed->rdma);
}

static int fake_storm(struct bed *bed, unsigned int priority, const char *counter)
{
	return os_fake_poke_stat(bed->os, bed->ifname, counter, BED_STORM_FRAMES);
}

static int fake_use_rdma(struct bed *bed, bool use)
{
	if (use)
		return os_fake_add_qp(bed->os, bed->rdma, 1, true);
	os_fake_end_users(bed->os);
	return 0;
}

static int fake_as_user(struct bed *bed, int (*call)(struct bed *bed))
{
	int r;

	os_fake_privileged(bed->os, false);
	r = call(bed);
	os_fake_privileged(bed->os, true);
	return r;
}

const struct bed_kind bed_fake = {
	.begin = fake_begin,
	.fault = fake_fault,
	.trusts_dscp = fake_trusts_dscp,
	.dscp_priority = fake_dscp_priority,
	.reregister = fake_reregister,
	.storm = fake_storm,
	.use_rdma = fake_use_rdma,
	.as_user = fake_as_user,
};
