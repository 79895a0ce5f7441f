/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What can be said of a switch of the file without asking it: how it is spoken to, how far that was
 * verified, and what of it is for more than one port. Filled by lib/node/switch-about.c.
 */
#pragma once

#include "lib/model/switches.h"

/* A knob that the file wants of it, and the dialect implements. */
struct switch_effect {
	enum switch_knob knob;
	bool whole;			/* of the switch, else of each port */
	const char *verified;		/* as of the dialect; static */
	bool in_force;			/* what is read is, not what is configured */
	char impact[FINDING_TEXT_MAX];	/* on other ports than the cabled one; "": none known */
};

struct switch_about {
	char name[SWITCH_NAME_MAX_BYTES];
	char dialect[64];
	const char *verified;		/* "vendor", "field", "false"; "": its file is not known */
	char address[SWITCH_NAME_MAX_BYTES];
	unsigned int ssh_port;
	char owner[SWITCH_NAME_MAX_BYTES];	/* node; "": none */
	bool mine;
	enum manage manage;
	size_t n_ports;			/* that the file cables */
	char trouble[FINDING_TEXT_MAX];	/* "": none */
	struct switch_effect *effects;
	size_t n;
	size_t room;
};

struct switch_abouts {
	struct switch_about *list;
	size_t n;
	size_t room;
};

void switch_abouts_done(struct switch_abouts *abouts);

/* STATUS_FAILED if there is trouble with one. */
enum exit_status switch_abouts_exit(const struct switch_abouts *abouts);
