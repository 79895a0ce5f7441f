// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Any text in an attribute: each record is the number of a path, a size and so many bytes. Then the
 * node is inventoried, and everything that can be wanted is observed and looked for once more.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/macro.h"
#include "lib/nic/nic.h"
#include "lib/os/fake.h"
#include "lib/reconcile/execute.h"
#include "lib/spec/spec.h"
#include "tests/fuzz/fuzz.h"

#define IB "/sys/class/infiniband/mlx5_0/"
#define CM "/sys/kernel/config/rdma_cm/mlx5_0/ports/1/"

static const char *const paths[] = {
	"/sys/class/net/ens1f0np0/ifindex",
	"/sys/class/net/ens1f0np0/dev_port",
	"/sys/class/net/ens1f0np0/mtu",
	IB "ports/1/link_layer",
	IB "ports/1/gids/0",
	IB "ports/1/gids/1",
	IB "ports/1/gids/5",
	IB "ports/1/gid_attrs/ndevs/0",
	IB "ports/1/gid_attrs/ndevs/1",
	IB "ports/1/gid_attrs/ndevs/5",
	IB "ports/1/gid_attrs/types/0",
	IB "ports/1/gid_attrs/types/1",
	IB "ports/1/gid_attrs/types/5",
	IB "parent",
	IB "tc/1/traffic_class",
	CM "default_roce_mode",
	CM "default_roce_tos",
	"/sys/class/net/ens1f0np0/ecn/roce_np/enable/3",
	"/sys/class/net/ens1f0np0/ecn/roce_rp/enable/3",
	"/sys/class/net/ens1f0np0/ecn/roce_np/cnp_dscp",
	"/sys/class/net/ens1f0np0/ecn/roce_np/cnp_802p_prio",
	"/sys/kernel/debug/mlx5/0000:17:00.0/cc_params/np_cnp_dscp",
	"/sys/kernel/debug/mlx5/0000:17:00.0/cc_params/np_cnp_prio",
};

static const char fabric[] =
	"version: 1\n"
	"fabric: fuzz\n"
	"roce: {traffic_class: 106, cnp: {dscp: 48, priority: 6}}\n"
	"qos:\n"
	"  dscp_to_priority: {26: 3, 48: 6}\n"
	"  pfc: [3]\n"
	"  cable_length: 5m\n"
	"  pfc_watchdog: {detect: 200ms, restore: 400ms, action: drop}\n"
	"  scheduler: {0: 50%, 3: 50%, 6: strict}\n"
	"  max_rate: {3: 10Gbit/s}\n"
	"  buffers: auto\n"
	"ecn: {priorities: [3], min: 150KiB, max: 1500KiB, probability: 100%}\n"
	"mtu: 4200\n"
	"nodes: {\"*\": {}}\n";

static const struct fake_port ports[] = {
	{ .name = "ens1f0np0",
	  .rdma = "mlx5_0",
	  .pci = "0000:17:00.0",
	  .driver = "mlx5_core",
	  .ofed = true },
};

static void observe(struct os *os, const struct inventory *inventory)
{
	struct diags diags = {};
	struct desired desired;
	struct provider provider;
	struct states found = {};
	struct spec *spec;

	if (spec_load(fabric, sizeof(fabric) - 1, &spec, &diags) < 0)
		abort();
	if (spec_resolve(spec, inventory, "node", &desired, &diags) == 0) {
		nic_provider_init(&provider, os);
		(void)states_observe(&desired.states, &provider, &found);
		states_done(&found);
		desired_done(&desired);
	}
	spec_free(spec);
	diags_done(&diags);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input input = { data, size };
	struct inventory inventory = {};
	struct os *os;
	char text[256];
	size_t n;

	if (os_fake_new(ports, ARRAY_SIZE(ports), &os) < 0)
		return 0;
	while (input.size > 0) {
		const char *path = paths[input_byte(&input) % ARRAY_SIZE(paths)];
		size_t wanted = input_byte(&input);
		const uint8_t *bytes = input_bytes(&input, wanted, &n);

		memcpy(text, bytes, n);
		text[n] = '\0';
		(void)os_fake_poke_file(os, path, text);
	}
	if (nic_inventory(os, &inventory) == 0) {
		observe(os, &inventory);
		inventory_done(&inventory);
	}
	os_free(os);
	return 0;
}
