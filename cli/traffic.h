/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Traffic of RDMA-CM between two ports, as an application would make it: RDMA writes over a
 * reliable connection, and datagrams, which show the IP header that they came with. The ToS is set
 * by nobody here: what the kernel's default is, is what is to be proven. Needs no root, only
 * /dev/infiniband. The one place of librdmacm and libibverbs.
 */
#pragma once

#include <stdio.h>

#include "lib/model/traffic.h"
#include "lib/os/os.h"

enum { TRAFFIC_PORT = 18516, TRAFFIC_MESSAGES = 1000 };

/* What a listener prints when it has said where it listens. */
#define TRAFFIC_READY "ready for losslessctl verify; Ctrl-C ends this"

/* This machine: of a bond with one RDMA device the counters of all slaves are one. */
struct traffic_machine {
	struct os *os;
	const struct inventory *inventory;
};

/*
 * Send @traffic->messages from @traffic->from.nic to a listener, and fill in what came of it but
 * for what is wanted. What went wrong is in ->trouble. A signal ends it early (cli/stop.h).
 */
void traffic_send(const struct traffic_machine *machine, const struct traffic_place *from,
		  const struct traffic_place *to, struct traffic *traffic);

struct traffic_listener {
	struct traffic_machine machine;
	const char *node;
	struct traffic_place *places; /* their .port 0: any, which is filled in */
	const struct nic *nics; /* of each place */
	size_t n;
	FILE *out; /* a line for each place where it listens, then one for each visitor */
	int until_closed; /* a pipe whose end is the end, or -1 */
};

/*
 * Serve one visitor after the other until a signal comes, or the end of the pipe. Places that
 * cannot be listened on are told on stderr. Returns 0; a negative errno after one line on stderr if
 * there is none at all.
 */
int traffic_listen(struct traffic_listener *listener);

/* Behind why RDMA-CM cannot be used: librdmacm says the same of a lack of either. */
#define TRAFFIC_HINT "is module rdma_ucm loaded, and may this user open /dev/infiniband/rdma_cm?"
