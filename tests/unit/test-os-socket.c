// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The transport over a real netlink socket, with a child process in the place of the kernel
 * (NETLINK_USERSOCK): a message larger than any buffer, no answer, a late answer, an answer of
 * somebody else.
 */
#include <errno.h>
#include <linux/if_link.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <netlink/netlink.h>
#include <netlink/socket.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/base/macro.h"
#include "lib/os/link.h"
#include "tests/support/cases.h"
#include "tests/support/packet.h"

enum {
	PATIENCE_MS = 10 * 1000, /* for what comes, on a machine however busy */
	IMPATIENCE_MS = 150, /* for what does not come */
	LARGE = 60000, /* more than the 32 KiB that many receivers have */
	TOO_LARGE = 120000, /* more than the kernel makes, and than there is room for */
};

static struct packet packet;

/* ---- the child ---- */

struct peer {
	int fd;
	struct sockaddr_nl from;
	struct nlmsghdr request;
};

static void send_packet(const struct peer *peer, uint32_t seq)
{
	for (size_t at = 0; at + sizeof(struct nlmsghdr) <= packet.size;) {
		struct nlmsghdr header;

		memcpy(&header, packet.data + at, sizeof(header));
		header.nlmsg_seq = seq;
		memcpy(packet.data + at, &header, sizeof(header));
		at += NLMSG_ALIGN(header.nlmsg_len);
	}
	(void)sendto(peer->fd, packet.data, packet.size, 0, (const struct sockaddr *)&peer->from,
		     sizeof(peer->from));
	packet.size = 0;
	packet.message = 0;
}

static void put_link(const char *name, uint16_t flags)
{
	const struct ifinfomsg info = { .ifi_index = 2, .ifi_flags = IFF_UP };

	packet_message(&packet, RTM_NEWLINK, flags, &info, sizeof(info));
	packet_string(&packet, IFLA_IFNAME, name);
}

static void answer_large(struct peer *peer)
{
	static const uint8_t filling[LARGE];

	put_link("large0", NLM_F_MULTI);
	packet_attr(&packet, IFLA_VFINFO_LIST, filling, sizeof(filling));
	packet_u32(&packet, IFLA_MTU, 4200);
	send_packet(peer, peer->request.nlmsg_seq);
	packet_done(&packet, 0);
	send_packet(peer, peer->request.nlmsg_seq);
}

/* Nothing of it is taken, though the message at its front is whole. */
static void answer_too_large(struct peer *peer)
{
	static uint8_t datagram[TOO_LARGE];

	put_link("cut0", NLM_F_MULTI);
	((struct nlmsghdr *)packet.data)->nlmsg_seq = peer->request.nlmsg_seq;
	memcpy(datagram, packet.data, packet.size);
	packet.size = packet.message = 0;
	(void)sendto(peer->fd, datagram, sizeof(datagram), 0, (const struct sockaddr *)&peer->from,
		     sizeof(peer->from));
}

static void answer_good(struct peer *peer)
{
	put_link("good0", NLM_F_MULTI);
	packet_done(&packet, 0);
	send_packet(peer, peer->request.nlmsg_seq);
}

static void answer_nothing(struct peer *peer)
{
}

/* The next request is here, so nobody waits for this answer any more. */
static void answer_late(struct peer *peer)
{
	struct pollfd next = { .fd = peer->fd, .events = POLLIN };

	(void)poll(&next, 1, -1);
	put_link("late0", NLM_F_MULTI);
	packet_done(&packet, 0);
	send_packet(peer, peer->request.nlmsg_seq);
}

/* Messages that answer other requests come first. */
static void answer_with_strays(struct peer *peer)
{
	put_link("stray0", NLM_F_MULTI);
	packet_done(&packet, 0);
	send_packet(peer, peer->request.nlmsg_seq - 1);
	packet_error(&packet, -EPERM);
	send_packet(peer, peer->request.nlmsg_seq + 1);
	answer_good(peer);
}

static void answer_from_somebody_else(struct peer *peer)
{
	struct peer other = *peer;

	other.fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_USERSOCK);
	put_link("evil0", NLM_F_MULTI);
	packet_done(&packet, 0);
	send_packet(&other, peer->request.nlmsg_seq);
	close(other.fd);
	answer_good(peer);
}

static void answer_without_end(struct peer *peer)
{
	for (int i = 0; i < 20; i++) {
		put_link("more0", NLM_F_MULTI);
		send_packet(peer, peer->request.nlmsg_seq);
	}
}

static void serve(int fd, void (*const *answers)(struct peer *peer))
{
	struct peer peer = { .fd = fd };
	uint8_t buffer[4096];

	for (; *answers; answers++) {
		socklen_t length = sizeof(peer.from);
		ssize_t n = recvfrom(fd, buffer, sizeof(buffer), 0, (struct sockaddr *)&peer.from,
				     &length);

		if (n < (ssize_t)sizeof(peer.request))
			_exit(EXIT_FAILURE);
		memcpy(&peer.request, buffer, sizeof(peer.request));
		(*answers)(&peer);
	}
	/* what was sent stays in the other's queue */
	_exit(EXIT_SUCCESS);
}

/* ---- this side ---- */

struct real {
	struct os os;
	uint32_t peer;
	pid_t child;
	int fd;
	unsigned int opened;
	bool in_vain; /* the first socket waits for what does not come */
	int64_t now_ms;
};

static int real_open(struct os *os, int protocol, struct nl_sock *socket)
{
	struct real *real = (struct real *)os;
	int ms = real->in_vain && !real->opened ? IMPATIENCE_MS : PATIENCE_MS;
	const struct timeval timeout = { .tv_sec = ms / 1000, .tv_usec = ms % 1000 * 1000 };

	if (nl_connect(socket, NETLINK_USERSOCK) < 0)
		return -EIO;
	real->opened++;
	nl_socket_set_peer_port(socket, real->peer);
	return setsockopt(nl_socket_get_fd(socket), SOL_SOCKET, SO_RCVTIMEO, &timeout,
			  sizeof(timeout));
}

static int64_t real_now_ms(struct os *os)
{
	return ((struct real *)os)->now_ms;
}

static void real_sleep_ms(struct os *os, unsigned int ms)
{
	((struct real *)os)->now_ms += ms;
}

static void real_free(struct os *os)
{
	struct real *real = (struct real *)os;

	(void)kill(real->child, SIGKILL);
	(void)waitpid(real->child, NULL, 0);
	close(real->fd);
}

static const struct os_ops real_ops = {
	.netlink_open = real_open,
	.now_ms = real_now_ms,
	.sleep_ms = real_sleep_ms,
	.free = real_free,
};

static void begin(struct real *real, void (*const *answers)(struct peer *peer))
{
	struct sockaddr_nl address = { .nl_family = AF_NETLINK };
	socklen_t length = sizeof(address);

	*real = (struct real){ .os.ops = &real_ops };
	real->fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_USERSOCK);
	assert_true(real->fd >= 0);
	assert_int_equal(bind(real->fd, (struct sockaddr *)&address, length), 0);
	assert_int_equal(getsockname(real->fd, (struct sockaddr *)&address, &length), 0);
	real->peer = address.nl_pid;
	real->child = fork();
	assert_true(real->child >= 0);
	if (real->child == 0)
		serve(real->fd, answers);
}

static const struct {
	const char *name;
	void (*answers[3])(struct peer *peer);
	int want;
	const char *device;
	uint32_t mtu;
} cases[] = {
	{ "L03: larger than a buffer", { answer_large }, 0, "large0", 4200 },
	{ "larger than any", { answer_too_large, answer_good }, -EBADMSG, NULL, 0 },
	{ "messages that answer others", { answer_with_strays }, 0, "good0", 0 },
	{ "an answer of somebody else", { answer_from_somebody_else }, 0, "good0", 0 },
	{ "no answer", { answer_nothing, answer_good }, -ETIMEDOUT, NULL, 0 },
	{ "an answer without end", { answer_without_end, answer_good }, -ETIMEDOUT, NULL, 0 },
	{ "a late answer", { answer_late, answer_good }, -ETIMEDOUT, NULL, 0 },
};

static void expect_one(const char *name, struct os *os, const char *device, uint32_t mtu)
{
	struct os_links links = {};

	case_equal(name, os_link_dump(os, &links), 0);
	case_equal(name, links.n, 1);
	case_string(name, links.list[0].name, device);
	case_equal(name, links.list[0].mtu, mtu);
	os_links_done(&links);
}

static void test_real_socket(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct os_links links = {};
		struct real real;

		begin(&real, cases[i].answers);
		real.in_vain = cases[i].want == -ETIMEDOUT;
		if (cases[i].want == 0)
			expect_one(cases[i].name, &real.os, cases[i].device, cases[i].mtu);
		else
			case_equal(cases[i].name, os_link_dump(&real.os, &links), cases[i].want);
		case_equal(cases[i].name, real.opened, 1);
		if (cases[i].answers[1]) {
			/* on a fresh socket, so that nothing of before can be in it */
			expect_one(cases[i].name, &real.os, "good0", 0);
			case_equal(cases[i].name, real.opened, 2);
		}
		os_free(&real.os);
	}
}

/* The deadline holds for the whole answer, however busily parts of it come in. */
static void answer_for_ever(struct peer *peer)
{
	for (;;) {
		put_link("more0", NLM_F_MULTI);
		send_packet(peer, peer->request.nlmsg_seq);
		usleep(1000);
	}
}

static int64_t fast_clock(struct os *os)
{
	return ((struct real *)os)->now_ms += 100;
}

static void test_deadline(void **state)
{
	static void (*const answers[])(struct peer * peer) = { answer_for_ever, NULL };
	struct os_ops ops = real_ops;
	struct os_links links = {};
	struct real real;

	begin(&real, answers);
	ops.now_ms = fast_clock;
	real.os.ops = &ops;
	assert_int_equal(os_link_dump(&real.os, &links), -ETIMEDOUT);
	os_free(&real.os);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_real_socket),
		cmocka_unit_test(test_deadline),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
