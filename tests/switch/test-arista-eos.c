// SPDX-License-Identifier: LGPL-2.1-or-later
/* Arista EOS: lines as in its published templates. */
#include "tests/support/cases.h"
#include "tests/switch/parse-case.h"
#include "tests/switch/render-case.h"

#define DIALECT "arista-eos"
#define PORT	"Ethernet1"

static const struct render_case render[] = {
	{ "a routed port that trusted CoS",
	  { { "layer3", "true" } },
	  { { SWITCH_TRUST, PORT, "1", "2" } },
	  "> interface Ethernet1\n"
	  "default qos trust\n"
	  "< exit\n" },
	{ "fresh to all",
	  {},
	  { { SWITCH_TRUST, PORT, "1", "2" },
	    { SWITCH_ECN, PORT, "", "3:262144/524288/100" },
	    { SWITCH_PFC, PORT, "", "3" },
	    { SWITCH_PFC_ENABLED, PORT, "0", "1" },
	    { SWITCH_DCBX, PORT, "0", "1" },
	    { SWITCH_WATCHDOG, NULL, "", "200/400/0" } },
	  "> interface Ethernet1\n"
	  "qos trust dscp\n"
	  "> tx-queue 3\n"
	  "random-detect ecn minimum-threshold 256 kbytes maximum-threshold 512 kbytes "
	  "max-mark-probability 100 weight 0\n"
	  "< exit\n"
	  "priority-flow-control priority 3 no-drop\n"
	  "priority-flow-control on\n"
	  "dcbx mode ieee\n"
	  "< exit\n"
	  "priority-flow-control pause watchdog default timeout 0.2\n"
	  "priority-flow-control pause watchdog default recovery-time 0.4\n"
	  "priority-flow-control pause watchdog action drop\n" },
	{ "back to what was there",
	  {},
	  { { SWITCH_WATCHDOG, NULL, "200/400/0", "" },
	    { SWITCH_DCBX, PORT, "1", "0" },
	    { SWITCH_PFC_ENABLED, PORT, "1", "0" },
	    { SWITCH_PFC, PORT, "3", "" },
	    { SWITCH_ECN, PORT, "3:262144/524288/_ 4:1024/2048/_", "" },
	    { SWITCH_TRUST, PORT, "2", "" } },
	  "no priority-flow-control pause watchdog default timeout\n"
	  "no priority-flow-control pause watchdog default recovery-time\n"
	  "no priority-flow-control pause watchdog action\n"
	  "> interface Ethernet1\n"
	  "no dcbx mode\n"
	  "no priority-flow-control\n"
	  "no priority-flow-control priority 3\n"
	  "> tx-queue 3\n"
	  "no random-detect ecn\n"
	  "< exit\n"
	  "> tx-queue 4\n"
	  "no random-detect ecn\n"
	  "< exit\n"
	  "default qos trust\n"
	  "< exit\n" },
	{ "queues of unicast, two ports",
	  { { "queue", "uc-tx-queue" } },
	  { { SWITCH_ECN, PORT, "", "3:262144/524288/20" },
	    { SWITCH_ECN, "Ethernet2/1", "", "3:262144/524288/20" } },
	  "> interface Ethernet1\n"
	  "> uc-tx-queue 3\n"
	  "random-detect ecn minimum-threshold 256 kbytes maximum-threshold 512 kbytes "
	  "max-mark-probability 20 weight 0\n"
	  "< exit\n"
	  "< exit\n"
	  "> interface Ethernet2/1\n"
	  "> uc-tx-queue 3\n"
	  "random-detect ecn minimum-threshold 256 kbytes maximum-threshold 512 kbytes "
	  "max-mark-probability 20 weight 0\n"
	  "< exit\n"
	  "< exit\n" },
	{ "a routed port",
	  { { "layer3", "true" } },
	  { { SWITCH_TRUST, PORT, "2", "1" }, { SWITCH_TRUST, PORT, "1", "" } },
	  "> interface Ethernet1\n"
	  "qos trust cos\n"
	  "default qos trust\n"
	  "< exit\n" },
	{ "a switched port to its CoS",
	  {},
	  { { SWITCH_TRUST, PORT, "2", "1" } },
	  "> interface Ethernet1\n"
	  "default qos trust\n"
	  "< exit\n" },
	{ "a longer timeout",
	  {},
	  { { SWITCH_WATCHDOG, NULL, "200/400/0", "1500/2000/_" } },
	  "priority-flow-control pause watchdog default timeout 1.5\n"
	  "priority-flow-control pause watchdog default recovery-time 2\n" },
	{ "an action that there is no word for",
	  {},
	  { { SWITCH_WATCHDOG, NULL, "", "200/400/1" } },
	  NULL,
	  "no word for forward" },
};

static void test_render(void **state)
{
	render_cases(DIALECT, render, sizeof(render) / sizeof(render[0]));
}

static void test_transaction(void **state)
{
	static const char *const lines[TRANSACTION_VERB_MAX] = {
		[TRANSACTION_BEGIN] = "configure session losslessd\n"
				      "abort\n"
				      "configure session losslessd\n",
		[TRANSACTION_DIFF] = "show session-config diffs\n",
		[TRANSACTION_COMMIT] = "commit\n",
		[TRANSACTION_TRIAL] = "commit timer 00:02:00\n",
		[TRANSACTION_CONFIRM] = "configure session losslessd commit\n",
		[TRANSACTION_ABORT] = "abort\n",
		[TRANSACTION_SAVE] = "write memory\n",
	};

	for (enum transaction_verb verb = 0; verb < TRANSACTION_VERB_MAX; verb++)
		render_verb_case(DIALECT, verb, 120, lines[verb] ? lines[verb] : "");
}

static const struct parse_case parse[] = {
	{ "running-config-cos.ours.txt",
	  {},
	  "show running-config interfaces Ethernet1",
	  { { SWITCH_TRUST, PORT, "1" } } },
	{ "running-config-cos.ours.txt",
	  { { "layer3", "true" } },
	  "show running-config interfaces Ethernet1",
	  { { SWITCH_TRUST, PORT, "1" } } },
	{ "pfc.field.txt",
	  {},
	  "show priority-flow-control",
	  { { SWITCH_PFC, PORT, "3" },
	    { SWITCH_PFC_ENABLED, PORT, "1" },
	    { SWITCH_PFC, "Ethernet9", "?" } } },
	{ "pfc-all.ours.txt",
	  {},
	  "show priority-flow-control",
	  { { SWITCH_PFC, PORT, "3 4" },
	    { SWITCH_PFC_ENABLED, PORT, "1" },
	    { SWITCH_PFC, "Ethernet2", "" },
	    { SWITCH_PFC_ENABLED, "Ethernet2", "0" },
	    { SWITCH_PFC, "Ethernet3", "3!" },
	    { SWITCH_PFC_ENABLED, "Ethernet3", "1!" },
	    { SWITCH_PFC, "Ethernet4", "" },
	    { SWITCH_PFC_ENABLED, "Ethernet4", "1!" } } },
	{ "ecn.field.txt",
	  {},
	  "show qos interfaces Ethernet1 ecn",
	  { { SWITCH_ECN, PORT, "3:262144/524288/_" } } },
	{ "ecn-none.ours.txt",
	  {},
	  "show qos interfaces Ethernet1 ecn",
	  { { SWITCH_ECN, PORT, "" } } },
	{ "nothing.ours.txt",
	  {},
	  "show qos interfaces Ethernet1 ecn",
	  { { SWITCH_ECN, PORT, "?" } },
	  "the form that the dialect expects" },
	{ "running-config.ours.txt",
	  {},
	  "show running-config interfaces Ethernet1",
	  { { SWITCH_TRUST, PORT, "2" }, { SWITCH_DCBX, PORT, "1" } } },
	{ "running-config-fresh.ours.txt",
	  {},
	  "show running-config interfaces Ethernet1",
	  { { SWITCH_TRUST, PORT, "1" }, { SWITCH_DCBX, PORT, "0" } } },
	{ "running-config-fresh.ours.txt",
	  { { "layer3", "true" } },
	  "show running-config interfaces Ethernet1",
	  { { SWITCH_TRUST, PORT, "2" } } },
	{ "running-config.ours.txt",
	  { { "layer3", "true" } },
	  "show running-config interfaces Ethernet1",
	  { { SWITCH_TRUST, PORT, "2" } } },
	{ "watchdog.ours.txt",
	  {},
	  "show running-config | include watchdog",
	  { { SWITCH_WATCHDOG, NULL, "200/400/_" } } },
	{ "nothing.ours.txt",
	  {},
	  "show running-config | include watchdog",
	  { { SWITCH_WATCHDOG, NULL, "" } } },
};

static void test_parse(void **state)
{
	parse_cases(DIALECT, parse, sizeof(parse) / sizeof(parse[0]));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_render),
		cmocka_unit_test(test_transaction),
		cmocka_unit_test(test_parse),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
