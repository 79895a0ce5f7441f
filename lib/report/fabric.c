// SPDX-License-Identifier: LGPL-2.1-or-later
/* The only reader of JSON from outside: size and depth are limited, every field is checked. */
#include "lib/report/fabric.h"

#include <inttypes.h>
#include <jansson.h>
#include <string.h>

#include "lib/base/macro.h"
#include "lib/report/table.h"
#include "lib/report/width.h"

/* ---- reading ---- */

/* The document of a node; NULL if that is none of ours. The caller owns it. */
static json_t *read_document(const struct fabric_node *node)
{
	json_t *document = NULL;

	if (node->json_size)
		document = json_loadb(node->json, node->json_size, JSON_REJECT_DUPLICATES, NULL);
	if (json_is_object(document) &&
	    json_integer_value(json_object_get(document, "schema")) == REPORT_SCHEMA)
		return document;
	json_decref(document);
	return NULL;
}

void fabric_node_judge(struct fabric_node *node)
{
	json_auto_t *document = read_document(node);
	const json_t *exit = json_object_get(document, "exit");

	if (!json_is_integer(exit) || json_integer_value(exit) != (json_int_t)node->exit)
		node->exit = STATUS_FAILED;
}

static const char *text_of(const json_t *object, const char *key)
{
	return json_string_value(json_object_get(object, key)) ?: "";
}

static json_int_t number_of(const json_t *object, const char *key)
{
	return json_integer_value(json_object_get(object, key));
}

/* Everything that counts for the exit status: how much, and the first of it. */
struct findings {
	size_t n;
	const json_t *target;
	const json_t *knob;
};

static struct findings find(const json_t *document)
{
	const json_t *targets = json_object_get(document, "targets");
	struct findings ret = {};

	for (size_t i = 0; i < json_array_size(targets); i++) {
		const json_t *target = json_array_get(targets, i);
		const json_t *knobs = json_object_get(target, "knobs");

		for (size_t k = 0; k < json_array_size(knobs); k++) {
			const json_t *knob = json_array_get(knobs, k);

			if (number_of(knob, "exit") == STATUS_OK)
				continue;
			if (ret.n++ == 0) {
				ret.target = target;
				ret.knob = knob;
			}
		}
	}
	return ret;
}

static const char *first_error(const json_t *document)
{
	const json_t *list = json_object_get(document, "diagnostics"), *one;

	for (size_t i = 0; (one = json_array_get(list, i)); i++)
		if (strcmp(text_of(one, "severity"), "error") == 0)
			return text_of(one, "message");
	return "";
}

/* ---- a line for each ---- */

static const char *or_dash(const char *text)
{
	return *text ? text : "–";
}

static void cell_note(struct table *table, size_t column, const struct fabric_node *node,
		      const json_t *document)
{
	struct findings found = find(document);
	const char *trouble = text_of(document, "trouble");
	char more[48] = "";

	if (found.n > 1)
		(void)snprintf(more, sizeof(more), "; %zu more", found.n - 1);
	if (!node->begun)
		table_cell(table, column, TINT_NONE, "not begun");
	else if (found.n)
		table_cell(table, column, TINT_NONE, "%s %s: %s, want %s, have %s%s",
			   text_of(found.target, "name"), text_of(found.knob, "name"),
			   text_of(found.knob, "verdict"), or_dash(text_of(found.knob, "want")),
			   or_dash(text_of(found.knob, "have")), more);
	else if (*trouble || *first_error(document))
		table_cell(table, column, TINT_NONE, "%s",
			   *trouble ? trouble : first_error(document));
	else if (node->exit != STATUS_OK)
		table_cell(table, column, TINT_NONE, "%s", node->words && *node->words ?
				   node->words : "did not answer");
}

static const char *state_word(const struct fabric_node *node, const json_t *document)
{
	if (!node->begun)
		return "not begun";
	if (!document)
		return "unknown";
	switch (node->exit) {
	case STATUS_OK:
		return "in-sync";
	case STATUS_DRIFT:
		return *text_of(find(document).knob, "verdict") ?
			       text_of(find(document).knob, "verdict") : "drift";
	case STATUS_SPEC:
		return "refused";
	case STATUS_NO_DAEMON:
		return "no losslessd";
	case STATUS_FAILED:
	case STATUS_USAGE:
		break;
	}
	return "failed";
}

static enum tint state_tint(const struct fabric_node *node)
{
	if (!node->begun)
		return TINT_NONE;
	if (node->exit == STATUS_OK)
		return TINT_GOOD;
	return node->exit == STATUS_DRIFT ? TINT_CHANGE : TINT_BAD;
}

static void add_node(struct table *table, const struct fabric_node *node)
{
	json_auto_t *document = read_document(node);
	const json_t *summary = json_object_get(document, "summary");

	table_row(table);
	table_cell(table, 0, TINT_NONE, "%s", node->name);
	table_cell(table, 1, state_tint(node), "%s", state_word(node, document));
	if (number_of(document, "generation") > 0)
		table_cell(table, 2, TINT_NONE, "%" JSON_INTEGER_FORMAT,
			   number_of(document, "generation"));
	else
		table_cell(table, 2, TINT_NONE, "%s", "");
	if (number_of(summary, "targets") > 0)
		table_cell(table, 3, TINT_NONE, "%" JSON_INTEGER_FORMAT "/%" JSON_INTEGER_FORMAT,
			   number_of(summary, "in_sync"), number_of(summary, "targets"));
	else
		table_cell(table, 3, TINT_NONE, "%s", "");
	cell_note(table, 4, node, document);
}

void fabric_write_text(const struct fabric_node *nodes, size_t n, const struct report_style *style,
		       FILE *out)
{
	static const struct table_column columns[] = {
		{ "NODE" }, { "VERDICT" }, { "GENERATION" }, { "IN SYNC" },
		{ "NOTE", TABLE_SHRINKS_FIRST },
	};
	_cleanup_(table_done) struct table table = { .columns = columns,
						     .n_columns = ARRAY_SIZE(columns) };
	size_t good = 0;

	for (size_t i = 0; i < n; i++) {
		add_node(&table, &nodes[i]);
		good += nodes[i].begun && nodes[i].exit == STATUS_OK;
	}
	table_write(&table, style, out);
	(void)fprintf(out, "%zu of %zu node%s in sync\n", good, n, n == 1 ? "" : "s");
}

/* ---- all of it ---- */

static json_t *node_json(const struct fabric_node *node)
{
	json_t *document = read_document(node);
	_cleanup_free_ char *words = text_printable(node->words ?: "");
	const char *trouble = NULL;

	if (!words) {
		json_decref(document);
		return NULL;
	}
	if (!document && node->begun)
		trouble = *words ? words : "did not answer";
	return json_pack("{s:s, s:b, s:i, s:s?, s:o}", "node", node->name, "begun", node->begun,
			 "exit", node->exit, "trouble", trouble, "report",
			 document ?: json_null());
}

void fabric_write_json(const struct fabric_node *nodes, size_t n, enum exit_status exit, FILE *out)
{
	json_auto_t *document = NULL;
	json_t *list = json_array();
	bool oom = !list;

	for (size_t i = 0; i < n; i++)
		if (json_array_append_new(list, node_json(&nodes[i])) < 0)
			oom = true;
	document = json_pack("{s:i, s:s, s:i, s:o}", "schema", REPORT_SCHEMA, "report", "fabric",
			     "exit", exit, "nodes", list);
	if (!document || oom || json_dumpf(document, out, JSON_INDENT(2)) < 0)
		(void)fprintf(out, "{\"schema\": %d, \"exit\": %d, \"trouble\": \"out of memory\"}",
			      REPORT_SCHEMA, STATUS_FAILED);
	(void)fputc('\n', out);
}
