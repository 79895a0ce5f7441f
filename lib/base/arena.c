// SPDX-License-Identifier: LGPL-2.1-or-later
/* Memory that is released all at once. */
#include "lib/base/arena.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/macro.h"

enum { BLOCK_BYTES = 64 * 1024 };

struct arena_block {
	struct arena_block *next;
	char data[] __attribute__((__aligned__(sizeof(void *))));
};

void arena_done(struct arena *arena)
{
	struct arena_block *next;

	for (struct arena_block *block = arena->blocks; block; block = next) {
		next = block->next;
		free(block);
	}
	*arena = (struct arena){};
}

static void *arena_take(struct arena *arena, size_t size, size_t align)
{
	size_t start = (arena->used + align - 1) / align * align;
	struct arena_block *block;

	if (!arena->blocks || start > arena->room || size > arena->room - start) {
		size_t room = MAX(size, (size_t)BLOCK_BYTES);

		block = malloc(sizeof(*block) + room);
		if (!block)
			return NULL;
		block->next = arena->blocks;
		*arena = (struct arena){ .blocks = block, .room = room };
		start = 0;
	}
	arena->used = start + size;
	return arena->blocks->data + start;
}

void *arena_alloc(struct arena *arena, size_t size)
{
	return arena_take(arena, size, sizeof(void *));
}

char *arena_text(struct arena *arena, const char *text, size_t size)
{
	char *copy = arena_take(arena, size + 1, 1);

	if (!copy)
		return NULL;
	memcpy(copy, text, size);
	copy[size] = '\0';
	return copy;
}
