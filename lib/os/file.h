/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Attributes in sysfs and configfs: short texts, read and written whole. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/os/os.h"

/*
 * Read an attribute into @text (terminated, trailing newlines removed).
 *
 * Returns its length; -EFBIG if it does not fit @size; -EILSEQ if it holds a NUL or other control
 * byte than tab and newline; another negative errno as the kernel gave it, also from close(2).
 */
int os_read_text(struct os *os, const char *path, char *text, size_t size);

/*
 * Read a decimal or 0x number. Returns 0; -EINVAL if the text is not exactly one; -ERANGE above
 * @max.
 */
int os_read_number(struct os *os, const char *path, uint64_t max, uint64_t *ret);

/*
 * Write @text and a newline with one write(2). Returns 0; -EIO on a short write; another negative
 * errno.
 */
int os_write_text(struct os *os, const char *path, const char *text);

/*
 * The last component of where a symbolic link points to. Returns 0; -ENAMETOOLONG; the errno of
 * readlink(2).
 */
int os_read_link_name(struct os *os, const char *path, char *name, size_t size);

/*
 * True if the path can be opened or listed as far as its existence goes (-EACCES exists, -ENOENT
 * does not).
 */
bool os_exists(struct os *os, const char *path);
