/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Entries of GID tables, as the kernel shows them. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "lib/model/inventory.h"

struct gid {
	char rdma[NAME_MAX_BYTES];
	unsigned int rdma_port;
	unsigned int index; /* moves with addresses and link events */
	char type[NAME_MAX_BYTES]; /* "RoCE v2", "" if it does not say */
	char netdev[NAME_MAX_BYTES];
	char address[64]; /* IPv4 where it is one, else IPv6 */
};

struct gids {
	struct gid *list;
	size_t n;
	size_t room;
};

/* What RoCE between any two nodes needs, and NCCL takes. */
static inline bool gid_is_routed_v2(const struct gid *gid)
{
	return strcmp(gid->type, "RoCE v2") == 0 && strncmp(gid->address, "fe80:", 5) != 0;
}

static inline void gids_done(struct gids *gids)
{
	free(gids->list);
	*gids = (struct gids){};
}
