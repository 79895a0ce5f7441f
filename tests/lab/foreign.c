// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Somebody else who writes: N times at random, to two ports and their RDMA devices, in bursts and
 * with pauses, the same with the same seed. Prints what was written how often, for a judge of who
 * wrote how much (soak.sh): a line for each object as the simulated NIC calls it.
 */
#include <errno.h>
#include <net/if.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>

#include "lib/base/macro.h"
#include "lib/os/dcb.h"
#include "lib/os/ethtool.h"
#include "lib/os/file.h"
#include "lib/os/link.h"

enum {
	DEVICES = 2,
	DEVICE_ODDS = 60, /* one in so many is a new RDMA device */
	BURST_ODDS = 3, /* two of so many follow at once */
	PAUSE_MAX_MS = 80,
	GONE_MAX_MS = 60,
	MTU_MIN = 1280, /* below, IPv6 goes away, and the GIDs with it */
	MTU_MAX = 4200,
};

enum kind { PFC, APP, PAUSE, MTU, TOS, CLASS, KIND_MAX };

static const char *const names[] = { "pfc", "app", "pause", "mtu", "tos", "tclass" };
static_assert(ARRAY_SIZE(names) == KIND_MAX, "a name for each");

struct foreign {
	struct os *os;
	unsigned int n[KIND_MAX];
	unsigned int devices;
	unsigned int class_forgotten; /* writes that the devices that are gone had counted */
};

extern char **environ;

static unsigned int below(unsigned int n)
{
	return (unsigned int)random() % n;
}

static void sleep_ms(unsigned int ms)
{
	const struct timespec time = { .tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000L };

	(void)nanosleep(&time, NULL);
}

/* ---- one write each: whether it is taken does not matter ---- */

static void write_pfc(struct foreign *foreign, const char *port)
{
	const struct ieee_pfc pfc = { .pfc_cap = 8, .pfc_en = (uint8_t)below(256) };
	struct os_error error;

	(void)os_dcb_set_pfc(foreign->os, port, &pfc, &error);
}

/* The one entry that the file has: what else the table has is nobody's business there. */
static void write_app(struct foreign *foreign, const char *port)
{
	struct dcb_app app = {
		.selector = IEEE_8021QAZ_APP_SEL_DSCP,
		.protocol = 26,
		.priority = 3,
	};
	struct os_error error;

	if (below(2)) {
		(void)os_dcb_app_delete(foreign->os, port, &app, 1, &error);
		return;
	}
	app.priority = (uint8_t)below(8);
	(void)os_dcb_app_add(foreign->os, port, &app, 1, &error);
}

static void write_pause(struct foreign *foreign, const char *port)
{
	const struct os_pause pause = { .rx = below(2), .tx = below(2) };
	struct os_error error;

	(void)os_pause_set(foreign->os, (int)if_nametoindex(port), &pause, &error);
}

static void write_mtu(struct foreign *foreign, const char *port)
{
	struct os_error error;

	(void)os_link_set_mtu(foreign->os, (int)if_nametoindex(port),
			      MTU_MIN + below(MTU_MAX - MTU_MIN), &error);
}

static void write_number(struct foreign *foreign, const char *path, int number)
{
	char text[16];

	(void)snprintf(text, sizeof(text), "%d", number);
	(void)os_write_text(foreign->os, path, text);
}

static void write_tos(struct foreign *foreign, const char *rdma)
{
	char path[OS_PATH_MAX];

	(void)snprintf(path, sizeof(path),
		       "/sys/kernel/config/rdma_cm/%s/ports/1/default_roce_tos", rdma);
	write_number(foreign, path, (int)below(256));
}

static void write_class(struct foreign *foreign, const char *rdma)
{
	char path[OS_PATH_MAX];

	(void)snprintf(path, sizeof(path), "/sys/class/infiniband/%s/tc/1/traffic_class", rdma);
	write_number(foreign, path, (int)below(257) - 1);
}

/* ---- a device goes and comes back ---- */

static void run(char *const argv[])
{
	pid_t child;
	int status;

	if (posix_spawnp(&child, argv[0], NULL, NULL, argv, environ) != 0 ||
	    waitpid(child, &status, 0) != child || status != 0)
		(void)fprintf(stderr, "foreign: %s %s %s failed\n", argv[0], argv[1], argv[2]);
}

static void renew_device(struct foreign *foreign, char *port, char *rdma)
{
	char *const del[] = { (char[]){ "rdma" }, (char[]){ "link" }, (char[]){ "del" }, rdma,
			      NULL };
	char *const add[] = { (char[]){ "rdma" }, (char[]){ "link" }, (char[]){ "add" },
			      rdma,		  (char[]){ "type" }, (char[]){ "rxe" },
			      (char[]){ "netdev" }, port, NULL };
	char path[OS_PATH_MAX];
	uint64_t n = 0;

	(void)snprintf(path, sizeof(path), "/sys/kernel/debug/simib/%s/n_tclass", rdma);
	(void)os_read_number(foreign->os, path, UINT32_MAX, &n);
	foreign->class_forgotten += (unsigned int)n;
	foreign->devices++;
	run(del);
	sleep_ms(below(GONE_MAX_MS));
	run(add);
}

/* ---- all ---- */

static void write_once(struct foreign *foreign)
{
	unsigned int number = below(DEVICES);
	enum kind kind = (enum kind)below(KIND_MAX);
	char port[16], rdma[16];

	(void)snprintf(port, sizeof(port), "sim%u", number);
	(void)snprintf(rdma, sizeof(rdma), "mlx5_%u", number);
	if (below(DEVICE_ODDS) == 0) {
		renew_device(foreign, port, rdma);
		return;
	}
	foreign->n[kind]++;
	switch (kind) {
	case PFC:
		write_pfc(foreign, port);
		break;
	case APP:
		write_app(foreign, port);
		break;
	case PAUSE:
		write_pause(foreign, port);
		break;
	case MTU:
		write_mtu(foreign, port);
		break;
	case TOS:
		write_tos(foreign, rdma);
		break;
	case CLASS:
	case KIND_MAX:
		write_class(foreign, rdma);
		break;
	}
}

int main(int argc, char **argv)
{
	struct foreign foreign = {};

	if (argc != 3) {
		(void)fputs("usage: foreign SEED N\n", stderr);
		return EXIT_FAILURE;
	}
	srandom((unsigned int)strtoul(argv[1], NULL, 10));
	if (os_linux_new(&foreign.os) < 0)
		return EXIT_FAILURE;
	for (unsigned long n = strtoul(argv[2], NULL, 10); n > 0; n--) {
		write_once(&foreign);
		if (below(BURST_ODDS) == 0)
			sleep_ms(below(PAUSE_MAX_MS));
	}
	os_free(foreign.os);
	for (enum kind kind = 0; kind < KIND_MAX; kind++)
		(void)printf("%s %u\n", names[kind], foreign.n[kind]);
	(void)printf("devices %u\nforgotten %u\n", foreign.devices, foreign.class_forgotten);
	return EXIT_SUCCESS;
}
