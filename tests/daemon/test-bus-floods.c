// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Plain users who do without end what each may do: root, the daemon itself and whoever asks for
 * little are served meanwhile. test-bus-floods PATH-OF-FAKE-DAEMON
 */
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "lib/base/macro.h"
#include "tests/daemon/peer.h"
#include "tests/support/cases.h"

enum {
	NOBODY = 65534,
	OTHER = 65533,
	CONNECTIONS = 12,
	MESSAGES = 64,
	WORDS_MS = 3000,	/* for a few calls: who starves waits for the end of the flood */
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
		pid_t pid = begin_flood(floods[i].flood);
		long begun = now_ms();

		for (int n = 0; n < 5; n++)
			peer_assert_alive(floods[i].name);
		case_true(floods[i].name, now_ms() - begun < WORDS_MS);
		begun = now_ms();
		case_equal(floods[i].name, peer_as(OTHER, ask_status), 0);
		case_true(floods[i].name, now_ms() - begun < WORDS_MS);
		end_flood(pid);
	}
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
		cmocka_unit_test_setup_teardown(test_unread, peer_start, peer_stop),
		cmocka_unit_test_setup_teardown(test_questions, peer_start_slow, peer_stop),
	};

	if (argc != 2)
		return 64;
	peer_program = argv[1];
	(void)signal(SIGPIPE, SIG_IGN);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
