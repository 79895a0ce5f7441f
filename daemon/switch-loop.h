/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The connections and jobs of losslessd-switch: who may speak, one request of each connection a
 * round, a child for each; nobody is waited for, neither who asks nor a child.
 */
#pragma once

#include "daemon/listen.h"
#include "daemon/switch-job.h"

enum {
	SWITCH_PEERS_MAX = 8,
	SWITCH_JOBS_MAX = 64,
};

struct switch_peer {
	bool used;
	int fd;
	bool ended;		/* it asks for nothing more: stays until its jobs are over */
	unsigned int n_jobs;
};

struct switch_loop {
	int listener;		/* -1: none */
	struct listen_users users;
	int idle_ms;		/* end after so long without a request or a job; -1: never */
	const switch_run *runs;	/* SWITCH_VERB_MAX */
	struct switch_peer peers[SWITCH_PEERS_MAX];
	struct switch_job jobs[SWITCH_JOBS_MAX];
};

/* Take over @fd, a connection. Closes it, and says so, if the other end may not speak. */
void switch_loop_add(struct switch_loop *loop, int fd);

/*
 * Serve until nobody can speak any more, or nothing was asked for too long. What was asked before
 * that is answered. Returns 0 or a negative errno.
 */
int switch_loop_run(struct switch_loop *loop);
