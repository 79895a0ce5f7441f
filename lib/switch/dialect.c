// SPDX-License-Identifier: LGPL-2.1-or-later
/* A loaded dialect: what it knows, and what a fabric file may say to it. */
#include "lib/switch/dialect.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/cleanup.h"
#include "lib/base/macro.h"
#include "lib/base/text.h"
#include "lib/spec/name.h"
#include "lib/spec/number.h"
#include "lib/switch/dialect-internal.h"

enum { NUMBER_MAX = 65535 };

static void variant_done(struct variant *variant)
{
	(void)pattern_free(variant->read.row);
	(void)pattern_free(variant->read.starts);
	(void)pattern_free(variant->read.expect);
}

struct dialect *dialect_free(struct dialect *dialect)
{
	if (!dialect)
		return NULL;
	for (enum switch_knob knob = 0; knob < SWITCH_KNOB_MAX; knob++)
		for (size_t i = 0; i < dialect->n_variants[knob]; i++)
			variant_done(&dialect->variants[knob][i]);
	(void)pattern_free(dialect->port_names);
	yaml_done(&dialect->tree);
	arena_done(&dialect->arena);
	free(dialect);
	return NULL;
}

const char *dialect_name(const struct dialect *dialect)
{
	return dialect->name;
}

enum verified dialect_verified(const struct dialect *dialect)
{
	return dialect->verified;
}

const struct session_rules *dialect_rules(const struct dialect *dialect)
{
	return &dialect->rules;
}

bool dialect_has_verb(const struct dialect *dialect, enum transaction_verb verb)
{
	return dialect->verb[verb].n > 0;
}

/* ---- variables ---- */

static const struct var *var_find(const struct dialect *dialect, const char *name, size_t *ret)
{
	for (size_t i = 0; i < dialect->n_vars; i++) {
		if (strcmp(dialect->var[i].name, name) != 0)
			continue;
		*ret = i;
		return &dialect->var[i];
	}
	return NULL;
}

static bool is_one_of(const char *const *values, const char *value)
{
	for (; *values; values++)
		if (strcmp(*values, value) == 0)
			return true;
	return false;
}

static bool var_allows(const struct var *var, const char *value)
{
	struct trouble trouble;
	uint64_t number;

	switch (var->kind) {
	case VAR_WORDS:
		return is_one_of(var->values, value);
	case VAR_BOOL:
		return strcmp(value, "true") == 0 || strcmp(value, "false") == 0;
	case VAR_NUMBER:
		return strspn(value, "0123456789") == strlen(value) &&
		       number_parse(value, 0, NUMBER_MAX, NULL, &number, &trouble);
	}
	return false;
}

static int refuse_var(const struct dialect *dialect, const char *name, char *ret_why, size_t size)
{
	struct text why = { ret_why, size, 0 };

	text_put(&why, "the dialect %s has no variable \"%s\"%s", dialect->name, shown(name).text,
	    dialect->n_vars ? "; it has " : "");
	for (size_t i = 0; i < dialect->n_vars; i++)
		text_put(&why, "%s%s", i ? ", " : "", dialect->var[i].name);
	return -EINVAL;
}

static int refuse_value(const struct var *var, const char *value, char *ret_why, size_t size)
{
	struct text why = { ret_why, size, 0 };

	text_put(&why, "%s cannot be \"%s\"; it may be ", var->name, shown(value).text);
	if (var->kind == VAR_BOOL)
		text_put(&why, "true or false");
	if (var->kind == VAR_NUMBER)
		text_put(&why, "0 to %d", NUMBER_MAX);
	for (size_t i = 0; var->kind == VAR_WORDS && var->values[i]; i++)
		text_put(&why, "%s%s", i ? ", " : "", var->values[i]);
	return -EINVAL;
}

int dialect_check_var(const struct dialect *dialect, const char *name, const char *value,
		      char *ret_why, size_t size)
{
	size_t index;
	const struct var *var = var_find(dialect, name, &index);

	if (!var)
		return refuse_var(dialect, name, ret_why, size);
	if (!var_allows(var, value))
		return refuse_value(var, value, ret_why, size);
	return 0;
}

int dialect_check_port(const struct dialect *dialect, const char *port, char *ret_why, size_t size)
{
	struct trouble trouble;

	if (!name_check(NAME_SWITCH_PORT, port, &trouble)) {
		(void)snprintf(ret_why, size, "port: %s", trouble.text);
		return -EINVAL;
	}
	if (!dialect->port_names || pattern_match(dialect->port_names, port, strlen(port), 0) == 1)
		return 0;
	(void)snprintf(ret_why, size, "%s: no port of the dialect %s is called so",
		       shown(port).text, dialect->name);
	return -EINVAL;
}

/* What holds if nobody says anything; a number has to be said where it is used. */
static const char *var_fallback(const struct var *var)
{
	switch (var->kind) {
	case VAR_WORDS:
		return var->values[0];
	case VAR_BOOL:
		return "false";
	case VAR_NUMBER:
		break;
	}
	return NULL;
}

int dialect_vars(const struct dialect *dialect, const struct dialect_setting *settings, size_t n,
		 const char *ret[VARS_MAX], char *ret_why, size_t size)
{
	size_t index = 0;
	int r;

	for (size_t i = 0; i < dialect->n_vars; i++)
		ret[i] = var_fallback(&dialect->var[i]);
	for (size_t i = 0; i < n; i++) {
		r = dialect_check_var(dialect, settings[i].name, settings[i].value, ret_why, size);
		if (r < 0)
			return r;
		if (var_find(dialect, settings[i].name, &index))
			ret[index] = settings[i].value;
	}
	return 0;
}

/* ---- knobs ---- */

const struct variant *dialect_variant(const struct dialect *dialect, enum switch_knob knob,
				      const char *const *vars)
{
	for (size_t i = 0; i < dialect->n_variants[knob]; i++) {
		const struct variant *variant = &dialect->variants[knob][i];
		const char *value = variant->when.given ? vars[variant->when.var] : NULL;

		if (!variant->when.given || (value && is_one_of(variant->when.values, value)))
			return variant;
	}
	return NULL;
}

/* Settings that are refused count as not said: they were checked where they were read. */
static const struct variant *variant_of(const struct dialect *dialect,
					const struct dialect_setting *settings, size_t n,
					enum switch_knob knob)
{
	const char *vars[VARS_MAX];
	char why[8];

	(void)dialect_vars(dialect, settings, n, vars, why, sizeof(why));
	return dialect_variant(dialect, knob, vars);
}

bool dialect_has(const struct dialect *dialect, const struct dialect_setting *settings, size_t n,
		 enum switch_knob knob, enum switch_scope *ret_scope, const char **ret_why)
{
	const struct variant *variant = variant_of(dialect, settings, n, knob);

	if (!variant || variant->unsupported) {
		*ret_why = variant ? variant->unsupported : "the dialect does not know it";
		return false;
	}
	*ret_scope = variant->scope;
	return true;
}

enum verified dialect_knob_verified(const struct dialect *dialect,
				    const struct dialect_setting *settings, size_t n,
				    enum switch_knob knob)
{
	const struct variant *variant = variant_of(dialect, settings, n, knob);

	return variant && variant->has_verified ? variant->verified : dialect->verified;
}

const char *dialect_impact(const struct dialect *dialect, const struct dialect_setting *settings,
			   size_t n, enum switch_knob knob)
{
	const struct variant *variant = variant_of(dialect, settings, n, knob);

	return variant && variant->impact ? variant->impact : "";
}

unsigned int dialect_needs(const struct dialect *dialect, const struct dialect_setting *settings,
			   size_t n, enum switch_knob knob)
{
	const struct variant *variant = variant_of(dialect, settings, n, knob);

	return variant ? variant->needs : 0;
}

bool dialect_proves_operation(const struct dialect *dialect, const struct dialect_setting *settings,
			      size_t n, enum switch_knob knob)
{
	const struct variant *variant = variant_of(dialect, settings, n, knob);

	return variant && variant->read.proof == PROOF_OPER;
}
