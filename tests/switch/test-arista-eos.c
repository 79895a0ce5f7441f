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
	  { { SWITCH_FLOW_CONTROL, PORT, "1", "0" },
	    { SWITCH_TRUST, PORT, "1", "2" },
	    { SWITCH_DSCP_MAP, NULL, "", "26:3 48:6" },
	    { SWITCH_SCHEDULER, PORT, "0,3", "6" },
	    { SWITCH_ECN, PORT, "", "3:262144/524288/100" },
	    { SWITCH_PFC, PORT, "", "3" },
	    { SWITCH_PFC_ENABLED, PORT, "0", "1" },
	    { SWITCH_DCBX, PORT, "0", "1" },
	    { SWITCH_WATCHDOG, NULL, "", "200/400/0" } },
	  "> interface Ethernet1\n"
	  "no flowcontrol send\n"
	  "no flowcontrol receive\n"
	  "qos trust dscp\n"
	  "< exit\n"
	  "qos map dscp 26 to traffic-class 3\n"
	  "qos map dscp 48 to traffic-class 6\n"
	  "> interface Ethernet1\n"
	  "> tx-queue 6\n"
	  "priority strict\n"
	  "< exit\n"
	  "> tx-queue 0\n"
	  "no priority\n"
	  "< exit\n"
	  "> tx-queue 3\n"
	  "no priority\n"
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
	{ "classes of DSCPs that go back to what they are by themselves",
	  {},
	  { { SWITCH_DSCP_MAP, NULL, "0:1 8:7 26:5 48:3 63:7", "26:3" } },
	  "qos map dscp 26 to traffic-class 3\n"
	  "qos map dscp 8 to traffic-class 0\n"
	  "qos map dscp 48 to traffic-class 6\n" },
	{ "each of them",
	  {},
	  { { SWITCH_DSCP_MAP, NULL, "0:7 16:7 24:7 32:7 40:7 56:0", "" } },
	  "qos map dscp 0 to traffic-class 1\n"
	  "qos map dscp 16 to traffic-class 2\n"
	  "qos map dscp 24 to traffic-class 3\n"
	  "qos map dscp 32 to traffic-class 4\n"
	  "qos map dscp 40 to traffic-class 5\n"
	  "qos map dscp 56 to traffic-class 7\n" },
	{ "flow control as it was",
	  {},
	  { { SWITCH_FLOW_CONTROL, PORT, "0", "1" } },
	  "> interface Ethernet1\n"
	  "flowcontrol send on\n"
	  "flowcontrol receive on\n"
	  "< exit\n" },
	{ "an MTU of a routed port, and back to none",
	  { { "layer3", "true" } },
	  { { SWITCH_MTU, PORT, "1500", "9214" }, { SWITCH_MTU, PORT, "9214", "1500" } },
	  "> interface Ethernet1\n"
	  "mtu 9214\n"
	  "no mtu\n"
	  "< exit\n" },
	{ "an MTU of a switched one",
	  {},
	  { { SWITCH_MTU, PORT, "1500", "9214" } },
	  NULL,
	  "mtu: the dialect cannot write it" },
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
		[TRANSACTION_RETURN] = "configure session losslessd abort\n",
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
	{ "qos-map.field.txt",
	  {},
	  "show running-config | include qos map dscp",
	  { { SWITCH_DSCP_MAP, NULL,
	      "0:0 1:0 2:0 3:0 4:0 5:0 6:0 7:0 8:0 9:0 10:0 11:1 12:0 13:0 14:0 15:3 16:0 17:0 "
	      "18:0 19:0 20:0 21:0 22:0 23:0 24:0 25:0 26:0 27:0 28:0 29:0 30:0 31:0 32:0 33:0 "
	      "34:0 35:0 36:0 37:0 38:0 39:2 40:0 41:0 42:0 43:0 44:0 45:5 46:0 47:0 48:0 49:3 "
	      "50:0 51:0 52:0 53:0 54:0 55:0 56:0 57:0 58:0 59:0 60:0 61:0 62:0 63:0" } } },
	{ "nothing.ours.txt",
	  {},
	  "show running-config | include qos map dscp",
	  { { SWITCH_DSCP_MAP, NULL,
	      "0:1 1:1 2:1 3:1 4:1 5:1 6:1 7:1 8:0 9:0 10:0 11:0 12:0 13:0 14:0 15:0 16:2 17:2 "
	      "18:2 19:2 20:2 21:2 22:2 23:2 24:3 25:3 26:3 27:3 28:3 29:3 30:3 31:3 32:4 33:4 "
	      "34:4 35:4 36:4 37:4 38:4 39:4 40:5 41:5 42:5 43:5 44:5 45:5 46:5 47:5 48:6 49:6 "
	      "50:6 51:6 52:6 53:6 54:6 55:6 56:7 57:7 58:7 59:7 60:7 61:7 62:7 63:7" } } },
	{ "qos-map-odd.ours.txt",
	  {},
	  "show running-config | include qos map dscp",
	  { { SWITCH_DSCP_MAP, NULL, "?" } } },
	{ "watchdog.ours.txt",
	  {},
	  "show running-config | include qos map dscp",
	  { { SWITCH_DSCP_MAP, NULL, "?" } },
	  "the form that the dialect expects" },
	{ "running-config-queues.ours.txt",
	  { { "layer3", "true" } },
	  "show running-config interfaces Ethernet1",
	  { { SWITCH_FLOW_CONTROL, PORT, "1" }, { SWITCH_MTU, PORT, "9214" } } },
	{ "running-config-fresh.ours.txt",
	  { { "layer3", "true" } },
	  "show running-config interfaces Ethernet1",
	  { { SWITCH_FLOW_CONTROL, PORT, "0" }, { SWITCH_MTU, PORT, "1500" } } },
	{ "running-config-desired.ours.txt",
	  {},
	  "show running-config interfaces Ethernet1",
	  { { SWITCH_FLOW_CONTROL, PORT, "1" } } },
	{ "qos-interface.field.txt",
	  {},
	  "show qos interfaces Ethernet1",
	  { { SWITCH_SCHEDULER, PORT, "3 4 5 6 7" } } },
	{ "qos-interface-odd.ours.txt",
	  {},
	  "show qos interfaces Ethernet1",
	  { { SWITCH_SCHEDULER, PORT, "?" } } },
	{ "running-config-queues.ours.txt",
	  {},
	  "show qos interfaces Ethernet1",
	  { { SWITCH_SCHEDULER, PORT, "?" } } },
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
