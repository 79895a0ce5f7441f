/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Growing arrays: { T *list; size_t n; size_t room; } in the owner's struct. */
#pragma once

#include <stddef.h>

/*
 * Make room for one element more behind @n elements of @size_bytes in *@list (NULL at first),
 * doubling @room.
 *
 * Returns 0, or -ENOMEM with everything as it was. New elements are zero.
 */
int array_grow(void *list, size_t n, size_t *room, size_t size_bytes);
