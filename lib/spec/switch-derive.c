// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * What a port of a switch needs so that the NIC at its other end works: the same map, PFC on the
 * same priorities, marking, a strict queue for CNPs, room for its frames.
 */
#include "lib/spec/switch-derive.h"

/* Where a curve does not say it: as the lossless profiles of vendors do (percent at max). */
enum { ALL_MARKED = 100 };

static const char because_pfc[] = "because PFC is on";
static const char because_map[] = "because dscp_to_priority is given";
static const char because_cnp[] = "because cnp has this priority";
static const char because_mtu[] = "the node's MTU and its headers";

static const struct field *field_get(const struct settings *settings, enum key key)
{
	return field_given(settings, key) ? &settings->field[key] : NULL;
}

static struct switch_value *want(struct switch_target *target, enum switch_knob knob,
				 const struct field *field, const char *reason)
{
	struct switch_value *value = &target->want[knob];

	value->status = SWITCH_KNOWN;
	value->where = yaml_position(field->key);
	value->reason = reason;
	return value;
}

static void want_number(struct switch_target *target, enum switch_knob knob,
			const struct field *field, const char *reason, uint64_t number)
{
	struct switch_value *value = want(target, knob, field, reason);

	(void)switch_value_add(value, &(struct switch_entry){ .field = { number } });
}

/* Entries without numbers: there are 8 priorities, so that they fit. */
static void want_priorities(struct switch_target *target, enum switch_knob knob,
			    const struct field *field, const char *reason, uint32_t bits)
{
	struct switch_value *value = want(target, knob, field, reason);

	for (unsigned int priority = 0; priority < PRIORITIES; priority++)
		if (bits >> priority & 1)
			(void)switch_value_add(value, &(struct switch_entry){ .key = priority });
}

static void map_derive(const struct settings *settings, struct switch_target *target)
{
	const struct field *map = field_get(settings, KEY_DSCP_TO_PRIORITY),
			   *dscp = field_get(settings, KEY_CNP_DSCP),
			   *priority = field_get(settings, KEY_CNP_PRIORITY);
	struct switch_value *value;

	if (!map)
		return;
	value = want(target, SWITCH_DSCP_MAP, map, NULL);
	for (unsigned int i = 0; i < DSCPS; i++)
		if (settings->dscps & dscp_bit(i))
			(void)switch_value_add(value, &(struct switch_entry){
							      i, { settings->priority_of[i] } });
	if (dscp && priority && !(settings->dscps & dscp_bit(dscp->number)))
		(void)switch_value_add(value, &(struct switch_entry){ dscp->number,
								      { priority->number } });
	want_number(target, SWITCH_TRUST, map, because_map, SWITCH_TRUST_DSCP);
	want_number(target, SWITCH_DSCP_MAP_PORT, map, because_map, true);
}

static void pfc_derive(const struct settings *settings, struct switch_target *target)
{
	const struct field *pfc = field_get(settings, KEY_PFC);

	if (!pfc)
		return;
	want_priorities(target, SWITCH_PFC, pfc, NULL, pfc->number);
	want_priorities(target, SWITCH_PFC_PRIORITIES, pfc, NULL, pfc->number);
	want_number(target, SWITCH_PFC_ENABLED, pfc, NULL, pfc->number != 0);
	if (!pfc->number)
		return;
	want_priorities(target, SWITCH_BUFFERS, pfc, because_pfc, pfc->number);
	want_number(target, SWITCH_FLOW_CONTROL, pfc, because_pfc, false);
	want_number(target, SWITCH_DCBX, pfc, because_pfc, true);
}

/* Thresholds are the switch's own: without them nothing is said of its marking. */
static bool has_thresholds(const struct curve *curve)
{
	return curve->field[KEY_MIN - KEY_CURVE_FIRST].key &&
	       curve->field[KEY_MAX_THRESHOLD - KEY_CURVE_FIRST].key;
}

static uint64_t number_or(const struct field *field, uint64_t otherwise)
{
	return field->key ? field->number : otherwise;
}

static void ecn_derive(const struct settings *settings, struct switch_target *target)
{
	const struct field *ecn = field_get(settings, KEY_ECN);
	struct switch_value *value = NULL;
	uint32_t priorities = 0;

	for (size_t i = 0; ecn && i < settings->n_curves; i++) {
		const struct field *field = settings->curve[i].field;
		const struct field *of = &field[KEY_PRIORITIES - KEY_CURVE_FIRST];
		struct switch_entry entry = { .field = {
			field[KEY_MIN - KEY_CURVE_FIRST].number,
			field[KEY_MAX_THRESHOLD - KEY_CURVE_FIRST].number,
			number_or(&field[KEY_PROBABILITY - KEY_CURVE_FIRST], ALL_MARKED),
		} };

		if (!has_thresholds(&settings->curve[i]))
			continue;
		value = want(target, SWITCH_ECN, ecn, NULL);
		for (entry.key = 0; entry.key < PRIORITIES; entry.key++)
			if (of->number >> entry.key & 1)
				(void)switch_value_add(value, &entry);
		priorities |= of->number;
	}
	if (!value)
		return;
	want_priorities(target, SWITCH_ECN_PORT, ecn, NULL, priorities);
	want_number(target, SWITCH_ECN_PROFILE, ecn, NULL, true);
}

/* CNPs pass by what they are about; the scheduler's other shares are not set on switches. */
static void scheduler_derive(const struct settings *settings, struct switch_target *target)
{
	const struct field *cnp = field_get(settings, KEY_CNP_PRIORITY);

	if (cnp)
		want_priorities(target, SWITCH_SCHEDULER, cnp, because_cnp, 1U << cnp->number);
}

static void watchdog_derive(const struct settings *settings, struct switch_target *target)
{
	const struct field *watchdog = field_get(settings, KEY_WATCHDOG);
	struct switch_entry entry;

	if (!watchdog || !field_given(settings, KEY_DETECT))
		return;
	entry = (struct switch_entry){ .field = {
		settings->field[KEY_DETECT].number,
		number_or(&settings->field[KEY_RESTORE], SWITCH_ABSENT),
		number_or(&settings->field[KEY_ACTION], SWITCH_ABSENT),
	} };
	(void)switch_value_add(want(target, SWITCH_WATCHDOG, watchdog, NULL), &entry);
	want_number(target, SWITCH_WATCHDOG_PORT, watchdog, NULL, true);
}

void switch_derive(const struct settings *settings, struct switch_target *target)
{
	const struct field *mtu = field_get(settings, KEY_MTU);

	map_derive(settings, target);
	pfc_derive(settings, target);
	ecn_derive(settings, target);
	scheduler_derive(settings, target);
	watchdog_derive(settings, target);
	if (mtu)
		want_number(target, SWITCH_MTU, mtu, because_mtu,
			    mtu->number + SWITCH_FRAME_OVERHEAD);
}
