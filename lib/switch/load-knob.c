// SPDX-License-Identifier: LGPL-2.1-or-later
/* The section `knobs` of a dialect: how each is written. What reads it is in load-read.c. */
#include <stddef.h>
#include <string.h>

#include "lib/base/macro.h"
#include "lib/spec/number.h"
#include "lib/switch/dialect-internal.h"

#define VARIANT(field) offsetof(struct variant, field)

static void load_scope(struct loader *loader, const struct yaml_node *key,
		       const struct yaml_node *value, void *into)
{
	static const char *const words[] = {
		[SCOPE_SWITCH] = "switch",
		[SCOPE_PORT] = "port",
		NULL,
	};
	struct variant *variant = into;
	int word = load_word(loader, key, value, words);

	if (word < 0)
		return;
	variant->has_scope = true;
	variant->scope = (enum switch_scope)word;
	if (!(loader->knob->scopes & (1U << variant->scope)))
		load_error(loader, value, "%s is never of a %s", loader->knob->name, words[word]);
}

static void load_knob_verified(struct loader *loader, const struct yaml_node *key,
			       const struct yaml_node *value, void *into)
{
	struct variant *variant = into;

	variant->has_verified = true;
	load_verified(loader, key, value, &variant->verified);
}

static void load_needs(struct loader *loader, const struct yaml_node *key,
		       const struct yaml_node *value, void *into)
{
	unsigned int *needs = into;

	if (!expect_list(loader, key, value, SWITCH_KNOB_MAX))
		return;
	for (size_t i = 0; i < value->n; i++) {
		enum switch_knob knob = SWITCH_KNOB_MAX;

		if (!expect_text(loader, key, &value->item[i]))
			continue;
		knob = switch_knob_find(value->item[i].text);
		if (knob == SWITCH_KNOB_MAX)
			load_error(loader, &value->item[i], "there is no knob \"%s\"",
				   shown(value->item[i].text).text);
		else
			*needs |= 1U << knob;
	}
}

/* ---- when ---- */

static bool condition_var(struct loader *loader, const struct yaml_node *key, size_t *ret)
{
	for (*ret = 0; *ret < loader->dialect->n_vars; (*ret)++)
		if (strcmp(loader->vars[*ret], key->text) == 0)
			return true;
	load_error(loader, key, "when: there is no variable \"%s\"", shown(key->text).text);
	return false;
}

static void load_when(struct loader *loader, const struct yaml_node *key,
		      const struct yaml_node *value, void *into)
{
	struct condition *condition = into;
	char why[256];

	if (value->kind != YAML_MAP || value->n != 1) {
		load_error(loader, value, "when: one variable and its values are expected");
		return;
	}
	if (!condition_var(loader, yaml_key(value, 0), &condition->var))
		return;
	load_texts(loader, key, yaml_value(value, 0), &condition->values);
	condition->given = condition->values != NULL;
	for (size_t i = 0; condition->given && condition->values[i]; i++)
		if (dialect_check_var(loader->dialect, yaml_key(value, 0)->text,
				      condition->values[i], why, sizeof(why)) < 0)
			load_error(loader, yaml_value(value, 0), "when: %s", why);
}

/* ---- words ---- */

bool plain_is_known(const struct switch_knob_info *knob, const char *text)
{
	const struct switch_field key = { "key", UNIT_NUMBER, .max = knob->key_max };
	uint64_t number;

	if (knob->key && plain_parse(&key, text, &number))
		return true;
	for (size_t i = 0; i < knob->n_fields; i++)
		if (plain_parse(&knob->field[i], text, &number))
			return true;
	return false;
}

void load_words(struct loader *loader, const struct yaml_node *key, const struct yaml_node *value,
		void *into)
{
	struct words *words = into;
	struct word *list;

	if (!expect_map(loader, key, value, WORDS_MAX))
		return;
	list = load_alloc(loader, value->n, sizeof(*list));
	if (!list)
		return;
	for (size_t i = 0; i < value->n; i++) {
		list[i].plain = yaml_key(value, i)->text;
		list[i].vendor = "";
		load_text(loader, key, yaml_value(value, i), &list[i].vendor);
		if (!plain_is_known(loader->knob, list[i].plain))
			load_error(loader, yaml_key(value, i), "words: %s is never \"%s\"",
				   loader->knob->name, shown(list[i].plain).text);
	}
	*words = (struct words){ list, value->n };
}

/* ---- each ---- */

static void load_fill(struct loader *loader, const struct yaml_node *key,
		      const struct yaml_node *value, void *into)
{
	const struct switch_knob_info *knob = loader->knob;
	struct each_rules *each = into;

	if (!expect_text(loader, key, value))
		return;
	each->has_fill = knob->shape == SHAPE_MAP && knob->n_fields == 1 &&
			 plain_parse(&knob->field[0], value->text, &each->fill);
	if (!each->has_fill)
		load_error(loader, value, "fill: %s cannot be filled with \"%s\"", knob->name,
			   shown(value->text).text);
}

static void load_each(struct loader *loader, const struct yaml_node *key,
		      const struct yaml_node *value, void *into)
{
	static const struct key_row rows[] = {
		{ "set", load_lines, offsetof(struct each_rules, set), true },
		{ "more", load_lines, offsetof(struct each_rules, more) },
		{ "del", load_lines, offsetof(struct each_rules, del) },
		{ "remove", load_lines, offsetof(struct each_rules, remove) },
		{ "fill", load_fill },
	};
	struct each_rules *each = into;

	each->given = true;
	load_map(loader, value, "each", rows, ARRAY_SIZE(rows), each);
	if (loader->knob->shape == SHAPE_SINGLE)
		load_error(loader, key, "%s is one value; write set instead of each",
			   loader->knob->name);
	if (each->more.n && (each->more.n > 1 || each->set.n > 1))
		load_error(loader, value, "each: more adds to the one line of set");
}

static const struct key_row variant_rows[] = {
	{ "scope", load_scope },
	{ "verified", load_knob_verified },
	{ "unsupported", load_text, VARIANT(unsupported) },
	{ "impact", load_text, VARIANT(impact) },
	{ "needs", load_needs, VARIANT(needs) },
	{ "when", load_when, VARIANT(when) },
	{ "before", load_lines, VARIANT(before) },
	{ "in", load_lines, VARIANT(in) },
	{ "set", load_lines, VARIANT(set) },
	{ "unset", load_lines, VARIANT(unset) },
	{ "each", load_each, VARIANT(each) },
	{ "clear", load_lines, VARIANT(clear) },
	{ "words", load_words, VARIANT(words) },
	{ "read", load_read, VARIANT(read) },
};

/* ---- checks of what was read ---- */

static void variant_error(struct loader *loader, const struct variant *variant, const char *what)
{
	diag_add(loader->diags, SEVERITY_ERROR, variant->where, variant->width, "%s: %s",
		 loader->knob->name, what);
}

static bool writes(const struct variant *variant)
{
	return variant->set.n || variant->unset.n || variant->each.given || variant->clear.n ||
	       variant->in.n || variant->before.n;
}

/* What may be said where, for the scope and shape of the knob. */
static void check_uses(struct loader *loader, const struct variant *variant)
{
	unsigned int port = variant->scope == SCOPE_PORT ? USES_PORT : 0;
	unsigned int entry = variant->each.given ? USES_KEY : 0;
	unsigned int value = loader->knob->shape == SHAPE_LIST ? USES_LIST : USES_FIELD;

	check_lines(loader, &variant->before, 0, "before");
	check_lines(loader, &variant->in, port | entry, "in");
	check_lines(loader, &variant->set, port | value, "set");
	check_lines(loader, &variant->unset, port, "unset");
	check_lines(loader, &variant->clear, port, "clear");
	check_lines(loader, &variant->each.set, port | USES_KEY | USES_FIELD, "set");
	check_lines(loader, &variant->each.more, port | USES_KEY | USES_FIELD, "more");
	check_lines(loader, &variant->each.del, port | USES_KEY | USES_FIELD, "del");
	check_lines(loader, &variant->each.remove, port | USES_KEY | USES_FIELD, "remove");
	check_lines(loader, &(struct lines){ &variant->read.send, 1 }, port, "send");
}

/* Has an entry that goes lines of its own, or a value that it goes back to? */
static bool takes_back(const struct loader *loader, const struct variant *variant)
{
	const struct switch_value *fallback = &variant->read.fallback;

	return variant->each.del.n || variant->each.remove.n || variant->each.has_fill ||
	       (loader->knob->shape == SHAPE_MAP && fallback->n == loader->knob->key_max + 1);
}

/* What is wrong with a variant that is written, as a whole; NULL: nothing. */
static const char *incomplete(const struct loader *loader, const struct variant *variant)
{
	const struct {
		bool wrong;
		const char *what;
	} checks[] = {
		{ !variant->has_scope, "the key \"scope\" is missing" },
		{ !variant->set.n == !variant->each.given, "one of set and each is expected" },
		{ loader->knob->shape == SHAPE_MAP && variant->set.n, "a map is written by each" },
		{ variant->set.n && !variant->unset.n, "without unset nothing can be taken back" },
		{ variant->unset.n && !variant->set.n, "unset is for set; write clear" },
		{ variant->clear.n && !variant->each.given, "clear is for each; write unset" },
		{ variant->in.n > MODES_MAX, "there are too many lines of in" },
		{ variant->in.n && loader->dialect->rules.channel == SESSION_EXEC,
		  "a channel for each line has no modes" },
		{ variant->in.n && !*loader->dialect->rules.leave, "in needs session.leave" },
		{ variant->each.given && !takes_back(loader, variant),
		  "without del, remove, fill, or a default of each key, nothing can be taken "
		  "back" },
		{ variant->each.has_fill && variant->read.by_key,
		  "one of fill and a default of each key is expected" },
		{ !variant->read.given, "what cannot be read back cannot be kept: say read" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(checks); i++)
		if (checks[i].wrong)
			return checks[i].what;
	return NULL;
}

void check_variant(struct loader *loader, struct variant *variant, enum switch_knob knob)
{
	const char *what;

	if (variant->unsupported) {
		if (writes(variant) || variant->read.given)
			variant_error(loader, variant, "what is unsupported has no lines");
		return;
	}
	check_read(loader, variant, &switch_knob_table[knob]);
	what = incomplete(loader, variant);
	if (what)
		variant_error(loader, variant, what);
	check_uses(loader, variant);
}

/* ---- knobs ---- */

static void load_variant(struct loader *loader, const struct yaml_node *key,
			 const struct yaml_node *value, struct variant *variant)
{
	variant->where = yaml_position(key);
	variant->width = key->width;
	loader->variant = variant;
	load_map(loader, value, loader->knob->name, variant_rows, ARRAY_SIZE(variant_rows),
		 variant);
	if (value->kind == YAML_MAP)
		check_variant(loader, variant, switch_knob_find(loader->knob->name));
	loader->variant = NULL;
}

/* All but the last have a condition, so that there is always one that holds. */
static void check_conditions(struct loader *loader, const struct yaml_node *key,
			     const struct variant *list, size_t n)
{
	for (size_t i = 0; i + 1 < n; i++)
		if (!list[i].when.given)
			load_error(loader, key,
				   "%s: behind a variant without when there is nothing", key->text);
	if (n == 0 || list[n - 1].when.given)
		load_error(loader, key, "%s: the last variant has to be without when", key->text);
}

static void load_knob(struct loader *loader, const struct yaml_node *key,
		      const struct yaml_node *value, struct dialect *dialect)
{
	enum switch_knob knob = switch_knob_find(key->text);
	bool list = value->kind == YAML_LIST;
	size_t n = list ? value->n : 1;

	if (knob == SWITCH_KNOB_MAX) {
		load_error(loader, key, "there is no knob \"%s\"", shown(key->text).text);
		return;
	}
	if (list && !expect_list(loader, key, value, VARIANTS_MAX))
		return;
	dialect->variants[knob] = load_alloc(loader, n, sizeof(struct variant));
	if (!dialect->variants[knob])
		return;
	dialect->n_variants[knob] = n;
	loader->knob = &switch_knob_table[knob];
	for (size_t i = 0; i < n; i++)
		load_variant(loader, key, list ? &value->item[i] : value,
			     &dialect->variants[knob][i]);
	check_conditions(loader, key, dialect->variants[knob], n);
	loader->knob = NULL;
}

void load_knobs(struct loader *loader, const struct yaml_node *key, const struct yaml_node *value,
		void *into)
{
	if (!expect_map(loader, key, value, SWITCH_KNOB_MAX))
		return;
	for (size_t i = 0; i < value->n; i++)
		load_knob(loader, yaml_key(value, i), yaml_value(value, i), into);
}
