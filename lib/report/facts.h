/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What both writers say in the same words: taken from the report, nothing is decided or invented
 * here.
 */
#pragma once

#include "lib/report/report.h"

enum { FACT_TEXT_MAX = 512 };

/* The plan whose findings say what is so now. */
const struct plan *report_findings(const struct report *report);

/*
 * The word for a target: the worst verdict of its findings that counts for the exit status, else
 * in-sync.
 */
enum verdict target_verdict(const struct plan *plan, size_t target);

/*
 * Are there more targets of one kind than a terminal should have lines for? Then those that are in
 * order stand together there.
 */
enum { TOGETHER_MIN = 3 };
bool plan_is_crowded(const struct plan *plan);

/* "mlx5_core 0000:17:00.0, mlx5_0 port 1, VF of ens1f0np0, no carrier" */
void target_describe(const struct target *target, char *text, size_t size);

/* What to do about a finding, "" if there is nothing to do. */
void finding_advice(const struct plan *plan, const struct finding *finding, char *text,
		    size_t size);

/* That advice is about this value alone: what is read only, what the device lacks. */
bool finding_advice_is_own(const struct finding *finding);

/* "fabric.yaml" of "/etc/losslessd/fabric.yaml" */
const char *file_base(const char *path);

/* What a value of this knob can be, in words; @size FACT_TEXT_MAX is enough for each. */
void knob_range_format(const struct knob_info *knob, char *text, size_t size);

const char *knob_name(enum knob knob); /* "" for KNOB_NONE */
const char *step_outcome_name(enum step_outcome outcome);
const char *step_op_name(enum step_op op);

/* True if this knob of the step is one that takes the link down. */
bool step_knob_drops_link(const struct plan *plan, const struct step *step, enum knob knob);

/*
 * A change is a knob of a target, as people count: a map may take two steps (add, delete) and is
 * one change. True if this knob of this step is the first to speak of its change.
 */
bool change_is_first(const struct plan *plan, size_t step, enum knob knob);

/*
 * Of all steps of a change the one that went worst, NULL if there is none. A later step of the same
 * kind stands for an earlier one: what somebody else changed meanwhile is written in a second
 * round.
 */
const struct step *change_worst(const struct plan *plan, size_t target, enum knob knob);

/* Targets by kind, and what became of the changes. */
struct report_counts {
	size_t targets[TARGET_KIND_MAX];
	size_t in_sync[TARGET_KIND_MAX];
	size_t outcome[STEP_OUTCOME_MAX];
	size_t changes; /* the sum of them */
	size_t targets_changed;
};
struct report_counts report_count(const struct report *report);
