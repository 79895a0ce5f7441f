// SPDX-License-Identifier: LGPL-2.1-or-later
/* A dialect from its text: the sections of the file, each by the table of its keys. */
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/cleanup.h"
#include "lib/base/macro.h"
#include "lib/spec/name.h"
#include "lib/spec/number.h"
#include "lib/switch/dialect-internal.h"

static const char *const nothing[] = { NULL };

static void load_name(struct loader *loader, const struct yaml_node *key,
		      const struct yaml_node *value, void *into)
{
	struct trouble trouble;

	if (!expect_text(loader, key, value))
		return;
	if (!name_check(NAME_DIALECT, value->text, &trouble))
		load_error(loader, value, "dialect: %s", trouble.text);
	*(const char **)into = value->text;
}

static void load_port_names(struct loader *loader, const struct yaml_node *key,
			    const struct yaml_node *value, void *into)
{
	if (expect_text(loader, key, value))
		load_pattern(loader, value, PATTERN_WHOLE, into);
}

/* ---- vars ---- */

static bool is_reserved(const char *name)
{
	static const char *const others[] = { "port", "key", "value", "seconds", "host", "mode" };

	for (size_t i = 0; i < ARRAY_SIZE(others); i++)
		if (strcmp(others[i], name) == 0)
			return true;
	for (enum switch_knob knob = 0; knob < SWITCH_KNOB_MAX; knob++)
		for (size_t i = 0; i < switch_knob_table[knob].n_fields; i++)
			if (strcmp(switch_knob_table[knob].field[i].name, name) == 0)
				return true;
	return false;
}

static void load_var_kind(struct loader *loader, const struct yaml_node *key,
			  const struct yaml_node *value, struct var *var)
{
	static const char *const words[] = { "bool", "number", NULL };
	int word;

	if (value->kind == YAML_LIST) {
		var->kind = VAR_WORDS;
		load_texts(loader, key, value, &var->values);
		if (!var->values || !var->values[0])
			load_error(loader, value, "%s: a list of at least one text is expected",
				   key->text);
		return;
	}
	word = load_word(loader, key, value, words);
	if (word >= 0)
		var->kind = word == 0 ? VAR_BOOL : VAR_NUMBER;
}

static void load_var(struct loader *loader, const struct yaml_node *key,
		     const struct yaml_node *value, struct dialect *dialect)
{
	struct trouble trouble;
	struct var *var = &dialect->var[dialect->n_vars];

	if (!name_check(NAME_VARIABLE, key->text, &trouble))
		load_error(loader, key, "vars: %s", trouble.text);
	else if (is_reserved(key->text))
		load_error(loader, key, "vars: $%s stands for something else already", key->text);
	*var = (struct var){ .name = key->text, .values = nothing };
	load_var_kind(loader, key, value, var);
	loader->vars[dialect->n_vars++] = key->text;
}

static void load_vars(struct loader *loader, const struct yaml_node *key,
		      const struct yaml_node *value, void *into)
{
	if (!expect_map(loader, key, value, VARS_MAX))
		return;
	for (size_t i = 0; i < value->n; i++)
		load_var(loader, yaml_key(value, i), yaml_value(value, i), into);
}

/* ---- transaction ---- */

static void load_transaction(struct loader *loader, const struct yaml_node *key,
			     const struct yaml_node *value, void *into)
{
	static const char *const names[] = {
		[TRANSACTION_BEGIN] = "begin",	   [TRANSACTION_DIFF] = "diff",
		[TRANSACTION_COMMIT] = "commit",   [TRANSACTION_TRIAL] = "trial",
		[TRANSACTION_CONFIRM] = "confirm", [TRANSACTION_RETURN] = "return",
		[TRANSACTION_ABORT] = "abort",	   [TRANSACTION_END] = "end",
		[TRANSACTION_SAVE] = "save",
	};
	struct key_row rows[TRANSACTION_VERB_MAX];
	struct lines *verbs = into;

	static_assert(ARRAY_SIZE(names) == TRANSACTION_VERB_MAX, "a name for each verb");
	for (size_t i = 0; i < TRANSACTION_VERB_MAX; i++)
		rows[i] = (struct key_row){ names[i], load_lines, i * sizeof(*verbs), false };
	load_map(loader, value, "transaction", rows, ARRAY_SIZE(rows), verbs);
	for (size_t i = 0; i < TRANSACTION_VERB_MAX; i++)
		check_lines(loader, &verbs[i], i == TRANSACTION_TRIAL ? USES_SECONDS : 0, names[i]);
	if (verbs[TRANSACTION_TRIAL].n && !verbs[TRANSACTION_CONFIRM].n)
		load_error(loader, key,
			   "transaction: trial without confirm would always be undone");
	if (verbs[TRANSACTION_RETURN].n && !verbs[TRANSACTION_TRIAL].n)
		load_error(loader, key,
			   "transaction: return takes back a trial, and there is none");
}

/* ---- the file ---- */

#define PART(field) offsetof(struct dialect, field)

/* Sections are read in this order, wherever they stand: names are known before they are used. */
static const struct key_row dialect_rows[] = {
	{ "dialect", load_name, PART(name), true },
	{ "verified", load_verified, PART(verified), true },
	{ "port_names", load_port_names, PART(port_names) },
	{ "vars", load_vars },
	{ "session", load_session, PART(rules), true },
	{ "transaction", load_transaction, PART(verb) },
	{ "knobs", load_knobs, 0, true },
};

static void load_nothing(struct loader *loader, const struct yaml_node *key,
			 const struct yaml_node *value, void *into)
{
}

static void load_sections(struct loader *loader)
{
	const struct yaml_node *root = &loader->dialect->tree.root;
	struct key_row known[ARRAY_SIZE(dialect_rows)];

	/* For the keys alone: what is unknown, what is missing */
	for (size_t i = 0; i < ARRAY_SIZE(dialect_rows); i++) {
		known[i] = dialect_rows[i];
		known[i].load = load_nothing;
	}
	load_map(loader, root, "a dialect", known, ARRAY_SIZE(known), loader->dialect);
	for (size_t i = 0; i < ARRAY_SIZE(dialect_rows); i++) {
		const struct key_row *row = &dialect_rows[i];

		for (size_t k = 0; k < root->n; k++)
			if (strcmp(yaml_key(root, k)->text, row->name) == 0)
				row->load(loader, yaml_key(root, k), yaml_value(root, k),
					  (char *)loader->dialect + row->offset);
	}
}

static struct dialect *dialect_new(void)
{
	struct dialect *dialect = calloc(1, sizeof(*dialect));

	if (!dialect)
		return NULL;
	dialect->name = "";
	dialect->rules = (struct session_rules){
		.prompt = "",
		.after_login = nothing,
		.enable = "",
		.enabled = "",
		.enable_password = "",
		.pager = nothing,
		.error = nothing,
		.not_error = nothing,
		.question = "",
		.refuse = "",
		.leave = "",
		.newline = "\n",
		.width = 511,
	};
	return dialect;
}

int dialect_load(const char *text, size_t size, struct dialect **ret, struct diags *diags)
{
	_cleanup_(dialect_freep) struct dialect *dialect = NULL;
	struct loader loader = { .diags = diags };
	int r;

	if (size > DIALECT_BYTES_MAX) {
		diag_add(diags, SEVERITY_ERROR, (struct position){ 1, 1 }, 1,
			 "a dialect has at most %d bytes", DIALECT_BYTES_MAX);
		return -EINVAL;
	}
	dialect = dialect_new();
	if (!dialect)
		return -ENOMEM;
	loader.dialect = dialect;
	r = yaml_load(text, size, &dialect->tree, diags);
	if (r < 0)
		return r;
	if (diags_has_errors(diags)) /* a key twice */
		return -EINVAL;
	load_sections(&loader);
	if (loader.oom || diags->oom)
		return -ENOMEM;
	if (diags_has_errors(diags))
		return -EINVAL;
	*ret = TAKE_PTR(dialect);
	return 0;
}
