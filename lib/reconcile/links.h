/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Links that steps take down. While somebody uses RDMA on this node they go down one at a time, the
 * next only when the one before is back; else they need not wait for each other, but for the slaves
 * of one bond, of which one always stays up.
 */
#pragma once

#include "lib/reconcile/plan.h"

struct links {
	struct plan *plan;
	struct provider *provider;
	bool asked;
	bool in_use;	/* one at a time */
};

/*
 * May this step, which may drop a link, be carried out now? Waits for the links that have to be
 * back first. False if one of them is not: then the step is skipped, with the reason.
 */
bool links_allow(struct links *links, struct step *step);

/* Has the step's target a link that the write may take down? To be asked before the write. */
bool links_up(const struct links *links, const struct step *step);

/* The step was written, its link was up before. Waits for it if it has to be back first. */
void links_dropped(struct links *links, struct step *step);

/* Wait for all links that are still away; what is not back in time makes its step fail. */
void links_await_all(struct links *links);
