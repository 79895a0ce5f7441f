/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The fabric file: load (text to checked spec) and resolve (spec and inventory to what is wanted on
 * this node). Both are pure: no I/O, no clock. libyaml stays inside lib/spec/yaml.c.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "lib/base/diag.h"
#include "lib/model/inventory.h"
#include "lib/model/policy.h"
#include "lib/model/state.h"

enum { SPEC_SIZE_MAX = 16 * 1024 * 1024 };

struct spec;

/*
 * Read and check a fabric file of @size bytes (at most SPEC_SIZE_MAX), everything that can be known
 * without a machine. All findings go to @diags, warnings too; any error refuses the whole file.
 *
 * Returns 0 and @ret; -EINVAL with the errors in @diags; -ENOMEM.
 */
int spec_load(const char *text, size_t size, struct spec **ret, struct diags *diags);

/* Takes NULL, returns NULL. */
struct spec *spec_free(struct spec *spec);

static inline void spec_freep(struct spec **spec)
{
	*spec = spec_free(*spec);
}

const char *spec_fabric(const struct spec *spec);

/* The nodes that the file names, each once, in lower case and sorted; "*" is none of them. */
size_t spec_node_count(const struct spec *spec);
const char *spec_node_name(const struct spec *spec, size_t index);

struct desired {
	struct states states;
	struct policy policy;
	bool node_found; /* a node of the file matches this name */
	bool managed; /* a knob of a target is wanted, or a target is named and missing */
	char node[256]; /* the name that matched */
};

void desired_done(struct desired *desired);

/*
 * What the file wants of the node @node (host name, compared whole in lower case, then up to the
 * first dot) with these ports: selectors to targets, layers merged, derived knobs with their
 * reason, checks that need the inventory. A port that is named without a wildcard and is not there
 * becomes a target of its own with verdict pending; one that is InfiniBand, with verdict failed.
 * DCB of a VF is not applicable, inherited from its PF.
 *
 * Returns 0 and @ret; -EINVAL with errors in @diags (places in the file); -ENOMEM.
 */
int spec_resolve(const struct spec *spec, const struct inventory *inventory, const char *node,
		 struct desired *ret, struct diags *diags);
