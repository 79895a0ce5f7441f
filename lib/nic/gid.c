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
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/cleanup.h"
#include "lib/nic/object.h"
#include "lib/os/file.h"

enum {
	SLOTS_MAX = 4096, /* a table has at most some hundred */
	PATH_ROOM = 64, /* behind the folder of the port: gid_attrs/types/N */
};

enum slot_type { SLOT_EMPTY, SLOT_V1, SLOT_V2 };

struct slot {
	unsigned int index;
	struct in6_addr gid;
	bool v1; /* it is known to be RoCE v1 */
};

struct scan {
	struct os *os;
	const struct nic *nic;
	char port[OS_PATH_MAX - PATH_ROOM];
	struct slot *slots; /* that have a GID */
	size_t n, room;
};

static void scan_done(struct scan *scan)
{
	free(scan->slots);
}

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

/* Returns 1 and the GID, 0 if the slot is empty, -ENOENT behind the last one. */
static int read_gid(struct scan *scan, unsigned int index, struct in6_addr *ret)
{
	char text[64];
	int r;

	r = read_slot(scan, index, "gids", text, sizeof(text));
	if (r < 0)
		return r == -EINVAL ? 0 : r;
	if (inet_pton(AF_INET6, text, ret) != 1)
		return -EBADMSG;
	return !IN6_IS_ADDR_UNSPECIFIED(ret);
}

/* Whose a slot is, and what. Returns a slot_type, or a negative errno. */
static int slot_type(struct scan *scan, unsigned int index)
{
	char text[64];
	int r;

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

/* Returns 1 if @slot is the choice, 0 if not, or a negative errno. */
static int try_slot(struct scan *scan, struct slot *slot, struct gid_choice *ret)
{
	int type;

	type = slot_type(scan, slot->index);
	if (type < 0)
		return type;
	slot->v1 = type == SLOT_V1;
	if (type != SLOT_V2)
		return 0;
	ret->rank = rank_of(&slot->gid);
	ret->index = slot->index;
	format_address(&slot->gid, ret->address);
	return 1;
}

/*
 * As good as it gets is a routed address: what comes behind it changes nothing, and what comes
 * before it is not asked for more. Returns as try_slot(), -ENOENT if there is no table at all.
 */
static int find_v4(struct scan *scan, struct gid_choice *ret)
{
	for (unsigned int i = 0; i < SLOTS_MAX; i++) {
		struct slot slot = { .index = i };
		int r;

		r = read_gid(scan, i, &slot.gid);
		if (r == -ENOENT)
			return i > 0 ? 0 : r;
		if (r < 0)
			return r;
		if (r == 0)
			continue;
		r = array_grow(&scan->slots, scan->n, &scan->room, sizeof(*scan->slots));
		if (r < 0)
			return r;
		scan->slots[scan->n++] = slot;
		if (rank_of(&slot.gid) != GID_RANK_V4)
			continue;
		r = try_slot(scan, &scan->slots[scan->n - 1], ret);
		if (r != 0)
			return r;
	}
	return 0;
}

/* The first of @rank; as try_slot(). */
static int find_rank(struct scan *scan, enum gid_rank rank, struct gid_choice *ret)
{
	for (size_t i = 0; i < scan->n; i++) {
		int r;

		if (rank_of(&scan->slots[i].gid) != rank)
			continue;
		r = try_slot(scan, &scan->slots[i], ret);
		if (r != 0)
			return r;
	}
	return 0;
}

static void list_v1(const struct scan *scan, char *text, size_t size)
{
	size_t used = 0;

	for (size_t i = 0; i < scan->n && used < size; i++)
		if (scan->slots[i].v1)
			used += (size_t)snprintf(text + used, size - used, "%s%u", used ? ", " : "",
						 scan->slots[i].index);
}

int gid_choose(struct os *os, const struct nic *nic, struct gid_choice *ret)
{
	_cleanup_(scan_done) struct scan scan = { .os = os, .nic = nic };
	struct gid_choice choice = {};
	int r;

	(void)snprintf(scan.port, sizeof(scan.port), "/sys/class/infiniband/%s/ports/%u", nic->rdma,
		       nic->rdma_port);
	r = find_v4(&scan, &choice);
	if (r == 0)
		r = find_rank(&scan, GID_RANK_GLOBAL, &choice);
	if (r == 0)
		r = find_rank(&scan, GID_RANK_LINK_LOCAL, &choice);
	if (r < 0)
		return r;
	if (r == 0)
		list_v1(&scan, choice.v1, sizeof(choice.v1));
	*ret = choice;
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
