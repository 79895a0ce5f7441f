// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * From values that were found to the texts of the keys that ask for them: what lib/spec/derive.c
 * does, backwards, a row for each key. Pure.
 */
#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <strings.h>

#include "lib/base/macro.h"
#include "lib/base/text.h"
#include "lib/model/driver.h"
#include "lib/node/import-private.h"

const struct value *import_value(const struct import_port *port, enum knob knob)
{
	const struct state *state = knob_table[knob].target == TARGET_PORT ? port->port :
									     port->rdma;

	return state ? &state->value[knob] : NULL;
}

/* NULL unless it was read. */
static const struct value *known(const struct import_port *port, enum knob knob)
{
	const struct value *value = import_value(port, knob);

	return value && value->status == VALUE_KNOWN ? value : NULL;
}

void import_quote(const char *name, char *text, size_t size)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789._/-";
	/* What YAML 1.1 does not take for a text */
	static const char *const words[] = { "y",   "n",    "yes", "no", "on",
					     "off", "true", "false", "null" };
	bool bare = strchr(letters, *name) && *name && !name[strspn(name, plain)];

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (strcasecmp(name, words[i]) == 0)
			bare = false;
	(void)snprintf(text, size, bare ? "%s" : "\"%s\"", name);
}

/* A kernel may have what no file can say. */
static bool in_range(enum knob knob, uint32_t number)
{
	return number >= knob_table[knob].min && number <= knob_table[knob].max;
}

/* ---- roce ---- */

static const char *take_mode(const struct import_port *port, const struct value *value, char *text,
			     size_t size)
{
	value_format(&knob_table[KNOB_CM_MODE], value, text, size);
	return NULL;
}

/* The traffic class that is forced on verbs; -1 if none is. */
static int verbs_class(const struct import_port *port)
{
	const struct value *value = known(port, KNOB_TRAFFIC_CLASS);

	return value && value->data.optional.set ? (int)value->data.optional.number : -1;
}

static const char *take_traffic_class(const struct import_port *port, const struct value *value,
				      char *text, size_t size)
{
	int class = verbs_class(port);
	uint32_t number = value->data.number ?: (uint32_t)class;

	/* 0 is what RDMA-CM does where nobody asked for anything */
	if (!value->data.number && class < 0)
		return "";
	if (!in_range(KNOB_CM_TOS, number))
		return "a file takes 0 to 255";
	(void)snprintf(text, size, "%u", number);
	return NULL;
}

/* Where one of the two sinks has another value, the file has to name the one that is meant. */
static const char *take_apply_to(const struct import_port *port, const struct value *value,
				 char *text, size_t size)
{
	const struct value *verbs = import_value(port, KNOB_TRAFFIC_CLASS);
	int class = verbs_class(port);

	if (port->status[IMPORT_TRAFFIC_CLASS] != IMPORT_GIVEN || !verbs ||
	    verbs->status == VALUE_UNSUPPORTED || class == (int)value->data.number)
		return "";
	(void)snprintf(text, size, "[%s]", value->data.number ? "rdma-cm" : "verbs");
	return NULL;
}

static const char *take_cnp(const struct import_port *port, const struct value *value, char *text,
			    size_t size)
{
	const struct value *priority = known(port, KNOB_CNP_PRIORITY);
	struct text out = { text, size, 0 };

	if (!in_range(KNOB_CNP_DSCP, value->data.number) ||
	    (priority && !in_range(KNOB_CNP_PRIORITY, priority->data.number)))
		return "a file takes DSCP 0 to 63 and priority 0 to 7";
	text_put(&out, "{dscp: %u", value->data.number);
	if (priority)
		text_put(&out, ", priority: %u", priority->data.number);
	text_put(&out, "}");
	return NULL;
}

/* ---- qos ---- */

static bool trusts_dscp(const struct import_port *port)
{
	const struct value *trust = known(port, KNOB_TRUST);

	return trust && trust->data.number == TRUST_DSCP;
}

static const char *take_trust(const struct import_port *port, const struct value *value, char *text,
			      size_t size)
{
	if (value->data.number != TRUST_DSCP)
		return "a file cannot ask for it yet";
	(void)snprintf(text, size, "dscp");
	return NULL;
}

/* DSCPs that the kernel's table has on several priorities at once are left alone. */
static const char *take_map(const struct import_port *port, const struct value *value, char *text,
			    size_t size)
{
	const struct dscp_map *map = &value->data.map;
	struct text out = { text, size, 0 };
	size_t n = 0, several = 0;

	for (unsigned int dscp = 0; dscp < DSCPS; dscp++) {
		uint8_t priorities = map->priorities[dscp];

		several += __builtin_popcount(priorities) > 1;
		if (__builtin_popcount(priorities) == 1)
			text_put(&out, "%s%u: %d", n++ ? ", " : "{", dscp,
				 __builtin_ctz(priorities));
	}
	text_put(&out, "}");
	if (!n)
		return several ? "each DSCP is on several priorities" : "";
	return trusts_dscp(port) ? NULL : "without trust in DSCPs, which would change";
}

static void put_priorities(struct text *out, uint32_t bits)
{
	const char *separator = "";

	text_put(out, "[");
	for (unsigned int priority = 0; priority < PRIORITIES; priority++) {
		if (!(bits >> priority & 1))
			continue;
		text_put(out, "%s%u", separator, priority);
		separator = ", ";
	}
	text_put(out, "]");
}

static const char *take_pfc(const struct import_port *port, const struct value *value, char *text,
			    size_t size)
{
	const struct driver_info *driver = driver_find(port->nic->driver);
	struct text out = { text, size, 0 };

	if (driver->lossless_max && __builtin_popcount(value->data.number) > driver->lossless_max)
		return "more priorities than the driver can do by its documents";
	put_priorities(&out, value->data.number);
	return NULL;
}

static const char *take_cable_length(const struct import_port *port, const struct value *value,
				     char *text, size_t size)
{
	if (!in_range(KNOB_CABLE_LENGTH, value->data.number))
		return "a file takes 1m to 999m";
	(void)snprintf(text, size, "%um", value->data.number);
	return NULL;
}

static const char *take_watchdog(const struct import_port *port, const struct value *value,
				 char *text, size_t size)
{
	if (!in_range(KNOB_PFC_WATCHDOG, value->data.number))
		return "a file takes 80ms to 8000ms";
	(void)snprintf(text, size, "{detect: %ums}", value->data.number);
	return NULL;
}

/* The priorities that a file has to list, each with a class of its own; 0 if it cannot say it. */
static uint8_t listed(const struct ets_map *ets)
{
	uint8_t bits = 1, classes = (uint8_t)(1U << ets->class_of[0] % PRIORITIES);

	for (unsigned int priority = 1; priority < PRIORITIES; priority++) {
		uint8_t class = (uint8_t)(1U << ets->class_of[priority] % PRIORITIES);

		if (ets->class_of[priority] == ets->class_of[0])
			continue;
		if (classes & class)
			return 0;
		classes |= class;
		bits |= (uint8_t)(1U << priority);
	}
	return bits;
}

static const char *take_scheduler(const struct import_port *port, const struct value *value,
				  char *text, size_t size)
{
	const struct ets_map *ets = &value->data.ets;
	struct text out = { text, size, 0 };
	uint8_t bits = listed(ets);
	unsigned int sum = 0;

	if (value->unset)
		return "";
	if (!bits)
		return "priorities share a class that is not that of priority 0";
	for (unsigned int priority = 0; priority < PRIORITIES; priority++) {
		unsigned int class = ets->class_of[priority] % PRIORITIES;
		unsigned int share = ets->share[class];

		if (!(bits >> priority & 1))
			continue;
		if (ets->algorithm[class] != ETS_STRICT && ets->algorithm[class] != ETS_SHARE)
			return "a class is neither strict nor has a share";
		text_put(&out, "%s%u: ", priority ? ", " : "{", priority);
		if (ets->algorithm[class] == ETS_STRICT) {
			text_put(&out, "strict");
			continue;
		}
		if (!share)
			return "a class has a share of 0%";
		sum += share;
		text_put(&out, "%u%%", share);
	}
	text_put(&out, "}");
	return !sum || sum == 100 ? NULL : "the shares are not 100% together";
}

/* A class is named by its lowest priority, which is the one that a scheduler lists. */
static const char *take_max_rate(const struct import_port *port, const struct value *value,
				 char *text, size_t size)
{
	enum { MBIT = 1000, GBIT = 1000 * 1000, LEAST = 100 * MBIT, MOST = 1000 * GBIT };
	const struct rates *rates = &value->data.rates;
	struct text out = { text, size, 0 };
	uint8_t seen = 0;
	size_t n = 0;

	for (unsigned int priority = 0; priority < PRIORITIES; priority++) {
		unsigned int class = rates->class_of[priority] % PRIORITIES;
		uint64_t kbit = rates->kbit[class];

		if (seen >> class & 1 || !kbit)
			continue;
		seen |= (uint8_t)(1U << class);
		if (kbit % MBIT || kbit < LEAST || kbit > MOST)
			return "a file takes whole Mbit/s from 100Mbit/s to 1000Gbit/s";
		text_put(&out, "%s%u: ", n++ ? ", " : "{", priority);
		if (kbit % GBIT)
			text_put(&out, "%" PRIu64 "Mbit/s", kbit / MBIT);
		else
			text_put(&out, "%" PRIu64 "Gbit/s", kbit / GBIT);
	}
	text_put(&out, "}");
	return n ? NULL : "";
}

static const char *take_buffers(const struct import_port *port, const struct value *value,
				char *text, size_t size)
{
	if (value->data.number != BUFFERS_AUTO)
		return "auto is the only value of a file";
	(void)snprintf(text, size, "auto");
	return NULL;
}

/* ---- ecn, mtu ---- */

/* Of the priorities that react those that are also answered, and that some DSCP reaches. */
static uint8_t ecn_bits(const struct import_port *port, const struct value *value)
{
	const struct value *np = known(port, KNOB_ECN_NP),
			   *map = known(port, KNOB_DSCP_TO_PRIORITY);
	uint8_t reached = 0;

	for (unsigned int dscp = 0; map && dscp < DSCPS; dscp++)
		if (__builtin_popcount(map->data.map.priorities[dscp]) == 1)
			reached |= map->data.map.priorities[dscp];
	if (port->status[IMPORT_MAP] != IMPORT_GIVEN)
		reached = (uint8_t)((1U << PRIORITIES) - 1);
	return np ? value->data.switches.on & np->data.switches.on & reached : 0;
}

static const char ecn_alone[] = "without ecn_np, or no DSCP of dscp_to_priority gets there";

static const char *take_ecn(const struct import_port *port, const struct value *value, char *text,
			    size_t size)
{
	struct text out = { text, size, 0 };
	uint8_t bits = ecn_bits(port, value);

	if (!bits)
		return value->data.switches.on ? ecn_alone : "";
	text_put(&out, "{priorities: ");
	put_priorities(&out, bits);
	text_put(&out, "}");
	return NULL;
}

static const char *take_mtu(const struct import_port *port, const struct value *value, char *text,
			    size_t size)
{
	if (!in_range(KNOB_MTU, value->data.number))
		return "a file takes 1500 to 65535";
	(void)snprintf(text, size, "%u", value->data.number);
	return NULL;
}

const struct import_row import_rows[] = {
	[IMPORT_MODE] = { "roce", "mode", KNOB_CM_MODE, false, take_mode },
	[IMPORT_TRAFFIC_CLASS] = { "roce", "traffic_class", KNOB_CM_TOS, false,
				   take_traffic_class },
	[IMPORT_APPLY_TO] = { "roce", "apply_to", KNOB_CM_TOS, false, take_apply_to },
	[IMPORT_CNP] = { "roce", "cnp", KNOB_CNP_DSCP, true, take_cnp },
	[IMPORT_TRUST] = { "qos", "trust", KNOB_TRUST, false, take_trust },
	[IMPORT_MAP] = { "qos", "dscp_to_priority", KNOB_DSCP_TO_PRIORITY, true, take_map },
	[IMPORT_PFC] = { "qos", "pfc", KNOB_PFC, false, take_pfc },
	[IMPORT_CABLE_LENGTH] = { "qos", "cable_length", KNOB_CABLE_LENGTH, false,
				  take_cable_length },
	[IMPORT_WATCHDOG] = { "qos", "pfc_watchdog", KNOB_PFC_WATCHDOG, false, take_watchdog },
	[IMPORT_SCHEDULER] = { "qos", "scheduler", KNOB_SCHEDULER, true, take_scheduler },
	[IMPORT_MAX_RATE] = { "qos", "max_rate", KNOB_MAX_RATE, true, take_max_rate },
	[IMPORT_BUFFERS] = { "qos", "buffers", KNOB_BUFFERS, false, take_buffers },
	[IMPORT_ECN] = { NULL, "ecn", KNOB_ECN_RP, false, take_ecn },
	[IMPORT_MTU] = { NULL, "mtu", KNOB_MTU, false, take_mtu },
};
static_assert(ARRAY_SIZE(import_rows) == IMPORT_KEY_MAX, "a row for each key");

/* ---- all of a port ---- */

/* Why a value that is not known has no text; "" if there is nothing to say. */
static const char *unread(const struct value *value)
{
	if (value->status == VALUE_NEEDS_ROOT)
		return "only root can read it";
	if (value->status != VALUE_UNREADABLE)
		return "";
	return *value->note ? value->note : strerrordesc_np(value->error) ?: "it cannot be read";
}

int import_say(struct import *import, const struct import_port *port, enum import_key key,
	       const struct value *value, const char *why)
{
	const struct knob_info *knob = &knob_table[import_rows[key].knob];
	enum { SHOWN_MAX = 96 };
	char what[IMPORT_NOTE_MAX], text[SHOWN_MAX];

	if (!*why)
		return 0;
	if (value->status != VALUE_KNOWN) {
		(void)snprintf(what, sizeof(what), "%s", knob->name);
	} else {
		value_format(knob, value, text, sizeof(text));
		(void)snprintf(what, sizeof(what), "%s (%s)", knob->name, text);
	}
	return import_note(import,
			   knob->target == TARGET_PORT ? port->nic->name : port->nic->rdma, what,
			   why);
}

/* What of a value that is taken stays out of the file. */
static int say_rest(struct import *import, const struct import_port *port, enum import_key key,
		    const struct value *value)
{
	struct value rest = *value;
	bool any = false;

	if (key == IMPORT_ECN) {
		rest.data.switches.on &= (uint8_t)~ecn_bits(port, value);
		return import_say(import, port, key, &rest,
				  rest.data.switches.on ? ecn_alone : "");
	}
	for (unsigned int dscp = 0; key == IMPORT_MAP && dscp < DSCPS; dscp++) {
		if (__builtin_popcount(rest.data.map.priorities[dscp]) < 2)
			rest.data.map.priorities[dscp] = 0;
		any |= rest.data.map.priorities[dscp] != 0;
	}
	return import_say(import, port, key, &rest, any ? "a DSCP on several priorities" : "");
}

static int take_key(struct import *import, struct import_port *port, enum import_key key)
{
	const struct import_row *row = &import_rows[key];
	const struct value *value = import_value(port, row->knob);
	const char *why;

	port->status[key] = IMPORT_NONE;
	if (!value || value->status == VALUE_UNMANAGED)
		return 0;
	if (value->status == VALUE_NOT_APPLICABLE) {
		port->status[key] = IMPORT_ANY;
		return 0;
	}
	why = value->status == VALUE_KNOWN ?
		      row->take(port, value, port->text[key], sizeof(port->text[key])) :
		      unread(value);
	if (!why) {
		port->status[key] = IMPORT_GIVEN;
		return say_rest(import, port, key, value);
	}
	return import_say(import, port, key, value, why);
}

int import_take(struct import *import, struct import_port *port)
{
	int r = 0;

	for (enum import_key key = 0; key < IMPORT_KEY_MAX && r == 0; key++)
		r = take_key(import, port, key);
	if (r == 0 && port->status[IMPORT_MODE] != IMPORT_GIVEN)
		r = import_drop(import, port, IMPORT_MODE, "roce manages cm_mode, which is not "
							   "taken");
	return r;
}
