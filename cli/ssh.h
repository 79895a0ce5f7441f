/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* losslessctl of another host, by the user's own ssh. No shell on this side. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum {
	SSH_WORDS_MAX = 8,
	SSH_FAILED = 255, /* what ssh exits with if it is its own failure */
};

struct ssh_call {
	const char *host;
	/* Behind "losslessctl"; a shell reads them there: only letters, digits and "-_./" */
	const char *word[SSH_WORDS_MAX];
	size_t n_words;
	/* What the other end reads and writes; -1: as this process; stdin is empty then */
	int in, out, err;
	bool batch; /* ask nobody for anything, give up on a host that does not answer */
	bool apart; /* Ctrl-C in this terminal does not reach it */
};

/* Begin it. Returns 0 and the process, or a negative errno. */
int ssh_begin(const struct ssh_call *call, pid_t *ret);

/* Wait for any that was begun. Returns 0, the process and its exit status (-1: killed). */
int ssh_end_any(pid_t *ret, int *ret_status);

/* [USER@]HOST of letters, digits and "._:-" that ssh cannot take for an option. */
bool ssh_host_is_valid(const char *host);
