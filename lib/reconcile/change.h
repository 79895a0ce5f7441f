/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The rule of compare and set, in one place for the executor and for the worker that writes for it:
 * what a write brings about, and whether the object still is as it was when the write was decided.
 * Pure.
 */
#pragma once

#include <stdbool.h>

#include "lib/reconcile/provider.h"

/* Is @have of the knob what the write brings about? In maps and switches only its parts count. */
bool change_reached(const struct change *change, enum knob knob, const struct value *want,
		    const struct value *have);

/* Is the knob still as @seen, in what the write edits? Both may be anything but looked at. */
bool change_expected(const struct change *change, enum knob knob, const struct value *seen,
		     const struct value *have);
