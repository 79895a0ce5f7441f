// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Anything as what lldpcli prints, and, behind a first byte that is no brace, as a TLV: what comes
 * out stays within its limits, and every text ends.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/base/macro.h"
#include "lib/switch/lldp.h"
#include "tests/fuzz/fuzz.h"

static void check_text(const char *text, size_t size)
{
	if (!memchr(text, '\0', size))
		abort();
}

static void check(const struct lldp_neighbor *neighbor)
{
	check_text(neighbor->device, sizeof(neighbor->device));
	check_text(neighbor->via, sizeof(neighbor->via));
	check_text(neighbor->chassis, sizeof(neighbor->chassis));
	check_text(neighbor->chassis_id, sizeof(neighbor->chassis_id));
	check_text(neighbor->port_type, sizeof(neighbor->port_type));
	check_text(neighbor->port, sizeof(neighbor->port));
	check_text(neighbor->port_text, sizeof(neighbor->port_text));
	if (neighbor->n_addresses > LLDP_ADDRESSES_MAX || neighbor->n_apps > LLDP_APPS_MAX ||
	    (neighbor->n_apps && !neighbor->app_given))
		abort();
	for (size_t i = 0; i < neighbor->n_addresses; i++)
		check_text(neighbor->address[i], sizeof(neighbor->address[i]));
	for (size_t i = 0; i < neighbor->n_apps; i++)
		if (neighbor->app[i].priority > 7 || neighbor->app[i].selector == 0 ||
		    neighbor->app[i].selector > LLDP_DSCP ||
		    (neighbor->app[i].selector == LLDP_DSCP && neighbor->app[i].id > 63))
			abort();
	for (size_t i = 0; i < ARRAY_SIZE(neighbor->ets.class_of); i++)
		if (neighbor->ets.class_of[i] > 7 || neighbor->ets_advice.class_of[i] > 7)
			abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct lldp_neighbors neighbors = {};
	struct lldp_neighbor one = {};

	if (size > 4 && data[0] != '{') {
		lldp_decode(&one, data, data[3], data + 4, size - 4);
		check(&one);
		return 0;
	}
	if (lldp_parse((const char *)data, size, &neighbors) < 0 && neighbors.list)
		abort();
	if (neighbors.n > LLDP_NEIGHBORS_MAX)
		abort();
	for (size_t i = 0; i < neighbors.n; i++)
		check(&neighbors.list[i]);
	lldp_neighbors_done(&neighbors);
	return 0;
}
