// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Display width without a locale: the ranges are the wide and fullwidth blocks of Unicode's
 * EastAsianWidth.txt, coarse, and the combining blocks. Names in a fabric file are ASCII; this is
 * for file names and texts of the kernel.
 */
#include "lib/report/utf8.h"

#include <stdbool.h>
#include <stdint.h>

#include "lib/base/macro.h"

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
	{ 0x200b, 0x200f }, { 0x20d0, 0x20ff }, { 0xfe00, 0xfe0f },
};

static bool range_has(const struct range *list, size_t n, uint32_t code)
{
	for (size_t i = 0; i < n; i++)
		if (code >= list[i].first && code <= list[i].last)
			return true;
	return false;
}

/*
 * Length of a valid character, its code in @ret; 0 if the bytes are none (overlong, surrogate, out
 * of range, cut).
 */
static size_t decode(const unsigned char *text, uint32_t *ret)
{
	static const uint32_t smallest[] = { 0, 0, 0x80, 0x800, 0x10000 };
	size_t n = text[0] < 0x80 ? 1 :
		   text[0] < 0xc0 ? 0 :
		   text[0] < 0xe0 ? 2 :
		   text[0] < 0xf0 ? 3 :
		   text[0] < 0xf8 ? 4 :
				    0;
	uint32_t code;

	if (n == 0)
		return 0;
	code = n == 1 ? text[0] : text[0] & (0x7f >> n);
	for (size_t i = 1; i < n; i++) {
		if ((text[i] & 0xc0) != 0x80)
			return 0;
		code = code << 6 | (text[i] & 0x3f);
	}
	if (code < smallest[n] || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff))
		return 0;
	*ret = code;
	return n;
}

unsigned int utf8_character(const char *text, size_t *ret_bytes)
{
	uint32_t code = 0;
	size_t n = decode((const unsigned char *)text, &code);

	*ret_bytes = n ? n : 1;
	if (n == 0)
		return 1;
	if (range_has(combining, ARRAY_SIZE(combining), code))
		return 0;
	return range_has(wide, ARRAY_SIZE(wide), code) ? 2 : 1;
}

unsigned int utf8_width(const char *text)
{
	unsigned int width = 0;
	size_t n;

	for (; *text; text += n)
		width += utf8_character(text, &n);
	return width;
}

void utf8_clean(char *text)
{
	uint32_t code;

	while (*text) {
		size_t n = decode((const unsigned char *)text, &code);

		if (n == 0 || code < 0x20 || (code >= 0x7f && code < 0xa0)) {
			for (size_t i = 0; i < (n ? n : 1); i++)
				text[i] = '?';
		}
		text += n ? n : 1;
	}
}
