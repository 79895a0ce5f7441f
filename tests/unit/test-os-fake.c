// SPDX-License-Identifier: LGPL-2.1-or-later
/* The simulated node where the table of behaviours does not reach: shapes of nodes, faults,
 * counters, the foreign hand. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/cleanup.h"
#include "lib/base/macro.h"
#include "lib/os/dcb.h"
#include "lib/os/ethtool.h"
#include "lib/os/fake.h"
#include "lib/os/file.h"
#include "lib/os/link.h"
#include "tests/support/cases.h"

static const struct fake_port zoo[] = {
	{ .name = "ens1f0np0",
	  .rdma = "mlx5_0",
	  .pci = "0000:17:00.0",
	  .driver = "mlx5_core",
	  .ofed = true },
	{ .name = "ens1f0v0",
	  .rdma = "mlx5_2",
	  .pci = "0000:17:00.2",
	  .driver = "mlx5_core",
	  .physfn = "0000:17:00.0" },
	{ .rdma = "mlx5_4", .pci = "0000:3b:00.0", .driver = "mlx5_core", .infiniband = true },
	{ .name = "eno1", .pci = "0000:01:00.0", .driver = "igb" },
	{ .name = "ens2d1", .pci = "0000:01:00.0", .driver = "igb" },
};

static struct os *new_zoo(void)
{
	struct os *os;

	assert_int_equal(os_fake_new(zoo, ARRAY_SIZE(zoo), &os), 0);
	return os;
}

static bool text_is(struct os *os, const char *path, const char *want)
{
	char text[OS_TEXT_MAX];

	return os_read_text(os, path, text, sizeof(text)) >= 0 && !strcmp(text, want);
}

static int set_pfc(struct os *os, const char *ifname, uint8_t mask, struct os_error *ret_error)
{
	const struct ieee_pfc pfc = { .pfc_en = mask };

	return os_dcb_set_pfc(os, ifname, &pfc, ret_error);
}

/* ---- shapes ---- */

static void test_vf(void **state)
{
	struct os *os = new_zoo();
	struct os_error error;
	struct os_pause pause;
	static struct os_dcb dcb;
	char name[OS_NAME_MAX];

	assert_int_equal(
		os_read_link_name(os, "/sys/class/net/ens1f0v0/device/physfn", name, sizeof(name)),
		0);
	assert_string_equal(name, "0000:17:00.0");
	assert_int_equal(os_read_link_name(os, "/sys/class/net/ens1f0np0/device/virtfn0", name,
					   sizeof(name)),
			 0);
	assert_string_equal(name, "0000:17:00.2");
	assert_true(os_exists(os, "/sys/class/net/ens1f0v0/device/physfn/net/ens1f0np0"));
	assert_int_equal(os_dcb_get(os, "ens1f0v0", &dcb), -EOPNOTSUPP);
	assert_int_equal(set_pfc(os, "ens1f0v0", 8, &error), -EOPNOTSUPP);
	assert_int_equal(os_pause_get(os, 3, &pause), -EOPNOTSUPP);
	assert_int_equal(os_pause_set(os, 3, &pause, &error), -EOPNOTSUPP);
	os_free(os);
}

static void test_infiniband(void **state)
{
	struct os *os = new_zoo();
	struct os_links links = {};
	char text[64];

	assert_true(text_is(os, "/sys/class/infiniband/mlx5_4/ports/1/link_layer", "InfiniBand"));
	assert_true(text_is(os, "/sys/class/infiniband/mlx5_4/device/vendor", "0x15b3"));
	assert_int_equal(os_read_text(os, "/sys/class/infiniband/mlx5_4/ports/1/gid_attrs/types/1",
				      text, sizeof(text)),
			 -EINVAL);
	assert_false(os_exists(os, "/sys/class/infiniband/mlx5_4/tc"));
	assert_int_equal(os_link_dump(os, &links), 0);
	assert_int_equal(links.n, 5); /* lo and four netdevs */
	os_links_done(&links);
	os_free(os);
}

static void test_plain_nic(void **state)
{
	struct os *os = new_zoo();
	char name[OS_NAME_MAX];

	assert_int_equal(
		os_read_link_name(os, "/sys/class/net/eno1/device/driver", name, sizeof(name)), 0);
	assert_string_equal(name, "igb");
	assert_false(os_exists(os, "/sys/class/net/eno1/device/infiniband"));
	assert_true(text_is(os, "/sys/class/net/eno1/dev_port", "0"));
	assert_true(text_is(os, "/sys/class/net/ens2d1/dev_port", "1"));
	assert_false(os_exists(os, "/sys/class/net/lo/device"));
	os_free(os);
}

static void test_bad_shapes(void **state)
{
	static const struct fake_port no_pci = { .name = "a" };
	static const struct fake_port no_name = { .pci = "0000:01:00.0" };
	static const struct fake_port long_name = { .name = "sixteen-letters-",
						    .pci = "0000:01:00.0" };
	struct os *os;

	assert_int_equal(os_fake_new(&no_pci, 1, &os), -EINVAL);
	assert_int_equal(os_fake_new(&no_name, 1, &os), -EINVAL);
	assert_int_equal(os_fake_new(&long_name, 1, &os), -EINVAL);
	assert_int_equal(os_fake_new(zoo, 0, &os), 0);
	assert_false(os_exists(os, "/sys/class/net/ens1f0np0"));
	os_free(os);
}

/* Two nodes at once do not get each other's messages. */
static void test_two_nodes(void **state)
{
	static struct os_dcb dcb;
	struct os *a = new_zoo(), *b = new_zoo();
	struct os_error error;

	assert_int_equal(set_pfc(a, "ens1f0np0", 8, &error), 0);
	assert_int_equal(os_dcb_get(b, "ens1f0np0", &dcb), 0);
	assert_int_equal(dcb.pfc.pfc_en, 0);
	os_free(a);
	assert_int_equal(os_dcb_get(b, "ens1f0np0", &dcb), 0);
	os_free(b);
}

static void test_gids(void **state)
{
	struct os *os = new_zoo();

	assert_true(text_is(os, "/sys/class/infiniband/mlx5_0/ports/1/gid_attrs/types/0",
			    "IB/RoCE v1"));
	assert_true(
		text_is(os, "/sys/class/infiniband/mlx5_0/ports/1/gid_attrs/types/3", "RoCE v2"));
	assert_true(text_is(os, "/sys/class/infiniband/mlx5_0/ports/1/gids/3",
			    "0000:0000:0000:0000:0000:ffff:c000:0201"));
	/* N03: a slot moves */
	assert_int_equal(os_fake_poke_file(os,
					   "/sys/class/infiniband/mlx5_0/ports/1/gid_attrs/types/8",
					   "RoCE v2\n"),
			 0);
	assert_true(
		text_is(os, "/sys/class/infiniband/mlx5_0/ports/1/gid_attrs/types/8", "RoCE v2"));
	assert_false(os_exists(os, "/sys/class/infiniband/mlx5_0/ports/1/gids/16"));
	os_free(os);
}

/* ---- faults ---- */

static void test_skip_and_times(void **state)
{
	const struct fake_fault fault = { FAKE_ANY_WRITE, NULL,	     FAKE_ERRNO, EIO,
					  .skip = 1,	  .times = 2 };
	static const int want[] = { 0, -EIO, -EIO, 0 };
	struct os *os = new_zoo();
	struct os_error error;

	assert_true(os_fake_fault(os, &fault) >= 0);
	for (size_t i = 0; i < ARRAY_SIZE(want); i++)
		assert_int_equal(set_pfc(os, "ens1f0np0", (uint8_t)i, &error), want[i]);
	assert_int_equal(os_fake_writes(os, FAKE_DCB_SET, "ens1f0np0/pfc"), 4);
	assert_int_equal(os_fake_writes(os, FAKE_ANY_WRITE, NULL), 4);
	assert_int_equal(os_fake_writes(os, FAKE_DCB_SET, "/ets"), 0);
	os_fake_writes_reset(os);
	assert_int_equal(os_fake_writes(os, FAKE_ANY_WRITE, NULL), 0);
	os_free(os);
}

/* Making a group and all reading is no write; each kind of write is one. */
static void test_counters(void **state)
{
	const struct os_pause off = {};
	static struct os_dcb dcb;
	struct os *os = new_zoo();
	struct os_error error;
	struct os_link link;

	assert_int_equal(os->ops->make_dir(os, "/sys/kernel/config/rdma_cm/mlx5_0"), 0);
	assert_int_equal(os_dcb_get(os, "ens1f0np0", &dcb), 0);
	assert_int_equal(os_link_get(os, 2, &link), 0);
	assert_int_equal(os_fake_writes(os, FAKE_ANY_WRITE, NULL), 0);
	assert_int_equal(os_fake_writes(os, FAKE_MAKE_DIR, "mlx5_0"), 1);
	assert_int_equal(os_pause_set(os, 2, &off, &error), 0);
	assert_int_equal(os_link_set_mtu(os, 2, 4200, &error), 0);
	assert_int_equal(os_dcb_set_dcbx(os, "ens1f0np0", 0x0d, &error), 0);
	assert_int_equal(
		os_write_text(os, "/sys/class/infiniband/mlx5_0/tc/1/traffic_class", "106"), 0);
	assert_int_equal(os_fake_writes(os, FAKE_ANY_WRITE, NULL), 4);
	assert_int_equal(os_fake_writes(os, FAKE_NETLINK, NULL), 3);
	assert_int_equal(os_fake_writes(os, FAKE_PAUSE_SET, "ens1f0np0/pause"), 1);
	assert_int_equal(os_fake_writes(os, FAKE_LINK_SET, "ens1f0np0/mtu"), 1);
	os_free(os);
}

static const struct {
	const char *name;
	struct fake_fault fault;
	int read;
	int write;
} netlink_faults[] = {
	{ "any request", { FAKE_NETLINK, NULL, FAKE_ERRNO, EPERM }, -EPERM, -EPERM },
	{ "reads", { FAKE_DCB_GET, NULL, FAKE_ERRNO, EIO }, -EIO, 0 },
	{ "another port", { FAKE_NETLINK, "ens1f0v0", FAKE_ERRNO, EIO }, 0, 0 },
	{ "writes", { FAKE_DCB_SET, "/pfc", FAKE_ERRNO, EPERM }, 0, -EPERM },
	{ "another object", { FAKE_DCB_SET, "/ets", FAKE_ERRNO, EPERM }, 0, 0 },
	{ "status", { FAKE_DCB_SET, "/pfc", FAKE_STATUS, 1 }, 0, -EREMOTEIO },
};

static void test_netlink_faults(void **state)
{
	static struct os_dcb dcb;

	for (size_t i = 0; i < ARRAY_SIZE(netlink_faults); i++) {
		struct os *os = new_zoo();
		struct os_error error;

		case_true(netlink_faults[i].name, os_fake_fault(os, &netlink_faults[i].fault) >= 0);
		case_equal(netlink_faults[i].name, os_dcb_get(os, "ens1f0np0", &dcb),
			   netlink_faults[i].read);
		case_equal(netlink_faults[i].name, set_pfc(os, "ens1f0np0", 8, &error),
			   netlink_faults[i].write);
		os_fake_fault_clear(os);
		case_equal(netlink_faults[i].name, set_pfc(os, "ens1f0np0", 8, &error), 0);
		os_free(os);
	}
}

/* The RDMA device goes in the middle of a write. Its group in configfs stays and answers ENODEV
 * until it is back. */
static void test_rdma_gone(void **state)
{
	static const char tos[] = "/sys/kernel/config/rdma_cm/mlx5_0/ports/1/default_roce_tos";
	static const char tclass[] = "/sys/class/infiniband/mlx5_0/tc/1/traffic_class";
	const struct fake_fault fault = { FAKE_WRITE, "traffic_class", FAKE_GONE };
	struct os *os = new_zoo();
	char text[64];

	assert_int_equal(os->ops->make_dir(os, "/sys/kernel/config/rdma_cm/mlx5_0"), 0);
	assert_int_equal(os_write_text(os, tos, "106"), 0);
	assert_true(os_fake_fault(os, &fault) >= 0);
	assert_int_equal(os_write_text(os, tclass, "106"), -ENODEV);
	assert_false(os_exists(os, "/sys/class/infiniband/mlx5_0"));
	assert_true(os_exists(os, tos));
	assert_int_equal(os_read_text(os, tos, text, sizeof(text)), -ENODEV);
	assert_int_equal(os_write_text(os, tos, "106"), -ENODEV);
	os_fake_fault_clear(os);
	assert_int_equal(os_fake_reregister_rdma(os, "mlx5_0"), 0);
	assert_true(text_is(os, tos, "0"));
	assert_true(text_is(os, tclass, ""));
	os_free(os);
}

static void test_netdev_gone(void **state)
{
	const struct fake_fault fault = { FAKE_DCB_SET, "ens1f0np0/", FAKE_GONE };
	struct os *os = new_zoo();
	struct os_error error;
	struct os_link link;

	assert_true(os_fake_fault(os, &fault) >= 0);
	assert_int_equal(set_pfc(os, "ens1f0np0", 8, &error), -ENODEV);
	assert_int_equal(os_link_get(os, 2, &link), -ENODEV);
	assert_false(os_exists(os, "/sys/class/net/ens1f0np0"));
	assert_true(os_exists(os, "/sys/class/infiniband/mlx5_0"));
	os_free(os);
}

/* ---- the hand of somebody else ---- */

static void test_pokes(void **state)
{
	static struct os_dcb dcb;
	struct os_pause pause;
	struct os *os = new_zoo();
	struct os_link link;

	assert_int_equal(os_fake_poke_app(os, "ens1f0np0", 26, 0), 0);
	assert_int_equal(os_fake_poke_app(os, "ens1f0np0", 26, 3), 0);
	assert_int_equal(os_fake_poke_dcbx(os, "ens1f0np0", 0x0e), 0);
	assert_int_equal(os_fake_poke_pause(os, "ens1f0np0", true, false, true), 0);
	assert_int_equal(os_fake_poke_mtu(os, "ens1f0np0", 9000), 0);
	assert_int_equal(os_fake_poke_pfc(os, "ens1f0np0", 0x10), 0);
	assert_int_equal(os_fake_poke_pfc(os, "none", 0x10), -ENODEV);
	assert_int_equal(os_fake_writes(os, FAKE_ANY_WRITE, NULL), 0);
	assert_int_equal(os_dcb_get(os, "ens1f0np0", &dcb), 0);
	assert_int_equal(dcb.n_app, 2);
	assert_int_equal(dcb.dcbx, 0x0e);
	assert_int_equal(dcb.pfc.pfc_en, 0x10);
	assert_int_equal(os_pause_get(os, 2, &pause), 0);
	assert_true(pause.autoneg && !pause.rx && !pause.tx); /* PFC cleared them */
	assert_int_equal(os_link_get(os, 2, &link), 0);
	assert_int_equal(link.mtu, 9000);
	os_free(os);
}

static void test_carrier(void **state)
{
	struct os *os = new_zoo();
	struct os_link link;

	assert_int_equal(os_fake_link_delay(os, "ens1f0np0", 5000), 0);
	assert_int_equal(os_fake_poke_pfc(os, "ens1f0np0", 0x10), 0);
	os->ops->sleep_ms(os, 4999);
	assert_int_equal(os_link_get(os, 2, &link), 0);
	assert_true(link.up && !link.carrier);
	assert_true(text_is(os, "/sys/class/net/ens1f0np0/carrier", "0"));
	os->ops->sleep_ms(os, 1);
	assert_int_equal(os_link_get(os, 2, &link), 0);
	assert_true(link.carrier);
	assert_int_equal(os_fake_carrier(os, "ens1f0np0", false), 0);
	assert_int_equal(os_link_get(os, 2, &link), 0);
	assert_false(link.carrier);
	assert_int_equal(os_fake_carrier(os, "ens1f0np0", true), 0);
	assert_int_equal(os_link_get(os, 2, &link), 0);
	assert_true(link.carrier);
	os_free(os);
}

static void test_rename(void **state)
{
	struct os *os = new_zoo();

	assert_int_equal(os_fake_poke_file(os, "/sys/class/net/ens1f0np0/own", "kept"), 0);
	assert_int_equal(os_fake_rename(os, "ens1f0np0", "eno1"), -EEXIST);
	assert_int_equal(os_fake_rename(os, "ens1f0np0", "rail0"), 0);
	assert_false(os_exists(os, "/sys/class/net/ens1f0np0"));
	assert_true(text_is(os, "/sys/class/net/rail0/own", "kept"));
	assert_true(text_is(os, "/sys/class/net/rail0/ifindex", "2"));
	assert_true(os_exists(os, "/sys/class/net/rail0/device/net/rail0"));
	assert_false(os_exists(os, "/sys/class/net/rail0/device/net/ens1f0np0"));
	assert_true(text_is(os, "/sys/class/infiniband/mlx5_0/ports/1/gid_attrs/ndevs/0", "rail0"));
	os_free(os);
}

static void test_poked_files(void **state)
{
	static const char tclass[] = "/sys/class/infiniband/mlx5_0/tc/1/traffic_class";
	struct os *os = new_zoo();

	/* N02: what a later driver may show */
	assert_int_equal(
		os_fake_poke_file(os, tclass, "Global tclass=106\nsrc_ip=192.0.2.9, tclass=0\n"),
		0);
	assert_true(text_is(os, tclass, "Global tclass=106\nsrc_ip=192.0.2.9, tclass=0"));
	assert_int_equal(os_fake_poke_file(os, tclass, "104"), 0);
	assert_true(text_is(os, tclass, "Global tclass=104"));
	assert_int_equal(os_fake_poke_file(os, "/sys/class/net", "x"), -EISDIR);
	assert_int_equal(os_fake_remove(os, "/sys/module/rdma_cm"), 0);
	assert_int_equal(os_fake_remove(os, "/sys/module/rdma_cm"), -ENOENT);
	assert_int_equal(os_fake_remove(os, "/sys/kernel/config/rdma_cm"), 0);
	assert_int_equal(os->ops->make_dir(os, "/sys/kernel/config/rdma_cm/mlx5_0"), -ENOENT);
	assert_int_equal(os->ops->make_dir(os, "/tmp/x"), -EPERM);
	os_free(os);
}

static int count_entries(const char *name, void *data)
{
	return ++*(int *)data == 3 ? 7 : 0;
}

static void test_list(void **state)
{
	struct os *os = new_zoo();
	int n = 0;

	assert_int_equal(os->ops->list(os, "/sys/class/infiniband", count_entries, &n), 7);
	n = 10;
	assert_int_equal(os->ops->list(os, "/sys/class/net", count_entries, &n), 0);
	assert_int_equal(n, 15);
	assert_int_equal(os->ops->list(os, "/sys/class/none", count_entries, &n), -ENOENT);
	assert_int_equal(os->ops->list(os, "/sys/class/net/eno1/mtu", count_entries, &n), -ENOTDIR);
	os_free(os);
}

/* ---- the dump ---- */

static void test_dump(void **state)
{
	static const char want[] = "netdev lo\n"
				   "  mtu 65536\n"
				   "netdev ens1f0np0\n"
				   "  mtu 4200\n"
				   "  dcbx 0x0d\n"
				   "  pause autoneg 0 rx 0 tx 0\n"
				   "  ets tc 1 0 2 3 4 5 6 7 tsa 255 255 255 255 255 255 255 255"
				   " bw 0 0 0 0 0 0 0 0\n"
				   "  app selector 5 protocol 26 priority 4\n"
				   "  hardware trust dscp\n"
				   "  hardware dscp 26 priority 4\n"
				   "  pfc 0x08 cable 7\n"
				   "  buffer of priority 0 0 0 0 0 0 0 0"
				   " size 262016 0 0 0 0 0 0 0\n"
				   "  maxrate 0 0 0 0 0 0 0 0\n"
				   "  tunable 8000\n"
				   "  ecn np 0xff rp 0xff\n"
				   "rdma mlx5_0\n"
				   "  cm v1 tos 106\n"
				   "  traffic_class 'Global tclass=106'\n";
	const struct dcb_app app = { 5, 4, 26 };
	_cleanup_free_ char *dump = NULL;
	struct os_error error;
	struct os *os;

	assert_int_equal(os_fake_new(zoo, 1, &os), 0);
	assert_int_equal(os_link_set_mtu(os, 2, 4200, &error), 0);
	assert_int_equal(os_dcb_set_dcbx(os, "ens1f0np0", 0x0d, &error), 0);
	assert_int_equal(os_dcb_app_add(os, "ens1f0np0", &app, 1, &error), 0);
	assert_int_equal(set_pfc(os, "ens1f0np0", 8, &error), 0);
	assert_int_equal(os->ops->make_dir(os, "/sys/kernel/config/rdma_cm/mlx5_0"), 0);
	assert_int_equal(os_write_text(os,
				       "/sys/kernel/config/rdma_cm/mlx5_0/ports/1/default_roce_tos",
				       "106"),
			 0);
	assert_int_equal(
		os_write_text(os, "/sys/kernel/config/rdma_cm/mlx5_0/ports/1/default_roce_mode",
			      "IB/RoCE v1"),
		0);
	assert_int_equal(
		os_write_text(os, "/sys/class/infiniband/mlx5_0/tc/1/traffic_class", "106"), 0);
	dump = os_fake_dump(os);
	assert_string_equal(dump, want);
	os_free(os);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_vf),
		cmocka_unit_test(test_infiniband),
		cmocka_unit_test(test_plain_nic),
		cmocka_unit_test(test_bad_shapes),
		cmocka_unit_test(test_two_nodes),
		cmocka_unit_test(test_gids),
		cmocka_unit_test(test_skip_and_times),
		cmocka_unit_test(test_counters),
		cmocka_unit_test(test_netlink_faults),
		cmocka_unit_test(test_rdma_gone),
		cmocka_unit_test(test_netdev_gone),
		cmocka_unit_test(test_pokes),
		cmocka_unit_test(test_carrier),
		cmocka_unit_test(test_rename),
		cmocka_unit_test(test_poked_files),
		cmocka_unit_test(test_list),
		cmocka_unit_test(test_dump),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
