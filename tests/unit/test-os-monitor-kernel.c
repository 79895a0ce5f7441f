// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The monitor at a real kernel, in a network namespace of its own: field case L01, and whom it
 * believes. Skipped (77) where no namespace can be had.
 */
#include <errno.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "lib/base/cleanup.h"
#include "lib/os/link.h"
#include "lib/os/monitor.h"
#include "tests/support/cases.h"
#include "tests/support/packet.h"

enum {
	SKIPPED = 77,
	LO_INDEX = 1,
	MTU = 1500,
	L01_CHANGES = 40,
	L01_RECEIVE_SIZE = 2048,
	MANY_CHANGES = 3000,
	MANY_RECEIVE_SIZE = 1024 * 1024, /* some hundred links, more than are read in one go */
};

static struct os *os;

struct seen {
	unsigned int links;
	unsigned int lost;
	bool lost_is_last;
	uint32_t mtu;
};

static int see(const struct os_event *event, void *data)
{
	struct seen *seen = data;

	seen->lost_is_last = event->kind == OS_EVENT_LOST;
	seen->lost += seen->lost_is_last;
	if (event->kind == OS_EVENT_LINK && event->link.ifindex == LO_INDEX) {
		seen->links++;
		seen->mtu = event->link.mtu;
	}
	return 0;
}

static struct os_monitor *open_monitor(void)
{
	struct os_monitor *monitor;

	assert_int_equal(os_monitor_open(&monitor), 0);
	return monitor;
}

static void set_room(const struct os_monitor *monitor, int option, int size)
{
	assert_int_equal(setsockopt(os_monitor_fd(monitor, OS_MONITOR_ROUTE), SOL_SOCKET, option,
				    &size, sizeof(size)),
			 0);
}

static void change(unsigned int n)
{
	struct os_error error;

	for (unsigned int i = 0; i < n; i++)
		assert_int_equal(os_link_set_mtu(os, LO_INDEX, MTU + i, &error), 0);
}

static struct seen read_once(struct os_monitor *monitor)
{
	struct seen seen = {};

	assert_int_equal(os_monitor_read(monitor, OS_MONITOR_ROUTE, see, &seen), 0);
	return seen;
}

static void test_change(void **state)
{
	struct os_monitor *monitor = open_monitor();
	struct seen seen;

	seen = read_once(monitor);
	assert_int_equal(seen.links, 0);
	change(3);
	seen = read_once(monitor);
	assert_int_equal(seen.links, 3);
	assert_int_equal(seen.mtu, MTU + 2);
	assert_int_equal(seen.lost, 0);
	seen = (struct seen){};
	assert_int_equal(os_monitor_links(monitor, see, &seen), 0);
	assert_int_equal(seen.links, 1);
	assert_int_equal(seen.mtu, MTU + 2);
	(void)os_monitor_free(monitor);
}

/* All sources are there for any user, and empty ones do not block. */
static void test_sources(void **state)
{
	struct os_monitor *monitor = open_monitor();
	struct seen seen = {};

	for (enum os_monitor_source i = 0; i < OS_MONITOR_MAX; i++) {
		if (os_monitor_fd(monitor, i) < 0) {
			assert_int_equal(i, OS_MONITOR_ETHTOOL);
			continue;
		}
		assert_int_equal(os_monitor_read(monitor, i, see, &seen), 0);
	}
	(void)os_monitor_free(monitor);
}

static void test_l01(void **state)
{
	struct os_monitor *monitor = open_monitor();
	struct seen seen;

	set_room(monitor, SO_RCVBUF, L01_RECEIVE_SIZE);
	change(L01_CHANGES);
	seen = read_once(monitor);
	assert_int_equal(seen.lost, 1);
	assert_true(seen.lost_is_last);
	/* What was queued is older than what is so */
	assert_int_equal(seen.mtu, MTU);
	seen = (struct seen){};
	assert_int_equal(os_monitor_links(monitor, see, &seen), 0);
	assert_int_equal(seen.mtu, MTU + L01_CHANGES - 1);

	change(1);
	seen = read_once(monitor);
	assert_int_equal(seen.links, 1);
	assert_int_equal(seen.lost, 0);
	(void)os_monitor_free(monitor);
}

/* The kernel tells of no second loss while the socket is not empty: only then is it told. */
static void test_lost_while_reading(void **state)
{
	struct os_monitor *monitor = open_monitor();
	unsigned int calls = 0;
	struct seen seen;

	if (geteuid() != 0) {
		(void)os_monitor_free(monitor);
		print_message("more than a call reads takes SO_RCVBUFFORCE, thus root\n");
		return;
	}
	set_room(monitor, SO_RCVBUFFORCE, MANY_RECEIVE_SIZE);
	change(MANY_CHANGES);
	seen = read_once(monitor);
	assert_true(seen.links > 0 && seen.links < MANY_CHANGES / 2);
	assert_int_equal(seen.lost, 0);
	change(MANY_CHANGES);
	do {
		seen = read_once(monitor);
		assert_true(++calls < MANY_CHANGES);
	} while (!seen.lost);
	assert_int_equal(seen.lost, 1);
	assert_true(seen.lost_is_last);
	seen = read_once(monitor);
	assert_int_equal(seen.links + seen.lost, 0);
	(void)os_monitor_free(monitor);
}

/* A process with rights may send anything to our socket. */
static void test_only_the_kernel(void **state)
{
	static struct packet packet;
	const struct ifinfomsg info = { .ifi_index = LO_INDEX };
	struct sockaddr_nl to;
	socklen_t length = sizeof(to);
	struct os_monitor *monitor = open_monitor();
	_cleanup_close_ int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);

	assert_true(fd >= 0);
	assert_int_equal(getsockname(os_monitor_fd(monitor, OS_MONITOR_ROUTE),
				     (struct sockaddr *)&to, &length),
			 0);
	to.nl_groups = 0;
	packet_message(&packet, RTM_DELLINK, 0, &info, sizeof(info));
	assert_int_equal(sendto(fd, packet.data, packet.size, 0, (struct sockaddr *)&to, length),
			 packet.size);
	assert_int_equal(read_once(monitor).links, 0);
	(void)os_monitor_free(monitor);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_change),
		cmocka_unit_test(test_sources),
		cmocka_unit_test(test_l01),
		cmocka_unit_test(test_lost_while_reading),
		cmocka_unit_test(test_only_the_kernel),
	};
	int r;

	if (unshare(CLONE_NEWNET) < 0 && unshare(CLONE_NEWUSER | CLONE_NEWNET) < 0) {
		(void)printf("no network namespace: %s\n", strerror(errno));
		return SKIPPED;
	}
	if (os_linux_new(&os) < 0)
		return 1;
	r = cmocka_run_group_tests(tests, NULL, NULL);
	os = os_free(os);
	return r;
}
