// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * losslessd-nic itself: who may speak, what becomes of who speaks badly, rights, the end. Touches
 * no NIC: what is asked for no machine has. test-nic-program PATH-OF-LOSSLESSD-NIC
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "lib/base/macro.h"
#include "lib/nic/wire.h"
#include "tests/support/cases.h"

enum {
	PEERS_MAX = 8,
	NOBODY = 65534,
};

static const char *program;

/* ---- starting and ending it ---- */

struct worker {
	pid_t pid;
	int words; /* its stderr */
	char folder[32];
	char path[64];
};

/* @fd is number 3 in the worker, -1: none. */
static struct worker start(int fd, bool activated, const char *const arguments[])
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
		(void)execv(program, (char *const *)arguments);
		_exit(127);
	}
	(void)close(pipes[1]);
	worker.words = pipes[0];
	return worker;
}

/* Its exit status, or minus the signal; what it said last is in @ret. */
static int end(struct worker *worker, char *ret, size_t size)
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

static int connect_to(const char *path)
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

/* Listening at a socket of its own; returns the first connection. */
static int start_listening(struct worker *ret)
{
	const struct timespec pause = { .tv_nsec = 1000000 };
	char folder[32] = "/tmp/worker-XXXXXX", path[64];
	int fd;

	assert_non_null(mkdtemp(folder));
	(void)snprintf(path, sizeof(path), "%s/socket", folder);
	*ret = start(-1, false, (const char *[]){ program, "--socket", path, NULL });
	memcpy(ret->folder, folder, sizeof(folder));
	memcpy(ret->path, path, sizeof(path));
	while ((fd = connect_to(path)) == -ENOENT || fd == -ECONNREFUSED)
		(void)nanosleep(&pause, NULL);
	assert_true(fd >= 0);
	return fd;
}

/* ---- speaking ---- */

static struct wire_request request_for(int ifindex, const char *name)
{
	struct wire_call call = { .verb = WIRE_READ, .id = 42 };
	struct wire_request request;

	call.target.kind = TARGET_PORT;
	call.target.nic.ifindex = ifindex;
	call.target.nic.rdma_port = 1;
	(void)snprintf(call.target.nic.name, sizeof(call.target.nic.name), "%s", name);
	(void)snprintf(call.target.nic.rdma, sizeof(call.target.nic.rdma), "no_such_0");
	call.change.object = OBJECT_MTU;
	wire_request_encode(&call, &request);
	return request;
}

/* What is answered to it; 1 if the connection is closed instead. */
static int ask(int fd, const void *data, size_t size)
{
	struct wire_reply reply;
	ssize_t n;

	if (data && send(fd, data, size, MSG_NOSIGNAL) < 0)
		return 1;
	n = recv(fd, &reply, sizeof(reply), 0);
	if (n <= 0)
		return 1;
	assert_int_equal(n, sizeof(reply));
	assert_int_equal(reply.magic, WIRE_MAGIC);
	return reply.result;
}

static int ask_for_nobody(int fd)
{
	const struct wire_request request = request_for(4711, "no-such-port");

	return ask(fd, &request, sizeof(request));
}

/* ---- the cases ---- */

static void test_connection(void **state)
{
	static const char *const arguments[] = { "losslessd-nic", "--fd", "3", NULL };
	const struct wire_request loopback = request_for(1, "lo");
	struct worker worker;
	char words[512];
	int fds[2];

	assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fds), 0);
	worker = start(fds[1], false, arguments);
	(void)close(fds[1]);
	assert_int_equal(ask_for_nobody(fds[0]), -ENODEV);
	assert_int_equal(ask(fds[0], &loopback, sizeof(loopback)), -EPERM);
	assert_int_equal(ask_for_nobody(fds[0]), -ENODEV);
	(void)close(fds[0]);
	assert_int_equal(end(&worker, words, sizeof(words)), 0);
	assert_string_equal(words, "");
}

/* Answered that it is no request, then closed; whatever the size. */
static void test_garbage(void **state)
{
	static const char *const arguments[] = { "losslessd-nic", "--fd", "3", NULL };
	static const size_t sizes[] = { 1, sizeof(struct wire_request) - 1,
					sizeof(struct wire_request),
					sizeof(struct wire_request) + 1, 65536 };
	static const char bytes[65536];

	for (size_t i = 0; i < ARRAY_SIZE(sizes); i++) {
		struct worker worker;
		char words[512];
		int fds[2];

		assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fds), 0);
		worker = start(fds[1], false, arguments);
		(void)close(fds[1]);
		case_equal("garbage", ask(fds[0], bytes, sizes[i]), -EBADMSG);
		case_equal("garbage", ask(fds[0], NULL, 0), 1);
		case_equal("garbage", end(&worker, words, sizeof(words)), 0);
		case_true("garbage", strstr(words, "<3>losslessd-nic: closed: no request: "));
		(void)close(fds[0]);
	}
}

/* The socket is the owner's; one more than it can have is turned away, and the others live on. */
static void test_many(void **state)
{
	struct worker worker;
	struct stat info;
	char words[512];
	int fds[PEERS_MAX + 1];

	fds[0] = start_listening(&worker);
	assert_int_equal(stat(worker.path, &info), 0);
	assert_int_equal(info.st_mode & 0777, 0600);
	for (unsigned int i = 0; i < ARRAY_SIZE(fds); i++) {
		if (i > 0)
			fds[i] = connect_to(worker.path);
		assert_int_equal(ask_for_nobody(fds[i]), i < PEERS_MAX ? -ENODEV : 1);
	}
	(void)close(fds[0]);
	(void)close(fds[PEERS_MAX]);
	fds[0] = connect_to(worker.path);
	assert_int_equal(ask_for_nobody(fds[0]), -ENODEV);
	for (unsigned int i = 0; i < PEERS_MAX; i++)
		(void)close(fds[i]);
	(void)kill(worker.pid, SIGTERM);
	assert_int_equal(end(&worker, words, sizeof(words)), -SIGTERM);
	assert_string_equal(words, "<3>losslessd-nic: refused: 8 connections already\n");
}

/* Who asks and does not read is dropped; nobody waits for it. */
static void test_slow(void **state)
{
	const struct wire_request request = request_for(4711, "no-such-port");
	struct worker worker;
	char words[512];
	int slow, other, n = 0;

	slow = start_listening(&worker);
	other = connect_to(worker.path);
	while (send(slow, &request, sizeof(request), MSG_NOSIGNAL) > 0) {
		assert_int_equal(ask_for_nobody(other), -ENODEV);
		assert_true(++n < 100000);
	}
	assert_int_equal(errno == EPIPE || errno == ECONNRESET, 1);
	(void)close(slow);
	(void)close(other);
	(void)kill(worker.pid, SIGTERM);
	assert_int_equal(end(&worker, words, sizeof(words)), -SIGTERM);
}

/* As systemd starts it. What came before it was idle is answered, then it ends. */
static void test_activated(void **state)
{
	static const char *const arguments[] = { "losslessd-nic", "--idle-exit=1", NULL };
	const struct wire_request request = request_for(4711, "no-such-port");
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	char folder[] = "/tmp/worker-XXXXXX", words[512];
	struct worker worker;
	int listener, fd;

	assert_non_null(mkdtemp(folder));
	(void)snprintf(address.sun_path, sizeof(address.sun_path), "%s/socket", folder);
	listener = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	assert_int_equal(bind(listener, (struct sockaddr *)&address, sizeof(address)), 0);
	assert_int_equal(listen(listener, 4), 0);
	fd = connect_to(address.sun_path);
	assert_true(send(fd, &request, sizeof(request), 0) > 0);
	worker = start(listener, true, arguments);
	assert_int_equal(ask(fd, NULL, 0), -ENODEV);
	assert_int_equal(end(&worker, words, sizeof(words)), 0);
	assert_string_equal(words, "");
	assert_int_equal(ask_for_nobody(fd), 1);
	(void)close(fd);
	(void)close(listener);
	(void)unlink(address.sun_path);
	(void)rmdir(folder);
}

/* The line of /proc/PID/status with this key */
static void status_of(pid_t pid, const char *key, char *ret, size_t size)
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

static void test_rights(void **state)
{
	static const char *const sets[] = { "CapInh:", "CapPrm:", "CapEff:", "CapBnd:", "CapAmb:" };
	struct worker worker;
	char words[512], line[128];
	int fd;

	fd = start_listening(&worker);
	assert_int_equal(ask_for_nobody(fd), -ENODEV);
	status_of(worker.pid, "NoNewPrivs:", line, sizeof(line));
	assert_string_equal(line, "NoNewPrivs:\t1\n");
	for (size_t i = 0; geteuid() == 0 && i < ARRAY_SIZE(sets); i++) {
		bool empty = i == 0 || i == 4;

		status_of(worker.pid, sets[i], line, sizeof(line));
		case_string(sets[i], line + strlen(sets[i]),
			    empty ? "\t0000000000000000\n" : "\t0000000000001000\n");
	}
	(void)close(fd);
	(void)kill(worker.pid, SIGTERM);
	assert_int_equal(end(&worker, words, sizeof(words)), -SIGTERM);
}

/* Whoever can open the socket is not yet who may speak. */
static void test_stranger(void **state)
{
	struct worker worker;
	char words[512];
	pid_t stranger;
	int fd, status;

	if (geteuid() != 0)
		return;
	fd = start_listening(&worker);
	assert_int_equal(chmod(worker.folder, 0755), 0);
	assert_int_equal(chmod(worker.path, 0666), 0);
	stranger = fork();
	if (stranger == 0) {
		int own;

		if (setgid(NOBODY) < 0 || setuid(NOBODY) < 0)
			_exit(2);
		own = connect_to(worker.path);
		_exit(own < 0 ? 3 : ask_for_nobody(own) != 1);
	}
	assert_int_equal(waitpid(stranger, &status, 0), stranger);
	assert_int_equal(status, 0);
	assert_int_equal(ask_for_nobody(fd), -ENODEV);
	(void)close(fd);
	(void)kill(worker.pid, SIGTERM);
	assert_int_equal(end(&worker, words, sizeof(words)), -SIGTERM);
	assert_non_null(strstr(words, "<3>losslessd-nic: refused: process "));
	assert_non_null(strstr(words, "of user 65534\n"));
}

static const struct {
	const char *name;
	const char *arguments[5];
	int status;
} usages[] = {
	{ "nothing", { "losslessd-nic" }, 64 },
	{ "no option", { "losslessd-nic", "--frob" }, 64 },
	{ "argument", { "losslessd-nic", "frob" }, 64 },
	{ "no number", { "losslessd-nic", "--fd", "x" }, 64 },
	{ "negative", { "losslessd-nic", "--fd", "-1" }, 64 },
	{ "two", { "losslessd-nic", "--fd=3", "--socket=/tmp/x" }, 64 },
	{ "no such fd", { "losslessd-nic", "--fd=99" }, 1 },
	{ "no socket", { "losslessd-nic", "--fd=0" }, 1 },
	{ "no folder", { "losslessd-nic", "--socket=/no/such/folder" }, 1 },
};

static void test_usage(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(usages); i++) {
		struct worker worker = start(-1, false, usages[i].arguments);
		char words[512];

		case_equal(usages[i].name, end(&worker, words, sizeof(words)), usages[i].status);
		case_true(usages[i].name, strncmp(words, "<3>losslessd-nic: ", 18) == 0);
	}
}

int main(int argc, char **argv)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_connection), cmocka_unit_test(test_garbage),
		cmocka_unit_test(test_many),	   cmocka_unit_test(test_slow),
		cmocka_unit_test(test_activated),  cmocka_unit_test(test_rights),
		cmocka_unit_test(test_stranger),   cmocka_unit_test(test_usage),
	};

	if (argc != 2)
		return EXIT_FAILURE;
	program = argv[1];
	return cmocka_run_group_tests(tests, NULL, NULL);
}
