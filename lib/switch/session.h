/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * One conversation with a switch: learned and anchored prompts, echoes, pagers, questions, errors,
 * modes. Knows nothing of SSH: it speaks over a channel of bytes. One line at a time; each line is
 * an answer, an error in the switch's own words, or the end of the session.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "lib/switch/rules.h"

/* Bytes to and from a switch. */
struct channel;
struct channel_ops {
	/*
	 * Up to @size bytes; waits at most @timeout_ms. Returns their number; 0 at the end of the
	 * stream; -ETIMEDOUT; -ECANCELED once if the job is to end, and works as before from then
	 * on; another negative errno if the connection is gone.
	 */
	long (*read)(struct channel *channel, char *data, size_t size, int timeout_ms);
	/* All of it. Returns 0 or a negative errno. */
	int (*write)(struct channel *channel, const char *data, size_t size);
	/*
	 * One line on a channel of its own: its output, errors behind it, in @ret (free it), its
	 * exit status in @ret_status, -1 if there was none. Returns 0; -ETIMEDOUT; -E2BIG above
	 * @limit; -ECANCELED; another negative errno. NULL: this channel has only a shell.
	 */
	int (*exec)(struct channel *channel, const char *line, size_t limit, int timeout_ms,
		    char **ret, size_t *ret_size, int *ret_status);
	int64_t (*now_ms)(struct channel *channel);
};

struct channel {
	const struct channel_ops *ops;
};

enum session_end {
	SESSION_OK,
	SESSION_REFUSED,	/* the switch printed an error; .words has it */
	SESSION_MODE,		/* the line was taken, but the prompt is not where it should be */
	SESSION_QUESTION,	/* a question that nobody allowed; it was refused */
	SESSION_TRUNCATED,	/* the answer did not end with a prompt */
	SESSION_TIMEOUT,
	SESSION_TOO_LONG,	/* more than a switch may say */
	SESSION_LOST,		/* the connection is gone */
	SESSION_PASSWORD,	/* enable was refused */
	SESSION_BAD,		/* the line cannot be sent: control bytes, too long; or no memory */
	SESSION_CANCELLED,	/* the job is to end: what is staged may still be dropped */
	SESSION_END_MAX,
};

struct session_limits {
	unsigned int command_ms;	/* for one line */
	/*
	 * A prompt stands for so long before it is believed; the first one, and a question that no
	 * rule knows, four times as long.
	 */
	unsigned int quiet_ms;
	size_t answer_max;		/* bytes */
};

struct session;

/*
 * Begin: wait for the first prompt, answer what may be answered (each question once), learn the
 * host, become enabled, send the lines of after_login. Whatever else is asked gets no answer.
 * @enable_password may be NULL. Everything borrowed outlives the session. @ret_words gets a
 * sentence for people: what happened, what the switch said; never a secret.
 */
enum session_end session_open(const struct session_rules *rules, struct channel *channel,
			      const struct session_limits *limits,
			      const struct session_ask *answers, size_t n_answers,
			      const char *enable_password, struct session **ret, char *ret_words,
			      size_t size);

/* Takes NULL, returns NULL. Does not speak. */
struct session *session_free(struct session *session);

/* The name the switch calls itself. */
const char *session_host(const struct session *session);

/*
 * Something the user should know that is no failure ("the switch asks to change the password"), one
 * line each; NULL behind the last.
 */
const char *session_warning(const struct session *session, size_t i);

/*
 * Where it is: the mode group of the prompt, "" at the top; the mark group, "" without one. Two
 * places with the same mode differ if their prompts end differently: <sw> and [sw].
 */
const char *session_mode(const struct session *session);
const char *session_mark(const struct session *session);

/*
 * Send one line and take its answer, without echo, pager and prompt, in @ret (terminated, NULL if
 * nobody asks; free it). @where: which questions may be answered. @mode: a pattern that the
 * prompt's mode has to match afterwards; "": it has to be another than before; NULL: it has to be
 * the same;
 * SESSION_ANY_MODE: whatever.
 */
#define SESSION_ANY_MODE "*"
enum session_end session_line(struct session *session, const char *line, enum ask_where where,
			      const char *mode, char **ret, size_t *ret_size, char *ret_words,
			      size_t size);

/* A line that only reads: on a channel of its own where the dialect says so. */
enum session_end session_read(struct session *session, const char *line, char **ret,
			      size_t *ret_size, char *ret_words, size_t size);
