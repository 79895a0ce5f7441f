/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the checks share. Each is a function that looks and says what it found; none returns. */
#pragma once

#include "lib/node/doctor.h"
#include "lib/os/link.h"

struct doctor {
	struct os *os;
	const struct doctor_question *question;
	const struct pass *pass; /* NULL: no file, or nothing of it is for this node */
	const struct pass *asked; /* what came of the file; NULL: there is none */
	const struct inventory *inventory;
	struct os_links links;
	size_t gpus; /* NVIDIA's, with their driver */
	const struct check_info *check; /* the one that is carried out */
	struct diagnoses *diagnoses;
	bool oom;
};

/*
 * Something was found on @target ("": the node). With HEALTH_PROBLEM and HEALTH_NOTICE the cure is
 * that of the check.
 */
void doctor_say(struct doctor *doctor, enum health health, const char *target, const char *format,
		...) _printf_(4, 5);

/* The last thing that was said has a cure of its own. */
void doctor_cure(struct doctor *doctor, const char *cure);

/* It could not be read: needs root, or why not. */
void doctor_unknown(struct doctor *doctor, const char *target, const char *what, int r);

/* The next port that RoCE is about: Ethernet; NULL behind the last. @at is 0 first. */
const struct nic *doctor_next(const struct doctor *doctor, size_t *at);

/* The same, each RDMA device and port once. */
const struct nic *doctor_next_rdma(const struct doctor *doctor, size_t *at);

/* A port's name: its network device, else its RDMA device. */
const char *doctor_name(const struct nic *nic);

/* What the file wants of this port or RDMA device, NULL: nothing. */
const struct value *doctor_want(const struct doctor *doctor, enum target_kind kind,
				const char *name, enum knob knob);

/*
 * The cure of what the file wants otherwise of this port: @cure, unless something keeps losslessd
 * from writing @knob there.
 */
void doctor_cure_knob(struct doctor *doctor, const char *name, enum knob knob, const char *cure);

/* doctor-port.c */
void doctor_rdma(struct doctor *doctor);
void doctor_roce(struct doctor *doctor);
void doctor_driver(struct doctor *doctor);
void doctor_link(struct doctor *doctor);
void doctor_bond(struct doctor *doctor);
void doctor_mtu(struct doctor *doctor);
void doctor_gid(struct doctor *doctor);
void doctor_lldp_agent(struct doctor *doctor);
void doctor_dcbx(struct doctor *doctor);
void doctor_pause(struct doctor *doctor);

/* doctor-host.c */
void doctor_lldpad(struct doctor *doctor);
void doctor_scripts(struct doctor *doctor);
void doctor_rdma_cm(struct doctor *doctor);
void doctor_sysfs(struct doctor *doctor);
void doctor_lockdown(struct doctor *doctor);
void doctor_memlock(struct doctor *doctor);
void doctor_file(struct doctor *doctor);

/* doctor-pci.c */
void doctor_pcie(struct doctor *doctor);
void doctor_relaxed_ordering(struct doctor *doctor);
void doctor_iommu(struct doctor *doctor);
void doctor_gpudirect(struct doctor *doctor);
void doctor_acs(struct doctor *doctor);
size_t doctor_gpus(struct os *os);

/* doctor-nccl.c */
void doctor_nccl(struct doctor *doctor);
