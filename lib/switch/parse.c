// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * From what a switch answers to values. What is not said is what the dialect says is so then, or
 * unreadable; what is said and not understood is unreadable; nothing is guessed.
 */
#include "lib/switch/parse.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "lib/base/cleanup.h"
#include "lib/switch/render.h"

/* Of one target, while the answer is read. */
struct state {
	struct switch_target *target;
	struct switch_value value;
	bool seen;
	bool bad; /* something of it was not understood */
	bool idle; /* the switch says that it is not in force */
};

struct taker {
	const struct switch_knob_info *knob;
	const struct variant *variant;
	struct state *states;
	size_t n;
};

/* ---- taking ---- */

/* Only one target can be meant, whatever a row says. */
static bool asked_alone(const struct taker *taker)
{
	return taker->n == 1 && (taker->variant->scope == SCOPE_SWITCH ||
				 (taker->variant->read.send.uses & USES_PORT));
}

/* Is the row about this target? */
static bool is_meant(const struct taker *taker, const struct state *state, const struct told *told)
{
	struct pattern_text port = told->part[GROUP_PORT];
	const char *name = state->target->port;

	if (!port.text) /* known, if the line was about one */
		return asked_alone(taker);
	if (taker->variant->read.port_ranges)
		return port_ranges_have(port, name);
	return strlen(name) == port.size && strncasecmp(name, port.text, port.size) == 0;
}

static int parse(const struct taker *taker, const struct switch_field *field,
		 struct pattern_text text, uint64_t *ret)
{
	return field_parse(field, &taker->variant->read, &taker->variant->words, text, ret);
}

static const struct switch_field bool_field = { "value", UNIT_BOOL, .max = 1 };

static void take_oper(const struct taker *taker, struct state *state, struct pattern_text text)
{
	uint64_t on;
	int r;

	if (!text.text)
		return;
	r = parse(taker, &bool_field, text, &on);
	if (r == 0)
		state->idle |= !on;
	else if (r != -ENODATA)
		state->bad = true;
}

/* The keys that a row is about, as a list. 0 if told; -ENODATA if there is none to add. */
static int take_keys(const struct taker *taker, const struct told *told, struct switch_value *ret)
{
	const struct switch_field field = { "key", UNIT_NUMBER, .max = taker->knob->key_max };
	const struct read_rules many = { .as = AS_RANGES };
	uint64_t key = 0;
	int r = 0;

	*ret = (struct switch_value){};
	if (taker->knob->shape != SHAPE_SINGLE) {
		if (told->part[GROUP_KEY].size == 0)
			return -ENODATA;
		if (taker->variant->read.key_ranges)
			return list_parse(taker->knob, &many, NULL, told->part[GROUP_KEY], ret);
		r = parse(taker, &field, told->part[GROUP_KEY], &key);
	}
	if (r == 0)
		(void)switch_value_add(ret, &(struct switch_entry){ .key = (uint32_t)key });
	return r;
}

/* The entry with @key, which is made where there is none. */
static struct switch_entry *entry_get(struct switch_value *value, uint32_t key)
{
	struct switch_entry entry = { key, { SWITCH_ABSENT, SWITCH_ABSENT, SWITCH_ABSENT } };

	(void)switch_value_add(value, &entry);
	for (size_t i = 0; i < value->n; i++)
		if (value->entry[i].key == key)
			return &value->entry[i];
	return NULL;
}

/* Two rows may each tell a part, but not the same part differently. */
static bool take_field(struct state *state, uint32_t key, size_t index, uint64_t number)
{
	struct switch_entry *entry = entry_get(&state->value, key);

	if (!entry || (entry->field[index] != SWITCH_ABSENT && entry->field[index] != number))
		return false;
	entry->field[index] = number;
	return true;
}

static void take_fields(const struct taker *taker, struct state *state, const struct told *told)
{
	struct switch_value keys;
	uint64_t number;
	int r;

	r = take_keys(taker, told, &keys);
	if (r < 0) {
		state->bad |= r != -ENODATA;
		return;
	}
	for (size_t i = 0; i < taker->knob->n_fields; i++) {
		struct pattern_text text = told->part[GROUP_FIELD + i];

		if (!text.text)
			continue;
		r = parse(taker, &taker->knob->field[i], text, &number);
		if (r == -ENODATA)
			continue;
		state->bad |= r < 0;
		for (size_t k = 0; r == 0 && k < keys.n; k++)
			state->bad |= !take_field(state, keys.entry[k].key, i, number);
	}
}

/* Keys of a list: there, or, where values stand beside keys, there if the value says so. */
static void take_items(const struct taker *taker, struct state *state, const struct told *told)
{
	uint64_t on = !taker->variant->read.told;
	struct switch_value keys;
	int r;

	r = take_keys(taker, told, &keys);
	if (r == 0 && told->part[GROUP_FIELD].text)
		r = parse(taker, &bool_field, told->part[GROUP_FIELD], &on);
	state->bad |= r < 0 && r != -ENODATA;
	for (size_t i = 0; r == 0 && on && i < keys.n; i++)
		(void)switch_value_add(&state->value, &keys.entry[i]);
}

static void take_list(const struct taker *taker, struct state *state, const struct told *told)
{
	if (told->part[GROUP_KEY].text)
		take_items(taker, state, told);
	else if (told->part[GROUP_FIELD].text &&
		 list_parse(taker->knob, &taker->variant->read, &taker->variant->words,
			    told->part[GROUP_FIELD], &state->value) < 0)
		state->bad = true;
}

static void take(const struct taker *taker, struct state *state, const struct told *told)
{
	state->seen = true;
	state->bad |= told->bad;
	take_oper(taker, state, told->part[GROUP_OPER]);
	if (taker->knob->shape == SHAPE_LIST)
		take_list(taker, state, told);
	else
		take_fields(taker, state, told);
}

void taker_take(struct taker *taker, const struct told *told)
{
	bool any = told->bad;

	for (size_t i = GROUP_KEY; i < GROUPS_MAX; i++)
		any |= told->part[i].text != NULL;
	for (size_t i = 0; any && i < taker->n; i++)
		if (is_meant(taker, &taker->states[i], told))
			take(taker, &taker->states[i], told);
}

/* ---- rows ---- */

/* The lines of @text, without their ends, one behind the other; those of one row joined. */
static size_t lines_join(const char *text, size_t size, struct pattern *starts, char *out)
{
	size_t n = 0;

	for (size_t at = 0; at < size;) {
		const char *line = text + at, *end = memchr(line, '\n', size - at);
		size_t length = end ? (size_t)(end - line) : size - at;

		at += length + 1;
		while (length > 0 && strchr("\r \t", line[length - 1]))
			length--;
		if (starts && n > 0 && length > 0 && pattern_match(starts, line, length, 0) != 1) {
			size_t blank = strspn(line, " \t");

			out[n - 1] = ' ';
			if (n > 1 && out[n - 2] == ',')
				n--;
			line += blank;
			length -= blank;
		}
		memcpy(out + n, line, length);
		n += length;
		out[n++] = '\n';
	}
	return n;
}

static void groups_get(const struct taker *taker, struct told *told)
{
	const struct pattern *row = taker->variant->read.row;
	const struct switch_knob_info *knob = taker->knob;

	told->part[GROUP_PORT] = pattern_group(row, "port");
	told->part[GROUP_KEY] = pattern_group(row, "key");
	told->part[GROUP_OPER] = pattern_group(row, "oper");
	if (knob->shape == SHAPE_LIST)
		told->part[GROUP_FIELD] = pattern_group(row, "value");
	for (size_t i = 0; i < knob->n_fields; i++)
		told->part[GROUP_FIELD + i] = pattern_group(row, knob->field[i].name);
}

/*
 * A group of carry that takes no part in this row is as in the one before; one that matched nothing
 * ends that.
 */
static void carry(const struct read_rules *read, struct told *told, struct told *kept)
{
	for (size_t i = 0; i < GROUPS_MAX; i++) {
		if (!(read->carry & (1U << i)))
			continue;
		if (!told->part[i].text)
			told->part[i] = kept->part[i];
		kept->part[i] = told->part[i];
	}
}

/* Is there more in it than what goes on from row to row? */
static bool tells_more(const struct read_rules *read, const struct told *told)
{
	for (size_t i = GROUP_KEY; i < GROUPS_MAX; i++)
		if (told->part[i].text && !(read->carry & (1U << i)))
			return true;
	return false;
}

static int take_rows(struct taker *taker, const char *rows, size_t size)
{
	const struct read_rules *read = &taker->variant->read;
	struct told kept = {};

	for (size_t at = 0; at < size;) {
		const char *line = rows + at;
		size_t length = (size_t)((const char *)memchr(line, '\n', size - at) - line);
		struct told told = {};
		int r = pattern_match(read->row, line, length, 0);

		at += length + 1;
		if (r < 0)
			return r;
		if (r == 0)
			continue;
		groups_get(taker, &told);
		carry(read, &told, &kept);
		if (tells_more(read, &told))
			taker_take(taker, &told);
	}
	return 0;
}

static int take_text(struct taker *taker, const char *answer, size_t size, const char **ret_why)
{
	const struct read_rules *read = &taker->variant->read;
	_cleanup_free_ char *rows = NULL;
	int r;

	*ret_why = "the answer has not the form that the dialect expects";
	if (read->expect && pattern_match(read->expect, answer, size, 0) != 1)
		return -EBADMSG;
	rows = malloc(size + 2);
	if (!rows)
		return -ENOMEM;
	r = take_rows(taker, rows, lines_join(answer, size, read->starts, rows));
	*ret_why = "a pattern of the dialect takes too long on the answer";
	return r < 0 ? -EBADMSG : 0;
}

/* ---- JSON ---- */

static int take_json(struct taker *taker, const char *answer, size_t size, const char **ret_why)
{
	_cleanup_(json_document_freep) struct json_document *document = NULL;
	const struct json_paths *paths = &taker->variant->read.json;
	int r;

	*ret_why = "there is no JSON in the answer";
	r = json_document_load(answer, size, &document);
	if (r == -EBADMSG && taker->variant->read.expect &&
	    pattern_match(taker->variant->read.expect, answer, size, 0) == 1)
		return 0; /* it says nothing, as it may */
	if (r < 0)
		return r;
	if (!strstr(paths->at, "$port")) {
		json_document_read(document, paths, NULL, taker);
		return 0;
	}
	for (size_t i = 0; i < taker->n; i++)
		json_document_read(document, paths, taker->states[i].target->port, taker);
	return 0;
}

/* ---- the value ---- */

/* An entry without a part that it has to have is not understood. */
static bool is_whole(const struct switch_knob_info *knob, const struct switch_value *value)
{
	for (size_t i = 0; i < value->n; i++)
		for (size_t k = 0; k < knob->n_fields; k++)
			if (!knob->field[k].optional && value->entry[i].field[k] == SWITCH_ABSENT)
				return false;
	return true;
}

/* What stands in for what nothing was said of; false: it is not known. */
static bool complete(const struct taker *taker, const struct state *state, struct switch_value *ret)
{
	const struct read_rules *read = &taker->variant->read;

	/* Another form of JSON would look as if all were by default */
	if (!state->seen && (!read->has_fallback || (read->by_key && read->json.at)))
		return false;
	*ret = state->seen ? state->value : read->fallback;
	for (size_t i = 0; read->by_key && i < read->fallback.n; i++)
		(void)switch_value_add(ret, &read->fallback.entry[i]);
	return true;
}

static void finish(const struct taker *taker, const struct state *state, enum switch_knob knob)
{
	struct switch_value *have = &state->target->have[knob];

	*have = (struct switch_value){ .status = SWITCH_UNREADABLE };
	if (state->bad || !is_whole(taker->knob, &state->value) || !complete(taker, state, have))
		return;
	have->status = SWITCH_KNOWN;
	have->not_operational = state->idle && !switch_value_is_off(knob, have);
}

/* The targets that are asked for. */
static size_t collect(const struct taker *taker, const struct switch_query *query,
		      enum switch_knob knob, struct switch_target *targets, size_t n_targets,
		      struct state *states)
{
	bool by_port = taker->variant->scope == SCOPE_PORT;
	size_t n = 0;

	for (size_t i = 0; i < n_targets; i++) {
		if (targets[i].want[knob].status != SWITCH_KNOWN ||
		    by_port != (*targets[i].port != '\0') ||
		    (*query->port && strcmp(query->port, targets[i].port) != 0))
			continue;
		states[n++] = (struct state){ .target = &targets[i] };
	}
	return n;
}

struct answer {
	const char *text;
	size_t size;
};

static int parse_knob(const struct variant *variant, enum switch_knob knob,
		      const struct switch_query *query, const struct answer *answer,
		      struct switch_target *targets, size_t n_targets, const char **ret_why)
{
	_cleanup_free_ struct state *states = NULL;
	struct taker taker = { .knob = &switch_knob_table[knob], .variant = variant };
	int r;

	states = calloc(n_targets + 1, sizeof(*states));
	if (!states)
		return -ENOMEM;
	taker.states = states;
	taker.n = collect(&taker, query, knob, targets, n_targets, states);
	r = variant->read.row ? take_text(&taker, answer->text, answer->size, ret_why) :
				take_json(&taker, answer->text, answer->size, ret_why);
	for (size_t i = 0; i < taker.n; i++) {
		states[i].bad |= r < 0;
		finish(&taker, &states[i], knob);
	}
	return r;
}

int switch_parse(const struct dialect *dialect, const struct dialect_setting *settings, size_t n,
		 const struct switch_query *query, const char *answer, size_t answer_size,
		 struct switch_target *targets, size_t n_targets, char *ret_why, size_t size)
{
	const struct answer said = { answer, answer_size };
	const char *vars[VARS_MAX], *why = "";
	int r, result = 0;

	r = dialect_vars(dialect, settings, n, vars, ret_why, size);
	if (r < 0)
		return r;
	for (enum switch_knob knob = 0; knob < SWITCH_KNOB_MAX; knob++) {
		const struct variant *variant = dialect_variant(dialect, knob, vars);

		if (!(query->knobs & (1U << knob)) || !variant || variant->unsupported)
			continue;
		r = parse_knob(variant, knob, query, &said, targets, n_targets, &why);
		if (r == -ENOMEM)
			return r;
		if (r < 0 && result == 0)
			(void)snprintf(ret_why, size, "%s: %s", switch_knob_table[knob].name, why);
		result = r < 0 ? r : result;
	}
	return result;
}
