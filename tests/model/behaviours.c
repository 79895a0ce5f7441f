// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * One table of behaviours of a ConnectX-like port, as nic.md 1.0 to 1.3 tells them. It is run
 * against the simulated node, and with `--lab IFNAME RDMA` against a port of a real kernel with the
 * lab's modules: a row that differs between the two is a fault of the simulation (or of the
 * module), and everything that is tested on the simulated node stands on it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/macro.h"
#include "lib/os/ethtool.h"
#include "tests/model/behave.h"

int behave_set_pause(struct bed *bed, bool autoneg, bool rx, bool tx)
{
	const struct os_pause pause = { .autoneg = autoneg, .rx = rx, .tx = tx };
	struct os_error error;

	return os_pause_set(bed->os, bed->ifindex, &pause, &error);
}

bool behave_pause_is(struct bed *bed, bool rx, bool tx)
{
	struct os_pause pause;

	return os_pause_get(bed->os, bed->ifindex, &pause) == 0 && !pause.autoneg &&
	       pause.rx == rx && pause.tx == tx;
}

const struct os_dcb *behave_dcb(struct bed *bed)
{
	static struct os_dcb dcb;

	if (os_dcb_get(bed->os, bed->ifname, &dcb) < 0)
		memset(&dcb, 0, sizeof(dcb));
	return &dcb;
}

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
	printf("%s %s\n", ok ? "ok  " : "FAIL", row->name);
	fflush(stdout);
	return ok;
}

int main(int argc, char **argv)
{
	static const struct behaviour *const halves[] = { behaviours_dcb, behaviours_node };
	unsigned int passed = 0, failed = 0;
	struct bed place = {};

	if (argc == 4 && !strcmp(argv[1], "--lab"))
		place = (struct bed){ .lab = true, .ifname = argv[2], .rdma = argv[3] };
	else if (argc != 1) {
		fprintf(stderr, "usage: behaviours [--lab IFNAME RDMA]\n");
		return 2;
	}
	for (size_t i = 0; i < ARRAY_SIZE(halves); i++)
		for (const struct behaviour *row = halves[i]; row->name; row++)
			*(run(&place, row) ? &passed : &failed) += 1;
	printf("%u passed, %u failed\n", passed, failed);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
