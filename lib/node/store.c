// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The store. One file, `undo`, carries everything that has to change together: generation, whether
 * an apply is under way, the state to return to, and the spec to return to. It is replaced whole
 * before the first write to the machine. The records of generations before stand beside it as
 * undo.N, so that a rollback can be followed by another one.
 *
 *	losslessd undo 1
 *	generation 3
 *	before 2		the generation whose record is kept in undo.2; 0: none
 *	phase applying		or idle, returning
 *	confirm 1790000000 120	only while nobody has confirmed: until when, seconds in all
 *	port<TAB>ens1f0np0<TAB>0000:17:00.0<TAB>1<TAB>pfc<TAB>none
 *				kind, name, PCI address, RDMA port, knob, value
 *	previous 1234		the spec before, that many bytes, follows; or "none"
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
#include "lib/spec/spec.h"

enum {
	UNDO_SIZE_MAX = SPEC_SIZE_MAX + 4 * 1024 * 1024,
	GENERATIONS_KEPT = 16,
};
/* flock(2) asks for no right to write: who can open the lock can hold it */
enum { LOCK_MODE = 0600 };

static const char accepted_name[] = "accepted.yaml";
static const char undo_name[] = "undo";
static const char history_name[] = "history";
static const char magic[] = "losslessd undo 1\n";
static const char *const phase_names[] = {
	[STORE_IDLE] = "idle",
	[STORE_APPLYING] = "applying",
	[STORE_RETURNING] = "returning",
};

struct store {
	int dir;		/* -1: nothing there yet (reading only) */
	int lock;		/* -1: for reading only */
	uint64_t generation;
	uint64_t before;
	enum store_phase phase;
	struct store_confirm confirm;
	struct states undo;
	char *previous;		/* NULL: no spec before */
	size_t previous_size;
};

/* ---- the undo file ---- */

/* The next field of a line that ends at *@line; *@line is moved behind it, NULL after the last. */
static char *take_field(char **line)
{
	return *line ? strsep(line, "\t") : NULL;
}

/* A name is not enough: after a rename another port may have it. */
static bool same_place(const struct nic *a, const struct nic *b)
{
	return strcmp(a->pci, b->pci) == 0 && a->rdma_port == b->rdma_port;
}

static struct state *find_exactly(const struct states *states, enum target_kind kind,
				  const struct nic *nic, const char *name)
{
	for (size_t i = 0; i < states->n; i++) {
		struct state *state = &states->list[i];

		if (state->target.kind == kind && strcmp(state->target.name, name) == 0 &&
		    same_place(&state->target.nic, nic))
			return state;
	}
	return NULL;
}

/* Digits and nothing else. */
static int parse_count(const char *text, uint64_t *ret)
{
	char *end;

	if (*text < '0' || *text > '9')
		return -EBADMSG;
	errno = 0;
	*ret = strtoull(text, &end, 10);
	return errno || *end ? -EBADMSG : 0;
}

static int parse_entry(char *line, struct states *undo)
{
	const char *kind = take_field(&line), *name = take_field(&line), *pci = take_field(&line);
	const char *port = take_field(&line), *knob_name = take_field(&line);
	enum target_kind target = TARGET_PORT;
	uint64_t rdma_port;
	struct nic nic = {};
	struct state *state;
	enum knob knob;

	if (!line || !knob_name)
		return -EBADMSG;
	while (target < TARGET_KIND_MAX && strcmp(target_kind_name(target), kind) != 0)
		target++;
	knob = knob_find(knob_name);
	if (target == TARGET_KIND_MAX || knob == KNOB_MAX || !*name ||
	    strlen(name) >= NAME_MAX_BYTES || strlen(pci) >= NAME_MAX_BYTES ||
	    parse_count(port, &rdma_port) < 0 || rdma_port > UINT_MAX)
		return -EBADMSG;
	(void)snprintf(nic.pci, sizeof(nic.pci), "%s", pci);
	nic.rdma_port = (unsigned int)rdma_port;
	state = find_exactly(undo, target, &nic, name);
	if (!state)
		state = states_add(undo, target, &nic, name);
	if (!state)
		return -ENOMEM;
	return value_parse(&knob_table[knob], line, &state->value[knob]) < 0 ? -EBADMSG : 0;
}

static int parse_previous(struct store *store, const char *count, const char *rest,
			  size_t rest_size)
{
	uint64_t size = 0;
	int r;

	if (strcmp(count, "none") == 0)
		return rest_size ? -EBADMSG : 0;
	r = parse_count(count, &size);
	if (r < 0 || size != rest_size)
		return -EBADMSG;
	store->previous = strndup(rest, size);
	if (!store->previous)
		return -ENOMEM;
	store->previous_size = size;
	return 0;
}

/* What stands behind @word at the beginning of @line, NULL if it begins with something else. */
static const char *after(const char *line, const char *word)
{
	size_t size = strlen(word);

	return strncmp(line, word, size) == 0 ? line + size : NULL;
}

static int parse_phase(const char *name, enum store_phase *ret)
{
	for (size_t i = 0; i < ARRAY_SIZE(phase_names); i++) {
		if (strcmp(name, phase_names[i]) != 0)
			continue;
		*ret = (enum store_phase)i;
		return 0;
	}
	return -EBADMSG;
}

static int parse_confirm(const char *text, struct store_confirm *ret)
{
	char trailing;

	if (sscanf(text, "%" SCNd64 " %" SCNd64 "%c", &ret->until_s, &ret->span_s, &trailing) != 2)
		return -EBADMSG;
	return ret->until_s > 0 && ret->span_s > 0 ? 0 : -EBADMSG;
}

static int parse_line(struct store *store, char *line)
{
	const char *value;

	value = after(line, "generation ");
	if (value)
		return parse_count(value, &store->generation);
	value = after(line, "before ");
	if (value)
		return parse_count(value, &store->before);
	value = after(line, "phase ");
	if (value)
		return parse_phase(value, &store->phase);
	value = after(line, "confirm ");
	if (value)
		return parse_confirm(value, &store->confirm);
	return parse_entry(line, &store->undo);
}

static int parse_undo(struct store *store, char *text, size_t size)
{
	char *end = text + size, *next;
	const char *value;
	int r;

	if (size < strlen(magic) || memcmp(text, magic, strlen(magic)) != 0)
		return -EBADMSG;
	for (char *line = text + strlen(magic); line < end; line = next) {
		next = memchr(line, '\n', (size_t)(end - line));
		if (!next)
			return -EBADMSG;
		*next++ = '\0';
		value = after(line, "previous ");
		if (value)
			return parse_previous(store, value, next, (size_t)(end - next));
		r = parse_line(store, line);
		if (r < 0)
			return r;
	}
	return -EBADMSG;
}

static int load_undo(struct store *store, const char *name)
{
	_cleanup_free_ char *text = NULL;
	size_t size;
	int r;

	r = store_file_read(store->dir, name, UNDO_SIZE_MAX, &text, &size);
	return r < 0 ? r : parse_undo(store, text, size);
}

/* Nothing is recorded; the generation stays. */
static void forget(struct store *store)
{
	states_done(&store->undo);
	free(TAKE_PTR(store->previous));
	store->previous_size = 0;
	store->before = 0;
	store->phase = STORE_IDLE;
}

static void kept_name(uint64_t generation, char name[32])
{
	(void)snprintf(name, 32, "%s.%" PRIu64, undo_name, generation);
}

static void put_entries(FILE *out, const struct state *state)
{
	char text[VALUE_TEXT_MAX];

	for (enum knob knob = 0; knob < KNOB_MAX; knob++) {
		if (state->value[knob].status != VALUE_KNOWN)
			continue;
		value_format(&knob_table[knob], &state->value[knob], text, sizeof(text));
		(void)fprintf(out, "%s\t%s\t%s\t%u\t%s\t%s\n", target_kind_name(state->target.kind),
			      state->target.name, state->target.nic.pci,
			      state->target.nic.rdma_port, knob_table[knob].name, text);
	}
}

static int save_undo(struct store *store)
{
	_cleanup_free_ char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return -ENOMEM;
	(void)fprintf(out, "%sgeneration %" PRIu64 "\nbefore %" PRIu64 "\nphase %s\n", magic,
		      store->generation, store->before, phase_names[store->phase]);
	if (store->confirm.until_s)
		(void)fprintf(out, "confirm %" PRId64 " %" PRId64 "\n", store->confirm.until_s,
			      store->confirm.span_s);
	for (size_t i = 0; i < store->undo.n; i++)
		put_entries(out, &store->undo.list[i]);
	if (store->previous) {
		(void)fprintf(out, "previous %zu\n", store->previous_size);
		(void)fwrite(store->previous, 1, store->previous_size, out);
	} else {
		(void)fputs("previous none\n", out);
	}
	if (fclose(out) != 0)
		return -ENOMEM;
	return store_file_replace(store->dir, undo_name, text, size);
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

bool store_interrupted(const struct store *store)
{
	return store->phase != STORE_IDLE;
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
	struct states undo = {};

	if (!store->undo.n && !store->before && !in_force(store))
		return -ENOENT;
	for (size_t i = 0; i < store->undo.n; i++) {
		const struct state *state = &store->undo.list[i];
		struct state *copy =
			states_add(&undo, state->target.kind, NULL, state->target.name);

		if (!copy) {
			states_done(&undo);
			return -ENOMEM;
		}
		*copy = *state;
	}
	*ret = undo;
	return 0;
}

/* ---- what it is told ---- */

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

	found = find_exactly(undo, target->kind, &target->nic, target->name);
	for (size_t i = 0; !found && *target->nic.pci && i < undo->n; i++) {
		struct state *state = &undo->list[i];

		if (state->target.kind == target->kind &&
		    same_place(&state->target.nic, &target->nic) &&
		    !find_exactly(have, target->kind, &target->nic, state->target.name))
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

int store_begin(struct store *store, const struct plan *plan, enum store_phase phase)
{
	int r;

	if (!plan->n_steps)
		return 0;
	r = record_plan(store, plan);
	if (r == 0 && phase == STORE_IDLE && store->phase == STORE_IDLE)
		return 0;
	if (phase != STORE_IDLE)
		store->phase = phase;
	return r < 0 ? r : save_undo(store);
}

/* The record in force stands aside as undo.N; a very old one goes. */
static int keep_record(struct store *store)
{
	char name[32];

	if (!store->generation)
		return 0;
	kept_name(store->generation, name);
	(void)unlinkat(store->dir, name, 0);
	if (linkat(store->dir, undo_name, store->dir, name, 0) < 0)
		return -errno;
	store->before = store->generation;
	if (store->generation > GENERATIONS_KEPT) {
		kept_name(store->generation - GENERATIONS_KEPT, name);
		(void)unlinkat(store->dir, name, 0);
	}
	return 0;
}

/* The file could not be put in force: the generation before is again what it was. */
static int give_back(struct store *store, int error)
{
	char name[32];

	kept_name(store->before, name);
	if (store->before)
		(void)renameat(store->dir, name, store->dir, undo_name);
	else
		(void)unlinkat(store->dir, undo_name, 0);
	return error;
}

int store_accept(struct store *store, const char *text, size_t size, const struct plan *plan)
{
	_cleanup_free_ char *old = NULL;
	size_t old_size = 0;
	int r;

	r = store_accepted(store, &old, &old_size);
	if (r < 0 && r != -ENOENT)
		return r;
	if (r == 0 && old_size == size && memcmp(old, text, size) == 0)
		return store_begin(store, plan, STORE_APPLYING);
	forget(store);
	r = keep_record(store);
	if (r < 0)
		return r;
	store->previous = TAKE_PTR(old);
	store->previous_size = old_size;
	store->generation++;
	store->phase = plan->n_steps ? STORE_APPLYING : STORE_IDLE;
	r = record_plan(store, plan);
	if (r < 0)
		return r;
	r = save_undo(store);
	if (r < 0)
		return r;
	r = store_file_replace(store->dir, accepted_name, text, size);
	return r < 0 ? give_back(store, r) : 0;
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
	if (store->phase != STORE_APPLYING)
		return 0;
	store->phase = STORE_IDLE;
	return save_undo(store);
}

int store_give_up(struct store *store)
{
	if (store->phase == STORE_IDLE)
		return 0;
	store->phase = STORE_IDLE;
	return save_undo(store);
}

int store_confirm(struct store *store)
{
	store->confirm = (struct store_confirm){};
	return save_undo(store);
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
	uint64_t generation = store->generation + 1, before = store->before;
	char name[32];
	int r;

	r = accept_previous(store);
	if (r < 0)
		return r;
	forget(store);
	kept_name(before, name);
	if (before) {
		r = load_undo(store, name);
		if (r < 0 && r != -ENOENT)
			forget(store);
	}
	store->generation = generation;
	store->phase = STORE_IDLE;
	store->confirm = (struct store_confirm){};
	r = save_undo(store);
	if (r == 0 && before)
		(void)unlinkat(store->dir, name, 0);
	return r;
}
