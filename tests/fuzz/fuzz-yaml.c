// SPDX-License-Identifier: LGPL-2.1-or-later
/* Any text as a fabric file: load, resolve for a node with three kinds of ports, show findings. */
#include <stdio.h>
#include <stdlib.h>

#include "lib/base/macro.h"
#include "lib/spec/spec.h"
#include "tests/fuzz/fuzz.h"

static struct nic nics[] = {
	{ .ifindex = 2,
	  .rdma_port = 1,
	  .carrier = true,
	  .mtu = 1500,
	  .mtu_max = 9978,
	  .mac = { 2, 0, 0x5e, 0x10, 0, 1 },
	  .name = "ens1f0np0",
	  .rdma = "mlx5_0",
	  .driver = "mlx5_core",
	  .pci = "0000:17:00.0" },
	{ .ifindex = 3,
	  .rdma_port = 1,
	  .vf = true,
	  .name = "ens1f0v0",
	  .rdma = "mlx5_2",
	  .driver = "mlx5_core",
	  .pci = "0000:17:00.2",
	  .pf = "ens1f0np0" },
	{ .rdma_port = 1,
	  .link_layer = LINK_LAYER_INFINIBAND,
	  .rdma = "mlx5_3",
	  .driver = "mlx5_core",
	  .pci = "0000:18:00.0" },
};

static void resolve(const struct spec *spec, struct diags *diags)
{
	const struct inventory inventory = { .list = nics, .n = ARRAY_SIZE(nics) };
	struct desired desired;

	if (spec_resolve(spec, &inventory, "GPU-1.example.org", &desired, diags) == 0)
		desired_done(&desired);
}

static void show(const struct diags *diags, const uint8_t *data, size_t size)
{
	char *text = NULL;
	size_t text_size;
	FILE *stream = open_memstream(&text, &text_size);

	if (!stream)
		return;
	diags_write(diags, stream, "f", (const char *)data, size);
	(void)fclose(stream);
	free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct diags diags = {};
	struct spec *spec;

	if (spec_load((const char *)data, size, &spec, &diags) == 0) {
		if (!*spec_fabric(spec))
			abort();
		resolve(spec, &diags);
		spec_free(spec);
	} else if (!diags_has_errors(&diags)) {
		abort(); /* refused without a reason */
	}
	show(&diags, data, size);
	diags_done(&diags);
	return 0;
}
