// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Aligned columns: widths are counted as a terminal shows them, cells are wrapped at words, colours
 * come last.
 */
#include "lib/report/table.h"

#include <stdarg.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/macro.h"
#include "lib/report/width.h"

enum { GAP = 2, NARROWEST = 16 };

static const char *const tint_codes[] = {
	[TINT_NONE] = "",	    [TINT_TITLE] = "\033[1m", [TINT_GOOD] = "\033[32m",
	[TINT_CHANGE] = "\033[33m", [TINT_BAD] = "\033[31m",
};
static_assert(ARRAY_SIZE(tint_codes) == TINT_MAX, "every tint has a code");

void table_done(struct table *table)
{
	for (size_t i = 0; i < table->n_rows; i++)
		for (size_t c = 0; c < TABLE_COLUMNS_MAX; c++)
			free(table->rows[i].cell[c].text);
	free(table->rows);
	table->rows = NULL;
	table->n_rows = table->room = 0;
}

void table_row(struct table *table)
{
	if (array_grow(&table->rows, table->n_rows, &table->room, sizeof(*table->rows)) < 0) {
		table->oom = true;
		return;
	}
	table->rows[table->n_rows++] = (struct table_row){};
}

void table_cell(struct table *table, size_t column, enum tint tint, const char *format, ...)
{
	_cleanup_free_ char *text = NULL;
	struct table_cell *cell;
	va_list arguments;

	if (table->oom)
		return;
	va_start(arguments, format);
	if (vasprintf(&text, format, arguments) < 0)
		text = NULL;
	va_end(arguments);
	cell = &table->rows[table->n_rows - 1].cell[column];
	free(cell->text);
	*cell = (struct table_cell){ .text = text ? text_printable(text) : NULL, .tint = tint };
	if (!cell->text)
		table->oom = true;
}

/*
 * What stands in a cell: nothing to show is a dash, so that columns stay readable; a note may be
 * empty.
 */
static const char *cell_text(const struct table *table, const struct table_row *row, size_t column)
{
	const char *text = row->cell[column].text;

	if (text && *text)
		return text;
	return table->columns[column].shrink == TABLE_SHRINKS_FIRST ? "" : "–";
}

static unsigned int natural_width(const struct table *table, size_t column)
{
	const char *title = table->columns[column].title;
	unsigned int width = table->headless ? 0 : text_width(title, strlen(title));

	for (size_t i = 0; i < table->n_rows; i++) {
		const char *text = cell_text(table, &table->rows[i], column);

		width = MAX(width, text_width(text, strlen(text)));
	}
	return width;
}

static unsigned int total_width(const unsigned int *widths, size_t n)
{
	unsigned int total = GAP * (unsigned int)(n - 1);

	for (size_t i = 0; i < n; i++)
		total += widths[i];
	return total;
}

/* Take from the columns of one rank, the widest first, until all fits or none can give more. */
static void shrink_rank(const struct table *table, unsigned int *widths, enum table_shrink rank,
			unsigned int limit)
{
	while (total_width(widths, table->n_columns) > limit) {
		unsigned int excess = total_width(widths, table->n_columns) - limit;
		size_t widest = table->n_columns;

		for (size_t c = 0; c < table->n_columns; c++)
			if (table->columns[c].shrink == rank && widths[c] > NARROWEST &&
			    (widest == table->n_columns || widths[c] > widths[widest]))
				widest = c;
		if (widest == table->n_columns)
			return;
		widths[widest] -= MIN(excess, widths[widest] - NARROWEST);
	}
}

static void layout(const struct table *table, unsigned int limit, unsigned int *widths)
{
	for (size_t c = 0; c < table->n_columns; c++)
		widths[c] = natural_width(table, c);
	if (limit == 0)
		return;
	shrink_rank(table, widths, TABLE_SHRINKS_FIRST, limit);
	shrink_rank(table, widths, TABLE_SHRINKS_LAST, limit);
}

/*
 * How many bytes of @text go on a line of @width columns: up to a blank, or through a word that is
 * longer than that.
 */
static size_t line_bytes(const char *text, unsigned int width)
{
	size_t at = 0, last_blank = 0, n;
	unsigned int columns = 0;

	while (text[at]) {
		unsigned int w = character_width(text + at, &n);

		if (columns + w > width)
			break;
		if (text[at] == ' ')
			last_blank = at;
		columns += w;
		at += n;
	}
	if (text[at] == '\0' || text[at] == ' ')
		return at;
	return last_blank ? last_blank : at ? at : n;
}

static void write_padding(unsigned int n, FILE *out)
{
	while (n--)
		(void)fputc(' ', out);
}

static void write_tinted(const struct report_style *style, enum tint tint, const char *text,
			 size_t size, FILE *out)
{
	bool colour = style->colour && tint != TINT_NONE && size > 0;

	if (colour)
		(void)fputs(tint_codes[tint], out);
	(void)fwrite(text, 1, size, out);
	if (colour)
		(void)fputs("\033[0m", out);
}

void tint_write(const struct report_style *style, enum tint tint, const char *text, FILE *out)
{
	write_tinted(style, tint, text, strlen(text), out);
}

/*
 * One line of a row: what is left of each cell; what it printed is taken away. Trailing blanks are
 * never written.
 */
static bool write_line(const struct table *table, const struct report_style *style,
		       const unsigned int *widths, const char **rest, const enum tint *tints,
		       FILE *out)
{
	unsigned int owed = 0;
	bool more = false;

	for (size_t c = 0; c < table->n_columns; c++) {
		size_t size = line_bytes(rest[c], widths[c]);

		if (size > 0) {
			write_padding(owed, out);
			write_tinted(style, tints[c], rest[c], size, out);
			owed = 0;
		}
		owed += widths[c] - MIN(widths[c], text_width(rest[c], size)) + GAP;
		rest[c] += size;
		while (*rest[c] == ' ')
			rest[c]++;
		more = more || *rest[c];
	}
	(void)fputc('\n', out);
	return more;
}

static void write_titles(const struct table *table, const struct report_style *style,
			 const unsigned int *widths, FILE *out)
{
	const char *rest[TABLE_COLUMNS_MAX];
	enum tint tints[TABLE_COLUMNS_MAX];

	for (size_t c = 0; c < table->n_columns; c++) {
		rest[c] = table->columns[c].title;
		tints[c] = TINT_TITLE;
	}
	while (write_line(table, style, widths, rest, tints, out))
		;
}

/* A last column of notes that has none is left out, title and all. */
static size_t visible_columns(const struct table *table)
{
	size_t last = table->n_columns - 1;

	if (table->columns[last].shrink != TABLE_SHRINKS_FIRST || last == 0)
		return table->n_columns;
	for (size_t i = 0; i < table->n_rows; i++)
		if (*cell_text(table, &table->rows[i], last))
			return table->n_columns;
	return last;
}

static void write_rows(const struct table *table, const struct report_style *style,
		       const unsigned int *widths, FILE *out)
{
	for (size_t i = 0; i < table->n_rows; i++) {
		const char *rest[TABLE_COLUMNS_MAX];
		enum tint tints[TABLE_COLUMNS_MAX];

		for (size_t c = 0; c < table->n_columns; c++) {
			rest[c] = cell_text(table, &table->rows[i], c);
			tints[c] = table->rows[i].cell[c].tint;
		}
		while (write_line(table, style, widths, rest, tints, out))
			;
	}
}

void table_write(const struct table *table, const struct report_style *style, FILE *out)
{
	struct table shown = *table;
	unsigned int widths[TABLE_COLUMNS_MAX];

	shown.n_columns = visible_columns(table);
	layout(&shown, style->width, widths);
	if (!shown.headless)
		write_titles(&shown, style, widths, out);
	write_rows(&shown, style, widths, out);
	if (shown.oom)
		(void)fputs("(memory ran out: lines are missing here; see --json)\n", out);
}
