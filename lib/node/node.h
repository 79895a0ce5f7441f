/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The pass: load, resolve, observe, plan, execute, verify, report; and the store: the spec in
 * force, the undo record, history, the lock. Everything that the CLI's verbs and the daemon have in
 * common is here.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "lib/os/os.h"
#include "lib/reconcile/execute.h"
#include "lib/report/report.h"
#include "lib/spec/spec.h"

struct store;

/* One run of the pipeline and everything it holds; zero it before use. */
struct pass {
	struct os *os;			/* borrowed */
	struct provider *provider;	/* set before: not this process alone writes; else .own */
	struct provider own;
	/*
	 * Called with every plan that is made, before anything is done: may take steps out of it,
	 * and says why in the findings. NULL: the plan stands.
	 */
	void (*adjust)(struct plan *plan, const struct policy *policy, void *data);
	void *adjust_data;
	/*
	 * Called by pass_apply() when the file is in force and nothing is written yet: switches
	 * come before NICs. NULL: there are none.
	 */
	void (*before)(struct pass *pass, void *data);
	void *before_data;
	/*
	 * Called by pass_rollback() when NICs are returned, or have not all been, and the store
	 * does not say so yet: who is killed in it goes on at the next start. NULL: no switches.
	 */
	void (*returned)(struct pass *pass, void *data);
	void *returned_data;
	/*
	 * What the file in force changed is in here: told as pending where it is gone. NULL: not
	 * known
	 */
	const struct store *record;
	const char *file;		/* the fabric file as messages name it; NULL: "the file" */
	const char *cause;		/* for the history; NULL: what was called for */
	bool on_trial;			/* pass_rollback(): nobody has confirmed what goes back */
	struct spec *spec;
	struct inventory inventory;
	struct desired desired;
	struct states found;		/* before */
	struct plan plan;		/* what was planned, with outcomes after an apply */
	struct states found_after;
	struct plan after;
	const char *text;		/* the fabric file, borrowed */
	size_t size;
	char warning[256];		/* another owner of DCB is at work; "" if not */
	/* of the file: not asked by the pass itself; .exit counts them where they were */
	struct switch_states switches;
	struct switch_states switches_before;
	/* why the pass ended early, in one line with what to do; "" if it did not */
	bool store_failed;		/* what was done could not be recorded to the end */
	char trouble[512];
	enum exit_status exit;
	struct diags diags;		/* errors and warnings of the file */
};

void pass_done(struct pass *pass);

/*
 * Load, resolve and observe, then plan: nothing is written but a device's configfs group by root.
 * @text has to outlive the pass. Returns 0 with pass->exit; a negative errno with pass->trouble and
 * pass->exit (STATUS_SPEC with pass->diags if the file is refused).
 */
int pass_plan(struct pass *pass, struct os *os, const char *text, size_t size, const char *node);

/*
 * Carry pass_plan() out and verify. The inverse is in @store before the first write; @store may be
 * NULL (demo). Returns 0 with pass->exit and pass->after; a negative errno with pass->trouble.
 */
int pass_apply(struct pass *pass, struct store *store, const struct execute_hooks *hooks);

/*
 * Look again at what the pass wants, which was resolved before: pass->found and pass->plan are
 * made anew. Returns as pass_plan(), but without the warning.
 */
int pass_again(struct pass *pass);

/* Who else owns DCB, for pass->warning. Looks at every process: not for what is done often. */
void pass_find_rival(struct pass *pass);

/*
 * Look at a part only: of @want those targets whose entry in @objects is not 0, and of them the
 * objects that are set there as bits. Returns as pass_plan().
 */
int pass_part(struct pass *pass, struct os *os, const struct states *want, const uint32_t *objects);

/*
 * Carry out a plan for the spec that is in force already: as pass_apply(), but nothing is accepted,
 * and the store is written only for what is not in its undo record yet.
 */
int pass_repair(struct pass *pass, struct store *store, const struct execute_hooks *hooks);

/*
 * Return to the state before the generation in force. As pass_apply(); -ENOENT if nothing is
 * recorded.
 */
int pass_rollback(struct pass *pass, struct os *os, struct store *store,
		  const struct execute_hooks *hooks);

/* The report of this pass; points into @pass. */
struct report pass_report(const struct pass *pass, enum report_kind kind, const char *file);
