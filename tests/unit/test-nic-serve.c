// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The worker's end: what is good is written once, what comes too late or twice is not, what is read
 * comes back whole.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/base/macro.h"
#include "tests/support/wire-case.h"

#define PORT "ens1f0np0"

/* ---- what is good ---- */

static const struct {
	enum knob knob;
	enum step_op op;
	const char *text;
	const char *other; /* that it neither is nor shall be */
} good[] = {
	{ KNOB_DCBX, STEP_SET, "host", NULL },
	{ KNOB_PAUSE, STEP_SET, "rx", "tx" },
	{ KNOB_PAUSE, STEP_SET, "off", NULL },
	{ KNOB_SCHEDULER, STEP_SET,
	  "0:0/50% 1:0/50% 2:0/50% 3:3/50% 4:0/50% 5:0/50% 6:6/strict 7:0/50%",
	  "0:0/30% 1:0/30% 2:0/30% 3:3/70% 4:0/30% 5:0/30% 6:6/strict 7:0/30%" },
	{ KNOB_MAX_RATE, STEP_SET, "tc3:10Gbit/s tc6:500Mbit/s", "tc3:9Gbit/s" },
	{ KNOB_MAX_RATE, STEP_SET, "unlimited", "tc3:9Gbit/s" },
	{ KNOB_DSCP_TO_PRIORITY, STEP_ADD, "26:3 48:6", "26:5" },
	{ KNOB_DSCP_TO_PRIORITY, STEP_DELETE, "26:3", "48:5" },
	{ KNOB_TRUST, STEP_DELETE, "pcp", NULL },
	{ KNOB_TRUST, STEP_ADD, "dscp", NULL },
	{ KNOB_PFC, STEP_SET, "3", "7" },
	{ KNOB_CABLE_LENGTH, STEP_SET, "999m", "77m" },
	{ KNOB_PFC_WATCHDOG, STEP_SET, "200ms", "300ms" },
	{ KNOB_PFC_WATCHDOG, STEP_SET, "0ms", "300ms" },
	{ KNOB_ECN_RP, STEP_SET, "0,1,2,4,5,6,7", "2" },
	{ KNOB_ECN_NP, STEP_SET, "none", NULL },
	{ KNOB_CNP_DSCP, STEP_SET, "47", "12" },
	{ KNOB_CNP_PRIORITY, STEP_SET, "5", "2" },
	{ KNOB_MTU, STEP_SET, "4200", "2000" },
	{ KNOB_MTU, STEP_SET, "1280", "2000" },
	{ KNOB_CM_MODE, STEP_SET, "v1", NULL },
	{ KNOB_CM_TOS, STEP_SET, "106", "11" },
	{ KNOB_TRAFFIC_CLASS, STEP_SET, "106", "11" },
	{ KNOB_TRAFFIC_CLASS, STEP_SET, "unset", "11" },
};

/* Where a part was written and the rest stays, the next requests do the rest. */
static unsigned int serve_all(const char *name, struct nic_node *node, enum knob knob,
			      enum step_op op, const char *text)
{
	struct wire_request request;
	unsigned int n = 0;
	int r = 1;

	while (r > 0 && n <= PRIORITIES) {
		request = wire_write_request(node, knob, op, text);
		r = wire_serve(node, &request);
		n += wire_writes(node);
	}
	case_equal(name, r, 0);
	return n;
}

static void test_good(void **state)
{
	_cleanup_node_ struct nic_node *node = nic_node_new(nic_node_ports, 2);

	for (size_t i = 0; i < ARRAY_SIZE(good); i++) {
		const struct knob_info *info = &knob_table[good[i].knob];
		struct wire_request request =
			wire_write_request(node, good[i].knob, good[i].op, good[i].text);
		char name[64];

		(void)snprintf(name, sizeof(name), "%s %.40s", info->name, good[i].text);
		case_equal(name, wire_serve(node, &request), 1);
		case_equal(name, wire_writes(node), 1);
		/* lost on the way, it comes once more: nothing is done twice */
		if (!object_table[info->object].files) {
			os_fake_writes_reset(node->os);
			case_equal(name, wire_serve(node, &request), 0);
			case_equal(name, wire_writes(node), 0);
		}
		case_true(name, serve_all(name, node, good[i].knob, good[i].op, good[i].text) < 9);
		nic_node_assert(name, node, good[i].knob, good[i].text);
	}
}

/* Somebody else was faster: nothing is written over what nobody decided about. */
static void test_stale(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(good); i++) {
		_cleanup_node_ struct nic_node *node = nic_node_new(nic_node_ports, 2);
		const struct knob_info *info = &knob_table[good[i].knob];
		enum step_op op = info->kind == VALUE_DSCP_MAP ? STEP_ADD : STEP_SET;
		struct wire_request request;
		char name[64];

		if (!good[i].other)
			continue;
		(void)snprintf(name, sizeof(name), "%s %.40s", info->name, good[i].text);
		if (good[i].op == STEP_DELETE)
			(void)serve_all(name, node, good[i].knob, STEP_ADD, "26:3 48:6");
		request = wire_write_request(node, good[i].knob, good[i].op, good[i].text);
		case_true(name, serve_all(name, node, good[i].knob, op, good[i].other) > 0);
		os_fake_writes_reset(node->os);
		case_equal(name, wire_serve(node, &request), -ESTALE);
		case_equal(name, wire_writes(node), 0);
	}
}

/* Of a map only what is edited has to be as expected. */
static void test_stale_parts(void **state)
{
	_cleanup_node_ struct nic_node *node = nic_node_new(nic_node_ports, 2);
	struct wire_request request =
		wire_write_request(node, KNOB_DSCP_TO_PRIORITY, STEP_ADD, "26:3");

	request.parts = dscp_bit(26);
	assert_int_equal(os_fake_poke_app(node->os, PORT, 48, 6), 0);
	assert_int_equal(wire_serve(node, &request), 1);
	assert_int_equal(wire_writes(node), 1);
	nic_node_assert("parts", node, KNOB_DSCP_TO_PRIORITY, "26:3 48:6");

	request = wire_write_request(node, KNOB_ECN_RP, STEP_SET, "3");
	request.parts = 1U << 0;
	assert_int_equal(
		os_fake_poke_file(node->os, "/sys/class/net/" PORT "/ecn/roce_rp/enable/5", "0"),
		0);
	assert_int_equal(wire_serve(node, &request), 1);
	assert_int_equal(wire_writes(node), 1);
	nic_node_assert("parts", node, KNOB_ECN_RP, "1,2,3,4,6,7");
}

/* Two knobs of one object: one write, and what the other is counts. */
static void test_two_knobs(void **state)
{
	_cleanup_node_ struct nic_node *node = nic_node_new(nic_node_ports, 2);
	struct state want = nic_node_state(node, 0, KNOB_PFC);
	struct wire_call call = { .verb = WIRE_WRITE, .target = want.target };
	struct wire_request request;

	nic_node_want(&want, KNOB_PFC, "3");
	nic_node_want(&want, KNOB_CABLE_LENGTH, "30m");
	call.want = want;
	call.change = (struct change){ OBJECT_PFC, STEP_SET, UINT64_MAX };
	assert_int_equal(nic_node_observe(node, &want, &call.expect), 0);
	wire_request_encode(&call, &request);
	assert_int_equal(request.n_knobs, 2);

	assert_int_equal(os_fake_poke_pfc(node->os, PORT, 1U << 5), 0);
	os_fake_writes_reset(node->os);
	assert_int_equal(wire_serve(node, &request), -ESTALE);
	assert_int_equal(wire_writes(node), 0);
	assert_int_equal(os_fake_poke_pfc(node->os, PORT, 0), 0);
	assert_int_equal(wire_serve(node, &request), 1);
	assert_int_equal(wire_writes(node), 1);
	nic_node_assert("two", node, KNOB_PFC, "3");
	nic_node_assert("two", node, KNOB_CABLE_LENGTH, "30m");

	request = (struct wire_request){};
	wire_request_encode(&call, &request);
	request.want[1] = request.want[0];
	request.expect[1] = request.expect[0];
	assert_int_equal(wire_serve(node, &request), -EBADMSG);
}

/* ---- reading, and what comes back ---- */

static void test_read(void **state)
{
	_cleanup_node_ struct nic_node *node = nic_node_new(nic_node_ports, 2);

	for (enum knob knob = 0; knob < KNOB_MAX; knob++) {
		const struct wire_request request = wire_read_request(node, knob);
		struct wire_call call = { .verb = WIRE_READ, .id = request.id };
		struct refusal refusal;
		struct wire_reply reply;
		struct state have = {};
		struct value value;
		int result;

		(void)nic_serve(node->os, &request, sizeof(request), &reply);
		call.target = nic_node_state(node, 0, knob).target;
		call.change.object = knob_table[knob].object;
		case_equal(
			knob_table[knob].name,
			wire_reply_decode(&reply, sizeof(reply), &call, &have, &refusal, &result),
			0);
		case_equal(knob_table[knob].name, result, 0);
		value = nic_node_value(node, 0, knob);
		case_equal(knob_table[knob].name, have.value[knob].status, value.status);
		case_string(knob_table[knob].name, have.value[knob].note, value.note);
		if (value.status == VALUE_KNOWN)
			case_true(knob_table[knob].name,
				  value_equal(&knob_table[knob], &value, &have.value[knob]));
	}
	assert_int_equal(os_fake_writes(node->os, FAKE_WRITE, NULL), 0);
}

/* The words of who refused come back, and what is there after it. */
static void test_refused(void **state)
{
	static const struct fake_fault refuse = { FAKE_DCB_SET, "pfc", FAKE_STATUS, -12 };
	_cleanup_node_ struct nic_node *node = nic_node_new(nic_node_ports, 2);
	const struct wire_request request = wire_write_request(node, KNOB_PFC, STEP_SET, "3");
	struct wire_reply reply;

	(void)os_fake_fault(node->os, &refuse);
	assert_int_equal(nic_serve(node->os, &request, sizeof(request), &reply), 0);
	assert_int_equal(reply.result, -EREMOTEIO);
	assert_int_equal(reply.error, EREMOTEIO);
	assert_int_equal(reply.status, -12);
	assert_int_equal(reply.n_knobs, 2);
	assert_int_equal(reply.have[0].status, VALUE_KNOWN);
	assert_int_equal(reply.have[0].number, 0);
}

/* ---- the end at a write ---- */

static const struct {
	const char *when;
	int ends_at; /* the request that it does not survive */
} kills[] = {
	{ "before:1", 1 },
	{ "after:1", 1 },
	{ "before:2", 2 },
	{ "after:2", 2 },
};

/* As a process of its own: each request that it survives is a byte in the pipe. */
static void child(const char *when, int out)
{
	static const char *const texts[] = { "3", "4", "5" };
	struct nic_node *node = nic_node_new(nic_node_ports, 1);

	(void)setenv("LOSSLESSD_NIC_KILL", when, 1);
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		struct wire_request request =
			wire_write_request(node, KNOB_PFC, STEP_SET, texts[i]);

		(void)wire_serve(node, &request);
		(void)!write(out, "r", 1);
	}
	_exit(0);
}

static void test_kill(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(kills); i++) {
		char served[8];
		int pipes[2], status;
		pid_t pid;

		assert_int_equal(pipe(pipes), 0);
		pid = fork();
		assert_true(pid >= 0);
		if (pid == 0)
			child(kills[i].when, pipes[1]);
		(void)close(pipes[1]);
		case_equal(kills[i].when, waitpid(pid, &status, 0), pid);
		case_true(kills[i].when, WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
		case_equal(kills[i].when, read(pipes[0], served, sizeof(served)),
			   kills[i].ends_at - 1);
		(void)close(pipes[0]);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_good),	    cmocka_unit_test(test_stale),
		cmocka_unit_test(test_stale_parts), cmocka_unit_test(test_two_knobs),
		cmocka_unit_test(test_read),	    cmocka_unit_test(test_refused),
		cmocka_unit_test(test_kill),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
