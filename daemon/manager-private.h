/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The manager from inside: for the files daemon/manager*.c only. */
#pragma once

#include "daemon/guard.h"
#include "daemon/manager.h"
#include "lib/node/switches.h"
#include "lib/nic/remote.h"

enum {
	JOBS_MAX = 64,
	JOBS_OWN = 8,	/* places besides for what losslessd asks of itself */
};

/* What stands about a knob in the last plan, so that a change is told once. */
struct mark {
	enum target_kind kind;
	char name[NAME_MAX_BYTES];
	enum knob knob;
	enum verdict verdict;
	int64_t since_s;	/* CLOCK_REALTIME */
	bool seen;		/* in the plan that is being told */
};

/* Why a pass is made: what it may do in the background, and what the history says. */
enum cause {
	CAUSE_BOOT,		/* the first pass after boot: links may drop */
	CAUSE_START,
	CAUSE_DRIFT,
	CAUSE_DEVICE,
	CAUSE_CRASH,		/* to finish what was under way */
	CAUSE_APPLY,
	CAUSE_ROLLBACK,
	CAUSE_RETURN,		/* nobody confirmed */
	CAUSE_LOOK,		/* nothing is written */
	CAUSE_MAX,
};

struct manager_provider {
	struct provider provider;	/* first: what the pass is given */
	struct provider_ops ops;	/* as the NIC's, but waiting runs the loop */
	struct manager *manager;
};

/* What is known of the work on one switch. */
struct manager_switch {
	unsigned int repairs;	/* since it was last found in sync by itself */
	int64_t asked_ms;
	bool pushes;		/* its job is a repair */
	bool was_open;
};

struct manager_switches {
	struct switch_states states;	/* of the spec in force */
	struct switch_states told;
	struct manager_switch *one;	/* of each */
	struct switch_run run;
	sd_event_source *io;
	sd_event_source *audit;
	int64_t interval_ms;		/* of .audit, without jitter */
	char hash[65];			/* of the file that they are of */
	bool busy;			/* an apply waits for them itself */
};

struct manager {
	struct manager_places places;
	char node[256];
	sd_event *event;
	sd_event_source *confirm_timer;
	int64_t confirm_us;	/* when it is too late for a confirm; 0: it is not known */
	sd_event_source *audit_timer;
	sd_event_source *retry_timer;

	struct os *os;
	struct nic_remote remote;
	struct manager_provider provider;

	struct store *store;
	char *text;			/* the spec in force; NULL: none */
	size_t size;
	char hash[65];
	char file_hash[65];		/* of the file in /etc, "" if it cannot be read */
	char fabric[64];		/* the name that the spec in force gives it */
	char last_error[512];
	char blocked[512];		/* why nothing can be written here; "" if it can */
	char file_words[512];		/* a warning that a status shows */

	struct pass now;		/* what was read last, against the spec in force */
	bool has_now;
	int64_t read_ms;		/* when */
	int64_t read_s;			/* CLOCK_REALTIME of that, kept when .now is given up */
	int64_t event_us;		/* when the first unanswered event came; 0: none */

	uint32_t *dirty;		/* objects, for each target of .now */
	bool dirty_any;
	bool missed;			/* an event came while everything was read */
	bool dirty_devices;
	bool audit_due;
	bool only_read;			/* what was done last is an audit */
	bool released;			/* policy confirm: yes, for the next repairs */
	bool stopped;			/* an apply was stopped: nothing goes on by itself */
	bool status_last;		/* a status was served: others are next */

	struct job *jobs[JOBS_MAX + JOBS_OWN];	/* in the order in which they came */
	size_t n_jobs;
	struct job *running;
	uint64_t last_job;
	enum cause cause;		/* of the pass that is being made */
	const char *state;
	bool started;			/* what is to be done first is known */
	uint64_t first_job;		/* the first pass is this job of our own; 0: it is over */
	bool stopping;

	struct guard guard;
	struct mark *marks;
	size_t n_marks;
	size_t marks_room;

	struct manager_port *ports;
	size_t n_ports;
	size_t ports_room;
	char storm_words[REPORT_WARNINGS_MAX][256];	/* of the last status */

	struct manager_switches switches;

	uint64_t looks, resyncs, repairs, drifts;
	void (*hook)(const struct manager_happening *happening, void *data);
	void *hook_data;
};

/*
 * manager-switch.c: the switches of the spec in force. Adopt: after a look, in which they may be
 * others. Push and return are part of an apply and of a rollback, and wait for a limited time.
 */
void manager_switches_adopt(struct manager *manager, const struct spec *spec);
void manager_switches_forget(struct manager *manager);
void manager_switches_look(struct manager *manager);
void manager_switches_arm(struct manager *manager);
void manager_switches_push(struct pass *pass, void *data);
void manager_switches_confirm(struct manager *manager);
void manager_switches_return(struct pass *pass, void *data);
void manager_switches_report(struct manager *manager, struct report *report);
/* How many are not in order. */
size_t manager_switches_drifted(const struct manager *manager);

/* manager-adjust.c: what of a plan may be done now, by the policy of its own file. */
void manager_adjust(struct plan *plan, const struct policy *policy, void *data);
/* Times of CLOCK_BOOTTIME. */
int64_t manager_now_ms(const struct manager *manager);
int64_t manager_now_us(void);
/* What came of the steps that were done in the background. */
void manager_remember(struct manager *manager, const struct plan *plan, const char *cause);

/* manager-tell.c: compare what is so with what was told, tell what changed. */
void manager_tell(struct manager *manager);
void manager_tell_event(struct manager *manager, enum manager_event event, const char *format, ...)
	_printf_(3, 4);
/* What it is called when a finding becomes this; EVENT_MAX: nothing is said. */
enum manager_event manager_event_of(enum verdict verdict);
void manager_tell_knob(struct manager *manager, enum manager_event event, const char *target,
		       const char *knob, const char *want, const char *have, const char *words);
void manager_tell_changed(struct manager *manager);
void manager_tell_port(struct manager *manager, enum manager_event event, const char *port,
		       const char *format, ...) _printf_(4, 5);
/* A step was done: one entry for each knob. */
void manager_tell_step(struct manager *manager, const struct plan *plan, const struct step *step,
		       const char *cause, int64_t took_us);
/* Since when it is as it is; 0 if that is not known. */
int64_t manager_since_s(const struct manager *manager, const struct target *target,
			enum knob knob);

/* manager-pass.c: look and repair. */
void manager_unblock(struct manager *manager);
int manager_full(struct manager *manager, enum cause cause);
int manager_part(struct manager *manager);
int manager_audit(struct manager *manager);
/* Take over what @pass found as what is so now; @pass is empty afterwards. */
void manager_adopt(struct manager *manager, struct pass *pass);
void manager_pass_init(struct manager *manager, struct pass *pass, enum cause cause);
/* Read the spec in force from the store. Returns 0, also if there is none. */
int manager_take_force(struct manager *manager);
/* The file in /etc as it is now; the caller frees. */
int manager_read_fabric(const struct manager *manager, char **ret_text, size_t *ret_size);
void manager_hash_file(struct manager *manager);
/* Nothing is managed any more. */
void manager_forget(struct manager *manager);
struct execute_hooks manager_hooks(struct manager *manager);
void manager_arm_audit(struct manager *manager);
void manager_arm_retry(struct manager *manager);

/* manager-count.c: read the counters of all ports that something is wanted of. */
void manager_count(struct manager *manager);
/* A warning for each storm, as far as there is room. */
void manager_storms(struct manager *manager, struct report *report);

/* manager-job.c */
int manager_do_job(struct manager *manager, struct job *job);
void manager_arm_confirm(struct manager *manager, int64_t least_s);
/* Nobody confirmed in time, whatever became of the clock of the wall. */
bool manager_confirm_over(const struct manager *manager);
/* A job of losslessd itself: nobody waits for it. */
int manager_ask_own(struct manager *manager, enum job_kind kind, enum cause cause);

/* manager-wait.c: the loop runs while a pass waits. */
int manager_wait_fd(int fd, unsigned int timeout_ms, void *data);
int manager_provider_init(struct manager *manager);
void manager_provider_done(struct manager *manager);
