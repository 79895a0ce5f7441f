// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * What is no request to the worker, names no device of ours, or asks for what cannot be is refused
 * without a write; and what is no reply is not believed.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "lib/base/macro.h"
#include "tests/support/wire-case.h"

#define PORT	  "ens1f0np0"
#define AT(field) offsetof(struct wire_request, field), sizeof(((struct wire_request *)0)->field)
#define WANT(field)                                                               \
	offsetof(struct wire_request, want) + offsetof(struct wire_value, field), \
		sizeof(((struct wire_value *)0)->field)
#define EXPECT(field)                                                               \
	offsetof(struct wire_request, expect) + offsetof(struct wire_value, field), \
		sizeof(((struct wire_value *)0)->field)

/* ---- what is no request ---- */

static void test_sizes(void **state)
{
	_cleanup_node_ struct nic_node *node = nic_node_new(nic_node_ports, 2);
	struct {
		struct wire_request request;
		char more[64];
	} in = {};
	struct wire_reply reply;

	in.request = wire_write_request(node, KNOB_PFC, STEP_SET, "3");
	for (size_t size = 0; size <= sizeof(in); size++) {
		if (size == sizeof(in.request))
			continue;
		case_equal("size", nic_serve(node->os, &in, size, &reply), -EBADMSG);
		case_equal("size", reply.result, -EBADMSG);
	}
	assert_int_equal(wire_writes(node), 0);
	assert_int_equal(wire_serve(node, &in.request), 1);
}

/* One field of a good request is another. */
static const struct {
	const char *name;
	enum knob knob;
	enum step_op op;
	const char *text;
	size_t offset;
	size_t size;
	uint64_t value;
	int result;
} hostile[] = {
	{ "magic", KNOB_PFC, STEP_SET, "3", AT(magic), 0x4c4e0002, -EBADMSG },
	{ "no verb", KNOB_PFC, STEP_SET, "3", AT(verb), 0, -EBADMSG },
	{ "no such verb", KNOB_PFC, STEP_SET, "3", AT(verb), WIRE_VERB_MAX, -EBADMSG },
	{ "a reading that wants", KNOB_PFC, STEP_SET, "3", AT(verb), WIRE_READ, -EBADMSG },
	{ "a probe that wants", KNOB_PFC, STEP_SET, "3", AT(verb), WIRE_PROBE, -EBADMSG },
	{ "other kind of target", KNOB_PFC, STEP_SET, "3", AT(target), TARGET_RDMA, -EBADMSG },
	{ "no kind of target", KNOB_PFC, STEP_SET, "3", AT(target), TARGET_KIND_MAX, -EBADMSG },
	{ "no object", KNOB_PFC, STEP_SET, "3", AT(object), OBJECT_MAX, -EBADMSG },
	{ "last object", KNOB_PFC, STEP_SET, "3", AT(object), 255, -EBADMSG },
	{ "object of RDMA", KNOB_PFC, STEP_SET, "3", AT(object), OBJECT_CM_TOS, -EBADMSG },
	{ "object without the knob", KNOB_PFC, STEP_SET, "3", AT(object), OBJECT_MTU, -EBADMSG },
	{ "read-only object", KNOB_PFC, STEP_SET, "3", AT(object), OBJECT_BUFFERS, -EBADMSG },
	{ "op", KNOB_PFC, STEP_SET, "3", AT(op), STEP_OP_MAX, -EBADMSG },
	{ "add to no map", KNOB_PFC, STEP_SET, "3", AT(op), STEP_ADD, -EBADMSG },
	{ "set of a map", KNOB_DSCP_TO_PRIORITY, STEP_ADD, "26:3", AT(op), STEP_SET, -EBADMSG },
	{ "parts of a whole", KNOB_PFC, STEP_SET, "3", AT(parts), 8, -EBADMSG },
	{ "no parts", KNOB_DSCP_TO_PRIORITY, STEP_ADD, "26:3", AT(parts), 0, -EBADMSG },
	{ "no priorities", KNOB_ECN_RP, STEP_SET, "3", AT(parts), 0, -EBADMSG },
	{ "priority 8", KNOB_ECN_RP, STEP_SET, "3", AT(parts), 0x100, -EBADMSG },
	{ "no knob", KNOB_PFC, STEP_SET, "3", AT(n_knobs), 0, -EBADMSG },
	{ "a knob of zeros", KNOB_PFC, STEP_SET, "3", AT(n_knobs), 2, -EBADMSG },
	{ "five knobs", KNOB_PFC, STEP_SET, "3", AT(n_knobs), 5, -EBADMSG },
	{ "all knobs", KNOB_PFC, STEP_SET, "3", AT(n_knobs), 255, -EBADMSG },
	{ "zero", KNOB_PFC, STEP_SET, "3", AT(zero), 1, -EBADMSG },
	{ "more than a value", KNOB_PFC, STEP_SET, "3",
	  offsetof(struct wire_request, want) + sizeof(struct wire_value), 1, 1, -EBADMSG },
	{ "more to expect", KNOB_PFC, STEP_SET, "3",
	  offsetof(struct wire_request, expect) + sizeof(struct wire_value), 1, 1, -EBADMSG },

	{ "loopback", KNOB_MTU, STEP_SET, "4200", AT(ifindex), 1, -EPERM },
	{ "other index", KNOB_MTU, STEP_SET, "4200", AT(ifindex), 3, -ENODEV },
	{ "index of nobody", KNOB_MTU, STEP_SET, "4200", AT(ifindex), 4711, -ENODEV },
	{ "negative index", KNOB_MTU, STEP_SET, "4200", AT(ifindex), UINT32_MAX, -EBADMSG },
	{ "no index", KNOB_MTU, STEP_SET, "4200", AT(ifindex), 0, -EBADMSG },
	{ "other RDMA port", KNOB_MTU, STEP_SET, "4200", AT(rdma_port), 2, -ENODEV },
	{ "no RDMA port", KNOB_MTU, STEP_SET, "4200", AT(rdma_port), 0, -EBADMSG },
	{ "RDMA port 256", KNOB_MTU, STEP_SET, "4200", AT(rdma_port), 256, -EBADMSG },

	{ "other knob", KNOB_PFC, STEP_SET, "3", WANT(knob), KNOB_CABLE_LENGTH, -EBADMSG },
	{ "knob of RDMA", KNOB_PFC, STEP_SET, "3", WANT(knob), KNOB_CM_TOS, -EBADMSG },
	{ "no knob", KNOB_PFC, STEP_SET, "3", WANT(knob), KNOB_MAX, -EBADMSG },
	{ "last knob", KNOB_PFC, STEP_SET, "3", WANT(knob), 255, -EBADMSG },
	{ "not known", KNOB_PFC, STEP_SET, "3", WANT(status), VALUE_UNSUPPORTED, -EBADMSG },
	{ "unmanaged", KNOB_PFC, STEP_SET, "3", WANT(status), VALUE_UNMANAGED, -EBADMSG },
	{ "expect nothing", KNOB_PFC, STEP_SET, "3", EXPECT(status), VALUE_UNMANAGED, -EBADMSG },
	{ "no status", KNOB_PFC, STEP_SET, "3", EXPECT(status), VALUE_STATUS_MAX, -EBADMSG },
	{ "errno of a value", KNOB_PFC, STEP_SET, "3", WANT(error), 5, -EBADMSG },
	{ "flags", KNOB_PFC, STEP_SET, "3", WANT(flags), WIRE_UNSET, -EBADMSG },
	{ "set of a number", KNOB_PFC, STEP_SET, "3", WANT(flags), WIRE_SET, -EBADMSG },
	{ "flag of none", KNOB_PFC, STEP_SET, "3", EXPECT(flags), 8, -EBADMSG },
	{ "end of a value", KNOB_PFC, STEP_SET, "3", WANT(zero), 1, -EBADMSG },
	{ "map of priorities", KNOB_PFC, STEP_SET, "3", WANT(map_named), 1, -EBADMSG },
	{ "switches of priorities", KNOB_PFC, STEP_SET, "3", WANT(switches_on), 1, -EBADMSG },

	{ "priority 8", KNOB_PFC, STEP_SET, "3", WANT(number), 0x100, -EBADMSG },
	{ "expect priority 8", KNOB_PFC, STEP_SET, "3", EXPECT(number), 0x100, -EBADMSG },
	{ "cable of 0 m", KNOB_CABLE_LENGTH, STEP_SET, "5m", WANT(number), 0, -EBADMSG },
	{ "cable of 1000 m", KNOB_CABLE_LENGTH, STEP_SET, "5m", WANT(number), 1000, -EBADMSG },
	{ "MTU 67", KNOB_MTU, STEP_SET, "4200", WANT(number), 67, -EBADMSG },
	{ "MTU 65536", KNOB_MTU, STEP_SET, "4200", WANT(number), 65536, -EBADMSG },
	{ "watchdog 65536", KNOB_PFC_WATCHDOG, STEP_SET, "200ms", WANT(number), 65536, -EBADMSG },
	{ "ToS 256", KNOB_CM_TOS, STEP_SET, "106", WANT(number), 256, -EBADMSG },
	{ "class 256", KNOB_TRAFFIC_CLASS, STEP_SET, "106", WANT(number), 256, -EBADMSG },
	{ "class not set", KNOB_TRAFFIC_CLASS, STEP_SET, "106", WANT(flags), 0, -EBADMSG },
	{ "CNP DSCP 64", KNOB_CNP_DSCP, STEP_SET, "48", WANT(number), 64, -EBADMSG },
	{ "CNP priority 8", KNOB_CNP_PRIORITY, STEP_SET, "6", WANT(number), 8, -EBADMSG },
	{ "word", KNOB_DCBX, STEP_SET, "host", WANT(number), 4, -EBADMSG },
	{ "last word", KNOB_CM_MODE, STEP_SET, "v1", WANT(number), UINT32_MAX, -EBADMSG },
	{ "pause", KNOB_PAUSE, STEP_SET, "off", WANT(number), 8, -EBADMSG },
	{ "class of ETS", KNOB_SCHEDULER, STEP_SET,
	  "0:0/50% 1:0/50% 2:0/50% 3:3/50% 4:0/50% 5:0/50% 6:6/strict 7:0/50%", WANT(ets_class), 8,
	  -EBADMSG },
	{ "algorithm", KNOB_SCHEDULER, STEP_SET,
	  "0:0/50% 1:0/50% 2:0/50% 3:3/50% 4:0/50% 5:0/50% 6:6/strict 7:0/50%", WANT(ets_algorithm),
	  ETS_ALGORITHM_MAX, -EBADMSG },
	{ "share of 101", KNOB_SCHEDULER, STEP_SET,
	  "0:0/50% 1:0/50% 2:0/50% 3:3/50% 4:0/50% 5:0/50% 6:6/strict 7:0/50%", WANT(ets_share),
	  101, -EBADMSG },
	{ "class of no priority", KNOB_MAX_RATE, STEP_SET, "tc3:1Gbit/s", WANT(ets_class), 8,
	  -EBADMSG },
	{ "class of none found", KNOB_MAX_RATE, STEP_SET, "tc3:1Gbit/s", EXPECT(ets_class), 8,
	  -EBADMSG },
	{ "rate of no class", KNOB_MAX_RATE, STEP_SET, "tc0:1Gbit/s", WANT(ets_named), 0xfe,
	  -EBADMSG },
	{ "algorithm of a rate", KNOB_MAX_RATE, STEP_SET, "tc3:1Gbit/s", WANT(ets_algorithm), 1,
	  -EBADMSG },
	{ "map of a rate", KNOB_MAX_RATE, STEP_SET, "tc3:1Gbit/s", WANT(map_named), 1, -EBADMSG },
	{ "unset rate", KNOB_MAX_RATE, STEP_SET, "tc3:1Gbit/s", WANT(flags), WIRE_SET, -EBADMSG },
	{ "entry of no DSCP", KNOB_DSCP_TO_PRIORITY, STEP_ADD, "26:3", WANT(map_named), 1,
	  -EBADMSG },
	{ "switch of nobody", KNOB_ECN_RP, STEP_SET, "3", WANT(switches_named), 0, -EBADMSG },
};

static void test_hostile(void **state)
{
	_cleanup_node_ struct nic_node *node = nic_node_new(nic_node_ports, 2);

	for (size_t i = 0; i < ARRAY_SIZE(hostile); i++) {
		struct wire_request request =
			wire_write_request(node, hostile[i].knob, hostile[i].op, hostile[i].text);
		uint64_t value = hostile[i].value; /* low byte first */

		(void)memcpy((char *)&request + hostile[i].offset, &value,
			     MIN(hostile[i].size, sizeof(value)));
		case_equal(hostile[i].name, wire_serve(node, &request), hostile[i].result);
		case_equal(hostile[i].name, wire_writes(node), 0);
	}
}

static const struct {
	const char *name;
	char text[WIRE_NAME_MAX];
	int result;
} names[] = {
	{ "lo", "lo", -EPERM },
	{ "empty", "", -EBADMSG },
	{ "dot", ".", -EBADMSG },
	{ "dots", "..", -EBADMSG },
	{ "slash", "a/b", -EBADMSG },
	{ "up", "../class", -EBADMSG },
	{ "control", "ens1\nf0", -EBADMSG },
	{ "blank", "ens1 f0", -EBADMSG },
	{ "delete", "ens1\177", -EBADMSG },
	{ "behind the end", "ens1f0np0\0x", -EBADMSG },
	{ "no end", { [0 ... WIRE_NAME_MAX - 1] = 'a' }, -EBADMSG },
	{ "nobody", "eth0", -ENODEV },
	{ "of the other", "ens1f1np1", -ENODEV },
};

static void test_names(void **state)
{
	_cleanup_node_ struct nic_node *node = nic_node_new(nic_node_ports, 2);

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		struct wire_request request = wire_write_request(node, KNOB_MTU, STEP_SET, "4200");

		memcpy(request.name, names[i].text, sizeof(request.name));
		case_equal(names[i].name, wire_serve(node, &request), names[i].result);
		request = wire_write_request(node, KNOB_MTU, STEP_SET, "4200");
		memcpy(request.rdma, names[i].text, sizeof(request.rdma));
		case_equal(names[i].name, wire_serve(node, &request),
			   names[i].result == -EPERM ? -ENODEV : names[i].result);
		request = wire_write_request(node, KNOB_MTU, STEP_SET, "4200");
		memcpy(request.pci, names[i].text, sizeof(request.pci));
		case_equal(names[i].name, wire_serve(node, &request),
			   names[i].result == -EPERM || !*names[i].text ? -ENODEV :
									  names[i].result);
		case_equal(names[i].name, wire_writes(node), 0);
	}
}

/* Any byte may be any: all but the id and the priorities that are wanted have one form here. */
static void test_bytes(void **state)
{
	_cleanup_node_ struct nic_node *node = nic_node_new(nic_node_ports, 2);
	const struct wire_request good = wire_write_request(node, KNOB_PFC, STEP_SET, "3");
	const size_t id = offsetof(struct wire_request, id);
	const size_t wanted = offsetof(struct wire_request, want[0].number);

	for (size_t i = 0; i < sizeof(good); i++) {
		struct wire_request request = good;
		struct wire_reply reply = {};

		((uint8_t *)&request)[i] ^= 0xff;
		(void)nic_serve(node->os, &request, sizeof(request), &reply);
		assert_int_equal(reply.magic, WIRE_MAGIC);
		assert_int_equal(wire_writes(node),
				 i == wanted || (i >= id && i < id + sizeof(good.id)));
		if (wire_writes(node))
			assert_int_equal(os_fake_poke_pfc(node->os, PORT, 0), 0);
		os_fake_writes_reset(node->os);
	}
}

static void test_rename(void **state)
{
	_cleanup_node_ struct nic_node *node = nic_node_new(nic_node_ports, 2);
	struct wire_request request = wire_write_request(node, KNOB_PFC, STEP_SET, "3");

	assert_int_equal(os_fake_rename(node->os, PORT, "eth7"), 0);
	assert_int_equal(wire_serve(node, &request), -ENODEV);
	assert_int_equal(os_fake_rename(node->os, "ens1f1np1", PORT), 0);
	assert_int_equal(wire_serve(node, &request), -ENODEV);
	assert_int_equal(wire_writes(node), 0);
}

static const struct {
	const char *name;
	struct fake_port port;
	enum knob knob;
	const char *text;
	int result;
} strangers[] = {
	{ "no RDMA device",
	  { .name = PORT, .pci = "0000:17:00.0", .driver = "mlx5_core" },
	  KNOB_MTU,
	  "4200",
	  -ENODEV },
	{ "unknown driver",
	  { .name = PORT, .rdma = "x0", .pci = "0000:17:00.0", .driver = "newnic" },
	  KNOB_PFC,
	  "3",
	  -EOPNOTSUPP },
};

static void test_strangers(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(strangers); i++) {
		const struct fake_port ports[] = { nic_node_ports[1], strangers[i].port };
		_cleanup_node_ struct nic_node *node = nic_node_new(ports, 2);
		struct wire_request request =
			wire_write_request(node, strangers[i].knob, STEP_SET, strangers[i].text);

		(void)snprintf(request.name, sizeof(request.name), "%s", PORT);
		memset(request.rdma, 0, sizeof(request.rdma));
		(void)snprintf(request.rdma, sizeof(request.rdma), "%s",
			       strangers[i].port.rdma ?: "mlx5_1");
		for (request.ifindex = 2; request.ifindex < 5; request.ifindex++) {
			int r = wire_serve(node, &request);

			case_true(strangers[i].name, r == -ENODEV || r == strangers[i].result);
			if (r == strangers[i].result)
				break;
		}
		case_true(strangers[i].name, request.ifindex < 5);
		case_equal(strangers[i].name, wire_writes(node), 0);
	}
}

static void test_infiniband(void **state)
{
	static const struct fake_port port = { .rdma = "mlx5_0",
					       .pci = "0000:17:00.0",
					       .driver = "mlx5_core",
					       .infiniband = true };
	_cleanup_node_ struct nic_node *node = nic_node_new(&port, 1);
	struct wire_request request = wire_write_request(node, KNOB_CM_TOS, STEP_SET, "106");

	assert_int_equal(wire_serve(node, &request), -EOPNOTSUPP);
	request = wire_read_request(node, KNOB_CM_TOS);
	assert_int_equal(wire_serve(node, &request), -EOPNOTSUPP);
	assert_int_equal(wire_writes(node), 0);
}

/* The MTU of what stands on a port is ours, nothing else of it is. */
static void test_stacked(void **state)
{
	_cleanup_node_ struct nic_node *node = nic_node_new(nic_node_ports, 2);
	struct inventory inventory;
	struct wire_request request = wire_write_request(node, KNOB_MTU, STEP_SET, "1400");
	const struct nic *bond;

	assert_int_equal(os_fake_add_link(node->os, "bond0", "bond", NULL), 0);
	assert_int_equal(os_fake_enslave(node->os, PORT, "bond0"), 0);
	assert_int_equal(nic_inventory(node->os, &inventory), 0);
	bond = inventory_stacked_name(&inventory, "bond0");
	assert_non_null(bond);
	request.ifindex = bond->ifindex;
	request.rdma_port = bond->rdma_port;
	memset(request.name, 0, sizeof(request.name));
	memset(request.rdma, 0, sizeof(request.rdma));
	(void)snprintf(request.name, sizeof(request.name), "%s", bond->name);
	(void)snprintf(request.rdma, sizeof(request.rdma), "%.63s", bond->rdma);
	memset(request.pci, 0, sizeof(request.pci));
	(void)snprintf(request.pci, sizeof(request.pci), "%s", bond->pci);
	inventory_done(&inventory);
	os_fake_writes_reset(node->os);
	assert_int_equal(wire_serve(node, &request), 1);
	assert_int_equal(wire_writes(node), 1);

	os_fake_writes_reset(node->os);
	request.verb = WIRE_READ;
	request.op = request.n_knobs = 0;
	request.parts = 0;
	memset(request.want, 0, sizeof(request.want));
	memset(request.expect, 0, sizeof(request.expect));
	assert_int_equal(wire_serve(node, &request), 0);
	request.object = OBJECT_PFC;
	assert_int_equal(wire_serve(node, &request), -ENODEV);
	assert_int_equal(wire_writes(node), 0);
}

/* A reply is as little believed: each byte of it may be any. */
static void test_hostile_reply(void **state)
{
	_cleanup_node_ struct nic_node *node = nic_node_new(nic_node_ports, 2);
	const struct wire_request request = wire_read_request(node, KNOB_PFC);
	const struct target target = nic_node_state(node, 0, KNOB_PFC).target;
	const struct wire_call call = {
		.verb = WIRE_READ, .id = 8, .target = target, .change.object = OBJECT_PFC
	};
	struct wire_reply reply;
	unsigned int n_refused = 0;

	(void)nic_serve(node->os, &request, sizeof(request), &reply);
	for (size_t i = 0; i < sizeof(reply); i++) {
		struct wire_reply bad = reply;
		struct refusal refusal = {};
		struct state have = {};
		int result;

		((uint8_t *)&bad)[i] ^= 0x81;
		if (wire_reply_decode(&bad, sizeof(bad), &call, &have, &refusal, &result) == 0)
			continue;
		n_refused++;
		assert_int_equal(have.value[KNOB_PFC].status, VALUE_UNMANAGED);
	}
	/* number of PFC (low byte), of the cable (4), are free; all else has one form */
	assert_true(n_refused >= sizeof(reply) - 6);
	for (size_t size = 0; size < sizeof(reply); size++) {
		struct refusal refusal = {};
		struct state have = {};
		int result;

		case_equal("size", wire_reply_decode(&reply, size, &call, &have, &refusal, &result),
			   -EBADMSG);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sizes),	cmocka_unit_test(test_hostile),
		cmocka_unit_test(test_names),	cmocka_unit_test(test_bytes),
		cmocka_unit_test(test_rename),	cmocka_unit_test(test_strangers),
		cmocka_unit_test(test_stacked), cmocka_unit_test(test_infiniband),
		cmocka_unit_test(test_hostile_reply),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
