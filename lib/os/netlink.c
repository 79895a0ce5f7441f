// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The transport of all netlink requests: sockets, deadlines, errors, and the first look at what
 * comes back. Mirrors net/netlink/af_netlink.c. Everything that is received is checked before it is
 * used.
 */
#include "lib/os/netlink.h"

#include <errno.h>
#include <netlink/errno.h>
#include <netlink/netlink.h>
#include <stdbool.h>
#include <string.h>

#include "lib/base/cleanup.h"

/* Room for a datagram: an attribute and what stands around it. */
enum { DATAGRAM_SIZE = 96 * 1024 };

/* One answer while it comes in. */
struct answer {
	struct os *os;
	int (*each)(const struct nlmsghdr *message, void *data);
	void *data;
	struct os_error *error;
	uint32_t seq;
	uint32_t peer;
	uint16_t flags; /* of the request */
	int64_t deadline_ms;
	unsigned int n;
	bool done; /* the last message of the answer is here */
	bool interrupted;
	bool overdue;
	int result;
};

static void nl_cb_putp(struct nl_cb **cb)
{
	nl_cb_put(*cb);
}

int netlink_errno(int error)
{
	switch (-error) {
	case 0:
		return 0;
	case NLE_AGAIN:
		return -ETIMEDOUT;
	case NLE_NOMEM:
		return -ENOMEM;
	case NLE_PERM:
		return -EPERM;
	case NLE_NOACCESS:
		return -EACCES;
	case NLE_AF_NOSUPPORT:
	case NLE_PROTO_MISMATCH:
		return -EPROTONOSUPPORT;
	case NLE_MSG_OVERFLOW:
		return -ENOBUFS;
	case NLE_MSG_TRUNC:
	case NLE_MSG_TOOSHORT:
		return -EBADMSG;
	default:
		return -EIO;
	}
}

/* What the kernel says beside the number. It is shown to people, so nothing but printable
 * characters is kept. */
static void copy_text(struct os_error *error, const struct nlattr *attr)
{
	const unsigned char *text = nla_data(attr);
	size_t size = (size_t)nla_len(attr);
	size_t i;

	for (i = 0; i < size && i + 1 < sizeof(error->text) && text[i]; i++)
		error->text[i] = text[i] >= 0x20 && text[i] < 0x7f ? (char)text[i] : '?';
	error->text[i] = '\0';
}

/* The text stands in attributes behind the copy of our request, which is its header alone if the
 * kernel capped it. */
static void read_text(struct os_error *error, const struct nlmsghdr *message,
		      const struct nlmsgerr *answer)
{
	const struct nlattr *table[NLMSGERR_ATTR_MAX + 1];
	size_t begin = NLMSG_HDRLEN + sizeof(*answer);

	if (!(message->nlmsg_flags & NLM_F_ACK_TLVS))
		return;
	if (!(message->nlmsg_flags & NLM_F_CAPPED)) {
		if (answer->msg.nlmsg_len < NLMSG_HDRLEN ||
		    answer->msg.nlmsg_len > message->nlmsg_len)
			return;
		begin += NLMSG_ALIGN(answer->msg.nlmsg_len) - NLMSG_HDRLEN;
	}
	if (begin >= message->nlmsg_len)
		return;
	if (netlink_attributes(table, NLMSGERR_ATTR_MAX, (const char *)message + begin,
			       (int)(message->nlmsg_len - begin)) < 0)
		return;
	if (table[NLMSGERR_ATTR_MSG])
		copy_text(error, table[NLMSGERR_ATTR_MSG]);
}

static int finish(struct answer *answer, int result)
{
	if (answer->result == 0)
		answer->result = result;
	answer->done = true;
	return NL_STOP;
}

/* First for every message: is it the kernel's answer to this request? */
static int on_sequence(struct nl_msg *message, void *data)
{
	struct answer *answer = data;

	if (++answer->n > NETLINK_MESSAGES_MAX ||
	    answer->os->ops->now_ms(answer->os) > answer->deadline_ms) {
		answer->overdue = true;
		return NL_STOP;
	}
	if (nlmsg_hdr(message)->nlmsg_seq != answer->seq ||
	    nlmsg_get_src(message)->nl_pid != answer->peer)
		return NL_SKIP;
	return NL_OK;
}

static int on_interrupted(struct nl_msg *message, void *data)
{
	struct answer *answer = data;

	answer->interrupted = true;
	return NL_OK;
}

static int on_message(struct nl_msg *message, void *data)
{
	struct answer *answer = data;

	if (answer->each && answer->result == 0)
		answer->result = answer->each(nlmsg_hdr(message), answer->data);
	if (!(answer->flags & (NLM_F_ACK | NLM_F_DUMP)))
		return finish(answer, 0);
	return NL_OK;
}

static int on_ack(struct nl_msg *message, void *data)
{
	return finish(data, 0);
}

/* The last part of a dump carries its errno. */
static int on_done(struct nl_msg *message, void *data)
{
	const struct nlmsghdr *header = nlmsg_hdr(message);
	int error = 0;

	if (header->nlmsg_len >= NLMSG_LENGTH(sizeof(error)))
		memcpy(&error, NLMSG_DATA(header), sizeof(error));
	if (error > 0 || error < -4095)
		error = -EBADMSG;
	return finish(data, error);
}

static int on_error(struct sockaddr_nl *from, struct nlmsgerr *error, void *data)
{
	/* libnl gives us the payload; the header that it checked stands right before it */
	const struct nlmsghdr *message =
		(const struct nlmsghdr *)((const char *)error - NLMSG_HDRLEN);
	struct answer *answer = data;

	if (answer->error)
		read_text(answer->error, message, error);
	return finish(answer, error->error < 0 && error->error >= -4095 ? error->error : -EBADMSG);
}

static struct nl_cb *make_callbacks(struct nl_sock *socket, struct answer *answer)
{
	_cleanup_(nl_cb_putp) struct nl_cb *own = nl_socket_get_cb(socket);
	struct nl_cb *cb = nl_cb_clone(
		own); /* with what the implementation has put in place of send and receive */

	if (!cb)
		return NULL;
	(void)nl_cb_set(cb, NL_CB_SEQ_CHECK, NL_CB_CUSTOM, on_sequence, answer);
	(void)nl_cb_set(cb, NL_CB_DUMP_INTR, NL_CB_CUSTOM, on_interrupted, answer);
	(void)nl_cb_set(cb, NL_CB_VALID, NL_CB_CUSTOM, on_message, answer);
	(void)nl_cb_set(cb, NL_CB_ACK, NL_CB_CUSTOM, on_ack, answer);
	(void)nl_cb_set(cb, NL_CB_FINISH, NL_CB_CUSTOM, on_done, answer);
	(void)nl_cb_err(cb, NL_CB_CUSTOM, on_error, answer);
	return cb;
}

static struct nl_sock **socket_of(struct os *os, int protocol)
{
	switch (protocol) {
	case NETLINK_GENERIC:
		return &os->generic;
	case NETLINK_RDMA:
		return &os->rdma;
	default:
		return &os->route;
	}
}

static int open_socket(struct os *os, int protocol)
{
	struct nl_sock **place = socket_of(os, protocol);
	struct nl_sock *socket;
	int r;

	if (*place)
		return 0;
	socket = nl_socket_alloc();
	if (!socket)
		return -ENOMEM;
	/* Only who waits for the ACK asks for it. One call for each datagram: what is asked for
	 * here is smaller (netlink_dump() makes 32 KiB), and one that is cut is an error. */
	nl_socket_disable_auto_ack(socket);
	nl_socket_disable_msg_peek(socket);
	(void)nl_socket_set_msg_buf_size(socket, DATAGRAM_SIZE);
	r = os->ops->netlink_open(os, protocol, socket);
	if (r < 0) {
		nl_socket_free(socket);
		return r;
	}
	*place = socket;
	return 0;
}

static void close_socket(struct os *os, int protocol)
{
	struct nl_sock **place = socket_of(os, protocol);

	nl_socket_free(*place);
	*place = NULL;
}

void netlink_close(struct os *os)
{
	close_socket(os, NETLINK_ROUTE);
	close_socket(os, NETLINK_GENERIC);
	close_socket(os, NETLINK_RDMA);
}

/* Returns 0 if the answer is complete, whatever it says. */
static int exchange(struct nl_sock *socket, struct nl_msg *request, struct answer *answer)
{
	_cleanup_(nl_cb_putp) struct nl_cb *cb = make_callbacks(socket, answer);
	int r;

	if (!cb)
		return -ENOMEM;
	nlmsg_hdr(request)->nlmsg_seq = NL_AUTO_SEQ;
	nl_complete_msg(socket, request);
	answer->seq = nlmsg_hdr(request)->nlmsg_seq;
	r = nl_send(socket, request);
	if (r < 0)
		return netlink_errno(r);
	while (!answer->done) {
		r = nl_recvmsgs_report(socket, cb);
		if (answer->done)
			break;
		if (r < 0)
			return netlink_errno(r);
		if (r == 0)
			return -EBADMSG; /* a datagram without a whole message */
		if (answer->overdue)
			return -ETIMEDOUT;
	}
	return 0;
}

int netlink_request(struct os *os, int protocol, struct nl_msg *request,
		    int (*each)(const struct nlmsghdr *message, void *data), void *data,
		    struct os_error *ret_error)
{
	struct answer answer = {
		.os = os,
		.each = each,
		.data = data,
		.error = ret_error,
		.flags = nlmsg_hdr(request)->nlmsg_flags,
	};
	int r;

	r = open_socket(os, protocol);
	if (r < 0)
		return r;
	answer.peer = nl_socket_get_peer_port(*socket_of(os, protocol));
	answer.deadline_ms = os->ops->now_ms(os) + NETLINK_TIMEOUT_MS;
	r = exchange(*socket_of(os, protocol), request, &answer);
	if (r < 0) {
		/* What still comes must never be taken for the answer to another request */
		close_socket(os, protocol);
		return r;
	}
	return answer.interrupted ? -EINTR : answer.result;
}

int netlink_attributes(const struct nlattr **table, int max, const void *attrs, int size)
{
	const struct nlattr *attr = attrs;

	memset(table, 0, sizeof(*table) * ((size_t)max + 1));
	while (nla_ok(attr, size)) {
		int type = nla_type(attr);

		if (type <= max && !table[type])
			table[type] = attr;
		attr = nla_next(attr, &size);
	}
	return size > 0 ? -EBADMSG : 0;
}

int netlink_nested(const struct nlattr **table, int max, const struct nlattr *nest)
{
	return netlink_attributes(table, max, nla_data(nest), nla_len(nest));
}

int netlink_copy(const struct nlattr *attr, void *ret, size_t size)
{
	if ((size_t)nla_len(attr) < size)
		return -EBADMSG;
	memcpy(ret, nla_data(attr), size);
	return 0;
}

int netlink_name(const struct nlattr *attr, char *ret, size_t size)
{
	size_t room = (size_t)nla_len(attr);
	size_t length = strnlen(nla_data(attr), room);

	if (length == 0 || length == room || length >= size)
		return -EBADMSG;
	memcpy(ret, nla_data(attr), length + 1);
	return 0;
}
