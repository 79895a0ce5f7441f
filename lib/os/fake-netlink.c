// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The kernel's side of netlink on the simulated node: libnl's send and receive are replaced on the
 * socket, so that its own code frames the requests and takes the answers apart. Link and ethtool
 * messages are answered here, DCB in fake-dcb.c. Mirrors af_netlink.c netlink_ack(),
 * net/core/rtnetlink.c and net/ethtool/pause.c.
 */
#include <errno.h>
#include <linux/ethtool_netlink.h>
#include <linux/genetlink.h>
#include <linux/if_link.h>
#include <linux/rtnetlink.h>
#include <net/if_arp.h>
#include <netlink/errno.h>
#include <netlink/netlink.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/cleanup.h"
#include "lib/base/macro.h"
#include "lib/os/fake-private.h"
#include "lib/os/netlink.h"

enum {
	SUBJECT_MAX = OS_NAME_MAX * 2,
	MTU_PIECE = 1024, /* of a clamped MTU */
};

/* All simulated nodes of this process: libnl hands the socket alone to the calls that replace its
 * own. */
static struct fake *nodes;

void fake_netlink_register(struct fake *fake)
{
	fake->next = nodes;
	nodes = fake;
}

static struct fake_wire *find_wire(struct nl_sock *socket, struct fake **ret)
{
	for (struct fake *fake = nodes; fake; fake = fake->next) {
		*ret = fake;
		if (fake->os.route == socket)
			return &fake->wire[FAKE_ROUTE];
		if (fake->os.generic == socket)
			return &fake->wire[FAKE_GENERIC];
		if (fake->os.rdma == socket)
			return &fake->wire[FAKE_RDMA];
	}
	return NULL;
}

static int wire_of(int protocol)
{
	switch (protocol) {
	case NETLINK_GENERIC:
		return FAKE_GENERIC;
	case NETLINK_RDMA:
		return FAKE_RDMA;
	default:
		return FAKE_ROUTE;
	}
}

/* ---- queues ---- */

static void push(struct fake_packet **queue, struct fake_packet *packet)
{
	while (*queue)
		queue = &(*queue)->next;
	*queue = packet;
}

static struct fake_packet *make_packet(const void *data, size_t size)
{
	struct fake_packet *packet = malloc(sizeof(*packet) + size);

	if (!packet)
		return NULL;
	packet->next = NULL;
	packet->size = size;
	if (size)
		memcpy(packet->data, data, size);
	return packet;
}

static void drop(struct fake_packet **queue)
{
	while (*queue) {
		struct fake_packet *first = *queue;

		*queue = first->next;
		free(first);
	}
}

void fake_netlink_done(struct fake *fake)
{
	struct fake **place = &nodes;

	for (int i = 0; i < FAKE_WIRES; i++) {
		drop(&fake->wire[i].answers);
		drop(&fake->wire[i].script);
		drop(&fake->wire[i].request);
	}
	while (*place && *place != fake)
		place = &(*place)->next;
	if (*place)
		*place = fake->next;
}

int os_fake_netlink_reply(struct os *os, int protocol, const void *datagram, size_t size)
{
	struct fake_wire *wire = &fake_of(os)->wire[wire_of(protocol)];
	struct fake_packet *packet = make_packet(datagram, size);

	if (!packet)
		return -ENOMEM;
	push(&wire->script, packet);
	return 0;
}

const void *os_fake_netlink_request(const struct os *os, int protocol, size_t *ret_size)
{
	const struct fake *fake = (const struct fake *)os;
	const struct fake_packet *packet = fake->wire[wire_of(protocol)].request;

	if (!packet)
		return NULL;
	*ret_size = packet->size;
	return packet->data;
}

/* ---- answers ---- */

void fake_reply(const struct fake_request *request, struct nl_msg *message)
{
	struct nlmsghdr *header = nlmsg_hdr(message);
	struct fake_packet *packet;

	header->nlmsg_seq = request->header->nlmsg_seq;
	header->nlmsg_pid = request->header->nlmsg_pid;
	packet = make_packet(header, header->nlmsg_len);
	nlmsg_free(message);
	if (packet)
		push(&request->wire->answers, packet);
}

void fake_reply_error(const struct fake_request *request, int error, const char *text)
{
	struct nl_msg *message;
	struct nlmsgerr answer = { .error = error, .msg = *request->header };
	size_t rest = error ? request->header->nlmsg_len - NLMSG_HDRLEN : 0;
	int flags = (error ? 0 : NLM_F_CAPPED) | (text ? NLM_F_ACK_TLVS : 0);

	if (!error && !(request->header->nlmsg_flags & NLM_F_ACK))
		return;
	message = nlmsg_alloc_size(NLMSG_SPACE(sizeof(answer)) + NLMSG_ALIGN(rest) + 256);
	if (!message)
		return;
	(void)nlmsg_put(message, 0, 0, NLMSG_ERROR, 0, flags);
	(void)nlmsg_append(message, &answer, sizeof(answer), NLMSG_ALIGNTO);
	if (rest)
		(void)nlmsg_append(message, (void *)(request->header + 1), rest, NLMSG_ALIGNTO);
	if (text)
		(void)nla_put_string(message, NLMSGERR_ATTR_MSG, text);
	fake_reply(request, message);
}

/* Fault and rights of a request about @device; false if it is answered already. */
static bool enter(const struct fake_request *request, enum fake_call call,
		  const struct fake_device *device, const char *object, enum fake_fate *ret_fate)
{
	struct fake_verdict verdict;
	char subject[SUBJECT_MAX];
	bool set = call == FAKE_LINK_SET || call == FAKE_PAUSE_SET;

	(void)snprintf(subject, sizeof(subject), "%s/%s", device ? device->name : "", object);
	verdict = fake_enter(request->fake, call, subject);
	*ret_fate = verdict.fate;
	if (verdict.fate >= FAKE_FAIL)
		fake_reply_error(request, verdict.error, NULL);
	else if (set && !request->fake->os.privileged)
		fake_reply_error(request, -EPERM, NULL);
	else if (device && !device->present)
		fake_reply_error(request, -ENODEV, NULL);
	else
		return true;
	return false;
}

/* ---- links ---- */

static void put_link(const struct fake_request *request, const struct fake_device *device,
		     int flags)
{
	struct ifinfomsg info = {
		.ifi_family = AF_UNSPEC,
		.ifi_type = device->ifindex == 1 ? ARPHRD_LOOPBACK : ARPHRD_ETHER,
		.ifi_index = device->ifindex,
		.ifi_flags = (device->down ? 0 : IFF_UP) | IFF_BROADCAST | IFF_MULTICAST,
	};
	struct nl_msg *message = nlmsg_alloc();
	struct nlattr *nest;

	if (!message)
		return;
	if (fake_carrier(device))
		info.ifi_flags |= IFF_RUNNING | 1U << 16; /* IFF_LOWER_UP */
	(void)nlmsg_put(message, 0, 0, RTM_NEWLINK, 0, flags);
	(void)nlmsg_append(message, &info, sizeof(info), NLMSG_ALIGNTO);
	(void)nla_put_string(message, IFLA_IFNAME, device->name);
	(void)nla_put_u32(message, IFLA_MTU, device->mtu);
	(void)nla_put_u32(message, IFLA_MIN_MTU, device->mtu_min);
	(void)nla_put_u32(message, IFLA_MAX_MTU, device->mtu_max);
	if (device->lower)
		(void)nla_put_u32(message, IFLA_LINK, (uint32_t)device->lower);
	if (device->master)
		(void)nla_put_u32(message, IFLA_MASTER, (uint32_t)device->master);
	(void)nla_put(message, IFLA_ADDRESS, sizeof(device->mac), device->mac);
	if (device->kind[0]) {
		nest = nla_nest_start(message, IFLA_LINKINFO);
		(void)nla_put_string(message, IFLA_INFO_KIND, device->kind);
		nla_nest_end(message, nest);
	}
	fake_reply(request, message);
}

void fake_reply_done(const struct fake_request *request)
{
	struct nl_msg *message = nlmsg_alloc();
	int error = 0;

	if (!message)
		return;
	(void)nlmsg_put(message, 0, 0, NLMSG_DONE, 0, NLM_F_MULTI);
	(void)nlmsg_append(message, &error, sizeof(error), NLMSG_ALIGNTO);
	fake_reply(request, message);
}

static void dump_links(const struct fake_request *request)
{
	struct fake *fake = request->fake;
	enum fake_fate fate;

	if (!enter(request, FAKE_LINK_DUMP, NULL, "links", &fate))
		return;
	for (size_t i = 0; i < fake->n_device; i++)
		if (fake->device[i]->present)
			put_link(request, fake->device[i], NLM_F_MULTI);
	fake_reply_done(request);
}

static bool is_dump(const struct nlmsghdr *header)
{
	return (header->nlmsg_flags & NLM_F_DUMP) == NLM_F_DUMP;
}

/* dev_set_mtu_ext() */
static void set_mtu(const struct fake_request *request, struct fake_device *device, uint32_t mtu,
		    enum fake_fate fate)
{
	if (mtu < device->mtu_min)
		return fake_reply_error(request, -EINVAL, "mtu less than device minimum");
	if (device->mtu_max && mtu > device->mtu_max)
		return fake_reply_error(request, -EINVAL, "mtu greater than device maximum");
	if (fate == FAKE_LESS)
		mtu = MAX(mtu - mtu % MTU_PIECE, device->mtu_min);
	fake_reply_error(request, fate == FAKE_SKIP ? 0 : fake_set_mtu(device, mtu), NULL);
}

static void answer_link(const struct fake_request *request)
{
	const struct nlmsghdr *header = request->header;
	const struct ifinfomsg *info = NLMSG_DATA(header);
	const struct nlattr *table[IFLA_MAX + 1];
	bool set = header->nlmsg_type == RTM_NEWLINK;
	const int size = NLMSG_SPACE(sizeof(*info));
	struct fake_device *device;
	enum fake_fate fate;
	uint32_t mtu;

	if (!set && is_dump(header))
		return dump_links(request);
	if (header->nlmsg_len < (uint32_t)size ||
	    netlink_attributes(table, IFLA_MAX, (const char *)header + size,
			       (int)header->nlmsg_len - size) < 0)
		return fake_reply_error(request, -EINVAL, NULL);
	device = fake_find_index(request->fake, info->ifi_index);
	if (!enter(request, set ? FAKE_LINK_SET : FAKE_NETLINK, device, set ? "mtu" : "link",
		   &fate))
		return;
	if (!device)
		return fake_reply_error(request, -ENODEV, NULL);
	if (!set)
		return put_link(request, device, 0);
	if (!table[IFLA_MTU] || netlink_copy(table[IFLA_MTU], &mtu, sizeof(mtu)) < 0)
		return fake_reply_error(request, -EINVAL, NULL);
	set_mtu(request, device, mtu, fate);
}

static void answer_route(const struct fake_request *request)
{
	switch (request->header->nlmsg_type) {
	case RTM_GETLINK:
	case RTM_NEWLINK:
		return answer_link(request);
	case RTM_GETDCB:
	case RTM_SETDCB:
		return fake_dcb_request(request);
	}
	fake_reply_error(request, -EOPNOTSUPP, NULL);
}

/* ---- ethtool ---- */

static struct nl_msg *make_generic(int type, uint8_t command)
{
	struct genlmsghdr header = { .cmd = command, .version = 1 };
	struct nl_msg *message = nlmsg_alloc_simple(type, 0);

	if (message)
		(void)nlmsg_append(message, &header, sizeof(header), NLMSG_ALIGNTO);
	return message;
}

static void answer_family(const struct fake_request *request, const struct nlattr *const *table)
{
	struct nl_msg *message;
	enum fake_fate fate;
	char name[GENL_NAMSIZ];

	if (!enter(request, FAKE_NETLINK, NULL, "family", &fate))
		return;
	if (!table[CTRL_ATTR_FAMILY_NAME] ||
	    netlink_name(table[CTRL_ATTR_FAMILY_NAME], name, sizeof(name)) < 0 ||
	    strcmp(name, ETHTOOL_GENL_NAME) != 0)
		return fake_reply_error(request, -ENOENT, NULL);
	message = make_generic(GENL_ID_CTRL, CTRL_CMD_NEWFAMILY);
	if (!message)
		return;
	(void)nla_put_string(message, CTRL_ATTR_FAMILY_NAME, name);
	(void)nla_put_u16(message, CTRL_ATTR_FAMILY_ID, FAKE_ETHTOOL_FAMILY);
	fake_reply(request, message);
}

static void put_pause(const struct fake_request *request, const struct fake_device *device)
{
	struct nl_msg *message = make_generic(FAKE_ETHTOOL_FAMILY, ETHTOOL_MSG_PAUSE_GET_REPLY);
	struct nlattr *nest;

	if (!message)
		return;
	nest = nla_nest_start(message, ETHTOOL_A_PAUSE_HEADER);
	(void)nla_put_u32(message, ETHTOOL_A_HEADER_DEV_INDEX, (uint32_t)device->ifindex);
	(void)nla_put_string(message, ETHTOOL_A_HEADER_DEV_NAME, device->name);
	nla_nest_end(message, nest);
	(void)nla_put_u8(message, ETHTOOL_A_PAUSE_AUTONEG, device->hw.pause.autoneg);
	(void)nla_put_u8(message, ETHTOOL_A_PAUSE_RX, device->hw.pause.rx);
	(void)nla_put_u8(message, ETHTOOL_A_PAUSE_TX, device->hw.pause.tx);
	fake_reply(request, message);
}

static bool wanted_flag(const struct nlattr *attr, bool have)
{
	return attr && nla_len(attr) > 0 ? *(const uint8_t *)nla_data(attr) : have;
}

static void set_pause(const struct fake_request *request, struct fake_device *device,
		      const struct nlattr *const *table, const struct fake_verdict *verdict)
{
	const struct os_pause *have = &device->hw.pause;
	const struct os_pause want = {
		.autoneg = wanted_flag(table[ETHTOOL_A_PAUSE_AUTONEG], have->autoneg),
		.rx = wanted_flag(table[ETHTOOL_A_PAUSE_RX], have->rx),
		.tx = wanted_flag(table[ETHTOOL_A_PAUSE_TX], have->tx),
	};

	fake_reply_error(request, fake_set_pause(device, &want, verdict), NULL);
}

/* The device that the header names; 0 if it names none. */
static int header_index(const struct nlattr *nest)
{
	const struct nlattr *table[ETHTOOL_A_HEADER_MAX + 1];
	int ifindex = 0;

	if (nest && netlink_nested(table, ETHTOOL_A_HEADER_MAX, nest) == 0 &&
	    table[ETHTOOL_A_HEADER_DEV_INDEX])
		(void)netlink_copy(table[ETHTOOL_A_HEADER_DEV_INDEX], &ifindex, sizeof(ifindex));
	return ifindex;
}

static void answer_pause(const struct fake_request *request, uint8_t command,
			 const struct nlattr *const *table)
{
	bool set = command == ETHTOOL_MSG_PAUSE_SET;
	struct fake_device *device;
	enum fake_fate fate;

	device = fake_find_index(request->fake, header_index(table[ETHTOOL_A_PAUSE_HEADER]));
	if (!enter(request, set ? FAKE_PAUSE_SET : FAKE_PAUSE_GET, device, "pause", &fate))
		return;
	if (!device)
		return fake_reply_error(request, -ENODEV, "no device matches ifindex");
	if (device->pause_error)
		return fake_reply_error(request, device->pause_error, NULL);
	if (!set)
		return put_pause(request, device);
	set_pause(request, device, table, &(struct fake_verdict){ .fate = fate });
}

static void answer_generic(const struct fake_request *request)
{
	const struct nlmsghdr *header = request->header;
	const struct genlmsghdr *generic = NLMSG_DATA(header);
	const int size = NLMSG_SPACE(GENL_HDRLEN);
	const struct nlattr *table[16];

	if (header->nlmsg_len < (uint32_t)size ||
	    netlink_attributes(table, 15, (const char *)header + size,
			       (int)header->nlmsg_len - size) < 0)
		return fake_reply_error(request, -EINVAL, NULL);
	if (header->nlmsg_type == GENL_ID_CTRL && generic->cmd == CTRL_CMD_GETFAMILY)
		return answer_family(request, table);
	if (header->nlmsg_type == FAKE_ETHTOOL_FAMILY &&
	    (generic->cmd == ETHTOOL_MSG_PAUSE_GET || generic->cmd == ETHTOOL_MSG_PAUSE_SET))
		return answer_pause(request, generic->cmd, table);
	fake_reply_error(request, -EOPNOTSUPP, NULL);
}

/* ---- in place of libnl's send and receive ---- */

static int on_send(struct nl_sock *socket, struct nl_msg *message)
{
	const struct nlmsghdr *header = nlmsg_hdr(message);
	struct fake_request request = { .header = header };

	request.wire = find_wire(socket, &request.fake);
	if (!request.wire)
		return -NLE_BAD_SOCK;
	drop(&request.wire->request);
	request.wire->request = make_packet(header, header->nlmsg_len);
	request.wire->seq = header->nlmsg_seq;
	request.wire->port = header->nlmsg_pid;
	if (request.wire->script)
		return (int)header->nlmsg_len;
	if (request.wire == &request.fake->wire[FAKE_ROUTE])
		answer_route(&request);
	else if (request.wire == &request.fake->wire[FAKE_RDMA])
		fake_nldev_request(&request);
	else
		answer_generic(&request);
	return (int)header->nlmsg_len;
}

/* A scripted datagram is given as it is, but for the numbers of the request that it answers. */
static void patch(const struct fake_wire *wire, unsigned char *data, size_t size)
{
	size_t at = 0;

	while (size - at >= sizeof(struct nlmsghdr)) {
		struct nlmsghdr header;

		memcpy(&header, data + at, sizeof(header));
		header.nlmsg_seq = wire->seq;
		header.nlmsg_pid = wire->port;
		memcpy(data + at, &header, sizeof(header));
		/* in this order: a length close to its maximum is 0 when aligned */
		if (header.nlmsg_len < sizeof(header) || header.nlmsg_len >= size - at ||
		    NLMSG_ALIGN(header.nlmsg_len) >= size - at)
			return;
		at += NLMSG_ALIGN(header.nlmsg_len);
	}
}

static int on_receive(struct nl_sock *socket, struct sockaddr_nl *from, unsigned char **ret,
		      struct ucred **creds)
{
	struct fake_packet **queue;
	struct fake_packet *first;
	struct fake_wire *wire;
	struct fake *fake;
	int size;

	wire = find_wire(socket, &fake);
	if (!wire)
		return -NLE_BAD_SOCK;
	queue = wire->answers ? &wire->answers : &wire->script;
	first = *queue;
	if (!first)
		return -NLE_AGAIN;
	*queue = first->next;
	size = (int)first->size;
	*from = (struct sockaddr_nl){ .nl_family = AF_NETLINK };
	if (queue == &wire->script)
		patch(wire, first->data, first->size);
	if (size > 0) {
		*ret = malloc(first->size);
		if (*ret)
			memcpy(*ret, first->data, first->size);
		else
			size = -NLE_NOMEM;
	}
	free(first);
	return size;
}

int fake_netlink_open(struct os *os, int protocol, struct nl_sock *socket)
{
	struct fake_wire *wire = &fake_of(os)->wire[wire_of(protocol)];
	struct nl_cb *cb = nl_socket_get_cb(socket);

	nl_cb_overwrite_send(cb, on_send);
	nl_cb_overwrite_recv(cb, on_receive);
	nl_cb_put(cb);
	drop(&wire->answers);
	return 0;
}
