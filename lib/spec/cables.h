/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Who is cabled to whom: the `ports` of all switches together. */
#pragma once

#include "lib/spec/spec-internal.h"

/* One end of a cable. */
struct cable_end {
	const char *name; /* DEVICE/PORT */
	uint64_t hash;
	const struct yaml_node *where;
};

struct cables {
	const struct spec *spec;
	struct reader *reader;
	const struct yaml_node *switches;
	bool by_name; /* ends are collected, else their hashes only */
	struct arena arena;
	struct cable_end *ends;
	uint64_t *hashes;
	size_t n;
	size_t room;
	const char **switch_names; /* sorted */
	size_t n_switch_names;
	size_t expanded;
	size_t next_node; /* behind the one that was found last */
};

/* Returns 0 or -ENOMEM. */
int cables_begin(struct cables *cables);
void cables_done(struct cables *cables);

/* Add the ports of one switch; what is wrong with them is reported. @ret_any_node: a node is at one
 * of them. */
int cables_add(struct cables *cables, const char *name, const struct yaml_node *ports,
	       bool *ret_any_node);

/* Report ends that are named twice. Returns 0 or -ENOMEM. */
int cables_check(struct cables *cables);

bool cables_is_node(struct cables *cables, const char *name);
