// SPDX-License-Identifier: LGPL-2.1-or-later
/* Streams to switches: connect(2) that can be cancelled, and commands that stand in for it. */
#include "lib/switch/dial.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "lib/base/cleanup.h"
#include "lib/base/macro.h"

enum {
	SLICE_MS = 200, /* a signal between a look at the flag and poll(2) is seen so late */
	COMMAND_MAX = 4096,
};

int64_t dial_now_ms(void)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

int dial_poll(int fd, short events, const struct patience *patience)
{
	for (;;) {
		struct pollfd poll_fd = { .fd = fd, .events = events };
		int64_t left = patience->until_ms - dial_now_ms();
		int n;

		if (patience->cancelled && *patience->cancelled)
			return -ECANCELED;
		if (left <= 0)
			return -ETIMEDOUT;
		n = poll(&poll_fd, 1, (int)MIN(left, (int64_t)SLICE_MS));
		if (n > 0)
			return 0;
		if (n < 0 && errno != EINTR)
			return -errno;
	}
}

/* ---- TCP ---- */

static int finish(int fd, const struct patience *patience)
{
	socklen_t size = sizeof(int);
	int error = 0, r;

	r = dial_poll(fd, POLLOUT, patience);
	if (r < 0)
		return r;
	if (getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size) < 0)
		return -errno;
	return -error;
}

static int connect_one(const struct addrinfo *address, const struct patience *patience)
{
	_cleanup_close_ int fd = -1;
	const int on = 1;
	int r = 0, connected;

	fd = socket(address->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd < 0)
		return -errno;
	(void)setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
	(void)setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof(on));
	if (connect(fd, address->ai_addr, address->ai_addrlen) < 0)
		r = errno == EINPROGRESS ? finish(fd, patience) : -errno;
	if (r < 0)
		return r;
	connected = fd;
	fd = -1;
	return connected;
}

static int resolve_error(int error)
{
	switch (error) {
	case EAI_SYSTEM:
		return -errno;
	case EAI_MEMORY:
		return -ENOMEM;
	case EAI_AGAIN:
		return -EAGAIN;
	}
	return -ENOENT;
}

int dial_tcp(const char *host, unsigned int port, const struct patience *patience)
{
	const struct addrinfo hints = { .ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICSERV };
	struct addrinfo *addresses = NULL;
	char service[16];
	int r;

	(void)snprintf(service, sizeof(service), "%u", port);
	r = getaddrinfo(host, service, &hints, &addresses);
	if (r != 0)
		return resolve_error(r);
	r = -ENOENT;
	for (const struct addrinfo *address = addresses; address; address = address->ai_next) {
		r = connect_one(address, patience);
		if (r >= 0 || r == -ECANCELED)
			break;
	}
	freeaddrinfo(addresses);
	return r;
}

/* ---- commands ---- */

/* Nothing that a shell would see as more than a word, and no option. */
static bool is_word(const char *text)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				      "0123456789._:@%+-";

	return *text && *text != '-' && text[strspn(text, letters)] == '\0';
}

static int expand(const char *command, const char *host, unsigned int port, const char *user,
		  char ret[COMMAND_MAX])
{
	size_t n = 0;
	char digits[16];

	(void)snprintf(digits, sizeof(digits), "%u", port);
	n = (size_t)snprintf(ret, COMMAND_MAX, "exec ");
	for (; *command; command++) {
		char plain[2] = { *command };
		const char *piece = plain;

		if (*command == '%') {
			command++;
			piece = *command == 'h' ? host :
				*command == 'p' ? digits :
				*command == 'r' ? user :
				*command == '%' ? "%" :
						  NULL;
		}
		if (!piece || strlen(piece) >= COMMAND_MAX - n)
			return -EINVAL;
		memcpy(ret + n, piece, strlen(piece) + 1);
		n += strlen(piece);
	}
	return 0;
}

/* In the child: the command gets the stream, and where it may complain. */
static void run(const char *line, int fd)
{
	sigset_t none;

	(void)sigemptyset(&none);
	(void)sigprocmask(SIG_SETMASK, &none, NULL);
	(void)signal(SIGTERM, SIG_DFL);
	(void)signal(SIGPIPE, SIG_DFL);
	(void)setpgid(0, 0);
	if (dup2(fd, STDIN_FILENO) < 0 || dup2(fd, STDOUT_FILENO) < 0)
		_exit(126);
	(void)execl("/bin/sh", "sh", "-c", line, (char *)NULL);
	_exit(127);
}

int dial_command(const char *command, const char *host, unsigned int port, const char *user,
		 pid_t *ret_pid)
{
	_cleanup_close_ int ours = -1, theirs = -1;
	char line[COMMAND_MAX];
	int pair[2], fd, r;
	pid_t pid;

	if (!is_word(host) || !is_word(user))
		return -EINVAL;
	r = expand(command, host, port, user, line);
	if (r < 0)
		return r;
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) < 0)
		return -errno;
	ours = pair[0];
	theirs = pair[1];
	if (fcntl(ours, F_SETFL, O_NONBLOCK) < 0)
		return -errno;
	pid = fork();
	if (pid < 0)
		return -errno;
	if (pid == 0)
		run(line, theirs);
	*ret_pid = pid;
	fd = ours;
	ours = -1;
	return fd;
}

void dial_command_end(pid_t pid)
{
	if (pid <= 0)
		return;
	if (kill(-pid, SIGTERM) < 0)
		(void)kill(pid, SIGTERM);
	/* the stream is closed and it was told: what does not go then is killed */
	for (int i = 0; i < 10; i++) {
		if (waitpid(pid, NULL, WNOHANG) != 0)
			return;
		(void)poll(NULL, 0, SLICE_MS / 10);
	}
	if (kill(-pid, SIGKILL) < 0)
		(void)kill(pid, SIGKILL);
	(void)waitpid(pid, NULL, 0);
}
