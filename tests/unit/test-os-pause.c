// SPDX-License-Identifier: LGPL-2.1-or-later
/* Answers of ethtool netlink: the family, the pause settings, and what is wrong with them. */
#include <errno.h>
#include <linux/ethtool_netlink.h>
#include <linux/genetlink.h>
#include <linux/netlink.h>
#include <string.h>

#include "lib/base/macro.h"
#include "lib/os/ethtool.h"
#include "lib/os/fake.h"
#include "tests/support/cases.h"
#include "tests/support/packet.h"

enum { FAMILY = 30 };

static struct packet packet;

static void put_generic(uint16_t type, uint8_t command)
{
	const struct genlmsghdr header = { .cmd = command, .version = 1 };

	packet_message(&packet, type, 0, &header, sizeof(header));
}

static void put_family(uint16_t id)
{
	put_generic(GENL_ID_CTRL, CTRL_CMD_NEWFAMILY);
	packet_attr(&packet, CTRL_ATTR_FAMILY_ID, &id, sizeof(id));
}

static void put_pause(struct os *os)
{
	put_family(FAMILY);
	packet_reply(&packet, os, NETLINK_GENERIC);
	put_generic(FAMILY, ETHTOOL_MSG_PAUSE_GET_REPLY);
	packet_u8(&packet, ETHTOOL_A_PAUSE_AUTONEG, 0);
	packet_u8(&packet, ETHTOOL_A_PAUSE_RX, 1);
}

static void put_good(struct os *os)
{
	put_pause(os);
	packet_u8(&packet, ETHTOOL_A_PAUSE_TX, 1);
}

static void put_without_tx(struct os *os)
{
	put_pause(os);
}

static void put_empty_tx(struct os *os)
{
	put_pause(os);
	packet_attr(&packet, ETHTOOL_A_PAUSE_TX, NULL, 0);
}

static void put_other_command(struct os *os)
{
	put_good(os);
	packet.data[NLMSG_HDRLEN] = ETHTOOL_MSG_EEE_GET_REPLY;
}

static void put_without_header(struct os *os)
{
	put_family(FAMILY);
	packet_reply(&packet, os, NETLINK_GENERIC);
	packet_message(&packet, FAMILY, 0, NULL, 0);
}

static void put_refusal(struct os *os)
{
	put_family(FAMILY);
	packet_reply(&packet, os, NETLINK_GENERIC);
	packet_error(&packet, -EOPNOTSUPP);
}

static void put_no_family(struct os *os)
{
	packet_error(&packet, -ENOENT);
}

static void put_family_without_id(struct os *os)
{
	put_generic(GENL_ID_CTRL, CTRL_CMD_NEWFAMILY);
}

static void put_family_of_control_messages(struct os *os)
{
	put_family(NLMSG_DONE);
}

static void put_short_family(struct os *os)
{
	put_generic(GENL_ID_CTRL, CTRL_CMD_NEWFAMILY);
	packet_u8(&packet, CTRL_ATTR_FAMILY_ID, FAMILY);
}

static void put_foreign_family(struct os *os)
{
	put_family(FAMILY);
	packet.data[4] = 0x20;
}

static const struct {
	const char *name;
	void (*put)(struct os *os);
	int want;
} answers[] = {
	{ "good", put_good, 0 },
	{ "without TX", put_without_tx, -EBADMSG },
	{ "TX without its byte", put_empty_tx, -EBADMSG },
	{ "another command", put_other_command, -EBADMSG },
	{ "without a header", put_without_header, -EBADMSG },
	{ "refused", put_refusal, -EOPNOTSUPP },
	{ "a kernel without the family", put_no_family, -EOPNOTSUPP },
	{ "family without its id", put_family_without_id, -EBADMSG },
	{ "an id below 16", put_family_of_control_messages, -EBADMSG },
	{ "an id of one byte", put_short_family, -EBADMSG },
	{ "an answer that is not the controller's", put_foreign_family, -EBADMSG },
};

static void test_answers(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(answers); i++) {
		struct os_pause pause = {};
		struct os *os;

		assert_int_equal(os_fake_new(NULL, 0, &os), 0);
		answers[i].put(os);
		packet_reply(&packet, os, NETLINK_GENERIC);
		case_equal(answers[i].name, os_pause_get(os, 2, &pause), answers[i].want);
		case_true(answers[i].name, pause.rx == (answers[i].want == 0));
		os_free(os);
	}
}

/* A failed question is asked again, an answered one is not. */
static void test_family_is_remembered(void **state)
{
	struct os_pause pause;
	struct os *os;

	assert_int_equal(os_fake_new(NULL, 0, &os), 0);
	put_no_family(os);
	packet_reply(&packet, os, NETLINK_GENERIC);
	assert_int_equal(os_pause_get(os, 2, &pause), -EOPNOTSUPP);
	assert_int_equal(os->ethtool_family, 0);
	assert_int_equal(os_pause_get(os, 2, &pause), 0);
	assert_true(os->ethtool_family >= NLMSG_MIN_TYPE);
	packet_expect("only the question itself", os, NETLINK_GENERIC,
		      "20000000150001000000000000000000150100000c0001800800010002000000");
	assert_int_equal(os_pause_get(os, 2, &pause), 0);
	os_free(os);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_answers),
		cmocka_unit_test(test_family_is_remembered),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
