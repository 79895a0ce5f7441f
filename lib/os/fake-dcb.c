// SPDX-License-Identifier: LGPL-2.1-or-later
/* DCB messages to the simulated node. Mirrors net/dcb/dcbnl.c: dcb_doit() and what it calls. */
#include <errno.h>
#include <linux/rtnetlink.h>
#include <stdio.h>
#include <string.h>

#include "lib/base/cleanup.h"
#include "lib/base/macro.h"
#include "lib/base/missing.h"
#include "lib/os/fake-private.h"
#include "lib/os/netlink.h"

enum { HEADER_SIZE = NLMSG_SPACE(sizeof(struct dcbmsg)) };

static struct nl_msg *make_reply(int type, uint8_t command, const char *ifname)
{
	struct dcbmsg header = { .dcb_family = AF_UNSPEC, .cmd = command };
	struct nl_msg *message = nlmsg_alloc_size(HEADER_SIZE + 1024 + OS_DCB_APP_MAX * 8);

	if (!message)
		return NULL;
	(void)nlmsg_put(message, 0, 0, type, 0, 0);
	(void)nlmsg_append(message, &header, sizeof(header), NLMSG_ALIGNTO);
	if (ifname)
		(void)nla_put_string(message, DCB_ATTR_IFNAME, ifname);
	return message;
}

/* Fault and rights of a request; false if it is answered already. */
static bool enter(const struct fake_request *request, enum fake_call call,
		  const struct fake_device *device, const char *object, struct fake_verdict *ret)
{
	char subject[OS_NAME_MAX];

	(void)snprintf(subject, sizeof(subject), "%s/%s", device->name, object);
	*ret = fake_enter(request->fake, call, subject);
	if (call == FAKE_DCB_SET && !request->fake->os.privileged)
		fake_reply_error(request, -EPERM, NULL);
	else if (ret->fate == FAKE_FAIL)
		fake_reply_error(request, ret->error, NULL);
	else if (!device->present)
		fake_reply_error(request, -ENODEV, NULL);
	else
		return true;
	return false;
}

/* ---- reading ---- */

static void put_apps(struct nl_msg *message, const struct fake_hw *hw)
{
	struct nlattr *table = nla_nest_start(message, DCB_ATTR_IEEE_APP_TABLE);

	for (size_t i = 0; i < hw->n_app; i++) {
		bool pcp = hw->app[i].selector == DCB_APP_SEL_PCP;

		(void)nla_put(message, pcp ? DCB_ATTR_DCB_APP : DCB_ATTR_IEEE_APP,
			      sizeof(hw->app[i]), &hw->app[i]);
	}
	nla_nest_end_keep_empty(message, table);
}

/* dcbnl_ieee_fill(): what the driver has, the APP table even if it is empty; DCBX stands outside
 * the nest. */
static void get_state(const struct fake_request *request, const struct fake_device *device)
{
	const struct fake_driver *driver = device->driver;
	const struct fake_hw *hw = &device->hw;
	struct fake_verdict verdict;
	struct nl_msg *message;
	struct nlattr *ieee;
	struct ieee_ets ets;
	struct ieee_pfc pfc;

	if (!enter(request, FAKE_DCB_GET, device, "dcb", &verdict))
		return;
	message = make_reply(RTM_GETDCB, DCB_CMD_IEEE_GET, device->name);
	if (!message)
		return;
	driver->get_ets(device, &ets);
	driver->get_pfc(device, &pfc);
	if (device->fake->replayed) {
		ets.ets_cap = device->ets_cap;
		pfc.pfc_cap = device->pfc_caps.pfc_cap;
		pfc.mbc = device->pfc_caps.mbc;
	}
	ieee = nla_nest_start(message, DCB_ATTR_IEEE);
	if (device->parts & FAKE_HAS_ETS)
		(void)nla_put(message, DCB_ATTR_IEEE_ETS, sizeof(ets), &ets);
	if (device->parts & FAKE_HAS_MAXRATE)
		(void)nla_put(message, DCB_ATTR_IEEE_MAXRATE, sizeof(hw->maxrate), &hw->maxrate);
	if (device->parts & FAKE_HAS_PFC)
		(void)nla_put(message, DCB_ATTR_IEEE_PFC, sizeof(pfc), &pfc);
	if (device->parts & FAKE_HAS_BUFFER)
		(void)nla_put(message, DCB_ATTR_DCB_BUFFER, sizeof(hw->buffer), &hw->buffer);
	if (device->parts & FAKE_HAS_APP)
		put_apps(message, hw);
	nla_nest_end(message, ieee);
	if (device->parts & FAKE_HAS_DCBX)
		(void)nla_put_u8(message, DCB_ATTR_DCBX, hw->dcbx);
	fake_reply(request, message);
	fake_reply_error(request, 0, NULL);
}

/* ---- writing ---- */

/* The driver's word comes first and the ACK says 0 even if it refused. */
static void reply_status(const struct fake_request *request, const struct fake_device *device,
			 uint8_t command, int attribute, int status)
{
	struct nl_msg *message = make_reply(RTM_SETDCB, command, device->name);

	if (!message)
		return;
	(void)nla_put_u8(message, attribute, (uint8_t)status);
	fake_reply(request, message);
	fake_reply_error(request, 0, NULL);
}

static void set_dcbx(const struct fake_request *request, struct fake_device *device,
		     const struct nlattr *attr)
{
	struct fake_verdict verdict;
	int status = 0;
	uint8_t mode;

	if (!enter(request, FAKE_DCB_SET, device, "dcbx", &verdict))
		return;
	if (!attr || netlink_copy(attr, &mode, sizeof(mode)) < 0)
		return fake_reply_error(request, -EINVAL, NULL);
	/* The driver has one word for all failures */
	if (verdict.error == -EBUSY)
		verdict.error = 1;
	/* A mode knows no less */
	if (verdict.fate != FAKE_LESS)
		status = device->driver->set_dcbx(device, mode, &verdict);
	reply_status(request, device, DCB_CMD_SDCBX, DCB_ATTR_DCBX, status);
}

static int change_apps(struct fake_device *device, const struct nlattr *nest, bool delete,
		       const struct fake_verdict *verdict)
{
	const struct fake_driver *driver = device->driver;
	const struct nlattr *attr = nla_data(nest);
	int left = nla_len(nest);
	struct dcb_app app;
	int r;

	for (; nla_ok(attr, left); attr = nla_next(attr, &left)) {
		bool pcp = nla_type(attr) == DCB_ATTR_DCB_APP;

		if (nla_type(attr) != DCB_ATTR_IEEE_APP && !pcp)
			continue;
		if (netlink_copy(attr, &app, sizeof(app)) < 0)
			return -ERANGE;
		if (pcp != (app.selector == DCB_APP_SEL_PCP))
			return -EINVAL;
		r = (delete ? driver->app_delete : driver->app_add)(device, &app, verdict);
		if (r != 0 || verdict->fate == FAKE_LESS)
			return r;
	}
	return 0;
}

static int set_ets(struct fake_device *device, const struct nlattr *attr, bool delete,
		   const struct fake_verdict *verdict)
{
	struct ieee_ets ets;

	memcpy(&ets, nla_data(attr), sizeof(ets));
	return device->driver->set_ets(device, &ets, verdict);
}

static int set_pfc(struct fake_device *device, const struct nlattr *attr, bool delete,
		   const struct fake_verdict *verdict)
{
	struct ieee_pfc pfc;

	memcpy(&pfc, nla_data(attr), sizeof(pfc));
	return device->driver->set_pfc(device, &pfc, verdict);
}

/* A driver without the operation is not asked, and nobody says so. */
static int set_maxrate(struct fake_device *device, const struct nlattr *attr, bool delete,
		       const struct fake_verdict *verdict)
{
	struct ieee_maxrate maxrate;

	memcpy(&maxrate, nla_data(attr), sizeof(maxrate));
	return device->driver->set_maxrate ?
		       device->driver->set_maxrate(device, &maxrate, verdict) :
		       0;
}

static int set_buffer(struct fake_device *device, const struct nlattr *attr, bool delete,
		      const struct fake_verdict *verdict)
{
	struct dcbnl_buffer buffer;

	memcpy(&buffer, nla_data(attr), sizeof(buffer));
	return device->driver->set_buffer ? device->driver->set_buffer(device, &buffer, verdict) :
					    0;
}

/* In the order in which the kernel looks at them; the first that is refused ends the message. */
static const struct {
	const char *name;
	int attribute;
	int size;
	int (*write)(struct fake_device *device, const struct nlattr *attr, bool delete,
		     const struct fake_verdict *verdict);
	bool can_delete;
	uint16_t part;
} objects[] = {
	{ "ets", DCB_ATTR_IEEE_ETS, sizeof(struct ieee_ets), set_ets, false, FAKE_HAS_ETS },
	{ "maxrate", DCB_ATTR_IEEE_MAXRATE, sizeof(struct ieee_maxrate), set_maxrate, false,
	  FAKE_HAS_MAXRATE },
	{ "pfc", DCB_ATTR_IEEE_PFC, sizeof(struct ieee_pfc), set_pfc, false, FAKE_HAS_PFC },
	{ "buffer", DCB_ATTR_DCB_BUFFER, sizeof(struct dcbnl_buffer), set_buffer, false,
	  FAKE_HAS_BUFFER },
	{ "app", DCB_ATTR_IEEE_APP_TABLE, 0, change_apps, true, FAKE_HAS_APP },
};

static void set_ieee(const struct fake_request *request, struct fake_device *device,
		     uint8_t command, const struct nlattr *nest)
{
	const struct nlattr *table[DCB_ATTR_IEEE_MAX + 1];
	bool delete = command == DCB_CMD_IEEE_DEL;
	struct fake_verdict verdict;
	int status = 0;

	if (!nest || netlink_nested(table, DCB_ATTR_IEEE_MAX, nest) < 0)
		return fake_reply_error(request, request->fake->os.privileged ? -EINVAL : -EPERM,
					NULL);
	for (size_t i = 0; i < ARRAY_SIZE(objects); i++)
		if (table[objects[i].attribute] &&
		    nla_len(table[objects[i].attribute]) < objects[i].size)
			return fake_reply_error(request, -ERANGE, NULL);
	for (size_t i = 0; i < ARRAY_SIZE(objects) && status == 0; i++) {
		const struct nlattr *attr = table[objects[i].attribute];

		if (!attr || (delete &&!objects[i].can_delete))
			continue;
		if (!enter(request, FAKE_DCB_SET, device, objects[i].name, &verdict))
			return;
		if (device->parts & objects[i].part)
			status = objects[i].write(device, attr, delete, &verdict);
	}
	reply_status(request, device, command, DCB_ATTR_IEEE, status);
}

void fake_dcb_request(const struct fake_request *request)
{
	const struct nlmsghdr *header = request->header;
	const struct dcbmsg *dcb = NLMSG_DATA(header);
	const struct nlattr *table[DCB_ATTR_MAX + 1];
	struct fake_device *device;
	char name[IFNAMSIZ];

	if (header->nlmsg_len < HEADER_SIZE ||
	    netlink_attributes(table, DCB_ATTR_MAX, (const char *)header + HEADER_SIZE,
			       (int)header->nlmsg_len - HEADER_SIZE) < 0)
		return fake_reply_error(request, -EINVAL, NULL);
	if (header->nlmsg_type == RTM_SETDCB && !request->fake->os.privileged)
		return fake_reply_error(request, -EPERM, NULL);
	if (!table[DCB_ATTR_IFNAME] || netlink_name(table[DCB_ATTR_IFNAME], name, sizeof(name)) < 0)
		return fake_reply_error(request, -EINVAL, NULL);
	device = fake_find_name(request->fake, name);
	if (!device)
		return fake_reply_error(request, -ENODEV, NULL);
	if (!fake_has_dcb(device))
		return fake_reply_error(request, device->dcb_error, NULL);
	switch (dcb->cmd) {
	case DCB_CMD_IEEE_GET:
		return get_state(request, device);
	case DCB_CMD_SDCBX:
		return set_dcbx(request, device, table[DCB_ATTR_DCBX]);
	case DCB_CMD_IEEE_SET:
	case DCB_CMD_IEEE_DEL:
		return set_ieee(request, device, dcb->cmd, table[DCB_ATTR_IEEE]);
	}
	fake_reply_error(request, -EINVAL, NULL);
}
