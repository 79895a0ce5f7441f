/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Knobs of switches. What differs between vendors is which knobs a dialect implements and whether
 * one belongs to the whole switch or to each port; what a knob is stands here once, as a row.
 *
 * Values have one shape, whatever the knob is: a list of entries in the order of their keys, each
 * with up to three numbers. A single value is one entry with key 0, a list of priorities has
 * entries without numbers, a map of DSCPs one number for each. So a diff is a walk along two lists.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/diag.h"

/* In the order in which they are written when things are switched on; backwards for off. */
enum switch_knob {
	SWITCH_FLOW_CONTROL, /* 802.3x pause of a port: off where PFC is on */
	SWITCH_TRUST, /* what of a frame decides its priority */
	SWITCH_DSCP_MAP, /* dscp_to_priority */
	SWITCH_DSCP_MAP_PORT, /* that map is the one of this port */
	SWITCH_SCHEDULER, /* priorities in a strict queue: the CNP's */
	SWITCH_ECN, /* marking by priority: min, max, probability */
	SWITCH_ECN_PORT, /* the priorities that a port marks */
	SWITCH_ECN_PROFILE, /* those curves are the ones of this port */
	SWITCH_BUFFERS, /* priorities that have lossless buffers */
	SWITCH_PFC_PRIORITIES, /* of the switch */
	SWITCH_PFC_ENABLED, /* of a port */
	SWITCH_PFC, /* priorities of a port, where that is one command */
	SWITCH_WATCHDOG, /* detect, restore, action */
	SWITCH_WATCHDOG_PORT, /* is on */
	SWITCH_MTU,
	SWITCH_DCBX, /* the port tells PFC, ETS and APP by LLDP */
	SWITCH_KNOB_MAX,
};

/* Words of SWITCH_TRUST and of the action of SWITCH_WATCHDOG. */
enum switch_trust { SWITCH_TRUST_NONE, SWITCH_TRUST_PCP, SWITCH_TRUST_DSCP, SWITCH_TRUST_BOTH };
enum switch_action { SWITCH_DROP, SWITCH_FORWARD, SWITCH_REPORT };

enum switch_scope { SCOPE_SWITCH, SCOPE_PORT, SCOPE_MAX };

enum switch_shape {
	SHAPE_SINGLE, /* one entry, key 0 */
	SHAPE_LIST, /* keys only */
	SHAPE_MAP, /* keys with numbers */
};

/* What a number is; sizes in bytes, times in milliseconds. */
enum switch_unit { UNIT_NUMBER, UNIT_BOOL, UNIT_WORD, UNIT_BYTES, UNIT_MS, UNIT_PERCENT };

enum { SWITCH_FIELDS_MAX = 3, SWITCH_ENTRIES_MAX = 64 };

struct switch_field {
	const char *name; /* in placeholders: ${min:kbytes}; "value" if there is one */
	enum switch_unit unit;
	const char *const *words; /* UNIT_WORD, by number, ends with NULL */
	uint64_t max;
	bool optional; /* may be without a value: SWITCH_ABSENT */
};

#define SWITCH_ABSENT UINT64_MAX

struct switch_knob_info {
	const char *name; /* "pfc.priorities" */
	enum switch_shape shape;
	unsigned int scopes; /* bits of enum switch_scope that a dialect may choose */
	const char *key; /* what the key is: "dscp", "priority"; NULL for SHAPE_SINGLE */
	uint32_t key_max;
	size_t n_fields;
	struct switch_field field[SWITCH_FIELDS_MAX];
	bool whole; /* entries that are not wanted are drift */
	bool required; /* a switch without it does not do what was asked: not a note */
	const char *why; /* one sentence: what it is for */
	const char *spec; /* the keys of the fabric file that it comes from */
};

extern const struct switch_knob_info switch_knob_table[SWITCH_KNOB_MAX];

/* Index of the knob with this name, SWITCH_KNOB_MAX if there is none. */
enum switch_knob switch_knob_find(const char *name);

struct switch_entry {
	uint32_t key;
	uint64_t field[SWITCH_FIELDS_MAX];
};

enum switch_status {
	SWITCH_UNMANAGED, /* not wanted */
	SWITCH_KNOWN,
	SWITCH_UNREADABLE, /* it should be there and was not in what the switch said */
};

struct switch_value {
	enum switch_status status;
	struct position where; /* what the file says, if it is wanted */
	const char *reason; /* why it follows from what the file says; static, NULL: said */
	/* Read: it is configured, and the switch says itself that it is not in force. */
	bool not_operational;
	size_t n;
	struct switch_entry entry[SWITCH_ENTRIES_MAX];
};

/* Put @entry in its place. Returns 0; -EEXIST if its key is there; -ENOSPC. */
int switch_value_add(struct switch_value *value, const struct switch_entry *entry);

/* NULL if there is none with this key. */
const struct switch_entry *switch_value_find(const struct switch_value *value, uint32_t key);

/* Known to be absent, or a single switch that is off: what stands in a fresh switch. */
bool switch_value_is_off(enum switch_knob knob, const struct switch_value *value);

/* How nothing at all is called: "none", or "unset" where "none" is a value of its own. */
const char *switch_value_nothing(const struct switch_knob_info *info);

/* The value for people: "26:3 48-55:6", "3", "on", "3: 150KiB to 1500KiB, 100%", "none". */
void switch_value_format(enum switch_knob knob, const struct switch_value *value, char *ret,
			 size_t size);

/* What switch_value_format() made of a known value. Returns 0; -EINVAL. */
int switch_value_parse(enum switch_knob knob, const char *text, struct switch_value *ret);

/*
 * What @have (both as switch_value_format() made them) is shown as beside @want: of a map only what
 * is otherwise than wanted, if anything of that is there.
 */
void switch_have_format(enum switch_knob knob, const char *want, const char *have, char *ret,
			size_t size);

enum { SWITCH_PORT_MAX = 65, SWITCH_NAME_MAX_BYTES = 256 };

/* Ethernet header with one VLAN tag, and FCS: what switches count and an MTU of Linux does not. */
enum { SWITCH_FRAME_OVERHEAD = 14 + 4 + 4 };

/* A port that the file names, or the switch as a whole. */
struct switch_target {
	char port[SWITCH_PORT_MAX]; /* "": the switch */
	char peer[SWITCH_NAME_MAX_BYTES]; /* NODE/DEVICE at the other end; "": an uplink, or the
					     switch */
	struct switch_value want[SWITCH_KNOB_MAX];
	struct switch_value have[SWITCH_KNOB_MAX];
};
