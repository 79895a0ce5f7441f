// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * losslessd-nic itself: who may speak, what becomes of who speaks badly, rights, the end. Touches
 * no NIC: what is asked for no machine has. test-nic-program PATH-OF-LOSSLESSD-NIC
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/base/macro.h"
#include "lib/nic/wire.h"
#include "tests/support/cases.h"
#include "tests/support/worker.h"

enum {
	PEERS_MAX = 8,
	NOBODY = 65534,
};

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
	worker = worker_start(fds[1], false, arguments);
	(void)close(fds[1]);
	assert_int_equal(ask_for_nobody(fds[0]), -ENODEV);
	assert_int_equal(ask(fds[0], &loopback, sizeof(loopback)), -EPERM);
	assert_int_equal(ask_for_nobody(fds[0]), -ENODEV);
	(void)close(fds[0]);
	assert_int_equal(worker_end(&worker, words, sizeof(words)), 0);
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
		worker = worker_start(fds[1], false, arguments);
		(void)close(fds[1]);
		case_equal("garbage", ask(fds[0], bytes, sizes[i]), -EBADMSG);
		case_equal("garbage", ask(fds[0], NULL, 0), 1);
		case_equal("garbage", worker_end(&worker, words, sizeof(words)), 0);
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

	fds[0] = worker_listen(&worker);
	assert_int_equal(stat(worker.path, &info), 0);
	assert_int_equal(info.st_mode & 0777, 0600);
	for (unsigned int i = 0; i < ARRAY_SIZE(fds); i++) {
		if (i > 0)
			fds[i] = worker_connect(worker.path);
		assert_int_equal(ask_for_nobody(fds[i]), i < PEERS_MAX ? -ENODEV : 1);
	}
	(void)close(fds[0]);
	(void)close(fds[PEERS_MAX]);
	fds[0] = worker_connect(worker.path);
	assert_int_equal(ask_for_nobody(fds[0]), -ENODEV);
	for (unsigned int i = 0; i < PEERS_MAX; i++)
		(void)close(fds[i]);
	(void)kill(worker.pid, SIGTERM);
	assert_int_equal(worker_end(&worker, words, sizeof(words)), -SIGTERM);
	assert_string_equal(words, "<3>losslessd-nic: refused: 8 connections already\n");
}

/* Who asks and does not read is dropped; nobody waits for it. */
static void test_slow(void **state)
{
	const struct wire_request request = request_for(4711, "no-such-port");
	struct worker worker;
	char words[512];
	int slow, other, n = 0;

	slow = worker_listen(&worker);
	other = worker_connect(worker.path);
	while (send(slow, &request, sizeof(request), MSG_NOSIGNAL) > 0) {
		assert_int_equal(ask_for_nobody(other), -ENODEV);
		assert_true(++n < 100000);
	}
	assert_int_equal(errno == EPIPE || errno == ECONNRESET, 1);
	(void)close(slow);
	(void)close(other);
	(void)kill(worker.pid, SIGTERM);
	assert_int_equal(worker_end(&worker, words, sizeof(words)), -SIGTERM);
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

	/* Nobody else may speak then */
	if (geteuid() != 0)
		return;
	assert_non_null(mkdtemp(folder));
	(void)snprintf(address.sun_path, sizeof(address.sun_path), "%s/socket", folder);
	listener = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	assert_int_equal(bind(listener, (struct sockaddr *)&address, sizeof(address)), 0);
	assert_int_equal(listen(listener, 4), 0);
	fd = worker_connect(address.sun_path);
	assert_true(send(fd, &request, sizeof(request), 0) > 0);
	worker = worker_start(listener, true, arguments);
	assert_int_equal(ask(fd, NULL, 0), -ENODEV);
	assert_int_equal(worker_end(&worker, words, sizeof(words)), 0);
	assert_string_equal(words, "");
	assert_int_equal(ask_for_nobody(fd), 1);
	(void)close(fd);
	(void)close(listener);
	(void)unlink(address.sun_path);
	(void)rmdir(folder);
}

static void test_rights(void **state)
{
	static const char *const sets[] = { "CapInh:", "CapPrm:", "CapEff:", "CapBnd:", "CapAmb:" };
	struct worker worker;
	char words[512], line[128];
	int fd;

	fd = worker_listen(&worker);
	assert_int_equal(ask_for_nobody(fd), -ENODEV);
	worker_status(worker.pid, "NoNewPrivs:", line, sizeof(line));
	assert_string_equal(line, "NoNewPrivs:\t1\n");
	for (size_t i = 0; geteuid() == 0 && i < ARRAY_SIZE(sets); i++) {
		bool empty = i == 0 || i == 4;

		worker_status(worker.pid, sets[i], line, sizeof(line));
		case_string(sets[i], line + strlen(sets[i]),
			    empty ? "\t0000000000000000\n" : "\t0000000000001000\n");
	}
	(void)close(fd);
	(void)kill(worker.pid, SIGTERM);
	assert_int_equal(worker_end(&worker, words, sizeof(words)), -SIGTERM);
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
	fd = worker_listen(&worker);
	assert_int_equal(chmod(worker.folder, 0755), 0);
	assert_int_equal(chmod(worker.path, 0666), 0);
	stranger = fork();
	if (stranger == 0) {
		int own;

		if (setgid(NOBODY) < 0 || setuid(NOBODY) < 0)
			_exit(2);
		own = worker_connect(worker.path);
		_exit(own < 0 ? 3 : ask_for_nobody(own) != 1);
	}
	assert_int_equal(waitpid(stranger, &status, 0), stranger);
	assert_int_equal(status, 0);
	assert_int_equal(ask_for_nobody(fd), -ENODEV);
	(void)close(fd);
	(void)kill(worker.pid, SIGTERM);
	assert_int_equal(worker_end(&worker, words, sizeof(words)), -SIGTERM);
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
		struct worker worker = worker_start(-1, false, usages[i].arguments);
		char words[512];

		case_equal(usages[i].name, worker_end(&worker, words, sizeof(words)),
			   usages[i].status);
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
	worker_program = argv[1];
	return cmocka_run_group_tests(tests, NULL, NULL);
}
