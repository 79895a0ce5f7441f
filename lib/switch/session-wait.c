// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Waiting for a prompt. What stands in the last line is looked at only when nothing more has come
 * for a while: then it is the prompt, a pager, a question, or nothing that is known. Only a pager
 * and a question that is allowed get an answer here.
 */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "lib/base/macro.h"
#include "lib/switch/session-private.h"

/* How long it has been quiet. */
enum quiet { QUIET_NO, QUIET_SHORT, QUIET_LONG, QUIET_VERY_LONG, QUIET_MAX };

static const unsigned int quiet_factor[] = { 0, 1, 4, 20 };
static_assert(ARRAY_SIZE(quiet_factor) == QUIET_MAX, "a factor for each");

enum {
	GO_ON = -1, /* none of enum session_end */
	ANSWERS_MAX = 4, /* to one question, since a line was sent */
	PAGER_REST_MAX = 60, /* behind what is known of one: "(END)", "(q to quit)" */
};

static int64_t now_ms(const struct session *session)
{
	return session->channel->ops->now_ms(session->channel);
}

int64_t session_until(const struct session *session)
{
	return now_ms(session) + session->limits.command_ms;
}

/* ---- sending ---- */

static enum session_end lost(struct session *session, int error)
{
	session->lost = true;
	return session_say(session, SESSION_LOST, "the connection is gone: %s", strerror(-error));
}

static enum session_end write_all(struct session *session, const char *data, size_t size)
{
	int r = session->channel->ops->write(session->channel, data, size);

	session->at_prompt = false;
	return r < 0 ? lost(session, r) : SESSION_OK;
}

enum session_end session_send(struct session *session, const char *line)
{
	char data[SESSION_LINE_MAX + 8];
	enum session_end end;
	int n;

	n = snprintf(data, sizeof(data), "%s%s", line, session->rules->newline);
	if (n < 0 || (size_t)n >= sizeof(data))
		end = session_say(session, SESSION_BAD, "a line is too long to be sent");
	else
		end = write_all(session, data, (size_t)n);
	explicit_bzero(data, sizeof(data));
	return end;
}

/* ---- what stands in the last line ---- */

/* With the blanks behind it or without. */
static bool line_matches(const struct session *session, struct pattern *pattern)
{
	const struct screen_buffer *line = &session->screen.line;
	size_t n = screen_line_trimmed(&session->screen);

	if (!pattern || n == 0)
		return false;
	return pattern_match(pattern, line->text, line->n, 0) > 0 ||
	       (n < line->n && pattern_match(pattern, line->text, n, 0) > 0);
}

static void copy_group(const struct session *session, const struct pattern *pattern,
		       const char *name, char *ret, size_t size)
{
	struct pattern_text group = pattern_group(pattern, name);
	size_t n = group.text ? MIN(group.size, size - 1) : 0;

	if (n > 0)
		memcpy(ret, group.text, n);
	ret[n] = '\0';
	session_redact(session, ret, n);
}

static bool is_name_start(char c)
{
	return (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') || c == '_';
}

static bool is_plain(const char *name)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				      "0123456789._-";

	return *name && !name[strspn(name, letters)];
}

/*
 * From now on no other name is in a prompt. <sw-lab-1> is "sw-lab-1" and not "sw" in a mode; with
 * parentheses it is the other way round.
 */
static enum session_end learn_host(struct session *session)
{
	char why[PATTERN_WHY_MAX] = "no memory";
	struct pattern *prompt = NULL;

	if (line_matches(session, session->prompt_top))
		copy_group(session, session->prompt_top, "host", session->host,
			   sizeof(session->host));
	if (!is_plain(session->host))
		copy_group(session, session->prompt, "host", session->host, sizeof(session->host));
	if (!session->host[0])
		return SESSION_OK;
	if (pattern_compile_prompt(session->rules->prompt, session->host, &prompt, why) < 0)
		return session_say(session, SESSION_BAD, "the prompt's pattern: %s", why);
	(void)pattern_free(session->prompt);
	session->prompt = prompt;
	return line_matches(session, prompt) ?
		       SESSION_OK :
		       session_say(session, SESSION_BAD, "the prompt's pattern is ambiguous");
}

static bool is_prompt(struct session *session)
{
	if (!line_matches(session, session->prompt))
		return false;
	/* a line of dashes or equal signs is no name */
	return session->host[0] || !pattern_group(session->prompt, "host").text ||
	       is_name_start(*pattern_group(session->prompt, "host").text);
}

static enum session_end take_prompt(struct session *session)
{
	const struct screen *screen = &session->screen;
	enum session_end end = SESSION_OK;

	if (!session->host[0])
		end = learn_host(session);
	if (end != SESSION_OK)
		return end;
	copy_group(session, session->prompt, "mode", session->mode, sizeof(session->mode));
	copy_group(session, session->prompt, "mark", session->mark, sizeof(session->mark));
	(void)session_quote_line(session, session->prompt_text);
	session->prompt_width = screen->cursor;
	session->closing = screen->line.text[screen_line_trimmed(screen) - 1];
	session->at_prompt = true;
	return SESSION_OK;
}

/* Nothing but blanks before what matched, and not much behind it. */
static bool begins_line(const struct session *session, const struct pattern *pattern)
{
	const struct screen_buffer *line = &session->screen.line;
	struct pattern_text all = pattern_all(pattern);
	size_t before;

	if (!all.text)
		return false;
	before = (size_t)(all.text - line->text);
	for (size_t i = 0; i < before; i++)
		if (line->text[i] != ' ' && line->text[i] != '\t')
			return false;
	return screen_line_trimmed(&session->screen) <= before + all.size + PAGER_REST_MAX;
}

static bool is_pager(const struct session *session)
{
	for (size_t i = 0; i < session->any_pager.n; i++)
		if (line_matches(session, session->any_pager.list[i]))
			return true;
	for (size_t i = 0; i < session->pager.n; i++)
		if (line_matches(session, session->pager.list[i]) &&
		    begins_line(session, session->pager.list[i]))
			return true;
	return false;
}

/* Once for each screenful: a pager that does not go on is not asked again. */
static int turn_page(struct session *session, struct waiting *waiting)
{
	size_t there = session->screen.text.n + 1;
	enum session_end end;

	if (waiting->paged == there)
		return GO_ON;
	waiting->paged = there;
	screen_cut(&session->screen, "");
	end = write_all(session, " ", 1);
	return end == SESSION_OK ? GO_ON : (int)end;
}

/* ---- questions ---- */

static bool asks(const struct session *session)
{
	return line_matches(session, session->question) ||
	       line_matches(session, session->any_question) ||
	       line_matches(session, session->enable_password);
}

/* What is in the middle of a line that stopped there is no question yet. */
static bool ends_line(const struct session *session, const struct pattern *pattern)
{
	struct pattern_text all = pattern_all(pattern);
	const struct screen *screen = &session->screen;

	return all.text && all.text + all.size >= screen->line.text + screen_line_trimmed(screen);
}

static struct question *question_find(const struct session *session, const struct waiting *waiting)
{
	unsigned int most = waiting->login ? 1 : ANSWERS_MAX;

	if (waiting->refusing)
		return NULL;
	for (size_t i = 0; i < session->n_questions; i++) {
		struct question *question = &session->questions[i];
		enum ask_where where = question->ask->where;

		if ((where == ASK_ANY || where == waiting->where) && question->answered < most &&
		    line_matches(session, question->pattern) &&
		    (ends_line(session, question->pattern) || asks(session)))
			return question;
	}
	return NULL;
}

static bool is_question(const struct session *session)
{
	for (size_t i = 0; i < session->n_questions; i++)
		if (line_matches(session, session->questions[i].pattern))
			return true;
	return asks(session);
}

static int answer(struct session *session, const struct waiting *waiting, struct question *question)
{
	char said[SESSION_QUOTE_MAX];
	enum session_end end;

	if (waiting->login)
		session_warn(session, "the switch asks \"%s\"; the answer was \"%s\"",
			     session_quote_line(session, said), question->ask->answer);
	question->answered++;
	screen_cut(&session->screen, question->ask->answer);
	end = session_send(session, question->ask->answer);
	return end == SESSION_OK ? GO_ON : (int)end;
}

static enum session_end unknown(struct session *session)
{
	char said[SESSION_QUOTE_MAX];

	return session_say(session, SESSION_QUESTION, "confirmation required: %s",
			   session_quote_line(session, said));
}

/* A message without a line end hides the first prompt: an empty line brings another one. */
static int nudge(struct session *session, struct waiting *waiting)
{
	enum session_end end;

	if (!waiting->login || waiting->nudged || session->host[0] ||
	    !line_matches(session, session->prompt_end))
		return GO_ON;
	waiting->nudged = true;
	screen_cut(&session->screen, "");
	end = session_send(session, "");
	return end == SESSION_OK ? GO_ON : (int)end;
}

/* Returns GO_ON or how the waiting ends. */
static int look(struct session *session, struct waiting *waiting, enum quiet quiet)
{
	bool settled = quiet >= QUIET_LONG;
	struct question *question;

	if (session->screen.expected || screen_line_trimmed(&session->screen) == 0)
		return GO_ON;
	if ((settled || session->host[0]) && is_prompt(session))
		return (int)take_prompt(session);
	if (is_pager(session))
		return turn_page(session, waiting);
	if (waiting->enabling && line_matches(session, session->enable_password))
		return SESSION_PASSWORD;
	question = question_find(session, waiting);
	if (question)
		return answer(session, waiting, question);
	if (settled && is_question(session))
		return (int)unknown(session);
	return quiet == QUIET_VERY_LONG ? nudge(session, waiting) : GO_ON;
}

/* ---- the end of waiting ---- */

static enum session_end timed_out(struct session *session)
{
	char said[SESSION_QUOTE_MAX];

	if (session->screen.expected)
		return session_say(session, SESSION_TIMEOUT, "the switch did not echo the line");
	if (screen_line_trimmed(&session->screen) == 0)
		return session_say(session, SESSION_TIMEOUT, "no prompt came in time");
	return session_say(session, SESSION_TIMEOUT, "no prompt came in time; the last line is: %s",
			   session_quote_line(session, said));
}

static enum session_end closed(struct session *session, const struct waiting *waiting)
{
	char said[SESSION_QUOTE_MAX];

	session->lost = true;
	(void)session_quote_line(session, said);
	if (waiting->login && !session->host[0])
		return session_say(session, SESSION_LOST,
				   "the switch closed the connection before its first prompt%s%s",
				   *said ? ": " : " (too many sessions?)", said);
	return session_say(session, SESSION_TRUNCATED,
			   "the connection was closed in the middle of an answer");
}

static enum session_end ended(struct session *session, const struct waiting *waiting, long n)
{
	if (n == 0)
		return closed(session, waiting);
	if (n == -ECANCELED)
		return session_say(session, SESSION_CANCELLED, "cancelled");
	return lost(session, (int)n);
}

static enum session_end take(struct session *session, struct waiting *waiting, const char *data,
			     size_t size)
{
	int r = -E2BIG;

	waiting->bytes += size;
	if (waiting->bytes <= session->limits.answer_max)
		r = screen_feed(&session->screen, data, size);
	if (r == 0)
		return SESSION_OK;
	session->lost = true; /* where it is cannot be told any more */
	if (r == -ENOMEM)
		return session_say(session, SESSION_BAD, "no memory");
	return session_say(session, SESSION_TOO_LONG, "the switch says more than %zu bytes",
			   session->limits.answer_max);
}

/* How long to wait for the next byte, so that the next look comes when it is due. */
static int patience(const struct session *session, const struct waiting *waiting, int64_t now,
		    int64_t last, enum quiet quiet)
{
	int64_t until = waiting->until_ms;

	if (quiet < QUIET_VERY_LONG)
		until = MIN(until,
			    last + (int64_t)session->limits.quiet_ms * quiet_factor[quiet + 1]);
	return (int)MIN(MAX(until - now, (int64_t)1), (int64_t)INT_MAX);
}

static enum quiet quiet_since(const struct session *session, int64_t last, enum quiet quiet)
{
	int64_t passed = now_ms(session) - last;

	while (quiet < QUIET_VERY_LONG &&
	       passed >= (int64_t)session->limits.quiet_ms * quiet_factor[quiet + 1])
		quiet++;
	return quiet;
}

enum session_end session_wait(struct session *session, struct waiting *waiting)
{
	int64_t last = now_ms(session), now = last;
	enum quiet quiet = QUIET_NO;
	char data[4096];
	int end = GO_ON;

	for (; end == GO_ON; now = now_ms(session)) {
		enum quiet before = quiet;
		long n;

		if (now >= waiting->until_ms)
			return timed_out(session);
		n = session->channel->ops->read(session->channel, data, sizeof(data),
						patience(session, waiting, now, last, quiet));
		if (n > 0) {
			enum session_end taken = take(session, waiting, data, (size_t)n);

			explicit_bzero(data, (size_t)n);
			if (taken != SESSION_OK)
				return taken;
			last = now_ms(session);
			quiet = QUIET_NO;
			continue;
		}
		if (n != -ETIMEDOUT)
			return ended(session, waiting, n);
		quiet = quiet_since(session, last, quiet);
		if (quiet != before)
			end = look(session, waiting, quiet);
	}
	return (enum session_end)end;
}
