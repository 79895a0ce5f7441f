// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * losslessd-switch: the one process that will speak to switches, without any capability. It holds
 * no state; started on demand by systemd, it ends when nobody needs it. This version has the jobs
 * around the work and not the work.
 */
#include <cap-ng.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "daemon/listen.h"
#include "daemon/switch-loop.h"

#define PROGRAM "losslessd-switch"

enum { IDLE_SECONDS = 10 };

static const char usage[] =
	"usage: losslessd-switch [--socket PATH | --fd NUMBER]\n"
	"\n"
	"Does on switches what losslessd asks for; this version does not log in to\n"
	"switches and answers so. systemd starts it by losslessd-switch.socket; then it\n"
	"ends after 10 s without a request or a job.\n"
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
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
		return -errno;
	if (geteuid() != 0)
		return 0;
	capng_clear(CAPNG_SELECT_ALL);
	return capng_apply(CAPNG_SELECT_ALL) < 0 ? -EPERM : 0;
}

static int run(const struct listen_options *options)
{
	bool by_hand = options->socket || options->fd >= 0, connected;
	struct switch_loop loop = { .listener = -1, .idle_ms = -1, .runs = switch_runs };
	int fd, r;

	r = forbid_cores();
	if (r < 0)
		return listen_fail(PROGRAM, "forbidding core dumps", r);
	listen_allow(&loop.users, by_hand);
	r = listen_open(options, &fd, &connected);
	if (r == -ENOENT && !by_hand)
		return listen_wrong_usage(PROGRAM, "no socket given");
	if (r < 0)
		return listen_fail(PROGRAM, options->socket ?: "socket", r);
	if (connected)
		switch_loop_add(&loop, fd);
	else
		loop.listener = fd;
	r = drop_rights();
	if (r < 0)
		return listen_fail(PROGRAM, "giving up capabilities", r);
	if (options->idle_seconds >= 0)
		loop.idle_ms = options->idle_seconds * 1000;
	else if (!by_hand)
		loop.idle_ms = IDLE_SECONDS * 1000;
	r = switch_loop_run(&loop);
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
