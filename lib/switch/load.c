// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * What reading any section of a dialect needs: maps by tables of their keys, texts, lines, words,
 * patterns. Each error has the place of what is wrong.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "lib/base/macro.h"
#include "lib/spec/number.h"
#include "lib/switch/dialect-internal.h"

enum { SENTENCE_MAX = 512 };

void load_error(struct loader *loader, const struct yaml_node *node, const char *format, ...)
{
	char sentence[SENTENCE_MAX];
	va_list args;

	va_start(args, format);
	(void)vsnprintf(sentence, sizeof(sentence), format, args);
	va_end(args);
	diag_add(loader->diags, SEVERITY_ERROR, yaml_position(node), node->width, "%s", sentence);
}

void template_error(struct loader *loader, const struct template *template, const char *format, ...)
{
	char sentence[SENTENCE_MAX];
	va_list args;

	va_start(args, format);
	(void)vsnprintf(sentence, sizeof(sentence), format, args);
	va_end(args);
	diag_add(loader->diags, SEVERITY_ERROR, template->where, template->width, "%s", sentence);
}

void *load_alloc(struct loader *loader, size_t n, size_t size)
{
	void *memory = arena_alloc(&loader->dialect->arena, MAX(n, (size_t)1) * size);

	if (memory)
		memset(memory, 0, MAX(n, (size_t)1) * size);
	else
		loader->oom = true;
	return memory;
}

/* ---- kinds of nodes ---- */

bool expect_text(struct loader *loader, const struct yaml_node *key, const struct yaml_node *node)
{
	if (node->kind == YAML_TEXT && !yaml_is_null(node))
		return true;
	load_error(loader, node, "%s: a text is expected", key->text);
	return false;
}

bool expect_list(struct loader *loader, const struct yaml_node *key, const struct yaml_node *node,
		 size_t max)
{
	if (node->kind != YAML_LIST)
		load_error(loader, node, "%s: a list is expected", key->text);
	else if (node->n > max)
		load_error(loader, node, "%s: more than %zu items", key->text, max);
	else
		return true;
	return false;
}

bool expect_map(struct loader *loader, const struct yaml_node *key, const struct yaml_node *node,
		size_t max)
{
	if (node->kind != YAML_MAP)
		load_error(loader, node, "%s: a map is expected", key->text);
	else if (node->n > max)
		load_error(loader, node, "%s: more than %zu keys", key->text, max);
	else
		return true;
	return false;
}

/* ---- maps ---- */

static const struct key_row *row_find(const struct key_row *rows, size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(rows[i].name, name) == 0)
			return &rows[i];
	return NULL;
}

static void unknown_key(struct loader *loader, const struct yaml_node *key, const char *what,
			const struct key_row *rows, size_t n)
{
	char known[SENTENCE_MAX / 2] = "";
	size_t used = 0;

	for (size_t i = 0; i < n && used < sizeof(known); i++)
		used += (size_t)snprintf(known + used, sizeof(known) - used, "%s%s", i ? ", " : "",
					 rows[i].name);
	load_error(loader, key, "unknown key \"%s\" in %s; there are %s", shown(key->text).text,
		   what, known);
}

void load_map(struct loader *loader, const struct yaml_node *map, const char *what,
	      const struct key_row *rows, size_t n_rows, void *into)
{
	if (map->kind != YAML_MAP) {
		load_error(loader, map, "%s: a map is expected", what);
		return;
	}
	for (size_t i = 0; i < map->n; i++) {
		const struct yaml_node *key = yaml_key(map, i);
		const struct key_row *row = row_find(rows, n_rows, key->text);

		if (row)
			row->load(loader, key, yaml_value(map, i), (char *)into + row->offset);
		else
			unknown_key(loader, key, what, rows, n_rows);
	}
	for (size_t i = 0; i < n_rows; i++)
		if (rows[i].required && !yaml_find(map, rows[i].name))
			load_error(loader, map, "%s: the key \"%s\" is missing", what,
				   rows[i].name);
}

/* ---- texts ---- */

static bool expect_plain(struct loader *loader, const struct yaml_node *key,
			 const struct yaml_node *node)
{
	if (!expect_text(loader, key, node))
		return false;
	if (node->n <= TEMPLATE_BYTES_MAX && line_is_plain(node->text))
		return true;
	load_error(loader, node, "%s: one line of printable ASCII, at most %d bytes, is expected",
		   key->text, TEMPLATE_BYTES_MAX);
	return false;
}

void load_text(struct loader *loader, const struct yaml_node *key, const struct yaml_node *value,
	       void *into)
{
	if (expect_plain(loader, key, value))
		*(const char **)into = value->text;
}

/* One text stands for a list of one: items and their number; false with an error. */
static bool items_of(struct loader *loader, const struct yaml_node *key,
		     const struct yaml_node *value, const struct yaml_node **ret, size_t *ret_n)
{
	*ret = value;
	*ret_n = 1;
	if (value->kind != YAML_LIST)
		return true;
	*ret = value->item;
	*ret_n = value->n;
	return expect_list(loader, key, value, LIST_MAX);
}

void load_texts(struct loader *loader, const struct yaml_node *key, const struct yaml_node *value,
		void *into)
{
	const struct yaml_node *items;
	const char **texts;
	size_t n;

	if (!items_of(loader, key, value, &items, &n))
		return;
	texts = load_alloc(loader, n + 1, sizeof(*texts));
	if (!texts)
		return;
	for (size_t i = 0, kept = 0; i < n; i++)
		if (expect_plain(loader, key, &items[i]))
			texts[kept++] = items[i].text;
	*(const char *const **)into = texts;
}

int load_word(struct loader *loader, const struct yaml_node *key, const struct yaml_node *node,
	      const char *const *words)
{
	char known[SENTENCE_MAX / 2] = "";
	size_t used = 0;

	if (!expect_text(loader, key, node))
		return -1;
	for (int i = 0; words[i]; i++)
		if (strcmp(words[i], node->text) == 0)
			return i;
	for (int i = 0; words[i] && used < sizeof(known); i++)
		used += (size_t)snprintf(known + used, sizeof(known) - used, "%s%s", i ? ", " : "",
					 words[i]);
	load_error(loader, node, "%s: \"%s\" is none of %s", key->text, shown(node->text).text,
		   known);
	return -1;
}

void load_verified(struct loader *loader, const struct yaml_node *key,
		   const struct yaml_node *value, void *into)
{
	static const char *const words[] = {
		[VERIFIED_FALSE] = "false",
		[VERIFIED_FIELD] = "field",
		[VERIFIED_VENDOR] = "vendor",
		NULL,
	};
	int word = load_word(loader, key, value, words);

	if (word >= 0)
		*(enum verified *)into = (enum verified)word;
}

void load_pattern(struct loader *loader, const struct yaml_node *node, enum pattern_kind kind,
		  struct pattern **ret)
{
	struct pattern *pattern = NULL;
	char why[PATTERN_WHY_MAX] = "";
	int r;

	r = pattern_compile(node->text, kind, NULL, 0, &pattern, why);
	if (r == -ENOMEM)
		loader->oom = true;
	else if (r < 0)
		load_error(loader, node, "this pattern is wrong: %s", why);
	if (!ret) {
		(void)pattern_free(pattern);
		return;
	}
	(void)pattern_free(*ret);
	*ret = pattern;
}

/* ---- lines ---- */

static bool parse_line(struct loader *loader, const struct yaml_node *key,
		       const struct yaml_node *node, struct template *ret)
{
	const struct template_names names = {
		.knob = loader->knob,
		.vars = loader->vars,
		.n_vars = loader->dialect->n_vars,
	};
	char why[SENTENCE_MAX / 2] = "";
	int r;

	if (!expect_text(loader, key, node))
		return false;
	r = template_parse(node->text, &names, &loader->dialect->arena, ret, why, sizeof(why));
	if (r == -ENOMEM)
		loader->oom = true;
	else if (r < 0)
		load_error(loader, node, "%s: %s", key->text, why);
	else if (!*node->text)
		load_error(loader, node, "%s: a line is empty", key->text);
	ret->where = yaml_position(node);
	ret->width = node->width;
	return r == 0;
}

void load_template(struct loader *loader, const struct yaml_node *key,
		   const struct yaml_node *value, void *into)
{
	(void)parse_line(loader, key, value, into);
}

void load_lines(struct loader *loader, const struct yaml_node *key, const struct yaml_node *value,
		void *into)
{
	const struct yaml_node *items;
	struct template *list;
	struct lines *lines = into;
	size_t n;

	if (!items_of(loader, key, value, &items, &n))
		return;
	list = load_alloc(loader, n, sizeof(*list));
	if (!list)
		return;
	lines->list = list;
	lines->n = 0;
	for (size_t i = 0; i < n; i++)
		if (parse_line(loader, key, &items[i], &list[lines->n]))
			lines->n++;
}

void check_lines(struct loader *loader, const struct lines *lines, unsigned int allowed,
		 const char *what)
{
	static const struct {
		unsigned int use;
		const char *name;
	} names[] = {
		{ USES_PORT, "$port" },	      { USES_KEY, "$key" },
		{ USES_FIELD, "a value" },    { USES_LIST, "$value, which is a list," },
		{ USES_SECONDS, "$seconds" },
	};

	for (size_t i = 0; i < lines->n; i++) {
		const struct template *line = &lines->list[i];

		for (size_t k = 0; k < ARRAY_SIZE(names); k++)
			if (line->uses & names[k].use & ~allowed)
				template_error(loader, line, "%s has no meaning in %s",
					       names[k].name, what);
		if (loader->dialect->rules.exit_status && (line->uses & USES_BARE))
			template_error(loader, line, "a shell reads this: write ${port:shell}");
		if ((line->uses & USES_WORDS) && loader->variant && !loader->variant->words.n)
			template_error(loader, line, "the filter words needs the key words");
	}
}
