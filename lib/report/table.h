/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Text in aligned columns. Whole on a stream without a width; else the columns that may shrink are
 * wrapped to fit.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "lib/base/cleanup.h"
#include "lib/report/report.h"

enum { TABLE_COLUMNS_MAX = 8 };

enum tint { TINT_NONE, TINT_TITLE, TINT_GOOD, TINT_CHANGE, TINT_BAD, TINT_MAX };

enum table_shrink {
	TABLE_FIXED,
	TABLE_SHRINKS_FIRST, /* a note */
	TABLE_SHRINKS_LAST, /* a value: only where shrinking the notes is not enough */
	TABLE_SHRINKS_NEVER, /* a name: but where nothing else has more to give */
};

/* Of a word. */
enum tint verdict_tint(enum verdict verdict);

struct table_column {
	const char *title;
	enum table_shrink shrink;
	bool optional; /* left out, title and all, if no row has a text in it */
	bool below; /* of the last one: where it does not fit, in lines of its own below each row */
};

struct table_cell {
	char *text; /* NULL is empty */
	enum tint tint;
};

struct table_row {
	struct table_cell cell[TABLE_COLUMNS_MAX];
};

struct table {
	const struct table_column *columns;
	size_t n_columns;
	bool headless; /* no line of titles */
	struct table_row *rows;
	size_t n_rows;
	size_t room;
	bool oom; /* memory ran out: table_write() says so */
};

void table_done(struct table *table);

/* Begin a row; table_cell() fills its cells. */
void table_row(struct table *table);

/*
 * Set a cell of the last row. What may not be shown is escaped. An empty text is shown as a dash,
 * unless in a note.
 */
void table_cell(struct table *table, size_t column, enum tint tint, const char *format, ...)
	_printf_(4, 5);

void table_write(const struct table *table, const struct report_style *style, FILE *out);

/* Sentences, a line each, behind @indent blanks; wrapped if the style has a width. */
void lines_write(const struct report_style *style, unsigned int indent, const char *text,
		 FILE *out);

/* One sentence; what may not be shown is escaped. */
void line_put(const struct report_style *style, FILE *out, const char *format, ...) _printf_(3, 4);

/* A text in a colour, if the style has colours. */
void tint_write(const struct report_style *style, enum tint tint, const char *text, FILE *out);
