/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A switch that says what is written down, hears exactly what is written down, and has a clock of
 * its own: nothing in these tests waits.
 */
#pragma once

#include "lib/switch/session.h"

enum step_kind {
	STEP_END,	/* silence from here on */
	STEP_SAYS,
	STEP_HEARS,	/* all of this, now, and nothing before */
	STEP_PAUSE,
	STEP_CLOSES,
	STEP_BREAKS,	/* the connection is reset */
	STEP_CANCELS,	/* the job is told to end */
};

struct step {
	enum step_kind kind;
	const char *text;
	int ms;
};

#define S(text) { STEP_SAYS, text "\r\n", 0 }
#define SAYS(text) { STEP_SAYS, text, 0 }
#define C(text) { STEP_HEARS, text "\n", 0 }
#define HEARS(text) { STEP_HEARS, text, 0 }
#define PAUSE(ms) { STEP_PAUSE, NULL, ms }
#define CLOSES { STEP_CLOSES, NULL, 0 }
#define BREAKS { STEP_BREAKS, NULL, 0 }
#define CANCELS { STEP_CANCELS, NULL, 0 }

enum { STEPS_MAX = 64, ACTIONS_MAX = 10, ASKS_MAX = 2 };

/* A line that the session is told to send, and what has to come of it. */
struct action {
	const char *line;
	enum ask_where where;
	const char *mode;
	enum session_end end;
	const char *answer;	/* NULL: not looked at */
	const char *words;	/* stands in what people read */
	const char *is_mode;	/* afterwards; NULL: not looked at */
	const char *is_mark;
};

struct scenario {
	const char *name;
	const struct session_rules *rules;
	const char *password;			/* of enable */
	struct session_ask allowed[ASKS_MAX];	/* by the user */
	enum session_end open;
	const char *words;			/* of opening */
	const char *host;
	const char *warning;			/* stands in the first one; NULL: there is none */
	struct step steps[STEPS_MAX];
	struct action actions[ACTIONS_MAX];
};

/*
 * Play it: whole, byte by byte, split at random; then with the connection closed behind each byte,
 * where what was not finished has to be called so. Fails the test with the scenario's name.
 */
void scenario_run(const struct scenario *scenario);

/* The same limits as there: an answer has 65536 bytes. */
extern const struct session_limits scripted_limits;

/* Dialects' rules as the tests need them. */
extern const struct session_rules rules_huawei;
extern const struct session_rules rules_cisco;
extern const struct session_rules rules_ruijie;
extern const struct session_rules rules_comware;
extern const struct session_rules rules_plain;
extern const struct session_rules rules_paged;
