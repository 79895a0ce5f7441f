/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The one place where a file that the user names is opened. */
#pragma once

#include <stddef.h>

#define FILE_STDIN "-"

/*
 * Read a whole file, or stdin if it is called "-", of at most SPEC_SIZE_MAX bytes.
 *
 * Returns 0, the caller frees; -EFBIG above the limit; another negative errno.
 */
int file_read(const char *path, char **ret_text, size_t *ret_size);

/*
 * A file that is nowhere, with @text in it, to be read from its beginning; others may seal it.
 * Returns its descriptor or a negative errno.
 */
int file_in_memory(const char *name, const char *text, size_t size);

/* A new file for all to read. 0; -EEXIST if it is there; another negative errno with no file. */
int file_save(const char *path, const char *text, size_t size);

/*
 * The same in the place of one that may be there, by links, with its owner and rights: either of
 * the two, never a part. -EEXIST if what is there is no file.
 */
int file_replace(const char *path, const char *text, size_t size);
