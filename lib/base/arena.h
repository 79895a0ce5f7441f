/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Memory that is released all at once: a list of blocks, each filled from its start. Zero it before
 * use. */
#pragma once

#include <stddef.h>

struct arena_block;

struct arena {
	struct arena_block *blocks;
	size_t used;
	size_t room;
};

void arena_done(struct arena *arena);

/* @size bytes, aligned for pointers, not zeroed; NULL without memory. */
void *arena_alloc(struct arena *arena, size_t size);

/* A terminated copy of @size bytes, unaligned so that short texts pack; NULL without memory. */
char *arena_text(struct arena *arena, const char *text, size_t size);
