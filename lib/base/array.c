// SPDX-License-Identifier: LGPL-2.1-or-later
/* Growing arrays; knows nothing of what they hold. */
#include "lib/base/array.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { ROOM_FIRST = 8 };

int array_grow(void *list, size_t n, size_t *room, size_t size_bytes)
{
	size_t wanted = *room ? *room * 2 : ROOM_FIRST;
	void *old, *grown;

	if (n < *room)
		return 0;
	memcpy(&old, list, sizeof(old));
	grown = reallocarray(old, wanted, size_bytes);
	if (!grown)
		return -ENOMEM;
	memset((char *)grown + *room * size_bytes, 0, (wanted - *room) * size_bytes);
	memcpy(list, &grown, sizeof(grown));
	*room = wanted;
	return 0;
}
