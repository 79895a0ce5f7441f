// SPDX-License-Identifier: LGPL-2.1-or-later
/* `show` and `explain` for programs. */
#include "lib/report/json.h"
#include "lib/report/report.h"

static json_t *mac_json(const uint8_t mac[6])
{
	if (!(mac[0] | mac[1] | mac[2] | mac[3] | mac[4] | mac[5]))
		return json_null();
	return json_sprintf("%02x:%02x:%02x:%02x:%02x:%02x", mac[0], mac[1], mac[2], mac[3], mac[4], mac[5]);
}

static json_t *nic_json(const struct nic *nic)
{
	return json_pack("{s:o, s:i, s:o, s:i, s:o, s:o, s:s, s:o, s:b, s:o, s:o, s:b, s:b, s:i, s:i}", "name",
			 json_text(nic->name), "ifindex", nic->ifindex, "rdma", json_text(nic->rdma), "rdma_port",
			 (int)nic->rdma_port, "driver", json_text(nic->driver), "pci", json_text(nic->pci), "link_layer",
			 nic->link_layer == LINK_LAYER_INFINIBAND ? "infiniband" : "ethernet", "mac", mac_json(nic->mac),
			 "vf", nic->vf, "pf", json_text(nic->pf), "master", json_text(nic->master), "up", nic->up,
			 "carrier", nic->carrier, "mtu", (int)nic->mtu, "mtu_max", (int)nic->mtu_max);
}

void inventory_write_json(const struct inventory *inventory, FILE *out)
{
	json_auto_t *document = NULL;
	json_t *list = json_array();
	bool oom = false;

	for (size_t i = 0; i < inventory->n; i++)
		if (json_array_append_new(list, nic_json(&inventory->list[i])) < 0)
			oom = true;
	document = json_pack("{s:i, s:o}", "schema", REPORT_SCHEMA, "nics", list);
	json_finish(document, oom, out);
}

static json_t *wanted_json(enum knob knob, const struct value *want)
{
	char text[VALUE_TEXT_MAX];

	value_format(&knob_table[knob], want, text, sizeof(text));
	return json_pack("{s:s, s:o, s:i, s:i, s:o}", "name", knob_table[knob].name, "want",
			 want->status == VALUE_KNOWN ? json_text(text) : json_null(), "line", (int)want->where.line,
			 "column", (int)want->where.column, "because", json_text(want->note));
}

static json_t *state_json(const struct state *state, bool *oom)
{
	json_t *knobs = json_array();

	for (enum knob knob = 0; knob < KNOB_MAX; knob++)
		if (state->value[knob].status != VALUE_UNMANAGED &&
		    json_array_append_new(knobs, wanted_json(knob, &state->value[knob])) < 0)
			*oom = true;
	return json_pack("{s:s, s:o, s:s, s:o, s:o}", "kind", target_kind_name(state->target.kind), "name",
			 json_text(state->target.name), "verdict", verdict_name(state->verdict), "reason",
			 json_text(state->reason), "knobs", knobs);
}

void desired_write_json(const struct states *want, FILE *out)
{
	json_auto_t *document = NULL;
	json_t *list = json_array();
	bool oom = false;

	for (size_t i = 0; i < want->n; i++)
		if (json_array_append_new(list, state_json(&want->list[i], &oom)) < 0)
			oom = true;
	document = json_pack("{s:i, s:o}", "schema", REPORT_SCHEMA, "targets", list);
	json_finish(document, oom, out);
}

/* The words of a knob, null for a knob without. */
static json_t *words_json(const struct knob_info *knob)
{
	json_t *list;

	if (knob->kind != VALUE_WORD)
		return json_null();
	list = json_array();
	for (const char *const *word = knob->words; list && *word; word++)
		(void)json_array_append_new(list, json_string(*word));
	return list;
}

static json_t *range_json(const struct knob_info *knob)
{
	if (knob->kind != VALUE_NUMBER && knob->kind != VALUE_OPTIONAL)
		return json_null();
	return json_pack("{s:I, s:I}", "min", (json_int_t)knob->min, "max", (json_int_t)knob->max);
}

void knob_write_json(enum knob knob, FILE *out)
{
	const struct knob_info *info = &knob_table[knob];
	json_auto_t *document = NULL;

	document = json_pack("{s:i, s:s, s:s, s:s, s:o, s:o, s:o, s:s, s:s, s:s, s:b, s:b, s:o}", "schema", REPORT_SCHEMA,
			     "name", info->name, "target", target_kind_name(info->target), "why", info->why, "range",
			     range_json(info), "unit", json_text(info->unit), "words", words_json(info), "spec", info->spec,
			     "kernel", info->kernel, "drivers", info->drivers, "required", info->required, "settable",
			     !object_table[info->object].read_only, "instead", json_text(info->instead));
	json_finish(document, false, out);
}
