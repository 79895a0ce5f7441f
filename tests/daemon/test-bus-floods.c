// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Plain users who do without end what each may do: root, the daemon itself and whoever asks for
 * little are served meanwhile. test-bus-floods PATH-OF-FAKE-DAEMON
 */
#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "lib/base/macro.h"
#include "tests/daemon/peer.h"
#include "tests/support/cases.h"

#ifndef __has_feature
#define __has_feature(name) 0
#endif

enum {
	NOBODY = 65534,
	OTHER = 65533,
	CONNECTIONS = 12,
	MESSAGES = 64,
	WORDS_MS = 20 * 1000,	/* for a few calls: who starves waits without an end */
	FDS_OF_ONE = 200,
};

static const char greeting[] = "\0AUTH ANONYMOUS\r\nNEGOTIATE_UNIX_FD\r\nBEGIN\r\n";
/* GetStatus; nobody waits for its answer */
static const char call[] = "l\1\1\1\0\0\0\0\1\0\0\0R\0\0\0"
			   "\1\1o\0\23\0\0\0/org/lossless/Node1\0\0\0\0\0"
			   "\2\1s\0\22\0\0\0org.lossless.Node1\0\0\0\0\0\0"
			   "\3\1s\0\11\0\0\0GetStatus\0\0\0\0\0\0";
enum { CALL_SIZE = 104 };

static long now_ms(void)
{
	struct timespec time;

	(void)clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

/* ---- who floods ---- */

static void write_calls(int fd)
{
	static char many[MESSAGES * CALL_SIZE];

	for (size_t i = 0; i < MESSAGES; i++)
		memcpy(many + i * CALL_SIZE, call, CALL_SIZE);
	for (size_t at = 0; at < sizeof(many);) {
		ssize_t n = send(fd, many + at, sizeof(many) - at, MSG_NOSIGNAL);

		if (n <= 0)
			return;
		at += (size_t)n;
	}
}

_Noreturn static int flood_calls(void)
{
	int fds[CONNECTIONS];

	for (int i = 0; i < CONNECTIONS; i++) {
		fds[i] = peer_connect();
		(void)send(fds[i], greeting, sizeof(greeting) - 1, MSG_NOSIGNAL);
	}
	for (;;)
		for (int i = 0; i < CONNECTIONS; i++)
			write_calls(fds[i]);
}

_Noreturn static int flood_one(void)
{
	int fd = peer_connect();

	(void)send(fd, greeting, sizeof(greeting) - 1, MSG_NOSIGNAL);
	for (;;)
		write_calls(fd);
}

/* Messages of 64 MiB, of which losslessd sees none for long. */
_Noreturn static int flood_bytes(void)
{
	static const char begin[] = "l\1\1\1\0\0\0\4\1\0\0\0\0\0\0\0";
	static char bytes[128 * 1024];

	for (;;) {
		int fd = peer_connect();

		(void)send(fd, greeting, sizeof(greeting) - 1, MSG_NOSIGNAL);
		rest_ms(10);
		(void)send(fd, begin, 16, MSG_NOSIGNAL);
		while (send(fd, bytes, sizeof(bytes), MSG_NOSIGNAL) > 0)
			;
		(void)close(fd);
	}
}

_Noreturn static int flood_connections(void)
{
	for (;;)
		(void)close(peer_connect());
}

/* As NOBODY, until end_flood(). */
static pid_t begin_flood(int (*flood)(void))
{
	pid_t pid = fork();

	if (pid == 0) {
		(void)setpgid(0, 0);
		if (setresgid(NOBODY, NOBODY, NOBODY) < 0 || setresuid(NOBODY, NOBODY, NOBODY) < 0)
			_exit(99);
		(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
		_exit(flood());
	}
	rest_ms(500);
	return pid;
}

static void end_flood(pid_t pid)
{
	int status;

	(void)kill(pid, SIGKILL);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	case_equal("it went on", WIFSIGNALED(status), 1);
}

static int ask_status(void)
{
	sd_bus *bus = peer_open();

	return sd_bus_call_method(bus, METHOD_OF("GetReport"), NULL, NULL, "a{sv}", 0) < 0;
}

static const struct {
	const char *name;
	int (*flood)(void);
} floods[] = {
	{ "calls on one connection", flood_one },
	{ "calls on twelve connections", flood_calls },
	{ "bytes", flood_bytes },
	{ "connections", flood_connections },
};

static void test_floods(void **state)
{
	if (geteuid() != 0)
		skip();
	for (size_t i = 0; i < ARRAY_SIZE(floods); i++) {
		long begun;
		pid_t pid;

		/* The sanitizer fences and fills each of 64 MiB */
		if (__has_feature(address_sanitizer) && floods[i].flood == flood_bytes)
			continue;
		pid = begin_flood(floods[i].flood);
		begun = now_ms();

		for (int n = 0; n < 5; n++)
			peer_assert_alive(floods[i].name);
		case_true(floods[i].name, now_ms() - begun < WORDS_MS);
		begun = now_ms();
		case_equal(floods[i].name, peer_as(OTHER, ask_status), 0);
		case_true(floods[i].name, now_ms() - begun < WORDS_MS);
		end_flood(pid);
	}
}

/* ---- who holds ---- */

static size_t count_fds(void)
{
	char path[64];
	size_t n = 0;
	DIR *dir;

	(void)snprintf(path, sizeof(path), "/proc/%d/fd", (int)peer_daemon);
	dir = opendir(path);
	assert_non_null(dir);
	while (readdir(dir))
		n++;
	(void)closedir(dir);
	return n;
}

/* The beginning of a message that has no end, and descriptors with each byte of it. */
static int send_fds(int fd)
{
	char control[CMSG_SPACE(FDS_OF_ONE * sizeof(int))] = "", byte = 'l';
	struct iovec part = { &byte, 1 };
	struct msghdr message = {
		.msg_iov = &part,
		.msg_iovlen = 1,
		.msg_control = control,
		.msg_controllen = sizeof(control),
	};
	struct cmsghdr *header = CMSG_FIRSTHDR(&message);
	int fds[FDS_OF_ONE];

	for (int i = 0; i < FDS_OF_ONE; i++)
		fds[i] = STDERR_FILENO;
	header->cmsg_level = SOL_SOCKET;
	header->cmsg_type = SCM_RIGHTS;
	header->cmsg_len = CMSG_LEN(sizeof(fds));
	memcpy(CMSG_DATA(header), fds, sizeof(fds));
	return (int)sendmsg(fd, &message, MSG_NOSIGNAL);
}

_Noreturn static int hold_fds(void)
{
	for (;;) {
		int fds[CONNECTIONS];

		for (int i = 0; i < CONNECTIONS; i++) {
			fds[i] = peer_connect();
			(void)send(fds[i], greeting, sizeof(greeting) - 1, MSG_NOSIGNAL);
		}
		rest_ms(20);
		for (int i = 0; i < CONNECTIONS; i++)
			(void)send_fds(fds[i]);
		rest_ms(500);
		for (int i = 0; i < CONNECTIONS; i++)
			(void)close(fds[i]);
	}
}

static void test_descriptors(void **state)
{
	int fd = peer_memfd(peer_spec, sizeof(peer_spec) - 1, ALL_SEALS);
	pid_t pid;

	if (geteuid() != 0)
		skip();
	pid = begin_flood(hold_fds);
	for (int i = 0; i < 20; i++) {
		sd_bus *bus = peer_open();
		size_t n = count_fds();

		case_true("an apply of root", peer_apply(bus, "Apply", fd, NULL) > 0);
		case_true("half of what there is", n < 800);
		(void)sd_bus_flush_close_unref(bus);
		rest_ms(50);
	}
	end_flood(pid);
	(void)close(fd);
	rest_ms(100);
	peer_assert_alive("descriptors");
	case_true("none is left", count_fds() < 40);
}

/* Time on a CPU, of the process of the daemon. */
static long busy_ms(void)
{
	struct timespec time;
	clockid_t clock;

	assert_int_equal(clock_getcpuclockid(peer_daemon, &clock), 0);
	assert_int_equal(clock_gettime(clock, &time), 0);
	return time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

/* No place for the next one: he waits, and nobody spins. */
static void test_no_descriptors(void **state)
{
	struct rlimit few = { 16, 1024 }, many = { 1024, 1024 };
	int fds[16];
	long begun;

	assert_int_equal(prlimit(peer_daemon, RLIMIT_NOFILE, &few, NULL), 0);
	for (size_t i = 0; i < ARRAY_SIZE(fds); i++)
		fds[i] = peer_connect();
	rest_ms(200);
	begun = busy_ms();
	rest_ms(1500);
	case_true("nobody spins", busy_ms() - begun < 200);
	assert_int_equal(prlimit(peer_daemon, RLIMIT_NOFILE, &many, NULL), 0);
	peer_assert_alive("no descriptors");
	for (size_t i = 0; i < ARRAY_SIZE(fds); i++)
		(void)close(fds[i]);
}

/* ---- who does not read ---- */

static int on_answer(sd_bus_message *message, void *data, sd_bus_error *error)
{
	return 0;
}

/* Asks until it is let go; 0: it was. */
static int ask_without_reading(void)
{
	sd_bus *bus = peer_open();

	for (int i = 0; i < 20000; i++)
		if (sd_bus_call_method_async(bus, NULL, METHOD_OF("GetStatus"), on_answer, NULL,
					     "") < 0 ||
		    sd_bus_flush(bus) < 0)
			return 0;
	return 1;
}

static void test_unread(void **state)
{
	sd_bus *bus = peer_open();
	int fd = peer_memfd(peer_spec, sizeof(peer_spec) - 1, ALL_SEALS);

	if (geteuid() != 0)
		skip();
	/* So that there is something to say */
	assert_int_equal(peer_result(bus, peer_apply(bus, "Apply", fd, NULL)), 0);
	case_equal("let go soon", peer_as(NOBODY, ask_without_reading), 0);
	(void)close(fd);
	(void)sd_bus_flush_close_unref(bus);
	peer_assert_alive("unread");
}

/* ---- who asks ---- */

static int ask_and_go(void)
{
	for (int i = 0; i < 40; i++) {
		sd_bus *bus = peer_open();

		for (int n = 0; n < 4; n++)
			if (sd_bus_call_method_async(bus, NULL, METHOD_OF("GetReport"), on_answer,
						     NULL, "a{sv}", 0) < 0)
				return 1;
		if (sd_bus_flush(bus) < 0)
			return 2;
		rest_ms(10);
		(void)sd_bus_flush_close_unref(bus);
	}
	return 0;
}

static void test_questions(void **state)
{
	sd_bus *bus = peer_open();
	int fd = peer_memfd(peer_spec, sizeof(peer_spec) - 1, ALL_SEALS);

	if (geteuid() != 0)
		skip();
	assert_true(peer_apply(bus, "Apply", fd, NULL) > 0);
	assert_int_equal(peer_as(NOBODY, ask_and_go), 0);
	case_true("root",
		  sd_bus_call_method(bus, METHOD_OF("Confirm"), NULL, NULL, "a{sv}", 0) >= 0);
	case_equal("another user", peer_as(OTHER, ask_status), 0);
	(void)close(fd);
	(void)sd_bus_flush_close_unref(bus);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_floods, peer_start, peer_stop),
		cmocka_unit_test_setup_teardown(test_descriptors, peer_start, peer_stop),
		cmocka_unit_test_setup_teardown(test_no_descriptors, peer_start, peer_stop),
		cmocka_unit_test_setup_teardown(test_unread, peer_start, peer_stop),
		cmocka_unit_test_setup_teardown(test_questions, peer_start_slow, peer_stop),
	};

	if (argc != 2)
		return 64;
	peer_program = argv[1];
	(void)signal(SIGPIPE, SIG_IGN);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
