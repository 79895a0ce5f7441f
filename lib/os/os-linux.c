// SPDX-License-Identifier: LGPL-2.1-or-later
/* The seam on a real machine: each call is one system call, or libnl's connect. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <netlink/netlink.h>
#include <netlink/socket.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "lib/base/cleanup.h"
#include "lib/os/netlink.h"
#include "lib/os/os.h"

enum { DIRECTORY_MODE = 0755 };

struct real {
	struct os os;
	int ioctl_socket; /* of network devices, -1 until it is needed */
};

static void closedirp(DIR **directory)
{
	if (*directory)
		(void)closedir(*directory);
}

static int linux_open(struct os *os, const char *path, int flags)
{
	/* Files of /etc are read too: nobody waits for the other end of a FIFO, it is empty */
	int fd = open(path, flags | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);

	return fd < 0 ? -errno : fd;
}

static ssize_t linux_read(struct os *os, int handle, void *data, size_t size)
{
	ssize_t n = read(handle, data, size);

	return n < 0 ? -errno : n;
}

static ssize_t linux_write(struct os *os, int handle, const void *data, size_t size)
{
	ssize_t n = write(handle, data, size);

	return n < 0 ? -errno : n;
}

static int linux_close(struct os *os, int handle)
{
	return close(handle) < 0 ? -errno : 0;
}

static int linux_make_dir(struct os *os, const char *path)
{
	return mkdir(path, DIRECTORY_MODE) < 0 ? -errno : 0;
}

static ssize_t linux_read_link(struct os *os, const char *path, char *text, size_t size)
{
	ssize_t n = readlink(path, text, size);

	if (n < 0)
		return -errno;
	if ((size_t)n >= size)
		return -ENAMETOOLONG;
	text[n] = '\0';
	return n;
}

static int linux_list(struct os *os, const char *path, int (*each)(const char *name, void *data),
		      void *data)
{
	_cleanup_(closedirp) DIR *directory = opendir(path);
	const struct dirent *entry;
	int r;

	if (!directory)
		return -errno;
	while (errno = 0, (entry = readdir(directory))) {
		if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."))
			continue;
		r = each(entry->d_name, data);
		if (r != 0)
			return r;
	}
	return -errno;
}

/*
 * Any socket will do: what its family does not know, net/socket.c sock_do_ioctl() hands to
 * dev_ioctl() with the socket's network namespace. So the one family that every sandbox allows.
 */
static int device_ioctl(struct os *os, unsigned long number, struct ifreq *request)
{
	struct real *real = (struct real *)os;

	if (real->ioctl_socket < 0)
		real->ioctl_socket = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (real->ioctl_socket < 0)
		return -errno;
	return ioctl(real->ioctl_socket, number, request) < 0 ? -errno : 0;
}

static int linux_ethtool(struct os *os, const char *ifname, void *command)
{
	struct ifreq request = { .ifr_data = command };
	size_t length = strlen(ifname);

	if (!length || length >= sizeof(request.ifr_name))
		return -ENODEV;
	memcpy(request.ifr_name, ifname, length);
	return device_ioctl(os, SIOCETHTOOL, &request);
}

static int linux_link_name(struct os *os, int ifindex, char *ret)
{
	struct ifreq request = { .ifr_ifindex = ifindex };
	int r;

	r = device_ioctl(os, SIOCGIFNAME, &request);
	if (r < 0)
		return r;
	memcpy(ret, request.ifr_name, IFNAMSIZ);
	ret[IFNAMSIZ - 1] = '\0';
	return 0;
}

static int linux_netlink_open(struct os *os, int protocol, struct nl_sock *socket)
{
	const struct timeval timeout = { .tv_sec = NETLINK_TIMEOUT_MS / 1000 };
	const int on = 1;
	int r;

	r = nl_connect(socket, protocol);
	if (r < 0)
		return netlink_errno(r);
	if (setsockopt(nl_socket_get_fd(socket), SOL_SOCKET, SO_RCVTIMEO, &timeout,
		       sizeof(timeout)) < 0)
		return -errno;
	/* Without it (Linux before 4.12) an error is a number without its text. */
	(void)setsockopt(nl_socket_get_fd(socket), SOL_NETLINK, NETLINK_EXT_ACK, &on, sizeof(on));
	return 0;
}

static int64_t linux_now_ms(struct os *os)
{
	struct timespec now = {};

	(void)clock_gettime(CLOCK_BOOTTIME, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void linux_sleep_ms(struct os *os, unsigned int ms)
{
	struct timespec left = { .tv_sec = ms / 1000, .tv_nsec = (long)(ms % 1000) * 1000000 };

	while (clock_nanosleep(CLOCK_BOOTTIME, 0, &left, &left) == EINTR)
		;
}

static void linux_free(struct os *os)
{
	struct real *real = (struct real *)os;

	if (real->ioctl_socket >= 0)
		(void)close(real->ioctl_socket);
	free(real);
}

static const struct os_ops linux_ops = {
	.open = linux_open,
	.read = linux_read,
	.write = linux_write,
	.close = linux_close,
	.make_dir = linux_make_dir,
	.read_link = linux_read_link,
	.list = linux_list,
	.ethtool = linux_ethtool,
	.link_name = linux_link_name,
	.netlink_open = linux_netlink_open,
	.now_ms = linux_now_ms,
	.sleep_ms = linux_sleep_ms,
	.free = linux_free,
};

int os_linux_new(struct os **ret)
{
	struct real *real = calloc(1, sizeof(*real));

	if (!real)
		return -ENOMEM;
	real->os.ops = &linux_ops;
	real->os.privileged = geteuid() == 0;
	real->ioctl_socket = -1;
	*ret = &real->os;
	return 0;
}
