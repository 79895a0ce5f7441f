// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Reading the state of a node, on a node that has ports: in the lab (lab.sh). Observe against the
 * bare loop in one process, by its CPU time; `losslessctl status` against one `dcb` process for
 * each thing that it shows, by the clock on the wall.
 */
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/base/macro.h"
#include "lib/model/verdict.h"
#include "lib/nic/nic.h"
#include "lib/reconcile/execute.h"
#include "lib/spec/spec.h"
#include "tests/bench/bare.h"
#include "tests/bench/bench.h"

enum { OBSERVE_RUNS = 51, STATUS_RUNS = 7 };

extern char **environ;

static const char fabric[] = "version: 1\n"
			     "fabric: bench\n"
			     "roce: {traffic_class: 106}\n"
			     "qos: {dscp_to_priority: {26: 3}, pfc: [3], "
			     "scheduler: {0: 50%, 3: 50%}}\n"
			     "mtu: 4200\n"
			     "nodes: {\"*\": {}}\n";

struct node {
	struct os *os;
	struct provider provider;
	struct inventory inventory;
	struct desired desired;
};

static void node_open(struct node *node)
{
	struct diags diags = {};
	struct spec *spec;

	if (os_linux_new(&node->os) < 0 || nic_inventory(node->os, &node->inventory) < 0)
		bench_die("no inventory");
	if (spec_load(fabric, sizeof(fabric) - 1, &spec, &diags) < 0 ||
	    spec_resolve(spec, &node->inventory, "any", &node->desired, &diags) < 0)
		bench_die("the fabric file is refused");
	spec_free(spec);
	diags_done(&diags);
	nic_provider_init(&node->provider, node->os);
	if (node->desired.states.n != 2 * node->inventory.n || node->inventory.n == 0)
		bench_die("%zu ports, %zu targets", node->inventory.n, node->desired.states.n);
}

static double observe(struct node *node)
{
	struct states found = {};
	double begin = cpu_seconds();

	if (states_observe(&node->desired.states, &node->provider, &found) < 0)
		bench_die("cannot observe");
	states_done(&found);
	return cpu_seconds() - begin;
}

/* One DCB GET a port, and nothing else. */
static double bare_dcb_only(const struct node *node, struct bare_netlink *bare)
{
	double begin = cpu_seconds();

	for (size_t i = 0; i < node->inventory.n; i++)
		bare_dcb(bare, node->inventory.list[i].name);
	return cpu_seconds() - begin;
}

static void bare_rdma(const struct nic *nic)
{
	static const char *const formats[] = {
		"/sys/kernel/config/rdma_cm/%s/ports/1/default_roce_mode",
		"/sys/kernel/config/rdma_cm/%s/ports/1/default_roce_tos",
		"/sys/class/infiniband/%s/tc/1/traffic_class",
		"/sys/class/infiniband/%s/ports/1/gids/0",
		"/sys/class/infiniband/%s/ports/1/gid_attrs/ndevs/0",
		"/sys/class/infiniband/%s/ports/1/gid_attrs/types/0",
		"/sys/class/infiniband/%s/ports/1/gids/1",
		"/sys/class/infiniband/%s/ports/1/gid_attrs/ndevs/1",
		"/sys/class/infiniband/%s/ports/1/gid_attrs/types/1",
	};
	char path[256];

	for (size_t i = 0; i < ARRAY_SIZE(formats); i++) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
		(void)snprintf(path, sizeof(path), formats[i], nic->rdma);
#pragma GCC diagnostic pop
		bare_file(path);
	}
}

/* The objects that the fabric file asks for: link, DCB, pause of a port; attributes and GIDs. */
static double bare_all(const struct node *node, struct bare_netlink *bare)
{
	double begin = cpu_seconds();

	for (size_t i = 0; i < node->inventory.n; i++) {
		const struct nic *nic = &node->inventory.list[i];

		bare_link(bare, nic->ifindex);
		bare_dcb(bare, nic->name);
		bare_pause(bare, nic->ifindex);
		bare_rdma(nic);
	}
	return cpu_seconds() - begin;
}

static void row(const char *what, const char *budget, const struct series *ours,
		const struct series *bare)
{
	(void)printf("| %s | **%.2f** | %s | %s | %s |\n", what, series_ratio(ours, bare), budget,
		     duration(series_median(ours)).text, duration(series_median(bare)).text);
	(void)fflush(stdout);
}

static void bench_observe(void)
{
	struct node node = {};
	struct bare_netlink bare;
	struct series product = {}, dcb = {}, all = {};

	node_open(&node);
	bare_netlink_open(&bare);
	for (int i = 0; i <= OBSERVE_RUNS; i++) {
		double seconds[] = { observe(&node), bare_dcb_only(&node, &bare),
				     bare_all(&node, &bare) };

		if (i == 0)
			continue; /* what is cold is not what is measured */
		series_add(&product, seconds[0]);
		series_add(&dcb, seconds[1]);
		series_add(&all, seconds[2]);
	}
	row("observe / bare loop over the same objects", "≤ 1.5", &product, &all);
	row("observe / one DCB GET a port", "–", &product, &dcb);
	bare_netlink_close(&bare);
	desired_done(&node.desired);
	inventory_done(&node.inventory);
	os_free(node.os);
}

/* ---- processes ---- */

static void spawn(char *const argv[], int expected)
{
	posix_spawn_file_actions_t actions;
	pid_t child;
	int status;

	if (posix_spawn_file_actions_init(&actions) != 0 ||
	    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0) != 0 ||
	    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0) != 0 ||
	    posix_spawn(&child, argv[0], &actions, NULL, argv, environ) != 0)
		bench_die("cannot start %s", argv[0]);
	(void)posix_spawn_file_actions_destroy(&actions);
	if (waitpid(child, &status, 0) != child || !WIFEXITED(status) ||
	    WEXITSTATUS(status) != expected)
		bench_die("%s %s %s: status %d", argv[0], argv[1], argv[2], status);
}

static double run_status(char *losslessctl, char *file)
{
	char *const argv[] = { losslessctl, (char[]){ "status" }, (char[]){ "-f" }, file, NULL };
	double begin = wall_seconds();

	spawn(argv, STATUS_DRIFT);
	return wall_seconds() - begin;
}

static double run_dcb(char *dcb, const struct inventory *inventory)
{
	static char objects[][8] = { "dcbx", "ets", "pfc", "app", "buffer" };
	double begin = wall_seconds();

	for (size_t i = 0; i < inventory->n; i++)
		for (size_t k = 0; k < ARRAY_SIZE(objects); k++) {
			char name[NAME_MAX_BYTES];
			char *const argv[] = { dcb,
					       (char[]){ "-j" },
					       objects[k],
					       (char[]){ "show" },
					       (char[]){ "dev" },
					       name,
					       NULL };

			(void)snprintf(name, sizeof(name), "%s", inventory->list[i].name);
			spawn(argv, 0);
		}
	return wall_seconds() - begin;
}

static void bench_status(char *losslessctl, char *dcb)
{
	static char path[] = "/run/bench-fabric.yaml";
	struct node node = {};
	struct series ours = {}, theirs = {};
	FILE *file = fopen(path, "we");

	if (!file || fputs(fabric, file) < 0 || fclose(file) != 0)
		bench_die("cannot write %s", path);
	node_open(&node);
	for (int i = 0; i <= STATUS_RUNS; i++) {
		double a = run_status(losslessctl, path), b = run_dcb(dcb, &node.inventory);

		if (i == 0)
			continue;
		series_add(&ours, a);
		series_add(&theirs, b);
	}
	row("losslessctl status / 5 dcb processes a port", "≤ 0.10", &ours, &theirs);
	desired_done(&node.desired);
	inventory_done(&node.inventory);
	os_free(node.os);
}

int main(int argc, char **argv)
{
	if (argc != 3)
		bench_die("usage: bench-node LOSSLESSCTL DCB");
	(void)puts("| what | ratio | budget | ours | the other |\n|---|---|---|---|---|");
	bench_observe();
	bench_status(argv[1], argv[2]);
	return EXIT_SUCCESS;
}
