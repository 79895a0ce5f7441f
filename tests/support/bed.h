/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Where a behaviour is tried: on the simulated node, or on a port of the lab's kernel (simnic,
 * simib). */
#pragma once

#include <stdbool.h>

#include "lib/os/os.h"

enum bed_fault {
	BED_BUSY, /* argument: so many times */
	BED_SILENT,
	BED_STATUS, /* argument: the errno that the driver means; cut to a byte in DCB */
	BED_CLAMP, /* yes, and less than asked for */
};

enum { BED_STORM_FRAMES = 1000 };

struct bed {
	struct os *os;
	const char *ifname;
	const char *rdma;
	const char *personality; /* "mlx5", "bnxt", "ice", "plain"; of the lab: as loaded */
	int ifindex;
	bool lab;
};

/* A port in the state after driver load, with its carrier, RDMA-CM group made, nothing written.
 * Returns 0, -errno. */
int bed_begin(struct bed *bed);
void bed_end(struct bed *bed);

/* @object is "dcbx", "pause", "ets", "app", "pfc", "buffer", "maxrate", "tunable", "ecn" or
 * "tclass". The last fault that was set is the one in force. */
int bed_fault(struct bed *bed, const char *object, enum bed_fault fault, unsigned int argument);

/* What the hardware holds, which no kernel interface shows. */
bool bed_trusts_dscp(struct bed *bed);
int bed_dscp_priority(struct bed *bed, unsigned int dscp);

/* The RDMA device goes and comes back under its name. */
int bed_reregister(struct bed *bed);

/* So many pause frames arrive on a priority; @counter is where the driver counts them. */
int bed_storm(struct bed *bed, unsigned int priority, const char *counter);

/* A process opens queue pairs on the RDMA device, or ends. Of the lab: two ports that talk. */
int bed_use_rdma(struct bed *bed, bool use);

/* What @call returns to a plain user (0 to -254). */
int bed_as_user(struct bed *bed, int (*call)(struct bed *bed));
