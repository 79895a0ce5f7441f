// SPDX-License-Identifier: LGPL-2.1-or-later
/* Linux switchdev: lines by dcb(8), values as iproute2 prints them. */
#include "tests/support/cases.h"
#include "tests/switch/parse-case.h"
#include "tests/switch/render-case.h"

#define DIALECT "linux-switchdev"
#define PORT	"swp1"
#define ASK	"PATH=$PATH:/usr/sbin:/sbin "

static const struct render_case render[] = {
	{ "fresh to all",
	  {},
	  { { SWITCH_DSCP_MAP, PORT, "", "26:3 48:6" },
	    { SWITCH_PFC, PORT, "", "3" },
	    { SWITCH_MTU, PORT, "1500", "9216" } },
	  "sudo dcb app replace dev 'swp1' dscp-prio 26:3\n"
	  "sudo dcb app replace dev 'swp1' dscp-prio 48:6\n"
	  "sudo dcb pfc set dev 'swp1' prio-pfc 3:on\n"
	  "sudo ip link set dev 'swp1' mtu 9216\n" },
	{ "back to what was there",
	  {},
	  { { SWITCH_MTU, PORT, "9216", "1500" },
	    { SWITCH_PFC, PORT, "3", "" },
	    { SWITCH_DSCP_MAP, PORT, "26:3 48:6", "26:2" } },
	  "sudo ip link set dev 'swp1' mtu 1500\n"
	  "sudo dcb pfc set dev 'swp1' prio-pfc 3:off\n"
	  "sudo dcb app replace dev 'swp1' dscp-prio 26:2\n"
	  "sudo dcb app del dev 'swp1' dscp-prio 48:6\n" },
	{ "an MTU of which nothing was known",
	  {},
	  { { SWITCH_MTU, PORT, "9216", "" } },
	  "sudo ip link set dev 'swp1' mtu 1500\n" },
};

static void test_render(void **state)
{
	render_cases(DIALECT, render, sizeof(render) / sizeof(render[0]));
}

/* Each line counts at once: there is nothing to commit. */
static void test_transaction(void **state)
{
	for (enum transaction_verb verb = 0; verb < TRANSACTION_VERB_MAX; verb++)
		render_verb_case(DIALECT, verb, 120, "");
}

static const struct parse_case parse[] = {
	{ "app.vendor-page.txt",
	  {},
	  ASK "dcb -j app show dev 'swp1' dscp-prio",
	  { { SWITCH_DSCP_MAP, PORT, "26:3 48:6" } } },
	{ "app-none.ours.txt",
	  {},
	  ASK "dcb -j app show dev 'swp1' dscp-prio",
	  { { SWITCH_DSCP_MAP, PORT, "" } } },
	{ "pfc.vendor-page.txt",
	  {},
	  ASK "dcb -j pfc show dev 'swp1' prio-pfc",
	  { { SWITCH_PFC, PORT, "3" } } },
	{ "pfc-odd.ours.txt",
	  {},
	  ASK "dcb -j pfc show dev 'swp1' prio-pfc",
	  { { SWITCH_PFC, PORT, "?" } } },
	{ "pfc-none.ours.txt",
	  {},
	  ASK "dcb -j pfc show dev 'swp1' prio-pfc",
	  { { SWITCH_PFC, PORT, "?" } } },
	{ "link.field.txt",
	  {},
	  ASK "ip -j link show dev 'swp1'",
	  { { SWITCH_MTU, PORT, "9216" } } },
	{ "link-none.ours.txt",
	  {},
	  ASK "ip -j link show dev 'swp1'",
	  { { SWITCH_MTU, PORT, "?" } } },
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
