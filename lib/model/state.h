/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A target with its knobs. What is wanted and what was found are both lists of these. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "lib/model/inventory.h"
#include "lib/model/knob.h"
#include "lib/model/verdict.h"

struct target {
	enum target_kind kind;
	char name[NAME_MAX_BYTES];	/* netdev for ports, RDMA device for RDMA targets */
	struct nic nic;
};

struct state {
	struct target target;
	struct value value[KNOB_MAX];
	/*
	 * Said of the target as a whole, in-sync if there is nothing to say ("no such device", "is
	 * InfiniBand").
	 */
	enum verdict verdict;
	char reason[VALUE_NOTE_MAX];
};

struct states {
	struct state *list;
	size_t n;
	size_t room;
};

void states_done(struct states *states);

/*
 * Append a target with all knobs unmanaged. Returns it (valid until the next call), NULL without
 * memory.
 */
struct state *states_add(struct states *states, enum target_kind kind, const struct nic *nic,
			 const char *name);

/* The target of that kind and name, NULL if there is none. */
struct state *states_find(const struct states *states, enum target_kind kind, const char *name);
