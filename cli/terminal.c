// SPDX-License-Identifier: LGPL-2.1-or-later
/* Colours follow https://no-color.org: NO_COLOR set and not empty turns them off. */
#include "cli/terminal.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "lib/report/width.h"

enum { WIDTH_UNKNOWN = 80 };

bool terminal_is(FILE *stream)
{
	return isatty(fileno(stream)) == 1;
}

static bool colours_wanted(void)
{
	const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");

	return !(no_color && *no_color) && term && strcmp(term, "dumb") != 0;
}

unsigned int terminal_rows(FILE *stream)
{
	struct winsize size = {};

	return ioctl(fileno(stream), TIOCGWINSZ, &size) < 0 ? 0 : size.ws_row;
}

struct report_style terminal_style(FILE *stream)
{
	struct winsize size = {};

	if (!terminal_is(stream))
		return (struct report_style){};
	if (ioctl(fileno(stream), TIOCGWINSZ, &size) < 0 || size.ws_col == 0)
		size.ws_col = WIDTH_UNKNOWN;
	return (struct report_style){ .colour = colours_wanted(), .width = size.ws_col };
}

void say(const char *format, ...)
{
	_cleanup_free_ char *text = NULL, *shown = NULL;
	va_list arguments;
	int r;

	va_start(arguments, format);
	r = vasprintf(&text, format, arguments);
	va_end(arguments);
	if (r < 0)
		text = NULL;
	shown = text ? text_printable(text) : NULL;
	(void)fprintf(stderr, "losslessctl: %s\n", shown ?: "out of memory");
}
