// SPDX-License-Identifier: LGPL-2.1-or-later
/* Files with secrets. Nothing here tells what is in them. */
#include "lib/switch/credential.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/base/cleanup.h"
#include "lib/base/macro.h"

/* The ID in losslessd-switch.service; systemd puts "_" and the file's name behind it. */
#define SYSTEMD_PREFIX "switch_"

struct where {
	const char *folder;
	bool systemd;
	char file[CREDENTIAL_NAME_MAX + sizeof(SYSTEMD_PREFIX)];
};

void credential_done(struct credential *credential)
{
	if (credential->text) {
		explicit_bzero(credential->text, credential->room);
		(void)munmap(credential->text, credential->room);
	}
	*credential = (struct credential){};
}

static bool is_name(const char *name)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				      "0123456789._-";

	return *name && *name != '.' && !name[strspn(name, letters)] &&
	       strlen(name) <= CREDENTIAL_NAME_MAX;
}

static int where_is(const char *folder, const char *name, struct where *ret, char *why, size_t size)
{
	if (!is_name(name)) {
		(void)snprintf(why, size,
			       "the name of a credential has letters, digits, \".\", "
			       "\"_\" and \"-\", and at most %d of them",
			       CREDENTIAL_NAME_MAX);
		return -EINVAL;
	}
	*ret = (struct where){ .folder = folder, .systemd = !folder };
	if (!folder)
		ret->folder = secure_getenv("CREDENTIALS_DIRECTORY");
	if (!ret->folder || *ret->folder != '/') {
		(void)snprintf(why, size, "credential \"%s\": there is no folder of credentials",
			       name);
		return -ENOENT;
	}
	(void)snprintf(ret->file, sizeof(ret->file), "%s%s", folder ? "" : SYSTEMD_PREFIX, name);
	return 0;
}

/* NULL: nothing is wrong with it. systemd's folder has what systemd gave it, ACLs included. */
static const char *objection(const struct where *where, const struct stat *info, int *ret_error)
{
	*ret_error = -EINVAL;
	if (!S_ISREG(info->st_mode))
		return "is no regular file";
	*ret_error = -EFBIG;
	if (info->st_size > CREDENTIAL_MAX)
		return "is too long";
	*ret_error = -EPERM;
	if (where->systemd)
		return NULL;
	if (info->st_uid != 0 && info->st_uid != geteuid())
		return "belongs to another user";
	if (info->st_mode & S_IRWXO)
		return "can be read by everybody: chmod o= it";
	if (info->st_mode & S_IWGRP)
		return "can be written by a group: chmod g-w it";
	return NULL;
}

/* @room more than may be read: one byte shows that there is too much, one is the zero. */
static int read_file(int fd, struct credential *credential)
{
	while (credential->size < credential->room - 1) {
		ssize_t n = read(fd, credential->text + credential->size,
				 credential->room - 1 - credential->size);

		if (n < 0 && errno != EINTR)
			return -errno;
		if (n == 0)
			break;
		credential->size += (size_t)MAX(n, (ssize_t)0);
	}
	if (credential->size > CREDENTIAL_MAX)
		return -EFBIG;
	if (memchr(credential->text, 0, credential->size))
		return -EINVAL;
	return 0;
}

/* What an editor puts there. */
static void cut_line_end(struct credential *credential)
{
	size_t n = credential->size;

	if (n > 0 && credential->text[n - 1] == '\n')
		n--;
	if (n > 0 && credential->text[n - 1] == '\r')
		n--;
	credential->text[n] = '\0';
	credential->size = n;
}

static int room_make(struct credential *ret)
{
	size_t room = CREDENTIAL_MAX + 2;
	void *text = mmap(NULL, room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (text == MAP_FAILED)
		return -ENOMEM;
	/* neither is granted everywhere, and a secret is needed all the same */
	(void)mlock(text, room);
	(void)madvise(text, room, MADV_DONTDUMP);
	*ret = (struct credential){ .text = text, .room = room };
	return 0;
}

static const char *open_error(int error)
{
	switch (error) {
	case -ENOENT:
		return "is not there";
	case -ELOOP:
		return "is a symbolic link";
	}
	return strerror(-error);
}

static int open_file(const struct where *where, const char **ret_objection)
{
	_cleanup_close_ int folder = -1;
	struct stat info;
	int fd, error;

	folder = open(where->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	fd = folder < 0 ? -1 :
			  openat(folder, where->file,
				 O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
	if (fd < 0 || fstat(fd, &info) < 0) {
		error = -errno;
		*ret_objection = open_error(error);
	} else {
		*ret_objection = objection(where, &info, &error);
		if (!*ret_objection)
			return fd;
	}
	if (fd >= 0)
		(void)close(fd);
	return error;
}

int credential_read(const char *folder, const char *name, struct credential *ret, char *ret_why,
		    size_t size)
{
	_cleanup_(credential_done) struct credential credential = {};
	_cleanup_close_ int fd = -1;
	const char *wrong = NULL;
	struct where where;
	int r;

	r = where_is(folder, name, &where, ret_why, size);
	if (r < 0)
		return r;
	fd = open_file(&where, &wrong);
	r = fd < 0 ? fd : room_make(&credential);
	if (r == 0)
		r = read_file(fd, &credential);
	if (r == 0) {
		cut_line_end(&credential);
		r = credential.size > 0 ? 0 : -ENODATA;
	}
	if (!wrong)
		wrong = r == -EFBIG   ? "is too long" :
			r == -EINVAL  ? "has a zero byte" :
			r == -ENODATA ? "is empty" :
					strerror(-r);
	if (r < 0) {
		(void)snprintf(ret_why, size, "credential \"%s\": %s/%s %s", name, where.folder,
			       where.file, wrong);
		return r == -ENODATA ? -EINVAL : r;
	}
	*ret = credential;
	credential = (struct credential){};
	return 0;
}
