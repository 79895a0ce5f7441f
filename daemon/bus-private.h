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
	/* Without root: never all places, and no user all of those */
	CLIENTS_OF_OTHERS = 24,
	CLIENTS_OF_ONE_USER = 12,
	RESULTS_KEPT = 16,
	/* Without root: what may wait for an answer; nobody keeps losslessd from its work */
	QUESTIONS_OF_A_USER = 8,
	QUESTIONS_OF_THE_BUS = 16,
	QUESTIONS_OF_OTHERS = 32,
	PLANS_OF_OTHERS = 2,
	PLAN_SIZE_OF_OTHERS = 1024 * 1024,
	/* Without root: what a connection is served before all others had their turn */
	TURN = 4,
	/* What is accepted before there is time for something else */
	TURN_OF_LISTENER = 16,
	/* Who does not read what comes is let go; without root, who asks for more of it sooner */
	UNREAD_MAX = 4096,
	UNREAD_ASKING = 32,
	/* With more open files those of others than root are let go: half of what systemd gives */
	FDS_MAX = 512,
};

/* What came of a job, until 16 others have come after it. */
struct result {
	uint64_t number;	/* 0: no result */
	bool done;
	enum exit_status exit;
	struct report_style style;
	char owner[64];		/* its name on the system bus: may stop it; "" at our socket */
	char *text;		/* for people, for programs, and what belongs on stderr */
	char *json;
	char *errors;
};

/* One connection: a peer at our socket, or the system bus. */
struct client {
	struct bus *bus;
	sd_bus *connection;	/* NULL: free */
	sd_event_source *soon;	/* to look at what came with the greeting */
	bool is_system;
	uid_t uid;		/* of the peer */
	unsigned int served;	/* messages in this turn; TURN: waits for the next one */
};

struct asked;

struct bus {
	sd_event *event;
	struct manager *manager;
	int listen;
	char path[108];
	sd_event_source *source;
	sd_event_source *rest;	/* until it is listened again */
	unsigned int accepted;	/* since the last rest */
	sd_event_source *turn;	/* nobody is left in this one */
	struct client system;
	struct client clients[CLIENTS_MAX];
	struct result results[RESULTS_KEPT];
	size_t next_result;
	struct asked *asked;	/* all jobs that are not done yet */
	sd_event_source *retry;	/* when the system bus is tried again; NULL: it is there */
	uint64_t told_us;	/* when it was told last that somebody was refused or let go */
	bool told;		/* that there is no system bus */
	uint64_t retry_us;	/* until it is looked for again */
};

/* bus-methods.c */
int bus_add_objects(struct client *client);

/*
 * bus-job.c: a job for the manager whose result is kept. The options are what comes next in
 * @message. Consumes @text.
 */
int bus_ask(struct client *client, enum job_kind kind, char *text, size_t size,
	    sd_bus_message *message, uint64_t *ret_number, sd_bus_error *error);
/* The same, but the result is the answer to @message. */
int bus_ask_at_once(struct client *client, enum job_kind kind, char *text, size_t size,
		    sd_bus_message *message, sd_bus_error *error);
const struct result *bus_result(const struct bus *bus, uint64_t number);
/* Nobody waits any more for what @client asked. */
void bus_jobs_gone(const struct client *client);
/* Forget all results, and what is asked: the manager has to be at rest. */
void bus_jobs_done(struct bus *bus);
void bus_job_path(uint64_t number, char path[64]);
/* 0 and the number, or -EINVAL. */
int bus_job_number(const char *path, uint64_t *ret);
/* Call @each for every connection that listens. */
void bus_each(struct bus *bus, void (*each)(struct client *client, void *data), void *data);

/*
 * bus-auth.c: may the sender of @message change this node? 0: yes; 1: polkit is asked, and @again,
 * the method's handler, is called with the message if it says yes: to be returned, so that sd-bus
 * takes the message for handled; a negative errno with @error.
 */
int bus_may_change(struct client *client, sd_bus_message *message, sd_bus_message_handler_t again,
		   sd_bus_error *error);
