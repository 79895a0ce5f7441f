// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * losslessctl: the table of verbs is the usage text. Exact words only. A result that could not be
 * written is a failure, whatever the verb says.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "cli/remote.h"
#include "cli/terminal.h"
#include "cli/verbs.h"
#include "lib/base/macro.h"
#include "lib/base/utf8.h"
#include "lib/model/verdict.h"

#define COMMON (OPTION_BIT(OPTION_FILE) | OPTION_BIT(OPTION_JSON) | OPTION_BIT(OPTION_NODE))
#define ROOT   OPTION_BIT(OPTION_ROOT)
#define REMOTE (OPTION_BIT(OPTION_HOST) | OPTION_BIT(OPTION_FABRIC))
#define PLACES (OPTION_BIT(OPTION_STATE_DIR) | OPTION_BIT(OPTION_RUN_DIR))

static const struct verb verbs[] = {
	{
		.name = "check",
		.argument = "FILE",
		.options = OPTION_BIT(OPTION_JSON),
		.summary = "say whether a fabric file is valid",
		.details = "Validate a fabric file: all errors at once, with line, column and the "
			   "line\n"
			   "itself. Needs nothing of the machine and knows no node.\n"
			   "Exits 0 if it is valid, 3 if it is refused, 1 if it cannot be read.\n",
		.run = verb_check,
	},
	{
		.name = "plan",
		.options = COMMON | ROOT | OPTION_BIT(OPTION_HOST),
		.summary = "show what apply would change on this node",
		.details = "Show what apply would change on this node, step by step: what is now, "
			   "what it\n"
			   "would be, where the file says so, why, and whether a link can drop.\n"
			   "Reads "
			   "/etc/losslessd/fabric.yaml unless -f says otherwise. Changes nothing.\n"
			   "Exits 0 if there is nothing to change, 2 if there is.\n",
		.run = verb_plan,
	},
	{
		.name = "apply",
		.options = COMMON | PLACES | OPTION_BIT(OPTION_ONCE) | OPTION_BIT(OPTION_CONFIRM) |
			   OPTION_BIT(OPTION_FABRIC),
		.summary = "bring this node into the declared state",
		.details =
			"Bring this node into the declared state, verify, and report. The way back "
			"is\n"
			"recorded before the first write. Ctrl-C stops between two steps.\n"
			"Sends /etc/losslessd/fabric.yaml, or what -f names, to losslessd, which "
			"keeps\n"
			"it in force; with --once this process does it, once.\n"
			"With --confirm all returns by itself unless losslessctl confirm comes in\n"
			"time. With --fabric the file goes to each node that it names, one first,\n"
			"the others only if that went well.\n"
			"Exits 0 if all is in sync, 1 if something failed, 2 if something is\n"
			"pending, 3 if the file is refused, 4 if there is no losslessd.\n",
		.run = verb_apply,
	},
	{
		.name = "confirm",
		.options = OPTION_BIT(OPTION_JSON) | PLACES | OPTION_BIT(OPTION_FABRIC),
		.summary = "keep what apply --confirm did",
		.details = "Keep what the last apply --confirm did; with policy.disruptive: "
			   "confirm also\n"
			   "let those repairs go on that can drop a link.\n"
			   "Exits 0 if it is kept, 1 if nothing waits for that, 4 if there is no "
			   "losslessd.\n",
		.run = verb_confirm,
	},
	{
		.name = "rollback",
		.options = OPTION_BIT(OPTION_JSON) | OPTION_BIT(OPTION_ONCE) | PLACES,
		.summary = "return to the state before the file in force was applied",
		.details =
			"Return this node to the state before the fabric file in force was first\n"
			"applied; the file before it is then in force again, or none.\n"
			"Exits 0 if all is returned, 1 if nothing is recorded or something "
			"failed,\n"
			"4 if there is no losslessd (--once does without).\n",
		.run = verb_rollback,
	},
	{
		.name = "reload",
		.options = OPTION_BIT(OPTION_JSON) | OPTION_BIT(OPTION_RUN_DIR),
		.summary = "put /etc/losslessd/fabric.yaml in force",
		.details = "Have losslessd apply /etc/losslessd/fabric.yaml. Answers when it is "
			   "in force, or\n"
			   "why it was refused: the file before stays in force then.\n"
			   "Exits as apply does.\n",
		.run = verb_reload,
	},
	{
		.name = "status",
		.options = COMMON | ROOT | OPTION_BIT(OPTION_WATCH) | PLACES | REMOTE,
		.summary = "show whether this node is in the declared state",
		.details =
			"One line for each target, then everything that is not in sync: what is "
			"wanted,\n"
			"what is there, why, and what to do. Changes nothing and needs no root.\n"
			"losslessd reads afresh; without it this process does.\n"
			"Compares with the file in force, else /etc/losslessd/fabric.yaml, unless "
			"-f\n"
			"says otherwise.\n"
			"Exits 0 if all is in sync, 2 on drift, 1 if something failed or is "
			"unknown.\n",
		.run = verb_status,
	},
	{
		.name = "explain",
		.argument = "KNOB",
		.options = OPTION_BIT(OPTION_JSON),
		.summary = "say what a knob is, and where it comes from",
		.details =
			"Say what a knob is for, its values, the key of the fabric file or the "
			"fact it\n"
			"comes from, the interface of the kernel, and the drivers that have it.\n"
			"Knobs are in the second column of plan and status.\n",
		.run = verb_explain,
	},
	{
		.name = "switch",
		.argument = "ACTION",
		.second = "NAME",
		.options = COMMON | PLACES | OPTION_BIT(OPTION_FINGERPRINT),
		.summary = "ask a switch, or say what would be sent to it",
		.details =
			"ACTION is one of these:\n"
			"list: the switches of the file: is each there, can one log in.\n"
			"test NAME: log in, read, and say what would be changed. Nothing is\n"
			"      written.\n"
			"render NAME: the lines that bring a switch there on which nothing of it\n"
			"      is set, and those that take them back. Needs neither it nor root.\n"
			"accept-key NAME: the host key that it shows, and the one that was known;\n"
			"      with --fingerprint, or after a question, it is the known one from\n"
			"      then on.\n"
			"Exits 0 if it was done, 1 if not.\n",
		.run = verb_switch,
	},
	{
		.name = "show",
		.argument = "THING",
		.options = COMMON | ROOT | PLACES | OPTION_BIT(OPTION_INTERVAL) |
			   OPTION_BIT(OPTION_LLDP),
		.summary = "show ports, counters, cables, or what the file means",
		.details = "THING is one of these:\n"
			   "nics: the ports of this node that have an RDMA device.\n"
			   "counters: pause, discards, ECN, CNP and traffic of each priority, as "
			   "rates\n"
			   "      between two readings, and what is wrong by them.\n"
			   "gids: the GIDs of these ports: index, type, network device.\n"
			   "cables: the cables of the file that end on this node or on a switch of "
			   "its,\n"
			   "      with what LLDP (lldpd) says is at the other end, and what that "
			   "end\n"
			   "      advertises against what the file wants of it. Exits 2 if that "
			   "differs.\n"
			   "switches: the switches of the file: dialect and how far that was "
			   "verified,\n"
			   "      address, owner, ports, and what is set for more than one port. "
			   "Nobody\n"
			   "      logs in.\n"
			   "spec: what the file in force (else /etc/losslessd/fabric.yaml, unless "
			   "-f says\n"
			   "      otherwise) means for this node, with everything that is derived, "
			   "and why.\n",
		.run = verb_show,
	},
	{
		.name = "history",
		.options = OPTION_BIT(OPTION_JSON) | OPTION_BIT(OPTION_STATE_DIR) |
			   OPTION_BIT(OPTION_COUNT) | OPTION_BIT(OPTION_HOST),
		.summary = "show what was changed on this node, when, and why",
		.details = "What was changed on this node, oldest first: when, what, from what to "
			   "what, and\n"
			   "the cause (boot, apply, drift, rollback, ...). --json gives a line for "
			   "each.\n",
		.run = verb_history,
	},
	{
		.name = "doctor",
		.options = COMMON | ROOT | OPTION_BIT(OPTION_STATE_DIR),
		.summary = "say whether this node is ready, and what to do if not",
		.details =
			"Look at what has to be so before RoCE can be lossless, and what no\n"
			"knob cures: drivers, links, GIDs, MTU, who else writes DCB, PCIe, the\n"
			"way to GPUs, lockdown, NCCL's settings. Each finding comes with its\n"
			"cure. Compares with the file in force, else\n"
			"/etc/losslessd/fabric.yaml, unless -f says otherwise; goes without\n"
			"where there is none. Changes nothing and needs no root; what only root\n"
			"can read is told as unknown.\n"
			"Exits 0 if nothing is wrong, 1 if something is or cannot be told, 3 if\n"
			"the file is refused.\n",
		.run = verb_doctor,
	},
	{
		.name = "nccl-env",
		.options = COMMON | ROOT | OPTION_BIT(OPTION_STATE_DIR) | OPTION_BIT(OPTION_FORMAT),
		.summary = "print what NCCL has to be told on this node",
		.details =
			"What NCCL has to be told of the file in force (else\n"
			"/etc/losslessd/fabric.yaml, unless -f says otherwise) on this node:\n"
			"NCCL_IB_TC, NCCL_IB_HCA, NCCL_IB_GID_INDEX and what else follows, with\n"
			"reasons. What is good to know, or cannot be told, is on stderr.\n"
			"  shell      lines to source: eval \"$(losslessctl nccl-env)\"\n"
			"  nccl.conf  lines for /etc/nccl.conf\n"
			"  json       the same, and the notes\n"
			"Exits 0 if all could be told, 1 if not, 3 if the file is refused.\n",
		.run = verb_nccl_env,
	},
	{
		.name = "record",
		.argument = "FILE",
		.options = ROOT,
		.summary = "write what this node is like, for --root elsewhere",
		.details = "Write all that losslessctl reads of this node to a new file ('-': "
			   "stdout), for\n"
			   "plan, status and show with --root on any machine. One line a fact: "
			   "network\n"
			   "devices with their MAC addresses, DCB, pause, counters, and files of "
			   "sysfs with\n"
			   "GIDs, which are IP addresses. Nothing of environment and users; of "
			   "files in /etc\n"
			   "the lines with NCCL_IB_ and those that run mlnx_qos and the like. Read "
			   "it before\n"
			   "you mail it. Needs no root; what a plain user cannot read is told "
			   "so.\n",
		.run = verb_record,
	},
	{
		.name = "import",
		.options = OPTION_BIT(OPTION_FILE) | OPTION_BIT(OPTION_NODE) | ROOT |
			   OPTION_BIT(OPTION_SWITCH) | OPTION_BIT(OPTION_OUTPUT) |
			   OPTION_BIT(OPTION_FORCE) | OPTION_BIT(OPTION_LLDP),
		.summary = "write a fabric file of what this node is like",
		.details =
			"Write the fabric file that asks for what is there already, to stdout or "
			"to a\n"
			"new file with -o: a plan with it is empty. What a file cannot say, or "
			"what\n"
			"nobody could read, is left out; comments in the file and lines on stderr "
			"say\n"
			"what and why. Run it as root: a plain user cannot read all. Nothing is "
			"changed,\n"
			"and nothing written to /etc by itself.\n"
			"With --switch a switch is asked too. The file of -f (else the one in "
			"force)\n"
			"says how it is reached and what is cabled to it, no more has to be in it; "
			"its\n"
			"key has to be accepted before.\n"
			"Exits 0 if it is written, 1 if not, 3 if the file of -f is refused.\n",
		.run = verb_import,
	},
	{
		.name = "verify",
		.argument = "[PEER]",
		.options = COMMON | PLACES | OPTION_BIT(OPTION_LISTEN) | OPTION_BIT(OPTION_FROM) |
			   OPTION_BIT(OPTION_TO) | OPTION_BIT(OPTION_MESSAGES) |
			   OPTION_BIT(OPTION_PORT),
		.summary = "prove by traffic that RoCE is in its priority",
		.details =
			"Send RDMA-CM traffic and show the ToS that it left and came with, the "
			"priority\n"
			"that both ends counted it on, and whether that is what the file wants. "
			"Changes\n"
			"nothing and needs no root.\n"
			"PEER is a host: losslessctl verify --listen is run there by ssh, and each "
			"port\n"
			"of this node sends to the port there with the nearest address. Or it is "
			"an\n"
			"address: somebody runs verify --listen there. Without PEER it goes both "
			"ways\n"
			"between the two ports of this node, or --from and --to.\n"
			"Exits 0 if it is proven on every way, 1 if not, or if nobody can tell,\n"
			"3 if the file is refused.\n",
		.run = verb_verify,
	},
	{
		.name = "demo",
		.options = OPTION_BIT(OPTION_FAST) | OPTION_BIT(OPTION_FAULT),
		.summary = "try all of this on a simulated node, as any user",
		.details = "A simulated node with two ports: plan, apply, status, then somebody "
			   "turns PFC\n"
			   "off, status shows it, apply repairs it. Nothing of the machine is "
			   "touched.\n"
			   "Exits 0 only if every step came out as it should.\n",
		.run = verb_demo,
	},
};

static const struct verb *verb_find(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(verbs); i++)
		if (strcmp(verbs[i].name, name) == 0)
			return &verbs[i];
	return NULL;
}

static void write_help(FILE *out)
{
	(void)fputs("Usage: losslessctl VERB [OPTION]...\n\n"
		    "Keeps the NICs of a GPU node in the lossless state that a fabric file "
		    "declares.\n\n"
		    "Verbs:\n",
		    out);
	for (size_t i = 0; i < ARRAY_SIZE(verbs); i++)
		(void)fprintf(out, "  %-9s %-10s  %s\n", verbs[i].name,
			      verbs[i].argument ? verbs[i].argument : "", verbs[i].summary);
	(void)fputs(
		"\n"
		"Options:\n"
		"  --help     show this, or behind a verb what it does\n"
		"  --version  show the version\n\n"
		"Exit status: 0 done, or in sync; 1 failed, or could not tell; 2 drift, pending,\n"
		"or a plan with changes; 3 the file is refused; 4 there is no losslessd to ask;\n"
		"64 wrong usage.\n",
		out);
}

static int run_verb(const struct verb *verb, int argc, char **argv)
{
	struct options options;
	int r;

	r = options_parse(verb, argc, argv, &options);
	if (r != 0)
		return r;
	if (option_given(&options, OPTION_HELP)) {
		verb_write_help(verb, stdout);
		return STATUS_OK;
	}
	if (option_given(&options, OPTION_HOST))
		return remote_host(&options);
	if (option_given(&options, OPTION_FABRIC))
		return remote_fabric(&options);
	return verb->run(&options);
}

enum { WORD_MAX = 4096 }; /* PATH_MAX: no name of a file is longer */

/*
 * What people type comes back in messages: it has to be text, and short enough to be read. Empty
 * words name nothing.
 */
static int check_words(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		size_t size = strlen(argv[i]), used;

		if (!size || size > WORD_MAX)
			return usage_error(NULL, "word %d of the command line is %s", i,
					   size ? "too long" : "empty");
		for (size_t at = 0; at < size; at += used) {
			uint32_t character;

			used = utf8_decode(argv[i] + at, size - at, &character);
			if (!used || utf8_is_control(character))
				return usage_error(NULL,
						   "word %d of the command line has a control "
						   "character or is not UTF-8",
						   i);
		}
	}
	return 0;
}

static int run(int argc, char **argv)
{
	const struct verb *verb;
	int r;

	r = check_words(argc, argv);
	if (r != 0)
		return r;
	if (argc < 2)
		return usage_error(NULL, "no verb");
	if (strcmp(argv[1], "--help") == 0 && argc == 2) {
		write_help(stdout);
		return STATUS_OK;
	}
	if (strcmp(argv[1], "--version") == 0 && argc == 2) {
		(void)puts("losslessctl " PROJECT_VERSION);
		return STATUS_OK;
	}
	verb = verb_find(argv[1]);
	if (!verb)
		return usage_error(NULL,
				   argv[1][0] == '-' ? "options stand behind a verb: '%s'" :
						       "no verb '%s'",
				   argv[1]);
	return run_verb(verb, argc - 2, argv + 2);
}

/*
 * A file or socket that is opened must not become stdin, stdout or stderr. What stands there
 * instead is for the other direction, so that a result that goes nowhere is still a failure.
 */
static bool guard_streams(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0 &&
		    open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) != fd)
			return false;
	return true;
}

int main(int argc, char **argv)
{
	int status;

	if (!guard_streams())
		return STATUS_FAILED;
	status = run(argc, argv);
	if (fflush(stdout) != 0 || ferror(stdout)) {
		say("cannot write the result: %s", strerror(errno));
		return status == STATUS_USAGE ? status : STATUS_FAILED;
	}
	return status;
}
