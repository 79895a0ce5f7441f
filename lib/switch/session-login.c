// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * From a connection to a prompt where lines may be sent: what the switch shows and asks before, who
 * may configure, and how it shall behave from then on. It is reacted to what stands there; nothing
 * is sent because it usually comes next.
 */
#include <string.h>

#include "lib/switch/session-private.h"

static bool is_enabled(const struct session *session)
{
	const char *prompt = session->prompt_text;

	return !session->enabled || pattern_match(session->enabled, prompt, strlen(prompt), 0) > 0;
}

/* Into the question for it, which stands in the last line, and nowhere else. */
static enum session_end send_password(struct session *session, struct waiting *waiting)
{
	enum session_end end;

	if (!session->secret)
		return session_say(session, SESSION_PASSWORD,
				   "the switch wants a password to enable, and there is none");
	screen_cut(&session->screen, session->secret);
	end = session_send(session, session->secret);
	if (end == SESSION_OK)
		end = session_wait(session, waiting);
	if (end != SESSION_PASSWORD)
		return end;
	return session_say(session, SESSION_PASSWORD, "the switch refused the password to enable");
}

static enum session_end enable(struct session *session)
{
	const char *line = session->rules->enable;
	struct waiting waiting = { .where = ASK_LOGIN, .login = true, .enabling = true };
	char said[SESSION_QUOTE_MAX];
	enum session_end end;

	if (!line || !*line || is_enabled(session))
		return SESSION_OK;
	waiting.until_ms = session_until(session);
	screen_expect(&session->screen, line);
	end = session_send(session, line);
	if (end == SESSION_OK)
		end = session_wait(session, &waiting);
	if (end == SESSION_PASSWORD)
		end = send_password(session, &waiting);
	if (end != SESSION_OK || is_enabled(session))
		return end;
	end = session_check(session, line, session->screen.text.text, session->screen.text.n);
	(void)session_quote(session, session->words, strlen(session->words), said);
	return session_say(session, SESSION_PASSWORD, "enable was refused%s%s",
			   end == SESSION_OK ? "" : ": ", end == SESSION_OK ? "" : said);
}

static enum session_end prepare(struct session *session)
{
	const char *const *lines = session->rules->after_login;
	char said[SESSION_QUOTE_MAX];

	for (; lines && *lines; lines++) {
		char *words = session->words;
		size_t size = session->words_size;
		enum session_end end = session_line(session, *lines, ASK_LOGIN, SESSION_ANY_MODE,
						    NULL, NULL, words, size);

		if (end == SESSION_OK)
			continue;
		(void)session_quote(session, session->words, strlen(session->words), said);
		return session_say(session, end, "\"%s\": %s", *lines, said);
	}
	return SESSION_OK;
}

enum session_end session_login(struct session *session)
{
	struct waiting waiting = { .where = ASK_LOGIN, .login = true };
	enum session_end end;

	waiting.until_ms = session_until(session);
	end = session_wait(session, &waiting);
	if (end == SESSION_OK)
		end = enable(session);
	if (end == SESSION_OK)
		end = prepare(session);
	return end;
}
