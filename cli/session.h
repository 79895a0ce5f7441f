/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What the verbs share: the machine, the fabric file, the node's name, the store, and where results
 * and troubles go. The demo makes one by hand, with a simulated machine; all others come from the
 * command line.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "cli/options.h"
#include "lib/base/cleanup.h"
#include "lib/node/node.h"
#include "lib/node/store.h"

#define FABRIC_PATH "/etc/losslessd/fabric.yaml"
#define STATE_DIR   "/var/lib/losslessd"
#define RUN_DIR	    "/run/losslessd"

struct session {
	enum report_kind kind;
	const char *verb;
	struct os *os;
	struct store *store; /* NULL: nothing outlives this process */
	char *path; /* the fabric file as messages name it */
	char *text;
	size_t size;
	char node[256];
	bool json;
	bool progress; /* a line for each step on stderr */
	bool redraw; /* clear the terminal before a result */
	struct report_style style;
	FILE *out; /* results; troubles go to stderr */
	size_t steps; /* of the last pass */
	size_t undone; /* those of them that were begun and did not end well */
	bool simulated; /* a bundle or the demo: nobody else is asked */
	bool nobody_asks_for_the_daemon; /* status does not say that losslessd is not running */
};

void session_done(struct session *session);

/* Everything but file and store. Returns 0 or an exit status. */
int session_open(struct session *session, const struct options *options, enum report_kind kind);

/* Read the fabric file: what -f names, else @otherwise. Returns 0 or an exit status. */
int session_read_file(struct session *session, const struct options *options,
		      const char *otherwise);

/*
 * Read what -f names, else the spec in force, else the file in /etc. The store is opened for
 * reading.
 */
int session_read_in_force(struct session *session, const struct options *options);

/* The ports of this node. Returns 0 or an exit status. */
int session_inventory(const struct session *session, struct inventory *ret);

/* False where session_read_in_force() would say that there is no file at all. */
bool session_has_file(const struct options *options);

struct client;

/* Connect to losslessd. Returns 0, or an exit status after one line (STATUS_NO_DAEMON). */
int session_connect(const struct session *session, const struct options *options,
		    struct client **ret);

/*
 * As root, with the one lock of this machine, before anything else is read. Returns 0 or an exit
 * status.
 */
int session_lock(struct session *session, const struct options *options);

/* One line on stderr, and with --json a document that says the same. Returns @status. */
int session_trouble(const struct session *session, enum exit_status status, const char *format, ...)
	_printf_(3, 4);

/* Print what came of @pass. Returns its exit status. */
int session_report(struct session *session, const struct pass *pass);

/* Print the diagnostics of a refused file. Returns STATUS_SPEC. */
int session_refused(const struct session *session, const struct diags *diags);

/* The verbs on a session that is ready. Each returns an exit status. */
int session_plan(struct session *session);
int session_apply(struct session *session);
int session_rollback(struct session *session);
int session_status(struct session *session);
