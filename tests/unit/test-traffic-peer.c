// SPDX-License-Identifier: LGPL-2.1-or-later
/* What may stand behind the ssh of verify: nothing is believed of it, nor waited for too long. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/traffic-peer.h"
#include "lib/base/macro.h"
#include "tests/support/cases.h"

enum { PORT = 18516, ROOM = 2, HANGS_S = 100 };

/* The child of this process is not what is tested here. */
int traffic_listen(struct traffic_listener *listener)
{
	return -1;
}

static char folder[] = "/tmp/losslessd-peer.XXXXXX";

/* An ssh in front of all others that runs @script. */
static void make_ssh(const char *script)
{
	char path[64];
	FILE *file;

	(void)snprintf(path, sizeof(path), "%s/ssh", folder);
	file = fopen(path, "w");
	assert_non_null(file);
	assert_true(fprintf(file, "#!/bin/sh\n%s\n", script) > 0);
	assert_int_equal(fclose(file), 0);
	assert_int_equal(chmod(path, 0700), 0);
}

#define PLACE_0 "echo 'listening on ens1f0np0 (mlx5_0) 192.0.2.1 port 18516'; "
#define PLACE_1 "echo 'listening on ens1f1np1 (mlx5_1) 192.0.2.2 port 18516'; "
#define READY	"echo '" TRAFFIC_READY "'; "

static const struct {
	const char *name;
	const char *script;
	ssize_t n;
} cases[] = {
	{ "as losslessctl", PLACE_0 PLACE_1 READY "cat", 2 },
	{ "more than there is room for", PLACE_0 PLACE_1 PLACE_1 READY "cat", ROOM },
	{ "a login that talks",
	  "echo Welcome; printf '\\033[2J\\377\\n'; " PLACE_0 READY "cat", 1 },
	{ "no place at all", READY "cat", 0 },
	{ "ends at once", "exit 255", -EPIPE },
	{ "ends before it is ready", PLACE_0, -EPIPE },
	{ "the last line has no end", PLACE_0 "printf '" TRAFFIC_READY "'", -EPIPE },
	{ "lines without an end", "exec yes", -EMSGSIZE },
	{ "a line without an end", "exec tr '\\0' x < /dev/zero", -EMSGSIZE },
	{ "does not go", PLACE_0 READY "exec sleep 1000", 1 },
	{ "does not want to go", "trap '' TERM HUP INT PIPE; " PLACE_0 READY "exec sleep 1000", 1 },
};

static void test_peers(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct traffic_place places[ROOM];
		struct traffic_peer peer = {};

		make_ssh(cases[i].script);
		case_equal(cases[i].name, traffic_peer_ssh(&peer, "gpu-2", PORT), 0);
		case_equal(cases[i].name, traffic_peer_places(&peer, places, ROOM), cases[i].n);
		(void)alarm(HANGS_S);
		traffic_peer_done(&peer);
		(void)alarm(0);
		case_equal(cases[i].name, peer.pid, 0);
	}
}

static void test_no_host(void **state)
{
	static const char *const hosts[] = { "-oProxyCommand=x", "", "a b", "a;b", "$(a)" };
	struct traffic_peer peer = {};

	for (size_t i = 0; i < ARRAY_SIZE(hosts); i++)
		case_equal(hosts[i], traffic_peer_ssh(&peer, hosts[i], PORT), -EINVAL);
}

static int begin(void **state)
{
	char path[64];

	if (!mkdtemp(folder))
		return -1;
	(void)snprintf(path, sizeof(path), "%s:/usr/bin:/bin", folder);
	return setenv("PATH", path, 1);
}

static int end(void **state)
{
	char path[64];

	(void)snprintf(path, sizeof(path), "%s/ssh", folder);
	return remove(path) == 0 ? rmdir(folder) : -1;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_peers),
		cmocka_unit_test(test_no_host),
	};

	return cmocka_run_group_tests(tests, begin, end);
}
