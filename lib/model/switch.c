// SPDX-License-Identifier: LGPL-2.1-or-later
/* The rows of the knobs of switches, and the order of their values. Pure. */
#include "lib/model/switch.h"

#include <errno.h>
#include <string.h>

#include "lib/base/macro.h"

enum { PRIORITY_LAST = 7, DSCP_LAST = 63, HOUR_MS = 60 * 60 * 1000 };

static const char *const trust_words[] = { "none", "pcp", "dscp", "both", NULL };
static const char *const action_words[] = { "drop", "forward", "report", NULL };

#define SWITCH_ONLY (1U << SCOPE_SWITCH)
#define PORT_ONLY   (1U << SCOPE_PORT)
#define EITHER	    (SWITCH_ONLY | PORT_ONLY)

/* What a knob is that is on or off, and one that lists priorities. */
#define ON_OFF                                    \
	.shape = SHAPE_SINGLE, .n_fields = 1,     \
	.field = {                                \
		{ "value", UNIT_BOOL, .max = 1 }, \
	}
#define PRIORITY_LIST .shape = SHAPE_LIST, .key = "priority", .key_max = PRIORITY_LAST

const struct switch_knob_info switch_knob_table[] = {
	[SWITCH_FLOW_CONTROL] = {
		.name = "flow_control", ON_OFF, .scopes = PORT_ONLY,
		.why = "A port has either PFC or the pause frames of 802.3x.",
		.spec = "qos.pfc",
	},
	[SWITCH_TRUST] = {
		.name = "trust", .shape = SHAPE_SINGLE, .scopes = EITHER, .n_fields = 1,
		.field = { { "value", UNIT_WORD, trust_words, .max = 3 } },
		.why = "RoCE v2 is marked by DSCP; with another trust it goes elsewhere.",
		.spec = "qos.trust",
	},
	[SWITCH_DSCP_MAP] = {
		.name = "dscp_to_priority", .shape = SHAPE_MAP, .scopes = EITHER,
		.key = "dscp", .key_max = DSCP_LAST, .n_fields = 1,
		.field = { { "value", UNIT_NUMBER, .max = PRIORITY_LAST } },
		.required = true,
		.why = "The priority that a frame gets decides whether it is lossless.",
		.spec = "qos.dscp_to_priority",
	},
	[SWITCH_DSCP_MAP_PORT] = {
		.name = "dscp_map", ON_OFF, .scopes = PORT_ONLY,
		.why = "The map of DSCPs counts where a port uses it.",
		.spec = "qos.dscp_to_priority",
	},
	[SWITCH_SCHEDULER] = {
		.name = "scheduler.strict", PRIORITY_LIST, .scopes = EITHER,
		.why = "Congestion notifications have to overtake what is congested.",
		.spec = "qos.scheduler",
	},
	[SWITCH_ECN] = {
		.name = "ecn", .shape = SHAPE_MAP, .scopes = EITHER,
		.key = "priority", .key_max = PRIORITY_LAST, .n_fields = 3,
		.field = {
			{ "min", UNIT_BYTES, .max = UINT64_C(1) << 40 },
			{ "max", UNIT_BYTES, .max = UINT64_C(1) << 40 },
			{ "probability", UNIT_PERCENT, .max = 100, .optional = true },
		},
		.why = "Marking slows senders down before PFC has to stop them.",
		.spec = "ecn",
	},
	[SWITCH_ECN_PORT] = {
		.name = "ecn.enabled", PRIORITY_LIST, .scopes = PORT_ONLY,
		.why = "A curve of marking counts where a queue of a port uses it.",
		.spec = "ecn.priorities",
	},
	[SWITCH_ECN_PROFILE] = {
		.name = "ecn.profile", ON_OFF, .scopes = PORT_ONLY,
		.why = "The curves of marking count where a port uses them.",
		.spec = "ecn",
	},
	[SWITCH_BUFFERS] = {
		.name = "buffers.lossless", PRIORITY_LIST, .scopes = EITHER,
		.why = "PFC without headroom drops what is on its way when it stops the sender.",
		.spec = "qos.pfc",
	},
	[SWITCH_PFC_PRIORITIES] = {
		.name = "pfc.priorities", PRIORITY_LIST, .scopes = SWITCH_ONLY, .whole = true,
		.required = true,
		.why = "The priorities for which the ports of the switch send and obey pauses.",
		.spec = "qos.pfc",
	},
	[SWITCH_PFC_ENABLED] = {
		.name = "pfc.enabled", ON_OFF, .scopes = PORT_ONLY, .required = true,
		.why = "The port sends and obeys pauses for the priorities of the switch.",
		.spec = "qos.pfc",
	},
	[SWITCH_PFC] = {
		.name = "pfc", PRIORITY_LIST, .scopes = PORT_ONLY, .whole = true, .required = true,
		.why = "The priorities for which the port sends and obeys pauses.",
		.spec = "qos.pfc",
	},
	[SWITCH_WATCHDOG] = {
		.name = "pfc_watchdog", .shape = SHAPE_SINGLE, .scopes = EITHER, .n_fields = 3,
		.field = {
			{ "detect", UNIT_MS, .max = HOUR_MS },
			{ "restore", UNIT_MS, .max = HOUR_MS, .optional = true },
			{ "action", UNIT_WORD, action_words, .max = 2, .optional = true },
		},
		.why = "A port that is paused for good must not stop the whole fabric.",
		.spec = "qos.pfc_watchdog",
	},
	[SWITCH_WATCHDOG_PORT] = {
		.name = "pfc_watchdog.enabled", ON_OFF, .scopes = PORT_ONLY,
		.why = "The watchdog looks after this port.",
		.spec = "qos.pfc_watchdog",
	},
	[SWITCH_MTU] = {
		.name = "mtu", .shape = SHAPE_SINGLE, .scopes = EITHER, .n_fields = 1,
		.field = { { "value", UNIT_NUMBER, .max = 65535 } },
		.why = "A switch drops what is larger than its MTU, and RDMA then hangs.",
		.spec = "mtu",
	},
	[SWITCH_DCBX] = {
		.name = "lldp.dcbx", ON_OFF, .scopes = EITHER,
		.why = "What the switch tells by LLDP shows on the node what it is set to.",
		.spec = "qos.pfc",
	},
};
static_assert(ARRAY_SIZE(switch_knob_table) == SWITCH_KNOB_MAX, "one row for each knob");

enum switch_knob switch_knob_find(const char *name)
{
	enum switch_knob knob = 0;

	while (knob < SWITCH_KNOB_MAX && strcmp(switch_knob_table[knob].name, name) != 0)
		knob++;
	return knob;
}

int switch_value_add(struct switch_value *value, const struct switch_entry *entry)
{
	size_t at = value->n;

	while (at > 0 && value->entry[at - 1].key >= entry->key)
		at--;
	if (at < value->n && value->entry[at].key == entry->key)
		return -EEXIST;
	if (value->n == SWITCH_ENTRIES_MAX)
		return -ENOSPC;
	memmove(&value->entry[at + 1], &value->entry[at], (value->n - at) * sizeof(*entry));
	value->entry[at] = *entry;
	value->n++;
	return 0;
}

const struct switch_entry *switch_value_find(const struct switch_value *value, uint32_t key)
{
	for (size_t i = 0; i < value->n; i++)
		if (value->entry[i].key == key)
			return &value->entry[i];
	return NULL;
}

bool switch_value_is_off(enum switch_knob knob, const struct switch_value *value)
{
	const struct switch_knob_info *info = &switch_knob_table[knob];

	if (value->status != SWITCH_KNOWN)
		return false;
	return value->n == 0 || (info->shape == SHAPE_SINGLE && info->field[0].unit == UNIT_BOOL &&
				 !value->entry[0].field[0]);
}
