// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Switches of an import: how they are reached comes from a file, what they are from what they
 * answer to a file that asks for everything. What the file would change is left out: a port that is
 * otherwise than the rest with its cable, the rest with its key. Pure.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/cleanup.h"
#include "lib/base/macro.h"
#include "lib/base/text.h"
#include "lib/node/import-private.h"
#include "lib/spec/switch.h"

/* ---- what the file says ---- */

static char *part_of(const struct spec *spec, size_t index, enum switch_part part)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	spec_switch_write(spec, index, part, 4, out);
	return fclose(out) == 0 ? text : NULL;
}

static int add_cable(const struct spec_cable *from, void *data)
{
	struct import_switch *sw = data;
	struct import_cable *cable;

	if (array_grow(&sw->cables, sw->n_cables, &sw->room, sizeof(*sw->cables)) < 0)
		return -ENOMEM;
	cable = &sw->cables[sw->n_cables++];
	*cable = (struct import_cable){};
	(void)snprintf(cable->port, sizeof(cable->port), "%s", from->port);
	(void)snprintf(cable->end, sizeof(cable->end), "%s", from->end);
	(void)snprintf(cable->node, sizeof(cable->node), "%s", from->node);
	return 0;
}

int import_switch_add(struct import *import, const struct spec *spec, size_t index)
{
	struct import_switch *sw;

	if (array_grow(&import->switches, import->n_switches, &import->switches_room,
		       sizeof(*import->switches)) < 0)
		return -ENOMEM;
	sw = &import->switches[import->n_switches++];
	*sw = (struct import_switch){
		.name = strdup(spec_switch_name(spec, index)),
		.access = part_of(spec, index, SWITCH_ACCESS),
		.ports = part_of(spec, index, SWITCH_PORTS),
	};
	if (!sw->name || !sw->access || !sw->ports)
		return -ENOMEM;
	return spec_switch_cables(spec, index, add_cable, sw);
}

static void switch_done(struct import_switch *sw)
{
	free(sw->name);
	free(sw->access);
	free(sw->ports);
	free(sw->cables);
}

void import_switches_done(struct import *import)
{
	for (size_t i = 0; i < import->n_switches; i++)
		switch_done(&import->switches[i]);
	free(import->switches);
}

struct import_switch *import_switch_find(const struct import *import, const char *name)
{
	for (size_t i = 0; i < import->n_switches; i++)
		if (strcmp(import->switches[i].name, name) == 0)
			return &import->switches[i];
	return NULL;
}

/* A cable to a switch that is not in the file cannot be either. */
static bool is_out(const struct import *import, const struct import_cable *cable)
{
	char name[SWITCH_NAME_MAX_BYTES];

	(void)snprintf(name, sizeof(name), "%.*s", (int)strcspn(cable->end, "/"), cable->end);
	return cable->out || (!*cable->node && !import_switch_find(import, name));
}

static bool is_ours(const struct import *import, const struct import_cable *cable)
{
	return strcmp(cable->node, import->node) == 0;
}

static bool was_before(const struct import *import, size_t at, size_t index)
{
	const char *node = import->switches[at].cables[index].node;

	for (size_t i = 0; i <= at; i++) {
		const struct import_switch *sw = &import->switches[i];

		for (size_t j = 0; j < (i == at ? index : sw->n_cables); j++)
			if (!is_out(import, &sw->cables[j]) &&
			    strcmp(sw->cables[j].node, node) == 0)
				return true;
	}
	return false;
}

const char *import_other_node(const struct import *import, size_t index)
{
	for (size_t i = 0; i < import->n_switches; i++)
		for (size_t j = 0; j < import->switches[i].n_cables; j++) {
			const struct import_cable *cable = &import->switches[i].cables[j];

			if (!*cable->node || is_ours(import, cable) || is_out(import, cable) ||
			    was_before(import, i, j))
				continue;
			if (!index--)
				return cable->node;
		}
	return NULL;
}

/* ---- the file ---- */

const struct import_switch_row import_switch_rows[] = {
	[IMPORT_SWITCH_MAP] = { "qos", "dscp_to_priority" },
	[IMPORT_SWITCH_PFC] = { "qos", "pfc" },
	[IMPORT_SWITCH_WATCHDOG] = { "qos", "pfc_watchdog" },
	[IMPORT_SWITCH_ECN] = { NULL, "ecn" },
	[IMPORT_SWITCH_MTU] = { NULL, "mtu" },
};
static_assert(ARRAY_SIZE(import_switch_rows) == IMPORT_SWITCH_KEY_MAX, "a row for each key");

static void put_ports(const struct import *import, const struct import_switch *sw, FILE *out)
{
	char port[SWITCH_PORT_MAX + 2], end[SWITCH_NAME_MAX_BYTES + 2];
	size_t n = 0;

	for (size_t i = 0; i < sw->n_cables; i++)
		n += !is_out(import, &sw->cables[i]);
	if (n == sw->n_cables) {
		(void)fputs(sw->ports, out);
		return;
	}
	(void)fputs(n ? "    ports:\n" : "", out);
	for (size_t i = 0; i < sw->n_cables; i++) {
		if (is_out(import, &sw->cables[i]))
			continue;
		import_quote(sw->cables[i].port, port, sizeof(port));
		import_quote(sw->cables[i].end, end, sizeof(end));
		(void)fprintf(out, "      %s: %s\n", port, end);
	}
}

/* Without a node on its ports it has to be said whose it is. */
static bool needs_owner(const struct import *import, const struct import_switch *sw)
{
	if (strstr(sw->access, "    owner:"))
		return false;
	for (size_t i = 0; i < sw->n_cables; i++)
		if (!is_out(import, &sw->cables[i]) && *sw->cables[i].node)
			return !is_ours(import, &sw->cables[i]);
	return true;
}

static void put_head(const struct import *import, const struct import_switch *sw, FILE *out)
{
	char name[256 + 2];

	import_quote(sw->name, name, sizeof(name));
	(void)fprintf(out, "  %s:\n%s", name, sw->access);
	import_quote(import->node, name, sizeof(name));
	if (needs_owner(import, sw))
		(void)fprintf(out, "    owner: %s\n", name);
	put_ports(import, sw, out);
}

void import_switch_write(const struct import *import, const struct import_switch *sw, FILE *out)
{
	const char *section = NULL;

	put_head(import, sw, out);
	for (enum import_switch_key key = 0; key < IMPORT_SWITCH_KEY_MAX; key++) {
		if (!sw->given[key])
			continue;
		if (import_switch_rows[key].section && !section)
			(void)fputs("    qos:\n", out);
		section = import_switch_rows[key].section;
		import_put(out, section ? 6 : 4, import_switch_rows[key].key, sw->text[key]);
	}
}

int import_probe(struct import *import, char **ret, size_t *ret_size)
{
	FILE *out = open_memstream(ret, ret_size);
	const char *node;
	char name[256 + 2];

	if (!out)
		return -ENOMEM;
	import_quote(import->node, name, sizeof(name));
	(void)fprintf(out,
		      "version: 1\nfabric: %s\nroce: {cnp: {dscp: 48, priority: 6}}\n"
		      "nodes:\n  %s: {}\n",
		      import->fabric ?: "imported", name);
	for (size_t i = 0; (node = import_other_node(import, i)); i++) {
		import_quote(node, name, sizeof(name));
		(void)fprintf(out, "  %s: {}\n", name);
	}
	(void)fputs("switches:\n", out);
	for (size_t i = 0; i < import->n_switches; i++) {
		put_head(import, &import->switches[i], out);
		(void)fputs("    qos:\n"
			    "      dscp_to_priority: {26: 3, 48: 6}\n"
			    "      pfc: [3]\n"
			    "      pfc_watchdog: {detect: 200ms, restore: 400ms, action: drop}\n"
			    "    ecn: {priorities: [3], min: 150KiB, max: 1500KiB}\n"
			    "    mtu: 1500\n",
			    out);
	}
	return fclose(out) == 0 ? 0 : -ENOMEM;
}

/* ---- what would be changed ---- */

int import_switch_note(struct import *import, const struct import_switch *sw, const char *what,
		       const char *value, const char *why)
{
	char text[IMPORT_NOTE_MAX];

	(void)snprintf(text, sizeof(text), "%s (%.*s)", what, IMPORT_SHOWN_MAX, value);
	return import_note(import, sw->name, text, why);
}

/* The keys of a switch, and of the ports of this node, that ask for a knob. */
static const struct {
	enum import_switch_key key; /* IMPORT_SWITCH_KEY_MAX: none */
	enum import_key of_node; /* IMPORT_KEY_MAX: none */
} blame[] = {
	[SWITCH_FLOW_CONTROL] = { IMPORT_SWITCH_PFC, IMPORT_PFC },
	[SWITCH_TRUST] = { IMPORT_SWITCH_MAP, IMPORT_MAP },
	[SWITCH_DSCP_MAP] = { IMPORT_SWITCH_MAP, IMPORT_MAP },
	[SWITCH_DSCP_MAP_PORT] = { IMPORT_SWITCH_MAP, IMPORT_MAP },
	[SWITCH_SCHEDULER] = { IMPORT_SWITCH_KEY_MAX, IMPORT_CNP },
	[SWITCH_ECN] = { IMPORT_SWITCH_ECN, IMPORT_KEY_MAX },
	[SWITCH_ECN_PORT] = { IMPORT_SWITCH_ECN, IMPORT_KEY_MAX },
	[SWITCH_ECN_PROFILE] = { IMPORT_SWITCH_ECN, IMPORT_KEY_MAX },
	[SWITCH_BUFFERS] = { IMPORT_SWITCH_PFC, IMPORT_PFC },
	[SWITCH_PFC_PRIORITIES] = { IMPORT_SWITCH_PFC, IMPORT_PFC },
	[SWITCH_PFC_ENABLED] = { IMPORT_SWITCH_PFC, IMPORT_PFC },
	[SWITCH_PFC] = { IMPORT_SWITCH_PFC, IMPORT_PFC },
	[SWITCH_WATCHDOG] = { IMPORT_SWITCH_WATCHDOG, IMPORT_WATCHDOG },
	[SWITCH_WATCHDOG_PORT] = { IMPORT_SWITCH_WATCHDOG, IMPORT_WATCHDOG },
	[SWITCH_MTU] = { IMPORT_SWITCH_MTU, IMPORT_MTU },
	[SWITCH_DCBX] = { IMPORT_SWITCH_PFC, IMPORT_PFC },
};
static_assert(ARRAY_SIZE(blame) == SWITCH_KNOB_MAX, "one row for each knob");

/* Returns how much was left out: 0 if there was nothing. */
static int drop_key(struct import *import, struct import_switch *sw, enum import_switch_key key,
		    const char *why)
{
	int r;

	if (key == IMPORT_SWITCH_KEY_MAX || !sw->given[key])
		return 0;
	sw->given[key] = false;
	r = import_switch_note(import, sw, import_switch_rows[key].key, sw->text[key], why);
	return r < 0 ? r : 1;
}

static bool is_bad(const struct switch_finding *finding)
{
	return finding->verdict == VERDICT_DRIFT || switch_finding_exit(finding) != STATUS_OK;
}

/* Is another port as it should be in this? */
static bool suits_others(const struct switch_state *state, const struct switch_finding *finding)
{
	for (size_t i = 0; i < state->n; i++) {
		const struct switch_finding *other = &state->findings[i];

		if (*other->port && other->knob == finding->knob && !is_bad(other))
			return true;
	}
	return false;
}

static int drop_cable(struct import *import, struct import_switch *sw, const char *port,
		      const char *why)
{
	char who[SWITCH_NAME_MAX_BYTES + SWITCH_PORT_MAX];

	for (size_t i = 0; i < sw->n_cables; i++) {
		if (strcmp(sw->cables[i].port, port) != 0 || sw->cables[i].out)
			continue;
		sw->cables[i].out = true;
		(void)snprintf(who, sizeof(who), "%s/%s", sw->name, port);
		return import_note(import, who, "its cable", why) < 0 ? -ENOMEM : 1;
	}
	return 0;
}

int import_switch_cut(struct import *import, struct import_switch *sw)
{
	char why[IMPORT_NOTE_MAX];
	int r = 0;

	for (size_t i = 0; i < sw->n_cables && r >= 0; i++) {
		const struct import_cable *cable = &sw->cables[i];

		if (cable->out || !is_out(import, cable))
			continue;
		(void)snprintf(why, sizeof(why), "%s is not imported with it", cable->end);
		r = drop_cable(import, sw, cable->port, why);
	}
	return r < 0 ? r : 0;
}

static void explain(const struct import_switch *sw, const struct switch_finding *finding,
		    char *why, size_t size)
{
	const char *knob = finding->knob < SWITCH_KNOB_MAX ?
				   switch_knob_table[finding->knob].name :
				   "the port";

	if (finding->verdict == VERDICT_DRIFT)
		(void)snprintf(why, size, "%s of %s%s%s would change from %.*s to %.*s", knob,
			       sw->name, *finding->port ? "/" : "", finding->port, IMPORT_SHOWN_MAX,
			       finding->have, IMPORT_SHOWN_MAX, finding->want);
	else
		(void)snprintf(why, size, "%s of %s%s%s is %s%s%s", knob, sw->name,
			       *finding->port ? "/" : "", finding->port,
			       verdict_name(finding->verdict), *finding->note ? ": " : "",
			       finding->note);
}

/*
 * The port, if only that is otherwise; what is said of the switch; what the nodes bring along. What
 * a dialect cannot do is no reason to be silent of the nodes: a plan changes nothing for it, and
 * says so.
 */
static int drop_for(struct import *import, struct import_switch *sw,
		    const struct switch_state *state, const struct switch_finding *finding,
		    const char *why)
{
	int n = 0;

	if (finding->knob == SWITCH_KNOB_MAX || (*finding->port && suits_others(state, finding)))
		return drop_cable(import, sw, finding->port, why);
	n = drop_key(import, sw, blame[finding->knob].key, why);
	if (n == 0 && finding->verdict != VERDICT_UNSUPPORTED &&
	    blame[finding->knob].of_node < IMPORT_KEY_MAX)
		n = import_drop_all(import, blame[finding->knob].of_node, why);
	return n;
}

/* A cable that is out by now says nothing any more. */
static bool is_asked(const struct import_switch *sw, const char *port)
{
	for (size_t i = 0; i < sw->n_cables; i++)
		if (strcmp(sw->cables[i].port, port) == 0)
			return !sw->cables[i].out;
	return true;
}

/* Nothing of what is said makes it otherwise. */
static int drop_switch(struct import *import, struct import_switch *sw, const char *why)
{
	size_t at = (size_t)(sw - import->switches);
	int r = import_note(import, sw->name, "the switch", why);

	switch_done(sw);
	import->n_switches--;
	memmove(sw, sw + 1, (import->n_switches - at) * sizeof(*sw));
	return r < 0 ? r : 1;
}

int import_switch_judge(struct import *import, const struct switch_state *state)
{
	struct import_switch *sw = import_switch_find(import, state->name);
	char why[IMPORT_NOTE_MAX], stuck[IMPORT_NOTE_MAX] = "";
	int n = 0, r;

	for (size_t i = 0; sw && i < state->n; i++) {
		const struct switch_finding *finding = &state->findings[i];

		if (!is_bad(finding) || !is_asked(sw, finding->port))
			continue;
		explain(sw, finding, why, sizeof(why));
		r = drop_for(import, sw, state, finding, why);
		if (r < 0)
			return r;
		n += r;
		if (r == 0 && finding->verdict != VERDICT_UNSUPPORTED)
			memcpy(stuck, why, sizeof(stuck));
	}
	return n || !*stuck ? n : drop_switch(import, sw, stuck);
}

/* What the nodes say of RoCE may contradict what a switch says of its map. */
static int drop_something(struct import *import, struct import_switch *sw, const char *why)
{
	static const enum import_switch_key order[] = {
		IMPORT_SWITCH_ECN,	IMPORT_SWITCH_PFC, IMPORT_SWITCH_MAP,
		IMPORT_SWITCH_WATCHDOG, IMPORT_SWITCH_MTU,
	};
	int n = 0;

	for (size_t i = 0; i < ARRAY_SIZE(order) && n == 0; i++)
		n = drop_key(import, sw, order[i], why);
	if (n == 0)
		n = import_drop_all(import, IMPORT_TRAFFIC_CLASS, why);
	return n ? n : drop_switch(import, sw, why);
}

int import_switch_rules(struct import *import, const struct spec *spec)
{
	int n = 0, r;

	for (size_t i = 0; i < import->n_switches && n == 0; i++) {
		_cleanup_(diags_done) struct diags diags = {};
		_cleanup_(switch_wish_done) struct switch_wish wish = {};

		r = spec_switch_resolve(spec, import->switches[i].name, &wish, &diags);
		if (r == -EINVAL)
			n = drop_something(import, &import->switches[i],
					   import_why(diags.list[0].message));
		else if (r < 0)
			return r;
	}
	return n;
}
