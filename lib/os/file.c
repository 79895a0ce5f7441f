// SPDX-License-Identifier: LGPL-2.1-or-later
/* Attributes in sysfs and configfs, each read and written whole, through the calls of the seam. */
#include "lib/os/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

static bool is_text(const char *text, size_t size)
{
	for (size_t i = 0; i < size; i++)
		if (((unsigned char)text[i] < 0x20 && text[i] != '\t' && text[i] != '\n') ||
		    text[i] == 0x7f)
			return false;
	return true;
}

/*
 * Read until the end or until @size bytes are full. Attributes end with a newline: what ends so is
 * not asked for more, which would cost as much once more.
 */
static ssize_t read_all(struct os *os, int handle, char *text, size_t size)
{
	size_t n = 0;

	while (n < size) {
		ssize_t r = os->ops->read(os, handle, text + n, size - n);

		if (r < 0)
			return r;
		if (r == 0)
			break;
		n += (size_t)r;
		if (text[n - 1] == '\n')
			break;
	}
	return (ssize_t)n;
}

int os_read_text(struct os *os, const char *path, char *text, size_t size)
{
	int handle, closed;
	ssize_t n;

	handle = os->ops->open(os, path, O_RDONLY);
	if (handle < 0)
		return handle;
	n = read_all(os, handle, text, size);
	closed = os->ops->close(os, handle);
	if (n < 0)
		return (int)n;
	if (closed < 0)
		return closed;
	if ((size_t)n >= size)
		return -EFBIG;
	if (!is_text(text, (size_t)n))
		return -EILSEQ;
	while (n > 0 && text[n - 1] == '\n')
		n--;
	text[n] = '\0';
	return (int)n;
}

static int digit_of(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return -1;
}

int os_read_number(struct os *os, const char *path, uint64_t max, uint64_t *ret)
{
	unsigned int base = 10;
	const char *p;
	uint64_t value = 0;
	bool too_large = false;
	char text[64];
	int r;

	r = os_read_text(os, path, text, sizeof(text));
	if (r < 0)
		return r;
	p = text;
	if (p[0] == '0' && p[1] == 'x') {
		base = 16;
		p += 2;
	}
	if (!*p)
		return -EINVAL;
	for (; *p; p++) {
		int digit = digit_of(*p);

		if (digit < 0 || (unsigned int)digit >= base)
			return -EINVAL;
		too_large |= __builtin_mul_overflow(value, base, &value);
		too_large |= __builtin_add_overflow(value, (unsigned int)digit, &value);
	}
	if (too_large || value > max)
		return -ERANGE;
	*ret = value;
	return 0;
}

int os_write_text(struct os *os, const char *path, const char *text)
{
	char line[OS_TEXT_MAX];
	int handle, closed;
	ssize_t n;
	int size;

	size = snprintf(line, sizeof(line), "%s\n", text);
	if (size < 0 || (size_t)size >= sizeof(line))
		return -E2BIG;
	handle = os->ops->open(os, path, O_WRONLY);
	if (handle < 0)
		return handle;
	n = os->ops->write(os, handle, line, (size_t)size);
	closed = os->ops->close(os, handle);
	if (n < 0)
		return (int)n;
	return n < size ? -EIO : closed;
}

int os_read_link_name(struct os *os, const char *path, char *name, size_t size)
{
	char target[OS_PATH_MAX * 2];
	const char *last;
	ssize_t n;

	n = os->ops->read_link(os, path, target, sizeof(target));
	if (n < 0)
		return (int)n;
	last = strrchr(target, '/');
	last = last ? last + 1 : target;
	if (!*last || strlen(last) >= size)
		return -ENAMETOOLONG;
	memcpy(name, last, strlen(last) + 1);
	return 0;
}

bool os_exists(struct os *os, const char *path)
{
	int handle = os->ops->open(os, path, O_RDONLY);

	if (handle >= 0)
		(void)os->ops->close(os, handle);
	return handle >= 0 || (handle != -ENOENT && handle != -ENOTDIR);
}
