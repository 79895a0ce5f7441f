/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A stream to a switch: over TCP, or through a command. Every wait ends when the job is to end. */
#pragma once

#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct patience {
	int64_t until_ms;			/* of dial_now_ms() */
	const volatile sig_atomic_t *cancelled;	/* NULL: nobody can */
};

/* CLOCK_MONOTONIC: a job does not outlive a suspend for long. */
int64_t dial_now_ms(void);

/* Until one of poll(2)'s @events. Returns 0; -ETIMEDOUT; -ECANCELED; another negative errno. */
int dial_poll(int fd, short events, const struct patience *patience);

/*
 * Connect to one of the addresses of @host, which may be an address itself. Returns a descriptor
 * that does not block; -ECONNREFUSED; -ETIMEDOUT; -ECANCELED; -ENOENT if there is no such name; the
 * last one's errno.
 */
int dial_tcp(const char *host, unsigned int port, const struct patience *patience);

/*
 * The stream is what @command reads and writes, which a shell runs (ssh_config(5), ProxyCommand):
 * %h is @host, %p @port, %r @user, %% a percent sign. Host and user have to be words that mean
 * nothing to a shell. Returns a descriptor that does not block, and the process in @ret_pid, which
 * dial_command_end() ends; -EINVAL if something else follows a percent sign; -errno.
 */
int dial_command(const char *command, const char *host, unsigned int port, const char *user,
		 pid_t *ret_pid);
void dial_command_end(pid_t pid);
