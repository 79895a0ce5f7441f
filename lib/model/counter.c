// SPDX-License-Identifier: LGPL-2.1-or-later
/* Names of counters, their growth, and what it says; where they are read is lib/nic/counters.c. */
#include "lib/model/counter.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>

#include "lib/base/cleanup.h"

/*
 * A tenth of what a port of 10 Gbit/s carries: management and storage stay below it on a port for
 * RDMA, a collective does not.
 */
static const double rdma_size_bytes = 125e6;

const struct counter_info counter_table[] = {
	[COUNTER_RX_BYTES] = { "rx_bytes", "bytes", COUNTER_OF_PRIORITY },
	[COUNTER_TX_BYTES] = { "tx_bytes", "bytes", COUNTER_OF_PRIORITY },
	[COUNTER_RX_PACKETS] = { "rx_packets", "packets", COUNTER_OF_PRIORITY },
	[COUNTER_TX_PACKETS] = { "tx_packets", "packets", COUNTER_OF_PRIORITY },
	[COUNTER_RX_PAUSE] = { "rx_pause", "frames", COUNTER_OF_PRIORITY },
	[COUNTER_TX_PAUSE] = { "tx_pause", "frames", COUNTER_OF_PRIORITY },
	[COUNTER_RX_PAUSE_US] = { "rx_pause_time", "us", COUNTER_OF_PRIORITY },
	[COUNTER_TX_PAUSE_US] = { "tx_pause_time", "us", COUNTER_OF_PRIORITY },
	[COUNTER_RX_DISCARDS] = { "rx_discards", "packets", COUNTER_OF_PRIORITY },
	[COUNTER_RX_MARKED] = { "rx_ecn_marked", "packets", COUNTER_OF_PRIORITY },
	[COUNTER_RX_GLOBAL_PAUSE] = { "rx_global_pause", "frames", COUNTER_OF_PORT },
	[COUNTER_TX_GLOBAL_PAUSE] = { "tx_global_pause", "frames", COUNTER_OF_PORT },
	[COUNTER_DROPPED] = { "rx_dropped", "packets", COUNTER_OF_PORT },
	[COUNTER_TX_PAUSE_STORMS] = { "tx_pause_storms", "events", COUNTER_OF_PORT },
	[COUNTER_CNP_SENT] = { "cnp_sent", "packets", COUNTER_OF_RDMA },
	[COUNTER_CNP_HANDLED] = { "cnp_handled", "packets", COUNTER_OF_RDMA },
	[COUNTER_CNP_IGNORED] = { "cnp_ignored", "packets", COUNTER_OF_RDMA },
	[COUNTER_ECN_MARKED] = { "ecn_marked", "packets", COUNTER_OF_RDMA },
	[COUNTER_OUT_OF_SEQUENCE] = { "out_of_sequence", "packets", COUNTER_OF_RDMA },
	[COUNTER_RDMA_DISCARDS] = { "rdma_discards", "packets", COUNTER_OF_RDMA },
	[COUNTER_RDMA_RX_PACKETS] = { "rdma_rx_packets", "packets", COUNTER_OF_RDMA },
	[COUNTER_RDMA_TX_PACKETS] = { "rdma_tx_packets", "packets", COUNTER_OF_RDMA },
};
static_assert(sizeof(counter_table) / sizeof(counter_table[0]) == COUNTER_MAX,
	      "a row for each counter");

unsigned int counter_width(enum counter counter)
{
	return counter_table[counter].of == COUNTER_OF_PRIORITY ? PRIORITIES : 1;
}

/* What one of them does not count leaves the sum unknown. */
static void add_value(struct counters *counters, const struct counters *more, enum counter counter,
		      unsigned int i)
{
	if (more->source[counter][i] != counters->source[counter][i])
		counters->source[counter][i] = COUNTER_UNKNOWN;
	counters->value[counter][i] += more->value[counter][i];
}

void counters_add(struct counters *counters, const struct counters *more)
{
	for (enum counter counter = 0; counter < COUNTER_MAX; counter++)
		for (unsigned int i = 0; i < counter_width(counter); i++)
			if (counter_table[counter].of != COUNTER_OF_RDMA)
				add_value(counters, more, counter, i);
	counters->has_pfc &= more->has_pfc;
	counters->lossless &= more->lossless;
	counters->error = counters->error ?: more->error;
}

bool counter_growth(const struct port_counters *port, enum counter counter, unsigned int priority,
		    uint64_t *ret)
{
	const struct counters *before = &port->before, *after = &port->after;

	if (port->result < 0 || after->source[counter][priority] == COUNTER_UNKNOWN ||
	    after->source[counter][priority] != before->source[counter][priority] ||
	    after->value[counter][priority] < before->value[counter][priority])
		return false;
	*ret = after->value[counter][priority] - before->value[counter][priority];
	return true;
}

bool counter_rate(const struct port_counters *port, enum counter counter, unsigned int priority,
		  double *ret)
{
	int64_t elapsed_ms = port->after.at_ms - port->before.at_ms;
	uint64_t grown;

	if (elapsed_ms <= 0 || !counter_growth(port, counter, priority, &grown))
		return false;
	*ret = (double)grown * 1000.0 / (double)elapsed_ms;
	return true;
}

/* 0 where it is not known. */
static double rate(const struct port_counters *port, enum counter counter, unsigned int priority)
{
	double ret;

	return counter_rate(port, counter, priority, &ret) ? ret : 0;
}

/* ---- what they say ---- */

struct judge {
	const struct port_counters *port;
	struct counter_warning *list;
	size_t n;
};

static void warn(struct judge *judge, const char *format, ...) _printf_(2, 3);

static void warn(struct judge *judge, const char *format, ...)
{
	va_list args;

	if (judge->n == COUNTER_WARNINGS_MAX)
		return;
	va_start(args, format);
	(void)vsnprintf(judge->list[judge->n].text, sizeof(judge->list[judge->n].text), format,
			args);
	va_end(args);
	judge->n++;
}

/* True if every lossless priority is counted in this direction, and stands still. */
static bool lossless_is_silent(const struct port_counters *port, enum counter counter)
{
	for (unsigned int i = 0; i < PRIORITIES; i++) {
		double bytes;

		if (!(port->after.lossless & 1U << i))
			continue;
		if (!counter_rate(port, counter, i, &bytes) || bytes > 0)
			return false;
	}
	return true;
}

/* Without PFC there is no lossless priority: then all but 0 have to be silent. */
static bool others_are_silent(const struct port_counters *port, enum counter counter)
{
	for (unsigned int i = 1; i < PRIORITIES; i++)
		if (rate(port, counter, i) > 0)
			return false;
	return true;
}

static void judge_traffic(struct judge *judge, enum counter counter, const char *direction)
{
	const struct port_counters *port = judge->port;
	double bytes = rate(port, counter, 0);

	if (bytes < rdma_size_bytes || port->after.lossless & 1)
		return;
	if (port->after.lossless && lossless_is_silent(port, counter))
		warn(judge,
		     "%s %.1f Gbit/s on priority 0, nothing on the lossless one: is RDMA marked "
		     "with the DSCP, and trusted? see losslessctl status, and NCCL_IB_TC",
		     direction, bytes * 8 / 1e9);
	else if (port->after.has_pfc && !port->after.lossless && others_are_silent(port, counter))
		warn(judge,
		     "%s %.1f Gbit/s on priority 0, and no priority is lossless: if that is RDMA, "
		     "see losslessctl status",
		     direction, bytes * 8 / 1e9);
}

static void judge_pause(struct judge *judge)
{
	const struct port_counters *port = judge->port;

	if (rate(port, COUNTER_RX_GLOBAL_PAUSE, 0) > 0)
		warn(judge, "received pause frames: peer is throttling, all priorities stop "
			    "(global pause)");
	if (rate(port, COUNTER_TX_GLOBAL_PAUSE, 0) > 0)
		warn(judge, "sent pause frames: this node receives too slowly, all priorities of "
			    "the peer stop (global pause)");
	for (unsigned int i = 0; i < PRIORITIES; i++) {
		if (rate(port, COUNTER_RX_PAUSE, i) > 0)
			warn(judge, "received pause frames: peer is throttling priority %u", i);
		if (rate(port, COUNTER_TX_PAUSE, i) > 0)
			warn(judge,
			     "sent pause frames of priority %u: this node receives too slowly", i);
	}
	if (rate(port, COUNTER_TX_PAUSE_STORMS, 0) > 0)
		warn(judge, "a pause storm: this node stopped its peer for so long that the "
			    "watchdog spoke");
}

static void judge_discards(struct judge *judge)
{
	const struct port_counters *port = judge->port;

	for (unsigned int i = 0; i < PRIORITIES; i++)
		if (port->after.lossless & 1U << i && rate(port, COUNTER_RX_DISCARDS, i) > 0)
			warn(judge, "packets of lossless priority %u are discarded%s", i,
			     rate(port, COUNTER_TX_PAUSE, i) > 0 ?
				     ": the peer does not stop in time (headroom, cable length)" :
				     " and no pause is sent");
}

size_t counters_judge(const struct port_counters *port,
		      struct counter_warning ret[COUNTER_WARNINGS_MAX])
{
	struct judge judge = { .port = port, .list = ret };

	judge_traffic(&judge, COUNTER_RX_BYTES, "receives");
	judge_traffic(&judge, COUNTER_TX_BYTES, "sends");
	judge_pause(&judge);
	judge_discards(&judge);
	return judge.n;
}
