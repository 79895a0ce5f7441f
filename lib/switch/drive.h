/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * One switch, from what is wanted to what is so: its wants in the shape of its dialect, what it
 * says, what differs, the lines, and after them what it says then. Speaks through a session only;
 * what people should know goes through two hooks.
 */
#pragma once

#include "lib/model/verdict.h"
#include "lib/spec/switch.h"
#include "lib/switch/render.h"
#include "lib/switch/session.h"
#include "lib/switch/wire.h"

struct drive {
	const struct dialect *dialect;
	struct switch_wish *wish;
	struct session *session;		/* NULL: only drive_want() and drive_render() */
	void (*find)(const struct switch_finding *finding, void *data);
	void (*progress)(const char *words, void *data);
	bool (*stopped)(void *data);		/* looked at before each line that writes */
	void *data;

	struct dialect_setting *settings;	/* of the dialect's templates */
	size_t n_settings;
	struct switch_change *changes;
	struct switch_value *wholes;		/* what changes lead to, one for each */
	size_t n_changes;
	struct switch_script script;
	struct arena texts;			/* why something could not be read */
	uint32_t *pushed;			/* bits of knobs that were written, by target */
	bool exact;				/* entries that are not wanted are drift */
	size_t n_taken;				/* lines of .script, while they are said */
	char words[512];			/* what went wrong, for people */
};

/*
 * Bring the wants into the scopes of the dialect: what it does for the switch as a whole is
 * collected from the ports. What contradicts itself, or what it cannot do, is told by .find.
 * Returns 0; -EINVAL with .words if a var is not one of the dialect's; -ENOMEM.
 */
int drive_want(struct drive *drive);

/* The wants are those of @record instead (SWITCH_RETURN). -EBADMSG with .words; -ENOMEM. */
int drive_return(struct drive *drive, const char *record, size_t size);

/*
 * What the lines would be if nothing of it were there; @undo: the lines that take them back.
 * Returns 0 with .script; -EINVAL with .words; -ENOMEM.
 */
int drive_render(struct drive *drive, bool undo);

/* Read all that is wanted, and make .changes and .script. SESSION_OK, or .words say why not. */
enum session_end drive_observe(struct drive *drive);

/* Of what was about to be written nothing is known any more: the session is gone. */
void drive_lose(struct drive *drive);

/*
 * With another session, after one that broke off in the middle of drive_push(): drop what that left
 * staged, and read what is so. Keeps .words.
 */
void drive_recover(struct drive *drive);

/* A finding for each knob that is wanted. @failed: what differs now was tried. */
void drive_tell(struct drive *drive, bool failed);

/*
 * Carry .script out: begin, lines, commit (on trial with @trial_s), read back, and save, if it is
 * as it should be and not on trial. What was staged is dropped if a line is refused. On
 * SESSION_OK .changes are what still differs.
 */
enum session_end drive_push(struct drive *drive, unsigned int trial_s);

/*
 * Take back what drive_push() did on trial, if the dialect has words for that. That there is
 * nothing on trial any more is no failure: what is so is read afterwards anyway.
 */
enum session_end drive_withdraw(struct drive *drive);

/* Keep what drive_push() did on trial. */
enum session_end drive_confirm(struct drive *drive);

void drive_done(struct drive *drive);
