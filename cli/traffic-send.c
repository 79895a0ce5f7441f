// SPDX-License-Identifier: LGPL-2.1-or-later
/* The end that begins: its default ToS is what the packets of both directions get. */
#include <errno.h>
#include <stdarg.h>
#include <string.h>
#include <sys/random.h>

#include "cli/stop.h"
#include "cli/traffic-private.h"
#include "lib/base/macro.h"

enum {
	RESOLVE_MS = 4000,
	RETRIES = 7,
	POLL_MS = 1,
	REPORT_MS = 2 * PATIENCE_MS, /* the other end waits for its counters */
	/* Linux 6.12 include/rdma/ib_cm.h: enum ib_cm_rej_reason */
	NOBODY_LISTENS = 8,
	REFUSED_BY_LISTENER = 28,
};

struct run {
	const struct traffic_machine *machine;
	struct os *os;
	const struct traffic_place *from, *to;
	struct traffic *traffic;
	struct traffic_end end;
	struct traffic_hello hello;
	struct traffic_welcome welcome;
	char where[INET6_ADDRSTRLEN]; /* the other end */
};

/* Says why there is no traffic. Returns @r, negative. */
static int trouble(struct run *run, int r, const char *format, ...) _printf_(3, 4);
static int trouble(struct run *run, int r, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	(void)vsnprintf(run->traffic->trouble, sizeof(run->traffic->trouble), format, arguments);
	va_end(arguments);
	return r;
}

static int64_t soon(struct run *run, int64_t ms)
{
	return run->os->ops->now_ms(run->os) + ms;
}

/* ---- events ---- */

static int refused(struct run *run, const struct rdma_cm_event *event)
{
	const uint8_t *why = event->param.conn.private_data;

	if (event->status == NOBODY_LISTENS)
		return trouble(run, -ECONNREFUSED,
			       "nobody listens on %s port %u: run losslessctl verify --listen "
			       "there",
			       run->where, run->to->port);
	if (event->status != REFUSED_BY_LISTENER || !why || !event->param.conn.private_data_len)
		return trouble(run, -ECONNREFUSED, "%s refused the connection (status %d)",
			       run->where, event->status);
	if (*why == TRAFFIC_REFUSED_BUSY)
		return trouble(run, -EBUSY, "%s is being verified by somebody else: try again",
			       run->where);
	if (*why == TRAFFIC_REFUSED_VERSION)
		return trouble(run, -EPROTO, "%s has another version of losslessctl", run->where);
	return trouble(run, -EIO, "%s cannot make a queue pair: see what it says itself",
		       run->where);
}

static int unexpected(struct run *run, const struct rdma_cm_event *event)
{
	int error = event->status < 0 ? -event->status : EIO;

	switch (event->event) {
	case RDMA_CM_EVENT_ADDR_ERROR:
	case RDMA_CM_EVENT_ROUTE_ERROR:
		return trouble(run, -error, "no way from %s to %s: %s", run->from->name, run->where,
			       strerror(error));
	case RDMA_CM_EVENT_REJECTED:
		return refused(run, event);
	case RDMA_CM_EVENT_UNREACHABLE:
		return trouble(run, -error, "no answer from %s", run->where);
	default:
		return trouble(run, -error, "the connection to %s broke off (%s)", run->where,
			       rdma_event_str(event->event));
	}
}

/* Wait for an event of this type; @ret gets it, to be acknowledged, or is NULL. */
static int await(struct run *run, enum rdma_cm_event_type type, struct rdma_cm_event **ret)
{
	struct rdma_cm_event *event;
	int r;

	r = traffic_event(run->os, run->end.channel, soon(run, PATIENCE_MS), &event);
	if (r == -EINTR)
		return trouble(run, r, "stopped by a signal");
	if (r < 0)
		return trouble(run, r, "no answer from %s in %d s", run->where, PATIENCE_MS / 1000);
	if (event->event != type)
		r = unexpected(run, event);
	if (r == 0 && ret)
		*ret = event;
	else
		(void)rdma_ack_cm_event(event);
	return r;
}

/* ---- connecting ---- */

/* An id that has its device and its way. */
static int resolve(struct run *run, enum rdma_port_space space, struct rdma_cm_id **ret)
{
	union traffic_sockaddr from = traffic_sockaddr(&run->from->address, 0);
	union traffic_sockaddr to = traffic_sockaddr(&run->to->address, run->to->port);
	int r;

	if (rdma_create_id(run->end.channel, ret, NULL, space) != 0)
		return trouble(run, -errno, "cannot use RDMA-CM: %s", strerror(errno));
	if (rdma_resolve_addr(*ret, &from.any, &to.any, RESOLVE_MS) != 0)
		return trouble(run, -errno, "no way from %s to %s: %s", run->from->name, run->where,
			       strerror(errno));
	r = await(run, RDMA_CM_EVENT_ADDR_RESOLVED, NULL);
	if (r < 0)
		return r;
	if (rdma_resolve_route(*ret, RESOLVE_MS) != 0)
		return trouble(run, -errno, "no way from %s to %s: %s", run->from->name, run->where,
			       strerror(errno));
	return await(run, RDMA_CM_EVENT_ROUTE_RESOLVED, NULL);
}

static int make_end(struct run *run)
{
	int r;

	r = resolve(run, RDMA_PS_TCP, &run->end.id);
	if (r < 0)
		return r;
	if (strcmp(ibv_get_device_name(run->end.id->verbs->device), run->from->rdma) != 0)
		return trouble(run, -EXDEV, "the way to %s leaves by %s, not by %s", run->where,
			       ibv_get_device_name(run->end.id->verbs->device), run->from->rdma);
	r = traffic_end_init(&run->end);
	if (r == -ENOMEM)
		return trouble(run, r, "%s: no queue pair: %s: see ulimit -l", run->from->rdma,
			       strerror(-r));
	if (r < 0)
		return trouble(run, r, "%s: no queue pair: %s", run->from->rdma, strerror(-r));
	return 0;
}

static int connect_end(struct run *run)
{
	uint8_t hello[TRAFFIC_HELLO_SIZE];
	struct rdma_conn_param param = {
		.private_data = hello,
		.private_data_len = sizeof(hello),
		.retry_count = RETRIES,
		.rnr_retry_count = RETRIES,
	};
	struct rdma_cm_event *event;
	int r;

	traffic_hello_encode(&run->hello, hello);
	if (rdma_connect(run->end.id, &param) != 0)
		return trouble(run, -errno, "cannot connect to %s: %s", run->where,
			       strerror(errno));
	r = await(run, RDMA_CM_EVENT_ESTABLISHED, &event);
	if (r < 0)
		return r;
	r = traffic_welcome_decode(event->param.conn.private_data,
				   event->param.conn.private_data_len, &run->welcome);
	(void)rdma_ack_cm_event(event);
	if (r < 0)
		return trouble(run, r, "what listens on %s is no losslessctl of this version",
			       run->where);
	return 0;
}

static int look_at_queue_pair(struct run *run)
{
	struct ibv_qp_attr attr = {};
	struct ibv_qp_init_attr init = {};
	int r;

	r = ibv_query_qp(run->end.id->qp, &attr, IBV_QP_AV | IBV_QP_PATH_MTU, &init);
	if (r != 0)
		return trouble(run, -r, "%s: cannot query the queue pair: %s", run->from->rdma,
			       strerror(r));
	if (attr.ah_attr.is_global)
		run->traffic->tos_sent = attr.ah_attr.grh.traffic_class;
	run->traffic->packets = traffic_packets(&attr, run->traffic->messages);
	return 0;
}

/* ---- messages ---- */

/* The next completion. Returns 0, or a negative errno after saying why. */
static int complete(struct run *run, int64_t deadline, struct ibv_wc *ret)
{
	int r;

	for (;;) {
		r = traffic_completion(&run->end, ret);
		if (r > 0)
			return 0;
		if (r < 0)
			return trouble(run, r, "%s lost messages to %s: %s", run->from->name,
				       run->where, ibv_wc_status_str(ret->status));
		if (stop_requested())
			return trouble(run, -EINTR, "stopped by a signal");
		if (run->os->ops->now_ms(run->os) >= deadline)
			return trouble(run, -ETIMEDOUT, "%s does not answer any more", run->where);
		run->os->ops->sleep_ms(run->os, POLL_MS);
	}
}

static int post_message(struct run *run)
{
	struct traffic_end *end = &run->end;
	struct ibv_sge sge = { (uintptr_t)(end->memory + AT_DATA), TRAFFIC_MESSAGE_BYTES,
			       end->mr->lkey };
	struct ibv_send_wr work = { .wr_id = WORK_MESSAGE,
				    .sg_list = &sge,
				    .num_sge = 1,
				    .opcode = IBV_WR_RDMA_WRITE,
				    .wr.rdma = { run->welcome.address, run->welcome.key } },
			   *bad;
	int r = ibv_post_send(end->id->qp, &work, &bad);

	return r ? trouble(run, -r, "%s: cannot send: %s", run->from->rdma, strerror(r)) : 0;
}

static int send_messages(struct run *run)
{
	uint32_t posted = 0, done = 0;
	struct ibv_wc wc = {};
	int r = 0;

	while (done < run->traffic->messages) {
		while (r == 0 && posted < run->traffic->messages && posted - done < WINDOW) {
			r = post_message(run);
			posted++;
		}
		if (r == 0)
			r = complete(run, soon(run, PATIENCE_MS), &wc);
		if (r < 0)
			return r;
		done++;
	}
	return 0;
}

/* ---- datagrams ---- */

static int post_datagram(struct run *run, struct ibv_ah *ah, const struct rdma_ud_param *to)
{
	struct traffic_end *end = &run->end;
	struct ibv_sge sge = { (uintptr_t)(end->memory + AT_DATA), DATAGRAM_BYTES, end->mr->lkey };
	struct ibv_send_wr work = { .wr_id = WORK_DATAGRAM_OUT,
				    .sg_list = &sge,
				    .num_sge = 1,
				    .opcode = IBV_WR_SEND,
				    .wr.ud = { ah, to->qp_num, to->qkey } },
			   *bad;

	return ibv_post_send(end->datagrams->qp, &work, &bad);
}

static int send_to(struct run *run, struct rdma_ud_param *to)
{
	struct ibv_ah *ah = ibv_create_ah(run->end.pd, &to->ah_attr);
	struct ibv_wc wc = {};
	int r = 0;

	if (!ah)
		return -EIO;
	for (unsigned int i = 0; i < DATAGRAMS && r == 0; i++) {
		r = post_datagram(run, ah, to);
		if (r == 0)
			r = complete(run, soon(run, PATIENCE_MS), &wc);
	}
	(void)ibv_destroy_ah(ah);
	return r;
}

/* Without them nobody sees the ToS that arrives; that is for the verdict to say. */
static int send_datagrams(struct run *run)
{
	uint8_t hello[TRAFFIC_HELLO_SIZE];
	struct rdma_conn_param param = { .private_data = hello, .private_data_len = sizeof(hello) };
	struct rdma_cm_event *event;
	int r;

	r = resolve(run, RDMA_PS_UDP, &run->end.datagrams);
	if (r == 0)
		r = traffic_datagrams_init(&run->end);
	if (r < 0)
		return r;
	traffic_hello_encode(&run->hello, hello);
	if (rdma_connect(run->end.datagrams, &param) != 0)
		return -errno;
	r = await(run, RDMA_CM_EVENT_ESTABLISHED, &event);
	if (r < 0)
		return r;
	r = send_to(run, &event->param.ud);
	(void)rdma_ack_cm_event(event);
	return r;
}

/* ---- the end ---- */

static int take_report(struct run *run)
{
	uint8_t *control = run->end.memory + AT_CONTROL;
	struct ibv_wc wc = {};
	int r;

	/* What comes in goes to the same place: it comes only after this was read there */
	traffic_end_encode(control);
	r = traffic_control_send(&run->end, TRAFFIC_END_SIZE);
	if (r < 0)
		return trouble(run, r, "%s: cannot send: %s", run->from->rdma, strerror(-r));
	while (wc.wr_id != WORK_CONTROL_IN) {
		r = complete(run, soon(run, REPORT_MS), &wc);
		if (r < 0)
			return r;
	}
	r = traffic_report_decode(control, wc.byte_len, run->traffic);
	if (r < 0)
		return trouble(run, r, "what %s reports is not understood: is it the same version?",
			       run->where);
	return 0;
}

static int make_traffic(struct run *run)
{
	struct traffic *traffic = run->traffic;
	int r;

	r = make_end(run);
	if (r < 0)
		return r;
	traffic->from.result =
		traffic_counters(run->machine, &traffic->from.nic, &traffic->from.before);
	r = connect_end(run);
	if (r == 0)
		r = look_at_queue_pair(run);
	if (r == 0)
		r = send_messages(run);
	if (r == 0 && send_datagrams(run) == -EINTR)
		return -EINTR;
	if (r < 0)
		return r;
	traffic->trouble[0] = '\0';
	r = take_report(run);
	traffic_settle(run->machine, &traffic->from, COUNTER_TX_PACKETS, traffic->packets);
	return r;
}

void traffic_send(const struct traffic_machine *machine, const struct traffic_place *from,
		  const struct traffic_place *to, struct traffic *traffic)
{
	struct run run = {
		.machine = machine, .os = machine->os, .from = from, .to = to, .traffic = traffic
	};
	struct rdma_event_channel *channel;
	int r;

	traffic->tos_sent = traffic->tos_received = TRAFFIC_UNKNOWN;
	traffic_address_format(&to->address, run.where);
	run.hello.messages = traffic->messages;
	if (getrandom(&run.hello.token, sizeof(run.hello.token), 0) != sizeof(run.hello.token)) {
		(void)trouble(&run, -EIO, "no random number");
		return;
	}
	r = traffic_channel(&channel);
	if (r < 0) {
		(void)trouble(&run, r, "cannot use RDMA-CM: %s: " TRAFFIC_HINT, strerror(-r));
		return;
	}
	run.end.channel = channel;
	if (make_traffic(&run) == 0)
		(void)rdma_disconnect(run.end.id);
	traffic_end_done(&run.end);
	rdma_destroy_event_channel(channel);
}
