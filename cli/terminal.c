// SPDX-License-Identifier: LGPL-2.1-or-later
/* Colours follow https://no-color.org: NO_COLOR set and not empty turns them off. */
#include "cli/terminal.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

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
