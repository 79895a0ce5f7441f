/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Requests to the worker, served on a simulated node. */
#pragma once

#include "lib/nic/serve.h"
#include "tests/support/nic-node.h"

/* The request to bring @knob of port 0 to @text, from what it is; resets the counters. */
struct wire_request wire_write_request(struct nic_node *node, enum knob knob, enum step_op op,
				       const char *text);

/* The request to read the object of @knob of port 0. */
struct wire_request wire_read_request(struct nic_node *node, enum knob knob);

/* The result in the reply; -EPROTO if it is not the reply to @request. */
int wire_serve(struct nic_node *node, const struct wire_request *request);

/* Calls that changed the node, or would have. */
unsigned int wire_writes(const struct nic_node *node);
