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
/* True if an apply or a rollback began and did not end. */
bool store_interrupted(const struct store *store);

/* The text of the spec in force; -ENOENT if there is none. The caller frees. */
int store_accepted(const struct store *store, char **ret_text, size_t *ret_size);

/*
 * Put @text in force, unless it is: a new generation whose undo record is what @plan changes. The
 * record of the generation before is kept, so that one rollback can follow another (16 at most).
 * With the text in force already it is store_begin(). On disk when this returns; on an error
 * nothing has changed.
 */
int store_accept(struct store *store, const char *text, size_t size, const struct plan *plan);

/*
 * Before the first write: add to the undo record what @plan changes and what is not in it yet, and
 * say that writing has begun. On disk when this returns.
 */
int store_begin(struct store *store, const struct plan *plan);
/* Writing is over; one line of history for each step that changed something. */
int store_end(struct store *store, const struct plan *plan, const char *cause);

/*
 * The recorded state as something to want; no targets if the generation changed nothing. -ENOENT if
 * there is no generation to return from.
 */
int store_undo(const struct store *store, struct states *ret);
/* After a rollback: the spec before is in force again (or none), with the record that it had. */
int store_rolled_back(struct store *store);
