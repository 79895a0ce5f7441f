// SPDX-License-Identifier: LGPL-2.1-or-later
/* Read, compare, make the lines, and tell what is so. */
#include "lib/switch/drive.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/cleanup.h"
#include "lib/base/macro.h"
#include "lib/switch/drive-private.h"

void drive_done(struct drive *drive)
{
	free(TAKE_PTR(drive->settings));
	drive->n_settings = 0;
	drive_forget(drive);
	arena_done(&drive->texts);
	free(TAKE_PTR(drive->pushed));
}

void drive_forget(struct drive *drive)
{
	free(TAKE_PTR(drive->changes));
	free(TAKE_PTR(drive->wholes));
	drive->n_changes = 0;
	switch_script_done(&drive->script);
	drive->script = (struct switch_script){};
}

/* ---- what is there ---- */

/* What nothing is said of stays unreadable. */
static void begin_reading(struct drive *drive)
{
	struct switch_wish *wish = drive->wish;

	for (size_t i = 0; i < wish->n_targets; i++)
		for (enum switch_knob knob = 0; knob < SWITCH_KNOB_MAX; knob++)
			wish->targets[i].have[knob] = (struct switch_value){
				.status = wish->targets[i].want[knob].status == SWITCH_KNOWN ?
						  SWITCH_UNREADABLE :
						  SWITCH_UNMANAGED,
			};
}

/* The session goes on after these: what the line should have told is not known. */
static bool is_survived(enum session_end end)
{
	return end == SESSION_OK || end == SESSION_REFUSED;
}

/* What should have been told by @query was not, in the words of the switch. */
static void explain(struct drive *drive, const struct switch_query *query)
{
	const char *words = arena_text(&drive->texts, drive->words, strlen(drive->words));
	struct switch_wish *wish = drive->wish;

	for (size_t i = 0; i < wish->n_targets; i++)
		for (enum switch_knob knob = 0; knob < SWITCH_KNOB_MAX; knob++) {
			struct switch_value *have = &wish->targets[i].have[knob];

			if (have->status == SWITCH_UNREADABLE && query->knobs >> knob & 1 &&
			    (!*query->port || strcmp(query->port, wish->targets[i].port) == 0))
				have->reason = words;
		}
}

static enum session_end read_one(struct drive *drive, const struct switch_query *query)
{
	_cleanup_free_ char *answer = NULL;
	struct switch_wish *wish = drive->wish;
	enum session_end end;
	size_t size = 0;
	int r = 0;

	end = session_read(drive->session, query->text, &answer, &size, drive->words,
			   sizeof(drive->words));
	if (end == SESSION_OK)
		r = switch_parse(drive->dialect, drive->settings, drive->n_settings, query, answer,
				 size, wish->targets, wish->n_targets, drive->words,
				 sizeof(drive->words));
	if (end != SESSION_OK || r < 0)
		explain(drive, query);
	return end;
}

void drive_lose(struct drive *drive)
{
	struct switch_wish *wish = drive->wish;
	const char *words = arena_text(&drive->texts, drive->words, strlen(drive->words));

	for (size_t i = 0; i < wish->n_targets; i++)
		for (enum switch_knob knob = 0; knob < SWITCH_KNOB_MAX; knob++)
			if (drive->pushed[i] >> knob & 1)
				wish->targets[i].have[knob] = (struct switch_value){
					.status = SWITCH_UNREADABLE,
					.reason = words,
				};
}

static enum session_end read_all(struct drive *drive)
{
	struct switch_wish *wish = drive->wish;
	struct switch_queries queries = {};
	enum session_end end = SESSION_OK;
	int r;

	begin_reading(drive);
	r = switch_queries_build(drive->dialect, drive->settings, drive->n_settings, wish->targets,
				 wish->n_targets, &queries, drive->words, sizeof(drive->words));
	for (size_t i = 0; r == 0 && i < queries.n && is_survived(end); i++)
		end = read_one(drive, &queries.list[i]);
	switch_queries_done(&queries);
	if (r < 0)
		return SESSION_BAD;
	if (!is_survived(end))
		return end;
	*drive->words = '\0';
	return SESSION_OK;
}

/* ---- what differs ---- */

/* Entries that are not wanted are drift; of a map others may have named DSCPs of their own. */
static bool owns_all(const struct drive *drive, enum switch_knob knob)
{
	return drive->exact || switch_knob_table[knob].whole ||
	       (knob == SWITCH_DSCP_MAP && drive->wish->exclusive);
}

bool drive_equal(const struct drive *drive, enum switch_knob knob,
		 const struct switch_target *target)
{
	const struct switch_value *want = &target->want[knob], *have = &target->have[knob];

	if (have->status != SWITCH_KNOWN)
		return false;
	/* Room for more than that does no harm; but a way back leads to what was there */
	if (knob == SWITCH_MTU && !drive->exact && want->n && have->n)
		return have->entry[0].field[0] >= want->entry[0].field[0];
	return switch_value_equal(drive->dialect, drive->settings, drive->n_settings, knob,
				  want, have, owns_all(drive, knob));
}

static bool is_missing(const struct switch_target *target, enum switch_knob knob)
{
	return target->want[knob].status == SWITCH_KNOWN &&
	       target->have[knob].status != SWITCH_KNOWN;
}

/* The knob without which @knob has no effect, and of which nothing is known; else the maximum. */
static enum switch_knob waits_for(const struct drive *drive, const struct switch_target *target,
				  enum switch_knob knob)
{
	unsigned int needs = dialect_needs(drive->dialect, drive->settings, drive->n_settings,
					   knob);
	enum switch_knob needed = 0;

	while (needed < SWITCH_KNOB_MAX &&
	       !(needs >> needed & 1 && (is_missing(target, needed) ||
					 is_missing(&drive->wish->targets[0], needed))))
		needed++;
	return needed;
}

static bool differs(const struct drive *drive, const struct switch_target *target,
		    enum switch_knob knob)
{
	return target->want[knob].status == SWITCH_KNOWN &&
	       target->have[knob].status == SWITCH_KNOWN && !drive_equal(drive, knob, target) &&
	       waits_for(drive, target, knob) == SWITCH_KNOB_MAX;
}

/* What others put beside what is wanted stays. */
static void make_whole(const struct drive *drive, enum switch_knob knob,
		       const struct switch_target *target, struct switch_value *ret)
{
	const struct switch_value *have = &target->have[knob];

	*ret = target->want[knob];
	if (switch_knob_table[knob].shape == SHAPE_SINGLE || owns_all(drive, knob))
		return;
	for (size_t i = 0; i < have->n; i++)
		(void)switch_value_add(ret, &have->entry[i]);
}

static void change_add(struct drive *drive, enum switch_knob knob,
		       const struct switch_target *target)
{
	size_t n = drive->n_changes++;

	make_whole(drive, knob, target, &drive->wholes[n]);
	drive->changes[n] = (struct switch_change){
		.knob = knob,
		.port = target->port,
		.from = &target->have[knob],
		.to = &drive->wholes[n],
	};
}

/* Things are switched off from the last knob to the first, then on from the first to the last. */
static void add_all(struct drive *drive)
{
	struct switch_wish *wish = drive->wish;

	for (int knob = SWITCH_KNOB_MAX - 1; knob >= 0; knob--)
		for (size_t i = 0; i < wish->n_targets; i++)
			if (differs(drive, &wish->targets[i], knob) &&
			    switch_value_is_off(knob, &wish->targets[i].want[knob]))
				change_add(drive, knob, &wish->targets[i]);
	for (enum switch_knob knob = 0; knob < SWITCH_KNOB_MAX; knob++)
		for (size_t i = 0; i < wish->n_targets; i++)
			if (differs(drive, &wish->targets[i], knob) &&
			    !switch_value_is_off(knob, &wish->targets[i].want[knob]))
				change_add(drive, knob, &wish->targets[i]);
}

/* .script of .changes */
static int drive_lines(struct drive *drive)
{
	return switch_render(drive->dialect, drive->settings, drive->n_settings, drive->changes,
			     drive->n_changes, &drive->script, drive->words, sizeof(drive->words));
}

int drive_compare(struct drive *drive)
{
	size_t room = drive->wish->n_targets * SWITCH_KNOB_MAX + 1;

	drive_forget(drive);
	drive->changes = calloc(room, sizeof(*drive->changes));
	drive->wholes = calloc(room, sizeof(*drive->wholes));
	if (!drive->changes || !drive->wholes)
		return -ENOMEM;
	add_all(drive);
	return drive_lines(drive);
}

enum session_end drive_observe(struct drive *drive)
{
	enum session_end end;
	int r;

	end = read_all(drive);
	if (end != SESSION_OK)
		return end;
	r = drive_compare(drive);
	if (r == -ENOMEM)
		(void)snprintf(drive->words, sizeof(drive->words), "out of memory");
	return r < 0 ? SESSION_BAD : SESSION_OK;
}

/* ---- without the switch ---- */

/* What is wanted is there, and goes: the last that came first. */
static int undo_all(struct drive *drive)
{
	static const struct switch_value unset = { .status = SWITCH_UNMANAGED };
	struct switch_wish *wish = drive->wish;

	drive_forget(drive);
	drive->changes = calloc(wish->n_targets * SWITCH_KNOB_MAX, sizeof(*drive->changes));
	if (!drive->changes)
		return -ENOMEM;
	for (int knob = SWITCH_KNOB_MAX - 1; knob >= 0; knob--)
		for (size_t i = 0; i < wish->n_targets; i++) {
			const struct switch_value *want = &wish->targets[i].want[knob];

			if (want->status == SWITCH_KNOWN && !switch_value_is_off(knob, want))
				drive->changes[drive->n_changes++] = (struct switch_change){
					.knob = knob,
					.port = wish->targets[i].port,
					.from = want,
					.to = &unset,
				};
		}
	return drive_lines(drive);
}

int drive_render(struct drive *drive, bool undo)
{
	struct switch_wish *wish = drive->wish;

	if (undo)
		return undo_all(drive);
	/* As on a switch where none of it was set */
	for (size_t i = 0; i < wish->n_targets; i++)
		for (enum switch_knob knob = 0; knob < SWITCH_KNOB_MAX; knob++)
			wish->targets[i].have[knob] = (struct switch_value){
				.status = wish->targets[i].want[knob].status,
			};
	return drive_compare(drive);
}

/* ---- what is told ---- */

static unsigned int count_lines(const struct drive *drive, const char *port, enum switch_knob knob)
{
	unsigned int n = 0;

	for (size_t i = 0; i < drive->script.n; i++) {
		const struct switch_change *change = &drive->changes[drive->script.list[i].change];

		n += change->knob == knob && strcmp(change->port, port) == 0;
	}
	return n;
}

static enum verdict judge(const struct drive *drive, const struct switch_target *target,
			  enum switch_knob knob, bool failed)
{
	const struct switch_value *have = &target->have[knob];

	if (have->status != SWITCH_KNOWN)
		return VERDICT_UNKNOWN;
	if (!drive_equal(drive, knob, target))
		return failed ? VERDICT_FAILED : VERDICT_DRIFT;
	return have->not_operational ? VERDICT_FAILED : VERDICT_IN_SYNC;
}

static void note(const struct drive *drive, const struct switch_target *target,
		 enum switch_knob knob, enum verdict verdict, struct switch_finding *finding)
{
	const char *impact = dialect_impact(drive->dialect, drive->settings, drive->n_settings,
					    knob);
	const char *reason = target->want[knob].reason;
	enum switch_knob needed = waits_for(drive, target, knob);

	if (verdict == VERDICT_DRIFT && needed < SWITCH_KNOB_MAX)
		(void)snprintf(finding->note, sizeof(finding->note),
			       "not changed: it needs %s, which cannot be read",
			       switch_knob_table[needed].name);
	else if (verdict == VERDICT_UNKNOWN)
		(void)snprintf(finding->note, sizeof(finding->note), "%.*s",
			       (int)sizeof(finding->note) - 1,
			       target->have[knob].reason ?: "the switch says nothing of it");
	else if (target->have[knob].not_operational)
		(void)snprintf(finding->note, sizeof(finding->note),
			       "configured, but not in operation");
	else if (verdict == VERDICT_DRIFT && *impact)
		(void)snprintf(finding->note, sizeof(finding->note), "%s", impact);
	else if (reason)
		(void)snprintf(finding->note, sizeof(finding->note), "%s", reason);
}

void drive_tell(struct drive *drive, bool failed)
{
	struct switch_wish *wish = drive->wish;

	for (size_t i = 0; i < wish->n_targets; i++) {
		const struct switch_target *target = &wish->targets[i];

		for (enum switch_knob knob = 0; knob < SWITCH_KNOB_MAX; knob++) {
			const struct switch_value *want = &target->want[knob];
			struct switch_finding finding = { .knob = knob, .where = want->where };

			if (want->status != SWITCH_KNOWN)
				continue;
			(void)snprintf(finding.port, sizeof(finding.port), "%s", target->port);
			finding.verdict = judge(drive, target, knob, failed);
			finding.n_lines = count_lines(drive, target->port, knob);
			switch_value_format(knob, want, finding.want, sizeof(finding.want));
			if (target->have[knob].status == SWITCH_KNOWN)
				switch_value_format(knob, &target->have[knob], finding.have,
						    sizeof(finding.have));
			note(drive, target, knob, finding.verdict, &finding);
			drive->find(&finding, drive->data);
		}
	}
}
