// SPDX-License-Identifier: LGPL-2.1-or-later
/* The `nodes` map: host lists to names, each named once, and the layers that make up one node. */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/cleanup.h"
#include "lib/spec/hostlist.h"
#include "lib/spec/spec-internal.h"

static int name_compare(const void *left, const void *right)
{
	const struct node_name *a = left, *b = right;
	int order = strcmp(a->name, b->name);

	if (order == 0)
		order = a->key < b->key ? -1 : a->key > b->key;
	return order;
}

/* People write their nodes in order, machines too. */
static bool names_are_sorted(const struct spec *spec)
{
	for (size_t i = 1; i < spec->n_names; i++)
		if (name_compare(&spec->names[i - 1], &spec->names[i]) > 0)
			return false;
	return true;
}

static int name_find(const void *name, const void *entry)
{
	return strcmp(name, ((const struct node_name *)entry)->name);
}

const struct node_name *spec_find_node(const struct spec *spec, const char *name)
{
	if (spec->n_names == 0)
		return NULL;
	return bsearch(name, spec->names, spec->n_names, sizeof(*spec->names), name_find);
}

size_t spec_node_count(const struct spec *spec)
{
	return spec->n_names;
}

const char *spec_node_name(const struct spec *spec, size_t index)
{
	return spec->names[index].name;
}

static int name_add(struct spec *spec, struct reader *reader, const char *text,
		    const struct yaml_node *key, const struct yaml_node *value)
{
	struct trouble trouble;
	char *name;

	if (!name_check(NAME_HOST, text, &trouble)) {
		reader_error(reader, key, "nodes: %s", trouble.text);
		return 0;
	}
	if (array_grow(&spec->names, spec->n_names, &spec->names_room, sizeof(*spec->names)) < 0)
		return -ENOMEM;
	name = arena_text(&spec->names_arena, text, strlen(text));
	if (!name)
		return -ENOMEM;
	for (char *c = name; *c; c++)
		*c = (char)tolower((unsigned char)*c);
	spec->names[spec->n_names++] = (struct node_name){ name, key, value };
	return 0;
}

static int list_add(struct spec *spec, struct reader *reader, const struct yaml_node *key,
		    const struct yaml_node *value)
{
	_cleanup_(arena_done) struct arena arena = {};
	_cleanup_(hostlist_done) struct hostlist list = {};
	struct trouble trouble;
	int r;

	if (!hostlist_is_list(key->text) && !strchr(key->text, ','))
		return name_add(spec, reader, key->text, key, value);
	r = hostlist_expand(key->text, true, &arena, &list, &trouble);
	if (r == -EINVAL) {
		reader_error(reader, key, "nodes: %s", trouble.text);
		return 0;
	}
	spec->expanded += list.n;
	if (spec->expanded > SPEC_NAMES_MAX) {
		reader_error(reader, key, "more than %d names in all host lists", SPEC_NAMES_MAX);
		return 0;
	}
	for (size_t i = 0; i < list.n && r >= 0; i++)
		r = name_add(spec, reader, list.list[i], key, value);
	return r;
}

static void names_check(const struct spec *spec, struct reader *reader)
{
	for (size_t i = 1; i < spec->n_names; i++) {
		const struct node_name *first = &spec->names[i - 1], *second = &spec->names[i];

		if (strcmp(first->name, second->name) != 0)
			continue;
		if (first->key == second->key)
			reader_error(reader, second->key, "'%s' names node %s twice",
				     shown(second->key->text).text, shown(second->name).text);
		else
			reader_error(reader, second->key,
				     "node %s is matched by two lists: '%s' and '%s' (line %u)",
				     shown(second->name).text, shown(second->key->text).text,
				     shown(first->key->text).text, first->key->line);
	}
}

int nodes_load(struct spec *spec, struct reader *reader, const struct yaml_node *nodes)
{
	int r = 0;

	if (!nodes || nodes->kind != YAML_MAP)
		return 0;
	for (size_t i = 0; i < nodes->n && r >= 0; i++) {
		const struct yaml_node *key = yaml_key(nodes, i), *value = yaml_value(nodes, i);

		if (yaml_is_null(value)) {
			reader_error(reader, key,
				     "'%s' has no value; write {} if it has nothing of its own",
				     shown(key->text).text);
			continue;
		}
		if (!reader_expects_map(reader, key, value))
			continue;
		section_read(reader, value, SECTION_NODE);
		nics_check(reader, yaml_find(value, "nics"));
		if (strcmp(key->text, "*") == 0)
			spec->all_nodes = value;
		else
			r = list_add(spec, reader, key, value);
	}
	if (r < 0)
		return r;
	if (!names_are_sorted(spec))
		qsort(spec->names, spec->n_names, sizeof(*spec->names), name_compare);
	names_check(spec, reader);
	return 0;
}

struct layers layers_get(const struct spec *spec, const struct yaml_node *node)
{
	struct layers ret = {
		.top = &spec->tree.root,
		.top_settings = &spec->top_settings,
		.all = spec->all_nodes,
		.node = node,
	};

	ret.nics = yaml_find(node, "nics");
	if (!ret.nics)
		ret.nics = yaml_find(ret.all, "nics");
	ret.own_nics = ret.nics != NULL;
	if (!ret.nics)
		ret.nics = yaml_find(ret.top, "nics");
	return ret;
}

void layer_apply(struct settings *settings, const struct yaml_node *map, enum section section,
		 enum layer layer)
{
	struct reader reader = { .layer = layer, .settings = settings };

	if (map)
		section_read(&reader, map, section);
}

static void items_apply(const struct layers *layers, const struct nic *nic,
			const struct yaml_node *item, struct settings *settings)
{
	enum layer layer = layers->own_nics ? LAYER_NODE_ITEM : LAYER_ITEM;

	if (item)
		layer_apply(settings, item, SECTION_NIC, layer);
	for (size_t i = 0; nic && layers->nics && i < layers->nics->n; i++) {
		const struct yaml_node *other = &layers->nics->item[i];

		if (!item_except(other) && item_has_settings(other) && item_matches(other, nic))
			layer_apply(settings, other, SECTION_NIC, layer);
	}
}

void layers_apply(const struct layers *layers, const struct nic *nic, const struct yaml_node *item,
		  struct settings *ret)
{
	*ret = *layers->top_settings;
	if (!layers->own_nics)
		items_apply(layers, nic, item, ret);
	layer_apply(ret, layers->all, SECTION_NODE, LAYER_ALL_NODES);
	layer_apply(ret, layers->node, SECTION_NODE, LAYER_NODE);
	if (layers->own_nics)
		items_apply(layers, nic, item, ret);
}
