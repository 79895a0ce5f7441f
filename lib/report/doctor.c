// SPDX-License-Identifier: LGPL-2.1-or-later
/* `doctor`, for people and for programs. */
#include <string.h>

#include "lib/base/macro.h"
#include "lib/base/text.h"
#include "lib/report/json.h"
#include "lib/report/table.h"
#include "lib/report/width.h"

enum { TARGETS_TEXT_MAX = 2048 };

/* ---- text ---- */

static enum tint health_tint(enum health health)
{
	static const enum tint tints[] = {
		[HEALTH_GOOD] = TINT_GOOD,	     [HEALTH_NOTICE] = TINT_CHANGE,
		[HEALTH_PROBLEM] = TINT_BAD,	     [HEALTH_UNKNOWN] = TINT_CHANGE,
		[HEALTH_NOT_APPLICABLE] = TINT_NONE,
	};
	static_assert(ARRAY_SIZE(tints) == HEALTH_MAX, "a tint for each");

	return tints[health];
}

/* Of different targets the same: told once. */
static bool is_same(const struct diagnosis *a, const struct diagnosis *b)
{
	return a->check == b->check && a->health == b->health && a->cure == b->cure &&
	       strcmp(a->found, b->found) == 0;
}

static bool was_told(const struct diagnoses *diagnoses, size_t index)
{
	for (size_t i = 0; i < index; i++)
		if (is_same(&diagnoses->list[i], &diagnoses->list[index]))
			return true;
	return false;
}

/* Has what is told next, of the same check, the same cure? Then it stands below that. */
static bool cure_follows(const struct diagnoses *diagnoses, size_t index)
{
	const struct diagnosis *this = &diagnoses->list[index];

	for (size_t i = index + 1; i < diagnoses->n; i++)
		if (diagnoses->list[i].check == this->check &&
		    diagnoses->list[i].health == this->health && !was_told(diagnoses, i))
			return diagnoses->list[i].cure == this->cure;
	return false;
}

/* "dcbx of ens1f0np0, ens1f1np1: the host owns DCB", and below it what to do. */
static void tell(struct table *table, const struct diagnoses *diagnoses, size_t index)
{
	const struct diagnosis *first = &diagnoses->list[index];
	char targets[TARGETS_TEXT_MAX] = "";
	struct text text = { .text = targets, .size = sizeof(targets) };

	for (size_t i = index; i < diagnoses->n; i++)
		if (is_same(first, &diagnoses->list[i]) && *diagnoses->list[i].target)
			text_put(&text, "%s%s", text.used ? ", " : " of ",
				 diagnoses->list[i].target);
	table_row(table);
	table_cell(table, 0, health_tint(first->health), "%s", health_name(first->health));
	table_cell(table, 1, TINT_NONE, "%s%s: %s", first->check->name, targets, first->found);
	if (!first->cure || cure_follows(diagnoses, index))
		return;
	table_row(table);
	table_cell(table, 1, TINT_NONE, "→ %s", first->cure);
}

static bool has_health(const struct diagnoses *diagnoses, const struct check_info *check,
		       enum health health)
{
	for (size_t i = 0; i < diagnoses->n; i++)
		if (diagnoses->list[i].check == check && diagnoses->list[i].health == health)
			return true;
	return false;
}

/* Is it all that a check came to? A check that is good for some is told of the others. */
static bool is_only(const struct diagnoses *diagnoses, size_t index)
{
	const struct diagnosis *this = &diagnoses->list[index];

	for (size_t i = 0; i < index; i++)
		if (diagnoses->list[i].check == this->check &&
		    diagnoses->list[i].health == this->health)
			return false;
	for (enum health health = 0; health < HEALTH_MAX; health++)
		if (health != this->health && health != HEALTH_NOT_APPLICABLE &&
		    has_health(diagnoses, this->check, health))
			return false;
	return true;
}

/* All checks that came to nothing else on one line. */
static void list_checks(struct table *table, const struct diagnoses *diagnoses, enum health health)
{
	char names[TARGETS_TEXT_MAX] = "";
	struct text text = { .text = names, .size = sizeof(names) };

	for (size_t i = 0; i < diagnoses->n; i++)
		if (diagnoses->list[i].health == health && is_only(diagnoses, i))
			text_put(&text, "%s%s", text.used ? ", " : "",
				 diagnoses->list[i].check->name);
	if (!text.used)
		return;
	table_row(table);
	table_cell(table, 0, health_tint(health), "%s", health_name(health));
	table_cell(table, 1, TINT_NONE, "%s", names);
}

static void write_count(const struct diagnoses *diagnoses, enum health health, const char *one,
			const char *many, FILE *out)
{
	size_t n = 0;

	for (size_t i = 0; i < diagnoses->n; i++)
		n += diagnoses->list[i].health == health && !was_told(diagnoses, i);
	if (n)
		(void)fprintf(out, ", %zu %s", n, n == 1 ? one : many);
}

static void write_title(const struct diagnoses *diagnoses, const char *node,
			const struct report_style *style, FILE *out)
{
	bool bad = diagnoses_count(diagnoses, HEALTH_PROBLEM) > 0;
	bool sure = diagnoses_exit(diagnoses) == STATUS_OK;

	printable_put(out, "node %s: ", node);
	if (bad)
		tint_write(style, TINT_BAD, "not ready", out);
	else if (sure)
		tint_write(style, TINT_GOOD, "ready", out);
	else
		tint_write(style, TINT_CHANGE, "could not be told", out);
	write_count(diagnoses, HEALTH_PROBLEM, "problem", "problems", out);
	write_count(diagnoses, HEALTH_UNKNOWN, "unknown", "unknown", out);
	write_count(diagnoses, HEALTH_NOTICE, "notice", "notices", out);
	(void)fputs("\n\n", out);
}

void diagnoses_write_text(const struct diagnoses *diagnoses, const char *node,
			  const struct report_style *style, FILE *out)
{
	static const enum health order[] = { HEALTH_PROBLEM, HEALTH_UNKNOWN, HEALTH_NOTICE };
	static const struct table_column columns[] = {
		{ "", TABLE_SHRINKS_FIRST },
		{ "", TABLE_SHRINKS_FIRST },
	};
	_cleanup_(table_done) struct table table = { .columns = columns,
						     .n_columns = ARRAY_SIZE(columns),
						     .headless = true };

	write_title(diagnoses, node, style, out);
	for (size_t k = 0; k < ARRAY_SIZE(order); k++)
		for (size_t i = 0; i < diagnoses->n; i++)
			if (diagnoses->list[i].health == order[k] && !was_told(diagnoses, i))
				tell(&table, diagnoses, i);
	list_checks(&table, diagnoses, HEALTH_GOOD);
	list_checks(&table, diagnoses, HEALTH_NOT_APPLICABLE);
	table_write(&table, style, out);
}

/* ---- JSON ---- */

static json_t *diagnosis_json(const struct diagnosis *diagnosis)
{
	const struct check_info *check = diagnosis->check;

	return json_pack("{s:s, s:s, s:s, s:o, s:s, s:b, s:o, s:o}", "check", check->name, "what",
			 check->what, "how", check->how, "target", json_text(diagnosis->target),
			 "result", health_name(diagnosis->health), "needs_root",
			 diagnosis->needs_root, "found", json_text(diagnosis->found), "cure",
			 json_text(diagnosis->cure));
}

/* null: could not be told */
static json_t *ready_json(const struct diagnoses *diagnoses)
{
	if (diagnoses_count(diagnoses, HEALTH_PROBLEM) > 0)
		return json_false();
	return diagnoses_exit(diagnoses) == STATUS_OK ? json_true() : json_null();
}

void diagnoses_write_json(const struct diagnoses *diagnoses, const char *node,
			  const struct diags *diags, enum exit_status exit, FILE *out)
{
	json_auto_t *document = NULL;
	json_t *list = json_array();
	bool oom = false;

	for (size_t i = 0; i < diagnoses->n; i++)
		json_add(list, diagnosis_json(&diagnoses->list[i]), &oom);
	document = json_pack("{s:i, s:s, s:o, s:i, s:o, s:o, s:o}", "schema", REPORT_SCHEMA,
			     "report", "doctor", "node", json_text(node), "exit", exit, "ready",
			     ready_json(diagnoses), "diagnostics", diagnostics_json(diags, &oom),
			     "findings", list);
	json_finish(document, oom, out);
}
