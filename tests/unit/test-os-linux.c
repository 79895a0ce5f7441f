// SPDX-License-Identifier: LGPL-2.1-or-later
/* The seam on this machine, as far as any machine and any user can show it; the rest is the lab's.
 */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/os/dcb.h"
#include "lib/os/ethtool.h"
#include "lib/os/file.h"
#include "lib/os/link.h"
#include "tests/support/cases.h"

enum { LO_INDEX = 1, UNKNOWN_INDEX = 0x7ffffff0 };

static int begin(void **state)
{
	return os_linux_new((struct os **)state);
}

static int end(void **state)
{
	*state = os_free(*state);
	return 0;
}

static void test_links(void **state)
{
	struct os_links links = {};
	struct os *os = *state;
	struct os_link link;
	size_t n_lo = 0;

	assert_int_equal(os_link_dump(os, &links), 0);
	for (size_t i = 0; i < links.n; i++)
		n_lo += !strcmp(links.list[i].name, "lo") && links.list[i].ifindex == LO_INDEX;
	os_links_done(&links);
	assert_int_equal(n_lo, 1);
	assert_int_equal(os_link_get(os, LO_INDEX, &link), 0);
	assert_string_equal(link.name, "lo");
	assert_true(link.mtu > 0);
	assert_int_equal(os_link_get(os, UNKNOWN_INDEX, &link), -ENODEV);
}

static void test_loopback_has_no_dcb(void **state)
{
	static struct os_dcb dcb;
	struct os *os = *state;
	struct os_pause pause;

	assert_int_equal(os_dcb_get(os, "lo", &dcb), -EOPNOTSUPP);
	assert_int_equal(os_pause_get(os, LO_INDEX, &pause), -EOPNOTSUPP);
}

static void test_files(void **state)
{
	struct os *os = *state;
	char text[64];

	assert_int_equal(os_read_text(os, "/proc/sys/kernel/ostype", text, sizeof(text)), 5);
	assert_string_equal(text, "Linux");
	assert_int_equal(os_read_text(os, "/proc/none", text, sizeof(text)), -ENOENT);
	assert_int_equal(os_read_text(os, "/proc", text, sizeof(text)), -EISDIR);
	assert_int_equal(os_read_link_name(os, "/proc/self/exe", text, sizeof(text)), 0);
	assert_string_equal(text, "test-os-linux");
	assert_int_equal(os_read_link_name(os, "/proc/self/exe", text, 5), -ENAMETOOLONG);
	assert_int_equal(os_read_link_name(os, "/proc/self/stat", text, sizeof(text)), -EINVAL);
	assert_true(os_exists(os, "/proc/self"));
	assert_false(os_exists(os, "/proc/none"));
}

/* Nothing is created by writing; a directory is. */
static void test_writes(void **state)
{
	char dir[] = "/tmp/test-os-linux-XXXXXX";
	struct os *os = *state;
	char path[sizeof(dir) + 8];
	char text[8];
	FILE *file;

	assert_non_null(mkdtemp(dir));
	(void)snprintf(path, sizeof(path), "%s/file", dir);
	assert_int_equal(os_write_text(os, path, "106"), -ENOENT);
	assert_int_equal(mkfifo(path, 0600), 0);
	assert_int_equal(os_read_text(os, path, text, sizeof(text)), 0);
	assert_int_equal(os_write_text(os, path, "106"), -ENXIO);
	assert_int_equal(unlink(path), 0);
	file = fopen(path, "w");
	assert_non_null(file);
	assert_int_equal(fclose(file), 0);
	assert_int_equal(os_write_text(os, path, "106"), 0);
	assert_int_equal(os_read_text(os, path, text, sizeof(text)), 3);
	assert_string_equal(text, "106");
	assert_int_equal(unlink(path), 0);
	assert_int_equal(os->ops->make_dir(os, path), 0);
	assert_int_equal(os->ops->make_dir(os, path), -EEXIST);
	assert_int_equal(rmdir(path), 0);
	assert_int_equal(rmdir(dir), 0);
}

static int find_stat(const char *name, void *data)
{
	assert_true(strcmp(name, ".") && strcmp(name, ".."));
	++*(size_t *)data;
	return strcmp(name, "stat") ? 0 : 42;
}

static int count(const char *name, void *data)
{
	++*(size_t *)data;
	return 0;
}

static void test_list(void **state)
{
	struct os *os = *state;
	size_t n = 0;

	assert_int_equal(os->ops->list(os, "/proc/self", find_stat, &n), 42);
	assert_true(n >= 1);
	assert_int_equal(os->ops->list(os, "/proc/self/task", count, &n), 0);
	assert_int_equal(os->ops->list(os, "/proc/none", count, &n), -ENOENT);
	assert_int_equal(os->ops->list(os, "/proc/self/stat", count, &n), -ENOTDIR);
}

static void test_clock(void **state)
{
	struct os *os = *state;
	int64_t begin_ms = os->ops->now_ms(os);

	os->ops->sleep_ms(os, 20);
	assert_true(os->ops->now_ms(os) - begin_ms >= 20);
	assert_int_equal(os->privileged, geteuid() == 0);
}

/* Sockets and files are closed in the end. */
static void test_nothing_is_left_open(void **state)
{
	size_t before = 0, after = 0;
	struct os *os = *state;
	struct os_link link;
	struct os_pause pause;
	struct os *other;
	char text[64];

	assert_int_equal(os->ops->list(os, "/proc/self/fd", count, &before), 0);
	assert_int_equal(os_linux_new(&other), 0);
	assert_int_equal(os_link_get(other, LO_INDEX, &link), 0);
	(void)os_pause_get(other, LO_INDEX, &pause);
	(void)os_read_text(other, "/proc/sys/kernel/ostype", text, sizeof(text));
	(void)os_read_text(other, "/proc/sys/kernel/ostype", text, 2);
	os_free(other);
	assert_int_equal(os->ops->list(os, "/proc/self/fd", count, &after), 0);
	assert_int_equal(before, after);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_links),
		cmocka_unit_test(test_loopback_has_no_dcb),
		cmocka_unit_test(test_files),
		cmocka_unit_test(test_writes),
		cmocka_unit_test(test_list),
		cmocka_unit_test(test_clock),
		cmocka_unit_test(test_nothing_is_left_open),
	};

	return cmocka_run_group_tests(tests, begin, end);
}
