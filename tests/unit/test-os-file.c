// SPDX-License-Identifier: LGPL-2.1-or-later
/* Attributes: what is taken as text and as a number, and every way in which reading and writing can
 * fail. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

#include "lib/base/macro.h"
#include "lib/os/fake.h"
#include "lib/os/file.h"
#include "tests/support/cases.h"

static const char path[] = "/sys/class/test/attribute";

static struct os *new_node(const char *text)
{
	struct os *os;

	assert_int_equal(os_fake_new(NULL, 0, &os), 0);
	assert_int_equal(os_fake_poke_file(os, path, text), 0);
	return os;
}

/* ---- text ---- */

static const struct {
	const char *name;
	const char *content;
	size_t room;
	int want;
	const char *text;
} texts[] = {
	{ "a word", "RoCE v2\n", 64, 7, "RoCE v2" },
	{ "empty", "", 64, 0, "" },
	{ "one newline", "\n", 64, 0, "" },
	{ "many newlines", "a\n\n\n", 64, 1, "a" },
	{ "no newline", "a", 64, 1, "a" },
	{ "two lines", "Global tclass=106\nsrc_ip=192.0.2.9, tclass=0\n", 64, 44,
	  "Global tclass=106\nsrc_ip=192.0.2.9, tclass=0" },
	{ "tab and blank stay", "\ta b \n", 64, 5, "\ta b " },
	{ "just fits", "1234\n", 6, 4, "1234" },
	{ "does not fit", "12345\n", 6, -EFBIG, NULL },
	{ "far too long", "1234567890", 4, -EFBIG, NULL },
	{ "escape", "a\033[2Jb\n", 64, -EILSEQ, NULL },
	{ "carriage return", "a\r\n", 64, -EILSEQ, NULL },
	{ "delete", "a\x7f\n", 64, -EILSEQ, NULL },
	{ "UTF-8 stays", "\xc3\xa9\n", 64, 2, "\xc3\xa9" },
};

static void test_read_text(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		struct os *os = new_node(texts[i].content);
		char text[64];

		case_equal(texts[i].name, os_read_text(os, path, text, texts[i].room),
			   texts[i].want);
		if (texts[i].want >= 0)
			case_string(texts[i].name, text, texts[i].text);
		os_free(os);
	}
}

/* ---- numbers ---- */

static const struct {
	const char *name;
	const char *content;
	uint64_t max;
	int want;
	uint64_t value;
} numbers[] = {
	{ "decimal", "4200\n", UINT32_MAX, 0, 4200 },
	{ "zero", "0\n", 0, 0, 0 },
	{ "hexadecimal", "0x15b3\n", UINT16_MAX, 0, 0x15b3 },
	{ "capitals", "0x1AB\n", UINT16_MAX, 0, 0x1ab },
	{ "leading zeros are decimal", "010\n", 100, 0, 10 },
	{ "at the limit", "255\n", 255, 0, 255 },
	{ "above the limit", "256\n", 255, -ERANGE, 0 },
	{ "the largest", "18446744073709551615\n", UINT64_MAX, 0, UINT64_MAX },
	{ "one more", "18446744073709551616\n", UINT64_MAX, -ERANGE, 0 },
	{ "ten times more", "184467440737095516150\n", UINT64_MAX, -ERANGE, 0 },
	{ "65 bits", "0x1ffffffffffffffff\n", UINT64_MAX, -ERANGE, 0 },
	{ "empty", "\n", 10, -EINVAL, 0 },
	{ "0x alone", "0x\n", 10, -EINVAL, 0 },
	{ "a sign", "-1\n", 10, -EINVAL, 0 },
	{ "plus", "+1\n", 10, -EINVAL, 0 },
	{ "a blank before", " 1\n", 10, -EINVAL, 0 },
	{ "a blank behind", "1 \n", 10, -EINVAL, 0 },
	{ "two numbers", "1 2\n", 10, -EINVAL, 0 },
	{ "a letter", "12a\n", 1000, -EINVAL, 0 },
	{ "no digit", "x\n", 10, -EINVAL, 0 },
};

static void test_read_number(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(numbers); i++) {
		struct os *os = new_node(numbers[i].content);
		uint64_t value = 0;

		case_equal(numbers[i].name, os_read_number(os, path, numbers[i].max, &value),
			   numbers[i].want);
		case_true(numbers[i].name, value == numbers[i].value);
		os_free(os);
	}
}

/* ---- errors ---- */

static int read_it(struct os *os)
{
	char text[64];

	return os_read_text(os, path, text, sizeof(text));
}

static int write_it(struct os *os)
{
	return os_write_text(os, path, "new");
}

static const struct {
	const char *name;
	enum fake_call call;
	int error;
	int (*run)(struct os *os);
	int want;
	const char *after;
} failures[] = {
	{ "open to read", FAKE_OPEN, EACCES, read_it, -EACCES, "old" },
	{ "read", FAKE_READ, EINVAL, read_it, -EINVAL, "old" },
	{ "close after reading", FAKE_CLOSE, EIO, read_it, -EIO, "old" },
	{ "open to write", FAKE_OPEN, EACCES, write_it, -EACCES, "old" },
	{ "V01: read-only sysfs", FAKE_OPEN, EROFS, write_it, -EROFS, "old" },
	{ "V01: is read all the same", FAKE_OPEN, EROFS, read_it, 3, "old" },
	{ "write", FAKE_WRITE, ENOSPC, write_it, -ENOSPC, "old" },
	{ "close after writing", FAKE_CLOSE, EIO, write_it, -EIO, "new" },
};

static void test_failures(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(failures); i++) {
		const struct fake_fault fault = {
			.call = failures[i].call,
			.match = path,
			.mode = FAKE_ERRNO,
			.error = failures[i].error,
		};
		struct os *os = new_node("old\n");
		char text[64];

		case_true(failures[i].name, os_fake_fault(os, &fault) >= 0);
		case_equal(failures[i].name, failures[i].run(os), failures[i].want);
		os_fake_fault_clear(os);
		case_true(failures[i].name, os_read_text(os, path, text, sizeof(text)) == 3);
		case_string(failures[i].name, text, failures[i].after);
		os_free(os);
	}
}

/* Handles are given back on every way out. */
static void test_handles_return(void **state)
{
	const struct fake_fault fault = { .call = FAKE_READ, .mode = FAKE_ERRNO, .error = EIO };
	struct os *os = new_node("old\n");

	assert_true(os_fake_fault(os, &fault) >= 0);
	for (int i = 0; i < 100; i++) {
		assert_int_equal(read_it(os), -EIO);
		assert_true(os_exists(os, path));
	}
	os_free(os);
}

/* ---- a kernel that does what the simulated one cannot ---- */

static ssize_t write_half(struct os *os, int handle, const void *data, size_t size)
{
	return (ssize_t)size / 2;
}

static ssize_t read_nul(struct os *os, int handle, void *data, size_t size)
{
	static bool done;

	done = !done;
	if (!done)
		return 0;
	memcpy(data, "a\0b", 3);
	return 3;
}

static ssize_t read_one_byte(struct os *os, int handle, void *data, size_t size)
{
	static size_t at;

	*(char *)data = "slow"[at];
	if (at == 4) {
		at = 0;
		return 0;
	}
	at++;
	return 1;
}

static ssize_t read_without_end(struct os *os, int handle, void *data, size_t size)
{
	memset(data, 'a', size);
	return (ssize_t)size;
}

static void test_odd_kernels(void **state)
{
	struct os *os = new_node("old\n");
	struct os_ops ops = *os->ops;
	char text[16];

	os->ops = &ops;
	ops.write = write_half;
	assert_int_equal(os_write_text(os, path, "1234"), -EIO);
	ops.read = read_nul;
	assert_int_equal(os_read_text(os, path, text, sizeof(text)), -EILSEQ);
	ops.read = read_one_byte;
	assert_int_equal(os_read_text(os, path, text, sizeof(text)), 4);
	assert_string_equal(text, "slow");
	ops.read = read_without_end;
	assert_int_equal(os_read_text(os, path, text, sizeof(text)), -EFBIG);
	os_free(os);
}

static void test_write_text(void **state)
{
	static char long_text[OS_TEXT_MAX];
	struct os *os = new_node("old\n");
	char text[64];

	assert_int_equal(os_write_text(os, path, "106"), 0);
	assert_int_equal(os_read_text(os, path, text, sizeof(text)), 3);
	assert_string_equal(text, "106");
	assert_int_equal(os_fake_writes(os, FAKE_WRITE, "attribute"), 1);
	memset(long_text, 'a', sizeof(long_text) - 1);
	assert_int_equal(os_write_text(os, path, long_text), -E2BIG);
	assert_int_equal(os_fake_writes(os, FAKE_ANY_WRITE, NULL), 1);
	assert_int_equal(os_write_text(os, "/sys/class/test/none", "1"), -ENOENT);
	os_free(os);
}

/* ---- links, existence ---- */

static void test_links(void **state)
{
	struct os *os = new_node("old\n");
	char name[OS_NAME_MAX];

	assert_int_equal(
		os_read_link_name(os, "/sys/class/net/ens1f0np0/device", name, sizeof(name)), 0);
	assert_string_equal(name, "0000:17:00.0");
	assert_int_equal(os_read_link_name(os, "/sys/class/net/ens1f0np0/device", name, 13), 0);
	assert_int_equal(os_read_link_name(os, "/sys/class/net/ens1f0np0/device", name, 12),
			 -ENAMETOOLONG);
	assert_int_equal(os_read_link_name(os, "/sys/class/net/ens1f0np0/none", name, sizeof(name)),
			 -ENOENT);
	assert_int_equal(os_read_link_name(os, path, name, sizeof(name)), -EINVAL);
	os_free(os);
}

static void test_exists(void **state)
{
	const struct fake_fault fault = {
		.call = FAKE_OPEN, .match = path, .mode = FAKE_ERRNO, .error = EACCES
	};
	struct os *os = new_node("old\n");

	assert_true(os_exists(os, path));
	assert_true(os_exists(os, "/sys/class/net"));
	assert_true(os_exists(os, "/sys/class/net/ens1f0np0/device/driver"));
	assert_false(os_exists(os, "/sys/class/net/ens9"));
	assert_false(os_exists(os, "/sys/class/net/ens1f0np0/mtu/x"));
	assert_true(os_fake_fault(os, &fault) >= 0);
	assert_true(os_exists(os, path));
	os_free(os);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_read_text),   cmocka_unit_test(test_read_number),
		cmocka_unit_test(test_failures),    cmocka_unit_test(test_handles_return),
		cmocka_unit_test(test_odd_kernels), cmocka_unit_test(test_write_text),
		cmocka_unit_test(test_links),	    cmocka_unit_test(test_exists),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
