// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The GID table of a RoCE port, read only. Mirrors drivers/infiniband/core/sysfs.c: an unused slot
 * has a GID of zeros and EINVAL for its type and network device. The index of a GID moves with
 * addresses and link events, so that a GID is known by its type, its network device and its kind of
 * address, never by its index (field case N03).
 */
#include "lib/nic/gid.h"

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

enum slot_type { SLOT_EMPTY, SLOT_V1, SLOT_V2, SLOT_BEHIND_THE_LAST };

struct scan {
	struct os *os;
	const struct nic *nic;
	char port[OS_PATH_MAX - PATH_ROOM];
	struct gid_choice best;
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

static enum gid_rank rank_of(const struct in6_addr *gid)
{
	if (IN6_IS_ADDR_V4MAPPED(gid))
		return GID_RANK_V4;
	return IN6_IS_ADDR_LINKLOCAL(gid) ? GID_RANK_LINK_LOCAL : GID_RANK_GLOBAL;
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
	struct gid_choice *best = &scan->best;
	struct in6_addr gid;
	size_t used;
	int type;

	type = slot_type(scan, index, &gid);
	if (type < 0)
		return type;
	if (type == SLOT_V1) {
		used = strlen(best->v1);
		(void)snprintf(best->v1 + used, sizeof(best->v1) - used, "%s%u", used ? ", " : "",
			       index);
	}
	if (type == SLOT_V2 && rank_of(&gid) > best->rank) {
		best->rank = rank_of(&gid);
		best->index = index;
		format_address(&gid, best->address);
	}
	return type;
}

static int scan_table(struct scan *scan)
{
	int type;

	(void)snprintf(scan->port, sizeof(scan->port), "/sys/class/infiniband/%s/ports/%u",
		       scan->nic->rdma, scan->nic->rdma_port);
	/* A routed address is as good as it gets: what comes behind it changes nothing */
	for (unsigned int i = 0; i < SLOTS_MAX && scan->best.rank != GID_RANK_V4; i++) {
		type = scan_slot(scan, i);
		if (type < 0)
			return type;
		if (type == SLOT_BEHIND_THE_LAST)
			return i > 0 ? 0 : -ENOENT; /* no table at all */
	}
	return 0;
}

int gid_choose(struct os *os, const struct nic *nic, struct gid_choice *ret)
{
	struct scan scan = { .os = os, .nic = nic };
	int r;

	r = scan_table(&scan);
	if (r < 0)
		return r;
	*ret = scan.best;
	return 0;
}

int gid_read(struct nic_reader *reader, struct state *have)
{
	struct value *value = &have->value[KNOB_GID];
	struct gid_choice best;
	int r;

	r = gid_choose(reader->os, reader->nic, &best);
	if (r < 0)
		return nic_value_error(reader, have, KNOB_GID, r, "the GID table");
	if (best.rank != GID_RANK_NONE) {
		nic_value_number(have, KNOB_GID, GID_V2);
		value_note(value, "index %u, %s", best.index, best.address);
	} else if (*best.v1) {
		nic_value_number(have, KNOB_GID, GID_V1_ONLY);
		value_note(value, "RoCE v1 at index %s", best.v1);
	} else {
		nic_value_number(have, KNOB_GID, GID_NONE);
		value_note(value, "no GID of %s",
			   *reader->nic->name ? reader->nic->name : "a network device");
	}
	return 0;
}
