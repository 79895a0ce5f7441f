/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The switches of the file as a node sees them, and the client of losslessd-switch: jobs are asked
 * for, and what comes back is kept in struct switch_states. Never waits but where it says so.
 */
#pragma once

#include "lib/spec/switch.h"
#include "lib/switch/wire.h"

struct store;

enum {
	SWITCH_READ_MS = 60 * 1000,	/* deadlines of jobs */
	SWITCH_PUSH_MS = 5 * 60 * 1000,
	SWITCH_WAIT_MS = 30 * 1000,	/* an apply of losslessd waits so long for its switches */
	SWITCH_OVER_MS = SWITCH_PUSH_MS + 10 * 1000, /* by then any job is over */
	SWITCH_AT_ONCE = 64,		/* jobs that losslessd-switch does at a time */
};

/* All switches of @spec as the node @node sees them; nothing is asked. Returns 0 or -ENOMEM. */
int switches_list(const struct spec *spec, const char *node, struct switch_states *ret);

/* Forget what is known, or say of all that should be asked why they are not. */
void switches_say(struct switch_states *states, enum switch_calm calm, const char *words);

/* The worst of all. */
enum exit_status switches_exit(const struct switch_states *states);

/* Does any of this node's differ, and would be written? */
bool switches_drift(const struct switch_states *states);

/* What a push that follows @before has to be able to return to, a line PORT KNOB VALUE each. */
int switch_record_format(const struct switch_state *before, char **ret);

/* Jobs that were asked for with one connection. Zero it, but for what is above the line. */
struct switch_run {
	int fd;				/* connected to losslessd-switch; the caller's */
	struct switch_states *states;
	void (*progress)(const struct switch_state *state, const char *words, void *data);
	/* SWITCH_LINE and SWITCH_UNDO; NULL: not wanted */
	void (*line)(const struct switch_state *state, bool undo, const char *words, void *data);
	void *data;
	/* Until @fd can be read, at most @timeout_ms: switch_run_poll(), or an event loop's. */
	int (*wait)(int fd, unsigned int timeout_ms, void *data);
	void *wait_data;
	unsigned int patience_ms;	/* 0: SWITCH_WAIT_MS */
	/* ---- */
	uint32_t *job;			/* of each state; 0: none is open */
	uint32_t last_job;
	size_t n_open;
};

void switch_run_done(struct switch_run *run);

/*
 * Ask for @verb of the state @index: @text is the fabric file, @record (NULL) what SWITCH_RETURN
 * returns to. What was known of it is forgotten when the first finding comes.
 * Returns 0; a negative errno with nothing asked.
 */
int switch_run_ask(struct switch_run *run, size_t index, enum switch_verb verb, const char *text,
		   size_t size, const char *record, uint32_t trial_s);

/*
 * Take what has come. Returns the number of jobs that are still open; -ECONNRESET if
 * losslessd-switch is gone: its jobs are then unknown.
 */
int switch_run_hear(struct switch_run *run);

/*
 * Wait until no more than @most jobs are open, at most so long. Returns how many are, or a negative
 * errno.
 */
int switch_run_wait(struct switch_run *run, size_t most, unsigned int timeout_ms);
int switch_run_poll(int fd, unsigned int timeout_ms, void *data);

/* ---- switches-push.c: what is done with all switches of this node ---- */

/* Ask what is so of each; wait. What does not answer in time is pending. */
void switches_read(struct switch_run *run, const char *text, size_t size);

/*
 * Bring those that differ to what the file says: what they are goes to @store (or NULL) before
 * the first line, and to @ret_before. To be called after switches_read().
 */
void switches_push(struct switch_run *run, struct store *store, const char *text, size_t size,
		   uint32_t trial_s, struct switch_states *ret_before);

/*
 * What this node changed is its own to return, whoever owns it by now: to be called before
 * switches_return(), with its @records.
 */
void switches_claim(struct switch_states *states, const char *records);

/*
 * Return to @records (store_switch_records()); @ret_before gets what that changes. @on_trial:
 * nobody has confirmed it, so that a switch may be told to take it back by itself. Returns true if
 * all of them did.
 */
bool switches_return(struct switch_run *run, const char *records, const char *text, size_t size,
		     bool on_trial, struct switch_states *ret_before);

/* Keep what is on trial, and save: those that are in @records. */
void switches_confirm(struct switch_run *run, const char *records, const char *text, size_t size);
