/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the workers have in common: options, the socket they are given, who may speak there. */
#pragma once

#include <stdbool.h>
#include <sys/types.h>

enum { LISTEN_UIDS_MAX = 3 };

/* Who may speak. */
struct listen_users {
	uid_t uid[LISTEN_UIDS_MAX];
	unsigned int n;
};

/* What a worker is given when it begins. */
struct listen_given {
	int listener;			/* -1: none */
	int connection;			/* -1: none */
	int idle_ms;			/* end after so long without a request; -1: never */
	struct listen_users users;	/* who may speak */
};

struct listen_program {
	const char *name;
	const char *usage;		/* shown on request, as .version */
	const char *version;
	int (*drop_rights)(void);	/* with the socket in hand, before anybody is heard */
	int (*run)(const struct listen_given *given);
};

/* The life of a worker, from its command line to its exit status. */
int listen_main(int argc, char **argv, const struct listen_program *program);

/* Root, losslessd, and whoever started us by hand. */
void listen_allow(struct listen_users *users, bool by_hand);

/* Says so if not. */
bool listen_may_speak(const struct listen_users *users, const char *program, int fd);
