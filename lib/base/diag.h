/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Diagnostics of a text file: what is wrong, where, and the line itself with a caret below it.
 * Collected while the file is read, printed once, sorted by place.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "lib/base/cleanup.h"

enum { DIAG_MAX = 20 }; /* how many of a kind are kept; what comes after is counted */

/* A place in the fabric file; lines and columns (in characters) count from 1, line 0 means "nowhere
 * in the file". */
struct position {
	unsigned int line;
	unsigned int column;
};

enum severity {
	SEVERITY_ERROR,
	SEVERITY_WARNING,
	SEVERITY_MAX,
};

struct diag {
	enum severity severity;
	struct position where;
	unsigned int width; /* characters to underline, at least 1 */
	char *message;
};

struct diags {
	struct diag *list;
	size_t n;
	size_t room;
	size_t count[SEVERITY_MAX]; /* all that were reported, also those beyond DIAG_MAX */
	bool oom; /* memory ran out while collecting: more may be wrong than is listed */
};

void diags_done(struct diags *diags);

/* Add one finding; @width is the number of characters to underline (0 is taken as 1). */
void diag_add(struct diags *diags, enum severity severity, struct position where,
	      unsigned int width, const char *format, ...) _printf_(5, 6);

bool diags_has_errors(const struct diags *diags);

/* True if something of this severity was already said of exactly this place, and is kept. */
bool diags_has(const struct diags *diags, enum severity severity, struct position where);

/* False if a finding at this place would only be counted: then its message need not be made. */
bool diags_keeps(const struct diags *diags, enum severity severity, struct position where);

/*
 * Print all findings, sorted, in one form: `name:line:column: error: message`, the source line with
 * control bytes and invalid UTF-8 escaped, and a caret line. @text of @size bytes is what was read;
 * NULL leaves the source lines out.
 */
void diags_write(const struct diags *diags, FILE *out, const char *name, const char *text,
		 size_t size);
