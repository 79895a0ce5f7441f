/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Asking losslessd: jobs by its socket, their progress and result. What is printed comes from
 * losslessd, so that it reads the same wherever it was asked.
 */
#pragma once

#include <stdint.h>

#include "cli/session.h"

struct client;

/*
 * Connect to losslessd. Returns 0; -ENOENT or -ECONNREFUSED if there is none; another negative
 * errno.
 */
int client_open(const struct options *options, struct client **ret);
struct client *client_close(struct client *client);

static inline void client_closep(struct client **client)
{
	*client = client_close(*client);
}

/*
 * Have @method done ("Apply" with the session's file; "Confirm", "Rollback", "Reload"
 * without), follow it, print what came of it. @confirm_ms 0: for good. Returns the exit status.
 */
int client_job(struct client *client, struct session *session, const char *method,
	       uint64_t confirm_ms);

/* A verb that needs nothing else: from the command line to the exit status. */
int client_verb(const struct options *options, enum report_kind kind, const char *method);

/* Print the status as losslessd reads it now. Returns the exit status. */
int client_status(struct client *client, struct session *session);

/*
 * The same again whenever it reads otherwise, until Ctrl-C: over the one before on a terminal.
 * Returns the exit status of the last.
 */
int client_watch(struct client *client, struct session *session);
