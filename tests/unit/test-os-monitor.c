// SPDX-License-Identifier: LGPL-2.1-or-later
/* What the kernel says by itself: each message and what it means, and what is wrong with some. */
#include <errno.h>
#include <linux/dcbnl.h>
#include <linux/ethtool_netlink.h>
#include <linux/genetlink.h>
#include <linux/if_addr.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/macro.h"
#include "lib/os/ethtool.h"
#include "lib/os/fake.h"
#include "lib/os/monitor.h"
#include "tests/support/cases.h"
#include "tests/support/packet.h"

enum { FAMILY = 30, LOWER_UP = 1 << 16, EVENTS_MAX = 8 };

static struct packet packet;

struct seen {
	size_t n;
	struct os_event list[EVENTS_MAX];
	int answer; /* what the caller says to each */
};

static int see(const struct os_event *event, void *data)
{
	struct seen *seen = data;

	assert_true(seen->n < EVENTS_MAX);
	seen->list[seen->n++] = *event;
	return seen->answer;
}

/* The datagram as large as it is, so that valgrind and ASan see a byte too far. */
static struct seen parse(enum os_monitor_source source, const void *data, size_t size)
{
	struct seen seen = {};
	void *datagram = malloc(size ? size : 1);

	assert_non_null(datagram);
	memcpy(datagram, data, size);
	assert_int_equal(os_event_parse(source, FAMILY, datagram, size, see, &seen), 0);
	free(datagram);
	return seen;
}

/* ---- rtnetlink ---- */

static void put_link(uint16_t type, uint8_t family, int32_t ifindex, const char *name)
{
	const struct ifinfomsg info = { .ifi_family = family,
					.ifi_index = ifindex,
					.ifi_flags = LOWER_UP };

	packet_message(&packet, type, 0, &info, sizeof(info));
	if (name)
		packet_string(&packet, IFLA_IFNAME, name);
	packet_u32(&packet, IFLA_MTU, 4200);
	packet_u32(&packet, IFLA_MASTER, 9);
}

static void put_dcb(uint16_t type, const char *name)
{
	const struct dcbmsg header = { .cmd = DCB_CMD_IEEE_SET };

	packet_message(&packet, type, 0, &header, sizeof(header));
	if (name)
		packet_string(&packet, DCB_ATTR_IFNAME, name);
	packet_u8(&packet, DCB_ATTR_DCBX, 12);
}

static void put_address(uint16_t type, uint32_t ifindex)
{
	const struct ifaddrmsg address = { .ifa_family = 2, .ifa_index = ifindex };

	packet_message(&packet, type, 0, &address, sizeof(address));
}

static void dcb_set(void)
{
	put_dcb(RTM_SETDCB, "ens1f0np0");
}
static void dcb_get(void)
{
	put_dcb(RTM_GETDCB, "ens1f0np0");
}
static void dcb_nameless(void)
{
	put_dcb(RTM_SETDCB, NULL);
}
static void dcb_name_empty(void)
{
	put_dcb(RTM_SETDCB, "");
}

static void dcb_name_too_long(void)
{
	char name[OS_NAME_MAX + 1] = "";

	memset(name, 'x', OS_NAME_MAX);
	put_dcb(RTM_SETDCB, name);
}

static void dcb_name_open(void)
{
	put_dcb(RTM_SETDCB, NULL);
	packet_attr(&packet, DCB_ATTR_IFNAME, "ens1f0np0", 9);
}

static void dcb_attribute_too_long(void)
{
	dcb_set();
	/* the length of the name's attribute, behind the two headers */
	packet.data[NLMSG_HDRLEN + 4] = 0xff;
}

static void dcb_without_header(void)
{
	packet_message(&packet, RTM_SETDCB, 0, NULL, 0);
}

static void link_new(void)
{
	put_link(RTM_NEWLINK, 0, 4, "ens1f0np0");
}
static void link_gone(void)
{
	put_link(RTM_DELLINK, 0, 4, "ens1f0np0");
}
static void link_gone_bare(void)
{
	put_link(RTM_DELLINK, 0, 4, NULL);
}
static void link_of_bridge(void)
{
	put_link(RTM_NEWLINK, 7, 4, "ens1f0np0");
}
static void link_gone_of_bridge(void)
{
	put_link(RTM_DELLINK, 7, 4, "ens1f0np0");
}
static void link_nameless(void)
{
	put_link(RTM_NEWLINK, 0, 4, NULL);
}
static void link_name_too_long(void)
{
	put_link(RTM_NEWLINK, 0, 4, "ens1f0np0aaaaaaa");
}
static void link_zero(void)
{
	put_link(RTM_NEWLINK, 0, 0, "ens1f0np0");
}
static void link_gone_zero(void)
{
	put_link(RTM_DELLINK, 0, 0, "ens1f0np0");
}
static void link_gone_negative(void)
{
	put_link(RTM_DELLINK, 0, -4, "ens1f0np0");
}
static void link_without_header(void)
{
	packet_message(&packet, RTM_DELLINK, 0, NULL, 0);
}

static void address_new(void)
{
	put_address(RTM_NEWADDR, 4);
}
static void address_gone(void)
{
	put_address(RTM_DELADDR, 4);
}
static void address_zero(void)
{
	put_address(RTM_NEWADDR, 0);
}
static void address_too_large(void)
{
	put_address(RTM_NEWADDR, 0x80000000);
}
static void address_short(void)
{
	packet_message(&packet, RTM_NEWADDR, 0, "\2\30\0\0", 4);
}

static void route(void)
{
	packet_message(&packet, RTM_NEWROUTE, 0, NULL, 0);
}

static void done(void)
{
	packet_done(&packet, 0);
}

/* ---- ethtool ---- */

static void put_ethtool(uint16_t family, uint8_t command, uint32_t ifindex)
{
	const struct genlmsghdr header = { .cmd = command, .version = 1 };
	size_t nest;

	packet_message(&packet, family, 0, &header, sizeof(header));
	nest = packet_nest(&packet, ETHTOOL_A_PAUSE_HEADER);
	packet_u32(&packet, ETHTOOL_A_HEADER_DEV_INDEX, ifindex);
	packet_string(&packet, ETHTOOL_A_HEADER_DEV_NAME, "ens1f0np0");
	packet_nest_end(&packet, nest);
}

static void pause_changed(void)
{
	put_ethtool(FAMILY, ETHTOOL_MSG_PAUSE_NTF, 4);
}
static void flags_changed(void)
{
	put_ethtool(FAMILY, ETHTOOL_MSG_PRIVFLAGS_NTF, 4);
}
static void rings_changed(void)
{
	put_ethtool(FAMILY, ETHTOOL_MSG_RINGS_NTF, 4);
}
static void other_family(void)
{
	put_ethtool(FAMILY + 1, ETHTOOL_MSG_PAUSE_NTF, 4);
}
static void pause_zero(void)
{
	put_ethtool(FAMILY, ETHTOOL_MSG_PAUSE_NTF, 0);
}

static void pause_without_device(void)
{
	const struct genlmsghdr header = { .cmd = ETHTOOL_MSG_PAUSE_NTF, .version = 1 };

	packet_message(&packet, FAMILY, 0, &header, sizeof(header));
	packet_u8(&packet, ETHTOOL_A_PAUSE_RX, 1);
}

static void pause_short_index(void)
{
	const struct genlmsghdr header = { .cmd = ETHTOOL_MSG_PAUSE_NTF, .version = 1 };
	size_t nest;

	packet_message(&packet, FAMILY, 0, &header, sizeof(header));
	nest = packet_nest(&packet, ETHTOOL_A_PAUSE_HEADER);
	packet_u8(&packet, ETHTOOL_A_HEADER_DEV_INDEX, 4);
	packet_nest_end(&packet, nest);
}

static void pause_without_header(void)
{
	packet_message(&packet, FAMILY, 0, NULL, 0);
}

enum { NOTHING = -1 };

static const struct {
	const char *name;
	enum os_monitor_source source;
	void (*put)(void);
	int kind;
	bool gone;
} messages[] = {
	{ "DCB set", OS_MONITOR_ROUTE, dcb_set, OS_EVENT_DCB },
	{ "DCB of the firmware", OS_MONITOR_ROUTE, dcb_get, OS_EVENT_DCB },
	{ "DCB of nobody", OS_MONITOR_ROUTE, dcb_nameless, NOTHING },
	{ "DCB, an empty name", OS_MONITOR_ROUTE, dcb_name_empty, NOTHING },
	{ "DCB, a name of 64 bytes", OS_MONITOR_ROUTE, dcb_name_too_long, NOTHING },
	{ "DCB, a name without its end", OS_MONITOR_ROUTE, dcb_name_open, NOTHING },
	{ "DCB, a name past the message", OS_MONITOR_ROUTE, dcb_attribute_too_long, NOTHING },
	{ "DCB without its header", OS_MONITOR_ROUTE, dcb_without_header, NOTHING },
	{ "link", OS_MONITOR_ROUTE, link_new, OS_EVENT_LINK },
	{ "link gone", OS_MONITOR_ROUTE, link_gone, OS_EVENT_LINK, true },
	{ "link gone, nameless", OS_MONITOR_ROUTE, link_gone_bare, OS_EVENT_LINK, true },
	{ "a bridge of its port", OS_MONITOR_ROUTE, link_of_bridge, NOTHING },
	{ "a port leaves its bridge", OS_MONITOR_ROUTE, link_gone_of_bridge, NOTHING },
	{ "link, nameless", OS_MONITOR_ROUTE, link_nameless, NOTHING },
	{ "link, a name of 16 bytes", OS_MONITOR_ROUTE, link_name_too_long, NOTHING },
	{ "link 0", OS_MONITOR_ROUTE, link_zero, NOTHING },
	{ "link 0 gone", OS_MONITOR_ROUTE, link_gone_zero, NOTHING },
	{ "link -4 gone", OS_MONITOR_ROUTE, link_gone_negative, NOTHING },
	{ "link without its header", OS_MONITOR_ROUTE, link_without_header, NOTHING },
	{ "address", OS_MONITOR_ROUTE, address_new, OS_EVENT_ADDRESS },
	{ "address gone", OS_MONITOR_ROUTE, address_gone, OS_EVENT_ADDRESS },
	{ "address of link 0", OS_MONITOR_ROUTE, address_zero, NOTHING },
	{ "address of link 2^31", OS_MONITOR_ROUTE, address_too_large, NOTHING },
	{ "half an address", OS_MONITOR_ROUTE, address_short, NOTHING },
	{ "route", OS_MONITOR_ROUTE, route, NOTHING },
	{ "done", OS_MONITOR_ROUTE, done, NOTHING },
	{ "pause", OS_MONITOR_ETHTOOL, pause_changed, OS_EVENT_PAUSE },
	{ "private flags", OS_MONITOR_ETHTOOL, flags_changed, OS_EVENT_PRIVATE_FLAGS },
	{ "rings", OS_MONITOR_ETHTOOL, rings_changed, NOTHING },
	{ "another family", OS_MONITOR_ETHTOOL, other_family, NOTHING },
	{ "pause of link 0", OS_MONITOR_ETHTOOL, pause_zero, NOTHING },
	{ "pause of nobody", OS_MONITOR_ETHTOOL, pause_without_device, NOTHING },
	{ "pause, an index of one byte", OS_MONITOR_ETHTOOL, pause_short_index, NOTHING },
	{ "pause without its header", OS_MONITOR_ETHTOOL, pause_without_header, NOTHING },
	/* a number that RTNETLINK gives a meaning */
	{ "a link at ethtool's socket", OS_MONITOR_ETHTOOL, link_new, NOTHING },
};

static void test_messages(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(messages); i++) {
		const char *name = messages[i].name;
		struct seen seen;

		packet.size = 0;
		messages[i].put();
		seen = parse(messages[i].source, packet.data, packet.size);
		case_equal(name, seen.n, messages[i].kind != NOTHING);
		if (!seen.n)
			continue;
		case_equal(name, seen.list[0].kind, messages[i].kind);
		case_equal(name, seen.list[0].gone, messages[i].gone);
		if (messages[i].kind == OS_EVENT_DCB)
			case_string(name, seen.list[0].name, "ens1f0np0");
		else
			case_equal(name, seen.list[0].link.ifindex, 4);
	}
}

static void test_link(void **state)
{
	struct seen seen;

	packet.size = 0;
	link_new();
	seen = parse(OS_MONITOR_ROUTE, packet.data, packet.size);
	assert_int_equal(seen.n, 1);
	assert_string_equal(seen.list[0].link.name, "ens1f0np0");
	assert_int_equal(seen.list[0].link.mtu, 4200);
	assert_int_equal(seen.list[0].link.master_ifindex, 9);
	assert_true(seen.list[0].link.carrier);
}

/* ---- datagrams ---- */

/* Good ones around one that says nothing: all good ones are told. */
static void test_several(void **state)
{
	struct seen seen;

	packet.size = 0;
	dcb_set();
	link_nameless();
	link_gone();
	seen = parse(OS_MONITOR_ROUTE, packet.data, packet.size);
	assert_int_equal(seen.n, 2);
	assert_int_equal(seen.list[0].kind, OS_EVENT_DCB);
	assert_true(seen.list[1].gone);
}

static void test_answer_ends_it(void **state)
{
	struct seen seen = { .answer = -ENOMEM };

	packet.size = 0;
	dcb_set();
	link_gone();
	assert_int_equal(
		os_event_parse(OS_MONITOR_ROUTE, FAMILY, packet.data, packet.size, see, &seen),
		-ENOMEM);
	assert_int_equal(seen.n, 1);
}

/* Cut at every byte: what was whole before the cut is told, and nothing past it is read. */
static void test_cut(void **state)
{
	size_t first;

	packet.size = 0;
	dcb_set();
	first = packet.size;
	link_gone();
	for (size_t size = 0; size < packet.size; size++)
		assert_int_equal(parse(OS_MONITOR_ROUTE, packet.data, size).n, size >= first);
}

/* The length of a message is any number. */
static void test_lengths(void **state)
{
	static const uint32_t lengths[] = { 0,		1,	    NLMSG_HDRLEN - 1,
					    0x7fffffff, 0xfffffffc, UINT32_MAX };

	for (size_t i = 0; i < ARRAY_SIZE(lengths); i++) {
		packet.size = 0;
		dcb_set();
		memcpy(packet.data, &lengths[i], sizeof(lengths[i]));
		assert_int_equal(parse(OS_MONITOR_ROUTE, packet.data, packet.size).n, 0);
	}
}

/* ---- uevents ---- */

#define IB "/devices/pci0000:16/0000:17:00.0/infiniband/"
#define UEVENT(action, path, subsystem) \
	action "@" path "\0ACTION=" action "\0DEVPATH=" path "\0SUBSYSTEM=" subsystem "\0SEQNUM=7"

/* @size has the NUL that ends the literal */
#define TEXT(text) (text), sizeof(text)
#define NAME_63	   "123456789012345678901234567890123456789012345678901234567890123"

static const struct {
	const char *name;
	const char *text;
	size_t size;
	const char *device; /* NULL: says nothing */
	enum os_event_action action;
} uevents[] = {
	{ "added", TEXT(UEVENT("add", IB "mlx5_0", "infiniband")), "mlx5_0", OS_ADDED },
	{ "removed", TEXT(UEVENT("remove", IB "mlx5_0", "infiniband")), "mlx5_0", OS_REMOVED },
	{ "renamed", TEXT(UEVENT("move", IB "rocep23s0", "infiniband")), "rocep23s0", OS_MOVED },
	{ "changed", TEXT(UEVENT("change", IB "mlx5_0", "infiniband")), NULL },
	{ "verbs device", TEXT(UEVENT("add", IB "uverbs0", "infiniband_verbs")), NULL },
	{ "network device", TEXT(UEVENT("add", "/devices/virtual/net/lo", "net")), NULL },
	{ "63 bytes of name", TEXT(UEVENT("add", IB NAME_63, "infiniband")), NAME_63, OS_ADDED },
	{ "64 bytes of name", TEXT(UEVENT("add", IB NAME_63 "4", "infiniband")), NULL },
	{ "no name", TEXT(UEVENT("add", IB, "infiniband")), NULL },
	{ "no path", TEXT("add@x\0ACTION=add\0SUBSYSTEM=infiniband"), NULL },
	{ "no folder", TEXT("add@x\0ACTION=add\0DEVPATH=mlx5_0\0SUBSYSTEM=infiniband"), NULL },
	{ "no action", TEXT("add@x\0DEVPATH=/a/mlx5_0\0SUBSYSTEM=infiniband"), NULL },
	{ "no end", UEVENT("add", IB "mlx5_0", "infiniband"),
	  sizeof(UEVENT("add", IB "mlx5_0", "infiniband")) - 1, NULL },
	{ "udevd's own", TEXT("libudev\0\xfe\xed\xca\xfe"), NULL },
	{ "a word in another", TEXT("XSUBSYSTEM=infiniband\0ACTION=add\0DEVPATH=/a/b"), NULL },
	{ "nothing", TEXT(""), NULL },
	{ "not a byte", "", 0, NULL },
};

static void test_uevents(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(uevents); i++) {
		struct seen seen = parse(OS_MONITOR_UEVENT, uevents[i].text, uevents[i].size);

		case_equal(uevents[i].name, seen.n, uevents[i].device != NULL);
		if (!seen.n)
			continue;
		case_equal(uevents[i].name, seen.list[0].kind, OS_EVENT_RDMA);
		case_equal(uevents[i].name, seen.list[0].action, uevents[i].action);
		case_string(uevents[i].name, seen.list[0].name, uevents[i].device);
	}
}

/* ---- ethtool's group ---- */

static void put_group(const char *name, uint32_t id, uint16_t number)
{
	size_t nest = packet_nest(&packet, number);

	packet_string(&packet, CTRL_ATTR_MCAST_GRP_NAME, name);
	packet_u32(&packet, CTRL_ATTR_MCAST_GRP_ID, id);
	packet_nest_end(&packet, nest);
}

static int find_group(const char *first, const char *second, int *family, uint32_t *group)
{
	const struct genlmsghdr header = { .cmd = CTRL_CMD_NEWFAMILY, .version = 1 };
	const uint16_t id = FAMILY;
	struct os *os;
	size_t nest;
	int r;

	assert_int_equal(os_fake_new(NULL, 0, &os), 0);
	packet.size = 0;
	packet_message(&packet, GENL_ID_CTRL, 0, &header, sizeof(header));
	packet_attr(&packet, CTRL_ATTR_FAMILY_ID, &id, sizeof(id));
	nest = packet_nest(&packet, CTRL_ATTR_MCAST_GROUPS);
	put_group(first, 6, 1);
	put_group(second, 7, 2);
	packet_nest_end(&packet, nest);
	packet_reply(&packet, os, NETLINK_GENERIC);
	r = os_ethtool_group(os, family, group);
	os_free(os);
	return r;
}

static void test_group(void **state)
{
	uint32_t group = 0;
	int family = 0;

	assert_int_equal(find_group("other", "monitor", &family, &group), 0);
	assert_int_equal(family, FAMILY);
	assert_int_equal(group, 7);
	assert_int_equal(find_group("other", "monitors", &family, &group), -EOPNOTSUPP);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_messages), cmocka_unit_test(test_link),
		cmocka_unit_test(test_several),	 cmocka_unit_test(test_answer_ends_it),
		cmocka_unit_test(test_cut),	 cmocka_unit_test(test_lengths),
		cmocka_unit_test(test_uevents),	 cmocka_unit_test(test_group),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
