/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Who is cabled to whom: the fabric file against what neighbours say. Pure. The file is the source,
 * LLDP is a second opinion: nothing follows from it but words.
 */
#pragma once

#include "lib/model/cabling.h"
#include "lib/spec/switch.h"

/*
 * The cables that end on @node, in file order, then the others of the switches that it owns, then
 * those that are heard and not in the file. @neighbors NULL: LLDP is not known, the file alone.
 * Returns 0 and @ret, or -ENOMEM.
 */
int cabling_list(const struct spec *spec, const char *node, const struct lldp_neighbors *neighbors,
		 struct cabling *ret);

/* ---- cabling-match.c: are these the same? ---- */

enum match {
	MATCH_NO,
	MATCH_YES,
	MATCH_UNCLEAR,	/* what is told is of another kind than what the file says */
};

/* Is it the switch that the file calls @name and reaches at @address ("" or a name: unknown)? */
enum match chassis_match(const struct lldp_neighbor *neighbor, const char *name,
			 const char *address);

/*
 * Does it tell the port @port of a switch that has the @n ports @ports in the file? "Eth1/7" is
 * "Ethernet1/7" if it can be no other port of that switch.
 */
enum match port_match(const struct lldp_neighbor *neighbor, const char *port,
		      const char *const *ports, size_t n);
