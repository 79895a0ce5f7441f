/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Ctrl-C, a lost terminal, a polite kill: while something is being changed they stop it between two
 * steps.
 */
#pragma once

#include <stdbool.h>

/* What the first such signal says while a node is being changed. */
extern const char stop_after_step[];

/*
 * From here on the first such signal only asks, and says @words (NULL: nothing) on stderr; the
 * second one ends the process as ever. One that is ignored (nohup) stays so.
 */
void stop_watch(const char *words);

/* From here on such a signal ends the process as ever. */
void stop_unwatch(void);

bool stop_requested(void);
