// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Display width without a locale: the ranges are the wide and fullwidth blocks of Unicode's
 * EastAsianWidth.txt, coarse, and the combining blocks. Names in a fabric file are ASCII; this is
 * for file names and texts of the kernel.
 */
#include "lib/report/width.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/macro.h"
#include "lib/base/utf8.h"

struct range {
	uint32_t first;
	uint32_t last;
};

static const struct range wide[] = {
	{ 0x1100, 0x115f }, { 0x2e80, 0xa4cf },	  { 0xac00, 0xd7a3 },
	{ 0xf900, 0xfaff }, { 0xfe30, 0xfe6f },	  { 0xff00, 0xff60 },
	{ 0xffe0, 0xffe6 }, { 0x1f300, 0x1faff }, { 0x20000, 0x3fffd },
};

static const struct range combining[] = {
	{ 0x0300, 0x036f }, { 0x1ab0, 0x1aff }, { 0x1dc0, 0x1dff },
	{ 0x20d0, 0x20ff }, { 0xfe00, 0xfe0f },
};

static bool range_has(const struct range *list, size_t n, uint32_t code)
{
	for (size_t i = 0; i < n; i++)
		if (code >= list[i].first && code <= list[i].last)
			return true;
	return false;
}

unsigned int character_width(const char *text, size_t *ret_bytes)
{
	uint32_t code = 0;
	size_t n = utf8_decode(text, strnlen(text, 4), &code);

	*ret_bytes = n ? n : 1;
	if (n == 0)
		return 1;
	if (range_has(combining, ARRAY_SIZE(combining), code))
		return 0;
	return range_has(wide, ARRAY_SIZE(wide), code) ? 2 : 1;
}

unsigned int text_width(const char *text, size_t size)
{
	unsigned int width = 0;
	size_t n;

	for (size_t at = 0; at < size; at += n)
		width += character_width(text + at, &n);
	return width;
}

char *text_printable(const char *text)
{
	size_t size = strlen(text), used = 0;
	char *copy = malloc(size * (UTF8_ESCAPED_MAX - 1) + 1);

	if (!copy)
		return NULL;
	while (size > 0) {
		char shown[UTF8_ESCAPED_MAX];
		size_t n = utf8_escape(text, size, shown);

		memcpy(copy + used, shown, strlen(shown));
		used += strlen(shown);
		text += n;
		size -= n;
	}
	copy[used] = '\0';
	return copy;
}

char *printable_format(const char *format, va_list arguments)
{
	_cleanup_free_ char *text = NULL;

	if (vasprintf(&text, format, arguments) < 0) {
		text = NULL;
		return NULL;
	}
	return text_printable(text);
}

void printable_put(FILE *out, const char *format, ...)
{
	_cleanup_free_ char *text = NULL;
	va_list arguments;

	va_start(arguments, format);
	text = printable_format(format, arguments);
	va_end(arguments);
	(void)fputs(text ?: "", out);
}
