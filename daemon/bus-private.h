/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The bus from inside: for the files daemon/bus*.c only. */
#pragma once

#include <sys/types.h>
#include <systemd/sd-bus.h>

#include "daemon/bus.h"
#include "lib/report/report.h"

#define BUS_NAME      "org.lossless.Node1"
#define BUS_PATH      "/org/lossless/Node1"
#define BUS_INTERFACE "org.lossless.Node1"
#define BUS_JOB	      "org.lossless.Job1"
#define BUS_ACTION    "org.lossless.apply"

enum {
	CLIENTS_MAX = 32,
	CLIENTS_OF_ONE_USER = 16,
	RESULTS_KEPT = 16,
};

/* What came of a job, until 16 others have come after it. */
struct result {
	uint64_t number;	/* 0: no result */
	bool done;
	enum exit_status exit;
	struct report_style style;
	char *text;		/* for people, for programs, and what belongs on stderr */
	char *json;
	char *errors;
};

/* One connection: a peer at our socket, or the system bus. */
struct client {
	struct bus *bus;
	sd_bus *connection;	/* NULL: free */
	bool is_system;
	uid_t uid;		/* of the peer */
};

struct bus {
	sd_event *event;
	struct manager *manager;
	int listen;
	char path[108];
	sd_event_source *source;
	struct client system;
	struct client clients[CLIENTS_MAX];
	struct result results[RESULTS_KEPT];
	size_t next_result;
};

/* bus-methods.c */
int bus_add_objects(struct client *client);

/* bus-job.c: a job for the manager whose result is kept. Consumes @text. */
int bus_ask(struct client *client, enum job_kind kind, char *text, size_t size,
	    sd_bus_message *options, uint64_t *ret_number, sd_bus_error *error);
/* The status, answered to @message when it is read. */
int bus_ask_status(struct client *client, sd_bus_message *message, sd_bus_message *options,
		   sd_bus_error *error);
const struct result *bus_result(const struct bus *bus, uint64_t number);
void bus_results_done(struct bus *bus);
void bus_job_path(uint64_t number, char path[64]);
/* 0 and the number, or -EINVAL. */
int bus_job_number(const char *path, uint64_t *ret);
/* Call @each for every connection that listens. */
void bus_each(struct bus *bus, void (*each)(struct client *client, void *data), void *data);

/*
 * bus-auth.c: may the sender of @message change this node? 1: yes; 0: asked, @again is called with
 * the message when it is known; a negative errno with @error.
 */
int bus_may_change(struct client *client, sd_bus_message *message, sd_bus_message_handler_t again,
		   sd_bus_error *error);
