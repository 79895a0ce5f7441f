/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What a dialect is made of once it is loaded: the tree of the file stays, what is below borrows
 * its texts. Shared by the files of lib/switch only.
 */
#pragma once

#include "lib/base/arena.h"
#include "lib/spec/yaml.h"
#include "lib/switch/dialect.h"
#include "lib/switch/pattern.h"
#include "lib/switch/template.h"

enum {
	DIALECT_BYTES_MAX = 256 * 1024,
	VARS_MAX = 16,
	LIST_MAX = 64, /* items of any list of a dialect */
	WORDS_MAX = 128,
	VARIANTS_MAX = 8,
	MODES_MAX = 4, /* lines that lead to where a line is said */
	GROUPS_MAX = 3 + SWITCH_FIELDS_MAX,
};

enum var_kind { VAR_WORDS, VAR_BOOL, VAR_NUMBER };

/* What a fabric file may say of a switch; without it, the first value holds. */
struct var {
	const char *name;
	enum var_kind kind;
	const char *const *values; /* VAR_WORDS, ends with NULL */
};

/* A variant of a knob is for switches whose variable has one of these values. */
struct condition {
	bool given;
	size_t var;
	const char *const *values;
};

/* What a row of an answer, or a place in a JSON answer, tells. */
enum group {
	GROUP_PORT,
	GROUP_KEY,
	GROUP_OPER,
	GROUP_FIELD, /* and those behind it */
};

/* How a text becomes a number or a list of keys. */
enum as {
	AS_PLAIN,
	AS_LIST,
	AS_RANGES,
	AS_BITMASK,
	AS_QUANTITY,
	AS_KBYTES,
	AS_MBYTES,
	AS_SECONDS,
	AS_TENTHS,
	AS_MAX,
};

enum proof { PROOF_CONFIG, PROOF_OPER };

/* A path into JSON: names of members, indexes of arrays, * for any, $port and $key. */
struct json_paths {
	const char *at;
	const char *part[GROUPS_MAX]; /* relative to @at; NULL: not told */
};

struct read_rules {
	bool given;
	struct template send;
	struct pattern *row; /* one of these two */
	struct json_paths json;
	struct pattern
		*starts; /* what the first line of a row looks like; the others belong to it */
	struct pattern *expect; /* what an answer without any row has to have */
	unsigned int carry; /* bits of groups that stay from row to row */
	unsigned int told; /* bits of fields that an answer can tell */
	struct words words;
	enum as as;
	bool port_ranges; /* the port of a row is many: swp1-16,swp18 */
	bool key_ranges; /* the key of a row is many: 8 9 10, 16-23 */
	unsigned int tolerance_percent;
	enum proof proof;
	bool has_fallback;
	struct switch_value fallback; /* what is so when nothing is said */
	bool by_key; /* ... of a key, whatever is said of others */
};

struct each_rules {
	bool given;
	struct lines set;
	struct lines more; /* what each further entry adds to the line of set */
	struct lines del;
	struct lines remove; /* instead of del, at the top: the entry with what it is kept in */
	bool has_fill;
	uint64_t fill; /* what keys have that the value does not name */
};

/* How one knob is written and read. */
struct variant {
	struct position where;
	unsigned int width;
	bool has_scope;
	enum switch_scope scope;
	bool has_verified;
	enum verified verified;
	struct condition when;
	const char *unsupported;
	const char *impact;
	unsigned int needs; /* bits of knobs */
	struct lines before;
	struct lines in;
	struct lines set;
	struct lines unset;
	struct each_rules each;
	struct lines clear;
	struct words words;
	struct read_rules read;
};

struct dialect {
	struct yaml_tree tree;
	struct arena arena;
	const char *name;
	enum verified verified;
	struct pattern *port_names;
	struct var var[VARS_MAX];
	size_t n_vars;
	struct session_rules rules;
	struct lines verb[TRANSACTION_VERB_MAX];
	struct variant *variants[SWITCH_KNOB_MAX];
	size_t n_variants[SWITCH_KNOB_MAX];
};

/* The values of all variables, by index. Returns 0; -EINVAL with a sentence. */
int dialect_vars(const struct dialect *dialect, const struct dialect_setting *settings, size_t n,
		 const char *ret[VARS_MAX], char *ret_why, size_t size);

/* The variant for these values; NULL if the dialect does not know @knob. */
const struct variant *dialect_variant(const struct dialect *dialect, enum switch_knob knob,
				      const char *const *vars);

/* ---- loading ---- */

struct loader {
	struct dialect *dialect;
	struct diags *diags;
	bool oom;
	const char *vars[VARS_MAX]; /* names */
	const struct switch_knob_info *knob; /* the one that is read */
	struct variant *variant;
};

struct key_row {
	const char *name;
	void (*load)(struct loader *loader, const struct yaml_node *key,
		     const struct yaml_node *value, void *into);
	size_t offset; /* of @into in the owner's struct */
	bool required;
};

/* Report something at @node. */
void load_error(struct loader *loader, const struct yaml_node *node, const char *format, ...)
	_printf_(3, 4);

/* Read @map, each of whose keys has a row. @what names it in messages. */
void load_map(struct loader *loader, const struct yaml_node *map, const char *what,
	      const struct key_row *rows, size_t n_rows, void *into);

/* False and an error if @node is not of that kind, or larger than @max. */
bool expect_text(struct loader *loader, const struct yaml_node *key, const struct yaml_node *node);
bool expect_list(struct loader *loader, const struct yaml_node *key, const struct yaml_node *node,
		 size_t max);
bool expect_map(struct loader *loader, const struct yaml_node *key, const struct yaml_node *node,
		size_t max);

/* Zeroed memory of the dialect's, NULL without memory. */
void *load_alloc(struct loader *loader, size_t n, size_t size);

/* The index of @node's text in @words (ends with NULL), -1 with an error if it is none. */
int load_word(struct loader *loader, const struct yaml_node *key, const struct yaml_node *node,
	      const char *const *words);

/* Hooks for rows; what @into is. */
void load_text(struct loader *loader, const struct yaml_node *key, const struct yaml_node *value,
	       void *into); /* const char *, plain ASCII */
void load_texts(struct loader *loader, const struct yaml_node *key, const struct yaml_node *value,
		void *into); /* const char *const *, ends with NULL; one text is a list of one */
void load_lines(struct loader *loader, const struct yaml_node *key, const struct yaml_node *value,
		void *into); /* struct lines; one text is a list of one */
void load_template(struct loader *loader, const struct yaml_node *key,
		   const struct yaml_node *value, void *into); /* struct template */
void load_verified(struct loader *loader, const struct yaml_node *key,
		   const struct yaml_node *value, void *into); /* enum verified */

/* Compile a pattern; without @ret only check it. */
void load_pattern(struct loader *loader, const struct yaml_node *node, enum pattern_kind kind,
		  struct pattern **ret);

/* The sections that have a file of their own. */
void load_session(struct loader *loader, const struct yaml_node *key, const struct yaml_node *value,
		  void *into); /* struct session_rules */
void load_knobs(struct loader *loader, const struct yaml_node *key, const struct yaml_node *value,
		void *into); /* struct dialect */
void load_read(struct loader *loader, const struct yaml_node *key, const struct yaml_node *value,
	       void *into); /* struct read_rules */
void load_words(struct loader *loader, const struct yaml_node *key, const struct yaml_node *value,
		void *into); /* struct words, plain: vendor */

/* Is @text what a value or a key of @knob can be ("3", "true", "drop")? */
bool plain_is_known(const struct switch_knob_info *knob, const char *text);

/* Last checks of a variant and of what it reads, when all of the file is known. */
void check_variant(struct loader *loader, struct variant *variant, enum switch_knob knob);
void check_read(struct loader *loader, struct variant *variant,
		const struct switch_knob_info *knob);

/* Report something at a line of the dialect. */
void template_error(struct loader *loader, const struct template *template, const char *format, ...)
	_printf_(3, 4);

/* Report what each line of @lines asks for and may not. */
void check_lines(struct loader *loader, const struct lines *lines, unsigned int allowed,
		 const char *what);

/* ---- values ---- */

/* Number of a plain text, or false: it is none of @field. */
bool plain_parse(const struct switch_field *field, const char *text, uint64_t *ret);

/* A number out of what a switch prints. Returns 0; -ENODATA: nothing is said; -EINVAL. */
int field_parse(const struct switch_field *field, const struct read_rules *read,
		const struct words *words, struct pattern_text text, uint64_t *ret);

/* Add the keys of a printed list. Returns 0 or -EINVAL. */
int list_parse(const struct switch_knob_info *knob, const struct read_rules *read,
	       const struct words *words, struct pattern_text text, struct switch_value *ret);

/* Is @name one of what a switch prints for several ports: "swp1-16,18,eth0"? */
bool port_ranges_have(struct pattern_text ports, const char *name);
