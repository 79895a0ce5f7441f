/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What the process without privileges and the worker with CAP_NET_ADMIN say to each other: one
 * datagram of fixed size each way, over AF_UNIX SOCK_SEQPACKET. Both ends are on one machine and of
 * one version: host byte order, and another version is refused. Everything that comes in is taken
 * for hostile, and has exactly one form: what is not used is zero.
 */
#pragma once

#include <stdint.h>

#include "lib/base/macro.h"
#include "lib/reconcile/change.h"

enum {
	WIRE_MAGIC = 0x4c4e0001, /* the version is in its last byte */
	WIRE_KNOBS_MAX = 4,
	WIRE_NAME_MAX = 64,
	WIRE_TEXT_MAX = 128,
};

enum wire_verb {
	WIRE_READ = 1, /* read the object, as root */
	WIRE_WRITE, /* compare and set */
	WIRE_PROBE, /* could it be written, by the look of its file system; the object is any */
	WIRE_VERB_MAX,
};

/* Flags of a value. */
enum {
	WIRE_SET = 1, /* VALUE_OPTIONAL: is set, to .number */
	WIRE_UNSET = 2, /* found: struct value .unset */
	WIRE_BLOCKS = 4, /* found: struct value .blocks */
	WIRE_OF_PRIORITIES = 8, /* VALUE_RATES: struct rates .of_priorities */
};

/* A value of a knob: what its kind does not use is zero, all data unless it is VALUE_KNOWN. */
struct wire_value {
	uint64_t map_named;
	union {
		uint8_t map[DSCPS];
		uint64_t rates[PRIORITIES]; /* VALUE_RATES: kbit/s */
	};
	uint32_t number;
	uint32_t error; /* VALUE_UNREADABLE: positive errno */
	uint8_t knob;
	uint8_t status;
	uint8_t flags;
	uint8_t ets_named; /* these two of VALUE_RATES too */
	uint8_t ets_class[PRIORITIES];
	uint8_t ets_algorithm[PRIORITIES];
	uint8_t ets_share[PRIORITIES];
	uint8_t switches_named;
	uint8_t switches_on;
	uint8_t zero[2];
};
static_assert(sizeof(struct wire_value) == 112, "no padding");

struct wire_request {
	uint32_t magic;
	uint32_t id; /* comes back in the reply */
	uint64_t parts;
	int32_t ifindex; /* 0 and no .name: an RDMA device without a network device */
	uint32_t rdma_port; /* 0 and no .rdma: a bond or VLAN */
	uint8_t verb;
	uint8_t target; /* enum target_kind */
	uint8_t object;
	uint8_t op;
	uint8_t n_knobs; /* of the object, those that are wanted; WIRE_WRITE */
	uint8_t zero[3];
	char name[WIRE_NAME_MAX];
	char rdma[WIRE_NAME_MAX];
	char pci[WIRE_NAME_MAX];	/* address, "" if it is not on a PCI device */
	struct wire_value expect[WIRE_KNOBS_MAX];
	struct wire_value want[WIRE_KNOBS_MAX];
};
static_assert(sizeof(struct wire_request) == 224 + 2 * WIRE_KNOBS_MAX * 112, "no padding");

struct wire_reply {
	uint32_t magic;
	uint32_t id;
	int32_t result; /* negative errno; 0: nothing to do, or read; 1: written */
	int32_t error; /* struct refusal, where .result is negative */
	int32_t status;
	uint8_t n_knobs; /* all of the object, or none where it could not be read */
	uint8_t zero[3];
	char text[WIRE_TEXT_MAX];
	struct wire_value have[WIRE_KNOBS_MAX];
	char note[WIRE_KNOBS_MAX][WIRE_TEXT_MAX];
};
static_assert(sizeof(struct wire_reply) == 152 + WIRE_KNOBS_MAX * (112 + WIRE_TEXT_MAX),
	      "no padding");

/* A request as the rest of the program has it. */
struct wire_call {
	enum wire_verb verb;
	uint32_t id;
	/* its kind, and of the NIC what identifies it: ifindex, name, RDMA device, port, PCI */
	struct target target;
	struct change change; /* not WIRE_WRITE: only the object */
	struct state want; /* WIRE_WRITE: the knobs of the object that are wanted */
	struct state expect; /* and what they were when it was decided */
};

/*
 * @want and @expect as for provider_ops.write(), only for WIRE_WRITE. Does not check: the other end
 * will.
 */
void wire_request_encode(const struct wire_call *call, struct wire_request *ret);

/* Returns 0; -EBADMSG, and what is wrong in @ret_why, a static text. */
int wire_request_decode(const void *data, size_t size, struct wire_call *ret, const char **ret_why);

/* The knobs of @object in @have, which is NULL where it could not be read. */
void wire_reply_encode(uint32_t id, int result, const struct refusal *refusal, enum object object,
		       const struct state *have, struct wire_reply *ret);

/*
 * The reply to @call. What was read goes to @have, whose target is set; the other knobs stay as
 * they are. @ret_result is its result. Returns 0; -EBADMSG, with @have and the rest as they were.
 */
int wire_reply_decode(const void *data, size_t size, const struct wire_call *call,
		      struct state *have, struct refusal *ret_refusal, int *ret_result);
