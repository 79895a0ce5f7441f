// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Writes that the kernel, a driver or the provider itself refuses, and devices that are others by
 * now.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "lib/base/cleanup.h"
#include "lib/base/macro.h"
#include "tests/support/nic-node.h"

#define PORT "ens1f0np0"

static const struct {
	const char *name;
	struct fake_fault fault;
	enum knob knob;
	enum step_op op;
	const char *text;
	int result;
	int status;
} refusals[] = {
	{ "N11: tclass busy",
	  { FAKE_WRITE, "traffic_class", FAKE_ERRNO, EBUSY },
	  KNOB_TRAFFIC_CLASS,
	  STEP_SET,
	  "106",
	  -EBUSY },
	{ "tos refused on close",
	  { FAKE_CLOSE, "default_roce_tos", FAKE_ERRNO, EIO, .skip = 1 },
	  KNOB_CM_TOS,
	  STEP_SET,
	  "106",
	  -EIO },
	{ "mode refused",
	  { FAKE_WRITE, "default_roce_mode", FAKE_ERRNO, EINVAL },
	  KNOB_CM_MODE,
	  STEP_SET,
	  "v1",
	  -EINVAL },
	{ "read-only",
	  { FAKE_WRITE, "default_roce_tos", FAKE_ERRNO, EROFS },
	  KNOB_CM_TOS,
	  STEP_SET,
	  "106",
	  -EROFS },
	{ "pause refused",
	  { FAKE_PAUSE_SET, NULL, FAKE_ERRNO, EOPNOTSUPP },
	  KNOB_PAUSE,
	  STEP_SET,
	  "rx",
	  -EOPNOTSUPP },
	{ "pause busy",
	  { FAKE_PAUSE_SET, NULL, FAKE_ERRNO, EBUSY },
	  KNOB_PAUSE,
	  STEP_SET,
	  "rx",
	  -EBUSY },
	{ "pfc refused",
	  { FAKE_DCB_SET, PORT "/pfc", FAKE_STATUS, -12 },
	  KNOB_PFC,
	  STEP_SET,
	  "3",
	  -EREMOTEIO,
	  -12 },
	{ "pfc, positive status",
	  { FAKE_DCB_SET, PORT "/pfc", FAKE_STATUS, 1 },
	  KNOB_PFC,
	  STEP_SET,
	  "3",
	  -EREMOTEIO,
	  1 },
	{ "ets refused",
	  { FAKE_DCB_SET, PORT "/ets", FAKE_STATUS, -22 },
	  KNOB_SCHEDULER,
	  STEP_SET,
	  "0:0/ets 1:1/strict",
	  -EREMOTEIO,
	  -22 },
	{ "rates refused",
	  { FAKE_DCB_SET, PORT "/maxrate", FAKE_STATUS, -22 },
	  KNOB_MAX_RATE,
	  STEP_SET,
	  "tc3:10Gbit/s",
	  -EREMOTEIO,
	  -22 },
	{ "dcbx refused",
	  { FAKE_DCB_SET, PORT "/dcbx", FAKE_STATUS, 1 },
	  KNOB_DCBX,
	  STEP_SET,
	  "host",
	  -EREMOTEIO,
	  1 },
	{ "map refused",
	  { FAKE_DCB_SET, PORT "/app", FAKE_STATUS, -95 },
	  KNOB_TRUST,
	  STEP_ADD,
	  "dscp",
	  -EREMOTEIO,
	  -95 },
	{ "pfc forbidden",
	  { FAKE_DCB_SET, PORT "/pfc", FAKE_ERRNO, EPERM },
	  KNOB_PFC,
	  STEP_SET,
	  "3",
	  -EPERM },
	{ "mtu busy",
	  { FAKE_LINK_SET, NULL, FAKE_ERRNO, EBUSY },
	  KNOB_MTU,
	  STEP_SET,
	  "4200",
	  -EBUSY },
};

static void test_refusals(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(refusals); i++) {
		_cleanup_node_ struct nic_node *node = nic_node_new(nic_node_ports, 1);
		struct state want = nic_node_state(node, 0, refusals[i].knob);
		enum object object = knob_table[refusals[i].knob].object;
		_cleanup_free_ char *before = NULL, *after = NULL;
		struct refusal refusal;

		assert_int_equal(os_fake_poke_pause(node->os, PORT, false, false, false), 0);
		if (refusals[i].knob == KNOB_SCHEDULER)
			nic_node_want(&want, KNOB_SCHEDULER,
				      "0:0/strict 1:0/strict 2:0/strict 3:3/strict 4:0/strict "
				      "5:0/strict 6:6/strict "
				      "7:0/strict");
		else
			nic_node_want(&want, refusals[i].knob, refusals[i].text);
		/* The group in configfs is there before the first look */
		case_equal(refusals[i].name, nic_node_value(node, 0, refusals[i].knob).status,
			   VALUE_KNOWN);
		before = os_fake_dump(node->os);
		(void)os_fake_fault(node->os, &refusals[i].fault);
		case_equal(refusals[i].name,
			   nic_node_write(node, &want, object, refusals[i].op, &refusal),
			   refusals[i].result);
		case_equal(refusals[i].name, refusal.error, -refusals[i].result);
		case_equal(refusals[i].name, refusal.status, refusals[i].status);
		after = os_fake_dump(node->os);
		if (refusals[i].fault.call != FAKE_CLOSE)
			case_string(refusals[i].name, after, before);
	}
}

/* The kernel's words and the device's own limit. */
static void test_mtu_too_large(void **state)
{
	_cleanup_node_ struct nic_node *node = nic_node_new(nic_node_ports, 1);
	struct state want = nic_node_state(node, 0, KNOB_MTU);
	char maximum[32];
	struct refusal refusal;

	nic_node_want(&want, KNOB_MTU, "65000");
	assert_int_equal(nic_node_write(node, &want, OBJECT_MTU, STEP_SET, &refusal), -EINVAL);
	(void)snprintf(maximum, sizeof(maximum), "maximum %u", node->inventory.list[0].mtu_max);
	assert_non_null(strstr(refusal.text, maximum));
}

/* A driver that says yes and does nothing: the write is done, only reading back tells. */
static void test_silent(void **state)
{
	static const struct fake_fault silent = { FAKE_DCB_SET, PORT "/pfc", FAKE_SILENT };
	_cleanup_node_ struct nic_node *node = nic_node_new(nic_node_ports, 1);
	struct state want = nic_node_state(node, 0, KNOB_PFC);
	struct refusal refusal;

	nic_node_want(&want, KNOB_PFC, "3");
	(void)os_fake_fault(node->os, &silent);
	assert_int_equal(nic_node_write(node, &want, OBJECT_PFC, STEP_SET, &refusal), 1);
	nic_node_assert("silent", node, KNOB_PFC, "none");
}

static void test_plain_user(void **state)
{
	static const struct {
		enum knob knob;
		enum step_op op;
		const char *text;
	} tries[] = {
		{ KNOB_DCBX, STEP_SET, "host" },  { KNOB_PAUSE, STEP_SET, "rx" },
		{ KNOB_TRUST, STEP_ADD, "dscp" }, { KNOB_PFC, STEP_SET, "3" },
		{ KNOB_MTU, STEP_SET, "4200" },	  { KNOB_TRAFFIC_CLASS, STEP_SET, "106" },
	};
	_cleanup_node_ struct nic_node *node = nic_node_new(nic_node_ports, 1);

	os_fake_privileged(node->os, false);
	for (size_t i = 0; i < ARRAY_SIZE(tries); i++) {
		struct state want = nic_node_state(node, 0, tries[i].knob);
		enum object object = knob_table[tries[i].knob].object;
		struct refusal refusal;
		int r;

		nic_node_want(&want, tries[i].knob, tries[i].text);
		r = nic_node_write(node, &want, object, tries[i].op, &refusal);
		case_true(knob_table[tries[i].knob].name, r == -EPERM || r == -EACCES);
		case_equal(knob_table[tries[i].knob].name, refusal.error, -r);
	}
}

/* Numbers that a cast would make fit are refused before any message. */
static void test_ranges(void **state)
{
	static const struct {
		enum knob knob;
		uint32_t number;
	} wants[] = {
		{ KNOB_PFC, 0x108 },  { KNOB_CABLE_LENGTH, 0 },	    { KNOB_CABLE_LENGTH, 1000 },
		{ KNOB_CM_TOS, 362 }, { KNOB_CABLE_LENGTH, 65541 }, { KNOB_CM_MODE, 2 },
	};
	_cleanup_node_ struct nic_node *node = nic_node_new(nic_node_ports, 1);

	for (size_t i = 0; i < ARRAY_SIZE(wants); i++) {
		struct state want = nic_node_state(node, 0, wants[i].knob);
		const char *name = knob_table[wants[i].knob].name;
		struct refusal refusal;

		want.value[wants[i].knob].status = VALUE_KNOWN;
		want.value[wants[i].knob].data.number = wants[i].number;
		case_equal(name,
			   nic_node_write(node, &want, knob_table[wants[i].knob].object, STEP_SET,
					  &refusal),
			   -EINVAL);
		case_true(name, *refusal.text);
	}
	assert_int_equal(os_fake_writes(node->os, FAKE_ANY_WRITE, NULL), 0);
}

/* ---- the device is another one by now ---- */

static int write_now(struct nic_node *node, struct state *want, const struct state *have,
		     enum object object, struct refusal *ret)
{
	const struct change change = { object, STEP_SET, UINT64_MAX };

	return node->provider.ops->write(&node->provider, &want->target, &change, want, have, ret);
}

/*
 * L04: between plan and write the name went to another port. Nothing is written, on none of the
 * two.
 */
static void test_name_goes_to_another_port(void **state)
{
	_cleanup_node_ struct nic_node *node = nic_node_new(nic_node_ports, 2);
	struct state want = nic_node_state(node, 0, KNOB_PFC), have;
	struct refusal refusal;

	nic_node_want(&want, KNOB_PFC, "3");
	nic_node_want(&want, KNOB_MTU, "4200");
	assert_int_equal(nic_node_observe(node, &want, &have), 0);
	assert_int_equal(os_fake_rename(node->os, PORT, "tmp"), 0);
	assert_int_equal(os_fake_rename(node->os, "ens1f1np1", PORT), 0);
	os_fake_writes_reset(node->os);
	assert_int_equal(write_now(node, &want, &have, OBJECT_PFC, &refusal), -ENODEV);
	assert_int_equal(write_now(node, &want, &have, OBJECT_MTU, &refusal), -ENODEV);
	assert_int_equal(refusal.error, ENODEV);
	assert_string_equal(refusal.text, PORT " is gone or another device by now");
	assert_int_equal(os_fake_writes(node->os, FAKE_ANY_WRITE, NULL), 0);
}

static void test_rdma_device_goes(void **state)
{
	static const struct fake_fault gone = { FAKE_WRITE, "default_roce_tos", FAKE_GONE };
	_cleanup_node_ struct nic_node *node = nic_node_new(nic_node_ports, 2);
	struct state want = nic_node_state(node, 0, KNOB_CM_TOS), have;
	struct refusal refusal;

	nic_node_want(&want, KNOB_CM_TOS, "106");
	nic_node_want(&want, KNOB_TRAFFIC_CLASS, "106");
	assert_int_equal(nic_node_observe(node, &want, &have), 0);
	(void)os_fake_fault(node->os, &gone);
	assert_int_equal(write_now(node, &want, &have, OBJECT_CM_TOS, &refusal), -ENODEV);
	os_fake_fault_clear(node->os);
	os_fake_writes_reset(node->os);
	assert_int_equal(write_now(node, &want, &have, OBJECT_TRAFFIC_CLASS, &refusal), -ENODEV);
	assert_int_equal(os_fake_writes(node->os, FAKE_ANY_WRITE, NULL), 0);
}

/* The name mlx5_0 is on another card after the drivers were loaded anew. */
static void test_rdma_name_moves(void **state)
{
	_cleanup_node_ struct nic_node *node = nic_node_new(nic_node_ports, 2);
	struct state want = nic_node_state(node, 0, KNOB_TRAFFIC_CLASS), have;
	struct refusal refusal;

	nic_node_want(&want, KNOB_TRAFFIC_CLASS, "106");
	assert_int_equal(nic_node_observe(node, &want, &have), 0);
	(void)snprintf(want.target.nic.pci, sizeof(want.target.nic.pci), "0000:99:00.0");
	assert_int_equal(write_now(node, &want, &have, OBJECT_TRAFFIC_CLASS, &refusal), -ENODEV);
	assert_int_equal(os_fake_writes(node->os, FAKE_ANY_WRITE, NULL), 0);
}

/* Values of an RDMA device are gone when it registers anew; nothing about it is remembered. */
static void test_rdma_registers_anew(void **state)
{
	_cleanup_node_ struct nic_node *node = nic_node_new(nic_node_ports, 1);
	struct state want = nic_node_state(node, 0, KNOB_CM_TOS);
	struct refusal refusal;

	nic_node_want(&want, KNOB_CM_TOS, "106");
	assert_int_equal(nic_node_write(node, &want, OBJECT_CM_TOS, STEP_SET, &refusal), 1);
	assert_int_equal(os_fake_reregister_rdma(node->os, "mlx5_0"), 0);
	nic_node_assert("anew", node, KNOB_CM_TOS, "0");
	assert_int_equal(nic_node_write(node, &want, OBJECT_CM_TOS, STEP_SET, &refusal), 1);
	nic_node_assert("written", node, KNOB_CM_TOS, "106");
}

/* N04, N08: where a rule does not apply nothing is tried. */
static void test_not_applicable(void **state)
{
	static const struct fake_port ports[] = {
		{ "ens1f0np0", "mlx5_0", "0000:3b:00.0", "mlx5_core" },
		{ "ens1f0v0", "mlx5_2", "0000:3b:00.2", "mlx5_core", .physfn = "0000:3b:00.0" },
		{ NULL, "mlx5_4", "0000:5e:00.0", "mlx5_core", .infiniband = true },
	};
	_cleanup_node_ struct nic_node *node = nic_node_new(ports, ARRAY_SIZE(ports));
	struct state vf = nic_node_state(node, 1, KNOB_PFC),
		     ib = nic_node_state(node, 2, KNOB_CM_TOS);
	struct refusal refusal;

	nic_node_want(&vf, KNOB_PFC, "3");
	assert_int_equal(nic_node_write(node, &vf, OBJECT_PFC, STEP_SET, &refusal), -EOPNOTSUPP);
	assert_string_equal(refusal.text, "inherited from PF ens1f0np0");
	nic_node_want(&ib, KNOB_CM_TOS, "106");
	assert_int_equal(nic_node_write(node, &ib, OBJECT_CM_TOS, STEP_SET, &refusal), -EOPNOTSUPP);
	assert_string_equal(refusal.text, "is InfiniBand");
	assert_int_equal(nic_node_write(node, &vf, OBJECT_GID, STEP_SET, &refusal), -EOPNOTSUPP);
	assert_int_equal(os_fake_writes(node->os, FAKE_ANY_WRITE, NULL), 0);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_refusals),
		cmocka_unit_test(test_mtu_too_large),
		cmocka_unit_test(test_silent),
		cmocka_unit_test(test_plain_user),
		cmocka_unit_test(test_ranges),
		cmocka_unit_test(test_name_goes_to_another_port),
		cmocka_unit_test(test_rdma_device_goes),
		cmocka_unit_test(test_rdma_name_moves),
		cmocka_unit_test(test_rdma_registers_anew),
		cmocka_unit_test(test_not_applicable),
	};

	return cmocka_run_group_tests_name("nic-refuse", tests, NULL, NULL);
}
