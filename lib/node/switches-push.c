// SPDX-License-Identifier: LGPL-2.1-or-later
/* What is done with all switches of a node: read, push, return, confirm. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/cleanup.h"
#include "lib/node/store-switch.h"
#include "lib/node/switches.h"

static void fail(struct switch_state *state, enum verdict verdict, const char *words)
{
	state->verdict = verdict;
	(void)snprintf(state->reason, sizeof(state->reason), "%s", words);
}

static unsigned int patience_ms(const struct switch_run *run)
{
	return run->patience_ms ?: SWITCH_WAIT_MS;
}

/* More than losslessd-switch does at a time wait here for their turn. */
static void ask(struct switch_run *run, size_t index, enum switch_verb verb, const char *text,
		size_t size, const char *record, uint32_t trial_s)
{
	int r = 0;

	if (run->n_open >= SWITCH_AT_ONCE)
		r = switch_run_wait(run, SWITCH_AT_ONCE - 1, patience_ms(run));
	if (r >= 0)
		r = switch_run_ask(run, index, verb, text, size, record, trial_s);

	if (r < 0)
		fail(&run->states->list[index], VERDICT_UNKNOWN,
		     "losslessd-switch cannot be asked");
}

/* Who has not answered goes on by itself. */
static void wait_for_all(struct switch_run *run)
{
	int r = switch_run_wait(run, 0, patience_ms(run));

	if (r == 0 || r == -ECONNRESET)
		return;
	for (size_t i = 0; i < run->states->n; i++)
		if (run->job[i])
			fail(&run->states->list[i], VERDICT_PENDING,
			     r == -ECANCELED ? "stopped before it answered" :
					       "has not answered yet");
}

void switches_read(struct switch_run *run, const char *text, size_t size)
{
	for (size_t i = 0; i < run->states->n; i++)
		if (switch_state_is_asked(&run->states->list[i]))
			ask(run, i, SWITCH_READ, text, size, NULL, 0);
	wait_for_all(run);
}

/* Its way back is on disk before its first line. */
static bool record(struct store *store, struct switch_state *state)
{
	_cleanup_free_ char *lines = NULL;
	int r = 0;

	if (store)
		r = switch_record_format(state, &lines);
	if (store && r == 0)
		r = store_switch_add(store, state->name, lines);
	if (r < 0)
		fail(state, VERDICT_FAILED,
		     "what it is now cannot be recorded, so that nothing was changed");
	return r == 0;
}

void switches_push(struct switch_run *run, struct store *store, const char *text, size_t size,
		   uint32_t trial_s, struct switch_states *ret_before)
{
	(void)switch_states_copy(run->states, ret_before);
	for (size_t i = 0; i < run->states->n; i++) {
		struct switch_state *state = &run->states->list[i];

		if (switch_state_is_asked(state) && state->manage == MANAGE_PUSH &&
		    switch_state_differs(state) &&
		    record(store, state))
			ask(run, i, SWITCH_PUSH, text, size, NULL, trial_s);
	}
	wait_for_all(run);
}

/* What a line PORT KNOB VALUE of @lines changes of @state, as a finding of @before. */
static void add_return(const struct switch_state *state, const char *line, size_t size,
		       struct switch_state *before)
{
	struct switch_finding finding = { .verdict = VERDICT_DRIFT };
	const struct switch_finding *known;
	char text[FINDING_TEXT_MAX + 128], *knob, *value;

	if (size >= sizeof(text))
		return;
	memcpy(text, line, size);
	text[size] = '\0';
	knob = strchr(text, '\t');
	value = knob ? strchr(knob + 1, '\t') : NULL;
	if (!value)
		return;
	*knob++ = *value++ = '\0';
	finding.knob = switch_knob_find(knob);
	(void)snprintf(finding.port, sizeof(finding.port), "%.*s", (int)sizeof(finding.port) - 1,
		       text);
	(void)snprintf(finding.want, sizeof(finding.want), "%s", value);
	known = switch_state_find(state, finding.port, finding.knob);
	(void)snprintf(finding.have, sizeof(finding.have), "%s", known ? known->have : "");
	if (strcmp(finding.have, finding.want) != 0)
		(void)switch_state_add(before, &finding);
}

static void foresee(const struct switch_states *states, const char *records,
		    struct switch_states *ret)
{
	if (switch_states_copy(states, ret) < 0)
		return;
	for (size_t i = 0; i < states->n; i++) {
		_cleanup_free_ char *lines = NULL;

		switch_state_clear(&ret->list[i]);
		if (store_switch_record(records, states->list[i].name, &lines) < 0)
			continue;
		for (const char *line = lines; *line; line += strcspn(line, "\n") + 1)
			add_return(&states->list[i], line, strcspn(line, "\n"), &ret->list[i]);
	}
}

void switches_claim(struct switch_states *states, const char *records)
{
	for (size_t i = 0; i < states->n; i++) {
		struct switch_state *state = &states->list[i];
		_cleanup_free_ char *lines = NULL;

		if (state->calm != SWITCH_OF_ANOTHER ||
		    store_switch_record(records, state->name, &lines) < 0 || !*lines)
			continue;
		state->mine = true;
		state->calm = SWITCH_ASKED;
	}
}

bool switches_return(struct switch_run *run, const char *records, const char *text, size_t size,
		     bool on_trial, struct switch_states *ret_before)
{
	bool all = true;

	switches_read(run, text, size);
	foresee(run->states, records, ret_before);
	for (size_t i = 0; i < run->states->n; i++) {
		struct switch_state *state = &run->states->list[i];
		_cleanup_free_ char *lines = NULL;

		if (!switch_state_is_asked(state) ||
		    store_switch_record(records, state->name, &lines) < 0)
			continue;
		switch_state_clear(state);
		if (*lines) {
			ask(run, i, SWITCH_RETURN, text, size, lines, on_trial);
			continue;
		}
		state->calm = SWITCH_NOT_ASKED;
		fail(state, VERDICT_NOT_APPLICABLE, "nothing on it was changed");
	}
	wait_for_all(run);
	for (size_t i = 0; i < run->states->n; i++)
		all = all && switch_state_exit(&run->states->list[i]) == STATUS_OK;
	return all;
}

void switches_confirm(struct switch_run *run, const char *records, const char *text, size_t size)
{
	for (size_t i = 0; i < run->states->n; i++) {
		struct switch_state *state = &run->states->list[i];
		_cleanup_free_ char *lines = NULL;

		if (switch_state_is_asked(state) && state->manage == MANAGE_PUSH &&
		    store_switch_record(records, state->name, &lines) == 0 && *lines)
			ask(run, i, SWITCH_CONFIRM, text, size, NULL, 0);
	}
	wait_for_all(run);
}
