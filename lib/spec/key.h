/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The keys of the fabric file, one row each: where it may stand, what its value is, which values
 * are allowed, and which knob it becomes. Reading, suggestions for unknown keys and range checks
 * all read these rows.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "lib/model/knob.h"
#include "lib/spec/name.h"
#include "lib/spec/number.h"

/* The maps that have keys of their own. */
enum section {
	SECTION_TOP,
	SECTION_ROCE,
	SECTION_CNP,
	SECTION_QOS,
	SECTION_WATCHDOG,
	SECTION_ECN,
	SECTION_NIC, /* an item of nics */
	SECTION_EXCEPT,
	SECTION_NODE,
	SECTION_SWITCH,
	SECTION_ANSWER,
	SECTION_POLICY,
	SECTION_MAX,
};

/* Keys whose value is kept; the rest have KEY_NONE. */
enum key {
	KEY_NONE,
	KEY_ROCE, /* settings of a port or switch: from here ... */
	KEY_MODE,
	KEY_TRAFFIC_CLASS,
	KEY_DSCP,
	KEY_ECN_BITS,
	KEY_CNP,
	KEY_CNP_DSCP,
	KEY_CNP_PRIORITY,
	KEY_APPLY_TO,
	KEY_QOS,
	KEY_TRUST,
	KEY_DSCP_TO_PRIORITY,
	KEY_EXCLUSIVE,
	KEY_PFC,
	KEY_CABLE_LENGTH,
	KEY_WATCHDOG,
	KEY_DETECT,
	KEY_RESTORE,
	KEY_ACTION,
	KEY_SCHEDULER,
	KEY_MAX_RATE,
	KEY_BUFFERS,
	KEY_ECN,
	KEY_MTU,
	KEY_SETTINGS_END, /* ... to here */

	KEY_CURVE_FIRST = KEY_SETTINGS_END, /* one map of `ecn` */
	KEY_PRIORITIES = KEY_CURVE_FIRST,
	KEY_MIN,
	KEY_MAX_THRESHOLD,
	KEY_PROBABILITY,
	KEY_CURVE_END,

	KEY_POLICY_FIRST = KEY_CURVE_END,
	KEY_DRIFT = KEY_POLICY_FIRST,
	KEY_DISRUPTIVE,
	KEY_AUDIT_INTERVAL,
	KEY_SWITCH_AUDIT_INTERVAL,
	KEY_GRACE,
	KEY_POLICY_END,
};

enum key_kind {
	KIND_INTEGER,
	KIND_QUANTITY,
	KIND_WORD,
	KIND_WORDS, /* list of words, as bits */
	KIND_BOOLEAN,
	KIND_PRIORITIES, /* list of priorities, as bits; may be empty */
	KIND_SOME_PRIORITIES, /* the same, not empty */
	KIND_NAME,
	KIND_NAMES, /* list of names */
	KIND_PATTERNS, /* a name or list of names */
	KIND_SECTION, /* a map with keys of its own */
	KIND_DSCP_MAP,
	KIND_SCHEDULER,
	KIND_RATES,
	KIND_CURVES, /* one section or a list of them */
	KIND_LIST, /* read by whoever owns it */
	KIND_MAP,
};

struct key_info {
	enum section section;
	const char *name;
	enum key_kind kind;
	enum key key;
	enum section inner; /* KIND_SECTION, KIND_CURVES */
	uint64_t min; /* KIND_INTEGER, KIND_QUANTITY, in the smallest unit */
	uint64_t max;
	const struct unit *units;
	const char *const *words;
	enum name names; /* KIND_NAME, KIND_NAMES, KIND_PATTERNS */
	const struct knob_info
		*knob; /* that it becomes as it is: range and words are in its row; else NULL */
};

extern const struct key_info key_table[];
extern const size_t key_table_size;

/* NULL if this section has no such key. */
const struct key_info *key_find(enum section section, const char *name);

/* The row of a kept key. */
const struct key_info *key_info(enum key key);

/* The range and the words of a key: those of its knob, if it becomes one as it is. */
uint64_t key_min(const struct key_info *info);
uint64_t key_max(const struct key_info *info);
const char *const *key_words(const struct key_info *info);

/* How messages call a place: "qos", "an item of nics". */
const char *section_name(enum section section);

/* What to write instead of a key that is not known here, for the end of a message; "" if nothing
 * comes to mind. */
struct suggestion {
	char text[256];
};
struct suggestion key_suggest(enum section section, const char *name);
