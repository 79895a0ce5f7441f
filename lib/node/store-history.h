/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The history: one JSON line for each knob that was changed. */
#pragma once

#include <stdint.h>

#include "lib/reconcile/plan.h"

/*
 * The lines of all steps of @plan that wrote something; the caller frees. Returns 0, -ENODATA if
 * there are none, -ENOMEM.
 */
int history_format(const struct plan *plan, uint64_t generation, const char *cause, int64_t unix_s,
		   char **ret_text, size_t *ret_size);
