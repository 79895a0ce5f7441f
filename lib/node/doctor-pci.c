// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Checks of PCI Express, of NVIDIA's GPUs and of the way between them and the NICs. Sources stand
 * in the table of doctor.c. That dma-buf works is concluded from versions, nothing is registered.
 */
#include <errno.h>
#include <linux/pci_regs.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/macro.h"
#include "lib/nic/map.h"
#include "lib/nic/pci.h"
#include "lib/node/doctor-private.h"
#include "lib/os/file.h"

#define GPU_DRIVER  "/sys/bus/pci/drivers/nvidia"
#define PORT_DRIVER "/sys/bus/pci/drivers/pcieport"

/* ---- the NIC's own link ---- */

static int read_leaf(struct os *os, const struct nic *nic, const char *leaf, char *text,
		     size_t size)
{
	char path[OS_PATH_MAX];

	(void)snprintf(path, sizeof(path), "/sys/class/infiniband/%s/device/%s", nic->rdma, leaf);
	return os_read_text(os, path, text, size);
}

static void pcie_of(struct doctor *doctor, const struct nic *nic)
{
	static const char *const leaves[] = { "current_link_speed", "current_link_width",
					      "max_link_speed", "max_link_width" };
	char text[ARRAY_SIZE(leaves)][OS_NAME_MAX];

	for (size_t i = 0; i < ARRAY_SIZE(leaves); i++) {
		int r = read_leaf(doctor->os, nic, leaves[i], text[i], sizeof(text[i]));

		if (r == -ENOENT)
			return; /* on no PCI Express bus */
		if (r < 0) {
			doctor_unknown(doctor, nic->rdma, leaves[i], r);
			return;
		}
	}
	if (strcmp(text[0], text[2]) == 0 && strcmp(text[1], text[3]) == 0)
		doctor_say(doctor, HEALTH_GOOD, nic->rdma, "%s x%s", text[0], text[1]);
	else
		doctor_say(doctor, HEALTH_NOTICE, nic->rdma, "%s x%s, and the device can do %s x%s",
			   text[0], text[1], text[2], text[3]);
}

void doctor_pcie(struct doctor *doctor)
{
	const struct nic *nic;
	size_t at = 0;

	while ((nic = doctor_next_rdma(doctor, &at)))
		if (*nic->pci && !nic->vf)
			pcie_of(doctor, nic);
}

void doctor_relaxed_ordering(struct doctor *doctor)
{
	const struct nic *nic;
	size_t at = 0;

	while ((nic = doctor_next_rdma(doctor, &at))) {
		struct pci_config config;
		char path[OS_PATH_MAX];
		uint16_t control;
		int r;

		if (!*nic->pci || nic->vf)
			continue;
		(void)snprintf(path, sizeof(path), "/sys/class/infiniband/%s/device/config",
			       nic->rdma);
		r = pci_config_read(doctor->os, path, &config);
		if (r == 0 && !pci_config_is_whole(&config))
			r = doctor->os->privileged ? -ENODATA : -EACCES;
		if (r < 0)
			doctor_unknown(doctor, nic->rdma, "its PCI configuration", r);
		else if (!pci_device_control(&config, &control))
			doctor_say(doctor, HEALTH_NOT_APPLICABLE, nic->rdma,
				   "has no PCI Express capability");
		else if (control & PCI_EXP_DEVCTL_RELAX_EN)
			doctor_say(doctor, HEALTH_GOOD, nic->rdma, "is on");
		else
			doctor_say(doctor, HEALTH_NOTICE, nic->rdma, "is off");
	}
}

/* ---- between NIC and GPU ---- */

static int count_device(const char *name, void *data)
{
	size_t *n = data;

	*n += map_is_pci_address(name);
	return 0;
}

size_t doctor_gpus(struct os *os)
{
	size_t n = 0;

	(void)os->ops->list(os, GPU_DRIVER, count_device, &n);
	return n;
}

/* True if there is no GPU that a NIC could send to; says so. */
static bool no_gpu(struct doctor *doctor)
{
	if (doctor->gpus && doctor->inventory->n)
		return false;
	doctor_say(doctor, HEALTH_NOT_APPLICABLE, "", "no NVIDIA GPU with its driver");
	return true;
}

void doctor_iommu(struct doctor *doctor)
{
	const struct nic *nic;
	size_t at = 0;

	if (no_gpu(doctor))
		return;
	while ((nic = doctor_next_rdma(doctor, &at))) {
		char type[OS_NAME_MAX];
		int r;

		r = read_leaf(doctor->os, nic, "iommu_group/type", type, sizeof(type));
		if (r == -ENOENT)
			doctor_say(doctor, HEALTH_GOOD, nic->rdma, "no IOMMU");
		else if (r < 0)
			doctor_unknown(doctor, nic->rdma, "its IOMMU group", r);
		else if (strcmp(type, "identity") == 0)
			doctor_say(doctor, HEALTH_GOOD, nic->rdma, "passes through");
		else
			doctor_say(doctor, HEALTH_NOTICE, nic->rdma,
				   "an IOMMU translates (%s): GPUDirect wants none, or one that "
				   "passes through",
				   type);
	}
}

static int any_peer(const char *name, void *data)
{
	return strncmp(name, "nv_mem", strlen("nv_mem")) == 0;
}

/* Linux 5.12 brought dma-buf to verbs (include/uapi/rdma/ib_user_ioctl_cmds.h). */
static bool kernel_has_dmabuf(struct os *os)
{
	unsigned int major, minor;
	char release[OS_NAME_MAX];

	if (os_read_text(os, "/proc/sys/kernel/osrelease", release, sizeof(release)) < 0 ||
	    sscanf(release, "%u.%u", &major, &minor) != 2)
		return false;
	return major > 5 || (major == 5 && minor >= 12);
}

void doctor_gpudirect(struct doctor *doctor)
{
	char version[OS_TEXT_MAX];
	int r;

	if (no_gpu(doctor))
		return;
	if (os_exists(doctor->os, "/sys/module/nvidia_peermem") ||
	    doctor->os->ops->list(doctor->os, "/sys/kernel/mm/memory_peers", any_peer, NULL) > 0) {
		doctor_say(doctor, HEALTH_GOOD, "", "a peer memory module is loaded");
		return;
	}
	r = os_read_text(doctor->os, "/proc/driver/nvidia/version", version, sizeof(version));
	if (r < 0)
		doctor_unknown(doctor, "", "the version of NVIDIA's driver", r);
	else if (!strstr(version, "Open Kernel Module"))
		doctor_say(doctor, HEALTH_PROBLEM, "",
			   "nvidia_peermem is not loaded, and NVIDIA's driver is not the open one, "
			   "which has dma-buf");
	else if (!kernel_has_dmabuf(doctor->os))
		doctor_say(doctor, HEALTH_PROBLEM, "",
			   "nvidia_peermem is not loaded, and this kernel has no dma-buf for RDMA");
	else
		doctor_say(doctor, HEALTH_GOOD, "",
			   "dma-buf, by the versions of kernel and driver; not tried");
}

/* ---- bridges ---- */

enum { BRIDGES_MAX = 256, REDIRECTS = PCI_ACS_RR | PCI_ACS_CR | PCI_ACS_EC };

struct bridges {
	char address[BRIDGES_MAX][16];
	size_t n;
	struct doctor *doctor;
};

static void add_bridge(struct bridges *bridges, const char *address)
{
	for (size_t i = 0; i < bridges->n; i++)
		if (strcmp(bridges->address[i], address) == 0)
			return;
	if (bridges->n < BRIDGES_MAX)
		(void)snprintf(bridges->address[bridges->n++], sizeof(bridges->address[0]), "%.15s",
			       address);
}

/* Where a device stands: each PCI address on the way but the last is a bridge. */
static void add_way(struct bridges *bridges, const char *link)
{
	struct os *os = bridges->doctor->os;
	char target[2 * OS_PATH_MAX], before[OS_NAME_MAX] = "", *rest = target, *word;

	if (os->ops->read_link(os, link, target, sizeof(target)) < 0)
		return;
	while ((word = strsep(&rest, "/"))) {
		if (!map_is_pci_address(word))
			continue;
		if (*before)
			add_bridge(bridges, before);
		(void)snprintf(before, sizeof(before), "%s", word);
	}
}

static int add_gpu(const char *name, void *data)
{
	char path[OS_PATH_MAX];

	(void)snprintf(path, sizeof(path), GPU_DRIVER "/%.63s", name);
	if (map_is_pci_address(name))
		add_way(data, path);
	return 0;
}

static void add_nics(struct bridges *bridges)
{
	char path[OS_PATH_MAX];
	const struct nic *nic;
	size_t at = 0;

	while ((nic = doctor_next_rdma(bridges->doctor, &at))) {
		(void)snprintf(path, sizeof(path), "/sys/class/infiniband/%s", nic->rdma);
		add_way(bridges, path);
	}
}

/* Returns false if it could not be looked at. */
static bool look_at_bridge(struct doctor *doctor, const char *address)
{
	struct pci_config config;
	char path[OS_PATH_MAX];
	uint16_t control;
	int r;

	(void)snprintf(path, sizeof(path), PORT_DRIVER "/%s/config", address);
	r = pci_config_read(doctor->os, path, &config);
	if (r == -ENOENT)
		return true; /* a bridge without that driver has no ports of PCI Express */
	if (r == 0 && !pci_config_is_whole(&config))
		r = doctor->os->privileged ? -ENODATA : -EACCES;
	if (r < 0)
		doctor_unknown(doctor, address, "its PCI configuration", r);
	else if (pci_acs_control(&config, &control) && (control & REDIRECTS))
		doctor_say(doctor, HEALTH_PROBLEM, address,
			   "redirects what NIC and GPU send each other (ACSCtl 0x%04x)", control);
	return r == 0;
}

void doctor_acs(struct doctor *doctor)
{
	_cleanup_free_ struct bridges *bridges = NULL;
	size_t before = doctor->diagnoses->n;

	if (no_gpu(doctor))
		return;
	bridges = calloc(1, sizeof(*bridges));
	if (!bridges) {
		doctor->oom = true;
		return;
	}
	bridges->doctor = doctor;
	add_nics(bridges);
	(void)doctor->os->ops->list(doctor->os, GPU_DRIVER, add_gpu, bridges);
	for (size_t i = 0; i < bridges->n; i++)
		if (!look_at_bridge(doctor, bridges->address[i]))
			break; /* the others are not to be had either */
	if (doctor->diagnoses->n == before)
		doctor_say(doctor, HEALTH_GOOD, "", "none of %zu bridges redirects", bridges->n);
}
