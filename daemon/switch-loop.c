// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * One poll(2) for all: the listener, the connections, and of each job what it says and that it is
 * dead. Who asks and does not read is dropped; its jobs go on to their end or deadline, because a
 * switch that was left half-way is worse than a result that nobody hears.
 */
#include "daemon/switch-loop.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <systemd/sd-daemon.h>
#include <time.h>
#include <unistd.h>

#include "lib/base/cleanup.h"
#include "lib/base/macro.h"

#define PROGRAM "losslessd-switch"

enum { LAST_WORDS_MAX = 1000 };

/* The places of poll(2) */
enum {
	POLL_LISTENER,
	POLL_PEERS,
	POLL_CHANNELS = POLL_PEERS + SWITCH_PEERS_MAX,
	POLL_DEATHS = POLL_CHANNELS + SWITCH_JOBS_MAX,
	POLL_MAX = POLL_DEATHS + SWITCH_JOBS_MAX,
};

static int64_t now_ms(void)
{
	struct timespec now = {};

	(void)clock_gettime(CLOCK_BOOTTIME, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* ---- who asks ---- */

void switch_loop_add(struct switch_loop *loop, int fd)
{
	struct switch_peer *place = NULL;

	for (size_t i = 0; !place && i < SWITCH_PEERS_MAX; i++)
		if (!loop->peers[i].used)
			place = &loop->peers[i];
	if (listen_may_speak(&loop->users, PROGRAM, fd) && place) {
		*place = (struct switch_peer){ .used = true, .fd = fd };
		return;
	}
	if (!place)
		(void)fprintf(stderr, SD_ERR PROGRAM ": refused: %d connections already\n",
			      SWITCH_PEERS_MAX);
	(void)close(fd);
}

static void drop(struct switch_loop *loop, struct switch_peer *peer)
{
	for (size_t i = 0; i < SWITCH_JOBS_MAX; i++)
		if (loop->jobs[i].peer == peer) {
			loop->jobs[i].peer = NULL;
			loop->jobs[i].is_held = false;
		}
	(void)close(peer->fd);
	*peer = (struct switch_peer){};
}

/* Returns false if @peer does not read now. */
static bool tell(struct switch_loop *loop, struct switch_peer *peer,
		 const struct switch_reply *reply)
{
	if (!peer || send(peer->fd, reply, sizeof(*reply), MSG_DONTWAIT | MSG_NOSIGNAL) >= 0)
		return true;
	if (errno == EAGAIN)
		return false;
	drop(loop, peer);
	return true;
}

/* What its peer cannot take now is kept, and until then nothing more is heard of the job. */
static void tell_of(struct switch_loop *loop, struct switch_job *job,
		    const struct switch_reply *reply)
{
	if (tell(loop, job->peer, reply))
		return;
	job->held = *reply;
	job->is_held = true;
}

static void tell_held(struct switch_loop *loop, struct switch_job *job)
{
	if (job->is_held)
		job->is_held = !tell(loop, job->peer, &job->held);
}

/* ---- one request ---- */

struct request {
	char bytes[sizeof(struct switch_request) + 1]; /* so that a longer one shows */
	size_t size;
	int text_fd;		/* -1: none */
	bool crowded;		/* more came along than one descriptor */
};

static void take_descriptors(struct msghdr *message, struct request *request)
{
	for (struct cmsghdr *c = CMSG_FIRSTHDR(message); c; c = CMSG_NXTHDR(message, c)) {
		size_t n = (c->cmsg_len - CMSG_LEN(0)) / sizeof(int);

		if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS)
			continue;
		for (size_t i = 0; i < n; i++) {
			int fd;

			memcpy(&fd, CMSG_DATA(c) + i * sizeof(fd), sizeof(fd));
			if (request->text_fd < 0) {
				request->text_fd = fd;
				continue;
			}
			request->crowded = true;
			(void)close(fd);
		}
	}
	request->crowded |= (message->msg_flags & MSG_CTRUNC) != 0;
}

/* Returns 1; 0 if there is none now; -ECONNRESET if none will come. */
static int receive(int fd, struct request *ret)
{
	union {
		struct cmsghdr head;
		char bytes[CMSG_SPACE(2 * sizeof(int))];
	} control;
	struct iovec into = { ret->bytes, sizeof(ret->bytes) };
	struct msghdr message = {
		.msg_iov = &into,
		.msg_iovlen = 1,
		.msg_control = &control,
		.msg_controllen = sizeof(control),
	};
	ssize_t n;

	ret->text_fd = -1;
	ret->crowded = false;
	n = recvmsg(fd, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
	if (n < 0)
		return errno == EAGAIN || errno == EINTR ? 0 : -ECONNRESET;
	take_descriptors(&message, ret);
	ret->size = (size_t)n;
	return n > 0 ? 1 : -ECONNRESET;
}

/* What is wrong with what came along; NULL if nothing is. */
static const char *find_fault(const struct request *request, const struct switch_call *call)
{
	const int seals = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE;
	struct stat info;
	int found;

	if (request->crowded)
		return "more than one descriptor";
	if ((request->text_fd >= 0) != (call->text_size > 0))
		return "a text without its size, or a size without its text";
	if (request->text_fd < 0)
		return NULL;
	found = fcntl(request->text_fd, F_GET_SEALS);
	if (found < 0 || (found & seals) != seals)
		return "the text is in no sealed memfd";
	if (fstat(request->text_fd, &info) < 0 || info.st_size != (off_t)call->text_size)
		return "the text has another size";
	return NULL;
}

static void refuse(struct switch_loop *loop, struct switch_peer *peer, const char *why)
{
	struct switch_reply reply;
	char words[128];

	(void)snprintf(words, sizeof(words), "no request: %s", why);
	(void)fprintf(stderr, SD_ERR PROGRAM ": closed: %s\n", words);
	switch_reply_encode(0, SWITCH_RESULT, VERDICT_FAILED, words, &reply);
	(void)send(peer->fd, &reply, sizeof(reply), MSG_DONTWAIT | MSG_NOSIGNAL);
	drop(loop, peer);
}

static void begin(struct switch_loop *loop, struct switch_peer *peer,
		  const struct switch_call *call, int text_fd)
{
	struct switch_job *place = NULL;
	struct switch_reply reply;
	char words[128];
	int r;

	for (size_t i = 0; !place && i < SWITCH_JOBS_MAX; i++)
		if (!loop->jobs[i].pid)
			place = &loop->jobs[i];
	r = place ? switch_job_start(place, call, text_fd, loop->runs) : -EBUSY;
	if (r == 0) {
		place->peer = peer;
		peer->n_jobs++;
		return;
	}
	if (!place)
		(void)snprintf(words, sizeof(words), "%d jobs already: try again", SWITCH_JOBS_MAX);
	else
		(void)snprintf(words, sizeof(words), "cannot start: %s", strerrordesc_np(-r));
	switch_reply_encode(call->job, SWITCH_RESULT, place ? VERDICT_FAILED : VERDICT_PENDING,
			    words, &reply);
	(void)tell(loop, peer, &reply);
}

/* Returns whether something was asked. */
static bool serve_peer(struct switch_loop *loop, struct switch_peer *peer)
{
	struct switch_call call;
	struct request request;
	const char *why = NULL;
	int r;

	r = receive(peer->fd, &request);
	if (r == 0)
		return false;
	if (r < 0) {
		peer->ended = true;
	} else {
		r = switch_request_decode(request.bytes, request.size, &call, &why);
		if (r == 0)
			why = find_fault(&request, &call);
		if (why)
			refuse(loop, peer, why);
		else
			begin(loop, peer, &call, request.text_fd);
	}
	if (request.text_fd >= 0)
		(void)close(request.text_fd);
	return r >= 0 && !why;
}

/* ---- jobs ---- */

static void end_job(struct switch_loop *loop, struct switch_job *job)
{
	struct switch_peer *peer = job->peer;
	struct switch_reply reply;
	int r;

	/* Its last words first; somebody whom it left behind may go on for ever */
	for (int i = 0; i < LAST_WORDS_MAX && switch_job_hear(job, &reply) > 0; i++) {
		tell_of(loop, job, &reply);
		if (job->is_held)
			return;
	}
	r = switch_job_reap(job, &reply);
	if (r == -EAGAIN)
		return;
	if (r > 0)
		(void)tell(loop, job->peer, &reply);
	if (peer && job->peer)
		peer->n_jobs--;
	job->peer = NULL;
}

static void serve_job(struct switch_loop *loop, struct switch_job *job, bool speaks, bool dead)
{
	struct switch_reply reply;

	if (dead) {
		end_job(loop, job);
		return;
	}
	if (speaks && switch_job_hear(job, &reply) > 0)
		tell_of(loop, job, &reply);
	/* Who has not read until now will not: its place is needed */
	if (switch_job_expire(job, now_ms(), &reply) > 0 && !tell(loop, job->peer, &reply))
		drop(loop, job->peer);
}

/* All places are taken, but one is of a job that has told its result: it is about to be free. */
static bool room_is_near(const struct switch_loop *loop)
{
	bool near = false;

	for (size_t i = 0; i < SWITCH_JOBS_MAX; i++) {
		if (!loop->jobs[i].pid)
			return false;
		near |= loop->jobs[i].told && !loop->jobs[i].is_held;
	}
	return near;
}

/* ---- all of them ---- */

/* Who does not read what was said is not heard either. */
static void listen_for_room(struct pollfd *poll_fd, const struct switch_peer *peer)
{
	poll_fd->fd = peer->fd;
	poll_fd->events = POLLOUT;
}

static void fill(const struct switch_loop *loop, struct pollfd *polls)
{
	bool later = room_is_near(loop);

	polls[POLL_LISTENER] = (struct pollfd){ loop->listener, POLLIN, 0 };
	for (size_t i = 0; i < SWITCH_PEERS_MAX; i++) {
		const struct switch_peer *peer = &loop->peers[i];
		int fd = peer->used && !peer->ended && !later ? peer->fd : -1;

		polls[POLL_PEERS + i] = (struct pollfd){ fd, POLLIN, 0 };
	}
	for (size_t i = 0; i < SWITCH_JOBS_MAX; i++) {
		const struct switch_job *job = &loop->jobs[i];

		bool waits = job->pid && !job->is_held;
		int channel = waits ? job->channel : -1, pidfd = waits ? job->pidfd : -1;

		if (job->is_held && job->peer)
			listen_for_room(&polls[POLL_PEERS + (job->peer - loop->peers)], job->peer);
		polls[POLL_CHANNELS + i] = (struct pollfd){ channel, POLLIN, 0 };
		polls[POLL_DEATHS + i] = (struct pollfd){ pidfd, POLLIN, 0 };
	}
}

static bool has_jobs(const struct switch_loop *loop)
{
	for (size_t i = 0; i < SWITCH_JOBS_MAX; i++)
		if (loop->jobs[i].pid)
			return true;
	return false;
}

static bool has_peers(const struct switch_loop *loop)
{
	for (size_t i = 0; i < SWITCH_PEERS_MAX; i++)
		if (loop->peers[i].used)
			return true;
	return false;
}

/* The time until something is due, for poll(2): -1 is for ever. */
static int time_left(const struct switch_loop *loop, int64_t since_ms)
{
	int64_t due_ms = INT64_MAX, left_ms;

	if (loop->idle_ms >= 0 && !has_jobs(loop))
		due_ms = since_ms + loop->idle_ms;
	for (size_t i = 0; i < SWITCH_JOBS_MAX; i++)
		if (loop->jobs[i].pid)
			due_ms = MIN(due_ms, loop->jobs[i].until_ms);
	if (due_ms == INT64_MAX)
		return -1;
	left_ms = due_ms - now_ms();
	return left_ms <= 0 ? 0 : (int)MIN(left_ms, (int64_t)INT_MAX);
}

/* What is wrong with one connection is no reason to end. */
static int accept_peer(struct switch_loop *loop)
{
	int fd;

	fd = accept4(loop->listener, NULL, NULL, SOCK_CLOEXEC);
	if (fd < 0)
		return errno == EAGAIN || errno == EINTR || errno == ECONNABORTED ? 0 : -errno;
	switch_loop_add(loop, fd);
	return 0;
}

static void drop_ended(struct switch_loop *loop)
{
	for (size_t i = 0; i < SWITCH_PEERS_MAX; i++)
		if (loop->peers[i].used && loop->peers[i].ended && !loop->peers[i].n_jobs)
			drop(loop, &loop->peers[i]);
}

/* Returns 1 if something was asked or is at work; 0; a negative errno. */
static int serve_round(struct switch_loop *loop, int timeout_ms)
{
	struct pollfd polls[POLL_MAX];
	bool busy = false;
	int r;

	fill(loop, polls);
	r = poll(polls, POLL_MAX, timeout_ms);
	if (r < 0)
		return errno == EINTR ? 0 : -errno;
	for (size_t i = 0; i < SWITCH_JOBS_MAX; i++) {
		if (!loop->jobs[i].pid)
			continue;
		busy = true;
		tell_held(loop, &loop->jobs[i]);
		serve_job(loop, &loop->jobs[i], polls[POLL_CHANNELS + i].revents,
			  polls[POLL_DEATHS + i].revents);
	}
	for (size_t i = 0; i < SWITCH_PEERS_MAX; i++)
		/* Not if a job of it found that it does not read */
		if (polls[POLL_PEERS + i].revents & ~POLLOUT && loop->peers[i].used &&
		    !loop->peers[i].ended)
			busy |= serve_peer(loop, &loop->peers[i]);
	drop_ended(loop);
	r = polls[POLL_LISTENER].revents ? accept_peer(loop) : 0;
	return r < 0 ? r : busy;
}

/*
 * Nothing more can be sent to us from now on, and whoever tries is told; what was sent before is
 * answered.
 */
static void begin_goodbye(struct switch_loop *loop)
{
	loop->listener = -1;
	loop->idle_ms = -1;
	for (size_t i = 0; i < SWITCH_PEERS_MAX; i++)
		if (loop->peers[i].used)
			(void)shutdown(loop->peers[i].fd, SHUT_RD);
}

int switch_loop_run(struct switch_loop *loop)
{
	int64_t since_ms = now_ms();
	int r = 0;

	while (r >= 0 && (loop->listener >= 0 || has_peers(loop) || has_jobs(loop))) {
		r = serve_round(loop, time_left(loop, since_ms));
		if (r > 0)
			since_ms = now_ms();
		else if (r == 0 && loop->idle_ms >= 0 && now_ms() - since_ms >= loop->idle_ms)
			begin_goodbye(loop);
	}
	return r < 0 ? r : 0;
}
