// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * How long a foreign write stays, on a node that a running losslessd keeps: in the lab (daemon.sh).
 * Written over one netlink socket or one file, so that the writer costs next to nothing; then this
 * process sleeps until the kernel tells that the same was written again, and looks.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/dcbnl.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <poll.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "lib/os/dcb.h"
#include "tests/bench/bench.h"

enum {
	REPAIR_MS = 10 * 1000,	/* longer than that is no repair */
	QUIET_MS = 30,
	DEVICE_RUNS = 20,
	DEVICE_POLL_MS = 2,
	FILE_RUNS_MAX = 200,
};

extern char **environ;

/* What the fabric file of daemon.sh wants */
static const uint8_t wanted_pfc = 1 << 3;
static const char wanted_class[] = "106";

struct node {
	struct os *os;
	const char *daemon; /* its process number */
	const char *port;
	const char *rdma;
	char *dcb;
	char *spare; /* a port that losslessd does not manage */
	int group; /* a socket that hears what is written over DCB */
	int files; /* inotify */
};

static void sleep_ms(long ms)
{
	const struct timespec time = { .tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000 };

	(void)nanosleep(&time, NULL);
}

/* ---- the daemon ---- */

/* Nanoseconds that it has computed: the first number of schedstat. */
static uint64_t computed_ns(const struct node *node)
{
	char path[64];
	uint64_t ns = 0;
	FILE *file;

	(void)snprintf(path, sizeof(path), "/proc/%s/schedstat", node->daemon);
	file = fopen(path, "re");
	if (!file || fscanf(file, "%" SCNu64, &ns) != 1)
		bench_die("losslessd is gone");
	(void)fclose(file);
	return ns;
}

/* Until it has done nothing for a while: what is measured next starts from rest. */
static void await_rest(const struct node *node)
{
	uint64_t before, now = computed_ns(node);

	do {
		before = now;
		sleep_ms(QUIET_MS);
		now = computed_ns(node);
	} while (now != before);
}

/* ---- waiting for the repair ---- */

static void open_ears(struct node *node)
{
	const struct sockaddr_nl own = { .nl_family = AF_NETLINK };
	const int group = RTNLGRP_DCB;

	node->group = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_ROUTE);
	/* The kernel's own port is 0: who has no other hears nothing */
	if (node->group < 0 ||
	    bind(node->group, (const struct sockaddr *)&own, sizeof(own)) < 0 ||
	    setsockopt(node->group, SOL_NETLINK, NETLINK_ADD_MEMBERSHIP, &group,
		       sizeof(group)) < 0)
		bench_die("cannot listen: %s", strerror(errno));
	node->files = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
	if (node->files < 0)
		bench_die("no inotify");
}

static void drain(int fd)
{
	char buffer[32768];

	while (read(fd, buffer, sizeof(buffer)) > 0)
		;
}

/* Sleep until there is something to hear at @fd, and forget what it is. */
static void listen_once(int fd, const char *what, double begin)
{
	struct pollfd poll_fd = { .fd = fd, .events = POLLIN };
	double left_ms = REPAIR_MS - (wall_seconds() - begin) * 1e3;

	if (left_ms <= 0 || poll(&poll_fd, 1, (int)left_ms) <= 0)
		bench_die("%s was not repaired within %d s", what, REPAIR_MS / 1000);
	drain(fd);
}

/* ---- one drift each ---- */

static uint8_t read_pfc(const struct node *node)
{
	static struct os_dcb dcb;

	if (os_dcb_get(node->os, node->port, &dcb) < 0 || !dcb.has_pfc)
		bench_die("%s: no DCB", node->port);
	return dcb.pfc.pfc_en;
}

static double drift_pfc(const struct node *node)
{
	const struct ieee_pfc pfc = { .pfc_cap = 8 };
	struct os_error error;
	double begin;

	drain(node->group);
	begin = wall_seconds();
	if (os_dcb_set_pfc(node->os, node->port, &pfc, &error) < 0)
		bench_die("%s: PFC is refused", node->port);
	while (read_pfc(node) != wanted_pfc)
		listen_once(node->group, "PFC", begin);
	return wall_seconds() - begin;
}

/* The number in a file that reads "106" or "Global tclass=106" */
static bool file_is_wanted(const char *path)
{
	char text[4096] = "", *word;
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return false;
	if (read(fd, text, sizeof(text) - 1) < 0)
		*text = '\0';
	(void)close(fd);
	text[strcspn(text, "\n")] = '\0';
	word = strrchr(text, '=');
	return strcmp(word ? word + 1 : text, wanted_class) == 0;
}

static double drift_file(const struct node *node, const char *path, const char *text)
{
	ssize_t size = (ssize_t)strlen(text);
	double begin;
	int fd;

	drain(node->files);
	begin = wall_seconds();
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0 || write(fd, text, (size_t)size) != size)
		bench_die("%s: %s", path, strerror(errno));
	(void)close(fd);
	while (!file_is_wanted(path))
		listen_once(node->files, path, begin);
	return wall_seconds() - begin;
}

/* ---- processes ---- */

static void run_process(char *const argv[])
{
	pid_t child;
	int status;

	if (posix_spawnp(&child, argv[0], NULL, NULL, argv, environ) != 0 ||
	    waitpid(child, &status, 0) != child)
		bench_die("cannot start %s", argv[0]);
	/*
	 * dcb numbers its messages by the second (iproute2: time(NULL)), so that it takes what is
	 * left of its first answer for a wrong one when the second changes: it has written then
	 */
	if (status != 0 && strstr(argv[0], "dcb") == NULL)
		bench_die("%s %s %s failed", argv[0], argv[1], argv[2]);
}

static double run_dcb(const struct node *node, bool on)
{
	char *const argv[] = { node->dcb,   (char[]){ "pfc" },	    (char[]){ "set" },
			       (char[]){ "dev" }, node->spare, (char[]){ "prio-pfc" },
			       on ? (char[]){ "3:on" } : (char[]){ "3:off" }, NULL };
	double begin = wall_seconds();

	run_process(argv);
	return wall_seconds() - begin;
}

/* ---- rows ---- */

static void row(const char *what, const struct series *ours, const struct series *dcb)
{
	double p99 = series_quantile(ours, 0.99);

	(void)printf("| %s, median of %zu | **%.2f** | ≤ 1 | %s | %s |\n", what, ours->n,
		     series_ratio(ours, dcb), duration(series_median(ours)).text,
		     duration(series_median(dcb)).text);
	(void)printf("| %s, 99th percentile | **%.2f** | ≤ 5 | %s | %s, 99th percentile %s |\n",
		     what, p99 / series_median(dcb), duration(p99).text,
		     duration(series_median(dcb)).text,
		     duration(series_quantile(dcb, 0.99)).text);
	(void)fflush(stdout);
}

static void bench_pfc(const struct node *node, size_t runs)
{
	static struct series ours, dcb;

	for (size_t i = 0; i <= runs; i++) {
		double a, b;

		await_rest(node);
		a = drift_pfc(node);
		await_rest(node);
		b = run_dcb(node, i % 2);
		if (i == 0)
			continue; /* what is cold is not what is measured */
		series_add(&ours, a);
		series_add(&dcb, b);
	}
	row("foreign PFC → repaired", &ours, &dcb);
}

static void bench_file(const struct node *node, const char *what, const char *watched,
		       const char *path, const char *text, size_t runs)
{
	struct series ours = {}, dcb = {};
	int wd = inotify_add_watch(node->files, watched, IN_MODIFY);

	if (wd < 0)
		bench_die("%s: %s", watched, strerror(errno));
	for (size_t i = 0; i <= runs; i++) {
		double a, b;

		await_rest(node);
		a = drift_file(node, path, text);
		await_rest(node);
		b = run_dcb(node, i % 2);
		if (i == 0)
			continue;
		series_add(&ours, a);
		series_add(&dcb, b);
	}
	(void)inotify_rm_watch(node->files, wd);
	row(what, &ours, &dcb);
}

/* From the start of the process that makes the device until its two attributes are as wanted. */
static double device_appears(const struct node *node, const char *tos, const char *class)
{
	char rdma[64], port[64];
	char *const del[] = { (char[]){ "rdma" }, (char[]){ "link" }, (char[]){ "del" }, rdma,
			      NULL };
	char *const add[] = { (char[]){ "rdma" }, (char[]){ "link" }, (char[]){ "add" },
			      rdma,		  (char[]){ "type" }, (char[]){ "rxe" },
			      (char[]){ "netdev" }, port, NULL };
	double begin;

	(void)snprintf(rdma, sizeof(rdma), "%s", node->rdma);
	(void)snprintf(port, sizeof(port), "%s", node->port);
	run_process(del);
	await_rest(node);
	begin = wall_seconds();
	run_process(add);
	while (!file_is_wanted(tos) || !file_is_wanted(class)) {
		if (wall_seconds() - begin > REPAIR_MS / 1000.0)
			bench_die("%s is not in sync", rdma);
		sleep_ms(DEVICE_POLL_MS);
	}
	return wall_seconds() - begin;
}

static void bench_device(const struct node *node, const char *tos, const char *class)
{
	struct series ours = {};

	for (size_t i = 0; i < DEVICE_RUNS; i++) {
		await_rest(node);
		series_add(&ours, device_appears(node, tos, class));
	}
	(void)printf("| RDMA device appears → in sync, median of %d | – | ≤ 1 s | %s | |\n"
		     "| the same, slowest | – | | %s | |\n", DEVICE_RUNS,
		     duration(series_median(&ours)).text,
		     duration(series_quantile(&ours, 1)).text);
}

int main(int argc, char **argv)
{
	struct node node = {};
	char folder[256], tos[512], class[256];
	size_t runs, file_runs;

	if (argc < 7)
		bench_die("usage: bench-repair PROCESS PORT RDMA DCB SPARE-PORT RUNS [pfc]");
	node.daemon = argv[1];
	node.port = argv[2];
	node.rdma = argv[3];
	node.dcb = argv[4];
	node.spare = argv[5];
	runs = strtoul(argv[6], NULL, 10);
	if (runs < 1 || runs > BENCH_RUNS_MAX)
		bench_die("1 to %d runs", BENCH_RUNS_MAX);
	file_runs = runs < FILE_RUNS_MAX ? runs : FILE_RUNS_MAX;
	(void)snprintf(folder, sizeof(folder), "/sys/kernel/config/rdma_cm/%s/ports/1", node.rdma);
	(void)snprintf(tos, sizeof(tos), "%s/default_roce_tos", folder);
	(void)snprintf(class, sizeof(class), "/sys/class/infiniband/%s/tc/1/traffic_class",
		       node.rdma);
	if (os_linux_new(&node.os) < 0)
		bench_die("no netlink");
	open_ears(&node);
	(void)puts("| what | ratio | budget | losslessd | a dcb process |\n|---|---|---|---|---|");
	bench_pfc(&node, runs);
	if (argc > 7)
		return EXIT_SUCCESS;
	bench_file(&node, "foreign RDMA-CM ToS → repaired", folder, tos, "0", file_runs);
	bench_file(&node, "foreign traffic_class → repaired", class, class, "-1", file_runs);
	bench_device(&node, tos, class);
	os_free(node.os);
	return EXIT_SUCCESS;
}
