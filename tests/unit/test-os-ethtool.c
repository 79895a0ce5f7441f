// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * ethtool's ioctl: the bytes of each command, made from the layouts in <linux/ethtool.h>, and
 * drivers that answer strangely.
 */
#include <errno.h>
#include <linux/ethtool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/macro.h"
#include "lib/os/ethtool.h"
#include "lib/os/fake.h"
#include "tests/support/cases.h"

enum {
	COMMANDS_MAX = 16,
	BYTES_MAX = 24,
};

static const char port[] = "ens1f0np0";

/* A node whose ioctl is replaced. */
static struct os_ops ops;

static struct os *new_node(int (*ethtool)(struct os *os, const char *ifname, void *command))
{
	static const struct fake_port ice = { .name = port,
					      .pci = "0000:17:00.0",
					      .driver = "ice" };
	struct os *os;

	assert_int_equal(os_fake_new(&ice, 1, &os), 0);
	ops = *os->ops;
	if (ethtool)
		ops.ethtool = ethtool;
	os->ops = &ops;
	return os;
}

/* ---- what is asked ---- */

static char asked[COMMANDS_MAX][2 * BYTES_MAX + 1];
static size_t n_asked;

/* How many bytes of a command are input */
static size_t input_of(uint32_t number)
{
	switch (number) {
	case ETHTOOL_GTUNABLE:
		return sizeof(struct ethtool_tunable);
	case ETHTOOL_STUNABLE:
		return sizeof(struct ethtool_tunable) + sizeof(uint16_t);
	case ETHTOOL_GSSET_INFO:
		return sizeof(struct ethtool_sset_info);
	case ETHTOOL_SPFLAGS:
		return sizeof(struct ethtool_value);
	case ETHTOOL_GSTRINGS:
		return sizeof(struct ethtool_gstrings);
	case ETHTOOL_GSTATS:
		return sizeof(struct ethtool_stats);
	}
	return sizeof(number);
}

static int recorded(struct os *os, const char *ifname, void *command)
{
	const uint8_t *bytes = command;
	uint32_t number;

	memcpy(&number, command, sizeof(number));
	assert_true(n_asked < COMMANDS_MAX);
	for (size_t i = 0; i < input_of(number); i++)
		(void)sprintf(asked[n_asked] + 2 * i, "%02x", bytes[i]);
	n_asked++;
	switch (number) {
	case ETHTOOL_GSSET_INFO:
		((struct ethtool_sset_info *)command)->data[0] = 1;
		break;
	case ETHTOOL_GSTRINGS:
		strcpy((char *)((struct ethtool_gstrings *)command)->data, "fw-lldp-agent");
		break;
	case ETHTOOL_GPFLAGS:
		((struct ethtool_value *)command)->data = 0x11;
		break;
	}
	return 0;
}

static int get_stall(struct os *os)
{
	uint16_t ms;

	return os_pfc_stall_get(os, port, &ms);
}

static int set_stall(struct os *os)
{
	return os_pfc_stall_set(os, port, 0x1234);
}

static int clear_flag(struct os *os)
{
	return os_private_flag_set(os, port, "fw-lldp-agent", false);
}

static int get_stats(struct os *os)
{
	struct os_stats stats = {};
	int r;

	r = os_stats_get(os, port, &stats);
	os_stats_done(&stats);
	return r;
}

static const struct {
	const char *name;
	int (*call)(struct os *os);
	const char *bytes[6];
} commands[] = {
	{ "get the watchdog", get_stall, { "48000000030000000200000002000000" } },
	{ "set the watchdog", set_stall, { "490000000300000002000000020000003412" } },
	/* the other flags of the word stay as they are */
	{ "clear a flag",
	  clear_flag,
	  { "37000000000000000400000000000000", "1b0000000200000001000000", "27000000",
	    "2800000010000000" } },
	{ "counters",
	  get_stats,
	  { "37000000000000000200000000000000", "1b0000000100000001000000", "1d00000001000000",
	    "1b0000000100000001000000" } },
};

static void test_commands(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(commands); i++) {
		struct os *os = new_node(recorded);
		size_t n = 0;

		n_asked = 0;
		case_equal(commands[i].name, commands[i].call(os), 0);
		for (; n < ARRAY_SIZE(commands[i].bytes) && commands[i].bytes[n]; n++)
			case_string(commands[i].name, asked[n], commands[i].bytes[n]);
		case_equal(commands[i].name, n_asked, n);
		os_free(os);
	}
}

/* ---- strange answers ---- */

/* What the driver of this moment says; the number of names may differ from call to call. */
static struct {
	uint32_t n_info, n_drvinfo, n_strings, n_stats;
	int info_error;
	bool no_set;
	bool moving; /* one name more with every count */
	bool renaming; /* another name each time */
	const char *name;
	size_t length;
	unsigned int calls;
} driver;

static int answer_info(struct ethtool_sset_info *info)
{
	if (driver.info_error)
		return driver.info_error;
	if (driver.no_set)
		info->sset_mask = 0;
	else
		info->data[0] = driver.n_info;
	return 0;
}

static int hostile(struct os *os, const char *ifname, void *command)
{
	struct ethtool_gstrings *strings = command;
	struct ethtool_stats *stats = command;
	uint32_t number;

	memcpy(&number, command, sizeof(number));
	driver.calls++;
	switch (number) {
	case ETHTOOL_GSSET_INFO:
		if (driver.moving)
			driver.n_strings = driver.n_stats = driver.n_info++;
		return answer_info(command);
	case ETHTOOL_GDRVINFO:
		((struct ethtool_drvinfo *)command)->n_stats = driver.n_drvinfo;
		return 0;
	case ETHTOOL_GSTRINGS:
		strings->len = driver.n_strings;
		for (uint32_t i = 0; i < driver.n_strings && i < OS_STATS_MAX; i++) {
			memcpy(strings->data + i * ETH_GSTRING_LEN, driver.name, driver.length);
			if (driver.renaming)
				strings->data[i * ETH_GSTRING_LEN] = (uint8_t)('a' + driver.calls);
		}
		return 0;
	case ETHTOOL_GSTATS:
		stats->n_stats = driver.n_stats;
		for (uint32_t i = 0; i < driver.n_stats && i < OS_STATS_MAX; i++)
			stats->data[i] = UINT64_MAX - i;
		return 0;
	}
	return -EOPNOTSUPP;
}

#define NAMES(n) .n_info = (n), .n_strings = (n), .n_stats = (n), .name = "x", .length = 2

static const struct {
	const char *name;
	__typeof__(driver) driver;
	int want;
	unsigned int calls;
} answers[] = {
	{ "one counter", { NAMES(1) }, 0, 4 },
	{ "as many as are believed", { NAMES(OS_STATS_MAX) }, 0, 4 },
	{ "one more", { NAMES(OS_STATS_MAX + 1) }, -E2BIG, 1 },
	{ "far more", { NAMES(UINT32_MAX) }, -E2BIG, 1 },
	{ "none", { NAMES(0) }, -EOPNOTSUPP, 1 },
	{ "no such set", { NAMES(1), .no_set = true }, -EOPNOTSUPP, 1 },
	{ "not for us, but shown with the driver",
	  { NAMES(2), .n_drvinfo = 2, .info_error = -EPERM },
	  0,
	  5 },
	{ "not for us, and the driver shows none",
	  { NAMES(2), .info_error = -EPERM },
	  -EOPNOTSUPP,
	  2 },
	{ "gone", { NAMES(1), .info_error = -ENODEV }, -ENODEV, 1 },
	{ "fewer names than counted", { .n_info = 2, .n_strings = 1, .name = "" }, -EAGAIN, 6 },
	{ "more names than counted",
	  { .n_info = 2, .n_strings = 3, .n_stats = 2, .name = "" },
	  -EAGAIN,
	  6 },
	{ "fewer values", { .n_info = 2, .n_strings = 2, .n_stats = 1, .name = "" }, -EAGAIN, 9 },
	{ "more values", { .n_info = 2, .n_strings = 2, .n_stats = 3, .name = "" }, -EAGAIN, 9 },
	{ "a set that moves with every count", { NAMES(1), .moving = true }, -EAGAIN, 6 },
	{ "other names of the same number", { NAMES(3), .renaming = true }, -EAGAIN, 12 },
};

static void test_hostile_stats(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(answers); i++) {
		struct os *os = new_node(hostile);
		struct os_stats stats = {};

		driver = answers[i].driver;
		case_equal(answers[i].name, os_stats_get(os, port, &stats), answers[i].want);
		case_equal(answers[i].name, driver.calls, answers[i].calls);
		case_equal(answers[i].name, stats.n, answers[i].want ? 0 : driver.n_stats);
		if (stats.n)
			case_true(answers[i].name,
				  stats.list[stats.n - 1].value == UINT64_MAX - stats.n + 1);
		os_stats_done(&stats);
		os_free(os);
	}
}

/* The names end somewhere, and nothing in them reaches a terminal. */
static const struct {
	const char *name;
	const char *text;
	size_t length;
	const char *want;
} names[] = {
	{ "plain", "rx_prio3_pause", 15, "rx_prio3_pause" },
	{ "not terminated", "0123456789abcdef0123456789abcdef", 32,
	  "0123456789abcdef0123456789abcde" },
	{ "nothing behind the end counts", "ab\0cd", 6, "ab" },
	{ "empty", "", 1, "" },
	{ "escapes", "\033[2Jrx\n\x7f\xff", 10, "?[2Jrx???" },
};

static void test_names(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		struct os *os = new_node(hostile);
		struct os_stats stats = {};

		driver = (__typeof__(driver)){ .n_info = 1,
					       .n_strings = 1,
					       .n_stats = 1,
					       .name = names[i].text,
					       .length = names[i].length };
		case_equal(names[i].name, os_stats_get(os, port, &stats), 0);
		case_string(names[i].name, stats.list[0].name, names[i].want);
		os_stats_done(&stats);
		os_free(os);
	}
}

/* More flags than a word has bits, names without an end */
static void test_hostile_flags(void **state)
{
	struct os *os = new_node(hostile);
	bool on;

	driver = (__typeof__(driver)){
		.n_info = 33, .n_strings = 33, .name = "fw-lldp-agent", .length = 14
	};
	assert_int_equal(os_private_flag_get(os, port, "fw-lldp-agent", &on), -EOPNOTSUPP);
	driver.n_info = 2;
	assert_int_equal(os_private_flag_get(os, port, "fw-lldp-agent", &on), -EAGAIN);
	driver.n_strings = 2;
	driver.name = "0123456789abcdef0123456789abcdef";
	driver.length = 32;
	assert_int_equal(os_private_flag_get(os, port, "0123456789abcdef0123456789abcdef", &on),
			 -EOPNOTSUPP);
	assert_int_equal(os_private_flag_get(os, port, "", &on), -EOPNOTSUPP);
	os_free(os);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_commands),
		cmocka_unit_test(test_hostile_stats),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_hostile_flags),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
