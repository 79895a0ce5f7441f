// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The lines that write: one at a time, each checked, and nothing kept that is not as it should be
 * when it is read back.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/switch/drive-private.h"

enum { MARK_BYTES = 16 };

static void put_before(struct drive *drive, const char *format, ...) _printf_(2, 3);

/* In front of .words. */
static void put_before(struct drive *drive, const char *format, ...)
{
	char words[sizeof(drive->words)];
	va_list args;
	int n;

	memcpy(words, drive->words, sizeof(words));
	va_start(args, format);
	n = vsnprintf(drive->words, sizeof(drive->words), format, args);
	va_end(args);
	if (n >= 0 && (size_t)n < sizeof(drive->words))
		(void)snprintf(drive->words + n, sizeof(drive->words) - (size_t)n, "%.*s",
			       (int)(sizeof(words) - (size_t)n - 1), words);
}

/* Lines of a transaction: where they lead is theirs to know. */
static enum session_end say_all(struct drive *drive, enum transaction_verb verb,
				enum ask_where where, unsigned int seconds)
{
	enum session_end end = SESSION_OK;
	struct switch_script script = {};
	int r;

	r = switch_render_verb(drive->dialect, drive->settings, drive->n_settings, verb, seconds,
			       &script, drive->words, sizeof(drive->words));
	for (size_t i = 0; r == 0 && i < script.n && end == SESSION_OK; i++) {
		end = session_line(drive->session, script.list[i].text, where,
				   script.list[i].mode ?: SESSION_ANY_MODE, NULL, NULL,
				   drive->words, sizeof(drive->words));
		if (end != SESSION_OK)
			put_before(drive, "'%s': ", script.list[i].text);
	}
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
			put_before(drive, "line %zu of %zu, '%s': ", i + 1, drive->script.n,
				   line->text);
		drive->n_taken += end == SESSION_OK;
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

/* A commit that did nothing leaves one where lines are staged, whatever it says or does not say. */
static enum session_end check_left(struct drive *drive, const char *before)
{
	if (strcmp(session_mode(drive->session), before) == 0)
		return SESSION_OK;
	(void)snprintf(drive->words, sizeof(drive->words),
		       "all lines were taken, but the switch stays in %s: not committed",
		       session_mode(drive->session));
	return SESSION_MODE;
}

/* S01: a mark that came with the lines goes with the commit. */
static enum session_end check_mark(struct drive *drive, const char *begun, const char *staged)
{
	const char *mark = session_mark(drive->session);

	if (strcmp(begun, staged) == 0 || strcmp(mark, begun) == 0)
		return SESSION_OK;
	(void)snprintf(drive->words, sizeof(drive->words),
		       "all lines were taken, but the prompt still has '%s': not committed", mark);
	return SESSION_MODE;
}

/* What the prompt is marked with; a copy. */
static void take_mark(const struct drive *drive, char ret[MARK_BYTES])
{
	(void)snprintf(ret, MARK_BYTES, "%s", session_mark(drive->session));
}

/* Without a transaction each line is in force when it is taken. */
static void say_in_force(struct drive *drive)
{
	size_t n = strlen(drive->words);

	if (!has(drive, TRANSACTION_COMMIT) && drive->n_taken > 0)
		(void)snprintf(drive->words + n, sizeof(drive->words) - n,
			       "; %zu lines before it are in force, not saved", drive->n_taken);
}

static enum session_end write_all(struct drive *drive, unsigned int trial_s)
{
	char before[256], begun[MARK_BYTES] = "", staged[MARK_BYTES] = "";
	enum session_end end;

	(void)snprintf(before, sizeof(before), "%s", session_mode(drive->session));
	drive->n_taken = 0;
	end = say_all(drive, TRANSACTION_BEGIN, ASK_LINES, 0);
	take_mark(drive, begun);
	if (end == SESSION_OK)
		end = say_lines(drive);
	take_mark(drive, staged);
	if (end == SESSION_OK)
		end = commit(drive, trial_s);
	if (end == SESSION_OK)
		end = check_mark(drive, begun, staged);
	if (end == SESSION_OK)
		end = say_all(drive, TRANSACTION_END, ASK_LINES, 0);
	if (end == SESSION_OK)
		end = check_left(drive, before);
	if (end == SESSION_OK)
		return end;
	say_in_force(drive);
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

	drive->progress("saving", drive->data);
	end = say_all(drive, TRANSACTION_SAVE, ASK_SAVE, 0);
	if (end != SESSION_OK)
		put_before(drive, "in force, but not saved: save it by hand: ");
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
	if (!is_alive(end)) {
		drive_lose(drive);
		return end;
	}
	memcpy(words, drive->words, sizeof(words));
	*drive->words = '\0';
	read = drive_observe(drive);
	if (end != SESSION_OK) {
		memcpy(drive->words, words, sizeof(words));
		return end;
	}
	if (read != SESSION_OK) {
		put_before(drive, "all lines were taken, then: ");
		return read;
	}
	if (!is_reached(drive)) {
		(void)snprintf(drive->words, sizeof(drive->words),
			       "all lines were taken, but it is not so: not saved");
		return SESSION_REFUSED;
	}
	return trial_s ? read : save(drive);
}

void drive_recover(struct drive *drive)
{
	char words[sizeof(drive->words)];
	enum session_end end = SESSION_OK;

	memcpy(words, drive->words, sizeof(words));
	if (has(drive, TRANSACTION_ABORT)) {
		end = say_all(drive, TRANSACTION_BEGIN, ASK_LINES, 0);
		if (is_alive(end))
			end = say_all(drive, TRANSACTION_ABORT, ASK_LINES, 0);
	}
	if (is_alive(end))
		end = drive_observe(drive);
	memcpy(drive->words, words, sizeof(words));
	if (end != SESSION_OK)
		drive_lose(drive);
}

enum session_end drive_withdraw(struct drive *drive)
{
	enum session_end end;

	if (!has(drive, TRANSACTION_RETURN))
		return SESSION_OK;
	end = say_all(drive, TRANSACTION_RETURN, ASK_COMMIT, 0);
	if (end == SESSION_OK || !is_alive(end))
		return end;
	(void)say_all(drive, TRANSACTION_END, ASK_LINES, 0);
	*drive->words = '\0';
	return SESSION_OK;
}

enum session_end drive_confirm(struct drive *drive)
{
	enum session_end end = SESSION_OK;

	/* All of it: what begins a push would drop what waits */
	if (has(drive, TRANSACTION_CONFIRM))
		end = say_all(drive, TRANSACTION_CONFIRM, ASK_COMMIT, 0);
	return end == SESSION_OK ? save(drive) : end;
}
