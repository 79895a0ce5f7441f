// SPDX-License-Identifier: LGPL-2.1-or-later
/* open, read, write and the like on the simulated tree, with the rights and errors of sysfs and
 * configfs. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/macro.h"
#include "lib/os/fake-private.h"

static const char cm_root[] = "/sys/kernel/config/rdma_cm/";
static const char debug_root[] = "/sys/kernel/debug/";

static struct fake_handle *take_handle(struct fake *fake, int *ret)
{
	for (size_t i = 0; i < ARRAY_SIZE(fake->handle); i++)
		if (!fake->handle[i].used) {
			fake->handle[i] = (struct fake_handle){ .used = true };
			*ret = (int)i;
			return &fake->handle[i];
		}
	return NULL;
}

static struct fake_handle *find_handle(struct fake *fake, int handle)
{
	if (handle < 0 || handle >= FAKE_HANDLES || !fake->handle[handle].used)
		return NULL;
	return &fake->handle[handle];
}

/* Nobody but root sees what is in there; under lockdown nobody opens what others may not read. */
static bool is_debugfs(const char *path)
{
	return !strncmp(path, debug_root, sizeof(debug_root) - 1);
}

/* Below what cannot be read nothing can be looked for. */
static int no_entry(struct fake *fake, const char *path)
{
	char above[OS_PATH_MAX];
	char *slash;

	(void)snprintf(above, sizeof(above), "%s", path);
	while ((slash = strrchr(above, '/'))) {
		const struct fake_inode *inode;

		*slash = '\0';
		inode = fake_tree_find(fake, above, true);
		if (inode)
			return inode->error ? -inode->error : -ENOENT;
	}
	return -ENOENT;
}

static int check_open(struct fake *fake, const char *path, bool writes)
{
	const struct fake_inode *inode = fake_tree_find(fake, path, true);

	if (is_debugfs(path) && !fake->os.privileged)
		return -EACCES;
	if (!inode)
		return no_entry(fake, path);
	if (is_debugfs(path) && inode->kind == FAKE_FILE && fake->lockdown)
		return -EPERM;
	if (inode->error == EPERM || inode->error == EACCES)
		return -inode->error;
	if (!writes)
		return 0;
	if (inode->kind == FAKE_DIR)
		return -EISDIR;
	return inode->writable && fake->os.privileged ? 0 : -EACCES;
}

int fake_open(struct os *os, const char *path, int flags)
{
	bool writes = (flags & O_ACCMODE) != O_RDONLY;
	struct fake *fake = fake_of(os);
	struct fake_handle *handle;
	struct fake_verdict verdict;
	int number, r;

	verdict = fake_enter(fake, FAKE_OPEN, path);
	/* A read-only file system lets itself be read */
	if (verdict.fate >= FAKE_FAIL && (writes || verdict.error != -EROFS))
		return verdict.error;
	r = check_open(fake, path, writes);
	if (r < 0)
		return r;
	if (strlen(path) >= sizeof(handle->path))
		return -ENAMETOOLONG;
	handle = take_handle(fake, &number);
	if (!handle)
		return -EMFILE;
	handle->writes = writes;
	strcpy(handle->path, path);
	return number;
}

/* Returns the length. */
static int render(const struct fake_inode *inode, char *text, size_t size)
{
	if (inode->error)
		return -inode->error;
	if (inode->kind == FAKE_DIR)
		return -EISDIR;
	if (inode->size) {
		memcpy(text, inode->text, MIN(inode->size, size));
		return (int)MIN(inode->size, size);
	}
	if (!inode->text && inode->attribute)
		return inode->attribute->show(inode->device, inode->index, text, size);
	return snprintf(text, size, "%s", inode->text ? inode->text : "");
}

ssize_t fake_read(struct os *os, int number, void *data, size_t size)
{
	struct fake *fake = fake_of(os);
	struct fake_handle *handle = find_handle(fake, number);
	const struct fake_inode *inode;
	struct fake_verdict verdict;
	char text[OS_TEXT_MAX + 1];
	size_t left;
	int n;

	if (!handle || handle->writes)
		return -EBADF;
	verdict = fake_enter(fake, FAKE_READ, handle->path);
	if (verdict.fate >= FAKE_FAIL)
		return verdict.error;
	inode = fake_tree_find(fake, handle->path, true);
	if (!inode)
		return -ENODEV; /* it went away while it was open */
	n = render(inode, text, sizeof(text));
	if (n < 0)
		return n;
	n = MIN(n, OS_TEXT_MAX);
	left = (size_t)n > handle->offset ? (size_t)n - handle->offset : 0;
	left = MIN(left, size);
	memcpy(data, text + handle->offset, left);
	handle->offset += left;
	return (ssize_t)left;
}

/* Returns 0; what the attribute says. */
static int store(struct fake_inode *inode, const char *text, bool less)
{
	char *copy;
	int r;

	if (inode->attribute && inode->attribute->store) {
		r = inode->attribute->store(inode->device, inode->index, text, less);
		if (r < 0)
			return r;
		free(inode->text);
		inode->text = NULL;
		return 0;
	}
	copy = strdup(text);
	if (!copy)
		return -ENOMEM;
	free(inode->text);
	inode->text = copy;
	return 0;
}

ssize_t fake_write(struct os *os, int number, const void *data, size_t size)
{
	struct fake *fake = fake_of(os);
	struct fake_handle *handle = find_handle(fake, number);
	struct fake_verdict verdict;
	struct fake_inode *inode;
	char text[OS_TEXT_MAX + 1];
	int r;

	if (!handle || !handle->writes)
		return -EBADF;
	verdict = fake_enter(fake, FAKE_WRITE, handle->path);
	if (verdict.fate >= FAKE_FAIL)
		return verdict.error;
	if (verdict.fate == FAKE_SKIP)
		return (ssize_t)size;
	inode = fake_tree_find(fake, handle->path, true);
	if (!inode)
		return -ENODEV;
	if (size >= sizeof(text))
		return -EINVAL;
	memcpy(text, data, size);
	text[size] = '\0';
	r = store(inode, text, verdict.fate == FAKE_LESS);
	return r < 0 ? r : (ssize_t)size;
}

int fake_close(struct os *os, int number)
{
	struct fake *fake = fake_of(os);
	struct fake_handle *handle = find_handle(fake, number);
	struct fake_verdict verdict;

	if (!handle)
		return -EBADF;
	handle->used = false;
	verdict = fake_enter(fake, FAKE_CLOSE, handle->path);
	return verdict.fate >= FAKE_FAIL ? verdict.error : 0;
}

/* Only configfs makes directories, and only for an ib_device that exists. */
static int make_group(struct fake *fake, const char *path)
{
	const char *name = path + sizeof(cm_root) - 1;
	struct fake_device *device;

	if (strncmp(path, cm_root, sizeof(cm_root) - 1))
		return -EPERM;
	if (!fake_tree_find(fake, "/sys/kernel/config/rdma_cm", true))
		return -ENOENT;
	if (fake_tree_find(fake, path, true))
		return -EEXIST;
	device = fake_find_rdma(fake, name);
	return device && device->rdma.present ? fake_sysfs_cm_group(device) : -ENODEV;
}

int fake_make_dir(struct os *os, const char *path)
{
	struct fake *fake = fake_of(os);
	struct fake_verdict verdict = fake_enter(fake, FAKE_MAKE_DIR, path);

	if (verdict.fate >= FAKE_FAIL)
		return verdict.error;
	if (verdict.fate == FAKE_SKIP)
		return 0;
	return os->privileged ? make_group(fake, path) : -EACCES;
}

ssize_t fake_read_link(struct os *os, const char *path, char *text, size_t size)
{
	const struct fake_inode *inode = fake_tree_find(fake_of(os), path, false);
	size_t length;

	if (!inode)
		return -ENOENT;
	if (inode->kind != FAKE_LINK)
		return -EINVAL;
	length = strlen(inode->text);
	if (length >= size)
		return -ENAMETOOLONG;
	memcpy(text, inode->text, length + 1);
	return (ssize_t)length;
}

int fake_list(struct os *os, const char *path, int (*each)(const char *name, void *data),
	      void *data)
{
	struct fake *fake = fake_of(os);
	const struct fake_inode *directory, *child, *next;
	struct fake_verdict verdict;
	int r;

	verdict = fake_enter(fake, FAKE_OPEN, path);
	if (verdict.fate >= FAKE_FAIL && verdict.error != -EROFS)
		return verdict.error;
	directory = fake_tree_find(fake, path, true);
	if (is_debugfs(path) && !os->privileged)
		return -EACCES;
	if (!directory)
		return no_entry(fake, path);
	if (directory->error)
		return -directory->error;
	if (directory->kind != FAKE_DIR)
		return -ENOTDIR;
	for (child = directory->children; child; child = next) {
		next = child->next;
		r = each(child->name, data);
		if (r != 0)
			return r;
	}
	return 0;
}
