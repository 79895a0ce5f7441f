/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the JSON writers share: strings that are always valid, and one way to end a document. */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

/* NULL and "" become null; control characters and what is not UTF-8 become '?'. Returns a new reference. */
json_t *json_text(const char *text);

/* Print @document and a newline; if it or a part of it could not be made, a document that says so. */
void json_finish(json_t *document, bool oom, FILE *out);
