// SPDX-License-Identifier: LGPL-2.1-or-later
/* Lines that are refused, asked about, echoed strangely, or that look like something else. */
#include <stdio.h>
#include <string.h>

#include "lib/base/macro.h"
#include "tests/support/cases.h"
#include "tests/switch/scripted.h"

#define CISCO_LOGIN \
	SAYS("\r\nsw-lab-3# "), C("terminal length 0"), S("terminal length 0"), SAYS("sw-lab-3# ")
#define CONFIGURE \
	CISCO_LOGIN, C("configure terminal"), S("configure terminal"), SAYS("sw-lab-3(config)# ")
#define CONFIGURED                                                             \
	{                                                                      \
		"configure terminal", ASK_LINES, "config", .is_mode = "config" \
	}

/* A rejected line is one, and what comes behind it stays unsent. */
static const struct scenario errors[] = {
	{ "a port that is not there", &rules_cisco,
	  .steps = { CONFIGURE, C("interface Ethernet1/99"), S("interface Ethernet1/99"),
		     S("                            ^"),
		     S("% Invalid input detected at '^' marker."), SAYS("sw-lab-3(config)# ") },
	  .actions = { CONFIGURED,
		       { "interface Ethernet1/99", ASK_LINES, "config-if", SESSION_REFUSED,
			 .words = "% Invalid input detected at '^' marker. (at \"Ethernet1/99\")",
			 .is_mode = "config" } } },
	{ "the caret points at nothing", &rules_cisco,
	  .steps = { CONFIGURE, C("mtu"), S("mtu"),
		     S("                                                 ^"),
		     S("% Incomplete command."), SAYS("sw-lab-3(config)# ") },
	  .actions = { CONFIGURED,
		       { "mtu", .end = SESSION_REFUSED, .words = "% Incomplete command." } } },
	{ "zero errors are none", &rules_cisco,
	  .steps = { CONFIGURE, C("check"), S("check"), S("Info: 0 errors, 0 warnings"),
		     S("Error: 0 found"), SAYS("sw-lab-3(config)# ") },
	  .actions = { CONFIGURED,
		       { "check", .answer = "Info: 0 errors, 0 warnings\nError: 0 found\n" } } },
	{ "an error in the middle of an answer", &rules_cisco,
	  .steps = { CONFIGURE, C("mtu 9216"), S("mtu 9216"), S("checking ..."), S(""),
		     S("Error: not on this port"), S("done"), SAYS("sw-lab-3(config)# ") },
	  .actions = { CONFIGURED,
		       { "mtu 9216", .end = SESSION_REFUSED,
			 .words = "Error: not on this port" } } },
	{ "a mode line that did nothing", &rules_cisco,
	  .steps = { CONFIGURE, C("interface Ethernet1/9"), S("interface Ethernet1/9"),
		     SAYS("sw-lab-3(config)# ") },
	  .actions = { CONFIGURED,
		       { "interface Ethernet1/9", ASK_LINES, "config-if", SESSION_MODE,
			 .words = "not where it should be: sw-lab-3(config)#" } } },
	{ "a mode line that went elsewhere", &rules_cisco,
	  .steps = { CONFIGURE, C("interface Ethernet1/9"), S("interface Ethernet1/9"),
		     SAYS("sw-lab-3(config-if-range)# ") },
	  .actions = { CONFIGURED,
		       { "interface Ethernet1/9", ASK_LINES, "config-if", SESSION_MODE,
			 .is_mode = "config-if-range" } } },
	{ "a line that fell out of its mode", &rules_cisco,
	  .steps = { CONFIGURE, C("mtu 9216"), S("mtu 9216"), SAYS("sw-lab-3# ") },
	  .actions = { CONFIGURED, { "mtu 9216", .end = SESSION_MODE, .words = "sw-lab-3#" } } },
	{ "a line that fell out of being enabled", &rules_cisco,
	  .steps = { CISCO_LOGIN, C("show x"), S("show x"), SAYS("sw-lab-3> ") },
	  .actions = { { "show x", .end = SESSION_MODE } } },
	{ "lines that are not sent", &rules_cisco, .steps = { CISCO_LOGIN },
	  .actions = { { "mtu 9216\nreload", .end = SESSION_BAD, .words = "control bytes" },
		       { "mtu\t9216", .end = SESSION_BAD },
		       { "mtu \x7f", .end = SESSION_BAD } } },
};

#define DISRUPTION "This operation can cause disruption of control traffic. Proceed (y/n)?  [no] "
#define QOS	   CONFIGURE, C("service-policy x"), S("service-policy x")

/* A question in the middle of configuration. */
static const struct scenario questions[] = {
	{ "refused the safe way", &rules_cisco,
	  .steps = { QOS, SAYS(DISRUPTION), C("n"), S("n"), SAYS("sw-lab-3(config)# "), C("mtu 1"),
		     S("mtu 1"), SAYS("sw-lab-3(config)# ") },
	  .actions = { CONFIGURED,
		       { "service-policy x", ASK_LINES, .end = SESSION_QUESTION,
			 .words = "confirmation required: This operation can cause disruption of "
				  "control traffic. Proceed (y/n)?  [no]" },
		       { "mtu 1", .answer = "" } } },
	{ "allowed", &rules_cisco,
	  .allowed = { { "disruption of control traffic", "y", ASK_LINES } },
	  .steps = { QOS, SAYS(DISRUPTION), C("y"), S("y"), PAUSE(3000), SAYS("sw-lab-3(config)# "),
		     C("mtu 1"), S("mtu 1"), SAYS("sw-lab-3(config)# ") },
	  .actions = { CONFIGURED,
		       { "service-policy x", ASK_LINES, .answer = "" },
		       { "mtu 1", .answer = "" } } },
	{ "allowed elsewhere is not allowed here", &rules_cisco,
	  .allowed = { { "disruption of control traffic", "y", ASK_SAVE } },
	  .steps = { QOS, SAYS(DISRUPTION), C("n"), S("n"), SAYS("sw-lab-3(config)# ") },
	  .actions = { CONFIGURED, { "service-policy x", ASK_LINES, .end = SESSION_QUESTION } } },
	{ "an allowed question in the middle of a line", &rules_cisco,
	  .allowed = { { "Proceed", "y", ASK_ANY } },
	  .steps = { QOS, SAYS("Proceed with"), PAUSE(350), S(" care."),
		     SAYS("sw-lab-3(config)# ") },
	  .actions = { CONFIGURED, { "service-policy x", .answer = "Proceed with care.\n" } } },
	{ "a pager that the dialect names by its beginning", &rules_paged,
	  .steps = { SAYS("<sw-lab-6>"), C("show x"), S("show x"), S("x"),
		     SAYS("  Press <SPACE> (q to quit)"), HEARS(" "),
		     S("\r                            \ry"), SAYS("to Press <SPACE>"), PAUSE(1000),
		     S(""), SAYS("<sw-lab-6>") },
	  .actions = { { "show x", .answer = "x\ny\nto Press <SPACE>\n" } } },
	{ "a question that another one follows", &rules_cisco,
	  .allowed = { { "Keep", "y", ASK_ANY } },
	  .steps = { QOS, SAYS(DISRUPTION), C("n"), S("n"), SAYS("Keep the rest? [yes/no]: "),
		     HEARS("\x03"), S("^C"), SAYS("sw-lab-3(config)# ") },
	  .actions = { CONFIGURED,
		       { "service-policy x", ASK_LINES, .end = SESSION_QUESTION,
			 .words = "disruption" } } },
	{ "it cannot be got out of", &rules_cisco,
	  .steps = { QOS, SAYS("Continue [confirm]"), C("n"), S(""), SAYS("Continue [confirm]"),
		     HEARS("\x03"), S(""), SAYS("Continue [confirm]") },
	  .actions = { CONFIGURED,
		       { "service-policy x", ASK_LINES, .end = SESSION_QUESTION,
			 .words = "[confirm]" },
		       { "mtu 1", .end = SESSION_QUESTION } } },
	{ "interrupted where no answer is safe", &rules_ruijie,
	  .steps = { SAYS("sw-lab-2#"), C("terminal length 0"), S("terminal length 0"),
		     SAYS("sw-lab-2#"), C("erase x"), S("erase x"),
		     SAYS("Are you sure you want to do this?"), HEARS("\x03"), S("^C"),
		     SAYS("sw-lab-2#") },
	  .actions = { { "erase x", ASK_LINES, .end = SESSION_QUESTION,
			 .words = "Are you sure" } } },
	{ "saving asks twice", &rules_huawei,
	  .steps = { SAYS("<sw-lab-1>"), C("screen-length 0 temporary"),
		     S("screen-length 0 temporary"), SAYS("<sw-lab-1>"), C("save"), S("save"),
		     S("Warning: The current configuration will be written to the device."),
		     SAYS("Are you sure to continue? [Y/N]:"), C("Y"), S("Y"),
		     SAYS("flash:/vrpcfg.zip exists, continue? [Y/N]:"), C("Y"), S("Y"),
		     S("Info: Save the configuration successfully."), SAYS("<sw-lab-1>") },
	  .actions = { { "save", ASK_SAVE,
			 .answer = "Warning: The current configuration will be written to the "
				   "device.\nInfo: Save the configuration successfully.\n" } } },
	{ "the same question where it is not saving", &rules_huawei,
	  .steps = { SAYS("<sw-lab-1>"), C("screen-length 0 temporary"),
		     S("screen-length 0 temporary"), SAYS("<sw-lab-1>"), C("reset"), S("reset"),
		     SAYS("Are you sure to continue? [Y/N]:"), C("N"), S("N"), SAYS("<sw-lab-1>") },
	  .actions = { { "reset", ASK_LINES, .end = SESSION_QUESTION,
			 .words = "Are you sure to continue?" } } },
};

#define HASHES	      "##############################"
#define COMWARE_LOGIN SAYS("<sw-lab-6>")
#define DESCRIPTIONS                                                                    \
	C("show interface description"), S("show interface description"),               \
		S("Eth1/1  up  uplink sw-lab-4# spare"), S("Eth1/2  up  to sw-lab-5>"), \
		S("sw-lab-5#")
#define DESCRIBED      "Eth1/1  up  uplink sw-lab-4# spare\nEth1/2  up  to sw-lab-5>\nsw-lab-5#\n"
#define LENGTH(prompt) C("terminal length 0"), S("terminal length 0"), SAYS(prompt)

/* What looks like a prompt and is none, and the other way round. */
static const struct scenario prompts[] = {
	{ "a banner of #", &rules_cisco, .host = "sw-lab-4",
	  .steps = { S(HASHES), S("#  authorised use only  #"), SAYS(HASHES), PAUSE(1000), S(""),
		     SAYS("sw-lab-4#"), LENGTH("sw-lab-4#"), DESCRIPTIONS, SAYS("sw-lab-4#") },
	  .actions = { { "show interface description", .answer = DESCRIBED } } },
	{ "descriptions that stop at their prompt", &rules_cisco,
	  .steps = { SAYS("sw-lab-4#"), LENGTH("sw-lab-4#"), C("show x"), S("show x"),
		     SAYS("Eth1/1  up  uplink sw-lab-4#"), PAUSE(1000), S(" spare"),
		     SAYS("sw-lab-5#"), PAUSE(3000), S(" is the neighbour"), SAYS("sw-lab-4#") },
	  .actions = { { "show x", .answer = "Eth1/1  up  uplink sw-lab-4# spare\n"
					     "sw-lab-5# is the neighbour\n" } } },
	{ "a prompt that goes on", &rules_cisco,
	  .steps = { SAYS("sw-lab-4#"), LENGTH("sw-lab-4#"), C("show x"), S("show x"),
		     SAYS("sw-lab-4#"), PAUSE(90), S(" was its name"), SAYS("sw-lab-4#") },
	  .actions = { { "show x", .answer = "sw-lab-4# was its name\n" } } },
	{ "a banner line that ends like a prompt, and a pause", &rules_cisco, .host = "sw-lab-4",
	  .steps = { SAYS("maintenance#"), PAUSE(350), S(""), SAYS("sw-lab-4#"),
		     LENGTH("sw-lab-4#") } },
	{ "a banner of dashes, and a pause", &rules_cisco, .host = "sw-lab-4",
	  .steps = { SAYS("-----#"), PAUSE(1000), S(""), SAYS("sw-lab-4#"), LENGTH("sw-lab-4#") } },
	{ "a message without a line end", &rules_cisco, .host = "sw-lab-4",
	  .steps = { SAYS("Welcome to the lab sw-lab-4#"), HEARS("\n"), S(""), SAYS("sw-lab-4#"),
		     LENGTH("sw-lab-4#") } },
	{ "a prefix of high availability", &rules_huawei, .host = "sw-lab-4",
	  .steps = { SAYS("HRP_M<sw-lab-4>"), C("screen-length 0 temporary"),
		     S("screen-length 0 temporary"), SAYS("HRP_M<sw-lab-4>"), C("display x"),
		     S("display x"), S("x"), SAYS("HRP_S<sw-lab-4>") },
	  .actions = { { "display x", .answer = "x\n" } } },
	{ "another one", &rules_comware, .host = "sw-lab-6",
	  .steps = { SAYS("RBM_P<sw-lab-6>"), C("display x"), S("display x"), S("x"),
		     SAYS("RBM_P<sw-lab-6>") },
	  .actions = { { "display x", .answer = "x\n" } } },
	{ "a name with dashes", &rules_plain, .host = "sw-lab-4",
	  .steps = { SAYS("<sw-lab-4>"), HEARS("system-view\r"), S("system-view"),
		     SAYS("[~sw-lab-4]"), HEARS("interface 1\r"), S("interface 1"),
		     SAYS("[*sw-lab-4-100GE1/0/1]") },
	  .actions = { { "system-view", ASK_LINES, "", .is_mode = "" },
		       { "interface 1", ASK_LINES, "100GE1/0/1", .is_mode = "100GE1/0/1",
			 .is_mark = "*" } } },
	{ "maintenance", &rules_cisco, .host = "sw-lab-4",
	  .steps = { SAYS("sw-lab-4(maint-mode)# "), LENGTH("sw-lab-4(maint-mode)# "), C("show x"),
		     S("show x"), S("x"), SAYS("sw-lab-4(maint-mode)# ") },
	  .actions = { { "show x", .answer = "x\n", .is_mode = "maint-mode" } } },
	{ "a message between the prompt and the echo", &rules_cisco,
	  .steps = { SAYS("sw-lab-4#"), LENGTH("sw-lab-4#"), C("show x"), S(""),
		     S("%LINK-3-UPDOWN: Interface Eth1/7, changed state to up"), SAYS("sw-lab-4#"),
		     PAUSE(2000), S("show x"), S("x"), SAYS("sw-lab-4#") },
	  .actions = { { "show x", .answer = "x\n" } } },
	{ "no echo is no answer", &rules_cisco,
	  .steps = { SAYS("sw-lab-4#"), LENGTH("sw-lab-4#"), C("show x"), S(""), S("x"),
		     SAYS("sw-lab-4#") },
	  .actions = { { "show x", .end = SESSION_TIMEOUT, .words = "did not echo" } } },
	{ "nothing is sent before the prompt is back", &rules_cisco,
	  .steps = { SAYS("sw-lab-4#"), LENGTH("sw-lab-4#"), C("copy x"), S("copy x"), PAUSE(15000),
		     S("copied"), SAYS("sw-lab-4#"), C("show x"), S("show x"), SAYS("sw-lab-4#") },
	  .actions = { { "copy x", .end = SESSION_TIMEOUT, .words = "no prompt came in time" },
		       { "show x", .answer = "" } } },
	{ "cancelled, and what is staged is dropped", &rules_cisco,
	  .steps = { CONFIGURE, C("commit"), S("commit"), CANCELS, PAUSE(500), S("committed"),
		     SAYS("sw-lab-3(config)# "), C("abort"), S("abort"), SAYS("sw-lab-3# ") },
	  .actions = { CONFIGURED,
		       { "commit", ASK_COMMIT, NULL, SESSION_CANCELLED },
		       { "abort", ASK_LINES, "", .is_mode = "" } } },
	{ "reset in the middle", &rules_cisco,
	  .steps = { CISCO_LOGIN, C("show x"), S("show x"), BREAKS },
	  .actions = { { "show x", .end = SESSION_LOST }, { "show x", .end = SESSION_LOST } } },
};

/* Wrapped echoes, sequences, strange line ends. */
static const struct scenario echoes[] = {
	{ "wrapped by blank and return", &rules_comware,
	  .steps = { COMWARE_LOGIN, C("display priority-flow-control interface"),
		     S("display priority-flow-control in\r \rterface"),
		     S("Interface   AdminMode  OperMode  Dot1pList        Prio"),
		     S("HGE1/0/1    Enabled    Disabled  0,1,2,3,4,"),
		     S("                                 5,6,7            3"),
		     S("HGE1/0/2    Auto       Enabled   3                3"), SAYS("<sw-lab-6>") },
	  .actions = { { "display priority-flow-control interface",
			 .answer = "Interface   AdminMode  OperMode  Dot1pList        Prio\n"
				   "HGE1/0/1    Enabled    Disabled  0,1,2,3,4,\n"
				   "                                 5,6,7            3\n"
				   "HGE1/0/2    Auto       Enabled   3                3\n" } } },
	{ "wrapped by a line end", &rules_comware,
	  .steps = { COMWARE_LOGIN, C("display priority-flow-control interface"),
		     S("display priority-flow-control in\r\nterface"), S("x"), SAYS("<sw-lab-6>") },
	  .actions = { { "display priority-flow-control interface", .answer = "x\n" } } },
	{ "wrapped by a blank and a backspace", &rules_comware,
	  .steps = { COMWARE_LOGIN, C("display interface"), S("display inte \brface"), S("x"),
		     SAYS("<sw-lab-6>") },
	  .actions = { { "display interface", .answer = "x\n" } } },
	{ "two carriage returns", &rules_cisco,
	  .steps = { SAYS("sw-lab-3# "), C("terminal length 0"), SAYS("terminal length 0\r\r\n"),
		     SAYS("sw-lab-3# "), C("show x"), SAYS("show x\r\r\nx\r\r\ny\r\r\n"),
		     SAYS("\rsw-lab-3# ") },
	  .actions = { { "show x", .answer = "x\ny\n" } } },
	{ "colours, titles and modes of a terminal", &rules_cisco, .host = "sw-lab-3",
	  .steps = { SAYS("\x1b]0;sw-lab-3: ~\a\x1b[?2004h\x1b[01;32msw-lab-3\x1b[00m# "),
		     C("terminal length 0"), S("terminal length 0"), SAYS("\x1b[?2004l\r"),
		     SAYS("\x1b[?2004h\x1b(Bsw-lab-3# \x1b[K"), C("show x"),
		     SAYS("s\x1b[Khow x\x1b"
			  "E"),
		     S("\x1b[1mx\x1b[0m"), SAYS("sw-lab-3# ") },
	  .actions = { { "show x", .answer = "x\n" } } },
	{ "a line that is written over", &rules_cisco,
	  .steps = { CISCO_LOGIN, C("copy x"), S("copy x"), S("10%\r 50%\r100%"),
		     S("wrong\b\b\b\b\bright"), S("long line\rok\x1b[K"), SAYS("sw-lab-3# ") },
	  .actions = { { "copy x", .answer = "100%\nright\nok\n" } } },
	{ "other control bytes", &rules_cisco,
	  .steps = { CISCO_LOGIN, C("show x"), S("show x"),
		     S("a\a\x0e\x0f"
		       "b\tc"),
		     SAYS("sw-lab-3# ") },
	  .actions = { { "show x", .answer = "ab\tc\n" } } },
};

static void run(const struct scenario *scenarios, size_t n)
{
	for (size_t i = 0; i < n; i++)
		scenario_run(&scenarios[i]);
}

static void test_errors(void **state)
{
	run(errors, ARRAY_SIZE(errors));
}

static void test_questions(void **state)
{
	run(questions, ARRAY_SIZE(questions));
}

static void test_prompts(void **state)
{
	run(prompts, ARRAY_SIZE(prompts));
}

static void test_echoes(void **state)
{
	run(echoes, ARRAY_SIZE(echoes));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_errors),
		cmocka_unit_test(test_questions),
		cmocka_unit_test(test_prompts),
		cmocka_unit_test(test_echoes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
