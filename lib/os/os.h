/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The seam to the machine. Everything that the product reads from or writes to the running system
 * goes through one of these calls: `os_linux` makes the system calls, `os_fake` (tests and demo)
 * keeps a simulated node in memory.
 *
 * The seam is as low as it can be, so that all code above it, message formats included, is the same
 * in both. Above it: file.h (attributes), link.h, dcb.h, rdma.h (netlink), ethtool.h (netlink and
 * ioctl). Only those four speak libnl.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct nl_sock;
struct os;

enum {
	OS_NAME_MAX = 64,	/* a name in sysfs: netdev, RDMA device, driver, PCI address */
	OS_PATH_MAX = 256,
	OS_TEXT_MAX = 4096,	/* an attribute is at most a page */
};

/* Why the kernel or a driver refused a write. */
struct os_error {
	int status;		/* DCB: the driver's status byte, signed; no errno (nic.md 1.0) */
	char text[128];		/* extended ack of the kernel, "" if there was none */
};

/*
 * The calls. All return 0 or a non-negative result, or a negative errno. Paths are absolute as the
 * machine shows them ("/sys/class/net/..."); nothing is ever created but by make_dir.
 */
struct os_ops {
	/* open(2) with O_CLOEXEC; @flags is O_RDONLY or O_WRONLY. Returns a handle. */
	int (*open)(struct os *os, const char *path, int flags);
	ssize_t (*read)(struct os *os, int handle, void *data, size_t size);
	/* One write(2); an attribute takes its text whole or not at all. */
	ssize_t (*write)(struct os *os, int handle, const void *data, size_t size);
	/* The handle is gone, whatever this returns. */
	int (*close)(struct os *os, int handle);
	/* mkdir(2), 0755: only to make a device's group in configfs. */
	int (*make_dir)(struct os *os, const char *path);
	/* readlink(2); terminates the text. Returns its length. */
	ssize_t (*read_link)(struct os *os, const char *path, char *text, size_t size);
	/* Call @each for every entry but "." and ".."; what it returns, if not 0, ends
	 * the walk and is returned. */
	int (*list)(struct os *os, const char *path, int (*each)(const char *name, void *data),
		    void *data);
	/*
	 * ioctl(SIOCETHTOOL) for the network device: what ethtool netlink has not (tunables,
	 * private statistics and flags). @command begins with its ETHTOOL_* number.
	 */
	int (*ethtool)(struct os *os, const char *ifname, void *command);
	/*
	 * ioctl(SIOCGIFNAME): what the network device of that index is called, in IFNAMSIZ bytes;
	 * -ENODEV. For who needs nothing else of it: its link is a long message.
	 */
	int (*link_name)(struct os *os, int ifindex, char *ret);
	/*
	 * Make a fresh libnl socket usable for @protocol (NETLINK_ROUTE, NETLINK_GENERIC,
	 * NETLINK_RDMA).
	 */
	int (*netlink_open)(struct os *os, int protocol, struct nl_sock *socket);
	/* CLOCK_BOOTTIME, so that suspended time counts. */
	int64_t (*now_ms)(struct os *os);
	void (*sleep_ms)(struct os *os, unsigned int ms);
	/* Frees the implementation's state; the netlink sockets are closed already. */
	void (*free)(struct os *os);
};

struct os {
	const struct os_ops *ops;
	struct nl_sock *route;		/* opened on first use, see netlink.c */
	struct nl_sock *generic;
	struct nl_sock *rdma;
	int ethtool_family;		/* generic netlink family id, 0 until resolved */
	bool privileged;		/* uid 0: nothing is unreadable for lack of rights */
};

/* The real machine. Returns -ENOMEM. */
int os_linux_new(struct os **ret);

/* Takes NULL, returns NULL. */
struct os *os_free(struct os *os);

static inline void os_freep(struct os **os)
{
	*os = os_free(*os);
}
