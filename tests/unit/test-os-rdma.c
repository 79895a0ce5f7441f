// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * RDMA netlink: the bytes of the two requests, made from <rdma/rdma_netlink.h>, and answers that
 * are wrong.
 */
#include <errno.h>
#include <linux/netlink.h>
#include <rdma/rdma_netlink.h>
#include <string.h>

#include "lib/base/macro.h"
#include "lib/os/fake.h"
#include "lib/os/rdma.h"
#include "tests/support/cases.h"
#include "tests/support/packet.h"

enum {
	GET = RDMA_NL_GET_TYPE(RDMA_NL_NLDEV, RDMA_NLDEV_CMD_GET),
	RES_QP_GET = RDMA_NL_GET_TYPE(RDMA_NL_NLDEV, RDMA_NLDEV_CMD_RES_QP_GET),
};

static struct packet packet;

/* ---- what is asked ---- */

static void test_requests(void **state)
{
	struct os_qps qps = {};
	struct os *os;

	assert_int_equal(os_fake_new(NULL, 0, &os), 0);
	/* without a device the list is all that is asked for */
	packet_done(&packet, 0);
	packet_reply(&packet, os, NETLINK_RDMA);
	assert_int_equal(os_qp_dump(os, &qps), 0);
	packet_expect("devices", os, NETLINK_RDMA, "10000000011401030000000000000000");
	/* the last device of the demo has the index 2 */
	assert_int_equal(os_qp_dump(os, &qps), 0);
	packet_expect("queue pairs", os, NETLINK_RDMA,
		      "180000000a1401030000000000000000 0800010002000000");
	os_qps_done(&qps);
	os_free(os);
}

/* ---- users ---- */

static void test_users(void **state)
{
	struct os_qps qps = {};
	struct os *os;

	assert_int_equal(os_fake_new(NULL, 0, &os), 0);
	assert_int_equal(os_fake_add_qp(os, "mlx5_1", 1, true), 0);
	assert_int_equal(os_fake_add_qp(os, "mlx5_1", 0, false), 0);
	assert_int_equal(os_fake_add_qp(os, "mlx5_9", 1, true), -ENODEV);
	assert_int_equal(os_qp_dump(os, &qps), 0);
	/* and the kernel's own of each device */
	assert_int_equal(qps.n, 4);
	assert_string_equal(qps.list[0].rdma, "mlx5_0");
	assert_true(!qps.list[0].user && !qps.list[0].pid && qps.list[0].rdma_port == 1);
	assert_string_equal(qps.list[2].rdma, "mlx5_1");
	assert_true(qps.list[2].user && qps.list[2].pid && qps.list[2].rdma_port == 1);
	assert_true(!qps.list[3].user && !qps.list[3].pid && qps.list[3].rdma_port == 0);
	os_qps_done(&qps);
	/* they go with their device */
	assert_int_equal(os_fake_reregister_rdma(os, "mlx5_1"), 0);
	assert_int_equal(os_qp_dump(os, &qps), 0);
	assert_int_equal(qps.n, 2);
	os_qps_done(&qps);
	os_free(os);
}

/* ---- strange answers ---- */

static void put_device(uint32_t index, const char *name)
{
	packet_message(&packet, GET, NLM_F_MULTI, NULL, 0);
	packet_u32(&packet, RDMA_NLDEV_ATTR_DEV_INDEX, index);
	packet_string(&packet, RDMA_NLDEV_ATTR_DEV_NAME, name);
}

static size_t begin_qps(void)
{
	packet_message(&packet, RES_QP_GET, NLM_F_MULTI, NULL, 0);
	packet_u32(&packet, RDMA_NLDEV_ATTR_DEV_INDEX, 0);
	return packet_nest(&packet, RDMA_NLDEV_ATTR_RES_QP);
}

static void put_qp(const char *kernel, uint32_t pid)
{
	size_t entry = packet_nest(&packet, RDMA_NLDEV_ATTR_RES_QP_ENTRY);

	packet_u32(&packet, RDMA_NLDEV_ATTR_RES_LQPN, 17);
	if (kernel)
		packet_string(&packet, RDMA_NLDEV_ATTR_RES_KERN_NAME, kernel);
	if (pid)
		packet_u32(&packet, RDMA_NLDEV_ATTR_RES_PID, pid);
	packet_nest_end(&packet, entry);
}

static void put_kernel(void)
{
	size_t nest = begin_qps();

	put_qp("ib_core", 0);
	packet_nest_end(&packet, nest);
}

/* A process of another PID namespace has no PID here; it is a user all the same. */
static void put_hidden_user(void)
{
	size_t nest = begin_qps();

	put_qp(NULL, 0);
	packet_nest_end(&packet, nest);
}

static void put_two_parts(void)
{
	put_kernel();
	put_hidden_user();
}

static void put_empty(void)
{
	packet_nest_end(&packet, begin_qps());
}

static void put_no_table(void)
{
	packet_message(&packet, RES_QP_GET, NLM_F_MULTI, NULL, 0);
}

static void put_no_number(void)
{
	size_t nest = begin_qps();

	packet_nest_end(&packet, packet_nest(&packet, RDMA_NLDEV_ATTR_RES_QP_ENTRY));
	packet_nest_end(&packet, nest);
}

static void put_short_pid(void)
{
	size_t nest = begin_qps();
	size_t entry = packet_nest(&packet, RDMA_NLDEV_ATTR_RES_QP_ENTRY);

	packet_u32(&packet, RDMA_NLDEV_ATTR_RES_LQPN, 17);
	packet_u8(&packet, RDMA_NLDEV_ATTR_RES_PID, 1);
	packet_nest_end(&packet, entry);
	packet_nest_end(&packet, nest);
}

/* The entry says that it is longer than the table. */
static void put_long_entry(void)
{
	size_t nest = begin_qps();
	size_t entry = packet_nest(&packet, RDMA_NLDEV_ATTR_RES_QP_ENTRY);
	const uint16_t length = 64;

	packet_nest_end(&packet, nest);
	memcpy(packet.data + entry, &length, sizeof(length));
}

static void put_other_command(void)
{
	put_device(0, "mlx5_0");
}

/* What a newer kernel adds is passed over */
static void put_unknown(void)
{
	size_t nest = begin_qps();

	packet_u32(&packet, RDMA_NLDEV_ATTR_RES_LQPN, 17);
	put_qp("ib_core", 0);
	packet_u32(&packet, 0x3ff, 1);
	packet_nest_end(&packet, nest);
	packet_u32(&packet, 0x3ff, 1);
}

static const struct {
	const char *name;
	void (*put)(void);
	int want;
	size_t n;
	size_t users;
} answers[] = {
	{ "of the kernel", put_kernel, 0, 1, 0 },
	{ "of a process without a PID", put_hidden_user, 0, 1, 1 },
	{ "in two parts", put_two_parts, 0, 2, 1 },
	{ "none", put_empty, 0, 0, 0 },
	{ "without the table", put_no_table, 0, 0, 0 },
	{ "without a number", put_no_number, -EBADMSG, 0, 0 },
	{ "a short PID", put_short_pid, -EBADMSG, 0, 0 },
	{ "an entry longer than the table", put_long_entry, -EBADMSG, 0, 0 },
	{ "of another command", put_other_command, -EBADMSG, 0, 0 },
	{ "what nobody knows", put_unknown, 0, 1, 0 },
};

static void test_answers(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(answers); i++) {
		struct os_qps qps = {};
		size_t users = 0;
		struct os *os;

		assert_int_equal(os_fake_new(NULL, 0, &os), 0);
		put_device(0, "mlx5_0");
		packet_done(&packet, 0);
		packet_reply(&packet, os, NETLINK_RDMA);
		answers[i].put();
		packet_done(&packet, 0);
		packet_reply(&packet, os, NETLINK_RDMA);
		case_equal(answers[i].name, os_qp_dump(os, &qps), answers[i].want);
		case_equal(answers[i].name, qps.n, answers[i].n);
		for (size_t j = 0; j < qps.n; j++)
			users += qps.list[j].user;
		case_equal(answers[i].name, users, answers[i].users);
		os_qps_done(&qps);
		os_free(os);
	}
}

/* ---- devices that are none ---- */

static void put_long_name(void)
{
	char name[OS_NAME_MAX + 1];

	memset(name, 'a', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	put_device(0, name);
}

static void put_no_name(void)
{
	packet_message(&packet, GET, NLM_F_MULTI, NULL, 0);
	packet_u32(&packet, RDMA_NLDEV_ATTR_DEV_INDEX, 0);
}

static void put_short_index(void)
{
	packet_message(&packet, GET, NLM_F_MULTI, NULL, 0);
	packet_u8(&packet, RDMA_NLDEV_ATTR_DEV_INDEX, 0);
	packet_string(&packet, RDMA_NLDEV_ATTR_DEV_NAME, "mlx5_0");
}

static void put_refusal(void)
{
	packet_error(&packet, -EPERM);
}

static const struct {
	const char *name;
	void (*put)(void);
	int want;
} devices[] = {
	{ "a name too long", put_long_name, -EBADMSG },
	{ "no name", put_no_name, -EBADMSG },
	{ "a short index", put_short_index, -EBADMSG },
	{ "of another command", put_kernel, -EBADMSG },
	{ "refused", put_refusal, -EPERM },
};

static void test_devices(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(devices); i++) {
		struct os_qps qps = {};
		struct os *os;

		assert_int_equal(os_fake_new(NULL, 0, &os), 0);
		devices[i].put();
		packet_done(&packet, 0);
		packet_reply(&packet, os, NETLINK_RDMA);
		case_equal(devices[i].name, os_qp_dump(os, &qps), devices[i].want);
		case_true(devices[i].name, !qps.list && !qps.n);
		os_free(os);
	}
}

/* ---- errors on the way ---- */

static int no_rdma(struct os *os, int protocol, struct nl_sock *socket)
{
	return -EPROTONOSUPPORT;
}

static void test_errors(void **state)
{
	static const struct fake_fault interrupted = { FAKE_RDMA_DUMP, "/devices", FAKE_ERRNO,
						       .error = EINTR };
	static const struct fake_fault gone = { FAKE_RDMA_DUMP, "mlx5_0/qps", FAKE_GONE };
	static const struct fake_fault refused = { FAKE_RDMA_DUMP, "mlx5_1/qps", FAKE_ERRNO,
						   .error = EPERM };
	struct os_qps qps = {};
	struct os_ops ops;
	struct os *os;

	assert_int_equal(os_fake_new(NULL, 0, &os), 0);
	(void)os_fake_fault(os, &interrupted);
	assert_int_equal(os_qp_dump(os, &qps), -EINTR);
	assert_int_equal(os_fake_hits(os), 10);
	os_fake_fault_clear(os);
	(void)os_fake_fault(os, &refused);
	assert_int_equal(os_qp_dump(os, &qps), -EPERM);
	os_fake_fault_clear(os);
	/* between the list and the question; the other one is still shown */
	(void)os_fake_fault(os, &gone);
	assert_int_equal(os_qp_dump(os, &qps), 0);
	assert_int_equal(qps.n, 1);
	assert_string_equal(qps.list[0].rdma, "mlx5_1");
	os_qps_done(&qps);
	os_free(os);

	assert_int_equal(os_fake_new(NULL, 0, &os), 0);
	ops = *os->ops;
	ops.netlink_open = no_rdma;
	os->ops = &ops;
	assert_int_equal(os_qp_dump(os, &qps), -EOPNOTSUPP);
	os_free(os);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_requests), cmocka_unit_test(test_users),
		cmocka_unit_test(test_answers),	 cmocka_unit_test(test_devices),
		cmocka_unit_test(test_errors),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
