/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * One job about one switch: a child of its own, because it will read what a switch answers. The
 * parent believes nothing that it says, waits for nothing, and ends it at its deadline.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "lib/switch/wire.h"

enum { SWITCH_GRACE_MS = 5000 };

/* What a verb gets, in the child. */
struct switch_work {
	const struct switch_call *call;
	const char *text;	/* .call->text_size bytes and a zero */
	int channel;		/* to the parent */
};

/*
 * Do it: returns the verdict, with what people read about it in @words. May take until the
 * deadline, may crash; SIGTERM asks it to end soon. Runs in the child.
 */
typedef enum verdict (*switch_run)(const struct switch_work *work, char *words, size_t size);

/* What this version does: indexed by enum switch_verb. */
extern const switch_run switch_runs[SWITCH_VERB_MAX];

/* For a verb: how far it is; and any other reply but the result. */
void switch_progress(const struct switch_work *work, const char *words);
void switch_say(const struct switch_work *work, enum switch_kind kind, enum verdict verdict,
		const char *words);

struct switch_peer;

struct switch_job {
	pid_t pid;			/* 0: no job */
	int pidfd;			/* readable when the child is dead */
	int channel;			/* -1: closed */
	uint32_t number;
	uint32_t deadline_ms;
	int64_t until_ms;		/* CLOCK_BOOTTIME */
	bool told;			/* its result: nothing more is */
	bool late;			/* it was asked to end */
	bool is_held;			/* .held waits until the peer reads */
	struct switch_reply held;
	struct switch_peer *peer;	/* who asked; NULL: gone */
};

/* @text_fd, -1 for none, stays the caller's. Returns 0 or a negative errno, with no job then. */
int switch_job_start(struct switch_job *job, const struct switch_call *call, int text_fd,
		     const switch_run runs[SWITCH_VERB_MAX]);

/*
 * What the child says. Returns 1 with a reply for the peer; 0 if there is none now; -EPIPE if it
 * will say no more. A child that says what is none is killed, and that is the reply.
 */
int switch_job_hear(struct switch_job *job, struct switch_reply *ret);

/*
 * Its time is over, if it is: it is asked to end, so that nothing stays staged on a switch, and
 * killed SWITCH_GRACE_MS later. Returns 1 with a reply for the peer; 0.
 */
int switch_job_expire(struct switch_job *job, int64_t now_ms, struct switch_reply *ret);

/*
 * If the child is dead, its place is free. Returns 1 with what is still to be told; 0 if nothing
 * is; -EAGAIN if it lives. Only when switch_job_hear() has no more.
 */
int switch_job_reap(struct switch_job *job, struct switch_reply *ret);
