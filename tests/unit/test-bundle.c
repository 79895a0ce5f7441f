// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Bundles come by mail: what is not exactly one is refused with its place, whatever it is, and what
 * is read is written again byte for byte.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/cleanup.h"
#include "lib/base/macro.h"
#include "lib/node/record.h"
#include "lib/os/fake.h"
#include "lib/os/file.h"
#include "tests/support/cases.h"

#define HEAD "losslessd bundle 1\nnode gpu-1\nkernel 6.12.1\nreader root\n"
#define LINK                                                                                 \
	"link eth0 index 2 lower 0 master 0 mtu 1500 min 68 max 9978 mac 02:00:00:00:00:01 " \
	"up 1 carrier 1 kind -\n"
#define APPS "apps eth0 entries 1\n"

static const struct {
	const char *name;
	const char *text;
	unsigned int line, column;
	const char *message; /* a part of it */
} refused[] = {
	{ "empty", "", 1, 1, "cut off" },
	{ "something else", "\177ELF\n", 1, 1, "control byte" },
	{ "a spec", "version: 1\n", 1, 1, "not a bundle" },
	{ "a later version", "losslessd bundle 2\n", 1, 18, "version 1" },
	{ "a head in another order", "losslessd bundle 1\nkernel 6.12.1\n", 2, 1, "'node'" },
	{ "a node with a slash", "losslessd bundle 1\nnode a/b\n", 2, 6, "no slash" },
	{ "a reader that is none", "losslessd bundle 1\nnode a\nkernel 6\nreader me\n", 4, 8,
	  "root or user" },
	{ "no end", HEAD, 5, 1, "cut off" },
	{ "cut in a line", HEAD "link eth0 ind", 5, 11, "'index'" },
	{ "behind the end", HEAD "end\nend\n", 6, 1, "behind `end`" },
	{ "an empty line", HEAD "\nend\n", 5, 1, "a word" },
	{ "two blanks", HEAD "dir  /sys\nend\n", 5, 5, "a word" },
	{ "a blank at the end", HEAD "dir /sys \nend\n", 5, 10, "a word" },
	{ "a carriage return", HEAD "dir /sys\r\nend\n", 5, 9, "control byte" },
	{ "an escape in a file", HEAD "file /a\n \033[2J\nend\n", 6, 2, "control byte" },
	{ "an unknown word", HEAD "links eth0\nend\n", 5, 1, "begins with" },
	{ "text without a file", HEAD " 0x15b3\nend\n", 5, 1, "a word" },
	{ "a link without an index",
	  HEAD "link eth0 index 0 lower 0 master 0 mtu 0 min 0 max 0 "
	       "mac 02:00:00:00:00:01 up 1 carrier 1 kind -\nend\n",
	  5, 6, "at least 1" },
	{ "a number too large", HEAD "link eth0 index 2147483648\nend\n", 5, 17, "at most" },
	{ "a number beyond 64 bits", HEAD "link eth0 index 18446744073709551617\nend\n", 5, 17,
	  "decimal" },
	{ "a negative number", HEAD "link eth0 index -1\nend\n", 5, 17, "decimal" },
	{ "a leading zero", HEAD "link eth0 index 02\nend\n", 5, 17, "decimal" },
	{ "a name too long", HEAD "link abcdefghijklmnop index 2\nend\n", 5, 6, "at most 15" },
	{ "the same link twice", HEAD LINK LINK "end\n", 6, 6, "already" },
	{ "of no link", HEAD "pause eth0 autoneg 0 rx 0 tx 0\nend\n", 5, 7, "below the `link`" },
	{ "of another link", HEAD LINK "pause eth1 autoneg 0 rx 0 tx 0\nend\n", 6, 7,
	  "below the `link`" },
	{ "twice of a link", HEAD LINK "stall eth0 ms 1\nstall eth0 ms 1\nend\n", 7, 1, "twice" },
	{ "a flag of 2", HEAD LINK "pause eth0 autoneg 2 rx 0 tx 0\nend\n", 6, 20, "at most 1" },
	{ "a word too many", HEAD LINK "pause eth0 autoneg 0 rx 0 tx 0 x\nend\n", 6, 32,
	  "nothing is expected" },
	{ "hexadecimal without 0x", HEAD LINK "dcbx eth0 mode 12\nend\n", 6, 16, "hexadecimal" },
	{ "seven classes", HEAD LINK "maxrate eth0 kbit 0 0 0 0 0 0 0\nend\n", 6, 32, "missing" },
	{ "an entry that is missing", HEAD LINK APPS "end\n", 7, 1, "announced" },
	{ "an entry too many", HEAD LINK "app eth0 selector 5 protocol 26 priority 3\nend\n", 6, 1,
	  "announced" },
	{ "entries without end", HEAD LINK "apps eth0 entries 1025\nend\n", 6, 19, "at most" },
	{ "priority 8", HEAD LINK APPS "app eth0 selector 5 protocol 26 priority 8\nend\n", 7, 42,
	  "at most 7" },
	{ "a MAC in capitals",
	  HEAD "link eth0 index 2 lower 0 master 0 mtu 0 min 0 max 0 mac "
	       "02:00:00:00:00:AB up 1 carrier 1 kind -\nend\n",
	  5, 58, "a MAC" },
	{ "a relative path", HEAD "dir sys\nend\n", 5, 5, "absolute" },
	{ "a path upwards", HEAD "dir /sys/../etc\nend\n", 5, 5, "absolute" },
	{ "an empty name", HEAD "dir /sys//net\nend\n", 5, 5, "absolute" },
	{ "the root", HEAD "dir /\nend\n", 5, 5, "absolute" },
	{ "an errno that is none", HEAD "unreadable /a EWHAT\nend\n", 5, 15, "errno" },
	{ "a file twice", HEAD "file /a\n 1\nfile /a\n 2\nend\n", 7, 1, "already" },
	{ "a file that is a folder", HEAD "file /a/b\nfile /a\nend\n", 6, 1, "already" },
	{ "below a file", HEAD "file /a\nfile /a/b\nend\n", 6, 1, "below a file" },
	{ "a link to itself", HEAD "symlink /a a\nend\n", 5, 1, "target" },
	{ "a link behind its folder", HEAD "file /a/b\nsymlink /a c\nend\n", 6, 1, "already" },
	{ "a link in a circle", HEAD "symlink /a b/c\nsymlink /b/c ../a\nend\n", 6, 1, "" },
};

static int wake(const char *text, size_t size, struct diags *diags, struct os **ret)
{
	_cleanup_(bundle_done) struct bundle bundle = {};
	int r;

	r = bundle_parse(text, size, &bundle, diags);
	return r < 0 ? r : os_fake_load(&bundle, diags, ret);
}

static void test_refused(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(refused); i++) {
		_cleanup_(diags_done) struct diags diags = {};
		struct os *os = NULL;

		case_equal(refused[i].name,
			   wake(refused[i].text, strlen(refused[i].text), &diags, &os), -EINVAL);
		case_true(refused[i].name, !os);
		case_equal(refused[i].name, diags.n, 1);
		case_equal(refused[i].name, diags.list[0].where.line, refused[i].line);
		case_equal(refused[i].name, diags.list[0].where.column, refused[i].column);
		case_true(refused[i].name, strstr(diags.list[0].message, refused[i].message));
	}
}

/* Every beginning of a bundle, and every byte of it turned, is decided without harm. */
static void test_damaged(void **state)
{
	static const char text[] = HEAD LINK APPS
		"app eth0 selector 5 protocol 26 priority 3\n"
		"symlink /sys/class/net/eth0 ../../devices/virtual/net/eth0\n"
		"file /sys/class/net/eth0/ifindex\n 2\nend\n";
	char copy[sizeof(text)];
	size_t taken = 0;

	for (size_t i = 0; i < sizeof(text) - 1; i++) {
		for (int turned = 0; turned < 2; turned++) {
			_cleanup_(diags_done) struct diags diags = {};
			_cleanup_(os_freep) struct os *os = NULL;

			memcpy(copy, text, sizeof(text));
			copy[i] ^= turned ? 1 : 0;
			taken += wake(copy, turned ? sizeof(text) - 1 : i, &diags, &os) == 0;
		}
	}
	assert_true(taken > 0 && taken < sizeof(text));
}

/* Many links through folders with many names: refused in the end, not followed for ever. */
static void test_tangled(void **state)
{
	enum { FOLDERS = 300, LINKS = 4000 };
	_cleanup_(diags_done) struct diags diags = {};
	_cleanup_free_ char *text = NULL;
	struct os *os = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	fputs(HEAD, out);
	for (int i = 0; i < FOLDERS; i++)
		fprintf(out, "dir /d/%d\n", i);
	fputs("symlink /l0 d\n", out);
	for (int i = 1; i < LINKS; i++) {
		fprintf(out, "symlink /l%d ", i);
		for (int k = 0; k < 20; k++)
			fprintf(out, "l%d/../", i - 1);
		fputs("d\n", out);
	}
	fputs("end\n", out);
	assert_int_equal(fclose(out), 0);
	assert_int_equal(wake(text, size, &diags, &os), -EINVAL);
	assert_null(os);
}

static char *record(struct os *os)
{
	_cleanup_(bundle_done) struct bundle bundle = {};
	char *text = NULL;
	size_t size;
	FILE *out;

	assert_int_equal(record_take(os, &bundle), 0);
	out = open_memstream(&text, &size);
	bundle_write(&bundle, out);
	assert_int_equal(fclose(out), 0);
	return text;
}

/* The demo's node, half configured: what comes to life is the same node. */
static void test_simulated_node(void **state)
{
	static const char tclass[] = "/sys/class/infiniband/mlx5_0/tc/1/traffic_class";
	static const char hole[] = "/sys/class/infiniband/mlx5_0/ports/1/gids/1";
	static const char zeros[] = "0000:0000:0000:0000:0000:0000:0000:0000\n";
	_cleanup_(os_freep) struct os *os = NULL, *again = NULL;
	_cleanup_free_ char *first = NULL, *second = NULL;
	_cleanup_(diags_done) struct diags diags = {};
	char text[64];

	assert_int_equal(os_fake_new(NULL, 0, &os), 0);
	assert_int_equal(os_fake_poke_pfc(os, "ens1f0np0", 0x08), 0);
	assert_int_equal(os_fake_poke_app(os, "ens1f0np0", 26, 3), 0);
	assert_int_equal(os_fake_poke_file(os, tclass, "106\n"), 0);
	assert_int_equal(os_fake_poke_file(os, hole, zeros), 0);
	assert_int_equal(os_fake_poke_file(os, "/proc/812/comm", "lldpad\n"), 0);
	assert_int_equal(os_fake_poke_file(os, "/proc/813/comm", "a-secret\n"), 0);
	assert_int_equal(os->ops->make_dir(os, "/sys/kernel/config/rdma_cm/mlx5_1"), 0);
	first = record(os);
	/* A hole in the GID table stays, what is behind the last GID does not */
	assert_non_null(strstr(first, "/mlx5_0/ports/1/gids/1\n 0000:0000:"));
	assert_null(strstr(first, "/gids/4\n"));
	assert_null(strstr(first, "a-secret"));
	assert_non_null(strstr(first, "file /proc/812/comm\n lldpad\n"));
	assert_int_equal(wake(first, strlen(first), &diags, &again), 0);
	second = record(again);
	assert_string_equal(first, second);

	/* It behaves, too */
	assert_int_equal(os_write_text(again, tclass, "-1"), 0);
	assert_int_equal(os_read_text(again, tclass, text, sizeof(text)), 0);
	assert_int_equal(os_write_text(again, tclass, "300"), -EINVAL);
	assert_int_equal(again->ops->make_dir(again, "/sys/kernel/config/rdma_cm/mlx5_0"), 0);
	assert_int_equal(again->ops->make_dir(again, "/sys/kernel/config/rdma_cm/mlx5_9"), -ENODEV);
}

/* What could not be read stays unreadable, and what is below it as well. */
static void test_unreadable(void **state)
{
	static const char text[] = HEAD "unreadable /sys/kernel/debug/mlx5 EACCES\n"
					"file /sys/a\nend\n";
	_cleanup_(diags_done) struct diags diags = {};
	_cleanup_(os_freep) struct os *os = NULL;
	_cleanup_free_ char *again = NULL;
	char word[16];

	assert_int_equal(wake(text, strlen(text), &diags, &os), 0);
	assert_int_equal(os_read_text(os, "/sys/kernel/debug/mlx5", word, sizeof(word)), -EACCES);
	assert_int_equal(os_read_text(os, "/sys/kernel/debug/mlx5/x/y", word, sizeof(word)),
			 -EACCES);
	assert_int_equal(os_read_text(os, "/sys/kernel/debug/mlx4/x", word, sizeof(word)), -ENOENT);
	assert_int_equal(os_read_text(os, "/sys/a", word, sizeof(word)), 0);
	assert_int_equal(os_write_text(os, "/sys/a", "1"), -EACCES);
	/* An unreadable folder is looked for again; a file that nobody collects is not */
	again = record(os);
	assert_string_equal(again, HEAD "unreadable /sys/kernel/debug/mlx5 EACCES\nend\n");
}

/* What a device lacks it has not got in the bundle; what it refused it refuses again. */
static void test_errors_of_devices(void **state)
{
	static const char text[] = HEAD LINK "dcb-error eth0 errno EIO\n"
					     "pause-error eth0 errno ENODATA\nend\n";
	_cleanup_(diags_done) struct diags diags = {};
	_cleanup_(os_freep) struct os *os = NULL;
	struct os_pause pause;
	struct os_dcb dcb;

	assert_int_equal(wake(text, strlen(text), &diags, &os), 0);
	assert_int_equal(os_dcb_get(os, "eth0", &dcb), -EIO);
	assert_int_equal(os_pause_get(os, 2, &pause), -ENODATA);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_refused),	   cmocka_unit_test(test_damaged),
		cmocka_unit_test(test_tangled),	   cmocka_unit_test(test_simulated_node),
		cmocka_unit_test(test_unreadable), cmocka_unit_test(test_errors_of_devices),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
