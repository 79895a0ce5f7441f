/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What a kind of bed has to be able to do; see bed.h for each. */
#pragma once

#include "tests/support/bed.h"

struct bed_kind {
	int (*begin)(struct bed *bed); /* fresh os, names, state after driver load */
	int (*fault)(struct bed *bed, const char *object, enum bed_fault fault,
		     unsigned int argument);
	bool (*trusts_dscp)(struct bed *bed);
	int (*dscp_priority)(struct bed *bed, unsigned int dscp);
	int (*reregister)(struct bed *bed);
	int (*storm)(struct bed *bed, unsigned int priority, const char *counter);
	int (*use_rdma)(struct bed *bed, bool use);
	int (*as_user)(struct bed *bed, int (*call)(struct bed *bed));
};

extern const struct bed_kind bed_fake;
extern const struct bed_kind bed_lab;
