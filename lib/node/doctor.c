// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The table of checks. Each row says what it looks at, where that is read and from what it follows,
 * and the cure; the hooks stand in doctor-*.c. Files of Linux are those of 6.12.
 */
#include "lib/node/doctor.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/macro.h"
#include "lib/node/doctor-private.h"

static const struct {
	struct check_info info;
	void (*examine)(struct doctor *doctor);
} checks[] = {
	{
		.info.name = "rdma",
		.info.what = "the RDMA device of each RoCE capable network device",
		.info.how = "/sys/class/infiniband; the driver behind /sys/class/net/PORT/device",
		.info.cure = "load the RDMA module of the driver: modprobe mlx5_ib (mlx5_core), "
			"bnxt_re (bnxt_en) or irdma (ice)",
		.examine = doctor_rdma,
	},
	{
		.info.name = "roce",
		.info.what = "that an RDMA device speaks RoCE and not iWARP",
		.info.how = "/sys/class/infiniband/DEVICE/node_type, 4 is iWARP (Linux "
			"drivers/infiniband/core/sysfs.c, "
			"Documentation/networking/devlink/ice.rst)",
		.info.cure = "devlink dev param set pci/ADDRESS name enable_roce value true cmode "
			"runtime",
		.examine = doctor_roce,
	},
	{
		.info.name = "driver",
		.info.what = "whether losslessd knows how the driver takes DCB settings",
		.info.how = "/sys/class/net/PORT/device/driver",
		.info.cure = "losslessd compares DCB of this driver and does not write it: set "
			"it as the vendor says, losslessctl status tells when it is right",
		.examine = doctor_driver,
	},
	{
		.info.name = "link",
		.info.what = "the link of each port",
		.info.how = "RTNETLINK: IFF_UP and IFF_LOWER_UP",
		.info.cure = "ip link set PORT up; without carrier look at the cable and the "
			"switch port",
		.examine = doctor_link,
	},
	{
		.info.name = "bond",
		.info.what = "the mode of bonds that carry RoCE",
		.info.how = "/sys/class/net/BOND/bonding/mode; RoCE LAG is active-backup or a hash "
			"(Linux drivers/net/ethernet/mellanox/mlx5/core/lag/lag.c)",
		.info.cure = "use 802.3ad (with the switch), balance-xor or active-backup",
		.examine = doctor_bond,
	},
	{
		.info.name = "mtu",
		.info.what = "the MTU of each port",
		.info.how = "RTNETLINK; 4096 bytes of RoCE need 4192 (Linux "
			"include/rdma/ib_addr.h)",
		.info.cure = "mtu: 4200 in the fabric file; switches have to carry it too",
		.examine = doctor_mtu,
	},
	{
		.info.name = "gid",
		.info.what = "a routed RoCE v2 GID on each RDMA device",
		.info.how = "/sys/class/infiniband/DEVICE/ports/N/gids and gid_attrs; NCCL skips "
			"link-local ones",
		.info.cure = "give the port, its bond or its VLAN an IP address: a GID is made of "
			"each",
		.examine = doctor_gid,
	},
	{
		.info.name = "lldp-agent",
		.info.what = "the LLDP agent in the NIC's firmware",
		.info.how = "ethtool --show-priv-flags PORT (Linux "
			"drivers/net/ethernet/intel/ice/ice_ethtool.c)",
		.info.cure = "losslessctl apply turns it off where the file has qos; by hand: "
			"ethtool --set-priv-flags PORT fw-lldp-agent off",
		.examine = doctor_lldp_agent,
	},
	{
		.info.name = "dcbx",
		.info.what = "who owns DCB, the host or firmware",
		.info.how = "DCB netlink, DCB_ATTR_DCBX: HOST 0x01, LLD_MANAGED 0x02 (Linux "
			"include/uapi/linux/dcbnl.h)",
		.info.cure = "losslessctl apply takes it for the host",
		.examine = doctor_dcbx,
	},
	{
		.info.name = "pause",
		.info.what = "global pause beside PFC",
		.info.how = "ethtool netlink and DCB netlink: it stops all priorities, and no "
			"counter of drops tells",
		.info.cure = "losslessctl apply where the file has qos.pfc; by hand: ethtool -A "
			"PORT rx off tx off autoneg off",
		.examine = doctor_pause,
	},
	{
		.info.name = "lldpad",
		.info.what = "another daemon that writes DCB",
		.info.how = "/proc/PID/comm; lldpad writes its own on each link event (openlldp "
			"lldp_8021qaz.c)",
		.info.cure = "systemctl disable --now lldpad.socket lldpad.service, or set up its "
			"TLVs for these ports",
		.examine = doctor_lldpad,
	},
	{
		.info.name = "scripts",
		.info.what = "scripts and units that set DCB or ToS at boot",
		.info.how = "/etc/systemd/system/*.service, /etc/rc.local, "
			"/etc/infiniband/post-start-hook.sh",
		.info.cure = "take these lines out: what they set, the fabric file declares",
		.examine = doctor_scripts,
	},
	{
		.info.name = "rdma-cm",
		.info.what = "RDMA-CM's settings in configfs",
		.info.how = "/sys/module/rdma_cm, /sys/kernel/config/rdma_cm (Linux "
			"drivers/infiniband/core/cma_configfs.c)",
		.info.cure = "modprobe rdma_cm; mount -t configfs none /sys/kernel/config",
		.examine = doctor_rdma_cm,
	},
	{
		.info.name = "sysfs",
		.info.what = "whether attributes can be written at all",
		.info.how = "an open for writing of attributes of each port, which changes nothing",
		.info.cure = "run in the host's mount namespace: not in a container with a "
			"read-only /sys, nor under ProtectKernelTunables=",
		.examine = doctor_sysfs,
	},
	{
		.info.name = "lockdown",
		.info.what = "kernel lockdown (Secure Boot)",
		.info.how = "/sys/kernel/security/lockdown; debugfs of mlx5 and writes to PCI "
			"registers are refused (Linux fs/debugfs/file.c, Linux "
			"drivers/pci/pci-sysfs.c)",
		.info.cure = "leave roce.cnp and ecn of ConnectX without MLNX_OFED to the "
			"firmware's settings (mlxconfig), or boot without lockdown",
		.examine = doctor_lockdown,
	},
	{
		.info.name = "memlock",
		.info.what = "how much memory a program may pin",
		.info.how = "/proc/self/limits, of this process (Linux "
			"drivers/infiniband/core/umem.c)",
		.info.cure = "'* - memlock unlimited' in /etc/security/limits.d, "
			"LimitMEMLOCK=infinity in the units that start jobs, --ulimit "
			"memlock=-1 for containers",
		.examine = doctor_memlock,
	},
	{
		.info.name = "pcie",
		.info.what = "whether a NIC's PCIe link is as fast and wide as the NIC",
		.info.how = "current_link_* and max_link_* of the device (Linux "
			"drivers/pci/pci-sysfs.c)",
		.info.cure = "another slot, a firm seat, or the slot's speed and bifurcation in "
			"the BIOS: a NIC that waits for PCIe pauses its peers",
		.examine = doctor_pcie,
	},
	{
		.info.name = "relaxed-ordering",
		.info.what = "PCIe relaxed ordering of each NIC",
		.info.how = "Device Control in the PCI Express capability, config of the device "
			"(root); Linux drivers/pci/probe.c",
		.info.cure = "relaxed ordering on in the BIOS; the kernel turns it off below some "
			"root ports and says so in dmesg",
		.examine = doctor_relaxed_ordering,
	},
	{
		.info.name = "iommu",
		.info.what = "whether an IOMMU translates what NICs and GPUs send each other",
		.info.how = "iommu_group/type of the device (Linux "
			"Documentation/ABI/testing/sysfs-kernel-iommu_groups; NVIDIA GPUDirect "
			"RDMA, 2.4 Supported Systems)",
		.info.cure = "iommu=pt on the kernel's command line",
		.examine = doctor_iommu,
	},
	{
		.info.name = "gpudirect",
		.info.what = "a way from NIC to GPU memory: peer memory module or dma-buf",
		.info.how = "/sys/module/nvidia_peermem, /sys/kernel/mm/memory_peers, "
			"/proc/driver/nvidia/version",
		.info.cure = "modprobe nvidia_peermem, or NVIDIA's open kernel modules on Linux "
			"5.12 or later (dma-buf)",
		.examine = doctor_gpudirect,
	},
	{
		.info.name = "acs",
		.info.what = "PCIe bridges that redirect peer-to-peer traffic",
		.info.how = "Access Control Services in config of the bridges above NICs and GPUs "
			"(root); as pci_bridge_has_acs_redir() of Linux drivers/pci/p2pdma.c",
		.info.cure = "ACS off in the BIOS, or at each boot setpci -s ADDRESS "
			"ECAP_ACS+0x6.w=0000; not where devices are passed to virtual machines",
		.examine = doctor_acs,
	},
	{
		.info.name = "nccl",
		.info.what = "what NCCL is told",
		.info.how = "NCCL_IB_* of this environment, else of /etc/nccl.conf (NCCL "
			"src/misc/param.cc)",
		.info.cure = "losslessctl nccl-env --format nccl.conf prints the right lines for "
			"/etc/nccl.conf",
		.examine = doctor_nccl,
	},
	{
		.info.name = "file",
		.info.what = "whether the node is as the fabric file declares",
		.info.how = "all knobs, as status does",
		.info.cure = "losslessctl status says what, losslessctl apply brings it there",
		.examine = doctor_file,
	},
};

/* ---- what the hooks use ---- */

static struct diagnosis *last_said(struct doctor *doctor)
{
	return &doctor->diagnoses->list[doctor->diagnoses->n - 1];
}

void doctor_say(struct doctor *doctor, enum health health, const char *target, const char *format,
		...)
{
	struct diagnoses *all = doctor->diagnoses;
	struct diagnosis *new;
	va_list arguments;

	if (doctor->oom || array_grow(&all->list, all->n, &all->room, sizeof(*all->list)) < 0) {
		doctor->oom = true;
		return;
	}
	new = &all->list[all->n++];
	*new = (struct diagnosis){ .check = doctor->check, .health = health };
	if (health == HEALTH_PROBLEM || health == HEALTH_NOTICE)
		new->cure = doctor->check->cure;
	(void)snprintf(new->target, sizeof(new->target), "%s", target);
	va_start(arguments, format);
	(void)vsnprintf(new->found, sizeof(new->found), format, arguments);
	va_end(arguments);
}

void doctor_cure(struct doctor *doctor, const char *cure)
{
	if (!doctor->oom)
		last_said(doctor)->cure = cure;
}

void doctor_unknown(struct doctor *doctor, const char *target, const char *what, int r)
{
	bool needs_root = (r == -EACCES || r == -EPERM) && !doctor->os->privileged;

	if (needs_root)
		doctor_say(doctor, HEALTH_UNKNOWN, target, "%s can be read by root alone", what);
	else
		doctor_say(doctor, HEALTH_UNKNOWN, target, "%s cannot be read: %s", what,
			   strerror(-r));
	if (doctor->oom)
		return;
	last_said(doctor)->needs_root = needs_root;
	if (needs_root)
		last_said(doctor)->cure = "sudo losslessctl doctor";
}

const struct nic *doctor_next(const struct doctor *doctor, size_t *at)
{
	while (*at < doctor->inventory->n) {
		const struct nic *nic = &doctor->inventory->list[(*at)++];

		if (nic->link_layer == LINK_LAYER_ETHERNET)
			return nic;
	}
	return NULL;
}

const struct nic *doctor_next_rdma(const struct doctor *doctor, size_t *at)
{
	const struct nic *list = doctor->inventory->list, *nic;
	bool seen;

	do {
		nic = doctor_next(doctor, at);
		seen = false;
		for (const struct nic *before = list; nic && before < nic; before++)
			seen |= strcmp(before->rdma, nic->rdma) == 0 &&
				before->rdma_port == nic->rdma_port;
	} while (seen);
	return nic;
}

const char *doctor_name(const struct nic *nic)
{
	return *nic->name ? nic->name : nic->rdma;
}

const struct value *doctor_want(const struct doctor *doctor, enum target_kind kind,
				const char *name, enum knob knob)
{
	const struct state *state =
		doctor->pass ? states_find(&doctor->pass->desired.states, kind, name) : NULL;

	return state && state->value[knob].status == VALUE_KNOWN ? &state->value[knob] : NULL;
}

static bool is_held(const struct plan *plan, const char *name, enum knob knob)
{
	for (size_t i = 0; i < plan->n_findings; i++) {
		const struct finding *finding = &plan->findings[i];
		const struct target *target = &plan->want->list[finding->target].target;

		if (finding->not_ours && finding->knob == knob && target->kind == TARGET_PORT &&
		    strcmp(target->name, name) == 0)
			return true;
	}
	return false;
}

void doctor_cure_knob(struct doctor *doctor, const char *name, enum knob knob, const char *cure)
{
	if (doctor->pass && is_held(&doctor->pass->plan, name, knob))
		cure = "cure first what keeps losslessd from this port: losslessctl status says "
		       "what";
	doctor_cure(doctor, cure);
}

/* ---- the whole ---- */

static void examine_all(struct doctor *doctor)
{
	for (size_t i = 0; i < ARRAY_SIZE(checks); i++) {
		size_t before = doctor->diagnoses->n;

		doctor->check = &checks[i].info;
		checks[i].examine(doctor);
		if (doctor->diagnoses->n == before)
			doctor_say(doctor, HEALTH_NOT_APPLICABLE, "",
				   "there is nothing here that it is about");
	}
}

int doctor_examine(const struct doctor_question *question, struct pass *pass, struct diagnoses *ret)
{
	struct doctor doctor = { .os = question->os, .question = question, .diagnoses = ret };
	int r;

	doctor.inventory = question->inventory;
	r = os_link_dump(question->os, &doctor.links);
	if (r == 0 && question->text) {
		doctor.asked = pass;
		if (pass_plan(pass, question->os, question->text, question->size, question->node) ==
		    0)
			doctor.pass = pass;
	}
	if (r == 0) {
		doctor.gpus = doctor_gpus(question->os);
		examine_all(&doctor);
	}
	os_links_done(&doctor.links);
	return doctor.oom ? -ENOMEM : r;
}
