// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * losslessd: keeps this node as the fabric file declares it. One loop: the manager does what there
 * is to do, the event loop waits for the next thing. Holds no privilege: losslessd-nic writes.
 */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <limits.h>
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <syslog.h>
#include <systemd/sd-daemon.h>
#include <unistd.h>

#include "daemon/bus.h"
#include "daemon/journal.h"
#include "daemon/manager.h"
#include "daemon/metrics.h"
#include "daemon/watch.h"
#include "lib/base/macro.h"
#include "lib/model/verdict.h"

enum {
	READY_AFTER_US = 60 * 1000 * 1000,
	/* While it starts and stops, as long as its loop goes round */
	EXTEND_US = 30 * 1000 * 1000,
	EXTEND_EVERY_US = 10 * 1000 * 1000,
};

struct daemon {
	sd_event *event;
	sd_event_source *extend;
	sd_event_source *ready_time;
	struct manager *manager;
	struct watch *watch;
	struct bus *bus;
	struct metrics *metrics;
	int metrics_error;	/* told already, negative; 0: none */
	uint64_t looks;		/* of the manager, when the devices were watched anew */
	bool ready;
	bool quit;
	char status[512];	/* what systemd was told last */
};

static void usage(FILE *out)
{
	(void)fputs("Usage: losslessd [OPTION]...\n\n"
		    "Keeps the NICs of this node in the state that the fabric file declares.\n\n"
		    "Options:\n"
		    "  --state-dir=DIR   what is in force, the way back (/var/lib/losslessd)\n"
		    "  --run-dir=DIR     socket, lock, metrics (/run/losslessd)\n"
		    "  --fabric=FILE     what a reload reads (/etc/losslessd/fabric.yaml)\n"
		    "  --socket=PATH     where losslessd-nic listens (/run/losslessd/nic)\n"
		    "  --switch-socket=PATH  where losslessd-switch listens\n"
		    "                    (/run/losslessd/switch)\n"
		    "  --metrics=FILE    Prometheus text (metrics.prom in the run dir)\n"
		    "  --node=NAME       this node in the file (the host name)\n"
		    "  --help            show this\n"
		    "  --version         show the version\n",
		    out);
}

enum { OPTION_CONTEST = 256 };

/* Returns 0; 1 if all is said; a negative errno for wrong usage. */
static int parse(int argc, char **argv, struct manager_places *places)
{
	static const struct option options[] = {
		{ "state-dir", required_argument, NULL, 's' },
		{ "run-dir", required_argument, NULL, 'r' },
		{ "fabric", required_argument, NULL, 'f' },
		{ "socket", required_argument, NULL, 'n' },
		{ "switch-socket", required_argument, NULL, 'w' },
		{ "metrics", required_argument, NULL, 'm' },
		{ "node", required_argument, NULL, 'o' },
		{ "help", no_argument, NULL, 'h' },
		{ "version", no_argument, NULL, 'v' },
		/* For tests: milliseconds, 0 for never */
		{ "contest-window", required_argument, NULL, OPTION_CONTEST },
		{},
	};
	int c;

	while ((c = getopt_long(argc, argv, "", options, NULL)) >= 0) {
		switch (c) {
		case 's':
			places->state_dir = optarg;
			break;
		case 'r':
			places->run_dir = optarg;
			break;
		case 'f':
			places->fabric = optarg;
			break;
		case 'n':
			places->nic_socket = optarg;
			break;
		case 'w':
			places->switch_socket = optarg;
			break;
		case 'm':
			places->metrics = optarg;
			break;
		case 'o':
			places->node = optarg;
			break;
		case OPTION_CONTEST:
			places->contest_window_ms = atoll(optarg);
			break;
		case 'h':
			usage(stdout);
			return 1;
		case 'v':
			(void)puts("losslessd " PROJECT_VERSION);
			return 1;
		default:
			usage(stderr);
			return -EINVAL;
		}
	}
	return optind == argc ? 0 : -EINVAL;
}

/* ---- what systemd is told ---- */

static void format_status(const struct manager_facts *facts, char *text, size_t size)
{
	if (*facts->last_error)
		(void)snprintf(text, size, "%s: %s", facts->state, facts->last_error);
	else if (!*facts->hash)
		(void)snprintf(text, size, "nothing is in force: losslessctl apply");
	else if (facts->in_sync)
		(void)snprintf(text, size, "generation %" PRIu64 ": in sync", facts->generation);
	else
		(void)snprintf(text, size, "generation %" PRIu64 ": %zu not in sync",
			       facts->generation, facts->drifted);
}

static void tell_systemd(struct daemon *daemon)
{
	struct manager_facts facts;
	char text[512];

	manager_facts(daemon->manager, &facts);
	format_status(&facts, text, sizeof(text));
	if (!daemon->ready && !daemon->quit && manager_started(daemon->manager)) {
		daemon->ready = true;
		/* An idle daemon does not wake up for them */
		(void)sd_event_source_set_enabled(daemon->ready_time, SD_EVENT_OFF);
		(void)sd_event_source_set_enabled(daemon->extend, SD_EVENT_OFF);
		(void)sd_notifyf(0, "READY=1\nSTATUS=%s", text);
	} else if (strcmp(text, daemon->status) != 0) {
		(void)sd_notifyf(0, "STATUS=%s", text);
	}
	(void)snprintf(daemon->status, sizeof(daemon->status), "%s", text);
}

static int on_ready_time(sd_event_source *source, uint64_t usec, void *data)
{
	struct daemon *daemon = data;

	if (!daemon->ready)
		(void)sd_notify(0, "READY=1\nSTATUS=the first look at this node is under way");
	daemon->ready = true;
	return 0;
}

static int extend(struct daemon *daemon)
{
	int r;

	(void)sd_notifyf(0, "EXTEND_TIMEOUT_USEC=%d", EXTEND_US);
	r = sd_event_source_set_time_relative(daemon->extend, EXTEND_EVERY_US);
	return r < 0 ? r : sd_event_source_set_enabled(daemon->extend, SD_EVENT_ONESHOT);
}

/* A loop that stands still is not extended: the watchdog begins only when the start is over. */
static int on_extend_time(sd_event_source *source, uint64_t usec, void *data)
{
	struct daemon *daemon = data;

	return daemon->ready && !daemon->quit ? 0 : extend(daemon);
}

/* ---- signals ---- */

static int on_quit(sd_event_source *source, const struct signalfd_siginfo *info, void *data)
{
	struct daemon *daemon = data;

	daemon->quit = true;
	manager_stop(daemon->manager);
	return extend(daemon);
}

static int on_hangup(sd_event_source *source, const struct signalfd_siginfo *info, void *data)
{
	struct daemon *daemon = data;
	struct job *job = calloc(1, sizeof(*job));

	if (!job)
		return 0;
	job->kind = JOB_RELOAD;
	if (!manager_ask(daemon->manager, job))
		(void)job_free(job);
	return 0;
}

static int catch_signals(struct daemon *daemon)
{
	sigset_t set;
	int r;

	(void)sigemptyset(&set);
	(void)sigaddset(&set, SIGTERM);
	(void)sigaddset(&set, SIGINT);
	(void)sigaddset(&set, SIGHUP);
	if (sigprocmask(SIG_BLOCK, &set, NULL) < 0)
		return -errno;
	(void)signal(SIGPIPE, SIG_IGN);
	r = sd_event_add_signal(daemon->event, NULL, SIGTERM, on_quit, daemon);
	if (r >= 0)
		r = sd_event_add_signal(daemon->event, NULL, SIGINT, on_quit, daemon);
	if (r >= 0)
		r = sd_event_add_signal(daemon->event, NULL, SIGHUP, on_hangup, daemon);
	return r;
}

/* ---- life ---- */

static void on_happening(const struct manager_happening *happening, void *data)
{
	struct daemon *daemon = data;

	journal_write(happening);
	metrics_happening(daemon->metrics, happening);
	if (daemon->bus)
		bus_happening(daemon->bus, happening);
}

static int new_metrics(struct daemon *daemon, const struct manager_places *places)
{
	char path[PATH_MAX];
	int n;

	n = places->metrics ? snprintf(path, sizeof(path), "%s", places->metrics) :
			      snprintf(path, sizeof(path), "%s/metrics.prom", places->run_dir);
	if (n < 0 || (size_t)n >= sizeof(path))
		return -ENAMETOOLONG;
	daemon->metrics = metrics_new(path);
	return daemon->metrics ? 0 : -ENOMEM;
}

static int begin(struct daemon *daemon, const struct manager_places *places)
{
	char trouble[512] = "", path[256];
	int r;

	r = new_metrics(daemon, places);
	if (r >= 0)
		r = sd_event_new(&daemon->event);
	if (r >= 0)
		r = sd_event_add_time_relative(daemon->event, &daemon->extend, CLOCK_BOOTTIME,
					       EXTEND_EVERY_US, 1000 * 1000, on_extend_time,
					       daemon);
	if (r >= 0)
		r = extend(daemon);
	if (r >= 0)
		r = manager_new(places, daemon->event, &daemon->manager, trouble, sizeof(trouble));
	if (r < 0) {
		journal_line(LOG_ERR, "%s", *trouble ? trouble : strerrordesc_np(-r));
		return r;
	}
	manager_on_event(daemon->manager, on_happening, daemon);
	r = catch_signals(daemon);
	if (r >= 0)
		r = sd_event_set_watchdog(daemon->event, true);
	if (r >= 0)
		r = sd_event_add_time_relative(daemon->event, &daemon->ready_time, CLOCK_BOOTTIME,
					       READY_AFTER_US, 1000 * 1000, on_ready_time, daemon);
	/* Before the first look, so that nothing is missed between the two */
	if (r >= 0)
		r = watch_new(daemon->event, daemon->manager, &daemon->watch);
	(void)snprintf(path, sizeof(path), "%s/bus", places->run_dir);
	if (r >= 0)
		r = bus_new(daemon->event, daemon->manager, path, &daemon->bus);
	if (r < 0)
		journal_line(LOG_ERR, "cannot start: %s", strerrordesc_np(-r));
	return r;
}

static void watch_devices(struct daemon *daemon)
{
	const struct pass *last = manager_last(daemon->manager);

	if (daemon->looks == manager_looks(daemon->manager))
		return;
	daemon->looks = manager_looks(daemon->manager);
	watch_targets(daemon->watch, last ? &last->inventory : NULL);
}

/* A file that cannot be written is told once, and is no reason to stop. */
static void write_metrics(struct daemon *daemon)
{
	const struct pass *last = manager_last(daemon->manager);
	struct manager_facts facts;
	struct metrics_view view = { .facts = &facts };
	int r;

	manager_facts(daemon->manager, &facts);
	view.plan = last && last->plan.want ? &last->plan : NULL;
	view.switches = manager_switch_states(daemon->manager);
	view.ports = manager_ports(daemon->manager, &view.n_ports);
	r = metrics_write(daemon->metrics, &view);
	if (r < 0 && r != daemon->metrics_error)
		journal_line(LOG_WARNING, "metrics cannot be written: %s", strerrordesc_np(-r));
	daemon->metrics_error = MIN(r, 0);
}

static int run(struct daemon *daemon)
{
	int r = 0;

	while (r >= 0 && !daemon->quit) {
		/* What has come is taken in before the next thing is done */
		r = sd_event_run(daemon->event, manager_has_work(daemon->manager) ? 0 : UINT64_MAX);
		if (r < 0 || !manager_has_work(daemon->manager) || daemon->quit)
			continue;
		r = manager_work(daemon->manager);
		watch_devices(daemon);
		write_metrics(daemon);
		tell_systemd(daemon);
		/* A pass takes much and keeps little: glibc would keep the holes around it */
		if (!manager_has_work(daemon->manager) && !manager_only_read(daemon->manager))
			(void)malloc_trim(0);
	}
	(void)sd_notify(0, "STOPPING=1");
	return r;
}

int main(int argc, char **argv)
{
	struct manager_places places = {
		.state_dir = "/var/lib/losslessd",
		.run_dir = "/run/losslessd",
		.fabric = "/etc/losslessd/fabric.yaml",
		.nic_socket = "/run/losslessd/nic",
		.switch_socket = "/run/losslessd/switch",
		.contest_window_ms = -1,
	};
	struct daemon daemon = {};
	int r;

	r = parse(argc, argv, &places);
	if (r != 0)
		return r < 0 ? STATUS_USAGE : 0;
	r = begin(&daemon, &places);
	if (r >= 0)
		r = run(&daemon);
	if (r < 0 && daemon.manager)
		journal_line(LOG_ERR, "ends: %s", strerrordesc_np(-r));
	daemon.bus = bus_free(daemon.bus);
	daemon.watch = watch_free(daemon.watch);
	daemon.manager = manager_free(daemon.manager);
	daemon.metrics = metrics_free(daemon.metrics);
	(void)sd_event_source_disable_unref(daemon.extend);
	(void)sd_event_source_disable_unref(daemon.ready_time);
	(void)sd_event_unref(daemon.event);
	return r < 0;
}
