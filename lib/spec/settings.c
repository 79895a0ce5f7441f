// SPDX-License-Identifier: LGPL-2.1-or-later
/* Questions to the merged settings of one port, and the cross-checks of spec.md that need no
 * machine. */
#include "lib/spec/settings.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "lib/base/macro.h"

static const struct field *field_get(const struct settings *settings, enum key key)
{
	return field_given(settings, key) ? &settings->field[key] : NULL;
}

static const struct field *curve_get(const struct curve *curve, enum key key)
{
	const struct field *field = &curve->field[key - KEY_CURVE_FIRST];

	return field->key ? field : NULL;
}

static unsigned int field_line(const struct field *field)
{
	return field->key->line;
}

static void field_error(struct diags *diags, const struct field *field, const char *format, ...)
	_printf_(3, 4);

static void node_say(struct diags *diags, enum severity severity, const struct yaml_node *node,
		     const char *format, va_list ap)
	__attribute__((__format__(__printf__, 4, 0)));

static void node_say(struct diags *diags, enum severity severity, const struct yaml_node *node,
		     const char *format, va_list ap)
{
	char message[512];

	if (!diags_keeps(diags, severity, yaml_position(node))) {
		diags->count[severity]++;
		return;
	}
	(void)vsnprintf(message, sizeof(message), format, ap);
	diag_add(diags, severity, yaml_position(node), node->width, "%s", message);
}

/* At the value where it stands on one line, at the key otherwise. */
static void field_error(struct diags *diags, const struct field *field, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	node_say(diags, SEVERITY_ERROR,
		 field_value(field)->kind == YAML_MAP ? field->key : field_value(field), format,
		 ap);
	va_end(ap);
}

bool settings_traffic_class(const struct settings *settings, unsigned int *ret)
{
	enum { ECT0 = 2 };
	const struct field *whole = field_get(settings, KEY_TRAFFIC_CLASS);
	const struct field *dscp = field_get(settings, KEY_DSCP),
			   *ecn = field_get(settings, KEY_ECN_BITS);

	if (whole)
		*ret = whole->number;
	else if (dscp)
		*ret = dscp->number << 2 | (ecn ? ecn->number : ECT0);
	return whole || dscp;
}

/* The priority that the map gives @dscp, as the file or (cnp) its derivation says; -1 if neither
 * does. */
static int dscp_priority(const struct settings *settings, unsigned int dscp)
{
	const struct field *cnp = field_get(settings, KEY_CNP_DSCP);
	const struct field *priority = field_get(settings, KEY_CNP_PRIORITY);

	if (settings->dscps & dscp_bit(dscp))
		return settings->priority_of[dscp];
	if (cnp && priority && cnp->number == dscp)
		return priority->number;
	return -1;
}

static uint8_t priorities_reached(const struct settings *settings)
{
	const struct field *cnp = field_get(settings, KEY_CNP_DSCP);
	uint8_t reached = 0;

	for (uint64_t left = settings->dscps; left; left &= left - 1)
		reached |= 1U << settings->priority_of[__builtin_ctzll(left)];
	if (cnp && dscp_priority(settings, cnp->number) >= 0)
		reached |= 1U << dscp_priority(settings, cnp->number);
	return reached;
}

static const char *ecn_name(unsigned int bits)
{
	static const char *const names[] = { "not-ect", "ect1", "ect0", "congestion experienced" };

	return names[bits & 3];
}

static void roce_check(const struct settings *settings, struct diags *diags)
{
	const struct field *whole = field_get(settings, KEY_TRAFFIC_CLASS);
	const struct field *dscp = field_get(settings, KEY_DSCP),
			   *ecn = field_get(settings, KEY_ECN_BITS);
	const struct field *mode = field_get(settings, KEY_MODE),
			   *pfc = field_get(settings, KEY_PFC);
	const struct field *map = field_get(settings, KEY_DSCP_TO_PRIORITY);

	if (whole && dscp && whole->number >> 2 != dscp->number)
		field_error(diags, dscp,
			    "dscp %u and traffic_class %u (line %u) do not agree: %u is DSCP %u",
			    dscp->number, whole->number, field_line(whole), whole->number,
			    whole->number >> 2);
	if (whole && ecn && (whole->number & 3) != ecn->number)
		field_error(diags, ecn,
			    "ecn %s and traffic_class %u (line %u) do not agree: %u is %s",
			    ecn_name(ecn->number), whole->number, field_line(whole), whole->number,
			    ecn_name(whole->number));
	if (ecn && !whole && !dscp)
		field_error(diags, ecn,
			    "ecn is a part of the traffic class: it needs dscp (or traffic_class) "
			    "beside it");
	if (!mode || mode->number != ROCE_V1)
		return;
	if (pfc && pfc->number)
		field_error(diags, mode,
			    "mode v1 carries no DSCP: it does not go with pfc (line %u)",
			    field_line(pfc));
	else if (whole || dscp || map)
		field_error(diags, mode,
			    "mode v1 carries no DSCP: it does not go with %s (line %u)",
			    whole ? "traffic_class" :
			    dscp  ? "dscp" :
				    "dscp_to_priority",
			    field_line(whole ? whole :
				       dscp  ? dscp :
					       map));
}

/*
 * The DSCP of RoCE has to end in a lossless priority. Where a nics item gives the ports it matches
 * another class than the map was written for, the file cannot say where that ends: a warning.
 */
static void lossless_check(const struct settings *settings, struct diags *diags)
{
	const struct field *pfc = field_get(settings, KEY_PFC),
			   *map = field_get(settings, KEY_DSCP_TO_PRIORITY);
	const struct field *class = field_get(settings, KEY_TRAFFIC_CLASS);
	unsigned int byte, dscp;
	enum severity severity;
	int priority;

	if (!class)
		class = field_get(settings, KEY_DSCP);
	if (!class || !pfc || !pfc->number || !map)
		return;
	(void)settings_traffic_class(settings, &byte);
	dscp = byte >> 2;
	priority = dscp_priority(settings, dscp);
	if (priority >= 0) {
		if (!(pfc->number >> priority & 1))
			field_error(diags, class,
				    "%s %u is DSCP %u, which dscp_to_priority (line %u) maps to "
				    "priority "
				    "%d, and that is not in pfc (line %u)",
				    class->key->text, class->number, dscp, field_line(map),
				    priority, field_line(pfc));
		return;
	}
	severity = (class->layer == LAYER_ITEM || class->layer == LAYER_NODE_ITEM) &&
				   map->layer != class->layer ?
			   SEVERITY_WARNING :
			   SEVERITY_ERROR;
	diag_add(diags, severity, yaml_position(field_value(class)), field_value(class)->width,
		 "%s %u is DSCP %u, which dscp_to_priority (line %u) does not name: it need not "
		 "end in a priority of "
		 "pfc (line %u)",
		 class->key->text, class->number, dscp, field_line(map), field_line(pfc));
}

static void cnp_check(const struct settings *settings, struct diags *diags)
{
	const struct field *dscp = field_get(settings, KEY_CNP_DSCP);
	const struct field *priority = field_get(settings, KEY_CNP_PRIORITY);
	const struct field *pfc = field_get(settings, KEY_PFC), *cnp = field_get(settings, KEY_CNP);
	struct field derived;
	unsigned int byte, mapped;

	if (!cnp)
		return;
	if (!dscp && !priority)
		field_error(diags, cnp, "cnp needs dscp or priority");
	if (dscp && priority && settings->dscps & dscp_bit(dscp->number)) {
		mapped = settings->priority_of[dscp->number];
		if (mapped != priority->number)
			field_error(diags, priority,
				    "cnp has DSCP %u and priority %u, but dscp_to_priority (line "
				    "%u) maps %u to %u",
				    dscp->number, priority->number,
				    settings->dscp_line[dscp->number], dscp->number, mapped);
	}
	if (!priority && dscp && settings->dscps & dscp_bit(dscp->number)) {
		derived = *dscp;
		derived.number = settings->priority_of[dscp->number];
		priority = &derived;
	}
	if (priority && pfc && pfc->number >> priority->number & 1)
		field_error(diags, priority,
			    "cnp priority %u is lossless by pfc (line %u); CNPs need another one",
			    priority->number, field_line(pfc));
	if (priority && settings_traffic_class(settings, &byte) &&
	    settings->dscps & dscp_bit(byte >> 2) &&
	    settings->priority_of[byte >> 2] == priority->number)
		field_error(diags, priority,
			    "cnp priority %u is that of RoCE itself (DSCP %u, line %u); CNPs need "
			    "another one",
			    priority->number, byte >> 2, settings->dscp_line[byte >> 2]);
}

static void qos_check(const struct settings *settings, struct diags *diags)
{
	const struct field *pfc = field_get(settings, KEY_PFC),
			   *exclusive = field_get(settings, KEY_EXCLUSIVE);
	uint8_t reached = priorities_reached(settings);

	if (exclusive && exclusive->number && !field_given(settings, KEY_DSCP_TO_PRIORITY))
		field_error(diags, exclusive,
			    "exclusive needs dscp_to_priority: it is about DSCPs that the map does "
			    "not name");
	for (unsigned int priority = 0; pfc && priority < PRIORITIES; priority++)
		if (pfc->number >> priority & 1 && !(reached >> priority & 1))
			diag_add(
				diags, SEVERITY_WARNING, yaml_position(field_value(pfc)),
				field_value(pfc)->width,
				"priority %u is in pfc, but no DSCP of dscp_to_priority reaches it",
				priority);
}

static void scheduler_check(const struct settings *settings, struct diags *diags)
{
	const struct field *scheduler = field_get(settings, KEY_SCHEDULER);
	unsigned int sum = 0;
	bool shares = false;

	if (!scheduler)
		return;
	for (unsigned int priority = 0; priority < PRIORITIES; priority++) {
		sum += settings->share_of[priority];
		shares |= settings->share_of[priority] > 0;
	}
	if (shares && sum != 100)
		field_error(diags, scheduler,
			    "the shares of scheduler are %u%% together; without the strict ones "
			    "they have to be 100%%",
			    sum);
	if (!(settings->scheduled & 1))
		field_error(
			diags, scheduler,
			"scheduler has to list priority 0: what is not listed shares its class");
}

/* What scheduler does not list is in the class of priority 0, and a class has one rate. */
static void rates_check(const struct settings *settings, struct diags *diags)
{
	const struct field *rates = field_get(settings, KEY_MAX_RATE),
			   *scheduler = field_get(settings, KEY_SCHEDULER);
	uint8_t shared = settings->limited & (uint8_t)(~settings->scheduled | 1);
	unsigned int first = shared ? (unsigned int)__builtin_ctz(shared) : 0;

	for (unsigned int i = first; rates && scheduler && i < PRIORITIES; i++)
		if (shared >> i & 1 && settings->kbit_of[i] != settings->kbit_of[first])
			field_error(diags, rates,
				    "max_rate gives priorities %u and %u different rates, but "
				    "scheduler (line %u) leaves both in the class of priority 0",
				    first, i, field_line(scheduler));
}

static void curve_check(const struct settings *settings, const struct curve *curve,
			struct diags *diags)
{
	const struct field *priorities = curve_get(curve, KEY_PRIORITIES);
	const struct field *min = curve_get(curve, KEY_MIN),
			   *max = curve_get(curve, KEY_MAX_THRESHOLD);
	uint8_t reached = priorities_reached(settings);

	if (!priorities)
		diag_add(diags, SEVERITY_ERROR, yaml_position(curve->at), curve->at->width,
			 "ecn needs priorities");
	if (min && max && min->number > max->number)
		field_error(diags, min, "min %s is more than max %s (line %u)",
			    shown(field_value(min)->text).text, shown(field_value(max)->text).text,
			    field_line(max));
	for (unsigned int priority = 0; priorities && priority < PRIORITIES; priority++)
		if (priorities->number >> priority & 1 && !(reached >> priority & 1) &&
		    field_given(settings, KEY_DSCP_TO_PRIORITY))
			field_error(diags, priorities,
				    "priority %u is in ecn, but no DSCP of dscp_to_priority (line "
				    "%u) reaches it",
				    priority,
				    field_line(field_get(settings, KEY_DSCP_TO_PRIORITY)));
}

static void curves_check(const struct settings *settings, struct diags *diags)
{
	const struct field *seen[PRIORITIES] = {};

	if (!field_given(settings, KEY_ECN))
		return;
	for (size_t i = 0; i < settings->n_curves; i++) {
		const struct field *priorities = curve_get(&settings->curve[i], KEY_PRIORITIES);

		curve_check(settings, &settings->curve[i], diags);
		for (unsigned int priority = 0; priorities && priority < PRIORITIES; priority++) {
			if (!(priorities->number >> priority & 1))
				continue;
			if (seen[priority])
				field_error(diags, priorities,
					    "priority %u is in two maps of ecn, first on line %u",
					    priority, field_line(seen[priority]));
			else
				seen[priority] = priorities;
		}
	}
}

void settings_check(const struct settings *settings, struct diags *diags)
{
	roce_check(settings, diags);
	lossless_check(settings, diags);
	cnp_check(settings, diags);
	qos_check(settings, diags);
	scheduler_check(settings, diags);
	rates_check(settings, diags);
	curves_check(settings, diags);
}

void policy_apply(const struct policy_fields *fields, struct policy *policy)
{
	const struct field *field = fields->field;

	if (field[KEY_DRIFT - KEY_POLICY_FIRST].key)
		policy->drift = field[KEY_DRIFT - KEY_POLICY_FIRST].number;
	if (field[KEY_DISRUPTIVE - KEY_POLICY_FIRST].key)
		policy->disruptive = field[KEY_DISRUPTIVE - KEY_POLICY_FIRST].number;
	if (field[KEY_AUDIT_INTERVAL - KEY_POLICY_FIRST].key)
		policy->audit_interval_ms = field[KEY_AUDIT_INTERVAL - KEY_POLICY_FIRST].number;
	if (field[KEY_SWITCH_AUDIT_INTERVAL - KEY_POLICY_FIRST].key)
		policy->switch_audit_interval_ms =
			field[KEY_SWITCH_AUDIT_INTERVAL - KEY_POLICY_FIRST].number;
	if (field[KEY_GRACE - KEY_POLICY_FIRST].key)
		policy->grace_ms = field[KEY_GRACE - KEY_POLICY_FIRST].number;
}
