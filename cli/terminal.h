/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What a stream is: a terminal has a width and colours, a pipe or file has neither. */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "lib/base/cleanup.h"
#include "lib/report/report.h"

bool terminal_is(FILE *stream);
struct report_style terminal_style(FILE *stream);
/* How many lines it has; 0: it does not say. */
unsigned int terminal_rows(FILE *stream);

/*
 * A line on stderr, behind "losslessctl: ". What may not be shown is escaped: names come from the
 * kernel and from others.
 */
void say(const char *format, ...) _printf_(1, 2);
