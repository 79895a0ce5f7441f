/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* From the settings of a cable's end to the knobs of the switch's. */
#pragma once

#include "lib/spec/spec-internal.h"
#include "lib/spec/switch.h"

/*
 * All knobs that follow from @settings, of either scope: which of them there are is the dialect's
 * to say.
 */
void switch_derive(const struct settings *settings, struct switch_target *target);
