// SPDX-License-Identifier: LGPL-2.1-or-later
/* show: what was found on the node, and what the file means for it. */
#include <errno.h>
#include <string.h>

#include "cli/show.h"
#include "cli/verbs.h"
#include "lib/base/macro.h"
#include "lib/nic/counters.h"
#include "lib/nic/nic.h"
#include "lib/spec/number.h"

enum { INTERVAL_MS = 1000, INTERVAL_MIN_MS = 100, INTERVAL_MAX_MS = 60 * 60 * 1000 };

static int read_inventory(struct session *session, const struct options *options,
			  struct inventory *ret)
{
	if (option_given(options, OPTION_FILE) || option_given(options, OPTION_NODE))
		return usage_error(options->verb, "show %s takes no fabric file and no node",
				   options->argument);
	return session_inventory(session, ret);
}

static int show_nics(struct session *session, const struct options *options)
{
	_cleanup_(inventory_done) struct inventory inventory = {};
	int r;

	r = read_inventory(session, options, &inventory);
	if (r != 0)
		return r;
	if (session->json)
		inventory_write_json(&inventory, session->out);
	else
		inventory_write_text(&inventory, &session->style, session->out);
	return STATUS_OK;
}

static int read_interval(const struct options *options, unsigned int *ret_ms)
{
	const char *text = options->value[OPTION_INTERVAL];
	struct trouble trouble;
	uint64_t ms = INTERVAL_MS;

	if (text &&
	    !number_parse(text, INTERVAL_MIN_MS, INTERVAL_MAX_MS, time_units, &ms, &trouble))
		return usage_error(options->verb, "--interval: %s", trouble.text);
	*ret_ms = (unsigned int)ms;
	return 0;
}

/* A port that could not be read keeps the reason, so that the others are shown all the same. */
static bool read_ports(struct session *session, struct port_counters *ports, size_t n, bool again)
{
	bool good = true;

	for (size_t i = 0; i < n; i++) {
		struct port_counters *port = &ports[i];

		if (port->result >= 0)
			port->result = nic_counters_read(session->os, &port->nic,
							 again ? &port->after : &port->before);
		good &= port->result >= 0;
	}
	return good;
}

static int show_counters(struct session *session, const struct options *options)
{
	_cleanup_(inventory_done) struct inventory inventory = {};
	_cleanup_free_ struct port_counters *ports = NULL;
	unsigned int interval_ms = 0;
	bool good;
	int r;

	r = read_interval(options, &interval_ms);
	if (r == 0)
		r = read_inventory(session, options, &inventory);
	if (r != 0)
		return r;
	ports = calloc(inventory.n + 1, sizeof(*ports));
	if (!ports)
		return session_trouble(session, STATUS_FAILED, "out of memory");
	for (size_t i = 0; i < inventory.n; i++)
		ports[i].nic = inventory.list[i];
	(void)read_ports(session, ports, inventory.n, false);
	if (inventory.n > 0)
		session->os->ops->sleep_ms(session->os, interval_ms);
	good = read_ports(session, ports, inventory.n, true);
	if (session->json)
		counters_write_json(ports, inventory.n, session->out);
	else
		counters_write_text(ports, inventory.n, &session->style, session->out);
	return good ? STATUS_OK : STATUS_FAILED;
}

static int show_gids(struct session *session, const struct options *options)
{
	_cleanup_(inventory_done) struct inventory inventory = {};
	_cleanup_(gids_done) struct gids gids = {};
	int r;

	r = read_inventory(session, options, &inventory);
	if (r != 0)
		return r;
	for (size_t i = 0; i < inventory.n; i++) {
		r = nic_gids_read(session->os, &inventory.list[i], &gids);
		if (r < 0)
			return session_trouble(session, STATUS_FAILED,
					       "cannot read the GIDs of %s: %s",
					       inventory.list[i].rdma, strerror(-r));
	}
	if (session->json)
		gids_write_json(&gids, session->out);
	else
		gids_write_text(&gids, &session->style, session->out);
	return STATUS_OK;
}

static int show_spec(struct session *session, const struct options *options)
{
	_cleanup_(pass_done) struct pass pass = {};
	int r;

	r = session_read_in_force(session, options);
	if (r != 0)
		return r;
	pass.file = session->path;
	r = pass_plan(&pass, session->os, session->text, session->size, session->node);
	if (pass.exit == STATUS_SPEC)
		return session_refused(session, &pass.diags);
	if (r < 0)
		return session_trouble(session, pass.exit, "%s", pass.trouble);
	diags_write(&pass.diags, stderr, session->path, session->text, session->size);
	if (session->json)
		desired_write_json(&pass.desired.states, &pass.diags, session->out);
	else
		desired_write_text(&pass.desired.states, session->path, &session->style,
				   session->out);
	return STATUS_OK;
}

static const struct {
	const char *name;
	int (*run)(struct session *session, const struct options *options);
} things[] = {
	{ "nics", show_nics },
	{ "counters", show_counters },
	{ "gids", show_gids },
	{ "cables", show_cables },
	{ "switches", show_switches },
	{ "spec", show_spec },
};

int verb_show(const struct options *options)
{
	_cleanup_(session_done) struct session session = {};
	size_t i = 0;
	int r;

	while (i < ARRAY_SIZE(things) && strcmp(things[i].name, options->argument) != 0)
		i++;
	if (i == ARRAY_SIZE(things))
		return usage_error(options->verb, "there is no '%s' to show", options->argument);
	if (option_given(options, OPTION_INTERVAL) && things[i].run != show_counters)
		return usage_error(options->verb, "--interval is for show counters");
	if (option_given(options, OPTION_LLDP) && things[i].run != show_cables)
		return usage_error(options->verb, "--lldp is for show cables");
	r = session_open(&session, options, REPORT_OTHER);
	if (r != 0)
		return r;
	return things[i].run(&session, options);
}
