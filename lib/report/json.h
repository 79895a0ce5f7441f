/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Pieces of JSON for the writers. json_pack() consumes what "o" hands over, also when it fails, and
 * returns NULL for a NULL among them: one check at the end sees every lack of memory.
 */
#pragma once

#include <jansson.h>

#include "lib/report/report.h"

/* NULL and "" become null; control characters and what is not UTF-8 are escaped. */
json_t *json_text(const char *text);

/* Append, and remember if that failed. */
void json_add(json_t *list, json_t *value, bool *oom);

/* What is said of the file, each with its place; NULL: nothing. */
json_t *diagnostics_json(const struct diags *diags, bool *oom);

/* Line and column, null for nowhere. */
json_t *position_json(struct position where);

/*
 * Print @document and a newline; if it or a part of it could not be made, a document that says so.
 */
void json_finish(json_t *document, bool oom, FILE *out);
