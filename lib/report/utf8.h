/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* UTF-8 as a terminal shows it: what may be printed, and how many columns it takes. */
#pragma once

#include <stddef.h>

/*
 * How many columns the first character of @text takes, and its length in bytes in @ret_bytes. Wide
 * East Asian characters take 2, combining marks 0. A byte that begins no valid character counts as
 * one column and one byte.
 */
unsigned int utf8_character(const char *text, size_t *ret_bytes);

/* Columns of a whole text. */
unsigned int utf8_width(const char *text);

/* In place: every control character and every byte that is not valid UTF-8 becomes '?'. */
void utf8_clean(char *text);
