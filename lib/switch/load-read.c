// SPDX-License-Identifier: LGPL-2.1-or-later
/* The key `read` of a knob: how its value is found in what a switch answers. */
#include <stddef.h>
#include <string.h>

#include "lib/base/macro.h"
#include "lib/spec/number.h"
#include "lib/switch/dialect-internal.h"

#define READ(field) offsetof(struct read_rules, field)

/* The group of that name for @knob, GROUPS_MAX if it has none. A list has its text as "value". */
static unsigned int group_find(const struct switch_knob_info *knob, const char *name)
{
	static const char *const names[] = {
		[GROUP_PORT] = "port",
		[GROUP_KEY] = "key",
		[GROUP_OPER] = "oper",
	};

	for (unsigned int i = 0; i < ARRAY_SIZE(names); i++)
		if (strcmp(names[i], name) == 0)
			return i == GROUP_KEY && !knob->key ? GROUPS_MAX : i;
	if (knob->shape == SHAPE_LIST && strcmp(name, "value") == 0)
		return GROUP_FIELD;
	for (unsigned int i = 0; i < knob->n_fields; i++)
		if (strcmp(knob->field[i].name, name) == 0)
			return GROUP_FIELD + i;
	return GROUPS_MAX;
}

/* ---- row ---- */

static void load_row(struct loader *loader, const struct yaml_node *key,
		     const struct yaml_node *value, void *into)
{
	struct pattern **row = into;
	const char *name;

	if (!expect_text(loader, key, value))
		return;
	load_pattern(loader, value, PATTERN_SEARCH, row);
	for (size_t i = 0; *row && (name = pattern_group_name(*row, i)); i++)
		if (group_find(loader->knob, name) == GROUPS_MAX)
			load_error(loader, value, "row: %s has no \"%s\"", loader->knob->name,
				   name);
}

static void load_starts(struct loader *loader, const struct yaml_node *key,
			const struct yaml_node *value, void *into)
{
	if (expect_text(loader, key, value))
		load_pattern(loader, value, PATTERN_SEARCH, into);
}

static void load_expect(struct loader *loader, const struct yaml_node *key,
			const struct yaml_node *value, void *into)
{
	if (expect_text(loader, key, value))
		load_pattern(loader, value, PATTERN_LINES, into);
}

static void load_carry(struct loader *loader, const struct yaml_node *key,
		       const struct yaml_node *value, void *into)
{
	unsigned int *carry = into;

	if (!expect_list(loader, key, value, GROUPS_MAX))
		return;
	for (size_t i = 0; i < value->n; i++) {
		unsigned int group;

		if (!expect_text(loader, key, &value->item[i]))
			continue;
		group = group_find(loader->knob, value->item[i].text);
		if (group == GROUPS_MAX)
			load_error(loader, &value->item[i], "carry: %s has no \"%s\"",
				   loader->knob->name, shown(value->item[i].text).text);
		else
			*carry |= 1U << group;
	}
}

/* ---- json ---- */

/* One segment may name $key once, and $port. */
static void check_path(struct loader *loader, const struct yaml_node *node, bool absolute)
{
	const char *text = node->text;

	if (absolute && *text != '/')
		load_error(loader, node, "json: a path begins with /");
	if (node->n > TEMPLATE_BYTES_MAX || !line_is_plain(text))
		load_error(loader, node, "json: a path is one line of printable ASCII");
	for (; (text = strchr(text, '$')); text++) {
		if (strncmp(text + 1, "port", 4) != 0 && strncmp(text + 1, "key", 3) != 0)
			load_error(loader, node, "json: only $port and $key have a meaning here");
		else if (!absolute)
			load_error(loader, node, "json: $port and $key stand in \"at\"");
	}
}

static void load_json_part(struct loader *loader, const struct yaml_node *key,
			   const struct yaml_node *value, struct json_paths *json)
{
	unsigned int group;

	if (!expect_text(loader, key, value))
		return;
	check_path(loader, value, strcmp(key->text, "at") == 0);
	if (strcmp(key->text, "at") == 0) {
		json->at = value->text;
		return;
	}
	group = group_find(loader->knob, key->text);
	if (group == GROUPS_MAX)
		load_error(loader, key, "json: %s has no \"%s\"", loader->knob->name,
			   shown(key->text).text);
	else
		json->part[group] = value->text;
}

static void load_json(struct loader *loader, const struct yaml_node *key,
		      const struct yaml_node *value, void *into)
{
	struct json_paths *json = into;

	if (value->kind == YAML_MAP) {
		for (size_t i = 0; i < value->n; i++)
			load_json_part(loader, yaml_key(value, i), yaml_value(value, i), json);
		if (!json->at)
			load_error(loader, value, "json: the key \"at\" is missing");
		return;
	}
	if (!expect_text(loader, key, value))
		return;
	check_path(loader, value, true);
	json->at = value->text;
	if (loader->knob->shape != SHAPE_LIST || !strstr(value->text, "$key"))
		json->part[GROUP_FIELD] = "";
}

/* ---- values ---- */

/* What the switch prints: plain. "none" is nothing at all. */
static void load_read_words(struct loader *loader, const struct yaml_node *key,
			    const struct yaml_node *value, void *into)
{
	struct words *words = into;
	struct word *list;

	if (!expect_map(loader, key, value, WORDS_MAX))
		return;
	list = load_alloc(loader, value->n, sizeof(*list));
	if (!list)
		return;
	for (size_t i = 0; i < value->n; i++) {
		const struct yaml_node *plain = yaml_value(value, i);

		list[i] = (struct word){ "none", yaml_key(value, i)->text };
		load_text(loader, key, plain, &list[i].plain);
		if (plain->kind == YAML_TEXT && strcmp(plain->text, "none") != 0 &&
		    strcmp(plain->text, "true") != 0 && strcmp(plain->text, "false") != 0 &&
		    !plain_is_known(loader->knob, plain->text))
			load_error(loader, plain, "words: %s is never \"%s\"", loader->knob->name,
				   shown(plain->text).text);
	}
	*words = (struct words){ list, value->n };
}

static void load_as(struct loader *loader, const struct yaml_node *key,
		    const struct yaml_node *value, void *into)
{
	static const char *const words[] = {
		[AS_PLAIN] = "plain",	  [AS_LIST] = "list",	      [AS_RANGES] = "ranges",
		[AS_BITMASK] = "bitmask", [AS_QUANTITY] = "quantity", [AS_KBYTES] = "kbytes",
		[AS_MBYTES] = "mbytes",	  [AS_SECONDS] = "seconds",   [AS_TENTHS] = "tenths",
		[AS_MAX] = NULL,
	};
	int word = load_word(loader, key, value, words);

	if (word >= 0)
		*(enum as *)into = (enum as)word;
}

static void load_ports(struct loader *loader, const struct yaml_node *key,
		       const struct yaml_node *value, void *into)
{
	static const char *const words[] = { "plain", "ranges", NULL };

	*(bool *)into = load_word(loader, key, value, words) == 1;
}

static void load_keys(struct loader *loader, const struct yaml_node *key,
		      const struct yaml_node *value, void *into)
{
	static const char *const words[] = { "plain", "ranges", NULL };

	*(bool *)into = load_word(loader, key, value, words) == 1;
	if (!loader->knob->key)
		load_error(loader, key, "keys: %s has none", loader->knob->name);
}

static void load_tolerance(struct loader *loader, const struct yaml_node *key,
			   const struct yaml_node *value, void *into)
{
	struct trouble trouble;
	uint64_t percent;

	if (!expect_text(loader, key, value))
		return;
	if (number_parse(value->text, 0, 50, percent_units, &percent, &trouble))
		*(unsigned int *)into = (unsigned int)percent;
	else
		load_error(loader, value, "tolerance: %s", trouble.text);
}

static void load_proof(struct loader *loader, const struct yaml_node *key,
		       const struct yaml_node *value, void *into)
{
	static const char *const words[] = {
		[PROOF_CONFIG] = "config",
		[PROOF_OPER] = "oper",
		NULL,
	};
	int word = load_word(loader, key, value, words);

	if (word >= 0)
		*(enum proof *)into = (enum proof)word;
}

static bool fallback_text(const struct switch_knob_info *knob, const char *text,
			  struct switch_value *ret)
{
	struct switch_entry entry = {};

	if (strcmp(text, "none") == 0)
		return true;
	if (knob->shape == SHAPE_LIST)
		return list_parse(knob, &(struct read_rules){ .as = AS_LIST }, NULL,
				  (struct pattern_text){ text, strlen(text) }, ret) == 0;
	if (knob->shape != SHAPE_SINGLE || knob->n_fields != 1 ||
	    !plain_parse(&knob->field[0], text, &entry.field[0]))
		return false;
	return switch_value_add(ret, &entry) == 0;
}

/* One row of it, "16-23: 2". Returns what is wrong, NULL: nothing. */
static const char *fallback_row(const struct switch_knob_info *knob, const char *keys,
				const struct yaml_node *value, struct switch_value *ret)
{
	const struct pattern_text text = { keys, strlen(keys) };
	struct switch_value some = {};
	uint64_t number;

	if (list_parse(knob, &(struct read_rules){ .as = AS_RANGES }, NULL, text, &some) < 0 ||
	    some.n == 0)
		return "a key is a number, or two with a dash between";
	if (value->kind != YAML_TEXT || !plain_parse(&knob->field[0], value->text, &number))
		return "that is never a value of it";
	for (size_t i = 0; i < some.n; i++)
		if (switch_value_add(ret, &(struct switch_entry){
						  some.entry[i].key,
						  { number, SWITCH_ABSENT, SWITCH_ABSENT } }) < 0)
			return "a key stands there twice";
	return NULL;
}

/* What each key has that nothing is said of. */
static void load_fallback_map(struct loader *loader, const struct yaml_node *key,
			      const struct yaml_node *value, struct read_rules *read)
{
	const char *wrong;

	if (loader->knob->shape != SHAPE_MAP || loader->knob->n_fields != 1) {
		load_error(loader, key, "default: %s is no map of numbers", loader->knob->name);
		return;
	}
	for (size_t i = 0; i < value->n; i++) {
		wrong = fallback_row(loader->knob, yaml_key(value, i)->text, yaml_value(value, i),
				     &read->fallback);
		if (wrong)
			load_error(loader, yaml_key(value, i), "default: %s", wrong);
	}
	read->has_fallback = true;
}

static void load_fallback(struct loader *loader, const struct yaml_node *key,
			  const struct yaml_node *value, void *into)
{
	struct read_rules *read = into;

	read->fallback = (struct switch_value){ .status = SWITCH_KNOWN };
	if (value->kind == YAML_MAP) {
		load_fallback_map(loader, key, value, read);
		return;
	}
	if (!expect_text(loader, key, value))
		return;
	read->has_fallback = fallback_text(loader->knob, value->text, &read->fallback);
	if (!read->has_fallback)
		load_error(loader, value, "default: %s is never \"%s\"", loader->knob->name,
			   shown(value->text).text);
}

void load_read(struct loader *loader, const struct yaml_node *key, const struct yaml_node *value,
	       void *into)
{
	static const struct key_row rows[] = {
		{ "send", load_template, READ(send), true },
		{ "row", load_row, READ(row) },
		{ "json", load_json, READ(json) },
		{ "starts", load_starts, READ(starts) },
		{ "expect", load_expect, READ(expect) },
		{ "carry", load_carry, READ(carry) },
		{ "words", load_read_words, READ(words) },
		{ "as", load_as, READ(as) },
		{ "ports", load_ports, READ(port_ranges) },
		{ "keys", load_keys, READ(key_ranges) },
		{ "tolerance", load_tolerance, READ(tolerance_percent) },
		{ "proof", load_proof, READ(proof) },
		{ "default", load_fallback },
	};
	struct read_rules *read = into;

	read->given = true;
	load_map(loader, value, "read", rows, ARRAY_SIZE(rows), read);
	if (value->kind == YAML_MAP && !yaml_find(value, "row") == !yaml_find(value, "json"))
		load_error(loader, value, "read: one of row and json is expected");
}

/* ---- checks ---- */

static bool tells(const struct read_rules *read, const struct switch_knob_info *knob,
		  unsigned int group)
{
	if (read->json.at) {
		if (group == GROUP_KEY && strstr(read->json.at, "$key"))
			return true;
		if (group == GROUP_PORT && strstr(read->json.at, "$port"))
			return true;
		return read->json.part[group] != NULL;
	}
	if (group == GROUP_PORT)
		return pattern_has_group(read->row, "port");
	if (group == GROUP_KEY)
		return pattern_has_group(read->row, "key");
	if (group == GROUP_OPER)
		return pattern_has_group(read->row, "oper");
	return pattern_has_group(read->row,
				 knob->n_fields ? knob->field[group - GROUP_FIELD].name : "value");
}

/* Which value is meant, and all that it has: else a row would be read for the wrong one. */
static const char *missing(const struct variant *variant, const struct switch_knob_info *knob)
{
	const struct read_rules *read = &variant->read;
	bool by_port = read->send.uses & USES_PORT;

	if (variant->scope == SCOPE_PORT && !by_port && !tells(read, knob, GROUP_PORT))
		return "nothing tells the port";
	if (variant->scope == SCOPE_SWITCH && tells(read, knob, GROUP_PORT))
		return "a value of the switch has no port";
	if (knob->shape == SHAPE_MAP && !tells(read, knob, GROUP_KEY))
		return "nothing tells the key";
	if (knob->shape == SHAPE_LIST && !tells(read, knob, GROUP_KEY) &&
	    !tells(read, knob, GROUP_FIELD))
		return "nothing tells the list";
	for (unsigned int i = 0; i < knob->n_fields; i++)
		if (!knob->field[i].optional && !tells(read, knob, GROUP_FIELD + i))
			return "a part of the value is not told";
	if (read->row && read->has_fallback && !read->expect)
		return "default needs expect: an answer that says nothing has to look like one";
	if (read->json.at && (read->starts || read->carry))
		return "starts and carry are for row";
	return NULL;
}

void check_read(struct loader *loader, struct variant *variant, const struct switch_knob_info *knob)
{
	const char *what;

	if (!variant->read.row && !variant->read.json.at)
		return; /* said already */
	for (unsigned int i = 0; i < MAX(knob->n_fields, (size_t)1); i++)
		if (tells(&variant->read, knob, GROUP_FIELD + i))
			variant->read.told |= 1U << i;
	variant->read.by_key = knob->shape == SHAPE_MAP && variant->read.fallback.n > 0;
	what = missing(variant, knob);
	if (what)
		template_error(loader, &variant->read.send, "%s", what);
}
