// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * One line and its answer. It is sent where a prompt stands, its echo is awaited, the answer ends
 * with a prompt, has no error in it, and the prompt is in the place where it should be; everything
 * else is the end that it is.
 */
#include "lib/switch/session.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/macro.h"
#include "lib/switch/session-private.h"

static void begin(struct session *session, char *words, size_t size)
{
	session->words = size > 0 ? words : session->no_words;
	session->words_size = size > 0 ? size : sizeof(session->no_words);
	session->words[0] = '\0';
}

struct session *session_free(struct session *session)
{
	if (!session)
		return NULL;
	session_patterns_done(session);
	screen_done(&session->screen);
	for (size_t i = 0; i < SESSION_WARNINGS_MAX; i++)
		free(session->warnings[i]);
	free(session);
	return NULL;
}

static void session_freep(struct session **session)
{
	*session = session_free(*session);
}

const char *session_host(const struct session *session)
{
	return session->host;
}

const char *session_mode(const struct session *session)
{
	return session->mode;
}

const char *session_mark(const struct session *session)
{
	return session->mark;
}

const char *session_warning(const struct session *session, size_t i)
{
	return i < SESSION_WARNINGS_MAX ? session->warnings[i] : NULL;
}

/* ---- what may be sent ---- */

static bool has_control(const char *line)
{
	for (; *line; line++)
		if ((unsigned char)*line < 0x20 || *line == 0x7f)
			return true;
	return false;
}

static enum session_end check_line(struct session *session, const char *line)
{
	if (has_control(line))
		return session_say(session, SESSION_BAD, "a line with control bytes is not sent");
	if (strlen(line) > SESSION_LINE_MAX)
		return session_say(session, SESSION_BAD, "a line of more than %d bytes is not sent",
				   SESSION_LINE_MAX);
	return SESSION_OK;
}

enum session_end session_open(const struct session_rules *rules, struct channel *channel,
			      const struct session_limits *limits,
			      const struct session_ask *answers, size_t n_answers,
			      const char *enable_password, struct session **ret, char *ret_words,
			      size_t size)
{
	__attribute__((__cleanup__(session_freep))) struct session *session = NULL;
	struct session nobody = { .words = ret_words, .words_size = size };
	char why[PATTERN_WHY_MAX] = "no memory";
	enum session_end end = SESSION_OK;

	session = calloc(1, sizeof(*session));
	if (!session)
		return session_say(&nobody, SESSION_BAD, "no memory");
	session->rules = rules;
	session->channel = channel;
	session->limits = *limits;
	session->secret = enable_password;
	session->screen.limit = limits->answer_max;
	begin(session, ret_words, size);
	if (enable_password &&
	    (has_control(enable_password) || strlen(enable_password) > SESSION_LINE_MAX))
		return session_say(session, SESSION_BAD, "the password to enable cannot be sent");
	if (rules->channel != SESSION_SHELL && !channel->ops->exec)
		return session_say(session, SESSION_BAD, "this connection has no exec channels");
	if (session_patterns_compile(session, answers, n_answers, why) < 0)
		return session_say(session, SESSION_BAD, "a pattern of the dialect: %s", why);
	if (rules->channel != SESSION_EXEC)
		end = session_login(session);
	if (end == SESSION_OK)
		*ret = TAKE_PTR(session);
	return end;
}

/* ---- answers ---- */

static enum session_end take_answer(struct session *session, char **ret, size_t *ret_size)
{
	const struct screen_buffer *text = &session->screen.text;
	char *copy;

	if (!ret)
		return SESSION_OK;
	copy = malloc(text->n + 1);
	if (!copy)
		return session_say(session, SESSION_BAD, "no memory");
	if (text->n > 0)
		memcpy(copy, text->text, text->n);
	copy[text->n] = '\0';
	session_redact(session, copy, text->n);
	*ret = copy;
	if (ret_size)
		*ret_size = text->n;
	return SESSION_OK;
}

static enum session_end check_answer(struct session *session, const char *line)
{
	const struct screen_buffer *text = &session->screen.text;

	return session_check(session, line, text->text, text->n);
}

/* ---- a line in the shell ---- */

struct place {
	char mode[SESSION_MODE_MAX];
	char closing;
};

static struct place place_of(const struct session *session)
{
	struct place place = { .closing = session->closing };

	memcpy(place.mode, session->mode, sizeof(place.mode));
	return place;
}

static enum session_end misplaced(struct session *session)
{
	return session_say(session, SESSION_MODE,
			   "the line was taken, but the prompt is not where it should be: %s",
			   session->prompt_text);
}

static enum session_end check_place(struct session *session, const struct place *before,
				    const char *mode)
{
	_cleanup_(pattern_freep) struct pattern *pattern = NULL;
	char why[PATTERN_WHY_MAX] = "no memory";
	bool same = strcmp(before->mode, session->mode) == 0 && before->closing == session->closing;

	if (mode && strcmp(mode, SESSION_ANY_MODE) == 0)
		return SESSION_OK;
	if (!mode || !*mode)
		return same == !mode ? SESSION_OK : misplaced(session);
	if (pattern_compile(mode, PATTERN_WHOLE, NULL, 0, &pattern, why) < 0)
		return session_say(session, SESSION_BAD, "the pattern of a mode: %s", why);
	if (pattern_match(pattern, session->mode, strlen(session->mode), 0) <= 0)
		return misplaced(session);
	return SESSION_OK;
}

/*
 * Answer the question that stands there with what is safe; if it is asked again, interrupt it. That
 * the prompt comes back is awaited, but what is told is the question.
 */
static void refuse_question(struct session *session)
{
	const char *refuse = session->rules->refuse;
	enum session_end end = SESSION_QUESTION;
	size_t words_size = session->words_size;

	session->words_size = 0;
	for (int i = 0; i < 2 && end == SESSION_QUESTION; i++) {
		struct waiting waiting = { .refusing = true, .until_ms = session_until(session) };

		if (i > 0 || !refuse || !*refuse) {
			screen_cut(&session->screen, "^C");
			if (session->channel->ops->write(session->channel, "\x03", 1) < 0)
				session->lost = true;
		} else {
			screen_cut(&session->screen, refuse);
			(void)session_send(session, refuse);
		}
		if (session->lost)
			break;
		end = session_wait(session, &waiting);
	}
	session->words_size = words_size;
}

/* Nothing is sent before the prompt stands. */
static enum session_end await_prompt(struct session *session, bool login)
{
	struct waiting waiting = { .refusing = true, .login = login };

	if (session->lost)
		return session_say(session, SESSION_LOST, "the session has ended");
	if (session->at_prompt)
		return SESSION_OK;
	waiting.until_ms = session_until(session);
	return session_wait(session, &waiting);
}

static enum session_end shell_line(struct session *session, const char *line, enum ask_where where)
{
	struct waiting waiting = { .where = where, .login = where == ASK_LOGIN };
	enum session_end end;

	if (!waiting.login)
		for (size_t i = 0; i < session->n_questions; i++)
			session->questions[i].answered = 0;
	waiting.until_ms = session_until(session);
	screen_expect(&session->screen, line);
	end = session_send(session, line);
	if (end == SESSION_OK)
		end = session_wait(session, &waiting);
	screen_forget(&session->screen);
	if (end == SESSION_QUESTION && !waiting.login)
		refuse_question(session);
	return end == SESSION_OK ? check_answer(session, line) : end;
}

/* ---- a line on a channel of its own ---- */

static enum session_end exec_failed(struct session *session, int error)
{
	switch (error) {
	case -ETIMEDOUT:
		return session_say(session, SESSION_TIMEOUT, "no answer came in time");
	case -E2BIG:
		return session_say(session, SESSION_TOO_LONG, "the switch says more than %zu bytes",
				   session->limits.answer_max);
	case -ECANCELED:
		return session_say(session, SESSION_CANCELLED, "cancelled");
	case -ENOMEM:
		return session_say(session, SESSION_BAD, "no memory");
	}
	return session_say(session, SESSION_LOST, "the connection is gone: %s", strerror(-error));
}

/* The last line that has something in it. */
static const char *last_words(const struct session *session, char ret[SESSION_QUOTE_MAX])
{
	const char *text = session->screen.text.text;
	size_t end = session->screen.text.n, begins;

	while (end > 0 && strchr(" \t\n", text[end - 1]))
		end--;
	for (begins = end; begins > 0 && text[begins - 1] != '\n'; begins--)
		;
	return session_quote(session, end > 0 ? text + begins : "nothing",
			     end > 0 ? end - begins : 7, ret);
}

static enum session_end check_status(struct session *session, int status)
{
	char said[SESSION_QUOTE_MAX];

	if (!session->rules->exit_status || status == 0)
		return SESSION_OK;
	if (status < 0)
		return session_say(session, SESSION_TRUNCATED,
				   "the answer ended without an exit status");
	return session_say(session, SESSION_REFUSED, "%s (exit status %d)",
			   last_words(session, said), status);
}

static enum session_end exec_line(struct session *session, const char *line)
{
	struct channel *channel = session->channel;
	_cleanup_free_ char *output = NULL;
	enum session_end end;
	size_t size = 0;
	int status = -1, r;

	r = channel->ops->exec(channel, line, session->limits.answer_max,
			       (int)session->limits.command_ms, &output, &size, &status);
	if (r < 0)
		return exec_failed(session, r);
	screen_expect(&session->screen, NULL);
	r = size > session->limits.answer_max ? -E2BIG : 0;
	if (r == 0)
		r = screen_feed(&session->screen, output, size);
	if (r == 0 && session->screen.line.n > 0)
		r = screen_feed(&session->screen, "\n", 1);
	if (r < 0)
		return exec_failed(session, r);
	end = check_answer(session, line);
	return end == SESSION_OK ? check_status(session, status) : end;
}

/* ---- what callers see ---- */

enum session_end session_line(struct session *session, const char *line, enum ask_where where,
			      const char *mode, char **ret, size_t *ret_size, char *ret_words,
			      size_t size)
{
	struct place before;
	enum session_end end;

	begin(session, ret_words, size);
	end = check_line(session, line);
	if (end != SESSION_OK)
		return end;
	if (session->rules->channel == SESSION_EXEC) {
		end = exec_line(session, line);
		return end == SESSION_OK ? take_answer(session, ret, ret_size) : end;
	}
	end = await_prompt(session, where == ASK_LOGIN);
	if (end != SESSION_OK)
		return end;
	before = place_of(session);
	end = shell_line(session, line, where);
	if (end == SESSION_OK)
		end = check_place(session, &before, mode);
	return end == SESSION_OK ? take_answer(session, ret, ret_size) : end;
}

enum session_end session_read(struct session *session, const char *line, char **ret,
			      size_t *ret_size, char *ret_words, size_t size)
{
	enum session_end end;

	if (session->rules->channel != SESSION_EXEC_READ)
		return session_line(session, line, ASK_LINES, NULL, ret, ret_size, ret_words, size);
	begin(session, ret_words, size);
	end = check_line(session, line);
	if (end == SESSION_OK)
		end = exec_line(session, line);
	return end == SESSION_OK ? take_answer(session, ret, ret_size) : end;
}
