// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * All GIDs of a port, for people. Mirrors drivers/infiniband/core/sysfs.c; an empty slot has a GID
 * of zeros.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/nic/counters.h"
#include "lib/nic/object.h"
#include "lib/os/file.h"

enum { SLOTS_MAX = 4096 };

static int read_attribute(struct os *os, const struct gid *gid, const char *what, char *text,
			  size_t size)
{
	char path[OS_PATH_MAX];

	(void)snprintf(path, sizeof(path), "/sys/class/infiniband/%s/ports/%u/%s/%u", gid->rdma,
		       gid->rdma_port, what, gid->index);
	return os_read_text(os, path, text, size);
}

static void read_name(struct os *os, const struct gid *gid, const char *what,
		      char ret[NAME_MAX_BYTES])
{
	char text[NAME_MAX_BYTES];

	if (read_attribute(os, gid, what, text, sizeof(text)) < 0)
		text[0] = '\0'; /* the slot became empty just now */
	nic_printable(text, ret, NAME_MAX_BYTES);
}

/* Returns 1 if the slot is in use, 0 if it is empty, -ENOENT behind the last one. */
static int read_slot(struct os *os, struct gid *gid)
{
	char text[64];
	struct in6_addr address;
	const char *shown;
	int r;

	r = read_attribute(os, gid, "gids", text, sizeof(text));
	if (r == -EINVAL)
		return 0;
	if (r < 0)
		return r;
	if (inet_pton(AF_INET6, text, &address) != 1)
		return -EBADMSG;
	if (IN6_IS_ADDR_UNSPECIFIED(&address))
		return 0;
	shown = IN6_IS_ADDR_V4MAPPED(&address) ?
			inet_ntop(AF_INET, &address.s6_addr[12], gid->address,
				  sizeof(gid->address)) :
			inet_ntop(AF_INET6, &address, gid->address, sizeof(gid->address));
	if (!shown)
		return -EBADMSG;
	read_name(os, gid, "gid_attrs/types", gid->type);
	read_name(os, gid, "gid_attrs/ndevs", gid->netdev);
	return 1;
}

int nic_gids_read(struct os *os, const struct nic *nic, struct gids *ret)
{
	struct gid gid = { .rdma_port = nic->rdma_port };
	int r;

	(void)snprintf(gid.rdma, sizeof(gid.rdma), "%s", nic->rdma);
	for (gid.index = 0; gid.index < SLOTS_MAX; gid.index++) {
		r = read_slot(os, &gid);
		if (r == -ENOENT)
			return gid.index > 0 ? 0 : r;
		if (r < 0)
			return r;
		if (r == 0)
			continue;
		r = array_grow(&ret->list, ret->n, &ret->room, sizeof(*ret->list));
		if (r < 0)
			return r;
		ret->list[ret->n++] = gid;
	}
	return 0;
}
