/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What a loaded fabric file is made of. The checked tree itself is the store: values are read from
 * it when needed. */
#pragma once

#include "lib/spec/select.h"
#include "lib/spec/spec.h"

/* One node that a host list names. */
struct node_name {
	const char *name; /* lower case */
	const struct yaml_node *key; /* the list that names it */
	const struct yaml_node *value;
};

struct spec {
	struct yaml_tree tree;
	struct arena names_arena;
	struct node_name *names; /* sorted by name */
	size_t n_names;
	size_t names_room;
	const struct yaml_node *all_nodes; /* the value of "*", NULL */
	struct settings top_settings; /* of the top level alone */
	size_t expanded; /* names that host lists became so far, of nodes and of ports */
};

enum { SPEC_NAMES_MAX = 1000000 }; /* of all host lists together */

/* The layers of one node. */
struct layers {
	const struct yaml_node *top;
	const struct settings *top_settings; /* what it says, already read */
	const struct yaml_node *all; /* nodes: "*", NULL */
	const struct yaml_node *node; /* NULL if only "*" matches */
	const struct yaml_node *nics; /* the list in force, NULL for the default */
	bool own_nics; /* it is the node's */
};

/* Lay one map over @settings. NULL does nothing. */
void layer_apply(struct settings *settings, const struct yaml_node *map, enum section section,
		 enum layer layer);

struct layers layers_get(const struct spec *spec, const struct yaml_node *node);

/*
 * Lay all layers on each other: with the items that match @nic, or (NULL) with just @item, or with
 * none.
 */
void layers_apply(const struct layers *layers, const struct nic *nic, const struct yaml_node *item,
		  struct settings *ret);

/* NULL if no host list names it; @name is in lower case. */
const struct node_name *spec_find_node(const struct spec *spec, const char *name);

/* Each returns 0 with what is wrong in @diags, or -ENOMEM. */
int nodes_load(struct spec *spec, struct reader *reader, const struct yaml_node *nodes);
int switches_load(struct spec *spec, struct reader *reader, const struct yaml_node *switches);

/* Cross-checks of all that can come together; the file has no other errors. */
void spec_check(const struct spec *spec, struct diags *diags);

/*
 * The states of one port and its RDMA device from its settings. This and the next two return 0,
 * -EINVAL with errors, or -ENOMEM.
 */
int derive_states(struct states *states, const struct settings *settings,
		  const struct inventory *inventory, const struct nic *nic, struct diags *diags);

/* The MTU of a stacked device, which has nothing else. */
int derive_mtu(struct states *states, const struct settings *settings, const struct nic *nic,
	       struct diags *diags);

/* What the settings of a VF ask of the physical port, which is that of its PF: told, not set. */
int derive_pf(struct states *states, const struct settings *settings, const struct nic *pf,
	      const struct nic *vf, struct diags *diags);

/*
 * Keep @state if it wants anything. What has it already has to want the same for @port, an error if
 * not.
 */
int state_place(struct states *states, const struct state *state, const struct nic *port,
		struct diags *diags);

/* Keep the state of a port, its MTU where it belongs: on the bond, if it is enslaved to one. */
int stack_place_port(struct states *states, const struct inventory *inventory, struct state *port,
		     struct diags *diags);

/* Nothing above may want more than what is below; what a smaller MTU takes along is noted. */
int stack_check(const struct states *states, const struct inventory *inventory,
		struct diags *diags);
