// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Any answer of the kernel: the first byte chooses the request, then come datagrams, each behind
 * its size in two bytes, low byte first. What the queue lacks the simulated kernel answers.
 */
#include <linux/netlink.h>
#include <stdlib.h>

#include "lib/base/macro.h"
#include "lib/os/dcb.h"
#include "lib/os/ethtool.h"
#include "lib/os/fake.h"
#include "lib/os/link.h"
#include "lib/os/rdma.h"
#include "tests/fuzz/fuzz.h"

static void link_dump(struct os *os)
{
	struct os_links links = {};

	(void)os_link_dump(os, &links);
	os_links_done(&links);
}

static void link_get(struct os *os)
{
	struct os_link link;

	(void)os_link_get(os, 2, &link);
}

static void dcb_get(struct os *os)
{
	static struct os_dcb dcb;

	if (os_dcb_get(os, "ens1f0np0", &dcb) == 0 && dcb.n_app > OS_DCB_APP_MAX)
		abort();
}

static void dcb_set(struct os *os)
{
	const struct ieee_pfc pfc = { .pfc_en = 8 };
	struct os_error error;

	(void)os_dcb_set_pfc(os, "ens1f0np0", &pfc, &error);
}

static void pause_get(struct os *os)
{
	struct os_pause pause;

	(void)os_pause_get(os, 2, &pause);
}

static void pause_set(struct os *os)
{
	const struct os_pause pause = {};
	struct os_error error;

	(void)os_pause_set(os, 2, &pause, &error);
}

static void qp_dump(struct os *os)
{
	struct os_qps qps = {};

	(void)os_qp_dump(os, &qps);
	os_qps_done(&qps);
}

static const struct {
	int protocol;
	void (*call)(struct os *os);
} requests[] = {
	{ NETLINK_ROUTE, link_dump },	{ NETLINK_ROUTE, link_get },
	{ NETLINK_ROUTE, dcb_get },	{ NETLINK_ROUTE, dcb_set },
	{ NETLINK_GENERIC, pause_get }, { NETLINK_GENERIC, pause_set },
	{ NETLINK_RDMA, qp_dump },
};

/* As little of a node as will do: it is made anew for each input. */
static const struct fake_port port = {
	.name = "ens1f0np0",
	.pci = "0000:17:00.0",
	.driver = "mlx5_core",
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input input = { data, size };
	size_t request = input_byte(&input) % ARRAY_SIZE(requests), n;
	struct os *os;

	if (os_fake_new(&port, 1, &os) < 0)
		return 0;
	while (input.size > 0) {
		size_t wanted = input_byte(&input);
		const uint8_t *datagram;

		wanted |= (size_t)input_byte(&input) << 8;
		datagram = input_bytes(&input, wanted, &n);
		if (os_fake_netlink_reply(os, requests[request].protocol, datagram, n) < 0)
			break;
	}
	requests[request].call(os);
	os_free(os);
	return 0;
}
