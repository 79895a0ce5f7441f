// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Diagnostics of a text file. Keeps the first DIAG_MAX of each kind by place, whatever the order in
 * which they are found, and makes harmless what comes from the file before it is shown.
 */
#include "lib/base/diag.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/macro.h"
#include "lib/base/utf8.h"

enum {
	MESSAGE_MAX = 512,
	SHOWN_COLUMNS = 100, /* of a source line; longer ones are cut around the caret */
	SHOWN_AFTER = 10,
	SHOWN_BEFORE = 60, /* columns kept before the caret when a line is cut */
};

static const char *const severity_names[] = {
	[SEVERITY_ERROR] = "error",
	[SEVERITY_WARNING] = "warning",
};
static_assert(ARRAY_SIZE(severity_names) == SEVERITY_MAX, "a name for each");

void diags_done(struct diags *diags)
{
	for (size_t i = 0; i < diags->n; i++)
		free(diags->list[i].message);
	free(diags->list);
	*diags = (struct diags){};
}

static int position_compare(struct position a, struct position b)
{
	if (a.line != b.line)
		return a.line < b.line ? -1 : 1;
	if (a.column != b.column)
		return a.column < b.column ? -1 : 1;
	return 0;
}

static int diag_compare(const void *left, const void *right)
{
	const struct diag *a = left, *b = right;
	int order = position_compare(a->where, b->where);

	if (order == 0 && a->severity != b->severity)
		order = a->severity < b->severity ? -1 : 1;
	return order ? order : strcmp(a->message, b->message);
}

/* The last of its kind by place, if the kind is full; NULL while there is room. */
static struct diag *diags_last(const struct diags *diags, enum severity severity)
{
	struct diag *last = NULL;
	size_t n = 0;

	for (size_t i = 0; i < diags->n; i++) {
		struct diag *diag = &diags->list[i];

		if (diag->severity != severity)
			continue;
		n++;
		if (!last || position_compare(diag->where, last->where) >= 0)
			last = diag;
	}
	return n < DIAG_MAX ? NULL : last;
}

bool diags_has(const struct diags *diags, enum severity severity, struct position where)
{
	for (size_t i = 0; i < diags->n; i++)
		if (diags->list[i].severity == severity &&
		    position_compare(diags->list[i].where, where) == 0)
			return true;
	return false;
}

bool diags_keeps(const struct diags *diags, enum severity severity, struct position where)
{
	const struct diag *last = diags_last(diags, severity);

	return !last || position_compare(where, last->where) < 0;
}

static bool diags_said(const struct diags *diags, enum severity severity, struct position where,
		       const char *message)
{
	for (size_t i = 0; i < diags->n; i++) {
		const struct diag *diag = &diags->list[i];

		if (diag->severity == severity && position_compare(diag->where, where) == 0 &&
		    strcmp(diag->message, message) == 0)
			return true;
	}
	return false;
}

static char *message_escape(const char *message)
{
	size_t size = strlen(message), used = 0;
	char *escaped = malloc(size * UTF8_ESCAPED_MAX + 1);

	if (!escaped)
		return NULL;
	for (size_t i = 0; i < size;) {
		i += utf8_escape(message + i, size - i, escaped + used);
		used += strlen(escaped + used);
	}
	escaped[used] = '\0';
	return escaped;
}

void diag_add(struct diags *diags, enum severity severity, struct position where,
	      unsigned int width, const char *format, ...)
{
	char buffer[MESSAGE_MAX];
	struct diag *last = diags_last(diags, severity);
	char *message;
	va_list ap;

	if (last && position_compare(where, last->where) >= 0) {
		diags->count[severity]++;
		return;
	}
	va_start(ap, format);
	(void)vsnprintf(buffer, sizeof(buffer), format, ap);
	va_end(ap);
	message = message_escape(buffer);
	if (message && diags_said(diags, severity, where, message)) {
		free(message);
		return;
	}
	diags->count[severity]++;
	if (!message ||
	    (!last && array_grow(&diags->list, diags->n, &diags->room, sizeof(*diags->list)) < 0)) {
		free(message);
		diags->oom = true;
		return;
	}
	if (!last)
		last = &diags->list[diags->n++];
	free(last->message);
	*last = (struct diag){ severity, where, MAX(width, 1U), message };
}

bool diags_has_errors(const struct diags *diags)
{
	return diags->count[SEVERITY_ERROR] > 0 || diags->oom;
}

/* The line @line of @text, found from *@at, which is the start of line *@at_line. Without its line
 * end and BOM. */
static const char *line_find(const char *text, size_t size, unsigned int line, size_t *at,
			     unsigned int *at_line, size_t *ret_size)
{
	const char *start, *end;

	while (*at_line < line) {
		end = memchr(text + *at, '\n', size - *at);
		if (!end)
			return NULL;
		*at = end - text + 1;
		(*at_line)++;
	}
	start = text + *at;
	end = memchr(start, '\n', size - *at);
	if (!end)
		end = text + size;
	if (line == 1 && end - start >= 3 && memcmp(start, "\xef\xbb\xbf", 3) == 0)
		start += 3;
	if (end > start && end[-1] == '\r')
		end--;
	*ret_size = end - start;
	return start;
}

/* What stands below one character of the source, as wide as it is shown. */
static void mark_write(FILE *out, const char *shown, unsigned int column, const struct diag *diag)
{
	char mark = column < diag->where.column ? ' ' : column == diag->where.column ? '^' : '~';
	uint32_t character = 0;

	if (column >= diag->where.column + diag->width)
		return;
	while (*shown) {
		shown += utf8_decode(shown, strlen(shown), &character) ?: 1;
		for (unsigned int width = utf8_width(character); width > 0; width--) {
			(void)fputc(mark, out);
			mark = mark == '^' ? '~' : mark;
		}
	}
	if (mark == '^') /* below a mark that takes no column */
		(void)fputc(mark, out);
}

/* One line of the source, or (@caret) what stands below it: both walk the same characters. */
static void line_write(FILE *out, const char *line, size_t size, const struct diag *diag,
		       bool caret)
{
	char shown[UTF8_ESCAPED_MAX];
	unsigned int column = 1, first = 1;
	size_t length;

	if (diag->where.column > SHOWN_COLUMNS - SHOWN_AFTER)
		first = diag->where.column - SHOWN_BEFORE;
	if (first > 1)
		(void)fputs(caret ? "   " : "...", out);
	for (size_t i = 0; i < size; i += length, column++) {
		length = utf8_escape(line + i, size - i, shown);
		if (column >= first + SHOWN_COLUMNS) {
			(void)fputs(caret ? "" : "...", out);
			return;
		}
		if (column < first)
			continue;
		if (line[i] == '\t' && (!caret || column < diag->where.column))
			(void)fputc('\t', out);
		else if (caret)
			mark_write(out, shown, column, diag);
		else
			(void)fputs(shown, out);
	}
	if (caret && column <= diag->where.column) /* at the end of the line */
		(void)fprintf(out, "%*s", (int)MIN(diag->where.column - column, 200U) + 1, "^");
}

static bool line_is_blank(const char *line, size_t size)
{
	for (size_t i = 0; i < size; i++)
		if (line[i] != ' ')
			return false;
	return true;
}

void diags_write(const struct diags *diags, FILE *out, const char *name, const char *text,
		 size_t size)
{
	size_t at = 0, length, kept[SEVERITY_MAX] = {};
	unsigned int at_line = 1;

	if (diags->n > 1)
		qsort(diags->list, diags->n, sizeof(*diags->list), diag_compare);
	for (size_t i = 0; i < diags->n; i++) {
		const struct diag *diag = &diags->list[i];
		const char *line = NULL;

		kept[diag->severity]++;
		if (diag->where.line == 0) {
			(void)fprintf(out, "%s: %s: %s\n", name, severity_names[diag->severity],
				      diag->message);
			continue;
		}
		(void)fprintf(out, "%s:%u:%u: %s: %s\n", name, diag->where.line, diag->where.column,
			      severity_names[diag->severity], diag->message);
		if (text)
			line = line_find(text, size, diag->where.line, &at, &at_line, &length);
		if (!line || line_is_blank(line, length))
			continue;
		(void)fprintf(out, "%5u | ", diag->where.line);
		line_write(out, line, length, diag, false);
		(void)fputs("\n      | ", out);
		line_write(out, line, length, diag, true);
		(void)fputc('\n', out);
	}
	for (size_t s = 0; s < SEVERITY_MAX; s++)
		if (diags->count[s] > kept[s])
			(void)fprintf(out, "%s: %zu more %s%s\n", name, diags->count[s] - kept[s],
				      severity_names[s], diags->count[s] - kept[s] == 1 ? "" : "s");
	if (diags->oom)
		(void)fprintf(out, "%s: error: out of memory, more may be wrong than is listed\n",
			      name);
}
