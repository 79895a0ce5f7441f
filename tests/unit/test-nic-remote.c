// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The client's end, over a real socket: the worker is called where the client waits for it, and
 * goes away, lies and is silent as the case says.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "lib/base/macro.h"
#include "lib/nic/remote.h"
#include "lib/nic/serve.h"
#include "lib/reconcile/execute.h"
#include "tests/support/nic-node.h"

enum conduct {
	ANSWERS,
	GOES_BEFORE, /* has read the request, and ends without doing it */
	GOES_AFTER, /* does it, and ends before it answers */
	SILENT,
	SHORT,
	OTHER_ID,
	GARBAGE,
};

struct bed {
	struct nic_node *node;
	struct nic_remote remote;
	struct provider provider;
	char folder[32];
	char path[64];
	int listener;
	int peer; /* -1: none */
	enum conduct conduct;
	unsigned int times; /* so often, then ANSWERS */
	unsigned int n_requests;
	int nested; /* what a write gave that came while one was waited for */
};

static void go(struct bed *bed)
{
	(void)close(bed->peer);
	bed->peer = -1;
}

static void answer(struct bed *bed, const struct wire_request *request, enum conduct conduct)
{
	struct wire_reply reply;

	os_fake_privileged(bed->node->os, true);
	(void)nic_serve(bed->node->os, request, sizeof(*request), &reply);
	os_fake_privileged(bed->node->os, false);
	if (conduct == OTHER_ID)
		reply.id++;
	if (conduct == GARBAGE)
		memset(&reply.have, 0xff, sizeof(reply.have));
	if (conduct == GOES_AFTER)
		go(bed);
	else
		assert_true(send(bed->peer, &reply, sizeof(reply) - (conduct == SHORT), 0) > 0);
}

static int write_pfc(struct bed *bed, const char *text, struct refusal *ret);

/* One turn of the owner's loop. */
static int work(int fd, unsigned int timeout_ms, void *data)
{
	struct bed *bed = data;
	enum conduct conduct = bed->conduct;
	struct wire_request request;
	struct refusal refusal;
	struct state have = nic_node_state(bed->node, 0, KNOB_CNP_DSCP);

	assert_in_range(timeout_ms, 1, NIC_REMOTE_TIMEOUT_MS);
	if (bed->peer < 0)
		bed->peer = accept(bed->listener, NULL, NULL);
	assert_true(bed->peer >= 0);
	assert_int_equal(recv(bed->peer, &request, sizeof(request), 0), sizeof(request));
	bed->n_requests++;
	bed->nested = write_pfc(bed, "5", &refusal);
	assert_int_equal(
		bed->provider.ops->read(&bed->provider, &have.target, OBJECT_CNP_DSCP, &have), 0);
	if (bed->times > 0 && --bed->times == 0)
		bed->conduct = ANSWERS;
	if (conduct == SILENT)
		return 0;
	if (conduct == GOES_BEFORE)
		go(bed);
	else
		answer(bed, &request, conduct);
	return 1;
}

static void listen_anew(struct bed *bed)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };

	(void)snprintf(address.sun_path, sizeof(address.sun_path), "%s", bed->path);
	bed->listener = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	assert_true(bed->listener >= 0);
	assert_int_equal(bind(bed->listener, (struct sockaddr *)&address, sizeof(address)), 0);
	assert_int_equal(listen(bed->listener, 4), 0);
}

/* No OFED: what CNPs carry is in debugfs, which only root reads. */
static const struct fake_port ports[] = {
	{ .name = "ens1f0np0", .rdma = "mlx5_0", .pci = "0000:17:00.0", .driver = "mlx5_core" },
};

static struct bed *bed_new(void)
{
	struct bed *bed = calloc(1, sizeof(*bed));

	assert_non_null(bed);
	bed->node = nic_node_new(ports, 1);
	os_fake_privileged(bed->node->os, false);
	bed->peer = -1;
	(void)snprintf(bed->folder, sizeof(bed->folder), "/tmp/remote-XXXXXX");
	assert_non_null(mkdtemp(bed->folder));
	(void)snprintf(bed->path, sizeof(bed->path), "%s/socket", bed->folder);
	listen_anew(bed);
	assert_int_equal(nic_remote_init(&bed->remote, &bed->provider, bed->node->os, bed->path),
			 0);
	bed->remote.wait = work;
	bed->remote.wait_data = bed;
	return bed;
}

static void bed_freep(struct bed **bed)
{
	nic_remote_done(&(*bed)->remote);
	if ((*bed)->peer >= 0)
		(void)close((*bed)->peer);
	(void)close((*bed)->listener);
	(void)unlink((*bed)->path);
	(void)rmdir((*bed)->folder);
	nic_node_free((*bed)->node);
	free(*bed);
}

#define _cleanup_bed_ __attribute__((__cleanup__(bed_freep)))

static int write_pfc(struct bed *bed, const char *text, struct refusal *ret)
{
	const struct change change = { OBJECT_PFC, STEP_SET, UINT64_MAX };
	struct state want = nic_node_state(bed->node, 0, KNOB_PFC);
	struct state have = { .target = want.target };

	nic_node_want(&want, KNOB_PFC, text);
	assert_int_equal(bed->provider.ops->read(&bed->provider, &want.target, OBJECT_PFC, &have),
			 0);
	return bed->provider.ops->write(&bed->provider, &want.target, &change, &want, &have, ret);
}

static unsigned int writes(const struct bed *bed)
{
	return os_fake_writes(bed->node->os, FAKE_ANY_WRITE, NULL);
}

/* ---- writing ---- */

static void test_write(void **state)
{
	_cleanup_bed_ struct bed *bed = bed_new();
	struct refusal refusal;

	assert_int_equal(write_pfc(bed, "3", &refusal), 1);
	assert_int_equal(writes(bed), 1);
	assert_int_equal(bed->remote.n_writes, 1);
	assert_int_equal(bed->nested, -EBUSY);
	assert_int_equal(write_pfc(bed, "3", &refusal), 0);
	assert_int_equal(refusal.error, 0);
	assert_int_equal(writes(bed), 1);
	assert_int_equal(bed->n_requests, 2);
}

static const struct {
	const char *name;
	enum conduct conduct;
	int result;
	unsigned int writes;
} troubles[] = {
	{ "goes before", GOES_BEFORE, -ECONNRESET, 0 },
	{ "goes after", GOES_AFTER, -ECONNRESET, 1 },
	{ "silent", SILENT, -ETIMEDOUT, 0 },
	{ "short", SHORT, -EBADMSG, 1 },
	{ "other id", OTHER_ID, -EBADMSG, 1 },
	{ "garbage", GARBAGE, -EBADMSG, 1 },
};

/* It is asked once, whatever comes of it; the next one gets a new connection. */
static void test_trouble(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(troubles); i++) {
		_cleanup_bed_ struct bed *bed = bed_new();
		struct refusal refusal;

		bed->conduct = troubles[i].conduct;
		bed->times = 1;
		case_equal(troubles[i].name, write_pfc(bed, "3", &refusal), troubles[i].result);
		case_equal(troubles[i].name, refusal.error, -troubles[i].result);
		case_true(troubles[i].name, *refusal.text);
		case_equal(troubles[i].name, writes(bed), troubles[i].writes);
		case_equal(troubles[i].name, bed->n_requests, 1);
		if (bed->peer >= 0)
			go(bed);
		case_equal(troubles[i].name, write_pfc(bed, "3", &refusal),
			   troubles[i].writes ? 0 : 1);
		case_equal(troubles[i].name, writes(bed), 1);
	}
}

/* The worker was idle and ended: nothing was lost, and nobody need know. */
static void test_idle(void **state)
{
	_cleanup_bed_ struct bed *bed = bed_new();
	struct refusal refusal;

	assert_int_equal(write_pfc(bed, "3", &refusal), 1);
	go(bed);
	assert_int_equal(write_pfc(bed, "4", &refusal), 1);
	assert_int_equal(bed->n_requests, 2);
	assert_int_equal(writes(bed), 2);
}

static void test_nobody(void **state)
{
	_cleanup_bed_ struct bed *bed = bed_new();
	struct refusal refusal;

	(void)unlink(bed->path);
	assert_int_equal(write_pfc(bed, "3", &refusal), -ENOTCONN);
	assert_string_equal(refusal.text,
			    "losslessd-nic cannot be reached: No such file or directory");
	assert_int_equal(bed->remote.n_writes, 0);
}

static void test_path(void **state)
{
	_cleanup_node_ struct nic_node *node = nic_node_new(ports, 1);
	struct nic_remote remote;
	struct provider provider;
	char path[200];

	assert_int_equal(nic_remote_init(&remote, &provider, node->os, ""), -EINVAL);
	memset(path, 'a', sizeof(path));
	path[108] = '\0';
	assert_int_equal(nic_remote_init(&remote, &provider, node->os, path), -ENAMETOOLONG);
	path[107] = '\0';
	assert_int_equal(nic_remote_init(&remote, &provider, node->os, path), 0);
}

/* ---- the executor over it ---- */

static const struct {
	const char *name;
	enum conduct conduct;
	enum step_outcome outcome;
	unsigned int writes;
} runs[] = {
	{ "answers", ANSWERS, STEP_DONE, 1 },
	{ "goes after", GOES_AFTER, STEP_DONE, 1 },
	{ "goes before", GOES_BEFORE, STEP_STALE, 0 },
	{ "silent", SILENT, STEP_FAILED, 0 },
};

static void test_execute(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(runs); i++) {
		_cleanup_bed_ struct bed *bed = bed_new();
		struct state from = nic_node_state(bed->node, 0, KNOB_MTU);
		struct states want = {}, have = {};
		struct plan plan;
		struct state *wanted;

		wanted = states_add(&want, from.target.kind, &from.target.nic, from.target.name);
		assert_non_null(wanted);
		nic_node_want(wanted, KNOB_MTU, "4200");
		assert_int_equal(states_observe(&want, &bed->provider, &have), 0);
		assert_int_equal(plan_build(&want, &have, PLAN_FORWARD, &plan), 0);
		assert_int_equal(plan.n_steps, 1);
		bed->conduct = runs[i].conduct;
		bed->times = 1;
		(void)plan_execute(&plan, &bed->provider, NULL);
		case_equal(runs[i].name, plan.steps[0].outcome, runs[i].outcome);
		case_equal(runs[i].name, writes(bed), runs[i].writes);
		plan_done(&plan);
		states_done(&want);
		states_done(&have);
	}
}

/* ---- reading ---- */

/* What a plain user cannot read the worker reads; RDMA-CM's group it makes. */
static const struct {
	enum knob knob;
	const char *text;
} for_root[] = {
	{ KNOB_CNP_DSCP, "48" },
	{ KNOB_CNP_PRIORITY, "6" },
	{ KNOB_CM_MODE, "v2" },
	{ KNOB_CM_TOS, "0" },
};

static void test_read(void **state)
{
	_cleanup_bed_ struct bed *bed = bed_new();

	bed->conduct = GOES_AFTER; /* a reading is repeated */
	bed->times = 1;
	for (size_t i = 0; i < ARRAY_SIZE(for_root); i++) {
		const struct knob_info *info = &knob_table[for_root[i].knob];
		struct state want = nic_node_state(bed->node, 0, for_root[i].knob);
		struct state have = { .target = want.target };
		char text[VALUE_TEXT_MAX];

		nic_node_want(&want, for_root[i].knob, for_root[i].text);
		case_equal(info->name,
			   bed->provider.ops->observe(&bed->provider, &want.target, &want, &have),
			   0);
		value_format(info, &have.value[for_root[i].knob], text, sizeof(text));
		case_string(info->name, text, for_root[i].text);
	}
	/* the group is there now: the ToS needs nobody */
	assert_int_equal(bed->n_requests, 4);
	assert_int_equal(bed->remote.n_writes, 0);
}

static void test_read_nobody(void **state)
{
	_cleanup_bed_ struct bed *bed = bed_new();
	struct state have = nic_node_state(bed->node, 0, KNOB_CNP_DSCP);

	(void)unlink(bed->path);
	assert_int_equal(
		bed->provider.ops->read(&bed->provider, &have.target, OBJECT_CNP_DSCP, &have), 0);
	assert_int_equal(have.value[KNOB_CNP_DSCP].status, VALUE_UNREADABLE);
	assert_int_equal(have.value[KNOB_CNP_DSCP].error, ENOTCONN);
	/* what can be read is read */
	assert_int_equal(bed->provider.ops->read(&bed->provider, &have.target, OBJECT_PFC, &have),
			 0);
	assert_int_equal(have.value[KNOB_PFC].status, VALUE_KNOWN);
}

/* V01: the worker's sandbox counts; without a worker the write tells. */
static void test_probe(void **state)
{
	static const struct fake_fault read_only = { FAKE_OPEN, "/mtu", FAKE_ERRNO, EROFS };
	_cleanup_bed_ struct bed *bed = bed_new();
	const struct target target = nic_node_state(bed->node, 0, KNOB_PFC).target;
	const struct provider_ops *ops = bed->provider.ops;

	assert_int_equal(ops->probe(&bed->provider, &target), 0);
	(void)os_fake_fault(bed->node->os, &read_only);
	assert_int_equal(ops->probe(&bed->provider, &target), -EROFS);
	assert_int_equal(bed->n_requests, 2);
	assert_int_equal(writes(bed), 0);
	go(bed);
	(void)unlink(bed->path);
	assert_int_equal(ops->probe(&bed->provider, &target), 0);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_write), cmocka_unit_test(test_trouble),
		cmocka_unit_test(test_idle),  cmocka_unit_test(test_nobody),
		cmocka_unit_test(test_path),  cmocka_unit_test(test_execute),
		cmocka_unit_test(test_read),  cmocka_unit_test(test_read_nobody),
		cmocka_unit_test(test_probe),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
