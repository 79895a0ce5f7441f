// SPDX-License-Identifier: LGPL-2.1-or-later
/* Cables of the file, and what is heard at their ends. */
#include "lib/node/cabling.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/cleanup.h"
#include "lib/base/macro.h"

enum { ROCE_UDP_PORT = 4791 }; /* IBTA annex A17 */

static void note(struct cable *cable, const char *format, ...) _printf_(2, 3);

static void note(struct cable *cable, const char *format, ...)
{
	size_t used = strlen(cable->note);
	va_list args;

	if (used && used < sizeof(cable->note))
		used += (size_t)snprintf(cable->note + used, sizeof(cable->note) - used, "; ");
	if (used >= sizeof(cable->note))
		return;
	va_start(args, format);
	(void)vsnprintf(cable->note + used, sizeof(cable->note) - used, format, args);
	va_end(args);
}

/* ---- what the file says ---- */

struct survey {
	const struct spec *spec;
	const char *node;
	struct cabling *cabling;
	const char *name;	/* of the switch */
	bool mine;
	bool here;		/* those that end on this node, or the others */
};

static int list_cable(const struct spec_cable *from, void *data)
{
	const struct survey *survey = data;
	struct cabling *cabling = survey->cabling;
	struct cable *cable;
	bool here = spec_node_is(survey->spec, from->node, survey->node);

	if (here != survey->here || (!here && !survey->mine))
		return 0;
	if (array_grow(&cabling->list, cabling->n, &cabling->room, sizeof(*cabling->list)) < 0)
		return -ENOMEM;
	cable = &cabling->list[cabling->n++];
	*cable = (struct cable){ .here = here, .where = from->where };
	(void)snprintf(cable->name, sizeof(cable->name), "%s", survey->name);
	(void)snprintf(cable->port, sizeof(cable->port), "%s", from->port);
	(void)snprintf(cable->end, sizeof(cable->end), "%s", from->end);
	(void)snprintf(cable->node, sizeof(cable->node), "%s", from->node);
	(void)snprintf(cable->device, sizeof(cable->device), "%s", from->device);
	return 0;
}

static int list_all(struct survey *survey)
{
	int r = 0;

	for (size_t i = 0; r == 0 && i < spec_switch_count(survey->spec); i++) {
		char owner[SWITCH_NAME_MAX_BYTES];

		spec_switch_owner(survey->spec, i, owner, sizeof(owner));
		survey->name = spec_switch_name(survey->spec, i);
		survey->mine = spec_node_is(survey->spec, owner, survey->node);
		r = spec_switch_cables(survey->spec, i, list_cable, survey);
	}
	return r;
}

/* ---- what is advertised ---- */

static void tell_priorities(uint8_t bits, char *ret, size_t size)
{
	struct switch_value value = { .status = SWITCH_KNOWN };

	for (uint32_t i = 0; i < 8; i++)
		if (bits >> i & 1)
			(void)switch_value_add(&value, &(struct switch_entry){ .key = i });
	switch_value_format(SWITCH_PFC, &value, ret, size);
}

static uint8_t priorities_of(const struct switch_value *value)
{
	uint8_t bits = 0;

	for (size_t i = 0; i < value->n; i++)
		bits |= (uint8_t)(1U << value->entry[i].key);
	return bits;
}

static void judge_pfc(struct cable *cable, const struct lldp_pfc *pfc,
		      const struct switch_value *want)
{
	struct advert *advert = &cable->pfc;

	if (want->status != SWITCH_KNOWN)
		return;
	switch_value_format(SWITCH_PFC, want, advert->want, sizeof(advert->want));
	advert->verdict = ADVERT_MISSING;
	if (!pfc->given)
		return;
	tell_priorities(pfc->priorities, advert->told, sizeof(advert->told));
	advert->verdict = pfc->priorities == priorities_of(want) ? ADVERT_AGREES : ADVERT_DIFFERS;
	if (advert->verdict == ADVERT_DIFFERS)
		note(cable, "advertises PFC on %s, the file wants %s", advert->told, advert->want);
}

/* 1: as wanted, -1: not, 0: of something else. RoCE's UDP port belongs to a lossless priority. */
static int judge_app(const struct lldp_app *app, const struct switch_value *map,
		     const struct switch_value *pfc)
{
	const struct switch_entry *entry;

	if (app->selector == LLDP_DSCP) {
		entry = switch_value_find(map, app->id);
		return !entry ? 0 : entry->field[0] == app->priority ? 1 : -1;
	}
	if ((app->selector != LLDP_UDP && app->selector != LLDP_PORT) ||
	    app->id != ROCE_UDP_PORT || pfc->status != SWITCH_KNOWN || pfc->n == 0)
		return 0;
	return switch_value_find(pfc, app->priority) ? 1 : -1;
}

static void tell_app(const struct lldp_app *app, char *text, size_t size)
{
	size_t used = strlen(text);

	if (used < size)
		(void)snprintf(text + used, size - used, "%s%s%u:%u", used ? " " : "",
			       app->selector == LLDP_DSCP ? "" : "udp ", app->id, app->priority);
}

static void judge_apps(struct cable *cable, const struct lldp_neighbor *neighbor,
		       const struct switch_value *map, const struct switch_value *pfc)
{
	struct advert *advert = &cable->dscp;

	if (map->status != SWITCH_KNOWN)
		return;
	switch_value_format(SWITCH_DSCP_MAP, map, advert->want, sizeof(advert->want));
	advert->verdict = ADVERT_MISSING;
	for (size_t i = 0; i < neighbor->n_apps; i++) {
		int r = judge_app(&neighbor->app[i], map, pfc);

		if (r == 0)
			continue;
		tell_app(&neighbor->app[i], advert->told, sizeof(advert->told));
		if (r < 0)
			advert->verdict = ADVERT_DIFFERS;
		else if (advert->verdict == ADVERT_MISSING)
			advert->verdict = ADVERT_AGREES;
	}
	if (advert->verdict == ADVERT_DIFFERS)
		note(cable, "advertises DSCP %s, the file wants %s", advert->told, advert->want);
}

static void note_adverts(struct cable *cable, const struct lldp_neighbor *neighbor)
{
	bool pfc = cable->pfc.verdict == ADVERT_MISSING, dscp = cable->dscp.verdict ==
								  ADVERT_MISSING;

	if (pfc || dscp)
		note(cable, "%s%s%s not advertised", pfc ? "PFC" : "", pfc && dscp ? ", DSCP" : "",
		     pfc ? "" : "DSCP");
	if (neighbor->cee)
		note(cable, "speaks DCBX of CEE, which is not decoded");
	if (neighbor->malformed)
		note(cable, "a TLV of DCB is malformed and was left out");
}

static void judge_adverts(struct cable *cable, const struct lldp_neighbor *neighbor,
			  const struct switch_wish *wish)
{
	for (size_t i = 0; i < wish->n_targets; i++) {
		const struct switch_target *target = &wish->targets[i];

		if (strcmp(target->port, cable->port) != 0)
			continue;
		judge_pfc(cable, &neighbor->pfc, &target->want[SWITCH_PFC]);
		judge_apps(cable, neighbor, &target->want[SWITCH_DSCP_MAP],
			   &target->want[SWITCH_PFC]);
	}
	note_adverts(cable, neighbor);
}

/* ---- what is heard ---- */

/* A switch of the file, and what it is compared with. */
struct known {
	struct switch_wish wish;
	const char **ports;
	size_t n_ports;
};

static enum cable_verdict verdict_of(const struct cable *cable, const struct known *known,
				     const struct lldp_neighbor *neighbor)
{
	enum match chassis = chassis_match(neighbor, cable->name, known->wish.address);
	enum match port = port_match(neighbor, cable->port, known->ports, known->n_ports);

	if (chassis == MATCH_NO || (chassis == MATCH_YES && port == MATCH_NO))
		return CABLE_DIFFERS;
	return chassis == MATCH_YES && port == MATCH_YES ? CABLE_CONFIRMED : CABLE_UNKNOWN;
}

/* What counts if a port hears several. */
static bool is_better(enum cable_verdict verdict, enum cable_verdict than)
{
	static const int ranks[] = {
		[CABLE_UNSEEN] = 0, [CABLE_DIFFERS] = 1, [CABLE_UNKNOWN] = 2, [CABLE_CONFIRMED] = 3,
	};

	return ranks[verdict] > ranks[than];
}

static void take_heard(struct cable *cable, const struct lldp_neighbor *neighbor)
{
	const char *chassis = *neighbor->chassis    ? neighbor->chassis :
			      neighbor->n_addresses ? neighbor->address[0] :
						      neighbor->chassis_id;

	cable->heard = true;
	cable->cee = neighbor->cee;
	(void)snprintf(cable->chassis, sizeof(cable->chassis), "%s", chassis);
	memcpy(cable->port_type, neighbor->port_type, sizeof(cable->port_type));
	memcpy(cable->heard_port, neighbor->port, sizeof(cable->heard_port));
	memcpy(cable->heard_text, neighbor->port_text, sizeof(cable->heard_text));
}

/* Confirmed in the words of the file, but for the domain of the switch. */
static bool is_said_so(const struct cable *cable)
{
	size_t n = strlen(cable->name);

	return cable->verdict == CABLE_CONFIRMED &&
	       strncasecmp(cable->chassis, cable->name, n) == 0 &&
	       (!cable->chassis[n] || cable->chassis[n] == '.') &&
	       (strcmp(cable->heard_port, cable->port) == 0 ||
		strcmp(cable->heard_text, cable->port) == 0);
}

/* Where the words are not those of the file: both are told. */
static void note_heard(struct cable *cable)
{
	bool named = strcmp(cable->port_type, "ifname") == 0;

	if (is_said_so(cable))
		return;
	if (!*cable->chassis && !*cable->heard_port) {
		note(cable, "LLDP names neither switch nor port");
		return;
	}
	note(cable, "LLDP says %s/%s%s%s%s%s%s%s", cable->chassis, named ? "" : cable->port_type,
	     named ? "" : " ", cable->heard_port, named || !*cable->heard_text ? "" : " (",
	     named ? "" : cable->heard_text, named || !*cable->heard_text ? "" : ")",
	     cable->verdict == CABLE_UNKNOWN ? ", which cannot be compared" : "");
}

static void hear(struct cable *cable, const struct known *known,
		 const struct lldp_neighbors *neighbors)
{
	const struct lldp_neighbor *best = NULL;

	cable->verdict = CABLE_UNSEEN;
	for (size_t i = 0; i < neighbors->n; i++) {
		const struct lldp_neighbor *neighbor = &neighbors->list[i];
		enum cable_verdict verdict;

		if (strcmp(neighbor->device, cable->device) != 0)
			continue;
		verdict = verdict_of(cable, known, neighbor);
		if (best && !is_better(verdict, cable->verdict))
			continue;
		cable->verdict = verdict;
		best = neighbor;
	}
	if (!best)
		return;
	take_heard(cable, best);
	note_heard(cable);
	/* What another port advertises says nothing of this one */
	if (cable->verdict != CABLE_DIFFERS)
		judge_adverts(cable, best, &known->wish);
}

static void known_done(struct known *known)
{
	switch_wish_done(&known->wish);
	free(known->ports);
}

static int know(const struct spec *spec, const char *name, struct known *ret)
{
	_cleanup_(diags_done) struct diags diags = {};
	int r = spec_switch_resolve(spec, name, &ret->wish, &diags);

	if (r < 0)
		return r;
	ret->ports = calloc(ret->wish.n_targets + 1, sizeof(*ret->ports));
	if (!ret->ports)
		return -ENOMEM;
	for (size_t i = 1; i < ret->wish.n_targets; i++)
		ret->ports[ret->n_ports++] = ret->wish.targets[i].port;
	return 0;
}

/* Cables of one switch stand together. */
static int hear_all(const struct spec *spec, const struct lldp_neighbors *neighbors,
		    struct cabling *cabling)
{
	_cleanup_(known_done) struct known known = {};
	const char *name = "";
	int r;

	for (size_t i = 0; i < cabling->n; i++) {
		struct cable *cable = &cabling->list[i];

		if (!cable->here) {
			cable->verdict = CABLE_ELSEWHERE;
			continue;
		}
		if (strcmp(name, cable->name) != 0) {
			known_done(&known);
			known = (struct known){};
			r = know(spec, cable->name, &known);
			if (r < 0)
				return r;
			name = cable->name;
		}
		hear(cable, &known, neighbors);
	}
	return 0;
}

/* ---- what is heard and not in the file ---- */

static bool has_cable(const struct cabling *cabling, const char *device)
{
	for (size_t i = 0; i < cabling->n; i++)
		if (cabling->list[i].here && strcmp(cabling->list[i].device, device) == 0)
			return true;
	return false;
}

/* The switch of the file that it is; -1: none. */
static ssize_t find_switch(const struct spec *spec, const struct lldp_neighbor *neighbor)
{
	for (size_t i = 0; i < spec_switch_count(spec); i++) {
		struct switch_wish wish = {};
		enum match match;

		if (spec_switch_access(spec, i, &wish) < 0)
			return -1;
		match = chassis_match(neighbor, wish.name, wish.address);
		switch_wish_done(&wish);
		if (match == MATCH_YES)
			return (ssize_t)i;
	}
	return -1;
}

static int list_unlisted(const struct spec *spec, const char *node,
			 const struct lldp_neighbors *neighbors, struct cabling *cabling)
{
	for (size_t i = 0; i < neighbors->n; i++) {
		const struct lldp_neighbor *neighbor = &neighbors->list[i];
		struct cable *cable;
		ssize_t index;

		if (has_cable(cabling, neighbor->device))
			continue;
		index = find_switch(spec, neighbor);
		if (index < 0)
			continue;
		if (array_grow(&cabling->list, cabling->n, &cabling->room,
			       sizeof(*cabling->list)) < 0)
			return -ENOMEM;
		cable = &cabling->list[cabling->n++];
		*cable = (struct cable){ .here = true, .verdict = CABLE_UNLISTED };
		(void)snprintf(cable->name, sizeof(cable->name), "%s",
			       spec_switch_name(spec, (size_t)index));
		(void)snprintf(cable->node, sizeof(cable->node), "%s", node);
		memcpy(cable->device, neighbor->device, sizeof(cable->device));
		take_heard(cable, neighbor);
		note_heard(cable);
	}
	return 0;
}

int cabling_list(const struct spec *spec, const char *node, const struct lldp_neighbors *neighbors,
		 struct cabling *ret)
{
	_cleanup_(cabling_done) struct cabling cabling = {};
	struct survey survey = { .spec = spec, .node = node, .cabling = &cabling, .here = true };
	int r;

	r = list_all(&survey);
	survey.here = false;
	if (r == 0)
		r = list_all(&survey);
	if (r == 0 && neighbors)
		r = hear_all(spec, neighbors, &cabling);
	if (r == 0 && neighbors)
		r = list_unlisted(spec, node, neighbors, &cabling);
	if (r < 0)
		return r;
	*ret = cabling;
	cabling = (struct cabling){};
	return 0;
}
