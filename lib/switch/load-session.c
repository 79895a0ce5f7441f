// SPDX-License-Identifier: LGPL-2.1-or-later
/* The section `session` of a dialect: how its command line behaves. */
#include <stddef.h>
#include <string.h>

#include "lib/base/macro.h"
#include "lib/spec/number.h"
#include "lib/switch/dialect-internal.h"

enum { WIDTH_MIN = 80, WIDTH_MAX = 2000 };

static void load_channel(struct loader *loader, const struct yaml_node *key,
			 const struct yaml_node *value, void *into)
{
	static const char *const words[] = {
		[SESSION_SHELL] = "shell",
		[SESSION_EXEC] = "exec",
		[SESSION_EXEC_READ] = "exec-read",
		NULL,
	};
	int word = load_word(loader, key, value, words);

	if (word >= 0)
		*(enum session_channel *)into = (enum session_channel)word;
}

static void load_prompt(struct loader *loader, const struct yaml_node *key,
			const struct yaml_node *value, void *into)
{
	struct pattern *pattern = NULL;
	char why[PATTERN_WHY_MAX] = "";

	if (!expect_text(loader, key, value))
		return;
	if (pattern_compile_prompt(value->text, NULL, &pattern, why) < 0)
		load_error(loader, value, "this pattern is wrong: %s", why);
	else if (!pattern_has_group(pattern, "host"))
		load_error(loader, value, "prompt: it has no $host");
	else if (pattern_match(pattern, "", 0, 0) != 0)
		load_error(loader, value, "prompt: it matches an empty line");
	(void)pattern_free(pattern);
	*(const char **)into = value->text;
}

/* A pattern that is kept as text; session.c compiles it again. */
static void load_pattern_text(struct loader *loader, const struct yaml_node *key,
			      const struct yaml_node *value, void *into)
{
	if (!expect_text(loader, key, value))
		return;
	load_pattern(loader, value, PATTERN_LINES, NULL);
	*(const char **)into = value->text;
}

static void load_patterns(struct loader *loader, const struct yaml_node *key,
			  const struct yaml_node *value, void *into)
{
	load_texts(loader, key, value, into);
	if (value->kind == YAML_TEXT)
		load_pattern(loader, value, PATTERN_LINES, NULL);
	for (size_t i = 0; value->kind == YAML_LIST && i < value->n; i++)
		if (value->item[i].kind == YAML_TEXT)
			load_pattern(loader, &value->item[i], PATTERN_LINES, NULL);
}

static void load_enable(struct loader *loader, const struct yaml_node *key,
			const struct yaml_node *value, void *into)
{
	static const struct key_row rows[] = {
		{ "send", load_text, offsetof(struct session_rules, enable), true },
		{ "prompt", load_pattern_text, offsetof(struct session_rules, enabled), true },
		{ "password", load_pattern_text, offsetof(struct session_rules, enable_password) },
	};

	load_map(loader, value, "enable", rows, ARRAY_SIZE(rows), into);
}

static void load_where(struct loader *loader, const struct yaml_node *key,
		       const struct yaml_node *value, void *into)
{
	static const char *const words[] = {
		[ASK_ANY] = "any",	 [ASK_LOGIN] = "login", [ASK_LINES] = "lines",
		[ASK_COMMIT] = "commit", [ASK_SAVE] = "save",	[ASK_WHERE_MAX] = NULL,
	};
	int word = load_word(loader, key, value, words);

	if (word >= 0)
		*(enum ask_where *)into = (enum ask_where)word;
}

static void load_ask(struct loader *loader, const struct yaml_node *key,
		     const struct yaml_node *value, void *into)
{
	static const struct key_row rows[] = {
		{ "text", load_pattern_text, offsetof(struct session_ask, pattern), true },
		{ "answer", load_text, offsetof(struct session_ask, answer), true },
		{ "only_in", load_where, offsetof(struct session_ask, where) },
	};
	struct session_rules *rules = into;
	struct session_ask *list;

	if (!expect_list(loader, key, value, LIST_MAX))
		return;
	list = load_alloc(loader, value->n, sizeof(*list));
	if (!list)
		return;
	for (size_t i = 0; i < value->n; i++)
		load_map(loader, &value->item[i], "an item of ask", rows, ARRAY_SIZE(rows),
			 &list[i]);
	rules->ask = list;
	rules->n_ask = value->n;
}

static void load_newline(struct loader *loader, const struct yaml_node *key,
			 const struct yaml_node *value, void *into)
{
	static const char *const words[] = { "lf", "cr", NULL };
	int word = load_word(loader, key, value, words);

	if (word >= 0)
		*(const char **)into = word == 0 ? "\n" : "\r";
}

static void load_width(struct loader *loader, const struct yaml_node *key,
		       const struct yaml_node *value, void *into)
{
	struct trouble trouble;
	uint64_t width;

	if (!expect_text(loader, key, value))
		return;
	if (number_parse(value->text, WIDTH_MIN, WIDTH_MAX, NULL, &width, &trouble))
		*(unsigned int *)into = (unsigned int)width;
	else
		load_error(loader, value, "width: %s", trouble.text);
}

static void load_fail(struct loader *loader, const struct yaml_node *key,
		      const struct yaml_node *value, void *into)
{
	static const char *const words[] = { "words", "exit-status", NULL };

	*(bool *)into = load_word(loader, key, value, words) == 1;
}

#define RULE(field) offsetof(struct session_rules, field)

static const struct key_row session_rows[] = {
	{ "channel", load_channel, RULE(channel), true },
	{ "prompt", load_prompt, RULE(prompt), true },
	{ "after_login", load_texts, RULE(after_login) },
	{ "enable", load_enable },
	{ "pager", load_patterns, RULE(pager) },
	{ "error", load_patterns, RULE(error) },
	{ "not_error", load_patterns, RULE(not_error) },
	{ "ask", load_ask },
	{ "question", load_pattern_text, RULE(question) },
	{ "refuse", load_text, RULE(refuse) },
	{ "leave", load_text, RULE(leave) },
	{ "newline", load_newline, RULE(newline) },
	{ "width", load_width, RULE(width) },
	{ "fail", load_fail, RULE(exit_status) },
};

void load_session(struct loader *loader, const struct yaml_node *key, const struct yaml_node *value,
		  void *into)
{
	struct session_rules *rules = into;

	load_map(loader, value, "session", session_rows, ARRAY_SIZE(session_rows), rules);
	if (rules->exit_status && rules->channel == SESSION_SHELL)
		load_error(loader, value,
			   "session: only the channels exec and exec-read have an exit status");
	if (!rules->exit_status && !rules->error[0])
		load_error(loader, value,
			   "session: without error patterns nothing tells a refused line");
}
