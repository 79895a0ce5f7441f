// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Memory that is released all at once. Blocks grow: where there is much to keep, page by page would
 * cost more than what is kept there, so large blocks ask for huge pages.
 */
#include "lib/base/arena.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "lib/base/macro.h"

enum {
	BLOCK_FIRST = 64 * 1024,
	BLOCK_MAX = 2 * 1024 * 1024, /* a huge page on the machines that have these NICs */
};

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

/* A block with room for at least @size bytes. */
static struct arena_block *block_new(const struct arena *arena, size_t size, size_t *ret_room)
{
	size_t room = MIN(MAX(2 * arena->room, (size_t)BLOCK_FIRST), (size_t)BLOCK_MAX);
	struct arena_block *block;

	if (room < BLOCK_MAX || size > BLOCK_MAX - sizeof(*block)) {
		*ret_room = MAX(size, room);
		return malloc(sizeof(*block) + *ret_room);
	}
	block = aligned_alloc(BLOCK_MAX, BLOCK_MAX);
	if (block)
		(void)madvise(block, BLOCK_MAX, MADV_HUGEPAGE);
	*ret_room = BLOCK_MAX - sizeof(*block);
	return block;
}

static void *arena_take(struct arena *arena, size_t size, size_t align)
{
	size_t start = (arena->used + align - 1) / align * align;
	struct arena_block *block;

	if (!arena->blocks || start > arena->room || size > arena->room - start) {
		size_t room;

		block = block_new(arena, size, &room);
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
