// SPDX-License-Identifier: LGPL-2.1-or-later
/* What no dialect that is shipped needs: lists as a whole, modes in modes, parts left open. */
#include <stdlib.h>
#include <string.h>

#include "lib/base/macro.h"
#include "tests/support/cases.h"
#include "tests/switch/render-case.h"

static const char text[] =
	"dialect: render\nverified: false\n"
	"session: {channel: shell, prompt: '$host#', error: ['^%'], leave: up}\n"
	"transaction: {trial: ['try ${seconds:hh:mm:ss}', 'n $seconds s ${seconds:seconds}'], "
	"confirm: ok}\n"
	"vars: {slot: number}\n"
	"knobs:\n"
	"  pfc:\n    scope: port\n    before: [profile x, profile y]\n    in: ['if $port', pfc]\n"
	"    set: ['list ${value:join}', 'mask ${value:bitmask}']\n    unset: no list\n"
	"    read: {send: s, row: '(?<port>\\S+) (?<value>\\d)'}\n"
	"  ecn.enabled:\n    scope: port\n    in: ['if $port', 'queue $key']\n"
	"    each: {set: 'mark $slot', del: 'no mark'}\n"
	"    read: {send: s, row: '(?<port>\\S+) (?<value>\\d)'}\n"
	"  pfc_watchdog:\n    scope: port\n    in: ['if $port']\n"
	"    set: ['d $detect', 'r $restore', 'a $action']\n    unset: no dog\n"
	"    read: {send: s, row: '(?<port>\\S+) (?<detect>\\d)'}\n"
	"  dscp_to_priority:\n    scope: port\n"
	"    each: {set: '$port $key to $value', del: '$port no $key'}\n"
	"    read: {send: s, row: '(?<port>\\S+) (?<key>\\d) (?<value>\\d)', expect: a,\n"
	"      default: {0-7: 1, 26: 3}}\n"
	"  lldp.dcbx:\n    scope: port\n    set: tell\n    unset: hush\n"
	"    read: {send: s, row: '(?<port>\\S+) (?<value>\\d)'}\n";

static const struct render_case cases[] = {
	{ "a list as a whole",
	  {},
	  { { SWITCH_PFC, "p1", "4", "0,3" } },
	  "profile x\nprofile y\n> if p1\n> pfc\nlist 0,3\nmask 0x09\n< up\n< up\n" },
	{ "a list that ends",
	  {},
	  { { SWITCH_PFC, "p1", "4", "" } },
	  "> if p1\n> pfc\nno list\n< up\n< up\n" },
	{ "a list that ends, of which nothing is known",
	  {},
	  { { SWITCH_PFC, "p1", NULL, "" } },
	  "> if p1\n> pfc\nno list\n< up\n< up\n" },
	{ "the same list", {}, { { SWITCH_PFC, "p1", "0,3", "0,3" } }, "" },
	{ "what is shared is made once, and modes are shared as far as they go",
	  { { "slot", "7" } },
	  { { SWITCH_PFC, "p1", "", "3" },
	    { SWITCH_ECN_PORT, "p1", "5", "3,4" },
	    { SWITCH_PFC, "p2", "", "3" } },
	  "profile x\nprofile y\n> if p1\n> pfc\nlist 3\nmask 0x08\n< up\n"
	  "> queue 3\nmark 7\n< up\n> queue 4\nmark 7\n< up\n> queue 5\nno mark\n< up\n< up\n"
	  "> if p2\n> pfc\nlist 3\nmask 0x08\n< up\n< up\n" },
	{ "a number that nobody set",
	  {},
	  { { SWITCH_ECN_PORT, "p1", "", "3" } },
	  NULL,
	  "$slot has no value" },
	{ "parts left open",
	  {},
	  { { SWITCH_WATCHDOG, "p1", "", "200/_/1" } },
	  "> if p1\nd 200\na forward\n< up\n" },
	{ "a part more",
	  {},
	  { { SWITCH_WATCHDOG, "p1", "200/400/1", "300/400/1" } },
	  "> if p1\nd 300\nr 400\na forward\n< up\n" },
	{ "away", {}, { { SWITCH_WATCHDOG, "p1", "200/400/1", NULL } }, "> if p1\nno dog\n< up\n" },
	{ "on, off, and nothing known",
	  {},
	  { { SWITCH_DCBX, "p1", NULL, "1" },
	    { SWITCH_DCBX, "p2", NULL, "0" },
	    { SWITCH_DCBX, "p3", "", "0" },
	    { SWITCH_DCBX, "p4", "0", "" },
	    { SWITCH_DCBX, "p5", "1", NULL } },
	  "tell\nhush\nhush\n" },
	{ "what a map has by itself is said again, the rest is taken away",
	  {},
	  { { SWITCH_DSCP_MAP, "p1", "0:1 1:5 26:7 48:6", "26:4" } },
	  "p1 26 to 4\np1 1 to 1\np1 no 48\n" },
	{ "a map as it is by itself",
	  {},
	  { { SWITCH_DSCP_MAP, "p1", "0:2 26:7 27:2", "" } },
	  "p1 0 to 1\np1 26 to 3\np1 no 27\n" },
	{ "what a map has by itself is not said without need",
	  {},
	  { { SWITCH_DSCP_MAP, "p1", "0:1 26:3", "26:3" },
	    { SWITCH_DSCP_MAP, "p2", "0:1 26:3", "" },
	    { SWITCH_DSCP_MAP, "p3", "", "26:3" } },
	  "p3 26 to 3\n" },
	{ "not a knob of this dialect",
	  {},
	  { { SWITCH_MTU, "p1", NULL, "1" } },
	  NULL,
	  "mtu: the dialect cannot write it" },
};

static struct dialect *load(void)
{
	struct dialect *dialect = NULL;
	struct diags diags = {};

	if (dialect_load(text, sizeof(text) - 1, &dialect, &diags) < 0) {
		diags_write(&diags, stderr, "text", text, sizeof(text) - 1);
		fail_msg("does not load");
	}
	diags_done(&diags);
	return dialect;
}

static void test_render(void **state)
{
	struct dialect *dialect = load();

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		render_case(dialect, &cases[i]);
	(void)dialect_free(dialect);
}

/* Each line knows the change it is of, also those that lead there and back. */
static void test_changes(void **state)
{
	static const size_t owners[] = { 0, 0, 0, 0, 0, 0, 1, 1, 1, 1 };
	struct switch_value none = case_value(SWITCH_PFC, ""), three = case_value(SWITCH_PFC, "3");
	struct switch_value off = case_value(SWITCH_DCBX, ""),
			    dog = case_value(SWITCH_WATCHDOG, "1/2/0");
	const struct switch_change changes[] = {
		{ SWITCH_PFC, "p1", &none, &three },
		{ SWITCH_WATCHDOG, "p1", &off, &dog },
	};
	struct dialect *dialect = load();
	struct switch_script script = {};
	char why[256] = "";

	assert_int_equal(switch_render(dialect, NULL, 0, changes, 2, &script, why, sizeof(why)), 0);
	assert_int_equal(script.n, 11);
	for (size_t i = 0; i < ARRAY_SIZE(owners); i++)
		case_equal(script.list[i].text, script.list[i].change, owners[i]);
	switch_script_done(&script);
	assert_int_equal(switch_render_verb(dialect, NULL, 0, TRANSACTION_TRIAL, 90, &script, why,
					    sizeof(why)),
			 0);
	assert_string_equal(script.list[0].text, "try 00:01:30");
	assert_string_equal(script.list[1].text, "n 90 s 90");
	switch_script_done(&script);
	(void)dialect_free(dialect);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_render),
		cmocka_unit_test(test_changes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
