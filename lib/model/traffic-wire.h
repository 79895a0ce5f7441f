/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What the two ends of a verification say to each other over the connection that is verified:
 * greetings when it is made, one word when all was sent, and then what the receiver saw. Fixed
 * sizes, big endian; another version is refused. All that comes in is taken for hostile and has
 * exactly one form.
 */
#pragma once

#include "lib/model/traffic.h"

enum {
	TRAFFIC_MESSAGES_MIN = 100, /* fewer drown in what else is on a port */
	TRAFFIC_MESSAGES_MAX = 100000,
	TRAFFIC_MESSAGE_BYTES = 4096,

	/* Of RDMA-CM's private data 56 bytes are a connection's own */
	TRAFFIC_HELLO_SIZE = 16,
	TRAFFIC_WELCOME_SIZE = 16,
	TRAFFIC_END_SIZE = 4,
	TRAFFIC_REPORT_SIZE = 4 + 4 * NAME_MAX_BYTES + 8 + COUNTER_MAX * PRIORITIES * 18,
};

/* Who begins: how much will come, and a number that its datagrams have too. */
struct traffic_hello {
	uint64_t token;
	uint32_t messages;
};

/* Who listens: where the messages are to be written. */
struct traffic_welcome {
	uint64_t address;
	uint32_t key;
};

/* Why a listener refuses. */
enum traffic_refusal { TRAFFIC_REFUSED_BUSY = 1, TRAFFIC_REFUSED_VERSION, TRAFFIC_REFUSED_TROUBLE };

void traffic_hello_encode(const struct traffic_hello *hello, uint8_t ret[TRAFFIC_HELLO_SIZE]);
void traffic_welcome_encode(const struct traffic_welcome *welcome,
			    uint8_t ret[TRAFFIC_WELCOME_SIZE]);
void traffic_end_encode(uint8_t ret[TRAFFIC_END_SIZE]);

/* The receiver's part of @traffic: .to, .to_node, .tos_received. */
void traffic_report_encode(const struct traffic *traffic, uint8_t ret[TRAFFIC_REPORT_SIZE]);

/*
 * What came; @size may be more, as RDMA-CM pads private data. Return 0; -EPROTO if it is of another
 * version or of something else, or out of range; the report leaves @traffic as it was then.
 */
int traffic_hello_decode(const void *data, size_t size, struct traffic_hello *ret);
int traffic_welcome_decode(const void *data, size_t size, struct traffic_welcome *ret);
int traffic_end_decode(const void *data, size_t size);
int traffic_report_decode(const void *data, size_t size, struct traffic *traffic);
