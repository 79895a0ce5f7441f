/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Where dialects are: one file each, in the first of several folders that has it. */
#pragma once

#include <stddef.h>

#include "lib/switch/dialect.h"

/* The folders, with colons between: what is in the environment, else what was built in. */
const char *dialect_folders(const char *otherwise);

/*
 * Find, read and load the dialect @name. Returns 0 and @ret; -ENOENT if no folder has it; -EINVAL
 * if it is refused; another negative errno; each but -ENOMEM with a sentence in @ret_why.
 */
int dialect_read(const char *folders, const char *name, struct dialect **ret, char *ret_why,
		 size_t size);
