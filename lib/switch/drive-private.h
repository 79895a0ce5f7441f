/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the files of drive*.c share. */
#pragma once

#include "lib/switch/drive.h"

/* Changes and lines are no longer so. */
void drive_forget(struct drive *drive);

/* Is that knob of that target as it is wanted? False if it is not known. */
bool drive_equal(const struct drive *drive, enum switch_knob knob,
		 const struct switch_target *target);

/* Make .changes and .script of what differs. Returns 0; -EINVAL with .words; -ENOMEM. */
int drive_compare(struct drive *drive);
