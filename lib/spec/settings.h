/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What the file says of a port (or a switch) once its layers lie on each other: top level, nics
 * item, node, the node's nics item. Maps merge by key, lists and scalars replace. Every value
 * remembers where it was written.
 */
#pragma once

#include "lib/model/policy.h"
#include "lib/spec/key.h"
#include "lib/spec/yaml.h"

/* Who said it, weakest first. */
enum layer {
	LAYER_TOP,
	LAYER_ITEM, /* an item of the top level's nics */
	LAYER_ALL_NODES, /* nodes: "*" */
	LAYER_NODE,
	LAYER_NODE_ITEM,
	LAYER_SWITCH,
};

/* One value; small, since whole settings are copied for every combination of layers. */
struct field {
	const struct yaml_node *key; /* NULL: not given; the value stands behind it in its map */
	uint32_t number; /* words: their index; lists of words or priorities: bits */
	uint8_t layer;
};

static inline const struct yaml_node *field_value(const struct field *field)
{
	return field->key + 1;
}

struct curve {
	const struct yaml_node *at; /* the key `ecn`, or its map in a list */
	struct field field[KEY_CURVE_END - KEY_CURVE_FIRST];
};

enum { CURVES_MAX = 8 }; /* one for each priority */

struct settings {
	struct field field[KEY_SETTINGS_END];
	uint64_t dscps; /* DSCPs that dscp_to_priority names */
	uint8_t priority_of[64];
	uint32_t dscp_line[64]; /* where it names them */
	uint8_t scheduled; /* priorities that scheduler names */
	uint8_t share_of[8]; /* percent; 0: strict */
	uint8_t limited; /* priorities that max_rate names */
	uint32_t kbit_of[8]; /* a second; 0: unlimited */
	struct curve curve[CURVES_MAX];
	size_t n_curves;
	bool curves_are_list;
};

struct policy_fields {
	struct field field[KEY_POLICY_END - KEY_POLICY_FIRST];
};

/* Reads sections. What it finds wrong goes to @diags; without @diags the text was checked before.
 */
struct reader {
	struct diags *diags;
	enum layer layer;
	struct settings
		*settings; /* values are put here, over what is there; any of these may be NULL */
	struct policy_fields *policy;
	struct curve *curve;
};

/* Read all keys of @map, which is @section. Keys whose kind is a list or map of their own are only
 * checked for that. */
void section_read(struct reader *reader, const struct yaml_node *map, enum section section);

/* Report an error at @node; one for each place. */
void reader_error(struct reader *reader, const struct yaml_node *node, const char *format, ...)
	_printf_(3, 4);

/* True if @node is a list (a map); otherwise reports what is expected instead, @key being its key.
 */
bool reader_expects_list(struct reader *reader, const struct yaml_node *key,
			 const struct yaml_node *node);
bool reader_expects_map(struct reader *reader, const struct yaml_node *key,
			const struct yaml_node *node);

/* True if @node is a name of this kind; otherwise reports it as the value of @key. */
bool reader_expects_name(struct reader *reader, const struct yaml_node *key,
			 const struct yaml_node *node, enum name name);

/* False if @value is null, which is reported. */
bool reader_expects_value(struct reader *reader, const struct yaml_node *key,
			  const struct yaml_node *value);

static inline bool field_given(const struct settings *settings, enum key key)
{
	return settings->field[key].key != NULL;
}

/* The DSCP and the whole ToS byte of RoCE, by traffic_class or dscp and ecn. False if neither is
 * given. */
bool settings_traffic_class(const struct settings *settings, unsigned int *ret);

/* Everything in spec.md "Cross-checks" that one port or switch decides. */
void settings_check(const struct settings *settings, struct diags *diags);

/* Put the fields that are given over @policy. */
void policy_apply(const struct policy_fields *fields, struct policy *policy);
