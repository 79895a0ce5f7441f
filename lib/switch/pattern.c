// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The one place that speaks with PCRE2. No JIT: losslessd may not make memory executable. No UTF: a
 * switch may send any bytes.
 */
#include "lib/switch/pattern.h"

#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include "lib/base/cleanup.h"

enum {
	EXPANDED_MAX = 8 * PATTERN_BYTES_MAX, /* with the words put in */
	NEST_MAX = 16, /* parentheses */
	MATCH_MAX = 200 * 1000, /* steps */
	DEPTH_MAX = 2000,
	HEAP_MAX_KIB = 1024,
};

struct pattern {
	pcre2_code *code;
	pcre2_match_data *data;
	pcre2_match_context *limits;
	const char *subject; /* of the last match */
	bool matched;
};

struct pattern *pattern_free(struct pattern *pattern)
{
	if (!pattern)
		return NULL;
	pcre2_code_free(pattern->code);
	pcre2_match_data_free(pattern->data);
	pcre2_match_context_free(pattern->limits);
	free(pattern);
	return NULL;
}

static int refuse(char *why, const char *format, ...) _printf_(2, 3);

static int refuse(char *why, const char *format, ...)
{
	va_list args;

	if (!why)
		return -EINVAL;
	va_start(args, format);
	(void)vsnprintf(why, PATTERN_WHY_MAX, format, args);
	va_end(args);
	return -EINVAL;
}

/* ---- $name ---- */

struct expansion {
	char *text;
	size_t n;
};

static bool put(struct expansion *out, const char *text, size_t size)
{
	if (size > EXPANDED_MAX - out->n)
		return false;
	memcpy(out->text + out->n, text, size);
	out->n += size;
	return true;
}

/* Each byte that could mean something is written with a backslash. */
static bool put_literal(struct expansion *out, const char *text)
{
	for (; *text; text++) {
		unsigned char c = (unsigned char)*text;
		bool plain = c >= 0x80 || c == '_' || (c >= '0' && c <= '9') ||
			     ((c | 0x20) >= 'a' && (c | 0x20) <= 'z');

		if ((!plain && !put(out, "\\", 1)) || !put(out, text, 1))
			return false;
	}
	return true;
}

static bool is_name(char c)
{
	return (c >= 'a' && c <= 'z') || c == '_';
}

static const struct pattern_word *word_find(const struct pattern_word *words, size_t n,
					    const char *name, size_t size)
{
	for (size_t i = 0; i < n; i++)
		if (strlen(words[i].name) == size && memcmp(words[i].name, name, size) == 0)
			return &words[i];
	return NULL;
}

static int expand(const char *text, const struct pattern_word *words, size_t n_words,
		  struct expansion *out, char *why)
{
	bool fits = true;

	while (*text && fits) {
		const struct pattern_word *word;
		size_t size = 1;

		if (*text == '\\' && text[1])
			size = 2;
		if (*text != '$' || !is_name(text[1])) {
			fits = put(out, text, size);
			text += size;
			continue;
		}
		while (is_name(text[size]))
			size++;
		word = word_find(words, n_words, text + 1, size - 1);
		if (!word)
			return refuse(why, "$%.*s stands for nothing here; a dollar is \\$",
				      (int)size - 1, text + 1);
		fits = word->pattern ? put(out, word->text, strlen(word->text)) :
				       put_literal(out, word->text);
		text += size;
	}
	return fits ? 0 : refuse(why, "the pattern is too long");
}

/* ---- compile ---- */

static void compile_contextp(pcre2_compile_context **context)
{
	pcre2_compile_context_free(*context);
}

static uint32_t options_of(enum pattern_kind kind)
{
	const uint32_t always = PCRE2_NEVER_UTF | PCRE2_NEVER_UCP | PCRE2_NEVER_BACKSLASH_C |
				PCRE2_DUPNAMES;

	switch (kind) {
	case PATTERN_WHOLE:
		return always | PCRE2_ANCHORED | PCRE2_ENDANCHORED;
	case PATTERN_SEARCH:
		return always | PCRE2_DOLLAR_ENDONLY;
	case PATTERN_LINES:
		return always | PCRE2_MULTILINE;
	}
	return always;
}

static int compile(struct pattern *pattern, const struct expansion *text, enum pattern_kind kind,
		   char *why)
{
	_cleanup_(compile_contextp) pcre2_compile_context *context = NULL;
	char message[128] = "";
	PCRE2_SIZE at;
	int error;

	context = pcre2_compile_context_create(NULL);
	if (!context)
		return -ENOMEM;
	(void)pcre2_set_newline(context, PCRE2_NEWLINE_ANYCRLF);
	(void)pcre2_set_parens_nest_limit(context, NEST_MAX);
	pattern->code = pcre2_compile((PCRE2_SPTR)text->text, text->n, options_of(kind), &error,
				      &at, context);
	if (pattern->code)
		return 0;
	if (error == PCRE2_ERROR_NOMEMORY || error == 121) /* 121: no memory while compiling */
		return -ENOMEM;
	(void)pcre2_get_error_message(error, (PCRE2_UCHAR *)message, sizeof(message));
	return refuse(why, "%s", message);
}

static int set_limits(struct pattern *pattern)
{
	pattern->limits = pcre2_match_context_create(NULL);
	pattern->data = pcre2_match_data_create_from_pattern(pattern->code, NULL);
	if (!pattern->limits || !pattern->data)
		return -ENOMEM;
	(void)pcre2_set_match_limit(pattern->limits, MATCH_MAX);
	(void)pcre2_set_depth_limit(pattern->limits, DEPTH_MAX);
	(void)pcre2_set_heap_limit(pattern->limits, HEAP_MAX_KIB);
	return 0;
}

int pattern_compile(const char *text, enum pattern_kind kind, const struct pattern_word *words,
		    size_t n_words, struct pattern **ret, char *ret_why)
{
	_cleanup_(pattern_freep) struct pattern *pattern = NULL;
	_cleanup_free_ char *buffer = NULL;
	struct expansion expansion = {};
	int r;

	if (strlen(text) > PATTERN_BYTES_MAX)
		return refuse(ret_why, "the pattern is too long");
	buffer = malloc(EXPANDED_MAX);
	pattern = calloc(1, sizeof(*pattern));
	if (!buffer || !pattern)
		return -ENOMEM;
	expansion.text = buffer;
	r = expand(text, words, n_words, &expansion, ret_why);
	if (r == 0)
		r = compile(pattern, &expansion, kind, ret_why);
	if (r == 0)
		r = set_limits(pattern);
	if (r < 0)
		return r;
	*ret = TAKE_PTR(pattern);
	return 0;
}

int pattern_compile_prompt(const char *text, const char *host, struct pattern **ret, char *ret_why)
{
	struct expansion quoted = {};
	_cleanup_free_ char *buffer = NULL;
	struct pattern_word words[] = {
		{ .name = "host", .text = PATTERN_HOST, .pattern = true },
		{ .name = "mode", .text = PATTERN_MODE, .pattern = true },
	};

	if (host) {
		buffer = malloc(EXPANDED_MAX + 1);
		if (!buffer)
			return -ENOMEM;
		quoted.text = buffer;
		if (!put(&quoted, "(?<host>", 8) || !put_literal(&quoted, host) ||
		    !put(&quoted, ")", 1))
			return refuse(ret_why, "the name of the host is too long");
		buffer[quoted.n] = '\0';
		words[0].text = buffer;
	}
	return pattern_compile(text, PATTERN_WHOLE, words, sizeof(words) / sizeof(words[0]), ret,
			       ret_why);
}

/* ---- match ---- */

int pattern_match(struct pattern *pattern, const char *text, size_t size, size_t start)
{
	int r;

	pattern->matched = false;
	if (size > PATTERN_SUBJECT_MAX)
		return -E2BIG;
	r = pcre2_match(pattern->code, (PCRE2_SPTR)text, size, start, 0, pattern->data,
			pattern->limits);
	if (r == PCRE2_ERROR_NOMATCH)
		return 0;
	if (r < 0)
		return -E2BIG;
	pattern->subject = text;
	pattern->matched = true;
	return 1;
}

static struct pattern_text part(const struct pattern *pattern, uint32_t group)
{
	const PCRE2_SIZE *offsets = pcre2_get_ovector_pointer(pattern->data);
	PCRE2_SIZE from = offsets[2 * (size_t)group], to = offsets[2 * (size_t)group + 1];

	/* \K in a lookahead puts the start behind the end */
	if (from == PCRE2_UNSET || to == PCRE2_UNSET || from > to)
		return (struct pattern_text){};
	return (struct pattern_text){ pattern->subject + from, to - from };
}

struct pattern_text pattern_all(const struct pattern *pattern)
{
	return pattern->matched ? part(pattern, 0) : (struct pattern_text){};
}

/* Of groups with the same name, as in alternatives, the one that took part. */
struct pattern_text pattern_group(const struct pattern *pattern, const char *name)
{
	PCRE2_SPTR first, last;
	int size;

	if (!pattern->matched)
		return (struct pattern_text){};
	size = pcre2_substring_nametable_scan(pattern->code, (PCRE2_SPTR)name, &first, &last);
	if (size <= 0)
		return (struct pattern_text){};
	for (PCRE2_SPTR entry = first; entry <= last; entry += size) {
		struct pattern_text found = part(pattern, (uint32_t)(entry[0] << 8 | entry[1]));

		if (found.text)
			return found;
	}
	return (struct pattern_text){};
}

bool pattern_has_group(const struct pattern *pattern, const char *name)
{
	PCRE2_SPTR first, last;

	return pcre2_substring_nametable_scan(pattern->code, (PCRE2_SPTR)name, &first, &last) > 0;
}

const char *pattern_group_name(const struct pattern *pattern, size_t i)
{
	uint32_t count = 0, size = 0;
	PCRE2_SPTR table = NULL;

	(void)pcre2_pattern_info(pattern->code, PCRE2_INFO_NAMECOUNT, &count);
	(void)pcre2_pattern_info(pattern->code, PCRE2_INFO_NAMEENTRYSIZE, &size);
	(void)pcre2_pattern_info(pattern->code, PCRE2_INFO_NAMETABLE, &table);
	return i < count ? (const char *)table + i * size + 2 : NULL;
}
