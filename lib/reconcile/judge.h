/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What is so with one knob: the verdict table of the design as a pure function. */
#pragma once

#include "lib/reconcile/plan.h"

/*
 * Fill verdict, exit and reason of @finding for its knob. @driver names the driver in texts, "" if
 * unknown.
 */
void knob_judge(enum knob knob, const struct value *want, const struct value *have,
		const char *driver, struct finding *finding);

/* What a verdict about a target as a whole means for the exit status. */
enum exit_status verdict_exit(enum verdict verdict);
