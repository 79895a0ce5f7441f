// SPDX-License-Identifier: LGPL-2.1-or-later
/* Reads the maps of the file after the rows of key_table: unknown keys, kinds, ranges, and where
 * values are kept. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "lib/base/macro.h"
#include "lib/spec/settings.h"

enum { NAMES_MAX = 1024 }; /* of one list */

void reader_error(struct reader *reader, const struct yaml_node *node, const char *format, ...)
{
	char message[512];
	va_list ap;

	if (!reader->diags || diags_has(reader->diags, SEVERITY_ERROR, yaml_position(node)))
		return;
	va_start(ap, format);
	(void)vsnprintf(message, sizeof(message), format, ap);
	va_end(ap);
	diag_add(reader->diags, SEVERITY_ERROR, yaml_position(node), node->width, "%s", message);
}

static const char *kind_name(const struct yaml_node *node)
{
	return node->kind == YAML_MAP  ? "a map" :
	       node->kind == YAML_LIST ? "a list" :
					 "a single value";
}

bool reader_expects_value(struct reader *reader, const struct yaml_node *key,
			  const struct yaml_node *value)
{
	if (!yaml_is_null(value))
		return true;
	reader_error(reader, key, "'%s' has no value; leave the key out if nothing is meant",
		     shown(key->text).text);
	return false;
}

bool reader_expects_list(struct reader *reader, const struct yaml_node *key,
			 const struct yaml_node *node)
{
	if (node->kind == YAML_LIST)
		return true;
	if (node->kind == YAML_TEXT && strspn(node->text, "0123456789") == node->n && node->n == 1)
		reader_error(reader, node, "%s: a list is expected, write [%s]",
			     shown(key->text).text, node->text);
	else
		reader_error(reader, node, "%s: a list is expected, such as [a, b], not %s",
			     shown(key->text).text, kind_name(node));
	return false;
}

bool reader_expects_map(struct reader *reader, const struct yaml_node *key,
			const struct yaml_node *node)
{
	size_t split;

	if (node->kind == YAML_MAP)
		return true;
	if (node->kind == YAML_TEXT && !(node->flags & YAML_QUOTED) &&
	    number_has_colon(node->text, &split))
		reader_error(reader, node, "%s: a map is expected: write %.*s: %s, with a space",
			     shown(key->text).text, (int)MIN(split, 60UL), node->text,
			     shown(node->text + split + 1).text);
	else
		reader_error(reader, node, "%s: a map is expected, as {key: value}, not %s",
			     shown(key->text).text, kind_name(node));
	return false;
}

static bool reader_expects_text(struct reader *reader, const struct yaml_node *key,
				const struct yaml_node *node)
{
	if (node->kind == YAML_TEXT && !yaml_is_null(node))
		return true;
	if (node->kind == YAML_TEXT)
		reader_error(reader, node, "%s: a value is missing", shown(key->text).text);
	else
		reader_error(reader, node, "%s: a single value is expected, not %s",
			     shown(key->text).text, kind_name(node));
	return false;
}

bool reader_expects_name(struct reader *reader, const struct yaml_node *key,
			 const struct yaml_node *node, enum name name)
{
	struct trouble trouble;

	if (!reader_expects_text(reader, key, node))
		return false;
	if (name_check(name, node->text, &trouble))
		return true;
	reader_error(reader, node, "%s: %s", shown(key->text).text, trouble.text);
	return false;
}

static bool number_read(struct reader *reader, const struct yaml_node *key,
			const struct yaml_node *node, const struct key_info *info, uint64_t *ret)
{
	uint64_t min = key_min(info), max = key_max(info);
	struct trouble trouble;

	if (!reader_expects_text(reader, key, node))
		return false;
	if (number_parse(node->text, min, max, info->units, ret, &trouble))
		return true;
	reader_error(reader, node, "%s: %s", key->text, trouble.text);
	return false;
}

static void word_error(struct reader *reader, const struct yaml_node *key,
		       const struct yaml_node *node, const char *const *words)
{
	bool boolean = !(node->flags & YAML_QUOTED) && (strcasecmp(node->text, "true") == 0 ||
							strcasecmp(node->text, "false") == 0);
	char list[128] = "";
	size_t used = 0;

	for (size_t i = 0; words[i] && used < sizeof(list); i++)
		used += (size_t)snprintf(list + used, sizeof(list) - used, "%s%s", i ? ", " : "",
					 words[i]);
	reader_error(reader, node, "%s: %s%s%s; allowed: %s", key->text,
		     boolean ? "the boolean " : "'", shown(node->text).text,
		     boolean ? " is not a word for this" : "' is not known", list);
}

static bool word_read(struct reader *reader, const struct yaml_node *key,
		      const struct yaml_node *node, const struct key_info *info, uint64_t *ret)
{
	const char *const *words = key_words(info);

	if (!reader_expects_text(reader, key, node))
		return false;
	for (size_t i = 0; words[i]; i++) {
		if (strcmp(words[i], node->text) != 0)
			continue;
		if (info->key == KEY_TRUST && i == TRUST_PCP) {
			reader_error(reader, node,
				     "trust: pcp is refused: it needs a VLAN egress map, which "
				     "losslessd "
				     "does not manage yet; allowed: dscp");
			return false;
		}
		*ret = i;
		return true;
	}
	/* pcp is the first word of trust, and not to be offered */
	word_error(reader, key, node, info->key == KEY_TRUST ? words + 1 : words);
	return false;
}

static bool boolean_read(struct reader *reader, const struct yaml_node *key,
			 const struct yaml_node *node, uint64_t *ret)
{
	static const char *const truths[] = { "yes", "on", "y", "true", "1" };

	if (!reader_expects_text(reader, key, node))
		return false;
	*ret = strcmp(node->text, "true") == 0;
	if (*ret || strcmp(node->text, "false") == 0)
		return true;
	for (size_t i = 0; i < ARRAY_SIZE(truths); i++)
		if (strcasecmp(node->text, truths[i]) == 0) {
			reader_error(reader, node, "%s: '%s' is not known; write true", key->text,
				     node->text);
			return false;
		}
	reader_error(reader, node, "%s: '%s' is not known; allowed: true, false", key->text,
		     shown(node->text).text);
	return false;
}

/* A list of small numbers or of words, each once. */
static bool bits_read(struct reader *reader, const struct yaml_node *key,
		      const struct yaml_node *node, const struct key_info *info, uint64_t *ret)
{
	static const struct key_info priority = { .name = "priority", .max = PRIORITIES - 1 };
	bool good = true;
	uint64_t bit;

	if (node->kind == YAML_TEXT && node->n == 8 && strspn(node->text, "01") == 8) {
		reader_error(reader, node,
			     "%s: '%s' looks like a string of bits; write a list of priorities, "
			     "such as [3]",
			     key->text, node->text);
		return false;
	}
	if (!reader_expects_list(reader, key, node))
		return false;
	*ret = 0;
	for (size_t i = 0; i < node->n; i++) {
		const struct yaml_node *item = &node->item[i];

		if (!(info->kind == KIND_WORDS ? word_read(reader, key, item, info, &bit) :
						 number_read(reader, key, item, &priority, &bit))) {
			good = false;
			continue;
		}
		if (*ret >> bit & 1) {
			reader_error(reader, item, "%s: '%s' is in the list already", key->text,
				     item->text);
			good = false;
		}
		*ret |= UINT64_C(1) << bit;
	}
	if (node->n == 0 && info->kind != KIND_PRIORITIES) {
		reader_error(reader, node, "%s: the list is empty", key->text);
		return false;
	}
	return good;
}

static bool names_read(struct reader *reader, const struct yaml_node *key,
		       const struct yaml_node *node, const struct key_info *info)
{
	bool good = true;

	if (info->kind == KIND_PATTERNS && node->kind == YAML_TEXT)
		return reader_expects_name(reader, key, node, info->names);
	if (!reader_expects_list(reader, key, node))
		return false;
	if (node->n == 0 && info->kind == KIND_PATTERNS) {
		reader_error(reader, node, "%s: the list is empty", key->text);
		return false;
	}
	if (node->n > NAMES_MAX) {
		reader_error(reader, node, "%s: %u names in one list, at most %d are allowed",
			     key->text, node->n, NAMES_MAX);
		return false;
	}
	for (size_t i = 0; i < node->n; i++)
		good &= reader_expects_name(reader, key, &node->item[i], info->names);
	return good;
}

/* A key that is a number: unquoted or quoted, decimal or hexadecimal. */
static bool number_key_read(struct reader *reader, const struct yaml_node *of,
			    const struct yaml_node *key, const struct yaml_node *value,
			    uint64_t max, uint64_t *ret)
{
	struct trouble trouble;
	size_t split;

	if (yaml_is_null(value) && !(key->flags & YAML_QUOTED) &&
	    number_has_colon(key->text, &split)) {
		reader_error(reader, key,
			     "%s: '%s' is one key without a value: write %.*s: %s, with a space",
			     of->text, shown(key->text).text, (int)MIN(split, 20UL), key->text,
			     shown(key->text + split + 1).text);
		return false;
	}
	if (!number_parse(key->text, 0, max, NULL, ret, &trouble)) {
		reader_error(reader, key, "%s: key %s", of->text, trouble.text);
		return false;
	}
	return reader_expects_value(reader, key, value);
}

/*
 * A key that is equal to an earlier one of the same map as a number, though not as text. True if
 * the pair is to be left out: it is an error, unless it came in with << and the map's own one wins.
 */
static bool number_key_repeats(struct reader *reader, const struct yaml_node *of,
			       const struct yaml_node *first, const struct yaml_node *key)
{
	if (!first)
		return false;
	if (!(key->flags & YAML_MERGED))
		reader_error(reader, key, "%s: duplicate key %s, the same as '%s' on line %u",
			     of->text, key->text, first->text, first->line);
	return true;
}

/* A map of which an empty one means nothing. */
static bool expects_entries(struct reader *reader, const struct yaml_node *key,
			    const struct yaml_node *map)
{
	if (!reader_expects_map(reader, key, map))
		return false;
	if (map->n == 0)
		reader_error(reader, map,
			     "%s: the map is empty; leave the key out if nothing is meant",
			     key->text);
	return true;
}

static void dscp_map_read(struct reader *reader, const struct yaml_node *key,
			  const struct yaml_node *map)
{
	static const struct key_info priority = { .name = "priority", .max = PRIORITIES - 1 };
	const struct yaml_node *seen[DSCPS] = {};
	uint64_t dscp, value;

	if (!expects_entries(reader, key, map))
		return;
	for (size_t i = 0; i < map->n; i++) {
		const struct yaml_node *entry = yaml_key(map, i);

		if (!number_key_read(reader, key, entry, yaml_value(map, i), DSCPS - 1, &dscp) ||
		    number_key_repeats(reader, key, seen[dscp], entry))
			continue;
		seen[dscp] = entry;
		if (!number_read(reader, key, yaml_value(map, i), &priority, &value) ||
		    !reader->settings)
			continue;
		reader->settings->dscps |= dscp_bit(dscp);
		reader->settings->priority_of[dscp] = value;
		reader->settings->dscp_line[dscp] = entry->line;
	}
}

/* A value of each priority: a quantity as in @info, or @word, which is 0. */
static uint8_t priority_map_read(struct reader *reader, const struct yaml_node *key,
				 const struct yaml_node *map, const struct key_info *info,
				 const char *word, uint64_t ret[PRIORITIES])
{
	const struct yaml_node *seen[PRIORITIES] = {};
	uint64_t priority, number;
	uint8_t named = 0;

	if (!expects_entries(reader, key, map))
		return 0;
	for (size_t i = 0; i < map->n; i++) {
		const struct yaml_node *entry = yaml_key(map, i), *value = yaml_value(map, i);

		if (!number_key_read(reader, key, entry, value, PRIORITIES - 1, &priority) ||
		    number_key_repeats(reader, key, seen[priority], entry))
			continue;
		seen[priority] = entry;
		number = 0;
		if (!(value->kind == YAML_TEXT && strcmp(value->text, word) == 0) &&
		    !number_read(reader, key, value, info, &number))
			continue;
		named |= 1U << priority;
		ret[priority] = number;
	}
	return named;
}

static void scheduler_read(struct reader *reader, const struct yaml_node *key,
			   const struct yaml_node *map)
{
	static const struct key_info percent = {
		.name = "share", .min = 1, .max = 100, .units = percent_units
	};
	struct settings *settings = reader->settings;
	uint64_t shares[PRIORITIES] = {};
	uint8_t named = priority_map_read(reader, key, map, &percent, "strict", shares);

	for (unsigned int i = 0; settings && i < PRIORITIES; i++)
		if (named >> i & 1)
			settings->share_of[i] = (uint8_t)shares[i];
	if (settings)
		settings->scheduled |= named;
}

static void rates_read(struct reader *reader, const struct yaml_node *key,
		       const struct yaml_node *map)
{
	static const struct key_info rate = {
		.name = "rate", .min = 100 * 1000, .max = 1000 * 1000 * 1000, .units = rate_units
	};
	struct settings *settings = reader->settings;
	uint64_t rates[PRIORITIES] = {};
	uint8_t named = priority_map_read(reader, key, map, &rate, "unlimited", rates);

	for (unsigned int i = 0; settings && i < PRIORITIES; i++)
		if (named >> i & 1)
			settings->kbit_of[i] = (uint32_t)rates[i];
	if (settings)
		settings->limited |= named;
}

static void curve_read(struct reader *reader, const struct yaml_node *map, struct curve *curve)
{
	struct reader inner = { .diags = reader->diags, .layer = reader->layer, .curve = curve };

	section_read(&inner, map, SECTION_ECN);
}

/* A map over a map merges by key; everything else replaces. */
static void curves_read(struct reader *reader, const struct yaml_node *key,
			const struct yaml_node *value)
{
	struct settings scratch = {}, *settings = reader->settings ? reader->settings : &scratch;

	if (value->kind != YAML_LIST) {
		if (!reader_expects_map(reader, key, value))
			return;
		if (settings->curves_are_list)
			settings->curve[0] = (struct curve){};
		settings->curves_are_list = false;
		settings->n_curves = 1;
		settings->curve[0].at = key;
		curve_read(reader, value, &settings->curve[0]);
		return;
	}
	settings->curves_are_list = true;
	settings->n_curves = 0;
	if (value->n == 0)
		reader_error(reader, value,
			     "%s: the list is empty; leave the key out if nothing is meant",
			     key->text);
	for (size_t i = 0; i < value->n; i++) {
		if (i == CURVES_MAX) {
			reader_error(reader, &value->item[i],
				     "%s: more than %d maps; each has priorities of its own",
				     key->text, CURVES_MAX);
			return;
		}
		if (!reader_expects_map(reader, key, &value->item[i]))
			continue;
		settings->curve[settings->n_curves] = (struct curve){ .at = &value->item[i] };
		curve_read(reader, &value->item[i], &settings->curve[settings->n_curves++]);
	}
}

static struct field *reader_field(struct reader *reader, enum key key)
{
	if (key == KEY_NONE)
		return NULL;
	if (key < KEY_SETTINGS_END)
		return reader->settings ? &reader->settings->field[key] : NULL;
	if (key < KEY_CURVE_END)
		return reader->curve ? &reader->curve->field[key - KEY_CURVE_FIRST] : NULL;
	return reader->policy ? &reader->policy->field[key - KEY_POLICY_FIRST] : NULL;
}

/* True if the value is good and @ret is its number (0 for kinds that have none). */
static bool value_read(struct reader *reader, const struct key_info *info,
		       const struct yaml_node *key, const struct yaml_node *value, uint64_t *ret)
{
	*ret = 0;
	switch (info->kind) {
	case KIND_INTEGER:
	case KIND_QUANTITY:
		return number_read(reader, key, value, info, ret);
	case KIND_WORD:
		return word_read(reader, key, value, info, ret);
	case KIND_WORDS:
	case KIND_PRIORITIES:
	case KIND_SOME_PRIORITIES:
		return bits_read(reader, key, value, info, ret);
	case KIND_BOOLEAN:
		return boolean_read(reader, key, value, ret);
	case KIND_NAME:
		return reader_expects_name(reader, key, value, info->names);
	case KIND_NAMES:
	case KIND_PATTERNS:
		return names_read(reader, key, value, info);
	case KIND_LIST:
		return reader_expects_list(reader, key, value);
	case KIND_MAP:
		return reader_expects_map(reader, key, value);
	case KIND_SECTION:
		if (!reader_expects_map(reader, key, value))
			return false;
		section_read(reader, value, info->inner);
		return true;
	case KIND_DSCP_MAP:
		dscp_map_read(reader, key, value);
		return true;
	case KIND_SCHEDULER:
		scheduler_read(reader, key, value);
		return true;
	case KIND_RATES:
		rates_read(reader, key, value);
		return true;
	case KIND_CURVES:
		curves_read(reader, key, value);
		return true;
	}
	return false;
}

static void key_unknown(struct reader *reader, enum section section, const struct yaml_node *key,
			const struct yaml_node *value)
{
	if (!reader->diags || diags_has(reader->diags, SEVERITY_ERROR, yaml_position(key)))
		return;
	if (!diags_keeps(reader->diags, SEVERITY_ERROR, yaml_position(key))) {
		reader_error(reader, key, "unknown key"); /* only counted */
		return;
	}
	if (yaml_is_null(value) && strspn(key->text, "0123456789") == key->n) {
		reader_error(reader, key,
			     "unknown key '%s': if it belongs to the number before, write "
			     "that without a comma",
			     shown(key->text).text);
		return;
	}
	reader_error(reader, key, "unknown key '%s'%s", shown(key->text).text,
		     key_suggest(section, key->text).text);
}

void section_read(struct reader *reader, const struct yaml_node *map, enum section section)
{
	for (size_t i = 0; i < map->n; i++) {
		const struct yaml_node *key = yaml_key(map, i), *value = yaml_value(map, i);
		const struct key_info *info = key_find(section, key->text);
		struct field *field;
		uint64_t number;

		if (!info) {
			if (strncmp(key->text, "x-", 2) != 0)
				key_unknown(reader, section, key, value);
			continue;
		}
		if (!reader_expects_value(reader, key, value) ||
		    !value_read(reader, info, key, value, &number))
			continue;
		field = reader_field(reader, info->key);
		if (field)
			*field = (struct field){ .key = key,
						 .number = number,
						 .layer = reader->layer };
	}
}
