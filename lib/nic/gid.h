/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Which GID of a port RoCE v2 shall use. */
#pragma once

#include "lib/model/inventory.h"
#include "lib/os/os.h"

/* The better the higher: routed, easy to tell apart, what NCCL takes by itself. */
enum gid_rank { GID_RANK_NONE, GID_RANK_LINK_LOCAL, GID_RANK_GLOBAL, GID_RANK_V4 };

struct gid_choice {
	enum gid_rank rank;
	unsigned int index;
	char address[64]; /* IPv4 where it is one, else IPv6 */
	char v1[64]; /* where those of RoCE v1 are, if there is none of v2: "0, 2" */
};

/*
 * The best RoCE v2 GID of @nic's own network device, or of its bond. Returns 0, with
 * GID_RANK_NONE if there is none; -ENOENT if the port has no table; another negative errno.
 */
int gid_choose(struct os *os, const struct nic *nic, struct gid_choice *ret);
