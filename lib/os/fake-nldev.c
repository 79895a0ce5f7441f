// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * RDMA netlink of the simulated node: devices and queue pairs. Mirrors
 * drivers/infiniband/core/nldev.c; the first queue pair of a device is the kernel's for management
 * (GSI), as the lab shows it.
 */
#include <errno.h>
#include <rdma/rdma_netlink.h>
#include <stdio.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/os/fake-private.h"
#include "lib/os/netlink.h"

enum {
	GSI_NUMBER = 1,
	FIRST_NUMBER = 17,
	FIRST_PID = 4242,
};

static struct nl_msg *make_part(const struct fake_device *device, uint32_t index, int command)
{
	struct nl_msg *message = nlmsg_alloc_size(NLMSG_HDRLEN + 16384);

	if (!message)
		return NULL;
	(void)nlmsg_put(message, 0, 0, RDMA_NL_GET_TYPE(RDMA_NL_NLDEV, command), 0, NLM_F_MULTI);
	(void)nla_put_u32(message, RDMA_NLDEV_ATTR_DEV_INDEX, index);
	(void)nla_put_string(message, RDMA_NLDEV_ATTR_DEV_NAME, device->rdma.name);
	return message;
}

static void dump_devices(const struct fake_request *request)
{
	struct fake *fake = request->fake;

	for (size_t i = 0; i < fake->n_device; i++) {
		struct nl_msg *message;

		if (!fake->device[i]->rdma.present)
			continue;
		message = make_part(fake->device[i], (uint32_t)i, RDMA_NLDEV_CMD_GET);
		if (!message)
			return;
		(void)nla_put_u32(message, RDMA_NLDEV_ATTR_PORT_INDEX, 1);
		fake_reply(request, message);
	}
	fake_reply_done(request);
}

static void put_qp(struct nl_msg *message, const struct fake_qp *qp)
{
	struct nlattr *entry = nla_nest_start(message, RDMA_NLDEV_ATTR_RES_QP_ENTRY);

	if (!entry)
		return;
	if (qp->port)
		(void)nla_put_u32(message, RDMA_NLDEV_ATTR_PORT_INDEX, qp->port);
	(void)nla_put_u32(message, RDMA_NLDEV_ATTR_RES_LQPN, qp->number);
	if (qp->user)
		(void)nla_put_u32(message, RDMA_NLDEV_ATTR_RES_PID, qp->pid);
	else
		(void)nla_put_string(message, RDMA_NLDEV_ATTR_RES_KERN_NAME, "ib_core");
	nla_nest_end(message, entry);
}

static void dump_qps(const struct fake_request *request, const struct fake_device *device,
		     uint32_t index)
{
	const struct fake_qp gsi = { .device = device, .port = 1, .number = GSI_NUMBER };
	struct fake *fake = request->fake;
	struct nlattr *table;
	struct nl_msg *message = make_part(device, index, RDMA_NLDEV_CMD_RES_QP_GET);

	if (!message)
		return;
	table = nla_nest_start(message, RDMA_NLDEV_ATTR_RES_QP);
	put_qp(message, &gsi);
	for (size_t i = 0; i < fake->n_qp; i++)
		if (fake->qp[i].device == device)
			put_qp(message, &fake->qp[i]);
	nla_nest_end(message, table);
	fake_reply(request, message);
	fake_reply_done(request);
}

static const struct fake_device *find_device(const struct fake_request *request, uint32_t *ret)
{
	const struct nlattr *table[RDMA_NLDEV_ATTR_MAX];
	struct fake *fake = request->fake;

	if (netlink_attributes(table, RDMA_NLDEV_ATTR_MAX - 1, NLMSG_DATA(request->header),
			       (int)NLMSG_PAYLOAD(request->header, 0)) < 0 ||
	    !table[RDMA_NLDEV_ATTR_DEV_INDEX] ||
	    netlink_copy(table[RDMA_NLDEV_ATTR_DEV_INDEX], ret, sizeof(*ret)) < 0 ||
	    *ret >= fake->n_device || !fake->device[*ret]->rdma.present)
		return NULL;
	return fake->device[*ret];
}

void fake_nldev_request(const struct fake_request *request)
{
	int type = request->header->nlmsg_type;
	const struct fake_device *device = NULL;
	struct fake_verdict verdict;
	char subject[OS_NAME_MAX * 2];
	uint32_t index = 0;

	if (!(request->header->nlmsg_flags & NLM_F_DUMP) ||
	    (type != RDMA_NL_GET_TYPE(RDMA_NL_NLDEV, RDMA_NLDEV_CMD_GET) &&
	     type != RDMA_NL_GET_TYPE(RDMA_NL_NLDEV, RDMA_NLDEV_CMD_RES_QP_GET)))
		return fake_reply_error(request, -EINVAL, NULL);
	if (type == RDMA_NL_GET_TYPE(RDMA_NL_NLDEV, RDMA_NLDEV_CMD_RES_QP_GET)) {
		device = find_device(request, &index);
		if (!device)
			return fake_reply_error(request, -EINVAL, NULL);
	}
	(void)snprintf(subject, sizeof(subject), "%s/%s", device ? device->rdma.name : "",
		       device ? "qps" : "devices");
	verdict = fake_enter(request->fake, FAKE_RDMA_DUMP, subject);
	if (verdict.fate >= FAKE_FAIL)
		return fake_reply_error(request, verdict.error, NULL);
	if (device && !device->rdma.present)
		return fake_reply_error(request, -EINVAL, NULL);
	if (device)
		dump_qps(request, device, index);
	else
		dump_devices(request);
}

/* ---- the hand of somebody else ---- */

int os_fake_add_qp(struct os *os, const char *rdma, unsigned int port, bool user)
{
	struct fake *fake = fake_of(os);
	const struct fake_device *device = fake_find_rdma(fake, rdma);

	if (!device || !device->rdma.present)
		return -ENODEV;
	if (array_grow(&fake->qp, fake->n_qp, &fake->qp_room, sizeof(*fake->qp)) < 0)
		return -ENOMEM;
	fake->qp[fake->n_qp++] = (struct fake_qp){
		.device = device,
		.port = port,
		.user = user,
		.number = FIRST_NUMBER + fake->last_qp,
		.pid = FIRST_PID + fake->last_qp,
	};
	fake->last_qp++;
	return 0;
}

static void drop_qps(struct fake *fake, const struct fake_device *device)
{
	size_t left = 0;

	for (size_t i = 0; i < fake->n_qp; i++)
		if (device ? fake->qp[i].device != device : !fake->qp[i].user)
			fake->qp[left++] = fake->qp[i];
	fake->n_qp = left;
}

void os_fake_end_users(struct os *os)
{
	drop_qps(fake_of(os), NULL);
}

void fake_qps_gone(const struct fake_device *device)
{
	drop_qps(device->fake, device);
}
