// SPDX-License-Identifier: LGPL-2.1-or-later
/* Cumulus Linux: lines by its user guide. */
#include "tests/support/cases.h"
#include "tests/switch/parse-case.h"
#include "tests/switch/render-case.h"

#define DIALECT "nvidia-cumulus"
#define PORT	"swp1"

static const struct render_case render[] = {
	{ "fresh to all",
	  {},
	  { { SWITCH_TRUST, NULL, "", "2" },
	    { SWITCH_DSCP_MAP, NULL, "", "26:3 48:6" },
	    { SWITCH_DSCP_MAP_PORT, PORT, "0", "1" },
	    { SWITCH_ECN, NULL, "", "3:153600/1536000/100" },
	    { SWITCH_ECN_PROFILE, PORT, "0", "1" },
	    { SWITCH_PFC_PRIORITIES, NULL, "", "3" },
	    { SWITCH_PFC_ENABLED, PORT, "0", "1" },
	    { SWITCH_WATCHDOG_PORT, PORT, "0", "1" },
	    { SWITCH_MTU, PORT, "1500", "9216" } },
	  "nv set qos mapping losslessd trust l3\n"
	  "nv set qos mapping losslessd dscp 26 switch-priority 3\n"
	  "nv set qos mapping losslessd dscp 48 switch-priority 6\n"
	  "nv set interface 'swp1' qos mapping profile losslessd\n"
	  "nv set qos congestion-control losslessd traffic-class 3 ecn enable\n"
	  "nv set qos congestion-control losslessd traffic-class 3 min-threshold 153600\n"
	  "nv set qos congestion-control losslessd traffic-class 3 max-threshold 1536000\n"
	  "nv set qos congestion-control losslessd traffic-class 3 probability 100\n"
	  "nv set interface 'swp1' qos congestion-control profile losslessd\n"
	  "nv set qos pfc losslessd tx enable\n"
	  "nv set qos pfc losslessd rx enable\n"
	  "nv set qos pfc losslessd switch-priority 3\n"
	  "nv set interface 'swp1' qos pfc profile losslessd\n"
	  "nv set interface 'swp1' qos pfc-watchdog state enable\n"
	  "nv set interface 'swp1' link mtu 9216\n" },
	{ "back to what was there",
	  {},
	  { { SWITCH_MTU, PORT, "9216", "1500" },
	    { SWITCH_WATCHDOG_PORT, PORT, "1", "0" },
	    { SWITCH_PFC_ENABLED, PORT, "1", "0" },
	    { SWITCH_PFC_PRIORITIES, NULL, "3", "" },
	    { SWITCH_ECN_PROFILE, PORT, "1", "0" },
	    { SWITCH_ECN, NULL, "3:153600/1536000/100", "" },
	    { SWITCH_DSCP_MAP_PORT, PORT, "1", "0" },
	    { SWITCH_DSCP_MAP, NULL, "26:3 48:6", "" },
	    { SWITCH_TRUST, NULL, "2", "" } },
	  "nv set interface 'swp1' link mtu 1500\n"
	  "nv unset interface 'swp1' qos pfc-watchdog\n"
	  "nv unset interface 'swp1' qos pfc profile\n"
	  "nv unset qos pfc losslessd switch-priority 3\n"
	  "nv unset interface 'swp1' qos congestion-control profile\n"
	  "nv unset qos congestion-control losslessd traffic-class 3\n"
	  "nv unset interface 'swp1' qos mapping profile\n"
	  "nv unset qos mapping losslessd dscp 26\n"
	  "nv unset qos mapping losslessd dscp 48\n"
	  "nv unset qos mapping losslessd trust\n" },
	{ "an MTU that was not there",
	  {},
	  { { SWITCH_MTU, PORT, "9216", "" } },
	  "nv unset interface 'swp1' link mtu\n" },
	{ "trust in the other word",
	  {},
	  { { SWITCH_TRUST, NULL, "2", "1" } },
	  "nv set qos mapping losslessd trust l2\n" },
	{ "one DSCP more",
	  {},
	  { { SWITCH_DSCP_MAP, NULL, "26:3", "26:3 48:6" } },
	  "nv set qos mapping losslessd dscp 48 switch-priority 6\n" },
	{ "a shell in a port", {}, { { SWITCH_MTU, "swp1;reboot", NULL, "9216" } }, NULL, "port" },
	{ "an option as a port", {}, { { SWITCH_MTU, "-h", NULL, "9216" } }, NULL, "port" },
};

static void test_render(void **state)
{
	render_cases(DIALECT, render, sizeof(render) / sizeof(render[0]));
}

static void test_transaction(void **state)
{
	static const char *const lines[TRANSACTION_VERB_MAX] = {
		[TRANSACTION_BEGIN] = "nv config detach\n",
		[TRANSACTION_DIFF] = "nv config diff\n",
		[TRANSACTION_COMMIT] = "nv config apply -y\n",
		[TRANSACTION_TRIAL] = "nv config apply --confirm 120s -y\n",
		[TRANSACTION_CONFIRM] = "nv config apply --confirm-yes\n",
		[TRANSACTION_RETURN] = "nv config apply --confirm-no\n",
		[TRANSACTION_ABORT] = "nv config detach\n",
		[TRANSACTION_SAVE] = "nv config save\n",
	};

	for (enum transaction_verb verb = 0; verb < TRANSACTION_VERB_MAX; verb++)
		render_verb_case(DIALECT, verb, 120, lines[verb] ? lines[verb] : "");
}

#define COMMANDS "nv config show -o commands"

static const struct parse_case parse[] = {
	{ "commands.ours.txt",
	  {},
	  COMMANDS,
	  { { SWITCH_TRUST, NULL, "2" },
	    { SWITCH_DSCP_MAP, NULL, "26:3 48:6" },
	    { SWITCH_ECN, NULL, "3:150000/1500000/100" },
	    { SWITCH_PFC_PRIORITIES, NULL, "3 5 6" } } },
	{ "commands.ours.txt",
	  {},
	  COMMANDS,
	  { { SWITCH_DSCP_MAP_PORT, "swp1", "1" },
	    { SWITCH_DSCP_MAP_PORT, "swp2", "0" },
	    { SWITCH_DSCP_MAP_PORT, "swp4", "1" },
	    { SWITCH_DSCP_MAP_PORT, "swp5", "0" },
	    { SWITCH_MTU, "swp1", "9216" },
	    { SWITCH_MTU, "swp2", "" },
	    { SWITCH_ECN_PROFILE, "swp2", "1" },
	    { SWITCH_ECN_PROFILE, "swp6", "0" },
	    { SWITCH_PFC_ENABLED, "swp6", "0" },
	    { SWITCH_PFC_ENABLED, "swp1", "0" },
	    { SWITCH_PFC_ENABLED, "swp4", "?" },
	    { SWITCH_PFC_ENABLED, "swp17", "1" },
	    { SWITCH_PFC_ENABLED, "swp19", "0" },
	    { SWITCH_PFC_ENABLED, "swp20", "1" } } },
	{ "commands-fresh.field.txt",
	  {},
	  COMMANDS,
	  { { SWITCH_TRUST, NULL, "" },
	    { SWITCH_DSCP_MAP, NULL, "" },
	    { SWITCH_ECN, NULL, "" },
	    { SWITCH_PFC_PRIORITIES, NULL, "" },
	    { SWITCH_DSCP_MAP_PORT, PORT, "0" },
	    { SWITCH_MTU, PORT, "" } } },
	{ "commands-watchdog.field.txt",
	  {},
	  COMMANDS,
	  { { SWITCH_WATCHDOG_PORT, "swp7s0", "1" },
	    { SWITCH_WATCHDOG_PORT, "swp7s1", "0" },
	    { SWITCH_WATCHDOG_PORT, "swp20", "1" },
	    { SWITCH_WATCHDOG_PORT, "swp21", "0" } } },
	{ "commands-watchdog.ours.txt",
	  {},
	  COMMANDS,
	  { { SWITCH_WATCHDOG_PORT, "swp1", "0" },
	    { SWITCH_WATCHDOG_PORT, "swp2", "?" },
	    { SWITCH_WATCHDOG_PORT, "swp3", "0" } } },
	{ "commands-half.ours.txt",
	  {},
	  COMMANDS,
	  { { SWITCH_TRUST, NULL, "?" },
	    { SWITCH_DSCP_MAP, NULL, "" },
	    { SWITCH_ECN, NULL, "?" } } },
	{ "json.ours.txt",
	  {},
	  COMMANDS,
	  { { SWITCH_TRUST, NULL, "?" },
	    { SWITCH_DSCP_MAP, NULL, "?" },
	    { SWITCH_MTU, PORT, "?" } },
	  "the form that the dialect expects" },
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
