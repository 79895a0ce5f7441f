// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The socket of losslessd, asked by peers that are hostile, wrong, or gone. After each case it
 * still has to answer. test-bus PATH-OF-FAKE-DAEMON
 */
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "lib/base/macro.h"
#include "tests/daemon/peer.h"
#include "tests/support/cases.h"

enum { MIB = 1024 * 1024 };

/* ---- files ---- */

static const struct {
	const char *name;
	const char *method;
	size_t size;
	int seals;
	const char *words; /* NULL: taken */
} files[] = {
	{ "sealed", "Apply", sizeof(peer_spec) - 1, ALL_SEALS, NULL },
	{ "not sealed", "Apply", sizeof(peer_spec) - 1, 0, "sealed memfd" },
	{ "may be written", "Apply", sizeof(peer_spec) - 1, ALL_SEALS & ~F_SEAL_WRITE,
	  "sealed memfd" },
	{ "may grow", "Apply", sizeof(peer_spec) - 1, ALL_SEALS & ~F_SEAL_GROW, "sealed memfd" },
	{ "may shrink", "Apply", sizeof(peer_spec) - 1, ALL_SEALS & ~F_SEAL_SHRINK,
	  "sealed memfd" },
	{ "seals not sealed", "Apply", sizeof(peer_spec) - 1, ALL_SEALS & ~F_SEAL_SEAL,
	  "sealed memfd" },
	{ "16 MiB", "Apply", 16 * MIB, ALL_SEALS, NULL },
	{ "a byte more", "Apply", 16 * MIB + 1, ALL_SEALS, "16 MiB" },
	{ "very large", "Apply", (size_t)1 << 40, ALL_SEALS, "16 MiB" },
	{ "a plan that is not sealed", "Plan", sizeof(peer_spec) - 1, 0, "sealed memfd" },
};

static void test_files(void **state)
{
	sd_bus *bus = peer_open();

	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		sd_bus_error error = SD_BUS_ERROR_NULL;
		int fd = peer_memfd(peer_spec, files[i].size, files[i].seals);
		unsigned int number = peer_apply(bus, files[i].method, fd, &error);

		case_true(files[i].name, !number == !!files[i].words);
		if (files[i].words)
			case_true(files[i].name, strstr(error.message, files[i].words));
		sd_bus_error_free(&error);
		(void)close(fd);
	}
	(void)sd_bus_flush_close_unref(bus);
	peer_assert_alive("files");
}

static void test_no_memfd(void **state)
{
	sd_bus_error error = SD_BUS_ERROR_NULL;
	sd_bus *bus = peer_open();
	int pipes[2], fd = open("/dev/zero", O_RDONLY);

	assert_int_equal(pipe(pipes), 0);
	assert_int_equal(peer_apply(bus, "Apply", fd, NULL), 0);
	assert_int_equal(peer_apply(bus, "Apply", pipes[0], &error), 0);
	case_true("pipe", strstr(error.message, "sealed memfd"));
	sd_bus_error_free(&error);
	(void)close(fd);
	(void)close(pipes[0]);
	(void)close(pipes[1]);
	(void)sd_bus_flush_close_unref(bus);
	peer_assert_alive("no memfd");
}

/* ---- calls ---- */

static void test_options(void **state)
{
	static const char *const names[] = { "no-such-option", "width", "" };
	/* A day and a millisecond, and what wraps around as seconds */
	static const uint64_t spans_ms[] = { 86400001, UINT64_MAX - 998, UINT64_MAX };
	sd_bus *bus = peer_open();

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		sd_bus_error error = SD_BUS_ERROR_NULL;

		/* "width" is a number */
		case_true(names[i], sd_bus_call_method(bus, METHOD_OF("Reload"), &error, NULL,
						       "a{sv}", 1, names[i], "s", "80") < 0);
		case_true(names[i], sd_bus_error_has_name(&error, SD_BUS_ERROR_INVALID_ARGS));
		sd_bus_error_free(&error);
	}
	for (size_t i = 0; i < ARRAY_SIZE(spans_ms); i++) {
		sd_bus_error error = SD_BUS_ERROR_NULL;

		case_true("a span", sd_bus_call_method(bus, METHOD_OF("Reload"), &error, NULL,
						       "a{sv}", 1, "confirm-msec", "t",
						       spans_ms[i]) < 0);
		case_true("a span", sd_bus_error_has_name(&error, SD_BUS_ERROR_INVALID_ARGS));
		sd_bus_error_free(&error);
	}
	(void)sd_bus_flush_close_unref(bus);
	peer_assert_alive("options");
}

static const struct {
	const char *name;
	const char *text;
	unsigned int exit;
	const char *words;	/* of a person */
	const char *errors;
} checks[] = {
	{ "well", peer_spec, 0, "valid, fabric pod-a", "" },
	{ "empty", "", 3, "", "error:" },
	{ "unknown key", "version: 1\nfabric: a\nqoss: {}\nnodes: {\"*\": {}}\n", 3, "",
	  "fabric.yaml:3:1: error:" },
};

static void test_check(void **state)
{
	sd_bus *bus = peer_open();

	for (size_t i = 0; i < ARRAY_SIZE(checks); i++) {
		int fd = peer_memfd(checks[i].text, strlen(checks[i].text), ALL_SEALS);
		const char *words, *json, *errors;
		sd_bus_message *reply = NULL;
		unsigned int exit;

		case_true(checks[i].name, sd_bus_call_method(bus, METHOD_OF("Check"), NULL, &reply,
							     "h", fd) >= 0);
		case_true(checks[i].name,
			  sd_bus_message_read(reply, "usss", &exit, &words, &json, &errors) > 0);
		case_equal(checks[i].name, exit, checks[i].exit);
		case_true(checks[i].name, strstr(words, checks[i].words));
		case_true(checks[i].name, strstr(errors, checks[i].errors));
		case_true(checks[i].name, strstr(json, "\"schema\""));
		(void)sd_bus_message_unref(reply);
		(void)close(fd);
	}
	(void)sd_bus_flush_close_unref(bus);
	peer_assert_alive("check");
}

/* The whole bundle, and nobody can change it any more. */
static void test_record(void **state)
{
	static char text[1024 * 1024];
	sd_bus *bus = peer_open();
	sd_bus_message *reply = NULL;
	ssize_t n;
	int fd;

	assert_true(sd_bus_call_method(bus, METHOD_OF("Record"), NULL, &reply, "") >= 0);
	assert_true(sd_bus_message_read(reply, "h", &fd) > 0);
	assert_int_equal(fcntl(fd, F_GET_SEALS) & ALL_SEALS, ALL_SEALS);
	n = pread(fd, text, sizeof(text) - 1, 0);
	assert_in_range(n, 100, sizeof(text) - 2);
	text[n] = '\0';
	assert_non_null(strstr(text, "losslessd bundle 1\n"));
	assert_string_equal(text + n - strlen("end\n"), "end\n");
	(void)sd_bus_message_unref(reply);
	(void)sd_bus_flush_close_unref(bus);
}

static void test_jobs_that_are_none(void **state)
{
	static const char *const jobs[] = {
		"/org/lossless/Node1/job/77",
		"/org/lossless/Node1/job/0",
		"/org/lossless/Node1/job/99999999999999999999999",
		"/org/lossless/Node1/job/1x",
		"/org/lossless/Node1",
		"/",
	};
	sd_bus *bus = peer_open();

	for (size_t i = 0; i < ARRAY_SIZE(jobs); i++) {
		case_true(jobs[i], sd_bus_call_method(bus, METHOD_OF("GetResult"), NULL, NULL, "o",
						      jobs[i]) < 0);
		case_true(jobs[i],
			  sd_bus_call_method(bus, METHOD_OF("Stop"), NULL, NULL, "o", jobs[i]) < 0);
	}
	(void)sd_bus_flush_close_unref(bus);
	peer_assert_alive("jobs");
}

static void test_results_are_kept(void **state)
{
	sd_bus *bus = peer_open();
	int fd = peer_memfd(peer_spec, sizeof(peer_spec) - 1, ALL_SEALS);
	unsigned int first = peer_apply(bus, "Apply", fd, NULL), last = first;

	case_equal("the first", peer_result(bus, first), 0);
	for (int i = 0; i < 15; i++)
		last = peer_apply(bus, "Apply", fd, NULL);
	case_equal("the last", peer_result(bus, last), 0);
	case_equal("the first, after 15", peer_result(bus, first), 0);
	last = peer_apply(bus, "Apply", fd, NULL);
	case_equal("the 17th", peer_result(bus, last), 0);
	case_true("the first, after 16", sd_bus_call_method(bus, METHOD_OF("GetResult"), NULL, NULL,
							    "o", "/org/lossless/Node1/job/1") < 0);
	(void)close(fd);
	(void)sd_bus_flush_close_unref(bus);
}

static void test_facts(void **state)
{
	const char *target, *knob, *verdict, *want, *have, *reason, *kind;
	sd_bus_message *reply = NULL;
	sd_bus *bus = peer_open();
	int fd = peer_memfd(peer_spec, sizeof(peer_spec) - 1, ALL_SEALS), in_sync = 0;

	assert_int_equal(peer_result(bus, peer_apply(bus, "Apply", fd, NULL)), 0);
	assert_true(sd_bus_get_property_trivial(bus, METHOD_OF("InSync"), NULL, 'b', &in_sync) >=
		    0);
	assert_true(in_sync);
	(void)kill(peer_daemon, SIGUSR1);
	rest_ms(100);
	assert_true(sd_bus_call_method(bus, METHOD_OF("GetReport"), NULL, NULL, "a{sv}", 0) >= 0);
	assert_true(sd_bus_call_method(bus, METHOD_OF("GetStatus"), NULL, &reply, "") >= 0);
	assert_true(sd_bus_message_enter_container(reply, 'a', "(sssssss)") > 0);
	/* One for each knob: the first of PFC is the port's where it was turned off */
	do
		assert_true(sd_bus_message_read(reply, "(sssssss)", &kind, &target, &knob, &verdict,
						&want, &have, &reason) > 0);
	while (strcmp(knob, "pfc") != 0);
	assert_string_equal(kind, "port");
	assert_string_equal(target, "ens1f0np0");
	assert_string_equal(verdict, "drift");
	assert_string_equal(want, "3");
	assert_string_equal(have, "none");
	(void)sd_bus_message_unref(reply);
	(void)close(fd);
	(void)sd_bus_flush_close_unref(bus);
}

/* ---- peers that behave badly ---- */

/* Closed by the other end, within 5 s. */
static bool is_closed(int fd)
{
	struct pollfd poll_fd = { .fd = fd, .events = POLLIN };
	char bytes[4096];

	while (poll(&poll_fd, 1, 5000) > 0)
		if (read(fd, bytes, sizeof(bytes)) <= 0)
			return true;
	return false;
}

static const struct {
	const char *name;
	const char *bytes;
	size_t size;
	bool waits; /* it may be the beginning of something: closed much later */
} garbage[] = {
	{ "no word of D-Bus", "GET / HTTP/1.1\r\n\r\n", 18 },
	{ "nothing", "", 0, true },
	{ "zeroes", "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 16, true },
	{ "authenticated, then no message",
	  "\0AUTH EXTERNAL 30\r\nBEGIN\r\n\xff\xff\xff\xff\xff\xff"
	  "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff",
	  42 },
	{ "a message without an end",
	  "\0AUTH EXTERNAL 30\r\nBEGIN\r\nl\1\0\1\xff\xff\xff\xff"
	  "\1\0\0\0\xff\xff\xff\xff",
	  42 },
};

static void test_garbage(void **state)
{
	if (geteuid() != 0)
		skip(); /* the bytes say uid 0 */
	for (size_t i = 0; i < ARRAY_SIZE(garbage); i++) {
		int fd = peer_connect();

		case_equal(garbage[i].name, write(fd, garbage[i].bytes, garbage[i].size),
			   garbage[i].size);
		/* More of it: what came with the end of the greeting is looked at then */
		rest_ms(100);
		(void)send(fd, garbage[i].bytes, garbage[i].size, MSG_NOSIGNAL);
		if (!garbage[i].waits)
			case_true(garbage[i].name, is_closed(fd));
		(void)close(fd);
		peer_assert_alive(garbage[i].name);
	}
}

static void test_all_at_once(void **state)
{
	static const char bytes[] =
		"\0AUTH EXTERNAL 30\r\nBEGIN\r\n"
		"l\1\0\1\0\0\0\0\1\0\0\0R\0\0\0"
		"\1\1o\0\23\0\0\0/org/lossless/Node1\0\0\0\0\0"
		"\2\1s\0\22\0\0\0org.lossless.Node1\0\0\0\0\0\0"
		"\3\1s\0\11\0\0\0GetStatus\0\0\0\0\0\0";
	int fd = peer_connect();
	char answer[512] = "";
	ssize_t n = 0;

	if (geteuid() != 0)
		skip();
	assert_int_equal(write(fd, bytes, sizeof(bytes)), sizeof(bytes));
	for (int i = 0; i < 50 && !memmem(answer, sizeof(answer), "a(sssssss)", 10); i++) {
		ssize_t got = recv(fd, answer + n, sizeof(answer) - (size_t)n, MSG_DONTWAIT);

		n += got > 0 ? got : 0;
		rest_ms(20);
	}
	case_true("the answer", memmem(answer, sizeof(answer), "a(sssssss)", 10));
	(void)close(fd);
	peer_assert_alive("all at once");
}

static void test_peer_dies(void **state)
{
	sd_bus_message *call = NULL;
	int fd = peer_memfd(peer_spec, sizeof(peer_spec) - 1, ALL_SEALS);
	sd_bus *bus = peer_open();

	/* Asked, and gone before the answer */
	assert_true(sd_bus_message_new_method_call(bus, &call, METHOD_OF("Apply")) >= 0);
	assert_true(sd_bus_message_append(call, "ha{sv}", fd, 0) >= 0);
	assert_true(sd_bus_send(bus, call, NULL) >= 0);
	call = sd_bus_message_unref(call);
	assert_true(sd_bus_message_new_method_call(bus, &call, METHOD_OF("GetReport")) >= 0);
	assert_true(sd_bus_message_append(call, "a{sv}", 0) >= 0);
	assert_true(sd_bus_send(bus, call, NULL) >= 0);
	(void)sd_bus_message_unref(call);
	assert_true(sd_bus_flush(bus) >= 0);
	(void)sd_bus_close_unref(bus);
	(void)close(fd);
	peer_assert_alive("in the middle");
	bus = peer_open();
	case_equal("its job", peer_result(bus, 1), 0);
	(void)sd_bus_flush_close_unref(bus);
}

static void test_does_not_read(void **state)
{
	sd_bus *deaf = peer_open(), *bus = peer_open();

	/* It has spoken once, so that it is a peer like any other */
	assert_true(sd_bus_call_method(deaf, METHOD_OF("GetStatus"), NULL, NULL, "") >= 0);
	assert_true(sd_bus_call_method(bus, METHOD_OF("Confirm"), NULL, NULL, "a{sv}", 0) >= 0);
	case_equal("who reads is served to the end", peer_result(bus, 1), 1);
	assert_true(is_closed(sd_bus_get_fd(deaf)));
	peer_assert_alive("noise");
	(void)sd_bus_close_unref(deaf);
	(void)sd_bus_close_unref(bus);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_files, peer_start, peer_stop),
		cmocka_unit_test_setup_teardown(test_no_memfd, peer_start, peer_stop),
		cmocka_unit_test_setup_teardown(test_check, peer_start, peer_stop),
		cmocka_unit_test_setup_teardown(test_record, peer_start, peer_stop),
		cmocka_unit_test_setup_teardown(test_options, peer_start, peer_stop),
		cmocka_unit_test_setup_teardown(test_jobs_that_are_none, peer_start, peer_stop),
		cmocka_unit_test_setup_teardown(test_results_are_kept, peer_start, peer_stop),
		cmocka_unit_test_setup_teardown(test_facts, peer_start, peer_stop),
		cmocka_unit_test_setup_teardown(test_garbage, peer_start, peer_stop),
		cmocka_unit_test_setup_teardown(test_all_at_once, peer_start, peer_stop),
		cmocka_unit_test_setup_teardown(test_peer_dies, peer_start_slow, peer_stop),
		cmocka_unit_test_setup_teardown(test_does_not_read, peer_start_noisy, peer_stop),
	};

	if (argc != 2)
		return 64;
	peer_program = argv[1];
	(void)signal(SIGPIPE, SIG_IGN);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
