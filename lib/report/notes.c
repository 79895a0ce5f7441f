// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Groups findings: first the knobs of a target that share verdict and reason, then the targets that
 * share all that.
 */
#include "lib/report/notes.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/model/driver.h"
#include "lib/report/facts.h"
#include "lib/report/names.h"
#include "lib/report/table.h"

struct note {
	const struct finding
		*finding; /* the first of the group: verdict, reason, advice are the same in all */
	size_t target;
	uint32_t knobs; /* KNOB_BIT of each; 0: the target as a whole */
	bool told;
};

struct notes {
	bool together;		/* on a terminal: many targets in few words */
	struct note *list;
	size_t n;
	size_t room;
};

static void notes_done(struct notes *notes)
{
	free(notes->list);
}

static uint32_t finding_bit(const struct finding *finding)
{
	return finding->knob < KNOB_MAX ? KNOB_BIT(finding->knob) : 0;
}

/*
 * How much of a reason has to be the same. Together, what is in order is told by what all have in
 * common: "index 3" of "index 3, 192.0.2.1".
 */
static size_t reason_bytes(const struct finding *finding, bool together)
{
	return together && finding->verdict == VERDICT_IN_SYNC ? strcspn(finding->reason, ",") :
								 strlen(finding->reason);
}

static bool same_words(const struct finding *a, const struct finding *b, bool together)
{
	size_t bytes = reason_bytes(a, together);

	return a->verdict == b->verdict && a->instead == b->instead &&
	       bytes == reason_bytes(b, together) && memcmp(a->reason, b->reason, bytes) == 0;
}

static int notes_add(struct notes *notes, const struct finding *finding)
{
	bool whole = finding->knob == KNOB_NONE;
	int r;

	for (size_t i = 0; i < notes->n; i++) {
		struct note *note = &notes->list[i];

		if (note->target == finding->target && whole == (note->knobs == 0) &&
		    same_words(note->finding, finding, notes->together)) {
			note->knobs |= finding_bit(finding);
			return 0;
		}
	}
	r = array_grow(&notes->list, notes->n, &notes->room, sizeof(*notes->list));
	if (r < 0)
		return r;
	notes->list[notes->n++] = (struct note){
		.finding = finding,
		.target = finding->target,
		.knobs = finding_bit(finding),
	};
	return 0;
}

static void write_names(const char *const *names, size_t n, bool together, FILE *text)
{
	_cleanup_free_ char *folded = together ? names_fold(names, n, 0) : NULL;

	if (folded) {
		(void)fputs(folded, text);
		return;
	}
	for (size_t i = 0; i < n; i++)
		(void)fprintf(text, "%s%s", i ? ", " : "", names[i]);
}

/*
 * "mlx5_0, mlx5_1": every target with the same thing to say; they are told with this. Returns how
 * many; 0 without memory.
 */
static size_t write_targets(struct notes *notes, size_t first, const struct plan *plan, FILE *text)
{
	const struct note *note = &notes->list[first];
	_cleanup_free_ const char **names = calloc(notes->n, sizeof(*names));
	size_t n = 0;

	if (!names)
		return 0;
	for (size_t i = first; i < notes->n; i++) {
		struct note *other = &notes->list[i];

		if (other->knobs != note->knobs ||
		    !same_words(other->finding, note->finding, notes->together))
			continue;
		names[n++] = plan->want->list[other->target].target.name;
		other->told = true;
	}
	write_names(names, n, notes->together, text);
	return n;
}

/* " cm_mode, cm_tos". Returns how many. */
static size_t write_knobs(uint32_t knobs, FILE *text)
{
	size_t n = 0;

	for (enum knob knob = 0; knob < KNOB_MAX; knob++)
		if (knobs & KNOB_BIT(knob))
			(void)fprintf(text, "%s%s", n++ ? ", " : " ", knob_name(knob));
	return n;
}

/* "unsupported by mlx5_core" says its verdict itself; other reasons stand behind theirs. */
static void write_verdict(const struct finding *finding, bool together, FILE *text)
{
	int bytes = (int)reason_bytes(finding, together);
	const char *verdict = verdict_name(finding->verdict);

	if (strncmp(finding->reason, verdict, strlen(verdict)) == 0)
		(void)fputs(finding->reason, text);
	else if (*finding->reason)
		(void)fprintf(text, "%s (%.*s)", verdict, bytes, finding->reason);
	else
		(void)fputs(verdict, text);
}

static void write_sentence(struct notes *notes, size_t first, const struct plan *plan, FILE *text)
{
	const struct note *note = &notes->list[first];
	const struct finding *finding = note->finding;
	char advice[FACT_TEXT_MAX];
	size_t targets = write_targets(notes, first, plan, text);
	size_t knobs = write_knobs(note->knobs, text);

	(void)fprintf(text, " %s ", targets > 1 || knobs > 1 ? "are" : "is");
	write_verdict(finding, notes->together && targets > 1, text);
	finding_advice(plan, finding, advice, sizeof(advice));
	if (*advice)
		(void)fprintf(text, ": %s", advice);
}

static void add_sentence(struct table *table, struct notes *notes, size_t first,
			 const struct plan *plan)
{
	_cleanup_free_ char *text = NULL;
	size_t size;
	FILE *stream = open_memstream(&text, &size);

	if (!stream) {
		table->oom = true;
		return;
	}
	write_sentence(notes, first, plan, stream);
	if (fclose(stream) != 0) {
		table->oom = true;
		return;
	}
	table_row(table);
	table_cell(table, 0, TINT_NONE, "%s", text);
}

void notes_write(const struct plan *plan,
		 bool (*select)(const struct plan *plan, const struct finding *finding),
		 const struct report_style *style, FILE *out)
{
	static const struct table_column columns[] = { { "NOTE", TABLE_SHRINKS_FIRST } };
	_cleanup_(table_done) struct table table = { .columns = columns,
						     .n_columns = 1,
						     .headless = true };
	_cleanup_(notes_done) struct notes notes = { .together = style->width > 0 &&
							       plan_is_crowded(plan) };

	for (size_t i = 0; i < plan->n_findings; i++)
		if (select(plan, &plan->findings[i]) && notes_add(&notes, &plan->findings[i]) < 0)
			table.oom = true;
	for (size_t i = 0; i < notes.n; i++)
		if (!notes.list[i].told)
			add_sentence(&table, &notes, i, plan);
	table_write(&table, style, out);
}
