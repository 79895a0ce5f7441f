// SPDX-License-Identifier: LGPL-2.1-or-later
/* Folds names that end alike; the other way round stands in lib/spec/hostlist.c. */
#include "lib/report/names.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/cleanup.h"

enum { FOLDED_MIN = 3, DIGITS_MAX = 9 };

struct name {
	const char *text;
	size_t at;		/* of its last number */
	size_t digits;		/* of it; 0: it has none */
	unsigned long number;
	bool told;
};

static void name_split(const char *text, struct name *ret)
{
	size_t end = strlen(text);

	*ret = (struct name){ .text = text };
	while (end > 0 && !isdigit((unsigned char)text[end - 1]))
		end--;
	ret->at = end;
	while (ret->at > 0 && isdigit((unsigned char)text[ret->at - 1]))
		ret->at--;
	ret->digits = end - ret->at <= DIGITS_MAX ? end - ret->at : 0;
	if (ret->digits)
		ret->number = strtoul(text + ret->at, NULL, 10);
}

/* 07 and 7 are two names, and a range could mean only one of them. */
static bool leads_with_zero(const struct name *name)
{
	return name->digits > 1 && name->text[name->at] == '0';
}

static bool folds(const struct name *a, const struct name *b)
{
	if (!a->digits || !b->digits || a->at != b->at || memcmp(a->text, b->text, a->at) != 0 ||
	    strcmp(a->text + a->at + a->digits, b->text + b->at + b->digits) != 0)
		return false;
	return a->digits == b->digits || (!leads_with_zero(a) && !leads_with_zero(b));
}

static int number_compare(const void *left, const void *right)
{
	const struct name *a = *(const struct name *const *)left;
	const struct name *b = *(const struct name *const *)right;

	return a->number < b->number ? -1 : a->number > b->number;
}

/* "prefix[1-3,5]suffix" of those in @group, by number. */
static void write_folded(const struct name **group, size_t n, FILE *out)
{
	const struct name *first = group[0];
	const char *separator = "";

	qsort(group, n, sizeof(*group), number_compare);
	(void)fprintf(out, "%.*s[", (int)first->at, first->text);
	for (size_t i = 0, last; i < n; i = last + 1) {
		last = i;
		while (last + 1 < n && group[last + 1]->number <= group[last]->number + 1)
			last++;
		(void)fprintf(out, "%s%.*s", separator, (int)group[i]->digits,
			      group[i]->text + group[i]->at);
		if (group[last]->number > group[i]->number)
			(void)fprintf(out, "-%.*s", (int)group[last]->digits,
				      group[last]->text + group[last]->at);
		separator = ",";
	}
	(void)fprintf(out, "]%s", first->text + first->at + first->digits);
}

/* The item that begins with names[i]. Returns how many names it tells. */
static size_t write_item(struct name *names, size_t n, size_t i, const struct name **group,
			 FILE *out)
{
	size_t found = 0;

	for (size_t k = i; k < n; k++)
		if (!names[k].told && (k == i || folds(&names[i], &names[k])))
			group[found++] = &names[k];
	if (found < FOLDED_MIN)
		found = 1;
	for (size_t k = 0; k < found; k++)
		names[group[k] - names].told = true;
	if (found == 1)
		(void)fputs(names[i].text, out);
	else
		write_folded(group, found, out);
	return found;
}

static void write_items(struct name *names, size_t n, size_t max, const struct name **group,
			FILE *out)
{
	size_t items = 0, told = 0;

	for (size_t i = 0; i < n; i++) {
		if (names[i].told)
			continue;
		if (max && items == max) {
			(void)fprintf(out, " and %zu more", n - told);
			return;
		}
		(void)fputs(items++ ? ", " : "", out);
		told += write_item(names, n, i, group, out);
	}
}

char *names_fold(const char *const *names, size_t n, size_t max)
{
	_cleanup_free_ struct name *list = calloc(n + 1, sizeof(*list));
	_cleanup_free_ const struct name **group = calloc(n + 1, sizeof(*group));
	char *text = NULL;
	size_t size = 0;
	FILE *out;

	if (!list || !group)
		return NULL;
	out = open_memstream(&text, &size);
	if (!out)
		return NULL;
	for (size_t i = 0; i < n; i++)
		name_split(names[i], &list[i]);
	write_items(list, n, max, group, out);
	if (fclose(out) != 0) {
		free(text);
		return NULL;
	}
	return text;
}
