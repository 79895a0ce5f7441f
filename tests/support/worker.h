/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* One of the programs that wait at a socket of their own, as a test starts and ends it. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

extern const char *worker_program; /* its path */

struct worker {
	pid_t pid;
	int words; /* its stderr */
	char folder[32];
	char path[64];
};

/* @fd is number 3 in the worker, -1: none; @activated: as systemd hands it over. */
struct worker worker_start(int fd, bool activated, const char *const arguments[]);

/* Listening at a socket of its own; returns the first connection. */
int worker_listen(struct worker *ret);

/* A connection to @path, or a negative errno. */
int worker_connect(const char *path);

/* Its exit status, or minus the signal; what it said last is in @ret. */
int worker_end(struct worker *worker, char *ret, size_t size);

/* The line of /proc/PID/status with this key */
void worker_status(pid_t pid, const char *key, char *ret, size_t size);
