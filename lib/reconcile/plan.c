// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Builds findings and steps from what is wanted and what was found. Pure: no I/O, no clock, no
 * logging.
 */
#include "lib/reconcile/plan.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "lib/base/array.h"
#include "lib/base/macro.h"
#include "lib/model/driver.h"
#include "lib/reconcile/judge.h"

void plan_done(struct plan *plan)
{
	free(plan->findings);
	free(plan->steps);
	*plan = (struct plan){};
}

static struct finding *add_finding(struct plan *plan, size_t target, enum knob knob)
{
	struct finding *finding;

	if (array_grow(&plan->findings, plan->n_findings, &plan->findings_room,
		       sizeof(*plan->findings)) < 0)
		return NULL;
	finding = &plan->findings[plan->n_findings++];
	*finding = (struct finding){ .target = target, .knob = knob };
	return finding;
}

static struct step *add_step(struct plan *plan, size_t target, enum object object, enum step_op op)
{
	struct step *step;

	if (array_grow(&plan->steps, plan->n_steps, &plan->steps_room, sizeof(*plan->steps)) < 0)
		return NULL;
	step = &plan->steps[plan->n_steps++];
	*step = (struct step){ .target = target, .object = object, .op = op };
	return step;
}

const struct finding *plan_finding(const struct plan *plan, size_t target, enum knob knob)
{
	for (size_t i = 0; i < plan->n_findings; i++)
		if (plan->findings[i].target == target && plan->findings[i].knob == knob)
			return &plan->findings[i];
	return NULL;
}

/* ---- findings ---- */

/*
 * Something is to be said of the target as a whole, by resolve or by observe: then nothing else is.
 */
static int judge_whole(struct plan *plan, size_t target)
{
	const struct state *state = &plan->want->list[target];
	struct finding *finding;

	if (state->verdict == VERDICT_IN_SYNC)
		state = &plan->have->list[target];
	if (state->verdict == VERDICT_IN_SYNC)
		return 0;
	finding = add_finding(plan, target, KNOB_NONE);
	if (!finding)
		return -ENOMEM;
	finding->verdict = state->verdict;
	finding->exit = verdict_exit(state->verdict);
	(void)snprintf(finding->reason, sizeof(finding->reason), "%s", state->reason);
	return 1;
}

/* What the fabric needs of a port that is not selected is a thing to say, not to do. */
static void judge_not_ours(const struct plan *plan, struct finding *finding)
{
	const struct state *want = &plan->want->list[finding->target];

	if (!want->value[finding->knob].not_ours || finding->verdict != VERDICT_DRIFT)
		return;
	finding->not_ours = true;
	(void)snprintf(finding->reason, sizeof(finding->reason), "%s: let nics select %s to set it",
		       want->value[finding->knob].note, want->target.name);
}

static int judge_knobs(struct plan *plan, size_t target)
{
	const struct state *want = &plan->want->list[target];
	const struct state *have = &plan->have->list[target];

	for (enum knob knob = 0; knob < KNOB_MAX; knob++) {
		struct finding *finding;

		if (want->value[knob].status == VALUE_UNMANAGED)
			continue;
		finding = add_finding(plan, target, knob);
		if (!finding)
			return -ENOMEM;
		knob_judge(knob, &want->value[knob], &have->value[knob], &want->target.nic,
			   finding);
		judge_not_ours(plan, finding);
	}
	return 0;
}

/* A target that cannot do what the fabric depends on is not half configured. */
static enum knob refusing_knob(const struct plan *plan, size_t target)
{
	for (size_t i = 0; i < plan->n_findings; i++) {
		const struct finding *finding = &plan->findings[i];

		if (finding->target == target && finding->verdict == VERDICT_UNSUPPORTED &&
		    finding->exit != STATUS_OK)
			return finding->knob;
	}
	return KNOB_NONE;
}

/* What else differs there is told, with what is in the way. */
static void hold_target(struct plan *plan, size_t target, enum knob knob)
{
	for (size_t i = 0; i < plan->n_findings; i++) {
		struct finding *finding = &plan->findings[i];

		if (finding->target != target || finding->verdict != VERDICT_DRIFT ||
		    finding->not_ours)
			continue;
		finding->not_ours = true;
		(void)snprintf(finding->reason, sizeof(finding->reason),
			       "nothing is changed here: %s is unsupported", knob_table[knob].name);
	}
}

/* ---- steps ---- */

static size_t drifted_knobs(const struct plan *plan, size_t target, enum object object,
			    enum knob ret[CHANGES_MAX])
{
	size_t n = 0;

	for (size_t i = 0; i < plan->n_findings && n < CHANGES_MAX; i++) {
		const struct finding *finding = &plan->findings[i];

		if (finding->target == target && finding->verdict == VERDICT_DRIFT &&
		    !finding->not_ours && knob_table[finding->knob].object == object)
			ret[n++] = finding->knob;
	}
	return n;
}

static const char *step_note(const struct driver_info *driver, const struct step *step)
{
	if (step->op == STEP_DELETE)
		return driver->app_delete_note;
	return step->op == STEP_ADD ? driver->app_add_note : NULL;
}

/*
 * A step for the @parts of an object that values with parts are written in. Values without parts
 * are reached when the @last of its steps is done.
 */
static int add_part_step(struct plan *plan, size_t target, enum object object, enum step_op op,
			 uint64_t parts, bool last)
{
	const struct driver_info *driver = driver_find(plan->want->list[target].target.nic.driver);
	struct step *step = add_step(plan, target, object, op);
	enum knob drifted[CHANGES_MAX];
	size_t n;

	if (!step)
		return -ENOMEM;
	n = drifted_knobs(plan, target, object, drifted);
	for (size_t i = 0; i < n; i++) {
		if (last || value_has_parts(knob_table[drifted[i]].kind))
			step->knob[step->n_knobs++] = drifted[i];
		if (driver->drops_link & KNOB_BIT(drifted[i]))
			step->may_drop_link = true;
	}
	step->parts = parts;
	step->note = step_note(driver, step);
	step->also = op == STEP_ADD && driver->dscp_fixes_classes ? OBJECT_ETS : object;
	return 0;
}

static int add_object_step(struct plan *plan, size_t target, enum object object, enum step_op op)
{
	return add_part_step(plan, target, object, op, UINT64_MAX, true);
}

/* One attribute for each priority: a step for each that differs. */
static int add_file_steps(struct plan *plan, size_t target, enum object object)
{
	enum knob drifted[CHANGES_MAX];
	uint64_t parts = 0;
	int r;

	if (drifted_knobs(plan, target, object, drifted) > 0)
		parts = value_difference(&knob_table[drifted[0]],
					 &plan->want->list[target].value[drifted[0]],
					 &plan->have->list[target].value[drifted[0]]);
	for (; parts; parts &= parts - 1) {
		r = add_part_step(plan, target, object, STEP_SET, parts & -parts, true);
		if (r < 0)
			return r;
	}
	return 0;
}

/* What the map needs: DSCPs that get an entry, and that lose one. */
struct map_edit {
	uint64_t add;
	uint64_t delete;
};

/*
 * Trust alone: the writer knows an entry that changes no packet's priority; to trust nothing is to
 * have no entry.
 */
static struct map_edit trust_edit(const struct value *trust, const struct dscp_map *have)
{
	struct map_edit edit = {};

	if (trust->status != VALUE_KNOWN)
		return edit;
	if (trust->data.number == TRUST_DSCP)
		edit.add = dscp_bit(0);
	for (unsigned int i = 0; !edit.add && i < DSCPS; i++)
		if (have->priorities[i])
			edit.delete |= dscp_bit(i);
	return edit;
}

/* A driver that replaces by itself needs no delete where something is added. */
static struct map_edit map_edit(const struct plan *plan, size_t target)
{
	const struct state *want = &plan->want->list[target];
	const struct dscp_map *have =
		&plan->have->list[target].value[KNOB_DSCP_TO_PRIORITY].data.map;
	const struct driver_info *driver = driver_find(want->target.nic.driver);
	const struct value *map = &want->value[KNOB_DSCP_TO_PRIORITY];
	struct map_edit edit = {};

	for (unsigned int i = 0; map->status == VALUE_KNOWN && i < DSCPS; i++) {
		uint8_t missing = map->data.map.priorities[i] & (uint8_t)~have->priorities[i];
		uint8_t obsolete = have->priorities[i] & (uint8_t)~map->data.map.priorities[i];

		if (!(map->data.map.named & dscp_bit(i)))
			continue;
		if (missing)
			edit.add |= dscp_bit(i);
		if (obsolete && !(driver->app_add_replaces && missing))
			edit.delete |= dscp_bit(i);
	}
	return edit.add || edit.delete ? edit : trust_edit(&want->value[KNOB_TRUST], have);
}

/*
 * Add first, so that the traffic never runs without an entry, then delete what is obsolete; the
 * other way round for a driver that cannot map a DSCP anew.
 */
static int add_map_pair(struct plan *plan, size_t target, struct map_edit edit, uint64_t parts,
			bool last)
{
	const struct driver_info *driver = driver_find(plan->want->list[target].target.nic.driver);
	int r = 0;

	if (driver->app_delete_first && (edit.delete & parts))
		r = add_part_step(plan, target, OBJECT_APP, STEP_DELETE, parts,
				  last && !(edit.add & parts));
	if (r >= 0 && (edit.add & parts))
		r = add_part_step(plan, target, OBJECT_APP, STEP_ADD, parts, last);
	if (r >= 0 && !driver->app_delete_first && (edit.delete & parts))
		r = add_part_step(plan, target, OBJECT_APP, STEP_DELETE, parts, last);
	return r;
}

/* Drivers that lose track in a long message get one for each DSCP. */
static int add_map_steps(struct plan *plan, size_t target)
{
	const struct driver_info *driver = driver_find(plan->want->list[target].target.nic.driver);
	struct map_edit edit = map_edit(plan, target);
	uint64_t parts = edit.add | edit.delete;
	int r = 0;

	if (!driver->app_one_per_message)
		return add_map_pair(plan, target, edit, UINT64_MAX, true);
	for (; parts && r >= 0; parts &= parts - 1)
		r = add_map_pair(plan, target, edit, parts & -parts, (parts & (parts - 1)) == 0);
	return r;
}

/* PFC that only loses priorities is switched off before the map that feeds it is touched. */
static bool pfc_shrinks(const struct plan *plan, size_t target)
{
	const struct value *want = &plan->want->list[target].value[KNOB_PFC];
	const struct value *have = &plan->have->list[target].value[KNOB_PFC];

	if (want->status != VALUE_KNOWN || have->status != VALUE_KNOWN)
		return false;
	return want->data.number != have->data.number && !(want->data.number & ~have->data.number);
}

static void object_order(const struct plan *plan, size_t target, enum plan_direction direction,
			 enum object ret[OBJECT_MAX])
{
	size_t n = 0;

	for (enum object object = 0; object < OBJECT_MAX; object++) {
		if (object == OBJECT_PFC && n && direction == PLAN_FORWARD &&
		    pfc_shrinks(plan, target)) {
			for (size_t i = n++; i > OBJECT_DCBX + 1; i--)
				ret[i] = ret[i - 1];
			ret[OBJECT_DCBX + 1] = object;
			continue;
		}
		ret[n++] = object;
	}
	for (size_t i = 0; direction == PLAN_BACK && i < n / 2; i++) {
		enum object other = ret[n - 1 - i];

		ret[n - 1 - i] = ret[i];
		ret[i] = other;
	}
}

/* The firmware's agent gives the port to the host when it goes, and takes it when it comes. */
static bool follows_agent(const struct plan *plan, size_t target, enum object object)
{
	enum knob drifted[CHANGES_MAX];

	return object == OBJECT_DCBX &&
	       drifted_knobs(plan, target, OBJECT_FW_LLDP_AGENT, drifted) > 0;
}

static int plan_object(struct plan *plan, size_t target, enum object object)
{
	const struct object_info *info = &object_table[object];
	enum knob drifted[CHANGES_MAX];

	if (info->read_only || !drifted_knobs(plan, target, object, drifted) ||
	    follows_agent(plan, target, object))
		return 0;
	if (info->map)
		return add_map_steps(plan, target);
	if (info->files)
		return add_file_steps(plan, target, object);
	return add_object_step(plan, target, object, STEP_SET);
}

static int plan_steps(struct plan *plan, size_t target, enum plan_direction direction)
{
	enum object order[OBJECT_MAX];
	int r = 0;

	object_order(plan, target, direction, order);
	for (size_t i = 0; i < OBJECT_MAX && r >= 0; i++)
		r = plan_object(plan, target, order[i]);
	return r;
}

/* ---- order across targets ---- */

static bool shrinks(const struct plan *plan, const struct step *step)
{
	const struct value *want = &plan->want->list[step->target].value[step->knob[0]];
	const struct value *have = &plan->have->list[step->target].value[step->knob[0]];

	return want->data.number < have->data.number;
}

/*
 * Which step comes first: -1 that of @upper, 1 that of @lower, 0 either. Nothing may have more than
 * what it stands on has: room is made below first, and taken above first.
 */
static int stack_order(const struct plan *plan, const struct step *upper, const struct step *lower)
{
	const struct nic *above = &plan->want->list[upper->target].target.nic;
	const struct nic *below = &plan->want->list[lower->target].target.nic;

	if (upper->object != lower->object || !object_table[upper->object].stacked)
		return 0;
	if (nic_gives_to(above, below))
		return -1;
	if (!nic_stands_on(above, below))
		return 0;
	return shrinks(plan, lower) ? -1 : 1;
}

static void move_step(struct plan *plan, size_t from, size_t to)
{
	struct step moved = plan->steps[from];

	for (size_t i = from; i > to; i--)
		plan->steps[i] = plan->steps[i - 1];
	for (size_t i = from; i < to; i++)
		plan->steps[i] = plan->steps[i + 1];
	plan->steps[to] = moved;
}

/* Move the step of @upper beside that of what it stands on, if it is on the wrong side. */
static bool order_step(struct plan *plan, size_t upper)
{
	for (size_t lower = 0; lower < plan->n_steps; lower++) {
		int order = stack_order(plan, &plan->steps[upper], &plan->steps[lower]);

		if ((order < 0 && upper > lower) || (order > 0 && upper < lower)) {
			move_step(plan, upper, lower);
			return true;
		}
	}
	return false;
}

/* A stacked device has no other steps, so that the order within each target stays. */
static void order_stacks(struct plan *plan)
{
	enum { DEPTH_MAX = 8 }; /* bond, VLAN on it, VLAN on that */

	for (size_t depth = 0; depth < DEPTH_MAX; depth++) {
		bool moved = false;

		for (size_t i = 0; i < plan->n_steps; i++)
			moved |= order_step(plan, i);
		if (!moved)
			return;
	}
}

static int plan_target(struct plan *plan, size_t target, enum plan_direction direction)
{
	enum knob refusing;
	int r;

	r = judge_whole(plan, target);
	if (r != 0)
		return MIN(r, 0);
	r = judge_knobs(plan, target);
	if (r < 0)
		return r;
	refusing = refusing_knob(plan, target);
	if (refusing != KNOB_NONE) {
		hold_target(plan, target, refusing);
		return 0;
	}
	return plan_steps(plan, target, direction);
}

int plan_build(const struct states *want, const struct states *have, enum plan_direction direction,
	       struct plan *ret)
{
	struct plan plan = { .direction = direction, .want = want, .have = have };
	int r;

	for (size_t i = 0; i < want->n; i++) {
		size_t target = direction == PLAN_BACK ? want->n - 1 - i : i;

		r = plan_target(&plan, target, direction);
		if (r < 0) {
			plan_done(&plan);
			return r;
		}
	}
	order_stacks(&plan);
	*ret = plan;
	return 0;
}

/* ---- sums ---- */

enum exit_status plan_exit(const struct plan *plan)
{
	enum exit_status worst = STATUS_OK;

	for (size_t i = 0; i < plan->n_findings; i++)
		worst = exit_worse(worst, plan->findings[i].exit);
	return worst;
}

/*
 * True if an earlier step than @number changes @knob of the same target (anything, if KNOB_NONE): a
 * map that needs several messages is one change, and trust may come with the last of them.
 */
static bool counted_before(const struct plan *plan, size_t number, enum knob knob)
{
	for (size_t i = 0; i < number; i++) {
		const struct step *step = &plan->steps[i];

		if (step->target != plan->steps[number].target)
			continue;
		if (knob == KNOB_NONE)
			return true;
		for (size_t k = 0; k < step->n_knobs; k++)
			if (step->knob[k] == knob)
				return true;
	}
	return false;
}

struct plan_counts plan_count(const struct plan *plan)
{
	struct plan_counts counts = {};

	for (size_t i = 0; i < plan->n_steps; i++) {
		const struct step *step = &plan->steps[i];

		counts.may_drop_link += step->may_drop_link;
		for (size_t k = 0; k < step->n_knobs; k++)
			counts.changes += !counted_before(plan, i, step->knob[k]);
		counts.targets += !counted_before(plan, i, KNOB_NONE);
	}
	return counts;
}
