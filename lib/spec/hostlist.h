/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Host lists as in Slurm: gpu-[01-16,20], rack[1-2]-node[1-8], a,b. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "lib/base/arena.h"
#include "lib/spec/number.h"

enum {
	HOSTLIST_NAMES_MAX = 65536, /* of one list */
	HOSTLIST_NAME_BYTES = 320, /* of one name, with the terminator */
	HOSTLIST_BRACKETS_MAX = 4,
};

struct hostlist {
	const char **list; /* texts live in the arena that was given */
	size_t n;
	size_t room;
};

static inline bool hostlist_is_list(const char *text)
{
	for (; *text; text++)
		if (*text == '[' || *text == ']')
			return true;
	return false;
}

/*
 * Expand @text, with @commas also at commas outside of brackets. Numbers keep the width of the
 * first of their range. Returns 0; -EINVAL with what is wrong with the list; -ENOMEM. The caller
 * calls hostlist_done() in any case.
 */
int hostlist_expand(const char *text, bool commas, struct arena *arena, struct hostlist *ret,
		    struct trouble *ret_trouble);

void hostlist_done(struct hostlist *list);
