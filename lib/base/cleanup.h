/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Scope-bound clean-up: what a variable holds is released where it goes out of scope. */
#pragma once

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define _cleanup_(function) __attribute__((__cleanup__(function)))
#define _printf_(format, first) __attribute__((__format__(__printf__, format, first)))

/* Hand over a pointer: the variable is NULL afterwards, so its clean-up does nothing. */
#define TAKE_PTR(pointer)                          \
	({                                         \
		__typeof__(pointer) *_p = &(pointer); \
		__typeof__(pointer) _taken = *_p;  \
		*_p = NULL;                        \
		_taken;                            \
	})

static inline void freep(void *pointer)
{
	free(*(void **)pointer);
}

static inline void fclosep(FILE **file)
{
	if (*file)
		(void)fclose(*file);
}

static inline void closep(int *fd)
{
	if (*fd >= 0)
		(void)close(*fd);
}

#define _cleanup_close_ _cleanup_(closep)
#define _cleanup_free_ _cleanup_(freep)
#define _cleanup_fclose_ _cleanup_(fclosep)
