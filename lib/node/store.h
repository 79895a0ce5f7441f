/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What outlives a process: /var/lib/losslessd (the spec in force and the one before, the undo
 * record, history) and /run/losslessd/lock. Files are written whole, synced and renamed into place.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/reconcile/plan.h"

struct store;

/* What was under way when the process that had the lock ended. */
enum store_phase {
	STORE_IDLE,
	STORE_APPLYING,		/* towards the spec in force */
	STORE_RETURNING,	/* a rollback */
	STORE_STOPPED,		/* an apply, until somebody says how to go on */
};

/*
 * Open the store below @state_dir; with @lock_path take the one lock of this machine and make what
 * is missing. @lock_path NULL: for reading, without a lock; a store that is not there is then
 * empty.
 *
 * Returns 0; -EAGAIN with the holder in @holder ("losslessctl apply, process 4711"); another
 * negative errno.
 */
int store_open(const char *state_dir, const char *lock_path, struct store **ret, char *holder,
	       size_t holder_size);
struct store *store_close(struct store *store);

/* 0: no spec in force. */
uint64_t store_generation(const struct store *store);
enum store_phase store_phase(const struct store *store);
/* The generation that was being accepted when a process was killed, and never came in force; 0. */
uint64_t store_unborn(const struct store *store);

/*
 * The next generation returns by itself unless it is confirmed: by the clock of the wall, so that a
 * restart knows. Part of the undo record: on disk with store_accept() or store_begin().
 */
struct store_confirm {
	int64_t until_s;	/* CLOCK_REALTIME; 0: nothing waits */
	int64_t span_s;		/* how long that was: a clock that was set back does not count */
};
void store_set_confirm(struct store *store, struct store_confirm confirm);
struct store_confirm store_get_confirm(const struct store *store);
/* It is confirmed. On disk when this returns. */
int store_confirm(struct store *store);

/* The text of the spec in force; -ENOENT if there is none. The caller frees. */
int store_accepted(const struct store *store, char **ret_text, size_t *ret_size);

/*
 * Put @text in force, unless it is: a new generation whose undo record is what @plan changes. The
 * record of the generation before is kept, so that one rollback can follow another (16 at most).
 * With the text in force already it is store_begin(), and what was under way is over. On disk when
 * this returns; on an error nothing has changed.
 */
int store_accept(struct store *store, const char *text, size_t size, const struct plan *plan);

/*
 * Before the first write: add to the undo record what @plan changes and what is not in it yet, and
 * say what has begun. On disk when this returns. With STORE_IDLE (a repair: what it leads to is
 * in force, and the next start looks anyway) nothing is written unless something was added. On an
 * error nothing has changed.
 */
int store_begin(struct store *store, const struct plan *plan, enum store_phase phase);
/*
 * Writing is over; one line of history for each step that changed something, the oldest go when it
 * becomes too long. A rollback goes on until store_rolled_back(), an apply if a step of @plan was
 * not begun.
 */
int store_end(struct store *store, const struct plan *plan, const char *cause);
/* An apply that goes on is to wait for people. On disk when this returns. */
int store_stop(struct store *store);

/*
 * The recorded state as something to want; no targets if the generation changed nothing. -ENOENT if
 * there is no generation to return from.
 */
int store_undo(const struct store *store, struct states *ret);
/* After a rollback: the spec before is in force again (or none), with the record that it had. */
int store_rolled_back(struct store *store);
