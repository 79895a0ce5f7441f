/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The two ends of a cable against each other, as both were read: what they contradict each other
 * in is a finding of its own, whether or not one of them is as the file says. What the file does
 * not ask of both ends is nobody's business, and a rollback has no file. A pure function of the
 * report.
 */
#pragma once

#include "lib/report/table.h"

/* One knob in which the ends of a cable differ. The verdict is drift. */
struct cable_finding {
	const struct switch_state *state;
	const struct switch_cable *cable;
	enum knob knob;
	const struct value *want;	/* of the NIC */
	char nic[FINDING_TEXT_MAX];	/* what it has */
	char other[FINDING_TEXT_MAX];	/* what the switch has */
};

/*
 * Calls @found for each; what was not read at both ends is passed over. Only switches whose cables
 * are known (switch_state.cables) count.
 */
void cables_judge(const struct report *report,
		  void (*found)(const struct cable_finding *finding, void *data), void *data);

/* STATUS_DRIFT if there is one. */
enum exit_status cables_exit(const struct report *report);

/* "ens1f0np0 – leaf-1/100GE1/0/1" */
void cable_name(const struct cable_finding *finding, char *ret, size_t size);

/* "NIC has 3, switch has none" */
void cable_words(const struct cable_finding *finding, char *ret, size_t size);

/* A table of its own, since no one side is what it should be, behind an empty line; false: none. */
bool cables_write_findings(const struct report *report, const struct report_style *style,
			   FILE *out);

/* A sentence each. */
void cables_write_notes(const struct report *report, const struct report_style *style, FILE *out);
