/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * YAML text to a tree of raw scalars with their places. The tree has no types and no tags: what a
 * scalar means is decided by the key that asks for it. Aliases and merge keys are resolved here,
 * duplicate keys refused.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/arena.h"
#include "lib/base/diag.h"

enum {
	YAML_DEPTH_MAX = 32,
	YAML_NODES_MAX = 4000000, /* after expansion of aliases */
};

enum yaml_kind { YAML_TEXT, YAML_LIST, YAML_MAP };

enum {
	YAML_QUOTED = 1, /* written in quotes or as a block: never null, never a merge key */
	YAML_MERGED = 2, /* a key that came in with << */
};

struct yaml_node {
	union {
		const char *text; /* terminated, without NUL inside */
		struct yaml_node *item; /* a map has 2 * n: key, value, key, value */
	};
	uint32_t n; /* bytes of text, items of a list, pairs of a map */
	uint32_t line;
	uint32_t column;
	uint16_t width; /* characters, for the caret */
	uint8_t kind;
	uint8_t flags;
};

struct yaml_tree {
	struct arena arena;
	struct yaml_node root; /* a map */
};

/*
 * Read one document whose root is a map. Returns 0; -EINVAL with what is wrong in @diags; -ENOMEM.
 */
int yaml_load(const char *text, size_t size, struct yaml_tree *ret, struct diags *diags);

void yaml_done(struct yaml_tree *tree);

static inline const struct yaml_node *yaml_key(const struct yaml_node *map, size_t i)
{
	return &map->item[2 * i];
}

static inline const struct yaml_node *yaml_value(const struct yaml_node *map, size_t i)
{
	return &map->item[2 * i + 1];
}

/* The value of that key, NULL if it is not there or @map is no map. */
const struct yaml_node *yaml_find(const struct yaml_node *map, const char *key);

/* Nothing, ~ or null, not in quotes. */
bool yaml_is_null(const struct yaml_node *node);

static inline struct position yaml_position(const struct yaml_node *node)
{
	return (struct position){ node->line, node->column };
}
