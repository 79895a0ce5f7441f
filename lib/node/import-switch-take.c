// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * From what a switch answered to the texts of the keys that ask for it: what
 * lib/spec/switch-derive.c does, backwards, a row for each key. Pure.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/macro.h"
#include "lib/base/text.h"
#include "lib/node/import-private.h"

/* Of the switch, or of a port; false if nothing is known. */
static bool value_of(const struct switch_state *state, const char *port, enum switch_knob knob,
		     struct switch_value *ret)
{
	const struct switch_finding *finding = switch_state_find(state, port, knob);

	return finding && *finding->have && finding->verdict != VERDICT_UNKNOWN &&
	       finding->verdict != VERDICT_UNSUPPORTED &&
	       switch_value_parse(knob, finding->have, ret) == 0;
}

/* The first that is known of the switch or of one of its ports. */
static bool first_value(const struct import_switch *sw, const struct switch_state *state,
			enum switch_knob knob, struct switch_value *ret)
{
	if (value_of(state, "", knob, ret))
		return true;
	for (size_t i = 0; i < sw->n_cables; i++)
		if (value_of(state, sw->cables[i].port, knob, ret))
			return true;
	return false;
}

static bool take_map(const struct import *import, const struct import_switch *sw,
		     const struct switch_state *state, struct text *out)
{
	struct switch_value value;

	if (!first_value(sw, state, SWITCH_DSCP_MAP, &value) || !value.n)
		return false;
	for (size_t i = 0; i < value.n; i++)
		text_put(out, "%s%" PRIu32 ": %" PRIu64, i ? ", " : "{", value.entry[i].key,
			 value.entry[i].field[0]);
	text_put(out, "}");
	return true;
}

/* Does the map of this node's ports, if each has the same, say the same of all it names? */
static bool map_suits(const struct import *import, const struct switch_value *value)
{
	const char *text = import->top[IMPORT_MAP];

	for (size_t i = 0; text && i < import->n_ports; i++) {
		const struct value *map = import_value(&import->ports[i], KNOB_DSCP_TO_PRIORITY);

		if (import_status(&import->ports[i], IMPORT_MAP) != IMPORT_GIVEN)
			continue;
		for (uint32_t dscp = 0; dscp < DSCPS; dscp++) {
			uint8_t priorities = map->data.map.priorities[dscp];
			const struct switch_entry *entry = switch_value_find(value, dscp);

			if (__builtin_popcount(priorities) == 1 &&
			    (!entry || entry->field[0] != (uint64_t)__builtin_ctz(priorities)))
				return false;
		}
		return true;
	}
	return false;
}

/*
 * What this node's ports ask of the switch anyway need not be said again; unless it has ports of
 * others.
 */
static bool goes_without_saying(const struct import *import, const struct import_switch *sw,
				const struct switch_state *state, enum import_switch_key key)
{
	const char *pfc = import->top[IMPORT_PFC], *mtu = import->top[IMPORT_MTU];
	struct switch_value value;

	if (import_other_node(import, 0))
		return false;
	if (key == IMPORT_SWITCH_PFC)
		return pfc && strcmp(pfc, sw->text[key]) == 0;
	if (key == IMPORT_SWITCH_MTU)
		return mtu && atoi(mtu) <= atoi(sw->text[key]);
	return key == IMPORT_SWITCH_MAP && first_value(sw, state, SWITCH_DSCP_MAP, &value) &&
	       map_suits(import, &value);
}

static void put_keys(struct text *out, const struct switch_value *value)
{
	text_put(out, "[");
	for (size_t i = 0; i < value->n; i++)
		text_put(out, "%s%" PRIu32, i ? ", " : "", value->entry[i].key);
	text_put(out, "]");
}

/* Is any of its ports, or all of it, on? */
static bool any_on(const struct import_switch *sw, const struct switch_state *state,
		   enum switch_knob knob)
{
	struct switch_value value;

	for (size_t i = 0; i < sw->n_cables; i++)
		if (value_of(state, sw->cables[i].port, knob, &value) && value.n &&
		    value.entry[0].field[0])
			return true;
	return false;
}

/* The priorities of a port, or those of the switch where a port has a yes or no. */
static bool take_pfc(const struct import *import, const struct import_switch *sw,
		     const struct switch_state *state, struct text *out)
{
	static const struct switch_value none = {};
	struct switch_value value;

	if (first_value(sw, state, SWITCH_PFC, &value)) {
		put_keys(out, &value);
		return true;
	}
	if (!first_value(sw, state, SWITCH_PFC_PRIORITIES, &value))
		return false;
	put_keys(out, any_on(sw, state, SWITCH_PFC_ENABLED) ? &value : &none);
	return true;
}

static bool take_watchdog(const struct import *import, const struct import_switch *sw,
		     const struct switch_state *state, struct text *out)
{
	const struct switch_knob_info *info = &switch_knob_table[SWITCH_WATCHDOG];
	const struct knob_info *knob = &knob_table[KNOB_PFC_WATCHDOG];
	struct switch_value value;
	const uint64_t *field;

	if (!first_value(sw, state, SWITCH_WATCHDOG, &value) || !value.n)
		return false;
	field = value.entry[0].field;
	if (field[0] < knob->min || field[0] > knob->max)
		return false;
	text_put(out, "{detect: %" PRIu64 "ms", field[0]);
	if (field[1] != SWITCH_ABSENT && field[1])
		text_put(out, ", restore: %" PRIu64 "ms", field[1]);
	if (field[2] != SWITCH_ABSENT)
		text_put(out, ", action: %s", info->field[2].words[field[2]]);
	text_put(out, "}");
	return true;
}

/* A file has whole KiB or KB. */
static bool put_size(struct text *out, const char *key, uint64_t bytes)
{
	enum { KIB = 1024, KB = 1000, LEAST = 1000, MOST = 1 << 30 };

	if (bytes < LEAST || bytes > MOST || (bytes % KIB && bytes % KB))
		return false;
	if (bytes % KIB)
		text_put(out, ", %s: %" PRIu64 "KB", key, bytes / KB);
	else
		text_put(out, ", %s: %" PRIu64 "KiB", key, bytes / KIB);
	return true;
}

static bool is_same_curve(const struct switch_entry *a, const struct switch_entry *b)
{
	return memcmp(a->field, b->field, sizeof(a->field)) == 0;
}

/* One curve with all the priorities that have it; false if a file cannot say it. */
static bool put_curve(struct text *out, const struct switch_value *value, size_t first)
{
	const struct switch_entry *entry = &value->entry[first];
	const char *separator = "";

	text_put(out, "{priorities: [");
	for (size_t i = first; i < value->n; i++) {
		if (!is_same_curve(&value->entry[i], entry))
			continue;
		text_put(out, "%s%" PRIu32, separator, value->entry[i].key);
		separator = ", ";
	}
	text_put(out, "]");
	if (entry->field[0] > entry->field[1] || !put_size(out, "min", entry->field[0]) ||
	    !put_size(out, "max", entry->field[1]))
		return false;
	if (entry->field[2] != SWITCH_ABSENT)
		text_put(out, ", probability: %" PRIu64 "%%", entry->field[2]);
	text_put(out, "}");
	return true;
}

/* The priorities that can be said to mark: those that the maps of both ends lead to. */
static uint8_t markable(const struct import *import, const struct import_switch *sw)
{
	uint8_t all = (uint8_t)((1U << PRIORITIES) - 1), bits = all, own = 0;

	if (sw->given[IMPORT_SWITCH_MAP])
		own = import_reached(sw->text[IMPORT_SWITCH_MAP]);
	for (size_t i = 0; i < import->n_ports; i++) {
		const char *map = import_effective(import, &import->ports[i], IMPORT_MAP);

		if (map)
			bits &= (uint8_t)(import_reached(map) | own);
	}
	return bits == all && own ? own : bits;
}

static void keep_keys(struct switch_value *value, uint8_t bits)
{
	size_t n = 0;

	for (size_t i = 0; i < value->n; i++)
		if (bits >> value->entry[i].key & 1)
			value->entry[n++] = value->entry[i];
	value->n = n;
}

static bool take_ecn(const struct import *import, const struct import_switch *sw,
		     const struct switch_state *state, struct text *out)
{
	struct switch_value value;
	size_t n = 0;

	if (!first_value(sw, state, SWITCH_ECN, &value))
		return false;
	keep_keys(&value, markable(import, sw));
	if (!value.n)
		return false;
	for (size_t i = 0; i < value.n; i++)
		n += !is_same_curve(&value.entry[0], &value.entry[i]);
	text_put(out, n ? "[" : "");
	for (size_t i = 0; i < value.n; i++) {
		bool before = false;

		for (size_t j = 0; j < i; j++)
			before |= is_same_curve(&value.entry[j], &value.entry[i]);
		if (before)
			continue;
		text_put(out, i ? ", " : "");
		if (!put_curve(out, &value, i))
			return false;
	}
	text_put(out, n ? "]" : "");
	return true;
}

/* More than is asked for suits: the least of all ports. */
static bool take_mtu(const struct import *import, const struct import_switch *sw,
		     const struct switch_state *state, struct text *out)
{
	const struct knob_info *knob = &knob_table[KNOB_MTU];
	struct switch_value value;
	uint64_t least = UINT64_MAX;

	if (value_of(state, "", SWITCH_MTU, &value) && value.n)
		least = value.entry[0].field[0];
	for (size_t i = 0; i < sw->n_cables; i++)
		if (value_of(state, sw->cables[i].port, SWITCH_MTU, &value) && value.n)
			least = MIN(least, value.entry[0].field[0]);
	if (least == UINT64_MAX || least < knob->min + SWITCH_FRAME_OVERHEAD ||
	    least > knob->max + SWITCH_FRAME_OVERHEAD)
		return false;
	text_put(out, "%" PRIu64, least - SWITCH_FRAME_OVERHEAD);
	return true;
}

/* Of which knobs a key is made, for what cannot be taken. */
static const struct {
	bool (*take)(const struct import *import, const struct import_switch *sw,
		     const struct switch_state *state, struct text *out);
	enum switch_knob knob;
} takers[] = {
	[IMPORT_SWITCH_MAP] = { take_map, SWITCH_DSCP_MAP },
	[IMPORT_SWITCH_PFC] = { take_pfc, SWITCH_PFC },
	[IMPORT_SWITCH_WATCHDOG] = { take_watchdog, SWITCH_WATCHDOG },
	[IMPORT_SWITCH_ECN] = { take_ecn, SWITCH_ECN },
	[IMPORT_SWITCH_MTU] = { take_mtu, SWITCH_MTU },
};
static_assert(ARRAY_SIZE(takers) == IMPORT_SWITCH_KEY_MAX, "a row for each key");

/* What is there and cannot be said. */
static int say_rest(struct import *import, const struct import_switch *sw,
		    const struct switch_state *state, enum import_switch_key key)
{
	char text[FINDING_TEXT_MAX];
	struct switch_value value;

	if (!first_value(sw, state, takers[key].knob, &value))
		return 0;
	if (key == IMPORT_SWITCH_ECN && sw->given[key])
		keep_keys(&value, (uint8_t)~markable(import, sw));
	else if (sw->given[key])
		return 0;
	if (!value.n)
		return 0;
	switch_value_format(takers[key].knob, &value, text, sizeof(text));
	return import_switch_note(import, sw, import_switch_rows[key].key, text,
				  sw->given[key] ? "no DSCP of dscp_to_priority leads there" :
						   "a file cannot say it");
}

/* Strict queues follow from roce.cnp of the nodes alone. */
static int say_strict(struct import *import, const struct import_switch *sw,
		      const struct switch_state *state)
{
	struct switch_value value;
	char text[FINDING_TEXT_MAX];

	if (import->top[IMPORT_CNP] || !first_value(sw, state, SWITCH_SCHEDULER, &value) ||
	    !value.n)
		return 0;
	switch_value_format(SWITCH_SCHEDULER, &value, text, sizeof(text));
	return import_switch_note(import, sw, switch_knob_table[SWITCH_SCHEDULER].name, text,
		       "a file asks for it by roce.cnp of a node");
}

/* What the switch did not tell, and why. */
static int say_unread(struct import *import, const struct import_switch *sw,
		      const struct switch_state *state)
{
	int r = 0;

	for (size_t i = 0; i < state->n && r == 0; i++) {
		const struct switch_finding *finding = &state->findings[i];

		if (finding->verdict == VERDICT_UNKNOWN && finding->knob < SWITCH_KNOB_MAX)
			r = import_note(import, sw->name, switch_knob_table[finding->knob].name,
					*finding->note ? finding->note : "cannot be read");
	}
	return r;
}

int import_switch_found(struct import *import, const struct switch_state *state)
{
	struct import_switch *sw = import_switch_find(import, state->name);
	int r = 0;

	if (!sw)
		return 0;
	import_place(import);
	r = import_switch_cut(import, sw);
	for (enum import_switch_key key = 0; key < IMPORT_SWITCH_KEY_MAX && r == 0; key++) {
		struct text out = { sw->text[key], sizeof(sw->text[key]), 0 };

		sw->given[key] = takers[key].take(import, sw, state, &out);
		r = say_rest(import, sw, state, key);
		if (sw->given[key] && goes_without_saying(import, sw, state, key))
			sw->given[key] = false;
	}
	if (r == 0)
		r = say_strict(import, sw, state);
	return r < 0 ? r : say_unread(import, sw, state);
}
