/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The inverse of resolve: from what was found on this node to a fabric file that asks for just
 * that, so that the plan is empty. Pure. What a file cannot say, or cannot say without changing
 * something, is left out, and why is a note.
 */
#pragma once

#include "lib/model/lldp.h"
#include "lib/model/state.h"

enum { IMPORT_NOTE_MAX = 512 };

/* What was not taken. */
struct import_note {
	char who[IMPORT_NOTE_MAX];	/* targets: "ens1f0np0, ens1f1np1" */
	char what[IMPORT_NOTE_MAX];	/* knobs with values: "pfc (none), cable_length (7m)" */
	char why[IMPORT_NOTE_MAX];
};

struct import_notes {
	struct import_note *list;
	size_t n;
	size_t room;
};

struct import;

/* Everything that can be found of the ports of @inventory, to be observed. 0 or -ENOMEM. */
int import_want(const struct inventory *inventory, struct states *ret);

/*
 * Begin with what was @found of what import_want() asks for; both, and @neighbors (NULL: LLDP is
 * not known), have to outlive the import. @fabric NULL: a name that is to be changed.
 * Returns 0; -EINVAL if @node is no name of a file; -ENOMEM.
 */
int import_new(const struct inventory *inventory, const struct states *found, const char *node,
	       const char *fabric, const struct lldp_neighbors *neighbors, struct import **ret);

/* Takes NULL, returns NULL. */
struct import *import_free(struct import *import);

static inline void import_freep(struct import **import)
{
	*import = import_free(*import);
}

/*
 * The file: leaves out whatever the plan would change, until it is empty. @ret_size bytes, which
 * the caller frees. Returns 0; -ENODATA if nothing is left that a file could ask for; -ENOMEM.
 */
int import_text(struct import *import, char **ret, size_t *ret_size);

/* How many ports it is about. */
size_t import_port_count(const struct import *import);

/* Of what import_text() made last. */
const struct import_notes *import_notes(const struct import *import);
