// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * losslessd-nic: the one process that writes to NICs, as root with CAP_NET_ADMIN and nothing else.
 * It holds no file and no state; started on demand by systemd, it ends when nobody needs it.
 */
#include <cap-ng.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "daemon/listen.h"
#include "daemon/nic-loop.h"
#include "lib/base/cleanup.h"

#define PROGRAM "losslessd-nic"

static const char usage[] =
	"usage: losslessd-nic [--socket PATH | --fd NUMBER]\n"
	"\n"
	"Writes to the NICs of this node what losslessd asks for. systemd starts it by\n"
	"losslessd-nic.socket; then it ends after 10 s without a request.\n"
	"\n"
	"  --socket PATH  make this socket, which must not exist, and listen there\n"
	"  --fd NUMBER    listen at this socket, or serve this connection\n"
	"  --help         show this\n"
	"  --version      show the version\n";

static const char version[] = PROGRAM " " PROJECT_VERSION "\n";

static int drop_rights(void)
{
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 || prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) < 0)
		return -errno;
	if (geteuid() != 0)
		return 0;
	capng_clear(CAPNG_SELECT_ALL);
	if (capng_update(CAPNG_ADD, CAPNG_EFFECTIVE | CAPNG_PERMITTED | CAPNG_BOUNDING_SET,
			 CAP_NET_ADMIN) < 0 ||
	    capng_apply(CAPNG_SELECT_ALL) < 0)
		return -EPERM;
	return 0;
}

static int run(const struct listen_given *given)
{
	struct loop loop = {
		.listener = given->listener,
		.idle_ms = given->idle_ms,
		.users = given->users,
	};
	_cleanup_(os_freep) struct os *os = NULL;
	int r;

	r = os_linux_new(&os);
	if (r < 0)
		return r;
	loop.os = os;
	if (given->connection >= 0)
		loop_add(&loop, given->connection);
	return loop_run(&loop);
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
