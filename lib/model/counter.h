/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Counters under one name for all drivers, read twice: a lifetime says nothing (they count since
 * boot), the growth between two readings does (field case N12).
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/model/inventory.h"
#include "lib/model/value.h"

enum counter {
	/* of each priority */
	COUNTER_RX_BYTES,
	COUNTER_TX_BYTES,
	COUNTER_RX_PACKETS,
	COUNTER_TX_PACKETS,
	COUNTER_RX_PAUSE,
	COUNTER_TX_PAUSE,
	COUNTER_RX_PAUSE_US,
	COUNTER_TX_PAUSE_US,
	COUNTER_RX_DISCARDS,
	COUNTER_RX_MARKED,
	/* of the port */
	COUNTER_RX_GLOBAL_PAUSE,
	COUNTER_TX_GLOBAL_PAUSE,
	COUNTER_DROPPED,
	COUNTER_TX_PAUSE_STORMS,
	/* of the RDMA device's port */
	COUNTER_CNP_SENT,
	COUNTER_CNP_HANDLED,
	COUNTER_CNP_IGNORED,
	COUNTER_ECN_MARKED,
	COUNTER_OUT_OF_SEQUENCE,
	COUNTER_RDMA_DISCARDS,
	COUNTER_RDMA_RX_PACKETS,
	COUNTER_RDMA_TX_PACKETS,
	COUNTER_MAX,
};

enum counter_of { COUNTER_OF_PRIORITY, COUNTER_OF_PORT, COUNTER_OF_RDMA };

struct counter_info {
	const char *name; /* "rx_pause" */
	const char *unit; /* "frames" */
	enum counter_of of;
};

extern const struct counter_info counter_table[COUNTER_MAX];

/* Where a value comes from; two of different sources have no difference. */
enum counter_source {
	COUNTER_UNKNOWN,
	COUNTER_FROM_DRIVER, /* ethtool's private statistics */
	COUNTER_FROM_DCB, /* requests and indications of the PFC object */
	COUNTER_FROM_RDMA, /* hw_counters */
};

/* One reading; what is not of a priority stands at 0. */
struct counters {
	int64_t at_ms;
	uint64_t value[COUNTER_MAX][PRIORITIES];
	uint8_t source[COUNTER_MAX][PRIORITIES]; /* enum counter_source */
	bool has_pfc; /* DCB was read */
	uint8_t lossless; /* priorities with PFC now, bit n is n */
	int error; /* why the driver's statistics could not be read, negative; 0: they were */
};

/* A port and its two readings. */
struct port_counters {
	struct nic nic;
	struct counters before;
	struct counters after;
	int result; /* negative: it could not be read at all, gone for instance */
};

/*
 * What grew between the two readings. False if that is not known: not counted by this driver,
 * counted by something else the first time, or begun anew in between.
 */
bool counter_growth(const struct port_counters *port, enum counter counter, unsigned int priority,
		    uint64_t *ret);

/* The same in a second. */
bool counter_rate(const struct port_counters *port, enum counter counter, unsigned int priority,
		  double *ret);

/*
 * Add what another port of the same RDMA device counted, such as the other slave of a bond: packets
 * went by any of them. A priority is lossless if it is on each.
 */
void counters_add(struct counters *counters, const struct counters *more);

/* How many values this counter has: one, or one for each priority. */
unsigned int counter_width(enum counter counter);

enum { COUNTER_WARNINGS_MAX = 32 };

struct counter_warning {
	char text[192];
};

/*
 * What the rates say is wrong: RDMA-size traffic on priority 0 while the lossless ones are silent
 * (N01), pause with its direction (N12), discards in a lossless priority. Returns how many of @ret
 * are filled.
 */
size_t counters_judge(const struct port_counters *port,
		      struct counter_warning ret[COUNTER_WARNINGS_MAX]);
