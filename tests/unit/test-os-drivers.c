// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The simulated node beyond the tables of behaviours: a device that goes, and a driver that does
 * less, at each object; stacks, lockdown, coupled notification points.
 */
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
#include "lib/os/rdma.h"
#include "tests/support/cases.h"

#define NP	 "/sys/class/net/p0/ecn/roce_np/"
#define CC	 "/sys/kernel/debug/mlx5/0000:17:00.1/cc_params/"
#define LOCKDOWN "/sys/kernel/security/lockdown"

enum { P0_INDEX = 2, I0_INDEX = 4 };

static const struct fake_port rack[] = {
	{ .name = "p0",
	  .rdma = "mlx5_0",
	  .pci = "0000:17:00.0",
	  .driver = "mlx5_core",
	  .ofed = true },
	{ .name = "p1", .rdma = "mlx5_1", .pci = "0000:17:00.1", .driver = "mlx5_core" },
	{ .name = "i0", .rdma = "irdma0", .pci = "0000:31:00.0", .driver = "ice" },
	{ .name = "b0", .rdma = "bnxt_re0", .pci = "0000:41:00.0", .driver = "bnxt_en" },
	{ .name = "a0",
	  .rdma = "ionic_0",
	  .pci = "0000:51:00.0",
	  .driver = "ionic",
	  .no_dcb = true },
};

static struct os_error error;
static struct os_dcb dcb;

static struct os *new_rack(void)
{
	struct os *os;

	assert_int_equal(os_fake_new(rack, ARRAY_SIZE(rack), &os), 0);
	assert_int_equal(os_fake_poke_flag(os, "i0", "fw-lldp-agent", false), 0);
	assert_int_equal(os->ops->make_dir(os, "/sys/kernel/config/rdma_cm/mlx5_0"), 0);
	return os;
}

static bool text_is(struct os *os, const char *path, const char *want)
{
	char text[OS_TEXT_MAX];

	return os_read_text(os, path, text, sizeof(text)) >= 0 && !strcmp(text, want);
}

/* ---- one write to each object ---- */

static int write_dcbx(struct os *os)
{
	return os_dcb_set_dcbx(os, "p0", 0x0d, &error);
}

static int write_pause(struct os *os)
{
	const struct os_pause off = {};

	return os_pause_set(os, P0_INDEX, &off, &error);
}

static int write_ets(struct os *os)
{
	struct ieee_ets ets = {};

	for (uint8_t i = 0; i < 8; i++)
		ets.prio_tc[i] = i;
	return os_dcb_set_ets(os, "p0", &ets, &error);
}

static int write_app(struct os *os)
{
	const struct dcb_app app[] = { { 5, 3, 26 }, { 5, 6, 48 } };

	return os_dcb_app_add(os, "p0", app, 2, &error);
}

static int write_pfc(struct os *os)
{
	const struct ieee_pfc pfc = { .pfc_en = 0x48 };

	return os_dcb_set_pfc(os, "p0", &pfc, &error);
}

static int write_buffer(struct os *os)
{
	const struct dcbnl_buffer buffer = { .buffer_size = { 100000 } };

	return os_dcb_set_buffer(os, "p0", &buffer, &error);
}

static int write_maxrate(struct os *os)
{
	const struct ieee_maxrate maxrate = { .tc_maxrate = { 2500000 } };

	return os_dcb_set_maxrate(os, "p0", &maxrate, &error);
}

static int write_mtu(struct os *os)
{
	return os_link_set_mtu(os, P0_INDEX, 4200, &error);
}

static int write_tunable(struct os *os)
{
	return os_pfc_stall_set(os, "p0", 2000);
}

static int write_flag(struct os *os)
{
	return os_private_flag_set(os, "i0", "fw-lldp-agent", true);
}

static int write_np(struct os *os)
{
	return os_write_text(os, NP "cnp_dscp", "200");
}

static int write_enable(struct os *os)
{
	return os_write_text(os, NP "enable/3", "0");
}

static int write_cc(struct os *os)
{
	return os_write_text(os, CC "np_cnp_prio", "9");
}

static int write_tclass(struct os *os)
{
	return os_write_text(os, "/sys/class/infiniband/mlx5_0/tc/1/traffic_class", "106");
}

static int write_tos(struct os *os)
{
	return os_write_text(os, "/sys/kernel/config/rdma_cm/mlx5_0/ports/1/default_roce_tos",
			     "106");
}

static int write_mode(struct os *os)
{
	return os_write_text(os, "/sys/kernel/config/rdma_cm/mlx5_0/ports/1/default_roce_mode",
			     "IB/RoCE v1");
}

/* @less is what the dump shows of a clamped write, NULL if nothing changes then. */
static const struct {
	const char *name;
	int (*write)(struct os *os);
	enum fake_call call;
	const char *match;
	const char *less;
} objects[] = {
	{ "dcbx", write_dcbx, FAKE_DCB_SET, "p0/dcbx", NULL },
	{ "pause", write_pause, FAKE_PAUSE_SET, "p0/pause", "  pause autoneg 0 rx 0 tx 1\n" },
	{ "ets", write_ets, FAKE_DCB_SET, "p0/ets", "  ets tc 0 1 2 3 3 3 3 3 tsa" },
	{ "app", write_app, FAKE_DCB_SET, "p0/app",
	  "  app selector 5 protocol 26 priority 3\n  hardware trust dscp\n" },
	{ "pfc", write_pfc, FAKE_DCB_SET, "p0/pfc", "  pfc 0x08 " },
	{ "buffer", write_buffer, FAKE_DCB_SET, "p0/buffer", " size 98304 0 " },
	{ "maxrate", write_maxrate, FAKE_DCB_SET, "p0/maxrate", "  maxrate 2000000 0 " },
	{ "mtu", write_mtu, FAKE_LINK_SET, "p0/mtu", "  mtu 4096\n" },
	{ "tunable", write_tunable, FAKE_ETHTOOL_SET, "p0/tunable", "  tunable 1000\n" },
	{ "privflag", write_flag, FAKE_ETHTOOL_SET, "i0/privflag", NULL },
	{ "ecn", write_np, FAKE_WRITE, NP "cnp_dscp", "  ecn np_cnp_dscp 63\n" },
	{ "ecn enable", write_enable, FAKE_WRITE, NP "enable", "  ecn np 0xf7 rp 0xff\n" },
	{ "cc_params", write_cc, FAKE_WRITE, CC, "  ecn np_cnp_prio 7\n" },
	{ "tclass", write_tclass, FAKE_WRITE, "traffic_class", "'Global tclass=104'" },
	{ "tos", write_tos, FAKE_WRITE, "default_roce_tos", "  cm v2 tos 104\n" },
	{ "mode", write_mode, FAKE_WRITE, "default_roce_mode", NULL },
};

static void test_gone(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(objects); i++) {
		const struct fake_fault gone = { objects[i].call, objects[i].match, FAKE_GONE };
		_cleanup_free_ char *dump = NULL;
		struct os *os = new_rack();

		(void)os_fake_fault(os, &gone);
		case_equal(objects[i].name, objects[i].write(os), -ENODEV);
		case_equal(objects[i].name, os_fake_hits(os), 1);
		case_equal(objects[i].name, os_fake_writes(os, FAKE_ANY_WRITE, NULL), 1);
		dump = os_fake_dump(os);
		case_true(objects[i].name, strstr(dump, " (gone)\n"));
		os_free(os);
	}
}

static void test_less(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(objects); i++) {
		const struct fake_fault clamp = { objects[i].call, objects[i].match, FAKE_CLAMP };
		_cleanup_free_ char *before = NULL, *after = NULL, *whole = NULL;
		struct os *os = new_rack();

		before = os_fake_dump(os);
		(void)os_fake_fault(os, &clamp);
		case_equal(objects[i].name, objects[i].write(os), 0);
		case_equal(objects[i].name, os_fake_hits(os), 1);
		after = os_fake_dump(os);
		if (objects[i].less)
			case_true(objects[i].name, strstr(after, objects[i].less));
		else
			case_string(objects[i].name, after, before);
		/* and without the fault it is another thing */
		os_free(os);
		os = new_rack();
		case_equal(objects[i].name, objects[i].write(os), 0);
		whole = os_fake_dump(os);
		case_true(objects[i].name, strcmp(whole, before) != 0);
		case_true(objects[i].name,
			  !strcmp(whole, after) == !strcmp("ecn enable", objects[i].name));
		os_free(os);
	}
}

static void test_errno_and_silent(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(objects); i++) {
		struct fake_fault fault = { objects[i].call, objects[i].match, FAKE_ERRNO,
					    .error = EIO };
		_cleanup_free_ char *before = NULL, *after = NULL;
		struct os *os = new_rack();

		before = os_fake_dump(os);
		(void)os_fake_fault(os, &fault);
		case_equal(objects[i].name, objects[i].write(os), -EIO);
		os_fake_fault_clear(os);
		fault.mode = FAKE_SILENT;
		(void)os_fake_fault(os, &fault);
		case_equal(objects[i].name, objects[i].write(os), 0);
		after = os_fake_dump(os);
		case_string(objects[i].name, after, before);
		os_free(os);
	}
}

/* ---- counters ---- */

static bool has_stat(struct os *os, const char *ifname, const char *name, uint64_t want)
{
	struct os_stats stats = {};
	bool found = false;

	if (os_stats_get(os, ifname, &stats) < 0)
		return false;
	for (size_t i = 0; i < stats.n; i++)
		found |= !strcmp(stats.list[i].name, name) && stats.list[i].value == want;
	os_stats_done(&stats);
	return found;
}

static void test_stats(void **state)
{
	struct os *os = new_rack();

	assert_int_equal(os_fake_poke_stat(os, "p0", "rx_prio3_pause", 7), 0);
	assert_false(has_stat(os, "p0", "rx_prio3_pause", 7));
	assert_int_equal(os_fake_poke_pfc(os, "p0", 0x08), 0);
	assert_true(has_stat(os, "p0", "rx_prio3_pause", 7));
	assert_int_equal(os_fake_poke_stat(os, "p0", "rx_prio3_pause", 9), 0);
	assert_true(has_stat(os, "p0", "rx_prio3_pause", 9));
	assert_false(has_stat(os, "p0", "rx_prio4_pause", 0));
	/* PFC has cleared pause */
	assert_false(has_stat(os, "p0", "rx_global_pause", 0));
	assert_true(has_stat(os, "p1", "rx_global_pause", 0));
	assert_true(has_stat(os, "p0", "rx_out_of_buffer", 0));
	assert_int_equal(os_fake_poke_stat(os, "p0", "rx_prio8_pause", 1), -ENOENT);
	assert_int_equal(os_fake_poke_stat(os, "i0", "rx_prio3_pause", 1), -ENOENT);
	assert_int_equal(os_fake_poke_stat(os, "none", "rx_prio3_pause", 1), -ENODEV);
	assert_true(has_stat(os, "i0", "rx_priority_3_xon.nic", 0));
	assert_true(has_stat(os, "b0", "rx_discard_packets_cos7", 0));
	os_free(os);
}

static void test_no_dcb(void **state)
{
	struct os *os = new_rack();
	struct os_stats stats;
	uint16_t ms;

	assert_int_equal(os_dcb_get(os, "a0", &dcb), -EOPNOTSUPP);
	assert_int_equal(os_stats_get(os, "a0", &stats), -EOPNOTSUPP);
	assert_int_equal(os_pfc_stall_get(os, "a0", &ms), -EOPNOTSUPP);
	os_free(os);
}

/* ---- stacks ---- */

static uint32_t mtu_of(struct os *os, const char *ifname)
{
	char path[OS_PATH_MAX];
	uint64_t mtu;

	(void)snprintf(path, sizeof(path), "/sys/class/net/%s/mtu", ifname);
	assert_int_equal(os_read_number(os, path, UINT32_MAX, &mtu), 0);
	return (uint32_t)mtu;
}

static int set_mtu(struct os *os, const char *ifname, uint32_t mtu)
{
	char path[OS_PATH_MAX];
	uint64_t index;

	(void)snprintf(path, sizeof(path), "/sys/class/net/%s/ifindex", ifname);
	assert_int_equal(os_read_number(os, path, INT32_MAX, &index), 0);
	return os_link_set_mtu(os, (int)index, mtu, &error);
}

static void test_vlan_mtu(void **state)
{
	struct os *os = new_rack();

	assert_int_equal(set_mtu(os, "p0", 4200), 0);
	assert_int_equal(os_fake_add_link(os, "p0.40", "vlan", "p0"), 0);
	assert_int_equal(mtu_of(os, "p0.40"), 4200);
	assert_int_equal(set_mtu(os, "p0.40", 4201), -ERANGE);
	assert_int_equal(set_mtu(os, "p0", 9000), 0);
	assert_int_equal(mtu_of(os, "p0.40"), 4200);
	assert_int_equal(set_mtu(os, "p0.40", 9000), 0);
	assert_int_equal(set_mtu(os, "p0", 1500), 0);
	assert_int_equal(mtu_of(os, "p0.40"), 1500);
	os_free(os);
}

static void test_bond_mtu(void **state)
{
	struct os *os = new_rack();

	assert_int_equal(os_fake_add_link(os, "bond0", "bond", NULL), 0);
	assert_int_equal(set_mtu(os, "p0", 4200), 0);
	assert_int_equal(os_fake_enslave(os, "p0", "bond0"), 0);
	assert_int_equal(os_fake_enslave(os, "p1", "bond0"), 0);
	assert_int_equal(mtu_of(os, "p0"), 1500);
	assert_int_equal(set_mtu(os, "bond0", 9000), 0);
	assert_int_equal(mtu_of(os, "p0"), 9000);
	assert_int_equal(mtu_of(os, "p1"), 9000);
	assert_int_equal(os_fake_add_link(os, "bond0.40", "vlan", "bond0"), 0);
	assert_int_equal(set_mtu(os, "bond0", 4200), 0);
	assert_int_equal(mtu_of(os, "bond0.40"), 4200);
	/* more than a slave can: nothing changes */
	assert_int_equal(set_mtu(os, "bond0", 9979), -EINVAL);
	assert_int_equal(mtu_of(os, "bond0"), 4200);
	assert_int_equal(mtu_of(os, "p0"), 4200);
	os_free(os);
}

/* nic.md 1.5 */
static void test_ice_in_bond(void **state)
{
	const struct ieee_pfc pfc = { .pfc_en = 0x08 };
	const struct dcb_app app = { 5, 3, 26 };
	struct os *os = new_rack();

	assert_int_equal(os_fake_add_link(os, "bond0", "bond", NULL), 0);
	assert_int_equal(os_fake_enslave(os, "i0", "bond0"), 0);
	assert_int_equal(os_dcb_set_pfc(os, "i0", &pfc, &error), -EREMOTEIO);
	assert_int_equal(error.status, -EINVAL);
	assert_int_equal(os_dcb_app_add(os, "i0", &app, 1, &error), -EREMOTEIO);
	assert_int_equal(error.status, -EINVAL);
	os_free(os);
}

/* ---- ECN ---- */

/* Field case N10 */
static void test_np_coupled(void **state)
{
	struct os *os = new_rack();

	os_fake_np_coupled(os, true);
	assert_int_equal(os_write_text(os, NP "enable/0", "0"), 0);
	assert_true(text_is(os, NP "enable/7", "0"));
	assert_int_equal(os_write_text(os, NP "enable/3", "1"), 0);
	assert_true(text_is(os, NP "enable/0", "1"));
	assert_true(text_is(os, NP "enable/7", "1"));
	assert_int_equal(os_write_text(os, "/sys/class/net/p0/ecn/roce_rp/enable/3", "0"), 0);
	assert_true(text_is(os, "/sys/class/net/p0/ecn/roce_rp/enable/4", "1"));
	os_free(os);
}

static void test_cc_params(void **state)
{
	struct os *os = new_rack();

	assert_false(os_exists(os, "/sys/class/net/p1/ecn"));
	assert_false(os_exists(os, "/sys/kernel/debug/mlx5/0000:17:00.0"));
	assert_true(text_is(os, CC "np_cnp_dscp", "48"));
	assert_true(text_is(os, CC "np_cnp_prio_mode", "1"));
	assert_int_equal(os_write_text(os, CC "np_cnp_prio", "3"), 0);
	assert_true(text_is(os, CC "np_cnp_prio", "3"));
	assert_true(text_is(os, CC "np_cnp_prio_mode", "0"));
	assert_int_equal(os_write_text(os, CC "np_cnp_dscp", "0x1a"), 0);
	assert_true(text_is(os, CC "np_cnp_dscp", "26"));
	assert_int_equal(os_write_text(os, CC "np_cnp_dscp", "x"), -EINVAL);
	assert_int_equal(os_write_text(os, CC "np_cnp_dscp", "-1"), -EINVAL);
	assert_int_equal(os_write_text(os, CC "np_cnp_dscp", "4294967296"), -ERANGE);
	/* the folder lives with the RDMA device, the values in the firmware */
	assert_int_equal(os_fake_reregister_rdma(os, "mlx5_1"), 0);
	assert_true(text_is(os, CC "np_cnp_dscp", "26"));
	os_free(os);
}

static int count_entries(const char *name, void *data)
{
	++*(int *)data;
	return 0;
}

static void test_lockdown(void **state)
{
	struct os *os = new_rack();
	int n = 0;

	assert_true(text_is(os, LOCKDOWN, "[none] integrity confidentiality"));
	assert_int_equal(os_fake_lockdown(os, true), 0);
	assert_true(text_is(os, LOCKDOWN, "none [integrity] confidentiality"));
	assert_int_equal(os->ops->open(os, CC "np_cnp_dscp", O_RDONLY), -EPERM);
	assert_int_equal(os_write_text(os, CC "np_cnp_dscp", "26"), -EPERM);
	assert_int_equal(os->ops->open(os, CC "none", O_RDONLY), -ENOENT);
	assert_int_equal(os->ops->list(os, "/sys/kernel/debug/mlx5", count_entries, &n), 0);
	assert_int_equal(n, 1);
	assert_true(text_is(os, NP "cnp_dscp", "48"));
	assert_int_equal(os_fake_lockdown(os, false), 0);
	assert_true(text_is(os, CC "np_cnp_dscp", "48"));
	os_fake_privileged(os, false);
	assert_int_equal(os->ops->open(os, CC "np_cnp_dscp", O_RDONLY), -EACCES);
	assert_int_equal(os->ops->open(os, CC "none", O_RDONLY), -EACCES);
	assert_int_equal(os->ops->list(os, "/sys/kernel/debug/mlx5", count_entries, &n), -EACCES);
	os_free(os);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_gone),
		cmocka_unit_test(test_less),
		cmocka_unit_test(test_errno_and_silent),
		cmocka_unit_test(test_stats),
		cmocka_unit_test(test_no_dcb),
		cmocka_unit_test(test_vlan_mtu),
		cmocka_unit_test(test_bond_mtu),
		cmocka_unit_test(test_ice_in_bond),
		cmocka_unit_test(test_np_coupled),
		cmocka_unit_test(test_cc_params),
		cmocka_unit_test(test_lockdown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
