/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * One line on stderr that says how far long work is: each over the one before, never wider than the
 * terminal.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "lib/base/cleanup.h"

/* Nothing is written unless it is @wanted: stderr is a terminal. */
void progress_line(bool wanted, const char *format, ...) _printf_(2, 3);

/*
 * Step @number (from 1) of @total, @what: "begun", "done", "failed". Behind the last one links are
 * waited for and all is read back, which may take longer than all steps.
 */
void progress_step(bool wanted, size_t number, size_t total, const char *target, const char *knobs,
		   const char *what);

/* Take the line away. */
void progress_end(bool wanted);
