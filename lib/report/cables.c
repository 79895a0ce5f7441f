// SPDX-License-Identifier: LGPL-2.1-or-later
/* What a NIC and the switch port at the other end of its cable contradict each other in. */
#include "lib/report/cables.h"

#include <string.h>

#include "lib/base/macro.h"
#include "lib/report/facts.h"
#include "lib/report/switches.h"

/* The ends of a cable. */
struct ends {
	const struct switch_state *state;
	const struct switch_cable *cable;
	const struct state *want;	/* of the NIC */
	const struct state *have;
};

/* What was read of the port, else of the switch as a whole, and the file wants. False: nothing. */
static bool switch_has(const struct ends *ends, enum switch_knob knob, struct switch_value *ret)
{
	const struct switch_finding *finding;

	finding = switch_state_find(ends->state, ends->cable->port, knob) ?:
		  switch_state_find(ends->state, "", knob);
	return finding && *finding->have && switch_value_parse(knob, finding->have, ret) == 0;
}

/* Read, and known to be off. */
static bool switch_has_off(const struct ends *ends, enum switch_knob knob)
{
	struct switch_value value = {};

	return switch_has(ends, knob, &value) && switch_value_is_off(knob, &value);
}

/* What was read, if the file wants something of it. */
static const struct value *nic_has(const struct ends *ends, enum knob knob)
{
	const struct value *value = &ends->have->value[knob];

	return ends->want->value[knob].status == VALUE_KNOWN && value->status == VALUE_KNOWN ?
		       value : NULL;
}

/* ---- one function for each knob: true if the ends differ ---- */

static bool pfc_differs(const struct ends *ends, struct cable_finding *ret)
{
	const struct value *nic = nic_has(ends, KNOB_PFC);
	struct switch_value value = {};
	uint32_t priorities = 0;

	if (!nic || !(switch_has(ends, SWITCH_PFC, &value) ||
		      switch_has(ends, SWITCH_PFC_PRIORITIES, &value)))
		return false;
	if (switch_has_off(ends, SWITCH_PFC_ENABLED))
		value.n = 0;
	for (size_t i = 0; i < value.n; i++)
		priorities |= 1U << value.entry[i].key;
	value_format(&knob_table[KNOB_PFC], nic, ret->nic, sizeof(ret->nic));
	switch_value_format(SWITCH_PFC, &value, ret->other, sizeof(ret->other));
	return priorities != nic->data.number;
}

/*
 * Of the DSCPs that the file gives a priority, those that differ. Of the others a switch may have
 * what its map has by itself, and a NIC none.
 */
static bool map_differs(const struct ends *ends, struct cable_finding *ret)
{
	const struct knob_info *knob = &knob_table[KNOB_DSCP_TO_PRIORITY];
	const struct value *nic = nic_has(ends, KNOB_DSCP_TO_PRIORITY);
	const struct value *want = &ends->want->value[KNOB_DSCP_TO_PRIORITY];
	struct value here = { .status = VALUE_KNOWN }, there = { .status = VALUE_KNOWN };
	struct switch_value value = {};

	if (!nic || !switch_has(ends, SWITCH_DSCP_MAP, &value))
		return false;
	if (switch_has_off(ends, SWITCH_DSCP_MAP_PORT))
		value.n = 0;
	for (unsigned int dscp = 0; dscp < DSCPS; dscp++) {
		const struct switch_entry *entry = switch_value_find(&value, dscp);
		uint8_t bits = entry ? (uint8_t)(1U << entry->field[0]) : 0;

		if (!(want->data.map.named & dscp_bit(dscp)) || !want->data.map.priorities[dscp] ||
		    nic->data.map.priorities[dscp] == bits)
			continue;
		here.data.map.named = there.data.map.named |= dscp_bit(dscp);
		here.data.map.priorities[dscp] = nic->data.map.priorities[dscp];
		there.data.map.priorities[dscp] = bits;
	}
	value_format(knob, &here, ret->nic, sizeof(ret->nic));
	value_format(knob, &there, ret->other, sizeof(ret->other));
	return here.data.map.named != 0;
}

/* More room than is needed is no contradiction. */
static bool mtu_differs(const struct ends *ends, struct cable_finding *ret)
{
	const struct value *nic = nic_has(ends, KNOB_MTU);
	struct switch_value value = {};

	if (!nic || !switch_has(ends, SWITCH_MTU, &value) || value.n == 0)
		return false;
	(void)snprintf(ret->nic, sizeof(ret->nic), "%u, %u with headers", nic->data.number,
		       nic->data.number + SWITCH_FRAME_OVERHEAD);
	switch_value_format(SWITCH_MTU, &value, ret->other, sizeof(ret->other));
	return value.entry[0].field[0] < (uint64_t)nic->data.number + SWITCH_FRAME_OVERHEAD;
}

static const struct {
	enum knob knob;
	bool (*differs)(const struct ends *ends, struct cable_finding *ret);
} judges[] = {
	{ KNOB_DSCP_TO_PRIORITY, map_differs },
	{ KNOB_PFC, pfc_differs },
	{ KNOB_MTU, mtu_differs },
};

static void judge_cable(const struct ends *ends,
			void (*found)(const struct cable_finding *finding, void *data), void *data)
{
	for (size_t i = 0; i < ARRAY_SIZE(judges); i++) {
		struct cable_finding finding = {
			.state = ends->state,
			.cable = ends->cable,
			.knob = judges[i].knob,
			.want = &ends->want->value[judges[i].knob],
		};

		if (judges[i].differs(ends, &finding))
			found(&finding, data);
	}
}

void cables_judge(const struct report *report,
		  void (*found)(const struct cable_finding *finding, void *data), void *data)
{
	const struct plan *plan = report_findings(report);

	/* Each end goes back to what it had, which no file declares */
	if (report->kind == REPORT_ROLLBACK)
		return;
	for (size_t i = 0; plan && report->switches && i < report->switches->n; i++) {
		const struct switch_state *state = &report->switches->list[i];

		for (size_t k = 0; k < state->n_cables; k++) {
			const struct switch_cable *cable = &state->cables[k];
			struct ends ends = {
				state, cable, states_find(plan->want, TARGET_PORT, cable->device),
				states_find(plan->have, TARGET_PORT, cable->device),
			};

			if (ends.want && ends.have)
				judge_cable(&ends, found, data);
		}
	}
}

static void count(const struct cable_finding *finding, void *data)
{
	enum exit_status *exit = data;

	*exit = STATUS_DRIFT;
}

enum exit_status cables_exit(const struct report *report)
{
	enum exit_status exit = STATUS_OK;

	cables_judge(report, count, &exit);
	return exit;
}

/* ---- as text ---- */

void cable_name(const struct cable_finding *finding, char *ret, size_t size)
{
	(void)snprintf(ret, size, "%s – %s/%s", finding->cable->device, finding->state->name,
		       finding->cable->port);
}

void cable_words(const struct cable_finding *finding, char *ret, size_t size)
{
	(void)snprintf(ret, size, "NIC has %.160s, switch has %.160s", finding->nic,
		       finding->other);
}

enum { NAME_BYTES = SWITCH_NAME_MAX_BYTES + SWITCH_PORT_MAX + NAME_MAX_BYTES + 8 };

static void add_row(const struct cable_finding *finding, void *data)
{
	struct table *table = data;
	char name[NAME_BYTES], words[2 * FINDING_TEXT_MAX];

	cable_name(finding, name, sizeof(name));
	cable_words(finding, words, sizeof(words));
	table_row(table);
	table_cell(table, 0, TINT_NONE, "%s", name);
	table_cell(table, 1, TINT_NONE, "%s", knob_name(finding->knob));
	table_cell(table, 2, verdict_tint(VERDICT_DRIFT), "%s", verdict_name(VERDICT_DRIFT));
	table_cell(table, 3, TINT_NONE, "%s", words);
}

bool cables_write_findings(const struct report *report, const struct report_style *style,
			   FILE *out)
{
	static const struct table_column columns[] = {
		{ "TARGET", TABLE_SHRINKS_NEVER },
		{ "KNOB" },
		{ "VERDICT" },
		{ "NOTE", TABLE_SHRINKS_FIRST },
	};
	_cleanup_(table_done) struct table table = { .columns = columns,
						     .n_columns = ARRAY_SIZE(columns) };

	cables_judge(report, add_row, &table);
	if (table.n_rows == 0 && !table.oom)
		return false;
	(void)fputc('\n', out);
	table_write(&table, style, out);
	return true;
}

struct page {
	const struct report_style *style;
	FILE *out;
};

static void write_note(const struct cable_finding *finding, void *data)
{
	const struct page *page = data;
	char name[NAME_BYTES], words[2 * FINDING_TEXT_MAX];

	cable_name(finding, name, sizeof(name));
	cable_words(finding, words, sizeof(words));
	line_put(page->style, page->out, "%s: the ends differ in %s: %s", name,
		 knob_name(finding->knob), words);
}

void cables_write_notes(const struct report *report, const struct report_style *style, FILE *out)
{
	struct page page = { style, out };

	cables_judge(report, write_note, &page);
}
