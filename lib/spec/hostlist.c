// SPDX-License-Identifier: LGPL-2.1-or-later
/* Host lists: each bracket multiplies what follows it, within limits. */
#include "lib/spec/hostlist.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/macro.h"

struct expansion {
	struct arena *arena;
	struct hostlist *names;
	struct trouble *trouble;
	const char *text; /* the whole list, for messages */
	char name[HOSTLIST_NAME_BYTES];
	unsigned int brackets;
};

/* What is between two commas of a bracket: one number, or two with a dash between. */
struct range {
	unsigned long first;
	unsigned long last;
	int width;
};

void hostlist_done(struct hostlist *list)
{
	free(list->list);
	*list = (struct hostlist){};
}

static int list_error(struct expansion *expansion, const char *what)
{
	(void)trouble_set(expansion->trouble, "'%s': %s", shown(expansion->text).text, what);
	return -EINVAL;
}

static int name_append(struct expansion *expansion, size_t used, const char *text, size_t size)
{
	if (used + size >= sizeof(expansion->name))
		return list_error(expansion, "a name is too long");
	memcpy(expansion->name + used, text, size);
	expansion->name[used + size] = '\0';
	return 0;
}

static int name_emit(struct expansion *expansion)
{
	struct hostlist *names = expansion->names;
	const char *copy;

	if (names->n == HOSTLIST_NAMES_MAX)
		return list_error(expansion, "more than 65536 names");
	if (array_grow(&names->list, names->n, &names->room, sizeof(*names->list)) < 0)
		return -ENOMEM;
	copy = arena_text(expansion->arena, expansion->name, strlen(expansion->name));
	if (!copy)
		return -ENOMEM;
	names->list[names->n++] = copy;
	return 0;
}

/* Up to nine digits at *@at; -1 if there are none or more. */
static long digits_read(const char **at, const char *end)
{
	const char *start = *at;
	long value = 0;

	while (*at < end && **at >= '0' && **at <= '9' && *at - start < 10)
		value = value * 10 + *(*at)++ - '0';
	return *at == start || *at - start > 9 ? -1 : value;
}

static int range_parse(struct expansion *expansion, const char *text, const char *end,
		       struct range *ret)
{
	const char *at = text, *second;
	long first = digits_read(&at, end), last = first;
	int width = (int)(at - text);

	if (first < 0)
		return list_error(expansion,
				  "a number, or two as 1-8, is expected in the brackets");
	if (at < end && *at == '-') {
		second = ++at;
		last = digits_read(&at, end);
		if (last < 0)
			return list_error(expansion, "a number is expected behind the dash");
		if (last < first)
			return list_error(expansion,
					  "a range has to begin with the smaller number");
		if (at - second < width || (*second == '0' && at - second != width))
			return list_error(expansion, "both ends of a range need the same width");
	}
	if (at != end)
		return list_error(expansion, "only numbers, dashes and commas stand in brackets");
	*ret = (struct range){ first, last, text[0] == '0' ? width : 1 };
	return 0;
}

/* As printf's %0*lu. Returns the number of characters; @text has room for 20 and for @width. */
static int number_format(char *text, unsigned long value, int width)
{
	int n = 1;

	for (unsigned long rest = value / 10; rest > 0; rest /= 10)
		n++;
	n = MAX(n, width);
	for (int i = n - 1; i >= 0; i--, value /= 10)
		text[i] = (char)('0' + value % 10);
	return n;
}

static int rest_expand(struct expansion *expansion, size_t used, const char *rest, const char *end);

static int range_expand(struct expansion *expansion, size_t used, const struct range *range,
			const char *rest, const char *end)
{
	char number[24];
	int r, n;

	for (unsigned long value = range->first; value <= range->last; value++) {
		n = number_format(number, value, range->width);
		r = name_append(expansion, used, number, n);
		if (r >= 0)
			r = rest_expand(expansion, used + n, rest, end);
		if (r < 0)
			return r;
	}
	return 0;
}

static int bracket_expand(struct expansion *expansion, size_t used, const char *open,
			  const char *end)
{
	const char *close = memchr(open, ']', end - open), *comma;
	struct range range;
	int r;

	if (!close)
		return list_error(expansion, "a [ without ]");
	if (expansion->brackets == HOSTLIST_BRACKETS_MAX)
		return list_error(expansion, "too many brackets");
	expansion->brackets++;
	for (const char *at = open + 1; at <= close; at = comma + 1) {
		comma = memchr(at, ',', close - at);
		if (!comma)
			comma = close;
		r = range_parse(expansion, at, comma, &range);
		if (r >= 0)
			r = range_expand(expansion, used, &range, close + 1, end);
		if (r < 0)
			return r;
	}
	expansion->brackets--;
	return 0;
}

/* @used bytes of the name are there; what follows is @rest. At most HOSTLIST_BRACKETS_MAX deep. */
static int rest_expand(struct expansion *expansion, size_t used, const char *rest, const char *end)
{
	const char *open = memchr(rest, '[', end - rest), *literal_end = open ? open : end;
	int r;

	if (memchr(rest, ']', literal_end - rest))
		return list_error(expansion, "a ] without [");
	r = name_append(expansion, used, rest, literal_end - rest);
	if (r < 0)
		return r;
	if (open)
		return bracket_expand(expansion, used + (literal_end - rest), open, end);
	return name_emit(expansion);
}

/* The comma that ends the name at @text, or the end of the text. */
static const char *name_end(const char *text, bool commas)
{
	bool inside = false;

	for (; *text && (inside || !commas || *text != ','); text++)
		inside = *text == '[' || (inside && *text != ']');
	return text;
}

int hostlist_expand(const char *text, bool commas, struct arena *arena, struct hostlist *ret,
		    struct trouble *ret_trouble)
{
	struct expansion expansion = {
		.arena = arena, .names = ret, .trouble = ret_trouble, .text = text
	};
	const char *end;
	int r;

	*ret = (struct hostlist){};
	do {
		end = name_end(text, commas);
		if (end == text)
			return list_error(&expansion, "a name is empty");
		r = rest_expand(&expansion, 0, text, end);
		text = end + 1;
	} while (r >= 0 && *end);
	return r;
}
