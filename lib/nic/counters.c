// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Where each driver counts what: one table. Mirrors the names in Linux 6.12
 * drivers/net/ethernet/mellanox/mlx5/core/en_stats.c, broadcom/bnxt/bnxt_ethtool.c,
 * intel/ice/ice_ethtool.c, pensando/ionic/ionic_stats.c; drivers/infiniband/hw/mlx5/counters.c,
 * hw/bnxt_re/hw_counters.c, hw/irdma/verbs.c, sw/rxe/rxe_hw_counters.c.
 */
#include "lib/nic/counters.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/cleanup.h"
#include "lib/base/macro.h"
#include "lib/nic/map.h"
#include "lib/os/dcb.h"
#include "lib/os/ethtool.h"
#include "lib/os/file.h"

/* "" is any driver: soft-RoCE stands on every kind of network device. */
static const char any_driver[] = "";

/*
 * # stands for the priority; in a counter of the whole port for every number, and then the sum
 * counts. hw_counters have exact names. Of several rows for a counter the first that is there
 * counts.
 */
static const struct counter_row {
	const char *driver;
	enum counter counter;
	const char *name;
} rows[] = {
	{ "mlx5_core", COUNTER_RX_BYTES, "rx_prio#_bytes" },
	{ "mlx5_core", COUNTER_TX_BYTES, "tx_prio#_bytes" },
	{ "mlx5_core", COUNTER_RX_PACKETS, "rx_prio#_packets" },
	{ "mlx5_core", COUNTER_TX_PACKETS, "tx_prio#_packets" },
	{ "mlx5_core", COUNTER_RX_PAUSE, "rx_prio#_pause" },
	{ "mlx5_core", COUNTER_TX_PAUSE, "tx_prio#_pause" },
	{ "mlx5_core", COUNTER_RX_PAUSE_US, "rx_prio#_pause_duration" },
	{ "mlx5_core", COUNTER_TX_PAUSE_US, "tx_prio#_pause_duration" },
	{ "mlx5_core", COUNTER_RX_DISCARDS, "rx_prio#_discards" },
	{ "mlx5_core", COUNTER_RX_MARKED, "rx_prio#_marked" },
	{ "mlx5_core", COUNTER_RX_GLOBAL_PAUSE, "rx_global_pause" },
	{ "mlx5_core", COUNTER_TX_GLOBAL_PAUSE, "tx_global_pause" },
	{ "mlx5_core", COUNTER_DROPPED, "rx_discards_phy" },
	{ "mlx5_core", COUNTER_TX_PAUSE_STORMS, "tx_pause_storm_warning_events" },
	{ "mlx5_core", COUNTER_CNP_SENT, "np_cnp_sent" },
	{ "mlx5_core", COUNTER_CNP_HANDLED, "rp_cnp_handled" },
	{ "mlx5_core", COUNTER_CNP_IGNORED, "rp_cnp_ignored" },
	{ "mlx5_core", COUNTER_ECN_MARKED, "np_ecn_marked_roce_packets" },
	{ "mlx5_core", COUNTER_OUT_OF_SEQUENCE, "out_of_sequence" },
	{ "mlx5_core", COUNTER_RDMA_DISCARDS, "out_of_buffer" },

	{ "bnxt_en", COUNTER_RX_BYTES, "rx_bytes_pri#" },
	{ "bnxt_en", COUNTER_TX_BYTES, "tx_bytes_pri#" },
	{ "bnxt_en", COUNTER_RX_PACKETS, "rx_packets_pri#" },
	{ "bnxt_en", COUNTER_TX_PACKETS, "tx_packets_pri#" },
	{ "bnxt_en", COUNTER_RX_PAUSE, "rx_pfc_ena_frames_pri#" },
	{ "bnxt_en", COUNTER_TX_PAUSE, "tx_pfc_ena_frames_pri#" },
	{ "bnxt_en", COUNTER_RX_PAUSE_US, "pfc_pri#_rx_duration_us" },
	{ "bnxt_en", COUNTER_TX_PAUSE_US, "pfc_pri#_tx_duration_us" },
	{ "bnxt_en", COUNTER_RX_GLOBAL_PAUSE, "rx_pause_frames" },
	{ "bnxt_en", COUNTER_TX_GLOBAL_PAUSE, "tx_pause_frames" },
	{ "bnxt_en", COUNTER_DROPPED, "rx_discard_packets_cos#" }, /* of queues, not priorities */
	{ "bnxt_en", COUNTER_CNP_SENT, "tx_cnp_pkts" },
	{ "bnxt_en", COUNTER_CNP_HANDLED, "rx_cnp_pkts" },
	{ "bnxt_en", COUNTER_ECN_MARKED, "rx_ecn_marked_pkts" },
	{ "bnxt_en", COUNTER_OUT_OF_SEQUENCE, "oos_drop_count" },
	{ "bnxt_en", COUNTER_RDMA_DISCARDS, "rx_roce_discards" },

	{ "ice", COUNTER_RX_PAUSE, "rx_priority_#_xoff.nic" },
	{ "ice", COUNTER_TX_PAUSE, "tx_priority_#_xoff.nic" },
	{ "ice", COUNTER_RX_GLOBAL_PAUSE, "link_xoff_rx.nic" },
	{ "ice", COUNTER_TX_GLOBAL_PAUSE, "link_xoff_tx.nic" },
	{ "ice", COUNTER_DROPPED, "rx_dropped.nic" },
	{ "ice", COUNTER_CNP_SENT, "cnpSent" },
	{ "ice", COUNTER_CNP_HANDLED, "cnpHandled" },
	{ "ice", COUNTER_CNP_IGNORED, "cnpIgnored" },
	{ "ice", COUNTER_ECN_MARKED, "RxECNMrkd" },
	{ "ice", COUNTER_RDMA_DISCARDS, "ip4InDiscards" },

	{ "ionic", COUNTER_RX_PAUSE_US, "rx_pripause_#_1us_count" },
	{ "ionic", COUNTER_TX_PAUSE_US, "tx_pripause_#_1us_count" },
	{ "ionic", COUNTER_DROPPED, "hw_rx_dropped" },

	{ any_driver, COUNTER_RDMA_RX_PACKETS, "rcvd_pkts" },
	{ any_driver, COUNTER_RDMA_TX_PACKETS, "sent_pkts" },
	{ any_driver, COUNTER_OUT_OF_SEQUENCE, "out_of_seq_request" },
};

static bool row_is_of(const struct counter_row *row, const struct nic *nic)
{
	return row->driver == any_driver || strcmp(row->driver, nic->driver) == 0;
}

static void put(struct counters *counters, enum counter counter, unsigned int priority,
		enum counter_source source, uint64_t value)
{
	counters->value[counter][priority] = value;
	counters->source[counter][priority] = source;
}

/*
 * Does @name fit @pattern, whose # stands behind @head characters, if there is one? @ret_number is
 * what stands for it, of at most two digits; -1 without one. A NIC with many rings has thousands of
 * names, most of which differ within the first few characters.
 */
static bool name_fits(const char *pattern, size_t head, const char *name, int *ret_number)
{
	size_t digits;

	*ret_number = -1;
	if (strncmp(pattern, name, head) != 0)
		return false;
	if (!pattern[head])
		return !name[head];
	digits = strspn(name + head, "0123456789");
	if (digits == 0 || digits > 2 || strcmp(pattern + head + 1, name + head + digits) != 0)
		return false;
	*ret_number = atoi(name + head);
	return true;
}

static void take_stat(struct counters *counters, const struct counter_row *row, size_t head,
		      const struct os_stat *stat)
{
	enum counter counter = row->counter;
	uint64_t sum = 0;
	int number;

	if (!name_fits(row->name, head, stat->name, &number))
		return;
	if (counter_table[counter].of == COUNTER_OF_PRIORITY) {
		if (number >= 0 && number < PRIORITIES)
			put(counters, counter, (unsigned int)number, COUNTER_FROM_DRIVER,
			    stat->value);
		return;
	}
	if (number >= 0)
		sum = counters->value[counter][0];
	else if (counters->source[counter][0] != COUNTER_UNKNOWN)
		return;
	put(counters, counter, 0, COUNTER_FROM_DRIVER, sum + stat->value);
}

static bool is_pause(enum counter counter)
{
	return counter == COUNTER_RX_PAUSE || counter == COUNTER_TX_PAUSE;
}

/*
 * The driver's private statistics, or of them @only_pause. Returns 0; -ENOMEM, -ENODEV; other
 * errors are kept.
 */
static int read_stats(struct os *os, const struct nic *nic, bool only_pause,
		      struct counters *counters)
{
	_cleanup_(os_stats_done) struct os_stats stats = {};
	int r;

	r = os_stats_get(os, nic->name, &stats);
	if (r == -ENOMEM || r == -ENODEV)
		return r;
	if (r < 0) {
		counters->error = r;
		return 0;
	}
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		size_t head = strcspn(rows[i].name, "#");

		if (!row_is_of(&rows[i], nic) ||
		    counter_table[rows[i].counter].of == COUNTER_OF_RDMA ||
		    (only_pause && !is_pause(rows[i].counter)))
			continue;
		for (size_t j = 0; j < stats.n; j++)
			take_stat(counters, &rows[i], head, &stats.list[j]);
	}
	return 0;
}

/* PFC: which priorities are lossless, and frames where the driver's own statistics have none. */
static int read_dcb(struct os *os, const struct nic *nic, struct counters *counters)
{
	_cleanup_free_ struct os_dcb *dcb = malloc(sizeof(*dcb));
	int r;

	if (!dcb)
		return -ENOMEM;
	r = os_dcb_get(os, nic->name, dcb);
	if (r == -ENOMEM || r == -ENODEV)
		return r;
	if (r < 0 || !dcb->has_pfc)
		return 0;
	counters->has_pfc = true;
	counters->lossless = dcb->pfc.pfc_en;
	for (unsigned int i = 0; i < PRIORITIES; i++) {
		if (counters->source[COUNTER_TX_PAUSE][i] == COUNTER_UNKNOWN)
			put(counters, COUNTER_TX_PAUSE, i, COUNTER_FROM_DCB, dcb->pfc.requests[i]);
		if (counters->source[COUNTER_RX_PAUSE][i] == COUNTER_UNKNOWN)
			put(counters, COUNTER_RX_PAUSE, i, COUNTER_FROM_DCB,
			    dcb->pfc.indications[i]);
	}
	return 0;
}

static void read_rdma(struct os *os, const struct nic *nic, struct counters *counters)
{
	char path[OS_PATH_MAX];
	uint64_t value;

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		enum counter counter = rows[i].counter;

		if (counter_table[counter].of != COUNTER_OF_RDMA || !row_is_of(&rows[i], nic) ||
		    counters->source[counter][0] != COUNTER_UNKNOWN)
			continue;
		(void)snprintf(path, sizeof(path),
			       "/sys/class/infiniband/%s/ports/%u/hw_counters/%s", nic->rdma,
			       nic->rdma_port, rows[i].name);
		if (os_read_number(os, path, UINT64_MAX, &value) >= 0)
			put(counters, counter, 0, COUNTER_FROM_RDMA, value);
	}
}

/* By its own statistics: mlx5 has them where PFC is on, the others of all priorities. */
static bool counts_pauses(const struct counters *counters)
{
	for (unsigned int i = 0; i < PRIORITIES; i++)
		if (counters->source[COUNTER_RX_PAUSE][i] == COUNTER_FROM_DRIVER)
			return true;
	return false;
}

static int read_port(struct os *os, const struct nic *nic, bool only_pause,
		     struct counters *counters)
{
	int r;

	counters->at_ms = os->ops->now_ms(os);
	r = map_check(os, nic, !only_pause && *nic->rdma, NULL);
	if (r >= 0 && *nic->name)
		r = read_stats(os, nic, only_pause, counters);
	if (r >= 0 && *nic->name && !(only_pause && counts_pauses(counters)))
		r = read_dcb(os, nic, counters);
	return MIN(r, 0);
}

int nic_counters_read(struct os *os, const struct nic *nic, struct counters *ret)
{
	struct counters counters = {};
	int r;

	r = read_port(os, nic, false, &counters);
	if (r < 0)
		return r;
	read_rdma(os, nic, &counters);
	*ret = counters;
	return 0;
}

int nic_pauses_read(struct os *os, const struct nic *nic, struct counters *ret)
{
	struct counters counters = {};
	int r;

	r = read_port(os, nic, true, &counters);
	if (r == 0)
		*ret = counters;
	return r;
}
