// SPDX-License-Identifier: LGPL-2.1-or-later
/* The bed made of the simulated node. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/cleanup.h"
#include "lib/os/fake.h"
#include "tests/support/bed-kind.h"

static const struct fake_port ports[] = {
	{ .name = "ens1f0np0",
	  .rdma = "mlx5_0",
	  .pci = "0000:17:00.0",
	  .driver = "mlx5_core",
	  .ofed = true },
	{ .name = "ens1f1np1",
	  .rdma = "mlx5_1",
	  .pci = "0000:17:00.1",
	  .driver = "mlx5_core",
	  .ofed = true },
};

static int fake_begin(struct bed *bed)
{
	bed->ifname = ports[0].name;
	bed->rdma = ports[0].rdma;
	return os_fake_new(ports, 2, &bed->os);
}

static int fake_fault(struct bed *bed, const char *object, enum bed_fault fault,
		      unsigned int argument)
{
	struct fake_fault trap = { .call = FAKE_DCB_SET, .times = 0 };
	char match[64];
	int r;

	(void)snprintf(match, sizeof(match), "%s/%s", bed->ifname, object);
	trap.match = match;
	if (!strcmp(object, "pause"))
		trap.call = FAKE_PAUSE_SET;
	if (!strcmp(object, "tclass")) {
		trap.call = FAKE_WRITE;
		trap.match = "traffic_class";
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
	}
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
	.as_user = fake_as_user,
};
