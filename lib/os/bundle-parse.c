// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Reads a bundle. Bundles come by mail: everything has a limit and one spelling, and the first
 * thing that is wrong is told with its place.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/macro.h"
#include "lib/os/bundle-line.h"

enum {
	WORDS_MAX = 64, /* on a line; an ETS line has 44 */
	ERRNO_MAX = 255,
};

struct word {
	const char *text;
	size_t size;
};

struct parser {
	const char *at; /* behind the line */
	const char *end;
	const char *line_text;
	unsigned int line;
	struct word word[WORDS_MAX];
	size_t n_words;
	size_t taken;
	struct bundle *bundle;
	struct diags *diags;
};

/* ---- what is wrong ---- */

static int fail_at(struct parser *parser, const char *place, size_t width, const char *format, ...)
	_printf_(4, 5);

static int fail_at(struct parser *parser, const char *place, size_t width, const char *format, ...)
{
	struct position where = { .line = parser->line };
	char message[256];
	va_list args;

	where.column = (unsigned int)(place - parser->line_text) + 1;
	va_start(args, format);
	(void)vsnprintf(message, sizeof(message), format, args);
	va_end(args);
	diag_add(parser->diags, SEVERITY_ERROR, where, (unsigned int)width, "%s", message);
	return -EINVAL;
}

#define FAIL(parser, word, ...) fail_at(parser, (word)->text, (word)->size, __VA_ARGS__)

/* ---- lines and words ---- */

static bool is_control(char c)
{
	return ((unsigned char)c < ' ' && c != '\t') || c == 0x7f;
}

/* The next line without its newline; false at the end. */
static bool next_line(struct parser *parser, size_t *ret_size)
{
	const char *newline;

	if (parser->at >= parser->end)
		return false;
	parser->line++;
	parser->line_text = parser->at;
	newline = memchr(parser->at, '\n', (size_t)(parser->end - parser->at));
	*ret_size = (size_t)((newline ?: parser->end) - parser->at);
	parser->at = newline ? newline + 1 : parser->end;
	return true;
}

static int check_bytes(struct parser *parser, size_t size)
{
	const char *text = parser->line_text;

	for (size_t i = 0; i < size; i++)
		if (is_control(text[i]))
			return fail_at(parser, text + i, 1, "a control byte (0x%02x)",
				       (unsigned char)text[i]);
	return 0;
}

/* Words are parted by exactly one blank. */
static int split(struct parser *parser, size_t size)
{
	const char *at = parser->line_text, *end = at + size;

	parser->n_words = parser->taken = 0;
	for (;;) {
		const char *blank = memchr(at, ' ', (size_t)(end - at)) ?: end;

		if (blank == at)
			return fail_at(parser, at, 1, "a word is expected here");
		if (parser->n_words == WORDS_MAX)
			return fail_at(parser, at, 1, "more than %d words", WORDS_MAX);
		parser->word[parser->n_words++] = (struct word){ at, (size_t)(blank - at) };
		if (blank == end)
			return 0;
		at = blank + 1;
	}
}

static bool is_word(const struct word *word, const char *text)
{
	return strlen(text) == word->size && memcmp(word->text, text, word->size) == 0;
}

/* NULL after an error. */
static const struct word *take(struct parser *parser, const char *what)
{
	const struct word *last = &parser->word[parser->n_words - 1];

	if (parser->taken < parser->n_words)
		return &parser->word[parser->taken++];
	(void)fail_at(parser, last->text + last->size, 1, "%s is missing", what);
	return NULL;
}

static int take_end(struct parser *parser)
{
	if (parser->taken < parser->n_words)
		return FAIL(parser, &parser->word[parser->taken], "nothing is expected here");
	return 0;
}

static int take_exactly(struct parser *parser, const char *text)
{
	const struct word *word;

	word = take(parser, text);
	if (!word)
		return -EINVAL;
	return is_word(word, text) ? 0 : FAIL(parser, word, "'%s' is expected here", text);
}

static int take_name(struct parser *parser, const char *what, char *ret, size_t size)
{
	const struct word *word;

	word = take(parser, what);
	if (!word)
		return -EINVAL;
	if (word->size >= size || memchr(word->text, '/', word->size) ||
	    memchr(word->text, '\t', word->size))
		return FAIL(parser, word, "%s has at most %zu characters, no slash and no tab",
			    what, size - 1);
	memcpy(ret, word->text, word->size);
	ret[word->size] = '\0';
	return 0;
}

/* Decimal, or hexadecimal with two digits at least, in the one form that is written. */
static int parse_number(const struct word *word, bool hex, uint64_t *ret)
{
	char text[32], again[32], *end;

	if (word->size >= sizeof(text))
		return -EINVAL;
	memcpy(text, word->text, word->size);
	text[word->size] = '\0';
	errno = 0;
	*ret = strtoull(text, &end, hex ? 16 : 10);
	if (errno || *end)
		return -EINVAL;
	(void)snprintf(again, sizeof(again), hex ? "0x%02" PRIx64 : "%" PRIu64, *ret);
	return strcmp(text, again) == 0 ? 0 : -EINVAL;
}

static int take_number(struct parser *parser, const char *what, bool hex, uint64_t max,
		       uint64_t *ret)
{
	const struct word *word;

	word = take(parser, what);
	if (!word)
		return -EINVAL;
	if (parse_number(word, hex, ret) < 0)
		return FAIL(parser, word, "%s is a %s number", what,
			    hex ? "hexadecimal (0x08)" : "decimal");
	if (*ret > max)
		return FAIL(parser, word, "%s is at most %" PRIu64, what, max);
	return 0;
}

static int take_errno(struct parser *parser, int *ret)
{
	const struct word *word;

	word = take(parser, "the name of an errno");
	if (!word)
		return -EINVAL;
	for (int error = 1; error <= ERRNO_MAX; error++) {
		const char *name = strerrorname_np(error);

		if (name && is_word(word, name)) {
			*ret = error;
			return 0;
		}
	}
	return FAIL(parser, word, "no errno has this name");
}

static int take_mac(struct parser *parser, uint8_t mac[6])
{
	const struct word *word;
	char again[18];

	word = take(parser, "mac");
	if (!word)
		return -EINVAL;
	for (unsigned int i = 0; i < 6 && word->size == sizeof(again) - 1; i++)
		mac[i] = (uint8_t)strtoul((char[]){ word->text[3 * i], word->text[3 * i + 1], 0 },
					  NULL, 16);
	(void)snprintf(again, sizeof(again), "%02x:%02x:%02x:%02x:%02x:%02x", mac[0], mac[1],
		       mac[2], mac[3], mac[4], mac[5]);
	return is_word(word, again) ? 0 : FAIL(parser, word, "a MAC is 02:17:00:00:00:01");
}

/* ---- network devices ---- */

static void put_number(unsigned char *to, size_t size, uint64_t value)
{
	const uint32_t four = (uint32_t)value;
	const uint16_t two = (uint16_t)value;

	if (size == sizeof(value))
		memcpy(to, &value, size);
	else if (size == sizeof(four))
		memcpy(to, &four, size);
	else if (size == sizeof(two))
		memcpy(to, &two, size);
	else
		*to = (unsigned char)value;
}

static int take_field(struct parser *parser, const struct bundle_field *field,
		      struct bundle_link *link)
{
	unsigned char *at = (unsigned char *)link + field->offset;
	bool hex = field->kind == FIELD_HEX;
	char *name = (char *)at;
	uint64_t number;
	int r;

	r = take_exactly(parser, field->word);
	if (r < 0)
		return r;
	switch (field->kind) {
	case FIELD_NUMBER:
	case FIELD_HEX:
		for (size_t i = 0; i < field->count && r == 0; i++) {
			r = take_number(parser, field->word, hex, field->max, &number);
			if (r == 0)
				put_number(at + i * field->size, field->size, number);
		}
		return r;
	case FIELD_MAC:
		return take_mac(parser, at);
	case FIELD_NAME:
		r = take_name(parser, field->word, name, field->size);
		if (r == 0 && strcmp(name, "-") == 0)
			*name = '\0';
		return r;
	case FIELD_ERRNO:
		return take_errno(parser, (int *)(void *)at);
	}
	return -EINVAL;
}

static int take_fields(struct parser *parser, const struct bundle_line *line,
		       struct bundle_link *link)
{
	int r = 0;

	for (size_t i = 0; i < line->n_fields && r == 0; i++)
		r = take_field(parser, &line->fields[i], link);
	return r < 0 ? r : take_end(parser);
}

static int check_apps(struct parser *parser)
{
	const struct bundle *bundle = parser->bundle;
	const struct bundle_link *link;

	if (bundle->n_links == 0)
		return 0;
	link = &bundle->links[bundle->n_links - 1];
	if (link->apps == link->dcb.n_app)
		return 0;
	return fail_at(parser, parser->line_text, 1,
		       "%s has %zu app entries, but %u were announced", link->link.name,
		       link->dcb.n_app, link->apps);
}

static int parse_link(struct parser *parser)
{
	const struct bundle *bundle = parser->bundle;
	struct bundle_link *link;
	const struct word *name;
	int r;

	r = check_apps(parser);
	if (r < 0)
		return r;
	link = bundle_add_link(parser->bundle);
	if (!link)
		return fail_at(parser, parser->line_text, 4, "more than %d links",
			       BUNDLE_LINKS_MAX);
	name = &parser->word[MIN(parser->taken, parser->n_words - 1)];
	r = take_name(parser, "the name", link->link.name, sizeof(link->link.name));
	if (r == 0)
		r = take_fields(parser, &bundle_lines[0], link);
	if (r < 0)
		return r;
	if (link->link.ifindex < 1)
		return FAIL(parser, name, "an index is at least 1");
	for (size_t i = 0; i + 1 < bundle->n_links; i++)
		if (bundle->links[i].link.ifindex == link->link.ifindex ||
		    strcmp(bundle->links[i].link.name, link->link.name) == 0)
			return FAIL(parser, name, "its name or its index is %s's already",
				    bundle->links[i].link.name);
	return 0;
}

static int parse_app(struct parser *parser, struct bundle_link *link)
{
	static const char *const words[] = { "selector", "protocol", "priority" };
	static const uint64_t limits[] = { UINT8_MAX, UINT16_MAX, 7 };
	uint64_t number[ARRAY_SIZE(words)] = {};
	int r;

	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		r = take_exactly(parser, words[i]);
		if (r == 0)
			r = take_number(parser, words[i], false, limits[i], &number[i]);
		if (r < 0)
			return r;
	}
	if (link->dcb.n_app >= link->apps)
		return fail_at(parser, parser->line_text, 3,
			       "more app entries than were announced");
	link->dcb.app[link->dcb.n_app++] = (struct dcb_app){
		.selector = (uint8_t)number[0],
		.priority = (uint8_t)number[2],
		.protocol = (uint16_t)number[1],
	};
	return take_end(parser);
}

static int parse_stat(struct parser *parser, struct bundle_link *link)
{
	char name[sizeof(((struct os_stat *)NULL)->name)];
	uint64_t value;
	int r;

	r = take_name(parser, "the counter", name, sizeof(name));
	if (r == 0)
		r = take_number(parser, "the counter", false, UINT64_MAX, &value);
	if (r == 0)
		r = take_end(parser);
	if (r < 0)
		return r;
	r = bundle_add_stat(link, name, value);
	return r == -E2BIG ? fail_at(parser, parser->line_text, 4, "too many counters") : r;
}

/* A line of the link that stands above it. */
static int parse_of_link(struct parser *parser, const struct bundle_line *line)
{
	const struct word *word = &parser->word[0], *name;
	struct bundle *bundle = parser->bundle;
	struct bundle_link *link;

	name = take(parser, "the name");
	if (!name)
		return -EINVAL;
	link = bundle->n_links ? &bundle->links[bundle->n_links - 1] : NULL;
	if (!link || !is_word(name, link->link.name))
		return FAIL(parser, name, "stands below the `link` line of its device");
	if (!line)
		return is_word(word, "app") ? parse_app(parser, link) : parse_stat(parser, link);
	if (((unsigned char *)link)[line->present])
		return FAIL(parser, word, "stands here twice");
	((unsigned char *)link)[line->present] = true;
	return take_fields(parser, line, link);
}

/* ---- files ---- */

/* The lines that begin with a blank are the text, without it. */
static int take_text(struct parser *parser, char text[OS_TEXT_MAX + 1], size_t *ret_used)
{
	size_t size, used = 0;
	int r;

	while (parser->at < parser->end && *parser->at == ' ') {
		(void)next_line(parser, &size);
		r = check_bytes(parser, size);
		if (r < 0)
			return r;
		if (used + size > OS_TEXT_MAX)
			return fail_at(parser, parser->line_text, 1, "a file has at most %d bytes",
				       OS_TEXT_MAX);
		memcpy(text + used, parser->line_text + 1, size - 1);
		used += size - 1;
		text[used++] = '\n';
	}
	*ret_used = used;
	return 0;
}

static int take_target(struct parser *parser, char *text, size_t *ret_used)
{
	const struct word *word;

	word = take(parser, "the target");
	if (!word)
		return -EINVAL;
	if (word->size >= OS_PATH_MAX || memchr(word->text, '\t', word->size))
		return FAIL(parser, word, "a target has at most %d bytes", OS_PATH_MAX - 1);
	memcpy(text, word->text, word->size);
	*ret_used = word->size;
	return 0;
}

static int parse_entry(struct parser *parser, enum bundle_kind kind)
{
	bool has_lines = kind == BUNDLE_FILE || kind == BUNDLE_BYTES;
	char path[OS_PATH_MAX], text[OS_TEXT_MAX + 1];
	unsigned int line = parser->line;
	struct bundle_entry *entry;
	const struct word *word;
	size_t used = 0;
	int error = 0, r = 0;

	word = take(parser, "the path");
	if (!word)
		return -EINVAL;
	if (!bundle_path_fits(word->text, word->size))
		return FAIL(parser, word,
			    "a path is absolute, without '.' and '..', at most %d bytes, "
			    "each name at most %d",
			    OS_PATH_MAX - 1, OS_NAME_MAX - 1);
	memcpy(path, word->text, word->size);
	path[word->size] = '\0';
	if (kind == BUNDLE_SYMLINK)
		r = take_target(parser, text, &used);
	else if (kind == BUNDLE_UNREADABLE)
		r = take_errno(parser, &error);
	if (r == 0)
		r = take_end(parser);
	if (r == 0 && has_lines)
		r = take_text(parser, text, &used);
	if (r < 0)
		return r;
	if (parser->bundle->n_entries >= BUNDLE_ENTRIES_MAX)
		return fail_at(parser, parser->line_text, 1, "more than %d files",
			       BUNDLE_ENTRIES_MAX);
	entry = bundle_add_entry(parser->bundle, kind, path,
				 has_lines || kind == BUNDLE_SYMLINK ? text : NULL, used);
	if (!entry)
		return -ENOMEM;
	entry->error = error;
	entry->line = line;
	return 0;
}

/* ---- the whole ---- */

static int read_words(struct parser *parser)
{
	size_t size;
	int r;

	if (!next_line(parser, &size)) {
		parser->line++;
		parser->line_text = parser->end;
		return fail_at(parser, parser->end, 1,
			       "the bundle is cut off: its last line is `end`");
	}
	r = check_bytes(parser, size);
	return r < 0 ? r : split(parser, size);
}

static int parse_head(struct parser *parser)
{
	struct bundle *bundle = parser->bundle;
	char reader[8];
	int r;

	r = read_words(parser);
	if (r < 0)
		return r;
	if (parser->n_words != 3 || !is_word(&parser->word[0], "losslessd") ||
	    !is_word(&parser->word[1], "bundle"))
		return fail_at(parser, parser->line_text, 1,
			       "not a bundle: the first line is `losslessd bundle 1`");
	if (!is_word(&parser->word[2], "1"))
		return FAIL(parser, &parser->word[2],
			    "a bundle of another version; this losslessctl reads version 1");
	r = read_words(parser)							      ?:
		    take_exactly(parser, "node")				      ?:
		    take_name(parser, "the node", bundle->node, sizeof(bundle->node)) ?:
		    take_end(parser);
	if (r < 0)
		return r;
	r = read_words(parser)								    ?:
		    take_exactly(parser, "kernel")					    ?:
		    take_name(parser, "the kernel", bundle->kernel, sizeof(bundle->kernel)) ?:
		    take_end(parser);
	if (r < 0)
		return r;
	r = read_words(parser)						    ?:
		    take_exactly(parser, "reader")			    ?:
		    take_name(parser, "the reader", reader, sizeof(reader)) ?:
									      take_end(parser);
	if (r < 0)
		return r;
	bundle->privileged = strcmp(reader, "root") == 0;
	if (!bundle->privileged && strcmp(reader, "user") != 0)
		return FAIL(parser, &parser->word[1], "the reader is root or user");
	return 0;
}

static int parse_line(struct parser *parser)
{
	const struct word *word = &parser->word[0];

	parser->taken = 1;
	if (is_word(word, bundle_lines[0].word))
		return parse_link(parser);
	for (size_t i = 1; i < BUNDLE_LINES; i++)
		if (is_word(word, bundle_lines[i].word))
			return parse_of_link(parser, &bundle_lines[i]);
	if (is_word(word, "app") || is_word(word, "stat"))
		return parse_of_link(parser, NULL);
	for (enum bundle_kind kind = 0; kind < BUNDLE_KIND_MAX; kind++)
		if (is_word(word, bundle_words[kind]))
			return parse_entry(parser, kind);
	return FAIL(parser, word, "no line of a bundle begins with this word");
}

static int parse_all(struct parser *parser)
{
	int r;

	r = parse_head(parser);
	while (r == 0) {
		r = read_words(parser);
		if (r < 0)
			return r;
		if (parser->n_words == 1 && is_word(&parser->word[0], "end"))
			break;
		r = parse_line(parser);
	}
	if (r == 0)
		r = check_apps(parser);
	if (r == 0 && parser->at < parser->end) {
		parser->line++;
		parser->line_text = parser->at;
		r = fail_at(parser, parser->at, 1, "nothing may stand behind `end`");
	}
	return r;
}

int bundle_parse(const char *text, size_t size, struct bundle *ret, struct diags *diags)
{
	struct bundle bundle = {};
	struct parser parser = {
		.at = text,
		.end = text + size,
		.line_text = text,
		.bundle = &bundle,
		.diags = diags,
	};
	int r;

	if (size > BUNDLE_SIZE_MAX)
		r = fail_at(&parser, text, 1, "a bundle has at most 16 MiB");
	else
		r = parse_all(&parser);
	if (r < 0) {
		bundle_done(&bundle);
		return r;
	}
	*ret = bundle;
	return 0;
}
