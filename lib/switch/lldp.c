// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * From the JSON of lldpcli to neighbours. In its format "json0" everything is a list, also what
 * there is one of. TLVs: IEEE 802.1Q annex D (ETS, PFC, application priority), as in the kernel's
 * drivers/net/ethernet/intel/ice/ice_dcb.h; the bytes of an unknown TLV stand as "08,08".
 */
#include "lib/switch/lldp.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "lib/base/array.h"
#include "lib/base/cleanup.h"
#include "lib/base/macro.h"

enum {
	TLV_BYTES_MAX = 507,	/* a TLV has 511, OUI and subtype are 4 of them */
	TLVS_MAX = 64,		/* of one neighbour: what fits into a frame */
	PRIORITIES_MAX = 8,
	SUBTYPE_ETS = 9,
	SUBTYPE_ETS_ADVICE = 10,
	SUBTYPE_PFC = 11,
	SUBTYPE_APP = 12,
	SUBTYPE_CEE = 2,
	ETS_BYTES = 21,
	PFC_BYTES = 2,
	APP_BYTES = 3,
	SELECTOR_MAX = 5,
	DSCP_MAX = 63,
};

static const uint8_t oui_ieee[3] = { 0x00, 0x80, 0xc2 };
static const uint8_t oui_cee[3] = { 0x00, 0x1b, 0x21 };

/* ---- TLVs ---- */

static bool decode_ets(const uint8_t *bytes, size_t size, struct lldp_ets *ret)
{
	struct lldp_ets ets = { .given = true, .willing = bytes[0] >> 7 };

	if (size != ETS_BYTES)
		return false;
	for (size_t i = 0; i < PRIORITIES_MAX; i++) {
		ets.class_of[i] = bytes[1 + i / 2] >> (i % 2 ? 0 : 4) & 0xf;
		ets.share[i] = bytes[5 + i];
		ets.algorithm[i] = bytes[13 + i];
		if (ets.class_of[i] >= PRIORITIES_MAX)
			return false;
	}
	*ret = ets;
	return true;
}

static bool decode_pfc(const uint8_t *bytes, size_t size, struct lldp_pfc *ret)
{
	if (size != PFC_BYTES)
		return false;
	*ret = (struct lldp_pfc){
		.given = true,
		.willing = bytes[0] >> 7,
		.capability = bytes[0] & 0xf,
		.priorities = bytes[1],
	};
	return true;
}

/* One byte that is reserved, then entries of three. */
static bool decode_app(const uint8_t *bytes, size_t size, struct lldp_neighbor *neighbor)
{
	if (size == 0 || (size - 1) % APP_BYTES != 0 || (size - 1) / APP_BYTES > LLDP_APPS_MAX)
		return false;
	for (size_t at = 1; at < size; at += APP_BYTES) {
		struct lldp_app app = {
			.priority = bytes[at] >> 5,
			.selector = bytes[at] & 7,
			.id = (uint16_t)(bytes[at + 1] << 8 | bytes[at + 2]),
		};

		if (app.selector == 0 || app.selector > SELECTOR_MAX ||
		    (app.selector == LLDP_DSCP && app.id > DSCP_MAX)) {
			neighbor->n_apps = 0;
			return false;
		}
		neighbor->app[neighbor->n_apps++] = app;
	}
	neighbor->app_given = true;
	return true;
}

static bool decode_ieee(struct lldp_neighbor *neighbor, unsigned int subtype, const uint8_t *bytes,
			size_t size)
{
	switch (subtype) {
	case SUBTYPE_ETS:
		return neighbor->ets.given || (size && decode_ets(bytes, size, &neighbor->ets));
	case SUBTYPE_ETS_ADVICE:
		return neighbor->ets_advice.given ||
		       (size && decode_ets(bytes, size, &neighbor->ets_advice));
	case SUBTYPE_PFC:
		return neighbor->pfc.given || decode_pfc(bytes, size, &neighbor->pfc);
	case SUBTYPE_APP:
		return neighbor->app_given || decode_app(bytes, size, neighbor);
	default:
		return true; /* VLANs, link aggregation: not ours */
	}
}

void lldp_decode(struct lldp_neighbor *neighbor, const uint8_t oui[3], unsigned int subtype,
		 const uint8_t *bytes, size_t size)
{
	if (memcmp(oui, oui_ieee, sizeof(oui_ieee)) == 0)
		neighbor->malformed |= !decode_ieee(neighbor, subtype, bytes, size);
	else if (memcmp(oui, oui_cee, sizeof(oui_cee)) == 0)
		neighbor->cee |= subtype == SUBTYPE_CEE;
}

/* ---- JSON ---- */

/* Before jansson walks down: it is deeper than lldpcli ever is. Braces in texts do not count. */
static bool is_too_deep(const char *text, size_t size)
{
	bool inside = false;
	size_t depth = 0;

	for (size_t i = 0; i < size; i++) {
		if (inside && text[i] == '\\') {
			i++;
			continue;
		}
		if (text[i] == '"')
			inside = !inside;
		else if (!inside && (text[i] == '{' || text[i] == '['))
			depth++;
		else if (!inside && (text[i] == '}' || text[i] == ']'))
			depth -= depth > 0;
		if (depth > LLDP_DEPTH_MAX)
			return true;
	}
	return false;
}

/* The element @i of the list that @name is; NULL where there is none. */
static const json_t *item(const json_t *object, const char *name, size_t i)
{
	return json_array_get(json_object_get(object, name), i);
}

static size_t item_count(const json_t *object, const char *name)
{
	return json_array_size(json_object_get(object, name));
}

/* A text, cut where it is too long for us. */
static void take_text(const json_t *object, const char *name, char *ret, size_t size)
{
	const char *text = json_string_value(json_object_get(object, name));

	(void)snprintf(ret, size, "%.*s", (int)size - 1, text ?: "");
}

/* "00,80,C2" to bytes. Returns how many, or -EINVAL. */
static int parse_bytes(const char *text, uint8_t *ret, size_t room)
{
	static const char digits[] = "0123456789ABCDEFabcdef";
	size_t n = 0;

	while (text && *text) {
		if (n == room || strspn(text, digits) != 2)
			return -EINVAL;
		ret[n++] = (uint8_t)strtoul(text, NULL, 16);
		text += 2;
		if (*text == ',' && text[1])
			text++;
		else if (*text)
			return -EINVAL;
	}
	return text ? (int)n : -EINVAL;
}

static void take_tlv(const json_t *tlv, struct lldp_neighbor *neighbor)
{
	const char *subtype = json_string_value(json_object_get(tlv, "subtype")) ?: "";
	uint8_t oui[sizeof(oui_ieee)], bytes[TLV_BYTES_MAX];
	size_t digits = strspn(subtype, "0123456789");
	int n;

	if (digits == 0 || digits > 3 || subtype[digits] ||
	    parse_bytes(json_string_value(json_object_get(tlv, "oui")), oui, sizeof(oui)) !=
		    sizeof(oui))
		return;
	n = parse_bytes(json_string_value(json_object_get(tlv, "value")) ?: "", bytes,
			sizeof(bytes));
	if (n < 0)
		neighbor->malformed = true;
	else
		lldp_decode(neighbor, oui, (unsigned int)atoi(subtype), bytes, (size_t)n);
}

static void take_tlvs(const json_t *object, struct lldp_neighbor *neighbor)
{
	const json_t *tlvs = item(object, "unknown-tlvs", 0);
	size_t n = MIN(item_count(tlvs, "unknown-tlv"), (size_t)TLVS_MAX);

	for (size_t i = 0; i < n; i++)
		take_tlv(item(tlvs, "unknown-tlv", i), neighbor);
}

static void take_chassis(const json_t *chassis, struct lldp_neighbor *neighbor)
{
	size_t n = MIN(item_count(chassis, "mgmt-ip"), (size_t)LLDP_ADDRESSES_MAX);

	take_text(item(chassis, "name", 0), "value", neighbor->chassis, sizeof(neighbor->chassis));
	take_text(item(chassis, "id", 0), "value", neighbor->chassis_id,
		  sizeof(neighbor->chassis_id));
	for (size_t i = 0; i < n; i++)
		take_text(item(chassis, "mgmt-ip", i), "value",
			  neighbor->address[neighbor->n_addresses++], LLDP_DEVICE_MAX);
}

static void take_neighbor(const json_t *object, struct lldp_neighbor *neighbor)
{
	const json_t *port = item(object, "port", 0);

	take_text(object, "name", neighbor->device, sizeof(neighbor->device));
	take_text(object, "via", neighbor->via, sizeof(neighbor->via));
	take_chassis(item(object, "chassis", 0), neighbor);
	take_text(item(port, "id", 0), "type", neighbor->port_type, sizeof(neighbor->port_type));
	take_text(item(port, "id", 0), "value", neighbor->port, sizeof(neighbor->port));
	take_text(item(port, "descr", 0), "value", neighbor->port_text,
		  sizeof(neighbor->port_text));
	take_tlvs(object, neighbor);
}

static int take_all(const json_t *lldp, struct lldp_neighbors *ret)
{
	size_t n = item_count(lldp, "interface");

	if (n > LLDP_NEIGHBORS_MAX)
		return -EFBIG;
	for (size_t i = 0; i < n; i++) {
		if (array_grow(&ret->list, ret->n, &ret->room, sizeof(*ret->list)) < 0)
			return -ENOMEM;
		ret->list[ret->n] = (struct lldp_neighbor){};
		take_neighbor(item(lldp, "interface", i), &ret->list[ret->n]);
		/* Of no device of ours: nothing can be said of it */
		ret->n += *ret->list[ret->n].device != '\0';
	}
	return 0;
}

int lldp_parse(const char *text, size_t size, struct lldp_neighbors *ret)
{
	_cleanup_(lldp_neighbors_done) struct lldp_neighbors neighbors = {};
	json_auto_t *root = NULL;
	json_error_t error;
	int r;

	if (size > LLDP_SIZE_MAX || is_too_deep(text, size))
		return -EFBIG;
	root = json_loadb(text, size, 0, &error);
	if (!root)
		return json_error_code(&error) == json_error_out_of_memory ? -ENOMEM : -EBADMSG;
	/* The other format, "json", has an object here, and no list of what there may be one of */
	if (!json_is_array(json_object_get(root, "lldp")))
		return -EBADMSG;
	r = take_all(item(root, "lldp", 0), &neighbors);
	if (r < 0)
		return r;
	*ret = neighbors;
	neighbors = (struct lldp_neighbors){};
	return 0;
}
