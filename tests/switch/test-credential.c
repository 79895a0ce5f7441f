// SPDX-License-Identifier: LGPL-2.1-or-later
/* Credentials: whose file is taken, what of it, and that no complaint has the content. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/base/macro.h"
#include "lib/switch/credential.h"
#include "tests/support/cases.h"

enum { WHY_MAX = 512 };

#define CONTENT "correct-horse-7"

static char folder[] = "/tmp/test-credential.XXXXXX";

static void path_of(const char *name, char ret[256])
{
	(void)snprintf(ret, 256, "%s/%s", folder, name);
}

static void file_make(const char *name, const char *text, size_t size, mode_t mode)
{
	char path[256];
	int fd;

	path_of(name, path);
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, size), size);
	assert_int_equal(fchmod(fd, mode), 0);
	assert_int_equal(close(fd), 0);
}

static const struct {
	const char *name; /* of the file too */
	const char *text;
	size_t size; /* 0: of the text */
	mode_t mode;
	int result;
	const char *is; /* the secret, or what stands in the complaint */
} cases[] = {
	{ "plain", CONTENT, 0, 0600, 0, CONTENT },
	{ "line", CONTENT "\n", 0, 0400, 0, CONTENT },
	{ "dos-line", CONTENT "\r\n", 0, 0600, 0, CONTENT },
	{ "two-lines", CONTENT "\n\n", 0, 0600, 0, CONTENT "\n" },
	{ "blanks", " " CONTENT " \n", 0, 0600, 0, " " CONTENT " " },
	{ "for-a-group", CONTENT, 0, 0640, 0, CONTENT },
	{ "for-everybody", CONTENT, 0, 0644, -EPERM, "can be read by everybody" },
	{ "for-others", CONTENT, 0, 0604, -EPERM, "can be read by everybody" },
	{ "group-writes", CONTENT, 0, 0660, -EPERM, "can be written by a group" },
	{ "empty", "", 0, 0600, -EINVAL, "is empty" },
	{ "only-a-line-end", "\n", 0, 0600, -EINVAL, "is empty" },
	{ "zero", CONTENT "\0" CONTENT, sizeof(CONTENT) + 3, 0600, -EINVAL, "has a zero byte" },
};

static void check(const char *name, int r, int result, const char *is,
		  const struct credential *credential, const char *why)
{
	case_equal(name, r, result);
	if (result == 0) {
		case_string(name, credential->text, is);
		case_equal(name, credential->size, strlen(is));
		return;
	}
	if (!strstr(why, is))
		fail_msg("%s: it says \"%s\", want \"%s\"", name, why, is);
	case_true(name, !strstr(why, CONTENT));
	case_true(name, !strchr(why, '\n'));
	case_true(name, !credential->text);
}

static void read_and_check(const char *from, const char *name, int result, const char *is)
{
	struct credential credential = {};
	char why[WHY_MAX] = "";
	int r = credential_read(from, name, &credential, why, sizeof(why));

	check(name, r, result, is, &credential, why);
	credential_done(&credential);
	assert_null(credential.text);
}

static void test_files(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		size_t size = cases[i].size ? cases[i].size : strlen(cases[i].text);

		file_make(cases[i].name, cases[i].text, size, cases[i].mode);
		read_and_check(folder, cases[i].name, cases[i].result, cases[i].is);
	}
}

static void test_size(void **state)
{
	static char text[CREDENTIAL_MAX + 1];
	struct credential credential = {};
	char why[WHY_MAX];

	memset(text, 'x', sizeof(text));
	file_make("largest", text, CREDENTIAL_MAX, 0600);
	assert_int_equal(credential_read(folder, "largest", &credential, why, sizeof(why)), 0);
	assert_int_equal(credential.size, CREDENTIAL_MAX);
	credential_done(&credential);
	file_make("larger", text, CREDENTIAL_MAX + 1, 0600);
	read_and_check(folder, "larger", -EFBIG, "is too long");
}

static void test_no_files(void **state)
{
	char path[256], target[256];

	read_and_check(folder, "missing", -ENOENT, "is not there");
	read_and_check("/nonexistent", "plain", -ENOENT, "is not there");
	read_and_check("relative", "plain", -ENOENT, "no folder of credentials");
	file_make("target", CONTENT, strlen(CONTENT), 0600);
	path_of("link", path);
	path_of("target", target);
	assert_int_equal(symlink(target, path), 0);
	read_and_check(folder, "link", -ELOOP, "is a symbolic link");
	path_of("folder", path);
	assert_int_equal(mkdir(path, 0700), 0);
	read_and_check(folder, "folder", -EINVAL, "is no regular file");
	path_of("pipe", path);
	assert_int_equal(mkfifo(path, 0600), 0);
	read_and_check(folder, "pipe", -EINVAL, "is no regular file");
}

static void test_names(void **state)
{
	static const char *const names[] = { "",    ".",	   "..",  ".hidden", "../plain",
					     "a/b", "/etc/passwd", "a b", "a\nb",    "\xc3\xa4" };
	char long_name[CREDENTIAL_NAME_MAX + 2];

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		read_and_check(folder, names[i], -EINVAL, "the name of a credential has letters");
	memset(long_name, 'x', sizeof(long_name) - 1);
	long_name[sizeof(long_name) - 1] = '\0';
	read_and_check(folder, long_name, -EINVAL, "the name of a credential has letters");
}

static void test_owner(void **state)
{
	char path[256];

	if (geteuid() != 0)
		return; /* nobody else can make a file of another user */
	file_make("foreign", CONTENT, strlen(CONTENT), 0600);
	path_of("foreign", path);
	assert_int_equal(chown(path, 65534, 65534), 0);
	read_and_check(folder, "foreign", -EPERM, "belongs to another user");
}

/* There it is systemd that decides who may read. */
static void test_systemd(void **state)
{
	assert_int_equal(unsetenv("CREDENTIALS_DIRECTORY"), 0);
	read_and_check(NULL, "sw-lab-1", -ENOENT, "no folder of credentials");
	assert_int_equal(setenv("CREDENTIALS_DIRECTORY", folder, 1), 0);
	file_make("switch_sw-lab-1", CONTENT "\n", strlen(CONTENT) + 1, 0444);
	read_and_check(NULL, "sw-lab-1", 0, CONTENT);
	file_make("other", CONTENT, strlen(CONTENT), 0444);
	read_and_check(NULL, "other", -ENOENT, "switch_other is not there");
}

static int begin(void **state)
{
	return mkdtemp(folder) ? 0 : -1;
}

static int end(void **state)
{
	char command[256];

	(void)snprintf(command, sizeof(command), "rm -rf '%s'", folder);
	return system(command) == 0 ? 0 : -1;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_files),	 cmocka_unit_test(test_size),
		cmocka_unit_test(test_no_files), cmocka_unit_test(test_names),
		cmocka_unit_test(test_owner),	 cmocka_unit_test(test_systemd),
	};

	return cmocka_run_group_tests(tests, begin, end);
}
