// SPDX-License-Identifier: LGPL-2.1-or-later
/* Writing goes on where it was interrupted, or only a part was taken. */
#include "lib/base/write.h"

#include <errno.h>
#include <unistd.h>

int write_whole(int fd, const char *text, size_t size)
{
	while (size > 0) {
		ssize_t n = write(fd, text, size);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n < 0 ? -errno : -EIO;
		text += n;
		size -= (size_t)n;
	}
	return 0;
}

int write_lasting(int fd, const char *text, size_t size)
{
	int r = write_whole(fd, text, size);

	return r == 0 && fsync(fd) < 0 ? -errno : r;
}
