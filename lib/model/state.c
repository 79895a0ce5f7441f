// SPDX-License-Identifier: LGPL-2.1-or-later
/* Lists of targets with their knobs. */
#include "lib/model/state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"

void states_done(struct states *states)
{
	free(states->list);
	*states = (struct states){};
}

struct state *states_add(struct states *states, enum target_kind kind, const struct nic *nic,
			 const char *name)
{
	struct state *state;

	if (array_grow(&states->list, states->n, &states->room, sizeof(*states->list)) < 0)
		return NULL;
	state = &states->list[states->n++];
	*state = (struct state){ .target.kind = kind };
	if (nic)
		state->target.nic = *nic;
	(void)snprintf(state->target.name, sizeof(state->target.name), "%s", name);
	return state;
}

struct state *states_find(const struct states *states, enum target_kind kind, const char *name)
{
	for (size_t i = 0; i < states->n; i++) {
		struct state *state = &states->list[i];

		if (state->target.kind == kind && strcmp(state->target.name, name) == 0)
			return state;
	}
	return NULL;
}
