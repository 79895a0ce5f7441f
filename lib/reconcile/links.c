// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Waits for links. Touches the machine only through the provider.
 */
#include "lib/reconcile/links.h"

#include <stdio.h>

#include "lib/reconcile/execute.h"

enum { CARRIER_POLL_MS = 50 };

static const struct target *target_of(const struct links *links, const struct step *step)
{
	return &links->plan->want->list[step->target].target;
}

static int64_t now_ms(const struct links *links)
{
	return links->provider->ops->now_ms(links->provider);
}

static void await_link(const struct links *links, struct step *step, int64_t end_ms)
{
	const struct target *target = target_of(links, step);

	step->link_down = false;
	while (links->provider->ops->carrier(links->provider, target) == 0) {
		if (now_ms(links) >= end_ms) {
			step->outcome = STEP_FAILED;
			step->carrier_lost = true;
			(void)snprintf(step->reason, sizeof(step->reason),
				       "written, but no carrier after %d s: look at cable and "
				       "switch port",
				       EXECUTE_CARRIER_MS / 1000);
			return;
		}
		links->provider->ops->sleep_ms(links->provider, CARRIER_POLL_MS);
	}
}

static void ask(struct links *links)
{
	if (!links->asked)
		links->in_use = links->provider->ops->in_use(links->provider, NULL) != 0;
	links->asked = true;
}

/* May the two be down at the same time? */
static bool exclude_each_other(const struct links *links, const struct step *a,
			       const struct step *b)
{
	int bond = nic_bond(&target_of(links, a)->nic);

	return links->in_use || (bond && bond == nic_bond(&target_of(links, b)->nic));
}

bool links_allow(struct links *links, struct step *step)
{
	int64_t end_ms;

	ask(links);
	end_ms = now_ms(links) + EXECUTE_CARRIER_MS;
	for (size_t i = 0; i < links->plan->n_steps; i++) {
		struct step *other = &links->plan->steps[i];

		if (!exclude_each_other(links, step, other))
			continue;
		if (other->link_down && other->target != step->target)
			await_link(links, other, end_ms);
		if (!other->carrier_lost && !other->in_doubt)
			continue;
		step->outcome = STEP_SKIPPED;
		(void)snprintf(step->reason, sizeof(step->reason),
			       "not tried: %s %s, and this may drop a link too",
			       target_of(links, other)->name,
			       other->carrier_lost ? "has no carrier" : "may still lose its link");
		return false;
	}
	return true;
}

bool links_up(const struct links *links, const struct step *step)
{
	if (!step->may_drop_link)
		return false;
	for (size_t i = 0; i < links->plan->n_steps; i++)
		if (links->plan->steps[i].link_down &&
		    links->plan->steps[i].target == step->target)
			return true; /* it was, before an earlier step */
	return links->provider->ops->carrier(links->provider, target_of(links, step)) == 1;
}

void links_dropped(struct links *links, struct step *step)
{
	step->link_down = true;
	if (links->in_use)
		await_link(links, step, now_ms(links) + EXECUTE_CARRIER_MS);
}

void links_await_all(struct links *links)
{
	int64_t end_ms = now_ms(links) + EXECUTE_CARRIER_MS;

	for (size_t i = 0; i < links->plan->n_steps; i++)
		if (links->plan->steps[i].link_down)
			await_link(links, &links->plan->steps[i], end_ms);
}
