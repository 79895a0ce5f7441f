/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What doctor found on a node. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "lib/base/cleanup.h"
#include "lib/model/inventory.h"
#include "lib/model/verdict.h"

enum { DIAGNOSIS_TEXT_MAX = 256 };

enum health {
	HEALTH_GOOD,
	HEALTH_NOTICE, /* worth knowing; RoCE works all the same */
	HEALTH_PROBLEM, /* RoCE will not be lossless, or not be at all, until it is cured */
	HEALTH_UNKNOWN, /* could not be read */
	HEALTH_NOT_APPLICABLE, /* does not concern this node */
	HEALTH_MAX,
};

/* The data half of a check; doctor.c has its hook. */
struct check_info {
	const char *name;
	const char *what; /* it looks at */
	const char *how; /* where that is read, and from what it follows */
	const char *cure; /* of a problem or notice, where the finding has none of its own */
};

struct diagnosis {
	const struct check_info *check;
	enum health health;
	bool needs_root; /* unknown to a plain user only: that is no failure */
	char target[NAME_MAX_BYTES]; /* "": the node */
	char found[DIAGNOSIS_TEXT_MAX];
	const char *cure; /* NULL: nothing is to be done */
};

struct diagnoses {
	struct diagnosis *list;
	size_t n;
	size_t room;
	char of_file[DIAGNOSIS_TEXT_MAX]; /* a cure that names the fabric file */
};

void diagnoses_done(struct diagnoses *diagnoses);

const char *health_name(enum health health);

/* How many are of this kind. */
size_t diagnoses_count(const struct diagnoses *diagnoses, enum health health);

/* 1 with a problem, or with what could not be read and root could not either; else 0. */
enum exit_status diagnoses_exit(const struct diagnoses *diagnoses);
