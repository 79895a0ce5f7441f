// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * What the NIC provider writes: one message a call, only what is wanted, nothing that is so
 * already.
 */
#include <errno.h>
#include <stdio.h>

#include "lib/base/macro.h"
#include "lib/os/dcb.h"
#include "tests/support/nic-node.h"

#define PORT "ens1f0np0"

/* ---- each object: written once, read back, and not written again ---- */

static const struct {
	enum knob knob;
	enum step_op op;
	const char *text;
} writes[] = {
	{ KNOB_DCBX, STEP_SET, "host" },
	{ KNOB_PAUSE, STEP_SET, "rx" },
	{ KNOB_PAUSE, STEP_SET, "off" },
	{ KNOB_SCHEDULER, STEP_SET,
	  "0:0/50% 1:0/50% 2:0/50% 3:3/50% 4:0/50% 5:0/50% 6:6/strict 7:0/50%" },
	{ KNOB_MAX_RATE, STEP_SET, "tc3:10Gbit/s tc6:500Mbit/s" },
	{ KNOB_MAX_RATE, STEP_SET, "unlimited" },
	{ KNOB_TRUST, STEP_ADD, "dscp" },
	{ KNOB_PFC, STEP_SET, "3" },
	{ KNOB_PFC, STEP_SET, "3,4" },
	{ KNOB_PFC, STEP_SET, "none" },
	{ KNOB_CABLE_LENGTH, STEP_SET, "1m" },
	{ KNOB_CABLE_LENGTH, STEP_SET, "999m" },
	{ KNOB_MTU, STEP_SET, "4200" },
	{ KNOB_CM_MODE, STEP_SET, "v1" },
	{ KNOB_CM_MODE, STEP_SET, "v2" },
	{ KNOB_CM_TOS, STEP_SET, "106" },
	{ KNOB_TRAFFIC_CLASS, STEP_SET, "106" },
	{ KNOB_TRAFFIC_CLASS, STEP_SET, "unset" },
	{ KNOB_TRUST, STEP_DELETE, "pcp" },
	{ KNOB_DCBX, STEP_SET, "fw" },
};

/*
 * N01, N11, N12: what is not so is written; what is so already is not, although any write would
 * fail.
 */
static void test_write_once(void **state)
{
	static const struct fake_fault busy = { FAKE_ANY_WRITE, NULL, FAKE_ERRNO, EBUSY };
	_cleanup_node_ struct nic_node *node = nic_node_new(nic_node_ports, 2);

	for (size_t i = 0; i < ARRAY_SIZE(writes); i++) {
		struct state want = nic_node_state(node, 0, writes[i].knob);
		enum object object = knob_table[writes[i].knob].object;
		struct refusal refusal;
		char name[64];

		(void)snprintf(name, sizeof(name), "%s %.40s", knob_table[writes[i].knob].name,
			       writes[i].text);
		nic_node_want(&want, writes[i].knob, writes[i].text);
		os_fake_writes_reset(node->os);
		case_equal(name, nic_node_write(node, &want, object, writes[i].op, &refusal), 1);
		case_equal(name, os_fake_writes(node->os, FAKE_ANY_WRITE, NULL), 1);
		nic_node_assert(name, node, writes[i].knob, writes[i].text);

		(void)os_fake_fault(node->os, &busy);
		os_fake_writes_reset(node->os);
		case_equal(name, nic_node_write(node, &want, object, writes[i].op, &refusal), 0);
		case_equal(name, os_fake_writes(node->os, FAKE_ANY_WRITE, NULL), 0);
		case_equal(name, refusal.error, 0);
		os_fake_fault_clear(node->os);
	}
}

/* Nothing managed: nothing written, whatever the object. */
static void test_unmanaged(void **state)
{
	_cleanup_node_ struct nic_node *node = nic_node_new(nic_node_ports, 1);

	for (enum knob knob = 0; knob < KNOB_MAX; knob++) {
		struct state want = nic_node_state(node, 0, knob);
		enum object object = knob_table[knob].object;
		struct refusal refusal;

		if (object_table[object].read_only)
			continue;
		for (enum step_op op = 0; op < STEP_OP_MAX; op++)
			case_equal(knob_table[knob].name,
				   nic_node_write(node, &want, object, op, &refusal), 0);
	}
	assert_int_equal(os_fake_writes(node->os, FAKE_ANY_WRITE, NULL), 0);
}

/* One knob of an object is written, the other stays. */
static void test_pfc_and_cable_are_one_object(void **state)
{
	_cleanup_node_ struct nic_node *node = nic_node_new(nic_node_ports, 1);
	struct state want = nic_node_state(node, 0, KNOB_PFC);
	struct refusal refusal;

	nic_node_want(&want, KNOB_PFC, "3");
	nic_node_want(&want, KNOB_CABLE_LENGTH, "30m");
	assert_int_equal(nic_node_write(node, &want, OBJECT_PFC, STEP_SET, &refusal), 1);
	assert_int_equal(os_fake_writes(node->os, FAKE_ANY_WRITE, NULL), 1);

	want.value[KNOB_PFC].status = VALUE_UNMANAGED;
	nic_node_want(&want, KNOB_CABLE_LENGTH, "5m");
	assert_int_equal(nic_node_write(node, &want, OBJECT_PFC, STEP_SET, &refusal), 1);
	nic_node_assert("cable alone", node, KNOB_PFC, "3");
	nic_node_assert("cable alone", node, KNOB_CABLE_LENGTH, "5m");
}

/* Taking the port touches no bit but HOST; giving it back is mode 0. */
static void test_dcbx_bits(void **state)
{
	_cleanup_node_ struct nic_node *node = nic_node_new(nic_node_ports, 1);
	struct state want = nic_node_state(node, 0, KNOB_DCBX);
	struct refusal refusal;
	struct os_dcb dcb;

	/*
	 * LLD_MANAGED stays in what is written, and mlx5 refuses that: a fact to be told, not to be
	 * worked around
	 */
	assert_int_equal(os_fake_poke_dcbx(node->os, PORT, 0x0e), 0);
	nic_node_want(&want, KNOB_DCBX, "host");
	assert_int_equal(nic_node_write(node, &want, OBJECT_DCBX, STEP_SET, &refusal), -EREMOTEIO);
	assert_int_equal(refusal.error, EREMOTEIO);
	assert_int_not_equal(refusal.status, 0);

	nic_node_want(&want, KNOB_DCBX, "host");
	assert_int_equal(os_fake_poke_dcbx(node->os, PORT, 0x0c), 0);
	assert_int_equal(nic_node_write(node, &want, OBJECT_DCBX, STEP_SET, &refusal), 1);
	assert_int_equal(os_dcb_get(node->os, PORT, &dcb), 0);
	assert_int_equal(dcb.dcbx, 0x0d);

	nic_node_want(&want, KNOB_DCBX, "lld");
	assert_int_equal(os_fake_poke_dcbx(node->os, PORT, 0x0c), 0);
	os_fake_writes_reset(node->os);
	assert_int_equal(nic_node_write(node, &want, OBJECT_DCBX, STEP_SET, &refusal), -EOPNOTSUPP);
	assert_int_equal(os_fake_writes(node->os, FAKE_ANY_WRITE, NULL), 0);
}

/* nic.md 1.4, 1.5: a host in CEE mode is refused everything, and CEE beside IEEE too. */
static void test_dcbx_ieee(void **state)
{
	static const struct fake_port port = {
		.name = PORT, .rdma = "bnxt_re0", .pci = "0000:17:00.0", .driver = "bnxt_en"
	};
	_cleanup_node_ struct nic_node *node = nic_node_new(&port, 1);
	struct state want = nic_node_state(node, 0, KNOB_DCBX);
	struct refusal refusal;
	struct os_dcb dcb;

	nic_node_want(&want, KNOB_DCBX, "host");
	assert_int_equal(os_fake_poke_dcbx(node->os, PORT, 0x05), 0);
	nic_node_assert("CEE", node, KNOB_DCBX, "cee");
	assert_int_equal(nic_node_write(node, &want, OBJECT_DCBX, STEP_SET, &refusal), 1);
	assert_int_equal(os_dcb_get(node->os, PORT, &dcb), 0);
	assert_int_equal(dcb.dcbx, 0x09);
}

/*
 * What is not managed stays: mlx5 reads the bandwidth of strict classes as 100, which is no
 * difference, and is written back as it was read.
 */
static void test_ets_keeps_the_rest(void **state)
{
	_cleanup_node_ struct nic_node *node = nic_node_new(nic_node_ports, 1);
	struct state want = nic_node_state(node, 0, KNOB_SCHEDULER);
	struct ieee_ets ets = { .cbs = 1, .tc_tx_bw = { 100, 100, 100, 100, 100, 100, 100, 100 } };
	struct os_error error = {};
	struct refusal refusal;
	struct os_dcb dcb;

	ets.tc_rx_bw[5] = 7;
	ets.tc_reco_bw[2] = 9;
	assert_int_equal(os_dcb_set_ets(node->os, PORT, &ets, &error), 0);
	os_fake_writes_reset(node->os);
	nic_node_want(&want, KNOB_SCHEDULER,
		      "0:0/strict 1:0/strict 2:0/strict 3:0/strict 4:0/strict 5:0/strict "
		      "6:0/strict 7:0/strict");
	assert_int_equal(nic_node_write(node, &want, OBJECT_ETS, STEP_SET, &refusal), 0);
	nic_node_want(&want, KNOB_SCHEDULER,
		      "0:0/50% 1:0/50% 2:0/50% 3:3/50% 4:0/50% 5:0/50% 6:6/strict 7:0/50%");
	assert_int_equal(nic_node_write(node, &want, OBJECT_ETS, STEP_SET, &refusal), 1);
	assert_int_equal(os_fake_writes(node->os, FAKE_ANY_WRITE, NULL), 1);
	assert_int_equal(os_dcb_get(node->os, PORT, &dcb), 0);
	assert_int_equal(dcb.ets.cbs, 1);
	assert_int_equal(dcb.ets.tc_rx_bw[5], 7);
	assert_int_equal(dcb.ets.tc_reco_bw[2], 9);
	assert_int_equal(dcb.ets.tc_tx_bw[3], 50);
	assert_int_equal(dcb.ets.tc_tx_bw[6], 100);
}

/* ---- the rest of the provider ---- */

static void test_carrier(void **state)
{
	_cleanup_node_ struct nic_node *node = nic_node_new(nic_node_ports, 1);
	struct state port = nic_node_state(node, 0, KNOB_PFC);
	const struct provider_ops *ops = node->provider.ops;

	assert_int_equal(ops->carrier(&node->provider, &port.target), 1);
	assert_int_equal(os_fake_carrier(node->os, PORT, false), 0);
	assert_int_equal(ops->carrier(&node->provider, &port.target), 0);
	port.target.nic.ifindex = 4711;
	assert_int_equal(ops->carrier(&node->provider, &port.target), -ENODEV);
}

static void test_time(void **state)
{
	_cleanup_node_ struct nic_node *node = nic_node_new(nic_node_ports, 1);
	int64_t before = node->provider.ops->now_ms(&node->provider);

	node->provider.ops->sleep_ms(&node->provider, 30 * 1000);
	assert_true(node->provider.ops->now_ms(&node->provider) >= before + 30 * 1000);
}

static const struct {
	const char *name;
	struct fake_fault fault;
	bool plain_user;
	int result;
} probes[] = {
	{ "all is well", {}, false, 0 },
	{ "V01: read-only", { FAKE_OPEN, "traffic_class", FAKE_ERRNO, EROFS }, false, -EROFS },
	{ "net alone is read-only", { FAKE_OPEN, "/mtu", FAKE_ERRNO, EROFS }, false, -EROFS },
	{ "forbidden", { FAKE_OPEN, "traffic_class", FAKE_ERRNO, EACCES }, false, -EACCES },
	{ "forbidden, other word",
	  { FAKE_OPEN, "traffic_class", FAKE_ERRNO, EPERM },
	  false,
	  -EACCES },
	{ "other trouble is not this one",
	  { FAKE_OPEN, "traffic_class", FAKE_ERRNO, EIO },
	  false,
	  0 },
	{ "not there", { FAKE_OPEN, NULL, FAKE_ERRNO, ENOENT }, false, 0 },
	{ "plain user", {}, true, -EACCES },
};

/* V01, and that the probe changes nothing. */
static void test_write_probe(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(probes); i++) {
		_cleanup_node_ struct nic_node *node = nic_node_new(nic_node_ports, 1);

		os_fake_privileged(node->os, !probes[i].plain_user);
		if (probes[i].fault.error)
			(void)os_fake_fault(node->os, &probes[i].fault);
		case_equal(probes[i].name, nic_write_probe(node->os, node->inventory.list),
			   probes[i].result);
		case_equal(probes[i].name, os_fake_writes(node->os, FAKE_ANY_WRITE, NULL), 0);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_write_once),
		cmocka_unit_test(test_unmanaged),
		cmocka_unit_test(test_pfc_and_cable_are_one_object),
		cmocka_unit_test(test_dcbx_bits),
		cmocka_unit_test(test_dcbx_ieee),
		cmocka_unit_test(test_ets_keeps_the_rest),
		cmocka_unit_test(test_carrier),
		cmocka_unit_test(test_time),
		cmocka_unit_test(test_write_probe),
	};

	return cmocka_run_group_tests_name("nic-write", tests, NULL, NULL);
}
