/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The ports of this node that have an RDMA device, and what is stacked on them; filled by lib/nic,
 * read by resolve, plan and report.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* names of netdevs, RDMA devices, drivers, PCI addresses, with the terminator */
enum { NAME_MAX_BYTES = 64 };

enum link_layer { LINK_LAYER_ETHERNET, LINK_LAYER_INFINIBAND };

enum nic_kind {
	NIC_PORT,
	NIC_BOND,		/* its slaves are ports; what it is given, it gives to them */
	NIC_VLAN,		/* VLAN or macvlan: never more MTU than the device below */
};

/*
 * One port of one RDMA device with its network device, or a device that is stacked on one. Identity
 * is the ifindex; all names may change.
 */
struct nic {
	enum nic_kind kind;
	int ifindex;			/* 0: no network device */
	unsigned int rdma_port;		/* from 1 */
	enum link_layer link_layer;
	bool vf;
	bool up;
	bool carrier;
	int master_ifindex;		/* bond that the port is enslaved to, 0: none */
	int lower_ifindex;		/* NIC_VLAN: the device below */
	uint32_t mtu;
	uint32_t mtu_max;		/* 0: the driver gives none */
	uint8_t mac[6];
	char name[NAME_MAX_BYTES];	/* network device, "" if there is none */
	char rdma[NAME_MAX_BYTES];
	/* of the device below the port: mlx5_core; "" for rxe on a virtual netdev */
	char driver[NAME_MAX_BYTES];
	char pci[NAME_MAX_BYTES];	/* address, "" if the port is not on a PCI device */
	char pf[NAME_MAX_BYTES];	/* a VF's PF: its network device, else its PCI address */
	char master[NAME_MAX_BYTES];
	char lower[NAME_MAX_BYTES];
};

struct nics {
	struct nic *list;
	size_t n;
	size_t room;
};

/*
 * The ports, a row for each port of each RDMA device. Where one RDMA device serves all slaves of a
 * bond (RoCE LAG, soft-RoCE on a bond), each slave has a row with its name, and the bond has it
 * too.
 */
struct inventory {
	struct nic *list;
	size_t n;
	size_t room;
	struct nics stacked;	/* NIC_BOND, NIC_VLAN */
};

void inventory_done(struct inventory *inventory);

/* The stacked device with this index, or of this name; NULL if there is none. */
const struct nic *inventory_stacked(const struct inventory *inventory, int ifindex);
const struct nic *inventory_stacked_name(const struct inventory *inventory, const char *name);

/* What the RDMA device of a port is known by: the bond where it serves the bond, else @nic. */
const struct nic *inventory_rdma(const struct inventory *inventory, const struct nic *nic);

/*
 * True if @upper stands on @lower with nothing between: what it is given is bounded by what @lower
 * has.
 */
bool nic_stands_on(const struct nic *upper, const struct nic *lower);

/* True if @bond gives to @port what it is given itself. */
bool nic_gives_to(const struct nic *bond, const struct nic *port);

/*
 * Number of the bond that a port belongs to or is, 0 if neither: one of these may be down at a
 * time.
 */
int nic_bond(const struct nic *nic);
