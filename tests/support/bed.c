// SPDX-License-Identifier: LGPL-2.1-or-later
/* What the two kinds of bed have in common. */
#include "tests/support/bed.h"

#include <errno.h>
#include <stdio.h>

#include "lib/os/file.h"
#include "lib/os/link.h"
#include "tests/support/bed-kind.h"

enum {
	CARRIER_STEP_MS = 100,
	CARRIER_STEPS = 50,
};

static const struct bed_kind *kind_of(const struct bed *bed)
{
	return bed->lab ? &bed_lab : &bed_fake;
}

static int wait_carrier(struct bed *bed)
{
	struct os_link link;
	int r;

	for (int i = 0; i < CARRIER_STEPS; i++) {
		r = os_link_get(bed->os, bed->ifindex, &link);
		if (r < 0 || link.carrier)
			return r;
		bed->os->ops->sleep_ms(bed->os, CARRIER_STEP_MS);
	}
	return -ETIMEDOUT;
}

int bed_begin(struct bed *bed)
{
	char path[OS_PATH_MAX];
	uint64_t ifindex;
	int r;

	r = kind_of(bed)->begin(bed);
	if (r < 0)
		return r;
	(void)snprintf(path, sizeof(path), "/sys/class/net/%s/ifindex", bed->ifname);
	r = os_read_number(bed->os, path, INT32_MAX, &ifindex);
	if (r < 0)
		return r;
	bed->ifindex = (int)ifindex;
	(void)snprintf(path, sizeof(path), "/sys/kernel/config/rdma_cm/%s", bed->rdma);
	r = bed->os->ops->make_dir(bed->os, path);
	if (r < 0 && r != -EEXIST)
		return r;
	return wait_carrier(bed);
}

void bed_end(struct bed *bed)
{
	bed->os = os_free(bed->os);
}

int bed_fault(struct bed *bed, const char *object, enum bed_fault fault, unsigned int argument)
{
	return kind_of(bed)->fault(bed, object, fault, argument);
}

bool bed_trusts_dscp(struct bed *bed)
{
	return kind_of(bed)->trusts_dscp(bed);
}

int bed_dscp_priority(struct bed *bed, unsigned int dscp)
{
	return kind_of(bed)->dscp_priority(bed, dscp);
}

int bed_reregister(struct bed *bed)
{
	return kind_of(bed)->reregister(bed);
}

int bed_storm(struct bed *bed, unsigned int priority, const char *counter)
{
	return kind_of(bed)->storm(bed, priority, counter);
}

int bed_use_rdma(struct bed *bed, bool use)
{
	return kind_of(bed)->use_rdma(bed, use);
}

int bed_as_user(struct bed *bed, int (*call)(struct bed *bed))
{
	return kind_of(bed)->as_user(bed, call);
}
