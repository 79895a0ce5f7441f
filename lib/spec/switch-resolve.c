// SPDX-License-Identifier: LGPL-2.1-or-later
/* A switch of the file: how it is reached, what is cabled to it, whose it is. */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/cleanup.h"
#include "lib/spec/hostlist.h"
#include "lib/spec/switch-derive.h"

enum { SSH_PORT = 22 };

static const struct yaml_node *switches_of(const struct spec *spec)
{
	const struct yaml_node *map = yaml_find(&spec->tree.root, "switches");

	return map && map->kind == YAML_MAP ? map : NULL;
}

size_t spec_switch_count(const struct spec *spec)
{
	const struct yaml_node *map = switches_of(spec);

	return map ? map->n : 0;
}

const char *spec_switch_name(const struct spec *spec, size_t index)
{
	return yaml_key(switches_of(spec), index)->text;
}

static const struct yaml_node *switch_find(const struct spec *spec, const char *name)
{
	const struct yaml_node *map = switches_of(spec);

	return map ? yaml_find(map, name) : NULL;
}

static bool is_switch(const struct spec *spec, const char *name, size_t size)
{
	for (size_t i = 0; i < spec_switch_count(spec); i++) {
		const char *other = spec_switch_name(spec, i);

		if (strlen(other) == size && memcmp(other, name, size) == 0)
			return true;
	}
	return false;
}

/* The part of NODE/DEVICE that is a node of this file; NULL for a switch or what is foreign. */
static const struct node_name *node_of(const struct spec *spec, const char *end, char *lower,
				       size_t size)
{
	size_t n = strcspn(end, "/");

	*lower = '\0';
	if (!end[n] || n >= size || is_switch(spec, end, n) || strpbrk(end + n + 1, "/ "))
		return NULL;
	for (size_t i = 0; i < n; i++)
		lower[i] = (char)tolower((unsigned char)end[i]);
	lower[n] = '\0';
	return spec_find_node(spec, lower);
}

/* ---- what is cabled to it ---- */

/* Called for each port of a switch and what is at its other end, in file order. */
typedef int (*port_visitor)(const struct spec *spec, const struct yaml_node *key, const char *port,
			    const char *end, void *data);

static int list_walk(const struct spec *spec, const struct yaml_node *key,
		     const struct yaml_node *value, port_visitor visit, void *data)
{
	_cleanup_(arena_done) struct arena arena = {};
	_cleanup_(hostlist_done) struct hostlist ports = {}, ends = {};
	struct trouble trouble;
	int r;

	r = hostlist_expand(key->text, false, &arena, &ports, &trouble);
	if (r >= 0)
		r = hostlist_expand(value->text, false, &arena, &ends, &trouble);
	for (size_t i = 0; r == 0 && i < ports.n && i < ends.n; i++)
		r = visit(spec, key, ports.list[i], ends.list[i], data);
	return r;
}

/* Ends, and returns it, at the first visit that is not 0. The file was checked. */
static int ports_walk(const struct spec *spec, const struct yaml_node *map, port_visitor visit,
		      void *data)
{
	const struct yaml_node *ports = yaml_find(map, "ports");
	int r = 0;

	for (size_t i = 0; ports && ports->kind == YAML_MAP && i < ports->n && r == 0; i++)
		r = list_walk(spec, yaml_key(ports, i), yaml_value(ports, i), visit, data);
	return r;
}

struct owner {
	char *name;
	size_t size;
};

static int take_owner(const struct spec *spec, const struct yaml_node *key, const char *port,
		      const char *end, void *data)
{
	char lower[HOSTLIST_NAME_BYTES];
	struct owner *owner = data;

	if (!node_of(spec, end, lower, sizeof(lower)) && !(spec->all_nodes && *lower))
		return 0;
	(void)snprintf(owner->name, owner->size, "%s", lower);
	return 1;
}

void spec_switch_owner(const struct spec *spec, size_t index, char *ret, size_t size)
{
	const struct yaml_node *map = yaml_value(switches_of(spec), index),
			       *given = yaml_find(map, "owner");
	struct owner owner = { ret, size };

	*ret = '\0';
	if (given && given->kind == YAML_TEXT)
		(void)snprintf(ret, size, "%s", given->text);
	else
		(void)ports_walk(spec, map, take_owner, &owner);
	for (char *c = ret; *c; c++)
		*c = (char)tolower((unsigned char)*c);
}

struct cable_walk {
	int (*visit)(const struct spec_cable *cable, void *data);
	void *data;
};

static int visit_cable(const struct spec *spec, const struct yaml_node *key, const char *port,
		       const char *end, void *data)
{
	const struct cable_walk *walk = data;
	char lower[HOSTLIST_NAME_BYTES];
	struct spec_cable cable = {
		.port = port, .end = end, .node = "", .device = "", .where = yaml_position(key),
	};

	if (node_of(spec, end, lower, sizeof(lower)) || (spec->all_nodes && *lower)) {
		cable.node = lower;
		cable.device = strchr(end, '/') + 1;
	}
	return walk->visit(&cable, walk->data);
}

int spec_switch_cables(const struct spec *spec, size_t index,
		       int (*visit)(const struct spec_cable *cable, void *data), void *data)
{
	struct cable_walk walk = { visit, data };

	return ports_walk(spec, yaml_value(switches_of(spec), index), visit_cable, &walk);
}

bool spec_node_is(const struct spec *spec, const char *owner, const char *node)
{
	size_t first = strcspn(node, ".");

	if (!*owner)
		return false;
	if (strcasecmp(owner, node) == 0)
		return true;
	/* As a node finds itself: its whole name counts, if the file has it */
	return strlen(owner) == first && strncasecmp(owner, node, first) == 0 &&
	       !spec_find_node(spec, node);
}

/* ---- one switch ---- */

static const char *text_of(const struct yaml_node *map, const char *key)
{
	const struct yaml_node *value = yaml_find(map, key);

	return value && value->kind == YAML_TEXT ? value->text : "";
}

/* A text, or a list of texts. */
static int texts_of(const struct yaml_node *map, const char *key, struct switch_texts *ret)
{
	const struct yaml_node *value = yaml_find(map, key);
	size_t n = !value ? 0 : value->kind == YAML_LIST ? value->n : 1;

	for (size_t i = 0; i < n; i++) {
		const struct yaml_node *item = value->kind == YAML_LIST ? &value->item[i] : value;

		if (array_grow(&ret->list, ret->n, &ret->room, sizeof(*ret->list)) < 0)
			return -ENOMEM;
		ret->list[ret->n++] = item->text;
	}
	return 0;
}

static int vars_of(const struct yaml_node *map, struct switch_wish *wish)
{
	const struct yaml_node *vars = yaml_find(map, "vars");
	size_t n = vars && vars->kind == YAML_MAP ? vars->n : 0;

	wish->vars = calloc(n + 1, sizeof(*wish->vars));
	if (!wish->vars)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++)
		wish->vars[wish->n_vars++] = (struct switch_pair){
			yaml_key(vars, i)->text, yaml_value(vars, i)->text,
			yaml_position(yaml_value(vars, i)),
		};
	return 0;
}

static int answers_of(const struct yaml_node *map, struct switch_wish *wish)
{
	const struct yaml_node *answers = yaml_find(map, "answers");
	size_t n = answers && answers->kind == YAML_LIST ? answers->n : 0;

	wish->answers = calloc(n + 1, sizeof(*wish->answers));
	if (!wish->answers)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++)
		wish->answers[wish->n_answers++] = (struct switch_pair){
			text_of(&answers->item[i], "ask"), text_of(&answers->item[i], "answer"),
			yaml_position(&answers->item[i]),
		};
	return 0;
}

static enum manage manage_of(const struct yaml_node *map)
{
	const char *text = text_of(map, "manage");

	return strcmp(text, "read") == 0   ? MANAGE_READ :
	       strcmp(text, "render") == 0 ? MANAGE_RENDER :
					     MANAGE_PUSH;
}

static int access_of(const struct yaml_node *map, struct switch_wish *wish)
{
	const char *port = text_of(map, "port");
	int r;

	wish->dialect = text_of(map, "dialect");
	if (yaml_find(map, "dialect"))
		wish->dialect_where = yaml_position(yaml_find(map, "dialect"));
	wish->manage = manage_of(map);
	wish->address = text_of(map, "address");
	wish->port = *port ? (unsigned int)strtoul(port, NULL, 0) : SSH_PORT;
	wish->username = text_of(map, "username");
	wish->key = text_of(map, "key");
	wish->password = text_of(map, "password");
	wish->enable = text_of(map, "enable");
	wish->known_hosts = text_of(map, "known_hosts");
	wish->first_use = strcmp(text_of(map, "trust"), "first-use") == 0;
	r = texts_of(map, "host_key", &wish->host_keys);
	if (r >= 0)
		r = texts_of(map, "legacy_algorithms", &wish->legacy);
	if (r >= 0)
		r = vars_of(map, wish);
	return r < 0 ? r : answers_of(map, wish);
}

void switch_wish_done(struct switch_wish *wish)
{
	free(wish->host_keys.list);
	free(wish->legacy.list);
	free(wish->vars);
	free(wish->answers);
	free(wish->targets);
	*wish = (struct switch_wish){};
}

struct port_walk {
	const struct yaml_node *map;
	struct switch_wish *wish;
	struct diags *diags;
};

static struct switch_target *target_add(struct switch_wish *wish)
{
	if (array_grow(&wish->targets, wish->n_targets, &wish->targets_room,
		       sizeof(*wish->targets)) < 0)
		return NULL;
	return &wish->targets[wish->n_targets++];
}

/* What the file says of the device at the other end, by its node and name alone. */
static void end_settings(const struct spec *spec, const char *end, struct settings *ret)
{
	char lower[HOSTLIST_NAME_BYTES];
	const struct node_name *node = node_of(spec, end, lower, sizeof(lower));
	struct nic nic = { .link_layer = LINK_LAYER_ETHERNET };
	struct layers layers;

	*ret = spec->top_settings;
	if (!*lower || (!node && !spec->all_nodes))
		return;
	layers = layers_get(spec, node ? node->value : NULL);
	(void)snprintf(nic.name, sizeof(nic.name), "%s", strchr(end, '/') + 1);
	layers_apply(&layers, &nic, NULL, ret);
}

static int port_add(const struct spec *spec, const struct yaml_node *key, const char *port,
		    const char *end, void *data)
{
	struct port_walk *walk = data;
	struct switch_target *target = target_add(walk->wish);
	struct settings settings;

	if (!target)
		return -ENOMEM;
	(void)snprintf(target->port, sizeof(target->port), "%s", port);
	(void)snprintf(target->peer, sizeof(target->peer), "%s", end);
	end_settings(spec, end, &settings);
	layer_apply(&settings, walk->map, SECTION_SWITCH, LAYER_SWITCH);
	settings_check(&settings, walk->diags);
	switch_derive(&settings, target);
	return 0;
}

int spec_switch_access(const struct spec *spec, size_t index, struct switch_wish *ret)
{
	int r;

	*ret = (struct switch_wish){ .name = spec_switch_name(spec, index) };
	r = access_of(yaml_value(switches_of(spec), index), ret);
	if (r < 0)
		switch_wish_done(ret);
	return r;
}

int spec_switch_resolve(const struct spec *spec, const char *name, struct switch_wish *ret,
			struct diags *diags)
{
	_cleanup_(switch_wish_done) struct switch_wish wish = { .name = name };
	const struct yaml_node *map = switch_find(spec, name);
	struct port_walk walk = { map, &wish, diags };
	struct settings settings = spec->top_settings;
	int r;

	if (!map)
		return -ENOENT;
	r = access_of(map, &wish);
	if (r < 0 || !target_add(&wish))
		return -ENOMEM;
	layer_apply(&settings, map, SECTION_SWITCH, LAYER_SWITCH);
	wish.exclusive = field_given(&settings, KEY_EXCLUSIVE) &&
			 settings.field[KEY_EXCLUSIVE].number;
	switch_derive(&settings, &wish.targets[0]);
	r = ports_walk(spec, map, port_add, &walk);
	if (r < 0)
		return r;
	if (diags_has_errors(diags))
		return -EINVAL;
	*ret = wish;
	wish = (struct switch_wish){};
	return 0;
}
