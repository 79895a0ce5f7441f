// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * What doctor takes of the environment: it wins over /etc/nccl.conf, and only whole names count.
 * And what it sees in scripts, however long they are.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/macro.h"
#include "lib/node/doctor.h"
#include "lib/node/rival.h"
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
	{ "a port that is not there",
	  { "NCCL_IB_TC=106", "NCCL_IB_HCA=mlx5_0:1,mlx5_1:2" },
	  NULL,
	  "NCCL_IB_HCA=mlx5_0:1,mlx5_1:2 in the environment: there is no mlx5_1:2 here" },
	{ "a port of a prefix", { "NCCL_IB_TC=106", "NCCL_IB_HCA=mlx5:1" }, NULL, NULL },
	{ "a port of a prefix that none of them has",
	  { "NCCL_IB_TC=106", "NCCL_IB_HCA=mlx5:2" },
	  NULL,
	  "NCCL_IB_HCA=mlx5:2 in the environment: there is no mlx5:2 here" },
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

/* ---- scripts ---- */

struct told {
	size_t n;
	char last[OS_TEXT_MAX + 1];
};

static int take(const char *line, void *data)
{
	struct told *told = data;

	told->n++;
	(void)snprintf(told->last, sizeof(told->last), "%s", line);
	return 0;
}

/* On this machine, for a script is longer than an attribute. */
static void test_lines(void **state)
{
	static const struct {
		const char *name;
		size_t before, n; /* lines in front of @text */
		const char *text, *last;
		int r;
	} files[] = {
		{ "none", 0, 0, "", "", 0 },
		{ "no end of line", 0, 1, "mlnx_qos -i x", "mlnx_qos -i x", 0 },
		{ "of DOS", 0, 1, "dcb app add\r\n", "dcb app add", 0 },
		{ "control characters", 0, 1, "\033[2Jlldptool\a -i\n", " [2Jlldptool  -i", 0 },
		{ "behind a page", 10000, 1, "cma_roce_tos -d mlx5_0\n", "cma_roce_tos -d mlx5_0",
		  0 },
		{ "two", 3, 2, "doroce\ndcb pfc set\n", "dcb pfc set", 0 },
		{ "too long for a script", 200000, 0, "mlnx_qos\n", "", -EFBIG },
	};
	struct os *os = NULL;

	assert_int_equal(os_linux_new(&os), 0);
	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		char path[] = "/tmp/losslessd-lines.XXXXXX";
		FILE *script = fdopen(mkstemp(path), "w");
		struct told told = {};

		assert_non_null(script);
		for (size_t line = 0; line < files[i].before; line++)
			assert_true(fputs("echo line\n", script) >= 0);
		assert_true(fputs(files[i].text, script) >= 0);
		assert_int_equal(fclose(script), 0);
		case_equal(files[i].name, rival_lines(os, path, take, &told), files[i].r);
		case_equal(files[i].name, told.n, files[i].n);
		case_string(files[i].name, told.last, files[i].last);
		assert_int_equal(remove(path), 0);
		assert_int_equal(rival_lines(os, path, take, &told), -ENOENT);
	}
	assert_int_equal(rival_lines(os, "/tmp", take, &(struct told){}), -EISDIR);
	assert_null(os_free(os));
}

/* An empty /proc is none: it says nothing of lldpad. */
static void test_no_proc(void **state)
{
	static const struct {
		const char *file, *text;
		int r;
	} nodes[] = {
		{ NULL, NULL, -ENOENT },
		{ "/proc/7/comm", "init\n", 0 },
		{ "/proc/812/comm", "lldpad\n", 1 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(nodes); i++) {
		char pid[16] = "";
		struct os *os = NULL;

		assert_int_equal(os_fake_new(NULL, 0, &os), 0);
		if (nodes[i].file)
			assert_int_equal(os_fake_poke_file(os, nodes[i].file, nodes[i].text), 0);
		assert_int_equal(rival_process(os, pid, sizeof(pid)), nodes[i].r);
		assert_string_equal(pid, nodes[i].r > 0 ? "812" : "");
		assert_null(os_free(os));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_nccl),
					    cmocka_unit_test(test_lines),
					    cmocka_unit_test(test_no_proc) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
