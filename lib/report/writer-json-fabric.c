// SPDX-License-Identifier: LGPL-2.1-or-later
/* `show cables` and `show switches` for programs: the facts of writer-text-fabric.c. */
#include "lib/report/json.h"

/* ---- show cables ---- */

static json_t *advert_json(const struct advert *advert)
{
	return json_pack("{s:o, s:o, s:o}", "verdict",
			 json_text(advert_verdict_name(advert->verdict)), "want",
			 json_text(advert->want), "advertised", json_text(advert->told));
}

static json_t *heard_json(const struct cable *cable)
{
	if (!cable->heard)
		return json_null();
	return json_pack("{s:o, s:o, s:o, s:o, s:b}", "chassis", json_text(cable->chassis),
			 "port_type", json_text(cable->port_type), "port",
			 json_text(cable->heard_port), "description", json_text(cable->heard_text),
			 "cee", cable->cee);
}

static json_t *cable_json(const struct cable *cable, bool heard)
{
	return json_pack("{s:o, s:o, s:o, s:o, s:o, s:b, s:o, s:o, s:o, s:o, s:o, s:o}", "switch",
			 json_text(cable->name), "port", json_text(cable->port), "end",
			 json_text(cable->end), "node", json_text(cable->node), "device",
			 json_text(cable->device), "here", cable->here, "where",
			 position_json(cable->where), "verdict",
			 json_text(heard ? cable_verdict_name(cable->verdict) : NULL), "lldp",
			 heard_json(cable), "pfc", advert_json(&cable->pfc), "dscp",
			 advert_json(&cable->dscp), "note", json_text(cable->note));
}

void cabling_write_json(const struct cabling *cabling, const char *node, bool heard,
			const char *trouble, const struct diags *diags, enum exit_status exit,
			FILE *out)
{
	json_auto_t *document = NULL;
	json_t *list = json_array();
	bool oom = false;

	for (size_t i = 0; i < cabling->n; i++)
		json_add(list, cable_json(&cabling->list[i], heard), &oom);
	document = json_pack("{s:i, s:o, s:i, s:b, s:o, s:o, s:o}", "schema", REPORT_SCHEMA, "node",
			     json_text(node), "exit", exit, "lldp", heard, "trouble",
			     json_text(trouble), "diagnostics", diagnostics_json(diags, &oom),
			     "cables", list);
	json_finish(document, oom, out);
}

/* ---- show switches ---- */

static json_t *effect_json(const struct switch_effect *effect)
{
	return json_pack("{s:s, s:s, s:s, s:s, s:o}", "name", switch_knob_table[effect->knob].name,
			 "scope", effect->whole ? "switch" : "port", "verified", effect->verified,
			 "proof", effect->in_force ? "oper" : "config", "impact",
			 json_text(effect->impact));
}

static json_t *about_json(const struct switch_about *about, bool *oom)
{
	json_t *knobs = json_array();

	for (size_t i = 0; i < about->n; i++)
		json_add(knobs, effect_json(&about->effects[i]), oom);
	return json_pack("{s:o, s:o, s:o, s:o, s:i, s:o, s:b, s:s, s:I, s:o, s:o}", "name",
			 json_text(about->name), "dialect", json_text(about->dialect), "verified",
			 json_text(about->verified), "address", json_text(about->address),
			 "ssh_port", (int)about->ssh_port, "owner", json_text(about->owner), "mine",
			 about->mine, "manage", manage_name(about->manage), "ports",
			 (json_int_t)about->n_ports, "trouble", json_text(about->trouble), "knobs",
			 knobs);
}

void switch_abouts_write_json(const struct switch_abouts *abouts, const struct diags *diags,
			      FILE *out)
{
	json_auto_t *document = NULL;
	json_t *list = json_array();
	bool oom = false;

	for (size_t i = 0; i < abouts->n; i++)
		json_add(list, about_json(&abouts->list[i], &oom), &oom);
	document = json_pack("{s:i, s:i, s:o, s:o}", "schema", REPORT_SCHEMA, "exit",
			     switch_abouts_exit(abouts), "diagnostics",
			     diagnostics_json(diags, &oom), "switches", list);
	json_finish(document, oom, out);
}
