// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The APP table: which priority a DSCP belongs to, and with that the trust of the port. Owns the
 * entries of selector 5 (DSCP); others are left alone. Mirrors dcb_ieee_setapp and dcb_ieee_delapp
 * in net/dcb/dcbnl.c and, for mlx5, mlx5e_dcbnl_ieee_setapp and _delapp in en_dcbnl.c: the first
 * DSCP entry makes the port trust DSCP, the last that is deleted makes it trust PCP, adding an
 * entry deletes the old one of the same DSCP.
 */
#include <errno.h>

#include "lib/nic/object.h"

enum { ENTRIES_MAX = DSCPS * PRIORITIES };

struct entries {
	size_t n;
	struct dcb_app list[ENTRIES_MAX];
};

/* The DSCP part of the table as a map that names all DSCPs. */
static struct dscp_map map_of(const struct os_dcb *dcb)
{
	struct dscp_map map = { .named = UINT64_MAX };

	for (size_t i = 0; i < dcb->n_app; i++) {
		const struct dcb_app *app = &dcb->app[i];

		if (app->selector == IEEE_8021QAZ_APP_SEL_DSCP && app->protocol < DSCPS &&
		    app->priority < PRIORITIES)
			map.priorities[app->protocol] |= (uint8_t)(1U << app->priority);
	}
	return map;
}

static bool map_is_empty(const struct dscp_map *map)
{
	for (unsigned int i = 0; i < DSCPS; i++)
		if (map->priorities[i])
			return false;
	return true;
}

int dcb_app_read(struct nic_reader *reader, struct state *have)
{
	const struct os_dcb *dcb;
	struct value *value;
	int r;

	r = nic_reader_dcb(reader, &dcb);
	if (r < 0) {
		(void)nic_value_error(reader, have, KNOB_TRUST, r, "DCB");
		return nic_value_error(reader, have, KNOB_DSCP_TO_PRIORITY, r, "DCB");
	}
	if (!dcb->has_app) {
		nic_value_unsupported(have, KNOB_TRUST, "the driver has no APP table");
		nic_value_unsupported(have, KNOB_DSCP_TO_PRIORITY, "the driver has no APP table");
		return 0;
	}
	value = &have->value[KNOB_DSCP_TO_PRIORITY];
	value->status = VALUE_KNOWN;
	value->data.map = map_of(dcb);
	nic_value_number(have, KNOB_TRUST, map_is_empty(&value->data.map) ? TRUST_PCP : TRUST_DSCP);
	return 0;
}

static void entries_add(struct entries *entries, unsigned int dscp, uint8_t priorities)
{
	for (unsigned int i = 0; i < PRIORITIES; i++) {
		if (!(priorities & (1U << i)))
			continue;
		entries->list[entries->n++] = (struct dcb_app){
			.selector = IEEE_8021QAZ_APP_SEL_DSCP,
			.priority = (uint8_t)i,
			.protocol = (uint16_t)dscp,
		};
	}
}

static bool wants_trust(const struct state *want, enum trust trust)
{
	return nic_wants(want, KNOB_TRUST) && want->value[KNOB_TRUST].data.number == trust;
}

/*
 * What is wanted and missing; where DSCP trust is wanted without any entry, the one that changes no
 * packet's priority.
 */
static void missing(const struct nic_writer *writer, const struct dscp_map *have,
		    struct entries *ret)
{
	const struct state *want = writer->want;
	const struct dscp_map *map = &want->value[KNOB_DSCP_TO_PRIORITY].data.map;

	for (unsigned int i = 0; nic_wants(want, KNOB_DSCP_TO_PRIORITY) && i < DSCPS; i++)
		if (map->named & writer->parts & dscp_bit(i))
			entries_add(ret, i, map->priorities[i] & (uint8_t)~have->priorities[i]);
	if (ret->n == 0 && wants_trust(want, TRUST_DSCP) && map_is_empty(have))
		entries_add(ret, 0, 1U << 0);
}

/*
 * What is there and not wanted: other priorities of the DSCPs that are named, everything if the
 * port shall trust PCP. While DSCP trust is wanted one entry stays, whatever it says: an empty
 * table would be PCP trust; unless the driver cannot but delete first, and one will be added.
 */
static void obsolete(const struct nic_writer *writer, const struct dscp_map *have,
		     struct entries *ret)
{
	const struct state *want = writer->want;
	const struct dscp_map *map = &want->value[KNOB_DSCP_TO_PRIORITY].data.map;
	bool all = wants_trust(want, TRUST_PCP);
	struct dscp_map rest = *have;
	struct entries next = {};

	for (unsigned int i = 0; i < DSCPS; i++) {
		if (!all && !nic_wants(want, KNOB_DSCP_TO_PRIORITY))
			break;
		if (!(writer->parts & dscp_bit(i)) || (!all && !(map->named & dscp_bit(i))))
			continue;
		rest.priorities[i] &= all ? 0 : map->priorities[i];
		entries_add(ret, i, have->priorities[i] & (uint8_t)~rest.priorities[i]);
	}
	if (ret->n == 0 || !map_is_empty(&rest) || !wants_trust(want, TRUST_DSCP))
		return;
	if (writer->driver->app_delete_first)
		missing(writer, have, &next);
	if (next.n == 0)
		ret->n--;
}

typedef int (*send_fn)(struct os *os, const char *ifname, const struct dcb_app *app, size_t n_app,
		       struct os_error *ret_error);

/*
 * Send all entries in one message. @harmless is the status that says that an entry is so already;
 * the driver stops at it, so the entries behind it need messages of their own.
 */
static int send_entries(const struct nic_writer *writer, send_fn send,
			const struct entries *entries, int harmless, struct os_error *ret_error)
{
	int r;

	r = send(writer->os, writer->link.name, entries->list, entries->n, ret_error);
	if (r != -EREMOTEIO || ret_error->status != harmless)
		return r;
	for (size_t i = 0; entries->n > 1 && i < entries->n; i++) {
		*ret_error = (struct os_error){};
		r = send(writer->os, writer->link.name, &entries->list[i], 1, ret_error);
		if (r < 0 && (r != -EREMOTEIO || ret_error->status != harmless))
			return r;
	}
	return 0;
}

/*
 * The kernel's table holds what the driver refused, and the next reading would take it for applied.
 * Whether this works or not, the refusal is what is told.
 */
static void take_back(const struct nic_writer *writer, const struct entries *entries)
{
	struct os_error error = {};

	for (size_t i = 0; i < entries->n; i++)
		(void)os_dcb_app_delete(writer->os, writer->link.name, &entries->list[i], 1,
					&error);
}

/*
 * Where the kernel's table keeps what the driver refused, an entry that was missing a moment ago
 * and is there now is such a one: the hardware does not have it.
 */
static int add_entries(const struct nic_writer *writer, const struct entries *entries,
		       struct os_error *ret_error)
{
	int r;

	if (!writer->driver->app_refused_stays)
		return send_entries(writer, os_dcb_app_add, entries, -EEXIST, ret_error);
	r = os_dcb_app_add(writer->os, writer->link.name, entries->list, entries->n, ret_error);
	if (r == -EREMOTEIO && ret_error->status == -EEXIST) {
		take_back(writer, entries);
		*ret_error = (struct os_error){};
		r = os_dcb_app_add(writer->os, writer->link.name, entries->list, entries->n,
				   ret_error);
	}
	if (r == -EREMOTEIO)
		take_back(writer, entries);
	return r;
}

int dcb_app_write(const struct nic_writer *writer, struct refusal *ret)
{
	const struct value *have = &writer->have->value[KNOB_DSCP_TO_PRIORITY];
	struct os_error error = {};
	struct entries entries = {};
	bool add = writer->op != STEP_DELETE;
	int r;

	if (have->status != VALUE_KNOWN)
		return nic_refuse(ret, -EOPNOTSUPP, "the driver has no APP table");
	if (add)
		missing(writer, &have->data.map, &entries);
	else
		obsolete(writer, &have->data.map, &entries);
	if (entries.n == 0)
		return 0;
	if (add)
		r = add_entries(writer, &entries, &error);
	else
		r = send_entries(writer, os_dcb_app_delete, &entries, -ENOENT, &error);
	return nic_dcb_written(writer, r, &error, ret);
}
