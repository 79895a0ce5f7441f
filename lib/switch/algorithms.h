/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Algorithms of SSH: what we offer, what old switches need besides, and what was not in common. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum algorithm {
	ALGORITHM_KEX,
	ALGORITHM_HOSTKEY,
	ALGORITHM_CIPHER,
	ALGORITHM_MAC,
	ALGORITHM_MAX,
};

enum { ALGORITHMS_TEXT_MAX = 1024 };

/* "kex", "hostkey", "cipher", "mac" */
const char *algorithm_name(enum algorithm kind);

/* The kind that a name is of; ALGORITHM_MAX if it is none. */
enum algorithm algorithm_kind(const char *name);

/*
 * The list of a @kind: the defaults, then those of @legacy (ends with NULL, may be NULL) that are
 * of it. For host keys, what signs with a key of @first types (ends with NULL, may be NULL) comes
 * first. False if it is too long.
 */
bool algorithms_list(enum algorithm kind, const char *const *legacy, const char *const *first,
		     char ret[ALGORITHMS_TEXT_MAX]);

/* Does @list, comma separated, have @name? */
bool algorithms_have(const char *list, const char *name);

/*
 * libssh's error as "no common kex: the switch offers ...; we offer ...". False if it says
 * something else.
 */
bool algorithms_mismatch(const char *error, char *ret, size_t size);
