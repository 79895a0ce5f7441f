// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * What traffic proves: headers of datagrams after RFC 791 and RFC 8200, counters of both ends, and
 * what a hostile end can say.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "lib/base/macro.h"
#include "lib/model/traffic-wire.h"
#include "lib/report/report.h"
#include "tests/support/cases.h"

/* ---- the header of a datagram ---- */

/* 10.9.0.1 to 10.9.0.2, UDP, 60 bytes, DF, TTL 64; checksums by hand (RFC 1071) */
#define V4(tos, sum_high, sum_low)                                                             \
	0x45, tos, 0x00, 0x3c, 0x12, 0x34, 0x40, 0x00, 0x40, 0x11, sum_high, sum_low, 10, 9, 0, 1, \
		10, 9, 0, 2
#define ZEROS 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0

static const struct {
	const char *name;
	uint8_t grh[GRH_SIZE];
	int tos;
} headers[] = {
	{ "IPv4, 0x6a", { ZEROS, V4(0x6a, 0x13, 0xff) }, 0x6a },
	{ "IPv4, ToS 0", { ZEROS, V4(0x00, 0x14, 0x69) }, 0 },
	{ "IPv4 behind garbage that looks like IPv6",
	  { 0x6f, 0xff, 0xff, 0xff, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16,
	    V4(0x6a, 0x13, 0xff) },
	  0x6a },
	{ "IPv6, class 0x6a", { 0x66, 0xa0, 0x00, 0x00, 0x00, 0x40, 17, 64 }, 0x6a },
	{ "IPv6 with a flow label", { 0x66, 0xa1, 0x23, 0x45, 0x00, 0x40, 17, 64 }, 0x6a },
	{ "IPv6, an address that begins as IPv4 does",
	  { 0x66, 0xa0, 0x00, 0x00, 0x00, 0x40, 17, 64, 0xfd, [20] = 0x45, 0x10 },
	  0x6a },
	{ "a wrong checksum is no IPv4", { ZEROS, V4(0x6a, 0x13, 0xfe) }, TRAFFIC_UNKNOWN },
	{ "nothing was written", { 0 }, TRAFFIC_UNKNOWN },
	{ "another version", { 0x50 }, TRAFFIC_UNKNOWN },
};

static void test_headers(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(headers); i++)
		case_equal(headers[i].name, traffic_grh_tos(headers[i].grh), headers[i].tos);
}

/* ---- the verdict ---- */

enum { PACKETS = 1000, NOT_COUNTED = -1 };

/* Growth of packets at an end: how much on priority 0 and on 3; NOT_COUNTED: no counters. */
struct grown {
	int on_0;
	int on_3;
};

static const struct {
	const char *name;
	struct grown sent, received;
	int tos_sent, tos_received, want_tos, want_priority;
	uint8_t pfc_from, pfc_to;
	enum traffic_verdict verdict;
	const char *reason;
} verdicts[] = {
	{ "all is well", { 0, 1000 }, { 0, 1000 }, 0x6a, 0x6a, 0x6a, 3, 8, 8, TRAFFIC_PROVEN,
	  "ToS 0x6a, priority 3 on both ends" },
	{ "less than that of others elsewhere", { 999, 1040 }, { 999, 1000 }, 0x6a, 0x6a, 0x6a, 3,
	  8, 8, TRAFFIC_PROVEN, "ToS 0x6a, priority 3 on both ends" },
	{ "no file: a lossless priority", { 0, 1000 }, { 0, 1000 }, 0x6a, 0x6a, -1, -1, 8, 8,
	  TRAFFIC_PROVEN, "ToS 0x6a, priority 3 on both ends" },
	{ "marked on the way", { 0, 1000 }, { 0, 1000 }, 0x6a, 0x6b, 0x6a, 3, 8, 8, TRAFFIC_PROVEN,
	  "ToS 0x6b, priority 3 on both ends" },
	{ "the receiver's map is gone", { 0, 1000 }, { 1000, 0 }, 0x6a, 0x6a, 0x6a, 3, 8, 8,
	  TRAFFIC_NOT_PROVEN, "arrived on priority 0, not 3" },
	{ "both maps are gone", { 1000, 0 }, { 1000, 0 }, 0x6a, 0x6a, 0x6a, 3, 8, 8,
	  TRAFFIC_NOT_PROVEN, "arrived on priority 0, not 3, and left on it" },
	{ "the sender's map is gone", { 1000, 0 }, { 0, 1000 }, 0x6a, 0x6a, 0x6a, 3, 8, 8,
	  TRAFFIC_NOT_PROVEN, "left on priority 0, not 3" },
	{ "no file, different maps", { 1000, 0 }, { 0, 1000 }, 0x6a, 0x6a, -1, -1, 8, 8,
	  TRAFFIC_NOT_PROVEN, "left on priority 0, arrived on priority 3" },
	{ "no file, a lossy priority", { 1000, 0 }, { 1000, 0 }, 0, 0, -1, -1, 8, 8,
	  TRAFFIC_NOT_PROVEN, "priority 0 has no PFC on sim0" },
	{ "no PFC at the receiver", { 0, 1000 }, { 0, 1000 }, 0x6a, 0x6a, 0x6a, 3, 8, 0,
	  TRAFFIC_NOT_PROVEN, "priority 3 has no PFC on sim1" },
	{ "configfs has 0", { 1000, 0 }, { 1000, 0 }, 0, 0, 0x6a, 3, 8, 8, TRAFFIC_NOT_PROVEN,
	  "arrived with ToS 0x00, not 0x6a: see losslessctl status" },
	{ "a switch clears DSCP", { 0, 1000 }, { 1000, 0 }, 0x6a, 0x02, 0x6a, 3, 8, 8,
	  TRAFFIC_NOT_PROVEN,
	  "sent with ToS 0x6a, arrived with 0x02: somebody changed it on the way" },
	{ "ECN bits are gone", { 0, 1000 }, { 0, 1000 }, 0x68, 0x68, 0x6a, 3, 8, 8,
	  TRAFFIC_NOT_PROVEN, "arrived with ToS 0x68, not 0x6a: see losslessctl status" },
	{ "marked, though no ECN was sent", { 0, 1000 }, { 0, 1000 }, 0x68, 0x6b, 0x68, 3, 8, 8,
	  TRAFFIC_NOT_PROVEN,
	  "sent with ToS 0x68, arrived with 0x6b: somebody changed it on the way" },
	{ "something forces the right class", { 0, 1000 }, { 0, 1000 }, 0, 0x6a, 0x6a, 3, 8, 8,
	  TRAFFIC_PROVEN, "ToS 0x6a, priority 3 on both ends" },
	{ "no datagram came", { 0, 1000 }, { 0, 1000 }, 0x6a, -1, 0x6a, 3, 8, 8,
	  TRAFFIC_CANNOT_TELL,
	  "priority 3 on both ends, but no datagram came that shows the ToS" },
	{ "no datagram, the wrong class", { 0, 1000 }, { 0, 1000 }, 0, -1, 0x6a, 3, 8, 8,
	  TRAFFIC_NOT_PROVEN, "sent with ToS 0x00, not 0x6a: see losslessctl status" },
	{ "the driver counts nothing", { 0, 1000 }, { NOT_COUNTED, NOT_COUNTED }, 0x6a, 0x6a, 0x6a,
	  3, 8, 8, TRAFFIC_CANNOT_TELL, "ice of sim1 has no packet counters of priorities" },
	{ "the wrong one at one end is told first", { NOT_COUNTED, NOT_COUNTED }, { 1000, 0 }, 0x6a,
	  0x6a, 0x6a, 3, 8, 8, TRAFFIC_NOT_PROVEN, "arrived on priority 0, not 3" },
	{ "others are as loud", { 0, 1000 }, { 1000, 1000 }, 0x6a, 0x6a, 0x6a, 3, 8, 8,
	  TRAFFIC_CANNOT_TELL,
	  "several priorities of sim1 counted as many packets as were sent: take more --messages, "
	  "or a time with less traffic" },
	{ "one packet is missing", { 0, 999 }, { 0, 1000 }, 0x6a, 0x6a, 0x6a, 3, 8, 8,
	  TRAFFIC_NOT_PROVEN,
	  "no priority of sim0 counted 1000 packets: the kernel may have looped them inside this "
	  "node, see losslessctl(1)" },
};

static struct port_counters end(const char *name, enum counter counter, struct grown grown,
				uint8_t pfc)
{
	struct port_counters port = { .after = { .has_pfc = true, .lossless = pfc } };

	(void)snprintf(port.nic.name, sizeof(port.nic.name), "%s", name);
	(void)snprintf(port.nic.driver, sizeof(port.nic.driver), "ice");
	for (unsigned int i = 0; i < PRIORITIES && grown.on_0 != NOT_COUNTED; i++) {
		port.before.source[counter][i] = port.after.source[counter][i] =
			COUNTER_FROM_DRIVER;
		port.before.value[counter][i] = port.after.value[counter][i] = 5000 + i;
	}
	port.after.value[counter][0] += grown.on_0 > 0 ? (uint64_t)grown.on_0 : 0;
	port.after.value[counter][3] += grown.on_3 > 0 ? (uint64_t)grown.on_3 : 0;
	return port;
}

static void test_verdicts(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(verdicts); i++) {
		struct traffic traffic = {
			.from = end("sim0", COUNTER_TX_PACKETS, verdicts[i].sent,
				    verdicts[i].pfc_from),
			.to = end("sim1", COUNTER_RX_PACKETS, verdicts[i].received,
				  verdicts[i].pfc_to),
			.packets = PACKETS,
			.tos_sent = verdicts[i].tos_sent,
			.tos_received = verdicts[i].tos_received,
			.want_tos = verdicts[i].want_tos,
			.want_priority = verdicts[i].want_priority,
		};

		traffic_judge(&traffic);
		case_string(verdicts[i].name, traffic_verdict_name(traffic.verdict),
			    traffic_verdict_name(verdicts[i].verdict));
		case_string(verdicts[i].name, traffic.reason, verdicts[i].reason);
	}
}

/* Where no traffic was, counters that happen to fit prove nothing. */
static void test_trouble(void **state)
{
	struct traffic traffic = {
		.from = end("sim0", COUNTER_TX_PACKETS, (struct grown){ 0, PACKETS }, 8),
		.to = end("sim1", COUNTER_RX_PACKETS, (struct grown){ 0, PACKETS }, 8),
		.packets = PACKETS,
		.tos_sent = 0x6a,
		.tos_received = 0x6a,
		.want_tos = 0x6a,
		.want_priority = 3,
		.trouble = "nobody listens",
	};

	traffic_judge(&traffic);
	assert_int_equal(traffic.verdict, TRAFFIC_FAILED);
	assert_string_equal(traffic.reason, "nobody listens");
	assert_int_equal(traffic.priority_sent, TRAFFIC_UNKNOWN);
	assert_int_equal(traffic.priority_received, TRAFFIC_UNKNOWN);
}

static void test_sums(void **state)
{
	struct port_counters port = {};
	uint64_t sum;

	assert_false(traffic_pause(&port, &sum));
	assert_false(traffic_ecn(&port, &sum));
	port.before.source[COUNTER_RX_PAUSE][3] = port.after.source[COUNTER_RX_PAUSE][3] =
		COUNTER_FROM_DRIVER;
	port.before.source[COUNTER_TX_GLOBAL_PAUSE][0] =
		port.after.source[COUNTER_TX_GLOBAL_PAUSE][0] = COUNTER_FROM_DRIVER;
	port.before.value[COUNTER_RX_PAUSE][3] = 7;
	port.after.value[COUNTER_RX_PAUSE][3] = 10;
	port.after.value[COUNTER_TX_GLOBAL_PAUSE][0] = 2;
	assert_true(traffic_pause(&port, &sum));
	assert_int_equal(sum, 5);
	assert_false(traffic_ecn(&port, &sum));
	port.before.source[COUNTER_CNP_SENT][0] = port.after.source[COUNTER_CNP_SENT][0] =
		COUNTER_FROM_RDMA;
	port.after.value[COUNTER_CNP_SENT][0] = 4;
	assert_true(traffic_ecn(&port, &sum));
	assert_int_equal(sum, 4);
}

/* A bond of two: packets went by either slave, and PFC has to be on both. */
static void test_bond(void **state)
{
	const struct grown six = { 0, 600 }, four = { 0, 400 };
	struct port_counters sum = end("bond0", COUNTER_TX_PACKETS, six, 0x0c),
			     more = end("slave", COUNTER_TX_PACKETS, four, 0x08),
			     none = end("none", COUNTER_RX_PACKETS, four, 0x08);
	uint64_t grown;

	sum.before.source[COUNTER_CNP_SENT][0] = more.before.source[COUNTER_CNP_SENT][0] =
		COUNTER_FROM_RDMA;
	sum.before.value[COUNTER_CNP_SENT][0] = more.before.value[COUNTER_CNP_SENT][0] = 7;
	counters_add(&sum.before, &more.before);
	counters_add(&sum.after, &more.after);
	assert_true(counter_growth(&sum, COUNTER_TX_PACKETS, 3, &grown));
	assert_int_equal(grown, 1000);
	assert_true(counter_growth(&sum, COUNTER_TX_PACKETS, 0, &grown));
	assert_int_equal(grown, 0);
	assert_true(sum.after.has_pfc);
	assert_int_equal(sum.after.lossless, 0x08);
	/* of the RDMA device there is only one */
	assert_int_equal(sum.before.value[COUNTER_CNP_SENT][0], 7);

	counters_add(&sum.after, &none.after);
	assert_false(counter_growth(&sum, COUNTER_TX_PACKETS, 3, &grown));
	assert_false(counter_growth(&sum, COUNTER_RX_PACKETS, 3, &grown));
}

/* ---- what people see ---- */

static const char seen[] =
	"FROM       TO               TOS OUT  TOS IN  PRIO OUT  PRIO IN  PAUSE  ECN\n"
	"ens1f0np0  gpu-2/ens1f0np0  0x6a     0x6a    3         0        5      –\n"
	"ens1f1np1  10.9.0.2         –        –       –         –        –      –\n"
	"ens1f0np0 to gpu-2/ens1f0np0: not proven: arrived on priority 0, not 3\n"
	"ens1f1np1 to 10.9.0.2: failed: nobody listens\n";

static void test_text(void **state)
{
	const struct grown on_3 = { 0, PACKETS }, on_0 = { PACKETS, 0 };
	struct traffic ways[] = {
		{
			.from = end("ens1f0np0", COUNTER_TX_PACKETS, on_3, 8),
			.to = end("ens1f0np0", COUNTER_RX_PACKETS, on_0, 8),
			.to_node = "gpu-2",
			.packets = PACKETS,
			.tos_sent = 0x6a,
			.tos_received = 0x6a,
			.want_tos = 0x6a,
			.want_priority = 3,
		},
		{
			.from = end("ens1f1np1", COUNTER_TX_PACKETS, (struct grown){ 0, 0 }, 8),
			.to.nic.name = "10.9.0.2",
			.tos_sent = TRAFFIC_UNKNOWN,
			.tos_received = TRAFFIC_UNKNOWN,
			.trouble = "nobody listens",
		},
	};
	const struct report_style style = {};
	_cleanup_free_ char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	ways[0].from.before.source[COUNTER_RX_PAUSE][3] =
		ways[0].from.after.source[COUNTER_RX_PAUSE][3] = COUNTER_FROM_DRIVER;
	ways[0].from.after.value[COUNTER_RX_PAUSE][3] = 5;
	assert_non_null(out);
	for (size_t i = 0; i < ARRAY_SIZE(ways); i++)
		traffic_judge(&ways[i]);
	traffic_write_text(ways, ARRAY_SIZE(ways), &style, out);
	assert_int_equal(fclose(out), 0);
	assert_string_equal(text, seen);
}

/* ---- places ---- */

static const struct {
	const char *name;
	const char *line;
	bool good;
} lines[] = {
	{ "IPv4", "listening on sim1 (mlx5_1) 10.9.0.2 port 18516", true },
	{ "IPv6", "listening on ens1f0np0 (mlx5_bond_0) fd00::2 port 1", true },
	{ "anything", "Last login: Mon Nov 30", false },
	{ "no port", "listening on sim1 (mlx5_1) 10.9.0.2 port 0", false },
	{ "a port beyond 16 bits", "listening on sim1 (mlx5_1) 10.9.0.2 port 84052", false },
	{ "more behind it", "listening on sim1 (mlx5_1) 10.9.0.2 port 1;reboot", false },
	{ "no address", "listening on sim1 (mlx5_1) 10.9.0 port 1", false },
	{ "a control character", "listening on sim\x1b[1 (mlx5_1) 10.9.0.2 port 1", false },
	{ "two blanks", "listening on  sim1 (mlx5_1) 10.9.0.2 port 1", false },
	{ "a name that is too long",
	  "listening on aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa (m) "
	  "10.9.0.2 port 1",
	  false },
};

static void test_lines(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(lines); i++) {
		struct traffic_place place = {};
		char again[TRAFFIC_LINE_MAX];

		case_equal(lines[i].name, traffic_place_parse(lines[i].line, &place),
			   lines[i].good ? 0 : -EINVAL);
		if (!lines[i].good)
			continue;
		traffic_place_format(&place, again);
		case_string(lines[i].name, again, lines[i].line);
	}
}

static const struct {
	const char *name;
	const char *from;
	const char *places[3];
	int nearest; /* -1: none */
} nearest[] = {
	{ "the same network", "10.1.0.1", { "10.2.0.2", "10.1.0.2", "10.3.0.2" }, 1 },
	{ "the same rail of one network", "10.0.1.1", { "10.0.0.2", "10.0.1.2", "10.0.2.2" }, 1 },
	{ "the first of two that are as near", "10.1.0.1", { "10.2.0.2", "10.2.0.3" }, 0 },
	{ "IPv6", "fd00:1::1", { "fd00:2::2", "10.1.0.2", "fd00:1::2" }, 2 },
	{ "none of that family", "10.1.0.1", { "fd00:1::2" }, -1 },
	{ "none at all", "10.1.0.1", { NULL }, -1 },
};

static void test_nearest(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(nearest); i++) {
		struct traffic_place places[3] = {};
		const struct traffic_place *found;
		struct in6_addr from;
		size_t n = 0;

		case_equal(nearest[i].name, traffic_address_parse(nearest[i].from, &from), 0);
		for (; n < ARRAY_SIZE(places) && nearest[i].places[n]; n++)
			case_equal(nearest[i].name,
				   traffic_address_parse(nearest[i].places[n], &places[n].address),
				   0);
		found = traffic_nearest(&from, places, n);
		case_equal(nearest[i].name, found ? found - places : -1, nearest[i].nearest);
	}
}

/* ---- what the ends say to each other ---- */

static struct traffic a_report(void)
{
	struct traffic traffic = { .tos_received = 0x6a };
	struct port_counters *to = &traffic.to;

	(void)snprintf(traffic.to_node, sizeof(traffic.to_node), "gpu-2");
	(void)snprintf(to->nic.name, sizeof(to->nic.name), "ens1f0np0");
	(void)snprintf(to->nic.rdma, sizeof(to->nic.rdma), "mlx5_0");
	(void)snprintf(to->nic.driver, sizeof(to->nic.driver), "mlx5_core");
	to->after.has_pfc = true;
	to->after.lossless = 0x08;
	to->before.source[COUNTER_RX_PACKETS][3] = COUNTER_FROM_DRIVER;
	to->after.source[COUNTER_RX_PACKETS][3] = COUNTER_FROM_DRIVER;
	to->before.value[COUNTER_RX_PACKETS][3] = UINT64_C(0x0102030405060708);
	to->after.value[COUNTER_RX_PACKETS][3] = UINT64_MAX;
	return traffic;
}

static void test_report(void **state)
{
	struct traffic said = a_report(), heard = {}, unknown = { .tos_received = TRAFFIC_UNKNOWN };
	uint8_t data[TRAFFIC_REPORT_SIZE];

	traffic_report_encode(&said, data);
	assert_int_equal(traffic_report_decode(data, sizeof(data), &heard), 0);
	assert_string_equal(heard.to_node, "gpu-2");
	assert_string_equal(heard.to.nic.name, "ens1f0np0");
	assert_string_equal(heard.to.nic.rdma, "mlx5_0");
	assert_string_equal(heard.to.nic.driver, "mlx5_core");
	assert_int_equal(heard.tos_received, 0x6a);
	assert_true(heard.to.after.has_pfc);
	assert_int_equal(heard.to.after.lossless, 0x08);
	assert_memory_equal(heard.to.before.value, said.to.before.value,
			    sizeof(said.to.before.value));
	assert_memory_equal(heard.to.after.value, said.to.after.value,
			    sizeof(said.to.after.value));
	assert_memory_equal(heard.to.after.source, said.to.after.source,
			    sizeof(said.to.after.source));

	unknown.to.result = -ENODEV;
	traffic_report_encode(&unknown, data);
	assert_int_equal(traffic_report_decode(data, sizeof(data), &heard), 0);
	assert_int_equal(heard.tos_received, TRAFFIC_UNKNOWN);
	assert_true(heard.to.result < 0);
}

enum { AT_NODE = 4, AT_DRIVER = AT_NODE + 3 * NAME_MAX_BYTES, AT_FLAGS = AT_DRIVER + 64,
       AT_COUNT = AT_FLAGS + 4, AT_SOURCE = AT_COUNT + 4 };

static const struct {
	const char *name;
	size_t at;
	uint8_t byte;
} forged[] = {
	{ "another magic", 0, 0 },
	{ "another version", 3, 2 },
	{ "a control character in a name", AT_NODE, 0x1b },
	{ "a blank in a name", AT_NODE + 1, ' ' },
	{ "not ASCII", AT_NODE + 1, 0xe4 },
	{ "bytes behind the end of a name", AT_NODE + 20, 'x' },
	{ "a ToS that is known twice", AT_FLAGS, 2 },
	{ "a ToS that is not known", AT_FLAGS, 0 },
	{ "a flag that nobody has", AT_FLAGS + 2, 0x80 },
	{ "counters of another version", AT_COUNT + 3, 1 },
	{ "a source that nobody has", AT_SOURCE, 4 },
};

static void test_forged(void **state)
{
	struct traffic said = a_report(), untouched = {};
	uint8_t data[TRAFFIC_REPORT_SIZE];

	for (size_t i = 0; i < ARRAY_SIZE(forged); i++) {
		struct traffic heard = {};

		traffic_report_encode(&said, data);
		case_true(forged[i].name, data[forged[i].at] != forged[i].byte);
		data[forged[i].at] = forged[i].byte;
		case_equal(forged[i].name, traffic_report_decode(data, sizeof(data), &heard),
			   -EPROTO);
		case_true(forged[i].name, memcmp(&heard, &untouched, sizeof(heard)) == 0);
	}
	traffic_report_encode(&said, data);
	memset(data + AT_NODE, 'x', NAME_MAX_BYTES);
	assert_int_equal(traffic_report_decode(data, sizeof(data), &said), -EPROTO);
	traffic_report_encode(&said, data);
	assert_int_equal(traffic_report_decode(data, sizeof(data) - 1, &said), -EPROTO);
	assert_int_equal(traffic_report_decode(data, 0, &said), -EPROTO);
}

static void test_greetings(void **state)
{
	struct traffic_hello hello = { .token = UINT64_C(0x1122334455667788), .messages = 1000 };
	struct traffic_welcome welcome = { .address = UINT64_C(0x7f0012345000), .key = 0xabcd };
	uint8_t data[TRAFFIC_HELLO_SIZE + 40] = { 0 };

	traffic_hello_encode(&hello, data);
	assert_int_equal(traffic_hello_decode(data, sizeof(data), &hello), 0); /* padded */
	assert_true(hello.token == UINT64_C(0x1122334455667788));
	assert_int_equal(hello.messages, 1000);
	assert_int_equal(traffic_hello_decode(data, TRAFFIC_HELLO_SIZE - 1, &hello), -EPROTO);
	assert_int_equal(traffic_hello_decode(NULL, 0, &hello), -EPROTO);
	assert_int_equal(traffic_welcome_decode(data, sizeof(data), &welcome), -EPROTO);
	hello.messages = TRAFFIC_MESSAGES_MAX + 1;
	traffic_hello_encode(&hello, data);
	assert_int_equal(traffic_hello_decode(data, sizeof(data), &hello), -EPROTO);
	hello.messages = TRAFFIC_MESSAGES_MIN - 1;
	traffic_hello_encode(&hello, data);
	assert_int_equal(traffic_hello_decode(data, sizeof(data), &hello), -EPROTO);

	traffic_welcome_encode(&welcome, data);
	assert_int_equal(traffic_welcome_decode(data, sizeof(data), &welcome), 0);
	assert_true(welcome.address == UINT64_C(0x7f0012345000));
	assert_int_equal(welcome.key, 0xabcd);
	assert_int_equal(traffic_welcome_decode(NULL, 0, &welcome), -EPROTO);

	traffic_end_encode(data);
	assert_int_equal(traffic_end_decode(data, TRAFFIC_END_SIZE), 0);
	assert_int_equal(traffic_end_decode(data, TRAFFIC_END_SIZE + 1), -EPROTO);
	data[3] ^= 1;
	assert_int_equal(traffic_end_decode(data, TRAFFIC_END_SIZE), -EPROTO);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_headers),	 cmocka_unit_test(test_verdicts),
		cmocka_unit_test(test_trouble),	 cmocka_unit_test(test_sums),
		cmocka_unit_test(test_bond),	 cmocka_unit_test(test_text),
		cmocka_unit_test(test_lines),	 cmocka_unit_test(test_nearest),
		cmocka_unit_test(test_report),	 cmocka_unit_test(test_forged),
		cmocka_unit_test(test_greetings),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
