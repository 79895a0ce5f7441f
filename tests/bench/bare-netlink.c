// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The kernel asked for the same objects with the fewest instructions: fixed buffers, one message
 * out and one in for each, nothing parsed but whether it is an error.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/dcbnl.h>
#include <linux/ethtool_netlink.h>
#include <linux/genetlink.h>
#include <linux/rtnetlink.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tests/bench/bare.h"
#include "tests/bench/bench.h"

struct request {
	struct nlmsghdr header;
	char body[256];
};

static char reply[32768] __attribute__((__aligned__(NLMSG_ALIGNTO)));

static struct request request_make(uint16_t type, const void *header, size_t size)
{
	struct request request = { .header = { .nlmsg_type = type, .nlmsg_flags = NLM_F_REQUEST } };

	memcpy(request.body, header, size);
	request.header.nlmsg_len = NLMSG_LENGTH(size);
	return request;
}

static struct rtattr *attr_put(struct request *request, uint16_t type, const void *data,
			       size_t size)
{
	struct rtattr *attr = (void *)((char *)request + NLMSG_ALIGN(request->header.nlmsg_len));

	*attr = (struct rtattr){ .rta_type = type, .rta_len = (uint16_t)RTA_LENGTH(size) };
	if (size > 0)
		memcpy(RTA_DATA(attr), data, size);
	request->header.nlmsg_len = NLMSG_ALIGN(request->header.nlmsg_len) + RTA_LENGTH(size);
	return attr;
}

static const struct nlmsghdr *ask(struct bare_netlink *bare, int fd, struct request *request)
{
	const struct nlmsghdr *answer = (const void *)reply;
	ssize_t n;

	request->header.nlmsg_seq = ++bare->sequence;
	if (send(fd, request, request->header.nlmsg_len, 0) < 0)
		bench_die("cannot send: %s", strerror(errno));
	n = recv(fd, reply, sizeof(reply), 0);
	if (n < (ssize_t)NLMSG_HDRLEN || answer->nlmsg_seq != bare->sequence)
		bench_die("no answer");
	if (answer->nlmsg_type == NLMSG_ERROR)
		bench_die("the kernel refuses: %s",
			  strerror(-((const struct nlmsgerr *)NLMSG_DATA(answer))->error));
	return answer;
}

static int socket_open(int protocol)
{
	const struct sockaddr_nl kernel = { .nl_family = AF_NETLINK };
	int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, protocol);

	if (fd < 0 || connect(fd, (const struct sockaddr *)&kernel, sizeof(kernel)) < 0)
		bench_die("no netlink socket: %s", strerror(errno));
	return fd;
}

void bare_netlink_open(struct bare_netlink *bare)
{
	const struct genlmsghdr header = { .cmd = CTRL_CMD_GETFAMILY, .version = 1 };
	struct request request = request_make(GENL_ID_CTRL, &header, sizeof(header));
	const struct nlmsghdr *answer;
	const struct rtattr *attr;
	int left;

	*bare = (struct bare_netlink){ .route = socket_open(NETLINK_ROUTE),
				       .generic = socket_open(NETLINK_GENERIC) };
	(void)attr_put(&request, CTRL_ATTR_FAMILY_NAME, ETHTOOL_GENL_NAME,
		       sizeof(ETHTOOL_GENL_NAME));
	answer = ask(bare, bare->generic, &request);
	attr = (const void *)((const char *)NLMSG_DATA(answer) + GENL_HDRLEN);
	left = (int)answer->nlmsg_len - (int)NLMSG_LENGTH(GENL_HDRLEN);
	for (; RTA_OK(attr, left); attr = RTA_NEXT(attr, left))
		if (attr->rta_type == CTRL_ATTR_FAMILY_ID)
			memcpy(&bare->ethtool, RTA_DATA(attr), sizeof(bare->ethtool));
	/* the ACK-less answer ends here; later requests ask for no ACK either */
}

void bare_netlink_close(struct bare_netlink *bare)
{
	(void)close(bare->route);
	(void)close(bare->generic);
}

void bare_dcb(struct bare_netlink *bare, const char *ifname)
{
	const struct dcbmsg header = { .cmd = DCB_CMD_IEEE_GET };
	struct request request = request_make(RTM_GETDCB, &header, sizeof(header));

	(void)attr_put(&request, DCB_ATTR_IFNAME, ifname, strlen(ifname) + 1);
	(void)ask(bare, bare->route, &request);
}

void bare_link(struct bare_netlink *bare, int ifindex)
{
	const struct ifinfomsg header = { .ifi_index = ifindex };
	struct request request = request_make(RTM_GETLINK, &header, sizeof(header));

	(void)ask(bare, bare->route, &request);
}

void bare_pause(struct bare_netlink *bare, int ifindex)
{
	const struct genlmsghdr header = { .cmd = ETHTOOL_MSG_PAUSE_GET, .version = 1 };
	struct request request = request_make(bare->ethtool, &header, sizeof(header));
	struct rtattr *nest = attr_put(&request, ETHTOOL_A_PAUSE_HEADER | NLA_F_NESTED, NULL, 0);
	uint32_t index = (uint32_t)ifindex;

	(void)attr_put(&request, ETHTOOL_A_HEADER_DEV_INDEX, &index, sizeof(index));
	nest->rta_len = (uint16_t)(nest->rta_len + RTA_SPACE(sizeof(index)));
	(void)ask(bare, bare->generic, &request);
}

void bare_file(const char *path)
{
	char text[4096];
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0 || read(fd, text, sizeof(text)) < 0)
		bench_die("%s: %s", path, strerror(errno));
	(void)close(fd);
}
