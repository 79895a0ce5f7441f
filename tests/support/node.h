/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A simulated node, a store of its own and the fabric file that most tests declare; for tests of
 * the whole pipeline.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "lib/node/node.h"
#include "lib/node/store.h"
#include "lib/os/fake.h"

/* DSCP 26 on priority 3, PFC on 3, traffic class 106, MTU 4200, on every port of every node */
extern const char node_spec[];

struct node {
	struct os *os;
	struct store *store;
	char dir[64];		/* holds the store; removed by node_done() */
};

/* @n ports called ens1f0np0, ens1f1np1, ... with mlx5_0, mlx5_1, ... */
void node_init(struct node *node, size_t n, bool ofed);
/* The same with these ports. */
void node_init_ports(struct node *node, const struct fake_port *ports, size_t n);
void node_done(struct node *node);

/* Close the store and open it again, as another process would. */
void node_reopen(struct node *node);

/*
 * plan, and apply if @apply, of @spec on this node; the caller ends @pass with pass_done(). Returns
 * the exit status.
 */
enum exit_status node_run(struct node *node, const char *spec, bool apply, struct pass *pass);

/* The same for callers that only want the exit status. */
enum exit_status node_apply(struct node *node, const char *spec);
enum exit_status node_status(struct node *node, const char *spec);
enum exit_status node_rollback(struct node *node);

/* All writes that the node has seen since the last os_fake_writes_reset(). */
unsigned int node_writes(const struct node *node);

/*
 * os_fake_dump() without what an mlx5 port cannot take back: a DSCP whose entry is deleted stays on
 * priority 0 in the hardware (mlx5e_dcbnl_ieee_delapp). The caller frees.
 */
char *node_dump(const struct node *node);
