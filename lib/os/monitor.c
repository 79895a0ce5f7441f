// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Listens at RTNLGRP_DCB, RTNLGRP_LINK and the addresses' groups (net/core/rtnetlink.c), at
 * ethtool's group `monitor` (net/ethtool/netlink.c) and at the kernel's own uevents
 * (lib/kobject_uevent.c): those come with and without udevd, and a name that udevd changes
 * afterwards comes as `move`. Of network devices the links' group says all that uevents would.
 * Plain sockets: nothing is asked here, so no answer has to be matched.
 */
#include "lib/os/monitor.h"

#include <errno.h>
#include <linux/dcbnl.h>
#include <linux/ethtool_netlink.h>
#include <linux/genetlink.h>
#include <linux/if_addr.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "lib/base/macro.h"
#include "lib/os/ethtool.h"
#include "lib/os/netlink.h"

enum {
	BUFFER_SIZE = 64 * 1024, /* a message is at most 64 KiB; a uevent 2 KiB */
	RECEIVE_SIZE = 1024 * 1024, /* some thousand events while nobody reads */
	MESSAGES_MAX = 256, /* in one go: the loop has other things to do too */
	UEVENT_GROUP = 1, /* the kernel's; 2 is udevd's */
};

struct os_monitor {
	struct os *os; /* for what is asked: ethtool's family, the links */
	int ethtool_family;
	int fd[OS_MONITOR_MAX];
	bool lost[OS_MONITOR_MAX]; /* not told yet: the socket is not empty */
};

/* ---- parsing: 1 and @ret, or 0 if the message says nothing that matters ---- */

static int set_index(int64_t ifindex, struct os_event *ret)
{
	if (ifindex <= 0 || ifindex > INT32_MAX)
		return 0;
	ret->link.ifindex = (int)ifindex;
	return 1;
}

static int parse_dcb(const struct nlmsghdr *message, struct os_event *ret)
{
	const int header = (int)NLMSG_SPACE(sizeof(struct dcbmsg));
	const struct nlattr *table[DCB_ATTR_MAX + 1];

	ret->kind = OS_EVENT_DCB;
	return (int)message->nlmsg_len >= header &&
	       netlink_attributes(table, DCB_ATTR_MAX, (const char *)message + header,
				  (int)message->nlmsg_len - header) == 0 &&
	       table[DCB_ATTR_IFNAME] &&
	       netlink_name(table[DCB_ATTR_IFNAME], ret->name, sizeof(ret->name)) == 0;
}

static int parse_link(const struct nlmsghdr *message, struct os_event *ret)
{
	const struct ifinfomsg *info = NLMSG_DATA(message);

	ret->kind = OS_EVENT_LINK;
	/* A bridge tells in the same way of its ports, IPv6 of its settings */
	if (message->nlmsg_len < NLMSG_SPACE(sizeof(*info)) || info->ifi_family != AF_UNSPEC)
		return 0;
	ret->gone = message->nlmsg_type == RTM_DELLINK;
	return ret->gone ? set_index(info->ifi_index, ret) : netlink_link(message, &ret->link) == 1;
}

static int parse_address(const struct nlmsghdr *message, struct os_event *ret)
{
	const struct ifaddrmsg *address = NLMSG_DATA(message);

	ret->kind = OS_EVENT_ADDRESS;
	return message->nlmsg_len >= NLMSG_SPACE(sizeof(*address)) &&
	       set_index(address->ifa_index, ret);
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

/* All notifications have the device in a header nest of the same type. */
static int parse_ethtool(const struct nlmsghdr *message, struct os_event *ret)
{
	static_assert((int)ETHTOOL_A_PAUSE_HEADER == (int)ETHTOOL_A_PRIVFLAGS_HEADER,
		      "one type for the header");
	const int header = (int)NLMSG_SPACE(GENL_HDRLEN);
	const struct nlattr *table[ETHTOOL_A_PAUSE_HEADER + 1], *nest[ETHTOOL_A_HEADER_MAX + 1];
	const struct genlmsghdr *genl = NLMSG_DATA(message);
	uint32_t ifindex;

	if ((int)message->nlmsg_len < header)
		return 0;
	if (genl->cmd != ETHTOOL_MSG_PAUSE_NTF && genl->cmd != ETHTOOL_MSG_PRIVFLAGS_NTF)
		return 0;
	ret->kind = genl->cmd == ETHTOOL_MSG_PAUSE_NTF ? OS_EVENT_PAUSE : OS_EVENT_PRIVATE_FLAGS;
	return netlink_attributes(table, ETHTOOL_A_PAUSE_HEADER, (const char *)message + header,
				  (int)message->nlmsg_len - header) == 0 &&
	       table[ETHTOOL_A_PAUSE_HEADER] &&
	       netlink_nested(nest, ETHTOOL_A_HEADER_MAX, table[ETHTOOL_A_PAUSE_HEADER]) == 0 &&
	       nest[ETHTOOL_A_HEADER_DEV_INDEX] &&
	       netlink_copy(nest[ETHTOOL_A_HEADER_DEV_INDEX], &ifindex, sizeof(ifindex)) == 0 &&
	       set_index(ifindex, ret);
}

static int parse_messages(enum os_monitor_source source, int family, const char *data, size_t size,
			  int (*each)(const struct os_event *event, void *user), void *user)
{
	while (size >= sizeof(struct nlmsghdr)) {
		const struct nlmsghdr *message = (const struct nlmsghdr *)data;
		struct os_event event = {};
		size_t step;
		int r = 0;

		if (message->nlmsg_len < sizeof(*message) || message->nlmsg_len > size)
			return 0;
		if (source == OS_MONITOR_ROUTE)
			r = parse_route(message, &event);
		else if (message->nlmsg_type == family)
			r = parse_ethtool(message, &event);
		if (r > 0)
			r = each(&event, user);
		if (r != 0)
			return r;
		step = MIN(size, (size_t)NLMSG_ALIGN(message->nlmsg_len));
		data += step;
		size -= step;
	}
	return 0;
}

/* The text behind @key ("ACTION="), NULL if there is none. */
static const char *uevent_value(const char *text, size_t size, const char *key)
{
	for (const char *word = text; word < text + size; word += strlen(word) + 1)
		if (strncmp(word, key, strlen(key)) == 0)
			return word + strlen(key);
	return NULL;
}

static int uevent_action(const char *word, enum os_event_action *ret)
{
	static const char *const words[] = {
		[OS_ADDED] = "add",
		[OS_REMOVED] = "remove",
		[OS_MOVED] = "move",
	};

	for (size_t i = 0; word && i < ARRAY_SIZE(words); i++) {
		if (strcmp(word, words[i]) == 0) {
			*ret = (enum os_event_action)i;
			return 1;
		}
	}
	return 0;
}

/* "add@/devices/..." and then NAME=VALUE, each ended by a NUL. */
static int parse_uevent(const char *text, size_t size, struct os_event *ret)
{
	const char *subsystem, *path, *name;
	size_t length;

	ret->kind = OS_EVENT_RDMA;
	if (!size || text[size - 1])
		return 0;
	subsystem = uevent_value(text, size, "SUBSYSTEM=");
	if (!subsystem || strcmp(subsystem, "infiniband") != 0 ||
	    !uevent_action(uevent_value(text, size, "ACTION="), &ret->action))
		return 0;
	path = uevent_value(text, size, "DEVPATH=");
	name = path ? strrchr(path, '/') : NULL;
	length = name ? strlen(++name) : 0;
	if (!length || length >= sizeof(ret->name))
		return 0;
	memcpy(ret->name, name, length + 1);
	return 1;
}

int os_event_parse(enum os_monitor_source source, int family, const void *datagram, size_t size,
		   int (*each)(const struct os_event *event, void *data), void *data)
{
	struct os_event event = {};

	if (source != OS_MONITOR_UEVENT)
		return parse_messages(source, family, datagram, size, each, data);
	return parse_uevent(datagram, size, &event) ? each(&event, data) : 0;
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

struct os_monitor *os_monitor_free(struct os_monitor *monitor)
{
	if (!monitor)
		return NULL;
	for (size_t i = 0; i < OS_MONITOR_MAX; i++)
		if (monitor->fd[i] >= 0)
			(void)close(monitor->fd[i]);
	(void)os_free(monitor->os);
	free(monitor);
	return NULL;
}

static int open_all(struct os_monitor *monitor)
{
	static const unsigned int route[] = { RTNLGRP_DCB, RTNLGRP_LINK, RTNLGRP_IPV4_IFADDR,
					      RTNLGRP_IPV6_IFADDR };
	static const unsigned int uevent[] = { UEVENT_GROUP };
	unsigned int ethtool;
	int r;

	r = os_linux_new(&monitor->os);
	if (r == 0)
		r = listen_at(NETLINK_ROUTE, route, ARRAY_SIZE(route),
			      &monitor->fd[OS_MONITOR_ROUTE]);
	if (r == 0)
		r = listen_at(NETLINK_KOBJECT_UEVENT, uevent, ARRAY_SIZE(uevent),
			      &monitor->fd[OS_MONITOR_UEVENT]);
	if (r < 0)
		return r;
	r = os_ethtool_group(monitor->os, &monitor->ethtool_family, &ethtool);
	if (r == 0)
		return listen_at(NETLINK_GENERIC, &ethtool, 1, &monitor->fd[OS_MONITOR_ETHTOOL]);
	return r == -EOPNOTSUPP ? 0 : r;
}

int os_monitor_open(struct os_monitor **ret)
{
	struct os_monitor *monitor = calloc(1, sizeof(*monitor));
	int r;

	if (!monitor)
		return -ENOMEM;
	for (size_t i = 0; i < OS_MONITOR_MAX; i++)
		monitor->fd[i] = -1;
	r = open_all(monitor);
	if (r < 0) {
		(void)os_monitor_free(monitor);
		return r;
	}
	*ret = monitor;
	return 0;
}

int os_monitor_fd(const struct os_monitor *monitor, enum os_monitor_source source)
{
	return monitor->fd[source];
}

/* ---- reading ---- */

static bool is_empty(int fd)
{
	struct pollfd fds = { .fd = fd, .events = POLLIN };

	return poll(&fds, 1, 0) == 0;
}

/*
 * Tell it when the socket is empty. Until it is, the kernel tells of the first loss and keeps
 * silent about those after it (netlink_overrun and netlink_rcv_wake in net/netlink/af_netlink.c):
 * what is looked at before may be old again.
 */
static int tell_loss(struct os_monitor *monitor, enum os_monitor_source source,
		     int (*each)(const struct os_event *event, void *data), void *data)
{
	if (!monitor->lost[source] || !is_empty(monitor->fd[source]))
		return 0;
	monitor->lost[source] = false;
	return each(&(struct os_event){ .kind = OS_EVENT_LOST }, data);
}

int os_monitor_read(struct os_monitor *monitor, enum os_monitor_source source,
		    int (*each)(const struct os_event *event, void *data), void *data)
{
	_Alignas(struct nlmsghdr) char buffer[BUFFER_SIZE];
	int r = 0;

	for (unsigned int n = 0; r == 0 && n < MESSAGES_MAX; n++) {
		struct sockaddr_nl from = {};
		socklen_t length = sizeof(from);
		ssize_t size;

		size = recvfrom(monitor->fd[source], buffer, sizeof(buffer), MSG_TRUNC,
				(struct sockaddr *)&from, &length);
		if (size < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
			break;
		if (size < 0 && errno != EINTR && errno != ENOBUFS)
			return -errno;
		if ((size < 0 && errno == ENOBUFS) || size > (ssize_t)sizeof(buffer))
			monitor->lost[source] = true;
		else if (size >= 0 && length == sizeof(from) && from.nl_pid == 0)
			r = os_event_parse(source, monitor->ethtool_family, buffer, (size_t)size,
					   each, data);
	}
	return r == 0 ? tell_loss(monitor, source, each, data) : r;
}

int os_monitor_links(struct os_monitor *monitor,
		     int (*each)(const struct os_event *event, void *data), void *data)
{
	struct os_links links = {};
	int r;

	r = os_link_dump(monitor->os, &links);
	for (size_t i = 0; r == 0 && i < links.n; i++)
		r = each(&(struct os_event){ .kind = OS_EVENT_LINK, .link = links.list[i] }, data);
	os_links_done(&links);
	return r;
}
