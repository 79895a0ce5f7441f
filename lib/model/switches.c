// SPDX-License-Identifier: LGPL-2.1-or-later
/* Lists of switches and of what was found on them. */
#include "lib/model/switches.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/cleanup.h"

const char *manage_name(enum manage manage)
{
	static const char *const names[] = {
		[MANAGE_PUSH] = "push", [MANAGE_READ] = "read", [MANAGE_RENDER] = "render",
	};

	return names[manage];
}

void switch_state_clear(struct switch_state *state)
{
	free(TAKE_PTR(state->findings));
	state->n = state->room = 0;
	state->read_s = 0;
	*state->reason = *state->warning = '\0';
}

void switch_states_done(struct switch_states *states)
{
	for (size_t i = 0; i < states->n; i++) {
		switch_state_clear(&states->list[i]);
		free(states->list[i].cables);
	}
	free(states->list);
	*states = (struct switch_states){};
}

struct switch_state *switch_states_add(struct switch_states *states, const char *name)
{
	struct switch_state *state;

	if (array_grow(&states->list, states->n, &states->room, sizeof(*states->list)) < 0)
		return NULL;
	state = &states->list[states->n++];
	*state = (struct switch_state){ .verdict = VERDICT_UNKNOWN };
	(void)snprintf(state->name, sizeof(state->name), "%s", name);
	return state;
}

int switch_states_copy(const struct switch_states *states, struct switch_states *ret)
{
	struct switch_states copy = {};

	for (size_t i = 0; i < states->n; i++) {
		const struct switch_state *from = &states->list[i];
		struct switch_state *to = switch_states_add(&copy, from->name);
		int r = to ? 0 : -ENOMEM;

		if (to) {
			*to = *from;
			to->findings = NULL;
			to->cables = NULL;
			to->n = to->room = to->n_cables = to->cables_room = 0;
		}
		for (size_t k = 0; r == 0 && k < from->n_cables; k++)
			r = switch_state_add_cable(to, &from->cables[k]);
		for (size_t k = 0; r == 0 && k < from->n; k++)
			r = switch_state_add(to, &from->findings[k]);
		if (r < 0) {
			switch_states_done(&copy);
			return r;
		}
	}
	*ret = copy;
	return 0;
}

struct switch_state *switch_states_find(const struct switch_states *states, const char *name)
{
	for (size_t i = 0; i < states->n; i++)
		if (strcmp(states->list[i].name, name) == 0)
			return &states->list[i];
	return NULL;
}

int switch_state_add(struct switch_state *state, const struct switch_finding *finding)
{
	if (array_grow(&state->findings, state->n, &state->room, sizeof(*state->findings)) < 0)
		return -ENOMEM;
	state->findings[state->n++] = *finding;
	return 0;
}

int switch_state_add_cable(struct switch_state *state, const struct switch_cable *cable)
{
	if (array_grow(&state->cables, state->n_cables, &state->cables_room,
		       sizeof(*state->cables)) < 0)
		return -ENOMEM;
	state->cables[state->n_cables++] = *cable;
	return 0;
}

const struct switch_finding *switch_state_find(const struct switch_state *state, const char *port,
					       enum switch_knob knob)
{
	for (size_t i = 0; i < state->n; i++)
		if (state->findings[i].knob == knob && strcmp(state->findings[i].port, port) == 0)
			return &state->findings[i];
	return NULL;
}

bool switch_state_is_asked(const struct switch_state *state)
{
	return state->calm == SWITCH_ASKED && state->mine && state->manage != MANAGE_RENDER;
}

bool switch_states_any_asked(const struct switch_states *states)
{
	for (size_t i = 0; i < states->n; i++)
		if (switch_state_is_asked(&states->list[i]))
			return true;
	return false;
}

bool switch_state_differs(const struct switch_state *state)
{
	for (size_t i = 0; i < state->n; i++)
		if (state->findings[i].verdict == VERDICT_DRIFT)
			return true;
	return false;
}

bool switch_finding_is_change(const struct switch_state *state,
			      const struct switch_finding *finding)
{
	return finding->verdict == VERDICT_DRIFT && state->manage == MANAGE_PUSH;
}

static bool is_required(enum switch_knob knob)
{
	return knob < SWITCH_KNOB_MAX && switch_knob_table[knob].required;
}

enum exit_status switch_finding_exit(const struct switch_finding *finding)
{
	if (finding->verdict == VERDICT_UNSUPPORTED && is_required(finding->knob))
		return STATUS_FAILED;
	return verdict_exit(finding->verdict);
}

void switch_state_date(struct switch_state *state, const struct switch_state *before, int64_t now_s)
{
	bool same = before->verdict == state->verdict && before->since_s;

	state->since_s = same ? before->since_s : now_s;
	for (size_t i = 0; i < state->n; i++) {
		struct switch_finding *finding = &state->findings[i];
		const struct switch_finding *old;

		old = switch_state_find(before, finding->port, finding->knob);
		same = old && old->verdict == finding->verdict && old->since_s;
		finding->since_s = same ? old->since_s : now_s;
	}
}

/* A switch that somebody else asks, or nobody has to, is not this node's trouble. */
static enum exit_status own_exit(const struct switch_state *state)
{
	struct switch_finding whole = { .knob = SWITCH_KNOB_MAX, .verdict = state->verdict };

	return state->calm == SWITCH_ASKED ? switch_finding_exit(&whole) : STATUS_OK;
}

enum exit_status switch_state_exit(const struct switch_state *state)
{
	enum exit_status worst = own_exit(state);

	for (size_t i = 0; i < state->n; i++)
		worst = exit_worse(worst, switch_finding_exit(&state->findings[i]));
	return worst;
}

enum verdict switch_state_verdict(const struct switch_state *state)
{
	enum exit_status worst = switch_state_exit(state);

	if (worst == own_exit(state) && (worst != STATUS_OK || state->n == 0))
		return state->verdict;
	for (size_t i = 0; i < state->n; i++)
		if (worst != STATUS_OK && switch_finding_exit(&state->findings[i]) == worst)
			return state->findings[i].verdict;
	return VERDICT_IN_SYNC;
}
