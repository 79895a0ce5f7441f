// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The GID table of a RoCE port, read only. Mirrors drivers/infiniband/core/sysfs.c: an unused slot
 * has a GID of zeros and EINVAL for its type and network device. The index of a GID moves with
 * addresses and link events, so that a GID is known by its type, its network device and its kind of
 * address, never by its index (field case N03).
 */
#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "lib/nic/object.h"
#include "lib/os/file.h"

enum {
	SLOTS_MAX = 4096, /* a table has at most some hundred */
	PATH_ROOM = 64, /* behind the folder of the port: gid_attrs/types/N */
};

/* The better the higher: routed, easy to tell apart, what NCCL takes by itself. */
enum rank { RANK_NONE, RANK_LINK_LOCAL, RANK_GLOBAL, RANK_V4 };

enum slot_type { SLOT_EMPTY, SLOT_V1, SLOT_V2, SLOT_BEHIND_THE_LAST };

struct scan {
	struct os *os;
	const struct nic *nic;
	char port[OS_PATH_MAX - PATH_ROOM];
	enum rank best;
	unsigned int index;
	char address[INET6_ADDRSTRLEN];
	unsigned int n_v1;
	char v1[64]; /* "0, 2" */
};

/* What cannot be read of a slot that is empty, or became empty just now. */
static bool is_empty_slot(int r)
{
	return r == -EINVAL || r == -ENOENT;
}

static int read_slot(struct scan *scan, unsigned int index, const char *what, char *text,
		     size_t size)
{
	char path[OS_PATH_MAX];

	(void)snprintf(path, sizeof(path), "%s/%s/%u", scan->port, what, index);
	return os_read_text(scan->os, path, text, size);
}

/* Returns a slot_type, or a negative errno. @gid is only set for slots that are not empty. */
static int slot_type(struct scan *scan, unsigned int index, struct in6_addr *gid)
{
	char text[64];
	int r;

	r = read_slot(scan, index, "gids", text, sizeof(text));
	if (r == -ENOENT)
		return SLOT_BEHIND_THE_LAST;
	if (r < 0)
		return is_empty_slot(r) ? SLOT_EMPTY : r;
	if (inet_pton(AF_INET6, text, gid) != 1)
		return -EBADMSG;
	if (IN6_IS_ADDR_UNSPECIFIED(gid))
		return SLOT_EMPTY;

	r = read_slot(scan, index, "gid_attrs/ndevs", text, sizeof(text));
	if (r < 0)
		return is_empty_slot(r) ? SLOT_EMPTY : r;
	/* Of a bond's RDMA device the GIDs are the bond's */
	if (strcmp(text, scan->nic->name) != 0 &&
	    (!*scan->nic->master || strcmp(text, scan->nic->master) != 0))
		return SLOT_EMPTY;

	r = read_slot(scan, index, "gid_attrs/types", text, sizeof(text));
	if (r < 0)
		return is_empty_slot(r) ? SLOT_EMPTY : r;
	return strcmp(text, "RoCE v2") == 0 ? SLOT_V2 : SLOT_V1;
}

static enum rank rank_of(const struct in6_addr *gid)
{
	if (IN6_IS_ADDR_V4MAPPED(gid))
		return RANK_V4;
	return IN6_IS_ADDR_LINKLOCAL(gid) ? RANK_LINK_LOCAL : RANK_GLOBAL;
}

static void format_address(const struct in6_addr *gid, char text[INET6_ADDRSTRLEN])
{
	const char *shown = IN6_IS_ADDR_V4MAPPED(gid) ?
				    inet_ntop(AF_INET, &gid->s6_addr[12], text, INET6_ADDRSTRLEN) :
				    inet_ntop(AF_INET6, gid, text, INET6_ADDRSTRLEN);

	if (!shown)
		text[0] = '\0';
}

/* Returns a slot_type, or a negative errno. */
static int scan_slot(struct scan *scan, unsigned int index)
{
	struct in6_addr gid;
	size_t used;
	int type;

	type = slot_type(scan, index, &gid);
	if (type < 0)
		return type;
	if (type == SLOT_V1) {
		used = strlen(scan->v1);
		(void)snprintf(scan->v1 + used, sizeof(scan->v1) - used, "%s%u",
			       scan->n_v1++ ? ", " : "", index);
	}
	if (type == SLOT_V2 && rank_of(&gid) > scan->best) {
		scan->best = rank_of(&gid);
		scan->index = index;
		format_address(&gid, scan->address);
	}
	return type;
}

static int scan_table(struct scan *scan)
{
	int type;

	(void)snprintf(scan->port, sizeof(scan->port), "/sys/class/infiniband/%s/ports/%u",
		       scan->nic->rdma, scan->nic->rdma_port);
	/* A routed address is as good as it gets: what comes behind it changes nothing */
	for (unsigned int i = 0; i < SLOTS_MAX && scan->best != RANK_V4; i++) {
		type = scan_slot(scan, i);
		if (type < 0)
			return type;
		if (type == SLOT_BEHIND_THE_LAST)
			return i > 0 ? 0 : -ENOENT; /* no table at all */
	}
	return 0;
}

int gid_read(struct nic_reader *reader, struct state *have)
{
	struct scan scan = { .os = reader->os, .nic = reader->nic };
	struct value *value = &have->value[KNOB_GID];
	int r;

	r = scan_table(&scan);
	if (r < 0)
		return nic_value_error(reader, have, KNOB_GID, r, "the GID table");
	if (scan.best != RANK_NONE) {
		nic_value_number(have, KNOB_GID, GID_V2);
		value_note(value, "index %u, %s", scan.index, scan.address);
	} else if (scan.n_v1 > 0) {
		nic_value_number(have, KNOB_GID, GID_V1_ONLY);
		value_note(value, "RoCE v1 at index %s", scan.v1);
	} else {
		nic_value_number(have, KNOB_GID, GID_NONE);
		value_note(value, "no GID of %s",
			   *reader->nic->name ? reader->nic->name : "a network device");
	}
	return 0;
}
