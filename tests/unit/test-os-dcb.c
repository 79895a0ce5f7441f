// SPDX-License-Identifier: LGPL-2.1-or-later
/* DCB replies: the one of field case N09, the same one damaged in many ways, and the status byte of
 * a driver. */
#include <errno.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <string.h>

#include "lib/base/macro.h"
#include "lib/os/dcb.h"
#include "lib/os/fake.h"
#include "tests/support/cases.h"
#include "tests/support/packet.h"

/* IEEE_GET of eth0: pfc_en 0x08, APP {5, 3, 26}, dcbx 0x0c */
static const char n09[] = "c40000004e000000010000000000000000150000090001006574683000000000"
			  "9c000d008c000200080800000000000000000000000000000000000000000000"
			  "0000000000000000000000000000000000000000000000000000000000000000"
			  "0000000000000000000000000000000000000000000000000000000000000000"
			  "0000000000000000000000000000000000000000000000000000000000000000"
			  "000000000000000000000000000000000c0003000800010005031a0005000e00"
			  "0c000000";

enum { /* where things stand in it */
       N09_SIZE = 196,
       N09_TYPE = 4,
       N09_COMMAND = 17,
       N09_NAME_LENGTH = 20,
       N09_NAME = 24,
       N09_IEEE_LENGTH = 32,
       N09_PFC_LENGTH = 36,
       N09_TABLE_LENGTH = 176,
       N09_APP_LENGTH = 180,
       N09_DCBX_LENGTH = 188,
};

static struct packet packet;
static struct os_dcb dcb;

/* The answer to a read of eth0 is what stands in @packet. */
static int get(void)
{
	struct os *os;
	int r;

	assert_int_equal(os_fake_new(NULL, 0, &os), 0);
	packet_reply(&packet, os, NETLINK_ROUTE);
	r = os_dcb_get(os, "eth0", &dcb);
	os_free(os);
	return r;
}

static void test_n09(void **state)
{
	packet_hex(&packet, n09);
	assert_int_equal(packet.size, N09_SIZE);
	assert_int_equal(get(), 0);
	assert_false(dcb.has_ets);
	assert_true(dcb.has_pfc && dcb.has_app && dcb.has_dcbx);
	assert_int_equal(dcb.pfc.pfc_cap, 8);
	assert_int_equal(dcb.pfc.pfc_en, 0x08);
	assert_int_equal(dcb.dcbx, 0x0c);
	assert_int_equal(dcb.n_app, 1);
	assert_int_equal(dcb.app[0].selector, IEEE_8021QAZ_APP_SEL_DSCP);
	assert_int_equal(dcb.app[0].priority, 3);
	assert_int_equal(dcb.app[0].protocol, 26);
}

/* One 16-bit word of it is another one. */
static const struct {
	const char *name;
	size_t at;
	uint16_t word;
	int want;
} damages[] = {
	{ "IEEE longer than the message", N09_IEEE_LENGTH, 0xffff, -EBADMSG },
	{ "IEEE one byte too long", N09_IEEE_LENGTH, 0x9c + 9, -EBADMSG },
	{ "IEEE shorter than its header", N09_IEEE_LENGTH, 3, -EBADMSG },
	{ "IEEE of length 0", N09_IEEE_LENGTH, 0, -EBADMSG },
	{ "IEEE ends inside PFC", N09_IEEE_LENGTH, 100, -EBADMSG },
	{ "PFC one byte short", N09_PFC_LENGTH, 0x8b, -EBADMSG },
	{ "PFC shorter than its header", N09_PFC_LENGTH, 2, -EBADMSG },
	{ "PFC longer than IEEE", N09_PFC_LENGTH, 0x99, -EBADMSG },
	{ "APP table longer than IEEE", N09_TABLE_LENGTH, 0x0d, -EBADMSG },
	{ "APP entry of length 0", N09_APP_LENGTH, 0, -EBADMSG },
	{ "APP entry one byte short", N09_APP_LENGTH, 7, -EBADMSG },
	{ "APP entry longer than its table", N09_APP_LENGTH, 9, -EBADMSG },
	{ "APP table empty", N09_TABLE_LENGTH, 4,
	  -EBADMSG }, /* the entry then stands in IEEE, as ETS */
	{ "DCBX without its byte", N09_DCBX_LENGTH, 4, -EBADMSG },
	{ "DCBX longer than the message", N09_DCBX_LENGTH, 9, -EBADMSG },
	{ "name not terminated", N09_NAME_LENGTH, 8, -EBADMSG },
	{ "name empty", N09_NAME, 0, -EBADMSG },
	{ "name of another device", N09_NAME, 0x7466, -EBADMSG },
	{ "another command", N09_COMMAND, 22, -EBADMSG },
	{ "another type", N09_TYPE, RTM_NEWLINK, -EBADMSG },
	{ "message longer than the datagram", 0, N09_SIZE + 1, -EBADMSG },
	{ "message shorter than its header", 0, 15, -EBADMSG },
	{ "message without a DCB header", 0, 16, -EBADMSG },
	{ "message that ends before IEEE", 0, 32, -EBADMSG },
	{ "type that we do not know", N09_DCBX_LENGTH + 2, 200, 0 },
	{ "type that nobody knows", N09_DCBX_LENGTH + 2, 0x3fff, 0 },
	{ "flags at a type", N09_IEEE_LENGTH + 2, 13 | NLA_F_NESTED, 0 },
};

static void test_damaged(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(damages); i++) {
		packet_hex(&packet, n09);
		memcpy(packet.data + damages[i].at, &damages[i].word, sizeof(damages[i].word));
		case_equal(damages[i].name, get(), damages[i].want);
	}
}

/* Cut anywhere, and with any byte replaced: an answer or an error, nothing else (the sanitizers
 * watch). */
static void test_cut_and_flipped(void **state)
{
	static const uint8_t values[] = { 0x00, 0x01, 0x7f, 0x80, 0xff };
	int r;

	for (uint32_t size = 0; size < N09_SIZE; size++) {
		packet_hex(&packet, n09);
		packet.size = size;
		memcpy(packet.data, &size, sizeof(size));
		r = get();
		assert_true(r == -EBADMSG || (r == 0 && size >= N09_DCBX_LENGTH));
	}
	for (size_t at = 0; at < N09_SIZE; at++)
		for (size_t i = 0; i < ARRAY_SIZE(values); i++) {
			packet_hex(&packet, n09);
			packet.data[at] = values[i];
			(void)get();
			assert_true(dcb.n_app <= OS_DCB_APP_MAX);
		}
}

static void put_reply(uint16_t type, uint8_t command)
{
	const struct dcbmsg header = { .cmd = command };

	packet_message(&packet, type, 0, &header, sizeof(header));
	packet_string(&packet, DCB_ATTR_IFNAME, "eth0");
}

static void put_table(size_t n)
{
	const struct dcb_app app = { IEEE_8021QAZ_APP_SEL_DSCP, 3, 26 };
	size_t ieee, table;

	put_reply(RTM_GETDCB, DCB_CMD_IEEE_GET);
	ieee = packet_nest(&packet, DCB_ATTR_IEEE);
	table = packet_nest(&packet, DCB_ATTR_IEEE_APP_TABLE);
	for (size_t i = 0; i < n; i++)
		packet_attr(&packet, DCB_ATTR_IEEE_APP, &app, sizeof(app));
	packet_nest_end(&packet, table);
	packet_nest_end(&packet, ieee);
}

static void test_table_size(void **state)
{
	put_table(0);
	assert_int_equal(get(), 0);
	assert_true(dcb.has_app && dcb.n_app == 0);
	put_table(OS_DCB_APP_MAX);
	assert_int_equal(get(), 0);
	assert_int_equal(dcb.n_app, OS_DCB_APP_MAX);
	put_table(OS_DCB_APP_MAX + 1);
	assert_int_equal(get(), -E2BIG);
}

static int get_object(uint16_t type, size_t size)
{
	static const uint8_t object[256] = { 1, 2, 3, 4, 5, 6, 7, 0, 1 };
	size_t ieee;

	put_reply(RTM_GETDCB, DCB_CMD_IEEE_GET);
	ieee = packet_nest(&packet, DCB_ATTR_IEEE);
	packet_attr(&packet, type, object, size);
	packet_nest_end(&packet, ieee);
	return get();
}

/* Longer is a newer kernel, shorter is none that we know. */
static void test_objects(void **state)
{
	assert_int_equal(get_object(DCB_ATTR_DCB_BUFFER, sizeof(dcb.buffer)), 0);
	assert_true(dcb.has_buffer && !dcb.has_maxrate && !dcb.has_ets && !dcb.has_pfc);
	assert_int_equal(dcb.buffer.prio2buffer[6], 7);
	assert_int_equal(dcb.buffer.buffer_size[0], 1);
	assert_int_equal(get_object(DCB_ATTR_DCB_BUFFER, sizeof(dcb.buffer) + 4), 0);
	assert_int_equal(get_object(DCB_ATTR_DCB_BUFFER, sizeof(dcb.buffer) - 1), -EBADMSG);
	assert_int_equal(get_object(DCB_ATTR_IEEE_MAXRATE, sizeof(dcb.maxrate)), 0);
	assert_true(dcb.has_maxrate && !dcb.has_buffer);
	assert_int_equal(dcb.maxrate.tc_maxrate[1], 1);
	assert_int_equal(get_object(DCB_ATTR_IEEE_MAXRATE, sizeof(dcb.maxrate) - 1), -EBADMSG);
	assert_int_equal(get_object(DCB_ATTR_IEEE_MAXRATE, 0), -EBADMSG);
}

static void test_errors_of_get(void **state)
{
	static const int errors[] = { -EOPNOTSUPP, -ENODEV, -EPERM, -EINVAL };

	for (size_t i = 0; i < ARRAY_SIZE(errors); i++) {
		packet_error(&packet, errors[i]);
		assert_int_equal(get(), errors[i]);
	}
	put_reply(RTM_GETDCB, DCB_CMD_IEEE_GET); /* nothing in it */
	assert_int_equal(get(), -EBADMSG);
}

/* ---- status bytes ---- */

static const struct {
	const char *name;
	uint8_t byte;
	int want;
	int status;
} bytes[] = {
	{ "accepted", 0x00, 0, 0 },
	{ "EBUSY", 0xf0, -EREMOTEIO, -16 },
	{ "ENOTSUPP cut off, looks like ENOMEM", 0xf4, -EREMOTEIO, -12 },
	{ "ENOENT", 0xfe, -EREMOTEIO, -2 },
	{ "positive 1 of ice", 0x01, -EREMOTEIO, 1 },
	{ "the lowest", 0x80, -EREMOTEIO, -128 },
	{ "the highest", 0x7f, -EREMOTEIO, 127 },
};

static int set_pfc(struct os *os, struct os_error *ret_error)
{
	const struct ieee_pfc pfc = { .pfc_en = 0x08 };

	return os_dcb_set_pfc(os, "eth0", &pfc, ret_error);
}

static int set_dcbx(struct os *os, struct os_error *ret_error)
{
	return os_dcb_set_dcbx(os, "eth0", 0x0d, ret_error);
}

static void test_status(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(bytes); i++) {
		struct os_error error;
		struct os *os;

		assert_int_equal(os_fake_new(NULL, 0, &os), 0);
		put_reply(RTM_SETDCB, DCB_CMD_IEEE_SET);
		packet_u8(&packet, DCB_ATTR_IEEE, bytes[i].byte);
		packet_reply(&packet, os, NETLINK_ROUTE);
		packet_error(&packet, 0);
		packet_reply(&packet, os, NETLINK_ROUTE);
		case_equal(bytes[i].name, set_pfc(os, &error), bytes[i].want);
		case_equal(bytes[i].name, error.status, bytes[i].status);
		/* and both in one datagram, of SDCBX */
		put_reply(RTM_SETDCB, DCB_CMD_SDCBX);
		packet_u8(&packet, DCB_ATTR_DCBX, bytes[i].byte);
		packet_error(&packet, 0);
		packet_reply(&packet, os, NETLINK_ROUTE);
		case_equal(bytes[i].name, set_dcbx(os, &error), bytes[i].want);
		case_equal(bytes[i].name, error.status, bytes[i].status);
		os_free(os);
	}
}

static void put_ack_alone(void)
{
	packet_error(&packet, 0);
}

static void put_no_ack(void)
{
	put_reply(RTM_SETDCB, DCB_CMD_IEEE_SET);
	packet_u8(&packet, DCB_ATTR_IEEE, 0);
}

static void put_no_status(void)
{
	put_reply(RTM_SETDCB, DCB_CMD_IEEE_SET);
	packet_error(&packet, 0);
}

static void put_empty_status(void)
{
	put_reply(RTM_SETDCB, DCB_CMD_IEEE_SET);
	packet_attr(&packet, DCB_ATTR_IEEE, NULL, 0);
	packet_error(&packet, 0);
}

static void put_status_of_another(void)
{
	put_reply(RTM_SETDCB, DCB_CMD_IEEE_DEL);
	packet_u8(&packet, DCB_ATTR_IEEE, 0);
	packet_error(&packet, 0);
}

static void put_error_after_status(void)
{
	put_reply(RTM_SETDCB, DCB_CMD_IEEE_SET);
	packet_u8(&packet, DCB_ATTR_IEEE, 0);
	packet_error(&packet, -EPERM);
}

static void put_positive_error(void)
{
	packet_error(&packet, 5);
}

static void put_wild_error(void)
{
	packet_error(&packet, INT32_MIN);
}

static void put_short_error(void)
{
	const int error = -EPERM;

	packet_message(&packet, NLMSG_ERROR, 0, &error, sizeof(error));
}

static void put_overrun(void)
{
	packet_message(&packet, NLMSG_OVERRUN, 0, NULL, 0);
}

/* Silence is never success. */
static const struct {
	const char *name;
	void (*put)(void);
	int want;
} answers[] = {
	{ "ACK alone", put_ack_alone, -EBADMSG },
	{ "status without ACK", put_no_ack, -ETIMEDOUT },
	{ "reply without status", put_no_status, -EBADMSG },
	{ "empty status", put_empty_status, -EBADMSG },
	{ "status of another command", put_status_of_another, -EBADMSG },
	{ "error after the status", put_error_after_status, -EPERM },
	{ "positive error", put_positive_error, -EBADMSG },
	{ "error out of range", put_wild_error, -EBADMSG },
	{ "short error", put_short_error, -EBADMSG },
	{ "overrun", put_overrun, -ENOBUFS },
};

static void test_answers_to_a_write(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(answers); i++) {
		struct os_error error;
		struct os *os;

		assert_int_equal(os_fake_new(NULL, 0, &os), 0);
		answers[i].put();
		packet_reply(&packet, os, NETLINK_ROUTE);
		case_equal(answers[i].name, set_pfc(os, &error), answers[i].want);
		/* whatever came: the next request gets its own answer */
		case_equal(answers[i].name, os_dcb_get(os, "ens1f0np0", &dcb), 0);
		os_free(os);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_n09),
		cmocka_unit_test(test_damaged),
		cmocka_unit_test(test_cut_and_flipped),
		cmocka_unit_test(test_table_size),
		cmocka_unit_test(test_objects),
		cmocka_unit_test(test_errors_of_get),
		cmocka_unit_test(test_status),
		cmocka_unit_test(test_answers_to_a_write),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
