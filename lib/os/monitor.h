/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What the kernel says by itself: DCB, links, addresses, ethtool, devices that come and go. A hint
 * where to look, never a value to believe. Needs no privilege. Not part of the seam: a simulated
 * machine says nothing by itself.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "lib/os/link.h"
#include "lib/os/os.h"

enum os_event_kind {
	OS_EVENT_DCB,		/* .name: the DCB state of a port was set, or a set was refused */
	OS_EVENT_LINK,		/* .link as it is now; .gone */
	OS_EVENT_ADDRESS,	/* .link.ifindex: its addresses, so its GIDs, changed */
	OS_EVENT_PAUSE,		/* .link.ifindex */
	OS_EVENT_PRIVATE_FLAGS,	/* .link.ifindex */
	OS_EVENT_RDMA,		/* an RDMA device came, went, or was renamed */
	OS_EVENT_LOST,		/* the kernel dropped messages: what is known may be old (L01) */
};

struct os_event {
	enum os_event_kind kind;
	bool gone;
	char name[OS_NAME_MAX];
	struct os_link link;
};

/* One of the sockets that a monitor listens at. */
enum os_monitor_source {
	OS_MONITOR_ROUTE,
	OS_MONITOR_ETHTOOL,	/* missing before Linux 5.6 */
	OS_MONITOR_UEVENT,
	OS_MONITOR_MAX,
};

struct os_monitor {
	int fd[OS_MONITOR_MAX];		/* -1: this kernel has no such thing */
	int ethtool_family;
};

/* Join all groups. @os is asked for the number of ethtool's. Returns 0 or a negative errno. */
int os_monitor_open(struct os *os, struct os_monitor *ret);
void os_monitor_close(struct os_monitor *monitor);

/*
 * Take in what has come at @source, at most some hundred messages, without waiting. Malformed
 * messages are left out. Returns 0 or a negative errno that is not about lost messages.
 */
int os_monitor_read(struct os_monitor *monitor, enum os_monitor_source source,
		    void (*each)(const struct os_event *event, void *data), void *data);

/* The parsers, for tests: 1 and @ret, or 0 if the message says nothing that matters. */
int os_event_parse_netlink(const struct os_monitor *monitor, enum os_monitor_source source,
			   const void *message, size_t size, struct os_event *ret);
int os_event_parse_uevent(const char *text, size_t size, struct os_event *ret);
