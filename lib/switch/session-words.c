// SPDX-License-Identifier: LGPL-2.1-or-later
/* What people read of a session: sentences with the switch's own words, and never a secret. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/macro.h"
#include "lib/base/utf8.h"
#include "lib/switch/session-private.h"

enum { SECRET_MIN = 4 }; /* what is shorter stands everywhere by chance */

enum session_end session_say(struct session *session, enum session_end end, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	if (session->words_size > 0)
		(void)vsnprintf(session->words, session->words_size, format, args);
	va_end(args);
	return end;
}

void session_redact(const struct session *session, char *text, size_t size)
{
	size_t n = session->secret ? strlen(session->secret) : 0;
	char *at = text;

	if (n < SECRET_MIN)
		return;
	while ((at = memmem(at, size - (size_t)(at - text), session->secret, n))) {
		memset(at, '*', n);
		at += n;
	}
}

const char *session_quote(const struct session *session, const char *text, size_t size,
			  char ret[SESSION_QUOTE_MAX])
{
	char copy[SESSION_QUOTE_MAX];
	size_t n = 0;

	while (size > 0 && (*text == ' ' || *text == '\t')) {
		text++;
		size--;
	}
	while (size > 0 && (text[size - 1] == ' ' || text[size - 1] == '\t'))
		size--;
	/* a secret that is cut is still one: it goes before the text is made shorter */
	size = MIN(size, sizeof(copy));
	memcpy(copy, text, size);
	session_redact(session, copy, size);
	size = MIN(size, sizeof(copy) / 2);
	for (size_t i = 0; i < size && n + UTF8_ESCAPED_MAX < SESSION_QUOTE_MAX;) {
		i += utf8_escape(copy + i, size - i, ret + n);
		n += strlen(ret + n);
	}
	ret[n] = '\0';
	explicit_bzero(copy, sizeof(copy));
	return ret;
}

const char *session_quote_line(const struct session *session, char ret[SESSION_QUOTE_MAX])
{
	const struct screen_buffer *line = &session->screen.line;

	return session_quote(session, line->n > 0 ? line->text : "", line->n, ret);
}

void session_warn(struct session *session, const char *format, ...)
{
	va_list args;

	for (size_t i = 0; i < SESSION_WARNINGS_MAX; i++) {
		if (session->warnings[i])
			continue;
		va_start(args, format);
		if (vasprintf(&session->warnings[i], format, args) < 0)
			session->warnings[i] = NULL;
		va_end(args);
		return;
	}
}

/* ---- errors ---- */

static bool any_matches(const struct patterns *patterns, const char *text, size_t size)
{
	for (size_t i = 0; i < patterns->n; i++)
		if (patterns->list[i] && pattern_match(patterns->list[i], text, size, 0) > 0)
			return true;
	return false;
}

/* The column of the ^ in a line that has nothing else, or -1. */
static long caret_column(const char *text, size_t size)
{
	long column = -1;

	for (size_t i = 0; i < size; i++) {
		if (text[i] == '^' && column < 0)
			column = (long)i;
		else if (text[i] != ' ')
			return -1;
	}
	return column;
}

/* The word of @line that a caret in @column of the screen points at; NULL: it points elsewhere. */
static const char *caret_word(const struct session *session, const char *line, long column,
			      size_t *ret_size)
{
	size_t at = (size_t)column - session->prompt_width;

	if (column < (long)session->prompt_width || at >= strlen(line))
		return NULL;
	*ret_size = strcspn(line + at, " ");
	return *ret_size > 0 ? line + at : NULL;
}

static enum session_end refuse(struct session *session, const char *line, const char *text,
			       size_t size, long caret)
{
	char said[SESSION_QUOTE_MAX], word[SESSION_QUOTE_MAX];
	const char *at = NULL;
	size_t n;

	(void)session_quote(session, text, size, said);
	if (caret >= 0)
		at = caret_word(session, line, caret, &n);
	if (!at)
		return session_say(session, SESSION_REFUSED, "%s", said);
	return session_say(session, SESSION_REFUSED, "%s (at \"%s\")", said,
			   session_quote(session, at, n, word));
}

/* Limits are for each match: what is too long at once is looked at line by line. */
static bool may_have_error(const struct session *session, const char *text, size_t size)
{
	for (size_t i = 0; i < session->error.n; i++)
		if (session->error.list[i] && pattern_match(session->error.list[i], text, size, 0))
			return true;
	return false;
}

enum session_end session_check(struct session *session, const char *line, const char *text,
			       size_t size)
{
	bool pending = false;
	long caret = -1;

	if (size == 0 || !may_have_error(session, text, size))
		return SESSION_OK;
	while (size > 0) {
		const char *end = memchr(text, '\n', size);
		size_t n = end ? (size_t)(end - text) : size;
		long column = caret_column(text, n);
		bool error = any_matches(&session->error, text, n) &&
			     !any_matches(&session->not_error, text, n);

		/* what a caret means is said behind it */
		if (column < 0 && n > 0 && (error || pending))
			return refuse(session, line, text, n, caret);
		pending |= error;
		if (n > 0)
			caret = column;
		n += end ? 1 : 0;
		text += n;
		size -= n;
	}
	return pending ? refuse(session, line, "^", 1, caret) : SESSION_OK;
}
