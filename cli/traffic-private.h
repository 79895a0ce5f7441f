/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What both ends of a verification are made of. */
#pragma once

#include <infiniband/verbs.h>
#include <rdma/rdma_cma.h>

#include "cli/traffic.h"
#include "lib/base/cleanup.h"
#include "lib/model/traffic-wire.h"

enum {
	WINDOW = 32, /* messages under way */
	DATAGRAMS = 16, /* one that comes is enough */
	DATAGRAM_BYTES = 64,
	DATAGRAM_ROOM = GRH_SIZE + DATAGRAM_BYTES,

	/* parts of the registered memory */
	AT_DATA = 0,
	AT_CONTROL = TRAFFIC_MESSAGE_BYTES,
	AT_DATAGRAMS = 2 * TRAFFIC_MESSAGE_BYTES,
	MEMORY_SIZE = 3 * TRAFFIC_MESSAGE_BYTES,

	/* names of work requests */
	WORK_MESSAGE = 1,
	WORK_CONTROL_OUT,
	WORK_CONTROL_IN,
	WORK_DATAGRAM_OUT,
	WORK_DATAGRAM_IN, /* and those behind it, one for each datagram */

	PATIENCE_MS = 10000, /* for an answer, or the next sign of life */
};

/* One connection with its queue pair, and the datagrams beside it on the same device. */
struct traffic_end {
	struct rdma_event_channel *channel;
	struct rdma_cm_id *id;
	struct rdma_cm_id *datagrams;
	struct ibv_pd *pd;
	struct ibv_cq *cq;
	struct ibv_mr *mr; /* all of it, for this end alone */
	struct ibv_mr *open; /* of it AT_DATA, for the other end to write to; NULL: nothing */
	uint8_t *memory;
};

/* Everything but the channel. */
void traffic_end_done(struct traffic_end *end);

/* An event channel that never blocks. Returns 0 or a negative errno. */
int traffic_channel(struct rdma_event_channel **ret);

/* Queue pair, memory, and a buffer for one word of the other end. Returns 0 or a negative errno. */
int traffic_end_init(struct traffic_end *end);

/* Let the other end write to AT_DATA, and to nothing else. Returns 0 or a negative errno. */
int traffic_end_open(struct traffic_end *end);

/* The queue pair of the datagrams, on the same device. Returns 0 or a negative errno. */
int traffic_datagrams_init(struct traffic_end *end);

/*
 * The next event, to be acknowledged. Returns 0; -ETIMEDOUT; -EINTR if a signal asked to stop.
 */
int traffic_event(struct os *os, struct rdma_event_channel *channel, int64_t deadline,
		  struct rdma_cm_event **ret);

/* A completion, if there is one. Returns 1; 0; -EIO if a work request or the queue failed. */
int traffic_completion(struct traffic_end *end, struct ibv_wc *ret);

/* Send what stands in the control part. Returns 0 or a negative errno. */
int traffic_control_send(struct traffic_end *end, uint32_t size);

union traffic_sockaddr {
	struct sockaddr any;
	struct sockaddr_in v4;
	struct sockaddr_in6 v6;
};

union traffic_sockaddr traffic_sockaddr(const struct in6_addr *address, uint16_t port);

/* The counters of a port, or of all slaves of its bond. Returns 0 or a negative errno. */
int traffic_counters(const struct traffic_machine *machine, const struct nic *nic,
		     struct counters *ret);

/*
 * Read the port's counters until one priority counted @packets, or so long that a driver which
 * reads them from its firmware once a second must have seen them.
 */
void traffic_settle(const struct traffic_machine *machine, struct port_counters *port,
		    enum counter counter, uint64_t packets);

/* What the messages are on the wire of this connection. */
uint64_t traffic_packets(const struct ibv_qp_attr *attr, uint32_t messages);
