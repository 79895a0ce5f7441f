// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * What is read of a port from files is under watch, or there is a reason why not: every object is
 * read on a node that notes what is opened.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "lib/base/macro.h"
#include "lib/nic/watch.h"
#include "tests/support/nic-node.h"

#define BIT(object) (UINT32_C(1) << (object))
#define CM	    "/sys/kernel/config/rdma_cm"

enum { PATHS_MAX = 512 };

struct path {
	char text[OS_PATH_MAX];
	bool folder;
	uint32_t objects;
};

struct paths {
	size_t n;
	struct path list[PATHS_MAX];
};

static struct paths watched, opened;

static void add(struct paths *paths, const char *path, bool folder, uint32_t objects)
{
	assert_true(paths->n < PATHS_MAX);
	paths->list[paths->n].folder = folder;
	paths->list[paths->n].objects = objects;
	(void)snprintf(paths->list[paths->n++].text, OS_PATH_MAX, "%s", path);
}

static int add_watched(const char *path, bool folder, uint32_t objects, void *data)
{
	add(&watched, path, folder, objects);
	return 0;
}

/* ---- what the table says ---- */

static const struct {
	const char *path;
	bool folder;
	uint32_t objects;
} wanted[] = {
	{ CM, true, BIT(OBJECT_CM_MODE) | BIT(OBJECT_CM_TOS) },
	{ CM "/mlx5_0/ports/1", true, BIT(OBJECT_CM_MODE) | BIT(OBJECT_CM_TOS) },
	{ "/sys/class/infiniband/mlx5_0/tc/1/traffic_class", false, BIT(OBJECT_TRAFFIC_CLASS) },
	{ "/sys/class/net/ens1f0np0/ecn/roce_np/enable/0", false, BIT(OBJECT_ECN_NP) },
	{ "/sys/class/net/ens1f0np0/ecn/roce_np/enable/7", false, BIT(OBJECT_ECN_NP) },
	{ "/sys/class/net/ens1f0np0/ecn/roce_rp/enable/3", false, BIT(OBJECT_ECN_RP) },
	{ "/sys/class/net/ens1f0np0/ecn/roce_np/cnp_dscp", false, BIT(OBJECT_CNP_DSCP) },
	{ "/sys/class/net/ens1f0np0/ecn/roce_np/cnp_802p_prio", false, BIT(OBJECT_CNP_PRIORITY) },
	{ "/sys/class/net/ens1f0np0/qos/trust", false, BIT(OBJECT_APP) },
};

static const struct path *find_watched(const char *path)
{
	for (size_t i = 0; i < watched.n; i++)
		if (strcmp(watched.list[i].text, path) == 0)
			return &watched.list[i];
	return NULL;
}

static void test_paths(void **state)
{
	static const struct nic nic = {
		.ifindex = 4, .rdma_port = 1, .name = "ens1f0np0", .rdma = "mlx5_0"
	};

	watched.n = 0;
	assert_int_equal(nic_watch_paths(&nic, add_watched, NULL), 0);
	for (size_t i = 0; i < ARRAY_SIZE(wanted); i++) {
		const struct path *path = find_watched(wanted[i].path);

		case_true(wanted[i].path, path);
		case_equal(wanted[i].path, path->folder, wanted[i].folder);
		case_equal(wanted[i].path, path->objects, wanted[i].objects);
	}
	for (size_t i = 0; i < watched.n; i++) {
		case_true(watched.list[i].text, strlen(watched.list[i].text) < OS_PATH_MAX - 1);
		case_true(watched.list[i].text,
			  find_watched(watched.list[i].text) == &watched.list[i]);
	}
}

/* Without a network device, or without an RDMA device, no path has a gap for its name. */
static void test_nameless(void **state)
{
	static const struct nic rdma_only = { .rdma_port = 2, .rdma = "mlx5_0" };
	static const struct nic net_only = { .ifindex = 4, .rdma_port = 1, .name = "ens1f0np0" };

	watched.n = 0;
	assert_int_equal(nic_watch_paths(&rdma_only, add_watched, NULL), 0);
	assert_non_null(find_watched(CM "/mlx5_0/ports/2"));
	for (size_t i = 0; i < watched.n; i++)
		case_true(watched.list[i].text, !strstr(watched.list[i].text, "/net/"));
	watched.n = 0;
	assert_int_equal(nic_watch_paths(&net_only, add_watched, NULL), 0);
	for (size_t i = 0; i < watched.n; i++)
		case_true(watched.list[i].text,
			  !strstr(watched.list[i].text, "//") &&
				  !strstr(watched.list[i].text, "infiniband"));
}

static int stop_at_second(const char *path, bool folder, uint32_t objects, void *data)
{
	return ++*(int *)data == 2 ? -ENOMEM : 0;
}

static void test_answer_ends_it(void **state)
{
	static const struct nic nic = {
		.ifindex = 4, .rdma_port = 1, .name = "ens1f0np0", .rdma = "mlx5_0"
	};
	int calls = 0;

	assert_int_equal(nic_watch_paths(&nic, stop_at_second, &calls), -ENOMEM);
	assert_int_equal(calls, 2);
}

/* ---- what the objects read ---- */

static const struct {
	const char *part;
	const char *reason;
} not_watched[] = {
	{ "/sys/kernel/debug/", "losslessd cannot look into debugfs" },
	{ "/sys/kernel/security/lockdown", "not a setting of a port" },
	{ "/gids/", "nobody writes it: address events" },
	{ "/gid_attrs/", "nobody writes it: address events" },
	{ "/device", "which device it is: RDMA events" },
	{ "/parent", "which device it is: RDMA events" },
	{ "/dev_port", "which port it is: link events" },
};

static bool has_reason(const char *path)
{
	for (size_t i = 0; i < ARRAY_SIZE(not_watched); i++)
		if (strstr(path, not_watched[i].part))
			return true;
	return strcmp(path, "/sys/class/infiniband/mlx5_0") == 0;
}

static bool is_watched(const char *path, enum object object)
{
	for (size_t i = 0; i < watched.n; i++) {
		size_t length = strlen(watched.list[i].text);

		if (watched.list[i].objects & BIT(object) &&
		    strncmp(watched.list[i].text, path, length) == 0 &&
		    (!path[length] || (watched.list[i].folder && path[length] == '/')))
			return true;
	}
	return false;
}

static struct os_ops noting;
static const struct os_ops *real;

static int note_open(struct os *os, const char *path, int flags)
{
	add(&opened, path, false, 0);
	return real->open(os, path, flags);
}

/* The objects that are read from watched files on this node, as bits. */
static uint32_t check_node(bool ofed)
{
	struct fake_port port = nic_node_ports[0];
	struct nic_node *node;
	uint32_t files = 0;

	port.ofed = ofed;
	node = nic_node_new(&port, 1);
	real = node->os->ops;
	noting = *real;
	noting.open = note_open;
	node->os->ops = &noting;
	watched.n = 0;
	assert_int_equal(nic_watch_paths(&node->inventory.list[0], add_watched, NULL), 0);
	for (enum knob knob = 0; knob < KNOB_MAX; knob++) {
		enum object object = knob_table[knob].object;

		opened.n = 0;
		(void)nic_node_value(node, 0, knob);
		for (size_t i = 0; i < opened.n; i++) {
			const char *path = opened.list[i].text;

			if (!is_watched(path, object) && !has_reason(path))
				fail_msg("%s reads %s: neither watched nor a reason",
					 object_table[object].name, path);
			files |= is_watched(path, object) ? BIT(object) : 0;
		}
	}
	node->os->ops = real;
	(void)nic_node_free(node);
	return files;
}

static void test_what_is_read(void **state)
{
	const uint32_t cm = BIT(OBJECT_CM_MODE) | BIT(OBJECT_CM_TOS);
	const uint32_t ofed = BIT(OBJECT_ECN_NP) | BIT(OBJECT_ECN_RP) | BIT(OBJECT_CNP_DSCP) |
			      BIT(OBJECT_CNP_PRIORITY) | BIT(OBJECT_TRAFFIC_CLASS);

	/* Without OFED the files are looked for as well, and may come with it */
	assert_int_equal(check_node(true), cm | ofed);
	assert_int_equal(check_node(false), cm | ofed);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_paths),
		cmocka_unit_test(test_nameless),
		cmocka_unit_test(test_answer_ends_it),
		cmocka_unit_test(test_what_is_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
