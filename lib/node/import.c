// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Takes what it can, then lets the file be judged by what will judge it: load, resolve, plan. What
 * would be changed is left out, with the reason, until nothing is. Pure.
 */
#include "lib/node/import.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/cleanup.h"
#include "lib/base/macro.h"
#include "lib/base/text.h"
#include "lib/node/import-private.h"
#include "lib/reconcile/plan.h"
#include "lib/spec/name.h"
#include "lib/spec/spec.h"

/* ---- notes ---- */

static void append(char *list, const char *item)
{
	struct text out = { list, IMPORT_NOTE_MAX, strlen(list) };

	text_put(&out, "%s%s", *list ? ", " : "", item);
}

/* Is @item one of the list? */
static bool has_item(const char *list, const char *item)
{
	size_t size = strlen(item);

	for (const char *at = list; (at = strstr(at, item)); at++)
		if ((at == list || at[-1] == ' ') && (at[size] == ',' || !at[size]))
			return true;
	return false;
}

/* One note for all targets of which the same is so, and for all that is so of the same targets. */
int import_note(struct import *import, const char *who, const char *what, const char *why)
{
	struct import_notes *notes = &import->notes;
	struct import_note *note;

	for (size_t i = 0; i < notes->n; i++) {
		note = &notes->list[i];
		if (strcmp(note->what, what) != 0 || strcmp(note->why, why) != 0)
			continue;
		if (!has_item(note->who, who))
			append(note->who, who);
		return 0;
	}
	if (array_grow(&notes->list, notes->n, &notes->room, sizeof(*notes->list)) < 0)
		return -ENOMEM;
	note = &notes->list[notes->n++];
	*note = (struct import_note){};
	append(note->who, who);
	append(note->what, what);
	append(note->why, why);
	return 0;
}

/* Of the same targets for the same reason: one note. */
static void merge_notes(struct import_notes *notes)
{
	size_t n = 0;

	for (size_t i = 0; i < notes->n; i++) {
		struct import_note *note = &notes->list[i];
		size_t same = 0;

		while (same < n && (strcmp(notes->list[same].who, note->who) != 0 ||
				    strcmp(notes->list[same].why, note->why) != 0))
			same++;
		if (same < n)
			append(notes->list[same].what, note->what);
		else
			notes->list[n++] = *note;
	}
	notes->n = n;
}

char *import_why(char *message)
{
	for (char *at = message, *end; (at = strstr(at, " (line "));) {
		end = strchr(at, ')');
		if (!end)
			break;
		memmove(at, end + 1, strlen(end + 1) + 1);
	}
	return message;
}

/* ---- what is left out ---- */

/* What cannot stand without @key. */
static unsigned int dependents(enum import_key key)
{
	if (key == IMPORT_MODE)
		return 1U << IMPORT_TRAFFIC_CLASS | 1U << IMPORT_APPLY_TO | 1U << IMPORT_CNP;
	return key == IMPORT_TRAFFIC_CLASS ? 1U << IMPORT_APPLY_TO : 0;
}

int import_drop(struct import *import, struct import_port *port, enum import_key key,
		const char *why)
{
	unsigned int keys = 1U << key | dependents(key);
	int r = 0;

	for (enum import_key other = 0; other < IMPORT_KEY_MAX && r == 0; other++) {
		enum import_status was = port->status[other];

		if (!(keys >> other & 1))
			continue;
		port->status[other] = IMPORT_NONE;
		if (was == IMPORT_GIVEN && other != IMPORT_APPLY_TO)
			r = import_say(import, port, other,
				       import_value(port, import_rows[other].knob), why);
	}
	return r;
}

enum import_status import_status(const struct import_port *port, enum import_key key)
{
	if (key == IMPORT_TRUST && port->status[key] == IMPORT_GIVEN &&
	    port->status[IMPORT_MAP] == IMPORT_GIVEN)
		return IMPORT_ANY;
	return port->status[key];
}

const char *import_effective(const struct import *import, const struct import_port *port,
			     enum import_key key)
{
	enum import_status status = import_status(port, key);

	return status == IMPORT_GIVEN ? port->text[key] :
	       status == IMPORT_ANY   ? import->top[key] :
					NULL;
}

/* ---- what the plan says ---- */

/* Which keys ask for a knob: those are left out, or else the others. */
static const struct {
	unsigned int first;
	unsigned int then;
} blame[KNOB_MAX] = {
#define KEY(key) (1U << IMPORT_##key)
#define DCB_KEYS \
	(KEY(TRUST) | KEY(MAP) | KEY(PFC) | KEY(CABLE_LENGTH) | KEY(SCHEDULER) | KEY(MAX_RATE))
	[KNOB_FW_LLDP_AGENT] = { DCB_KEYS },
	[KNOB_DCBX] = { DCB_KEYS },
	[KNOB_PAUSE] = { KEY(PFC) },
	[KNOB_SCHEDULER] = { KEY(SCHEDULER), KEY(PFC) },
	[KNOB_MAX_RATE] = { KEY(MAX_RATE) },
	[KNOB_TRUST] = { KEY(TRUST) | KEY(MAP) },
	[KNOB_DSCP_TO_PRIORITY] = { KEY(CNP), KEY(MAP) },
	[KNOB_PFC] = { KEY(PFC) },
	[KNOB_CABLE_LENGTH] = { KEY(CABLE_LENGTH) },
	[KNOB_MTU] = { KEY(MTU) },
	[KNOB_CM_MODE] = { KEY(MODE) },
	[KNOB_CM_TOS] = { KEY(TRAFFIC_CLASS) },
	[KNOB_TRAFFIC_CLASS] = { KEY(TRAFFIC_CLASS) },
	[KNOB_GID] = { KEY(MODE) },
	[KNOB_PFC_WATCHDOG] = { KEY(WATCHDOG) },
	[KNOB_BUFFERS] = { KEY(BUFFERS) },
	[KNOB_ECN_NP] = { KEY(ECN) },
	[KNOB_ECN_RP] = { KEY(ECN) },
	[KNOB_CNP_DSCP] = { KEY(CNP) },
	[KNOB_CNP_PRIORITY] = { KEY(CNP) },
};

/* A bond has what is asked of its ports. */
static bool concerns(const struct import_port *port, const struct target *target)
{
	if (target->kind == TARGET_RDMA)
		return strcmp(port->nic->rdma, target->name) == 0;
	return strcmp(port->nic->name, target->name) == 0 ||
	       strcmp(port->nic->master, target->name) == 0;
}

/* Returns how many of @keys were there and are left out now, or -ENOMEM. */
static int drop_all(struct import *import, struct import_port *port, unsigned int keys,
		    const char *why)
{
	int n = 0, r;

	for (enum import_key key = 0; key < IMPORT_KEY_MAX; key++) {
		if (!(keys >> key & 1) || !import_effective(import, port, key))
			continue;
		r = import_drop(import, port, key, why);
		if (r < 0)
			return r;
		n++;
	}
	return n;
}

int import_drop_all(struct import *import, enum import_key key, const char *why)
{
	int n = 0, r;

	for (size_t i = 0; i < import->n_ports; i++) {
		r = drop_all(import, &import->ports[i], 1U << key, why);
		if (r < 0)
			return r;
		n += r;
	}
	return n;
}

static bool is_calm(const struct finding *finding)
{
	return finding->exit == STATUS_OK &&
	       (finding->verdict == VERDICT_IN_SYNC || finding->verdict == VERDICT_UNSUPPORTED ||
		finding->verdict == VERDICT_NOT_APPLICABLE);
}

static void explain(const struct plan *plan, const struct finding *finding, char *why, size_t size)
{
	const struct state *want = &plan->want->list[finding->target],
			   *have = &plan->have->list[finding->target];
	enum { SHOWN_MAX = 96 };
	char now[SHOWN_MAX], then[SHOWN_MAX];

	if (finding->knob == KNOB_NONE || finding->verdict != VERDICT_DRIFT ||
	    have->value[finding->knob].status != VALUE_KNOWN) {
		(void)snprintf(why, size, "%s is %s%s%s",
			       finding->knob == KNOB_NONE ? want->target.name :
							    knob_table[finding->knob].name,
			       verdict_name(finding->verdict), *finding->reason ? ": " : "",
			       finding->reason);
		return;
	}
	value_format_beside(&knob_table[finding->knob], &have->value[finding->knob],
			    &want->value[finding->knob], now, sizeof(now));
	value_format(&knob_table[finding->knob], &want->value[finding->knob], then, sizeof(then));
	(void)snprintf(why, size, "%s would change from %s to %s", knob_table[finding->knob].name,
		       now, then);
}

/* Returns how many keys were left out because of @finding, or -ENOMEM. */
static int drop_for(struct import *import, const struct plan *plan, const struct finding *finding)
{
	static const unsigned int every = (1U << IMPORT_KEY_MAX) - 1;
	const struct target *target = &plan->want->list[finding->target].target;
	unsigned int first = finding->knob == KNOB_NONE ? every : blame[finding->knob].first,
		     then = finding->knob == KNOB_NONE ? 0 : blame[finding->knob].then;
	char why[IMPORT_NOTE_MAX];
	int n = 0, r;

	explain(plan, finding, why, sizeof(why));
	for (size_t i = 0; i < import->n_ports; i++) {
		struct import_port *port = &import->ports[i];

		if (!concerns(port, target))
			continue;
		r = drop_all(import, port, first, why);
		if (r == 0)
			r = drop_all(import, port, then, why);
		if (r < 0)
			return r;
		n += r;
	}
	return n;
}

/* @want with what was found of it, in its order. */
static int found_of(const struct states *want, const struct states *found, struct states *ret)
{
	for (size_t i = 0; i < want->n; i++) {
		const struct target *target = &want->list[i].target;
		const struct state *state = states_find(found, target->kind, target->name);
		struct state *have = states_add(ret, target->kind, &target->nic, target->name);

		if (!have)
			return -ENOMEM;
		if (state)
			*have = *state;
	}
	return 0;
}

static int plan_judge(struct import *import, const struct states *want)
{
	_cleanup_(states_done) struct states have = {};
	_cleanup_(plan_done) struct plan plan = {};
	int n = 0, r;

	r = found_of(want, import->found, &have);
	if (r == 0)
		r = plan_build(want, &have, PLAN_FORWARD, &plan);
	for (size_t i = 0; r >= 0 && i < plan.n_findings; i++) {
		if (is_calm(&plan.findings[i]))
			continue;
		r = drop_for(import, &plan, &plan.findings[i]);
		n += r;
	}
	return r < 0 ? r : n;
}

/* ---- the file ---- */

/*
 * No rule said why the file would be refused: what came last goes first, until it is not. This is
 * for what the rules here do not know of those of the file.
 */
static int drop_something(struct import *import, const struct diags *diags)
{
	const char *why = diags->n ? import_why(diags->list[0].message) :
				     "the file would be refused";
	int n = 0;

	for (int key = IMPORT_KEY_MAX - 1; key >= 0 && !n; key--)
		n = import_drop_all(import, (enum import_key)key, why);
	return n;
}

static int rules(struct import *import)
{
	int n = 0, r;

	for (size_t i = 0; i < import->n_ports; i++) {
		r = import_rules(import, &import->ports[i]);
		if (r < 0)
			return r;
		n += r;
	}
	return n;
}

/* Returns how many keys were left out because of what @text would do, or -ENOMEM. */
static int judge(struct import *import, const char *text, size_t size)
{
	_cleanup_(desired_done) struct desired desired = {};
	_cleanup_(diags_done) struct diags diags = {};
	_cleanup_(spec_freep) struct spec *spec = NULL;
	int r;

	r = spec_load(text, size, &spec, &diags);
	if (r == 0)
		r = spec_resolve(spec, import->inventory, import->node, &desired, &diags);
	if (r == -EINVAL)
		return drop_something(import, &diags);
	if (r == 0)
		r = import_switch_rules(import, spec);
	return r != 0 ? r : plan_judge(import, &desired.states);
}

static int render(struct import *import, char **ret, size_t *ret_size)
{
	FILE *out = open_memstream(ret, ret_size);
	int r;

	if (!out)
		return -ENOMEM;
	merge_notes(&import->notes);
	r = import_write(import, out);
	return fclose(out) == 0 ? r : -ENOMEM;
}

static bool is_empty(const struct import *import)
{
	for (size_t i = 0; i < import->n_ports; i++)
		for (enum import_key key = 0; key < IMPORT_KEY_MAX; key++)
			if (import->ports[i].status[key] == IMPORT_GIVEN)
				return false;
	return import->n_switches == 0;
}

int import_text(struct import *import, char **ret, size_t *ret_size)
{
	_cleanup_free_ char *text = NULL;
	size_t size = 0;
	int n;

	do {
		free(TAKE_PTR(text));
		import_place(import);
		n = rules(import);
		if (n > 0)
			continue;
		if (n == 0)
			n = render(import, &text, &size);
		if (n == 0)
			n = judge(import, text, size);
	} while (n > 0);
	if (n < 0)
		return n;
	if (is_empty(import))
		return -ENODATA;
	*ret = TAKE_PTR(text);
	*ret_size = size;
	return 0;
}

/* ---- what it is made of ---- */

static int want_all(struct states *states, enum target_kind kind, const struct nic *nic,
		    const char *name, bool only_mtu)
{
	struct state *state = states_find(states, kind, name);

	if (!*name || state)
		return 0;
	state = states_add(states, kind, nic, name);
	if (!state)
		return -ENOMEM;
	for (enum knob knob = 0; knob < KNOB_MAX; knob++)
		if (knob_table[knob].target == kind && (!only_mtu || knob == KNOB_MTU))
			state->value[knob].status = VALUE_KNOWN;
	return 0;
}

static bool is_ours(const struct nic *nic)
{
	return nic->link_layer == LINK_LAYER_ETHERNET;
}

int import_want(const struct inventory *inventory, struct states *ret)
{
	int r = 0;

	for (size_t i = 0; i < inventory->n && r == 0; i++) {
		const struct nic *nic = &inventory->list[i];
		const struct nic *bond = inventory_stacked(inventory, nic->master_ifindex);

		if (!is_ours(nic))
			continue;
		r = want_all(ret, TARGET_PORT, nic, nic->name, false);
		if (r == 0)
			r = want_all(ret, TARGET_RDMA, inventory_rdma(inventory, nic), nic->rdma,
				     false);
		if (r == 0 && bond) {
			struct nic above = *bond;

			above.pci[0] = '\0'; /* the RDMA device's, no sign of the bond */
			r = want_all(ret, TARGET_PORT, &above, above.name, true);
		}
	}
	if (r < 0)
		states_done(ret);
	return r;
}

static bool can_name(enum name kind, const char *name)
{
	struct trouble trouble;

	return name_check(kind, name, &trouble) && !name_is_pattern(name);
}

static bool is_shared(const struct inventory *inventory, const struct nic *nic)
{
	for (size_t i = 0; i < inventory->n; i++)
		if (&inventory->list[i] != nic && strcmp(inventory->list[i].name, nic->name) == 0)
			return true;
	return false;
}

/* By name; where that is none, or another's too, by more than that. */
static void make_selector(const struct inventory *inventory, struct import_port *port)
{
	const struct nic *nic = port->nic;
	char name[NAME_MAX_BYTES + 2], rdma[NAME_MAX_BYTES + 2];
	bool has_name = can_name(NAME_PORT_PATTERN, nic->name);

	import_quote(nic->name, name, sizeof(name));
	import_quote(nic->rdma, rdma, sizeof(rdma));
	port->plain = has_name && !is_shared(inventory, nic);
	if (port->plain)
		(void)snprintf(port->selector, sizeof(port->selector), "name: %s", name);
	else if (can_name(NAME_PORT_PATTERN, nic->rdma))
		(void)snprintf(port->selector, sizeof(port->selector), "%s%s%srdma: %s",
			       has_name ? "name: " : "", has_name ? name : "",
			       has_name ? ", " : "", rdma);
	else if (can_name(NAME_PCI_PATTERN, nic->pci))
		(void)snprintf(port->selector, sizeof(port->selector), "pci: \"%s\"", nic->pci);
}

static bool is_taken(const struct import *import, const char *selector)
{
	for (size_t i = 0; i < import->n_ports; i++)
		if (strcmp(import->ports[i].selector, selector) == 0)
			return true;
	return false;
}

static int add_port(struct import *import, const struct nic *nic)
{
	struct import_port *port = &import->ports[import->n_ports];

	*port = (struct import_port){
		.nic = nic,
		.port = states_find(import->found, TARGET_PORT, nic->name),
		.rdma = states_find(import->found, TARGET_RDMA, nic->rdma),
	};
	make_selector(import->inventory, port);
	if (!*port->selector || is_taken(import, port->selector)) {
		import->all = false;
		return import_note(import, *nic->name ? nic->name : nic->rdma, "the port",
				   "its names cannot stand in a file");
	}
	import->n_ports++;
	return import_take(import, port);
}

static int take_ports(struct import *import)
{
	const struct inventory *inventory = import->inventory;
	int r = 0;

	import->all = true;
	import->ports = calloc(MAX(inventory->n, (size_t)1), sizeof(*import->ports));
	if (!import->ports)
		return -ENOMEM;
	for (size_t i = 0; i < inventory->n && r == 0; i++)
		if (is_ours(&inventory->list[i]))
			r = add_port(import, &inventory->list[i]);
	return r;
}

int import_new(const struct inventory *inventory, const struct states *found, const char *node,
	       const char *fabric, const struct lldp_neighbors *neighbors, struct import **ret)
{
	struct import *import;
	int r = 0;

	if (!can_name(NAME_HOST, node))
		return -EINVAL;
	import = calloc(1, sizeof(*import));
	if (!import)
		return -ENOMEM;
	*import = (struct import){ .inventory = inventory, .found = found, .neighbors = neighbors };
	import->node = strdup(node);
	import->fabric = fabric ? strdup(fabric) : NULL;
	if (!import->node || (fabric && !import->fabric))
		r = -ENOMEM;
	if (r == 0)
		r = take_ports(import);
	if (r < 0) {
		(void)import_free(import);
		return r;
	}
	*ret = import;
	return 0;
}

struct import *import_free(struct import *import)
{
	if (!import)
		return NULL;
	import_switches_done(import);
	free(import->notes.list);
	free(import->ports);
	free(import->fabric);
	free(import->node);
	free(import);
	return NULL;
}

const struct import_notes *import_notes(const struct import *import)
{
	return &import->notes;
}
