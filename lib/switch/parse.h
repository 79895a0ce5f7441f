/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* How an answer is taken apart: each form finds what is told, one place takes it. */
#pragma once

#include "lib/switch/dialect-internal.h"

/* What one row, or one place in JSON, says. A text of NULL: nothing of that. */
struct told {
	struct pattern_text part[GROUPS_MAX];
	bool bad; /* something stands there that is no value */
};

struct taker;

/* Take it: it is about a port that nobody asked for, or noted, or makes the value unreadable. */
void taker_take(struct taker *taker, const struct told *told);

/*
 * Find everything that @read says in the first JSON document of @answer, for @port if the path has
 * one (NULL otherwise). Returns 0; -EBADMSG if there is no JSON in it.
 */
struct json_document;
int json_document_load(const char *answer, size_t size, struct json_document **ret);
struct json_document *json_document_free(struct json_document *document);
void json_document_read(const struct json_document *document, const struct json_paths *paths,
			const char *port, struct taker *taker);

static inline void json_document_freep(struct json_document **document)
{
	*document = json_document_free(*document);
}
