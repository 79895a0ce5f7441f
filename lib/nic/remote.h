/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The NIC provider of a process without privileges: it reads by itself, and asks the worker
 * (losslessd-nic, see serve.h) for each write and for the few things that a plain user cannot read.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/un.h>

#include "lib/os/os.h"
#include "lib/reconcile/provider.h"

enum { NIC_REMOTE_TIMEOUT_MS = 30000 };

struct nic_remote {
	struct os *os;
	struct provider local;
	struct sockaddr_un address;
	int fd;				/* -1: not connected */
	uint32_t id;			/* of the last request */
	bool waiting;			/* for a reply: no other request meanwhile */
	unsigned int n_writes;		/* writes that were sent to the worker */
	/*
	 * Wait until @fd can be read or is closed by the other end, at most @timeout_ms. Returns 1
	 * if so, 0 if the time is over, a negative errno. poll(2) at first; the owner may set
	 * another one that keeps its event loop running. What runs meanwhile may use the provider:
	 * its writes give -EBUSY, what needs root stays VALUE_NEEDS_ROOT.
	 */
	int (*wait)(int fd, unsigned int timeout_ms, void *data);
	void *wait_data;
};

/*
 * Make @provider serve the targets of kind TARGET_PORT and TARGET_RDMA, writing by the worker that
 * listens at @socket_path. Connects when it is needed first. @remote and @os have to outlive
 * @provider.
 *
 * provider_ops.write() gives beside its own errors, with words in the refusal: -ESTALE, nothing was
 * written, the object is not what @have says; -ECONNRESET, the reply was lost: only reading tells
 * whether it was written; -ENOTCONN, the worker cannot be reached; -ETIMEDOUT.
 *
 * Returns 0; -ENAMETOOLONG, -EINVAL if @socket_path is no path for a socket.
 */
int nic_remote_init(struct nic_remote *remote, struct provider *provider, struct os *os,
		    const char *socket_path);

/* Closes the connection. */
void nic_remote_done(struct nic_remote *remote);
