// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Options, socket and users of losslessd-nic and losslessd-switch. Both are started by systemd on
 * demand, or by hand.
 */
#include "daemon/listen.h"

#include <errno.h>
#include <getopt.h>
#include <pwd.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <systemd/sd-daemon.h>
#include <unistd.h>

#include "lib/model/verdict.h"

#define DAEMON_USER "losslessd"

enum {
	IDLE_SECONDS = 10,
	IDLE_SECONDS_MAX = 86400,
	BACKLOG = 4,
	ONLY_OWNER = 0177, /* umask: the socket is 0600 */
};

struct listen_options {
	const char *socket;	/* NULL: not given */
	int fd;			/* -1: not given */
	int idle_seconds;	/* -1: not given */
};

static int fail(const char *program, const char *what, int r)
{
	(void)fprintf(stderr, SD_ERR "%s: %s: %s\n", program, what,
		      strerrordesc_np(-r) ?: "unknown error");
	return EXIT_FAILURE;
}

static int wrong_usage(const char *program, const char *what)
{
	(void)fprintf(stderr, SD_ERR "%s: %s; see %s --help\n", program, what, program);
	return STATUS_USAGE;
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

/*
 * Usage and version are shown on request. Returns 0; 1 when all is said, with the exit status in
 * @ret_status.
 */
static int parse(int argc, char **argv, const char *program, const char *usage, const char *version,
		 struct listen_options *ret, int *ret_status)
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

	opterr = 0;
	*ret = (struct listen_options){ .fd = -1, .idle_seconds = -1 };
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
	*ret_status = wrong_usage(program, "no such option, or no such value");
	return 1;
}

/* ---- the socket ---- */

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
static int adopt(int fd, int *ret_fd, bool *ret_connected)
{
	bool listens = sd_is_socket(fd, AF_UNIX, SOCK_SEQPACKET, 1) > 0;

	if (!listens && sd_is_socket(fd, AF_UNIX, SOCK_SEQPACKET, 0) <= 0)
		return -ENOTSOCK;
	*ret_fd = fd;
	*ret_connected = !listens;
	return 0;
}

/*
 * The socket of --socket, --fd or systemd, for SOCK_SEQPACKET; @ret_connected: it is a connection,
 * not a listener. Returns 0; -ENOENT if nobody gave us anything; another negative errno.
 */
static int open_socket(const struct listen_options *options, int *ret_fd, bool *ret_connected)
{
	int n;

	*ret_connected = false;
	if (options->socket)
		return listen_at(options->socket, ret_fd);
	if (options->fd >= 0)
		return adopt(options->fd, ret_fd, ret_connected);
	n = sd_listen_fds(1);
	if (n != 1)
		return n < 0 ? n : -ENOENT;
	return adopt(SD_LISTEN_FDS_START, ret_fd, ret_connected);
}

/* ---- who ---- */

void listen_allow(struct listen_users *users, bool by_hand)
{
	const struct passwd *daemon = getpwnam(DAEMON_USER);

	users->uid[users->n++] = 0;
	if (daemon)
		users->uid[users->n++] = daemon->pw_uid;
	if (by_hand)
		users->uid[users->n++] = geteuid();
}

bool listen_may_speak(const struct listen_users *users, const char *program, int fd)
{
	struct ucred who = {};
	socklen_t size = sizeof(who);

	if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &who, &size) < 0) {
		(void)fprintf(stderr, SD_ERR "%s: refused: nobody knows who it is\n", program);
		return false;
	}
	for (unsigned int i = 0; i < users->n; i++)
		if (users->uid[i] == who.uid)
			return true;
	(void)fprintf(stderr, SD_ERR "%s: refused: process %d of user %u\n", program, who.pid,
		      who.uid);
	return false;
}

static int serve(const struct listen_program *program, const struct listen_options *options)
{
	bool by_hand = options->socket || options->fd >= 0, connected = false;
	struct listen_given given = { .listener = -1, .connection = -1, .idle_ms = -1 };
	int fd = -1, r;

	listen_allow(&given.users, by_hand);
	r = open_socket(options, &fd, &connected);
	if (r == -ENOENT && !by_hand)
		return wrong_usage(program->name, "no socket given");
	if (r < 0)
		return fail(program->name, options->socket ?: "socket", r);
	if (connected)
		given.connection = fd;
	else
		given.listener = fd;
	r = program->drop_rights();
	if (r < 0)
		return fail(program->name, "giving up rights", r);
	if (options->idle_seconds >= 0)
		given.idle_ms = options->idle_seconds * 1000;
	else if (!by_hand)
		given.idle_ms = IDLE_SECONDS * 1000;
	r = program->run(&given);
	if (options->socket)
		(void)unlink(options->socket);
	return r < 0 ? fail(program->name, "serving", r) : EXIT_SUCCESS;
}

int listen_main(int argc, char **argv, const struct listen_program *program)
{
	struct listen_options options;
	int status;

	if (parse(argc, argv, program->name, program->usage, program->version, &options,
			 &status) > 0)
		return status;
	return serve(program, &options);
}
