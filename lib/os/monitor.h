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
	OS_EVENT_DCB, /* .name: the DCB state of a port was set, or a set was refused */
	OS_EVENT_LINK, /* .link as it is now, mtu 0: not said; .gone: only .ifindex */
	OS_EVENT_ADDRESS, /* .link.ifindex: its addresses, so its GIDs, changed */
	OS_EVENT_PAUSE, /* .link.ifindex */
	OS_EVENT_PRIVATE_FLAGS, /* .link.ifindex */
	OS_EVENT_RDMA, /* .name, .action: an RDMA device came, went, was renamed */
	OS_EVENT_LOST, /* the kernel dropped messages: what is known may be old (L01) */
};

enum os_event_action { OS_ADDED, OS_REMOVED, OS_MOVED };

/* An index is always above 0, a name never empty. */
struct os_event {
	enum os_event_kind kind;
	enum os_event_action action;
	bool gone;
	char name[OS_NAME_MAX];
	struct os_link link;
};

/* One of the sockets that a monitor listens at. */
enum os_monitor_source {
	OS_MONITOR_ROUTE,
	OS_MONITOR_ETHTOOL, /* missing before Linux 5.6 */
	OS_MONITOR_UEVENT,
	OS_MONITOR_MAX,
};

struct os_monitor;

/* Join all groups. Returns 0 or a negative errno. */
int os_monitor_open(struct os_monitor **ret);

/* Takes NULL, returns NULL. */
struct os_monitor *os_monitor_free(struct os_monitor *monitor);

/* To be waited for, not to be read; -1: this kernel has no such thing. */
int os_monitor_fd(const struct os_monitor *monitor, enum os_monitor_source source);

/*
 * Take in what has come at @source, at most some hundred messages, without waiting. Malformed
 * messages are left out. After a loss OS_EVENT_LOST comes once, as the last: when the socket is
 * empty, since only then would the kernel tell of another one.
 *
 * Returns 0; what @each returned, with the rest of its datagram left out; another negative errno.
 */
int os_monitor_read(struct os_monitor *monitor, enum os_monitor_source source,
		    int (*each)(const struct os_event *event, void *data), void *data);

/*
 * All links as they are now, each as an OS_EVENT_LINK. Returns 0; what @each returned; an error of
 * os_link_dump().
 */
int os_monitor_links(struct os_monitor *monitor,
		     int (*each)(const struct os_event *event, void *data), void *data);

/*
 * The parser, for tests: a datagram as @source gives it, aligned as a netlink header; @family is
 * the number of ethtool's. Returns 0 or what @each returned.
 */
int os_event_parse(enum os_monitor_source source, int family, const void *datagram, size_t size,
		   int (*each)(const struct os_event *event, void *data), void *data);
