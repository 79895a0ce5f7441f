/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the files of the import share. */
#pragma once

#include <stdio.h>

#include "lib/node/import.h"
#include "lib/spec/spec.h"

/* Keys of the fabric file in the order in which they are written. */
enum import_key {
	IMPORT_MODE,
	IMPORT_TRAFFIC_CLASS,
	IMPORT_APPLY_TO,
	IMPORT_CNP,
	IMPORT_TRUST,
	IMPORT_MAP,
	IMPORT_PFC,
	IMPORT_CABLE_LENGTH,
	IMPORT_WATCHDOG,
	IMPORT_SCHEDULER,
	IMPORT_MAX_RATE,
	IMPORT_BUFFERS,
	IMPORT_ECN,
	IMPORT_MTU,
	IMPORT_KEY_MAX,
};

enum { IMPORT_TEXT_MAX = 640 }; /* a map of 64 DSCPs has 448 */

enum import_status {
	IMPORT_NONE,	/* the port must not get one */
	IMPORT_GIVEN,	/* it has .text */
	IMPORT_ANY,	/* it may get one: it does not count for this port */
};

struct import_port {
	const struct nic *nic;
	const struct state *port;	/* found; NULL: nothing is known */
	const struct state *rdma;
	char selector[3 * NAME_MAX_BYTES];	/* of a nics item, without braces; "": has none */
	bool plain;			/* that is `name:` alone */
	enum import_status status[IMPORT_KEY_MAX];
	char text[IMPORT_KEY_MAX][IMPORT_TEXT_MAX];
};

struct import_row {
	const char *section;		/* NULL: the top level */
	const char *key;
	enum knob knob;			/* whose value it is made of */
	bool merges;			/* by key, so that nothing of it can be taken back below */
	/*
	 * Make the text of a known value. Returns NULL, or why there is none; "" if that goes
	 * without saying.
	 */
	const char *(*take)(const struct import_port *port, const struct value *value, char *text,
			    size_t size);
};

extern const struct import_row import_rows[IMPORT_KEY_MAX];

/* Keys of a switch of the file. */
enum import_switch_key {
	IMPORT_SWITCH_MAP,
	IMPORT_SWITCH_PFC,
	IMPORT_SWITCH_WATCHDOG,
	IMPORT_SWITCH_ECN,
	IMPORT_SWITCH_MTU,
	IMPORT_SWITCH_KEY_MAX,
};

struct import_cable {
	char port[SWITCH_PORT_MAX];
	char end[SWITCH_NAME_MAX_BYTES];
	char node[SWITCH_NAME_MAX_BYTES];	/* "": it ends on a switch */
	bool out;				/* left out */
};

struct import_switch {
	char *name;
	char *access;			/* YAML */
	char *ports;			/* as they were written */
	struct import_cable *cables;
	size_t n_cables;
	size_t room;
	bool given[IMPORT_SWITCH_KEY_MAX];
	char text[IMPORT_SWITCH_KEY_MAX][IMPORT_TEXT_MAX];
};

struct import {
	const struct inventory *inventory;
	const struct states *found;
	const struct lldp_neighbors *neighbors;
	char *node;
	char *fabric;			/* NULL: none was given */
	struct import_port *ports;	/* Ethernet, that can be selected */
	size_t n_ports;
	bool all;			/* and there is no other Ethernet port */
	const char *top[IMPORT_KEY_MAX];	/* what is said for all of them at once; NULL */
	struct import_switch *switches;
	size_t n_switches;
	size_t switches_room;
	struct import_notes notes;
};

/* ---- import-take.c ---- */

/* Fill texts and statuses of @port. Returns 0 or -ENOMEM. */
int import_take(struct import *import, struct import_port *port);

/* A note that @key of @port, which is @value, is left out; none if @why is "". */
int import_say(struct import *import, const struct import_port *port, enum import_key key,
	       const struct value *value, const char *why);

const struct value *import_value(const struct import_port *port, enum knob knob);

/* A name in quotes, where YAML or its readers might take it for something else. */
void import_quote(const char *name, char *text, size_t size);

/* ---- import.c ---- */

int import_note(struct import *import, const char *who, const char *what, const char *why);

/* A message about a file without the lines it names: the file was none that anybody sees. */
char *import_why(char *message);

/* With what else it takes along, and a note for what was given. Returns 0 or -ENOMEM. */
int import_drop(struct import *import, struct import_port *port, enum import_key key,
		const char *why);

/* The status that counts: trust goes without saying where there is a map. */
enum import_status import_status(const struct import_port *port, enum import_key key);

/* The text that holds for the port, from wherever it comes; NULL. */
const char *import_effective(const struct import *import, const struct import_port *port,
			     enum import_key key);

/* With a note for each port that had it. Returns how many did, or -ENOMEM. */
int import_drop_all(struct import *import, enum import_key key, const char *why);

/* ---- import-switch.c ---- */

/*
 * Leave out what makes @spec contradict itself for a switch. Returns how much, or -ENOMEM.
 */
int import_switch_rules(struct import *import, const struct spec *spec);

/* A node besides this one that a cable ends on, each once; NULL at the end. */
const char *import_other_node(const struct import *import, size_t index);

struct import_switch_row {
	const char *section;		/* NULL: of the switch itself */
	const char *key;
};

extern const struct import_switch_row import_switch_rows[IMPORT_SWITCH_KEY_MAX];

enum { IMPORT_SHOWN_MAX = 96 };	/* of a value in a note */

/* A note that @what of @sw, which is @value, is left out. Returns 0 or -ENOMEM. */
int import_switch_note(struct import *import, const struct import_switch *sw, const char *what,
		       const char *value, const char *why);

/* Leave out its cables to switches that are not in the import. Returns 0 or -ENOMEM. */
int import_switch_cut(struct import *import, struct import_switch *sw);

/* NULL if there is none. */
struct import_switch *import_switch_find(const struct import *import, const char *name);

void import_switch_write(const struct import *import, const struct import_switch *sw, FILE *out);
void import_switches_done(struct import *import);

/* ---- import-rule.c: the cross-checks of a file ---- */

/* Leave out what contradicts something else in @port. Returns how much, or -ENOMEM. */
int import_rules(struct import *import, struct import_port *port);

/* The priorities that a map leads to, of its text. */
uint8_t import_reached(const char *text);

/* ---- import-write.c ---- */

/* Decide what stands at the top. */
void import_place(struct import *import);

/* 0, or -ENOMEM: then a part of it is missing. */
int import_write(const struct import *import, FILE *out);

/* A value behind its key, on more lines where one is too short. */
void import_put(FILE *out, int indent, const char *key, const char *text);
