// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The store. One file, `undo`, carries everything that has to change together: generation, whether
 * an apply is under way, the state to return to, and the spec to return to. It is replaced whole
 * before the first write to the machine. The records of generations before stand beside it as
 * undo.N, so that a rollback can be followed by another one.
 */
#include "lib/node/store.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

#include "lib/base/cleanup.h"
#include "lib/base/macro.h"
#include "lib/node/store-file.h"
#include "lib/node/store-history.h"
#include "lib/node/store-private.h"
#include "lib/spec/spec.h"

enum {
	UNDO_SIZE_MAX = SPEC_SIZE_MAX + 4 * 1024 * 1024,
	GENERATIONS_KEPT = 16,
	HISTORY_SIZE_MAX = 1024 * 1024, /* some thousand changes */
};
/* flock(2) asks for no right to write: who can open the lock can hold it */
enum { LOCK_MODE = 0600 };

static const char accepted_name[] = "accepted.yaml";
static const char undo_name[] = "undo";
static const char history_name[] = "history";

static int load_undo(struct store *store, const char *name)
{
	_cleanup_free_ char *text = NULL;
	size_t size;
	int r;

	r = store_file_read(store->dir, name, UNDO_SIZE_MAX, &text, &size);
	if (r == 0)
		r = store_text_parse(store, text, size);
	store->confirm_kept = store->confirm;
	return r;
}

static void kept_name(uint64_t generation, char name[32])
{
	(void)snprintf(name, 32, "%s.%" PRIu64, undo_name, generation);
}

static int save_undo(struct store *store)
{
	_cleanup_free_ char *text = NULL;
	size_t size = 0;
	int r;

	r = store_text_format(store, &text, &size);
	if (r == 0)
		r = store_file_replace(store->dir, undo_name, text, size);
	if (r == 0)
		store->confirm_kept = store->confirm;
	return r;
}

/* ---- a draft: what is changed is changed in a copy, which counts once it is on disk ---- */

static struct store draft_empty(const struct store *store)
{
	struct store draft = *store;

	draft.undo = (struct states){};
	draft.previous = NULL;
	draft.previous_size = 0;
	draft.before = 0;
	draft.phase = STORE_IDLE;
	return draft;
}

/* @draft is so from now on; or, if @r is an error, is dropped. Returns @r. */
static int draft_end(struct store *store, struct store *draft, int r)
{
	struct store gone = r < 0 ? *draft : *store;

	if (r >= 0)
		*store = *draft;
	states_done(&gone.undo);
	if (gone.previous != store->previous)
		free(gone.previous);
	return r;
}

static int copy_states(const struct states *states, struct states *ret)
{
	struct states copy = {};

	for (size_t i = 0; i < states->n; i++) {
		const struct state *state = &states->list[i];
		struct state *added = states_add(&copy, state->target.kind, NULL, "");

		if (!added) {
			states_done(&copy);
			return -ENOMEM;
		}
		*added = *state;
	}
	*ret = copy;
	return 0;
}

/* The record of @generation stands in its own file again; 0: there was none. */
static void give_back(const struct store *store, uint64_t generation)
{
	char name[32];

	kept_name(generation, name);
	if (!generation)
		(void)unlinkat(store->dir, undo_name, 0);
	else if (renameat(store->dir, name, store->dir, undo_name) == 0)
		/* Two names of one file are left alone by rename(2) */
		(void)unlinkat(store->dir, name, 0);
}

/* ---- open and close ---- */

/* One writer a machine; who holds the lock is written in it. */
static int take_lock(struct store *store, const char *path, char *holder, size_t holder_size)
{
	_cleanup_free_ char *folder = strdup(path);
	_cleanup_close_ int dir = -1;
	char text[128];
	ssize_t n;
	int r;

	if (!folder || !strrchr(folder, '/'))
		return -EINVAL;
	*strrchr(folder, '/') = '\0';
	dir = store_dir_open(folder, true);
	if (dir < 0)
		return dir;
	store->lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, LOCK_MODE);
	if (store->lock < 0)
		return -errno;
	r = store_give_to_owner(dir, store->lock);
	if (r < 0)
		return r;
	if (flock(store->lock, LOCK_EX | LOCK_NB) < 0) {
		n = pread(store->lock, text, sizeof(text) - 1, 0);
		(void)snprintf(holder, holder_size, "%.*s", (int)(n > 0 ? strcspn(text, "\n") : 0),
			       text);
		return errno == EWOULDBLOCK ? -EAGAIN : -errno;
	}
	(void)snprintf(text, sizeof(text), "%s, process %ld\n", program_invocation_short_name,
		       (long)getpid());
	if (ftruncate(store->lock, 0) < 0 || pwrite(store->lock, text, strlen(text), 0) < 0)
		return -errno;
	return 0;
}

struct store *store_close(struct store *store)
{
	if (!store)
		return NULL;
	if (store->lock >= 0)
		(void)close(store->lock);
	if (store->dir >= 0)
		(void)close(store->dir);
	states_done(&store->undo);
	free(store->previous);
	free(store);
	return NULL;
}

static bool accepted_is(const struct store *store, const char *text, size_t size)
{
	_cleanup_free_ char *accepted = NULL;
	size_t accepted_size = 0;
	int r = store_accepted(store, &accepted, &accepted_size);

	if (r < 0)
		return r == -ENOENT && !text;
	return text && accepted_size == size && memcmp(accepted, text, size) == 0;
}

/*
 * Killed between the record of a generation and its file: nothing was written for it, the one
 * before is what it was. A rollback has another number than the one after @before.
 */
static int drop_unborn(struct store *store)
{
	struct store older = draft_empty(store);
	char name[32];
	int r = 0;

	if (store->generation != store->before + 1 || store->phase == STORE_RETURNING ||
	    (store->phase == STORE_IDLE && store->undo.n) ||
	    !accepted_is(store, store->previous, store->previous_size))
		return 0;
	older.generation = store->before;
	older.confirm = (struct store_confirm){};
	kept_name(store->before, name);
	if (store->before)
		r = load_undo(&older, name);
	if (r == 0 && store->lock >= 0)
		give_back(store, store->before);
	older.unborn = store->generation;
	r = draft_end(store, &older, r);
	return r == -ENOENT ? 0 : r;
}

static int open_parts(struct store *store, const char *state_dir, const char *lock_path,
		      char *holder, size_t holder_size)
{
	int r;

	if (lock_path) {
		r = take_lock(store, lock_path, holder, holder_size);
		if (r < 0)
			return r;
	}
	store->dir = store_dir_open(state_dir, lock_path != NULL);
	if (store->dir == -ENOENT && !lock_path) {
		store->dir = -1;
		return 0;
	}
	if (store->dir < 0)
		return store->dir;
	r = load_undo(store, undo_name);
	if (r == 0)
		r = drop_unborn(store);
	return r == -ENOENT ? 0 : r;
}

int store_open(const char *state_dir, const char *lock_path, struct store **ret, char *holder,
	       size_t holder_size)
{
	struct store *store = calloc(1, sizeof(*store));
	int r;

	if (holder_size)
		*holder = '\0';
	if (!store)
		return -ENOMEM;
	store->dir = store->lock = -1;
	r = open_parts(store, state_dir, lock_path, holder, holder_size);
	if (r < 0) {
		(void)store_close(store);
		return r;
	}
	*ret = store;
	return 0;
}

/* ---- what it says ---- */

uint64_t store_generation(const struct store *store)
{
	return store->generation;
}

uint64_t store_unborn(const struct store *store)
{
	return store->unborn;
}

enum store_phase store_phase(const struct store *store)
{
	return store->phase;
}

void store_set_confirm(struct store *store, struct store_confirm confirm)
{
	store->confirm = confirm;
}

struct store_confirm store_get_confirm(const struct store *store)
{
	return store->confirm;
}

int store_accepted(const struct store *store, char **ret_text, size_t *ret_size)
{
	if (store->dir < 0)
		return -ENOENT;
	return store_file_read(store->dir, accepted_name, SPEC_SIZE_MAX, ret_text, ret_size);
}

static bool in_force(const struct store *store)
{
	return store->dir >= 0 && faccessat(store->dir, accepted_name, F_OK, 0) == 0;
}

int store_undo(const struct store *store, struct states *ret)
{
	if (!store->undo.n && !store->before && !in_force(store))
		return -ENOENT;
	return copy_states(&store->undo, ret);
}

/* ---- what it is told ---- */

static bool confirm_is_kept(const struct store *store)
{
	return store->confirm.until_s == store->confirm_kept.until_s &&
	       store->confirm.span_s == store->confirm_kept.span_s;
}

static bool object_recorded(const struct state *state, enum object object)
{
	for (enum knob knob = 0; knob < KNOB_MAX; knob++)
		if (knob_table[knob].object == object && state->value[knob].status == VALUE_KNOWN)
			return true;
	return false;
}

/* The record of @target, also if it was made under another name that is gone since. */
static struct state *find_recorded(const struct states *undo, const struct states *have,
				   const struct target *target)
{
	struct state *found;

	found = store_find_exactly(undo, target->kind, &target->nic, target->name);
	for (size_t i = 0; !found && *target->nic.pci && i < undo->n; i++) {
		struct state *state = &undo->list[i];

		if (state->target.kind == target->kind &&
		    store_same_place(&state->target.nic, &target->nic) &&
		    !store_find_exactly(have, target->kind, &target->nic, state->target.name))
			found = state;
	}
	return found;
}

/*
 * All that was found of an object belongs to its inverse, also what this plan leaves alone. Returns
 * 1 if there was something to add.
 */
static int record_object(struct state *state, const struct state *have, enum object object)
{
	int added = 0;

	if (object_recorded(state, object))
		return 0;
	for (enum knob knob = 0; knob < KNOB_MAX; knob++) {
		if (knob_table[knob].object != object || have->value[knob].status != VALUE_KNOWN)
			continue;
		state->value[knob] = have->value[knob];
		added = 1;
	}
	return added;
}

/* Returns 1 if the record has something new. */
static int record_step(struct store *store, const struct plan *plan, const struct step *step)
{
	const struct state *have = &plan->have->list[step->target];
	struct state *state;

	state = find_recorded(&store->undo, plan->have, &have->target);
	if (!state)
		state = states_add(&store->undo, have->target.kind, &have->target.nic,
				   have->target.name);
	if (!state)
		return -ENOMEM;
	return record_object(state, have, step->object) | record_object(state, have, step->also);
}

/* Returns 1 if the record has something new. */
static int record_plan(struct store *store, const struct plan *plan)
{
	int added = 0, r;

	for (size_t i = 0; i < plan->n_steps; i++) {
		r = record_step(store, plan, &plan->steps[i]);
		if (r < 0)
			return r;
		added |= r;
	}
	return added;
}

static int begin(struct store *store, const struct plan *plan, enum store_phase phase)
{
	struct store draft = *store;
	int r;

	r = copy_states(&store->undo, &draft.undo);
	if (r < 0)
		return r;
	draft.phase = phase;
	r = record_plan(&draft, plan);
	if (r > 0 || (r == 0 && (phase != store->phase || !confirm_is_kept(store))))
		r = save_undo(&draft);
	return draft_end(store, &draft, r);
}

int store_begin(struct store *store, const struct plan *plan, enum store_phase phase)
{
	if (!plan->n_steps && phase != STORE_RETURNING)
		return 0;
	return begin(store, plan, phase == STORE_IDLE ? store->phase : phase);
}

/* The record in force stands aside as undo.N. */
static int keep_record(const struct store *store)
{
	char name[32];

	if (!store->generation)
		return 0;
	kept_name(store->generation, name);
	(void)unlinkat(store->dir, name, 0);
	return linkat(store->dir, undo_name, store->dir, name, 0) < 0 ? -errno : 0;
}

static void drop_oldest(const struct store *store)
{
	char name[32];

	if (store->generation <= GENERATIONS_KEPT + 1)
		return;
	kept_name(store->generation - 1 - GENERATIONS_KEPT, name);
	(void)unlinkat(store->dir, name, 0);
	store_switch_move(store, store->generation - 1 - GENERATIONS_KEPT, 0);
}

/* The record first, then the file: see drop_unborn(). */
static int put_in_force(const struct store *store, struct store *draft, const char *text,
			size_t size)
{
	int r;

	r = keep_record(store);
	if (r < 0)
		return r;
	r = save_undo(draft);
	if (r == 0)
		r = store_file_replace(store->dir, accepted_name, text, size);
	if (r < 0)
		give_back(store, store->generation);
	return r;
}

int store_accept(struct store *store, const char *text, size_t size, const struct plan *plan)
{
	enum store_phase phase = plan->n_steps ? STORE_APPLYING : STORE_IDLE;
	struct store draft = draft_empty(store);
	_cleanup_free_ char *old = NULL;
	size_t old_size = 0;
	int r;

	r = store_accepted(store, &old, &old_size);
	if (r < 0 && r != -ENOENT)
		return r;
	if (r == 0 && old_size == size && memcmp(old, text, size) == 0)
		return begin(store, plan, phase);
	draft.previous = TAKE_PTR(old);
	draft.previous_size = old_size;
	draft.before = store->generation;
	draft.generation = store->generation + 1;
	draft.phase = phase;
	r = record_plan(&draft, plan);
	if (r >= 0)
		r = put_in_force(store, &draft, text, size);
	r = draft_end(store, &draft, r);
	if (r == 0)
		drop_oldest(store);
	return r;
}

static int enter(struct store *store, enum store_phase phase)
{
	enum store_phase before = store->phase;
	int r;

	store->phase = phase;
	r = save_undo(store);
	if (r < 0)
		store->phase = before;
	return r;
}

/* A step that nobody began: the next start goes on. */
static bool was_stopped(const struct plan *plan)
{
	for (size_t i = 0; i < plan->n_steps; i++)
		if (plan->steps[i].outcome == STEP_PLANNED)
			return true;
	return false;
}

int store_end(struct store *store, const struct plan *plan, const char *cause)
{
	_cleanup_free_ char *text = NULL;
	size_t size;
	int r;

	r = history_format(plan, store->generation, cause, time(NULL), &text, &size);
	if (r == 0)
		r = store_file_append(store->dir, history_name, text, size);
	if (r < 0 && r != -ENODATA)
		return r;
	/* That it could not be made shorter is no trouble yet */
	if (r == 0)
		(void)store_file_halve(store->dir, history_name, HISTORY_SIZE_MAX);
	if (store->phase != STORE_APPLYING || was_stopped(plan))
		return 0;
	return enter(store, STORE_IDLE);
}

int store_stop(struct store *store)
{
	return store->phase == STORE_APPLYING ? enter(store, STORE_STOPPED) : 0;
}

int store_confirm(struct store *store)
{
	struct store_confirm before = store->confirm;
	int r;

	store->confirm = (struct store_confirm){};
	r = save_undo(store);
	if (r < 0)
		store->confirm = before;
	return r;
}

static int accept_previous(struct store *store)
{
	if (store->previous)
		return store_file_replace(store->dir, accepted_name, store->previous,
					  store->previous_size);
	return unlinkat(store->dir, accepted_name, 0) < 0 && errno != ENOENT ? -errno : 0;
}

int store_rolled_back(struct store *store)
{
	struct store draft = draft_empty(store);
	uint64_t before = store->before, generation = store->generation + 1;
	char name[32];
	int r;

	r = accept_previous(store);
	if (r < 0)
		return r;
	kept_name(before, name);
	if (before && load_undo(&draft, name) < 0) {
		(void)draft_end(store, &draft, -EBADMSG);
		draft = draft_empty(store);
	}
	draft.generation = generation;
	draft.phase = STORE_IDLE;
	draft.confirm = (struct store_confirm){};
	r = draft_end(store, &draft, save_undo(&draft));
	if (r < 0)
		return r;
	if (before) {
		store_switch_move(store, before, generation);
		(void)unlinkat(store->dir, name, 0);
	}
	store_switch_left(store, generation - 1, generation);
	return 0;
}
