// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * `show counters` and `show gids` for people: a line for what grew, and for the pause and discards
 * of lossless priorities also where they stand still; what that means stands below.
 */
#include <errno.h>
#include <string.h>

#include "lib/base/macro.h"
#include "lib/report/facts.h"
#include "lib/report/table.h"

/* Netdev, or the RDMA device where there is none. */
static const char *port_name(const struct nic *nic)
{
	return *nic->name ? nic->name : nic->rdma;
}

/* "0", "12.3", "45.6k", "1.2G" */
static void format_rate(double rate, char *text, size_t size)
{
	static const char prefixes[] = "\0kMGT";
	size_t i = 0;

	while (rate >= 1000 && i + 2 < sizeof(prefixes)) {
		rate /= 1000;
		i++;
	}
	if (i > 0)
		(void)snprintf(text, size, "%.1f%c", rate, prefixes[i]);
	else
		(void)snprintf(text, size, rate < 10 && rate > 0 ? "%.1f" : "%.0f", rate);
}

static bool is_watched(const struct port_counters *port, enum counter counter,
		       unsigned int priority)
{
	bool pause = counter == COUNTER_RX_PAUSE || counter == COUNTER_TX_PAUSE ||
		     counter == COUNTER_RX_DISCARDS;

	return pause && port->after.lossless & 1U << priority;
}

static void counter_row(struct table *table, const struct port_counters *port, enum counter counter,
			unsigned int priority)
{
	const struct counter_info *info = &counter_table[counter];
	char text[32];
	double rate;

	if (!counter_rate(port, counter, priority, &rate) ||
	    (rate == 0 && !is_watched(port, counter, priority)))
		return;
	format_rate(rate, text, sizeof(text));
	table_row(table);
	table_cell(table, 0, TINT_NONE, "%s",
		   info->of == COUNTER_OF_RDMA ? port->nic.rdma : port_name(&port->nic));
	table_cell(table, 1, TINT_NONE, "%s", info->name);
	if (info->of == COUNTER_OF_PRIORITY)
		table_cell(table, 2, TINT_NONE, "%u", priority);
	table_cell(table, 3, TINT_NONE, "%s", text);
	table_cell(table, 4, TINT_NONE, "%s/s", info->unit);
}

static void warning_rows(struct table *table, const struct port_counters *port)
{
	struct counter_warning warnings[COUNTER_WARNINGS_MAX];
	const char *name = port_name(&port->nic);
	size_t n;

	if (port->result < 0) {
		table_row(table);
		table_cell(table, 0, TINT_BAD, "%s: counters cannot be read: %s", name,
			   strerror(-port->result));
		return;
	}
	if (port->after.error == -EOPNOTSUPP) {
		table_row(table);
		table_cell(table, 0, TINT_NONE, "%s: its driver has no counters of its own", name);
	} else if (port->after.error < 0) {
		table_row(table);
		table_cell(table, 0, TINT_BAD, "%s: the driver's counters cannot be read: %s", name,
			   strerror(-port->after.error));
	}
	n = counters_judge(port, warnings);
	for (size_t i = 0; i < n; i++) {
		table_row(table);
		table_cell(table, 0, TINT_CHANGE, "warning: %s %s", name, warnings[i].text);
	}
}

/* What could not be read, and what the rates say is wrong, as sentences. */
static void write_warnings(const struct port_counters *ports, size_t n,
			   const struct report_style *style, FILE *out)
{
	static const struct table_column columns[] = { { "NOTE", TABLE_SHRINKS_FIRST } };
	_cleanup_(table_done) struct table table = { .columns = columns,
						     .n_columns = 1,
						     .headless = true };

	for (size_t i = 0; i < n; i++)
		warning_rows(&table, &ports[i]);
	table_write(&table, style, out);
}

void counters_write_text(const struct port_counters *ports, size_t n,
			 const struct report_style *style, FILE *out)
{
	static const struct table_column columns[] = {
		{ "TARGET" }, { "COUNTER" }, { "PRIORITY" }, { "RATE" }, { "UNIT" },
	};
	_cleanup_(table_done) struct table table = { .columns = columns,
						     .n_columns = ARRAY_SIZE(columns) };

	if (n == 0) {
		(void)fputs("no port with an RDMA device on this node\n", out);
		return;
	}
	for (size_t i = 0; i < n; i++)
		for (enum counter counter = 0; counter < COUNTER_MAX; counter++)
			for (unsigned int k = 0; k < counter_width(counter); k++)
				counter_row(&table, &ports[i], counter, k);
	if (table.n_rows > 0)
		table_write(&table, style, out);
	else
		(void)fputs("no counter grew\n", out);
	write_warnings(ports, n, style, out);
}

void gids_write_text(const struct gids *gids, const struct report_style *style, FILE *out)
{
	static const struct table_column columns[] = {
		{ "RDMA" }, { "INDEX" }, { "TYPE" }, { "PORT" }, { "ADDRESS" },
	};
	_cleanup_(table_done) struct table table = { .columns = columns,
						     .n_columns = ARRAY_SIZE(columns) };

	if (gids->n == 0) {
		(void)fputs("no GID on this node\n", out);
		return;
	}
	for (size_t i = 0; i < gids->n; i++) {
		const struct gid *gid = &gids->list[i];

		table_row(&table);
		table_cell(&table, 0, TINT_NONE, "%s/%u", gid->rdma, gid->rdma_port);
		table_cell(&table, 1, TINT_NONE, "%u", gid->index);
		table_cell(&table, 2, TINT_NONE, "%s", gid->type);
		table_cell(&table, 3, TINT_NONE, "%s", gid->netdev);
		table_cell(&table, 4, TINT_NONE, "%s", gid->address);
	}
	table_write(&table, style, out);
}
