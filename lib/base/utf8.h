/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* UTF-8 as it comes from outside: decoded strictly, and made harmless before it is shown. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { UTF8_ESCAPED_MAX = 12 }; /* bytes of one escaped character, with the terminator */

/*
 * Decode the character at @text. Returns its length in bytes, or 0 if the bytes are not UTF-8
 * (overlong forms, surrogates and what is beyond U+10FFFF included) or @size is 0.
 */
size_t utf8_decode(const char *text, size_t size, uint32_t *ret);

/* True for what must not reach a terminal or a device as it is: controls, line separators,
 * direction marks. */
bool utf8_is_control(uint32_t character);

/* Columns of a terminal: wide East Asian characters take 2, combining marks 0. */
unsigned int utf8_width(uint32_t character);

/*
 * Write the character at @text as it may be shown: itself, or escaped (\x07, \u2028) if it is a
 * control or not UTF-8. Returns the number of bytes consumed, at least 1; @size is at least 1.
 */
size_t utf8_escape(const char *text, size_t size, char ret[UTF8_ESCAPED_MAX]);
