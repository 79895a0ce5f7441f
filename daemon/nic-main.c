// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * losslessd-nic: the one process that writes to NICs, as root with CAP_NET_ADMIN and nothing else.
 * It holds no file and no state; started on demand by systemd, it ends when nobody needs it.
 */
#include <cap-ng.h>
#include <errno.h>
#include <getopt.h>
#include <pwd.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <systemd/sd-daemon.h>
#include <unistd.h>

#include "daemon/nic-loop.h"
#include "lib/base/cleanup.h"

#define DAEMON_USER "losslessd"

enum {
	EXIT_USAGE = 64,
	IDLE_SECONDS = 10,
	IDLE_SECONDS_MAX = 86400,
	BACKLOG = 4,
	ONLY_OWNER = 0177, /* umask: the socket is 0600 */
};

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

static const char version[] = "losslessd-nic " PROJECT_VERSION "\n";

struct options {
	const char *socket;
	int fd;			/* -1: not given */
	int idle_seconds;	/* -1: not given */
};

static int fail(const char *what, int r)
{
	(void)fprintf(stderr, SD_ERR "losslessd-nic: %s: %s\n", what,
		      strerrordesc_np(-r) ?: "unknown error");
	return EXIT_FAILURE;
}

static int wrong_usage(const char *what)
{
	(void)fprintf(stderr, SD_ERR "losslessd-nic: %s; see losslessd-nic --help\n", what);
	return EXIT_USAGE;
}

/* ---- options ---- */

static int parse_number(const char *text, int max, int *ret)
{
	char *end;
	long number;

	if (*text < '0' || *text > '9')
		return -EINVAL;
	errno = 0;
	number = strtol(text, &end, 10);
	if (errno || *end || number > max)
		return -EINVAL;
	*ret = (int)number;
	return 0;
}

static int show(const char *text)
{
	return fputs(text, stdout) < 0 || fflush(stdout) != 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}

/* Returns 0, or 1 with the exit status in @ret_status. */
static int parse_options(int argc, char **argv, struct options *ret, int *ret_status)
{
	static const struct option options[] = {
		{ "socket", required_argument, NULL, 's' },
		{ "fd", required_argument, NULL, 'f' },
		{ "idle-exit", required_argument, NULL, 'i' }, /* for tests: seconds */
		{ "help", no_argument, NULL, 'h' },
		{ "version", no_argument, NULL, 'v' },
		{},
	};
	int c;

	*ret = (struct options){ .fd = -1, .idle_seconds = -1 };
	while ((c = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (c == 'h' || c == 'v') {
			*ret_status = show(c == 'h' ? usage : version);
			return 1;
		}
		if (c == 's')
			ret->socket = optarg;
		if (c == '?' || (c == 'f' && parse_number(optarg, INT16_MAX, &ret->fd) < 0) ||
		    (c == 'i' && parse_number(optarg, IDLE_SECONDS_MAX, &ret->idle_seconds) < 0))
			break;
	}
	if (c == -1 && optind == argc && !(ret->socket && ret->fd >= 0))
		return 0;
	*ret_status = wrong_usage("no such option, or no such value");
	return 1;
}

/* ---- sockets ---- */

static int bind_and_listen(int fd, const struct sockaddr_un *address)
{
	mode_t mask = umask(ONLY_OWNER);
	int r;

	r = bind(fd, (const struct sockaddr *)address, sizeof(*address)) < 0 ? -errno : 0;
	(void)umask(mask);
	if (r < 0)
		return r;
	return listen(fd, BACKLOG) < 0 ? -errno : 0;
}

static int listen_at(const char *path, int *ret)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd, r;

	if (!*path || strlen(path) >= sizeof(address.sun_path))
		return -EINVAL;
	memcpy(address.sun_path, path, strlen(path));
	fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd < 0)
		return -errno;
	r = bind_and_listen(fd, &address);
	if (r < 0)
		(void)close(fd);
	else
		*ret = fd;
	return r;
}

/* A listening socket or a connection, which is what tests give us. */
static int adopt(struct loop *loop, int fd)
{
	if (sd_is_socket(fd, AF_UNIX, SOCK_SEQPACKET, 1) > 0)
		loop->listener = fd;
	else if (sd_is_socket(fd, AF_UNIX, SOCK_SEQPACKET, 0) > 0)
		loop_add(loop, fd);
	else
		return -ENOTSOCK;
	return 0;
}

/* Returns 0; -ENOENT if nobody gave us anything. */
static int open_sockets(struct loop *loop, const struct options *options)
{
	int n;

	if (options->socket)
		return listen_at(options->socket, &loop->listener);
	if (options->fd >= 0)
		return adopt(loop, options->fd);
	n = sd_listen_fds(1);
	if (n != 1)
		return n < 0 ? n : -ENOENT;
	return adopt(loop, SD_LISTEN_FDS_START);
}

/* Who may speak: root, the daemon, and whoever started us by hand. */
static void allow(struct loop *loop, bool by_hand)
{
	const struct passwd *daemon = getpwnam(DAEMON_USER);

	loop->uids[loop->n_uids++] = 0;
	if (daemon)
		loop->uids[loop->n_uids++] = daemon->pw_uid;
	if (by_hand)
		loop->uids[loop->n_uids++] = geteuid();
}

/* ---- rights ---- */

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

static int run(const struct options *options)
{
	bool by_hand = options->socket || options->fd >= 0;
	_cleanup_(os_freep) struct os *os = NULL;
	struct loop loop = { .listener = -1, .idle_ms = -1 };
	int r;

	r = os_linux_new(&os);
	if (r < 0)
		return fail("start", r);
	loop.os = os;
	allow(&loop, by_hand);
	r = open_sockets(&loop, options);
	if (r == -ENOENT && !by_hand)
		return wrong_usage("no socket given");
	if (r < 0)
		return fail(options->socket ?: "socket", r);
	r = drop_rights();
	if (r < 0)
		return fail("giving up capabilities", r);
	if (options->idle_seconds >= 0)
		loop.idle_ms = options->idle_seconds * 1000;
	else if (!by_hand)
		loop.idle_ms = IDLE_SECONDS * 1000;
	r = loop_run(&loop);
	if (options->socket)
		(void)unlink(options->socket);
	return r < 0 ? fail("poll", r) : EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
	struct options options;
	int status;

	opterr = 0;
	if (parse_options(argc, argv, &options, &status) > 0)
		return status;
	return run(&options);
}
