// SPDX-License-Identifier: LGPL-2.1-or-later
/* Progress for people who wait. */
#include "cli/progress.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/terminal.h"
#include "lib/base/cleanup.h"
#include "lib/report/width.h"

/* How many bytes of @text a line of @width columns takes. */
static size_t fitting(const char *text, unsigned int width)
{
	unsigned int columns = 0;
	size_t at = 0, n;

	while (text[at]) {
		columns += character_width(text + at, &n);
		if (columns > width)
			break;
		at += n;
	}
	return at;
}

void progress_line(bool wanted, const char *format, ...)
{
	_cleanup_free_ char *text = NULL, *shown = NULL;
	unsigned int width;
	va_list arguments;
	int r;

	if (!wanted)
		return;
	va_start(arguments, format);
	r = vasprintf(&text, format, arguments);
	va_end(arguments);
	if (r < 0) {
		text = NULL;
		return;
	}
	shown = text_printable(text);
	if (!shown)
		return;
	width = terminal_style(stderr).width;
	/* The last column stays free: some terminals begin a new line there */
	(void)fprintf(stderr, "\r\033[K%.*s", (int)fitting(shown, width ? width - 1 : 0), shown);
	(void)fflush(stderr);
}

void progress_step(bool wanted, size_t number, size_t total, const char *target, const char *knobs,
		   const char *what)
{
	bool over = strcmp(what, "begun") != 0;

	if (over && number == total)
		progress_line(wanted, "[%zu/%zu] waiting for links, reading back", number, total);
	else
		progress_line(wanted, "[%zu/%zu] %s %s%s%s", number, total, target, knobs,
			      over ? ": " : "", over ? what : "");
}

void progress_end(bool wanted)
{
	if (wanted)
		(void)fputs("\r\033[K", stderr);
}
