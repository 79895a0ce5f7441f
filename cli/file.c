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
#include "lib/base/write.h"
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

/* Closes @fd. What cannot be written whole, to the disk, does not stay. */
static int fill(int fd, const char *path, const char *text, size_t size)
{
	int r = write_whole(fd, text, size);

	if (r == 0 && fsync(fd) < 0 && errno != EINVAL)
		r = -errno;
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

/*
 * The file at @path, by the links that lead to it: those stay. Returns 1; 0 if nothing is there;
 * -EEXIST if that is no file, as a device, which root could replace.
 */
static int find_old(const char *path, char **ret, struct stat *ret_old)
{
	*ret = realpath(path, NULL);
	if (*ret && stat(*ret, ret_old) == 0)
		return S_ISREG(ret_old->st_mode) ? 1 : -EEXIST;
	if (errno != ENOENT)
		return -errno;
	if (lstat(path, ret_old) == 0)
		return -EEXIST;
	free(*ret);
	*ret = strdup(path);
	return *ret ? 0 : -ENOMEM;
}

int file_replace(const char *path, const char *text, size_t size)
{
	_cleanup_free_ char *place = NULL, *beside = NULL;
	mode_t mask = umask(0);
	struct stat old;
	int fd, r;

	(void)umask(mask);
	r = find_old(path, &place, &old);
	if (r < 0)
		return r;
	if (asprintf(&beside, "%s.XXXXXX", place) < 0) {
		beside = NULL;
		return -ENOMEM;
	}
	fd = mkostemp(beside, O_CLOEXEC);
	if (fd < 0)
		return -errno;
	/* Only root can give it to somebody else */
	if (r > 0 && fchown(fd, old.st_uid, old.st_gid) < 0)
		r = 1;
	(void)fchmod(fd, r > 0 ? old.st_mode & ACCESSPERMS : FILE_MODE & ~mask);
	r = fill(fd, beside, text, size);
	if (r == 0 && rename(beside, place) < 0) {
		r = -errno;
		(void)unlink(beside);
	}
	return r;
}

int file_in_memory(const char *name, const char *text, size_t size)
{
	int fd = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);

	if (fd < 0)
		return -errno;
	if (write_whole(fd, text, size) < 0) {
		(void)close(fd);
		return -EIO;
	}
	(void)lseek(fd, 0, SEEK_SET);
	return fd;
}
