/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * One report, several writers: what a pass found and did, as text for people and as JSON for
 * programs, with the same facts. Writers print to a stream that the caller gives; nothing here
 * decides what is so.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "lib/model/cabling.h"
#include "lib/model/counter.h"
#include "lib/model/diagnosis.h"
#include "lib/model/gid.h"
#include "lib/model/nccl.h"
#include "lib/model/switch-about.h"
#include "lib/model/switches.h"
#include "lib/model/traffic.h"
#include "lib/reconcile/plan.h"

enum { REPORT_SCHEMA = 1, REPORT_WARNINGS_MAX = 6 };

enum report_kind {
	REPORT_PLAN,
	REPORT_APPLY,
	REPORT_ROLLBACK,
	REPORT_STATUS,
	REPORT_OTHER,			/* no pass: only to say what went wrong */
	REPORT_KIND_MAX,
};

struct report {
	enum report_kind kind;
	const char *verb;		/* whose it is; NULL: that of its kind */
	const char *node;
	const char *fabric;
	/* the fabric file as it was named, "" for a rollback; WHERE has its last part */
	const char *file;
	uint64_t generation;		/* 0: nothing in force yet */
	/* CLOCK_REALTIME of this report, and of what it says; 0: what it says was read for it */
	int64_t now_s, read_s;
	int64_t confirm_s;		/* it returns then unless somebody confirms; 0: it stays */
	/* plan, status: the only one; apply, rollback: what was carried out (last round) */
	const struct plan *plan;
	const struct plan *after;	/* apply, rollback: what is so now; NULL otherwise */
	/* NULL: the file has none, or they were not asked */
	const struct switch_states *switches;
	const struct switch_states *switches_before; /* apply, rollback: what was found first */
	/* the pass could not be made at all, in one line; NULL if it could */
	const char *trouble;
	const char *interrupted;	/* status: "apply" or "rollback" did not end; NULL: none */
	/* true whatever the verdicts are: "lldpad is running ..." */
	const char *warnings[REPORT_WARNINGS_MAX];
	size_t n_warnings;
	const struct diags *diags;	/* what is said of the file; NULL: nothing */
	enum exit_status exit;
};

struct report_style {
	bool colour;
	/*
	 * Columns of a terminal: texts are made to fit and what is in order is told together. 0: a
	 * file or a pipe: a line for each target, as long as it is, and no "ago".
	 */
	unsigned int width;
};

void report_write_text(const struct report *report, const struct report_style *style, FILE *out);
void report_write_json(const struct report *report, FILE *out);

/*
 * `check`, and every other verb whose file is refused: all findings with their places. @fabric: its
 * name, NULL where that cannot be told.
 */
void diags_write_json(const struct diags *diags, const char *file, const char *fabric,
		      enum exit_status status, FILE *out);

/* In what follows @diags is what is said of the file, for programs. */

/* `show nics`: the ports of this node. */
void inventory_write_text(const struct inventory *inventory, const struct report_style *style,
			  FILE *out);
void inventory_write_json(const struct inventory *inventory, FILE *out);

/* `show counters`: rates of @n ports, and what they say is wrong. Text has what grew, JSON all. */
void counters_write_text(const struct port_counters *ports, size_t n,
			 const struct report_style *style, FILE *out);
void counters_write_json(const struct port_counters *ports, size_t n, FILE *out);

/* `show gids`. */
void gids_write_text(const struct gids *gids, const struct report_style *style, FILE *out);
void gids_write_json(const struct gids *gids, FILE *out);

/* `show spec`: what the spec in force means for this node, with everything derived and why. */
void desired_write_text(const struct states *want, const char *file,
			const struct report_style *style, FILE *out);
void desired_write_json(const struct states *want, const struct diags *diags, FILE *out);

/* `switch list`, and `switch test` of one. */
void switches_write_text(const struct switch_states *states, const struct report_style *style,
			 FILE *out);
void switch_write_text(const struct switch_states *states, const char *file,
		       const struct report_style *style, FILE *out);
void switches_write_json(const struct switch_states *states, FILE *out);

/* `switch render`: lines of text, each with its end. */
void lines_write_json(const char *name, const char *lines, const char *undo, FILE *out);

/*
 * `show cables`. @heard: LLDP is known, else the cables are those of the file alone; @trouble says
 * then why, and is for programs.
 */
void cabling_write_text(const struct cabling *cabling, bool heard,
			const struct report_style *style, FILE *out);
void cabling_write_json(const struct cabling *cabling, const char *node, bool heard,
			const char *trouble, const struct diags *diags, enum exit_status exit,
			FILE *out);

/* `show switches`. */
void switch_abouts_write_text(const struct switch_abouts *abouts, const struct report_style *style,
			      FILE *out);
void switch_abouts_write_json(const struct switch_abouts *abouts, const struct diags *diags,
			      FILE *out);

/*
 * `nccl-env`, in one of its formats: a program takes each of them as it is. What could not be told
 * is not in the first two.
 */
void nccl_env_write(const struct nccl_env *env, enum nccl_format format, const char *node,
		    const struct diags *diags, enum exit_status exit, FILE *out);

/* `verify`: what traffic of @n ways proved. @node: this one. */
void traffic_write_text(const struct traffic *traffic, size_t n, const struct report_style *style,
			FILE *out);
void traffic_write_json(const struct traffic *traffic, size_t n, const char *node,
			enum exit_status exit, FILE *out);

/* `doctor`: what is wrong first, each kind once with all that it was found on. */
void diagnoses_write_text(const struct diagnoses *diagnoses, const char *node,
			  const struct report_style *style, FILE *out);
void diagnoses_write_json(const struct diagnoses *diagnoses, const char *node,
			  const struct diags *diags, enum exit_status exit, FILE *out);

/* `explain KNOB`. */
void knob_write_text(enum knob knob, FILE *out);
void knob_write_json(enum knob knob, FILE *out);
