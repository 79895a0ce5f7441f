// SPDX-License-Identifier: LGPL-2.1-or-later
/* What the user names, and files that are nowhere. */
#include "cli/file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "lib/base/cleanup.h"
#include "lib/base/read.h"
#include "lib/spec/spec.h"

int file_read(const char *path, char **ret_text, size_t *ret_size)
{
	_cleanup_close_ int fd = -1;

	if (strcmp(path, FILE_STDIN) == 0)
		return read_whole(STDIN_FILENO, SPEC_SIZE_MAX, ret_text, ret_size);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	return read_whole(fd, SPEC_SIZE_MAX, ret_text, ret_size);
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
