// SPDX-License-Identifier: LGPL-2.1-or-later
/* What the user names, and files that are nowhere. */
#include "cli/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/base/cleanup.h"
#include "lib/base/read.h"
#include "lib/spec/spec.h"

enum { FILE_MODE = 0644 };

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

static int write_all(int fd, const char *text, size_t size)
{
	while (size > 0) {
		ssize_t n = write(fd, text, size);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		text += n;
		size -= (size_t)n;
	}
	return 0;
}

/* Closes @fd. What cannot be written whole does not stay. */
static int fill(int fd, const char *path, const char *text, size_t size)
{
	int r = write_all(fd, text, size);

	if (close(fd) < 0 && r == 0)
		r = -errno;
	if (r < 0)
		(void)unlink(path);
	return r;
}

int file_save(const char *path, const char *text, size_t size)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, FILE_MODE);

	return fd < 0 ? -errno : fill(fd, path, text, size);
}

int file_replace(const char *path, const char *text, size_t size)
{
	_cleanup_free_ char *beside = NULL;
	mode_t mask = umask(0);
	int fd, r;

	(void)umask(mask);
	if (asprintf(&beside, "%s.XXXXXX", path) < 0) {
		beside = NULL;
		return -ENOMEM;
	}
	fd = mkostemp(beside, O_CLOEXEC);
	if (fd < 0)
		return -errno;
	(void)fchmod(fd, FILE_MODE & ~mask);
	r = fill(fd, beside, text, size);
	if (r == 0 && rename(beside, path) < 0) {
		r = -errno;
		(void)unlink(beside);
	}
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
