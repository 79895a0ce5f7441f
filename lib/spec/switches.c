// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The `switches` map: each switch by the rows of key_table, its settings like those of a port.
 * Dialect and vars are checked for shape only; what they may be is the dialect's to say.
 */
#include <errno.h>
#include <string.h>

#include "lib/base/cleanup.h"
#include "lib/spec/cables.h"

static void vars_check(struct reader *reader, const struct yaml_node *vars)
{
	struct trouble trouble;

	for (size_t i = 0; vars && vars->kind == YAML_MAP && i < vars->n; i++) {
		const struct yaml_node *key = yaml_key(vars, i), *value = yaml_value(vars, i);

		if (!name_check(NAME_VARIABLE, key->text, &trouble))
			reader_error(reader, key, "vars: %s", trouble.text);
		else if (reader_expects_value(reader, key, value))
			(void)reader_expects_name(reader, key, value, NAME_LINE);
	}
}

static void answers_check(struct reader *reader, const struct yaml_node *answers)
{
	static const struct yaml_node key = { .text = "answers", .n = 7, .kind = YAML_TEXT };

	for (size_t i = 0; answers && answers->kind == YAML_LIST && i < answers->n; i++) {
		const struct yaml_node *item = &answers->item[i];

		if (!reader_expects_map(reader, &key, item))
			continue;
		section_read(reader, item, SECTION_ANSWER);
		if (!yaml_find(item, "ask") || !yaml_find(item, "answer"))
			reader_error(reader, item, "answers: an item needs both ask and answer");
	}
}

static void switch_check(struct reader *reader, const struct yaml_node *key,
			 const struct yaml_node *map)
{
	section_read(reader, map, SECTION_SWITCH);
	if (!yaml_find(map, "dialect"))
		reader_error(reader, key, "switch %s has no dialect", shown(key->text).text);
	if (yaml_find(map, "host_key") && yaml_find(map, "known_hosts"))
		reader_error(reader, yaml_find(map, "known_hosts"),
			     "host_key and known_hosts: only one of them is meant");
	vars_check(reader, yaml_find(map, "vars"));
	answers_check(reader, yaml_find(map, "answers"));
}

/* Its settings over the top level's, where nothing else is wrong with the file. */
static void switch_settings_check(const struct spec *spec, struct reader *reader,
				  const struct yaml_node *map)
{
	struct settings settings = spec->top_settings;

	if (diags_has_errors(reader->diags) ||
	    !(yaml_find(map, "qos") || yaml_find(map, "ecn") || yaml_find(map, "mtu")))
		return;
	layer_apply(&settings, map, SECTION_SWITCH, LAYER_SWITCH);
	settings_check(&settings, reader->diags);
}

static void owner_check(struct cables *cables, struct reader *reader, const struct yaml_node *key,
			const struct yaml_node *map, bool any_node)
{
	const struct yaml_node *owner = yaml_find(map, "owner");

	if (!owner && !any_node)
		reader_error(reader, key, "switch %s has no node on its ports: it needs an owner",
			     shown(key->text).text);
	if (owner && owner->kind == YAML_TEXT && !cables_is_node(cables, owner->text))
		reader_error(reader, owner, "owner: %s is not a node of this file",
			     shown(owner->text).text);
}

int switches_load(struct spec *spec, struct reader *reader, const struct yaml_node *switches)
{
	_cleanup_(cables_done) struct cables cables = { .spec = spec,
							.reader = reader,
							.switches = switches };
	struct trouble trouble;
	bool any_node;
	int r = 0;

	if (!switches || switches->kind != YAML_MAP)
		return 0;
	r = cables_begin(&cables);
	for (size_t i = 0; i < switches->n && r >= 0; i++) {
		const struct yaml_node *key = yaml_key(switches, i),
				       *value = yaml_value(switches, i);

		if (!name_check(NAME_HOST, key->text, &trouble)) {
			reader_error(reader, key, "switches: %s", trouble.text);
			continue;
		}
		if (!reader_expects_value(reader, key, value) ||
		    !reader_expects_map(reader, key, value))
			continue;
		switch_check(reader, key, value);
		r = cables_add(&cables, key->text, yaml_find(value, "ports"), &any_node);
		if (r >= 0)
			owner_check(&cables, reader, key, value, any_node);
	}
	if (r >= 0)
		r = cables_check(&cables);
	if (r < 0)
		return r;
	for (size_t i = 0; i < switches->n; i++)
		if (yaml_value(switches, i)->kind == YAML_MAP)
			switch_settings_check(spec, reader, yaml_value(switches, i));
	return 0;
}
