// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Wants come for the switch and for each port; a dialect does each knob for one of the two. What it
 * does for the switch as a whole has to suit all its ports.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/macro.h"
#include "lib/switch/drive-private.h"

static int settings_make(struct drive *drive)
{
	const struct switch_wish *wish = drive->wish;

	drive->settings = calloc(wish->n_vars + 1, sizeof(*drive->settings));
	if (!drive->settings)
		return -ENOMEM;
	for (size_t i = 0; i < wish->n_vars; i++) {
		const struct switch_pair *var = &wish->vars[i];

		if (dialect_check_var(drive->dialect, var->name, var->value, drive->words,
				      sizeof(drive->words)) < 0)
			return -EINVAL;
		drive->settings[drive->n_settings++] =
			(struct dialect_setting){ var->name, var->value };
	}
	return 0;
}

static void tell(struct drive *drive, const struct switch_target *target, enum switch_knob knob,
		 enum verdict verdict, const char *words)
{
	struct switch_finding finding = {
		.knob = knob, .verdict = verdict, .where = target->want[knob].where,
	};

	(void)snprintf(finding.note, sizeof(finding.note), "%s", words);
	switch_value_format(knob, &target->want[knob], finding.want, sizeof(finding.want));
	drive->find(&finding, drive->data);
}

static void drop(struct drive *drive, enum switch_knob knob)
{
	for (size_t i = 0; i < drive->wish->n_targets; i++)
		drive->wish->targets[i].want[knob] = (struct switch_value){};
}

/* The first that wants it, for what is said once of the whole switch; NULL. */
static const struct switch_target *who_wants(const struct drive *drive, enum switch_knob knob)
{
	for (size_t i = 0; i < drive->wish->n_targets; i++)
		if (drive->wish->targets[i].want[knob].status == SWITCH_KNOWN)
			return &drive->wish->targets[i];
	return NULL;
}

/* The largest MTU suits all. Returns false if the two contradict each other. */
static bool merge_entry(enum switch_knob knob, struct switch_value *into,
			const struct switch_entry *entry)
{
	const struct switch_entry *there = switch_value_find(into, entry->key);

	if (!there)
		return switch_value_add(into, entry) == 0;
	if (knob != SWITCH_MTU)
		return memcmp(there->field, entry->field, sizeof(entry->field)) == 0;
	into->entry[0].field[0] = MAX(there->field[0], entry->field[0]);
	return true;
}

static bool value_merge(enum switch_knob knob, struct switch_value *into,
			const struct switch_value *value)
{
	if (into->status != SWITCH_KNOWN) {
		*into = *value;
		return true;
	}
	for (size_t i = 0; i < value->n; i++)
		if (!merge_entry(knob, into, &value->entry[i]))
			return false;
	return true;
}

/* What ports want of the switch as a whole becomes its own. */
static void collect(struct drive *drive, enum switch_knob knob)
{
	struct switch_target *targets = drive->wish->targets;
	char words[FINDING_TEXT_MAX];

	for (size_t i = 1; i < drive->wish->n_targets; i++) {
		struct switch_value *want = &targets[i].want[knob];

		if (want->status == SWITCH_KNOWN &&
		    !value_merge(knob, &targets[0].want[knob], want)) {
			(void)snprintf(words, sizeof(words),
				       "%s has one for all its ports, and %s wants another than "
				       "the rest",
				       drive->wish->name, targets[i].port);
			tell(drive, &targets[i], knob, VERDICT_FAILED, words);
			drop(drive, knob);
			return;
		}
		*want = (struct switch_value){};
	}
}

static bool has(const struct drive *drive, enum switch_knob knob, enum switch_scope *scope,
		const char **why)
{
	return dialect_has(drive->dialect, drive->settings, drive->n_settings, knob, scope, why);
}

/* PFC is the priorities of a port, or those of the switch and a yes or no of the port. */
static bool has_other_form(const struct drive *drive, enum switch_knob knob)
{
	static const struct {
		enum switch_knob knob;
		enum switch_knob other;
	} forms[] = {
		{ SWITCH_PFC, SWITCH_PFC_ENABLED },
		{ SWITCH_PFC_ENABLED, SWITCH_PFC },
		{ SWITCH_PFC_PRIORITIES, SWITCH_PFC },
		{ SWITCH_ECN_PORT, SWITCH_ECN },
		{ SWITCH_ECN_PROFILE, SWITCH_ECN },
		{ SWITCH_DSCP_MAP_PORT, SWITCH_DSCP_MAP },
		{ SWITCH_WATCHDOG_PORT, SWITCH_WATCHDOG },
	};
	enum switch_scope scope;
	const char *why;

	for (size_t i = 0; i < ARRAY_SIZE(forms); i++)
		if (forms[i].knob == knob && has(drive, forms[i].other, &scope, &why))
			return true;
	return false;
}

static void scope(struct drive *drive, enum switch_knob knob)
{
	const struct switch_target *first = who_wants(drive, knob);
	enum switch_scope scope;
	const char *why = NULL;

	if (!first)
		return;
	if (!has(drive, knob, &scope, &why)) {
		if (why && !has_other_form(drive, knob))
			tell(drive, first, knob, VERDICT_UNSUPPORTED, why);
		drop(drive, knob);
	} else if (scope == SCOPE_SWITCH) {
		collect(drive, knob);
	} else {
		drive->wish->targets[0].want[knob] = (struct switch_value){};
	}
}

int drive_want(struct drive *drive)
{
	int r;

	r = settings_make(drive);
	if (r < 0)
		return r;
	for (enum switch_knob knob = 0; knob < SWITCH_KNOB_MAX; knob++)
		scope(drive, knob);
	return 0;
}

/* ---- a record instead ---- */

static struct switch_target *target_find(struct switch_wish *wish, const char *port)
{
	for (size_t i = 0; i < wish->n_targets; i++)
		if (strcmp(wish->targets[i].port, port) == 0)
			return &wish->targets[i];
	return NULL;
}

/* PORT, KNOB and VALUE of one line, which is cut in pieces. */
static bool take_line(char *line, char *column[3])
{
	for (size_t i = 0; i < 3; i++) {
		column[i] = line;
		line = strchr(line, '\t');
		if (i == 2)
			return !line;
		if (!line)
			return false;
		*line++ = '\0';
	}
	return false;
}

static int take_record(struct drive *drive, char *line)
{
	struct switch_target *target;
	struct switch_value value;
	enum switch_knob knob;
	char *column[3];

	if (!take_line(line, column))
		return -EBADMSG;
	target = target_find(drive->wish, column[0]);
	knob = switch_knob_find(column[1]);
	if (knob == SWITCH_KNOB_MAX || switch_value_parse(knob, column[2], &value) < 0)
		return -EBADMSG;
	/* Of a port that the file no longer has nothing is known: it stays as it is */
	if (target)
		target->want[knob] = value;
	return 0;
}

int drive_return(struct drive *drive, const char *record, size_t size)
{
	char *text = strndup(record, size), *line, *next;
	int r = 0;

	if (!text)
		return -ENOMEM;
	drive->exact = true;
	for (enum switch_knob knob = 0; knob < SWITCH_KNOB_MAX; knob++)
		drop(drive, knob);
	for (line = text; r == 0 && *line; line = next) {
		next = line + strcspn(line, "\n");
		if (*next)
			*next++ = '\0';
		r = take_record(drive, line);
	}
	free(text);
	if (r == -EBADMSG)
		(void)snprintf(drive->words, sizeof(drive->words), "the record cannot be read");
	if (r == 0)
		r = settings_make(drive);
	return r;
}
