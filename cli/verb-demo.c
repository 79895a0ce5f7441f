// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * demo: the main job on the simulated node of the tests, in this process. Every line but the
 * narration comes from the verbs' own writers. The machine it runs on is not touched, nothing is
 * written to disk.
 */
#include <errno.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli/session.h"
#include "cli/terminal.h"
#include "cli/verbs.h"
#include "lib/base/macro.h"
#include "lib/os/fake.h"

enum { PAUSE_MS = 1400 };

static const char fabric[] = "version: 1\n"
			     "fabric: pod-a\n"
			     "roce:\n"
			     "  traffic_class: 106      # DSCP 26, ECT(0)\n"
			     "qos:\n"
			     "  dscp_to_priority: {26: 3}\n"
			     "  pfc: [3]\n"
			     "nodes:\n"
			     "  \"*\": {}\n";

static const struct fake_port ports[] = {
	{ .name = "ens1f0np0", .rdma = "mlx5_0", .pci = "0000:17:00.0", .driver = "mlx5_core" },
	{ .name = "ens1f1np1", .rdma = "mlx5_1", .pci = "0000:17:00.1", .driver = "mlx5_core" },
};

enum expected_steps { NO_STEPS, ONE_STEP, SOME_STEPS };

/* One scene: what is told, what happens, and what has to come of it. */
struct scene {
	const char *told;
	const char *command;
	int (*event)(struct os *os); /* the hand of somebody else; NULL: a verb */
	int (*verb)(struct session *session);
	int status;
	enum expected_steps steps;
	bool writes; /* each step is one write, and there is no other */
};

static int turn_pfc_off(struct os *os)
{
	return os_fake_poke_pfc(os, ports[0].name, 0);
}

static const struct scene scenes[] = {
	{
		.told = "A node with two ports, as the drivers left them. What would change?",
		.command = "losslessctl plan",
		.verb = session_plan,
		.status = STATUS_DRIFT,
		.steps = SOME_STEPS,
	},
	{
		.told = "Bring it into that state; each write is read back.",
		.command = "losslessctl apply --once",
		.verb = session_apply,
		.status = STATUS_OK,
		.steps = SOME_STEPS,
		.writes = true,
	},
	{
		.told = "Is it so?",
		.command = "losslessctl status",
		.verb = session_status,
		.status = STATUS_OK,
		.steps = NO_STEPS,
	},
	{
		.told = "Somebody turns PFC off, and nothing else notices.",
		.command = "dcb pfc set dev ens1f0np0 prio-pfc all:off",
		.event = turn_pfc_off,
	},
	{
		.told = "losslessctl does.",
		.command = "losslessctl status",
		.verb = session_status,
		.status = STATUS_DRIFT,
		.steps = ONE_STEP,
	},
	{
		.told = "Repair it: just what differs is written.",
		.command = "losslessctl apply --once",
		.verb = session_apply,
		.status = STATUS_OK,
		.steps = ONE_STEP,
		.writes = true,
	},
	{
		.told = "In sync again.",
		.command = "losslessctl status",
		.verb = session_status,
		.status = STATUS_OK,
		.steps = NO_STEPS,
	},
};

/* Time to read; for the simulated node it passes too, so that its links come up again. */
static void rest(const struct session *session, bool fast)
{
	struct timespec time = { .tv_sec = PAUSE_MS / 1000, .tv_nsec = PAUSE_MS % 1000 * 1000000L };

	(void)fflush(session->out);
	if (!fast)
		(void)nanosleep(&time, NULL);
	session->os->ops->sleep_ms(session->os, PAUSE_MS);
}

static bool steps_fit(enum expected_steps expected, size_t steps)
{
	switch (expected) {
	case NO_STEPS:
		return steps == 0;
	case ONE_STEP:
		return steps == 1;
	case SOME_STEPS:
		return steps > 1;
	}
	return false;
}

/*
 * Returns 0 if the scene came out as it should, else STATUS_FAILED after one line that says how it
 * did not.
 */
static int judge(const struct session *session, const struct scene *scene, int status)
{
	unsigned int writes = os_fake_writes(session->os, FAKE_ANY_WRITE, NULL);
	size_t expected = scene->writes ? session->steps : 0;

	if (status != scene->status)
		say("demo: %s exits %d, should %d", scene->command, status, scene->status);
	else if (!steps_fit(scene->steps, session->steps))
		say("demo: %s has %zu steps, should not", scene->command, session->steps);
	else if (session->undone > 0)
		say("demo: %s left %zu steps undone", scene->command, session->undone);
	else if (writes != expected)
		say("demo: %s wrote %u times, should %zu times", scene->command, writes, expected);
	else
		return STATUS_OK;
	return STATUS_FAILED;
}

static int play(struct session *session, const struct scene *scene)
{
	int status;

	(void)fprintf(session->out, "\n# %s\n$ %s\n", scene->told, scene->command);
	(void)fflush(session->out);
	if (scene->event) {
		if (scene->event(session->os) == 0)
			return STATUS_OK;
		(void)fputs("losslessctl: demo: the simulated node refuses\n", stderr);
		return STATUS_FAILED;
	}
	os_fake_writes_reset(session->os);
	status = scene->verb(session);
	(void)fflush(session->out);
	if (status != STATUS_OK)
		(void)fprintf(session->out, "(exit status %d)\n", status);
	return judge(session, scene, status);
}

static const struct {
	const char *name;
	enum fake_call call;
} calls[] = {
	{ "read", FAKE_READ },		 { "write", FAKE_WRITE },
	{ "dcb-get", FAKE_DCB_GET },	 { "dcb-set", FAKE_DCB_SET },
	{ "pause-set", FAKE_PAUSE_SET }, { "any-write", FAKE_ANY_WRITE },
};

/* "dcb-set/pfc": that call fails where the object matches. For the test of this demo. */
static int set_fault(const struct options *options, struct os *os)
{
	const char *text = options->value[OPTION_FAULT];
	const char *slash;

	if (!text)
		return 0;
	slash = strchr(text, '/');
	for (size_t i = 0; slash && i < ARRAY_SIZE(calls); i++) {
		struct fake_fault fault = { .call = calls[i].call,
					    .match = slash + 1,
					    .error = EIO };

		if (strlen(calls[i].name) != (size_t)(slash - text) ||
		    strncmp(calls[i].name, text, slash - text) != 0)
			continue;
		return os_fake_fault(os, &fault) < 0 ? STATUS_FAILED : 0;
	}
	return usage_error(options->verb, "no call '%s'", text);
}

static int open_stage(struct session *session, const struct options *options)
{
	*session = (struct session){
		.node = "gpu-1",
		.style = terminal_style(stdout),
		.out = stdout,
		.nobody_asks_for_the_daemon = true,
	};
	session->path = strdup("fabric.yaml");
	session->text = strdup(fabric);
	session->size = sizeof(fabric) - 1;
	if (!session->path || !session->text ||
	    os_fake_new(ports, ARRAY_SIZE(ports), &session->os) < 0)
		return session_trouble(session, STATUS_FAILED, "out of memory");
	return set_fault(options, session->os);
}

int verb_demo(const struct options *options)
{
	_cleanup_(session_done) struct session session;
	bool fast = option_given(options, OPTION_FAST);
	int r;

	r = open_stage(&session, options);
	if (r != 0)
		return r;
	(void)fprintf(session.out,
		      "# One file declares the fabric; each node takes its own part.\n$ cat "
		      "fabric.yaml\n%s",
		      session.text);
	for (size_t i = 0; i < ARRAY_SIZE(scenes); i++) {
		rest(&session, fast);
		r = play(&session, &scenes[i]);
		if (r != STATUS_OK)
			return r;
	}
	(void)fputs("\n# Each step came out as it should. Nothing on this machine was changed.\n",
		    session.out);
	return STATUS_OK;
}
