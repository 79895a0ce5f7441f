// SPDX-License-Identifier: LGPL-2.1-or-later
/* Queue pairs, memory and events of either end. Completions are polled: there are few. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/stop.h"
#include "cli/traffic-private.h"
#include "lib/base/macro.h"
#include "lib/nic/counters.h"

enum { LOOK_MS = 250, SETTLE_MS = 2500, PAGE = 4096 };

static_assert(AT_DATAGRAMS + DATAGRAMS * DATAGRAM_ROOM <= MEMORY_SIZE, "datagrams have room");
static_assert((int)TRAFFIC_REPORT_SIZE <= AT_DATAGRAMS - AT_CONTROL, "a report has room");

/* ibverbs returns a positive errno, or -1 and errno, as the call goes. */
static int failed(int r)
{
	return r > 0 ? -r : -(errno ?: EIO);
}

int traffic_channel(struct rdma_event_channel **ret)
{
	struct rdma_event_channel *channel = rdma_create_event_channel();
	int flags;

	if (!channel)
		return failed(-1);
	flags = fcntl(channel->fd, F_GETFL);
	if (flags < 0 || fcntl(channel->fd, F_SETFL, flags | O_NONBLOCK) < 0) {
		rdma_destroy_event_channel(channel);
		return -EIO;
	}
	*ret = channel;
	return 0;
}

static void id_done(struct rdma_cm_id *id)
{
	if (!id)
		return;
	if (id->qp)
		rdma_destroy_qp(id);
	(void)rdma_destroy_id(id);
}

void traffic_end_done(struct traffic_end *end)
{
	id_done(end->datagrams);
	id_done(end->id);
	if (end->open)
		(void)ibv_dereg_mr(end->open);
	if (end->mr)
		(void)ibv_dereg_mr(end->mr);
	if (end->cq)
		(void)ibv_destroy_cq(end->cq);
	if (end->pd)
		(void)ibv_dealloc_pd(end->pd);
	free(end->memory);
	*end = (struct traffic_end){};
}

static int post_receive(struct traffic_end *end, struct ibv_qp *qp, uint64_t name, uint32_t at,
			uint32_t size)
{
	struct ibv_sge sge = { (uintptr_t)(end->memory + at), size, end->mr->lkey };
	struct ibv_recv_wr work = { .wr_id = name, .sg_list = &sge, .num_sge = 1 }, *bad;
	int r = ibv_post_recv(qp, &work, &bad);

	return r ? failed(r) : 0;
}

static struct ibv_qp_init_attr attributes(const struct traffic_end *end, enum ibv_qp_type type)
{
	return (struct ibv_qp_init_attr){
		.send_cq = end->cq,
		.recv_cq = end->cq,
		.cap = { .max_send_wr = WINDOW,
			 .max_recv_wr = DATAGRAMS,
			 .max_send_sge = 1,
			 .max_recv_sge = 1 },
		.qp_type = type,
		.sq_sig_all = 1,
	};
}

int traffic_end_init(struct traffic_end *end)
{
	struct ibv_qp_init_attr init;

	end->memory = aligned_alloc(PAGE, MEMORY_SIZE);
	if (!end->memory)
		return -ENOMEM;
	memset(end->memory, 0, MEMORY_SIZE);
	errno = 0;
	end->pd = ibv_alloc_pd(end->id->verbs);
	end->cq = end->pd ? ibv_create_cq(end->id->verbs, 2 * (WINDOW + DATAGRAMS), NULL, NULL, 0) :
			    NULL;
	end->mr = end->cq ? ibv_reg_mr(end->pd, end->memory, MEMORY_SIZE, IBV_ACCESS_LOCAL_WRITE) :
			    NULL;
	if (!end->mr)
		return failed(-1);
	init = attributes(end, IBV_QPT_RC);
	if (rdma_create_qp(end->id, end->pd, &init) != 0)
		return failed(-1);
	return post_receive(end, end->id->qp, WORK_CONTROL_IN, AT_CONTROL, TRAFFIC_REPORT_SIZE);
}

int traffic_end_open(struct traffic_end *end)
{
	errno = 0;
	end->open = ibv_reg_mr(end->pd, end->memory + AT_DATA, TRAFFIC_MESSAGE_BYTES,
			       IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE);
	return end->open ? 0 : failed(-1);
}

int traffic_datagrams_init(struct traffic_end *end)
{
	struct ibv_qp_init_attr init = attributes(end, IBV_QPT_UD);
	int r = 0;

	errno = 0;
	if (end->datagrams->verbs != end->id->verbs)
		return -EXDEV;
	if (rdma_create_qp(end->datagrams, end->pd, &init) != 0)
		return failed(-1);
	for (unsigned int i = 0; i < DATAGRAMS && r == 0; i++)
		r = post_receive(end, end->datagrams->qp, WORK_DATAGRAM_IN + i,
				 AT_DATAGRAMS + i * DATAGRAM_ROOM, DATAGRAM_ROOM);
	return r;
}

int traffic_event(struct os *os, struct rdma_event_channel *channel, int64_t deadline,
		  struct rdma_cm_event **ret)
{
	struct pollfd fd = { .fd = channel->fd, .events = POLLIN };

	while (!stop_requested()) {
		if (rdma_get_cm_event(channel, ret) == 0)
			return 0;
		if (errno != EAGAIN && errno != EINTR)
			return -errno;
		if (os->ops->now_ms(os) >= deadline)
			return -ETIMEDOUT;
		(void)poll(&fd, 1, LOOK_MS);
	}
	return -EINTR;
}

int traffic_completion(struct traffic_end *end, struct ibv_wc *ret)
{
	int n = ibv_poll_cq(end->cq, 1, ret);

	return n < 0 || (n > 0 && ret->status != IBV_WC_SUCCESS) ? -EIO : n;
}

int traffic_control_send(struct traffic_end *end, uint32_t size)
{
	struct ibv_sge sge = { (uintptr_t)(end->memory + AT_CONTROL), size, end->mr->lkey };
	struct ibv_send_wr work = { .wr_id = WORK_CONTROL_OUT,
				    .sg_list = &sge,
				    .num_sge = 1,
				    .opcode = IBV_WR_SEND },
			   *bad;
	int r = ibv_post_send(end->id->qp, &work, &bad);

	return r ? failed(r) : 0;
}

union traffic_sockaddr traffic_sockaddr(const struct in6_addr *address, uint16_t port)
{
	union traffic_sockaddr ret = {};

	if (IN6_IS_ADDR_V4MAPPED(address)) {
		ret.v4.sin_family = AF_INET;
		ret.v4.sin_port = htons(port);
		memcpy(&ret.v4.sin_addr, &address->s6_addr[12], sizeof(ret.v4.sin_addr));
	} else {
		ret.v6.sin6_family = AF_INET6;
		ret.v6.sin6_port = htons(port);
		ret.v6.sin6_addr = *address;
	}
	return ret;
}

/* True if there is nothing to wait for any more. */
static bool is_counted(const struct port_counters *port, enum counter counter, uint64_t packets)
{
	bool counts = false;
	uint64_t grown;

	for (unsigned int i = 0; i < PRIORITIES; i++) {
		if (!counter_growth(port, counter, i, &grown))
			continue;
		if (grown >= packets)
			return true;
		counts = true;
	}
	return !counts;
}

int traffic_counters(const struct traffic_machine *machine, const struct nic *nic,
		     struct counters *ret)
{
	const struct inventory *inventory = machine->inventory;
	struct counters sum, more;
	int r;

	r = nic_counters_read(machine->os, nic, &sum);
	for (size_t i = 0; i < inventory->n && r >= 0; i++) {
		const struct nic *other = &inventory->list[i];

		if (other->ifindex == nic->ifindex || other->rdma_port != nic->rdma_port ||
		    strcmp(other->rdma, nic->rdma) != 0)
			continue;
		r = nic_counters_read(machine->os, other, &more);
		if (r >= 0)
			counters_add(&sum, &more);
	}
	if (r >= 0)
		*ret = sum;
	return r;
}

void traffic_settle(const struct traffic_machine *machine, struct port_counters *port,
		    enum counter counter, uint64_t packets)
{
	struct os *os = machine->os;
	int64_t deadline = os->ops->now_ms(os) + SETTLE_MS;

	while (port->result >= 0) {
		port->result = traffic_counters(machine, &port->nic, &port->after);
		if (port->result < 0 || is_counted(port, counter, packets) ||
		    os->ops->now_ms(os) >= deadline || stop_requested())
			return;
		os->ops->sleep_ms(os, LOOK_MS);
	}
}

uint64_t traffic_packets(const struct ibv_qp_attr *attr, uint32_t messages)
{
	uint32_t mtu = 128U << (attr->path_mtu & 7); /* enum ibv_mtu: 256 is 1 */

	return messages * (uint64_t)((TRAFFIC_MESSAGE_BYTES + mtu - 1) / mtu);
}
