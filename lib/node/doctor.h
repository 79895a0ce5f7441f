/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Is this node ready for lossless RoCE? What lies outside of the knobs, and what a file that is
 * right cannot cure. Reads only.
 */
#pragma once

#include "lib/model/diagnosis.h"
#include "lib/node/node.h"

struct doctor_question {
	struct os *os;
	const struct inventory *inventory;
	const char *text; /* the fabric file, NULL: there is none */
	size_t size;
	const char *file; /* as losslessctl check takes it */
	const char *node;
	/* NAME=VALUE, ends with NULL; NULL: of a node that is not this one */
	const char *const *environment;
};

/*
 * Carry out all checks, in the order of their table. @pass, which is zero before, has what came of
 * the file: its diagnostics are to be shown, and its .exit is STATUS_SPEC if it was refused.
 *
 * Returns 0; an errno of listing the network devices; -ENOMEM.
 */
int doctor_examine(const struct doctor_question *question, struct pass *pass,
		   struct diagnoses *ret);
