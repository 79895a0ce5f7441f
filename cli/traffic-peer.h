/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A losslessctl verify --listen that this process started: by ssh on another node, or a child. */
#pragma once

#include <sys/types.h>

#include "cli/traffic.h"

struct traffic_peer {
	pid_t pid; /* 0: none */
	int out; /* what it prints, -1 */
	int hold; /* it listens while this is open, -1 */
};

/* On @host, on @port, by the user's own ssh. Returns 0 or a negative errno. */
int traffic_peer_ssh(struct traffic_peer *peer, const char *host, uint16_t port);

/* In a child of this process, on any port. Returns 0 or a negative errno. */
int traffic_peer_fork(struct traffic_peer *peer, struct traffic_listener *listener);

/*
 * Where it listens, until it says that this was all. What is no such line is ignored: a login may
 * print anything. Returns how many of @ret are filled; -EPIPE if it ended before, -EMSGSIZE if it
 * prints without an end.
 */
ssize_t traffic_peer_places(struct traffic_peer *peer, struct traffic_place *ret, size_t room);

/* Let it end, and wait for that; one that does not in a few seconds is ended. */
void traffic_peer_done(struct traffic_peer *peer);
