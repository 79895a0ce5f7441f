/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Carries out a plan step by step: read the object, compare, write only what differs, read back
 * until it is so or the settle time is over. Writes that may drop a link go one at a time while
 * somebody uses RDMA on this node, see links.h.
 */
#pragma once

#include "lib/reconcile/plan.h"

enum {
	/* EBUSY, EAGAIN: so often in all, 200 ms apart and doubling */
	EXECUTE_BUSY_TRIES = 4,
	EXECUTE_CARRIER_MS = 30 * 1000,
};

struct execute_hooks {
	/* Called before and after each step; may be NULL. */
	void (*progress)(const struct plan *plan, const struct step *step, size_t number,
			 void *data);
	/* True if no further step may begin (somebody pressed Ctrl-C); may be NULL. */
	bool (*stop)(void *data);
	void *data;
};

/*
 * Every step gets its outcome; after a stop those that were not begun stay STEP_PLANNED. Returns 0
 * if all is done or was done already, 1 if a step is not.
 */
int plan_execute(struct plan *plan, struct provider *provider, const struct execute_hooks *hooks);

/*
 * After a second observe: the findings of @after (built from the state found now) get the words of
 * the steps of @plan that failed, so that what differs because a write was refused is "failed" and
 * not just "drift".
 */
void plan_explain_failures(const struct plan *plan, struct plan *after);

/*
 * Observe all wanted targets. @ret has the same targets in the same order as @want. Returns 0 or
 * -ENOMEM.
 */
int states_observe(const struct states *want, struct provider *provider, struct states *ret);
