// SPDX-License-Identifier: LGPL-2.1-or-later
/* The patterns of a dialect's session, compiled; and those that every switch may show. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/macro.h"
#include "lib/switch/session-private.h"

/* Netmiko, oxidized and the vendors' manuals agree on these. */
static const char *const any_pager[] = {
	"\\s*-{2,} ?\\(?(More|MORE|more)\\)? ?-*( .{0,60})?\\s*",
	"\\s*<-+ ?More ?-+>\\s*",
	"lines \\d+-\\d+( .{0,60})?",
	NULL,
};

/* A last line that wants something. */
static const char any_question[] =
	"(?i)("
	"[\\[(] ?(y|n|yes|no) ?[/|,] ?(y|n|yes|no|cancel)( ?[/|,] ?\\w+)* ?[\\])]"
	"|\\[(y|n|yes|no|confirm|cancel)\\]"
	"|<(y|yes)/(n|no)>"
	"|\\b(yes/no|y/n)\\b"
	"|\\?"
	"|\\b(password|passphrase|passcode|username|login|user name)\\b.{0,40}:"
	"|\\bpress\\b.{0,60}\\b(key|enter|return|continue)\\b.{0,20}"
	")[^\\w]{0,12}(\\[\\w{1,10}\\])?[^\\w]{0,4}$";

static int compile(const char *text, enum pattern_kind kind, struct pattern **ret, char *why)
{
	return text && *text ? pattern_compile(text, kind, NULL, 0, ret, why) : 0;
}

static size_t list_length(const char *const *list)
{
	size_t n = 0;

	while (list && list[n])
		n++;
	return n;
}

static int compile_list(const char *const *list, enum pattern_kind kind, struct patterns *ret,
			char *why)
{
	size_t n = list_length(list);

	ret->list = calloc(n + 1, sizeof(*ret->list));
	if (!ret->list)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++) {
		int r = compile(list[i], kind, &ret->list[i], why);

		if (r < 0)
			return r;
		ret->n = i + 1;
	}
	return 0;
}

static int compile_questions(struct session *session, const struct session_ask *answers,
			     size_t n_answers, char *why)
{
	size_t n = n_answers + session->rules->n_ask;

	session->questions = calloc(n + 1, sizeof(*session->questions));
	if (!session->questions)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++) {
		struct question *question = &session->questions[i];
		int r;

		question->ask = i < n_answers ? &answers[i] : &session->rules->ask[i - n_answers];
		r = compile(question->ask->pattern, PATTERN_SEARCH, &question->pattern, why);
		if (r < 0)
			return r;
		session->n_questions = i + 1;
	}
	return 0;
}

/* What ends with a prompt but begins with something else: a message without a line end. */
static int compile_prompt_end(struct session *session, char *why)
{
	static const struct pattern_word words[] = {
		{ .name = "host", .text = PATTERN_HOST, .pattern = true },
		{ .name = "mode", .text = PATTERN_MODE, .pattern = true },
	};
	_cleanup_free_ char *text = NULL;

	if (asprintf(&text, "(?:%s)[ ]*$", session->rules->prompt) < 0) {
		text = NULL;
		return -ENOMEM;
	}
	/* too long with what was put around it: then there is no such help */
	if (strlen(text) > PATTERN_BYTES_MAX)
		return 0;
	return pattern_compile(text, PATTERN_SEARCH, words, ARRAY_SIZE(words), &session->prompt_end,
			       why);
}

/* At login one is at the top: what could be a mode is then a part of the name. */
static int compile_prompt_top(struct session *session, char *why)
{
	static const struct pattern_word words[] = {
		{ .name = "host", .text = PATTERN_HOST, .pattern = true },
		{ .name = "mode", .text = "(?!)", .pattern = true },
	};

	return pattern_compile(session->rules->prompt, PATTERN_WHOLE, words, ARRAY_SIZE(words),
			       &session->prompt_top, why);
}

static int compile_prompts(struct session *session, char *why)
{
	const struct session_rules *rules = session->rules;
	const char *wants_password = rules->enable_password;
	int r;

	if (!wants_password || !*wants_password)
		wants_password = "(?i)^password: *$";
	r = pattern_compile_prompt(rules->prompt, NULL, &session->prompt, why);
	if (r == 0)
		r = compile_prompt_top(session, why);
	if (r == 0)
		r = compile_prompt_end(session, why);
	if (r == 0)
		r = compile(rules->enabled, PATTERN_SEARCH, &session->enabled, why);
	if (r == 0)
		r = compile(wants_password, PATTERN_SEARCH, &session->enable_password, why);
	if (r == 0)
		r = compile(rules->question, PATTERN_SEARCH, &session->question, why);
	if (r == 0)
		r = compile(any_question, PATTERN_SEARCH, &session->any_question, why);
	return r;
}

int session_patterns_compile(struct session *session, const struct session_ask *answers,
			     size_t n_answers, char *ret_why)
{
	const struct session_rules *rules = session->rules;
	int r = 0;

	if (rules->channel != SESSION_EXEC)
		r = compile_prompts(session, ret_why);
	if (r == 0)
		r = compile_list(rules->pager, PATTERN_SEARCH, &session->pager, ret_why);
	if (r == 0)
		r = compile_list(any_pager, PATTERN_WHOLE, &session->any_pager, ret_why);
	if (r == 0)
		r = compile_list(rules->error, PATTERN_LINES, &session->error, ret_why);
	if (r == 0)
		r = compile_list(rules->not_error, PATTERN_SEARCH, &session->not_error, ret_why);
	if (r == 0)
		r = compile_questions(session, answers, n_answers, ret_why);
	return r;
}

static void list_done(struct patterns *patterns)
{
	for (size_t i = 0; i < patterns->n; i++)
		(void)pattern_free(patterns->list[i]);
	free(patterns->list);
	*patterns = (struct patterns){};
}

void session_patterns_done(struct session *session)
{
	session->prompt = pattern_free(session->prompt);
	session->prompt_top = pattern_free(session->prompt_top);
	session->prompt_end = pattern_free(session->prompt_end);
	session->enabled = pattern_free(session->enabled);
	session->enable_password = pattern_free(session->enable_password);
	session->question = pattern_free(session->question);
	session->any_question = pattern_free(session->any_question);
	list_done(&session->pager);
	list_done(&session->any_pager);
	list_done(&session->error);
	list_done(&session->not_error);
	for (size_t i = 0; i < session->n_questions; i++)
		(void)pattern_free(session->questions[i].pattern);
	free(session->questions);
	session->questions = NULL;
	session->n_questions = 0;
}
