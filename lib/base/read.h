/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Whole files, with a limit. */
#pragma once

#include <stddef.h>

/*
 * Read @fd to its end, at most @max bytes: not to a size told before, for pipes have none, and
 * files in /proc lie about theirs.
 *
 * Returns 0 with a copy that is terminated besides, the caller frees; -EFBIG above the limit;
 * -ENOMEM; another negative errno.
 */
int read_whole(int fd, size_t max, char **ret_text, size_t *ret_size);
