/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * RDMA-CM traffic from one port to another as proof: with which ToS it left and came, on which
 * priority both ends counted it, and what that says. Nothing here sends anything.
 */
#pragma once

#include <netinet/in.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/model/counter.h"

enum {
	TRAFFIC_UNKNOWN = -1, /* of a ToS or priority */
	TRAFFIC_NONE = -2, /* no priority counted as many packets as were sent */
	TRAFFIC_SEVERAL = -3, /* more than one did: other traffic is in the way */
	TRAFFIC_REASON_MAX = 320,
	GRH_SIZE = 40,
	TRAFFIC_PORTS_MAX = 64,
};

enum traffic_verdict {
	TRAFFIC_PROVEN,
	TRAFFIC_NOT_PROVEN,
	TRAFFIC_CANNOT_TELL, /* it arrived, but nobody counts where, or others are in the way */
	TRAFFIC_FAILED, /* no traffic could be made */
	TRAFFIC_VERDICT_MAX,
};

/* A port that can send or receive RoCE v2. */
struct traffic_place {
	char name[NAME_MAX_BYTES]; /* network device */
	char rdma[NAME_MAX_BYTES];
	struct in6_addr address; /* its GID: IPv4 is v4-mapped */
	uint16_t port; /* of RDMA-CM, where somebody listens */
};

/* One way from a port to another. */
struct traffic {
	struct port_counters from, to; /* of @to as the other end says, if that is another node */
	char to_node[NAME_MAX_BYTES]; /* "" if it is this one */
	uint32_t messages;
	uint64_t packets; /* what the messages are on the wire, without their acknowledgements */
	/* IP byte with DSCP and ECN, or TRAFFIC_UNKNOWN */
	int tos_sent; /* of the queue pair */
	int tos_received; /* of the IP header of datagrams that came */
	/* What the file wants, TRAFFIC_UNKNOWN without one */
	int want_tos;
	int want_priority;
	bool want_lossy; /* the file has no PFC on that priority */
	char trouble[TRAFFIC_REASON_MAX]; /* why there was no traffic, "" if there was */

	/* What traffic_judge() finds */
	int priority_sent; /* or TRAFFIC_UNKNOWN, _NONE, _SEVERAL */
	int priority_received;
	enum traffic_verdict verdict;
	char reason[TRAFFIC_REASON_MAX];
};

const char *traffic_verdict_name(enum traffic_verdict verdict);

/*
 * ToS of the packet whose 40 bytes stand before a received datagram: an IPv6 header, or 20 bytes of
 * anything and an IPv4 header (Linux 6.12 drivers/infiniband/core/verbs.c,
 * ib_get_rdma_header_version()). TRAFFIC_UNKNOWN if it is neither.
 */
int traffic_grh_tos(const uint8_t grh[GRH_SIZE]);

/* What the counters and ToS say. */
void traffic_judge(struct traffic *traffic);

/*
 * Growth of all priorities' pause frames of both directions at one end, or of the counters of ECN:
 * marked packets and CNPs. False if none of them is counted there.
 */
bool traffic_pause(const struct port_counters *port, uint64_t *ret);
bool traffic_ecn(const struct port_counters *port, uint64_t *ret);

/*
 * Of @n places the one whose address is nearest to @from: the most equal bits from the left, of the
 * same family. NULL if there is none of that family.
 */
const struct traffic_place *traffic_nearest(const struct in6_addr *from,
					    const struct traffic_place *places, size_t n);

/* "listening on sim1 (mlx5_1) 10.9.0.2 port 18516": what --listen prints, and is read here. */
enum { TRAFFIC_LINE_MAX = 256 };
void traffic_place_format(const struct traffic_place *place, char text[TRAFFIC_LINE_MAX]);

/* Exactly such a line, from a program elsewhere. Returns 0 or -EINVAL. */
int traffic_place_parse(const char *text, struct traffic_place *ret);

void traffic_address_format(const struct in6_addr *address, char text[INET6_ADDRSTRLEN]);

/* An IPv4 or IPv6 address. Returns 0 or -EINVAL. */
int traffic_address_parse(const char *text, struct in6_addr *ret);
