/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A file that is no text, as the lines of a bundle: how long it is, then 16 bytes a line, where
 * they are not all zero.
 *
 *   size 4096
 *   0x000 8680700b060010000500040600000100
 *   0x100 0d000100...
 */
#pragma once

#include <stddef.h>

#include "lib/os/os.h"

/* The lines of @size bytes, cut where @text ends. Returns 0; -E2BIG. */
int bundle_bytes_format(const unsigned char *data, size_t size, char *text, size_t room);

/* Returns how many bytes these lines are, at most @room and at least one; -EINVAL. */
int bundle_bytes_parse(const char *text, unsigned char *data, size_t room);
