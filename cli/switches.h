/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Switches without losslessd: losslessd-switch runs for as long as the verb does, with no right of
 * root's, and gets copies of just those credentials that the file names.
 */
#pragma once

#include "cli/session.h"
#include "lib/node/switches.h"

struct switch_worker {
	int fd;			/* -1: not there; what there is to say is said of each switch */
	int pid;
	char folder[64];	/* of credentials, "" if there is none */
};

/*
 * Start it for the switches of @states that are this node's. @secrets: with credentials, which
 * needs root. Never fails: what cannot be asked is said of each switch.
 */
void switch_worker_start(struct switch_worker *worker, const struct session *session,
			 const struct spec *spec, struct switch_states *states, bool secrets);
void switch_worker_stop(struct switch_worker *worker);

/* For jobs over it, with progress on the terminal. */
struct switch_run switch_worker_run(const struct switch_worker *worker,
				    const struct session *session, struct switch_states *states);

/*
 * Begin with the switches of a pass that was planned; @records (NULL): those that it returns to.
 * Returns 0 with a worker, -ENOENT if there is nobody to ask.
 */
int session_switches_begin(struct session *session, struct pass *pass, const char *records,
			   struct switch_worker *worker);
void session_switches_end(const struct session *session, struct switch_worker *worker,
			  struct switch_run *run);
/* What they are counts for pass->exit. */
void session_switches_count(struct pass *pass);

/* Read them all, for plan and status. */
void session_switches_read(struct session *session, struct pass *pass);

/* What an apply has begun on switches and what may still be going on while NICs are written. */
struct switch_push {
	struct session *session;
	struct switch_worker worker;
	struct switch_run run;
	bool begun;
};

/* pass->before of an apply: @data is a struct switch_push. Waits a while, not until all is done. */
void session_switches_push(struct pass *pass, void *data);

/* Hear the rest out, and count it: nobody else would tell how it ended. */
void session_switches_finish(struct pass *pass, struct switch_push *push);

/* pass->returned of a rollback, to what was recorded: @data is the session. */
void session_switches_return(struct pass *pass, void *data);
