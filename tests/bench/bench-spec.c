// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Load and resolve of one node against a bare libyaml event loop over the same text, by the time
 * that the process computed. Each run is a process of its own, as losslessctl would be: memory that
 * an earlier run had is not there for the next one.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/base/macro.h"
#include "lib/spec/spec.h"
#include "tests/bench/bare.h"
#include "tests/bench/bench.h"
#include "tests/bench/fabric.h"

enum { NODES = 10000, RUNS = 9 };

struct size {
	const char *name;
	enum fabric_shape shape;
	unsigned int factor;
};

/* SINGLES at 4x is above SPEC_SIZE_MAX */
static const struct size sizes[] = {
	{ "mixed", FABRIC_MIXED, 1 },	     { "mixed", FABRIC_MIXED, 2 },
	{ "mixed", FABRIC_MIXED, 4 },	     { "one by one", FABRIC_SINGLES, 1 },
	{ "one by one", FABRIC_SINGLES, 2 }, { "host lists", FABRIC_LISTS, 1 },
	{ "host lists", FABRIC_LISTS, 2 },   { "host lists", FABRIC_LISTS, 4 },
};

/* What a child finds out. */
struct result {
	double ours; /* seconds */
	double bare;
	size_t bytes;
	size_t events;
};

static char *text_read(FILE *file, size_t *ret_size)
{
	long size = ftell(file);
	char *text = malloc(MAX(size, 1L));

	if (size <= 0 || !text)
		bench_die("no memory");
	rewind(file);
	if (fread(text, 1, (size_t)size, file) != (size_t)size)
		bench_die("cannot read the generated file");
	*ret_size = (size_t)size;
	return text;
}

static void inventory_make(struct inventory *inventory)
{
	static struct nic nics[FABRIC_RAILS];

	for (unsigned int i = 0; i < FABRIC_RAILS; i++) {
		nics[i] = (struct nic){ .ifindex = (int)i + 2, .rdma_port = 1, .mtu_max = 9978 };
		fabric_netdev(i, nics[i].name, sizeof(nics[i].name));
		(void)snprintf(nics[i].rdma, sizeof(nics[i].rdma), "mlx5_%u", i);
		(void)snprintf(nics[i].driver, sizeof(nics[i].driver), "mlx5_core");
	}
	*inventory = (struct inventory){ .list = nics, .n = FABRIC_RAILS };
}

/* Returns the seconds of one load and resolve. */
static double ours(const char *text, size_t size, unsigned int node)
{
	struct inventory inventory;
	struct desired desired = {};
	struct diags diags = {};
	struct spec *spec;
	char name[32];
	double begin;

	inventory_make(&inventory);
	(void)snprintf(name, sizeof(name), "gpu-%05u.example.org", node);
	begin = cpu_seconds();
	if (spec_load(text, size, &spec, &diags) < 0 ||
	    spec_resolve(spec, &inventory, name, &desired, &diags) < 0) {
		diags_write(&diags, stderr, "fabric", text, size);
		bench_die("the generated file is refused");
	}
	if (desired.states.n != (size_t)2 * FABRIC_RAILS)
		bench_die("%zu targets instead of %d", desired.states.n, 2 * FABRIC_RAILS);
	desired_done(&desired);
	spec_free(spec);
	diags_done(&diags);
	return cpu_seconds() - begin;
}

static double bare(const char *text, size_t size, size_t *ret_events)
{
	double begin = cpu_seconds();

	*ret_events = bare_yaml(text, size);
	if (*ret_events == 0)
		bench_die("libyaml refuses the generated file");
	return cpu_seconds() - begin;
}

static void measure(FILE *file, unsigned int nodes, struct result *ret)
{
	char *text = text_read(file, &ret->bytes);

	ret->bare = bare(text, ret->bytes, &ret->events);
	ret->ours = ours(text, ret->bytes, nodes - FABRIC_GROUP / 2);
	free(text);
}

static void load_once(FILE *file, unsigned int nodes, struct result *ret)
{
	char *text = text_read(file, &ret->bytes);

	ret->ours = ours(text, ret->bytes, nodes - FABRIC_GROUP / 2);
	free(text);
}

/* Run @call in a child. Returns the most memory that it had, in MiB. */
static double in_child(void (*call)(FILE *file, unsigned int nodes, struct result *ret), FILE *file,
		       unsigned int nodes, struct result *ret)
{
	struct rusage usage;
	int pipe_fds[2], status;
	pid_t child;

	if (pipe(pipe_fds) < 0)
		bench_die("no pipe");
	child = fork();
	if (child < 0)
		bench_die("cannot fork");
	if (child == 0) {
		call(file, nodes, ret);
		_exit(write(pipe_fds[1], ret, sizeof(*ret)) == sizeof(*ret) ? 0 : 1);
	}
	if (wait4(child, &status, 0, &usage) < 0 || status != 0 ||
	    read(pipe_fds[0], ret, sizeof(*ret)) != sizeof(*ret))
		bench_die("a measurement failed");
	(void)close(pipe_fds[0]);
	(void)close(pipe_fds[1]);
	return (double)usage.ru_maxrss / 1024;
}

static void bench(const struct size *size)
{
	unsigned int nodes = NODES * size->factor;
	struct series product = {}, loop = {};
	struct result result = {};
	FILE *file = tmpfile();
	double mib;

	if (!file)
		bench_die("no temporary file");
	fabric_write(file, size->shape, nodes);
	if (fflush(file) != 0)
		bench_die("cannot write the generated file");
	mib = in_child(load_once, file, nodes, &result);
	for (int i = 0; i < RUNS; i++) {
		(void)in_child(measure, file, nodes, &result);
		series_add(&product, result.ours);
		series_add(&loop, result.bare);
	}
	(void)printf("| %s | %u× | %.1f MiB | %zuk | **%.2f** | %s | %s "
		     "| %.0f MiB |\n",
		     size->name, size->factor, (double)result.bytes / 1024 / 1024,
		     result.events / 1000, series_ratio(&product, &loop),
		     duration(series_median(&product)).text, duration(series_median(&loop)).text,
		     mib);
	(void)fflush(stdout);
	(void)fclose(file);
}

int main(int argc, char **argv)
{
	/* bench-spec SHAPE FACTOR: the file itself, to look at or to profile with */
	if (argc == 3) {
		fabric_write(stdout, (enum fabric_shape)atoi(argv[1]),
			     NODES * (unsigned int)atoi(argv[2]));
		return EXIT_SUCCESS;
	}
	(void)printf("%d nodes × %d rails, %d switches at 1×; medians of %d runs, CPU time\n\n",
		     NODES, FABRIC_RAILS, NODES / 10, RUNS);
	(void)puts(
		"| file | size | bytes | events | load + resolve / bare libyaml | load + resolve "
		"| bare libyaml | peak memory |\n|---|---|---|---|---|---|---|---|");
	for (size_t i = 0; i < ARRAY_SIZE(sizes); i++)
		bench(&sizes[i]);
	return EXIT_SUCCESS;
}
