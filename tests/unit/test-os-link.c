// SPDX-License-Identifier: LGPL-2.1-or-later
/* Lists of devices: field cases L02 (dump interrupted) and L03 (larger than a buffer), and hostile
 * messages. */
#include <errno.h>
#include <linux/if_link.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <stdio.h>
#include <string.h>

#include "lib/base/macro.h"
#include "lib/os/fake.h"
#include "lib/os/link.h"
#include "tests/support/cases.h"
#include "tests/support/packet.h"

enum {
	LOWER_UP = 1 << 16,
	L03_SIZE = 4336,
	L03_VFS = 24,
};

static struct packet packet;

static struct os *new_node(void)
{
	struct os *os;

	assert_int_equal(os_fake_new(NULL, 0, &os), 0);
	return os;
}

/* ---- L02 ---- */

static const char interrupted_dump[] =
	"3000000010000200030000003412000000000403010000004900010000000000070003006c6f00000800040000"
	"000100"
	"3800000010001200030000003412000000000100030000004310010000000000"
	"0e000300656e733166306e70300000000800040068100000"
	"1400000003001200030000003412000000000000";

static const char good_dump[] = "3800000010000200040000003412000000000100030000004310010000000000"
				"0e000300656e733166306e70300000000800040068100000"
				"3800000010000200040000003412000000000100040000004310010000000000"
				"0e000300656e733166316e70310000000800040068100000"
				"1400000003000200040000003412000000000000";

static void reply_hex(struct os *os, const char *hex)
{
	packet_hex(&packet, hex);
	packet_reply(&packet, os, NETLINK_ROUTE);
}

static void test_l02_interrupted_once(void **state)
{
	struct os_links links = {};
	struct os *os = new_node();

	reply_hex(os, interrupted_dump);
	reply_hex(os, good_dump);
	assert_int_equal(os_link_dump(os, &links), 0);
	assert_int_equal(links.n, 2);
	assert_string_equal(links.list[0].name, "ens1f0np0");
	assert_string_equal(links.list[1].name, "ens1f1np1");
	assert_int_equal(links.list[0].ifindex, 3);
	assert_int_equal(links.list[0].mtu, 4200);
	assert_true(links.list[0].up && links.list[0].carrier);
	os_links_done(&links);
	os_free(os);
}

/* The flag counts on whatever part it stands. */
static void test_l02_on_any_part(void **state)
{
	for (int part = 0; part < 3; part++) {
		const struct ifinfomsg info = { .ifi_index = 3 };
		struct os_links links = {};
		struct os *os = new_node();

		for (int i = 0; i < 2; i++) {
			uint16_t flag = i == part ? NLM_F_DUMP_INTR : 0;

			packet_message(&packet, RTM_NEWLINK, NLM_F_MULTI | flag, &info,
				       sizeof(info));
			packet_string(&packet, IFLA_IFNAME, "ens1f0np0");
		}
		packet_done(&packet, part == 2 ? NLM_F_DUMP_INTR : 0);
		packet_reply(&packet, os, NETLINK_ROUTE);
		reply_hex(os, good_dump);
		assert_int_equal(os_link_dump(os, &links), 0);
		assert_int_equal(links.n, 2);
		assert_int_equal(links.list[1].ifindex, 4);
		os_links_done(&links);
		os_free(os);
	}
}

static void test_l02_interrupted_always(void **state)
{
	struct os_links links = {};
	struct os *os = new_node();
	int64_t begin = os->ops->now_ms(os);

	for (int i = 0; i < OS_LINK_DUMP_TRIES; i++)
		reply_hex(os, interrupted_dump);
	assert_int_equal(os_link_dump(os, &links), -EINTR);
	assert_null(links.list);
	/* 10 + 20 + ... + 90 ms */
	assert_int_equal(os->ops->now_ms(os) - begin, 450);
	/* all tries are used up, so the next dump is a real one */
	assert_int_equal(os_link_dump(os, &links), 0);
	assert_int_equal(links.n, 3);
	os_links_done(&links);
	os_free(os);
}

/* ---- L03 ---- */

static void put_large(void)
{
	static const uint8_t filling[L03_SIZE];
	const struct ifinfomsg info = { .ifi_index = 2, .ifi_flags = IFF_UP | LOWER_UP };
	size_t list, vf, size;

	packet_message(&packet, RTM_NEWLINK, NLM_F_MULTI, &info, sizeof(info));
	packet_string(&packet, IFLA_IFNAME, "ens1f0np0");
	packet_u32(&packet, IFLA_MTU, 4200);
	list = packet_nest(&packet, IFLA_VFINFO_LIST);
	for (size_t i = 0; i < L03_VFS; i++) {
		vf = packet_nest(&packet, IFLA_VF_INFO);
		/* the last one fills up to the size of the field case */
		size = i + 1 < L03_VFS ? 168 : L03_SIZE - packet.size - sizeof(struct nlattr);
		packet_attr(&packet, IFLA_VF_MAC, filling, size);
		packet_nest_end(&packet, vf);
	}
	packet_nest_end(&packet, list);
}

static void test_l03_large(void **state)
{
	struct os_links links = {};
	struct os *os = new_node();

	put_large();
	assert_int_equal(packet.size, L03_SIZE);
	packet_reply(&packet, os, NETLINK_ROUTE);
	packet_done(&packet, 0);
	packet_reply(&packet, os, NETLINK_ROUTE);
	assert_int_equal(os_link_dump(os, &links), 0);
	assert_int_equal(links.n, 1);
	assert_string_equal(links.list[0].name, "ens1f0np0");
	assert_int_equal(links.list[0].mtu, 4200);
	os_links_done(&links);
	os_free(os);
}

static void expect_node(const char *name, struct os *os)
{
	struct os_links links = {};

	case_equal(name, os_link_dump(os, &links), 0);
	case_equal(name, links.n, 3);
	case_string(name, links.list[0].name, "lo");
	case_string(name, links.list[1].name, "ens1f0np0");
	case_string(name, links.list[2].name, "ens1f1np1");
	case_equal(name, links.list[1].mtu, 1500);
	case_equal(name, links.list[1].ifindex, 2);
	case_equal(name, links.list[1].mac[5], 1);
	case_true(name, links.list[1].up && links.list[1].carrier);
	os_links_done(&links);
}

static void test_l03_emsgsize(void **state)
{
	const int error = -EMSGSIZE;
	struct os *os = new_node();

	packet_error(&packet, -EMSGSIZE);
	packet_reply(&packet, os, NETLINK_ROUTE);
	expect_node("the whole list", os);
	/* the same said at the end of the dump */
	packet_message(&packet, NLMSG_DONE, NLM_F_MULTI, &error, sizeof(error));
	packet_reply(&packet, os, NETLINK_ROUTE);
	expect_node("at the end", os);
	/* and of each device: sysfs is left */
	for (int i = 0; i < 4; i++) {
		packet_error(&packet, -EMSGSIZE);
		packet_reply(&packet, os, NETLINK_ROUTE);
	}
	expect_node("every device", os);
	os_free(os);
}

static void test_l03_sysfs_of_one(void **state)
{
	struct os_link link;
	struct os *os = new_node();

	assert_int_equal(os_fake_add_link(os, "bond0", "bond", NULL), 0);
	assert_int_equal(os_fake_enslave(os, "ens1f0np0", "bond0"), 0);
	assert_int_equal(os_fake_add_link(os, "ens1f0np0.40", "vlan", "ens1f0np0"), 0);
	packet_error(&packet, -EMSGSIZE);
	packet_reply(&packet, os, NETLINK_ROUTE);
	assert_int_equal(os_link_get(os, 2, &link), 0);
	assert_string_equal(link.name, "ens1f0np0");
	assert_int_equal(link.master_ifindex, 4);
	packet_error(&packet, -EMSGSIZE);
	packet_reply(&packet, os, NETLINK_ROUTE);
	assert_int_equal(os_link_get(os, 5, &link), 0);
	assert_int_equal(link.link_ifindex, 2);
	packet_error(&packet, -EMSGSIZE);
	packet_reply(&packet, os, NETLINK_ROUTE);
	assert_int_equal(os_link_get(os, 99, &link), -ENODEV);
	os_free(os);
}

/* ---- stacks, renames ---- */

static void test_stack(void **state)
{
	struct os_links links = {};
	struct os *os = new_node();

	assert_int_equal(os_fake_add_link(os, "bond0", "bond", NULL), 0);
	assert_int_equal(os_fake_enslave(os, "ens1f1np1", "bond0"), 0);
	assert_int_equal(os_fake_add_link(os, "bond0.40", "vlan", "bond0"), 0);
	assert_int_equal(os_link_dump(os, &links), 0);
	assert_int_equal(links.n, 5);
	assert_int_equal(links.list[2].master_ifindex, links.list[3].ifindex);
	assert_string_equal(links.list[3].kind, "bond");
	assert_string_equal(links.list[4].kind, "vlan");
	assert_int_equal(links.list[4].link_ifindex, links.list[3].ifindex);
	os_links_done(&links);
	os_free(os);
}

/* L04: two names change places; who keeps the index keeps the device. */
static void test_l04_swap(void **state)
{
	struct os_error error;
	struct os_link link;
	struct os *os = new_node();

	assert_int_equal(os_fake_rename(os, "ens1f0np0", "tmp"), 0);
	assert_int_equal(os_fake_rename(os, "ens1f1np1", "ens1f0np0"), 0);
	assert_int_equal(os_fake_rename(os, "tmp", "ens1f1np1"), 0);
	assert_int_equal(os_link_set_mtu(os, 2, 4200, &error), 0);
	assert_int_equal(os_link_get(os, 2, &link), 0);
	assert_string_equal(link.name, "ens1f1np1");
	assert_int_equal(link.mtu, 4200);
	assert_int_equal(os_link_get(os, 3, &link), 0);
	assert_string_equal(link.name, "ens1f0np0");
	assert_int_equal(link.mtu, 1500);
	os_free(os);
}

/* ---- hostile messages ---- */

static void put_link(void)
{
	const struct ifinfomsg info = { .ifi_index = 2, .ifi_flags = IFF_UP };

	packet_message(&packet, RTM_NEWLINK, 0, &info, sizeof(info));
}

static void put_named_link(void)
{
	put_link();
	packet_string(&packet, IFLA_IFNAME, "ens1f0np0");
}

static void put_no_name(void)
{
	put_link();
	packet_u32(&packet, IFLA_MTU, 1500);
}

static void put_empty_name(void)
{
	put_link();
	packet_string(&packet, IFLA_IFNAME, "");
}

static void put_open_name(void)
{
	put_link();
	packet_attr(&packet, IFLA_IFNAME, "ens1", 4);
}

static void put_long_name(void)
{
	put_link();
	packet_string(&packet, IFLA_IFNAME, "sixteen-letters-");
}

static void put_short_mtu(void)
{
	put_named_link();
	packet_attr(&packet, IFLA_MTU, "ab", 2);
}

static void put_short_master(void)
{
	put_named_link();
	packet_attr(&packet, IFLA_MASTER, "abc", 3);
}

static void put_broken_info(void)
{
	put_named_link();
	packet_attr(&packet, IFLA_LINKINFO, "\xff\xff\x01\x00\x00\x00\x00\x00", 8);
}

static void put_long_kind(void)
{
	size_t nest;

	put_named_link();
	nest = packet_nest(&packet, IFLA_LINKINFO);
	packet_string(&packet, IFLA_INFO_KIND, "a-kind-that-is-too-long");
	packet_nest_end(&packet, nest);
}

static void put_index_0(void)
{
	const struct ifinfomsg info = {};

	packet_message(&packet, RTM_NEWLINK, 0, &info, sizeof(info));
	packet_string(&packet, IFLA_IFNAME, "ens1f0np0");
}

static void put_other_index(void)
{
	const struct ifinfomsg info = { .ifi_index = 3 };

	packet_message(&packet, RTM_NEWLINK, 0, &info, sizeof(info));
	packet_string(&packet, IFLA_IFNAME, "ens1f1np1");
}

static void put_bridge_message(void)
{
	const struct ifinfomsg info = { .ifi_family = AF_BRIDGE, .ifi_index = 2 };

	packet_message(&packet, RTM_NEWLINK, 0, &info, sizeof(info));
	packet_string(&packet, IFLA_IFNAME, "ens1f0np0");
}

static void put_short_header(void)
{
	packet_message(&packet, RTM_NEWLINK, 0, "abcd", 4);
}

static void put_other_type(void)
{
	put_named_link();
	packet.data[4] = RTM_DELLINK;
}

static void put_nothing(void)
{
}

static void put_ten_bytes(void)
{
	packet_hex(&packet, "0a000000100000000000");
}

static const struct {
	const char *name;
	void (*put)(void);
	int want;
} links[] = {
	{ "good", put_named_link, 0 },
	{ "no name", put_no_name, -EBADMSG },
	{ "empty name", put_empty_name, -EBADMSG },
	{ "name without an end", put_open_name, -EBADMSG },
	{ "name of 16 letters", put_long_name, -EBADMSG },
	{ "MTU of two bytes", put_short_mtu, -EBADMSG },
	{ "master of three bytes", put_short_master, -EBADMSG },
	{ "broken link info", put_broken_info, -EBADMSG },
	{ "kind too long", put_long_kind, -EBADMSG },
	{ "index 0", put_index_0, -EBADMSG },
	{ "another index", put_other_index, -EBADMSG },
	{ "a bridge's message", put_bridge_message, -EBADMSG },
	{ "short header", put_short_header, -EBADMSG },
	{ "another type", put_other_type, -EBADMSG },
	{ "empty datagram", put_nothing, -EBADMSG },
	{ "ten bytes", put_ten_bytes, -EBADMSG },
};

static void test_hostile(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(links); i++) {
		struct os_link link;
		struct os *os = new_node();

		links[i].put();
		packet_reply(&packet, os, NETLINK_ROUTE);
		case_equal(links[i].name, os_link_get(os, 2, &link), links[i].want);
		case_equal(links[i].name, os_link_get(os, 2, &link), 0);
		os_free(os);
	}
}

static void test_odd_but_good(void **state)
{
	struct os_link link;
	struct os *os = new_node();

	put_named_link();
	packet_attr(&packet, IFLA_ADDRESS, "abcdefghijklmnopqrst", 20); /* InfiniBand */
	packet_u32(&packet, IFLA_LINK, 7);
	packet_u32(&packet, IFLA_LINK_NETNSID, 1); /* an index of another namespace */
	packet_u32(&packet, 1000, 1);
	packet_reply(&packet, os, NETLINK_ROUTE);
	assert_int_equal(os_link_get(os, 2, &link), 0);
	assert_int_equal(link.link_ifindex, 0);
	assert_int_equal(link.mac[0], 0);
	assert_true(link.up && !link.carrier);
	os_free(os);
}

/* A dump that breaks off is no list, and what was left of it does not get into the next. */
static void test_dump_breaks_off(void **state)
{
	struct os_links list = {};
	struct os *os = new_node();

	put_named_link();
	packet.data[6] = NLM_F_MULTI;
	packet_reply(&packet, os, NETLINK_ROUTE);
	assert_int_equal(os_link_dump(os, &list), -ETIMEDOUT);
	put_no_name();
	packet.data[6] = NLM_F_MULTI;
	packet_done(&packet, 0);
	packet_reply(&packet, os, NETLINK_ROUTE);
	assert_int_equal(os_link_dump(os, &list), -EBADMSG);
	expect_node("the next dump", os);
	os_free(os);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_l02_interrupted_once),
		cmocka_unit_test(test_l02_on_any_part),
		cmocka_unit_test(test_l02_interrupted_always),
		cmocka_unit_test(test_l03_large),
		cmocka_unit_test(test_l03_emsgsize),
		cmocka_unit_test(test_l03_sysfs_of_one),
		cmocka_unit_test(test_stack),
		cmocka_unit_test(test_l04_swap),
		cmocka_unit_test(test_hostile),
		cmocka_unit_test(test_odd_but_good),
		cmocka_unit_test(test_dump_breaks_off),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
