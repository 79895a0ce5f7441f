/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The value of a knob, wanted or found: the same type for both, so that a diff is a loop. Knows how
 * values of each kind look as text, how they are read back from that text, and when two are equal.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/diag.h"

enum {
	PRIORITIES = 8,		/* 802.1p priorities and traffic classes 0..7 */
	DSCPS = 64,
	VALUE_NOTE_MAX = 128,
	/* the longest text of a value: a map of 64 DSCPs with 8 priorities each would not fit */
	VALUE_TEXT_MAX = 1024,
};

enum value_kind {
	VALUE_NUMBER,		/* data.number, with the unit of the knob */
	VALUE_OPTIONAL,		/* data.optional: a number, or not set at all */
	VALUE_WORD,		/* data.number indexes the words of the knob */
	VALUE_PRIORITIES,	/* data.number, bit n is priority n */
	VALUE_PAUSE,		/* data.number, bits PAUSE_* */
	VALUE_DSCP_MAP,		/* data.map */
	VALUE_ETS,		/* data.ets */
	VALUE_RATES,		/* data.rates */
	VALUE_SWITCHES,		/* data.switches */
	/*
	 * data.switches of a port that has one switch, shown once for each priority: more than is
	 * wanted may be on
	 */
	VALUE_PORT_SWITCHES,
	VALUE_KIND_MAX,
};

enum value_status {
	VALUE_UNMANAGED,	/* wanted: the spec does not imply it; found: not looked at */
	VALUE_KNOWN,
	/* found: the driver has no such thing; wanted: this version has not */
	VALUE_UNSUPPORTED,
	VALUE_NOT_APPLICABLE,	/* the rule does not concern this device */
	VALUE_UNREADABLE,	/* found: .error says why */
	VALUE_NEEDS_ROOT,	/* found: a plain user cannot read it */
	VALUE_STATUS_MAX,
};

enum {
	PAUSE_RX = 1,
	PAUSE_TX = 2,
	PAUSE_AUTONEG = 4,
};

enum ets_algorithm {
	ETS_STRICT,
	ETS_SHARE,		/* 802.1Qaz ETS, with a share of the bandwidth */
	ETS_VENDOR,
	ETS_SHAPER,
	ETS_ALGORITHM_MAX,
};

/*
 * DSCP to priority: bit p of priorities[d] stands for an entry d -> p; the kernel's table may hold
 * several for one DSCP.
 */
struct dscp_map {
	uint64_t named;		/* bit d: DSCP d is spoken of; found maps name all 64 */
	uint8_t priorities[DSCPS];
};

struct ets_map {
	uint8_t named;			/* bit p: priority p is spoken of; found maps name all 8 */
	uint8_t class_of[PRIORITIES];	/* traffic class of each priority */
	uint8_t algorithm[PRIORITIES];	/* enum ets_algorithm of each traffic class */
	uint8_t share[PRIORITIES];	/* percent of each traffic class, 0 unless ETS_SHARE */
};

/*
 * The most that is sent of each traffic class. Wanted rates may be of priorities instead, in
 * whatever class the port has them: where the classes are not ours to set.
 */
struct rates {
	uint8_t named;			/* bit i: place i is spoken of; found rates name all 8 */
	bool of_priorities;		/* places are priorities, else traffic classes */
	uint8_t class_of[PRIORITIES];	/* found: traffic class of each priority */
	uint64_t kbit[PRIORITIES];	/* a second; 0: no limit */
};

/* On or off for each priority. */
struct switches {
	uint8_t named;			/* bit p: priority p is spoken of; found ones name all 8 */
	uint8_t on;
};

struct value {
	enum value_status status;
	int error;		/* VALUE_UNREADABLE: a positive errno */
	/* wanted: a driver that cannot do it refuses the target, see knob_info.required */
	bool required;
	/* wanted: only where the driver has none yet, whatever else it has is right */
	bool if_unset;
	bool unset;	/* found: zeros, because the driver was never told */
	/* found, VALUE_UNSUPPORTED: no write to the target has an effect while this is so */
	bool blocks;
	/* wanted: told if it differs, never written, because what has it is not selected */
	bool not_ours;
	struct position where;	/* wanted: the place in the spec that asks for it */
	/* wanted: "because pfc is [3]"; found: what else is to be said */
	char note[VALUE_NOTE_MAX];
	union {
		uint32_t number;
		struct {
			bool set;
			uint32_t number;
		} optional;
		struct dscp_map map;
		struct ets_map ets;
		struct rates rates;
		struct switches switches;
	} data;
};

struct knob_info;

/* True if @have is what @want asks for; both known. In maps only what @want names counts. */
bool value_equal(const struct knob_info *knob, const struct value *want, const struct value *have);

/*
 * Which parts of @have are not what @want asks for: a bit for each DSCP of a map and each priority
 * of switches; all ones for values that have no parts; 0 if they are equal.
 */
uint64_t value_difference(const struct knob_info *knob, const struct value *want,
			  const struct value *have);

/* True if values of this kind have parts that are written one by one. */
bool value_has_parts(enum value_kind kind);

/*
 * The value as a person reads it ("none", "3", "26:3 48:6", "rx tx", "v2", "unset"), terminated and
 * cut at @size.
 */
void value_format(const struct knob_info *knob, const struct value *value, char *text, size_t size);

/*
 * Like value_format(), but of maps and switches only what @other names; for showing what is there
 * beside what is wanted.
 */
void value_format_beside(const struct knob_info *knob, const struct value *value,
			 const struct value *other, char *text, size_t size);

/* Exactly what value_format() wrote, back into data; status becomes known. Returns 0 or -EINVAL. */
int value_parse(const struct knob_info *knob, const char *text, struct value *ret);

/* Write the note, cut to its size. */
void value_note(struct value *value, const char *format, ...) _printf_(2, 3);

/* DSCP or priority maps as bits. */
static inline uint64_t dscp_bit(unsigned int dscp)
{
	return UINT64_C(1) << dscp;
}
