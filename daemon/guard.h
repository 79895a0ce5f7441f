/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What keeps losslessd from doing harm in the background: how often an object of a target was
 * repaired, how often that failed, and since when something is as it is. No I/O, no clock of its
 * own: times are milliseconds of CLOCK_BOOTTIME that the caller gives.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "lib/model/state.h"

enum {
	/* reverted so often within the window: somebody else wants it otherwise (field case N05) */
	GUARD_REPAIRS_MAX = 3,
	GUARD_WINDOW_MS = 60 * 1000,
	/* after a failure: 1 s, doubling to 5 min (field case N06) */
	GUARD_RETRY_FIRST_MS = 1000,
	GUARD_RETRY_MAX_MS = 5 * 60 * 1000,
};

/* One object of one target. */
struct guard_entry {
	enum target_kind kind;
	enum object object;
	char name[NAME_MAX_BYTES];
	char pci[NAME_MAX_BYTES];
	int64_t repaired_ms[GUARD_REPAIRS_MAX];	/* the last repairs; 0: none */
	unsigned int failures;			/* in a row */
	int64_t retry_ms;			/* not before; 0: any time */
	bool contested;
	char words[2 * VALUE_NOTE_MAX];		/* what the last failure said, or who contests */
};

struct guard {
	struct guard_entry *list;
	size_t n;
	size_t room;
	int64_t window_ms;	/* 0: nothing is ever contested (tests) */
};

void guard_done(struct guard *guard);

/* The entry of the object; NULL if there is none and @make is false, or without memory. */
struct guard_entry *guard_entry(struct guard *guard, const struct target *target,
				enum object object, bool make);

/* It was repaired. */
void guard_repaired(struct guard_entry *entry, int64_t now_ms);
/* The repair failed with @words. */
void guard_failed(struct guard_entry *entry, int64_t now_ms, const char *words);
/* Repaired GUARD_REPAIRS_MAX times within the window: another repair would be a fight. */
bool guard_is_fight(const struct guard *guard, const struct guard_entry *entry, int64_t now_ms);

/* Somebody asked for an apply, or the spec changed: everything may be tried again. */
void guard_forgive(struct guard *guard);

/* The earliest retry after @now_ms, 0 if there is none. */
int64_t guard_next_retry(const struct guard *guard, int64_t now_ms);
