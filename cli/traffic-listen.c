// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The end that waits. One visitor at a time, each with a deadline; what a visitor may do is write
 * into one page that nobody reads, and send one word.
 */
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/stop.h"
#include "cli/terminal.h"
#include "cli/traffic-private.h"
#include "lib/base/macro.h"

enum {
	BACKLOG = 4,
	WAIT_MS = 500,
	POLL_MS = 1,
	VISIT_MS = 120000, /* TRAFFIC_MESSAGES_MAX at 4 MB/s */
	GOODBYE_MS = 2000,
};

struct slot {
	struct rdma_cm_id *connections, *datagrams;
	struct traffic_place *place;
	const struct nic *nic;
};

struct service {
	struct traffic_listener *listener;
	struct rdma_event_channel *channel;
	struct slot slots[TRAFFIC_PORTS_MAX];
	size_t n;
};

struct visit {
	struct service *service;
	struct traffic_end end;
	struct traffic traffic;
	struct traffic_hello hello;
	bool all_came;
	bool gone;
};

static struct os *os_of(const struct service *service)
{
	return service->listener->machine.os;
}

/* ---- datagrams ---- */

static void reject(struct rdma_cm_id *id, enum traffic_refusal why)
{
	uint8_t reason = (uint8_t)why;

	(void)rdma_reject(id, &reason, sizeof(reason));
}

/* For one that has nothing of its own yet. */
static void refuse(struct rdma_cm_id *id, enum traffic_refusal why)
{
	reject(id, why);
	(void)rdma_destroy_id(id);
}

/* Datagrams of this visitor, once. */
static void accept_datagrams(struct visit *visit, struct rdma_cm_id *id, bool is_his)
{
	struct rdma_conn_param param = {};

	if (!is_his || visit->end.datagrams) {
		refuse(id, TRAFFIC_REFUSED_BUSY);
		return;
	}
	visit->end.datagrams = id;
	if (traffic_datagrams_init(&visit->end) == 0) {
		param.qp_num = id->qp->qp_num;
		(void)rdma_accept(id, &param);
	}
}

static bool is_from(const struct visit *visit, const struct rdma_ud_param *ud)
{
	struct traffic_hello hello;

	return traffic_hello_decode(ud->private_data, ud->private_data_len, &hello) == 0 &&
	       hello.token == visit->hello.token;
}

/* ---- a visit ---- */

static void take_event(struct visit *visit, struct rdma_cm_event *event)
{
	enum rdma_cm_event_type type = event->event;
	struct rdma_cm_id *id = event->id;
	bool datagrams = type == RDMA_CM_EVENT_CONNECT_REQUEST && id->ps == RDMA_PS_UDP;
	bool is_his = datagrams && is_from(visit, &event->param.ud);

	(void)rdma_ack_cm_event(event);
	if (datagrams)
		accept_datagrams(visit, id, is_his);
	else if (type == RDMA_CM_EVENT_CONNECT_REQUEST)
		refuse(id, TRAFFIC_REFUSED_BUSY);
	else if (id == visit->end.id && type != RDMA_CM_EVENT_ESTABLISHED)
		visit->gone = true;
}

static void take_completion(struct visit *visit, const struct ibv_wc *wc)
{
	const uint8_t *memory = visit->end.memory;

	if (wc->wr_id == WORK_CONTROL_IN) {
		if (traffic_end_decode(memory + AT_CONTROL, wc->byte_len) == 0)
			visit->all_came = true;
		else
			visit->gone = true;
	} else if (wc->wr_id >= WORK_DATAGRAM_IN && (wc->wc_flags & IBV_WC_GRH)) {
		visit->traffic.tos_received = traffic_grh_tos(
			memory + AT_DATAGRAMS + (wc->wr_id - WORK_DATAGRAM_IN) * DATAGRAM_ROOM);
	}
}

/* Until all came, he is gone, or the time is over. */
static void attend(struct visit *visit, int64_t deadline)
{
	struct service *service = visit->service;
	struct os *os = os_of(service);
	struct rdma_cm_event *event;
	struct ibv_wc wc;
	int r;

	while (!visit->gone && !visit->all_came && !stop_requested() &&
	       os->ops->now_ms(os) < deadline) {
		while (!visit->gone && rdma_get_cm_event(service->channel, &event) == 0)
			take_event(visit, event);
		r = traffic_completion(&visit->end, &wc);
		if (r < 0)
			visit->gone = true;
		else if (r > 0)
			take_completion(visit, &wc);
		else
			os->ops->sleep_ms(os, POLL_MS);
	}
}

static void report(struct visit *visit)
{
	struct os *os = os_of(visit->service);
	struct ibv_qp_init_attr init = {};
	struct ibv_qp_attr attr = {};
	uint64_t packets = visit->hello.messages;

	if (ibv_query_qp(visit->end.id->qp, &attr, IBV_QP_PATH_MTU, &init) == 0)
		packets = traffic_packets(&attr, visit->hello.messages);
	traffic_settle(&visit->service->listener->machine, &visit->traffic.to, COUNTER_RX_PACKETS,
		       packets);
	traffic_report_encode(&visit->traffic, visit->end.memory + AT_CONTROL);
	if (traffic_control_send(&visit->end, TRAFFIC_REPORT_SIZE) < 0)
		return;
	/* It is in the queue until he has it; then he goes */
	visit->all_came = false;
	attend(visit, os->ops->now_ms(os) + GOODBYE_MS);
}

static void tell(const struct visit *visit, const char *from)
{
	FILE *out = visit->service->listener->out;
	char tos[16] = "unknown";

	if (!visit->all_came) {
		(void)fprintf(out, "%s broke off\n", from);
	} else {
		if (visit->traffic.tos_received >= 0)
			(void)snprintf(tos, sizeof(tos), "0x%02x",
				       (unsigned int)visit->traffic.tos_received);
		(void)fprintf(out, "%u messages from %s to %s, ToS %s\n", visit->hello.messages,
			      from, visit->traffic.to.nic.name, tos);
	}
	(void)fflush(out);
}

static int welcome(struct visit *visit)
{
	struct traffic_welcome words;
	uint8_t data[TRAFFIC_WELCOME_SIZE];
	struct rdma_conn_param param = { .private_data = data,
					 .private_data_len = sizeof(data),
					 .rnr_retry_count = 7 };
	int r;

	r = traffic_end_init(&visit->end);
	if (r == 0)
		r = traffic_end_open(&visit->end);
	if (r < 0) {
		say("%s: no queue pair: %s", visit->traffic.to.nic.rdma, strerror(-r));
		reject(visit->end.id, TRAFFIC_REFUSED_TROUBLE);
		return r;
	}
	words = (struct traffic_welcome){ (uintptr_t)(visit->end.memory + AT_DATA),
					  visit->end.open->rkey };
	traffic_welcome_encode(&words, data);
	return rdma_accept(visit->end.id, &param) == 0 ? 0 : -errno;
}

static void format_peer(struct rdma_cm_id *id, char text[INET6_ADDRSTRLEN])
{
	const struct sockaddr *any = rdma_get_peer_addr(id);
	struct in6_addr address = { .s6_addr = { [10] = 0xff, [11] = 0xff } };

	if (any->sa_family == AF_INET6)
		address = ((const struct sockaddr_in6 *)any)->sin6_addr;
	else
		memcpy(&address.s6_addr[12], &((const struct sockaddr_in *)any)->sin_addr, 4);
	traffic_address_format(&address, text);
}

static void serve(struct service *service, struct rdma_cm_id *id, const struct traffic_hello *hello)
{
	struct os *os = os_of(service);
	const struct slot *slot = id->context;
	struct visit visit = { .service = service,
			       .end = { .channel = service->channel, .id = id },
			       .traffic = { .to.nic = *slot->nic, .tos_received = TRAFFIC_UNKNOWN },
			       .hello = *hello };
	struct traffic *traffic = &visit.traffic;
	char from[INET6_ADDRSTRLEN];

	format_peer(id, from);
	(void)snprintf(traffic->to_node, sizeof(traffic->to_node), "%s", service->listener->node);
	traffic->to.result = traffic_counters(&service->listener->machine, &traffic->to.nic,
					      &traffic->to.before);
	if (welcome(&visit) == 0) {
		attend(&visit, os->ops->now_ms(os) + VISIT_MS);
		tell(&visit, from);
		if (visit.all_came)
			report(&visit);
	}
	traffic_end_done(&visit.end);
}

/* ---- waiting ---- */

/* What comes while nobody is served. */
static void take_request(struct service *service, struct rdma_cm_event *event)
{
	bool request = event->event == RDMA_CM_EVENT_CONNECT_REQUEST;
	struct rdma_cm_id *id = event->id;
	struct traffic_hello hello;
	int r = -EPROTO;

	if (request && id->ps == RDMA_PS_TCP)
		r = traffic_hello_decode(event->param.conn.private_data,
					 event->param.conn.private_data_len, &hello);
	(void)rdma_ack_cm_event(event);
	if (!request)
		return;
	if (r < 0)
		refuse(id, TRAFFIC_REFUSED_VERSION);
	else
		serve(service, id, &hello);
}

/* True at the end of the pipe that holds it. */
static bool is_closed(int fd, short events)
{
	char waste[256];

	return (events & (POLLIN | POLLHUP | POLLERR)) && read(fd, waste, sizeof(waste)) <= 0;
}

static void wait_for_visitors(struct service *service)
{
	struct pollfd fds[] = {
		{ .fd = service->channel->fd, .events = POLLIN },
		{ .fd = service->listener->until_closed, .events = POLLIN },
	};
	struct rdma_cm_event *event;

	while (!stop_requested()) {
		if (poll(fds, ARRAY_SIZE(fds), WAIT_MS) < 0)
			continue;
		if (is_closed(fds[1].fd, fds[1].revents))
			return;
		if (fds[0].revents && rdma_get_cm_event(service->channel, &event) == 0)
			take_request(service, event);
	}
}

static int listen_on(struct service *service, struct slot *slot, enum rdma_port_space space,
		     struct rdma_cm_id **ret)
{
	union traffic_sockaddr address = traffic_sockaddr(&slot->place->address, slot->place->port);

	if (rdma_create_id(service->channel, ret, slot, space) != 0)
		return -errno;
	if (rdma_bind_addr(*ret, &address.any) != 0 || rdma_listen(*ret, BACKLOG) != 0)
		return -errno;
	slot->place->port = ntohs(rdma_get_src_port(*ret));
	return 0;
}

static void slot_done(struct slot *slot)
{
	if (slot->connections)
		(void)rdma_destroy_id(slot->connections);
	if (slot->datagrams)
		(void)rdma_destroy_id(slot->datagrams);
	*slot = (struct slot){};
}

/* One place; the next one is listened on whatever comes of it. */
static int open_slot(struct service *service, size_t i)
{
	struct traffic_listener *listener = service->listener;
	struct slot *slot = &service->slots[service->n];
	char line[TRAFFIC_LINE_MAX];
	int r;

	*slot = (struct slot){ .place = &listener->places[i], .nic = &listener->nics[i] };
	r = listen_on(service, slot, RDMA_PS_TCP, &slot->connections);
	if (r == 0)
		r = listen_on(service, slot, RDMA_PS_UDP, &slot->datagrams);
	if (r < 0) {
		say("cannot listen on %s port %u: %s", listener->places[i].name,
		    listener->places[i].port, strerror(-r));
		slot_done(slot);
		return r;
	}
	service->n++;
	traffic_place_format(slot->place, line);
	(void)fprintf(listener->out, "%s\n", line);
	return 0;
}

int traffic_listen(struct traffic_listener *listener)
{
	struct service service = { .listener = listener };
	int r;

	r = traffic_channel(&service.channel);
	if (r < 0) {
		say("cannot use RDMA-CM: %s: " TRAFFIC_HINT, strerror(-r));
		return r;
	}
	for (size_t i = 0; i < listener->n && service.n < TRAFFIC_PORTS_MAX; i++)
		r = open_slot(&service, i);
	if (service.n > 0 && fputs(TRAFFIC_READY "\n", listener->out) >= 0 &&
	    fflush(listener->out) == 0) {
		wait_for_visitors(&service);
		r = 0;
	}
	for (size_t i = 0; i < service.n; i++)
		slot_done(&service.slots[i]);
	rdma_destroy_event_channel(service.channel);
	return r;
}
