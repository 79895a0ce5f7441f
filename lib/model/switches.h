/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What is known of the switches of a fabric: whose they are, and what was found on those that are
 * this node's. Filled by who asks losslessd-switch, printed by the writers.
 */
#pragma once

#include "lib/model/inventory.h"
#include "lib/model/switch.h"
#include "lib/model/verdict.h"

enum manage { MANAGE_PUSH, MANAGE_READ, MANAGE_RENDER };

const char *manage_name(enum manage manage);

enum { FINDING_TEXT_MAX = 360 };

/* What is so of one knob of one port, or of the switch. */
struct switch_finding {
	char port[SWITCH_PORT_MAX];	/* "": the switch */
	enum switch_knob knob;		/* SWITCH_KNOB_MAX: of the port as a whole */
	enum verdict verdict;
	int64_t since_s;		/* CLOCK_REALTIME; 0: nobody watched */
	struct position where;		/* in the fabric file; line 0: nowhere */
	unsigned int n_lines;		/* that are sent, or were sent, to change it */
	char want[FINDING_TEXT_MAX];
	char have[FINDING_TEXT_MAX];
	char note[FINDING_TEXT_MAX];
};

/* Why nothing is known of a switch, without its being anybody's fault. */
enum switch_calm {
	SWITCH_ASKED,		/* it was asked, or should have been */
	SWITCH_OF_ANOTHER,	/* its owner knows */
	SWITCH_NEEDS_ROOT,	/* credentials: root or losslessd */
	SWITCH_NOT_ASKED,	/* manage: render */
};

/* Of this node to the switch, by the file. */
struct switch_cable {
	char port[SWITCH_PORT_MAX];
	char device[NAME_MAX_BYTES];
};

struct switch_state {
	char name[SWITCH_NAME_MAX_BYTES];
	char owner[SWITCH_NAME_MAX_BYTES];	/* node; "": none */
	char dialect[64];
	char address[SWITCH_NAME_MAX_BYTES];
	enum manage manage;
	bool mine;				/* this node is its owner */
	enum switch_calm calm;
	enum verdict verdict;			/* of the switch: in-sync if it was read */
	int64_t since_s;			/* of that: CLOCK_REALTIME; 0: nobody watched */
	char reason[FINDING_TEXT_MAX];
	char warning[FINDING_TEXT_MAX];		/* "": none */
	int64_t took_ms;			/* the last job with it; 0: none yet */
	int64_t read_s;				/* CLOCK_REALTIME of what is below; 0: never */
	struct switch_finding *findings;
	size_t n;
	size_t room;
	struct switch_cable *cables;		/* not forgotten with what was found */
	size_t n_cables;
	size_t cables_room;
};

struct switch_states {
	struct switch_state *list;
	size_t n;
	size_t room;
};

void switch_states_done(struct switch_states *states);

/* All of it. Returns 0; -ENOMEM with nothing. */
int switch_states_copy(const struct switch_states *states, struct switch_states *ret);

/* Append one, zeroed but for its name. NULL without memory. */
struct switch_state *switch_states_add(struct switch_states *states, const char *name);
struct switch_state *switch_states_find(const struct switch_states *states, const char *name);

/* Forget what was found. */
void switch_state_clear(struct switch_state *state);

/* Returns 0 or -ENOMEM. */
int switch_state_add(struct switch_state *state, const struct switch_finding *finding);

/* Returns 0 or -ENOMEM. */
int switch_state_add_cable(struct switch_state *state, const struct switch_cable *cable);

/* Say since when all of @state is so: as long as @before says if that had the same verdict. */
void switch_state_date(struct switch_state *state, const struct switch_state *before,
		       int64_t now_s);

/* NULL if nothing was found of it. */
const struct switch_finding *switch_state_find(const struct switch_state *state, const char *port,
					       enum switch_knob knob);

/* This node logs in to it. */
bool switch_state_is_asked(const struct switch_state *state);
bool switch_states_any_asked(const struct switch_states *states);

/* Something on it is otherwise than the file says. */
bool switch_state_differs(const struct switch_state *state);

/* ... and a push would change it. */
bool switch_finding_is_change(const struct switch_state *state,
			      const struct switch_finding *finding);

/* What a finding, and a switch as a whole, mean for the exit status (design: verdicts). */
enum exit_status switch_finding_exit(const struct switch_finding *finding);
enum exit_status switch_state_exit(const struct switch_state *state);

/* The worst word for it that counts, else in-sync. */
enum verdict switch_state_verdict(const struct switch_state *state);
