// SPDX-License-Identifier: LGPL-2.1-or-later
/* Starts losslessd-nic and losslessd-switch by hand and as systemd does, and ends them. */
#include "tests/support/worker.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tests/support/cases.h"

const char *worker_program;

struct worker worker_start(int fd, bool activated, const char *const arguments[])
{
	struct worker worker = {};
	int pipes[2];

	assert_int_equal(pipe2(pipes, O_CLOEXEC), 0);
	worker.pid = fork();
	assert_true(worker.pid >= 0);
	if (worker.pid == 0) {
		char pid[16];

		(void)dup2(pipes[1], STDERR_FILENO);
		if (fd == 3)
			(void)fcntl(fd, F_SETFD, 0);
		else if (fd >= 0)
			(void)dup2(fd, 3);
		(void)snprintf(pid, sizeof(pid), "%d", getpid());
		if (activated) {
			(void)setenv("LISTEN_PID", pid, 1);
			(void)setenv("LISTEN_FDS", "1", 1);
		}
		(void)execv(worker_program, (char *const *)arguments);
		_exit(127);
	}
	(void)close(pipes[1]);
	worker.words = pipes[0];
	return worker;
}

int worker_end(struct worker *worker, char *ret, size_t size)
{
	size_t used = 0;
	ssize_t n;
	int status;

	while (used + 1 < size && (n = read(worker->words, ret + used, size - 1 - used)) > 0)
		used += (size_t)n;
	ret[used] = '\0';
	(void)close(worker->words);
	assert_int_equal(waitpid(worker->pid, &status, 0), worker->pid);
	if (*worker->path)
		(void)unlink(worker->path);
	if (*worker->folder)
		(void)rmdir(worker->folder);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

int worker_connect(const char *path)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);

	assert_true(fd >= 0);
	(void)snprintf(address.sun_path, sizeof(address.sun_path), "%s", path);
	if (connect(fd, (struct sockaddr *)&address, sizeof(address)) == 0)
		return fd;
	(void)close(fd);
	return -errno;
}

int worker_listen(struct worker *ret)
{
	const struct timespec pause = { .tv_nsec = 1000000 };
	char folder[32] = "/tmp/worker-XXXXXX", path[64];
	int fd;

	assert_non_null(mkdtemp(folder));
	(void)snprintf(path, sizeof(path), "%s/socket", folder);
	*ret = worker_start(-1, false, (const char *[]){ worker_program, "--socket", path, NULL });
	memcpy(ret->folder, folder, sizeof(folder));
	memcpy(ret->path, path, sizeof(path));
	while ((fd = worker_connect(path)) == -ENOENT || fd == -ECONNREFUSED)
		(void)nanosleep(&pause, NULL);
	assert_true(fd >= 0);
	return fd;
}

void worker_status(pid_t pid, const char *key, char *ret, size_t size)
{
	char path[64];
	FILE *file;

	(void)snprintf(path, sizeof(path), "/proc/%d/status", pid);
	file = fopen(path, "re");
	assert_non_null(file);
	while (fgets(ret, (int)size, file))
		if (strncmp(ret, key, strlen(key)) == 0)
			break;
	(void)fclose(file);
}
