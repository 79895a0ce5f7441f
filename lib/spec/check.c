// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Cross-checks before any machine is known: every combination of layers that some port may get.
 * resolve checks again what a port really gets, with all its items.
 */
#include <stdio.h>
#include <string.h>

#include "lib/spec/spec-internal.h"

/*
 * Nodes times items of a list that they share may be far more than the file has bytes. When this is
 * used up, only what a node says in a list of its own is looked at; resolve has the last word.
 */
enum { EFFORT_MAX = 2000000, EFFORT_SETTINGS = 4 };

struct check {
	struct diags *diags;
	size_t effort;
};

static bool node_has_settings(const struct yaml_node *node)
{
	return item_has_settings(node) || yaml_find(node, "nics");
}

/* The MTU of the port of that name by this list, NULL if it is not managed. */
static bool mtu_find(const struct layers *layers, const char *name, size_t size, struct field *ret)
{
	struct nic nic = {};
	struct settings settings;

	(void)snprintf(nic.name, sizeof(nic.name), "%.*s", (int)size, name);
	layers_apply(layers, &nic, NULL, &settings);
	*ret = settings.field[KEY_MTU];
	return ret->key != NULL;
}

/*
 * "ens1f0np0.40" is a VLAN on ens1f0np0: the kernel lets it have at most its parent's MTU
 * (net/8021q/vlan_dev.c).
 */
static void vlan_check(struct check *check, const struct layers *layers,
		       const struct yaml_node *named)
{
	struct field child, parent;
	const char *dot;

	if (!named || named->kind != YAML_TEXT || name_is_pattern(named->text))
		return;
	dot = strrchr(named->text, '.');
	if (!dot || !dot[1] || strspn(dot + 1, "0123456789") != strlen(dot + 1))
		return;
	check->effort += 2 * layers->nics->n;
	if (check->effort > EFFORT_MAX)
		return;
	if (!mtu_find(layers, named->text, strlen(named->text), &child) ||
	    !mtu_find(layers, named->text, dot - named->text, &parent) ||
	    child.number <= parent.number)
		return;
	diag_add(check->diags, SEVERITY_ERROR, yaml_position(field_value(&child)),
		 field_value(&child)->width,
		 "mtu %u of VLAN %s is more than mtu %u (line %u) of its parent", child.number,
		 shown(named->text).text, parent.number, parent.key->line);
}

/* With each item that has settings, and without any if a port may match none of these. */
static void layers_check(struct check *check, const struct layers *layers)
{
	bool plain = nics_begin_with_all(layers->nics);
	struct settings settings;

	for (size_t i = 0; layers->nics && i < layers->nics->n; i++) {
		const struct yaml_node *item = &layers->nics->item[i];

		if (item_except(item))
			continue;
		if (!item_has_settings(item)) {
			plain = true;
			continue;
		}
		check->effort += EFFORT_SETTINGS;
		layers_apply(layers, NULL, item, &settings);
		settings_check(&settings, check->diags);
		vlan_check(check, layers, yaml_find(item, "name"));
	}
	if (!plain)
		return;
	layers_apply(layers, NULL, NULL, &settings);
	settings_check(&settings, check->diags);
}

void spec_check(const struct spec *spec, struct diags *diags)
{
	struct check check = { .diags = diags };
	const struct yaml_node *nodes = yaml_find(&spec->tree.root, "nodes");
	const struct layers common = layers_get(spec, NULL);
	bool any_common = spec->all_nodes || !nodes || nodes->n == 0;

	for (size_t i = 0; nodes && i < nodes->n; i++) {
		const struct yaml_node *node = yaml_value(nodes, i);
		const struct layers layers = layers_get(spec, node);

		if (node == spec->all_nodes)
			continue;
		if (!node_has_settings(node))
			any_common = true;
		else if (check.effort <= EFFORT_MAX || yaml_find(node, "nics"))
			layers_check(&check, &layers);
	}
	if (any_common)
		layers_check(&check, &common);
}
