// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The NIC provider whose writes a worker does. The worker ends when it is idle, so that a
 * connection may be dead before a request: what could not be sent was not done, and is sent once
 * more on a new one. What was sent and not answered may have been done: a reading is repeated, a
 * write is not.
 */
#include "lib/nic/remote.h"

#include <errno.h>
#include <poll.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "lib/base/macro.h"
#include "lib/nic/kill.h"
#include "lib/nic/nic.h"
#include "lib/nic/object.h"
#include "lib/nic/wire.h"

/* ---- the connection ---- */

static int wait_by_poll(int fd, unsigned int timeout_ms, void *data)
{
	struct pollfd poll_fd = { .fd = fd, .events = POLLIN };
	int r;

	r = poll(&poll_fd, 1, (int)timeout_ms);
	return r < 0 ? -errno : r;
}

static void disconnect(struct nic_remote *remote)
{
	if (remote->fd >= 0)
		(void)close(remote->fd);
	remote->fd = -1;
}

static int open_connection(struct nic_remote *remote)
{
	int fd;

	if (remote->fd >= 0)
		return 0;
	fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd < 0)
		return -errno;
	if (connect(fd, (const struct sockaddr *)&remote->address, sizeof(remote->address)) < 0) {
		int error = errno;

		(void)close(fd);
		return -error;
	}
	remote->fd = fd;
	return 0;
}

/* Returns 0; a negative errno, and then nothing has been sent. */
static int send_once(struct nic_remote *remote, const struct wire_request *request)
{
	int r;

	r = open_connection(remote);
	if (r < 0)
		return r;
	if (send(remote->fd, request, sizeof(*request), MSG_NOSIGNAL | MSG_DONTWAIT) < 0) {
		r = -errno;
		disconnect(remote);
		return r;
	}
	return 0;
}

static int send_request(struct nic_remote *remote, const struct wire_request *request)
{
	bool connected = remote->fd >= 0;
	int r;

	r = send_once(remote, request);
	return r < 0 && connected ? send_once(remote, request) : r;
}

/* Returns the size of the datagram; -ETIMEDOUT; -ECONNRESET if none can be waited for. */
static ssize_t receive(struct nic_remote *remote, struct wire_reply *ret)
{
	int64_t now_ms = remote->os->ops->now_ms(remote->os);
	const int64_t end_ms = now_ms + NIC_REMOTE_TIMEOUT_MS;
	ssize_t n;
	int r;

	for (; now_ms < end_ms; now_ms = remote->os->ops->now_ms(remote->os)) {
		n = recv(remote->fd, ret, sizeof(*ret), MSG_DONTWAIT | MSG_TRUNC);
		if (n > 0)
			return n;
		if (n == 0)
			return -ECONNRESET;
		if (errno != EAGAIN && errno != EINTR)
			return -ECONNRESET;
		r = remote->wait(remote->fd, (unsigned int)(end_ms - now_ms), remote->wait_data);
		if (r == 0)
			return -ETIMEDOUT;
		if (r < 0 && r != -EINTR)
			return -ECONNRESET;
	}
	return -ETIMEDOUT;
}

/* ---- one request and its reply ---- */

static const char *trouble_words(int r)
{
	switch (r) {
	case -ECONNRESET:
		return "losslessd-nic went away before it answered";
	case -ETIMEDOUT:
		return "losslessd-nic does not answer";
	case -EBADMSG:
		return "losslessd-nic answers what is no answer";
	case -EBUSY:
		return "losslessd-nic is asked already";
	default:
		return "losslessd-nic cannot be reached";
	}
}

/* Trouble with the worker, not with the device: no errno that would be read as the device's. */
static int trouble(int r, struct refusal *ret)
{
	if (r == -ECONNRESET || r == -ETIMEDOUT || r == -EBADMSG || r == -EBUSY)
		return nic_refuse(ret, r, "%s", trouble_words(r));
	if (r == -EAGAIN) /* its backlog is full */
		return nic_refuse(ret, -EBUSY, "%s", trouble_words(-EBUSY));
	return nic_refuse(ret, -ENOTCONN, "%s: %s", trouble_words(r),
			  strerrordesc_np(-r) ?: "unknown error");
}

static int exchange(struct nic_remote *remote, struct wire_call *call, struct state *have,
		    struct refusal *ret, int *ret_result)
{
	struct wire_request request;
	struct wire_reply reply;
	ssize_t n;
	int r;

	call->id = ++remote->id;
	wire_request_encode(call, &request);
	r = send_request(remote, &request);
	if (r < 0)
		return trouble(r == -ECONNRESET ? -ECONNREFUSED : r, ret);
	if (call->verb == WIRE_WRITE)
		remote->n_writes++;
	n = receive(remote, &reply);
	r = n < 0 ? (int)n : wire_reply_decode(&reply, (size_t)n, call, have, ret, ret_result);
	if (r < 0) {
		disconnect(remote);
		return trouble(r, ret);
	}
	return 0;
}

/*
 * Returns 0 with the worker's own result in @ret_result, negative for trouble with the worker;
 * either way @ret says why.
 */
static int ask(struct nic_remote *remote, struct wire_call *call, struct state *have,
	       struct refusal *ret, int *ret_result)
{
	int r;

	if (remote->waiting)
		return trouble(-EBUSY, ret);
	remote->waiting = true;
	r = exchange(remote, call, have, ret, ret_result);
	if (r == -ECONNRESET && call->verb != WIRE_WRITE)
		r = exchange(remote, call, have, ret, ret_result);
	remote->waiting = false;
	return r;
}

/* ---- reading ---- */

static bool needs_root(const struct state *have, enum object object)
{
	for (enum knob knob = 0; knob < KNOB_MAX; knob++)
		if (knob_table[knob].object == object &&
		    have->value[knob].status == VALUE_NEEDS_ROOT)
			return true;
	return false;
}

static void say_unreadable(struct state *have, enum object object, const struct refusal *refusal)
{
	for (enum knob knob = 0; knob < KNOB_MAX; knob++) {
		struct value *value = &have->value[knob];

		if (knob_table[knob].object != object || value->status != VALUE_NEEDS_ROOT)
			continue;
		*value = (struct value){ .status = VALUE_UNREADABLE, .error = refusal->error };
		value_note(value, "%s", refusal->text);
	}
}

/* Returns 0; -ENODEV, as a reading does. */
static int read_as_root(struct nic_remote *remote, const struct target *target, enum object object,
			struct state *have)
{
	struct wire_call call;
	struct refusal refusal = {};
	int result = 0, r;

	/* Hardly any: a call is large */
	if (remote->waiting || !needs_root(have, object))
		return 0;
	call = (struct wire_call){
		.verb = WIRE_READ, .target = *target, .change.object = object,
	};
	r = ask(remote, &call, have, &refusal, &result);
	if (r == 0 && result == -ENODEV)
		return result;
	if (r < 0 || result < 0)
		say_unreadable(have, object, &refusal);
	return 0;
}

static int remote_observe(struct provider *provider, const struct target *target,
			  const struct state *want, struct state *have)
{
	struct nic_remote *remote = provider->data;
	int r;

	r = remote->local.ops->observe(&remote->local, target, want, have);
	for (enum object object = 0; r >= 0 && object < OBJECT_MAX; object++)
		r = read_as_root(remote, target, object, have);
	return r;
}

static int remote_read(struct provider *provider, const struct target *target, enum object object,
		       struct state *have)
{
	struct nic_remote *remote = provider->data;
	int r;

	r = remote->local.ops->read(&remote->local, target, object, have);
	return r < 0 ? r : read_as_root(remote, target, object, have);
}

/* ---- writing ---- */

static bool wants_any(const struct state *want, enum object object)
{
	for (enum knob knob = 0; knob < KNOB_MAX; knob++)
		if (knob_table[knob].object == object && nic_wants(want, knob))
			return true;
	return false;
}

static int remote_write(struct provider *provider, const struct target *target,
			const struct change *change, const struct state *want,
			const struct state *have, struct refusal *ret)
{
	struct wire_call call = {
		.verb = WIRE_WRITE,
		.target = *target,
		.change = *change,
		.want = *want,
		.expect = *have,
	};
	struct state after = { .target = *target };
	int result = 0, r;

	*ret = (struct refusal){};
	if (!wants_any(want, change->object))
		return 0;
	nic_kill_before_write();
	r = ask(provider->data, &call, &after, ret, &result);
	if (r == 0 && result > 0)
		nic_kill_after_write();
	return r < 0 ? r : result;
}

/* The worker's namespace and sandbox count. Trouble with the worker is for the write to tell. */
static int remote_probe(struct provider *provider, const struct target *target)
{
	struct wire_call call = {
		.verb = WIRE_PROBE,
		.target = *target,
		.change.object = target->kind == TARGET_RDMA ? OBJECT_CM_MODE : OBJECT_DCBX,
	};
	struct state have = {};
	struct refusal refusal = {};
	int result = 0, r;

	r = ask(provider->data, &call, &have, &refusal, &result);
	return r == 0 && (result == -EROFS || result == -EACCES) ? result : 0;
}

/* ---- what needs no worker ---- */

static int remote_in_use(struct provider *provider, const struct target *target)
{
	struct nic_remote *remote = provider->data;

	return remote->local.ops->in_use(&remote->local, target);
}

static int remote_carrier(struct provider *provider, const struct target *target)
{
	struct nic_remote *remote = provider->data;

	return remote->local.ops->carrier(&remote->local, target);
}

static int64_t remote_now_ms(struct provider *provider)
{
	struct nic_remote *remote = provider->data;

	return remote->local.ops->now_ms(&remote->local);
}

static void remote_sleep_ms(struct provider *provider, unsigned int ms)
{
	struct nic_remote *remote = provider->data;

	remote->local.ops->sleep_ms(&remote->local, ms);
}

static const struct provider_ops remote_ops = {
	.observe = remote_observe,
	.read = remote_read,
	.write = remote_write,
	.in_use = remote_in_use,
	.probe = remote_probe,
	.carrier = remote_carrier,
	.now_ms = remote_now_ms,
	.sleep_ms = remote_sleep_ms,
};

int nic_remote_init(struct nic_remote *remote, struct provider *provider, struct os *os,
		    const char *socket_path)
{
	size_t length = strlen(socket_path);

	*remote = (struct nic_remote){ .os = os, .fd = -1, .wait = wait_by_poll };
	if (length == 0)
		return -EINVAL;
	if (length >= sizeof(remote->address.sun_path))
		return -ENAMETOOLONG;
	remote->address.sun_family = AF_UNIX;
	memcpy(remote->address.sun_path, socket_path, length);
	nic_provider_init(&remote->local, os);
	*provider = (struct provider){ .ops = &remote_ops, .data = remote };
	return 0;
}

void nic_remote_done(struct nic_remote *remote)
{
	disconnect(remote);
}
