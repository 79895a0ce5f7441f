// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Aligned columns: widths are counted as a terminal shows them, cells are wrapped at words, colours
 * come last.
 */
#include "lib/report/table.h"

#include <limits.h>
#include <stdarg.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/macro.h"
#include "lib/report/width.h"

enum {
	GAP = 2,
	NARROWEST = 16,
	NARROWEST_OF_ALL = 8, /* where even that does not fit */
	INDENT = 4, /* of what stands below a row */
};

/* The columns that are shown, and how wide. */
struct layout {
	size_t n;
	bool below; /* the last column of the table stands below each row */
	size_t column[TABLE_COLUMNS_MAX];
	unsigned int width[TABLE_COLUMNS_MAX];
};

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
	struct table_cell *cell;
	va_list arguments;

	if (table->oom)
		return;
	cell = &table->rows[table->n_rows - 1].cell[column];
	free(cell->text);
	va_start(arguments, format);
	*cell = (struct table_cell){ .text = printable_format(format, arguments), .tint = tint };
	va_end(arguments);
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

static unsigned int total_width(const struct layout *layout)
{
	unsigned int total = GAP * (unsigned int)(layout->n - 1);

	for (size_t i = 0; i < layout->n; i++)
		total += layout->width[i];
	return total;
}

/*
 * Take from the columns of one rank, at most @most at once from the widest, until all fits or none
 * can give more.
 */
static void shrink_rank(const struct table *table, struct layout *layout, enum table_shrink rank,
			unsigned int narrowest, unsigned int most, unsigned int limit)
{
	unsigned int *width = layout->width;

	while (total_width(layout) > limit) {
		unsigned int take = MIN(total_width(layout) - limit, most);
		size_t widest = layout->n;

		for (size_t i = 0; i < layout->n; i++)
			if (table->columns[layout->column[i]].shrink == rank &&
			    width[i] > narrowest &&
			    (widest == layout->n || width[i] > width[widest]))
				widest = i;
		if (widest == layout->n)
			return;
		width[widest] -= MIN(take, width[widest] - narrowest);
	}
}

/* A last column of notes that has none is left out too. */
static bool is_visible(const struct table *table, size_t column)
{
	bool notes = column == table->n_columns - 1 && column > 0 &&
		     table->columns[column].shrink == TABLE_SHRINKS_FIRST;

	if (!notes && !table->columns[column].optional)
		return true;
	for (size_t i = 0; i < table->n_rows; i++) {
		const char *text = table->rows[i].cell[column].text;

		if (text && *text)
			return true;
	}
	return false;
}

static void layout_make(const struct table *table, unsigned int limit, struct layout *ret)
{
	*ret = (struct layout){};
	for (size_t c = 0; c < table->n_columns; c++) {
		if (!is_visible(table, c))
			continue;
		ret->column[ret->n] = c;
		ret->width[ret->n++] = natural_width(table, c);
	}
	if (limit == 0)
		return;
	if (total_width(ret) > limit && table->columns[ret->column[ret->n - 1]].below) {
		ret->below = true;
		ret->n--;
	}
	shrink_rank(table, ret, TABLE_SHRINKS_FIRST, NARROWEST, limit, limit);
	shrink_rank(table, ret, TABLE_SHRINKS_LAST, NARROWEST, limit, limit);
	/* The same for all, so that none becomes narrower than it has to */
	shrink_rank(table, ret, TABLE_SHRINKS_LAST, NARROWEST_OF_ALL, 1, limit);
	shrink_rank(table, ret, TABLE_SHRINKS_NEVER, NARROWEST_OF_ALL, 1, limit);
}

/*
 * How many bytes of the first line of @text go on one of @width columns: up to a blank, or through
 * a word that is longer than that.
 */
static size_t line_bytes(const char *text, unsigned int width)
{
	size_t at = 0, last_blank = 0, n;
	unsigned int columns = 0;

	while (text[at] && text[at] != '\n') {
		unsigned int w = character_width(text + at, &n);

		if (columns + w > width)
			break;
		if (text[at] == ' ')
			last_blank = at;
		columns += w;
		at += n;
	}
	if (text[at] == '\0' || text[at] == '\n' || text[at] == ' ')
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
static bool write_line(const struct layout *layout, const struct report_style *style,
		       const char **rest, const enum tint *tints, FILE *out)
{
	unsigned int owed = 0;
	bool more = false;

	for (size_t i = 0; i < layout->n; i++) {
		unsigned int width = layout->width[i];
		size_t size = line_bytes(rest[i], width);

		if (size > 0) {
			write_padding(owed, out);
			write_tinted(style, tints[i], rest[i], size, out);
			owed = 0;
		}
		owed += width - MIN(width, text_width(rest[i], size)) + GAP;
		rest[i] += size;
		while (*rest[i] == ' ')
			rest[i]++;
		more = more || *rest[i];
	}
	(void)fputc('\n', out);
	return more;
}

static void write_titles(const struct table *table, const struct report_style *style,
			 const struct layout *layout, FILE *out)
{
	const char *rest[TABLE_COLUMNS_MAX];
	enum tint tints[TABLE_COLUMNS_MAX];

	for (size_t i = 0; i < layout->n; i++) {
		rest[i] = table->columns[layout->column[i]].title;
		tints[i] = TINT_TITLE;
	}
	while (write_line(layout, style, rest, tints, out))
		;
}

/* One sentence of @size bytes, and blanks where it goes on. */
static void write_sentence(unsigned int width, unsigned int indent, const char *text, size_t size,
			   FILE *out)
{
	const char *end = text + size;

	do {
		size_t n = MIN(line_bytes(text, width), (size_t)(end - text));

		write_padding(indent, out);
		(void)fwrite(text, 1, n, out);
		(void)fputc('\n', out);
		text += n;
		while (text < end && *text == ' ')
			text++;
	} while (text < end);
}

void lines_write(const struct report_style *style, unsigned int indent, const char *text, FILE *out)
{
	unsigned int width = MAX(style->width, indent + NARROWEST) - indent;

	while (*text) {
		size_t size = strcspn(text, "\n");

		write_sentence(style->width ? width : UINT_MAX, indent, text, size, out);
		text += size + (text[size] == '\n');
	}
}

void line_put(const struct report_style *style, FILE *out, const char *format, ...)
{
	_cleanup_free_ char *text = NULL;
	va_list arguments;

	va_start(arguments, format);
	text = printable_format(format, arguments);
	va_end(arguments);
	lines_write(style, 0, text ?: "", out);
}

static void write_row(const struct table *table, const struct report_style *style,
		      const struct layout *layout, const struct table_row *row, FILE *out)
{
	const char *rest[TABLE_COLUMNS_MAX];
	enum tint tints[TABLE_COLUMNS_MAX];

	for (size_t i = 0; i < layout->n; i++) {
		rest[i] = cell_text(table, row, layout->column[i]);
		tints[i] = row->cell[layout->column[i]].tint;
	}
	while (write_line(layout, style, rest, tints, out))
		;
	if (layout->below)
		lines_write(style, INDENT, cell_text(table, row, table->n_columns - 1), out);
}

void table_write(const struct table *table, const struct report_style *style, FILE *out)
{
	struct layout layout;

	layout_make(table, style->width, &layout);
	if (!table->headless)
		write_titles(table, style, &layout, out);
	for (size_t i = 0; i < table->n_rows; i++)
		write_row(table, style, &layout, &table->rows[i], out);
	if (table->oom)
		(void)fputs("(memory ran out: lines are missing here; see --json)\n", out);
}
