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

/* Everything that counts for the exit status: how much, and the first of the worst. */
struct findings {
	size_t n;
	enum exit_status exit;
	const json_t *target;	/* a target, a switch or a cable */
	const json_t *what;	/* its knob, or itself */
};

static void count(struct findings *findings, const json_t *target, const json_t *what)
{
	enum exit_status exit = (enum exit_status)number_of(what, "exit");

	if (exit == STATUS_OK)
		return;
	if (findings->n++ > 0 && exit_worse(findings->exit, exit) == findings->exit)
		return;
	findings->exit = exit;
	findings->target = target;
	findings->what = what;
}

static void count_knobs(struct findings *findings, const json_t *target)
{
	const json_t *knobs = json_object_get(target, "knobs");

	for (size_t i = 0; i < json_array_size(knobs); i++)
		count(findings, target, json_array_get(knobs, i));
}

/* Its verdict is that of its worst knob, or its own: no knob is as bad. */
static void count_switch(struct findings *findings, const json_t *target)
{
	struct findings of_knobs = {};

	count_knobs(&of_knobs, target);
	if (of_knobs.exit != (enum exit_status)number_of(target, "exit"))
		count(findings, target, target);
	count_knobs(findings, target);
}

static void count_cable(struct findings *findings, const json_t *cable)
{
	count(findings, cable, cable);
}

static struct findings find(const json_t *document)
{
	static const struct {
		const char *key;
		void (*count)(struct findings *findings, const json_t *target);
	} lists[] = {
		{ "switches", count_switch }, { "targets", count_knobs }, { "cables", count_cable },
	};
	struct findings ret = {};

	for (size_t i = 0; i < ARRAY_SIZE(lists); i++) {
		const json_t *list = json_object_get(document, lists[i].key);

		for (size_t k = 0; k < json_array_size(list); k++)
			lists[i].count(&ret, json_array_get(list, k));
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

static void put_part(FILE *out, const char *before, const char *text)
{
	if (*text)
		(void)fprintf(out, "%s%s", before, text);
}

/* "ens1f0np0", "leaf-1", "leaf-1/Ethernet1/7", or "ens1f0np0 – leaf-1/Ethernet1/7" */
static void put_name(FILE *out, const struct findings *found)
{
	bool cable = *text_of(found->target, "switch");

	if (cable)
		(void)fprintf(out, "%s – ", text_of(found->target, "device"));
	put_part(out, "", text_of(found->target, cable ? "switch" : "name"));
	put_part(out, "/", text_of(found->what, "port"));
	if (cable || found->what != found->target)
		put_part(out, " ", text_of(found->what, "name"));
}

static void cell_finding(struct table *table, size_t column, const struct findings *found)
{
	_cleanup_free_ char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out) {
		table->oom = true;
		return;
	}
	put_name(out, found);
	put_part(out, ": ", text_of(found->what, "verdict"));
	put_part(out, ", want ", text_of(found->what, "want"));
	put_part(out, ", have ", text_of(found->what, "have"));
	put_part(out, ", ", text_of(found->what, "reason"));
	put_part(out, ", ", text_of(found->what, "note"));
	if (found->n > 1)
		(void)fprintf(out, "; %zu more", found->n - 1);
	if (fclose(out) != 0)
		table->oom = true;
	else
		table_cell(table, column, TINT_NONE, "%s", text);
}

static void cell_note(struct table *table, size_t column, const struct fabric_node *node,
		      const json_t *document)
{
	struct findings found = find(document);
	const char *trouble = text_of(document, "trouble");

	if (!node->begun)
		table_cell(table, column, TINT_NONE, "not begun");
	else if (found.n)
		cell_finding(table, column, &found);
	else if (*trouble || *first_error(document))
		table_cell(table, column, TINT_NONE, "%s",
			   *trouble ? trouble : first_error(document));
	else if (node->exit != STATUS_OK && node->words && *node->words)
		table_cell(table, column, TINT_NONE, "%s", node->words);
	else if (node->exit != STATUS_OK && document)
		table_cell(table, column, TINT_NONE, "see losslessctl -H %s status", node->name);
	else if (node->exit != STATUS_OK)
		table_cell(table, column, TINT_NONE, "did not answer");
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
		return *text_of(find(document).what, "verdict") ?
			       text_of(find(document).what, "verdict") : "drift";
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
