/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * cmocka for tables of cases: the name of the case that fails is printed. Include this instead of
 * cmocka.h.
 */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* Fails the test with the name of the case and what did not hold. */
#define case_true(name, condition)                                                       \
	do {                                                                             \
		if (!(condition))                                                        \
			fail_msg("%s: not so: %s", (name), #condition);                   \
	} while (0)

#define case_equal(name, got, want)                                                      \
	do {                                                                             \
		long long _got = (long long)(got), _want = (long long)(want);            \
		if (_got != _want)                                                       \
			fail_msg("%s: %s is %lld, want %lld", (name), #got, _got, _want); \
	} while (0)

#define case_string(name, got, want)                                                     \
	do {                                                                             \
		const char *_got = (got), *_want = (want);                               \
		if (strcmp(_got, _want) != 0)                                            \
			fail_msg("%s: %s is\n%s\nwant\n%s", (name), #got, _got, _want);   \
	} while (0)
