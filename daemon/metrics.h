/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What is so, as Prometheus text in a file: for the textfile collector of node_exporter. Written
 * when something changed, replaced whole, never by a timer: a node on which nothing happens writes
 * nothing. Names and labels are stable (README).
 */
#pragma once

#include <stdio.h>

#include "daemon/manager.h"

struct metrics;

/* What the text is made of; borrowed. */
struct metrics_view {
	const struct manager_facts *facts;
	const struct plan *plan;		/* NULL: nothing was read yet */
	const struct manager_port *ports;
	size_t n_ports;
	const struct switch_states *switches;	/* NULL: none */
};

/* The file need not be there, its folder has to be when it is written. NULL without memory. */
struct metrics *metrics_new(const char *path);
/* Removes the file: nobody keeps it true any more. */
struct metrics *metrics_free(struct metrics *metrics);

/* Count it. */
void metrics_happening(struct metrics *metrics, const struct manager_happening *happening);

/* The whole text. Pure. */
void metrics_format(const struct metrics *metrics, const struct metrics_view *view, FILE *out);

/*
 * Replace the file if its text is another one now. Returns 1 if it was, 0 if not; a negative errno,
 * and the file is as it was.
 */
int metrics_write(struct metrics *metrics, const struct metrics_view *view);
