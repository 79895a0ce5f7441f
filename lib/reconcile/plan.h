/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * (wanted, found) -> what is so, and the steps that lead there. Pure: no I/O, no clock. A finding
 * stands for every wanted knob; a step is exactly one write. The plan that is shown is the plan
 * that is executed.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/model/policy.h"
#include "lib/model/state.h"
#include "lib/reconcile/provider.h"

enum { CHANGES_MAX = 4 };	/* knobs of one object */

/* What is so with one wanted knob, or (knob == KNOB_NONE) with a target as a whole. */
struct finding {
	size_t target;		/* index in both lists of states */
	enum knob knob;
	enum verdict verdict;
	enum exit_status exit;
	bool not_ours;		/* VERDICT_DRIFT: no step of ours mends it */
	int64_t since_s;	/* CLOCK_REALTIME; 0: nobody watched */
	/* why it is so: "" if the verdict says it all */
	char reason[2 * VALUE_NOTE_MAX];
	/* VERDICT_UNSUPPORTED: what to do instead; NULL: nothing can be said */
	const char *instead;
};

enum step_outcome {
	STEP_PLANNED,
	STEP_DONE,		/* written and read back */
	/* somebody else had done it, or an earlier step: nothing was written */
	STEP_ALREADY,
	/* the object is neither as planned nor as wanted: nothing was written */
	STEP_STALE,
	STEP_FAILED,
	/* not tried: an earlier step on the target failed, or the link of another port is down */
	STEP_SKIPPED,
	STEP_OUTCOME_MAX,
};

struct step {
	size_t target;
	enum object object;
	enum step_op op;
	enum object also;	/* what it changes besides; as .object: nothing */
	uint64_t parts;		/* of values that have parts: what it writes, see struct change */
	bool may_drop_link;
	/* what it cannot undo, or does besides, said before it is done; NULL: nothing */
	const char *note;
	bool link_down;		/* written, and its link was not seen again yet */
	bool carrier_lost;	/* STEP_FAILED: it is written, but the link did not come back */
	bool in_doubt;		/* STEP_FAILED: it was not answered, and may still be written */
	size_t n_knobs;
	enum knob knob[CHANGES_MAX];	/* the knobs that it changes, in the order of the table */
	enum step_outcome outcome;
	struct refusal refusal;		/* STEP_FAILED */
	/* STEP_FAILED, STEP_SKIPPED, STEP_STALE, in words */
	char reason[2 * VALUE_NOTE_MAX];
};

enum plan_direction {
	PLAN_FORWARD,		/* towards a spec: owner, pause, ETS, map, PFC, ... */
	PLAN_BACK,		/* a rollback: the same steps in the opposite order */
};

struct plan {
	enum plan_direction direction;
	const struct states *want;
	const struct states *have;	/* same targets, same order */
	struct finding *findings;
	size_t n_findings;
	size_t findings_room;
	struct step *steps;
	size_t n_steps;
	size_t steps_room;
	bool kept;	/* losslessd keeps at it: what is left is tried again by itself */
};

void plan_done(struct plan *plan);

/* Both lists have to outlive the plan. Returns 0 or -ENOMEM. */
int plan_build(const struct states *want, const struct states *have, enum plan_direction direction,
	       struct plan *ret);

/* The worst exit status of all findings. */
enum exit_status plan_exit(const struct plan *plan);

/* How many knobs the steps change, on how many targets, and how many steps may drop a link. */
struct plan_counts {
	size_t changes;
	size_t targets;
	size_t may_drop_link;
};
struct plan_counts plan_count(const struct plan *plan);

const struct finding *plan_finding(const struct plan *plan, size_t target, enum knob knob);
