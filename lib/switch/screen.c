// SPDX-License-Identifier: LGPL-2.1-or-later
/* Bytes of a switch as lines; ECMA-48 as far as command lines use it. */
#include "lib/switch/screen.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/macro.h"

enum {
	ROOM_FIRST = 1024,
	NUMBER_MAX = 512, /* columns that one sequence moves */
	ESC = 0x1b,
	BELL = 0x07,
};

/* ---- buffers ---- */

static void buffer_done(struct screen_buffer *buffer)
{
	if (buffer->text)
		explicit_bzero(buffer->text, buffer->room);
	free(buffer->text);
	*buffer = (struct screen_buffer){};
}

/* Not realloc(): that leaves a copy behind. */
static int buffer_room(struct screen_buffer *buffer, size_t wanted)
{
	struct screen_buffer grown = { .n = buffer->n, .room = buffer->room };

	if (wanted <= buffer->room)
		return 0;
	grown.room = MAX(2 * buffer->room, wanted);
	grown.room = MAX(grown.room, (size_t)ROOM_FIRST);
	grown.text = malloc(grown.room);
	if (!grown.text)
		return -ENOMEM;
	if (buffer->n > 0)
		memcpy(grown.text, buffer->text, buffer->n);
	buffer_done(buffer);
	*buffer = grown;
	return 0;
}

static int buffer_put(struct screen_buffer *buffer, const char *data, size_t size)
{
	int r = buffer_room(buffer, buffer->n + size);

	if (r < 0)
		return r;
	if (size > 0)
		memcpy(buffer->text + buffer->n, data, size);
	buffer->n += size;
	return 0;
}

void screen_done(struct screen *screen)
{
	buffer_done(&screen->text);
	buffer_done(&screen->line);
	buffer_done(&screen->echo);
	*screen = (struct screen){};
}

/* ---- echo ---- */

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static size_t squeezed_size(const char *text)
{
	size_t n = 0;

	for (; *text; text++)
		n += !is_blank(*text);
	return n;
}

/* Are the @size bytes at @text @wanted without its blanks? */
static bool is_squeezed(const char *text, size_t size, const char *wanted)
{
	size_t n = 0;

	for (; *wanted; wanted++) {
		if (is_blank(*wanted))
			continue;
		if (n >= size || text[n] != *wanted)
			return false;
		n++;
	}
	return n == size;
}

/* Only the end can be the echo: what a switch says of itself may come before it. */
static int echo_put(struct screen *screen, char c)
{
	struct screen_buffer *echo = &screen->echo;
	size_t wanted = screen->expected_size;

	if (echo->n >= 2 * wanted + 1) {
		memmove(echo->text, echo->text + echo->n - wanted, wanted);
		echo->n = wanted;
	}
	return buffer_put(echo, &c, 1);
}

static bool echo_ended(const struct screen *screen)
{
	const struct screen_buffer *echo = &screen->echo;
	size_t wanted = screen->expected_size;

	if (wanted == 0)
		return true;
	return echo->n >= wanted &&
	       is_squeezed(echo->text + echo->n - wanted, wanted, screen->expected);
}

/* ---- the last line ---- */

static int pad(struct screen *screen, size_t column)
{
	struct screen_buffer *line = &screen->line;
	int r;

	if (column > SCREEN_LINE_MAX)
		return -E2BIG;
	r = buffer_room(line, column);
	if (r < 0 || column <= line->n)
		return r;
	memset(line->text + line->n, ' ', column - line->n);
	line->n = column;
	return 0;
}

static int put(struct screen *screen, char c)
{
	int r = pad(screen, screen->cursor + 1);

	if (r < 0)
		return r;
	screen->line.text[screen->cursor++] = c;
	return screen->expected && !is_blank(c) ? echo_put(screen, c) : 0;
}

size_t screen_line_trimmed(const struct screen *screen)
{
	size_t n = screen->line.n;

	while (n > 0 && is_blank(screen->line.text[n - 1]))
		n--;
	return n;
}

static bool is_left_over(const struct screen *screen)
{
	char line[256];
	size_t n = 0;

	for (size_t i = 0; i < screen->line.n; i++) {
		if (is_blank(screen->line.text[i]))
			continue;
		if (n == sizeof(line))
			return false;
		line[n++] = screen->line.text[i];
	}
	n = n == 0 || is_squeezed(line, n, screen->cut);
	explicit_bzero(line, sizeof(line));
	return n;
}

static void line_clear(struct screen *screen)
{
	screen->line.n = 0;
	screen->cursor = 0;
	screen->cut = NULL;
}

static int line_keep(struct screen *screen)
{
	size_t size = screen->cut ? screen_line_trimmed(screen) : screen->line.n;
	int r = buffer_put(&screen->text, screen->line.text, size);

	return r < 0 ? r : buffer_put(&screen->text, "\n", 1);
}

static int line_end(struct screen *screen)
{
	int r = 0;

	if (screen->expected && echo_ended(screen)) {
		screen_expect(screen, NULL);
		return 0;
	}
	if (!screen->cut || !is_left_over(screen))
		r = line_keep(screen);
	line_clear(screen);
	return r;
}

static void erase(struct screen *screen, unsigned int what)
{
	struct screen_buffer *line = &screen->line;

	if (what == 2)
		line->n = 0;
	else if (what == 0)
		line->n = MIN(line->n, screen->cursor);
	else if (what == 1 && line->n > 0)
		memset(line->text, ' ', MIN(line->n, screen->cursor));
}

/* ---- sequences ---- */

static int csi_end(struct screen *screen, char c)
{
	size_t n = MAX(screen->number, 1U);

	screen->state = SCREEN_TEXT;
	switch (c) {
	case 'D':
		screen->cursor -= MIN(n, screen->cursor);
		return 0;
	case 'C':
		screen->cursor += n;
		return screen->cursor > SCREEN_LINE_MAX ? -E2BIG : 0;
	case 'G':
		screen->cursor = n - 1;
		return 0;
	case 'K':
	case 'J':
		erase(screen, screen->number);
		return 0;
	case 'H':
	case 'f': /* to another place of the screen: for us a new line */
		return screen_line_trimmed(screen) > 0 ? line_end(screen) : 0;
	}
	return 0;
}

static int csi(struct screen *screen, char c)
{
	if (c >= '@' && c <= '~')
		return csi_end(screen, c);
	if (c >= '0' && c <= '9' && !screen->numbers)
		screen->number = MIN(screen->number * 10 + (unsigned int)(c - '0'),
				     (unsigned int)NUMBER_MAX);
	else if (c == ';')
		screen->numbers = true;
	else if ((unsigned char)c < 0x20 || (unsigned char)c >= 0x7f)
		screen->state = SCREEN_TEXT; /* no sequence after all */
	return 0;
}

static int escape(struct screen *screen, char c)
{
	screen->state = SCREEN_TEXT;
	screen->number = 0;
	screen->numbers = false;
	if (c == '[')
		screen->state = SCREEN_CSI;
	else if (strchr("]PX^_", c) && c)
		screen->state = SCREEN_STRING;
	else if (c >= ' ' && c <= '/')
		screen->state = SCREEN_ONE_MORE;
	else if (c == 'E')
		return line_end(screen);
	return 0;
}

static int text(struct screen *screen, char c)
{
	switch (c) {
	case ESC:
		screen->state = SCREEN_ESCAPE;
		return 0;
	case '\n':
		return line_end(screen);
	case '\r':
		screen->cursor = 0;
		return 0;
	case '\b':
		screen->cursor -= screen->cursor > 0;
		return 0;
	}
	if (((unsigned char)c < 0x20 && c != '\t') || c == 0x7f)
		return 0;
	return put(screen, c);
}

static int feed(struct screen *screen, char c)
{
	switch (screen->state) {
	case SCREEN_TEXT:
		return text(screen, c);
	case SCREEN_ESCAPE:
		return escape(screen, c);
	case SCREEN_CSI:
		return csi(screen, c);
	case SCREEN_STRING:
		if (c == BELL || c == '\n')
			screen->state = SCREEN_TEXT;
		else if (c == ESC)
			screen->state = SCREEN_STRING_ESCAPE;
		return 0;
	case SCREEN_STRING_ESCAPE:
		screen->state = c == '\\' ? SCREEN_TEXT : SCREEN_STRING;
		return 0;
	case SCREEN_ONE_MORE:
		screen->state = SCREEN_TEXT;
		return 0;
	}
	return 0;
}

int screen_feed(struct screen *screen, const char *data, size_t size)
{
	size_t limit = screen->limit ? screen->limit : SCREEN_LINE_MAX;

	for (size_t i = 0; i < size; i++) {
		int r = feed(screen, data[i]);

		if (r < 0)
			return r;
		if (screen->text.n + screen->line.n > limit)
			return -E2BIG;
	}
	return 0;
}

void screen_expect(struct screen *screen, const char *line)
{
	screen->text.n = 0;
	screen->echo.n = 0;
	screen->expected = line;
	screen->expected_size = line ? squeezed_size(line) : 0;
	line_clear(screen);
}

void screen_cut(struct screen *screen, const char *answer)
{
	line_clear(screen);
	screen->cut = answer;
}

void screen_forget(struct screen *screen)
{
	screen->expected = NULL;
	screen->cut = screen->cut ? "" : NULL;
}
