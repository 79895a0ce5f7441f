// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Counters of all drivers under one name, as growth; what is said of the inputs of field cases N01
 * and N12.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "lib/base/macro.h"
#include "lib/nic/counters.h"
#include "tests/support/cases.h"
#include "tests/support/nic-node.h"

static const struct fake_port drivers[] = {
	{ .name = "mlx", .rdma = "mlx5_0", .pci = "0000:17:00.0", .driver = "mlx5_core" },
	{ .name = "bnxt", .rdma = "bnxt_re0", .pci = "0000:18:00.0", .driver = "bnxt_en" },
	{ .name = "ice", .rdma = "irdma0", .pci = "0000:19:00.0", .driver = "ice" },
};

struct stat {
	const char *name;
	uint64_t first;
	uint64_t second;
};

enum { STATS = 4 };

/* Read twice, @seconds apart, with these values of the port's counters. */
static struct port_counters readings(struct nic_node *node, size_t index, const struct stat *stats,
				     unsigned int seconds)
{
	struct port_counters port = { .nic = node->inventory.list[index] };

	for (size_t i = 0; i < STATS && stats[i].name; i++)
		assert_int_equal(
			os_fake_poke_stat(node->os, port.nic.name, stats[i].name, stats[i].first),
			0);
	assert_int_equal(nic_counters_read(node->os, &port.nic, &port.before), 0);
	node->os->ops->sleep_ms(node->os, seconds * 1000);
	for (size_t i = 0; i < STATS && stats[i].name; i++)
		assert_int_equal(
			os_fake_poke_stat(node->os, port.nic.name, stats[i].name, stats[i].second),
			0);
	assert_int_equal(nic_counters_read(node->os, &port.nic, &port.after), 0);
	return port;
}

/* ---- names ---- */

static const struct {
	const char *name;
	size_t port; /* as in drivers[]: nic.md 3 says what each calls it */
	struct stat stat[STATS];
	enum counter counter;
	unsigned int priority;
	double rate;
} names[] = {
	{ "mlx5: traffic", 0, { { "rx_prio3_bytes", 100, 350 } }, COUNTER_RX_BYTES, 3, 25 },
	{ "mlx5: pause received", 0, { { "rx_prio3_pause", 0, 20 } }, COUNTER_RX_PAUSE, 3, 2 },
	{ "mlx5: pause sent", 0, { { "tx_prio3_pause", 5, 15 } }, COUNTER_TX_PAUSE, 3, 1 },
	{ "mlx5: time stopped",
	  0,
	  { { "rx_prio3_pause_duration", 0, 1000 } },
	  COUNTER_RX_PAUSE_US,
	  3,
	  100 },
	{ "mlx5: discards", 0, { { "rx_prio3_discards", 7, 17 } }, COUNTER_RX_DISCARDS, 3, 1 },
	{ "mlx5: marked", 0, { { "rx_prio3_marked", 0, 10 } }, COUNTER_RX_MARKED, 3, 1 },
	{ "mlx5: port", 0, { { "rx_discards_phy", 0, 10 } }, COUNTER_DROPPED, 0, 1 },
	{ "bnxt: traffic", 1, { { "tx_bytes_pri5", 0, 40 } }, COUNTER_TX_BYTES, 5, 4 },
	{ "bnxt: pause received",
	  1,
	  { { "rx_pfc_ena_frames_pri3", 0, 20 } },
	  COUNTER_RX_PAUSE,
	  3,
	  2 },
	{ "bnxt: time stopped",
	  1,
	  { { "pfc_pri3_tx_duration_us", 0, 20 } },
	  COUNTER_TX_PAUSE_US,
	  3,
	  2 },
	{ "bnxt: discards are of queues: the sum",
	  1,
	  { { "rx_discard_packets_cos0", 5, 15 }, { "rx_discard_packets_cos7", 0, 20 } },
	  COUNTER_DROPPED,
	  0,
	  3 },
	{ "ice: pause received",
	  2,
	  { { "rx_priority_3_xoff.nic", 0, 10 } },
	  COUNTER_RX_PAUSE,
	  3,
	  1 },
	{ "ice: pause sent", 2, { { "tx_priority_0_xoff.nic", 0, 10 } }, COUNTER_TX_PAUSE, 0, 1 },
	{ "ice: global pause",
	  2,
	  { { "link_xoff_rx.nic", 0, 10 } },
	  COUNTER_RX_GLOBAL_PAUSE,
	  0,
	  1 },
};

static void test_names(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		_cleanup_node_ struct nic_node *node = nic_node_new(drivers, ARRAY_SIZE(drivers));
		const char *name = names[i].name;
		struct port_counters port;
		double rate;

		assert_int_equal(os_fake_poke_pfc(node->os, "mlx", 0x08), 0);
		port = readings(node, names[i].port, names[i].stat, 10);
		case_true(name, counter_rate(&port, names[i].counter, names[i].priority, &rate));
		case_equal(name, rate * 1000, names[i].rate * 1000);
	}
}

/* hw_counters in sysfs: CNP and ECN of each driver, and soft-RoCE on any of them. */
static void test_rdma(void **state)
{
	static const struct {
		size_t port;
		const char *path;
		enum counter counter;
	} cases[] = {
		{ 0, "mlx5_0/ports/1/hw_counters/np_cnp_sent", COUNTER_CNP_SENT },
		{ 0, "mlx5_0/ports/1/hw_counters/rp_cnp_handled", COUNTER_CNP_HANDLED },
		{ 0, "mlx5_0/ports/1/hw_counters/np_ecn_marked_roce_packets", COUNTER_ECN_MARKED },
		{ 0, "mlx5_0/ports/1/hw_counters/out_of_sequence", COUNTER_OUT_OF_SEQUENCE },
		{ 0, "mlx5_0/ports/1/hw_counters/rcvd_pkts", COUNTER_RDMA_RX_PACKETS },
		{ 1, "bnxt_re0/ports/1/hw_counters/tx_cnp_pkts", COUNTER_CNP_SENT },
		{ 2, "irdma0/ports/1/hw_counters/cnpHandled", COUNTER_CNP_HANDLED },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		_cleanup_node_ struct nic_node *node = nic_node_new(drivers, ARRAY_SIZE(drivers));
		struct port_counters port = { .nic = node->inventory.list[cases[i].port] };
		char path[256];
		double rate;

		(void)snprintf(path, sizeof(path), "/sys/class/infiniband/%s", cases[i].path);
		assert_int_equal(os_fake_poke_file(node->os, path, "1000\n"), 0);
		assert_int_equal(nic_counters_read(node->os, &port.nic, &port.before), 0);
		node->os->ops->sleep_ms(node->os, 2000);
		assert_int_equal(os_fake_poke_file(node->os, path, "1500\n"), 0);
		assert_int_equal(nic_counters_read(node->os, &port.nic, &port.after), 0);
		case_true(cases[i].path, counter_rate(&port, cases[i].counter, 0, &rate));
		case_equal(cases[i].path, rate, 250);
	}
}

/* ---- growth ---- */

static void test_unknown(void **state)
{
	static const struct stat anew[STATS] = { { "rx_prio3_bytes", 1000, 10 } };
	static const struct stat none[STATS] = {};
	_cleanup_node_ struct nic_node *node = nic_node_new(drivers, ARRAY_SIZE(drivers));
	struct port_counters port = readings(node, 0, anew, 1);
	double rate;

	assert_false(counter_rate(&port, COUNTER_RX_BYTES, 3, &rate)); /* begun anew */
	port = readings(node, 2, none, 1);
	assert_false(counter_rate(&port, COUNTER_RX_BYTES, 3, &rate)); /* ice has none */
	assert_true(counter_rate(&port, COUNTER_RX_PAUSE, 3, &rate));
	port.after.at_ms = port.before.at_ms;
	assert_false(counter_rate(&port, COUNTER_RX_PAUSE, 3, &rate)); /* no time in between */
}

/* mlx5 counts pause only where PFC is on: what DCB said before is another counter. */
static void test_source(void **state)
{
	_cleanup_node_ struct nic_node *node = nic_node_new(drivers, ARRAY_SIZE(drivers));
	struct port_counters port = { .nic = node->inventory.list[0] };
	double rate;

	assert_int_equal(nic_counters_read(node->os, &port.nic, &port.before), 0);
	assert_int_equal(port.before.source[COUNTER_RX_PAUSE][3], COUNTER_FROM_DCB);
	node->os->ops->sleep_ms(node->os, 1000);
	assert_int_equal(os_fake_poke_pfc(node->os, "mlx", 0x08), 0);
	assert_int_equal(nic_counters_read(node->os, &port.nic, &port.after), 0);
	assert_int_equal(port.after.source[COUNTER_RX_PAUSE][3], COUNTER_FROM_DRIVER);
	assert_int_equal(port.after.lossless, 0x08);
	assert_false(counter_rate(&port, COUNTER_RX_PAUSE, 3, &rate));
}

/* losslessd's look at pause frames alone: what the driver says of them is enough. */
static void test_pauses(void **state)
{
	static const struct stat stats[][STATS] = { { { "rx_prio3_pause", 0, 7 } },
						    { { "rx_pfc_ena_frames_pri3", 0, 7 } },
						    { { "rx_priority_3_xoff.nic", 0, 7 } } };

	for (size_t i = 0; i < ARRAY_SIZE(drivers); i++) {
		_cleanup_node_ struct nic_node *node = nic_node_new(drivers, ARRAY_SIZE(drivers));
		struct port_counters port;
		struct counters all, pauses;

		assert_int_equal(os_fake_poke_pfc(node->os, "mlx", 0x08), 0);
		port = readings(node, i, stats[i], 1);
		assert_int_equal(nic_counters_read(node->os, &port.nic, &all), 0);
		assert_int_equal(nic_pauses_read(node->os, &port.nic, &pauses), 0);
		case_true(drivers[i].name, !pauses.has_pfc); /* DCB was not asked */
		case_equal(drivers[i].name, all.value[COUNTER_RX_PAUSE][3], 7);
		for (enum counter counter = 0; counter < COUNTER_MAX; counter++) {
			bool pause = counter == COUNTER_RX_PAUSE || counter == COUNTER_TX_PAUSE;

			for (unsigned int j = 0; j < PRIORITIES; j++) {
				bool taken = pause &&
					     all.source[counter][j] == COUNTER_FROM_DRIVER;

				case_equal(drivers[i].name, pauses.source[counter][j],
					   taken ? COUNTER_FROM_DRIVER : COUNTER_UNKNOWN);
				case_equal(drivers[i].name, pauses.value[counter][j],
					   taken ? all.value[counter][j] : 0);
			}
		}
	}
}

/* Where it says nothing, DCB does: mlx5 without PFC. */
static void test_pauses_of_dcb(void **state)
{
	_cleanup_node_ struct nic_node *node = nic_node_new(drivers, ARRAY_SIZE(drivers));
	const struct nic *nic = &node->inventory.list[0];
	struct counters all, pauses;

	assert_int_equal(nic_counters_read(node->os, nic, &all), 0);
	assert_int_equal(nic_pauses_read(node->os, nic, &pauses), 0);
	for (unsigned int i = 0; i < PRIORITIES; i++) {
		assert_int_equal(pauses.source[COUNTER_RX_PAUSE][i], COUNTER_FROM_DCB);
		assert_int_equal(pauses.value[COUNTER_RX_PAUSE][i], all.value[COUNTER_RX_PAUSE][i]);
	}
}

static void test_gone(void **state)
{
	_cleanup_node_ struct nic_node *node = nic_node_new(drivers, ARRAY_SIZE(drivers));
	struct counters counters;

	assert_int_equal(os_fake_rename(node->os, "mlx", "other"), 0);
	assert_int_equal(nic_counters_read(node->os, &node->inventory.list[0], &counters), -ENODEV);
	assert_int_equal(nic_pauses_read(node->os, &node->inventory.list[0], &counters), -ENODEV);
}

/* ---- what they say ---- */

static const struct {
	const char *name;
	uint8_t pfc;
	bool pause; /* global pause is on, and so are its counters */
	struct stat stat[STATS];
	const char *says; /* stands in the only warning; NULL: there is none */
} warnings[] = {
	{ "N01: all on priority 0, nothing is lossless",
	  0,
	  false,
	  { { "rx_prio0_bytes", 1000000, UINT64_C(9000000000) }, { "rx_prio3_bytes", 0, 0 } },
	  "receives 7.2 Gbit/s on priority 0, and no priority is lossless" },
	{ "N01: all on priority 0, 3 is lossless and silent",
	  0x08,
	  false,
	  { { "rx_prio0_bytes", 1000000, UINT64_C(9000000000) }, { "rx_prio3_bytes", 0, 0 } },
	  "receives 7.2 Gbit/s on priority 0, nothing on the lossless one" },
	{ "N01: sent so",
	  0x08,
	  false,
	  { { "tx_prio0_bytes", 0, UINT64_C(9000000000) } },
	  "sends 7.2 Gbit/s on priority 0" },
	{ "the lossless one has traffic too",
	  0x08,
	  false,
	  { { "rx_prio0_bytes", 0, UINT64_C(9000000000) }, { "rx_prio3_bytes", 0, 1 } },
	  NULL },
	{ "less than RDMA", 0x08, false, { { "rx_prio0_bytes", 0, UINT64_C(1249999999) } }, NULL },
	{ "just RDMA",
	  0x08,
	  false,
	  { { "rx_prio0_bytes", 0, UINT64_C(1250000000) } },
	  "receives 1.0 Gbit/s on priority 0" },
	{ "priority 0 is the lossless one",
	  0x01,
	  false,
	  { { "rx_prio0_bytes", 0, UINT64_C(9000000000) } },
	  NULL },
	{ "N12: a lifetime is no finding",
	  0,
	  true,
	  { { "rx_global_pause", 132000000, 132000000 } },
	  NULL },
	{ "N12: growth is",
	  0,
	  true,
	  { { "rx_global_pause", 132000000, 132450000 } },
	  "received pause frames: peer is throttling" },
	{ "N12: the other direction",
	  0,
	  true,
	  { { "tx_global_pause", 0, 1 } },
	  "sent pause frames: this node receives too slowly" },
	{ "N12: of a priority",
	  0x08,
	  false,
	  { { "rx_prio3_pause", 132000000, 132450000 } },
	  "received pause frames: peer is throttling priority 3" },
	{ "N12: of a priority, the other direction",
	  0x08,
	  false,
	  { { "tx_prio3_pause", 0, 1 } },
	  "sent pause frames of priority 3: this node receives too slowly" },
	{ "discards, and nobody is stopped",
	  0x08,
	  false,
	  { { "rx_prio3_discards", 0, 1 } },
	  "lossless priority 3 are discarded and no pause is sent" },
	{ "discards in a lossy priority", 0x08, false, { { "rx_prio0_discards", 0, 1 } }, NULL },
	{ "a storm", 0x08, false, { { "tx_pause_storm_warning_events", 0, 1 } }, "a pause storm" },
};

static void test_warnings(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(warnings); i++) {
		_cleanup_node_ struct nic_node *node = nic_node_new(drivers, ARRAY_SIZE(drivers));
		struct counter_warning said[COUNTER_WARNINGS_MAX];
		const char *name = warnings[i].name;
		struct port_counters port;
		bool pause = warnings[i].pause;

		assert_int_equal(os_fake_poke_pfc(node->os, "mlx", warnings[i].pfc), 0);
		assert_int_equal(os_fake_poke_pause(node->os, "mlx", pause, pause, pause), 0);
		port = readings(node, 0, warnings[i].stat, 10);
		case_equal(name, counters_judge(&port, said), warnings[i].says ? 1 : 0);
		if (warnings[i].says && !strstr(said[0].text, warnings[i].says))
			fail_msg("%s: %s", name, said[0].text);
	}
}

static void test_gids(void **state)
{
	_cleanup_node_ struct nic_node *node = nic_node_new(drivers, ARRAY_SIZE(drivers));
	struct gids gids = {};

	assert_int_equal(nic_gids_read(node->os, &node->inventory.list[0], &gids), 0);
	assert_int_equal(gids.n, 4); /* link-local and IPv4, each as v1 and v2 */
	assert_int_equal(gids.list[3].index, 3);
	assert_string_equal(gids.list[3].type, "RoCE v2");
	assert_string_equal(gids.list[3].netdev, "mlx");
	assert_true(strncmp(gids.list[3].address, "192.0.2.", 8) == 0);
	gids_done(&gids);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names),	cmocka_unit_test(test_rdma),
		cmocka_unit_test(test_unknown), cmocka_unit_test(test_source),
		cmocka_unit_test(test_pauses),
		cmocka_unit_test(test_pauses_of_dcb),
		cmocka_unit_test(test_gone),	cmocka_unit_test(test_warnings),
		cmocka_unit_test(test_gids),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
