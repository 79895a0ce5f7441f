// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * losslessd-switch: the one process that speaks to switches, without any capability. It holds no
 * state but the keys of hosts; started on demand by systemd, it ends when nobody needs it.
 */
#include <cap-ng.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "daemon/listen.h"
#include "daemon/switch-loop.h"
#include "lib/switch/ssh.h"

#define PROGRAM "losslessd-switch"

static const char usage[] =
	"usage: losslessd-switch [--socket PATH | --fd NUMBER]\n"
	"\n"
	"Does on switches what losslessd asks for, over SSH. systemd starts it by\n"
	"losslessd-switch.socket; then it ends after 10 s without a request or a job.\n"
	"\n"
	"  --socket PATH  make this socket, which must not exist, and listen there\n"
	"  --fd NUMBER    listen at this socket, or serve this connection\n"
	"  --help         show this\n"
	"  --version      show the version\n";

static const char version[] = PROGRAM " " PROJECT_VERSION "\n";

/* A core would have keys in it. */
static int forbid_cores(void)
{
	const struct rlimit none = {};

	if (setrlimit(RLIMIT_CORE, &none) < 0 || prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) < 0)
		return -errno;
	return 0;
}

static int drop_rights(void)
{
	int r;

	r = forbid_cores();
	if (r < 0)
		return r;
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
		return -errno;
	if (geteuid() != 0)
		return 0;
	capng_clear(CAPNG_SELECT_ALL);
	return capng_apply(CAPNG_SELECT_ALL) < 0 ? -EPERM : 0;
}

static int run(const struct listen_given *given)
{
	struct switch_loop loop = {
		.listener = given->listener,
		.idle_ms = given->idle_ms,
		.users = given->users,
		.runs = switch_runs,
	};

	ssh_warm_up();
	if (given->connection >= 0)
		switch_loop_add(&loop, given->connection);
	return switch_loop_run(&loop);
}

int main(int argc, char **argv)
{
	static const struct listen_program program = {
		.name = PROGRAM,
		.usage = usage,
		.version = version,
		.drop_rights = drop_rights,
		.run = run,
	};

	return listen_main(argc, argv, &program);
}
