// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * What doctor and nccl-env read, with any text in it: the first byte says how much of the input is
 * a configuration space, the rest is records of a path, a size and so many bytes. What is stripped
 * of a configuration space for a bundle reads the same, and comes back from its lines.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/macro.h"
#include "lib/nic/nic.h"
#include "lib/nic/pci.h"
#include "lib/node/doctor.h"
#include "lib/node/nccl.h"
#include "lib/os/bundle-bytes.h"
#include "lib/os/fake.h"
#include "tests/fuzz/fuzz.h"

#define IB "/sys/class/infiniband/mlx5_0/"

static const char *const paths[] = {
	"/etc/nccl.conf",
	"/etc/rc.local",
	"/etc/systemd/system/a.service",
	"/proc/self/limits",
	"/proc/driver/nvidia/version",
	"/proc/sys/kernel/osrelease",
	"/sys/kernel/security/lockdown",
	"/sys/bus/pci/drivers/nvidia/0000:18:00.0/vendor",
	"/sys/bus/pci/drivers/pcieport/0000:16:01.0/config",
	IB "node_type",
	IB "device/config",
	IB "device/current_link_speed",
	IB "device/current_link_width",
	IB "device/max_link_speed",
	IB "device/max_link_width",
	IB "device/iommu_group/type",
	IB "ports/1/gids/1",
	IB "ports/1/gids/3",
	IB "ports/1/gid_attrs/types/3",
	IB "ports/1/gid_attrs/ndevs/3",
};

static const char fabric[] = "version: 1\n"
			     "fabric: fuzz\n"
			     "roce: {traffic_class: 106}\n"
			     "qos: {dscp_to_priority: {26: 3}, pfc: [3]}\n"
			     "mtu: 4200\n"
			     "nodes: {\"*\": {}}\n";

static const struct fake_port ports[] = {
	{ .name = "ens1f0np0", .rdma = "mlx5_0", .pci = "0000:17:00.0", .driver = "mlx5_core" },
};

enum { UNIT = 16, NONE = -1 };

static int control(const struct pci_config *config)
{
	uint16_t value;

	return pci_device_control(config, &value) ? value : NONE;
}

static int redirects(const struct pci_config *config)
{
	uint16_t value;

	return pci_acs_control(config, &value) ? value : NONE;
}

static void look_at_config(struct input *input)
{
	static struct pci_config config, back;
	int device, acs;
	char text[OS_TEXT_MAX + 1];
	size_t n;
	const uint8_t *bytes = input_bytes(input, (size_t)input_byte(input) * UNIT, &n);

	config = (struct pci_config){ .size = n };
	memcpy(config.data, bytes, n);
	device = control(&config);
	acs = redirects(&config);
	pci_config_strip(&config);
	if (control(&config) != device || redirects(&config) != acs)
		abort();
	if (!n)
		return;
	back = (struct pci_config){};
	if (bundle_bytes_format(config.data, n, text, sizeof(text)) < 0 ||
	    bundle_bytes_parse(text, back.data, sizeof(back.data)) != (int)n ||
	    memcmp(config.data, back.data, n) != 0)
		abort();
}

static void ask(struct os *os, const struct inventory *inventory)
{
	static const char *const environment[] = { "NCCL_IB_HCA==mlx5_0", NULL };
	const struct doctor_question question = {
		.os = os,
		.inventory = inventory,
		.text = fabric,
		.size = sizeof(fabric) - 1,
		.node = "node",
		.environment = environment,
	};
	struct diagnoses diagnoses = {};
	struct pass pass = {};

	if (doctor_examine(&question, &pass, &diagnoses) == 0)
		(void)diagnoses_exit(&diagnoses);
	diagnoses_done(&diagnoses);
	pass_done(&pass);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input input = { data, size };
	static unsigned char lines[PCI_CONFIG_MAX];
	struct inventory inventory = {};
	struct os *os;
	char text[256];
	size_t n;

	look_at_config(&input);
	if (os_fake_new(ports, ARRAY_SIZE(ports), &os) < 0)
		return 0;
	while (input.size > 0) {
		const char *path = paths[input_byte(&input) % ARRAY_SIZE(paths)];
		const uint8_t *bytes = input_bytes(&input, input_byte(&input), &n);

		memcpy(text, bytes, n);
		text[n] = '\0';
		(void)os_fake_poke_file(os, path, text);
		(void)bundle_bytes_parse(text, lines, sizeof(lines));
	}
	if (nic_inventory(os, &inventory) == 0) {
		ask(os, &inventory);
		inventory_done(&inventory);
	}
	os_free(os);
	return 0;
}
