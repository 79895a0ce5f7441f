// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Durable files, below a folder's descriptor. Linux: rename(2) is atomic; fsync(2) of file and
 * folder make it last.
 */
#include "lib/node/store-file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/base/cleanup.h"
#include "lib/base/read.h"
#include "lib/base/write.h"

enum { FILE_MODE = 0644, DIR_MODE = 0755 };

int store_file_read(int dir, const char *name, size_t max, char **ret_text, size_t *ret_size)
{
	_cleanup_close_ int fd = openat(dir, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	struct stat info;

	if (fd < 0 || fstat(fd, &info) < 0)
		return -errno;
	if (!S_ISREG(info.st_mode))
		return S_ISDIR(info.st_mode) ? -EISDIR : -EINVAL;
	return read_whole(fd, max, ret_text, ret_size);
}

int store_give_to_owner(int dir, int fd)
{
	struct stat info;

	if (geteuid() != 0)
		return 0;
	if (fstat(dir, &info) < 0 || fchown(fd, info.st_uid, info.st_gid) < 0)
		return -errno;
	return 0;
}

int store_file_replace(int dir, const char *name, const char *text, size_t size)
{
	_cleanup_close_ int fd = -1;
	char temporary[NAME_MAX];
	int r;

	(void)snprintf(temporary, sizeof(temporary), ".%s.new", name);
	(void)unlinkat(dir, temporary, 0);
	fd = openat(dir, temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW,
		    FILE_MODE);
	if (fd < 0)
		return -errno;
	r = store_give_to_owner(dir, fd);
	if (r == 0)
		r = write_lasting(fd, text, size);
	if (r == 0 && renameat(dir, temporary, dir, name) < 0)
		r = -errno;
	if (r < 0) {
		(void)unlinkat(dir, temporary, 0);
		return r;
	}
	return fsync(dir) < 0 ? -errno : 0;
}

int store_file_append(int dir, const char *name, const char *text, size_t size)
{
	_cleanup_close_ int fd = openat(
		dir, name, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW, FILE_MODE);
	struct stat info;
	char last = '\n';
	int r;

	if (fd < 0 || fstat(fd, &info) < 0)
		return -errno;
	r = store_give_to_owner(dir, fd);
	if (r < 0)
		return r;
	if (info.st_size && pread(fd, &last, 1, info.st_size - 1) < 0)
		return -errno;
	if (last != '\n')
		r = write_lasting(fd, "\n", 1);
	if (r == 0)
		r = write_lasting(fd, text, size);
	/* What cannot be taken back ends before the next line */
	if (r < 0 && ftruncate(fd, info.st_size) == 0)
		(void)fsync(fd);
	return r;
}

int store_file_halve(int dir, const char *name, size_t size_max)
{
	_cleanup_free_ char *text = NULL;
	struct stat info;
	const char *line;
	size_t size;
	int r;

	if (fstatat(dir, name, &info, AT_SYMLINK_NOFOLLOW) < 0)
		return -errno;
	if (info.st_size <= (off_t)size_max)
		return 0;
	r = store_file_read(dir, name, (size_t)info.st_size, &text, &size);
	if (r < 0)
		return r;
	line = size > size_max / 2 ? memchr(text + size - size_max / 2, '\n', size_max / 2) : NULL;
	if (!line)
		return 0;
	line++;
	return store_file_replace(dir, name, line, size - (size_t)(line - text));
}

static int make_parents(const char *path)
{
	char part[PATH_MAX];

	if (strlen(path) >= sizeof(part))
		return -ENAMETOOLONG;
	for (const char *end = strchr(path + 1, '/'); end; end = strchr(end + 1, '/')) {
		(void)snprintf(part, sizeof(part), "%.*s", (int)(end - path), path);
		if (mkdir(part, DIR_MODE) < 0 && errno != EEXIST)
			return -errno;
	}
	return mkdir(path, DIR_MODE) < 0 && errno != EEXIST ? -errno : 0;
}

int store_dir_open(const char *path, int make)
{
	int fd, r;

	if (make) {
		r = make_parents(path);
		if (r < 0)
			return r;
	}
	fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}
