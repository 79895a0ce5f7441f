// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Listens at RTNLGRP_DCB, RTNLGRP_LINK and the addresses' groups (net/core/rtnetlink.c), at
 * ethtool's group `monitor` (net/ethtool/netlink.c) and at the kernel's own uevents
 * (lib/kobject_uevent.c): those come with and without udevd, and a name that udevd changes
 * afterwards comes as a link event. Plain sockets: nothing is asked here, so nothing is matched.
 */
#include "lib/os/monitor.h"

#include <errno.h>
#include <linux/dcbnl.h>
#include <linux/ethtool_netlink.h>
#include <linux/genetlink.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "lib/base/macro.h"
#include "lib/os/ethtool.h"
#include "lib/os/netlink.h"

enum {
	BUFFER_SIZE = 64 * 1024,	/* a message is at most 64 KiB; a uevent 2 KiB */
	RECEIVE_SIZE = 1024 * 1024,	/* some thousand events while nobody reads */
	MESSAGES_MAX = 256,		/* in one go: the loop has other things to do too */
};

/* ---- parsing ---- */

static int parse_dcb(const struct nlmsghdr *message, struct os_event *ret)
{
	const int header = (int)NLMSG_SPACE(sizeof(struct dcbmsg));
	const struct nlattr *table[DCB_ATTR_MAX + 1];

	if ((int)message->nlmsg_len < header ||
	    netlink_attributes(table, DCB_ATTR_MAX, (const char *)message + header,
			       (int)message->nlmsg_len - header) < 0 ||
	    !table[DCB_ATTR_IFNAME] ||
	    netlink_name(table[DCB_ATTR_IFNAME], ret->name, sizeof(ret->name)) < 0)
		return 0;
	ret->kind = OS_EVENT_DCB;
	return 1;
}

static int parse_link(const struct nlmsghdr *message, struct os_event *ret)
{
	const struct ifinfomsg *info = NLMSG_DATA(message);

	if (message->nlmsg_len < NLMSG_SPACE(sizeof(*info)) || info->ifi_family != AF_UNSPEC)
		return 0;
	ret->kind = OS_EVENT_LINK;
	ret->gone = message->nlmsg_type == RTM_DELLINK;
	ret->link.ifindex = info->ifi_index;
	return ret->gone || netlink_link(message, &ret->link) == 1;
}

static int parse_address(const struct nlmsghdr *message, struct os_event *ret)
{
	struct {
		uint8_t family, prefix, flags, scope;
		uint32_t ifindex;
	} address; /* struct ifaddrmsg of linux/if_addr.h */

	if (message->nlmsg_len < NLMSG_SPACE(sizeof(address)))
		return 0;
	memcpy(&address, NLMSG_DATA(message), sizeof(address));
	ret->kind = OS_EVENT_ADDRESS;
	ret->link.ifindex = (int)address.ifindex;
	return 1;
}

static int parse_route(const struct nlmsghdr *message, struct os_event *ret)
{
	switch (message->nlmsg_type) {
	case RTM_GETDCB:
	case RTM_SETDCB:
		return parse_dcb(message, ret);
	case RTM_NEWLINK:
	case RTM_DELLINK:
		return parse_link(message, ret);
	case RTM_NEWADDR:
	case RTM_DELADDR:
		return parse_address(message, ret);
	default:
		return 0;
	}
}

/* All notifications have the device in a header nest of type 1. */
static int parse_ethtool(const struct nlmsghdr *message, struct os_event *ret)
{
	const int header = (int)NLMSG_SPACE(GENL_HDRLEN);
	const struct nlattr *table[2], *nest[ETHTOOL_A_HEADER_MAX + 1];
	const struct genlmsghdr *genl = NLMSG_DATA(message);
	uint32_t ifindex;

	if ((int)message->nlmsg_len < header)
		return 0;
	if (genl->cmd != ETHTOOL_MSG_PAUSE_NTF && genl->cmd != ETHTOOL_MSG_PRIVFLAGS_NTF)
		return 0;
	if (netlink_attributes(table, 1, (const char *)message + header,
			       (int)message->nlmsg_len - header) < 0 ||
	    !table[ETHTOOL_A_PAUSE_HEADER] ||
	    netlink_nested(nest, ETHTOOL_A_HEADER_MAX, table[ETHTOOL_A_PAUSE_HEADER]) < 0 ||
	    !nest[ETHTOOL_A_HEADER_DEV_INDEX] ||
	    netlink_copy(nest[ETHTOOL_A_HEADER_DEV_INDEX], &ifindex, sizeof(ifindex)) < 0)
		return 0;
	ret->kind = genl->cmd == ETHTOOL_MSG_PAUSE_NTF ? OS_EVENT_PAUSE : OS_EVENT_PRIVATE_FLAGS;
	ret->link.ifindex = (int)ifindex;
	return 1;
}

int os_event_parse_netlink(const struct os_monitor *monitor, enum os_monitor_source source,
			   const void *data, size_t size, struct os_event *ret)
{
	const struct nlmsghdr *message = data;

	*ret = (struct os_event){};
	if (size < sizeof(*message) || message->nlmsg_len < sizeof(*message) ||
	    message->nlmsg_len > size)
		return 0;
	if (source == OS_MONITOR_ROUTE)
		return parse_route(message, ret);
	return message->nlmsg_type == monitor->ethtool_family ? parse_ethtool(message, ret) : 0;
}

/* "add@/devices/..." and then NAME=VALUE, each ended by a NUL. */
int os_event_parse_uevent(const char *text, size_t size, struct os_event *ret)
{
	static const char subsystem[] = "SUBSYSTEM=infiniband";
	const char *end = text + size;

	*ret = (struct os_event){ .kind = OS_EVENT_RDMA };
	if (!size || end[-1])
		return 0;
	for (const char *word = text; word < end; word += strlen(word) + 1)
		if (strcmp(word, subsystem) == 0)
			return 1;
	return 0;
}

/* ---- listening ---- */

static int join(int fd, unsigned int group)
{
	return setsockopt(fd, SOL_NETLINK, NETLINK_ADD_MEMBERSHIP, &group, sizeof(group)) < 0 ?
		       -errno :
		       0;
}

static int listen_at(int protocol, const unsigned int *groups, size_t n, int *ret)
{
	const struct sockaddr_nl address = { .nl_family = AF_NETLINK };
	const int size = RECEIVE_SIZE;
	int fd, r = 0;

	fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, protocol);
	if (fd < 0)
		return -errno;
	/* Up to net.core.rmem_max without privileges; what is lost all the same is told */
	(void)setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &size, sizeof(size));
	if (bind(fd, (const struct sockaddr *)&address, sizeof(address)) < 0)
		r = -errno;
	for (size_t i = 0; r == 0 && i < n; i++)
		r = join(fd, groups[i]);
	if (r < 0) {
		(void)close(fd);
		return r;
	}
	*ret = fd;
	return 0;
}

void os_monitor_close(struct os_monitor *monitor)
{
	for (size_t i = 0; i < OS_MONITOR_MAX; i++)
		if (monitor->fd[i] >= 0)
			(void)close(monitor->fd[i]);
}

int os_monitor_open(struct os *os, struct os_monitor *ret)
{
	static const unsigned int route[] = { RTNLGRP_DCB, RTNLGRP_LINK, RTNLGRP_IPV4_IFADDR,
					      RTNLGRP_IPV6_IFADDR };
	static const unsigned int uevent[] = { 1 };
	struct os_monitor monitor = { .fd = { -1, -1, -1 } };
	unsigned int ethtool;
	int r;

	r = listen_at(NETLINK_ROUTE, route, ARRAY_SIZE(route), &monitor.fd[OS_MONITOR_ROUTE]);
	if (r == 0)
		r = listen_at(NETLINK_KOBJECT_UEVENT, uevent, ARRAY_SIZE(uevent),
			      &monitor.fd[OS_MONITOR_UEVENT]);
	if (r == 0 && os_ethtool_group(os, &monitor.ethtool_family, &ethtool) == 0)
		r = listen_at(NETLINK_GENERIC, &ethtool, 1, &monitor.fd[OS_MONITOR_ETHTOOL]);
	if (r < 0)
		os_monitor_close(&monitor);
	else
		*ret = monitor;
	return r;
}

/* A datagram has one message or several. */
static void pass_on(struct os_monitor *monitor, enum os_monitor_source source, const char *data,
		    size_t size, void (*each)(const struct os_event *event, void *user), void *user)
{
	struct os_event event;

	if (source == OS_MONITOR_UEVENT) {
		if (os_event_parse_uevent(data, size, &event))
			each(&event, user);
		return;
	}
	while (size >= sizeof(struct nlmsghdr)) {
		const struct nlmsghdr *message = (const struct nlmsghdr *)data;
		size_t step = NLMSG_ALIGN(message->nlmsg_len);

		if (message->nlmsg_len < sizeof(*message) || message->nlmsg_len > size)
			return;
		if (os_event_parse_netlink(monitor, source, data, size, &event))
			each(&event, user);
		if (step >= size)
			return;
		data += step;
		size -= step;
	}
}

int os_monitor_read(struct os_monitor *monitor, enum os_monitor_source source,
		    void (*each)(const struct os_event *event, void *data), void *data)
{
	static _Alignas(struct nlmsghdr) char buffer[BUFFER_SIZE];

	for (unsigned int n = 0; n < MESSAGES_MAX; n++) {
		struct sockaddr_nl from = {};
		socklen_t length = sizeof(from);
		ssize_t size;

		size = recvfrom(monitor->fd[source], buffer, sizeof(buffer),
				MSG_DONTWAIT | MSG_TRUNC, (struct sockaddr *)&from, &length);
		if (size < 0 && errno == EINTR)
			continue;
		if (size < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
			return 0;
		if ((size < 0 && errno == ENOBUFS) || size > (ssize_t)sizeof(buffer)) {
			each(&(struct os_event){ .kind = OS_EVENT_LOST }, data);
			continue;
		}
		if (size < 0)
			return -errno;
		if (from.nl_pid == 0)
			pass_on(monitor, source, buffer, (size_t)size, each, data);
	}
	return 0;
}
