// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Tables of behaviours of a port, one for each personality, as nic.md 1.0 to 1.5 and 3 tell them.
 * They are run against the simulated node, and with `--lab IFNAME RDMA` against a port of a real
 * kernel with the lab's modules: a row that differs between the two is a fault of the simulation
 * (or of the module), and everything that is tested on the simulated node stands on it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/macro.h"
#include "tests/model/behave.h"

static bool run(const struct bed *place, const struct behaviour *row)
{
	struct bed bed = *place;
	bool ok;
	int r;

	r = bed_begin(&bed);
	if (r < 0)
		printf("     cannot begin: %s\n", strerror(-r));
	ok = r == 0 && row->holds(&bed);
	bed_end(&bed);
	printf("%s %s: %s\n", ok ? "ok  " : "FAIL", place->personality, row->name);
	fflush(stdout);
	return ok;
}

static const struct {
	const char *personality;
	const struct behaviour *rows[4];
} tables[] = {
	{ "mlx5", { behaviours_dcb, behaviours_node, behaviours_more, behaviours_ofed } },
	{ "bnxt", { behaviours_bnxt } },
	{ "ice", { behaviours_ice } },
	{ "plain", { behaviours_plain } },
};

static int usage(void)
{
	fprintf(stderr, "usage: behaviours [--lab IFNAME RDMA] [--personality mlx5|bnxt|ice|plain]"
			"\nWithout --lab on the simulated node, all of them if none is named.\n");
	return 2;
}

int main(int argc, char **argv)
{
	unsigned int passed = 0, failed = 0, known = 0;
	const char *only = NULL;
	struct bed place = {};

	for (int i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "--lab") && i + 2 < argc) {
			place = (struct bed){ .lab = true,
					      .ifname = argv[i + 1],
					      .rdma = argv[i + 2] };
			i += 2;
		} else if (!strcmp(argv[i], "--personality") && i + 1 < argc) {
			only = argv[++i];
		} else {
			return usage();
		}
	}
	if (place.lab && !only)
		only = tables[0].personality;
	for (size_t i = 0; i < ARRAY_SIZE(tables); i++) {
		if (only && strcmp(only, tables[i].personality) != 0)
			continue;
		known++;
		place.personality = tables[i].personality;
		for (size_t j = 0; j < ARRAY_SIZE(tables[i].rows) && tables[i].rows[j]; j++)
			for (const struct behaviour *row = tables[i].rows[j]; row->name; row++)
				*(run(&place, row) ? &passed : &failed) += 1;
	}
	if (!known)
		return usage();
	printf("%u passed, %u failed\n", passed, failed);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
