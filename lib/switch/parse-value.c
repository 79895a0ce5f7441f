// SPDX-License-Identifier: LGPL-2.1-or-later
/* From what a switch prints for a value to the value: words, lists, quantities. Never guesses. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "lib/base/macro.h"
#include "lib/spec/number.h"
#include "lib/switch/dialect-internal.h"

enum { TEXT_MAX = 512 };

bool plain_parse(const struct switch_field *field, const char *text, uint64_t *ret)
{
	static const char *const bools[] = { "false", "true", NULL };
	const char *const *words = field->unit == UNIT_BOOL ? bools : field->words;
	struct trouble trouble;

	if (field->unit != UNIT_BOOL && field->unit != UNIT_WORD)
		return isdigit((unsigned char)*text) &&
		       strspn(text, "0123456789") == strlen(text) &&
		       number_parse(text, 0, field->max, NULL, ret, &trouble);
	for (uint64_t i = 0; words[i]; i++) {
		if (strcmp(words[i], text) != 0)
			continue;
		*ret = i;
		return true;
	}
	return false;
}

/* ---- words ---- */

/* A copy without blanks around. Returns false if it is too long for any value. */
static bool trim(struct pattern_text text, char ret[TEXT_MAX])
{
	while (text.size > 0 && isspace((unsigned char)text.text[0])) {
		text.text++;
		text.size--;
	}
	while (text.size > 0 && isspace((unsigned char)text.text[text.size - 1]))
		text.size--;
	if (text.size >= TEXT_MAX || (text.size && memchr(text.text, '\0', text.size)))
		return false;
	if (text.size)
		memcpy(ret, text.text, text.size);
	ret[text.size] = '\0';
	return true;
}

/* What the switch's word means: by the words of read, else by those it is written with. */
static const char *plain_of(const struct read_rules *read, const struct words *words,
			    const char *text)
{
	const struct words *used = read->words.n ? &read->words : words;

	for (size_t i = 0; used && i < used->n; i++)
		if (strcmp(used->list[i].vendor, text) == 0)
			return used->list[i].plain;
	return NULL;
}

static bool has_words(const struct read_rules *read, const struct words *words)
{
	return read->words.n > 0 || (words && words->n > 0);
}

/* ---- quantities ---- */

struct measure {
	const char *name;
	uint64_t factor;
};

/* Switches mean 1024 by KB: Cumulus shows 150000 bytes as 146.48 KB. */
static const struct measure sizes[] = {
	{ "", 1 },	  { "b", 1 },	     { "byte", 1 },	 { "bytes", 1 },
	{ "k", 1 << 10 }, { "kb", 1 << 10 }, { "kib", 1 << 10 }, { "kbytes", 1 << 10 },
	{ "m", 1 << 20 }, { "mb", 1 << 20 }, { "mib", 1 << 20 }, { "mbytes", 1 << 20 },
	{ NULL },
};
static const struct measure times[] = {
	{ "", 1 },     { "ms", 1 },	{ "msec", 1 },	     { "milliseconds", 1 },
	{ "s", 1000 }, { "sec", 1000 }, { "seconds", 1000 }, { NULL },
};

static bool measure_find(const struct measure *list, const char *name, uint64_t *ret)
{
	for (; list->name; list++) {
		if (strcasecmp(list->name, name) != 0)
			continue;
		*ret = list->factor;
		return true;
	}
	return false;
}

/* Digits with at most six behind a point, times @factor, to the nearest whole. */
static bool decimal_parse(const char *text, size_t size, uint64_t factor, uint64_t *ret)
{
	uint64_t number = 0, scale = 1;
	bool point = false;

	if (size == 0 || size > 15 || !isdigit((unsigned char)text[0]))
		return false;
	for (size_t i = 0; i < size; i++) {
		if (text[i] == '.' && !point && i + 1 < size) {
			point = true;
			continue;
		}
		if (!isdigit((unsigned char)text[i]) || scale == 1000000)
			return false;
		number = number * 10 + (uint64_t)(text[i] - '0');
		scale *= point ? 10 : 1;
	}
	if (number > (UINT64_MAX - scale) / factor)
		return false;
	*ret = (number * factor + scale / 2) / scale;
	return true;
}

/* "150KiB", "153600 bytes", "146.48 KB"; without a unit it is @bare */
static bool quantity_parse(const char *text, const struct measure *measures, uint64_t bare,
			   uint64_t *ret)
{
	size_t size = strspn(text, "0123456789.");
	const char *name = text + size + strspn(text + size, " ");
	uint64_t factor = bare;

	if (*name && !measure_find(measures, name, &factor))
		return false;
	return decimal_parse(text, size, factor, ret);
}

static uint64_t bare_factor(enum as as)
{
	static const uint64_t factors[] = {
		[AS_PLAIN] = 1,	       [AS_LIST] = 1,	    [AS_RANGES] = 1,
		[AS_BITMASK] = 1,      [AS_QUANTITY] = 1,   [AS_KBYTES] = 1 << 10,
		[AS_MBYTES] = 1 << 20, [AS_SECONDS] = 1000, [AS_TENTHS] = 100,
	};

	static_assert(ARRAY_SIZE(factors) == AS_MAX, "a factor for each");
	return factors[as];
}

static bool number_of(const struct switch_field *field, enum as as, char *text, uint64_t *ret)
{
	size_t size = strlen(text);
	bool known = false;

	switch (field->unit) {
	case UNIT_BYTES:
		known = quantity_parse(text, sizes, bare_factor(as), ret);
		break;
	case UNIT_MS:
		known = quantity_parse(text, times, bare_factor(as), ret);
		break;
	case UNIT_PERCENT:
		if (size > 0 && text[size - 1] == '%')
			text[size - 1] = '\0';
		return plain_parse(field, text, ret);
	case UNIT_NUMBER:
	case UNIT_BOOL:
	case UNIT_WORD:
		return plain_parse(field, text, ret);
	}
	return known && *ret <= field->max;
}

int field_parse(const struct switch_field *field, const struct read_rules *read,
		const struct words *words, struct pattern_text text, uint64_t *ret)
{
	char buffer[TEXT_MAX];
	const char *plain;

	if (!trim(text, buffer))
		return -EINVAL;
	plain = plain_of(read, words, buffer);
	if (!plain && has_words(read, words) &&
	    (field->unit == UNIT_WORD || field->unit == UNIT_BOOL))
		return -EINVAL; /* where the dialect has words, others mean nothing */
	if (!plain)
		return number_of(field, read->as, buffer, ret) ? 0 : -EINVAL;
	if (plain_parse(field, plain, ret)) /* "none" is a trust, too */
		return 0;
	return strcmp(plain, "none") == 0 ? -ENODATA : -EINVAL;
}

/* ---- lists ---- */

static int add_keys(const struct switch_knob_info *knob, uint64_t first, uint64_t last,
		    struct switch_value *ret)
{
	if (first > last || last > knob->key_max)
		return -EINVAL;
	for (uint64_t key = first; key <= last; key++)
		if (switch_value_add(ret, &(struct switch_entry){ .key = (uint32_t)key }) ==
		    -ENOSPC)
			return -EINVAL;
	return 0;
}

/* Hexadecimal, with or without 0x, maybe in parentheses. */
static int bitmask_parse(const struct switch_knob_info *knob, const char *text,
			 struct switch_value *ret)
{
	uint64_t mask = 0;
	size_t n, skip = *text == '(' ? 1 : 0;
	int r = 0;

	if (strncasecmp(text + skip, "0x", 2) == 0)
		skip += 2;
	n = strspn(text + skip, "0123456789abcdefABCDEF");
	if (n == 0 || n > 16 || strcmp(text + skip + n, *text == '(' ? ")" : "") != 0)
		return -EINVAL;
	for (size_t i = skip; i < skip + n; i++) {
		int digit = tolower((unsigned char)text[i]);

		mask = mask << 4 | (uint64_t)(digit <= '9' ? digit - '0' : digit - 'a' + 10);
	}
	for (uint64_t bit = 0; bit < 64 && r == 0; bit++)
		if (mask & (UINT64_C(1) << bit))
			r = add_keys(knob, bit, bit, ret);
	return r;
}

/* One item: a number, or two with a dash between. */
static int item_parse(const struct switch_knob_info *knob, char *text, bool ranges,
		      struct switch_value *ret)
{
	const struct switch_field key = { "key", UNIT_NUMBER, .max = knob->key_max };
	char *dash = ranges ? strchr(text, '-') : NULL;
	uint64_t first, last;

	if (dash)
		*dash = '\0';
	if (!plain_parse(&key, text, &first) || !plain_parse(&key, dash ? dash + 1 : text, &last))
		return -EINVAL;
	return add_keys(knob, first, last, ret);
}

int list_parse(const struct switch_knob_info *knob, const struct read_rules *read,
	       const struct words *words, struct pattern_text text, struct switch_value *ret)
{
	char buffer[TEXT_MAX], *rest = NULL;
	const char *plain;
	int r = 0;

	if (!trim(text, buffer))
		return -EINVAL;
	plain = plain_of(read, words, buffer);
	if (!*buffer || (plain && strcmp(plain, "none") == 0))
		return 0;
	if (read->as == AS_BITMASK)
		return bitmask_parse(knob, buffer, ret);
	for (char *item = strtok_r(buffer, ", ", &rest); item && r == 0;
	     item = strtok_r(NULL, ", ", &rest))
		r = item_parse(knob, item, read->as == AS_RANGES, ret);
	return r;
}

/* ---- ports ---- */

/* A name is a stem and the number at its end. */
struct numbered {
	const char *stem;
	size_t size;
	uint64_t number;
};

/* False if there is no number, or one that no port has. */
static bool numbered_parse(const char *text, size_t size, struct numbered *ret)
{
	size_t digits = 0;

	while (digits < size && isdigit((unsigned char)text[size - 1 - digits]))
		digits++;
	if (digits == 0 || digits > 6)
		return false;
	*ret = (struct numbered){ text, size - digits, 0 };
	for (size_t i = size - digits; i < size; i++)
		ret->number = ret->number * 10 + (uint64_t)(text[i] - '0');
	return true;
}

/*
 * One item, "swp1", "swp1-16" or, behind another, "18": it may have @name in it. @stem is that of
 * the item before.
 */
static bool item_has(const char *item, size_t size, const struct numbered *name,
		     struct numbered *stem)
{
	const char *dash = memrchr(item, '-', size);
	struct numbered first, last;

	if (dash && !numbered_parse(dash + 1, (size_t)(item + size - dash - 1), &last))
		dash = NULL;
	if (dash && last.size > 0) /* swp1-a2: a name with a dash in it */
		dash = NULL;
	if (!numbered_parse(item, dash ? (size_t)(dash - item) : size, &first))
		return false;
	if (first.size > 0)
		*stem = first;
	if (!dash)
		last.number = first.number;
	return stem->size == name->size && stem->size > 0 &&
	       memcmp(stem->stem, name->stem, name->size) == 0 && name->number >= first.number &&
	       name->number <= last.number;
}

bool port_ranges_have(struct pattern_text ports, const char *name)
{
	struct numbered wanted, stem = {};
	bool numbered = numbered_parse(name, strlen(name), &wanted);

	while (ports.size > 0) {
		const char *comma = memchr(ports.text, ',', ports.size);
		size_t size = comma ? (size_t)(comma - ports.text) : ports.size;

		if (size == strlen(name) && memcmp(ports.text, name, size) == 0)
			return true;
		if (numbered && item_has(ports.text, size, &wanted, &stem))
			return true;
		ports.text += size + (comma != NULL);
		ports.size -= size + (comma != NULL);
	}
	return false;
}
