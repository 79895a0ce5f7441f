// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * From changes to lines. Each change becomes operations (set, delete, clear), each operation lines
 * in their mode; where one is, is remembered, so that neighbours share what leads there.
 */
#include "lib/switch/render.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/cleanup.h"
#include "lib/base/macro.h"
#include "lib/switch/compare.h"
#include "lib/switch/dialect-internal.h"

enum { JOINED_MAX = 900 }; /* some switches take no more than 1000 bytes */

void switch_script_done(struct switch_script *script)
{
	free(script->list);
	arena_done(&script->texts);
	*script = (struct switch_script){};
}

struct render {
	const struct dialect *dialect;
	const char *vars[VARS_MAX];
	struct switch_script script;
	const char *mode[MODES_MAX]; /* the lines that lead to where one is */
	size_t n_modes;
	char *why;
	size_t size;
	/* of the change at hand */
	size_t change;
	const struct variant *variant;
	struct template_values values;
};

static void render_done(struct render *render)
{
	switch_script_done(&render->script);
}

static int refuse(const struct render *render, const char *what, const char *name)
{
	(void)snprintf(render->why, render->size, "%s: %s", name, what);
	return -EINVAL;
}

/* ---- lines ---- */

static int add_text(struct render *render, const char *text, const char *mode, bool leave,
		    const char **ret)
{
	struct switch_script *script = &render->script;
	struct switch_line *line;
	char *copy;
	int r;

	r = array_grow(&script->list, script->n, &script->room, sizeof(*script->list));
	if (r < 0)
		return r;
	copy = arena_text(&script->texts, text, strlen(text));
	if (!copy)
		return -ENOMEM;
	line = &script->list[script->n++];
	*line = (struct switch_line){ copy, mode, leave, render->change };
	if (ret)
		*ret = copy;
	return 0;
}

static int expand(struct render *render, const struct template *template, char line[LINE_BYTES_MAX])
{
	return template_expand(template, &render->values, line, render->why, render->size);
}

/* Lines where one is. Those about a part that the value leaves open are not said. */
static int add_lines(struct render *render, const struct lines *lines)
{
	char line[LINE_BYTES_MAX];
	int r;

	for (size_t i = 0; i < lines->n; i++) {
		r = expand(render, &lines->list[i], line);
		if (r == -ENODATA)
			continue;
		if (r == 0)
			r = add_text(render, line, NULL, false, NULL);
		if (r < 0)
			return r;
	}
	return 0;
}

/* Up, until only @n of the lines that led here are left. */
static int leave(struct render *render, size_t n)
{
	int r = 0;

	while (render->n_modes > n && r == 0) {
		r = add_text(render, render->dialect->rules.leave, "", true, NULL);
		render->n_modes--;
	}
	return r;
}

/* To where @in leads; what is shared with where one is stays. */
static int enter(struct render *render, const struct lines *in)
{
	char line[MODES_MAX][LINE_BYTES_MAX];
	size_t shared = 0;
	int r;

	for (size_t i = 0; i < in->n; i++) {
		r = expand(render, &in->list[i], line[i]);
		if (r < 0)
			return r == -ENODATA ? -EINVAL : r;
	}
	while (shared < in->n && shared < render->n_modes &&
	       strcmp(line[shared], render->mode[shared]) == 0)
		shared++;
	r = leave(render, shared);
	for (size_t i = shared; i < in->n && r == 0; i++) {
		r = add_text(render, line[i], "", false, &render->mode[i]);
		render->n_modes++;
	}
	return r;
}

static bool said_already(const struct render *render, const char *text)
{
	for (size_t i = 0; i < render->script.n; i++)
		if (strcmp(render->script.list[i].text, text) == 0)
			return true;
	return false;
}

/* The shared object, made once in a script. */
static int add_before(struct render *render)
{
	char line[LINE_BYTES_MAX];
	int r;

	for (size_t i = 0; i < render->variant->before.n; i++) {
		r = expand(render, &render->variant->before.list[i], line);
		if (r == 0 && !said_already(render, line)) {
			r = leave(render, 0);
			if (r == 0)
				r = add_text(render, line, NULL, false, NULL);
		}
		if (r < 0)
			return r;
	}
	return 0;
}

/* One operation: @lines about @entry, where the knob is said. */
static int add_operation(struct render *render, const struct lines *lines,
			 const struct switch_entry *entry)
{
	int r;

	render->values.entry = entry;
	r = enter(render, &render->variant->in);
	return r < 0 ? r : add_lines(render, lines);
}

/* ---- changes ---- */

static const struct switch_value empty = { .status = SWITCH_KNOWN };

/* A value is set by at least one line. */
static int set_single(struct render *render, const struct switch_value *to)
{
	size_t n;
	int r;

	render->values.list = to;
	render->values.entry = &to->entry[0];
	r = enter(render, &render->variant->in);
	n = render->script.n;
	if (r == 0)
		r = add_lines(render, &render->variant->set);
	if (r == 0 && render->script.n == n)
		return refuse(render, "the value leaves open what every line needs",
			      render->values.knob->name);
	return r;
}

/* What is there when nothing is said is reached by saying nothing. */
static bool is_unset(const struct render *render, enum switch_knob knob,
		     const struct switch_value *to)
{
	const struct read_rules *read = &render->variant->read;

	return switch_value_is_off(knob, to) ||
	       (read->has_fallback &&
		values_same(render->values.knob, render->variant, to, &read->fallback));
}

static int render_single(struct render *render, const struct switch_change *change,
			 const struct switch_value *to)
{
	const struct variant *variant = render->variant;
	bool off = is_unset(render, change->knob, to);
	int r;

	if (values_same(render->values.knob, variant, to, change->from) ||
	    (off && switch_value_is_off(change->knob, change->from)))
		return 0;
	if (off)
		return add_operation(render, &variant->unset, NULL);
	r = add_before(render);
	return r < 0 ? r : set_single(render, to);
}

/* All keys that are not in @value, with what fills them. */
static int filled(const struct render *render, const struct switch_value *value,
		  struct switch_value *ret)
{
	*ret = *value;
	if (!render->variant->each.has_fill || value->n == 0)
		return 0;
	for (uint32_t key = 0; key <= render->values.knob->key_max; key++)
		if (switch_value_add(ret, &(struct switch_entry){
						  key, { render->variant->each.fill } }) == -ENOSPC)
			return refuse(render, "too many entries", render->values.knob->name);
	return 0;
}

/* To the line that was said last. Returns 1; 0 if it would become too long; or a negative errno. */
static int add_more(struct render *render, const struct switch_entry *entry)
{
	struct switch_line *last = &render->script.list[render->script.n - 1];
	char line[LINE_BYTES_MAX], both[2 * LINE_BYTES_MAX];
	int r;

	render->values.entry = entry;
	r = expand(render, &render->variant->each.more.list[0], line);
	if (r < 0)
		return r == -ENODATA ? -EINVAL : r;
	if (strlen(last->text) + strlen(line) > JOINED_MAX)
		return 0;
	(void)snprintf(both, sizeof(both), "%.*s%s", LINE_BYTES_MAX, last->text, line);
	last->text = arena_text(&render->script.texts, both, strlen(both));
	return last->text ? 1 : -ENOMEM;
}

static int set_entry(struct render *render, const struct switch_entry *entry, bool more)
{
	int r = more && render->variant->each.more.n ? add_more(render, entry) : 0;

	if (r != 0)
		return MIN(r, 0);
	r = add_before(render);
	return r < 0 ? r : add_operation(render, &render->variant->each.set, entry);
}

static int add_new(struct render *render, const struct switch_change *change,
		   const struct switch_value *to)
{
	bool known = change->from->status == SWITCH_KNOWN, more = false;
	int r;

	for (size_t i = 0; i < to->n; i++) {
		const struct switch_entry *entry = &to->entry[i];
		const struct switch_entry *old =
			known ? switch_value_find(change->from, entry->key) : NULL;

		if (old && entry_equal(render->values.knob, render->variant, entry, old))
			continue;
		r = set_entry(render, entry, more);
		if (r < 0)
			return r;
		more = true;
	}
	return 0;
}

static int remove_entry(struct render *render, const struct switch_entry *entry)
{
	const struct each_rules *each = &render->variant->each;
	const struct switch_entry *native =
		entry_default(render->values.knob, render->variant, entry->key);
	int r;

	/* What a map has by itself cannot be taken away, but said again */
	if (native && entry_equal(render->values.knob, render->variant, native, entry))
		return 0;
	if (native)
		return set_entry(render, native, false);
	if (!each->remove.n)
		return add_operation(render, &each->del, entry);
	render->values.entry = entry;
	r = leave(render, 0);
	return r < 0 ? r : add_lines(render, &each->remove);
}

static int delete_old(struct render *render, const struct switch_change *change,
		      const struct switch_value *to)
{
	int r;

	if (change->from->status != SWITCH_KNOWN)
		return 0;
	for (size_t i = 0; i < change->from->n; i++) {
		const struct switch_entry *entry = &change->from->entry[i];

		if (switch_value_find(to, entry->key))
			continue;
		r = remove_entry(render, entry);
		if (r < 0)
			return r;
	}
	return 0;
}

/* The shared object goes, with all that is in it. */
static int clear(struct render *render)
{
	int r = leave(render, 0);

	return r < 0 ? r : add_lines(render, &render->variant->clear);
}

static int render_each(struct render *render, const struct switch_change *change,
		       const struct switch_value *to)
{
	struct switch_value full;
	bool known = change->from->status == SWITCH_KNOWN;
	int r;

	if (to->n == 0 && known && change->from->n == 0)
		return 0;
	if (to->n == 0 && render->variant->clear.n)
		return clear(render);
	if (to->n == 0 && !known)
		return refuse(render,
			      "nothing is known of what is there, so nothing can be taken away",
			      render->values.knob->name);
	r = filled(render, to, &full);
	if (r == 0)
		r = add_new(render, change, &full);
	return r < 0 ? r : delete_old(render, change, &full);
}

static int render_change(struct render *render, const struct switch_change *change)
{
	const struct switch_knob_info *knob = &switch_knob_table[change->knob];
	const struct switch_value *to = change->to->status == SWITCH_KNOWN ? change->to : &empty;
	const struct variant *variant;
	int r;

	variant = dialect_variant(render->dialect, change->knob, render->vars);
	if (!variant || variant->unsupported)
		return refuse(render, "the dialect cannot write it", knob->name);
	if ((variant->scope == SCOPE_PORT) != (*change->port != '\0'))
		return refuse(render, "it is of the other scope, switch or port", knob->name);
	r = *change->port ?
		    dialect_check_port(render->dialect, change->port, render->why, render->size) :
		    0;
	if (r < 0)
		return r;
	render->variant = variant;
	render->values = (struct template_values){
		.knob = knob,
		.port = change->port,
		.words = &variant->words,
		.vars = render->vars,
	};
	return variant->each.given ? render_each(render, change, to) :
				     render_single(render, change, to);
}

int switch_render(const struct dialect *dialect, const struct dialect_setting *settings, size_t n,
		  const struct switch_change *changes, size_t n_changes, struct switch_script *ret,
		  char *ret_why, size_t size)
{
	_cleanup_(render_done) struct render render = {
		.dialect = dialect,
		.why = ret_why,
		.size = size,
	};
	int r;

	r = dialect_vars(dialect, settings, n, render.vars, ret_why, size);
	for (render.change = 0; render.change < n_changes && r == 0; render.change++)
		r = render_change(&render, &changes[render.change]);
	if (n_changes)
		render.change = n_changes - 1;
	if (r == 0)
		r = leave(&render, 0);
	if (r < 0)
		return r;
	*ret = render.script;
	render.script = (struct switch_script){};
	return 0;
}

int switch_render_verb(const struct dialect *dialect, const struct dialect_setting *settings,
		       size_t n, enum transaction_verb verb, unsigned int seconds,
		       struct switch_script *ret, char *ret_why, size_t size)
{
	_cleanup_(render_done) struct render render = {
		.dialect = dialect,
		.why = ret_why,
		.size = size,
	};
	int r;

	r = dialect_vars(dialect, settings, n, render.vars, ret_why, size);
	render.values = (struct template_values){ .vars = render.vars, .seconds = seconds };
	if (r == 0)
		r = add_lines(&render, &dialect->verb[verb]);
	if (r < 0)
		return r;
	*ret = render.script;
	render.script = (struct switch_script){};
	return 0;
}
