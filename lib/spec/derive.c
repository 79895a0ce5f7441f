// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * From the few facts that a file gives for a port to all knobs that follow from them, each with the
 * place that asks for it and, where it is derived, the reason (spec.md "What is derived").
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "lib/base/macro.h"
#include "lib/model/driver.h"
#include "lib/spec/spec-internal.h"

static const struct field *field_get(const struct settings *settings, enum key key)
{
	return field_given(settings, key) ? &settings->field[key] : NULL;
}

static struct value *want(struct state *state, enum knob knob, const struct field *field)
{
	struct value *value = &state->value[knob];

	value->status = VALUE_KNOWN;
	value->where = yaml_position(field->key);
	value->required = knob_table[knob].required;
	return value;
}

static void want_number(struct state *state, enum knob knob, const struct field *field)
{
	if (field)
		want(state, knob, field)->data.number = field->number;
}

/* "[3]", "[3, 4]" */
static void priorities_format(uint32_t bits, char *text, size_t size)
{
	size_t used = (size_t)snprintf(text, size, "[");

	for (unsigned int priority = 0; priority < PRIORITIES; priority++)
		if (bits >> priority & 1)
			used += (size_t)snprintf(text + used, size - used, "%s%u",
						 used > 1 ? ", " : "", priority);
	(void)snprintf(text + used, size - used, "]");
}

static void pfc_derive(struct state *state, const struct settings *settings)
{
	const struct field *pfc = field_get(settings, KEY_PFC);
	char list[48];

	want_number(state, KNOB_PFC, pfc);
	want_number(state, KNOB_CABLE_LENGTH, field_get(settings, KEY_CABLE_LENGTH));
	if (!pfc || !pfc->number)
		return;
	priorities_format(pfc->number, list, sizeof(list));
	value_note(want(state, KNOB_PAUSE, pfc), "because pfc is %s", list);
}

/* The CNPs' DSCP belongs into the map, unless nobody looks at DSCPs. */
static void cnp_map_derive(struct state *state, const struct settings *settings)
{
	const struct field *dscp = field_get(settings, KEY_CNP_DSCP);
	const struct field *priority = field_get(settings, KEY_CNP_PRIORITY);
	struct value *map = &state->value[KNOB_DSCP_TO_PRIORITY];

	if (!dscp || !priority || state->value[KNOB_TRUST].status != VALUE_KNOWN ||
	    settings->dscps & dscp_bit(dscp->number))
		return;
	if (map->status != VALUE_KNOWN)
		map = want(state, KNOB_DSCP_TO_PRIORITY, dscp);
	map->data.map.named |= dscp_bit(dscp->number);
	map->data.map.priorities[dscp->number] = 1U << priority->number;
	value_note(map, "%u:%u because cnp has DSCP %u, priority %u", dscp->number,
		   priority->number, dscp->number, priority->number);
}

static void map_derive(struct state *state, const struct settings *settings)
{
	const struct field *map = field_get(settings, KEY_DSCP_TO_PRIORITY),
			   *trust = field_get(settings, KEY_TRUST);
	const struct field *exclusive = field_get(settings, KEY_EXCLUSIVE);
	struct value *value;

	want_number(state, KNOB_TRUST, trust);
	if (map) {
		value = want(state, KNOB_DSCP_TO_PRIORITY, map);
		value->data.map.named = exclusive && exclusive->number ? UINT64_MAX :
									 settings->dscps;
		for (unsigned int dscp = 0; dscp < DSCPS; dscp++)
			if (settings->dscps & dscp_bit(dscp))
				value->data.map.priorities[dscp] = 1U
								   << settings->priority_of[dscp];
		if (!trust) {
			value = want(state, KNOB_TRUST, map);
			value->data.number = TRUST_DSCP;
			value_note(value, "because dscp_to_priority is given");
		}
	}
	cnp_map_derive(state, settings);
}

/*
 * The class of each priority that is listed; the others share the class of 0. Either a class has
 * its priority's number, or classes are numbered densely in the order of priorities.
 */
static void classes_number(struct ets_map *ets, uint8_t listed, bool dense)
{
	unsigned int next = 0;

	for (unsigned int priority = 0; priority < PRIORITIES; priority++) {
		if (!(listed >> priority & 1))
			continue;
		ets->class_of[priority] = (uint8_t)(dense ? next : priority);
		next++;
	}
}

/* Nothing is asked of the scheduler, but the map changes it: a rollback has to know it. */
static void given_back_derive(struct state *state)
{
	struct value *value = &state->value[KNOB_SCHEDULER];

	*value = (struct value){
		.status = VALUE_KNOWN,
		.where = state->value[KNOB_TRUST].where,
	};
	value_note(value, "the first DSCP entry changes it: looked at to be given back");
}

/*
 * Classes without a priority are strict with no share, so that the shares of all ETS classes are
 * 100 together, which drivers insist on (mlx5/core/en_dcbnl.c, mlx5e_dbcnl_validate_ets). Where
 * trusting DSCP fixes the classes, priorities that are not listed have one of their own whatever we
 * want: they are left alone.
 */
static void scheduler_derive(struct state *state, const struct settings *settings,
			     const struct driver_info *driver, struct diags *diags)
{
	const struct field *scheduler = field_get(settings, KEY_SCHEDULER);
	bool fixed = driver->dscp_fixes_classes && state->value[KNOB_TRUST].status == VALUE_KNOWN &&
		     state->value[KNOB_TRUST].data.number == TRUST_DSCP;
	struct ets_map *ets;

	if (!scheduler) {
		if (fixed)
			given_back_derive(state);
		return;
	}
	if (driver->classes && __builtin_popcount(settings->scheduled) > driver->classes)
		diag_add(diags, SEVERITY_ERROR, yaml_position(field_value(scheduler)),
			 field_value(scheduler)->width,
			 "scheduler has %d classes, but %s (%s) has %u",
			 __builtin_popcount(settings->scheduled), state->target.name, driver->name,
			 driver->classes);
	ets = &want(state, KNOB_SCHEDULER, scheduler)->data.ets;
	ets->named = fixed ? settings->scheduled : (1 << PRIORITIES) - 1;
	classes_number(ets, settings->scheduled, driver->classes && !fixed);
	for (unsigned int priority = 0; priority < PRIORITIES; priority++) {
		unsigned int class = ets->class_of[priority];

		if (!(settings->scheduled >> priority & 1))
			continue;
		ets->share[class] = settings->share_of[priority];
		ets->algorithm[class] = ets->share[class] ? ETS_SHARE : ETS_STRICT;
	}
}

/*
 * Some take PFC only after an ETS. Where nobody gave one: a class for each lossless priority that
 * shares the link with the others, and a strict one for CNPs, as the vendor's own script does.
 */
static void least_scheduler_derive(struct state *state, const struct settings *settings,
				   const struct driver_info *driver)
{
	const struct field *pfc = field_get(settings, KEY_PFC),
			   *cnp = field_get(settings, KEY_CNP_PRIORITY);
	uint8_t strict = cnp ? (uint8_t)(1U << cnp->number) : 0, listed;
	unsigned int sharing;
	struct value *value;
	struct ets_map *ets;

	if (!driver->pfc_needs_ets || !pfc || !pfc->number || field_given(settings, KEY_SCHEDULER))
		return;
	value = want(state, KNOB_SCHEDULER, pfc);
	value->if_unset = true;
	value_note(value, "because %s takes pfc only after a scheduler", driver->name);
	ets = &value->data.ets;
	listed = (uint8_t)pfc->number | strict | 1;
	sharing = (unsigned int)__builtin_popcount(listed & (uint8_t)~strict);
	ets->named = (1 << PRIORITIES) - 1;
	classes_number(ets, listed, true);
	for (unsigned int priority = 0; priority < PRIORITIES; priority++) {
		unsigned int class = ets->class_of[priority];

		if (!((listed & (uint8_t)~strict) >> priority & 1))
			continue;
		ets->algorithm[class] = ETS_SHARE;
		ets->share[class] = (uint8_t)(100 / sharing + (class == 0 ? 100 % sharing : 0));
	}
}

/* What the driver makes of the rate of @priority, which is told where it is another. */
static uint32_t rate_derive(struct value *value, const struct state *state, unsigned int priority,
			    uint32_t kbit, const struct field *field, struct diags *diags)
{
	const struct driver_info *driver = driver_find(state->target.nic.driver);
	uint32_t rate = driver_rate(driver, kbit);

	if (kbit && !rate && !state->target.nic.vf)
		diag_add(diags, SEVERITY_ERROR, yaml_position(field->key), field->key->width,
			 "max_rate of priority %u is %uMbit/s, but %s (%s) cannot limit to that; "
			 "unlimited is a rate too",
			 priority, kbit / 1000, state->target.name, driver->name);
	if (rate && rate != kbit)
		value_note(value, "%s makes %uMbit/s of the %uMbit/s of priority %u", driver->name,
			   rate / 1000, kbit / 1000, priority);
	return rate;
}

/*
 * Limits are of traffic classes. With a scheduler these are known; without, a priority is limited
 * in the class that it is found in.
 */
static void rates_derive(struct state *state, const struct settings *settings, struct diags *diags)
{
	const struct field *field = field_get(settings, KEY_MAX_RATE);
	const struct ets_map *ets = &state->value[KNOB_SCHEDULER].data.ets;
	struct value *value;
	struct rates *rates;

	if (!field)
		return;
	value = want(state, KNOB_MAX_RATE, field);
	rates = &value->data.rates;
	rates->of_priorities = !field_given(settings, KEY_SCHEDULER);
	for (unsigned int priority = 0; priority < PRIORITIES; priority++) {
		unsigned int place = rates->of_priorities ? priority : ets->class_of[priority];

		if (!(settings->limited >> priority & 1))
			continue;
		rates->named |= 1U << place;
		rates->kbit[place] = rate_derive(value, state, priority,
						 settings->kbit_of[priority], field, diags);
	}
}

static void lossless_check(const struct state *state, const struct settings *settings,
			   const struct driver_info *driver, struct diags *diags)
{
	const struct field *pfc = field_get(settings, KEY_PFC);
	int n = pfc ? __builtin_popcount(pfc->number) : 0;

	if (!state->target.nic.vf && driver->lossless_max && n > driver->lossless_max)
		diag_add(diags, SEVERITY_ERROR, yaml_position(field_value(pfc)),
			 field_value(pfc)->width,
			 "pfc has %d priorities, but %s (%s) can do %u; give its port a nics item "
			 "of "
			 "its own",
			 n, state->target.name, driver->name, driver->lossless_max);
}

/* A firmware agent that owns DCB while it is on. */
static void agent_derive(struct state *state, const struct driver_info *driver)
{
	const struct value *dcbx = &state->value[KNOB_DCBX];
	struct value *value = &state->value[KNOB_FW_LLDP_AGENT];

	if (!driver->agent_flag || dcbx->status != VALUE_KNOWN)
		return;
	*value = (struct value){ .status = VALUE_KNOWN, .where = dcbx->where };
	value->data.number = AGENT_OFF;
	value_note(value, "%s", dcbx->note);
}

static void dcbx_derive(struct state *state, const struct settings *settings)
{
	static const enum key dcb_keys[] = {
		KEY_TRUST,	  KEY_DSCP_TO_PRIORITY, KEY_PFC,
		KEY_CABLE_LENGTH, KEY_SCHEDULER,	KEY_MAX_RATE,
	};
	const struct field *first = NULL;
	struct value *value;

	for (size_t i = 0; i < ARRAY_SIZE(dcb_keys); i++) {
		const struct field *field = field_get(settings, dcb_keys[i]);

		if (field && (!first || field->key->line < first->key->line))
			first = field;
	}
	if (!first)
		return;
	value = want(state, KNOB_DCBX, first);
	value->data.number = DCBX_HOST;
	value_note(value, "because DCB is managed");
}

static void congestion_derive(struct state *state, const struct settings *settings)
{
	static const enum knob points[] = { KNOB_ECN_NP, KNOB_ECN_RP };
	uint32_t priorities = 0;

	want_number(state, KNOB_CNP_DSCP, field_get(settings, KEY_CNP_DSCP));
	want_number(state, KNOB_CNP_PRIORITY, field_get(settings, KEY_CNP_PRIORITY));
	if (!field_given(settings, KEY_ECN))
		return;
	for (size_t i = 0; i < settings->n_curves; i++)
		priorities |= settings->curve[i].field[KEY_PRIORITIES - KEY_CURVE_FIRST].number;
	for (size_t i = 0; i < ARRAY_SIZE(points); i++)
		want(state, points[i], field_get(settings, KEY_ECN))->data.switches =
			(struct switches){ (uint8_t)priorities, (uint8_t)priorities };
}

/* A VF has its PF's port: everything but the MTU. */
static void vf_derive(struct state *state, const struct nic *nic)
{
	for (enum knob knob = 0; knob < KNOB_MAX; knob++) {
		struct value *value = &state->value[knob];

		if (value->status == VALUE_UNMANAGED || knob == KNOB_MTU)
			continue;
		value->status = VALUE_NOT_APPLICABLE;
		value_note(value, "inherited from PF %s", nic->pf[0] ? nic->pf : "(unknown)");
	}
}

static void port_derive(struct state *state, const struct settings *settings, const struct nic *nic,
			struct diags *diags)
{
	const struct driver_info *driver = driver_find(nic->driver);

	lossless_check(state, settings, driver, diags);
	map_derive(state, settings);
	pfc_derive(state, settings);
	scheduler_derive(state, settings, driver, diags);
	least_scheduler_derive(state, settings, driver);
	rates_derive(state, settings, diags);
	dcbx_derive(state, settings);
	agent_derive(state, driver);
	want_number(state, KNOB_PFC_WATCHDOG, field_get(settings, KEY_DETECT));
	want_number(state, KNOB_BUFFERS, field_get(settings, KEY_BUFFERS));
	congestion_derive(state, settings);
	want_number(state, KNOB_MTU, field_get(settings, KEY_MTU));
	if (field_given(settings, KEY_MTU) && nic->master_ifindex)
		value_note(&state->value[KNOB_MTU],
			   "the port is enslaved to %s, which has an MTU of its own", nic->master);
	if (nic->vf)
		vf_derive(state, nic);
}

static void traffic_class_derive(struct state *state, const struct settings *settings)
{
	enum { SINK_RDMA_CM = 1, SINK_VERBS = 2 };
	const struct field *class = field_get(settings, KEY_TRAFFIC_CLASS),
			   *sinks = field_get(settings, KEY_APPLY_TO);
	const struct field *dscp = field_get(settings, KEY_DSCP),
			   *ecn = field_get(settings, KEY_ECN_BITS);
	struct value *value;
	char note[VALUE_NOTE_MAX] = "";
	unsigned int byte;

	if (!settings_traffic_class(settings, &byte))
		return;
	if (!class) {
		class = dscp;
		(void)snprintf(note, sizeof(note), "because dscp is %u and ecn %s", dscp->number,
			       ecn ? field_value(ecn)->text : "is ect0 unless given");
	}
	if (!sinks || sinks->number & SINK_RDMA_CM) {
		value = want(state, KNOB_CM_TOS, class);
		value->data.number = byte;
		value->required = sinks != NULL;
		value_note(value, "%s", note);
	}
	if (!sinks || sinks->number & SINK_VERBS) {
		value = want(state, KNOB_TRAFFIC_CLASS, class);
		value->data.optional.set = true;
		value->data.optional.number = byte;
		value->required = sinks != NULL;
		value_note(value, "%s", note);
	}
}

static void rdma_derive(struct state *state, const struct settings *settings)
{
	const struct field *roce = field_get(settings, KEY_ROCE),
			   *mode = field_get(settings, KEY_MODE);
	struct value *value;

	if (!roce)
		return;
	value = want(state, KNOB_CM_MODE, mode ? mode : roce);
	value->data.number = mode ? mode->number : ROCE_V2;
	if (!mode)
		value_note(value, "because roce is managed");
	if (value->data.number == ROCE_V2) {
		value = want(state, KNOB_GID, mode ? mode : roce);
		value->data.number = GID_V2;
		value_note(value, mode ? "because mode is v2" : "because roce is managed");
	}
	traffic_class_derive(state, settings);
}

int derive_states(struct states *states, const struct settings *settings,
		  const struct inventory *inventory, const struct nic *nic, struct diags *diags)
{
	struct state port = { .target = { .kind = TARGET_PORT, .nic = *nic } };
	struct state rdma = { .target = { .kind = TARGET_RDMA } };
	int r = 0;

	(void)snprintf(port.target.name, sizeof(port.target.name), "%s", nic->name);
	(void)snprintf(rdma.target.name, sizeof(rdma.target.name), "%s", nic->rdma);
	rdma.target.nic = *inventory_rdma(inventory, nic);
	port_derive(&port, settings, nic, diags);
	rdma_derive(&rdma, settings);
	if (nic->name[0])
		r = stack_place_port(states, inventory, &port, diags);
	if (r < 0 || !nic->rdma[0])
		return r;
	return state_place(states, &rdma, nic, diags);
}

int derive_mtu(struct states *states, const struct settings *settings, const struct nic *nic,
	       struct diags *diags)
{
	struct state state = { .target = { .kind = TARGET_PORT, .nic = *nic } };

	(void)snprintf(state.target.name, sizeof(state.target.name), "%s", nic->name);
	want_number(&state, KNOB_MTU, field_get(settings, KEY_MTU));
	return state_place(states, &state, nic, diags);
}

int derive_pf(struct states *states, const struct settings *settings, const struct nic *pf,
	      const struct nic *vf, struct diags *diags)
{
	struct state state = { .target = { .kind = TARGET_PORT, .nic = *pf } };

	(void)snprintf(state.target.name, sizeof(state.target.name), "%s", pf->name);
	port_derive(&state, settings, pf, diags);
	for (enum knob knob = 0; knob < KNOB_MAX; knob++) {
		struct value *value = &state.value[knob];

		if (knob == KNOB_MTU)
			*value = (struct value){}; /* a PF has its own */
		if (value->status != VALUE_KNOWN)
			continue;
		value->not_ours = true;
		value_note(value, "for its VF %s", vf->name);
	}
	return state_place(states, &state, vf, diags);
}
