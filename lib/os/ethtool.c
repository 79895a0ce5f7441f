// SPDX-License-Identifier: LGPL-2.1-or-later
/* Global pause over ethtool netlink. Mirrors net/ethtool/pause.c and, for the family's id,
 * net/netlink/genetlink.c. */
#include "lib/os/ethtool.h"

#include <errno.h>
#include <linux/ethtool_netlink.h>
#include <linux/genetlink.h>
#include <string.h>

#include "lib/base/cleanup.h"
#include "lib/os/netlink.h"

enum { HEADER_SIZE = NLMSG_SPACE(GENL_HDRLEN) };

static struct nl_msg *make_request(int family, int flags, uint8_t command, uint8_t version)
{
	struct genlmsghdr header = { .cmd = command, .version = version };
	struct nl_msg *message = nlmsg_alloc_simple(family, flags);

	if (message && nlmsg_append(message, &header, sizeof(header), NLMSG_ALIGNTO) < 0) {
		nlmsg_free(message);
		return NULL;
	}
	return message;
}

/* ---- the family ---- */

struct family {
	uint16_t id;
	uint32_t monitor;	/* its multicast group for changes, 0: none */
};

/* The groups are nests in a nest, numbered from 1. */
static void find_group(const struct nlattr *groups, const char *name, uint32_t *ret)
{
	const struct nlattr *group;
	char found[GENL_NAMSIZ];
	int left;

	nla_for_each_nested(group, groups, left) {
		const struct nlattr *table[CTRL_ATTR_MCAST_GRP_MAX + 1];

		if (netlink_nested(table, CTRL_ATTR_MCAST_GRP_MAX, group) < 0 ||
		    !table[CTRL_ATTR_MCAST_GRP_NAME] || !table[CTRL_ATTR_MCAST_GRP_ID] ||
		    netlink_name(table[CTRL_ATTR_MCAST_GRP_NAME], found, sizeof(found)) < 0)
			continue;
		if (strcmp(found, name) == 0)
			(void)netlink_copy(table[CTRL_ATTR_MCAST_GRP_ID], ret, sizeof(*ret));
	}
}

static int on_family(const struct nlmsghdr *message, void *data)
{
	const struct nlattr *table[CTRL_ATTR_MAX + 1];
	struct family *family = data;
	int r;

	if (message->nlmsg_type != GENL_ID_CTRL || message->nlmsg_len < HEADER_SIZE)
		return -EBADMSG;
	r = netlink_attributes(table, CTRL_ATTR_MAX, (const char *)message + HEADER_SIZE,
			       (int)message->nlmsg_len - HEADER_SIZE);
	if (r < 0)
		return r;
	if (!table[CTRL_ATTR_FAMILY_ID])
		return -EBADMSG;
	if (table[CTRL_ATTR_MCAST_GROUPS])
		find_group(table[CTRL_ATTR_MCAST_GROUPS], ETHTOOL_MCGRP_MONITOR_NAME,
			   &family->monitor);
	return netlink_copy(table[CTRL_ATTR_FAMILY_ID], &family->id, sizeof(family->id));
}

static int ask_family(struct os *os, struct family *ret)
{
	_cleanup_(nl_msg_freep) struct nl_msg *request = NULL;
	int r;

	*ret = (struct family){};
	request = make_request(GENL_ID_CTRL, 0, CTRL_CMD_GETFAMILY, 1);
	if (!request || nla_put_string(request, CTRL_ATTR_FAMILY_NAME, ETHTOOL_GENL_NAME) < 0)
		return -ENOMEM;
	r = netlink_request(os, NETLINK_GENERIC, request, on_family, ret, NULL);
	if (r == -ENOENT || r == -EPROTONOSUPPORT)
		return -EOPNOTSUPP;
	if (r < 0)
		return r;
	return ret->id < NLMSG_MIN_TYPE ? -EBADMSG : 0;
}

/* Ask for the family's id once; -EOPNOTSUPP if this kernel has none. */
static int find_family(struct os *os)
{
	struct family family;
	int r;

	if (os->ethtool_family)
		return 0;
	r = ask_family(os, &family);
	if (r == 0)
		os->ethtool_family = family.id;
	return r;
}

int os_ethtool_group(struct os *os, int *ret_family, uint32_t *ret_group)
{
	struct family family;
	int r;

	r = ask_family(os, &family);
	if (r < 0)
		return r;
	if (!family.monitor)
		return -EOPNOTSUPP;
	*ret_family = family.id;
	*ret_group = family.monitor;
	return 0;
}

/* ---- pause ---- */

static int make_pause_request(struct os *os, int flags, uint8_t command, int ifindex,
			      struct nl_msg **ret)
{
	_cleanup_(nl_msg_freep) struct nl_msg *request = NULL;
	struct nlattr *nest;
	int r;

	r = find_family(os);
	if (r < 0)
		return r;
	request = make_request(os->ethtool_family, flags, command, ETHTOOL_GENL_VERSION);
	nest = request ? nla_nest_start(request, ETHTOOL_A_PAUSE_HEADER) : NULL;
	if (!nest || nla_put_u32(request, ETHTOOL_A_HEADER_DEV_INDEX, (uint32_t)ifindex) < 0)
		return -ENOMEM;
	nla_nest_end(request, nest);
	*ret = TAKE_PTR(request);
	return 0;
}

static int read_flag(const struct nlattr *attr, bool *ret)
{
	uint8_t value = 0;
	int r;

	r = attr ? netlink_copy(attr, &value, sizeof(value)) : -EBADMSG;
	*ret = value;
	return r;
}

static int on_pause(const struct nlmsghdr *message, void *data)
{
	const struct nlattr *table[ETHTOOL_A_PAUSE_MAX + 1];
	const struct genlmsghdr *header = NLMSG_DATA(message);
	struct os_pause *pause = data;
	int r;

	if (message->nlmsg_len < HEADER_SIZE || header->cmd != ETHTOOL_MSG_PAUSE_GET_REPLY)
		return -EBADMSG;
	r = netlink_attributes(table, ETHTOOL_A_PAUSE_MAX, (const char *)message + HEADER_SIZE,
			       (int)message->nlmsg_len - HEADER_SIZE);
	if (r < 0)
		return r;
	r = read_flag(table[ETHTOOL_A_PAUSE_AUTONEG], &pause->autoneg);
	if (r < 0)
		return r;
	r = read_flag(table[ETHTOOL_A_PAUSE_RX], &pause->rx);
	if (r < 0)
		return r;
	return read_flag(table[ETHTOOL_A_PAUSE_TX], &pause->tx);
}

int os_pause_get(struct os *os, int ifindex, struct os_pause *ret)
{
	_cleanup_(nl_msg_freep) struct nl_msg *request = NULL;
	struct os_pause pause = {};
	int r;

	r = make_pause_request(os, 0, ETHTOOL_MSG_PAUSE_GET, ifindex, &request);
	if (r < 0)
		return r;
	r = netlink_request(os, NETLINK_GENERIC, request, on_pause, &pause, NULL);
	if (r < 0)
		return r;
	*ret = pause;
	return 0;
}

int os_pause_set(struct os *os, int ifindex, const struct os_pause *pause,
		 struct os_error *ret_error)
{
	_cleanup_(nl_msg_freep) struct nl_msg *request = NULL;
	int r;

	*ret_error = (struct os_error){};
	r = make_pause_request(os, NLM_F_ACK, ETHTOOL_MSG_PAUSE_SET, ifindex, &request);
	if (r < 0)
		return r;
	if (nla_put_u8(request, ETHTOOL_A_PAUSE_AUTONEG, pause->autoneg) < 0 ||
	    nla_put_u8(request, ETHTOOL_A_PAUSE_RX, pause->rx) < 0 ||
	    nla_put_u8(request, ETHTOOL_A_PAUSE_TX, pause->tx) < 0)
		return -ENOMEM;
	return netlink_request(os, NETLINK_GENERIC, request, NULL, NULL, ret_error);
}
