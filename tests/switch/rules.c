// SPDX-License-Identifier: LGPL-2.1-or-later
/* See scripted.h: what the sessions of tests go by. */
#include "lib/base/macro.h"
#include "tests/switch/scripted.h"

const struct session_limits scripted_limits = {
	.command_ms = 10 * 1000,
	.quiet_ms = 100,
	.answer_max = 64 * 1024,
};

static const char *const huawei_login[] = { "screen-length 0 temporary", NULL };
static const char *const huawei_error[] = { "^Error:", "^Failed to", NULL };
static const struct session_ask huawei_ask[] = {
	{ "Change now\\?|Please choose", "N", ASK_LOGIN },
	{ "continue\\? ?\\[Y/N\\]", "Y", ASK_SAVE },
};

const struct session_rules rules_huawei = {
	.channel = SESSION_SHELL,
	.prompt = "(HRP_[MS])?(<$host>|\\[(?<mark>[~*])?$host(-$mode)?\\])",
	.after_login = huawei_login,
	.enable = "",
	.pager = (const char *const[]){ "---- More ----", NULL },
	.error = huawei_error,
	.ask = huawei_ask,
	.n_ask = ARRAY_SIZE(huawei_ask),
	.refuse = "N",
	.leave = "quit",
	.newline = "\n",
	.width = 511,
};

static const char *const cisco_error[] = { "^% ?(Invalid|Incomplete|Ambiguous|Error)",
					   "^% User doesn't have", "^Error:", NULL };
static const char *const cisco_login[] = { "terminal length 0", NULL };

const struct session_rules rules_cisco = {
	.channel = SESSION_SHELL,
	.prompt = "$host(\\($mode\\))?[>#]",
	.after_login = cisco_login,
	.enable = "enable",
	.enabled = "#$",
	.enable_password = "^Password: *$",
	.error = cisco_error,
	.not_error = (const char *const[]){ "^Error: 0 ", NULL },
	.refuse = "n",
	.leave = "exit",
	.newline = "\n",
	.width = 511,
};

static const struct session_ask ruijie_ask[] = {
	{ "change the password", "n", ASK_LOGIN },
};

const struct session_rules rules_ruijie = {
	.channel = SESSION_SHELL,
	.prompt = "$host(\\($mode\\))?[>#]",
	.after_login = cisco_login,
	.enable = "enable",
	.enabled = "#$",
	.enable_password = "^Password: *$",
	.error = cisco_error,
	.ask = ruijie_ask,
	.n_ask = ARRAY_SIZE(ruijie_ask),
	.refuse = "",
	.newline = "\n",
	.width = 511,
};

const struct session_rules rules_comware = {
	.channel = SESSION_SHELL,
	.prompt = "(RBM_[PS])?(<$host>|\\[$host(-$mode)?\\])",
	.error = (const char *const[]){ "^% ", NULL },
	.refuse = "N",
	.newline = "\n",
	.width = 511,
};

/* As one would write it first: the name and the mode have letters in common. */
const struct session_rules rules_plain = {
	.channel = SESSION_SHELL,
	.prompt = "(HRP_[MS])?[<[](?<mark>[~*])?$host(-$mode)?[]>]",
	.newline = "\r",
	.width = 511,
};

const struct session_rules rules_paged = {
	.channel = SESSION_SHELL,
	.prompt = "<$host>",
	.pager = (const char *const[]){ "^ *Press <SPACE>", "<SPACE>", NULL },
	.newline = "\n",
	.width = 80,
};
