// SPDX-License-Identifier: LGPL-2.1-or-later
/* `show` and `explain` for people. */
#include <string.h>

#include "lib/base/macro.h"
#include "lib/report/facts.h"
#include "lib/report/table.h"

/* ---- show nics ---- */

static void nic_note(const struct nic *nic, char *text, size_t size)
{
	text[0] = '\0';
	if (nic->vf)
		(void)snprintf(text, size, "VF of %s", *nic->pf ? nic->pf : "an unknown PF");
	else if (nic->master_ifindex)
		(void)snprintf(text, size, "enslaved to %s",
			       *nic->master ? nic->master : "a device out of sight");
}

static const char *nic_link(const struct nic *nic)
{
	if (nic->link_layer == LINK_LAYER_INFINIBAND)
		return "InfiniBand";
	if (!nic->ifindex)
		return "";
	return nic->carrier ? "up" : nic->up ? "no carrier" : "down";
}

void inventory_write_text(const struct inventory *inventory, const struct report_style *style,
			  FILE *out)
{
	static const struct table_column columns[] = {
		{ "PORT" },
		{ "RDMA" },
		{ "DRIVER" },
		{ "PCI" },
		{ "LINK" },
		{ "MTU" },
		{ "NOTE", TABLE_SHRINKS_FIRST },
	};
	_cleanup_(table_done) struct table table = { .columns = columns,
						     .n_columns = ARRAY_SIZE(columns) };
	char text[FACT_TEXT_MAX];

	if (inventory->n == 0) {
		(void)fputs("no port with an RDMA device on this node\n", out);
		return;
	}
	for (size_t i = 0; i < inventory->n; i++) {
		const struct nic *nic = &inventory->list[i];

		nic_note(nic, text, sizeof(text));
		table_row(&table);
		table_cell(&table, 0, TINT_NONE, "%s", nic->name);
		table_cell(&table, 1, TINT_NONE, "%s/%u", nic->rdma, nic->rdma_port);
		table_cell(&table, 2, TINT_NONE, "%s", nic->driver);
		table_cell(&table, 3, TINT_NONE, "%s", nic->pci);
		table_cell(&table, 4, TINT_NONE, "%s", nic_link(nic));
		if (nic->ifindex)
			table_cell(&table, 5, TINT_NONE, "%u", nic->mtu);
		table_cell(&table, 6, TINT_NONE, "%s", text);
	}
	table_write(&table, style, out);
}

/* ---- show spec ---- */

static void desired_row(struct table *table, const struct state *state, enum knob knob,
			const char *file)
{
	const struct value *want = &state->value[knob];
	char text[VALUE_TEXT_MAX];

	value_format(&knob_table[knob], want, text, sizeof(text));
	table_row(table);
	table_cell(table, 0, TINT_NONE, "%s", state->target.name);
	table_cell(table, 1, TINT_NONE, "%s", knob_name(knob));
	table_cell(table, 2, TINT_NONE, "%s", want->status == VALUE_KNOWN ? text : "");
	if (want->where.line)
		table_cell(table, 3, TINT_NONE, "%s:%u", file_base(file), want->where.line);
	if (want->status == VALUE_KNOWN)
		table_cell(table, 4, TINT_NONE, "%s", want->note);
	else
		table_cell(table, 4, TINT_NONE, "%s%s%s", text, *want->note ? ": " : "",
			   want->note);
}

void desired_write_text(const struct states *want, const char *file,
			const struct report_style *style, FILE *out)
{
	static const struct table_column columns[] = {
		{ "TARGET" },
		{ "KNOB" },
		{ "WANT", TABLE_SHRINKS_LAST },
		{ "WHERE" },
		{ "NOTE", TABLE_SHRINKS_FIRST },
	};
	_cleanup_(table_done) struct table table = { .columns = columns,
						     .n_columns = ARRAY_SIZE(columns) };

	for (size_t i = 0; i < want->n; i++) {
		const struct state *state = &want->list[i];

		if (state->verdict != VERDICT_IN_SYNC) {
			table_row(&table);
			table_cell(&table, 0, TINT_NONE, "%s", state->target.name);
			table_cell(&table, 4, TINT_NONE, "%s%s%s", verdict_name(state->verdict),
				   *state->reason ? ": " : "", state->reason);
		}
		for (enum knob knob = 0; knob < KNOB_MAX; knob++)
			if (state->value[knob].status != VALUE_UNMANAGED)
				desired_row(&table, state, knob, file);
	}
	table_write(&table, style, out);
}

/* ---- explain ---- */

static void fact_row(struct table *table, const char *name, const char *text)
{
	if (!text || !*text)
		return;
	table_row(table);
	table_cell(table, 0, TINT_NONE, "  %s", name);
	table_cell(table, 1, TINT_NONE, "%s", text);
}

void knob_write_text(enum knob knob, FILE *out)
{
	enum { EXPLAIN_WIDTH = 80 }; /* prose is read in lines, also from a file */
	static const struct table_column columns[] = { { "" }, { "", TABLE_SHRINKS_FIRST } };
	static const struct report_style style = { .width = EXPLAIN_WIDTH };
	const struct knob_info *info = &knob_table[knob];
	_cleanup_(table_done) struct table table = { .columns = columns,
						     .n_columns = 2,
						     .headless = true };
	char range[FACT_TEXT_MAX];

	knob_range_format(info, range, sizeof(range));
	fact_row(&table, "what", info->why);
	fact_row(&table, "of",
		 info->target == TARGET_PORT ? "a port (network device)" : "an RDMA device");
	fact_row(&table, "values", range);
	fact_row(&table, "from", info->spec);
	fact_row(&table, "kernel", info->kernel);
	fact_row(&table, "drivers", info->drivers);
	if (object_table[info->object].read_only)
		fact_row(&table, "here", "read and reported, never written");
	fact_row(&table, "instead", info->instead);
	if (info->required)
		fact_row(&table, "required",
			 "a port that cannot do it is refused before the first write");
	(void)fprintf(out, "%s\n", info->name);
	table_write(&table, &style, out);
}
