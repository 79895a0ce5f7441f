// SPDX-License-Identifier: LGPL-2.1-or-later
/* Appends and cuts. */
#include "lib/base/text.h"

#include <stdarg.h>
#include <stdio.h>

#include "lib/base/macro.h"

void text_put(struct text *text, const char *format, ...)
{
	va_list args;
	int n;

	if (text->used + 1 >= text->size)
		return;
	va_start(args, format);
	n = vsnprintf(text->text + text->used, text->size - text->used, format, args);
	va_end(args);
	if (n > 0)
		text->used = MIN(text->used + (size_t)n, text->size - 1);
}
