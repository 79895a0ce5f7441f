/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What a terminal of endless width would show of the bytes that a switch sends: finished lines and
 * the one that the cursor is in. Escape sequences, backspaces and carriage returns are carried out
 * or dropped; what remains has no control bytes but tabs. Zero it before use. Memory that is let go
 * is wiped: a switch may echo what nobody should see.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum { SCREEN_LINE_MAX = 64 * 1024 };

enum screen_state {
	SCREEN_TEXT,
	SCREEN_ESCAPE,		/* behind ESC */
	SCREEN_CSI,		/* behind ESC [ */
	SCREEN_STRING,		/* behind ESC ], ESC P ...: up to BEL or ESC \ */
	SCREEN_STRING_ESCAPE,
	SCREEN_ONE_MORE,	/* ESC ( and its like have one byte behind them */
};

struct screen_buffer {
	char *text;
	size_t n;
	size_t room;
};

struct screen {
	struct screen_buffer text;	/* finished lines, each with its \n */
	struct screen_buffer line;	/* the last one */
	struct screen_buffer echo;	/* what came since a line was sent, without blanks */
	size_t cursor;
	size_t limit;			/* bytes of all lines; 0: SCREEN_LINE_MAX */
	enum screen_state state;
	unsigned int number;		/* first one of a CSI sequence */
	bool numbers;			/* behind its first */
	const char *expected;		/* the line whose echo has not come; NULL: none */
	size_t expected_size;		/* without its blanks */
	const char *cut;		/* the line was cut: this may stand in it and is no data */
};

void screen_done(struct screen *screen);

/* Returns 0; -E2BIG above the limit; -ENOMEM. */
int screen_feed(struct screen *screen, const char *data, size_t size);

/*
 * Forget all; drop what comes up to and with the echo of @line, which may be wrapped in any way.
 * NULL: nothing is dropped. Borrowed.
 */
void screen_expect(struct screen *screen, const char *line);

/*
 * Forget the last line, which was a pager or a question that gets @answer: what erases it and what
 * echoes the answer is no data. Borrowed until the line ends.
 */
void screen_cut(struct screen *screen, const char *answer);

/* What was expected is so no more, what was borrowed is given back; what was fed stays. */
void screen_forget(struct screen *screen);

/* Size of the last line without the blanks behind it. */
size_t screen_line_trimmed(const struct screen *screen);
