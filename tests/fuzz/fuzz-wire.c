// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Any datagram to the worker: what is no request writes nothing, what is one writes at most once,
 * and the answer is one that the other end takes. The corpus has a request a file.
 */
#include <errno.h>
#include <stdlib.h>

#include "lib/nic/serve.h"
#include "lib/os/fake.h"
#include "tests/fuzz/fuzz.h"

static const struct fake_port port = {
	.name = "ens1f0np0",
	.rdma = "mlx5_0",
	.pci = "0000:17:00.0",
	.driver = "mlx5_core",
	.ofed = true,
};

static void check(const uint8_t *data, size_t size, const struct wire_reply *reply)
{
	static struct wire_call call;
	struct state have = {};
	struct refusal refusal;
	const char *why;
	int result;

	if (wire_request_decode(data, size, &call, &why) < 0) {
		if (reply->result != -EBADMSG)
			abort();
		return;
	}
	if (wire_reply_decode(reply, sizeof(*reply), &call, &have, &refusal, &result) < 0)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct wire_reply reply;
	unsigned int writes;
	struct os *os;

	if (os_fake_new(&port, 1, &os) < 0)
		return 0;
	(void)nic_serve(os, data, size, &reply);
	/* making RDMA-CM's group is part of reading it */
	writes = os_fake_writes(os, FAKE_ANY_WRITE, NULL);
	if (writes > 1 || (writes == 1 && reply.result == -EBADMSG))
		abort();
	check(data, size, &reply);
	os_free(os);
	return 0;
}
