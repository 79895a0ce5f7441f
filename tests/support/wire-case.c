// SPDX-License-Identifier: LGPL-2.1-or-later
/* See the header. */
#include "tests/support/wire-case.h"

#include <errno.h>

struct wire_request wire_write_request(struct nic_node *node, enum knob knob, enum step_op op,
				       const char *text)
{
	struct state want = nic_node_state(node, 0, knob);
	struct wire_call call = { .verb = WIRE_WRITE, .id = 7, .target = want.target };
	struct wire_request request;

	nic_node_want(&want, knob, text);
	call.want = want;
	call.change = (struct change){ knob_table[knob].object, op, UINT64_MAX };
	assert_int_equal(nic_node_observe(node, &want, &call.expect), 0);
	wire_request_encode(&call, &request);
	os_fake_writes_reset(node->os);
	return request;
}

struct wire_request wire_read_request(struct nic_node *node, enum knob knob)
{
	struct wire_call call = { .verb = WIRE_READ, .id = 8 };
	struct wire_request request;

	call.target = nic_node_state(node, 0, knob).target;
	call.change.object = knob_table[knob].object;
	wire_request_encode(&call, &request);
	return request;
}

int wire_serve(struct nic_node *node, const struct wire_request *request)
{
	struct wire_reply reply;

	(void)nic_serve(node->os, request, sizeof(*request), &reply);
	if (reply.id != request->id)
		return -EPROTO;
	return reply.result;
}

unsigned int wire_writes(const struct nic_node *node)
{
	return os_fake_writes(node->os, FAKE_ANY_WRITE, NULL);
}
