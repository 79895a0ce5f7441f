// SPDX-License-Identifier: LGPL-2.1-or-later
/* Checks of ports and their RDMA devices. Sources stand in the table of doctor.c. */
#include <errno.h>
#include <linux/dcbnl.h>
#include <string.h>

#include "lib/base/macro.h"
#include "lib/model/driver.h"
#include "lib/node/doctor-private.h"
#include "lib/node/nccl.h"
#include "lib/os/dcb.h"
#include "lib/os/ethtool.h"
#include "lib/os/file.h"

enum { MTU_FOR_4096 = 4192 };

/* ---- rdma ---- */

/* Representors share the PCI function of a port, and are none themselves. */
static bool has_rdma(const struct doctor *doctor, const char *name, const char *pci)
{
	for (size_t i = 0; i < doctor->inventory->n; i++) {
		const struct nic *nic = &doctor->inventory->list[i];

		if (strcmp(nic->name, name) == 0 || (*pci && strcmp(nic->pci, pci) == 0))
			return true;
	}
	return false;
}

static void read_device(struct os *os, const char *name, const char *leaf, char *ret, size_t size)
{
	char path[OS_PATH_MAX];

	(void)snprintf(path, sizeof(path), "/sys/class/net/%s/%s", name, leaf);
	if (os_read_link_name(os, path, ret, size) < 0)
		*ret = '\0';
}

static bool module_is_loaded(struct os *os, const char *module)
{
	char path[OS_PATH_MAX];

	(void)snprintf(path, sizeof(path), "/sys/module/%s", module);
	return os_exists(os, path);
}

static void rdma_of_link(struct doctor *doctor, const char *name)
{
	char driver[NAME_MAX_BYTES], pci[NAME_MAX_BYTES];
	const struct driver_info *info;

	read_device(doctor->os, name, "device/driver", driver, sizeof(driver));
	read_device(doctor->os, name, "device", pci, sizeof(pci));
	info = driver_find(driver);
	if (!info->rdma_module || has_rdma(doctor, name, pci))
		return;
	if (!module_is_loaded(doctor->os, info->rdma_module)) {
		doctor_say(doctor, HEALTH_PROBLEM, name,
			   "%s without an RDMA device: %s is not loaded", info->name,
			   info->rdma_module);
		return;
	}
	doctor_say(doctor, HEALTH_PROBLEM, name,
		   "%s without an RDMA device, though %s is loaded: RoCE may be off", info->name,
		   info->rdma_module);
	doctor_cure(doctor, "devlink dev param show pci/ADDRESS name enable_roce has to say true; "
			    "devlink dev param set changes it");
}

void doctor_rdma(struct doctor *doctor)
{
	size_t before = doctor->diagnoses->n;

	for (size_t i = 0; i < doctor->links.n; i++)
		rdma_of_link(doctor, doctor->links.list[i].name);
	if (doctor->inventory->n) {
		doctor_say(doctor, HEALTH_GOOD, "", "%zu port%s with an RDMA device",
			   doctor->inventory->n, doctor->inventory->n == 1 ? "" : "s");
		return;
	}
	if (doctor->diagnoses->n > before)
		return;
	doctor_say(doctor, HEALTH_PROBLEM, "",
		   "no RDMA device, and no network device whose driver has one");
	doctor_cure(doctor, "lspci -d ::0200 shows the NICs: is it there, is its driver loaded? To "
			    "try RoCE without one: rdma link add rxe0 type rxe netdev PORT");
}

/* ---- roce, driver, link ---- */

static void roce_of(struct doctor *doctor, const struct nic *nic)
{
	char path[OS_PATH_MAX], type[OS_NAME_MAX];
	int r;

	if (nic->link_layer == LINK_LAYER_INFINIBAND) {
		doctor_say(doctor, HEALTH_NOT_APPLICABLE, nic->rdma,
			   "is InfiniBand: RoCE is not about it");
		return;
	}
	(void)snprintf(path, sizeof(path), "/sys/class/infiniband/%s/node_type", nic->rdma);
	r = os_read_text(doctor->os, path, type, sizeof(type));
	if (r < 0)
		doctor_unknown(doctor, nic->rdma, "its node_type", r);
	else if (strncmp(type, "4:", 2) == 0)
		doctor_say(doctor, HEALTH_PROBLEM, nic->rdma, "speaks iWARP, not RoCE");
	else
		doctor_say(doctor, HEALTH_GOOD, nic->rdma, "speaks RoCE");
}

void doctor_roce(struct doctor *doctor)
{
	for (size_t i = 0; i < doctor->inventory->n; i++) {
		const struct nic *nic = &doctor->inventory->list[i];
		bool again = i > 0 && strcmp(nic->rdma, nic[-1].rdma) == 0;

		if (!again)
			roce_of(doctor, nic);
	}
}

void doctor_driver(struct doctor *doctor)
{
	const struct nic *nic;
	size_t at = 0;

	while ((nic = doctor_next(doctor, &at))) {
		const struct driver_info *info = driver_find(nic->driver);

		if (nic->vf) {
			doctor_say(doctor, HEALTH_NOT_APPLICABLE, doctor_name(nic),
				   "is a VF: DCB is that of its PF %s", nic->pf);
		} else if (info->writes_dcb) {
			doctor_say(doctor, HEALTH_GOOD, doctor_name(nic), "%s", nic->driver);
		} else {
			doctor_say(doctor, HEALTH_NOTICE, doctor_name(nic),
				   "%s takes no DCB settings of losslessd",
				   *nic->driver ? nic->driver : "a virtual device");
			if (info->dcb_instead)
				doctor_cure(doctor, info->dcb_instead);
		}
	}
}

void doctor_link(struct doctor *doctor)
{
	const struct nic *nic;
	size_t at = 0;

	while ((nic = doctor_next(doctor, &at))) {
		if (!nic->ifindex)
			doctor_say(doctor, HEALTH_PROBLEM, nic->rdma,
				   "has no network device in this network namespace");
		else if (!nic->up)
			doctor_say(doctor, HEALTH_PROBLEM, nic->name, "is down");
		else if (!nic->carrier)
			doctor_say(doctor, HEALTH_PROBLEM, nic->name, "has no carrier");
		else
			doctor_say(doctor, HEALTH_GOOD, nic->name, "is up");
	}
}

/* ---- bond ---- */

static void slaves_of(struct doctor *doctor, const struct nic *bond)
{
	const struct nic *nic;
	size_t at = 0;

	while ((nic = doctor_next(doctor, &at)))
		if (nic_gives_to(bond, nic) && driver_find(nic->driver)->no_dcb_in_bond) {
			doctor_say(doctor, HEALTH_PROBLEM, nic->name,
				   "%s takes no DCB settings while it is enslaved", nic->driver);
			doctor_cure(doctor, "take the port out of the bond: RoCE over two ports "
					    "without a bond is what NCCL does by itself");
		}
}

void doctor_bond(struct doctor *doctor)
{
	static const char *const good[] = { "active-backup", "balance-xor", "802.3ad" };
	char path[OS_PATH_MAX], mode[OS_NAME_MAX];

	for (size_t i = 0; i < doctor->inventory->stacked.n; i++) {
		const struct nic *bond = &doctor->inventory->stacked.list[i];
		bool fits = false;
		int r;

		if (bond->kind != NIC_BOND)
			continue;
		(void)snprintf(path, sizeof(path), "/sys/class/net/%s/bonding/mode", bond->name);
		r = os_read_text(doctor->os, path, mode, sizeof(mode));
		if (r < 0) {
			doctor_unknown(doctor, bond->name, "its mode", r);
			continue;
		}
		mode[strcspn(mode, " ")] = '\0';
		for (size_t k = 0; k < ARRAY_SIZE(good); k++)
			fits = fits || strcmp(mode, good[k]) == 0;
		doctor_say(doctor, fits ? HEALTH_GOOD : HEALTH_PROBLEM, bond->name, "%s%s", mode,
			   fits ? "" : ": RoCE is not done for such a bond");
		slaves_of(doctor, bond);
	}
}

/* ---- mtu, gid ---- */

static void mtu_of(struct doctor *doctor, const struct nic *nic)
{
	const struct value *want = doctor_want(doctor, TARGET_PORT, nic->name, KNOB_MTU);
	const char *name = want || !*nic->master ? nic->name : nic->master;

	if (!want)
		want = doctor_want(doctor, TARGET_PORT, name, KNOB_MTU);
	if (want && nic->mtu_max && want->data.number > nic->mtu_max) {
		doctor_say(doctor, HEALTH_PROBLEM, nic->name,
			   "the file wants %u, and the driver takes %u at most", want->data.number,
			   nic->mtu_max);
		doctor_cure(doctor, "a smaller mtu in the fabric file");
	} else if (want && want->data.number != nic->mtu) {
		doctor_say(doctor, HEALTH_PROBLEM, nic->name, "is %u, and the file wants %u",
			   nic->mtu, want->data.number);
		doctor_cure_knob(doctor, name, KNOB_MTU, "losslessctl apply");
	} else if (nic->mtu < MTU_FOR_4096) {
		doctor_say(doctor, HEALTH_NOTICE, nic->name,
			   "is %u, below the %d that RoCE packets of 4096 bytes need", nic->mtu,
			   MTU_FOR_4096);
	} else {
		doctor_say(doctor, HEALTH_GOOD, nic->name, "is %u", nic->mtu);
	}
}

void doctor_mtu(struct doctor *doctor)
{
	const struct nic *nic;
	size_t at = 0;

	while ((nic = doctor_next(doctor, &at)))
		if (nic->ifindex)
			mtu_of(doctor, nic);
}

void doctor_gid(struct doctor *doctor)
{
	const struct nic *nic;
	size_t at = 0;

	while ((nic = doctor_next_rdma(doctor, &at))) {
		const struct nic *vlan;
		struct gid_choice best;
		int r;

		r = nccl_gid_find(doctor->os, doctor->inventory,
				  doctor->pass ? &doctor->pass->desired.states : NULL, nic, &best,
				  &vlan);
		if (r < 0) {
			doctor_unknown(doctor, nic->rdma, "its GID table", r);
			continue;
		}
		if (best.rank >= GID_RANK_GLOBAL)
			doctor_say(doctor, HEALTH_GOOD, nic->rdma, "index %u, %s%s%s", best.index,
				   best.address, vlan ? " on " : "", vlan ? vlan->name : "");
		else if (best.rank == GID_RANK_LINK_LOCAL)
			doctor_say(doctor, HEALTH_PROBLEM, nic->rdma,
				   "has a link-local RoCE v2 GID only");
		else
			doctor_say(doctor, HEALTH_PROBLEM, nic->rdma, "has no RoCE v2 GID%s%s",
				   *best.v1 ? ", RoCE v1 at index " : "", best.v1);
	}
}

/* ---- who owns DCB ---- */

static bool agent_is_on(struct doctor *doctor, const struct nic *nic)
{
	const char *flag = driver_find(nic->driver)->agent_flag;
	bool on;

	return flag && os_private_flag_get(doctor->os, nic->name, flag, &on) == 0 && on;
}

void doctor_lldp_agent(struct doctor *doctor)
{
	const struct nic *nic;
	size_t at = 0;

	while ((nic = doctor_next(doctor, &at))) {
		const char *flag = driver_find(nic->driver)->agent_flag;
		bool on;
		int r;

		if (!flag || nic->vf || !nic->ifindex)
			continue;
		r = os_private_flag_get(doctor->os, nic->name, flag, &on);
		if (r < 0)
			doctor_unknown(doctor, nic->name, flag, r);
		else
			doctor_say(doctor, on ? HEALTH_PROBLEM : HEALTH_GOOD, nic->name, "%s is %s",
				   flag, on ? "on: firmware owns DCB" : "off");
	}
}

static void dcbx_mode(struct doctor *doctor, const struct nic *nic, uint8_t mode)
{
	const struct driver_info *info = driver_find(nic->driver);
	uint8_t host = info->dcbx_host ?: DCB_CAP_DCBX_HOST;
	bool managed = doctor_want(doctor, TARGET_PORT, nic->name, KNOB_DCBX);

	if (mode & DCB_CAP_DCBX_LLD_MANAGED) {
		doctor_say(doctor, HEALTH_PROBLEM, nic->name,
			   "DCB is owned by an agent in firmware (mode 0x%02x)", mode);
		if (info->lld_stays)
			doctor_cure(doctor, driver_instead(info, KNOB_DCBX) ?: info->lld_stays);
	} else if ((mode & host) == host) {
		doctor_say(doctor, HEALTH_GOOD, nic->name, "the host owns DCB");
	} else {
		doctor_say(doctor, managed ? HEALTH_PROBLEM : HEALTH_NOTICE, nic->name,
			   "DCB is owned by firmware (mode 0x%02x)%s", mode,
			   managed ? ", and the file has qos" : "");
		doctor_cure_knob(doctor, nic->name, KNOB_DCBX, doctor->check->cure);
	}
}

void doctor_dcbx(struct doctor *doctor)
{
	const struct nic *nic;
	size_t at = 0;

	while ((nic = doctor_next(doctor, &at))) {
		struct os_dcb dcb;
		int r;

		/* While the agent is on it says so itself */
		if (nic->vf || !nic->ifindex || agent_is_on(doctor, nic))
			continue;
		r = os_dcb_get(doctor->os, nic->name, &dcb);
		if (r == -EOPNOTSUPP || (r == 0 && !dcb.has_dcbx))
			doctor_say(doctor, HEALTH_NOT_APPLICABLE, nic->name,
				   "the driver has no DCBX");
		else if (r < 0)
			doctor_unknown(doctor, nic->name, "its DCB", r);
		else
			dcbx_mode(doctor, nic, dcb.dcbx);
	}
}

/* ---- pause ---- */

static void pause_of(struct doctor *doctor, const struct nic *nic)
{
	struct os_pause pause;
	struct os_dcb dcb;
	int r;

	/* Who has no DCB has no PFC either */
	if (os_dcb_get(doctor->os, nic->name, &dcb) < 0 || !dcb.has_pfc || !dcb.pfc.pfc_en)
		return;
	r = os_pause_get(doctor->os, nic->ifindex, &pause);
	if (r == -EOPNOTSUPP)
		return;
	if (r < 0)
		doctor_unknown(doctor, nic->name, "global pause", r);
	else if (pause.rx || pause.tx)
		doctor_say(doctor, HEALTH_PROBLEM, nic->name,
			   "global pause is on (%s%s%s) beside PFC", pause.rx ? "rx" : "",
			   pause.rx && pause.tx ? " " : "", pause.tx ? "tx" : "");
	else
		doctor_say(doctor, HEALTH_GOOD, nic->name, "is off, and PFC is on");
}

void doctor_pause(struct doctor *doctor)
{
	const struct nic *nic;
	size_t at = 0;

	while ((nic = doctor_next(doctor, &at)))
		if (nic->ifindex && !nic->vf)
			pause_of(doctor, nic);
}
