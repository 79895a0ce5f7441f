// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * losslessd-switch itself: what it answers, who may speak, what becomes of who speaks badly,
 * rights, the end. Reaches no switch. test-switch-program PATH-OF-LOSSLESSD-SWITCH
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

#include "lib/switch/wire.h"
#include "tests/support/cases.h"
#include "tests/support/worker.h"

enum {
	PEERS_MAX = 8,
	NOBODY = 65534,
};

static const char *const connected[] = { "losslessd-switch", "--fd", "3", NULL };

/* ---- speaking ---- */

static struct switch_request request_for(enum switch_verb verb)
{
	struct switch_call call = {
		.job = 42, .deadline_ms = 60 * 1000, .verb = verb, .name = "leaf-1",
	};
	struct switch_request request;

	switch_request_encode(&call, &request);
	return request;
}

/* The verdict that is answered to it; -1 if the connection is closed instead. */
static int ask(int fd, const void *data, size_t size, struct switch_reply *ret)
{
	char bytes[sizeof(*ret) + 1];
	ssize_t n;

	if (data && send(fd, data, size, MSG_NOSIGNAL) < 0)
		return -1;
	n = recv(fd, bytes, sizeof(bytes), 0);
	if (n <= 0)
		return -1;
	assert_int_equal(switch_reply_decode(bytes, (size_t)n, ret), 0);
	assert_int_equal(ret->kind, SWITCH_RESULT);
	return ret->verdict;
}

static int ask_to_test(int fd)
{
	const struct switch_request request = request_for(SWITCH_TEST);
	struct switch_reply reply;

	return ask(fd, &request, sizeof(request), &reply);
}

/* ---- the cases ---- */

/* Each needs the file, and says what is wrong with none. */
static const enum switch_verb verbs[] = {
	SWITCH_TEST,   SWITCH_RENDER,  SWITCH_PUSH, SWITCH_READ,
	SWITCH_RETURN, SWITCH_CONFIRM, SWITCH_KEY,  SWITCH_ACCEPT,
};
static_assert(ARRAY_SIZE(verbs) == SWITCH_VERB_MAX - 1, "all verbs");

static void test_verbs(void **state)
{
	struct worker worker;
	char words[512];
	int fds[2];

	assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fds), 0);
	worker = worker_start(fds[1], false, connected);
	(void)close(fds[1]);
	for (size_t i = 0; i < ARRAY_SIZE(verbs); i++) {
		const struct switch_request request = request_for(verbs[i]);
		const char *name = switch_verb_name(verbs[i]);
		struct switch_reply reply;

		case_equal(name, ask(fds[0], &request, sizeof(request), &reply), VERDICT_FAILED);
		case_true(name, strstr(reply.text, "the file is refused: "));
		case_equal(name, reply.job, 42);
	}
	(void)close(fds[0]);
	assert_int_equal(worker_end(&worker, words, sizeof(words)), 0);
	assert_string_equal(words, "");
}

/* Answered that it is no request, then closed; whatever the size. */
static void test_garbage(void **state)
{
	static const size_t sizes[] = { 1, sizeof(struct switch_request) - 1,
					sizeof(struct switch_request),
					sizeof(struct switch_request) + 1, 65536 };
	static const char bytes[65536];

	for (size_t i = 0; i < ARRAY_SIZE(sizes); i++) {
		struct switch_reply reply;
		struct worker worker;
		char words[512];
		int fds[2];

		assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fds), 0);
		worker = worker_start(fds[1], false, connected);
		(void)close(fds[1]);
		case_equal("garbage", ask(fds[0], bytes, sizes[i], &reply), VERDICT_FAILED);
		case_equal("garbage", reply.job, 0);
		case_equal("garbage", ask(fds[0], NULL, 0, &reply), -1);
		case_equal("garbage", worker_end(&worker, words, sizeof(words)), 0);
		case_true("garbage", strstr(words, "<3>losslessd-switch: closed: no request: "));
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
		assert_int_equal(ask_to_test(fds[i]), i < PEERS_MAX ? VERDICT_FAILED : -1);
	}
	(void)close(fds[0]);
	(void)close(fds[PEERS_MAX]);
	fds[0] = worker_connect(worker.path);
	assert_int_equal(ask_to_test(fds[0]), VERDICT_FAILED);
	for (unsigned int i = 0; i < PEERS_MAX; i++)
		(void)close(fds[i]);
	(void)kill(worker.pid, SIGTERM);
	assert_int_equal(worker_end(&worker, words, sizeof(words)), -SIGTERM);
	assert_string_equal(words, "<3>losslessd-switch: refused: 8 connections already\n");
}

/* Who asks and does not read is not heard any more; nobody waits for it. */
static void test_slow(void **state)
{
	const struct switch_request request = request_for(SWITCH_READ);
	struct worker worker;
	char words[512];
	int slow, other, n = 0;

	slow = worker_listen(&worker);
	other = worker_connect(worker.path);
	while (send(slow, &request, sizeof(request), MSG_NOSIGNAL | MSG_DONTWAIT) > 0) {
		int verdict = ask_to_test(other);

		/* all places may be taken */
		assert_true(verdict == VERDICT_FAILED || verdict == VERDICT_PENDING);
		assert_true(++n < 10000);
	}
	assert_int_equal(errno, EAGAIN);
	assert_true(ask_to_test(other) == VERDICT_FAILED);
	(void)close(slow);
	(void)close(other);
	(void)kill(worker.pid, SIGTERM);
	assert_int_equal(worker_end(&worker, words, sizeof(words)), -SIGTERM);
}

/* As systemd starts it. What came before it was idle is answered, then it ends. */
static void test_activated(void **state)
{
	static const char *const arguments[] = { "losslessd-switch", "--idle-exit=1", NULL };
	const struct switch_request request = request_for(SWITCH_TEST);
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	char folder[] = "/tmp/worker-XXXXXX", words[512];
	struct switch_reply reply;
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
	assert_int_equal(ask(fd, NULL, 0, &reply), VERDICT_FAILED);
	assert_int_equal(worker_end(&worker, words, sizeof(words)), 0);
	assert_string_equal(words, "");
	assert_int_equal(ask_to_test(fd), -1);
	(void)close(fd);
	(void)close(listener);
	(void)unlink(address.sun_path);
	(void)rmdir(folder);
}

/* No capability, no core, nothing to be looked into. */
static void test_rights(void **state)
{
	static const char *const sets[] = { "CapInh:", "CapPrm:", "CapEff:", "CapBnd:", "CapAmb:" };
	struct worker worker;
	char words[512], line[128], path[64];
	int fd, soft, hard;
	bool found = false;
	struct stat info;
	FILE *limits;

	fd = worker_listen(&worker);
	assert_int_equal(ask_to_test(fd), VERDICT_FAILED);
	worker_status(worker.pid, "NoNewPrivs:", line, sizeof(line));
	assert_string_equal(line, "NoNewPrivs:\t1\n");
	for (size_t i = 0; geteuid() == 0 && i < ARRAY_SIZE(sets); i++) {
		worker_status(worker.pid, sets[i], line, sizeof(line));
		case_string(sets[i], line + strlen(sets[i]), "\t0000000000000000\n");
	}
	(void)snprintf(path, sizeof(path), "/proc/%d/limits", worker.pid);
	limits = fopen(path, "re");
	assert_non_null(limits);
	while (fgets(line, sizeof(line), limits))
		found |= sscanf(line, "Max core file size %d %d", &soft, &hard) == 2 && !soft &&
			 !hard;
	(void)fclose(limits);
	assert_true(found);
	/* Not dumpable: its files in /proc are root's */
	(void)snprintf(path, sizeof(path), "/proc/%d/fd", worker.pid);
	assert_int_equal(stat(path, &info), 0);
	assert_int_equal(info.st_uid, 0);
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
		_exit(own < 0 ? 3 : ask_to_test(own) != -1);
	}
	assert_int_equal(waitpid(stranger, &status, 0), stranger);
	assert_int_equal(status, 0);
	assert_int_equal(ask_to_test(fd), VERDICT_FAILED);
	(void)close(fd);
	(void)kill(worker.pid, SIGTERM);
	assert_int_equal(worker_end(&worker, words, sizeof(words)), -SIGTERM);
	assert_non_null(strstr(words, "<3>losslessd-switch: refused: process "));
	assert_non_null(strstr(words, "of user 65534\n"));
}

static const struct {
	const char *name;
	const char *arguments[5];
	int status;
} usages[] = {
	{ "nothing", { "losslessd-switch" }, 64 },
	{ "no option", { "losslessd-switch", "--frob" }, 64 },
	{ "argument", { "losslessd-switch", "frob" }, 64 },
	{ "no number", { "losslessd-switch", "--fd", "x" }, 64 },
	{ "two", { "losslessd-switch", "--fd=3", "--socket=/tmp/x" }, 64 },
	{ "no such fd", { "losslessd-switch", "--fd=99" }, 1 },
	{ "no socket", { "losslessd-switch", "--fd=0" }, 1 },
	{ "no folder", { "losslessd-switch", "--socket=/no/such/folder" }, 1 },
};

static void test_usage(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(usages); i++) {
		struct worker worker = worker_start(-1, false, usages[i].arguments);
		char words[512];

		case_equal(usages[i].name, worker_end(&worker, words, sizeof(words)),
			   usages[i].status);
		case_true(usages[i].name, strncmp(words, "<3>losslessd-switch: ", 21) == 0);
	}
}

int main(int argc, char **argv)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_verbs),	  cmocka_unit_test(test_garbage),
		cmocka_unit_test(test_many),	  cmocka_unit_test(test_slow),
		cmocka_unit_test(test_activated), cmocka_unit_test(test_rights),
		cmocka_unit_test(test_stranger),  cmocka_unit_test(test_usage),
	};

	if (argc != 2)
		return EXIT_FAILURE;
	worker_program = argv[1];
	return cmocka_run_group_tests(tests, NULL, NULL);
}
