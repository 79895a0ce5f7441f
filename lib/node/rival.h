/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Other owners of a port's DCB settings that run on this node. */
#pragma once

#include <stddef.h>

#include "lib/os/os.h"

/*
 * Look for lldpad among the processes; @text gets one line that names it and says what to do, "" if
 * there is none.
 */
void rival_find(struct os *os, char *text, size_t size);
