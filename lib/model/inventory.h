/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The ports of this node that have an RDMA device; filled by lib/nic, read by resolve and report.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* names of netdevs, RDMA devices, drivers, PCI addresses, with the terminator */
enum { NAME_MAX_BYTES = 64 };

enum link_layer { LINK_LAYER_ETHERNET, LINK_LAYER_INFINIBAND };

/*
 * One port of one RDMA device with its network device. Identity is the ifindex; all names may
 * change.
 */
struct nic {
	int ifindex;			/* 0: no network device */
	unsigned int rdma_port;		/* from 1 */
	enum link_layer link_layer;
	bool vf;
	bool up;
	bool carrier;
	int master_ifindex;		/* bond that the port is enslaved to, 0: none */
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
};

struct inventory {
	struct nic *list;
	size_t n;
	size_t room;
};

void inventory_done(struct inventory *inventory);
