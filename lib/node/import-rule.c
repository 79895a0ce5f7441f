// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * What a file refuses although a node can be so (lib/spec/settings.c): the less telling of two
 * values that contradict each other is left out. Works on the texts, which are made in
 * import-take.c. Pure.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/node/import-private.h"

/* What holds for a port, in numbers; -1, or 0 for bits: nothing is said. */
struct facts {
	bool v1;
	bool has_map;
	int8_t priority_of[DSCPS];	/* -1: not named */
	uint8_t reached;
	uint8_t pfc;
	uint8_t ecn;
	int traffic_class;
	int cnp_dscp;
	int cnp_priority;
};

/* "[3, 4]" */
static uint8_t bits_of(const char *text)
{
	uint8_t bits = 0;

	for (const char *c = text; c && *c; c++)
		if (*c >= '0' && *c <= '7')
			bits |= (uint8_t)(1U << (*c - '0'));
	return bits;
}

/* "{26: 3, 48: 6}" */
static void map_of(const char *text, struct facts *facts)
{
	char *end;

	memset(facts->priority_of, -1, sizeof(facts->priority_of));
	facts->has_map = text != NULL;
	for (const char *at = text; at && *at && *at != '}'; at = *end ? end + 1 : end) {
		unsigned long dscp = strtoul(at + 1, &end, 10);
		unsigned long priority = *end ? strtoul(end + 1, &end, 10) : 0;

		if (dscp >= DSCPS || priority >= PRIORITIES)
			return;
		facts->priority_of[dscp] = (int8_t)priority;
		facts->reached |= (uint8_t)(1U << priority);
		if (*end == '}')
			return;
	}
}

uint8_t import_reached(const char *text)
{
	struct facts facts = {};

	map_of(text, &facts);
	return facts.reached;
}

/* The number behind a key of "{dscp: 48, priority: 6}". */
static int number_behind(const char *text, const char *key)
{
	const char *at = text ? strstr(text, key) : NULL;

	return at ? atoi(at + strlen(key)) : -1;
}

static struct facts facts_of(const struct import *import, const struct import_port *port)
{
	const char *mode = import_effective(import, port, IMPORT_MODE);
	const char *class = import_effective(import, port, IMPORT_TRAFFIC_CLASS);
	const char *cnp = import_effective(import, port, IMPORT_CNP);
	struct facts facts = {
		.v1 = mode && strcmp(mode, "v1") == 0,
		.pfc = bits_of(import_effective(import, port, IMPORT_PFC)),
		.ecn = bits_of(import_effective(import, port, IMPORT_ECN)),
		.traffic_class = class ? atoi(class) : -1,
		.cnp_dscp = number_behind(cnp, "dscp: "),
		.cnp_priority = number_behind(cnp, "priority: "),
	};

	map_of(import_effective(import, port, IMPORT_MAP), &facts);
	return facts;
}

/* Each returns why its key is left out; NULL if it is not. */

static const char *check_mode(const struct facts *facts)
{
	if (facts->v1 && (facts->pfc || facts->traffic_class >= 0 || facts->has_map))
		return "v1 carries no DSCP: a file does not take it beside what is about DSCPs";
	return NULL;
}

/* As the file or, for CNPs, its derivation says; -1. */
static int priority_of(const struct facts *facts, int dscp)
{
	if (facts->priority_of[dscp] < 0 && dscp == facts->cnp_dscp)
		return facts->cnp_priority;
	return facts->priority_of[dscp];
}

static const char *check_traffic_class(const struct facts *facts)
{
	int priority;

	if (facts->traffic_class < 0 || !facts->pfc || !facts->has_map)
		return NULL;
	priority = priority_of(facts, facts->traffic_class >> 2);
	if (priority < 0)
		return "dscp_to_priority does not name its DSCP";
	if (!(facts->pfc >> priority & 1))
		return "dscp_to_priority leads its DSCP to a priority that is not in pfc";
	return NULL;
}

static const char *check_cnp(const struct facts *facts)
{
	int mapped = facts->cnp_dscp >= 0 ? facts->priority_of[facts->cnp_dscp] : -1;
	int priority = facts->cnp_priority >= 0 ? facts->cnp_priority : mapped;
	int roce = facts->traffic_class >= 0 ? facts->priority_of[facts->traffic_class >> 2] : -1;

	if (facts->cnp_priority >= 0 && mapped >= 0 && mapped != facts->cnp_priority)
		return "dscp_to_priority leads the DSCP of CNPs to another priority than theirs";
	if (priority >= 0 && facts->pfc >> priority & 1)
		return "the priority of CNPs is in pfc";
	if (priority >= 0 && priority == roce)
		return "the priority of CNPs is that of RoCE itself";
	return NULL;
}

static const char *check_ecn(const struct facts *facts)
{
	uint8_t reached = facts->reached;

	if (facts->cnp_dscp >= 0 && priority_of(facts, facts->cnp_dscp) >= 0)
		reached |= (uint8_t)(1U << priority_of(facts, facts->cnp_dscp));
	if (facts->has_map && facts->ecn & (uint8_t)~reached)
		return "no DSCP of dscp_to_priority leads there";
	return NULL;
}

int import_rules(struct import *import, struct import_port *port)
{
	static const struct {
		enum import_key key;
		const char *(*check)(const struct facts *facts);
	} checks[] = {
		{ IMPORT_MODE, check_mode },
		{ IMPORT_TRAFFIC_CLASS, check_traffic_class },
		{ IMPORT_CNP, check_cnp },
		{ IMPORT_ECN, check_ecn },
	};
	int n = 0;

	for (size_t i = 0; i < sizeof(checks) / sizeof(checks[0]); i++) {
		const struct facts facts = facts_of(import, port);
		const char *why = checks[i].check(&facts);

		if (!why || !import_effective(import, port, checks[i].key))
			continue;
		if (import_drop(import, port, checks[i].key, why) < 0)
			return -ENOMEM;
		n++;
	}
	return n;
}
