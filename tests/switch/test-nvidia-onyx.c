// SPDX-License-Identifier: LGPL-2.1-or-later
/* Onyx: lines by its manual, values out of recorded answers. */
#include "tests/support/cases.h"
#include "tests/switch/parse-case.h"
#include "tests/switch/render-case.h"

#define DIALECT "nvidia-onyx"
#define PORT	"1/1"

static const struct render_case render[] = {
	{ "fresh to all",
	  {},
	  { { SWITCH_PFC_PRIORITIES, NULL, "", "3" },
	    { SWITCH_FLOW_CONTROL, PORT, "1", "0" },
	    { SWITCH_TRUST, PORT, "1", "2" },
	    { SWITCH_DSCP_MAP, PORT, "", "26:3 48:6" },
	    { SWITCH_SCHEDULER, PORT, "", "6" },
	    { SWITCH_ECN, PORT, "", "3:153600/1536000/100" },
	    { SWITCH_PFC_ENABLED, PORT, "0", "1" },
	    { SWITCH_WATCHDOG_PORT, PORT, "0", "1" },
	    { SWITCH_MTU, PORT, "1500", "9216" } },
	  "dcb priority-flow-control enable force\n"
	  "dcb priority-flow-control priority 3 enable\n"
	  "interface ethernet 1/1 flowcontrol send off force\n"
	  "interface ethernet 1/1 flowcontrol receive off force\n"
	  "interface ethernet 1/1 qos trust L3\n"
	  "interface ethernet 1/1 qos map dscp 26 to switch-priority 3\n"
	  "interface ethernet 1/1 qos map dscp 48 to switch-priority 6\n"
	  "interface ethernet 1/1 traffic-class 6 dcb ets strict\n"
	  "interface ethernet 1/1 traffic-class 3 congestion-control ecn minimum-absolute 150 "
	  "maximum-absolute 1500\n"
	  "interface ethernet 1/1 dcb priority-flow-control mode on force\n"
	  "interface ethernet 1/1 pfc-wd\n"
	  "interface ethernet 1/1 mtu 9216 force\n" },
	{ "back to what was there",
	  {},
	  { { SWITCH_MTU, PORT, "9216", "1500" },
	    { SWITCH_WATCHDOG_PORT, PORT, "1", "0" },
	    { SWITCH_PFC_ENABLED, PORT, "1", "0" },
	    { SWITCH_ECN, PORT, "3:153600/1536000/100", "" },
	    { SWITCH_SCHEDULER, PORT, "6", "" },
	    { SWITCH_DSCP_MAP, PORT, "0:4 8:4 16:4 24:3 26:5 32:0 40:0 48:6 56:0", "" },
	    { SWITCH_TRUST, PORT, "2", "1" },
	    { SWITCH_FLOW_CONTROL, PORT, "0", "1" },
	    { SWITCH_PFC_PRIORITIES, NULL, "3", "" } },
	  "interface ethernet 1/1 mtu 1500 force\n"
	  "no interface ethernet 1/1 pfc-wd\n"
	  "no interface ethernet 1/1 dcb priority-flow-control mode force\n"
	  "no interface ethernet 1/1 traffic-class 3 congestion-control\n"
	  "no interface ethernet 1/1 traffic-class 6 dcb ets strict\n"
	  "interface ethernet 1/1 qos map dscp 0 to switch-priority 0\n"
	  "interface ethernet 1/1 qos map dscp 8 to switch-priority 1\n"
	  "interface ethernet 1/1 qos map dscp 16 to switch-priority 2\n"
	  "interface ethernet 1/1 qos map dscp 26 to switch-priority 3\n"
	  "interface ethernet 1/1 qos map dscp 32 to switch-priority 4\n"
	  "interface ethernet 1/1 qos map dscp 40 to switch-priority 5\n"
	  "interface ethernet 1/1 qos map dscp 56 to switch-priority 7\n"
	  "interface ethernet 1/1 qos trust L2\n"
	  "interface ethernet 1/1 flowcontrol send on force\n"
	  "interface ethernet 1/1 flowcontrol receive on force\n"
	  "dcb priority-flow-control priority 3 disable\n" },
	{ "trust of every kind",
	  {},
	  { { SWITCH_TRUST, PORT, "2", "0" },
	    { SWITCH_TRUST, PORT, "2", "3" },
	    { SWITCH_TRUST, PORT, "2", "" } },
	  "interface ethernet 1/1 qos trust port\n"
	  "interface ethernet 1/1 qos trust both\n"
	  "no interface ethernet 1/1 qos trust\n" },
	{ "one threshold",
	  {},
	  { { SWITCH_ECN, PORT, "3:153600/1536000/_ 4:102400/204800/_",
	      "3:153600/2048000/100 4:102400/204800/100" } },
	  "interface ethernet 1/1 traffic-class 3 congestion-control ecn minimum-absolute 150 "
	  "maximum-absolute 2000\n" },
	{ "what rounds is the same",
	  {},
	  { { SWITCH_ECN, PORT, "3:153600/1536000/_", "3:150000/1500000/100" } },
	  "" },
	{ "a curve of less than a unit",
	  {},
	  { { SWITCH_ECN, PORT, "", "3:100/1536000/100" } },
	  NULL,
	  "less than one unit" },
	{ "a name of the display",
	  {},
	  { { SWITCH_TRUST, "Eth1/1", "1", "2" } },
	  NULL,
	  "no port of the dialect" },
};

static void test_render(void **state)
{
	render_cases(DIALECT, render, sizeof(render) / sizeof(render[0]));
}

static void test_transaction(void **state)
{
	static const char *const lines[TRANSACTION_VERB_MAX] = {
		[TRANSACTION_BEGIN] = "configure terminal\n",
		[TRANSACTION_END] = "exit\n",
		[TRANSACTION_SAVE] = "configure terminal\nconfiguration write\nexit\n",
	};

	for (enum transaction_verb verb = 0; verb < TRANSACTION_VERB_MAX; verb++)
		render_verb_case(DIALECT, verb, 120, lines[verb] ? lines[verb] : "");
}

static const struct parse_case parse[] = {
	{ "congestion-control-all.ours.txt",
	  {},
	  "show interfaces ethernet 1/1 congestion-control | json-print",
	  { { SWITCH_ECN, PORT,
	      "0:1024/1572864/_ 1:2048/1572864/_ 2:3072/1572864/_ 3:4096/1572864/_ "
	      "4:5120/1572864/_ 5:6144/1572864/_ 6:7168/1572864/_ 7:8192/1572864/_" } } },
	{ "pfc-capitals.ours.txt",
	  {},
	  "show dcb priority-flow-control | json-print",
	  { { SWITCH_PFC_ENABLED, "1/1", "1" }, { SWITCH_PFC_ENABLED, "1/2", "0" } } },
	{ "pfc.field.txt",
	  {},
	  "show dcb priority-flow-control | json-print",
	  { { SWITCH_PFC_PRIORITIES, NULL, "3 4" },
	    { SWITCH_PFC_ENABLED, "1/1", "1" },
	    { SWITCH_PFC_ENABLED, "1/2", "1!" },
	    { SWITCH_PFC_ENABLED, "1/3", "?" },
	    { SWITCH_PFC_ENABLED, "1/4", "0" },
	    { SWITCH_PFC_ENABLED, "1/5", "?" } } },
	{ "pfc-noise.ours.txt",
	  {},
	  "show dcb priority-flow-control | json-print",
	  { { SWITCH_PFC_PRIORITIES, NULL, "" }, { SWITCH_PFC_ENABLED, PORT, "0" } } },
	{ "words.ours.txt",
	  {},
	  "show dcb priority-flow-control | json-print",
	  { { SWITCH_PFC_PRIORITIES, NULL, "?" } },
	  "no JSON" },
	{ "congestion-control.field.txt",
	  {},
	  "show interfaces ethernet 1/1 congestion-control | json-print",
	  { { SWITCH_ECN, PORT, "3:512000/1587200/_" } } },
	{ "congestion-control-relative.ours.txt",
	  {},
	  "show interfaces ethernet 1/1 congestion-control | json-print",
	  { { SWITCH_ECN, PORT, "?" } } },
	{ "qos.field.txt",
	  {},
	  "show qos interface ethernet 1/1 | json-print",
	  { { SWITCH_TRUST, PORT, "3" },
	    { SWITCH_DSCP_MAP, PORT,
	      "0:0 1:0 2:0 3:0 4:0 5:0 6:0 7:0 8:1 9:1 10:1 11:1 12:1 13:1 14:1 15:1 16:2 17:2 "
	      "18:2 19:2 20:2 21:2 22:2 23:2 24:3 25:3 26:3 27:3 28:3 29:3 30:3 31:3 32:4 33:4 "
	      "34:4 35:4 36:4 37:4 38:4 39:4 40:5 41:5 42:5 43:5 44:5 45:5 46:5 47:5 48:6 49:6 "
	      "50:6 51:6 52:6 53:6 54:6 55:6 56:7 57:7 58:7 59:7 60:7 61:7 62:7 63:7" } } },
	{ "qos-map.ours.txt",
	  {},
	  "show qos interface ethernet 1/1 | json-print",
	  { { SWITCH_DSCP_MAP, PORT,
	      "0:5 1:5 2:5 3:5 4:5 5:5 6:5 7:5 8:1 9:1 10:1 11:1 12:1 13:1 14:1 15:1 16:2 17:2 "
	      "18:2 19:2 20:2 21:2 22:2 23:2 24:3 25:3 26:5 27:3 28:3 29:3 30:3 31:3 32:4 33:4 "
	      "34:4 35:4 36:4 37:4 38:4 39:4 40:5 41:5 42:5 43:5 44:5 45:5 46:5 47:5 48:6 49:6 "
	      "50:6 51:6 52:6 53:6 54:6 55:6 56:7 57:7 58:7 59:7 60:7 61:7 62:7 63:7" } } },
	{ "pfc.field.txt",
	  {},
	  "show qos interface ethernet 1/1 | json-print",
	  { { SWITCH_DSCP_MAP, PORT, "?" } } },
	{ "running-config.field.txt",
	  {},
	  "show running-config interface ethernet 1/1",
	  { { SWITCH_MTU, PORT, "9216" },
	    { SWITCH_WATCHDOG_PORT, PORT, "0" },
	    { SWITCH_FLOW_CONTROL, PORT, "0" } } },
	{ "running-config-more.ours.txt",
	  {},
	  "show running-config interface ethernet 1/1",
	  { { SWITCH_MTU, PORT, "1500" },
	    { SWITCH_WATCHDOG_PORT, PORT, "1" },
	    { SWITCH_FLOW_CONTROL, PORT, "1" } } },
	{ "words.ours.txt",
	  {},
	  "show running-config interface ethernet 1/1",
	  { { SWITCH_MTU, PORT, "?" }, { SWITCH_WATCHDOG_PORT, PORT, "?" } },
	  "the form that the dialect expects" },
	{ "ets.ours.txt",
	  {},
	  "show dcb ets interface ethernet 1/1 | json-print",
	  { { SWITCH_SCHEDULER, PORT, "6" } } },
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
