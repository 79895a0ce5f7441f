/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What is asked of losslessd-switch and what it says, over AF_UNIX SOCK_SEQPACKET: one request for
 * each job, replies while it is at work and one with its result. Both ends are on one machine and
 * of one version: host byte order, and another version is refused. Everything that comes in is
 * taken for hostile, and has exactly one form: what is not used is zero. Pure.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "lib/base/macro.h"
#include "lib/model/switches.h"

enum {
	SWITCH_MAGIC = 0x4c537769,
	SWITCH_VERSION = 2,
	SWITCH_NAME_MAX = 256,
	SWITCH_REPLY_MAX = 1400,		/* bytes of text with its zero */
	SWITCH_TEXT_MAX = 17 * 1024 * 1024,	/* what comes in a memfd */
	SWITCH_DEADLINE_MAX_MS = 15 * 60 * 1000,
	SWITCH_TRIAL_MARGIN_S = 120,		/* a switch returns by itself later than by us */
	SWITCH_TRIAL_MAX_S = 24 * 60 * 60 + SWITCH_TRIAL_MARGIN_S, /* of the longest --confirm */
};

enum switch_verb {
	SWITCH_TEST = 1,	/* is it there, can its dialect be spoken: nothing is changed */
	SWITCH_RENDER,		/* the lines to paste and their undo: without the switch */
	SWITCH_PUSH,		/* bring it into the declared state */
	SWITCH_READ,		/* what is so, and what a push would change */
	SWITCH_RETURN,		/* bring what a record names to what the record says */
	SWITCH_CONFIRM,		/* keep what was pushed on trial */
	SWITCH_KEY,		/* the host key that it shows: without logging in */
	SWITCH_ACCEPT,		/* ... is its own from now on, if it is the one in the record */
	SWITCH_VERB_MAX,
};

enum switch_kind {
	SWITCH_PROGRESS = 1,	/* any number of these, then */
	SWITCH_WARNING,		/* true whatever the verdict is: old algorithms */
	SWITCH_LINE,		/* SWITCH_RENDER, SWITCH_KEY: a line of the answer */
	SWITCH_UNDO,		/* SWITCH_RENDER: a line that takes it back */
	SWITCH_FINDING,		/* of a knob: struct switch_finding as text */
	SWITCH_RESULT,		/* one of these */
	SWITCH_KIND_MAX,
};

/*
 * The text is the fabric file, for SWITCH_RETURN with a zero and the record behind it: a line
 * PORT<tab>KNOB<tab>VALUE for each value that was found before.
 *
 * With .text_size a memfd comes along (SCM_RIGHTS, exactly one) that is sealed against writing and
 * any change of its size, of just this size; without it nothing comes along.
 */
struct switch_request {
	uint32_t magic;
	uint32_t version;
	uint32_t job;		/* comes back in the replies; not 0 */
	uint32_t deadline_ms;	/* the job is killed then: 1 to SWITCH_DEADLINE_MAX_MS */
	uint32_t text_size;	/* at most SWITCH_TEXT_MAX */
	/* SWITCH_PUSH: it returns by itself then; SWITCH_RETURN: it may be on trial; 0: no trial */
	uint32_t trial_s;
	uint8_t verb;
	uint8_t zero[3];
	char name[SWITCH_NAME_MAX];
};
static_assert(sizeof(struct switch_request) == 28 + SWITCH_NAME_MAX, "no padding");

struct switch_reply {
	uint32_t magic;
	uint32_t version;
	uint32_t job;		/* 0: to what was no request; the connection is closed then */
	uint8_t kind;
	uint8_t verdict;	/* enum verdict; 0 but in SWITCH_FINDING and SWITCH_RESULT */
	uint8_t zero[2];
	char text[SWITCH_REPLY_MAX];
};
static_assert(sizeof(struct switch_reply) == 16 + SWITCH_REPLY_MAX, "no padding");

/* A request as the rest of the program has it. */
struct switch_call {
	uint32_t job;
	uint32_t deadline_ms;
	uint32_t text_size;
	uint32_t trial_s;
	enum switch_verb verb;
	char name[SWITCH_NAME_MAX];
};

/* "test", "render", ... */
const char *switch_verb_name(enum switch_verb verb);

/* Columns and tabs; what does not fit of the texts is cut off. */
void switch_finding_format(const struct switch_finding *finding, char *ret, size_t size);

/* Returns 0; -EBADMSG. */
int switch_finding_parse(const char *text, enum verdict verdict, struct switch_finding *ret);

/* Does not check: the other end will. */
void switch_request_encode(const struct switch_call *call, struct switch_request *ret);

/* Returns 0; -EBADMSG, and what is wrong in @ret_why, a static text. */
int switch_request_decode(const void *data, size_t size, struct switch_call *ret,
			  const char **ret_why);

/* What does not fit of @text is cut off, control bytes but line ends and tabs become '?'. */
void switch_reply_encode(uint32_t job, enum switch_kind kind, enum verdict verdict,
			 const char *text, struct switch_reply *ret);

/* Returns 0 with the reply in @ret; -EBADMSG. */
int switch_reply_decode(const void *data, size_t size, struct switch_reply *ret);
