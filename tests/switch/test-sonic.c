// SPDX-License-Identifier: LGPL-2.1-or-later
/* SONiC: lines by the command reference and the tables of CONFIG_DB. */
#include "tests/support/cases.h"
#include "tests/switch/parse-case.h"
#include "tests/switch/render-case.h"

#define DIALECT "sonic"
#define PORT	"Ethernet0"

static const struct render_case render[] = {
	{ "queues that had no profile",
	  { { "queue_profile", "none" } },
	  { { SWITCH_ECN_PORT, PORT, "3", "4" } },
	  "sudo sonic-db-cli CONFIG_DB HSET 'QUEUE|''Ethernet0''|4' wred_profile losslessd-4\n"
	  "sudo sonic-db-cli CONFIG_DB HDEL 'QUEUE|''Ethernet0''|3' wred_profile\n" },
	{ "fresh to all",
	  {},
	  { { SWITCH_DSCP_MAP_PORT, PORT, "0", "1" },
	    { SWITCH_ECN, NULL, "", "3:153600/1536000/100" },
	    { SWITCH_ECN_PORT, PORT, "", "3" },
	    { SWITCH_PFC, PORT, "", "3" },
	    { SWITCH_WATCHDOG, PORT, "", "400/800/0" } },
	  "sudo sonic-db-cli CONFIG_DB HSET 'PORT_QOS_MAP|''Ethernet0' dscp_to_tc_map losslessd\n"
	  "sudo sonic-db-cli CONFIG_DB HSET 'WRED_PROFILE|losslessd-3' ecn ecn_all "
	  "wred_green_enable true green_min_threshold 153600 green_max_threshold 1536000 "
	  "green_drop_probability 100\n"
	  "sudo sonic-db-cli CONFIG_DB HSET 'QUEUE|''Ethernet0''|3' wred_profile losslessd-3\n"
	  "sudo config interface pfc priority 'Ethernet0' 3 on\n"
	  "sudo config pfcwd start --action drop 'Ethernet0' 400 --restoration-time 800\n" },
	{ "a map has all DSCPs",
	  {},
	  { { SWITCH_DSCP_MAP, NULL, "", "26:3 48:6" } },
	  "sudo sonic-db-cli CONFIG_DB HSET 'DSCP_TO_TC_MAP|losslessd'"
	  " 0 0 1 0 2 0 3 0 4 0 5 0 6 0 7 0 8 0 9 0 10 0 11 0 12 0 13 0 14 0 15 0"
	  " 16 0 17 0 18 0 19 0 20 0 21 0 22 0 23 0 24 0 25 0 26 3 27 0 28 0 29 0"
	  " 30 0 31 0 32 0 33 0 34 0 35 0 36 0 37 0 38 0 39 0 40 0 41 0 42 0 43 0"
	  " 44 0 45 0 46 0 47 0 48 6 49 0 50 0 51 0 52 0 53 0 54 0 55 0 56 0 57 0"
	  " 58 0 59 0 60 0 61 0 62 0 63 0\n" },
	{ "one DSCP of a full map",
	  {},
	  { { SWITCH_DSCP_MAP, NULL,
	      "0:0 1:0 2:0 3:0 4:0 5:0 6:0 7:0 8:0 9:0 10:0 11:0 12:0 13:0 14:0 15:0 16:0 17:0 "
	      "18:0 19:0 20:0 21:0 22:0 23:0 24:0 25:0 26:3 27:0 28:0 29:0 30:0 31:0 32:0 33:0 "
	      "34:0 35:0 36:0 37:0 38:0 39:0 40:0 41:0 42:0 43:0 44:0 45:0 46:0 47:0 48:6 49:0 "
	      "50:0 51:0 52:0 53:0 54:0 55:0 56:0 57:0 58:0 59:0 60:0 61:0 62:0 63:0",
	      "26:4 48:6" } },
	  "sudo sonic-db-cli CONFIG_DB HSET 'DSCP_TO_TC_MAP|losslessd' 26 4\n" },
	{ "one DSCP out of a full map",
	  {},
	  { { SWITCH_DSCP_MAP, NULL,
	      "0:0 1:0 2:0 3:0 4:0 5:0 6:0 7:0 8:0 9:0 10:0 11:0 12:0 13:0 14:0 15:0 16:0 17:0 "
	      "18:0 19:0 20:0 21:0 22:0 23:0 24:0 25:0 26:3 27:0 28:0 29:0 30:0 31:0 32:0 33:0 "
	      "34:0 35:0 36:0 37:0 38:0 39:0 40:0 41:0 42:0 43:0 44:0 45:0 46:0 47:0 48:6 49:0 "
	      "50:0 51:0 52:0 53:0 54:0 55:0 56:0 57:0 58:0 59:0 60:0 61:0 62:0 63:0",
	      "26:3" } },
	  "sudo sonic-db-cli CONFIG_DB HSET 'DSCP_TO_TC_MAP|losslessd' 48 0\n" },
	{ "back to what was there",
	  {},
	  { { SWITCH_WATCHDOG, PORT, "400/800/0", "" },
	    { SWITCH_PFC, PORT, "3,4", "4" },
	    { SWITCH_ECN_PORT, PORT, "3", "" },
	    { SWITCH_ECN, NULL, "3:153600/1536000/100", "" },
	    { SWITCH_DSCP_MAP_PORT, PORT, "1", "0" },
	    { SWITCH_DSCP_MAP, NULL, "26:3 48:6", "" } },
	  "sudo config pfcwd stop 'Ethernet0'\n"
	  "sudo config interface pfc priority 'Ethernet0' 3 off\n"
	  "sudo sonic-db-cli CONFIG_DB HSET 'QUEUE|''Ethernet0''|3' wred_profile AZURE_LOSSLESS\n"
	  "sudo sonic-db-cli CONFIG_DB DEL 'WRED_PROFILE|losslessd-3'\n"
	  "sudo sonic-db-cli CONFIG_DB HSET 'PORT_QOS_MAP|''Ethernet0' dscp_to_tc_map AZURE\n"
	  "sudo sonic-db-cli CONFIG_DB DEL 'DSCP_TO_TC_MAP|losslessd'\n" },
	{ "an MTU, and the one that was not read",
	  {},
	  { { SWITCH_MTU, PORT, "1500", "9122" }, { SWITCH_MTU, PORT, "9122", "" } },
	  "sudo config interface mtu 'Ethernet0' 9122\n"
	  "sudo config interface mtu 'Ethernet0' 9100\n" },
	{ "a watchdog that reports, one that forwards",
	  {},
	  { { SWITCH_WATCHDOG, PORT, "", "200/200/2" },
	    { SWITCH_WATCHDOG, PORT, "", "200/200/1" } },
	  "sudo config pfcwd start --action alert 'Ethernet0' 200 --restoration-time 200\n"
	  "sudo config pfcwd start --action forward 'Ethernet0' 200 --restoration-time 200\n" },
	{ "a watchdog without a time to restore",
	  {},
	  { { SWITCH_WATCHDOG, PORT, "", "200/_/0" } },
	  NULL,
	  "leaves open" },
	{ "an alias of a port",
	  {},
	  { { SWITCH_PFC, "etp1", "", "3" } },
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
		[TRANSACTION_SAVE] = "sudo config save -y\n",
	};

	for (enum transaction_verb verb = 0; verb < TRANSACTION_VERB_MAX; verb++)
		render_verb_case(DIALECT, verb, 120, lines[verb] ? lines[verb] : "");
}

static const struct parse_case parse[] = {
	{ "queue-all.ours.txt",
	  { { "queue_profile", "none" } },
	  "sonic-cfggen -d --var-json QUEUE",
	  { { SWITCH_ECN_PORT, PORT, "0 1 2 3 4 5 6 7" } } },
	{ "queue.ours.txt",
	  { { "queue_profile", "none" } },
	  "sonic-cfggen -d --var-json QUEUE",
	  { { SWITCH_ECN_PORT, "Ethernet4", "?" } } },
	{ "queue-all.ours.txt",
	  {},
	  "sonic-cfggen -d --var-json QUEUE",
	  { { SWITCH_ECN_PORT, PORT, "0 1 2 3 4 5 6 7" } } },
	{ "port-qos-map.vendor-page.txt",
	  {},
	  "sonic-cfggen -d --var-json PORT_QOS_MAP",
	  { { SWITCH_PFC, PORT, "3 4" },
	    { SWITCH_DSCP_MAP_PORT, PORT, "0" },
	    { SWITCH_PFC, "Ethernet4", "" },
	    { SWITCH_DSCP_MAP_PORT, "Ethernet4", "?" } } },
	{ "port-qos-map.ours.txt",
	  {},
	  "sonic-cfggen -d --var-json PORT_QOS_MAP",
	  { { SWITCH_PFC, "Ethernet4", "" },
	    { SWITCH_DSCP_MAP_PORT, "Ethernet4", "1" },
	    { SWITCH_PFC, "Ethernet8", "?" },
	    { SWITCH_DSCP_MAP_PORT, "Ethernet8", "?" },
	    { SWITCH_PFC, "Ethernet12", "" },
	    { SWITCH_DSCP_MAP_PORT, "Ethernet12", "?" },
	    { SWITCH_PFC, "Ethernet16", "?" },
	    { SWITCH_DSCP_MAP_PORT, "Ethernet16", "?" } } },
	{ "port.vendor-page.txt",
	  {},
	  "sonic-cfggen -d --var-json PORT",
	  { { SWITCH_MTU, PORT, "9100" }, { SWITCH_MTU, "Ethernet4", "?" } } },
	{ "dscp.ours.txt",
	  {},
	  "sonic-cfggen -d --var-json DSCP_TO_TC_MAP",
	  { { SWITCH_DSCP_MAP, NULL, "0:0 26:3 48:6" } } },
	{ "nothing.ours.txt",
	  {},
	  "sonic-cfggen -d --var-json DSCP_TO_TC_MAP",
	  { { SWITCH_DSCP_MAP, NULL, "" } } },
	{ "nothing.ours.txt",
	  {},
	  "sonic-cfggen -d --var-json PORT_QOS_MAP",
	  { { SWITCH_PFC, PORT, "?" } },
	  "no JSON" },
	{ "wred.ours.txt",
	  {},
	  "sonic-cfggen -d --var-json WRED_PROFILE",
	  { { SWITCH_ECN, NULL, "3:153600/1536000/100" } } },
	{ "nothing.ours.txt",
	  {},
	  "sonic-cfggen -d --var-json WRED_PROFILE",
	  { { SWITCH_ECN, NULL, "" } } },
	{ "queue.ours.txt",
	  {},
	  "sonic-cfggen -d --var-json QUEUE",
	  { { SWITCH_ECN_PORT, PORT, "3" },
	    { SWITCH_ECN_PORT, "Ethernet4", "" },
	    { SWITCH_ECN_PORT, "Ethernet8", "" } } },
	{ "pfc-wd.vendor-page.txt",
	  {},
	  "sonic-cfggen -d --var-json PFC_WD",
	  { { SWITCH_WATCHDOG, PORT, "400/400/0" }, { SWITCH_WATCHDOG, "Ethernet4", "" } } },
	{ "pfc-wd-alert.ours.txt",
	  {},
	  "sonic-cfggen -d --var-json PFC_WD",
	  { { SWITCH_WATCHDOG, PORT, "600/_/2" },
	    { SWITCH_WATCHDOG, "Ethernet4", "?" },
	    { SWITCH_WATCHDOG, "Ethernet8", "?" } } },
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
