// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Known hosts: lines as sshd(8) describes them. Keys, fingerprints and hashed names are what
 * ssh-keygen of OpenSSH 9.2 made of them.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/base/cleanup.h"
#include "lib/base/macro.h"
#include "lib/switch/algorithms.h"
#include "lib/switch/known-hosts.h"
#include "tests/support/cases.h"

#define A	"AAAAC3NzaC1lZDI1NTE5AAAAIM8iDWQ02zDZCNx/RnsPh6f4YGDlYHu0ub6bCZDIqgW1"
#define A_PRINT "SHA256:gb3PA4gMYMXS8T2m5TgXdeMG54jDEw3T0TnVtLEWYJg"
#define B	"AAAAC3NzaC1lZDI1NTE5AAAAIDSkQkVz2t32DQ+mCImKnprrN/31DmC9tLOEAHTy/5Jz"
#define B_PRINT "SHA256:FJuU6iG+NX5kE+U6CIlvVzAAvnRWbhNSufaLSih+Ujs"
#define E                                                                              \
	"AAAAE2VjZHNhLXNoYTItbmlzdHAyNTYAAAAIbmlzdHAyNTYAAABBBDsW4tcHv8Byawyapo4ybBfD" \
	"lUODuds2kj9mXhV4GEs7hLtiySMQd2rQnTYwgidKqWstcJGr42KdCTDdzMloDPQ="
#define E_PRINT "SHA256:9A9ZsJqwvNj79d4RMDs//rg+7GRFJcEPKmyg3H2QmuU"
/* sw-lab-1 */
#define HASHED "|1|qwQ4puDy459h6R8U0LC0dsijfiA=|8D0NmUvf/9qhxkmrOasJJf6U91c="

#define ED "ssh-ed25519"
#define EC "ecdsa-sha2-nistp256"

static const struct {
	const char *name;
	const char *text;
	const char *host;
	enum known known; /* of A */
	const char *old;
} finds[] = {
	{ "nothing", "", "sw-lab-1", KNOWN_NOT, "" },
	{ "the key", "sw-lab-1 " ED " " A "\n", "sw-lab-1", KNOWN_SAME, "" },
	{ "with a comment", "sw-lab-1 " ED " " A " lab\n", "sw-lab-1", KNOWN_SAME, "" },
	{ "without a line end", "sw-lab-1 " ED " " A, "sw-lab-1", KNOWN_SAME, "" },
	{ "tabs and a carriage return", "\tsw-lab-1\t" ED "\t" A "\r\n", "sw-lab-1", KNOWN_SAME,
	  "" },
	{ "another key", "sw-lab-1 " ED " " B "\n", "sw-lab-1", KNOWN_OTHER, B_PRINT },
	{ "another type", "sw-lab-1 " EC " " E "\n", "sw-lab-1", KNOWN_OTHER, E_PRINT },
	{ "the key of another type", "sw-lab-1 " EC " " A "\n", "sw-lab-1", KNOWN_OTHER, A_PRINT },
	{ "one of several", "sw-lab-1 " EC " " E "\nsw-lab-1 " ED " " A "\n", "sw-lab-1",
	  KNOWN_SAME, NULL },
	{ "several others", "sw-lab-1 " EC " " E "\nsw-lab-1 " ED " " B "\n", "sw-lab-1",
	  KNOWN_OTHER, B_PRINT },
	{ "the key of another host", "sw-lab-2 " ED " " A "\n", "sw-lab-1", KNOWN_NOT, "" },
	{ "a name that begins so", "sw-lab-10 " ED " " A "\n", "sw-lab-1", KNOWN_NOT, "" },
	{ "a list", "x,sw-lab-1,192.0.2.1 " ED " " A "\n", "sw-lab-1", KNOWN_SAME, "" },
	{ "capitals", "SW-Lab-1 " ED " " A "\n", "sw-lab-1", KNOWN_SAME, "" },
	{ "a pattern", "sw-lab-? " ED " " A "\n", "sw-lab-1", KNOWN_SAME, "" },
	{ "a pattern with an exception", "sw-*,!sw-lab-1 " ED " " A "\n", "sw-lab-1", KNOWN_NOT,
	  "" },
	{ "a port", "[sw-lab-1]:2222 " ED " " A "\n", "[sw-lab-1]:2222", KNOWN_SAME, "" },
	{ "brackets are no set", "[sw-lab-1]:2222 " ED " " A "\n", "s:2222", KNOWN_NOT, "" },
	{ "another port", "[sw-lab-1]:2222 " ED " " A "\n", "[sw-lab-1]:2223", KNOWN_NOT, "" },
	{ "a port is no name", "sw-lab-1 " ED " " A "\n", "[sw-lab-1]:2222", KNOWN_NOT, "" },
	{ "an address", "2001:db8::1 " ED " " A "\n", "2001:db8::1", KNOWN_SAME, "" },
	{ "hashed", HASHED " " ED " " A "\n", "sw-lab-1", KNOWN_SAME, "" },
	{ "hashed, another", HASHED " " ED " " A "\n", "sw-lab-2", KNOWN_NOT, "" },
	{ "a hash that is none", "|1|xxxx|yyyy " ED " " A "\n", "sw-lab-1", KNOWN_NOT, "" },
	{ "half a hash", "|1| " ED " " A "\n", "sw-lab-1", KNOWN_NOT, "" },
	{ "a comment", "# sw-lab-1 " ED " " A "\n", "sw-lab-1", KNOWN_NOT, "" },
	{ "revoked", "sw-lab-1 " ED " " A "\n@revoked * " ED " " A "\n", "sw-lab-1", KNOWN_REVOKED,
	  "" },
	{ "another one is revoked", "sw-lab-1 " ED " " A "\n@revoked * " ED " " B "\n", "sw-lab-1",
	  KNOWN_SAME, "" },
	{ "an authority is no key", "@cert-authority sw-lab-1 " ED " " A "\n", "sw-lab-1",
	  KNOWN_NOT, "" },
	{ "half a line", "sw-lab-1 " ED "\n", "sw-lab-1", KNOWN_NOT, "" },
};

static void test_find(void **state)
{
	const struct host_key key = { .type = ED, .base64 = (char *)A };

	for (size_t i = 0; i < ARRAY_SIZE(finds); i++) {
		char old[FINGERPRINT_MAX] = "";

		case_equal(finds[i].name, known_hosts_find(finds[i].text, finds[i].host, &key, old),
			   finds[i].known);
		if (finds[i].old)
			case_string(finds[i].name, old, finds[i].old);
	}
}

static void test_fingerprint(void **state)
{
	char print[FINGERPRINT_MAX];

	assert_true(host_key_fingerprint(A, print));
	assert_string_equal(print, A_PRINT);
	assert_true(host_key_fingerprint(E, print));
	assert_string_equal(print, E_PRINT);
	assert_false(host_key_fingerprint("no base64", print));
	assert_false(host_key_fingerprint("", print));
}

static void test_names(void **state)
{
	char name[KNOWN_NAME_MAX];

	known_hosts_name("SW-Lab-1", 22, name);
	assert_string_equal(name, "sw-lab-1");
	known_hosts_name("2001:DB8::1", 2222, name);
	assert_string_equal(name, "[2001:db8::1]:2222");
}

static void test_types(void **state)
{
	const char *text = "sw-lab-1 " EC " " E "\nx " ED " " B "\nsw-lab-1 " ED " " A "\n";
	char type[KNOWN_TYPE_MAX];

	assert_true(known_hosts_type(text, "sw-lab-1", 0, type));
	assert_string_equal(type, EC);
	assert_true(known_hosts_type(text, "sw-lab-1", 1, type));
	assert_string_equal(type, ED);
	assert_false(known_hosts_type(text, "sw-lab-1", 2, type));
}

/* ---- the file ---- */

static char folder[] = "/tmp/test-known-hosts.XXXXXX", path[64];

static void file_write(const char *text)
{
	_cleanup_fclose_ FILE *file = fopen(path, "we");

	assert_non_null(file);
	assert_true(fputs(text, file) >= 0);
}

static void assert_file(const char *name, const char *want)
{
	_cleanup_free_ char *text = NULL;

	case_equal(name, known_hosts_load(path, &text), 0);
	case_string(name, text, want);
}

static const struct {
	const char *name;
	const char *before;
	bool replace;
	const char *after;
} adds[] = {
	{ "to nothing", "", false, "sw-lab-1,192.0.2.1 " ED " " A "\n" },
	{ "behind others", "# lab\nx " ED " " B "\n", false,
	  "# lab\nx " ED " " B "\nsw-lab-1,192.0.2.1 " ED " " A "\n" },
	{ "behind a line without an end", "x " ED " " B, false,
	  "x " ED " " B "\nsw-lab-1,192.0.2.1 " ED " " A "\n" },
	{ "one more", "sw-lab-1 " EC " " E "\n", false,
	  "sw-lab-1 " EC " " E "\nsw-lab-1,192.0.2.1 " ED " " A "\n" },
	{ "instead of all others", "sw-lab-1 " EC " " E "\nsw-lab-1 " ED " " B "\nx " ED " " B "\n",
	  true, "x " ED " " B "\nsw-lab-1,192.0.2.1 " ED " " A "\n" },
	{ "out of a list", "x,SW-lab-1,y " ED " " B " lab\n", true,
	  "x,y " ED " " B "\nsw-lab-1,192.0.2.1 " ED " " A "\n" },
	{ "a hashed one", HASHED " " ED " " B "\n", true, "sw-lab-1,192.0.2.1 " ED " " A "\n" },
	{ "a pattern stays", "sw-* " ED " " B "\n", true,
	  "sw-* " ED " " B "\nsw-lab-1,192.0.2.1 " ED " " A "\n" },
	{ "what is revoked stays", "@revoked sw-lab-1 " ED " " B "\n", true,
	  "@revoked sw-lab-1 " ED " " B "\nsw-lab-1,192.0.2.1 " ED " " A "\n" },
};

static void test_add(void **state)
{
	static const char *const names[] = { "sw-lab-1", "192.0.2.1" };
	const struct host_key key = { .type = ED, .base64 = (char *)A };

	for (size_t i = 0; i < ARRAY_SIZE(adds); i++) {
		struct stat info;

		file_write(adds[i].before);
		case_equal(adds[i].name,
			   known_hosts_add(path, names, ARRAY_SIZE(names), &key, adds[i].replace),
			   0);
		assert_file(adds[i].name, adds[i].after);
		assert_int_equal(stat(path, &info), 0);
		case_equal(adds[i].name, info.st_mode & 07777, 0600);
	}
	assert_int_equal(unlink(path), 0);
	assert_file("no file", "");
	assert_int_equal(known_hosts_add(path, names, 1, &key, false), 0);
	assert_file("made", "sw-lab-1 " ED " " A "\n");
}

enum { WRITERS = 16 };

/* Jobs are processes: none takes away what another one has learned. */
static void test_at_once(void **state)
{
	_cleanup_free_ char *text = NULL;
	int status;

	file_write("");
	for (int i = 0; i < WRITERS; i++) {
		const struct host_key key = { .type = ED, .base64 = (char *)A };
		char name[32];
		const char *names[] = { name };

		(void)snprintf(name, sizeof(name), "sw-lab-%d", i);
		if (fork() == 0)
			_exit(known_hosts_add(path, names, 1, &key, false) == 0 ? 0 : 1);
	}
	while (wait(&status) > 0)
		assert_int_equal(status, 0);
	assert_int_equal(known_hosts_load(path, &text), 0);
	for (int i = 0; i < WRITERS; i++) {
		char line[32];

		(void)snprintf(line, sizeof(line), "sw-lab-%d " ED, i);
		assert_non_null(strstr(text, line));
	}
}

static void test_unreadable(void **state)
{
	char *text = NULL;

	assert_int_equal(known_hosts_load(folder, &text), -EINVAL);
	assert_null(text);
	assert_int_equal(known_hosts_load("/proc/self/mem/x", &text), -ENOTDIR);
}

/* ---- algorithms ---- */

static const char *const legacy[] = { "ssh-rsa",       "aes128-cbc",
				      "hmac-sha1",     "diffie-hellman-group14-sha1",
				      "hmac-sha2-256", NULL };

static void test_lists(void **state)
{
	static const char *const rsa[] = { "ssh-rsa", NULL };
	char list[ALGORITHMS_TEXT_MAX];

	assert_true(algorithms_list(ALGORITHM_MAC, NULL, NULL, list));
	assert_string_equal(list, "hmac-sha2-256-etm@openssh.com,hmac-sha2-512-etm@openssh.com,"
				  "hmac-sha2-256,hmac-sha2-512");
	assert_true(algorithms_list(ALGORITHM_MAC, legacy, NULL, list));
	assert_string_equal(list, "hmac-sha2-256-etm@openssh.com,hmac-sha2-512-etm@openssh.com,"
				  "hmac-sha2-256,hmac-sha2-512,hmac-sha1");
	assert_true(algorithms_list(ALGORITHM_HOSTKEY, NULL, rsa, list));
	assert_string_equal(list, "rsa-sha2-512,rsa-sha2-256,ssh-ed25519,ecdsa-sha2-nistp521,"
				  "ecdsa-sha2-nistp384,ecdsa-sha2-nistp256");
	assert_true(algorithms_list(ALGORITHM_HOSTKEY, legacy, rsa, list));
	assert_string_equal(list,
			    "rsa-sha2-512,rsa-sha2-256,ssh-rsa,ssh-ed25519,ecdsa-sha2-nistp521,"
			    "ecdsa-sha2-nistp384,ecdsa-sha2-nistp256");
}

static const struct {
	const char *name;
	enum algorithm kind;
} kinds[] = {
	{ "diffie-hellman-group1-sha1", ALGORITHM_KEX },
	{ "diffie-hellman-group-exchange-sha1", ALGORITHM_KEX },
	{ "ecdh-sha2-nistp256", ALGORITHM_KEX },
	{ "ssh-rsa", ALGORITHM_HOSTKEY },
	{ "ssh-dss", ALGORITHM_HOSTKEY },
	{ "3des-cbc", ALGORITHM_CIPHER },
	{ "aes256-cbc", ALGORITHM_CIPHER },
	{ "hmac-md5", ALGORITHM_MAC },
	{ "+ssh-rsa", ALGORITHM_MAX },
	{ "ssh-rsa,ssh-dss", ALGORITHM_MAX },
	{ "rot13", ALGORITHM_MAX },
	{ "", ALGORITHM_MAX },
};

static void test_kinds(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		case_equal(kinds[i].name, algorithm_kind(kinds[i].name), kinds[i].kind);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_find),	   cmocka_unit_test(test_fingerprint),
		cmocka_unit_test(test_names),	   cmocka_unit_test(test_types),
		cmocka_unit_test(test_add),	   cmocka_unit_test(test_at_once),
		cmocka_unit_test(test_unreadable), cmocka_unit_test(test_lists),
		cmocka_unit_test(test_kinds),
	};
	char command[128];
	int failed;

	if (!mkdtemp(folder))
		return 1;
	(void)snprintf(path, sizeof(path), "%s/known_hosts", folder);
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	(void)snprintf(command, sizeof(command), "rm -rf '%s'", folder);
	return system(command) == 0 ? failed : 1;
}
