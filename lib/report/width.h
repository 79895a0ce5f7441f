/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Text as a terminal shows it: how many columns it takes, and what may be shown at all. */
#pragma once

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include "lib/base/cleanup.h"

/*
 * How many columns the first character of @text takes, and its length in bytes in @ret_bytes. Wide
 * East Asian characters take 2, combining marks 0. A byte that begins no valid character counts as
 * one column and one byte.
 */
unsigned int character_width(const char *text, size_t *ret_bytes);

/* Columns of @size bytes. */
unsigned int text_width(const char *text, size_t size);

/*
 * A copy of @text in which every control character and every byte that is not UTF-8 is escaped; the
 * caller frees. NULL without memory.
 */
char *text_printable(const char *text);

/* Print so. Nothing without memory. */
void printable_put(FILE *out, const char *format, ...) _printf_(2, 3);

/* A text so; the caller frees. NULL without memory. */
char *printable_format(const char *format, va_list arguments) _printf_(1, 0);
