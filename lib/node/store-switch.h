/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What switches were before a generation changed them: a file beside the undo record, a line
 * SWITCH PORT KNOB VALUE (tabs between) for each value. The first that is recorded counts.
 */
#pragma once

#include "lib/model/switches.h"
#include "lib/node/store.h"

/*
 * Before the first line is sent: add @record (lines of switch_record_format()) of the switch @name.
 * On disk when this returns. Returns 0 or a negative errno with nothing added.
 */
int store_switch_add(struct store *store, const char *name, const char *record);

/* To the history: what was changed of a switch. Nothing is lost but a line if that fails. */
void store_switch_history(struct store *store, const struct switch_state *before,
			  const struct switch_state *after, const char *cause);

/* The same of all in @before, which are those of @after in the same order. */
void store_switches_history(struct store *store, const struct switch_states *before,
			    const struct switch_states *after, const char *cause);

/* All that is recorded of the generation in force; -ENOENT if nothing is. The caller frees. */
int store_switch_records(const struct store *store, char **ret);

/* Those of @name in @records, as switch_record_format() made them. Returns 0 or -ENOMEM. */
int store_switch_record(const char *records, const char *name, char **ret);

/* All switches are what they were before the generation in force: it has no record of them more. */
void store_switch_returned(struct store *store);
