/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The privileged worker's work: one request in, one reply out, nothing kept. Compare and set: what
 * is written is what was asked for, of an object that is what it was when that was decided.
 */
#pragma once

#include <stddef.h>

#include "lib/nic/wire.h"
#include "lib/os/os.h"

/*
 * Carry out the request of @size bytes at @data. Touches only Ethernet ports that have an RDMA
 * device, these RDMA devices, and the MTU of bonds and VLANs on them; at most one write of an
 * object, nothing if it is refused. Any bytes may come in.
 *
 * @ret is to be sent whatever comes of it: its result is -EBADMSG for what is no request; -ENODEV
 * if there is no such device by now; -EPERM for loopback; -EOPNOTSUPP for InfiniBand; -ESTALE,
 * nothing written, if the object is neither as wanted nor as expected; else as of
 * provider_ops.write().
 *
 * Returns 0; -EBADMSG if it was no request, after which the other end deserves no further answer.
 */
int nic_serve(struct os *os, const void *data, size_t size, struct wire_reply *ret);
