// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Anything as the answer of a switch: the first byte chooses a knob of a dialect that reads in
 * every way there is. A value that comes out of it is whole and within its limits.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/base/macro.h"
#include "lib/switch/render.h"
#include "tests/fuzz/fuzz.h"

static const char text[] =
	"dialect: fuzz\nverified: false\n"
	"session: {channel: shell, prompt: '$host#', error: ['^%']}\n"
	"knobs:\n"
	"  flow_control:\n    scope: port\n    set: a\n    unset: b\n"
	"    read: {send: 'a $port', row: '^ *(?<value>flow-control)$', words: {flow-control: "
	"true}, "
	"expect: '^interface', default: false}\n"
	"  trust:\n    scope: port\n    set: a\n    unset: b\n"
	"    read: {send: b, json: '/*/Eth$port/*/Trust mode'}\n"
	"  dscp_to_priority:\n    scope: port\n    each: {set: a, del: b}\n"
	"    read: {send: c, json: {at: '/dscp_prio/*', port: 2, key: 0, value: 1}, keys: ranges, "
	"default: {0-7: 1, 8-15: 0}}\n"
	"  scheduler.strict:\n    scope: port\n    each: {set: a, del: b}\n"
	"    read: {send: d, json: '/$port|$key/a~1b', default: none}\n"
	"  ecn:\n    scope: port\n    each: {set: a, del: b}\n"
	"    read: {send: e, row: '^(?<port>\\S+)? +(?<key>\\d+) +(?<min>\\S+) +(?<max>\\S+) "
	"*(?<probability>\\S*)', "
	"carry: [port], as: quantity}\n"
	"  ecn.enabled:\n    scope: port\n    each: {set: a, del: b}\n"
	"    read: {send: f, row: '^(?<port>\\S+) +(?<key>\\d+) +(?<value>\\S+)', words: {Y: true, "
	"N: false}, keys: ranges, expect: '^p', default: '0,3'}\n"
	"  buffers.lossless:\n    scope: port\n    each: {set: a, del: b}\n"
	"    read: {send: g, row: '^(?<port>\\S+) +(?<value>\\S+)', as: bitmask}\n"
	"  dscp_map:\n    scope: port\n    set: a\n    unset: b\n"
	"    read: {send: k, row: '^(?<port>\\S+) (?<value>\\S+)', words: {ours: true, theirs: "
	"false}, "
	"ports: ranges}\n"
	"  pfc.enabled:\n    scope: port\n    set: a\n    unset: b\n"
	"    read: {send: h, row: '^(?<port>\\S+) +(?<value>\\S+) +(?<oper>\\S+)', words: {Yes: "
	"true, No: false}}\n"
	"  pfc:\n    scope: port\n    each: {set: a, del: b}\n"
	"    read: {send: i, row: '^(?<port>\\S+) +(?<value>[\\d, -]+)$', starts: '^\\S', as: "
	"ranges}\n"
	"  pfc_watchdog:\n    scope: port\n    set: a\n    unset: b\n"
	"    read: {send: j, row: '^(?<port>\\S+) (?:(?<detect>[\\d.]+)|r "
	"(?<restore>\\S+)|(?<action>\\w+))$', as: seconds}\n";

static struct dialect *dialect;
static struct switch_target targets[3];
static struct switch_queries queries;

static void prepare(void)
{
	struct diags diags = {};
	char why[256];

	if (dialect_load(text, sizeof(text) - 1, &dialect, &diags) < 0) {
		diags_write(&diags, stderr, "text", text, sizeof(text) - 1);
		abort();
	}
	strcpy(targets[0].port, "1/1");
	strcpy(targets[1].port, "1/2");
	for (enum switch_knob knob = 0; knob < SWITCH_KNOB_MAX; knob++)
		targets[0].want[knob].status = targets[1].want[knob].status = SWITCH_KNOWN;
	if (switch_queries_build(dialect, NULL, 0, targets, 2, &queries, why, sizeof(why)) < 0)
		abort();
}

static void check(const struct switch_knob_info *knob, const struct switch_value *value)
{
	if (value->status != SWITCH_KNOWN && value->n > 0)
		abort();
	for (size_t i = 0; i < value->n; i++) {
		if (value->entry[i].key > knob->key_max ||
		    (i > 0 && value->entry[i].key <= value->entry[i - 1].key))
			abort();
		for (size_t k = 0; k < knob->n_fields; k++)
			if (value->entry[i].field[k] > knob->field[k].max &&
			    !(knob->field[k].optional && value->entry[i].field[k] == SWITCH_ABSENT))
				abort();
	}
}

/* What is recorded is what is returned to. */
static void check_text(enum switch_knob knob, const struct switch_value *value)
{
	struct switch_value again;
	char shown[512];

	switch_value_format(knob, value, shown, sizeof(shown));
	if (value->status != SWITCH_KNOWN)
		return;
	if (switch_value_parse(knob, shown, &again) < 0 || again.n != value->n)
		abort();
	for (size_t i = 0; i < value->n; i++)
		if (again.entry[i].key != value->entry[i].key ||
		    memcmp(again.entry[i].field, value->entry[i].field,
			   switch_knob_table[knob].n_fields * sizeof(uint64_t)) != 0)
			abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char why[256] = "";
	int r;

	if (!dialect)
		prepare();
	if (size == 0)
		return 0;
	r = switch_parse(dialect, NULL, 0, &queries.list[data[0] % queries.n],
			 (const char *)data + 1, size - 1, targets, 2, why, sizeof(why));
	if (r < 0 && !*why)
		abort(); /* refused without a reason */
	for (size_t i = 0; i < 2; i++) {
		for (enum switch_knob knob = 0; knob < SWITCH_KNOB_MAX; knob++) {
			check(&switch_knob_table[knob], &targets[i].have[knob]);
			check_text(knob, &targets[i].have[knob]);
		}
	}
	return 0;
}
