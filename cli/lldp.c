// SPDX-License-Identifier: LGPL-2.1-or-later
/* Runs lldpcli. What it prints is as little believed as what is on the wire. */
#include "cli/lldp.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cli/file.h"
#include "lib/base/cleanup.h"
#include "lib/base/macro.h"
#include "lib/switch/lldp.h"

enum { TIMEOUT_MS = 5000, ROOM_FIRST = 64 * 1024, PAUSE_NS = 10 * 1000 * 1000 };

/* NULL: there is none. */
static const char *find_program(void)
{
	static const char *const places[] = {
		"/usr/sbin/lldpcli", "/usr/bin/lldpcli", "/usr/local/sbin/lldpcli",
	};
	const char *given = getenv("LOSSLESSD_LLDPCLI");

	if (given)
		return access(given, X_OK) == 0 ? given : NULL;
	for (size_t i = 0; i < ARRAY_SIZE(places); i++)
		if (access(places[i], X_OK) == 0)
			return places[i];
	return NULL;
}

static int64_t now_ms(void)
{
	struct timespec now = {};

	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static int spawn(const char *program, int out, pid_t *ret)
{
	static const char *const arguments[] = { "lldpcli", "-f", "json0", "show", "neighbors",
					   "details", NULL };
	static const char *const environment[] = { "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL=C",
					     NULL };
	posix_spawn_file_actions_t actions;
	int r;

	if (posix_spawn_file_actions_init(&actions) != 0)
		return -ENOMEM;
	r = posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	if (r == 0)
		r = posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
	if (r == 0)
		r = posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null",
						     O_WRONLY, 0);
	if (r == 0)
		r = posix_spawn(ret, program, &actions, NULL, (char **)arguments,
				(char **)environment);
	(void)posix_spawn_file_actions_destroy(&actions);
	return -r;
}

struct output {
	char *text;
	size_t size;
	size_t room;
};

/* Returns 1 with more, 0 at the end, -EFBIG above the limit, -ENOMEM, -errno. */
static int read_more(int fd, struct output *output)
{
	ssize_t n;

	if (output->size == output->room) {
		size_t room = output->room ? 2 * output->room : ROOM_FIRST;
		char *text = room > 2 * (size_t)LLDP_SIZE_MAX ? NULL : realloc(output->text, room);

		if (!text)
			return room > 2 * (size_t)LLDP_SIZE_MAX ? -EFBIG : -ENOMEM;
		output->text = text;
		output->room = room;
	}
	n = read(fd, output->text + output->size, output->room - output->size);
	if (n < 0)
		return errno == EINTR ? 1 : -errno;
	output->size += (size_t)n;
	return output->size > LLDP_SIZE_MAX ? -EFBIG : n > 0;
}

static int read_all(int fd, int64_t end_ms, struct output *output)
{
	int r = 1;

	while (r > 0) {
		struct pollfd poll_fd = { fd, POLLIN, 0 };
		int64_t left_ms = end_ms - now_ms();

		if (left_ms <= 0)
			return -ETIMEDOUT;
		r = poll(&poll_fd, 1, (int)left_ms);
		if (r > 0)
			r = read_more(fd, output);
		else
			r = r == 0 ? -ETIMEDOUT : errno == EINTR ? 1 : -errno;
	}
	return r;
}

/* Its status; one that does not end in time is ended. */
static int wait_for(pid_t pid, int64_t end_ms, bool kill_it)
{
	static const struct timespec pause = { .tv_nsec = PAUSE_NS };
	int status = 0;

	while (!kill_it && waitpid(pid, &status, WNOHANG) == 0) {
		kill_it = now_ms() >= end_ms;
		(void)nanosleep(&pause, NULL);
	}
	if (kill_it) {
		(void)kill(pid, SIGKILL);
		(void)waitpid(pid, &status, 0);
	}
	return status;
}

static int run(const char *program, struct output *output, int *ret_status)
{
	_cleanup_close_ int from = -1, to = -1;
	int64_t end_ms = now_ms() + TIMEOUT_MS;
	int ends[2], r;
	pid_t pid;

	if (pipe2(ends, O_CLOEXEC) < 0)
		return -errno;
	from = ends[0];
	to = ends[1];
	r = spawn(program, to, &pid);
	if (r < 0)
		return r;
	(void)close(to);
	to = -1;
	r = read_all(from, end_ms, output);
	*ret_status = wait_for(pid, end_ms, r < 0);
	return r;
}

static int say(char *why, size_t size, int r, const char *what)
{
	(void)snprintf(why, size, "%s: %s", what,
		       r == -EBADMSG   ? "not what lldpcli -f json0 show neighbors details prints" :
		       r == -EFBIG     ? "larger than what any machine's neighbours say" :
		       r == -ETIMEDOUT ? "no answer within 5 s" :
					 strerrordesc_np(-r));
	return r;
}

int lldp_ask(struct lldp_neighbors *ret, char *ret_why, size_t size)
{
	const char *program = find_program();
	struct output output = {};
	int status = 0, r;

	if (!program) {
		(void)snprintf(ret_why, size,
			       "what LLDP says is not known: lldpcli is not installed (Debian: "
			       "lldpd)");
		return -ENOENT;
	}
	r = run(program, &output, &status);
	if (r == 0 && status != 0) {
		(void)snprintf(ret_why, size,
			       "what LLDP says is not known: lldpcli failed: is lldpd running, and "
			       "may this user ask it?");
		r = -ECONNREFUSED;
	} else {
		if (r == 0)
			r = lldp_parse(output.text, output.size, ret);
		if (r < 0)
			(void)say(ret_why, size, r, "what LLDP says is not known: lldpcli");
	}
	free(output.text);
	return r;
}

int lldp_read(const char *path, struct lldp_neighbors *ret, char *ret_why, size_t size)
{
	_cleanup_free_ char *text = NULL;
	size_t text_size = 0;
	int r;

	r = file_read(path, &text, &text_size);
	if (r == 0)
		r = lldp_parse(text, text_size, ret);
	return r < 0 ? say(ret_why, size, r, path) : 0;
}
