/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The rows of switches in the tables of a report, in the same columns as those of NICs. */
#pragma once

#include "lib/report/table.h"

/* What was found that differs: TARGET KNOB NOW THEN WHERE NOTE. */
void switches_plan_rows(struct table *table, const struct report *report);

/* What was changed and came of it: TARGET KNOB FROM → TO RESULT NOTE. */
void switches_change_rows(struct table *table, const struct report *report);

/* TARGET VERDICT DEVICE. */
void switch_target_row(struct table *table, const struct switch_state *state);

/* What is not in order: the columns of lib/report/findings.h. */
void switches_finding_rows(struct table *table, const struct report *report,
			   const struct report_style *style);

/* What is only worth knowing, a sentence each; on a terminal one for all that others keep. */
void switches_write_notes(const struct report *report, const struct report_style *style,
			  FILE *out);

/* How many are kept by other nodes. They are in no count. */
size_t switches_of_others(const struct report *report);

struct switch_counts {
	size_t switches;
	size_t in_sync;
	size_t changes;		/* found, or made */
	size_t done;
	size_t targets_changed;
};
struct switch_counts switches_count(const struct report *report);

/* "leaf-1/100GE1/0/1"; "leaf-1" for the switch as a whole. */
void switch_target_name(const struct switch_state *state, const char *port, char *ret, size_t size);
const char *switch_knob_name(enum switch_knob knob); /* "" for the whole */
