/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * How a kind of switch behaves on its command line, as its dialect says: what session.c goes by.
 * Patterns are PCRE2 and were compiled once to check them; $host stands for the name learned at
 * login, $mode for the place.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum session_channel {
	SESSION_SHELL,		/* one interactive shell with a pty */
	SESSION_EXEC,		/* a channel for each line; the exit status counts */
	SESSION_EXEC_READ,	/* a channel for each line that reads, a shell for the rest */
};

/* When a question may be answered. */
enum ask_where { ASK_ANY, ASK_LOGIN, ASK_LINES, ASK_COMMIT, ASK_SAVE, ASK_WHERE_MAX };

struct session_ask {
	const char *pattern;	/* of the last line; it ends there or looks like a question */
	const char *answer;	/* without the line end */
	enum ask_where where;
};

struct session_rules {
	enum session_channel channel;
	/*
	 * Of the whole last line, anchored at both ends by us; blanks may stand at its end. Groups
	 * "mode" and "mark" are found by name. "host" is what is learned at login and fixed from
	 * then on: a plain name has no mode there, so <$host(-$mode)?> is no mistake.
	 */
	const char *prompt;
	const char *const *after_login;	/* lines, lists end with NULL; a refused one is an error */
	const char *enable;		/* "": none. Sent if the prompt does not match .enabled */
	const char *enabled;		/* pattern of the prompt of somebody who may configure */
	const char *enable_password;	/* pattern of the question after .enable */
	/* How the last line begins, besides what all know (--More--); answered with a space. */
	const char *const *pager;
	const char *const *error;	/* patterns of lines of an answer, multi-line, by line */
	const char *const *not_error;	/* lines that look like one and are none */
	const struct session_ask *ask;
	size_t n_ask;
	const char *question;		/* of a last line that is one; known: [Y/N] ... */
	const char *refuse;		/* the answer to one that is not allowed; "": Ctrl-C */
	const char *leave;		/* one mode up: "quit", "exit" */
	const char *newline;		/* "\n" or "\r" */
	unsigned int width;		/* columns of the pty */
	bool exit_status;		/* SESSION_EXEC: another status than 0 is an error */
};
