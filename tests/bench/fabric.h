/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Fabric files of any size, as a rail-optimised cluster would write them. */
#pragma once

#include <stdio.h>

enum {
	FABRIC_RAILS = 8, /* ports of a node, each on a leaf of its own */
	FABRIC_GROUP = 80, /* nodes below the same eight leaves: a tenth as many leaves as nodes */
};

enum fabric_shape {
	FABRIC_LISTS, /* nodes and switch ports as host lists: the shortest way to say it */
	FABRIC_MIXED, /* every second group one by one */
	FABRIC_SINGLES, /* every node with settings of its own, every switch port on a line */
};

/* Write a file of @nodes nodes (a multiple of FABRIC_GROUP) and @nodes / 10 switches. */
void fabric_write(FILE *out, enum fabric_shape shape, unsigned int nodes);

/* The network device on this rail, from 0. */
void fabric_netdev(unsigned int rail, char *name, size_t size);
