// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Any text as a dialect: load, render every knob there and back, build the queries. Whatever the
 * dialect says, what would be sent is one line of printable ASCII.
 */
#include <stdio.h>
#include <stdlib.h>

#include "lib/base/macro.h"
#include "lib/switch/render.h"
#include "tests/fuzz/fuzz.h"

static const struct switch_value nothing = { .status = SWITCH_KNOWN };
static const struct switch_value unknown = { .status = SWITCH_UNREADABLE };

static void check_line(const char *text)
{
	for (; *text; text++)
		if ((unsigned char)*text < 0x20 || (unsigned char)*text >= 0x7f)
			abort();
}

static void render(const struct dialect *dialect, const struct switch_change *changes, size_t n)
{
	struct switch_script script = {};
	char why[256] = "";
	int r;

	r = switch_render(dialect, NULL, 0, changes, n, &script, why, sizeof(why));
	if (r < 0 && !*why)
		abort(); /* refused without a reason */
	for (size_t i = 0; r == 0 && i < script.n; i++)
		check_line(script.list[i].text);
	switch_script_done(&script);
}

static void render_knob(const struct dialect *dialect, enum switch_knob knob)
{
	struct switch_value value = { .status = SWITCH_KNOWN, .n = 2 };
	const char *why, *port;
	enum switch_scope scope;

	if (!dialect_has(dialect, NULL, 0, knob, &scope, &why))
		return;
	port = scope == SCOPE_PORT ? "Ethernet1/0/1" : "";
	value.n = switch_knob_table[knob].shape == SHAPE_SINGLE ? 1 : 2;
	for (size_t i = 0; i < value.n; i++)
		value.entry[i] = (struct switch_entry){ (uint32_t)i, { 1, 1, SWITCH_ABSENT } };
	render(dialect, (struct switch_change[]){ { knob, port, &unknown, &value } }, 1);
	render(dialect,
	       (struct switch_change[]){ { knob, port, &nothing, &value },
					 { knob, port, &value, &nothing } },
	       2);
}

static void ask(const struct dialect *dialect)
{
	static struct switch_target targets[2] = { {}, { .port = "Ethernet1/0/1" } };
	struct switch_queries queries = {};
	char why[256] = "";

	for (enum switch_knob knob = 0; knob < SWITCH_KNOB_MAX; knob++)
		targets[0].want[knob].status = targets[1].want[knob].status = SWITCH_KNOWN;
	if (switch_queries_build(dialect, NULL, 0, targets, 2, &queries, why, sizeof(why)) == 0)
		for (size_t i = 0; i < queries.n; i++)
			check_line(queries.list[i].text);
	switch_queries_done(&queries);
}

static void transact(const struct dialect *dialect)
{
	for (enum transaction_verb verb = 0; verb < TRANSACTION_VERB_MAX; verb++) {
		struct switch_script script = {};
		char why[256];

		if (switch_render_verb(dialect, NULL, 0, verb, 60, &script, why, sizeof(why)) == 0)
			for (size_t i = 0; i < script.n; i++)
				check_line(script.list[i].text);
		switch_script_done(&script);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct dialect *dialect = NULL;
	struct diags diags = {};

	if (dialect_load((const char *)data, size, &dialect, &diags) == 0) {
		for (enum switch_knob knob = 0; knob < SWITCH_KNOB_MAX; knob++)
			render_knob(dialect, knob);
		ask(dialect);
		transact(dialect);
		(void)dialect_free(dialect);
	} else if (!diags_has_errors(&diags)) {
		abort(); /* refused without a reason */
	}
	diags_done(&diags);
	return 0;
}
