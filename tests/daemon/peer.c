// SPDX-License-Identifier: LGPL-2.1-or-later
/* The daemon as a process, and sd-bus as its peer. */
#include "tests/daemon/peer.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "lib/base/cleanup.h"
#include "tests/support/cases.h"

const char *peer_program;
pid_t peer_daemon;

static char folder[64], path[96];

/* ---- the daemon ---- */

void rest_ms(long ms)
{
	struct timespec time = { ms / 1000, ms % 1000 * 1000000 };

	(void)nanosleep(&time, NULL);
}

int peer_connect(void)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	assert_true(fd >= 0);
	memcpy(address.sun_path, path, strlen(path) + 1);
	if (connect(fd, (struct sockaddr *)&address, sizeof(address)) == 0)
		return fd;
	(void)close(fd);
	return -1;
}

static int start_with(void **state, const char *option, const char *value)
{
	int fd = -1;

	(void)snprintf(folder, sizeof(folder), "/tmp/test-bus-XXXXXX");
	assert_non_null(mkdtemp(folder));
	assert_int_equal(chmod(folder, 0755), 0);
	(void)snprintf(path, sizeof(path), "%s/bus", folder);
	peer_daemon = fork();
	if (peer_daemon == 0) {
		/* No bus of this machine */
		(void)setenv("DBUS_SYSTEM_BUS_ADDRESS", "unix:path=/no-such-bus", 1);
		(void)execl(peer_program, peer_program, option, value, folder, NULL);
		_exit(127);
	}
	for (int i = 0; i < 500 && fd < 0; i++) {
		rest_ms(10);
		fd = peer_connect();
	}
	assert_true(fd >= 0);
	(void)close(fd);
	return 0;
}

int peer_start(void **state)
{
	return start_with(state, "--step-ms=0", "--step-ms=0");
}

int peer_start_slow(void **state)
{
	return start_with(state, "--step-ms=500", "--step-ms=500");
}

int peer_start_noisy(void **state)
{
	return start_with(state, "--noise=20000", "--step-ms=0");
}

/* It ends well when it is told to, and not before. */
int peer_stop(void **state)
{
	char command[128];
	int status = -1;

	assert_int_equal(waitpid(peer_daemon, &status, WNOHANG), 0);
	(void)kill(peer_daemon, SIGTERM);
	assert_int_equal(waitpid(peer_daemon, &status, 0), peer_daemon);
	assert_int_equal(status, 0);
	(void)snprintf(command, sizeof(command), "rm -r -- '%s'", folder);
	return system(command) == 0 ? 0 : -1;
}

/* ---- a peer ---- */

int peer_as(uid_t uid, int (*run)(void))
{
	pid_t pid = fork();
	int status = -1;

	if (pid == 0)
		_exit(setresgid(uid, uid, uid) < 0 || setresuid(uid, uid, uid) < 0 ? 99 : run());
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

sd_bus *peer_open(void)
{
	sd_bus *bus = NULL;
	int fd = peer_connect();

	assert_true(fd >= 0);
	assert_true(fcntl(fd, F_SETFL, O_NONBLOCK) == 0);
	assert_true(sd_bus_new(&bus) >= 0);
	assert_true(sd_bus_set_fd(bus, fd, fd) >= 0);
	assert_true(sd_bus_negotiate_fds(bus, 1) >= 0);
	assert_true(sd_bus_set_anonymous(bus, 1) >= 0);
	assert_true(sd_bus_start(bus) >= 0);
	(void)sd_bus_set_method_call_timeout(bus, 20 * 1000 * 1000);
	return bus;
}

int peer_memfd(const char *text, size_t size, int seals)
{
	int fd = memfd_create("test", MFD_CLOEXEC | MFD_ALLOW_SEALING);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	assert_int_equal(ftruncate(fd, (off_t)size), 0);
	assert_int_equal(fcntl(fd, F_ADD_SEALS, seals), 0);
	return fd;
}

/* Returns the number of the job, 0 with @error. */
unsigned int peer_apply(sd_bus *bus, const char *method, int fd, sd_bus_error *error)
{
	sd_bus_message *reply = NULL;
	unsigned int number = 0;
	const char *job = "";
	int r;

	r = sd_bus_call_method(bus, METHOD_OF(method), error, &reply, "ha{sv}", fd, 0);
	if (r >= 0 && sd_bus_message_read(reply, "o", &job) > 0)
		(void)sscanf(job, "/org/lossless/Node1/job/%u", &number);
	(void)sd_bus_message_unref(reply);
	return number;
}

/* Waits for its end. Returns the exit status. */
int peer_result(sd_bus *bus, unsigned int number)
{
	char job[64];

	(void)snprintf(job, sizeof(job), "/org/lossless/Node1/job/%u", number);
	for (int i = 0; i < 500; i++) {
		const char *text, *json, *errors;
		sd_bus_message *reply = NULL;
		int done = -1;
		uint32_t status = 99;

		assert_true(sd_bus_call_method(bus, METHOD_OF("GetResult"), NULL, &reply, "o",
					       job) >= 0);
		assert_true(sd_bus_message_read(reply, "busss", &done, &status, &text, &json,
						&errors) > 0);
		assert_true(!done || strstr(json, "\"schema\": 1"));
		(void)sd_bus_message_unref(reply);
		if (done)
			return (int)status;
		rest_ms(20);
	}
	return -1;
}

void peer_assert_alive(const char *name)
{
	_cleanup_free_ char *node = NULL;
	sd_bus *bus = peer_open();

	case_true(name, sd_bus_get_property_string(bus, METHOD_OF("Node"), NULL, &node) >= 0);
	case_string(name, node, "gpu-1");
	(void)sd_bus_flush_close_unref(bus);
}
