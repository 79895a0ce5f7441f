// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Who may what at the socket of losslessd, how often, and how many at once: what plain users do
 * keeps root from nothing. test-bus-users PATH-OF-FAKE-DAEMON
 */
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/base/macro.h"
#include "tests/daemon/peer.h"
#include "tests/support/cases.h"

enum {
	NOBODY = 65534,
	OTHER = 65533,
	THIRD = 65532,
	PLACES = 32,
	PLACES_OF_OTHERS = 24,
	PLACES_OF_ONE = 12,
	MIB = 1024 * 1024,
};

/* ---- places and users ---- */

/* So many connections stay open at once. */
static int count_places(int *fds, int n)
{
	int open = 0;

	for (int i = 0; i < n; i++)
		fds[i] = peer_connect();
	rest_ms(200);
	for (int i = 0; i < n; i++) {
		struct pollfd poll_fd = { .fd = fds[i], .events = POLLIN };

		open += poll(&poll_fd, 1, 0) == 0;
	}
	return open;
}

static void close_all(const int *fds, int n)
{
	for (int i = 0; i < n; i++)
		(void)close(fds[i]);
	rest_ms(200);
}

static int places_of_one(void)
{
	int fds[PLACES];

	return count_places(fds, PLACES);
}

static void test_places(void **state)
{
	int fds[PLACES + 8];

	if (geteuid() != 0)
		skip();
	for (int i = 0; i < 3; i++) {
		case_equal("root", count_places(fds, PLACES + 1), PLACES);
		case_equal("one more when one goes",
			   (close(fds[0]), rest_ms(100), count_places(fds, 1)), 1);
		close_all(fds, PLACES + 1);
	}
	case_equal("one user", peer_as(NOBODY, places_of_one), PLACES_OF_ONE);
	rest_ms(200);
	peer_assert_alive("places");
}

static int hold_places(void)
{
	int fds[PLACES];

	if (count_places(fds, PLACES) != PLACES_OF_ONE)
		return 1;
	rest_ms(3000);
	return 0;
}

static void test_places_of_root(void **state)
{
	static const uid_t users[] = { NOBODY, OTHER };
	int fds[PLACES], status;
	pid_t pids[2];

	if (geteuid() != 0)
		skip();
	for (int i = 0; i < 2; i++) {
		pids[i] = fork();
		if (pids[i] == 0)
			_exit(peer_as(users[i], hold_places));
	}
	rest_ms(1000);
	case_equal("nothing for a third user", peer_as(THIRD, places_of_one), 0);
	case_equal("what two users leave", count_places(fds, PLACES), PLACES - PLACES_OF_OTHERS);
	close_all(fds, PLACES);
	peer_assert_alive("two users");
	for (int i = 0; i < 2; i++) {
		assert_int_equal(waitpid(pids[i], &status, 0), pids[i]);
		assert_int_equal(status, 0);
	}
}

static const char *const changing[] = { "Confirm", "Rollback", "Reload" };

/* Everything that changes is refused, with the same line; reading is not. */
static int ask_all(void)
{
	sd_bus_error error = SD_BUS_ERROR_NULL;
	sd_bus *bus = peer_open();
	int fd = peer_memfd(peer_spec, sizeof(peer_spec) - 1, ALL_SEALS);
	int big = peer_memfd(peer_spec, MIB + 1, ALL_SEALS);

	if (peer_apply(bus, "Apply", fd, &error) ||
	    !sd_bus_error_has_name(&error, SD_BUS_ERROR_ACCESS_DENIED) ||
	    !strstr(error.message, "needs root"))
		return 1;
	for (size_t i = 0; i < ARRAY_SIZE(changing); i++) {
		sd_bus_error_free(&error);
		if (sd_bus_call_method(bus, METHOD_OF(changing[i]), &error, NULL, "a{sv}", 0) >=
			    0 ||
		    !sd_bus_error_has_name(&error, SD_BUS_ERROR_ACCESS_DENIED))
			return 2;
	}
	sd_bus_error_free(&error);
	if (sd_bus_call_method(bus, METHOD_OF("Stop"), &error, NULL, "o",
			       "/org/lossless/Node1/job/1") >= 0 ||
	    !sd_bus_error_has_name(&error, SD_BUS_ERROR_ACCESS_DENIED))
		return 3;
	if (sd_bus_call_method(bus, METHOD_OF("GetReport"), NULL, NULL, "a{sv}", 0) < 0)
		return 4;
	if (sd_bus_call_method(bus, METHOD_OF("Plan"), NULL, NULL, "ha{sv}", fd, 0) < 0)
		return 5;
	if (sd_bus_call_method(bus, METHOD_OF("Plan"), NULL, NULL, "ha{sv}", big, 0) >= 0)
		return 6;
	return 0;
}

static void test_users(void **state)
{
	if (geteuid() != 0)
		skip();
	assert_int_equal(peer_as(NOBODY, ask_all), 0);
	peer_assert_alive("users");
}

static int answers, refusals;

static int on_answer(sd_bus_message *message, void *data, sd_bus_error *error)
{
	answers++;
	refusals += sd_bus_error_has_name(sd_bus_message_get_error(message),
					  SD_BUS_ERROR_LIMITS_EXCEEDED);
	return 0;
}

/* Ten questions at once while a step lasts: eight wait, two are refused at once. */
static int ask_ten(void)
{
	sd_bus *bus = peer_open();

	for (int i = 0; i < 10; i++)
		if (sd_bus_call_method_async(bus, NULL, METHOD_OF("GetReport"), on_answer, NULL,
					     "a{sv}", 0) < 0)
			return 1;
	while (answers < 10) {
		int r = sd_bus_process(bus, NULL);

		if (r < 0 || (r == 0 && sd_bus_wait(bus, 20 * 1000 * 1000) < 0))
			return 2;
	}
	return refusals == 2 ? 0 : 10 + refusals;
}

static void test_questions(void **state)
{
	sd_bus *bus = peer_open();
	int fd = peer_memfd(peer_spec, sizeof(peer_spec) - 1, ALL_SEALS);

	if (geteuid() != 0)
		skip();
	assert_true(peer_apply(bus, "Apply", fd, NULL) > 0);
	assert_int_equal(peer_as(NOBODY, ask_ten), 0);
	(void)close(fd);
	(void)sd_bus_flush_close_unref(bus);
	peer_assert_alive("questions");
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_places, peer_start, peer_stop),
		cmocka_unit_test_setup_teardown(test_places_of_root, peer_start, peer_stop),
		cmocka_unit_test_setup_teardown(test_users, peer_start, peer_stop),
		cmocka_unit_test_setup_teardown(test_questions, peer_start_slow, peer_stop),
	};

	if (argc != 2)
		return 64;
	peer_program = argv[1];
	(void)signal(SIGPIPE, SIG_IGN);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
