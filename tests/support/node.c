// SPDX-License-Identifier: LGPL-2.1-or-later
/* The simulated node of the pipeline tests. */
#include "tests/support/node.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/cases.h"

enum { PORTS_MAX = 8 };

const char node_spec[] = "version: 1\n"
			 "fabric: test\n"
			 "roce:\n"
			 "  traffic_class: 106\n"
			 "qos:\n"
			 "  dscp_to_priority: {26: 3}\n"
			 "  pfc: [3]\n"
			 "mtu: 4200\n"
			 "nodes:\n"
			 "  \"*\": {}\n";

void node_reopen(struct node *node)
{
	char state[96], lock[96], holder[64];

	node->store = store_close(node->store);
	(void)snprintf(state, sizeof(state), "%s/state", node->dir);
	(void)snprintf(lock, sizeof(lock), "%s/run/lock", node->dir);
	assert_int_equal(store_open(state, lock, &node->store, holder, sizeof(holder)), 0);
}

void node_init(struct node *node, size_t n, bool ofed)
{
	struct fake_port ports[PORTS_MAX] = {};
	char names[PORTS_MAX][3][32];

	assert_true(n <= PORTS_MAX);
	for (size_t i = 0; i < n; i++) {
		(void)snprintf(names[i][0], sizeof(names[i][0]), "ens1f%zunp%zu", i, i);
		(void)snprintf(names[i][1], sizeof(names[i][1]), "mlx5_%zu", i);
		(void)snprintf(names[i][2], sizeof(names[i][2]), "0000:17:00.%zu", i);
		ports[i] = (struct fake_port){
			.name = names[i][0],
			.rdma = names[i][1],
			.pci = names[i][2],
			.driver = "mlx5_core",
			.ofed = ofed,
		};
	}
	node_init_ports(node, ports, n);
}

void node_init_ports(struct node *node, const struct fake_port *ports, size_t n)
{
	*node = (struct node){};
	assert_int_equal(os_fake_new(ports, n, &node->os), 0);
	(void)snprintf(node->dir, sizeof(node->dir), "/tmp/test-node-XXXXXX");
	assert_non_null(mkdtemp(node->dir));
	node_reopen(node);
}

void node_done(struct node *node)
{
	char command[128];

	node->store = store_close(node->store);
	node->os = os_free(node->os);
	(void)snprintf(command, sizeof(command), "rm -r -- '%s'", node->dir);
	assert_int_equal(system(command), 0);
}

enum exit_status node_run(struct node *node, const char *spec, bool apply, struct pass *pass)
{
	*pass = (struct pass){};
	if (pass_plan(pass, node->os, spec, strlen(spec), "gpu-1") == 0 && apply)
		(void)pass_apply(pass, node->store, NULL);
	return pass->exit;
}

enum exit_status node_apply(struct node *node, const char *spec)
{
	struct pass pass;
	enum exit_status status = node_run(node, spec, true, &pass);

	pass_done(&pass);
	return status;
}

enum exit_status node_status(struct node *node, const char *spec)
{
	struct pass pass;
	enum exit_status status = node_run(node, spec, false, &pass);

	pass_done(&pass);
	return status;
}

enum exit_status node_rollback(struct node *node)
{
	struct pass pass = {};
	enum exit_status status;

	(void)pass_rollback(&pass, node->os, node->store, NULL);
	status = pass.exit;
	pass_done(&pass);
	return status;
}

unsigned int node_writes(const struct node *node)
{
	return os_fake_writes(node->os, FAKE_ANY_WRITE, NULL);
}

char *node_dump(const struct node *node)
{
	static const char lasting[] = "  hardware dscp ";
	char *dump = os_fake_dump(node->os);
	char *line, *next;

	assert_non_null(dump);
	for (line = strstr(dump, lasting); line; line = strstr(line, lasting)) {
		next = strchr(line, '\n') + 1;
		memmove(line, next, strlen(next) + 1);
	}
	return dump;
}
