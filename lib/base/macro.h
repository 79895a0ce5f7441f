/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The few macros that C lacks. */
#pragma once

#include <assert.h>
#include <stddef.h>

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

#define MIN(a, b)                                \
	({                                       \
		__typeof__(a) _min_a = (a);      \
		__typeof__(b) _min_b = (b);      \
		_min_a < _min_b ? _min_a : _min_b; \
	})
#define MAX(a, b)                                \
	({                                       \
		__typeof__(a) _max_a = (a);      \
		__typeof__(b) _max_b = (b);      \
		_max_a > _max_b ? _max_a : _max_b; \
	})
