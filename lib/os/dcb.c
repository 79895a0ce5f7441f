// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * DCB messages. Mirrors net/dcb/dcbnl.c: dcbnl_ieee_get(), dcbnl_ieee_set(), dcbnl_ieee_del(),
 * dcbnl_setdcbx(). The structs of <linux/dcbnl.h> travel whole, in host order.
 */
#include "lib/os/dcb.h"

#include <errno.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <string.h>

#include "lib/base/cleanup.h"
#include "lib/base/missing.h"
#include "lib/os/netlink.h"

enum { HEADER_SIZE = NLMSG_SPACE(sizeof(struct dcbmsg)) };

/* ---- requests ---- */

/* A request with room for @size bytes of payload. NULL if there is no memory. */
static struct nl_msg *make_request(int type, int flags, uint8_t command, const char *ifname,
				   size_t size)
{
	_cleanup_(nl_msg_freep) struct nl_msg *message = nlmsg_alloc_size(HEADER_SIZE + 256 + size);
	struct dcbmsg header = { .dcb_family = AF_UNSPEC, .cmd = command };

	if (!message || !nlmsg_put(message, NL_AUTO_PORT, NL_AUTO_SEQ, type, 0, flags))
		return NULL;
	if (nlmsg_append(message, &header, sizeof(header), NLMSG_ALIGNTO) < 0)
		return NULL;
	if (nla_put_string(message, DCB_ATTR_IFNAME, ifname) < 0)
		return NULL;
	return TAKE_PTR(message);
}

static bool is_name(const char *ifname)
{
	return *ifname && strlen(ifname) < IFNAMSIZ;
}

/* ---- replies ---- */

/* The attributes of a reply to @command about @ifname; -EBADMSG if it is none. */
static int parse_reply(const struct nlmsghdr *message, uint8_t command, const char *ifname,
		       const struct nlattr *table[DCB_ATTR_MAX + 1])
{
	const struct dcbmsg *header = NLMSG_DATA(message);
	char name[IFNAMSIZ];
	int r;

	if (message->nlmsg_type != RTM_GETDCB && message->nlmsg_type != RTM_SETDCB)
		return -EBADMSG;
	if (message->nlmsg_len < HEADER_SIZE || header->cmd != command)
		return -EBADMSG;
	r = netlink_attributes(table, DCB_ATTR_MAX, (const char *)message + HEADER_SIZE,
			       (int)message->nlmsg_len - HEADER_SIZE);
	if (r < 0 || !table[DCB_ATTR_IFNAME])
		return r;
	r = netlink_name(table[DCB_ATTR_IFNAME], name, sizeof(name));
	if (r < 0)
		return r;
	return strcmp(name, ifname) ? -EBADMSG : 0;
}

static int parse_app(const struct nlattr *nest, struct os_dcb *dcb)
{
	const struct nlattr *attr = nla_data(nest);
	int left = nla_len(nest);
	int r;

	for (; nla_ok(attr, left); attr = nla_next(attr, &left)) {
		if (nla_type(attr) != DCB_ATTR_IEEE_APP && nla_type(attr) != DCB_ATTR_DCB_APP)
			continue;
		if (dcb->n_app >= OS_DCB_APP_MAX)
			return -E2BIG;
		r = netlink_copy(attr, &dcb->app[dcb->n_app], sizeof(dcb->app[0]));
		if (r < 0)
			return r;
		dcb->n_app++;
	}
	dcb->has_app = true;
	return left > 0 ? -EBADMSG : 0;
}

/* Copy a struct if it is there. */
static int parse_object(const struct nlattr *attr, void *ret, size_t size, bool *ret_has)
{
	int r;

	if (!attr)
		return 0;
	r = netlink_copy(attr, ret, size);
	*ret_has = r == 0;
	return r;
}

static int parse_ieee(const struct nlattr *nest, struct os_dcb *dcb)
{
	const struct nlattr *table[DCB_ATTR_IEEE_MAX + 1];
	int r;

	r = netlink_nested(table, DCB_ATTR_IEEE_MAX, nest);
	if (r < 0)
		return r;
	r = parse_object(table[DCB_ATTR_IEEE_ETS], &dcb->ets, sizeof(dcb->ets), &dcb->has_ets);
	if (r < 0)
		return r;
	r = parse_object(table[DCB_ATTR_IEEE_PFC], &dcb->pfc, sizeof(dcb->pfc), &dcb->has_pfc);
	if (r < 0)
		return r;
	r = parse_object(table[DCB_ATTR_IEEE_MAXRATE], &dcb->maxrate, sizeof(dcb->maxrate),
			 &dcb->has_maxrate);
	if (r < 0)
		return r;
	r = parse_object(table[DCB_ATTR_DCB_BUFFER], &dcb->buffer, sizeof(dcb->buffer),
			 &dcb->has_buffer);
	if (r < 0)
		return r;
	return table[DCB_ATTR_IEEE_APP_TABLE] ? parse_app(table[DCB_ATTR_IEEE_APP_TABLE], dcb) : 0;
}

struct get {
	const char *ifname;
	struct os_dcb *dcb;
};

static int on_state(const struct nlmsghdr *message, void *data)
{
	const struct nlattr *table[DCB_ATTR_MAX + 1];
	struct get *get = data;
	int r;

	r = parse_reply(message, DCB_CMD_IEEE_GET, get->ifname, table);
	if (r < 0)
		return r;
	if (table[DCB_ATTR_DCBX]) {
		r = netlink_copy(table[DCB_ATTR_DCBX], &get->dcb->dcbx, sizeof(get->dcb->dcbx));
		if (r < 0)
			return r;
		get->dcb->has_dcbx = true;
	}
	return table[DCB_ATTR_IEEE] ? parse_ieee(table[DCB_ATTR_IEEE], get->dcb) : -EBADMSG;
}

int os_dcb_get(struct os *os, const char *ifname, struct os_dcb *ret)
{
	_cleanup_(nl_msg_freep) struct nl_msg *request = NULL;
	struct get get = { .ifname = ifname, .dcb = ret };

	memset(ret, 0, sizeof(*ret));
	if (!is_name(ifname))
		return -ENODEV;
	request = make_request(RTM_GETDCB, 0, DCB_CMD_IEEE_GET, ifname, 0);
	if (!request)
		return -ENOMEM;
	return netlink_request(os, NETLINK_ROUTE, request, on_state, &get, NULL);
}

/* ---- writes ---- */

struct write {
	const char *ifname;
	uint8_t command;
	int attribute; /* that carries the status */
	bool answered;
	int8_t status;
};

/* The status byte is a cut-off errno; -524 arrives as -12, so it has no name (nic.md 1.0). */
static int on_status(const struct nlmsghdr *message, void *data)
{
	const struct nlattr *table[DCB_ATTR_MAX + 1];
	struct write *write = data;
	int r;

	r = parse_reply(message, write->command, write->ifname, table);
	if (r < 0)
		return r;
	if (!table[write->attribute])
		return -EBADMSG;
	write->answered = true;
	return netlink_copy(table[write->attribute], &write->status, sizeof(write->status));
}

static int send_write(struct os *os, struct nl_msg *request, struct write *write,
		      struct os_error *ret_error)
{
	int r;

	r = netlink_request(os, NETLINK_ROUTE, request, on_status, write, ret_error);
	if (r < 0)
		return r;
	if (!write->answered)
		return -EBADMSG;
	ret_error->status = write->status;
	return write->status ? -EREMOTEIO : 0;
}

/* Write one IEEE attribute. */
static int set_object(struct os *os, const char *ifname, int attribute, const void *object,
		      int size, struct os_error *ret_error)
{
	_cleanup_(nl_msg_freep) struct nl_msg *request = NULL;
	struct write write = { .ifname = ifname,
			       .command = DCB_CMD_IEEE_SET,
			       .attribute = DCB_ATTR_IEEE };
	struct nlattr *nest;

	*ret_error = (struct os_error){};
	if (!is_name(ifname))
		return -ENODEV;
	request = make_request(RTM_SETDCB, NLM_F_ACK, DCB_CMD_IEEE_SET, ifname, (size_t)size);
	nest = request ? nla_nest_start(request, DCB_ATTR_IEEE) : NULL;
	if (!nest || nla_put(request, attribute, size, object) < 0)
		return -ENOMEM;
	nla_nest_end(request, nest);
	return send_write(os, request, &write, ret_error);
}

int os_dcb_set_ets(struct os *os, const char *ifname, const struct ieee_ets *ets,
		   struct os_error *ret_error)
{
	return set_object(os, ifname, DCB_ATTR_IEEE_ETS, ets, sizeof(*ets), ret_error);
}

int os_dcb_set_pfc(struct os *os, const char *ifname, const struct ieee_pfc *pfc,
		   struct os_error *ret_error)
{
	return set_object(os, ifname, DCB_ATTR_IEEE_PFC, pfc, sizeof(*pfc), ret_error);
}

int os_dcb_set_buffer(struct os *os, const char *ifname, const struct dcbnl_buffer *buffer,
		      struct os_error *ret_error)
{
	return set_object(os, ifname, DCB_ATTR_DCB_BUFFER, buffer, sizeof(*buffer), ret_error);
}

int os_dcb_set_maxrate(struct os *os, const char *ifname, const struct ieee_maxrate *maxrate,
		       struct os_error *ret_error)
{
	return set_object(os, ifname, DCB_ATTR_IEEE_MAXRATE, maxrate, sizeof(*maxrate), ret_error);
}

int os_dcb_set_dcbx(struct os *os, const char *ifname, uint8_t mode, struct os_error *ret_error)
{
	_cleanup_(nl_msg_freep) struct nl_msg *request = NULL;
	struct write write = { .ifname = ifname,
			       .command = DCB_CMD_SDCBX,
			       .attribute = DCB_ATTR_DCBX };

	*ret_error = (struct os_error){};
	if (!is_name(ifname))
		return -ENODEV;
	request = make_request(RTM_SETDCB, NLM_F_ACK, DCB_CMD_SDCBX, ifname, 0);
	if (!request || nla_put_u8(request, DCB_ATTR_DCBX, mode) < 0)
		return -ENOMEM;
	return send_write(os, request, &write, ret_error);
}

static int put_apps(struct nl_msg *request, const struct dcb_app *app, size_t n_app)
{
	struct nlattr *ieee, *table;

	ieee = nla_nest_start(request, DCB_ATTR_IEEE);
	table = ieee ? nla_nest_start(request, DCB_ATTR_IEEE_APP_TABLE) : NULL;
	if (!table)
		return -ENOMEM;
	for (size_t i = 0; i < n_app; i++) {
		bool pcp = app[i].selector == DCB_APP_SEL_PCP;

		if (nla_put(request, pcp ? DCB_ATTR_DCB_APP : DCB_ATTR_IEEE_APP, sizeof(app[i]),
			    &app[i]) < 0)
			return -ENOMEM;
	}
	nla_nest_end(request, table);
	nla_nest_end(request, ieee);
	return 0;
}

static int change_apps(struct os *os, const char *ifname, uint8_t command,
		       const struct dcb_app *app, size_t n_app, struct os_error *ret_error)
{
	_cleanup_(nl_msg_freep) struct nl_msg *request = NULL;
	struct write write = { .ifname = ifname, .command = command, .attribute = DCB_ATTR_IEEE };

	*ret_error = (struct os_error){};
	if (n_app == 0)
		return 0;
	if (n_app > OS_DCB_APP_MAX)
		return -E2BIG;
	if (!is_name(ifname))
		return -ENODEV;
	request = make_request(RTM_SETDCB, NLM_F_ACK, command, ifname,
			       n_app * NLA_HDRLEN + n_app * sizeof(*app));
	if (!request || put_apps(request, app, n_app) < 0)
		return -ENOMEM;
	return send_write(os, request, &write, ret_error);
}

int os_dcb_app_add(struct os *os, const char *ifname, const struct dcb_app *app, size_t n_app,
		   struct os_error *ret_error)
{
	return change_apps(os, ifname, DCB_CMD_IEEE_SET, app, n_app, ret_error);
}

int os_dcb_app_delete(struct os *os, const char *ifname, const struct dcb_app *app, size_t n_app,
		      struct os_error *ret_error)
{
	return change_apps(os, ifname, DCB_CMD_IEEE_DEL, app, n_app, ret_error);
}
