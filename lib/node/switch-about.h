/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The switches of the file and their dialects, for people. Nobody is asked; dialects are read. */
#pragma once

#include "lib/model/switch-about.h"
#include "lib/spec/switch.h"

/*
 * All switches of @spec as the node @node sees them, with dialects from @folders ("A:B"). What is
 * wrong with one is said of it. Returns 0 and @ret, or -ENOMEM.
 */
int switches_about(const struct spec *spec, const char *node, const char *folders,
		   struct switch_abouts *ret);
