// SPDX-License-Identifier: LGPL-2.1-or-later
/* Conversations that went wrong in the field, with their kind, as scripts. */
#include <stdio.h>
#include <string.h>

#include "lib/base/macro.h"
#include "tests/support/cases.h"
#include "tests/switch/scripted.h"

/* How most conversations with these rules begin. */
#define HUAWEI_LOGIN                                                            \
	S("Info: The max number of VTY users is 5."), SAYS("<sw-lab-1>"),       \
		C("screen-length 0 temporary"), S("screen-length 0 temporary"), \
		S("Info: The configuration takes effect on the current user."), SAYS("<sw-lab-1>")
#define CISCO_LOGIN \
	SAYS("\r\nsw-lab-3# "), C("terminal length 0"), S("terminal length 0"), SAYS("sw-lab-3# ")

/* The configuration is a candidate until it is committed; the prompt tells it. */
static const struct scenario candidates[] = {
	{ "a commit that conflicts", &rules_huawei, .host = "sw-lab-1",
	  .steps = { HUAWEI_LOGIN,
		     C("system-view"),
		     S("system-view"),
		     S("Enter system view, return user view with return command."),
		     SAYS("[~sw-lab-1]"),
		     C("interface 100GE1/0/1"),
		     S("interface 100GE1/0/1"),
		     SAYS("[~sw-lab-1-100GE1/0/1]"),
		     C("dcb pfc enable mode manual"),
		     S("dcb pfc enable mode manual"),
		     SAYS("[*sw-lab-1-100GE1/0/1]"),
		     C("commit"),
		     S("commit"),
		     S("Error: The configuration conflicts with profile 'p1'."),
		     SAYS("[*sw-lab-1-100GE1/0/1]"),
		     C("clear configuration candidate"),
		     S("clear configuration candidate"),
		     SAYS("[~sw-lab-1-100GE1/0/1]"),
		     C("return"),
		     S("return"),
		     SAYS("<sw-lab-1>") },
	  .actions = { { "system-view", ASK_LINES, "", .is_mode = "", .is_mark = "~" },
		       { "interface 100GE1/0/1", ASK_LINES, "100GE1/0/\\d", .answer = "",
			 .is_mode = "100GE1/0/1", .is_mark = "~" },
		       { "dcb pfc enable mode manual", .is_mode = "100GE1/0/1", .is_mark = "*" },
		       { "commit", ASK_COMMIT, NULL, SESSION_REFUSED,
			 .words = "Error: The configuration conflicts with profile 'p1'.",
			 .is_mark = "*" },
		       { "clear configuration candidate", .is_mark = "~" },
		       { "return", ASK_LINES, "", .is_mode = "", .is_mark = "" } } },
	{ "a device without marks", &rules_huawei,
	  .steps = { HUAWEI_LOGIN, C("system-view"), S("system-view"), SAYS("[sw-lab-1]"),
		     C("dcb pfc"), S("dcb pfc"), SAYS("[sw-lab-1-dcb-pfc-default]") },
	  .actions = { { "system-view", ASK_LINES, "", .is_mark = "" },
		       { "dcb pfc", ASK_LINES, "dcb-pfc-default", .is_mode = "dcb-pfc-default",
			 .is_mark = "" } } },
	{ "an interface of another switch is another prompt", &rules_huawei,
	  .steps = { HUAWEI_LOGIN, C("system-view"), S("system-view"), SAYS("[~sw-lab-11]") },
	  .actions = { { "system-view", ASK_LINES, "", SESSION_TIMEOUT,
			 .words = "no prompt came in time; the last line is: [~sw-lab-11]" } } },
};

/* A question that appears only sometimes. */
static const struct scenario logins[] = {
	{ "the password is old", &rules_huawei,
	  .warning = "Change now? [Y/N]:\"; the answer was \"N\"",
	  .steps = { S("Info: last login from 192.0.2.5"), PAUSE(2000),
		     SAYS("The password needs to be changed. Change now? [Y/N]:"), C("N"), S("N"),
		     SAYS("<sw-lab-1>"), C("screen-length 0 temporary"),
		     S("screen-length 0 temporary"), SAYS("<sw-lab-1>") } },
	{ "the password is not old", &rules_huawei,
	  .steps = { S("Info: last login from 192.0.2.5"), PAUSE(2000), SAYS("<sw-lab-1>"),
		     C("screen-length 0 temporary"), S("screen-length 0 temporary"),
		     SAYS("<sw-lab-1>") } },
	{ "an unknown question gets no answer", &rules_huawei, .open = SESSION_QUESTION,
	  .words = "confirmation required: Accept the acceptable-use terms? [yes/no]:",
	  .steps = { S("Info: last login from 192.0.2.5"),
		     SAYS("Accept the acceptable-use terms? [yes/no]:") } },
	{ "something that is not known as a question gets none either", &rules_huawei,
	  .open = SESSION_TIMEOUT, .words = "Accept terms and conditions",
	  .steps = { SAYS("Accept terms and conditions ") } },
	{ "asked a second time", &rules_huawei, .open = SESSION_QUESTION,
	  .words = "Change now? [Y/N]:",
	  .steps = { SAYS("The password needs to be changed. Change now? [Y/N]:"), C("N"), S("N"),
		     SAYS("The password needs to be changed. Change now? [Y/N]:") } },
	{ "a question of saving is none of login", &rules_huawei, .open = SESSION_QUESTION,
	  .words = "continue? [Y/N]", .steps = { SAYS("Are you sure to continue? [Y/N]") } },
	{ "a question that the user allows", &rules_huawei,
	  .allowed = { { "Accept the acceptable-use terms", "yes", ASK_LOGIN } },
	  .warning = "acceptable-use",
	  .steps = { SAYS("Accept the acceptable-use terms? [yes/no]:"), C("yes"), S("yes"),
		     SAYS("<sw-lab-1>"), C("screen-length 0 temporary"),
		     S("screen-length 0 temporary"), SAYS("<sw-lab-1>") } },
	{ "the question comes with a setting", &rules_huawei,
	  .allowed = { { "affect the running", "Y", ASK_LOGIN } }, .warning = "affect the running",
	  .steps = { SAYS("<sw-lab-1>"), C("screen-length 0 temporary"),
		     S("screen-length 0 temporary"), SAYS("This may affect the running. [Y/N]:"),
		     C("Y"), S("Y"), SAYS("<sw-lab-1>") } },
	{ "a setting that leads to an unknown question", &rules_huawei, .open = SESSION_QUESTION,
	  .words = "\"screen-length 0 temporary\": confirmation required: Really? [Y/N]:",
	  .steps = { SAYS("<sw-lab-1>"), C("screen-length 0 temporary"),
		     S("screen-length 0 temporary"), SAYS("Really? [Y/N]:") } },
	{ "all places are taken", &rules_huawei, .open = SESSION_LOST,
	  .words = "closed the connection before its first prompt (too many sessions?)",
	  .steps = { CLOSES } },
	{ "and it says so", &rules_huawei, .open = SESSION_LOST,
	  .words = "All user interfaces are used",
	  .steps = { SAYS("All user interfaces are used, please try later!"), CLOSES } },
	{ "reset", &rules_huawei, .open = SESSION_LOST, .words = "the connection is gone",
	  .steps = { BREAKS } },
	{ "silent", &rules_huawei, .open = SESSION_TIMEOUT, .words = "no prompt came in time",
	  .steps = { PAUSE(3000) } },
};

/* First the privilege, then the terminal. */
static const struct scenario privileges[] = {
	{ "enable, then the length", &rules_ruijie, .password = "hunter2-secret",
	  .host = "sw-lab-2",
	  .steps = { SAYS("sw-lab-2>"), C("enable"), S("enable"), SAYS("Password: "),
		     C("hunter2-secret"), S(""), SAYS("sw-lab-2#"), C("terminal length 0"),
		     S("terminal length 0"), SAYS("sw-lab-2#") } },
	{ "already enabled", &rules_ruijie, .password = "hunter2-secret",
	  .steps = { SAYS("sw-lab-2#"), C("terminal length 0"), S("terminal length 0"),
		     SAYS("sw-lab-2#") } },
	{ "no password is asked for", &rules_ruijie, .password = "hunter2-secret",
	  .steps = { SAYS("sw-lab-2>"), C("enable"), S("enable"), SAYS("sw-lab-2#"),
		     C("terminal length 0"), S("terminal length 0"), SAYS("sw-lab-2#") } },
	{ "the length is refused", &rules_ruijie, .open = SESSION_REFUSED,
	  .words = "\"terminal length 0\": % User doesn't have sufficient privilege",
	  .steps = { SAYS("sw-lab-2#"), C("terminal length 0"), S("terminal length 0"),
		     S("% User doesn't have sufficient privilege to execute this command."),
		     SAYS("sw-lab-2#") } },
	{ "the password is refused", &rules_ruijie, .password = "hunter2-secret",
	  .open = SESSION_PASSWORD, .words = "the switch refused the password to enable",
	  .steps = { SAYS("sw-lab-2>"), C("enable"), S("enable"), SAYS("Password: "),
		     C("hunter2-secret"), S(""), SAYS("Password: ") } },
	{ "it is refused and echoed", &rules_ruijie, .password = "hunter2-secret",
	  .open = SESSION_PASSWORD, .words = "enable was refused: % Error in **************",
	  .steps = { SAYS("sw-lab-2>"), C("enable"), S("enable"), SAYS("Password: "),
		     C("hunter2-secret"), S("hunter2-secret"), S("% Error in hunter2-secret"),
		     SAYS("sw-lab-2>") } },
	{ "there is no password", &rules_ruijie, .open = SESSION_PASSWORD,
	  .words = "wants a password to enable, and there is none",
	  .steps = { SAYS("sw-lab-2>"), C("enable"), S("enable"), SAYS("Password: ") } },
	{ "another question gets no password", &rules_ruijie, .password = "hunter2-secret",
	  .open = SESSION_QUESTION, .words = "Password for the logbook",
	  .steps = { SAYS("sw-lab-2>"), C("enable"), S("enable"),
		     SAYS("Password for the logbook: ") } },
	{ "nor does a question at login", &rules_ruijie, .password = "hunter2-secret",
	  .open = SESSION_QUESTION, .words = "Password:", .steps = { SAYS("Password: ") } },
	{ "a switch that shows it to everybody", &rules_ruijie, .password = "hunter2-secret",
	  .steps = { SAYS("sw-lab-2>"), C("enable"), S("enable"), SAYS("Password: "),
		     C("hunter2-secret"), S("hunter2-secret"), SAYS("sw-lab-2#"),
		     C("terminal length 0"), S("terminal length 0"), SAYS("sw-lab-2#"),
		     C("show run"), S("show run"), S("enable password hunter2-secret"),
		     SAYS("sw-lab-2#") },
	  .actions = { { "show run", .answer = "enable password **************\n" } } },
};

#define LINES_23                                                                                   \
	"line-1\r\nline-2\r\nline-3\r\nline-4\r\nline-5\r\nline-6\r\nline-7\r\nline-8\r\nline-"    \
	"9\r\n"                                                                                    \
	"line-10\r\nline-11\r\nline-12\r\nline-13\r\nline-14\r\nline-15\r\nline-16\r\nline-17\r\n" \
	"line-18\r\nline-19\r\nline-20\r\nline-21\r\nline-22\r\nline-23\r\n"
#define DATA_23                                                                    \
	"line-1\nline-2\nline-3\nline-4\nline-5\nline-6\nline-7\nline-8\nline-9\n" \
	"line-10\nline-11\nline-12\nline-13\nline-14\nline-15\nline-16\nline-17\n" \
	"line-18\nline-19\nline-20\nline-21\nline-22\nline-23\n"
#define BLANKS_42 "                                          "
#define SHOW	  C("show run"), S("show run"), SAYS(LINES_23)
#define SHOWN(data)                                        \
	{                                                  \
		{                                          \
			"show run", .answer = DATA_23 data \
		}                                          \
	}

/* The pager is still there. */
static const struct scenario pagers[] = {
	{ "cursor left, blanks, cursor left", &rules_huawei,
	  .steps = { HUAWEI_LOGIN, SHOW, SAYS("  ---- More ----"), HEARS(" "),
		     S("\x1b[42D" BLANKS_42 "\x1b[42Dline-24"), SAYS("<sw-lab-1>") },
	  .actions = SHOWN("line-24\n") },
	{ "an indented line behind it, and a second page", &rules_huawei,
	  .steps = { HUAWEI_LOGIN, SHOW, SAYS("---- More ----"), HEARS(" "),
		     S("\x1b[16D                \x1b[16D  line-24"), SAYS("---- More ----"),
		     HEARS(" "), S("\x1b[16D                \x1b[16D#"), SAYS("<sw-lab-1>") },
	  .actions = SHOWN("  line-24\n#\n") },
	{ "backspaces", &rules_cisco,
	  .steps = { CISCO_LOGIN, SHOW, SAYS(" --More-- "), HEARS(" "),
		     S("\b\b\b\b\b\b\b\b\b\b          \b\b\b\b\b\b\b\b\b\bline-24"),
		     SAYS("sw-lab-3# ") },
	  .actions = SHOWN("line-24\n") },
	{ "carriage return and erase", &rules_cisco,
	  .steps = { CISCO_LOGIN, SHOW, SAYS("\x1b[7mlines 1-24 \x1b[27m"), HEARS(" "),
		     S("\r\x1b[Kline-24"), SAYS("sw-lab-3# ") },
	  .actions = SHOWN("line-24\n") },
	{ "nothing erases it", &rules_cisco,
	  .steps = { CISCO_LOGIN, SHOW, SAYS("--More--"), HEARS(" "), S(""), S("line-24"),
		     SAYS("sw-lab-3# ") },
	  .actions = SHOWN("line-24\n") },
	{ "the prompt takes its place", &rules_cisco,
	  .steps = { CISCO_LOGIN, SHOW, SAYS("--More--"), HEARS(" "),
		     SAYS("\r        \rsw-lab-3# ") },
	  .actions = SHOWN("") },
	{ "in the message of the day", &rules_huawei,
	  .steps = { S("welcome"), SAYS("---- More ----"), HEARS(" "),
		     SAYS("\x1b[16D                \x1b[16D<sw-lab-1>"),
		     C("screen-length 0 temporary"), S("screen-length 0 temporary"),
		     SAYS("<sw-lab-1>") } },
	{ "a pager that does not go on is not asked again", &rules_cisco,
	  .steps = { CISCO_LOGIN, SHOW, SAYS("--More--"), HEARS(" "), SAYS("\r--More--") },
	  .actions = { { "show run", .end = SESSION_TIMEOUT,
			 .words = "the last line is: --More--" } } },
	{ "closed in the middle", &rules_huawei, .steps = { HUAWEI_LOGIN, SHOW, CLOSES },
	  .actions = { { "show run", .end = SESSION_TRUNCATED, .words = "middle of an answer" },
		       { "show run", .end = SESSION_LOST } } },
	{ "closed behind the pager", &rules_huawei,
	  .steps = { HUAWEI_LOGIN, SHOW, SAYS("---- More ----"), HEARS(" "), CLOSES },
	  .actions = { { "show run", .end = SESSION_TRUNCATED } } },
	{ "words about pagers are data", &rules_cisco,
	  .steps = { CISCO_LOGIN, C("show run"), S("show run"), S("banner --More-- or less"),
		     SAYS("sw-lab-3# ") },
	  .actions = { { "show run", .answer = "banner --More-- or less\n" } } },
};

static void run(const struct scenario *scenarios, size_t n)
{
	for (size_t i = 0; i < n; i++)
		scenario_run(&scenarios[i]);
}

static void test_candidates(void **state)
{
	run(candidates, ARRAY_SIZE(candidates));
}

static void test_logins(void **state)
{
	run(logins, ARRAY_SIZE(logins));
}

static void test_privileges(void **state)
{
	run(privileges, ARRAY_SIZE(privileges));
}

static void test_pagers(void **state)
{
	run(pagers, ARRAY_SIZE(pagers));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_candidates),
		cmocka_unit_test(test_logins),
		cmocka_unit_test(test_privileges),
		cmocka_unit_test(test_pagers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
