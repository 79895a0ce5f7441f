// SPDX-License-Identifier: LGPL-2.1-or-later
/* `verify`: a line for each way and what it proves; for programs all counters before and after. */
#include <inttypes.h>
#include <string.h>

#include "lib/base/macro.h"
#include "lib/report/json.h"
#include "lib/report/table.h"

static const char *port_name(const struct nic *nic)
{
	return *nic->name ? nic->name : nic->rdma;
}

/* "gpu-2/ens1f0np0" */
static void format_to(const struct traffic *traffic, char *text, size_t size)
{
	(void)snprintf(text, size, "%s%s%s", traffic->to_node, *traffic->to_node ? "/" : "",
		       port_name(&traffic->to.nic));
}

/* ---- text ---- */

enum { NUMBER_MAX = 24, PORT_TEXT_MAX = 2 * NAME_MAX_BYTES };

static const char *tos_text(int tos, char text[NUMBER_MAX])
{
	if (tos >= 0)
		(void)snprintf(text, NUMBER_MAX, "0x%02x", (unsigned int)tos);
	else
		text[0] = '\0';
	return text;
}

static const char *priority_text(int priority, char text[NUMBER_MAX])
{
	if (priority >= 0)
		(void)snprintf(text, NUMBER_MAX, "%d", priority);
	else
		(void)snprintf(text, NUMBER_MAX, "%s",
			       priority == TRAFFIC_NONE	   ? "none" :
			       priority == TRAFFIC_SEVERAL ? "several" :
							     "");
	return text;
}

/* Of both ends together, as far as they count it. */
static const char *sum_text(const struct traffic *traffic,
			    bool (*of)(const struct port_counters *port, uint64_t *ret),
			    char text[NUMBER_MAX])
{
	uint64_t from = 0, to = 0;
	bool known = of(&traffic->from, &from);

	known |= of(&traffic->to, &to);
	text[0] = '\0';
	if (known && !*traffic->trouble)
		(void)snprintf(text, NUMBER_MAX, "%" PRIu64, from + to);
	return text;
}

static enum tint tint_of(enum traffic_verdict verdict)
{
	switch (verdict) {
	case TRAFFIC_PROVEN:
		return TINT_GOOD;
	case TRAFFIC_NOT_PROVEN:
	case TRAFFIC_FAILED:
		return TINT_BAD;
	case TRAFFIC_CANNOT_TELL:
	case TRAFFIC_VERDICT_MAX:
		break;
	}
	return TINT_CHANGE;
}

static void traffic_row(struct table *table, const struct traffic *traffic)
{
	char text[NUMBER_MAX], to[PORT_TEXT_MAX];

	format_to(traffic, to, sizeof(to));
	table_row(table);
	table_cell(table, 0, TINT_NONE, "%s", port_name(&traffic->from.nic));
	table_cell(table, 1, TINT_NONE, "%s", to);
	table_cell(table, 2, TINT_NONE, "%s", tos_text(traffic->tos_sent, text));
	table_cell(table, 3, TINT_NONE, "%s", tos_text(traffic->tos_received, text));
	table_cell(table, 4, TINT_NONE, "%s", priority_text(traffic->priority_sent, text));
	table_cell(table, 5, TINT_NONE, "%s", priority_text(traffic->priority_received, text));
	table_cell(table, 6, TINT_NONE, "%s", sum_text(traffic, traffic_pause, text));
	table_cell(table, 7, TINT_NONE, "%s", sum_text(traffic, traffic_ecn, text));
}

void traffic_write_text(const struct traffic *traffic, size_t n, const struct report_style *style,
			FILE *out)
{
	static const struct table_column columns[] = {
		{ "FROM" },	{ "TO", TABLE_SHRINKS_LAST },
		{ "TOS OUT" },	{ "TOS IN" },
		{ "PRIO OUT" }, { "PRIO IN" },
		{ "PAUSE" },	{ "ECN" },
	};
	static const struct table_column lines[] = { { "NOTE", TABLE_SHRINKS_FIRST } };
	_cleanup_(table_done) struct table table = { .columns = columns,
						     .n_columns = ARRAY_SIZE(columns) };
	_cleanup_(table_done) struct table verdicts = { .columns = lines,
							.n_columns = 1,
							.headless = true };
	char to[PORT_TEXT_MAX];

	for (size_t i = 0; i < n; i++) {
		traffic_row(&table, &traffic[i]);
		format_to(&traffic[i], to, sizeof(to));
		table_row(&verdicts);
		table_cell(&verdicts, 0, tint_of(traffic[i].verdict), "%s to %s: %s: %s",
			   port_name(&traffic[i].from.nic), to,
			   traffic_verdict_name(traffic[i].verdict), traffic[i].reason);
	}
	table_write(&table, style, out);
	table_write(&verdicts, style, out);
}

/* ---- JSON ---- */

static json_t *reading_json(const struct counters *counters, enum counter counter, unsigned int i)
{
	if (counters->source[counter][i] == COUNTER_UNKNOWN)
		return json_null();
	return json_integer((json_int_t)counters->value[counter][i]);
}

static json_t *readings_json(const struct counters *counters, enum counter counter, bool *oom)
{
	json_t *list;

	if (counter_width(counter) == 1)
		return reading_json(counters, counter, 0);
	list = json_array();
	for (unsigned int i = 0; i < PRIORITIES; i++)
		json_add(list, reading_json(counters, counter, i), oom);
	return list;
}

static json_t *counters_json(const struct port_counters *port, bool *oom)
{
	json_t *counters = json_object();

	for (enum counter counter = 0; counter < COUNTER_MAX; counter++)
		if (json_object_set_new(counters, counter_table[counter].name,
					json_pack("{s:o, s:o}", "before",
						  readings_json(&port->before, counter, oom),
						  "after",
						  readings_json(&port->after, counter, oom))) < 0)
			*oom = true;
	return counters;
}

static json_t *known_json(int number)
{
	return number >= 0 ? json_integer(number) : json_null();
}

static json_t *end_json(const struct port_counters *port, const char *node, int tos, int priority,
			bool *oom)
{
	json_t *lossless = port->after.has_pfc ? json_array() : json_null();

	for (int i = 0; i < PRIORITIES; i++)
		if (port->after.has_pfc && (port->after.lossless & 1U << i))
			json_add(lossless, json_integer(i), oom);
	return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "node", json_text(node),
			 "port", json_text(port->nic.name), "rdma", json_text(port->nic.rdma),
			 "driver", json_text(port->nic.driver), "tos", known_json(tos), "priority",
			 known_json(priority), "lossless", lossless, "counters",
			 counters_json(port, oom));
}

static json_t *traffic_json(const struct traffic *traffic, const char *node, bool *oom)
{
	return json_pack(
		"{s:o, s:o, s:i, s:I, s:o, s:o, s:s, s:o}", "from",
		end_json(&traffic->from, node, traffic->tos_sent, traffic->priority_sent, oom),
		"to",
		end_json(&traffic->to, *traffic->to_node ? traffic->to_node : node,
			 traffic->tos_received, traffic->priority_received, oom),
		"messages", (int)traffic->messages, "packets", (json_int_t)traffic->packets,
		"want_tos", known_json(traffic->want_tos), "want_priority",
		known_json(traffic->want_priority), "verdict",
		traffic_verdict_name(traffic->verdict), "reason", json_text(traffic->reason));
}

void traffic_write_json(const struct traffic *traffic, size_t n, const char *node,
			enum exit_status exit, FILE *out)
{
	json_auto_t *document = NULL;
	json_t *list = json_array();
	bool oom = false;

	for (size_t i = 0; i < n; i++)
		json_add(list, traffic_json(&traffic[i], node, &oom), &oom);
	document = json_pack("{s:i, s:s, s:o, s:o, s:i}", "schema", REPORT_SCHEMA, "report",
			     "verify", "node", json_text(node), "traffic", list, "exit", (int)exit);
	json_finish(document, oom, out);
}
