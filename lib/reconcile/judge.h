/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What is so with one knob: the verdict table of the design as a pure function. */
#pragma once

#include "lib/reconcile/plan.h"

/* Fill verdict, exit, reason and advice of @finding for this knob of a target on @nic. */
void knob_judge(enum knob knob, const struct value *want, const struct value *have,
		const struct nic *nic, struct finding *finding);
