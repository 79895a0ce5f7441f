// SPDX-License-Identifier: LGPL-2.1-or-later
/* What the NIC provider reads: a status for every knob, and the words that go with it. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "lib/base/macro.h"
#include "tests/support/nic-node.h"

#define IB     "/sys/class/infiniband/"
#define CM     "/sys/kernel/config/rdma_cm"
#define TCLASS IB "mlx5_0/tc/1/traffic_class"

/* ---- all knobs after driver load ---- */

static const struct {
	enum knob knob;
	const char *text;
} fresh[] = {
	{ KNOB_DCBX, "fw" },
	{ KNOB_TRUST, "pcp" },
	{ KNOB_DSCP_TO_PRIORITY, "none" },
	{ KNOB_PFC, "none" },
	{ KNOB_MTU, "1500" },
	{ KNOB_CM_MODE, "v2" },
	{ KNOB_CM_TOS, "0" },
	{ KNOB_TRAFFIC_CLASS, "unset" },
	{ KNOB_GID, "v2" },
};

/* N01: a node after reboot is told as it is, and looking at it writes nothing. */
static void test_fresh_node(void **state)
{
	_cleanup_node_ struct nic_node *node = nic_node_new(nic_node_ports, 2);

	for (size_t i = 0; i < ARRAY_SIZE(fresh); i++) {
		const struct knob_info *info = &knob_table[fresh[i].knob];
		struct value value = nic_node_value(node, 0, fresh[i].knob);
		char text[VALUE_TEXT_MAX];

		case_equal(info->name, value.status, VALUE_KNOWN);
		value_format(info, &value, text, sizeof(text));
		case_string(info->name, text, fresh[i].text);
	}
	assert_int_equal(os_fake_writes(node->os, FAKE_ANY_WRITE, NULL), 0);
}

/* All DCB objects of a port come from one message, and only what is wanted is looked at. */
static void test_one_message(void **state)
{
	static const struct fake_fault second_dcb = { FAKE_DCB_GET, NULL, FAKE_ERRNO, EIO,
						      .skip = 1 };
	static const struct fake_fault any_pause = { FAKE_PAUSE_GET, NULL, FAKE_ERRNO, EIO };
	static const enum knob knobs[] = { KNOB_DCBX,  KNOB_SCHEDULER,	      KNOB_MAX_RATE,
					   KNOB_TRUST, KNOB_DSCP_TO_PRIORITY, KNOB_PFC };
	_cleanup_node_ struct nic_node *node = nic_node_new(nic_node_ports, 1);
	struct state want = nic_node_state(node, 0, KNOB_PFC), have;

	for (size_t i = 0; i < ARRAY_SIZE(knobs); i++)
		want.value[knobs[i]].status = VALUE_KNOWN;
	(void)os_fake_fault(node->os, &second_dcb);
	(void)os_fake_fault(node->os, &any_pause);
	assert_int_equal(nic_node_observe(node, &want, &have), 0);
	for (size_t i = 0; i < ARRAY_SIZE(knobs); i++)
		case_equal(knob_table[knobs[i]].name, have.value[knobs[i]].status, VALUE_KNOWN);
	assert_int_equal(have.value[KNOB_PAUSE].status, VALUE_UNMANAGED);
	assert_int_equal(have.value[KNOB_MTU].status, VALUE_UNMANAGED);
}

/* N12: autonegotiation of pause is part of the value. */
static void test_pause(void **state)
{
	_cleanup_node_ struct nic_node *node = nic_node_new(nic_node_ports, 1);

	assert_int_equal(os_fake_poke_pause(node->os, "ens1f0np0", true, true, true), 0);
	assert_int_equal(nic_node_value(node, 0, KNOB_PAUSE).data.number,
			 PAUSE_RX | PAUSE_TX | PAUSE_AUTONEG);
	assert_int_equal(os_fake_poke_pause(node->os, "ens1f0np0", true, false, false), 0);
	assert_int_equal(nic_node_value(node, 0, KNOB_PAUSE).data.number, PAUSE_AUTONEG);
	assert_int_equal(os_fake_poke_pause(node->os, "ens1f0np0", false, false, true), 0);
	assert_int_equal(nic_node_value(node, 0, KNOB_PAUSE).data.number, PAUSE_TX);
}

/* ---- N05: the owner of DCB ---- */

static const struct {
	uint8_t mode;
	enum dcbx_owner owner;
	const char *note;
} owners[] = {
	{ 0x00, DCBX_FIRMWARE, "" },
	{ 0x0c, DCBX_FIRMWARE, "" },
	{ 0x0d, DCBX_HOST, "" },
	{ 0x09, DCBX_HOST, "" },
	{ 0x05, DCBX_HOST, "" },
	{ 0x0e, DCBX_LLD, "firmware agent owns DCB (LLD_MANAGED)" },
};

static void test_dcbx(void **state)
{
	_cleanup_node_ struct nic_node *node = nic_node_new(nic_node_ports, 1);

	for (size_t i = 0; i < ARRAY_SIZE(owners); i++) {
		struct value value;
		char name[16];

		(void)snprintf(name, sizeof(name), "mode 0x%02x", owners[i].mode);
		case_equal(name, os_fake_poke_dcbx(node->os, "ens1f0np0", owners[i].mode), 0);
		value = nic_node_value(node, 0, KNOB_DCBX);
		case_equal(name, value.status, VALUE_KNOWN);
		case_equal(name, value.data.number, owners[i].owner);
		case_string(name, value.note, owners[i].note);
	}
}

/* ---- N02: traffic_class ---- */

static const struct {
	const char *name;
	const char *text;
	enum value_status status;
	bool set;
	uint32_t number;
	const char *note;
} classes[] = {
	{ "a", "", VALUE_KNOWN, false, 0, "" },
	{ "b", "Global tclass=106\n", VALUE_KNOWN, true, 106, "" },
	{ "c", "Global tclass=10\n", VALUE_KNOWN, true, 10, "" },
	{ "d", "Global tclass=106\nsrc_ip=192.0.2.9, tclass=0\n", VALUE_KNOWN, true, 106,
	  "1 per-flow override" },
	{ "two rules", "src_ip=192.0.2.9,tclass=0\nsrc_ip=192.0.2.8,tclass=1\n", VALUE_KNOWN, false,
	  0, "2 per-flow overrides" },
	{ "not a class", "busy\n", VALUE_UNREADABLE, false, 0, "traffic_class reads 'busy'" },
	{ "bytes of a terminal", "\377\233[2J\n", VALUE_UNREADABLE, false, 0,
	  "traffic_class reads '\?\?[2J'" },
};

static void test_traffic_class(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(classes); i++) {
		_cleanup_node_ struct nic_node *node = nic_node_new(nic_node_ports, 1);
		struct value value;

		case_equal(classes[i].name, os_fake_poke_file(node->os, TCLASS, classes[i].text),
			   0);
		value = nic_node_value(node, 0, KNOB_TRAFFIC_CLASS);
		case_equal(classes[i].name, value.status, classes[i].status);
		if (value.status == VALUE_KNOWN) {
			case_equal(classes[i].name, value.data.optional.set, classes[i].set);
			case_equal(classes[i].name, value.data.optional.number, classes[i].number);
		}
		case_string(classes[i].name, value.note, classes[i].note);
	}
}

/* N02 e: the folder is not there. */
static void test_traffic_class_without_ofed(void **state)
{
	static const struct fake_port port = { "ens1f0np0", "mlx5_0", "0000:17:00.0", "mlx5_core" };
	_cleanup_node_ struct nic_node *node = nic_node_new(&port, 1);
	struct value value = nic_node_value(node, 0, KNOB_TRAFFIC_CLASS);

	assert_int_equal(value.status, VALUE_UNSUPPORTED);
	assert_string_equal(value.note, "mlx5_core without OFED has no such attribute");
}

/* ---- who is not concerned ---- */

static const enum knob port_knobs[] = {
	KNOB_DCBX, KNOB_PAUSE,	     KNOB_SCHEDULER, KNOB_TRUST, KNOB_DSCP_TO_PRIORITY,
	KNOB_PFC,  KNOB_CABLE_LENGTH, KNOB_MAX_RATE
};

/* N04: settings of the port are the PF's; what a VF has of its own still counts. */
static void test_vf(void **state)
{
	static const struct fake_port ports[] = {
		{ "ens1f0np0", "mlx5_0", "0000:3b:00.0", "mlx5_core" },
		{ "ens1f0v0", "mlx5_2", "0000:3b:00.2", "mlx5_core", .physfn = "0000:3b:00.0",
		  .ofed = true },
	};
	static const enum knob own[] = { KNOB_MTU, KNOB_CM_MODE, KNOB_CM_TOS, KNOB_TRAFFIC_CLASS,
					 KNOB_GID };
	_cleanup_node_ struct nic_node *node = nic_node_new(ports, ARRAY_SIZE(ports));

	for (size_t i = 0; i < ARRAY_SIZE(port_knobs); i++) {
		struct value value = nic_node_value(node, 1, port_knobs[i]);

		case_equal(knob_table[port_knobs[i]].name, value.status, VALUE_NOT_APPLICABLE);
		case_string(knob_table[port_knobs[i]].name, value.note,
			    "inherited from PF ens1f0np0");
	}
	for (size_t i = 0; i < ARRAY_SIZE(own); i++)
		case_equal(knob_table[own[i]].name, nic_node_value(node, 1, own[i]).status,
			   VALUE_KNOWN);
}

/* N08 */
static void test_infiniband(void **state)
{
	static const struct fake_port port = { NULL, "mlx5_4", "0000:18:00.0", "mlx5_core",
					       .infiniband = true };
	static const enum knob knobs[] = { KNOB_CM_MODE, KNOB_CM_TOS, KNOB_TRAFFIC_CLASS,
					   KNOB_GID };
	_cleanup_node_ struct nic_node *node = nic_node_new(&port, 1);

	for (size_t i = 0; i < ARRAY_SIZE(knobs); i++) {
		struct value value = nic_node_value(node, 0, knobs[i]);

		case_equal(knob_table[knobs[i]].name, value.status, VALUE_NOT_APPLICABLE);
		case_string(knob_table[knobs[i]].name, value.note, "is InfiniBand");
	}
	assert_int_equal(os_fake_writes(node->os, FAKE_ANY_WRITE, NULL), 0);
	assert_int_equal(os_fake_writes(node->os, FAKE_MAKE_DIR, NULL), 0);
}

/*
 * A driver that nobody knows has what its kernel interfaces show; metres are mlx5's reading of
 * `delay`.
 */
static void test_unknown_driver(void **state)
{
	static const struct fake_port port = { "eth4", "roce0", "0000:17:00.0", "newnic" };
	_cleanup_node_ struct nic_node *node = nic_node_new(&port, 1);
	struct value value = nic_node_value(node, 0, KNOB_CABLE_LENGTH);

	assert_int_equal(value.status, VALUE_UNSUPPORTED);
	assert_int_equal(nic_node_value(node, 0, KNOB_PFC).status, VALUE_KNOWN);
	value = nic_node_value(node, 0, KNOB_TRAFFIC_CLASS);
	assert_int_equal(value.status, VALUE_UNSUPPORTED);
	assert_string_equal(value.note, "the driver has no such attribute");
}

/* ---- what cannot be read ---- */

static const struct {
	const char *name;
	struct fake_fault fault;
	enum knob knob;
	bool plain_user;
	enum value_status status;
	int error;
} faults[] = {
	{ "no DCB",
	  { FAKE_DCB_GET, NULL, FAKE_ERRNO, EOPNOTSUPP },
	  KNOB_PFC,
	  .status = VALUE_UNSUPPORTED },
	{ "no DCB, map",
	  { FAKE_DCB_GET, NULL, FAKE_ERRNO, EOPNOTSUPP },
	  KNOB_TRUST,
	  .status = VALUE_UNSUPPORTED },
	{ "DCB broken",
	  { FAKE_DCB_GET, NULL, FAKE_ERRNO, EIO },
	  KNOB_SCHEDULER,
	  false,
	  VALUE_UNREADABLE,
	  EIO },
	{ "DCB busy",
	  { FAKE_DCB_GET, NULL, FAKE_ERRNO, EBUSY },
	  KNOB_DCBX,
	  false,
	  VALUE_UNREADABLE,
	  EBUSY },
	{ "no pause",
	  { FAKE_PAUSE_GET, NULL, FAKE_ERRNO, EOPNOTSUPP },
	  KNOB_PAUSE,
	  .status = VALUE_UNSUPPORTED },
	{ "pause broken",
	  { FAKE_PAUSE_GET, NULL, FAKE_ERRNO, EIO },
	  KNOB_PAUSE,
	  false,
	  VALUE_UNREADABLE,
	  EIO },
	{ "GIDs broken",
	  { FAKE_READ, "gids/0", FAKE_ERRNO, EIO },
	  KNOB_GID,
	  false,
	  VALUE_UNREADABLE,
	  EIO },
	{ "a hole among the GIDs",
	  { FAKE_READ, "gids/0", FAKE_ERRNO, EINVAL },
	  KNOB_GID,
	  .status = VALUE_KNOWN },
	{ "a GID that goes while we look",
	  { FAKE_READ, "gid_attrs/types/0", FAKE_ERRNO, ENOENT },
	  KNOB_GID,
	  .status = VALUE_KNOWN },
	{ "GID types broken",
	  { FAKE_READ, "gid_attrs/types", FAKE_ERRNO, EIO },
	  KNOB_GID,
	  false,
	  VALUE_UNREADABLE,
	  EIO },
	{ "tclass broken",
	  { FAKE_READ, "traffic_class", FAKE_ERRNO, EIO },
	  KNOB_TRAFFIC_CLASS,
	  false,
	  VALUE_UNREADABLE,
	  EIO },
	{ "tclass, close",
	  { FAKE_CLOSE, "traffic_class", FAKE_ERRNO, EIO },
	  KNOB_TRAFFIC_CLASS,
	  false,
	  VALUE_UNREADABLE,
	  EIO },
	{ "tclass forbidden to root",
	  { FAKE_OPEN, "traffic_class", FAKE_ERRNO, EACCES },
	  KNOB_TRAFFIC_CLASS,
	  false,
	  VALUE_UNREADABLE,
	  EACCES },
	{ "tclass forbidden",
	  { FAKE_OPEN, "traffic_class", FAKE_ERRNO, EACCES },
	  KNOB_TRAFFIC_CLASS,
	  true,
	  VALUE_NEEDS_ROOT },
	{ "group not made",
	  { FAKE_MAKE_DIR, NULL, FAKE_ERRNO, EROFS },
	  KNOB_CM_TOS,
	  false,
	  VALUE_UNREADABLE,
	  EROFS },
	{ "group made meanwhile",
	  { FAKE_READ, "default_roce_tos", FAKE_ERRNO, EIO },
	  KNOB_CM_TOS,
	  false,
	  VALUE_UNREADABLE,
	  EIO },
	{ "no group, plain user", {}, KNOB_CM_TOS, true, VALUE_NEEDS_ROOT },
	{ "no group, plain user", {}, KNOB_CM_MODE, true, VALUE_NEEDS_ROOT },
	{ "plain user, DCB", {}, KNOB_PFC, true, VALUE_KNOWN },
	{ "plain user, pause", {}, KNOB_PAUSE, true, VALUE_KNOWN },
};

static void test_faults(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(faults); i++) {
		_cleanup_node_ struct nic_node *node = nic_node_new(nic_node_ports, 1);
		struct value value;

		os_fake_privileged(node->os, !faults[i].plain_user);
		if (faults[i].fault.error)
			(void)os_fake_fault(node->os, &faults[i].fault);
		value = nic_node_value(node, 0, faults[i].knob);
		case_equal(faults[i].name, value.status, faults[i].status);
		case_equal(faults[i].name, value.error, faults[i].error);
		case_true(faults[i].name, value.status == VALUE_KNOWN || *value.note);
		if (faults[i].plain_user)
			case_equal(faults[i].name, os_fake_writes(node->os, FAKE_MAKE_DIR, NULL),
				   0);
	}
}

/* Other objects of a device are read on when one of them cannot be. */
static void test_one_fault_is_one_knob(void **state)
{
	static const struct fake_fault pause = { FAKE_PAUSE_GET, NULL, FAKE_ERRNO, EIO };
	_cleanup_node_ struct nic_node *node = nic_node_new(nic_node_ports, 1);
	struct state want = nic_node_state(node, 0, KNOB_PFC), have;

	want.value[KNOB_PAUSE].status = want.value[KNOB_PFC].status = want.value[KNOB_MTU].status =
		VALUE_KNOWN;
	(void)os_fake_fault(node->os, &pause);
	assert_int_equal(nic_node_observe(node, &want, &have), 0);
	assert_int_equal(have.value[KNOB_PAUSE].status, VALUE_UNREADABLE);
	assert_int_equal(have.value[KNOB_PFC].status, VALUE_KNOWN);
	assert_int_equal(have.value[KNOB_MTU].status, VALUE_KNOWN);
}

/* ---- configfs ---- */

static void test_no_rdma_cm(void **state)
{
	_cleanup_node_ struct nic_node *node = nic_node_new(nic_node_ports, 1);
	struct value value;

	assert_int_equal(os_fake_remove(node->os, CM), 0);
	value = nic_node_value(node, 0, KNOB_CM_MODE);
	assert_int_equal(value.status, VALUE_UNREADABLE);
	assert_int_equal(value.error, ENOENT);
	assert_string_equal(
		value.note,
		"module rdma_cm is not loaded (modprobe rdma_cm) or configfs not mounted");
}

/* The group is made once, and stays. */
static void test_group_is_made_once(void **state)
{
	_cleanup_node_ struct nic_node *node = nic_node_new(nic_node_ports, 1);

	for (unsigned int i = 0; i < 3; i++) {
		assert_int_equal(nic_node_value(node, 0, KNOB_CM_MODE).status, VALUE_KNOWN);
		assert_int_equal(nic_node_value(node, 0, KNOB_CM_TOS).status, VALUE_KNOWN);
	}
	assert_int_equal(os_fake_writes(node->os, FAKE_MAKE_DIR, NULL), 1);
}

static const struct {
	const char *name;
	const char *attribute;
	const char *text;
	enum knob knob;
} malformed[] = {
	{ "mode, another word", "default_roce_mode", "RoCE v3\n", KNOB_CM_MODE },
	{ "mode, only a beginning", "default_roce_mode", "RoCE\n", KNOB_CM_MODE },
	{ "mode, nothing", "default_roce_mode", "", KNOB_CM_MODE },
	{ "mode, control bytes", "default_roce_mode", "RoCE\033[2J v2\n", KNOB_CM_MODE },
	{ "tos, no number", "default_roce_tos", "none\n", KNOB_CM_TOS },
	{ "tos, nothing", "default_roce_tos", "", KNOB_CM_TOS },
	{ "tos, 362 is 106 in eight bits", "default_roce_tos", "362\n", KNOB_CM_TOS },
	{ "tos, negative", "default_roce_tos", "-1\n", KNOB_CM_TOS },
};

static void test_malformed(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(malformed); i++) {
		_cleanup_node_ struct nic_node *node = nic_node_new(nic_node_ports, 1);
		char path[OS_PATH_MAX];
		struct value value;

		case_equal(malformed[i].name, nic_node_value(node, 0, malformed[i].knob).status,
			   VALUE_KNOWN);
		(void)snprintf(path, sizeof(path), CM "/mlx5_0/ports/1/%s", malformed[i].attribute);
		case_equal(malformed[i].name, os_fake_poke_file(node->os, path, malformed[i].text),
			   0);
		value = nic_node_value(node, 0, malformed[i].knob);
		case_equal(malformed[i].name, value.status, VALUE_UNREADABLE);
		case_true(malformed[i].name, value.error > 0 && *value.note);
		for (const char *p = value.note; *p; p++)
			case_true(malformed[i].name, *p >= ' ' && *p <= '~');
	}
}

/* ---- the device is another one by now ---- */

static void test_renamed(void **state)
{
	_cleanup_node_ struct nic_node *node = nic_node_new(nic_node_ports, 2);
	struct state want = nic_node_state(node, 0, KNOB_PFC), have;

	want.value[KNOB_PFC].status = VALUE_KNOWN;
	assert_int_equal(os_fake_rename(node->os, "ens1f0np0", "tmp"), 0);
	assert_int_equal(nic_node_observe(node, &want, &have), -ENODEV);
	assert_int_equal(os_fake_rename(node->os, "ens1f1np1", "ens1f0np0"), 0);
	assert_int_equal(nic_node_observe(node, &want, &have), -ENODEV);
}

static void test_rdma_gone(void **state)
{
	_cleanup_node_ struct nic_node *node = nic_node_new(nic_node_ports, 2);
	struct state want = nic_node_state(node, 0, KNOB_CM_TOS), have;

	want.value[KNOB_CM_TOS].status = VALUE_KNOWN;
	assert_int_equal(nic_node_observe(node, &want, &have), 0);
	assert_int_equal(os_fake_remove(node->os, IB "mlx5_0"), 0);
	assert_int_equal(nic_node_observe(node, &want, &have), -ENODEV);
}

/* Without a network device the RDMA device alone tells. */
static void test_rdma_without_netdev_gone(void **state)
{
	static const struct fake_port port = { NULL, "mlx5_4", "0000:18:00.0", "mlx5_core",
					       .infiniband = true };
	_cleanup_node_ struct nic_node *node = nic_node_new(&port, 1);
	struct state want = nic_node_state(node, 0, KNOB_CM_TOS), have;

	want.value[KNOB_CM_TOS].status = VALUE_KNOWN;
	assert_int_equal(nic_node_observe(node, &want, &have), 0);
	assert_int_equal(os_fake_remove(node->os, IB "mlx5_4"), 0);
	assert_int_equal(nic_node_observe(node, &want, &have), -ENODEV);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_fresh_node),
		cmocka_unit_test(test_one_message),
		cmocka_unit_test(test_pause),
		cmocka_unit_test(test_dcbx),
		cmocka_unit_test(test_traffic_class),
		cmocka_unit_test(test_traffic_class_without_ofed),
		cmocka_unit_test(test_vf),
		cmocka_unit_test(test_infiniband),
		cmocka_unit_test(test_unknown_driver),
		cmocka_unit_test(test_faults),
		cmocka_unit_test(test_one_fault_is_one_knob),
		cmocka_unit_test(test_no_rdma_cm),
		cmocka_unit_test(test_group_is_made_once),
		cmocka_unit_test(test_malformed),
		cmocka_unit_test(test_renamed),
		cmocka_unit_test(test_rdma_gone),
		cmocka_unit_test(test_rdma_without_netdev_gone),
	};

	return cmocka_run_group_tests_name("nic-read", tests, NULL, NULL);
}
