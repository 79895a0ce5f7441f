// SPDX-License-Identifier: LGPL-2.1-or-later
/* What goes to the kernel, byte by byte: the bytes were made from the layouts in nic.md 1.0 and
 * <linux/dcbnl.h>. */
#include <errno.h>
#include <linux/dcbnl.h>
#include <linux/netlink.h>
#include <string.h>

#include "lib/base/macro.h"
#include "lib/os/dcb.h"
#include "lib/os/ethtool.h"
#include "lib/os/fake.h"
#include "lib/os/link.h"
#include "tests/support/cases.h"
#include "tests/support/packet.h"

enum { PORT_INDEX = 2 }; /* of ens1f0np0 */

static const char port[] = "ens1f0np0";
static struct os_dcb dcb;
static struct os_error error;

static int get_dcb(struct os *os)
{
	return os_dcb_get(os, port, &dcb);
}

static int set_pfc(struct os *os)
{
	const struct ieee_pfc pfc = { .pfc_en = 0x08, .delay = 30 };

	return os_dcb_set_pfc(os, port, &pfc, &error);
}

static int set_ets(struct os *os)
{
	const struct ieee_ets ets = {
		.tc_tx_bw = { [0] = 50, [3] = 50 },
		.tc_tsa = { [0] = IEEE_8021QAZ_TSA_ETS, [3] = IEEE_8021QAZ_TSA_ETS },
		.prio_tc = { [3] = 3 },
	};

	return os_dcb_set_ets(os, port, &ets, &error);
}

static int set_buffer(struct os *os)
{
	const struct dcbnl_buffer buffer = {
		.prio2buffer = { [3] = 1 },
		.buffer_size = { 0x1000, 0x20000 },
	};

	return os_dcb_set_buffer(os, port, &buffer, &error);
}

static int set_maxrate(struct os *os)
{
	const struct ieee_maxrate maxrate = { .tc_maxrate = { [7] = 25000000 } };

	return os_dcb_set_maxrate(os, port, &maxrate, &error);
}

static int set_dcbx(struct os *os)
{
	return os_dcb_set_dcbx(os, port, 0x0d, &error);
}

static int add_apps(struct os *os)
{
	const struct dcb_app app[] = { { 5, 3, 26 }, { 5, 6, 48 } };

	return os_dcb_app_add(os, port, app, 2, &error);
}

static int delete_app(struct os *os)
{
	const struct dcb_app app = { 5, 3, 26 };

	/* there is none yet: the request is what counts */
	return os_dcb_app_delete(os, port, &app, 1, &error) == -EREMOTEIO ? 0 : -EIO;
}

static int add_pcp(struct os *os)
{
	const struct dcb_app app = { 255, 3, 3 };

	return os_dcb_app_add(os, port, &app, 1, &error) == -EREMOTEIO ? 0 : -EIO;
}

static int dump_links(struct os *os)
{
	struct os_links links = {};
	int r;

	r = os_link_dump(os, &links);
	os_links_done(&links);
	return r;
}

static int get_link(struct os *os)
{
	struct os_link link;

	return os_link_get(os, PORT_INDEX, &link);
}

static int set_mtu(struct os *os)
{
	return os_link_set_mtu(os, PORT_INDEX, 4200, &error);
}

/* The family is asked for before the first pause message; a number that stands already is used. */
static int ask_family(struct os *os)
{
	struct os_pause pause;
	struct packet *packet = test_calloc(1, sizeof(*packet));
	int r;

	packet_error(packet, -ENOENT);
	packet_reply(packet, os, NETLINK_GENERIC);
	test_free(packet);
	r = os_pause_get(os, PORT_INDEX, &pause);
	return r == -EOPNOTSUPP ? 0 : r;
}

static int get_pause(struct os *os)
{
	struct os_pause pause;

	return os_pause_get(os, PORT_INDEX, &pause);
}

static int set_pause(struct os *os)
{
	const struct os_pause pause = { .tx = true };

	return os_pause_set(os, PORT_INDEX, &pause, &error);
}

static const struct {
	const char *name;
	int (*call)(struct os *os);
	int protocol;
	const char *bytes;
} requests[] = {
	{ "DCB get", get_dcb, NETLINK_ROUTE,
	  "240000004e0001000000000000000000 00150000 0e000100656e733166306e7030000000" },
	{ "PFC", set_pfc, NETLINK_ROUTE,
	  "b40000004f0005000000000000000000 00140000 0e000100656e733166306e7030000000"
	  "90000d80 8c000200 000800001e000000"
	  "0000000000000000000000000000000000000000000000000000000000000000"
	  "0000000000000000000000000000000000000000000000000000000000000000"
	  "0000000000000000000000000000000000000000000000000000000000000000"
	  "0000000000000000000000000000000000000000000000000000000000000000" },
	{ "ETS", set_ets, NETLINK_ROUTE,
	  "680000004f0005000000000000000000 00140000 0e000100656e733166306e7030000000"
	  "44000d80 3f000100 000000 3200003200000000 0000000000000000 0200000200000000"
	  "0000000300000000 0000000000000000 0000000000000000 0000000000000000 00" },
	{ "buffers", set_buffer, NETLINK_ROUTE,
	  "580000004f0005000000000000000000 00140000 0e000100656e733166306e7030000000"
	  "34000d80 30000a00 0000000100000000 0010000000000200"
	  "0000000000000000 0000000000000000 0000000000000000 00000000" },
	{ "rates", set_maxrate, NETLINK_ROUTE,
	  "6c0000004f0005000000000000000000 00140000 0e000100656e733166306e7030000000"
	  "48000d80 44000700 0000000000000000 0000000000000000 0000000000000000"
	  "0000000000000000 0000000000000000 0000000000000000 0000000000000000"
	  "40787d0100000000" },
	{ "DCBX", set_dcbx, NETLINK_ROUTE,
	  "2c0000004f0005000000000000000000 00170000 0e000100656e733166306e7030000000"
	  "05000e000d000000" },
	{ "two APPs", add_apps, NETLINK_ROUTE,
	  "3c0000004f0005000000000000000000 00140000 0e000100656e733166306e7030000000"
	  "18000d80 14000380 0800010005031a00 0800010005063000" },
	{ "delete an APP", delete_app, NETLINK_ROUTE,
	  "340000004f0005000000000000000000 001b0000 0e000100656e733166306e7030000000"
	  "10000d80 0c000380 0800010005031a00" },
	{ "PCP selector", add_pcp, NETLINK_ROUTE,
	  "340000004f0005000000000000000000 00140000 0e000100656e733166306e7030000000"
	  "10000d80 0c000380 08000200ff030300" },
	{ "link dump", dump_links, NETLINK_ROUTE,
	  "28000000120001030000000000000000 00000000000000000000000000000000 08001d0008000000" },
	{ "link get", get_link, NETLINK_ROUTE,
	  "28000000120001000000000000000000 00000000020000000000000000000000 08001d0008000000" },
	{ "MTU", set_mtu, NETLINK_ROUTE,
	  "28000000100005000000000000000000 00000000020000000000000000000000 0800040068100000" },
	{ "family", ask_family, NETLINK_GENERIC,
	  "20000000100001000000000000000000 03010000 0c000200657468746f6f6c00" },
	{ "pause get", get_pause, NETLINK_GENERIC,
	  "20000000150001000000000000000000 15010000 0c0001800800010002000000" },
	{ "pause set", set_pause, NETLINK_GENERIC,
	  "38000000150005000000000000000000 16010000 0c0001800800010002000000"
	  "0500020000000000 0500030000000000 0500040001000000" },
};

static void test_requests(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(requests); i++) {
		struct os *os;

		assert_int_equal(os_fake_new(NULL, 0, &os), 0);
		case_equal(requests[i].name, requests[i].call(os), 0);
		packet_expect(requests[i].name, os, requests[i].protocol, requests[i].bytes);
		os_free(os);
	}
}

/* What needs no message sends none. */
static void test_no_request(void **state)
{
	static struct dcb_app app[OS_DCB_APP_MAX + 1];
	static const char long_name[] = "a-name-of-sixteen";
	const struct ieee_pfc pfc = {};
	struct os_link link;
	struct os *os;
	size_t size;

	assert_int_equal(os_fake_new(NULL, 0, &os), 0);
	assert_int_equal(os_dcb_app_add(os, port, app, 0, &error), 0);
	assert_int_equal(os_dcb_app_add(os, port, app, OS_DCB_APP_MAX + 1, &error), -E2BIG);
	assert_int_equal(os_dcb_get(os, long_name, &dcb), -ENODEV);
	assert_int_equal(os_dcb_get(os, "", &dcb), -ENODEV);
	assert_int_equal(os_dcb_set_pfc(os, long_name, &pfc, &error), -ENODEV);
	assert_int_equal(os_dcb_set_dcbx(os, long_name, 1, &error), -ENODEV);
	assert_int_equal(os_dcb_app_add(os, long_name, app, 1, &error), -ENODEV);
	assert_int_equal(os_link_get(os, 0, &link), -ENODEV);
	assert_int_equal(os_link_set_mtu(os, 0, 1500, &error), -ENODEV);
	assert_int_equal(os_link_set_mtu(os, -1, 1500, &error), -ENODEV);
	assert_null(os_fake_netlink_request(os, NETLINK_ROUTE, &size));
	os_free(os);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_requests),
		cmocka_unit_test(test_no_request),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
