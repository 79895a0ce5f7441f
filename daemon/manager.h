/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What losslessd knows and does: the spec in force, the state of this node against it, and the jobs
 * that people ask for. One thread: callbacks of the event loop only say what may have changed or
 * ask for a job; manager_work() does it, outside of any callback, and lets the loop run while it
 * waits. So a question is answered in the middle of an apply too.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <systemd/sd-event.h>

#include "daemon/storm.h"
#include "lib/model/counter.h"
#include "lib/node/node.h"
#include "lib/node/store.h"

struct manager;

/* Where everything is; tests move it. */
struct manager_places {
	const char *state_dir;		/* /var/lib/losslessd */
	const char *run_dir;		/* /run/losslessd: lock, metrics, mark of a first pass */
	const char *fabric;		/* /etc/losslessd/fabric.yaml */
	const char *nic_socket;		/* NULL: write in this process (tests as root) */
	const char *switch_socket;	/* NULL: no switch is asked */
	const char *node;		/* NULL: the host name */
	const char *metrics;		/* NULL: metrics.prom in .run_dir */
	int64_t contest_window_ms;	/* -1: as always; 0: nothing is ever contested (tests) */
};

/* ---- jobs: what people ask for ---- */

enum job_kind { JOB_APPLY, JOB_ROLLBACK, JOB_CONFIRM, JOB_RELOAD, JOB_STATUS, JOB_PLAN };

enum { CONFIRM_MAX_MS = 24 * 60 * 60 * 1000 };

struct job {
	enum job_kind kind;
	uint64_t number;		/* given by manager_ask(), from 1 */
	char *text;			/* JOB_APPLY, JOB_PLAN: the fabric file; owned by the job */
	size_t size;
	char file[256];			/* as people called it, for WHERE and diagnostics */
	uint64_t confirm_ms;		/* JOB_APPLY: return unless confirmed by then; 0: stay */
	bool stop;			/* no further step may begin */
	bool own;			/* losslessd asks it of itself: nobody waits */
	int own_cause;
	enum exit_status exit;
	/*
	 * Called once, when it is done: @report is valid during the call, NULL if there is nothing
	 * but @diags to tell. @diags may be NULL.
	 */
	void (*done)(struct job *job, const struct report *report, const struct diags *diags,
		     void *data);
	/* Before and after each step; may be NULL. */
	void (*progress)(struct job *job, const struct plan *plan, const struct step *step,
			 size_t number, void *data);
	void *data;
};

/* Frees a job that was never handed over. Takes NULL. */
struct job *job_free(struct job *job);

/*
 * Take @job over, from the heap: it is done in its turn, its callback is called, it is freed. A
 * status is served before everything else; while another job is at work, from what was read last.
 * Returns its number; 0 if there are too many already: then the caller keeps it.
 */
uint64_t manager_ask(struct manager *manager, struct job *job);

/* The job of that number is to stop before its next step. Returns -ENOENT if it is over. */
int manager_stop_job(struct manager *manager, uint64_t number);

/* ---- what may have changed ---- */

/* Objects as bits; of the port with that index (0: every port), or the RDMA device of that name. */
void manager_dirty_port(struct manager *manager, int ifindex, uint32_t objects);
void manager_dirty_port_name(struct manager *manager, const char *name, uint32_t objects);
void manager_dirty_rdma(struct manager *manager, const char *rdma, uint32_t objects);
/* Devices came, went, were renamed: resolve anew. */
void manager_dirty_devices(struct manager *manager);
/* Events were lost: nothing that is known counts. */
void manager_dirty_all(struct manager *manager);

/* ---- life ---- */

/*
 * Open the store, decide what is in force, finish or return what was under way. Returns 0; -EAGAIN
 * with the holder of the lock in @trouble; another negative errno, with words.
 */
int manager_new(const struct manager_places *places, sd_event *event, struct manager **ret,
		char *trouble, size_t trouble_size);
struct manager *manager_free(struct manager *manager);

/* Is there something to do at once? */
bool manager_has_work(const struct manager *manager);
/* Do the next thing. Returns 0, or a negative errno that ends losslessd. */
int manager_work(struct manager *manager);
/* Was that an audit of its own accord? It takes the memory of the one before it. */
bool manager_only_read(const struct manager *manager);
/* End at the next safe place. */
void manager_stop(struct manager *manager);

/* ---- what is so: properties and metrics ---- */

struct manager_facts {
	const char *state;		/* "starting", "idle", "applying", "no spec" */
	const char *node;
	const char *fabric;		/* "" without a spec */
	uint64_t generation;
	char hash[65];			/* SHA-256 of the spec in force, "" without one */
	bool file_differs;		/* the file in /etc is not the spec in force */
	bool in_sync;
	size_t drifted;			/* findings that are neither in sync nor a note */
	const char *last_error;		/* why the last reload or apply was refused; "" */
	int64_t confirm_left_ms;	/* -1: nothing waits for a confirm */
	int64_t read_age_ms;		/* since everything was read last; -1: never */
	int64_t read_s;			/* CLOCK_REALTIME of the last such look; 0: none */
	uint64_t resyncs;		/* events were lost so often */
	uint64_t repairs;
	uint64_t drifts;
};
void manager_facts(const struct manager *manager, struct manager_facts *ret);

/* The switches of the spec in force; NULL if it has none. For metrics. */
const struct switch_states *manager_switch_states(const struct manager *manager);

/* The machine that it looks at. */
struct os *manager_os(const struct manager *manager);

/* The inventory and plan of what was read last; NULL before the first pass. For metrics. */
const struct pass *manager_last(const struct manager *manager);
/* A port that something is wanted of, as it was counted when everything was read last. */
struct manager_port {
	struct nic nic;
	struct counters counters;	/* all unknown until they could be read */
	struct storm storm[PRIORITIES];
	bool seen;			/* in the look that is being made */
};
/* All of them; valid until the loop runs again. */
const struct manager_port *manager_ports(const struct manager *manager, size_t *ret_n);
/* Grows whenever the devices were read anew: their inventory may be another one. */
uint64_t manager_looks(const struct manager *manager);
/* True once the first pass is over, whatever came of it. */
bool manager_started(const struct manager *manager);

/* What happened, for the journal and the bus; the manager calls it, main.c sets it. */
enum manager_event {
	EVENT_DRIFT_FOUND,
	EVENT_DRIFT_REPAIRED,	/* a change that was made, for whatever cause */
	EVENT_REPAIR_FAILED,
	EVENT_CONTESTED,
	EVENT_CONTEST_OVER,
	EVENT_SPEC_ACCEPTED,
	EVENT_SPEC_REFUSED,
	EVENT_ROLLED_BACK,
	EVENT_RETURNED,		/* nobody confirmed */
	EVENT_FINISHED,		/* after a crash */
	EVENT_RESYNC,
	EVENT_DEVICE_PENDING,
	EVENT_DEVICE_BACK,
	EVENT_HELD,		/* a step that can drop a link waits */
	EVENT_STORM_BEGIN,	/* the peer stops a priority for much of the time */
	EVENT_STORM_END,
	EVENT_CHANGED,		/* what is so is not what was so before; not for the journal */
	EVENT_MAX,
};

struct manager_happening {
	enum manager_event event;
	uint64_t generation;
	const char *target;	/* NULL where it is about the node */
	const char *knob;
	const char *want;
	const char *have;
	const char *cause;
	const char *words;	/* a sentence for people */
	int64_t took_us;	/* EVENT_DRIFT_REPAIRED: from seen to verified; -1: not known */
};

void manager_on_event(struct manager *manager,
		      void (*hook)(const struct manager_happening *happening, void *data),
		      void *data);
