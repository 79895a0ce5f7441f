// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The lines that write: one at a time, each checked, and nothing kept that is not as it should be
 * when it is read back.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/switch/drive-private.h"

/* Lines of a transaction: where they lead is theirs to know. */
static enum session_end say_all(struct drive *drive, enum transaction_verb verb,
				enum ask_where where, unsigned int seconds)
{
	enum session_end end = SESSION_OK;
	struct switch_script script = {};
	int r;

	r = switch_render_verb(drive->dialect, drive->settings, drive->n_settings, verb, seconds,
			       &script, drive->words, sizeof(drive->words));
	for (size_t i = 0; r == 0 && i < script.n && end == SESSION_OK; i++)
		end = session_line(drive->session, script.list[i].text, where,
				   script.list[i].mode ?: SESSION_ANY_MODE, NULL, NULL,
				   drive->words, sizeof(drive->words));
	switch_script_done(&script);
	return r < 0 ? SESSION_BAD : end;
}

static bool has(const struct drive *drive, enum transaction_verb verb)
{
	return dialect_has_verb(drive->dialect, verb);
}

static bool is_alive(enum session_end end)
{
	return end == SESSION_OK || end == SESSION_REFUSED || end == SESSION_MODE ||
	       end == SESSION_QUESTION || end == SESSION_CANCELLED || end == SESSION_BAD;
}

/* Back to where one reads; what is staged is dropped. Keeps .words. */
static void abandon(struct drive *drive)
{
	char words[sizeof(drive->words)];

	memcpy(words, drive->words, sizeof(words));
	if (has(drive, TRANSACTION_ABORT))
		(void)say_all(drive, TRANSACTION_ABORT, ASK_LINES, 0);
	else
		(void)say_all(drive, TRANSACTION_END, ASK_LINES, 0);
	memcpy(drive->words, words, sizeof(words));
}

static enum session_end stop(struct drive *drive)
{
	(void)snprintf(drive->words, sizeof(drive->words), "stopped");
	return SESSION_CANCELLED;
}

/* With what went wrong before: which line of how many. */
static void say_where(struct drive *drive, size_t i)
{
	char words[sizeof(drive->words)];

	memcpy(words, drive->words, sizeof(words));
	(void)snprintf(drive->words, sizeof(drive->words), "line %zu of %zu, '%s': %.300s", i + 1,
		       drive->script.n, drive->script.list[i].text, words);
}

static enum session_end say_lines(struct drive *drive)
{
	enum session_end end = SESSION_OK;
	char words[128];

	for (size_t i = 0; i < drive->script.n && end == SESSION_OK; i++) {
		const struct switch_line *line = &drive->script.list[i];

		if (drive->stopped(drive->data))
			return stop(drive);
		(void)snprintf(words, sizeof(words), "line %zu of %zu", i + 1, drive->script.n);
		drive->progress(words, drive->data);
		end = session_line(drive->session, line->text, ASK_LINES,
				   line->leave ? SESSION_ANY_MODE : line->mode, NULL, NULL,
				   drive->words, sizeof(drive->words));
		if (end != SESSION_OK)
			say_where(drive, i);
		drive->partial |= end == SESSION_OK && !has(drive, TRANSACTION_COMMIT);
	}
	return end;
}

static enum session_end commit(struct drive *drive, unsigned int trial_s)
{
	if (drive->stopped(drive->data))
		return stop(drive);
	if (trial_s && has(drive, TRANSACTION_TRIAL))
		return say_all(drive, TRANSACTION_TRIAL, ASK_COMMIT, trial_s);
	return say_all(drive, TRANSACTION_COMMIT, ASK_COMMIT, 0);
}

static enum session_end write_all(struct drive *drive, unsigned int trial_s)
{
	enum session_end end;

	end = say_all(drive, TRANSACTION_BEGIN, ASK_LINES, 0);
	if (end == SESSION_OK)
		end = say_lines(drive);
	if (end == SESSION_OK)
		end = commit(drive, trial_s);
	if (end == SESSION_OK)
		return say_all(drive, TRANSACTION_END, ASK_LINES, 0);
	if (is_alive(end))
		abandon(drive);
	return end;
}

/* What is about to be written; .changes go with the next reading. */
static int remember(struct drive *drive)
{
	const struct switch_wish *wish = drive->wish;

	free(drive->pushed);
	drive->pushed = calloc(wish->n_targets, sizeof(*drive->pushed));
	for (size_t i = 0; drive->pushed && i < drive->n_changes; i++)
		for (size_t k = 0; k < wish->n_targets; k++)
			if (strcmp(wish->targets[k].port, drive->changes[i].port) == 0)
				drive->pushed[k] |= UINT32_C(1) << drive->changes[i].knob;
	return drive->pushed ? 0 : -ENOMEM;
}

/* All that was written is read back as it should be. */
static bool is_reached(const struct drive *drive)
{
	for (size_t i = 0; i < drive->wish->n_targets; i++)
		for (enum switch_knob knob = 0; knob < SWITCH_KNOB_MAX; knob++)
			if (drive->pushed[i] >> knob & 1 &&
			    !drive_equal(drive, knob, &drive->wish->targets[i]))
				return false;
	return true;
}

/* The next apply finds nothing to change, so that it would not save either. */
static enum session_end save(struct drive *drive)
{
	enum session_end end;
	char words[sizeof(drive->words)];

	drive->progress("saving", drive->data);
	end = say_all(drive, TRANSACTION_SAVE, ASK_SAVE, 0);
	if (end == SESSION_OK)
		return end;
	memcpy(words, drive->words, sizeof(words));
	(void)snprintf(drive->words, sizeof(drive->words),
		       "in force, but not saved: save it by hand: %.400s", words);
	return end;
}

enum session_end drive_push(struct drive *drive, unsigned int trial_s)
{
	char words[sizeof(drive->words)];
	enum session_end end, read;

	if (drive->n_changes == 0)
		return SESSION_OK;
	if (remember(drive) < 0) {
		(void)snprintf(drive->words, sizeof(drive->words), "out of memory");
		return SESSION_BAD;
	}
	end = write_all(drive, trial_s);
	if (!is_alive(end))
		return end;
	memcpy(words, drive->words, sizeof(words));
	*drive->words = '\0';
	read = drive_observe(drive);
	if (end != SESSION_OK) {
		memcpy(drive->words, words, sizeof(words));
		return end;
	}
	if (read != SESSION_OK || !is_reached(drive) || trial_s)
		return read;
	return save(drive);
}

enum session_end drive_confirm(struct drive *drive)
{
	enum session_end end = SESSION_OK;

	if (has(drive, TRANSACTION_CONFIRM)) {
		end = say_all(drive, TRANSACTION_BEGIN, ASK_LINES, 0);
		if (end == SESSION_OK)
			end = say_all(drive, TRANSACTION_CONFIRM, ASK_COMMIT, 0);
		if (end == SESSION_OK)
			end = say_all(drive, TRANSACTION_END, ASK_LINES, 0);
	}
	return end == SESSION_OK ? save(drive) : end;
}
