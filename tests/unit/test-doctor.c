// SPDX-License-Identifier: LGPL-2.1-or-later
/* What doctor takes of the environment: it wins over /etc/nccl.conf, and only whole names count. */
#include <stdio.h>
#include <string.h>

#include "lib/base/macro.h"
#include "lib/node/doctor.h"
#include "tests/support/nic-node.h"

static const char file[] = "version: 1\n"
			   "fabric: pod-a\n"
			   "roce: {traffic_class: 106, apply_to: [rdma-cm]}\n"
			   "qos: {dscp_to_priority: {26: 3}, pfc: [3]}\n"
			   "nodes: {\"*\": {}}\n";

static const struct {
	const char *name;
	const char *environment[4];
	const char *conf; /* NULL: there is none */
	const char *found; /* of the first problem of the check, NULL: it has none */
} cases[] = {
	{ "nothing is told",
	  {},
	  NULL,
	  "NCCL_IB_TC is not set: NCCL sends with ToS 0, and the file wants 106" },
	{ "right", { "HOME=/root", "NCCL_IB_TC=106" }, NULL, NULL },
	{ "in hexadecimal", { "NCCL_IB_TC=0x6a" }, NULL, NULL },
	{ "wrong",
	  { "NCCL_IB_TC=10" },
	  NULL,
	  "NCCL_IB_TC=10 in the environment: the file wants 106" },
	{ "the environment wins",
	  { "NCCL_IB_TC=105" },
	  "NCCL_IB_TC=106\n",
	  "NCCL_IB_TC=105 in the environment: the file wants 106" },
	{ "also where it is right", { "NCCL_IB_TC=106" }, "NCCL_IB_TC=105\n", NULL },
	{ "the first line of a file wins",
	  {},
	  "NCCL_IB_TC=105\nNCCL_IB_TC=106\n",
	  "NCCL_IB_TC=105 in /etc/nccl.conf: the file wants 106" },
	{ "a longer name is another", { "NCCL_IB_TC_X=1", "NCCL_IB_TC=106" }, NULL, NULL },
	{ "a comment", {}, "#NCCL_IB_TC=105\nNCCL_IB_TC=106\n", NULL },
	{ "a name within a value", { "X=\nNCCL_IB_TC=105", "NCCL_IB_TC=106" }, NULL, NULL },
	{ "off",
	  { "NCCL_IB_TC=106", "NCCL_IB_DISABLE=1" },
	  NULL,
	  "NCCL_IB_DISABLE=1 in the environment: NCCL uses TCP" },
	{ "on", { "NCCL_IB_TC=106", "NCCL_IB_DISABLE=0" }, NULL, NULL },
	{ "a pinned index of none", { "NCCL_IB_TC=106", "NCCL_IB_GID_INDEX=-1" }, NULL, NULL },
	{ "an index that is another's",
	  { "NCCL_IB_TC=106", "NCCL_IB_GID_INDEX=77" },
	  NULL,
	  "NCCL_IB_GID_INDEX=77 in the environment: mlx5_0 has its RoCE v2 GID at index 3" },
	{ "a device that is not there",
	  { "NCCL_IB_TC=106", "NCCL_IB_HCA==mlx5_0:1,mlx5_7:1" },
	  NULL,
	  "NCCL_IB_HCA==mlx5_0:1,mlx5_7:1 in the environment: there is no mlx5_7 here" },
	{ "prefixes", { "NCCL_IB_TC=106", "NCCL_IB_HCA=mlx5" }, NULL, NULL },
	{ "what is excluded need not be there",
	  { "NCCL_IB_TC=106", "NCCL_IB_HCA=^=mlx5_9" },
	  NULL,
	  NULL },
	{ "empty places", { "NCCL_IB_TC=106", "NCCL_IB_HCA=,:,mlx5_1," }, NULL, NULL },
};

static const struct diagnosis *first_problem(const struct diagnoses *all, const char *check)
{
	for (size_t i = 0; i < all->n; i++)
		if (strcmp(all->list[i].check->name, check) == 0 &&
		    all->list[i].health == HEALTH_PROBLEM)
			return &all->list[i];
	return NULL;
}

static void test_nccl(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		_cleanup_node_ struct nic_node *node = nic_node_new(nic_node_ports, 2);
		_cleanup_(diagnoses_done) struct diagnoses all = {};
		_cleanup_(pass_done) struct pass pass = {};
		const struct doctor_question question = {
			.os = node->os,
			.inventory = &node->inventory,
			.text = file,
			.size = sizeof(file) - 1,
			.node = "gpu-1",
			.environment = cases[i].environment,
		};
		const struct diagnosis *found;

		if (cases[i].conf)
			assert_int_equal(
				os_fake_poke_file(node->os, "/etc/nccl.conf", cases[i].conf), 0);
		case_equal(cases[i].name, doctor_examine(&question, &pass, &all), 0);
		found = first_problem(&all, "nccl");
		case_string(cases[i].name, found ? found->found : "", cases[i].found ?: "");
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_nccl) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
