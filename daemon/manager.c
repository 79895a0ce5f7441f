// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The manager's life: the store, what is in force at the start, the queue of jobs, and what is done
 * next. See manager.h for the rule that keeps it simple: callbacks mark, manager_work() does.
 */
#include "daemon/manager.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sha256.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "daemon/manager-private.h"
#include "lib/base/cleanup.h"
#include "lib/base/macro.h"
#include "lib/base/read.h"

int64_t manager_now_ms(const struct manager *manager)
{
	return manager->os->ops->now_ms(manager->os);
}

int64_t manager_now_us(void)
{
	struct timespec now = {};

	(void)clock_gettime(CLOCK_BOOTTIME, &now);
	return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

/* ---- jobs ---- */

/* Is there something to look at? */
static bool has_marks(const struct manager *manager)
{
	return manager->text &&
	       (manager->dirty_devices || manager->dirty_any || manager->audit_due);
}

uint64_t manager_ask(struct manager *manager, struct job *job)
{
	if (manager->n_jobs >= JOBS_MAX + (job->own ? JOBS_OWN : 0))
		return 0;
	job->number = ++manager->last_job;
	manager->jobs[manager->n_jobs++] = job;
	return job->number;
}

int manager_stop_job(struct manager *manager, uint64_t number)
{
	if (manager->running && manager->running->number == number) {
		manager->running->stop = true;
		return 0;
	}
	for (size_t i = 0; i < manager->n_jobs; i++) {
		if (manager->jobs[i]->number != number)
			continue;
		manager->jobs[i]->stop = true;
		return 0;
	}
	return -ENOENT;
}

/*
 * A status does not wait for what was asked before it; but who asks for one after the other does
 * not keep the rest waiting, nor repairs.
 */
static struct job *next_job(struct manager *manager)
{
	size_t next = 0;
	struct job *job;

	if (!manager->n_jobs)
		return NULL;
	for (size_t i = manager->n_jobs; i-- > 0;)
		if ((manager->jobs[i]->kind == JOB_STATUS) != manager->status_last)
			next = i;
	job = manager->jobs[next];
	if (manager->status_last && job->kind == JOB_STATUS && has_marks(manager)) {
		manager->status_last = false;
		return NULL;
	}
	manager->status_last = job->kind == JOB_STATUS;
	manager->n_jobs--;
	memmove(&manager->jobs[next], &manager->jobs[next + 1],
		(manager->n_jobs - next) * sizeof(*manager->jobs));
	return job;
}

/* ---- marks ---- */

static void event_came(struct manager *manager)
{
	if (manager->text && !manager->event_us)
		manager->event_us = manager_now_us();
}

static void mark(struct manager *manager, size_t target, uint32_t objects)
{
	uint32_t known = 0;

	/* An object that nothing is wanted of is not looked at */
	for (enum knob knob = 0; knob < KNOB_MAX; knob++)
		if (manager->now.desired.states.list[target].value[knob].status !=
		    VALUE_UNMANAGED)
			known |= UINT32_C(1) << knob_table[knob].object;
	if (!(objects & known))
		return;
	event_came(manager);
	manager->dirty[target] |= objects & known;
	manager->dirty_any = true;
}

/* What an event is about: index 0 and no name stand for all. */
static void mark_where(struct manager *manager, int ifindex, const char *name, const char *rdma,
		       uint32_t objects)
{
	const struct states *want = &manager->now.desired.states;

	manager->missed = true;
	if (!manager->has_now || !manager->dirty)
		return;
	for (size_t i = 0; i < want->n; i++) {
		const struct nic *nic = &want->list[i].target.nic;

		if ((!ifindex || nic->ifindex == ifindex) &&
		    (!name || strcmp(nic->name, name) == 0) &&
		    (!rdma || strcmp(nic->rdma, rdma) == 0))
			mark(manager, i, objects);
	}
}

void manager_dirty_port(struct manager *manager, int ifindex, uint32_t objects)
{
	mark_where(manager, ifindex, NULL, NULL, objects);
}

void manager_dirty_port_name(struct manager *manager, const char *name, uint32_t objects)
{
	mark_where(manager, 0, name, NULL, objects);
}

void manager_dirty_rdma(struct manager *manager, const char *rdma, uint32_t objects)
{
	mark_where(manager, 0, NULL, rdma, objects);
}

void manager_dirty_devices(struct manager *manager)
{
	event_came(manager);
	manager->dirty_devices = true;
}

void manager_dirty_all(struct manager *manager)
{
	manager->resyncs++;
	manager_tell_event(manager, EVENT_RESYNC,
			   "events of the kernel were lost: everything is read again");
	manager_dirty_devices(manager);
}

/* ---- what is done next ---- */

bool manager_has_work(const struct manager *manager)
{
	return !manager->started || manager->n_jobs || has_marks(manager);
}

/* In /run: gone after a boot. */
static bool is_first_after_boot(struct manager *manager)
{
	_cleanup_free_ char *path = NULL;
	_cleanup_close_ int fd = -1;

	if (asprintf(&path, "%s/started", manager->places.run_dir) < 0)
		return false;
	fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
	return fd >= 0;
}

static void tell_unborn(struct manager *manager)
{
	uint64_t generation = store_unborn(manager->store);

	if (generation)
		manager_tell_event(manager, EVENT_FINISHED,
				   "apply of generation %" PRIu64 " was interrupted before it "
				   "changed anything: its file is not in force", generation);
}

/* What the process before left unfinished; the rest follows from the spec in force. */
static int take_up(struct manager *manager)
{
	struct store_confirm confirm = store_get_confirm(manager->store);
	enum store_phase phase = store_phase(manager->store);
	enum cause cause = is_first_after_boot(manager) ? CAUSE_BOOT : CAUSE_START;
	int r;

	manager->stopped = phase == STORE_STOPPED;
	tell_unborn(manager);
	if (phase == STORE_RETURNING)
		return manager_ask_own(manager, JOB_ROLLBACK, CAUSE_CRASH);
	if (confirm.until_s && (phase == STORE_APPLYING || confirm.until_s <= (int64_t)time(NULL)))
		return manager_ask_own(manager, JOB_ROLLBACK, CAUSE_RETURN);
	manager_arm_confirm(manager, 0);
	if (!manager->text) {
		/* After a rollback to nothing, nothing it is: the file is not taken by itself */
		if (store_generation(manager->store) > 0 ||
		    access(manager->places.fabric, F_OK) < 0)
			return 0;
		return manager_ask_own(manager, JOB_RELOAD, cause);
	}
	r = manager_full(manager, phase == STORE_APPLYING ? CAUSE_CRASH : cause);
	if (r == 0 && phase == STORE_APPLYING && store_phase(manager->store) == STORE_IDLE)
		manager_tell_event(manager, EVENT_FINISHED,
				   "apply of generation %" PRIu64 " was interrupted: finished",
				   store_generation(manager->store));
	return r;
}

static int look_again(struct manager *manager)
{
	if (manager->dirty_devices) {
		manager->dirty_devices = false;
		return manager_full(manager, CAUSE_DEVICE);
	}
	if (manager->audit_due) {
		manager->audit_due = false;
		manager->only_read = manager->has_now;
		/* What was not read last time may be there by now */
		return manager->has_now ? manager_audit(manager) :
					  manager_full(manager, CAUSE_DRIFT);
	}
	return manager->dirty_any ? manager_part(manager) : 0;
}

static int do_next(struct manager *manager)
{
	struct job *job;
	int r;

	if (!manager->started) {
		r = take_up(manager);
		manager->started = true;
		manager->state = "idle";
		return r;
	}
	job = next_job(manager);
	if (job)
		return manager_do_job(manager, job);
	manager->status_last = false;
	return manager->text ? look_again(manager) : 0;
}

int manager_work(struct manager *manager)
{
	int r;

	manager->only_read = false;
	r = do_next(manager);
	if (!has_marks(manager))
		manager->event_us = 0;
	return r;
}

bool manager_only_read(const struct manager *manager)
{
	return manager->only_read;
}

void manager_stop(struct manager *manager)
{
	manager->stopping = true;
}

/* ---- what is so ---- */

/* O_NONBLOCK: a FIFO in its place must not stop us. */
int manager_read_fabric(const struct manager *manager, char **ret_text, size_t *ret_size)
{
	_cleanup_close_ int fd = -1;

	fd = open(manager->places.fabric, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	return fd < 0 ? -errno : read_whole(fd, SPEC_SIZE_MAX, ret_text, ret_size);
}

void manager_hash_file(struct manager *manager)
{
	_cleanup_free_ char *text = NULL;
	size_t size;

	*manager->file_hash = '\0';
	if (manager_read_fabric(manager, &text, &size) == 0)
		(void)SHA256Data((const uint8_t *)text, size, manager->file_hash);
}

void manager_facts(const struct manager *manager, struct manager_facts *ret)
{
	struct store_confirm confirm = store_get_confirm(manager->store);
	const struct pass *now = &manager->now;

	*ret = (struct manager_facts){
		.state = manager->text || manager->running ? manager->state : "no spec",
		.node = manager->node,
		.fabric = manager->fabric,
		.generation = store_generation(manager->store),
		.last_error = manager->last_error,
		.confirm_left_ms = -1,
		.read_age_ms = -1,
		.read_s = manager->read_s,
		.resyncs = manager->resyncs,
		.repairs = manager->repairs,
		.drifts = manager->drifts,
	};
	(void)snprintf(ret->hash, sizeof(ret->hash), "%s", manager->hash);
	ret->file_differs = *manager->hash && *manager->file_hash &&
			    strcmp(manager->hash, manager->file_hash) != 0;
	if (confirm.until_s)
		ret->confirm_left_ms = MAX((confirm.until_s - (int64_t)time(NULL)) * 1000,
					   (int64_t)0);
	if (!manager->has_now)
		return;
	ret->read_age_ms = manager_now_ms(manager) - manager->read_ms;
	ret->drifted = manager_switches_drifted(manager);
	ret->in_sync = plan_exit(&now->plan) == STATUS_OK && ret->drifted == 0;
	for (size_t i = 0; i < now->plan.n_findings; i++)
		ret->drifted += now->plan.findings[i].exit != STATUS_OK;
}

struct os *manager_os(const struct manager *manager)
{
	return manager->os;
}

const struct pass *manager_last(const struct manager *manager)
{
	return manager->has_now ? &manager->now : NULL;
}

uint64_t manager_looks(const struct manager *manager)
{
	return manager->looks;
}

bool manager_started(const struct manager *manager)
{
	return manager->started && !manager->first_job;
}

void manager_on_event(struct manager *manager,
		      void (*hook)(const struct manager_happening *happening, void *data),
		      void *data)
{
	manager->hook = hook;
	manager->hook_data = data;
}

/* ---- life ---- */

struct manager *manager_free(struct manager *manager)
{
	if (!manager)
		return NULL;
	(void)sd_event_source_disable_unref(manager->confirm_timer);
	(void)sd_event_source_disable_unref(manager->audit_timer);
	(void)sd_event_source_disable_unref(manager->retry_timer);
	for (size_t i = 0; i < manager->n_jobs; i++)
		(void)job_free(manager->jobs[i]);
	manager_forget(manager);
	manager_switches_forget(manager);
	guard_done(&manager->guard);
	free(manager->marks);
	free(manager->ports);
	manager_provider_done(manager);
	manager->os = os_free(manager->os);
	manager->store = store_close(manager->store);
	(void)sd_event_unref(manager->event);
	free(manager);
	return NULL;
}

static int node_name(struct manager *manager)
{
	if (manager->places.node)
		(void)snprintf(manager->node, sizeof(manager->node), "%s", manager->places.node);
	else if (gethostname(manager->node, sizeof(manager->node) - 1) < 0)
		return -errno;
	for (char *c = manager->node; *c; c++)
		*c = (char)tolower((unsigned char)*c);
	return 0;
}

static int open_store(struct manager *manager, char *trouble, size_t size)
{
	_cleanup_free_ char *lock = NULL;
	char holder[128];
	int r;

	if (asprintf(&lock, "%s/lock", manager->places.run_dir) < 0)
		return -ENOMEM;
	r = store_open(manager->places.state_dir, lock, &manager->store, holder, sizeof(holder));
	if (r == -EAGAIN)
		(void)snprintf(trouble, size, "another writer is at work on this machine: %s",
			       holder);
	else if (r == -EBADMSG)
		(void)snprintf(trouble, size,
			       "%s/undo is damaged, nothing was changed: move it away to go on; "
			       "the way back to earlier states is lost then",
			       manager->places.state_dir);
	else if (r < 0)
		(void)snprintf(trouble, size, "cannot open %s: %s", manager->places.state_dir,
			       strerrordesc_np(-r));
	return r;
}

static int open_parts(struct manager *manager, char *trouble, size_t size)
{
	int r;

	(void)snprintf(trouble, size, "out of memory");
	r = node_name(manager);
	if (r == 0)
		r = open_store(manager, trouble, size);
	if (r == 0)
		r = os_linux_new(&manager->os);
	if (r < 0)
		return r;
	r = manager_provider_init(manager);
	if (r < 0) {
		(void)snprintf(trouble, size, "%s is no path of a socket",
			       manager->places.nic_socket);
		return r;
	}
	r = manager_take_force(manager);
	if (r < 0)
		(void)snprintf(trouble, size, "cannot read %s/accepted.yaml: %s",
			       manager->places.state_dir, strerrordesc_np(-r));
	manager_hash_file(manager);
	return r;
}

int manager_new(const struct manager_places *places, sd_event *event, struct manager **ret,
		char *trouble, size_t trouble_size)
{
	struct manager *manager = calloc(1, sizeof(*manager));
	int r;

	if (!manager)
		return -ENOMEM;
	manager->places = *places;
	manager->event = sd_event_ref(event);
	manager->state = "starting";
	manager->switches.run.fd = -1;
	manager->guard.window_ms =
		places->contest_window_ms < 0 ? GUARD_WINDOW_MS : places->contest_window_ms;
	r = open_parts(manager, trouble, trouble_size);
	if (r < 0) {
		(void)manager_free(manager);
		return r;
	}
	*ret = manager;
	return 0;
}
