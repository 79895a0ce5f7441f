// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * One run of the pipeline: load, resolve, observe, plan, execute, verify. What goes wrong before
 * the first write ends it with one line that says what to do; what goes wrong later is the plan's
 * to tell.
 */
#include "lib/node/node.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/cleanup.h"
#include "lib/nic/nic.h"
#include "lib/node/rival.h"
#include "lib/node/store.h"
#include "lib/report/cables.h"
#include "lib/spec/switch.h"

/* plan, execute, look again: a driver may need a second look, never many */
enum { ROUNDS_MAX = 3 };

void pass_done(struct pass *pass)
{
	plan_done(&pass->after);
	plan_done(&pass->plan);
	states_done(&pass->found_after);
	states_done(&pass->found);
	desired_done(&pass->desired);
	inventory_done(&pass->inventory);
	pass->spec = spec_free(pass->spec);
	switch_states_done(&pass->switches);
	switch_states_done(&pass->switches_before);
	diags_done(&pass->diags);
}

static int trouble(struct pass *pass, enum exit_status status, int error, const char *format, ...)
	_printf_(4, 5);

static int trouble(struct pass *pass, enum exit_status status, int error, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	(void)vsnprintf(pass->trouble, sizeof(pass->trouble), format, args);
	va_end(args);
	pass->exit = status;
	return error;
}

static const char *error_words(int r)
{
	return strerrordesc_np(-r) ?: "unknown error";
}

static int no_memory(struct pass *pass)
{
	return trouble(pass, STATUS_FAILED, -ENOMEM, "out of memory");
}

static int pass_inventory(struct pass *pass)
{
	int r;

	r = nic_inventory(pass->os, &pass->inventory);
	if (r == -EXDEV)
		return trouble(pass, STATUS_FAILED, r,
			       "sysfs and netlink show different network namespaces: run in the "
			       "namespace that /sys "
			       "was mounted in, or mount sysfs anew");
	if (r == -EINTR)
		return trouble(pass, STATUS_FAILED, r,
			       "the list of network devices kept changing: try again");
	if (r < 0)
		return trouble(pass, STATUS_FAILED, r, "cannot list network devices: %s",
			       error_words(r));
	return 0;
}

static int nothing_managed(struct pass *pass, const char *node)
{
	if (!pass->desired.node_found)
		return trouble(pass, STATUS_FAILED, -ENOENT,
			       "nothing managed on this node: '%s' is not among the nodes of %s; "
			       "add it, or say which one this is with --node",
			       node, pass->file ?: "the file");
	if (!pass->inventory.n)
		return trouble(pass, STATUS_FAILED, -ENOENT,
			       "nothing managed on this node: there is no RDMA device; is the "
			       "driver's RDMA module "
			       "loaded (mlx5_ib, bnxt_re, irdma, rdma_rxe)?");
	return trouble(pass, STATUS_FAILED, -ENOENT,
		       "nothing managed on this node: no port is selected by `nics`, or nothing is "
		       "asked of it; see "
		       "losslessctl show nics");
}

/* Then there is something to do here without any port. */
static bool owns_switch(const struct spec *spec, const char *node)
{
	char owner[SWITCH_NAME_MAX_BYTES];

	for (size_t i = 0; i < spec_switch_count(spec); i++) {
		spec_switch_owner(spec, i, owner, sizeof(owner));
		if (spec_node_is(spec, owner, node))
			return true;
	}
	return false;
}

static int pass_resolve(struct pass *pass, const char *node)
{
	int r;

	r = spec_resolve(pass->spec, &pass->inventory, node, &pass->desired, &pass->diags);
	if (r == -EINVAL)
		return trouble(pass, STATUS_SPEC, r, "the fabric file does not fit this node");
	if (r < 0)
		return no_memory(pass);
	if (pass->desired.node_found && owns_switch(pass->spec, node))
		return 0;
	if (!pass->desired.states.n || !pass->desired.node_found)
		return nothing_managed(pass, node);
	for (size_t i = 0; i < pass->desired.states.n; i++)
		if (pass->desired.managed ||
		    pass->desired.states.list[i].verdict != VERDICT_IN_SYNC)
			return 0;
	return nothing_managed(pass, node);
}

/*
 * The port as it is called now: its PCI address stays when its name changes, and another port may
 * have its name since.
 */
static const struct nic *find_nic(const struct inventory *inventory, const struct target *target)
{
	const struct nic *found = NULL;

	for (size_t i = 0; i < inventory->n; i++) {
		const struct nic *nic = &inventory->list[i];
		const char *name = target->kind == TARGET_PORT ? nic->name : nic->rdma;
		bool named = strcmp(name, target->name) == 0;

		if (target->kind == TARGET_RDMA)
			nic = inventory_rdma(inventory, nic);
		if (*target->nic.pci && (strcmp(nic->pci, target->nic.pci) != 0 ||
					 nic->rdma_port != target->nic.rdma_port))
			continue;
		if (named)
			return nic;
		if (*target->nic.pci)
			found = nic;
	}
	if (!found && target->kind == TARGET_PORT)
		found = inventory_stacked_name(inventory, target->name);
	return found;
}

/* Is it told of already, or the port that went with it? */
static bool is_told(const struct states *states, const struct target *target)
{
	if (states_find(states, target->kind, target->name))
		return true;
	for (size_t i = 0; *target->nic.pci && i < states->n; i++)
		if (states->list[i].verdict == VERDICT_PENDING &&
		    strcmp(states->list[i].target.nic.pci, target->nic.pci) == 0)
			return true;
	return false;
}

static int tell_gone(struct pass *pass, const struct target *target)
{
	struct state *state;

	if (find_nic(&pass->inventory, target) || is_told(&pass->desired.states, target))
		return 0;
	state = states_add(&pass->desired.states, target->kind, &target->nic, target->name);
	if (!state)
		return -ENOMEM;
	state->verdict = VERDICT_PENDING;
	(void)snprintf(state->reason, sizeof(state->reason),
		       target->kind == TARGET_PORT ?
			       "was managed and has no RDMA device any more" :
			       "was managed and is not there any more");
	return 0;
}

static bool in_force(const struct pass *pass)
{
	_cleanup_free_ char *text = NULL;
	size_t size = 0;

	return pass->record && store_accepted(pass->record, &text, &size) == 0 &&
	       size == pass->size && memcmp(text, pass->text, size) == 0;
}

/*
 * A pattern, or no selection, asks for whatever is there, and so not for what is gone. What the
 * file in force changed is in its undo record, and has to be told.
 */
static int pass_recall(struct pass *pass)
{
	struct states was = {};
	int r = 0;

	if (!in_force(pass) || store_undo(pass->record, &was) < 0)
		return 0;
	for (int kind = 0; kind < TARGET_KIND_MAX; kind++)
		for (size_t i = 0; i < was.n && r == 0; i++)
			if (was.list[i].target.kind == (enum target_kind)kind)
				r = tell_gone(pass, &was.list[i].target);
	states_done(&was);
	return r < 0 ? no_memory(pass) : 0;
}

static int pass_look(struct pass *pass, enum plan_direction direction, struct states *found,
		     struct plan *plan)
{
	if (states_observe(&pass->desired.states, pass->provider, found) < 0)
		return no_memory(pass);
	if (plan_build(&pass->desired.states, found, direction, plan) < 0)
		return no_memory(pass);
	if (pass->adjust)
		pass->adjust(plan, &pass->desired.policy, pass->adjust_data);
	return 0;
}

/* Who serves the targets: somebody that the caller has chosen, or this process itself. */
static void need_provider(struct pass *pass, struct os *os)
{
	pass->os = os;
	if (pass->provider)
		return;
	nic_provider_init(&pass->own, os);
	pass->provider = &pass->own;
}

/* Look before anything is done, and sum up. */
static int look_first(struct pass *pass)
{
	int r;

	r = pass_look(pass, PLAN_FORWARD, &pass->found, &pass->plan);
	if (r < 0)
		return r;
	pass->exit = pass->plan.n_steps ? exit_worse(STATUS_DRIFT, plan_exit(&pass->plan)) :
					  plan_exit(&pass->plan);
	return 0;
}

void pass_find_rival(struct pass *pass)
{
	rival_find(pass->os, pass->warning, sizeof(pass->warning));
}

int pass_plan(struct pass *pass, struct os *os, const char *text, size_t size, const char *node)
{
	int r;

	need_provider(pass, os);
	pass->text = text;
	pass->size = size;
	r = spec_load(text, size, &pass->spec, &pass->diags);
	if (r == -EINVAL)
		return trouble(pass, STATUS_SPEC, r, "the fabric file is refused");
	if (r < 0)
		return no_memory(pass);
	r = pass_inventory(pass);
	if (r < 0)
		return r;
	r = pass_resolve(pass, node);
	if (r < 0)
		return r;
	r = pass_recall(pass);
	if (r < 0)
		return r;
	pass_find_rival(pass);
	return look_first(pass);
}

int pass_again(struct pass *pass)
{
	plan_done(&pass->after);
	plan_done(&pass->plan);
	states_done(&pass->found_after);
	states_done(&pass->found);
	*pass->trouble = *pass->warning = '\0';
	pass->store_failed = false;
	return look_first(pass);
}

int pass_part(struct pass *pass, struct os *os, const struct states *want, const uint32_t *objects)
{
	need_provider(pass, os);
	for (size_t i = 0; i < want->n; i++) {
		const struct state *whole = &want->list[i];
		struct state *part;

		if (!objects[i])
			continue;
		part = states_add(&pass->desired.states, whole->target.kind, &whole->target.nic,
				  whole->target.name);
		if (!part)
			return no_memory(pass);
		*part = *whole;
		for (enum knob knob = 0; knob < KNOB_MAX; knob++)
			if (!(objects[i] & (UINT32_C(1) << knob_table[knob].object)))
				part->value[knob].status = VALUE_UNMANAGED;
	}
	return look_first(pass);
}

/* ---- writing ---- */

/* One reason for the whole node, before the first write, instead of one for each attribute. */
static int check_writable(struct pass *pass)
{
	int r;

	if (!pass->provider->ops->probe)
		return 0;
	for (size_t i = 0; i < pass->plan.n_steps; i++) {
		const struct state *state = &pass->desired.states.list[pass->plan.steps[i].target];

		r = pass->provider->ops->probe(pass->provider, &state->target);
		if (r == -EROFS)
			return trouble(
				pass, STATUS_FAILED, r,
				"sysfs is read-only in this mount namespace, nothing was written: "
				"see the unit's "
				"hardening (ProtectKernelTunables=) or the container's mounts");
		if (r < 0)
			return trouble(pass, STATUS_FAILED, r,
				       "sysfs of %s cannot be written, nothing was written: %s; "
				       "look at SELinux and "
				       "AppArmor",
				       state->target.name, error_words(r));
	}
	return 0;
}

/* What a later round did belongs to the same story. */
static int append_steps(struct plan *plan, const struct plan *more)
{
	for (size_t i = 0; i < more->n_steps; i++) {
		if (array_grow(&plan->steps, plan->n_steps, &plan->steps_room,
			       sizeof(*plan->steps)) < 0)
			return -ENOMEM;
		plan->steps[plan->n_steps++] = more->steps[i];
	}
	return 0;
}

/* The inverse is on disk before the first write. */
static int begin(struct pass *pass, struct store *store, enum store_phase phase,
		 const struct plan *plan)
{
	int r = store ? store_begin(store, plan, phase) : 0;

	if (r < 0)
		return trouble(pass, STATUS_FAILED, r,
			       "cannot write the undo record, nothing was changed: %s",
			       error_words(r));
	return 0;
}

/* Write what @plan says. A store that fails now is told, but what was written is still verified. */
static void carry_out(struct pass *pass, struct store *store, struct plan *plan,
		      const struct execute_hooks *hooks)
{
	int r;

	(void)plan_execute(plan, pass->provider, hooks);
	r = store ? store_end(store, plan, pass->cause) : 0;
	if (r < 0) {
		pass->store_failed = true;
		(void)snprintf(pass->warning, sizeof(pass->warning),
			       "history and undo record could not be written to the end: %s; make "
			       "room, then do the same again", error_words(r));
	}
}

/* Where a pass leads, and what the store says of it while it is under way. */
struct course {
	enum plan_direction direction;
	enum store_phase phase;
	const char *cause;
};

static bool stopped(const struct execute_hooks *hooks)
{
	return hooks && hooks->stop && hooks->stop(hooks->data);
}

static bool has_failed(const struct plan *plan, const struct step *again)
{
	for (size_t i = 0; i < plan->n_steps; i++) {
		const struct step *step = &plan->steps[i];

		if (step->target == again->target && step->object == again->object &&
		    (step->outcome == STEP_FAILED || step->outcome == STEP_SKIPPED))
			return true;
	}
	return false;
}

/* Steps for another round, without those that failed before or were not to be tried. */
static size_t worth_trying(const struct plan *before, const struct plan *plan)
{
	size_t n = 0;

	for (size_t i = 0; i < plan->n_steps; i++)
		n += !has_failed(before, &plan->steps[i]);
	return n;
}

static void leave_failed_out(const struct plan *before, struct plan *plan)
{
	size_t n = 0;

	for (size_t i = 0; i < plan->n_steps; i++)
		if (!has_failed(before, &plan->steps[i]))
			plan->steps[n++] = plan->steps[i];
	plan->n_steps = n;
}

/* Look again; what is still to be done without having failed gets another round. */
static int follow_up(struct pass *pass, struct store *store, const struct course *course,
		     const struct execute_hooks *hooks)
{
	int r;

	for (int round = 2;; round++) {
		r = pass_look(pass, course->direction, &pass->found_after, &pass->after);
		if (r < 0)
			return r;
		if (!worth_trying(&pass->plan, &pass->after) || round > ROUNDS_MAX ||
		    stopped(hooks))
			return 0;
		leave_failed_out(&pass->plan, &pass->after);
		r = begin(pass, store, course->phase, &pass->after);
		if (r < 0)
			return r;
		carry_out(pass, store, &pass->after, hooks);
		if (append_steps(&pass->plan, &pass->after) < 0)
			return no_memory(pass);
		plan_done(&pass->after);
		states_done(&pass->found_after);
	}
}

static int execute_all(struct pass *pass, struct store *store, const struct course *course,
		       const struct execute_hooks *hooks)
{
	int r;

	if (!pass->cause)
		pass->cause = course->cause;
	carry_out(pass, store, &pass->plan, hooks);
	r = follow_up(pass, store, course, hooks);
	if (r < 0)
		return r;
	plan_explain_failures(&pass->plan, &pass->after);
	pass->exit = plan_exit(&pass->after);
	if (stopped(hooks) || pass->store_failed)
		pass->exit = STATUS_FAILED;
	return 0;
}

int pass_apply(struct pass *pass, struct store *store, const struct execute_hooks *hooks)
{
	int r;

	r = check_writable(pass);
	if (r < 0)
		return r;
	if (store) {
		r = store_accept(store, pass->text, pass->size, &pass->plan);
		if (r < 0)
			return trouble(pass, STATUS_FAILED, r,
				       "cannot keep the fabric file, nothing was changed: %s",
				       error_words(r));
	}
	if (pass->before)
		pass->before(pass, pass->before_data);
	return execute_all(pass, store,
			   &(struct course){ PLAN_FORWARD, STORE_APPLYING, "apply" }, hooks);
}

int pass_repair(struct pass *pass, struct store *store, const struct execute_hooks *hooks)
{
	static const struct course course = { PLAN_FORWARD, STORE_IDLE, "drift" };
	int r;

	r = check_writable(pass);
	if (r == 0)
		r = begin(pass, store, course.phase, &pass->plan);
	return r < 0 ? r : execute_all(pass, store, &course, hooks);
}

/* ---- going back ---- */

static void find_targets(struct pass *pass)
{
	for (size_t i = 0; i < pass->desired.states.n; i++) {
		struct state *state = &pass->desired.states.list[i];
		const struct nic *nic = find_nic(&pass->inventory, &state->target);

		if (!nic) {
			state->verdict = VERDICT_PENDING;
			(void)snprintf(state->reason, sizeof(state->reason),
				       "no such device any more");
			continue;
		}
		state->target.nic = *nic;
		(void)snprintf(state->target.name, sizeof(state->target.name), "%s",
			       state->target.kind == TARGET_PORT ? nic->name : nic->rdma);
	}
}

int pass_rollback(struct pass *pass, struct os *os, struct store *store,
		  const struct execute_hooks *hooks)
{
	static const struct course course = { PLAN_BACK, STORE_RETURNING, "rollback" };
	bool complete;
	int r;

	need_provider(pass, os);
	pass->on_trial = store_get_confirm(store).until_s != 0;
	r = store_undo(store, &pass->desired.states);
	if (r == -ENOENT)
		return trouble(pass, STATUS_FAILED, r,
			       "nothing to return to: no apply of this node is recorded since the "
			       "last rollback");
	if (r < 0)
		return trouble(pass, STATUS_FAILED, r, "cannot read the undo record: %s",
			       error_words(r));
	r = pass_inventory(pass);
	if (r < 0)
		return r;
	find_targets(pass);
	r = pass_look(pass, PLAN_BACK, &pass->found, &pass->plan);
	if (r < 0)
		return r;
	r = check_writable(pass);
	if (r < 0)
		return r;
	r = begin(pass, store, course.phase, &pass->plan);
	if (r < 0)
		return r;
	r = execute_all(pass, store, &course, hooks);
	if (r < 0)
		return r;
	complete = pass->exit == STATUS_OK;
	if (pass->returned)
		pass->returned(pass, pass->returned_data);
	/* What could not be returned is still to be: the record stays, and says so */
	if (!complete)
		return 0;
	r = store_rolled_back(store);
	if (r < 0)
		return trouble(pass, STATUS_FAILED, r,
			       "all is returned, but the store cannot be written: %s",
			       error_words(r));
	return 0;
}

struct report pass_report(const struct pass *pass, enum report_kind kind, const char *file)
{
	struct report report = {
		.kind = kind,
		.node = pass->desired.node,
		.fabric = pass->spec ? spec_fabric(pass->spec) : "",
		.file = file,
		.plan = pass->plan.want ? &pass->plan : NULL,
		.after = pass->after.want ? &pass->after : NULL,
		.switches = pass->switches.n ? &pass->switches : NULL,
		.switches_before = pass->switches_before.n ? &pass->switches_before : NULL,
		.trouble = *pass->trouble ? pass->trouble : NULL,
		.diags = &pass->diags,
		.exit = pass->exit,
	};

	if (*pass->warning)
		report.warnings[report.n_warnings++] = pass->warning;
	report.exit = exit_worse(report.exit, cables_exit(&report));
	return report;
}
