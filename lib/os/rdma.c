// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Queue pairs over RDMA netlink. Mirrors drivers/infiniband/core/nldev.c: nldev_get_dumpit(),
 * res_get_common_dumpit(), fill_res_qp_entry(), fill_res_name_pid().
 *
 * A dump of queue pairs is one of one device: without RDMA_NLDEV_ATTR_DEV_INDEX the kernel answers
 * EINVAL.
 *
 * Tried on Linux 6.12 with rxe: the GSI queue pair that every port has shows the kernel name
 * "ib_core", those of rping a PID. A plain user sees all of that too, PIDs included. Read from
 * another PID namespace the PIDs are missing (task_pid_vnr() is 0) and the kernel names are not.
 */
#include "lib/os/rdma.h"

#include <errno.h>
#include <rdma/rdma_netlink.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/cleanup.h"
#include "lib/os/netlink.h"

enum {
	DUMP_TRIES = 10,
	RETRY_STEP_MS = 10, /* an interrupted dump is repeated after 10, 20, 30 ... ms */
	DEVICES_MAX = 4096, /* more is not believed */
	QPS_MAX = 1 << 20,
};

struct device {
	uint32_t index;
	char name[OS_NAME_MAX];
};

struct devices {
	struct device *list;
	size_t n;
	size_t room;
};

static void devices_done(struct devices *devices)
{
	free(devices->list);
}

void os_qps_done(struct os_qps *qps)
{
	free(qps->list);
	*qps = (struct os_qps){};
}

/* ---- messages ---- */

static int nldev_type(int command)
{
	return RDMA_NL_GET_TYPE(RDMA_NL_NLDEV, command);
}

/* There is no header between the one of netlink and the attributes. */
static int parse_message(const struct nlmsghdr *message, int command,
			 const struct nlattr *table[RDMA_NLDEV_ATTR_MAX])
{
	if (message->nlmsg_type != nldev_type(command))
		return -EBADMSG;
	return netlink_attributes(table, RDMA_NLDEV_ATTR_MAX - 1, NLMSG_DATA(message),
				  (int)NLMSG_PAYLOAD(message, 0));
}

static int read_u32(const struct nlattr *attr, uint32_t *ret)
{
	return attr ? netlink_copy(attr, ret, sizeof(*ret)) : 0;
}

/* ---- devices ---- */

static int on_device(const struct nlmsghdr *message, void *data)
{
	const struct nlattr *table[RDMA_NLDEV_ATTR_MAX];
	struct devices *devices = data;
	struct device device = {};
	int r;

	r = parse_message(message, RDMA_NLDEV_CMD_GET, table);
	if (r < 0)
		return r;
	if (!table[RDMA_NLDEV_ATTR_DEV_INDEX] || !table[RDMA_NLDEV_ATTR_DEV_NAME])
		return -EBADMSG;
	r = read_u32(table[RDMA_NLDEV_ATTR_DEV_INDEX], &device.index);
	if (r < 0)
		return r;
	r = netlink_name(table[RDMA_NLDEV_ATTR_DEV_NAME], device.name, sizeof(device.name));
	if (r < 0)
		return r;
	if (devices->n >= DEVICES_MAX)
		return -E2BIG;
	r = array_grow(&devices->list, devices->n, &devices->room, sizeof(*devices->list));
	if (r < 0)
		return r;
	devices->list[devices->n++] = device;
	return 0;
}

static int list_devices(struct os *os, struct devices *devices)
{
	_cleanup_(nl_msg_freep) struct nl_msg *request = NULL;

	request = nlmsg_alloc_simple(nldev_type(RDMA_NLDEV_CMD_GET), NLM_F_DUMP);
	if (!request)
		return -ENOMEM;
	return netlink_request(os, NETLINK_RDMA, request, on_device, devices, NULL);
}

/* ---- queue pairs ---- */

struct walk {
	const char *rdma;
	struct os_qps *qps;
};

/* fill_res_name_pid(): a name for the kernel's own, a PID for those of processes, but none if the
 * process is a zombie or in a PID namespace that we do not see. So the name decides. */
static int parse_qp(const struct nlattr *entry, const struct walk *walk)
{
	const struct nlattr *table[RDMA_NLDEV_ATTR_MAX];
	struct os_qps *qps = walk->qps;
	struct os_qp qp = {};
	uint32_t port = 0;
	int r;

	r = netlink_nested(table, RDMA_NLDEV_ATTR_MAX - 1, entry);
	if (r < 0)
		return r;
	if (!table[RDMA_NLDEV_ATTR_RES_LQPN])
		return -EBADMSG;
	r = read_u32(table[RDMA_NLDEV_ATTR_PORT_INDEX], &port);
	if (r < 0)
		return r;
	r = read_u32(table[RDMA_NLDEV_ATTR_RES_PID], &qp.pid);
	if (r < 0)
		return r;
	qp.rdma_port = port;
	qp.user = !table[RDMA_NLDEV_ATTR_RES_KERN_NAME];
	strcpy(qp.rdma, walk->rdma);
	if (qps->n >= QPS_MAX)
		return -E2BIG;
	r = array_grow(&qps->list, qps->n, &qps->room, sizeof(*qps->list));
	if (r < 0)
		return r;
	qps->list[qps->n++] = qp;
	return 0;
}

static int on_qps(const struct nlmsghdr *message, void *data)
{
	const struct nlattr *table[RDMA_NLDEV_ATTR_MAX];
	const struct nlattr *nest, *entry;
	int left, r;

	r = parse_message(message, RDMA_NLDEV_CMD_RES_QP_GET, table);
	if (r < 0)
		return r;
	nest = table[RDMA_NLDEV_ATTR_RES_QP];
	if (!nest)
		return 0;
	entry = nla_data(nest);
	for (left = nla_len(nest); nla_ok(entry, left); entry = nla_next(entry, &left)) {
		if (nla_type(entry) != RDMA_NLDEV_ATTR_RES_QP_ENTRY)
			continue;
		r = parse_qp(entry, data);
		if (r < 0)
			return r;
	}
	return left > 0 ? -EBADMSG : 0;
}

static int list_qps(struct os *os, const struct device *device, struct os_qps *qps)
{
	_cleanup_(nl_msg_freep) struct nl_msg *request = NULL;
	struct walk walk = { .rdma = device->name, .qps = qps };
	int r;

	request = nlmsg_alloc_simple(nldev_type(RDMA_NLDEV_CMD_RES_QP_GET), NLM_F_DUMP);
	if (!request || nla_put_u32(request, RDMA_NLDEV_ATTR_DEV_INDEX, device->index) < 0)
		return -ENOMEM;
	r = netlink_request(os, NETLINK_RDMA, request, on_qps, &walk, NULL);
	/* A device that has gone since it was listed has no users; EINVAL is the kernel's word */
	return r == -EINVAL || r == -ENODEV ? 0 : r;
}

static int dump_once(struct os *os, struct os_qps *qps)
{
	_cleanup_(devices_done) struct devices devices = {};
	int r;

	r = list_devices(os, &devices);
	for (size_t i = 0; i < devices.n && r == 0; i++)
		r = list_qps(os, &devices.list[i], qps);
	return r;
}

int os_qp_dump(struct os *os, struct os_qps *ret)
{
	struct os_qps qps = {};
	int r = -EINTR;

	for (unsigned int i = 0; i < DUMP_TRIES && r == -EINTR; i++) {
		if (i > 0)
			os->ops->sleep_ms(os, i * RETRY_STEP_MS);
		qps.n = 0;
		r = dump_once(os, &qps);
	}
	if (r == -EPROTONOSUPPORT)
		r = -EOPNOTSUPP;
	if (r < 0) {
		os_qps_done(&qps);
		return r;
	}
	*ret = qps;
	return 0;
}
