// SPDX-License-Identifier: LGPL-2.1-or-later
/* Huawei CloudEngine: lines by the configuration guide, values out of the examples of its pages. */
#include "tests/support/cases.h"
#include "tests/switch/parse-case.h"
#include "tests/switch/render-case.h"

#define DIALECT "huawei-cloudengine"
#define PORT	"100GE1/0/1"

static const struct render_case render[] = {
	{ "fresh to all",
	  {},
	  { { SWITCH_FLOW_CONTROL, PORT, NULL, "0" },
	    { SWITCH_DSCP_MAP, NULL, NULL, "26:3 48:6" },
	    { SWITCH_PFC_PRIORITIES, NULL, "3", "3" },
	    { SWITCH_ECN, NULL, "", "3:153600/1536000/100" },
	    { SWITCH_TRUST, PORT, "1", "2" },
	    { SWITCH_DSCP_MAP_PORT, PORT, "0", "1" },
	    { SWITCH_ECN_PORT, PORT, "", "3" },
	    { SWITCH_PFC_ENABLED, PORT, "0", "1" },
	    { SWITCH_DCBX, PORT, "0", "1" } },
	  "> interface 100GE1/0/1\n"
	  "undo flow-control\n"
	  "< quit\n"
	  "> diffserv domain losslessd\n"
	  "ip-dscp-inbound 26 phb af3 green\n"
	  "ip-dscp-inbound 48 phb cs6 green\n"
	  "< quit\n"
	  "> drop-profile losslessd-3\n"
	  "ecn buffer-size low-limit 153600 high-limit 1536000 discard-percentage 100\n"
	  "< quit\n"
	  "> interface 100GE1/0/1\n"
	  "trust dscp\n"
	  "trust upstream losslessd\n"
	  "qos queue 3 wred losslessd-3\n"
	  "qos queue 3 ecn\n"
	  "dcb pfc enable mode manual\n"
	  "< quit\n"
	  "lldp enable\n"
	  "> interface 100GE1/0/1\n"
	  "lldp tlv-enable dcbx\n"
	  "< quit\n" },
	{ "longer frames, and back",
	  {},
	  { { SWITCH_MTU, PORT, "9216", "9500" }, { SWITCH_MTU, PORT, "9500", "9216" } },
	  "> interface 100GE1/0/1\n"
	  "jumboframe enable 9500\n"
	  "undo jumboframe enable\n"
	  "< quit\n" },
	{ "back to what was there",
	  {},
	  { { SWITCH_DCBX, PORT, "1", "0" },
	    { SWITCH_PFC_ENABLED, PORT, "1", "0" },
	    { SWITCH_ECN_PORT, PORT, "3", "" },
	    { SWITCH_DSCP_MAP_PORT, PORT, "1", "0" },
	    { SWITCH_TRUST, PORT, "2", "1" },
	    { SWITCH_ECN, NULL, "3:153600/1536000/100", "" },
	    { SWITCH_DSCP_MAP, NULL, "26:3 48:6", "" },
	    { SWITCH_PFC_PRIORITIES, NULL, "3,4", "3" },
	    { SWITCH_FLOW_CONTROL, PORT, "0", "1" } },
	  "> interface 100GE1/0/1\n"
	  "undo lldp tlv-enable dcbx\n"
	  "undo dcb pfc enable\n"
	  "undo qos queue 3 ecn\n"
	  "undo qos queue 3 wred\n"
	  "undo trust upstream\n"
	  "undo trust\n"
	  "< quit\n"
	  "undo drop-profile losslessd-3\n"
	  "undo diffserv domain losslessd\n"
	  "> dcb pfc\n"
	  "undo priority 4\n"
	  "< quit\n"
	  "> interface 100GE1/0/1\n"
	  "flow-control\n"
	  "< quit\n" },
	{ "one DSCP elsewhere, one more, one gone: new before old",
	  {},
	  { { SWITCH_DSCP_MAP, NULL, "10:0 26:2 48:6", "26:3 30:3 48:6" } },
	  "> diffserv domain losslessd\n"
	  "ip-dscp-inbound 26 phb af3 green\n"
	  "ip-dscp-inbound 30 phb af3 green\n"
	  "undo ip-dscp-inbound 10\n"
	  "< quit\n" },
	{ "every word of the map",
	  {},
	  { { SWITCH_DSCP_MAP, NULL, NULL, "0:0 8:1 16:2 24:3 32:4 40:5 48:6 56:7" } },
	  "> diffserv domain losslessd\n"
	  "ip-dscp-inbound 0 phb be green\n"
	  "ip-dscp-inbound 8 phb af1 green\n"
	  "ip-dscp-inbound 16 phb af2 green\n"
	  "ip-dscp-inbound 24 phb af3 green\n"
	  "ip-dscp-inbound 32 phb af4 green\n"
	  "ip-dscp-inbound 40 phb ef green\n"
	  "ip-dscp-inbound 48 phb cs6 green\n"
	  "ip-dscp-inbound 56 phb cs7 green\n"
	  "< quit\n" },
	{ "nothing to do",
	  {},
	  { { SWITCH_DSCP_MAP, NULL, "26:3", "26:3" },
	    { SWITCH_TRUST, PORT, "2", "2" },
	    { SWITCH_PFC_ENABLED, PORT, "0", NULL },
	    { SWITCH_ECN, NULL, "3:153600/1536000/100", "3:153000/1537000/100" } },
	  "" },
	{ "two ports, each left",
	  {},
	  { { SWITCH_PFC_ENABLED, "25GE1/0/1", "0", "1" },
	    { SWITCH_PFC_ENABLED, "25GE1/0/2", "0", "1" } },
	  "> interface 25GE1/0/1\n"
	  "dcb pfc enable mode manual\n"
	  "< quit\n"
	  "> interface 25GE1/0/2\n"
	  "dcb pfc enable mode manual\n"
	  "< quit\n" },
	{ "one more PFC priority",
	  {},
	  { { SWITCH_PFC_PRIORITIES, NULL, "3", "3,4" } },
	  "> dcb pfc\n"
	  "priority 4\n"
	  "< quit\n" },
	{ "older model",
	  { { "ecn_form", "color" }, { "family", "ce6866" } },
	  { { SWITCH_ECN, NULL, "", "3:153600/1536000/20" },
	    { SWITCH_ECN_PORT, PORT, "", "3" },
	    { SWITCH_ECN_PORT, "100GE1/0/2", "3", "" },
	    { SWITCH_ECN, NULL, "3:153600/1536000/20", "" } },
	  "> drop-profile losslessd-3\n"
	  "color green buffer-size low-limit 153600 high-limit 1536000 discard-percentage 20\n"
	  "< quit\n"
	  "qos ecn enable\n"
	  "> interface 100GE1/0/1\n"
	  "qos queue 3 wred losslessd-3\n"
	  "qos queue 3 ecn\n"
	  "< quit\n"
	  "> interface 100GE1/0/2\n"
	  "undo qos queue 3 ecn\n"
	  "undo qos queue 3 wred\n"
	  "< quit\n"
	  "undo drop-profile losslessd-3\n" },
	{ "unset a trust of which nothing is known",
	  {},
	  { { SWITCH_TRUST, PORT, "1", "" } },
	  "> interface 100GE1/0/1\n"
	  "undo trust\n"
	  "< quit\n" },
	{ "routed port",
	  { { "layer3", "true" } },
	  { { SWITCH_TRUST, PORT, NULL, "2" } },
	  NULL,
	  "cannot write it" },
	{ "trust both has no word",
	  {},
	  { { SWITCH_TRUST, PORT, NULL, "3" } },
	  NULL,
	  "no word for both" },
	{ "unknown setting",
	  { { "layer4", "true" } },
	  { { SWITCH_TRUST, PORT, NULL, "2" } },
	  NULL,
	  "no variable \"layer4\"; it has ecn_form, family, layer3" },
	{ "unknown family",
	  { { "family", "ce1" } },
	  { { SWITCH_TRUST, PORT, NULL, "2" } },
	  NULL,
	  "it may be other, ce6866" },
	{ "no port of this vendor",
	  {},
	  { { SWITCH_TRUST, "Ethernet1", NULL, "2" } },
	  NULL,
	  "no port of the dialect" },
	{ "two lines in a port",
	  {},
	  { { SWITCH_TRUST, "25GE1/0/1\nreboot", NULL, "2" } },
	  NULL,
	  "port" },
	{ "a port for a knob of the switch",
	  {},
	  { { SWITCH_PFC_PRIORITIES, PORT, "", "3" } },
	  NULL,
	  "other scope" },
	{ "a knob of ports without one",
	  {},
	  { { SWITCH_PFC_ENABLED, NULL, "", "1" } },
	  NULL,
	  "other scope" },
	{ "a list away of which nothing is known",
	  {},
	  { { SWITCH_PFC_PRIORITIES, NULL, NULL, "" } },
	  NULL,
	  "nothing is known" },
};

static void test_render(void **state)
{
	render_cases(DIALECT, render, sizeof(render) / sizeof(render[0]));
}

static void test_transaction(void **state)
{
	render_verb_case(DIALECT, TRANSACTION_BEGIN, 0, "system-view\n");
	render_verb_case(DIALECT, TRANSACTION_DIFF, 0, "display configuration candidate changes\n");
	render_verb_case(DIALECT, TRANSACTION_COMMIT, 0, "commit\n");
	render_verb_case(DIALECT, TRANSACTION_TRIAL, 120, "commit trial 120 persist losslessd\n");
	render_verb_case(DIALECT, TRANSACTION_CONFIRM, 0,
			 "system-view\ncommit persist losslessd\nreturn\n");
	render_verb_case(DIALECT, TRANSACTION_RETURN, 0,
			 "system-view\nabort trial persist losslessd\nreturn\n");
	render_verb_case(DIALECT, TRANSACTION_ABORT, 0, "clear configuration candidate\nreturn\n");
	render_verb_case(DIALECT, TRANSACTION_END, 0, "return\n");
	render_verb_case(DIALECT, TRANSACTION_SAVE, 0, "save\n");
}

static const struct parse_case parse[] = {
	{ "diffserv-domain-absent.ours.txt",
	  {},
	  "display diffserv domain losslessd",
	  { { SWITCH_DSCP_MAP, NULL, "" } } },
	{ "drop-profile-absent.ours.txt",
	  {},
	  "display drop-profile",
	  { { SWITCH_ECN, NULL, "" } } },
	{ "empty.ours.txt",
	  {},
	  "display diffserv domain losslessd",
	  { { SWITCH_DSCP_MAP, NULL, "?" } },
	  "the form" },
	{ "lldp-tlv-config-on.ours.txt",
	  {},
	  "display lldp tlv-config interface " PORT,
	  { { SWITCH_DCBX, PORT, "1" } } },
	{ "dcb.ours.txt",
	  {},
	  "display dcb",
	  { { SWITCH_PFC_ENABLED, "25GE1/0/1", "1" },
	    { SWITCH_PFC_ENABLED, "25GE1/0/2", "1" },
	    { SWITCH_PFC_ENABLED, "25GE1/0/3", "?" },
	    { SWITCH_PFC_ENABLED, "25GE1/0/4", "0" },
	    { SWITCH_PFC_ENABLED, "25GE1/0/5", "?" } } },
	{ "dcb-pfc-profile.vendor-page.txt",
	  {},
	  "display dcb pfc-profile",
	  { { SWITCH_PFC_PRIORITIES, NULL, "3" } } },
	{ "dcb-pfc-profile-two.ours.txt",
	  {},
	  "display dcb pfc-profile",
	  { { SWITCH_PFC_PRIORITIES, NULL, "0 3 5" } } },
	{ "diffserv-domain.ours.txt",
	  {},
	  "display diffserv domain losslessd",
	  { { SWITCH_DSCP_MAP, NULL, "0:0 10:1 26:3 46:5 48:6 63:7" } } },
	{ "qos-configuration.vendor-page.txt",
	  {},
	  "display qos configuration interface " PORT,
	  { { SWITCH_TRUST, PORT, "1" }, { SWITCH_DSCP_MAP_PORT, PORT, "0" } } },
	{ "qos-configuration-ours.ours.txt",
	  {},
	  "display qos configuration interface " PORT,
	  { { SWITCH_TRUST, PORT, "2" }, { SWITCH_DSCP_MAP_PORT, PORT, "1" } } },
	{ "qos-configuration-other.ours.txt",
	  {},
	  "display qos configuration interface " PORT,
	  { { SWITCH_TRUST, PORT, "?" }, { SWITCH_DSCP_MAP_PORT, PORT, "?" } } },
	{ "drop-profile.vendor-page.txt",
	  {},
	  "display drop-profile",
	  { { SWITCH_ECN, NULL, "" } } },
	{ "drop-profile-ours.ours.txt",
	  {},
	  "display drop-profile",
	  { { SWITCH_ECN, NULL, "3:153600/1536000/100 4:200000/400000/20" } } },
	{ "drop-profile-ours.ours.txt",
	  { { "ecn_form", "color" } },
	  "display drop-profile",
	  { { SWITCH_ECN, NULL, "3:256/90000/90" } } },
	{ "empty.ours.txt",
	  {},
	  "display drop-profile",
	  { { SWITCH_ECN, NULL, "?" } },
	  "the form that the dialect expects" },
	{ "lldp-tlv-config.vendor-page.txt",
	  {},
	  "display lldp tlv-config interface " PORT,
	  { { SWITCH_DCBX, PORT, "0" } } },
	{ "current-configuration.ours.txt",
	  {},
	  "display current-configuration interface " PORT,
	  { { SWITCH_FLOW_CONTROL, PORT, "0" }, { SWITCH_ECN_PORT, PORT, "3 4" } } },
	{ "current-configuration-jumbo.ours.txt",
	  {},
	  "display current-configuration interface " PORT,
	  { { SWITCH_MTU, PORT, "9000" } } },
	{ "current-configuration.ours.txt",
	  {},
	  "display current-configuration interface " PORT,
	  { { SWITCH_MTU, PORT, "9216" } } },
	{ "current-configuration-flow.ours.txt",
	  {},
	  "display current-configuration interface " PORT,
	  { { SWITCH_FLOW_CONTROL, PORT, "1" }, { SWITCH_ECN_PORT, PORT, "" } } },
	{ "empty.ours.txt",
	  {},
	  "display current-configuration interface " PORT,
	  { { SWITCH_FLOW_CONTROL, PORT, "?" }, { SWITCH_ECN_PORT, PORT, "?" } },
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
