// SPDX-License-Identifier: LGPL-2.1-or-later
/* UTF-8 decoding after table 3-7 of the Unicode standard, width, and escaping for messages. */
#include "lib/base/utf8.h"

#include <stdio.h>
#include <string.h>

#include "lib/base/macro.h"

size_t utf8_decode(const char *text, size_t size, uint32_t *ret)
{
	static const uint32_t smallest[] = { 0, 0, 0x80, 0x800, 0x10000 };
	const unsigned char *byte = (const unsigned char *)text;
	uint32_t character;
	size_t length;

	if (size == 0)
		return 0;
	if (byte[0] < 0x80) {
		*ret = byte[0];
		return 1;
	}
	length = byte[0] >= 0xf0 ? 4 : byte[0] >= 0xe0 ? 3 : 2;
	if (byte[0] < 0xc2 || byte[0] > 0xf4 || length > size)
		return 0;
	character = byte[0] & (0x7f >> length);
	for (size_t i = 1; i < length; i++) {
		if ((byte[i] & 0xc0) != 0x80)
			return 0;
		character = character << 6 | (byte[i] & 0x3f);
	}
	if (character < smallest[length] || character > 0x10ffff ||
	    (character >= 0xd800 && character <= 0xdfff))
		return 0;
	*ret = character;
	return length;
}

bool utf8_is_control(uint32_t character)
{
	static const struct {
		uint32_t first;
		uint32_t last;
	} ranges[] = {
		{ 0x00, 0x1f },	    { 0x7f, 0x9f },
		{ 0x200b, 0x200f }, /* zero width, direction marks */
		{ 0x2028, 0x202e }, /* line and paragraph separator, direction overrides */
		{ 0x2066, 0x2069 }, /* direction isolates */
		{ 0xfeff, 0xfeff }, /* byte order mark */
	};

	for (size_t i = 0; i < ARRAY_SIZE(ranges); i++)
		if (character >= ranges[i].first && character <= ranges[i].last)
			return true;
	return false;
}

/*
 * Display width without a locale: the ranges are the wide and fullwidth blocks of Unicode's
 * EastAsianWidth.txt, coarse, and the combining blocks. Names in a fabric file are ASCII; this is
 * for what should be one, file names and texts of the kernel.
 */
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

unsigned int utf8_width(uint32_t character)
{
	if (range_has(combining, ARRAY_SIZE(combining), character))
		return 0;
	return range_has(wide, ARRAY_SIZE(wide), character) ? 2 : 1;
}

size_t utf8_escape(const char *text, size_t size, char ret[UTF8_ESCAPED_MAX])
{
	uint32_t character;
	size_t length = utf8_decode(text, size, &character);

	if (length == 0) {
		(void)snprintf(ret, UTF8_ESCAPED_MAX, "\\x%02x", (unsigned char)*text);
		return 1;
	}
	if (!utf8_is_control(character)) {
		memcpy(ret, text, length);
		ret[length] = '\0';
		return length;
	}
	(void)snprintf(ret, UTF8_ESCAPED_MAX, character < 0x80 ? "\\x%02x" : "\\u%04x", character);
	return length;
}
