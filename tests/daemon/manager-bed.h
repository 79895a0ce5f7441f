/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The manager as it is, on a simulated node, with what may happen while a write or a reading
 * waits. Waiting costs no time but where a test waits for the clock.
 */
#pragma once

#include "daemon/manager-private.h"
#include "lib/os/fake.h"

/* mlx5 */
#define BED_PORT "ens1f0np0"

#define BED_HEAD  "version: 1\nfabric: test\nqos: {dscp_to_priority: {26: 3}, pfc: [3]}\n"
#define BED_NODES "nodes: {\"*\": {}}\n"

/* One at a time: hooks know it without being told. */
extern struct bed {
	char folder[64], state_dir[80], run_dir[80], fabric[80];
	sd_event *event;
	struct manager *manager;
	struct os *os;
	struct os_ops os_ops;
	const struct os_ops *fake;
	struct provider_ops provider;
	void (*on_write)(void);		/* before the next one, once */
	void (*on_observe)(void);	/* at each target */
	unsigned int told[EVENT_MAX];
	int64_t took_us;		/* of the last change */
	int asked;			/* exit status of what a hook asked for */
} bed;

/* Setup and teardown of each test. */
int bed_begin(void **state);
int bed_end(void **state);

/* losslessd begins, on the node as it is now. */
void bed_start(void);
void bed_stop(void);

/* What main does, for @ms at least and until nothing is left to do. */
void bed_work_for(int64_t ms);
void bed_settle(void);
/* The loop alone, as while a pass waits. */
void bed_wait_for(int64_t ms);

/* Ask for a job; its exit status will be in @ret. @text may be NULL. */
void bed_ask(enum job_kind kind, const char *text, uint64_t confirm_ms, int *ret);
/* The same, and its exit status. */
int bed_answer(enum job_kind kind, const char *text, uint64_t confirm_ms);

/* @text is in force, else the test fails with @name. */
void bed_in_force(const char *name, const char *text);
