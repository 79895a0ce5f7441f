// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Pause frames of the ports that the spec in force is about: read when everything is read anyway,
 * never for their own sake. A storm is told when it begins and when it ends, and stands in the
 * status meanwhile.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "daemon/manager-private.h"
#include "lib/base/array.h"
#include "lib/nic/counters.h"

/* What to do about a storm: frames come from the peer, their cause is behind it. */
static const char advice[] =
	"look for a slow or hung receiver behind the peer: there losslessctl show counters has "
	"tx_pause";

static struct manager_port *need_port(struct manager *manager, const struct nic *nic)
{
	for (size_t i = 0; i < manager->n_ports; i++)
		if (manager->ports[i].nic.ifindex == nic->ifindex)
			return &manager->ports[i];
	if (array_grow(&manager->ports, manager->n_ports, &manager->ports_room,
		       sizeof(*manager->ports)) < 0)
		return NULL;
	manager->ports[manager->n_ports] = (struct manager_port){};
	return &manager->ports[manager->n_ports++];
}

/* ---- storms ---- */

static void tell_storm(struct manager *manager, const struct manager_port *port,
		       unsigned int priority, bool begins)
{
	uint64_t per_s = port->storm[priority].per_s;

	if (begins)
		manager_tell_port(manager, EVENT_STORM_BEGIN, port->nic.name,
				  "%s: a pause storm stops priority %u, %" PRIu64
				  " PFC frames a second: %s",
				  port->nic.name, priority, per_s, advice);
	else
		manager_tell_port(manager, EVENT_STORM_END, port->nic.name,
				  "%s: the pause storm on priority %u is over, %" PRIu64
				  " PFC frames a second",
				  port->nic.name, priority, per_s);
}

/* It cannot be told any more: it does not stand in the status for ever. */
static void lose_storm(struct manager *manager, struct manager_port *port, unsigned int priority)
{
	if (port->storm[priority].on)
		manager_tell_port(manager, EVENT_STORM_END, port->nic.name,
				  "%s: the pause storm on priority %u is no longer looked at",
				  port->nic.name, priority);
	port->storm[priority] = (struct storm){};
}

static void feed(struct manager *manager, struct manager_port *port, unsigned int priority,
		 enum counter_source before)
{
	const struct counters *now = &port->counters;
	struct storm *storm = &port->storm[priority];
	enum storm_change change;

	if (now->source[COUNTER_RX_PAUSE][priority] == COUNTER_UNKNOWN)
		return lose_storm(manager, port, priority);
	if (now->source[COUNTER_RX_PAUSE][priority] != before)
		storm_count_anew(storm);
	change = storm_feed(storm, now->value[COUNTER_RX_PAUSE][priority], now->at_ms);
	if (change != STORM_SAME)
		tell_storm(manager, port, priority, change == STORM_BEGINS);
}

/* A port that is gone, or that nothing is wanted of any more. */
static void drop_unseen(struct manager *manager)
{
	size_t n = 0;

	for (size_t i = 0; i < manager->n_ports; i++) {
		struct manager_port *port = &manager->ports[i];

		if (port->seen) {
			manager->ports[n++] = *port;
			continue;
		}
		for (unsigned int priority = 0; priority < PRIORITIES; priority++)
			lose_storm(manager, port, priority);
	}
	manager->n_ports = n;
}

void manager_storms(struct manager *manager, struct report *report)
{
	size_t room = REPORT_WARNINGS_MAX - report->n_warnings, n = 0;
	char *last = NULL;

	for (size_t i = 0; i < manager->n_ports * PRIORITIES; i++) {
		const struct manager_port *port = &manager->ports[i / PRIORITIES];
		unsigned int priority = i % PRIORITIES;

		if (!port->storm[priority].on || n++ >= room)
			continue;
		last = manager->storm_words[n - 1];
		(void)snprintf(last, sizeof(manager->storm_words[0]),
			       "%s: a pause storm stops priority %u, %" PRIu64
			       " PFC frames a second: %s",
			       port->nic.name, priority, port->storm[priority].per_s, advice);
		report->warnings[report->n_warnings++] = last;
	}
	if (n > room && last)
		(void)snprintf(last, sizeof(manager->storm_words[0]),
			       "%zu more pause storms on this node: losslessctl show counters",
			       n - room + 1);
}

/* ---- reading ---- */

static void count_port(struct manager *manager, const struct nic *nic)
{
	struct manager_port *port = need_port(manager, nic);
	struct counters before;

	if (!port || port->seen)
		return;
	before = port->counters;
	/* A port that went between two looks is dropped at the next one */
	port->seen = true;
	port->nic = *nic;
	if (nic_pauses_read(manager->os, nic, &port->counters) < 0)
		return;
	for (unsigned int i = 0; i < PRIORITIES; i++)
		feed(manager, port, i, before.source[COUNTER_RX_PAUSE][i]);
}

void manager_count(struct manager *manager)
{
	const struct states *want = &manager->now.desired.states;

	for (size_t i = 0; i < manager->n_ports; i++)
		manager->ports[i].seen = false;
	for (size_t i = 0; manager->has_now && i < want->n; i++) {
		const struct target *target = &want->list[i].target;

		if (target->kind == TARGET_PORT && target->nic.kind == NIC_PORT &&
		    target->nic.ifindex && target->nic.link_layer == LINK_LAYER_ETHERNET)
			count_port(manager, &target->nic);
	}
	drop_unseen(manager);
}

const struct manager_port *manager_ports(const struct manager *manager, size_t *ret_n)
{
	*ret_n = manager->n_ports;
	return manager->ports;
}
