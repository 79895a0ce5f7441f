// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * What traffic proves. A priority is where the packets were if it alone counted as many as were
 * sent: then other traffic may be there, but ours can be nowhere else. Pure.
 */
#include "lib/model/traffic.h"

#include <assert.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "lib/base/macro.h"

enum { ECN_MASK = 3, ECN_CE = 3, IP_WORDS = 5 };

static const char *const verdict_names[] = {
	[TRAFFIC_PROVEN] = "proven",
	[TRAFFIC_NOT_PROVEN] = "not proven",
	[TRAFFIC_CANNOT_TELL] = "cannot tell",
	[TRAFFIC_FAILED] = "failed",
};
static_assert(ARRAY_SIZE(verdict_names) == TRAFFIC_VERDICT_MAX, "a name for each");

const char *traffic_verdict_name(enum traffic_verdict verdict)
{
	return verdict_names[verdict];
}

/* ---- the header of a datagram ---- */

/* The sum of a header with a right checksum in it is all ones (RFC 1071). */
static bool checksum_is_right(const uint8_t *header)
{
	uint32_t sum = 0;

	for (size_t i = 0; i < IP_WORDS * 4; i += 2)
		sum += (uint32_t)header[i] << 8 | header[i + 1];
	while (sum >> 16)
		sum = (sum & 0xffff) + (sum >> 16);
	return sum == 0xffff;
}

int traffic_grh_tos(const uint8_t grh[GRH_SIZE])
{
	const uint8_t *v4 = grh + GRH_SIZE - IP_WORDS * 4;

	/* RoCE v2 has no IP options */
	if (v4[0] == (4 << 4 | IP_WORDS) && checksum_is_right(v4))
		return v4[1];
	if (grh[0] >> 4 == 6)
		return (grh[0] & 0xf) << 4 | grh[1] >> 4;
	return TRAFFIC_UNKNOWN;
}

/* ---- counters ---- */

/* Where at least @packets were counted; TRAFFIC_UNKNOWN without counters of any priority. */
static int priority_of(const struct port_counters *port, enum counter counter, uint64_t packets)
{
	int found = TRAFFIC_UNKNOWN;
	uint64_t grown;

	for (unsigned int i = 0; i < PRIORITIES; i++) {
		if (!counter_growth(port, counter, i, &grown))
			continue;
		if (grown < packets)
			found = found == TRAFFIC_UNKNOWN ? TRAFFIC_NONE : found;
		else
			found = found >= 0 || found == TRAFFIC_SEVERAL ? TRAFFIC_SEVERAL : (int)i;
	}
	return found;
}

static bool sum_growth(const struct port_counters *port, const enum counter *counters, size_t n,
		       uint64_t *ret)
{
	uint64_t sum = 0, grown;
	bool any = false;

	for (size_t i = 0; i < n; i++) {
		for (unsigned int k = 0; k < counter_width(counters[i]); k++) {
			if (!counter_growth(port, counters[i], k, &grown))
				continue;
			any = true;
			sum += grown;
		}
	}
	*ret = sum;
	return any;
}

bool traffic_pause(const struct port_counters *port, uint64_t *ret)
{
	static const enum counter counters[] = { COUNTER_RX_PAUSE, COUNTER_TX_PAUSE,
						 COUNTER_RX_GLOBAL_PAUSE, COUNTER_TX_GLOBAL_PAUSE };

	return sum_growth(port, counters, ARRAY_SIZE(counters), ret);
}

bool traffic_ecn(const struct port_counters *port, uint64_t *ret)
{
	static const enum counter counters[] = { COUNTER_ECN_MARKED, COUNTER_CNP_SENT,
						 COUNTER_CNP_HANDLED };

	return sum_growth(port, counters, ARRAY_SIZE(counters), ret);
}

/* ---- the verdict ---- */

/* Says it, and is true: the verdict stands. */
static bool conclude(struct traffic *traffic, enum traffic_verdict verdict, const char *format, ...)
	_printf_(3, 4);
static bool conclude(struct traffic *traffic, enum traffic_verdict verdict, const char *format, ...)
{
	va_list arguments;

	traffic->verdict = verdict;
	va_start(arguments, format);
	(void)vsnprintf(traffic->reason, sizeof(traffic->reason), format, arguments);
	va_end(arguments);
	return true;
}

/* A packet that was marked on its way is as it should be. */
static bool tos_fits(int want, int have)
{
	if (have >> 2 != want >> 2)
		return false;
	return have == want || ((want & ECN_MASK) && (have & ECN_MASK) == ECN_CE);
}

/* What arrived is what counts; what was sent tells where it went wrong. */
static bool tos_is_wrong(struct traffic *traffic)
{
	int sent = traffic->tos_sent, received = traffic->tos_received;
	int want = traffic->want_tos != TRAFFIC_UNKNOWN ? traffic->want_tos : sent;

	if (want == TRAFFIC_UNKNOWN)
		return conclude(traffic, TRAFFIC_CANNOT_TELL, "the ToS sent is not known");
	if (received != TRAFFIC_UNKNOWN && !tos_fits(want, received) && sent == want)
		return conclude(traffic, TRAFFIC_NOT_PROVEN,
				"sent with ToS 0x%02x, arrived with 0x%02x: somebody changed it on "
				"the way",
				(unsigned int)sent, (unsigned int)received);
	if (received != TRAFFIC_UNKNOWN && !tos_fits(want, received))
		return conclude(traffic, TRAFFIC_NOT_PROVEN,
				"arrived with ToS 0x%02x, not 0x%02x: see losslessctl status",
				(unsigned int)received, (unsigned int)want);
	if (received == TRAFFIC_UNKNOWN && sent != want)
		return conclude(traffic, TRAFFIC_NOT_PROVEN,
				"sent with ToS 0x%02x, not 0x%02x: see losslessctl status",
				(unsigned int)sent, (unsigned int)want);
	return false;
}

/* Of one end: "sim0", for messages. */
static const char *end_name(const struct port_counters *port)
{
	return *port->nic.name ? port->nic.name : port->nic.rdma;
}

static bool is_uncounted(struct traffic *traffic, const struct port_counters *port, int priority)
{
	if (port->result < 0)
		return conclude(traffic, TRAFFIC_CANNOT_TELL, "the counters of %s cannot be read",
				end_name(port));
	if (priority == TRAFFIC_UNKNOWN)
		return conclude(traffic, TRAFFIC_CANNOT_TELL,
				"%s of %s has no packet counters of priorities",
				*port->nic.driver ? port->nic.driver : "the driver",
				end_name(port));
	if (priority == TRAFFIC_NONE)
		return conclude(traffic, TRAFFIC_NOT_PROVEN,
				"no priority of %s counted %llu packets%s", end_name(port),
				(unsigned long long)traffic->packets,
				*traffic->to_node ? "" :
						    ": the kernel may have looped them inside this "
						    "node, see losslessctl(1)");
	if (priority == TRAFFIC_SEVERAL)
		return conclude(traffic, TRAFFIC_CANNOT_TELL,
				"several priorities of %s counted as many packets as were sent: "
				"take more --messages, or a time with less traffic",
				end_name(port));
	return false;
}

/* An end that counted nowhere in particular is told after one that surely counted wrong. */
static bool priority_is_wrong(struct traffic *traffic)
{
	int want = traffic->want_priority;
	int sent = traffic->priority_sent, received = traffic->priority_received;

	if (want < 0)
		return false;
	if (received >= 0 && received != want)
		return conclude(traffic, TRAFFIC_NOT_PROVEN, "arrived on priority %d, not %d%s",
				received, want, sent == received ? ", and left on it" : "");
	if (sent >= 0 && sent != want)
		return conclude(traffic, TRAFFIC_NOT_PROVEN, "left on priority %d, not %d", sent,
				want);
	return false;
}

static bool is_lossy(struct traffic *traffic, const struct port_counters *port, int priority)
{
	if (traffic->want_lossy || (port->after.lossless & 1U << priority))
		return false;
	if (!port->after.has_pfc)
		return conclude(traffic, TRAFFIC_CANNOT_TELL, "whether %s has PFC is not known",
				end_name(port));
	return conclude(traffic, TRAFFIC_NOT_PROVEN, "priority %d has no PFC on %s", priority,
			end_name(port));
}

void traffic_judge(struct traffic *traffic)
{
	traffic->priority_sent = priority_of(&traffic->from, COUNTER_TX_PACKETS, traffic->packets);
	traffic->priority_received =
		priority_of(&traffic->to, COUNTER_RX_PACKETS, traffic->packets);
	if (*traffic->trouble) {
		traffic->priority_sent = traffic->priority_received = TRAFFIC_UNKNOWN;
		(void)conclude(traffic, TRAFFIC_FAILED, "%s", traffic->trouble);
		return;
	}
	if (tos_is_wrong(traffic) || priority_is_wrong(traffic) ||
	    is_uncounted(traffic, &traffic->from, traffic->priority_sent) ||
	    is_uncounted(traffic, &traffic->to, traffic->priority_received))
		return;
	if (traffic->priority_sent != traffic->priority_received) {
		(void)conclude(traffic, TRAFFIC_NOT_PROVEN,
			       "left on priority %d, arrived on priority %d",
			       traffic->priority_sent, traffic->priority_received);
		return;
	}
	if (is_lossy(traffic, &traffic->from, traffic->priority_sent) ||
	    is_lossy(traffic, &traffic->to, traffic->priority_received))
		return;
	if (traffic->tos_received == TRAFFIC_UNKNOWN) {
		(void)conclude(traffic, TRAFFIC_CANNOT_TELL,
			       "priority %d on both ends, but no datagram came that shows the ToS",
			       traffic->priority_received);
		return;
	}
	(void)conclude(traffic, TRAFFIC_PROVEN, "ToS 0x%02x, priority %d on both ends",
		       (unsigned int)traffic->tos_received, traffic->priority_received);
}
