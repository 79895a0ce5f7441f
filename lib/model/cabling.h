/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The cables of the fabric file as a node sees them, each with what LLDP says is at its other end,
 * and what that end advertises. Filled by lib/node/cabling.c, printed by the writers.
 */
#pragma once

#include "lib/model/lldp.h"
#include "lib/model/switches.h"

enum cable_verdict {
	CABLE_UNKNOWN,		/* what is told cannot be compared; or LLDP is not known */
	CABLE_CONFIRMED,
	CABLE_DIFFERS,
	CABLE_UNSEEN,		/* nothing was heard at this end */
	CABLE_ELSEWHERE,	/* this end is not on this node, which cannot hear it */
	CABLE_UNLISTED,		/* heard from a switch of the file, which has no such cable */
	CABLE_VERDICT_MAX,
};

const char *cable_verdict_name(enum cable_verdict verdict);

/* What a port advertises of DCB, against what the file wants of it. */
enum advert_verdict {
	ADVERT_NONE,		/* not compared: nothing is wanted, or nobody was heard */
	ADVERT_AGREES,
	ADVERT_DIFFERS,
	ADVERT_MISSING,		/* not advertised */
	ADVERT_VERDICT_MAX,
};

const char *advert_verdict_name(enum advert_verdict verdict); /* "" for ADVERT_NONE */

struct advert {
	enum advert_verdict verdict;
	char want[FINDING_TEXT_MAX];
	char told[FINDING_TEXT_MAX];
};

struct cable {
	char name[SWITCH_NAME_MAX_BYTES];	/* of the switch */
	char port[SWITCH_PORT_MAX];		/* "": CABLE_UNLISTED */
	char end[SWITCH_NAME_MAX_BYTES];	/* the other one, as the file has it */
	char node[SWITCH_NAME_MAX_BYTES];	/* "": it is a switch */
	char device[NAME_MAX_BYTES];
	bool here;				/* on this node */
	struct position where;
	enum cable_verdict verdict;
	bool heard;				/* below is what was heard */
	char chassis[LLDP_TEXT_MAX];		/* its name, else its address, else its id */
	char port_type[LLDP_WORD_MAX];
	char heard_port[LLDP_TEXT_MAX];
	char heard_text[LLDP_TEXT_MAX];		/* the description of the port */
	bool cee;
	struct advert pfc;
	struct advert dscp;
	char note[FINDING_TEXT_MAX];
};

struct cabling {
	struct cable *list;
	size_t n;
	size_t room;
};

void cabling_done(struct cabling *cabling);

/* STATUS_DRIFT if anything differs, or is not in the file. */
enum exit_status cabling_exit(const struct cabling *cabling);
