// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Duplicate keys and merge keys. Keys are sorted, not hashed: n log n whatever the file holds.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/cleanup.h"
#include "lib/spec/yaml-tree.h"

/* A key with its rank: pairs of the map itself before those of its merges, in their order. */
struct ranked {
	const struct yaml_node *key;
	size_t rank;
	bool dropped;
};

static int text_compare(const struct yaml_node *a, const struct yaml_node *b)
{
	if (a->n != b->n)
		return a->n < b->n ? -1 : 1;
	return memcmp(a->text, b->text, a->n);
}

static int ranked_compare(const void *left, const void *right)
{
	const struct ranked *a = left, *b = right;
	int order = text_compare(a->key, b->key);

	if (order == 0)
		order = a->rank < b->rank ? -1 : a->rank > b->rank;
	return order;
}

static int rank_compare(const void *left, const void *right)
{
	const struct ranked *a = left, *b = right;

	return a->rank < b->rank ? -1 : a->rank > b->rank;
}

static bool is_merge(const struct yaml_node *key)
{
	return key->kind == YAML_TEXT && !(key->flags & YAML_QUOTED) && key->n == 2 &&
	       memcmp(key->text, "<<", 2) == 0;
}

static void duplicate_report(const struct yaml_node *first, const struct yaml_node *second,
			     struct diags *diags)
{
	diag_add(diags, SEVERITY_ERROR, yaml_position(second), second->width,
		 "duplicate key '%.60s', first on line %u", second->text, first->line);
}

/* Small maps, nearly all of them: no sorting, no memory. */
static void duplicates_find_few(const struct yaml_node *pairs, size_t n, struct diags *diags)
{
	for (size_t i = 1; i < n; i++)
		for (size_t j = 0; j < i; j++)
			if (text_compare(&pairs[2 * i], &pairs[2 * j]) == 0) {
				duplicate_report(&pairs[2 * j], &pairs[2 * i], diags);
				break;
			}
}

static int duplicates_find(const struct yaml_node *pairs, size_t n, struct diags *diags)
{
	enum { FEW = 8 };
	_cleanup_free_ struct ranked *list = NULL;
	size_t first = 0;

	if (n <= FEW) {
		duplicates_find_few(pairs, n, diags);
		return 0;
	}
	list = reallocarray(NULL, n, sizeof(*list));
	if (!list)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++)
		list[i] = (struct ranked){ .key = &pairs[2 * i], .rank = i };
	qsort(list, n, sizeof(*list), ranked_compare);
	for (size_t i = 1; i < n; i++) {
		if (text_compare(list[i].key, list[first].key) == 0)
			duplicate_report(list[first].key, list[i].key, diags);
		else
			first = i;
	}
	return 0;
}

struct merge {
	struct ranked *list;
	size_t n;
	size_t room;
};

static int merge_add(struct merge *merge, const struct yaml_node *pairs, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (is_merge(&pairs[2 * i]))
			continue;
		if (array_grow(&merge->list, merge->n, &merge->room, sizeof(*merge->list)) < 0)
			return -ENOMEM;
		merge->list[merge->n] = (struct ranked){ .key = &pairs[2 * i], .rank = merge->n };
		merge->n++;
	}
	return 0;
}

static int merge_add_source(struct merge *merge, const struct yaml_node *source,
			    struct diags *diags)
{
	if (source->kind == YAML_MAP)
		return merge_add(merge, source->item, source->n);
	diag_add(diags, SEVERITY_ERROR, yaml_position(source), source->width,
		 "<< merges a map or a list of maps, such as *defaults");
	return 0;
}

/* Fill @merge with the pairs of the map and of all that it merges, each key once: the map's own,
 * else the first. */
static int merge_collect(struct merge *merge, const struct yaml_node *pairs, size_t n,
			 struct diags *diags)
{
	int r;

	r = merge_add(merge, pairs, n);
	for (size_t i = 0; i < n && r >= 0; i++) {
		const struct yaml_node *source = &pairs[2 * i + 1];

		if (!is_merge(&pairs[2 * i]))
			continue;
		if (source->kind != YAML_LIST) {
			r = merge_add_source(merge, source, diags);
			continue;
		}
		for (size_t j = 0; j < source->n && r >= 0; j++)
			r = merge_add_source(merge, &source->item[j], diags);
	}
	if (r < 0 || merge->n == 0)
		return r;
	qsort(merge->list, merge->n, sizeof(*merge->list), ranked_compare);
	for (size_t i = 1; i < merge->n; i++)
		merge->list[i].dropped = text_compare(merge->list[i].key, merge->list[i - 1].key) ==
					 0;
	qsort(merge->list, merge->n, sizeof(*merge->list), rank_compare);
	return 0;
}

static int merge_finish(struct arena *arena, const struct yaml_node *pairs, size_t n,
			struct yaml_node *map, struct diags *diags)
{
	_cleanup_free_ struct ranked *list = NULL;
	struct merge merge = {};
	int r;

	r = merge_collect(&merge, pairs, n, diags);
	list = merge.list;
	if (r < 0)
		return r;
	map->item = arena_alloc(arena, 2 * merge.n * sizeof(*map->item));
	if (!map->item)
		return -ENOMEM;
	map->n = 0;
	for (size_t i = 0; i < merge.n; i++) {
		const struct yaml_node *key = list[i].key;

		if (list[i].dropped)
			continue;
		map->item[2 * map->n] = key[0];
		map->item[2 * map->n + 1] = key[1];
		if (key < pairs || key >= pairs + 2 * n)
			map->item[2 * map->n].flags |= YAML_MERGED;
		map->n++;
	}
	return 0;
}

int yaml_map_finish(struct arena *arena, const struct yaml_node *pairs, size_t n,
		    struct yaml_node *map, struct diags *diags)
{
	bool merges = false;
	int r;

	map->n = 0;
	map->item = NULL;
	for (size_t i = 0; i < n; i++) {
		const struct yaml_node *key = &pairs[2 * i];

		if (key->kind != YAML_TEXT) {
			diag_add(diags, SEVERITY_ERROR, yaml_position(key), key->width,
				 "a key has to be plain text, not a %s",
				 key->kind == YAML_MAP ? "map" : "list");
			return -EINVAL;
		}
		merges |= is_merge(key);
	}
	r = duplicates_find(pairs, n, diags);
	if (r < 0)
		return r;
	if (merges)
		return merge_finish(arena, pairs, n, map, diags);
	map->item = arena_alloc(arena, 2 * n * sizeof(*map->item));
	if (!map->item)
		return -ENOMEM;
	map->n = n;
	if (n > 0)
		memcpy(map->item, pairs, 2 * n * sizeof(*map->item));
	return 0;
}
