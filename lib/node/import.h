/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The inverse of resolve: from what was found on this node to a fabric file that asks for just
 * that, so that the plan is empty. Pure. What a file cannot say, or cannot say without changing
 * something, is left out, and why is a note.
 */
#pragma once

#include "lib/model/lldp.h"
#include "lib/model/state.h"
#include "lib/model/switches.h"
#include "lib/spec/spec.h"

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

/*
 * A switch of @spec, which says how it is reached and what is cabled to it; what the spec wants of
 * it does not count. Returns 0 or -ENOMEM.
 */
int import_switch_add(struct import *import, const struct spec *spec, size_t index);

/* A file that asks of its switches for all that can be asked, so that the answers are what is. */
int import_probe(struct import *import, char **ret, size_t *ret_size);

/* What a switch answered to that. Returns 0 or -ENOMEM. */
int import_switch_found(struct import *import, const struct switch_state *state);

/*
 * What it answered to import_text(): leaves out what would be changed. Returns how much that is, so
 * that 0 is a file that changes nothing (but tells what the dialect cannot do); -ENOMEM.
 */
int import_switch_judge(struct import *import, const struct switch_state *state);

/* Of what import_text() made last. */
const struct import_notes *import_notes(const struct import *import);
