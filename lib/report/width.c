// SPDX-License-Identifier: LGPL-2.1-or-later
/* Text of others, for a terminal. */
#include "lib/report/width.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/utf8.h"

unsigned int character_width(const char *text, size_t *ret_bytes)
{
	uint32_t code = 0;
	size_t n = utf8_decode(text, strnlen(text, 4), &code);

	*ret_bytes = n ? n : 1;
	if (n == 0)
		return 1;
	return utf8_width(code);
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
