/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the workers have in common: options, the socket they are given, who may speak there. */
#pragma once

#include <stdbool.h>
#include <sys/types.h>

enum { LISTEN_UIDS_MAX = 3 };

struct listen_options {
	const char *socket;	/* NULL: not given */
	int fd;			/* -1: not given */
	int idle_seconds;	/* -1: not given */
};

/* Who may speak. */
struct listen_users {
	uid_t uid[LISTEN_UIDS_MAX];
	unsigned int n;
};

/* A word on stderr, and the exit status of who could not go on, or was called wrongly. */
int listen_fail(const char *program, const char *what, int r);
int listen_wrong_usage(const char *program, const char *what);

/*
 * @usage and @version are shown on request. Returns 0; 1 when all is said, with the exit status in
 * @ret_status.
 */
int listen_parse(int argc, char **argv, const char *program, const char *usage, const char *version,
		 struct listen_options *ret, int *ret_status);

/*
 * The socket of --socket, --fd or systemd, for SOCK_SEQPACKET; @ret_connected: it is a connection,
 * not a listener. Returns 0; -ENOENT if nobody gave us anything; another negative errno.
 */
int listen_open(const struct listen_options *options, int *ret_fd, bool *ret_connected);

/* Root, losslessd, and whoever started us by hand. */
void listen_allow(struct listen_users *users, bool by_hand);

/* Says so if not. */
bool listen_may_speak(const struct listen_users *users, const char *program, int fd);
