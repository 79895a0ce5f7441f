/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What reconcile asks of whoever serves a kind of target: the kernel's NICs, later the switches. */
#pragma once

#include "lib/model/state.h"

/*
 * What a step does to its object: exactly one message to the kernel, or one write to an attribute.
 */
enum step_op {
	STEP_SET,		/* write the object whole, with the wanted knobs changed */
	STEP_ADD,		/* maps: add the entries that are missing */
	STEP_DELETE,		/* maps: delete the entries that are obsolete */
	STEP_OP_MAX,
};

/* Which write: of what, and how much of it. */
struct change {
	enum object object;
	enum step_op op;
	/* the parts (DSCPs, priorities) of values that have parts; all ones: whatever differs */
	uint64_t parts;
};

/* Why a write failed, in the words of who refused it. */
struct refusal {
	/* positive errno; EREMOTEIO: the driver refused with .status; 0: nothing was written */
	int error;
	int status;		/* DCB status byte */
	char text[VALUE_NOTE_MAX];	/* text of the kernel, "" if none */
};

struct provider {
	const struct provider_ops *ops;
	void *data;
};

struct provider_ops {
	/*
	 * Read all objects of @target that have a wanted knob in @want into @have->value: every
	 * knob gets a status. The target's device may be gone: then -ENODEV. Other trouble is the
	 * value's, not the call's.
	 */
	int (*observe)(struct provider *provider, const struct target *target,
		       const struct state *want, struct state *have);
	/* The same for one object, fresh. */
	int (*read)(struct provider *provider, const struct target *target, enum object object,
		    struct state *have);
	/*
	 * One write: @have (just read) towards @want, of the knobs that @want manages in the
	 * object. Re-resolves the name of the device first: -ENODEV if it belongs to another one by
	 * now. Returns 1 if something was sent; 0 if there was nothing to do; a negative errno and
	 * @ret. -ESTALE: nothing was written, for the object is no longer as @have. -ECONNRESET,
	 * -ETIMEDOUT, -EBADMSG: whether it was written only reading tells; of the last two it may
	 * come later, too.
	 */
	int (*write)(struct provider *provider, const struct target *target,
		     const struct change *change, const struct state *want,
		     const struct state *have, struct refusal *ret);
	/*
	 * Would it hurt somebody if a link went down: does a process hold a queue pair on the RDMA
	 * device of @target, or (NULL) on any of this node? 1 if so, 0 if not; a negative errno if
	 * that cannot be told, which the caller takes for 1.
	 */
	int (*in_use)(struct provider *provider, const struct target *target);
	/*
	 * Could anything of @target be written, by the look of its file system? 0; -EROFS; -EACCES.
	 * NULL: the write itself will tell.
	 */
	int (*probe)(struct provider *provider, const struct target *target);
	/* 1 with carrier, 0 without, negative errno. */
	int (*carrier)(struct provider *provider, const struct target *target);
	/* Time and waiting, so that tests need not wait. */
	int64_t (*now_ms)(struct provider *provider);
	void (*sleep_ms)(struct provider *provider, unsigned int ms);
};
