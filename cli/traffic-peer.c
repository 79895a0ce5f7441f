// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Both kinds print the same lines to a pipe and end with another one, so that none is left behind
 * when this process ends, however it does.
 */
#include "cli/traffic-peer.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cli/ssh.h"
#include "lib/base/cleanup.h"

enum {
	OUTPUT_MAX = 64 * 1024,
	LOOK_NS = 10 * 1000 * 1000,
	LOOKS = 500, /* 5 s: the other end looks twice a second, and a way may be long */
};

struct pipes {
	int out[2], hold[2];
};

static void close_both(int fds[2])
{
	if (fds[0] >= 0)
		(void)close(fds[0]);
	if (fds[1] >= 0)
		(void)close(fds[1]);
}

static int pipes_open(struct pipes *pipes)
{
	int r;

	*pipes = (struct pipes){ { -1, -1 }, { -1, -1 } };
	if (pipe2(pipes->out, O_CLOEXEC) == 0 && pipe2(pipes->hold, O_CLOEXEC) == 0)
		return 0;
	r = -errno;
	close_both(pipes->out);
	return r;
}

/* Our ends to the peer; the other ends are closed. */
static void keep_ends(struct traffic_peer *peer, const struct pipes *pipes, pid_t pid)
{
	*peer = (struct traffic_peer){ pid, pipes->out[0], pipes->hold[1] };
	(void)close(pipes->out[1]);
	(void)close(pipes->hold[0]);
}

int traffic_peer_ssh(struct traffic_peer *peer, const char *host, uint16_t port)
{
	char number[8];
	struct ssh_call call = { .host = host,
				 .word = { "verify", "--listen", "--port", number },
				 .n_words = 4,
				 .err = -1 };
	struct pipes pipes;
	pid_t pid;
	int r;

	(void)snprintf(number, sizeof(number), "%u", port);
	r = pipes_open(&pipes);
	if (r < 0)
		return r;
	call.in = pipes.hold[0];
	call.out = pipes.out[1];
	r = ssh_begin(&call, &pid);
	if (r < 0) {
		close_both(pipes.out);
		close_both(pipes.hold);
		return r;
	}
	keep_ends(peer, &pipes, pid);
	return 0;
}

_Noreturn static void child(struct traffic_listener *listener, const struct pipes *pipes)
{
	(void)close(pipes->out[0]);
	(void)close(pipes->hold[1]);
	listener->until_closed = pipes->hold[0];
	listener->out = fdopen(pipes->out[1], "w");
	_exit(listener->out && traffic_listen(listener) == 0 ? 0 : 1);
}

int traffic_peer_fork(struct traffic_peer *peer, struct traffic_listener *listener)
{
	struct pipes pipes;
	pid_t pid;
	int r;

	r = pipes_open(&pipes);
	if (r < 0)
		return r;
	(void)fflush(NULL);
	pid = fork();
	if (pid == 0)
		child(listener, &pipes);
	if (pid < 0) {
		r = -errno;
		close_both(pipes.out);
		close_both(pipes.hold);
		return r;
	}
	keep_ends(peer, &pipes, pid);
	return 0;
}

/* The next line without its end, cut where it is too long. False at the end. */
static bool next_line(FILE *in, char text[TRAFFIC_LINE_MAX], size_t *total)
{
	size_t used = 0;
	int c;

	while ((c = getc(in)) != EOF && c != '\n' && (*total)++ < OUTPUT_MAX)
		if (used + 1 < TRAFFIC_LINE_MAX)
			text[used++] = (char)c;
	text[used] = '\0';
	(*total)++;
	return c == '\n';
}

ssize_t traffic_peer_places(struct traffic_peer *peer, struct traffic_place *ret, size_t room)
{
	_cleanup_fclose_ FILE *in = fdopen(dup(peer->out), "r");
	char line[TRAFFIC_LINE_MAX];
	size_t n = 0, total = 0;

	if (!in)
		return -errno;
	while (next_line(in, line, &total)) {
		if (strcmp(line, TRAFFIC_READY) == 0)
			return (ssize_t)n;
		if (n < room && traffic_place_parse(line, &ret[n]) == 0)
			n++;
	}
	return total >= OUTPUT_MAX ? -EMSGSIZE : -EPIPE;
}

/* What does not go by itself is ended: all that it had to say was said. */
static void await_end(pid_t pid)
{
	static const struct timespec pause = { .tv_nsec = LOOK_NS };

	for (unsigned int look = 0; look < LOOKS; look++) {
		if (waitpid(pid, NULL, WNOHANG) != 0)
			return;
		(void)nanosleep(&pause, NULL);
	}
	(void)kill(pid, SIGKILL);
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
}

void traffic_peer_done(struct traffic_peer *peer)
{
	if (!peer->pid)
		return;
	(void)close(peer->hold);
	(void)close(peer->out);
	await_end(peer->pid);
	*peer = (struct traffic_peer){ .out = -1, .hold = -1 };
}
