/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the files of the YAML reader share. */
#pragma once

#include "lib/spec/yaml.h"

/*
 * Look for what libyaml takes or misplaces: UTF-16 and UTF-32, invalid UTF-8, NUL and other control
 * bytes, exotic line ends, a lone carriage return, %TAG (quadratic in libyaml).
 *
 * Returns 0 with the number of bytes of a byte order mark to skip, and whether there are carriage
 * returns to remove; -EINVAL with one error in @diags.
 */
int yaml_scan(const char *text, size_t size, size_t *ret_skip, bool *ret_has_cr,
	      struct diags *diags);

/* A copy without carriage returns, NULL without memory. */
char *yaml_remove_cr(const char *text, size_t size, size_t *ret_size);

/*
 * Finish a map of @n pairs in @pairs: report duplicate keys, resolve <<. The pairs are copied to
 * @arena. Returns 0 (also with duplicates); -EINVAL if a key is no text; -ENOMEM.
 */
int yaml_map_finish(struct arena *arena, const struct yaml_node *pairs, size_t n,
		    struct yaml_node *map, struct diags *diags);
