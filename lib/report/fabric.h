/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Many nodes in one report, a line for each: from the documents that their losslessctl wrote. They
 * come from elsewhere: what is missing or of another type in them is left out, never believed.
 */
#pragma once

#include "lib/report/report.h"

struct fabric_node {
	const char *name;
	bool begun;		/* false: not asked, after a failure or a stop */
	enum exit_status exit;	/* what its losslessctl ended with; 1: could not be asked */
	char *json;		/* what it wrote, or anything else; NULL: nothing */
	size_t json_size;
	char *words;		/* its last line of trouble; NULL: none */
};

/* Who answers with no document, or with one that says another exit, could not tell. */
void fabric_node_judge(struct fabric_node *node);

void fabric_write_text(const struct fabric_node *nodes, size_t n, const struct report_style *style,
		       FILE *out);

/* @exit: of all of them */
void fabric_write_json(const struct fabric_node *nodes, size_t n, enum exit_status exit,
		       FILE *out);
