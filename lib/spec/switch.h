/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What the fabric file says of one switch: how it is reached, and what is wanted of it and of each
 * port that the file cables. Pure. A switch is served without knowing any node's inventory: a port
 * gets what the file says of the node and of the name of the device at its other end.
 */
#pragma once

#include <stdio.h>

#include "lib/model/switches.h"
#include "lib/spec/spec.h"

/* A list of texts that stand in the spec. */
struct switch_texts {
	const char **list;
	size_t n;
	size_t room;
};

/* A pair of them: vars, answers. */
struct switch_pair {
	const char *name;
	const char *value;
	struct position where;
};

/* Texts are the spec's, which has to live longer; "" where nothing is said. */
struct switch_wish {
	const char *name;
	const char *dialect;
	struct position dialect_where;
	enum manage manage;
	const char *address;
	unsigned int port;		/* of SSH; 22 unless given */
	const char *username;
	const char *key;		/* names of credentials */
	const char *password;
	const char *enable;
	const char *known_hosts;
	bool first_use;			/* a host key that is not known is taken at first sight */
	struct switch_texts host_keys;	/* fingerprints */
	struct switch_texts legacy;
	struct switch_pair *vars;
	size_t n_vars;
	struct switch_pair *answers;
	size_t n_answers;
	bool exclusive;			/* DSCPs that are not named are drift */
	struct switch_target *targets;	/* the first is the switch as a whole */
	size_t n_targets;
	size_t targets_room;
};

void switch_wish_done(struct switch_wish *wish);

size_t spec_switch_count(const struct spec *spec);
const char *spec_switch_name(const struct spec *spec, size_t index);

/*
 * The node that logs in: `owner`, else the first, in file order, that `ports` names. "" if the file
 * has none.
 */
void spec_switch_owner(const struct spec *spec, size_t index, char *ret, size_t size);

/* Is that node of the file the one called @node on this machine (host name, see spec_resolve())? */
bool spec_node_is(const struct spec *spec, const char *owner, const char *node);

/* One of its `ports`. Texts live as long as the call. */
struct spec_cable {
	const char *port;
	const char *end;	/* as it is written: NODE/DEVICE or SWITCH/PORT */
	const char *node;	/* in lower case; "": what is at the other end is no node */
	const char *device;	/* of the node */
	struct position where;
};

/* In file order, until a visit is not 0: returns that; else 0 or -ENOMEM. */
int spec_switch_cables(const struct spec *spec, size_t index,
		       int (*visit)(const struct spec_cable *cable, void *data), void *data);

/*
 * Only how it is reached, without its ports. Returns 0 and @ret, or -ENOMEM.
 */
int spec_switch_access(const struct spec *spec, size_t index, struct switch_wish *ret);

enum switch_part { SWITCH_ACCESS, SWITCH_PORTS };

/*
 * Its keys as YAML, each line behind @indent blanks: how it is reached, or what is cabled to it.
 * What is wanted of it is in neither.
 */
void spec_switch_write(const struct spec *spec, size_t index, enum switch_part part, int indent,
		       FILE *out);

/*
 * Returns 0 and @ret; -ENOENT if the file has no such switch; -EINVAL with errors in @diags;
 * -ENOMEM.
 */
int spec_switch_resolve(const struct spec *spec, const char *name, struct switch_wish *ret,
			struct diags *diags);
