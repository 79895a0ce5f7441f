// SPDX-License-Identifier: LGPL-2.1-or-later
/* The text of the extended ack: found behind the request's copy, never trusted. */
#include <errno.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <string.h>

#include "lib/base/macro.h"
#include "lib/os/fake.h"
#include "lib/os/link.h"
#include "tests/support/cases.h"
#include "tests/support/packet.h"

#define TEN	"0123456789"
#define HUNDRED TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN

enum {
	REQUEST_SIZE = 40, /* RTM_NEWLINK with IFLA_MTU */
	TEXT_MAX = 127,
};

static struct packet packet;

static const struct {
	const char *name;
	uint16_t flags;
	uint32_t copied; /* what the copied header says of the request's length */
	size_t rest; /* so many bytes of it follow its header */
	uint16_t type;
	const char *text;
	size_t size; /* of the attribute's payload */
	const char *want;
} acks[] = {
	{ "whole request", NLM_F_ACK_TLVS, REQUEST_SIZE, 24, NLMSGERR_ATTR_MSG,
	  "mtu greater than device maximum", 32, "mtu greater than device maximum" },
	{ "capped", NLM_F_ACK_TLVS | NLM_F_CAPPED, REQUEST_SIZE, 0, NLMSGERR_ATTR_MSG, "no", 3,
	  "no" },
	{ "no flag", 0, REQUEST_SIZE, 24, NLMSGERR_ATTR_MSG, "no", 3, "" },
	{ "other attribute", NLM_F_ACK_TLVS, REQUEST_SIZE, 24, NLMSGERR_ATTR_OFFS, "abcd", 4, "" },
	{ "not terminated", NLM_F_ACK_TLVS, REQUEST_SIZE, 24, NLMSGERR_ATTR_MSG, "abcd", 4,
	  "abcd" },
	{ "empty", NLM_F_ACK_TLVS, REQUEST_SIZE, 24, NLMSGERR_ATTR_MSG, "", 0, "" },
	{ "control bytes", NLM_F_ACK_TLVS, REQUEST_SIZE, 24, NLMSGERR_ATTR_MSG,
	  "a\n\033[2J\x7f\xc3", 9, "a??[2J??" },
	{ "300 bytes", NLM_F_ACK_TLVS, REQUEST_SIZE, 24, NLMSGERR_ATTR_MSG, HUNDRED HUNDRED HUNDRED,
	  301, HUNDRED TEN TEN "0123456" },
	{ "copied length 0", NLM_F_ACK_TLVS, 0, 24, NLMSGERR_ATTR_MSG, "no", 3, "" },
	{ "copied length 15", NLM_F_ACK_TLVS, 15, 24, NLMSGERR_ATTR_MSG, "no", 3, "" },
	{ "copied length beyond the message", NLM_F_ACK_TLVS, 1000, 24, NLMSGERR_ATTR_MSG, "no", 3,
	  "" },
	{ "copied length almost 4 GiB", NLM_F_ACK_TLVS, UINT32_MAX - 2, 24, NLMSGERR_ATTR_MSG, "no",
	  3, "" },
	{ "copied length that ends at the end", NLM_F_ACK_TLVS, REQUEST_SIZE + 8, 24,
	  NLMSGERR_ATTR_MSG, "no", 3, "" },
};

static void put_error(size_t i)
{
	static const uint8_t zero[64];
	const struct nlmsgerr answer = {
		.error = -EINVAL,
		.msg = { .nlmsg_len = acks[i].copied, .nlmsg_type = RTM_NEWLINK },
	};

	packet_message(&packet, NLMSG_ERROR, acks[i].flags, &answer, sizeof(answer));
	packet_bytes(&packet, zero, acks[i].rest);
	packet_attr(&packet, acks[i].type, acks[i].text, acks[i].size);
}

static void test_text(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(acks); i++) {
		struct os_error error;
		struct os *os;

		assert_int_equal(os_fake_new(NULL, 0, &os), 0);
		put_error(i);
		packet_reply(&packet, os, NETLINK_ROUTE);
		case_equal(acks[i].name, os_link_set_mtu(os, 2, 9999, &error), -EINVAL);
		case_string(acks[i].name, error.text, acks[i].want);
		case_equal(acks[i].name, error.status, 0);
		os_free(os);
	}
}

/* An attribute that says it is longer than the message, and bytes that are none. */
static void test_broken_attribute(void **state)
{
	static const uint16_t lengths[] = { 0, 1, 3, 8, 0xffff };

	for (size_t i = 0; i < ARRAY_SIZE(lengths); i++) {
		struct os_error error;
		struct os *os;

		assert_int_equal(os_fake_new(NULL, 0, &os), 0);
		put_error(1);
		memcpy(packet.data + packet.size - 7, &lengths[i], sizeof(lengths[i]));
		packet_reply(&packet, os, NETLINK_ROUTE);
		assert_int_equal(os_link_set_mtu(os, 2, 9999, &error), -EINVAL);
		assert_string_equal(error.text, "");
		os_free(os);
	}
}

/* What an earlier failure said is not told again. */
static void test_text_is_fresh(void **state)
{
	struct os_error error;
	struct os *os;

	assert_int_equal(os_fake_new(NULL, 0, &os), 0);
	assert_int_equal(os_link_set_mtu(os, 2, 9999, &error), -EINVAL);
	assert_string_equal(error.text, "mtu greater than device maximum");
	assert_int_equal(os_link_set_mtu(os, 2, 9000, &error), 0);
	assert_string_equal(error.text, "");
	os_free(os);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_text),
		cmocka_unit_test(test_broken_attribute),
		cmocka_unit_test(test_text_is_fresh),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
