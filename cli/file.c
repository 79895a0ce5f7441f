// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Reads to the end of file, not to a size told before: pipes have none, and files in /proc lie
 * about theirs.
 */
#include "cli/file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "lib/base/cleanup.h"
#include "lib/base/macro.h"
#include "lib/spec/spec.h"

enum { ROOM_FIRST = 64 * 1024 };

static int read_all(int fd, char **ret_text, size_t *ret_size)
{
	_cleanup_free_ char *text = NULL;
	size_t room = 0, used = 0;

	for (;;) {
		ssize_t n;

		if (used == room) {
			char *grown;

			room = MIN(room ? 2 * room : (size_t)ROOM_FIRST, (size_t)SPEC_SIZE_MAX + 1);
			grown = realloc(text, room);
			if (!grown)
				return -ENOMEM;
			text = grown;
		}
		n = read(fd, text + used, room - used);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		if (n == 0)
			break;
		used += (size_t)n;
		if (used > SPEC_SIZE_MAX)
			return -EFBIG;
	}
	*ret_text = TAKE_PTR(text);
	*ret_size = used;
	return 0;
}

int file_read(const char *path, char **ret_text, size_t *ret_size)
{
	int fd, r;

	if (strcmp(path, FILE_STDIN) == 0)
		return read_all(STDIN_FILENO, ret_text, ret_size);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	r = read_all(fd, ret_text, ret_size);
	(void)close(fd);
	return r;
}

int file_in_memory(const char *name, const char *text, size_t size)
{
	int fd = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
	size_t done = 0;

	if (fd < 0)
		return -errno;
	while (done < size) {
		ssize_t n = write(fd, text + done, size - done);

		if (n <= 0) {
			(void)close(fd);
			return -EIO;
		}
		done += (size_t)n;
	}
	(void)lseek(fd, 0, SEEK_SET);
	return fd;
}
