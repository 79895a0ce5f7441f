/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The one place where a file that the user names is opened. */
#pragma once

#include <stddef.h>

/*
 * Read a whole file of at most SPEC_SIZE_MAX bytes.
 *
 * Returns 0, the caller frees; -EFBIG above the limit; another negative errno.
 */
int file_read(const char *path, char **ret_text, size_t *ret_size);
