// SPDX-License-Identifier: GPL-2.0
/*
 * dcbmon SECONDS [FOLDER...]: prints each message of RTNLGRP_DCB, its IEEE attributes as hex, each
 * link message, and each write to a file of the folders.  SIGTERM ends it before the time is over.
 * "dcbmon: listening" is the first line, the number of DCB messages the last.
 */
#include <linux/dcbnl.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/inotify.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define MAX_BYTES 24

static volatile sig_atomic_t stopped;
static int links;

static void print_attr(const struct nlattr *a)
{
	const unsigned char *data = (const unsigned char *)a + NLA_HDRLEN;
	int len = a->nla_len - NLA_HDRLEN;

	printf("    [%d] len %d:", a->nla_type & NLA_TYPE_MASK, len);
	for (int i = 0; i < len && i < MAX_BYTES; i++)
		printf(" %02x", data[i]);
	printf("\n");
}

/* Calls print for each attribute in these bytes. */
static void walk(const char *p, int len, void (*print)(const struct nlattr *))
{
	while (len >= NLA_HDRLEN) {
		const struct nlattr *a = (const struct nlattr *)p;

		if (a->nla_len < NLA_HDRLEN || a->nla_len > len)
			return;
		print(a);
		p += NLA_ALIGN(a->nla_len);
		len -= NLA_ALIGN(a->nla_len);
	}
}

static void print_top(const struct nlattr *a)
{
	const char *data = (const char *)a + NLA_HDRLEN;
	int len = a->nla_len - NLA_HDRLEN;

	switch (a->nla_type & NLA_TYPE_MASK) {
	case DCB_ATTR_IFNAME:
		printf("  ifname %.*s\n", len, data);
		break;
	case DCB_ATTR_IEEE:
		printf("  ieee\n");
		walk(data, len, print_attr);
		break;
	default:
		printf("  attr %d len %d\n", a->nla_type & NLA_TYPE_MASK, len);
	}
}

static int print_messages(const char *buf, int len)
{
	const struct nlmsghdr *h;
	int n = 0;

	for (h = (const struct nlmsghdr *)buf; NLMSG_OK(h, len); h = NLMSG_NEXT(h, len)) {
		const struct dcbmsg *d = NLMSG_DATA(h);

		if (h->nlmsg_type == RTM_NEWLINK || h->nlmsg_type == RTM_DELLINK) {
			printf("link message\n");
			links++;
			continue;
		}
		printf("notify type %u portid %u seq %u cmd %u\n", h->nlmsg_type, h->nlmsg_pid,
		       h->nlmsg_seq, d->cmd);
		walk((const char *)(d + 1), h->nlmsg_len - NLMSG_HDRLEN - sizeof(*d), print_top);
		n++;
	}
	return n;
}

/* One event for each write; configfs gives none on a watch of the file itself. */
static int print_writes(const char *buf, int len)
{
	int n = 0;

	for (const char *p = buf; p < buf + len;) {
		const struct inotify_event *e = (const struct inotify_event *)p;

		printf("write to %s\n", e->len ? e->name : "?");
		p += sizeof(*e) + e->len;
		n++;
	}
	return n;
}

static int netlink_open(void)
{
	int fd = socket(AF_NETLINK, SOCK_RAW, NETLINK_ROUTE);
	struct sockaddr_nl addr = { .nl_family = AF_NETLINK };
	int dcb = RTNLGRP_DCB, link = RTNLGRP_LINK;

	if (fd < 0 || bind(fd, (struct sockaddr *)&addr, sizeof(addr)) < 0 ||
	    setsockopt(fd, SOL_NETLINK, NETLINK_ADD_MEMBERSHIP, &dcb, sizeof(dcb)) < 0 ||
	    setsockopt(fd, SOL_NETLINK, NETLINK_ADD_MEMBERSHIP, &link, sizeof(link)) < 0)
		return -1;
	return fd;
}

static void stop(int unused)
{
	stopped = 1;
}

int main(int argc, char **argv)
{
	static char buf[65536] __attribute__((aligned(8)));
	struct pollfd p[2] = { { .events = POLLIN }, { .events = POLLIN } };
	int n = 0, writes = 0;
	time_t end;

	if (argc < 2)
		return 2;
	signal(SIGTERM, stop);
	p[0].fd = netlink_open();
	p[1].fd = inotify_init();
	for (int i = 2; i < argc; i++) {
		if (inotify_add_watch(p[1].fd, argv[i], IN_MODIFY | IN_CREATE | IN_DELETE) < 0) {
			perror(argv[i]);
			return 1;
		}
	}
	if (p[0].fd < 0 || p[1].fd < 0) {
		perror("dcbmon");
		return 1;
	}
	printf("dcbmon: listening\n");
	fflush(stdout);
	end = time(NULL) + atoi(argv[1]);
	while (time(NULL) < end) {
		int ready = poll(p, 2, 200);
		int len;

		if (ready <= 0 && stopped)
			break;
		if (ready > 0 && p[0].revents && (len = recv(p[0].fd, buf, sizeof(buf), 0)) > 0)
			n += print_messages(buf, len);
		if (ready > 0 && p[1].revents && (len = read(p[1].fd, buf, sizeof(buf))) > 0)
			writes += print_writes(buf, len);
		fflush(stdout);
	}
	printf("dcbmon: %d link messages, %d file writes\n", links, writes);
	printf("dcbmon: %d notifications\n", n);
	return 0;
}
