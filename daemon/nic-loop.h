/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The worker's connections: who may speak, one request after the other, nobody waited for. */
#pragma once

#include "daemon/listen.h"
#include "lib/os/os.h"

enum { LOOP_PEERS_MAX = 8 };

struct loop {
	struct os *os;
	int listener;			/* -1: none */
	struct listen_users users;	/* who may speak */
	int idle_ms;			/* end after so long without a request; -1: never */
	int peers[LOOP_PEERS_MAX];	/* connections, in no order */
	unsigned int n_peers;
};

/* Take over @fd, a connection. Closes it, and says so, if the other end may not speak. */
void loop_add(struct loop *loop, int fd);

/*
 * Serve until nobody can speak any more, or nothing was asked for too long. What was asked before
 * that is answered. Returns 0 or a negative errno.
 */
int loop_run(struct loop *loop);
