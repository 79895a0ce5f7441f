// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Network devices over RTNETLINK. Mirrors net/core/rtnetlink.c: rtnl_fill_ifinfo(), do_setlink().
 * A device whose message is too large for the kernel itself (EMSGSIZE, many VFs) is read from sysfs
 * instead.
 */
#include "lib/os/link.h"

#include <errno.h>
#include <linux/if_link.h>
#include <linux/rtnetlink.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/cleanup.h"
#include "lib/os/file.h"
#include "lib/os/netlink.h"

enum {
	RETRY_STEP_MS = 10, /* an interrupted dump is repeated after 10, 20, 30 ... ms */
	LINK_MAX = 65536, /* devices; more is not believed */
};

void os_links_done(struct os_links *links)
{
	free(links->list);
	*links = (struct os_links){};
}

static int read_u32(const struct nlattr *attr, uint32_t *ret)
{
	return attr ? netlink_copy(attr, ret, sizeof(*ret)) : 0;
}

static int read_index(const struct nlattr *attr, int *ret)
{
	return attr ? netlink_copy(attr, ret, sizeof(*ret)) : 0;
}

static int read_kind(const struct nlattr *info, struct os_link *link)
{
	const struct nlattr *table[IFLA_INFO_MAX + 1];
	int r;

	if (!info)
		return 0;
	r = netlink_nested(table, IFLA_INFO_MAX, info);
	if (r < 0 || !table[IFLA_INFO_KIND])
		return r;
	return netlink_name(table[IFLA_INFO_KIND], link->kind, sizeof(link->kind));
}

static int parse_attributes(const struct nlattr *const table[IFLA_MAX + 1], struct os_link *link)
{
	const struct nlattr *address = table[IFLA_ADDRESS];
	int r;

	if (!table[IFLA_IFNAME])
		return -EBADMSG;
	r = netlink_name(table[IFLA_IFNAME], link->name, sizeof(link->name));
	if (r < 0)
		return r;
	if (address && nla_len(address) == (int)sizeof(link->mac))
		memcpy(link->mac, nla_data(address), sizeof(link->mac));
	r = read_kind(table[IFLA_LINKINFO], link);
	if (r < 0)
		return r;
	/* The index of a device in another namespace means nothing here */
	r = table[IFLA_LINK_NETNSID] ? 0 : read_index(table[IFLA_LINK], &link->link_ifindex);
	if (r < 0)
		return r;
	r = read_index(table[IFLA_MASTER], &link->master_ifindex);
	if (r < 0)
		return r;
	r = read_u32(table[IFLA_MTU], &link->mtu);
	if (r < 0)
		return r;
	r = read_u32(table[IFLA_MIN_MTU], &link->mtu_min);
	if (r < 0)
		return r;
	return read_u32(table[IFLA_MAX_MTU], &link->mtu_max);
}

int netlink_link(const struct nlmsghdr *message, struct os_link *ret)
{
	const struct nlattr *table[IFLA_MAX + 1];
	const struct ifinfomsg *info = NLMSG_DATA(message);
	const int header = (int)NLMSG_SPACE(sizeof(*info));
	struct os_link link = {};
	int r;

	if (message->nlmsg_type != RTM_NEWLINK)
		return 0;
	if ((int)message->nlmsg_len < header)
		return -EBADMSG;
	if (info->ifi_family != AF_UNSPEC)
		return 0;
	r = netlink_attributes(table, IFLA_MAX, (const char *)message + header,
			       (int)message->nlmsg_len - header);
	if (r < 0)
		return r;
	link.ifindex = info->ifi_index;
	link.up = info->ifi_flags & IFF_UP;
	link.carrier = info->ifi_flags &
		       (1U << 16); /* IFF_LOWER_UP, which <net/if.h> does not have */
	r = parse_attributes(table, &link);
	if (r < 0)
		return r;
	if (link.ifindex <= 0)
		return -EBADMSG;
	*ret = link;
	return 1;
}

static struct nl_msg *make_request(int type, int flags, int ifindex)
{
	struct ifinfomsg info = { .ifi_family = AF_UNSPEC, .ifi_index = ifindex };
	struct nl_msg *message = nlmsg_alloc_simple(type, flags);

	if (message && nlmsg_append(message, &info, sizeof(info), NLMSG_ALIGNTO) < 0) {
		nlmsg_free(message);
		return NULL;
	}
	return message;
}

/* Statistics are left out; no bit asks for VFs. */
static struct nl_msg *make_get(int flags, int ifindex)
{
	struct nl_msg *message = make_request(RTM_GETLINK, flags, ifindex);

	if (message && nla_put_u32(message, IFLA_EXT_MASK, RTEXT_FILTER_SKIP_STATS) < 0) {
		nlmsg_free(message);
		return NULL;
	}
	return message;
}

static int links_add(struct os_links *links, const struct os_link *link)
{
	int r;

	if (links->n >= LINK_MAX)
		return -E2BIG;
	r = array_grow(&links->list, links->n, &links->room, sizeof(*links->list));
	if (r < 0)
		return r;
	links->list[links->n++] = *link;
	return 0;
}

static int on_link_of_dump(const struct nlmsghdr *message, void *data)
{
	struct os_link link;
	int r;

	r = netlink_link(message, &link);
	return r > 0 ? links_add(data, &link) : r;
}

/* ---- what sysfs knows of a device ---- */

static int read_attribute(struct os *os, const char *name, const char *attribute, uint64_t max,
			  uint64_t *ret)
{
	char path[OS_PATH_MAX];

	(void)snprintf(path, sizeof(path), "/sys/class/net/%s/%s", name, attribute);
	return os_read_number(os, path, max, ret);
}

static void read_mac(struct os *os, const char *name, uint8_t mac[6])
{
	char path[OS_PATH_MAX];
	unsigned int byte[6];
	char text[64];

	(void)snprintf(path, sizeof(path), "/sys/class/net/%s/address", name);
	if (os_read_text(os, path, text, sizeof(text)) != 17)
		return;
	if (sscanf(text, "%2x:%2x:%2x:%2x:%2x:%2x", &byte[0], &byte[1], &byte[2], &byte[3],
		   &byte[4], &byte[5]) != 6)
		return;
	for (int i = 0; i < 6; i++)
		mac[i] = (uint8_t)byte[i];
}

static int link_from_sysfs(struct os *os, const char *name, struct os_link *ret)
{
	struct os_link link = {};
	uint64_t index, lower, mtu, flags;
	uint64_t value;
	int r;

	if (!*name || strlen(name) >= sizeof(link.name))
		return -EBADMSG;
	r = read_attribute(os, name, "ifindex", INT32_MAX, &index);
	if (r < 0)
		return r;
	r = read_attribute(os, name, "mtu", UINT32_MAX, &mtu);
	if (r < 0)
		return r;
	r = read_attribute(os, name, "flags", UINT32_MAX, &flags);
	if (r < 0)
		return r;
	memcpy(link.name, name, strlen(name) + 1);
	link.ifindex = (int)index;
	link.mtu = (uint32_t)mtu;
	link.up = flags & IFF_UP;
	if (read_attribute(os, name, "carrier", 1, &value) ==
	    0) /* EINVAL while the device is down */
		link.carrier = value;
	if (read_attribute(os, name, "iflink", INT32_MAX, &lower) == 0 && lower != index)
		link.link_ifindex = (int)lower;
	if (read_attribute(os, name, "master/ifindex", INT32_MAX, &value) == 0)
		link.master_ifindex = (int)value;
	read_mac(os, name, link.mac);
	*ret = link;
	return 0;
}

struct by_name {
	struct os *os;
	struct os_links *links;
	int ifindex; /* the one that is looked for, 0: all */
	struct os_link found;
};

static int add_by_name(const char *name, void *data)
{
	struct by_name *walk = data;
	struct os_link link;
	uint64_t index;
	int r;

	r = read_attribute(walk->os, name, "ifindex", INT32_MAX, &index);
	if (r == -ENOENT || r == -ENOTDIR || r == -ENODEV)
		return 0; /* bonding_masters is a file; a device may just have gone */
	if (r < 0)
		return r;
	r = os_link_get(walk->os, (int)index, &link);
	if (r == -ENODEV)
		return 0;
	return r < 0 ? r : links_add(walk->links, &link);
}

static int find_by_index(const char *name, void *data)
{
	struct by_name *walk = data;
	uint64_t index;
	int r;

	if (read_attribute(walk->os, name, "ifindex", INT32_MAX, &index) < 0 ||
	    (int)index != walk->ifindex)
		return 0;
	r = link_from_sysfs(walk->os, name, &walk->found);
	return r < 0 ? r : 1;
}

/* Returns 0; -ENODEV. */
static int get_from_sysfs(struct os *os, int ifindex, struct os_link *ret)
{
	struct by_name walk = { .os = os, .ifindex = ifindex };
	int r;

	r = os->ops->list(os, "/sys/class/net", find_by_index, &walk);
	if (r <= 0)
		return r < 0 ? r : -ENODEV;
	*ret = walk.found;
	return 0;
}

/* ---- the calls ---- */

/* The whole list is too large for the kernel: one by one. */
static int dump_by_name(struct os *os, struct os_links *links)
{
	struct by_name walk = { .os = os, .links = links };

	return os->ops->list(os, "/sys/class/net", add_by_name, &walk);
}

static int dump_once(struct os *os, struct os_links *links)
{
	_cleanup_(nl_msg_freep) struct nl_msg *request = make_get(NLM_F_DUMP, 0);
	int r;

	if (!request)
		return -ENOMEM;
	r = netlink_request(os, NETLINK_ROUTE, request, on_link_of_dump, links, NULL);
	if (r != -EMSGSIZE)
		return r;
	links->n = 0;
	return dump_by_name(os, links);
}

int os_link_dump(struct os *os, struct os_links *ret)
{
	struct os_links links = {};
	int r = -EINTR;

	for (unsigned int i = 0; i < OS_LINK_DUMP_TRIES && r == -EINTR; i++) {
		if (i > 0)
			os->ops->sleep_ms(os, i * RETRY_STEP_MS);
		links.n = 0;
		r = dump_once(os, &links);
	}
	if (r < 0) {
		os_links_done(&links);
		return r;
	}
	*ret = links;
	return 0;
}

struct one_link {
	struct os_link link;
	bool seen;
};

static int on_link(const struct nlmsghdr *message, void *data)
{
	struct one_link *one = data;
	int r;

	r = netlink_link(message, &one->link);
	one->seen |= r > 0;
	return r < 0 ? r : 0;
}

int os_link_get(struct os *os, int ifindex, struct os_link *ret)
{
	_cleanup_(nl_msg_freep) struct nl_msg *request = NULL;
	struct one_link one = {};
	int r;

	if (ifindex <= 0)
		return -ENODEV;
	request = make_get(0, ifindex);
	if (!request)
		return -ENOMEM;
	r = netlink_request(os, NETLINK_ROUTE, request, on_link, &one, NULL);
	if (r == -EMSGSIZE)
		return get_from_sysfs(os, ifindex, ret);
	if (r < 0)
		return r;
	if (!one.seen || one.link.ifindex != ifindex)
		return -EBADMSG;
	*ret = one.link;
	return 0;
}

int os_link_set_mtu(struct os *os, int ifindex, uint32_t mtu, struct os_error *ret_error)
{
	_cleanup_(nl_msg_freep) struct nl_msg *request = NULL;

	*ret_error = (struct os_error){};
	if (ifindex <= 0)
		return -ENODEV; /* index 0 would be a new device */
	request = make_request(RTM_NEWLINK, NLM_F_ACK, ifindex);
	if (!request || nla_put_u32(request, IFLA_MTU, mtu) < 0)
		return -ENOMEM;
	return netlink_request(os, NETLINK_ROUTE, request, NULL, NULL, ret_error);
}
