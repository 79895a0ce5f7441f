/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the files of the session share. */
#pragma once

#include "lib/base/cleanup.h"
#include "lib/switch/pattern.h"
#include "lib/switch/screen.h"
#include "lib/switch/session.h"

enum {
	SESSION_HOST_MAX = 129,
	SESSION_MODE_MAX = 129,
	SESSION_MARK_MAX = 17,
	SESSION_QUOTE_MAX = 512,	/* of what a switch said, in a sentence */
	SESSION_LINE_MAX = 1000,	/* that is sent: some switches take no more */
	SESSION_WARNINGS_MAX = 8,
};

struct patterns {
	struct pattern **list;
	size_t n;
};

/* One question that may be answered, with what is known of it. */
struct question {
	const struct session_ask *ask;
	struct pattern *pattern;
	unsigned int answered;		/* since the line was sent, or at login */
};

struct session {
	const struct session_rules *rules;
	struct channel *channel;
	struct session_limits limits;
	const char *secret;		/* the password of enable, NULL */

	struct pattern *prompt;		/* with the host, once it is known */
	struct pattern *prompt_top;	/* at login: one without a mode */
	struct pattern *prompt_end;	/* at login: what ends like one */
	struct pattern *enabled;	/* NULL: no rule */
	struct pattern *enable_password;
	struct pattern *question;	/* of the dialect, NULL */
	struct pattern *any_question;
	struct patterns pager;		/* the dialect's, at the beginning of the line */
	struct patterns any_pager;	/* of all of it */
	struct patterns error;
	struct patterns not_error;
	struct question *questions;	/* of the user, then of the dialect */
	size_t n_questions;

	struct screen screen;
	char host[SESSION_HOST_MAX];	/* "": not known yet */
	char mode[SESSION_MODE_MAX];
	char mark[SESSION_MARK_MAX];
	char prompt_text[SESSION_QUOTE_MAX]; /* the last one, cut */
	size_t prompt_width;		/* columns before what is typed */
	char closing;			/* the last character of the prompt */
	bool at_prompt;			/* a line may be sent */
	bool lost;
	char *warnings[SESSION_WARNINGS_MAX];

	char *words;			/* of the call that is under way */
	size_t words_size;
	char no_words[1];
};

/* ---- session-words.c ---- */

/* Put a sentence into the words of this call; returns @end. */
enum session_end session_say(struct session *session, enum session_end end, const char *format,
			     ...) _printf_(3, 4);

/* A piece of what the switch said, harmless and without the secret. */
const char *session_quote(const struct session *session, const char *text, size_t size,
			  char ret[SESSION_QUOTE_MAX]);

/* The last line, so. */
const char *session_quote_line(const struct session *session, char ret[SESSION_QUOTE_MAX]);

/* Overwrite the secret wherever it stands. */
void session_redact(const struct session *session, char *text, size_t size);

void session_warn(struct session *session, const char *format, ...) _printf_(2, 3);

/* SESSION_REFUSED with the switch's words if an error stands in @text. */
enum session_end session_check(struct session *session, const char *line, const char *text,
			       size_t size);

/* ---- session-wait.c ---- */

/* What is waited for. */
struct waiting {
	enum ask_where where;
	bool login;		/* no host is known, and nothing is sent unless it is allowed */
	bool enabling;		/* the password may be asked for */
	bool refusing;		/* nothing is allowed any more */
	int64_t until_ms;
	size_t bytes;
	size_t paged;		/* bytes that were there at the last pager */
	bool nudged;
};

/*
 * Read until the prompt stands: SESSION_OK, and everything about it is in @session, the answer in
 * its screen. SESSION_PASSWORD: the password is asked for. SESSION_QUESTION: a question that nobody
 * allowed stands there; nothing was sent.
 */
enum session_end session_wait(struct session *session, struct waiting *waiting);

int64_t session_until(const struct session *session);

/* Send @line and its end. */
enum session_end session_send(struct session *session, const char *line);

/* ---- session-patterns.c ---- */

/* Compile what the rules say. Returns 0 or a negative errno, with @ret_why of PATTERN_WHY_MAX. */
int session_patterns_compile(struct session *session, const struct session_ask *answers,
			     size_t n_answers, char *ret_why);
void session_patterns_done(struct session *session);

/* ---- session-login.c ---- */

enum session_end session_login(struct session *session);
