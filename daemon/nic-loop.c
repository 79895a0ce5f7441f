// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The worker's connections. One request of each connection a round; a reply that does not fit is
 * the end of the connection that does not read.
 */
#include "daemon/nic-loop.h"

#include <errno.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <systemd/sd-daemon.h>
#include <unistd.h>

#include "lib/nic/serve.h"

/* ---- connections ---- */

void loop_add(struct loop *loop, int fd)
{
	if (!listen_may_speak(&loop->users, "losslessd-nic", fd)) {
		(void)close(fd);
		return;
	}
	if (loop->n_peers == LOOP_PEERS_MAX) {
		(void)fprintf(stderr, SD_ERR "losslessd-nic: refused: %d connections already\n",
			      LOOP_PEERS_MAX);
		(void)close(fd);
		return;
	}
	loop->peers[loop->n_peers++] = fd;
}

static void drop(struct loop *loop, unsigned int i)
{
	(void)close(loop->peers[i]);
	loop->peers[i] = loop->peers[--loop->n_peers];
}

/* What is wrong with one connection is no reason to end. */
static int accept_peer(struct loop *loop)
{
	int fd;

	fd = accept4(loop->listener, NULL, NULL, SOCK_CLOEXEC);
	if (fd < 0)
		return errno == EAGAIN || errno == EINTR || errno == ECONNABORTED ? 0 : -errno;
	loop_add(loop, fd);
	return 0;
}

/* ---- one request ---- */

/* Returns 1 if there was a request; 0 if there is none now; -ECONNRESET: to be dropped. */
static int serve_peer(struct loop *loop, int fd)
{
	union {
		struct wire_request request;
		char bytes[sizeof(struct wire_request) + 1]; /* so that a longer one shows */
	} in;
	struct wire_reply reply;
	ssize_t n;
	int r;

	n = recv(fd, &in, sizeof(in), MSG_DONTWAIT);
	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return 0;
	if (n <= 0)
		return -ECONNRESET;
	r = nic_serve(loop->os, &in, (size_t)n, &reply);
	if (r < 0)
		(void)fprintf(stderr, SD_ERR "losslessd-nic: closed: no request: %s\n", reply.text);
	n = send(fd, &reply, sizeof(reply), MSG_DONTWAIT | MSG_NOSIGNAL);
	return r < 0 || n < 0 ? -ECONNRESET : 1;
}

/* ---- all of them ---- */

/* Returns whether anything was asked; from the end, because dropping moves the last one. */
static bool serve_ready(struct loop *loop, const struct pollfd *ready)
{
	bool asked = false;

	for (unsigned int i = loop->n_peers; i-- > 0;) {
		int r;

		if (!ready[i].revents)
			continue;
		r = serve_peer(loop, loop->peers[i]);
		asked |= r > 0;
		if (r < 0)
			drop(loop, i);
	}
	return asked;
}

/*
 * Nothing more can be sent to us from now on, and whoever tries is told; what was sent before is
 * answered.
 */
static void say_goodbye(struct loop *loop)
{
	while (loop->n_peers > 0) {
		int fd = loop->peers[0];

		(void)shutdown(fd, SHUT_RD);
		while (serve_peer(loop, fd) > 0)
			;
		drop(loop, 0);
	}
}

static int64_t now_ms(const struct loop *loop)
{
	return loop->os->ops->now_ms(loop->os);
}

/* The time that is left, for poll(2): -1 is for ever. */
static int time_left(const struct loop *loop, int64_t since_ms)
{
	int64_t left_ms;

	if (loop->idle_ms < 0)
		return -1;
	left_ms = since_ms + loop->idle_ms - now_ms(loop);
	return left_ms > 0 ? (int)left_ms : 0;
}

/* Returns 1 if something was asked; 0; -ETIME if nothing happened until the time was over. */
static int serve_round(struct loop *loop, int timeout_ms)
{
	struct pollfd ready[LOOP_PEERS_MAX + 1];
	unsigned int n = loop->n_peers;
	bool asked;
	int r;

	for (unsigned int i = 0; i < n; i++)
		ready[i] = (struct pollfd){ .fd = loop->peers[i], .events = POLLIN };
	ready[n] = (struct pollfd){ .fd = loop->listener, .events = POLLIN };
	r = poll(ready, n + 1, timeout_ms);
	if (r < 0)
		return errno == EINTR ? 0 : -errno;
	if (r == 0)
		return -ETIME;
	asked = serve_ready(loop, ready);
	r = ready[n].revents ? accept_peer(loop) : 0;
	return r < 0 ? r : asked;
}

int loop_run(struct loop *loop)
{
	int64_t since_ms = now_ms(loop);
	int r = 0;

	while (r >= 0 && (loop->listener >= 0 || loop->n_peers > 0)) {
		r = serve_round(loop, time_left(loop, since_ms));
		if (r > 0)
			since_ms = now_ms(loop);
	}
	say_goodbye(loop);
	return r == -ETIME ? 0 : r;
}
