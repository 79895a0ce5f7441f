/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* All of a text, however many calls it takes. */
#pragma once

#include <stddef.h>

/* Returns 0; a negative errno, and then an unknown part of @text may be written. */
int write_whole(int fd, const char *text, size_t size);

/* The same, and then on the disk. */
int write_lasting(int fd, const char *text, size_t size);
