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

enum { IDLE_SECONDS = 10 };

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

static int run(const struct listen_options *options)
{
	bool by_hand = options->socket || options->fd >= 0, connected;
	_cleanup_(os_freep) struct os *os = NULL;
	struct loop loop = { .listener = -1, .idle_ms = -1 };
	int fd, r;

	r = os_linux_new(&os);
	if (r < 0)
		return listen_fail(PROGRAM, "start", r);
	loop.os = os;
	listen_allow(&loop.users, by_hand);
	r = listen_open(options, &fd, &connected);
	if (r == -ENOENT && !by_hand)
		return listen_wrong_usage(PROGRAM, "no socket given");
	if (r < 0)
		return listen_fail(PROGRAM, options->socket ?: "socket", r);
	if (connected)
		loop_add(&loop, fd);
	else
		loop.listener = fd;
	r = drop_rights();
	if (r < 0)
		return listen_fail(PROGRAM, "giving up capabilities", r);
	if (options->idle_seconds >= 0)
		loop.idle_ms = options->idle_seconds * 1000;
	else if (!by_hand)
		loop.idle_ms = IDLE_SECONDS * 1000;
	r = loop_run(&loop);
	if (options->socket)
		(void)unlink(options->socket);
	return r < 0 ? listen_fail(PROGRAM, "poll", r) : EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
	struct listen_options options;
	int status;

	if (listen_parse(argc, argv, PROGRAM, usage, version, &options, &status) > 0)
		return status;
	return run(&options);
}
