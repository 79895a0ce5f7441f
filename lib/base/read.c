// SPDX-License-Identifier: LGPL-2.1-or-later
/* Reading to the end of file, in a buffer that grows. */
#include "lib/base/read.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "lib/base/cleanup.h"
#include "lib/base/macro.h"

enum { ROOM_FIRST = 16 * 1024 };

int read_whole(int fd, size_t max, char **ret_text, size_t *ret_size)
{
	_cleanup_free_ char *text = NULL;
	size_t room = 0, used = 0;
	ssize_t n;

	for (;;) {
		/* One byte more tells what is too long, one is for the terminator */
		if (used + 1 >= room) {
			char *grown;

			room = MIN(room ? 2 * room : (size_t)ROOM_FIRST, max + 2);
			grown = realloc(text, room);
			if (!grown)
				return -ENOMEM;
			text = grown;
		}
		n = read(fd, text + used, room - 1 - used);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		if (n == 0)
			break;
		used += (size_t)n;
		if (used > max)
			return -EFBIG;
	}
	text[used] = '\0';
	*ret_text = TAKE_PTR(text);
	*ret_size = used;
	return 0;
}
