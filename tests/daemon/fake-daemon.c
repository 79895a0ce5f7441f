// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * losslessd with its bus and journal as they are, but a manager of our own over a simulated node:
 * what people see of it can be tried without a NIC, without root, step by step. The two ports are
 * those of the demo. "--step-ms" makes each step last, "--die-after" ends the process in a step,
 * "--noise" has each confirm make so many signals; "--bundle" is a recorded node, "--node" its
 * name.
 */
#include <errno.h>
#include <getopt.h>
#include <linux/capability.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "daemon/bus.h"
#include "daemon/manager.h"
#include "lib/os/fake.h"

enum { JOBS_MAX = 64 };

struct manager {
	sd_event *event;
	struct bus *bus;
	struct os *os;
	struct store *store;
	struct job *jobs[JOBS_MAX];
	size_t n_jobs;
	struct job *running;
	uint64_t last_job;
	struct pass now; /* against .text */
	bool has_now;
	char *text;
	size_t size;
	const char *fabric, *node, *bundle;
	unsigned int step_ms, die_after, noise;
	unsigned int steps;
	bool quit;
};

/* ---- what the bus asks ---- */

struct job *job_free(struct job *job)
{
	if (job)
		free(job->text);
	free(job);
	return NULL;
}

uint64_t manager_ask(struct manager *manager, struct job *job)
{
	if (manager->n_jobs == JOBS_MAX)
		return 0;
	job->number = ++manager->last_job;
	manager->jobs[manager->n_jobs++] = job;
	return job->number;
}

int manager_stop_job(struct manager *manager, uint64_t number)
{
	if (!manager->running || manager->running->number != number)
		return -ENOENT;
	manager->running->stop = true;
	return 0;
}

void manager_facts(const struct manager *manager, struct manager_facts *ret)
{
	*ret = (struct manager_facts){
		.state = manager->running ? "applying" : "idle",
		.node = manager->node,
		.fabric = "pod-a",
		.generation = store_generation(manager->store),
		.last_error = "",
		.confirm_left_ms = -1,
		.read_age_ms = -1,
		.in_sync = manager->has_now && plan_exit(&manager->now.plan) == STATUS_OK,
		.drifted = manager->has_now ? manager->now.plan.n_findings : 0,
	};
}

const struct switch_states *manager_switch_states(const struct manager *manager)
{
	return NULL;
}

struct os *manager_os(const struct manager *manager)
{
	return manager->os;
}

const struct pass *manager_last(const struct manager *manager)
{
	return manager->has_now ? &manager->now : NULL;
}

/* ---- jobs ---- */

static void happen(struct manager *manager, enum manager_event event, const char *target)
{
	struct manager_happening happening = {
		.event = event,
		.target = target,
		.knob = "pfc",
		.want = "3",
		.have = "none",
		.words = "something happened",
	};

	bus_happening(manager->bus, &happening);
}

static void run_loop(struct manager *manager, unsigned int ms)
{
	uint64_t now_us = 0, end_us;

	(void)sd_event_now(manager->event, CLOCK_MONOTONIC, &now_us);
	end_us = now_us + ms * 1000ul;
	while (now_us < end_us) {
		(void)sd_event_run(manager->event, end_us - now_us);
		(void)sd_event_now(manager->event, CLOCK_MONOTONIC, &now_us);
	}
}

static void on_step(const struct plan *plan, const struct step *step, size_t number, void *data)
{
	struct manager *manager = data;
	struct job *job = manager->running;

	if (job->progress)
		job->progress(job, plan, step, number, job->data);
	if (step->outcome == STEP_PLANNED) {
		run_loop(manager, manager->step_ms);
		return;
	}
	if (manager->die_after && ++manager->steps == manager->die_after)
		_exit(9);
}

static bool on_stop(void *data)
{
	return ((struct manager *)data)->running->stop;
}

static void finish(const struct manager *manager, struct job *job, const struct pass *pass,
		   enum report_kind kind)
{
	struct report report = pass_report(pass, kind, job->file);

	report.node = manager->node;
	job->exit = report.exit;
	job->done(job, &report, &pass->diags, job->data);
}

static void finish_with(struct job *job, enum exit_status status, const char *words)
{
	struct report report = {
		.kind = REPORT_APPLY,
		.node = "gpu-1",
		.fabric = "",
		.file = job->file,
		.trouble = words,
		.exit = status,
	};

	job->exit = status;
	job->done(job, &report, NULL, job->data);
}

static void look(struct manager *manager)
{
	if (manager->has_now)
		pass_done(&manager->now);
	manager->now = (struct pass){};
	manager->has_now = manager->text && pass_plan(&manager->now, manager->os, manager->text,
						      manager->size, manager->node) == 0;
}

static void do_apply(struct manager *manager, struct job *job)
{
	struct execute_hooks hooks = { on_step, on_stop, manager };
	struct pass pass = {};
	int r;

	r = pass_plan(&pass, manager->os, job->text, job->size, manager->node);
	if (r == 0)
		r = pass_apply(&pass, manager->store, &hooks);
	finish(manager, job, &pass, REPORT_APPLY);
	pass_done(&pass);
	if (r < 0)
		return;
	if (manager->has_now)
		pass_done(&manager->now);
	manager->has_now = false;
	free(manager->text);
	manager->text = job->text;
	manager->size = job->size;
	job->text = NULL;
	look(manager);
	happen(manager, EVENT_CHANGED, NULL);
}

static void do_rollback(struct manager *manager, struct job *job)
{
	struct execute_hooks hooks = { on_step, on_stop, manager };
	struct pass pass = {};

	(void)pass_rollback(&pass, manager->os, manager->store, &hooks);
	finish(manager, job, &pass, REPORT_ROLLBACK);
	pass_done(&pass);
	look(manager);
	happen(manager, EVENT_CHANGED, NULL);
}

static void do_plan(struct manager *manager, struct job *job)
{
	struct pass pass = {};

	(void)pass_plan(&pass, manager->os, job->text, job->size, manager->node);
	finish(manager, job, &pass, REPORT_PLAN);
	pass_done(&pass);
}

static void do_reload(struct manager *manager, struct job *job)
{
	FILE *in = fopen(manager->fabric, "re");

	job->text = calloc(1, 65536);
	job->size = in ? fread(job->text, 1, 65535, in) : 0;
	(void)snprintf(job->file, sizeof(job->file), "fabric.yaml");
	if (!in) {
		finish_with(job, STATUS_FAILED, "cannot read the file");
		return;
	}
	(void)fclose(in);
	do_apply(manager, job);
}

static void do_status(struct manager *manager, struct job *job)
{
	(void)snprintf(job->file, sizeof(job->file), "accepted.yaml");
	look(manager);
	if (manager->has_now)
		finish(manager, job, &manager->now, REPORT_STATUS);
	else
		finish_with(job, STATUS_FAILED, "nothing is in force on this node");
}

static void do_confirm(struct manager *manager, struct job *job)
{
	for (unsigned int i = 0; i < manager->noise; i++) {
		happen(manager, EVENT_DRIFT_FOUND, "ens1f0np0");
		/* Slow enough for whoever reads */
		while (sd_event_run(manager->event, i % 8 ? 0 : 1000) > 0)
			;
	}
	finish_with(job, STATUS_FAILED, "nothing waits for a confirm");
}

static void work(struct manager *manager)
{
	struct job *job = manager->jobs[0];

	memmove(manager->jobs, manager->jobs + 1, --manager->n_jobs * sizeof(*manager->jobs));
	manager->running = job;
	switch (job->kind) {
	case JOB_APPLY:
		do_apply(manager, job);
		break;
	case JOB_ROLLBACK:
		do_rollback(manager, job);
		break;
	case JOB_RELOAD:
		do_reload(manager, job);
		break;
	case JOB_CONFIRM:
		do_confirm(manager, job);
		break;
	case JOB_STATUS:
		do_status(manager, job);
		break;
	case JOB_PLAN:
		do_plan(manager, job);
		break;
	}
	manager->running = NULL;
	(void)job_free(job);
}

/* ---- life ---- */

/* Somebody turns PFC off: seen at once. */
static int on_drift(sd_event_source *source, const struct signalfd_siginfo *info, void *data)
{
	struct manager *manager = data;

	(void)os_fake_poke_pfc(manager->os, "ens1f0np0", 0);
	happen(manager, EVENT_DRIFT_FOUND, "ens1f0np0");
	return 0;
}

static int on_quit(sd_event_source *source, const struct signalfd_siginfo *info, void *data)
{
	((struct manager *)data)->quit = true;
	return 0;
}

/* As losslessd: with CAP_NET_ADMIN sd-bus would make its sockets' buffers large. */
static void drop_capabilities(void)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = {};

	(void)syscall(SYS_capset, &header, none);
}

/* The ports of the demo, or a recorded node. */
static int new_node(struct manager *manager)
{
	static char text[1 << 20];
	struct bundle bundle = {};
	struct diags diags = {};
	FILE *in;
	size_t size;
	int r;

	if (!manager->bundle)
		return os_fake_new(NULL, 0, &manager->os);
	in = fopen(manager->bundle, "re");
	if (!in)
		return -errno;
	size = fread(text, 1, sizeof(text), in);
	(void)fclose(in);
	r = bundle_parse(text, size, &bundle, &diags);
	if (r >= 0)
		r = os_fake_load(&bundle, &diags, &manager->os);
	bundle_done(&bundle);
	diags_done(&diags);
	return r;
}

static int begin(struct manager *manager, const char *folder)
{
	char socket[256], state[256], lock[256], holder[64];
	sigset_t set;
	int r;

	drop_capabilities();
	(void)sigemptyset(&set);
	(void)sigaddset(&set, SIGTERM);
	(void)sigaddset(&set, SIGUSR1);
	(void)sigprocmask(SIG_BLOCK, &set, NULL);
	(void)signal(SIGPIPE, SIG_IGN);
	(void)snprintf(socket, sizeof(socket), "%s/bus", folder);
	(void)snprintf(state, sizeof(state), "%s/state", folder);
	(void)snprintf(lock, sizeof(lock), "%s/lock", folder);
	r = new_node(manager);
	if (r >= 0)
		r = store_open(state, lock, &manager->store, holder, sizeof(holder));
	if (r >= 0)
		r = sd_event_new(&manager->event);
	if (r >= 0)
		r = sd_event_add_signal(manager->event, NULL, SIGTERM, on_quit, manager);
	if (r >= 0)
		r = sd_event_add_signal(manager->event, NULL, SIGUSR1, on_drift, manager);
	return r < 0 ? r : bus_new(manager->event, manager, socket, &manager->bus);
}

static void end(struct manager *manager)
{
	manager->bus = bus_free(manager->bus);
	while (manager->n_jobs)
		(void)job_free(manager->jobs[--manager->n_jobs]);
	if (manager->has_now)
		pass_done(&manager->now);
	free(manager->text);
	manager->store = store_close(manager->store);
	manager->os = os_free(manager->os);
	(void)sd_event_unref(manager->event);
}

int main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "step-ms", required_argument, NULL, 's' },
		{ "die-after", required_argument, NULL, 'd' },
		{ "noise", required_argument, NULL, 'n' },
		{ "fabric", required_argument, NULL, 'f' },
		{ "node", required_argument, NULL, 'o' },
		{ "bundle", required_argument, NULL, 'b' },
		{},
	};
	struct manager manager = { .fabric = "", .node = "gpu-1" };
	int c, r;

	while ((c = getopt_long(argc, argv, "", options, NULL)) >= 0) {
		if (c == 's')
			manager.step_ms = (unsigned int)atoi(optarg);
		else if (c == 'd')
			manager.die_after = (unsigned int)atoi(optarg);
		else if (c == 'n')
			manager.noise = (unsigned int)atoi(optarg);
		else if (c == 'f')
			manager.fabric = optarg;
		else if (c == 'o')
			manager.node = optarg;
		else if (c == 'b')
			manager.bundle = optarg;
		else
			return 64;
	}
	r = optind + 1 == argc ? begin(&manager, argv[optind]) : -EINVAL;
	if (r < 0)
		(void)fprintf(stderr, "fake-daemon: %s\n", strerror(-r));
	while (r >= 0 && !manager.quit) {
		r = sd_event_run(manager.event, manager.n_jobs ? 0 : UINT64_MAX);
		if (r >= 0 && manager.n_jobs && !manager.quit)
			work(&manager);
	}
	end(&manager);
	return r < 0;
}
