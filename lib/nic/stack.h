/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What is stacked on the ports: bonds with their slaves, VLANs. */
#pragma once

#include "lib/model/inventory.h"
#include "lib/os/link.h"
#include "lib/os/os.h"

/*
 * Add to @inventory, which has a row for each port of each RDMA device, a row for each slave that
 * an RDMA device of a bond serves, and the bonds and VLANs on the ports. Returns 0 or -ENOMEM.
 */
int nic_stack(struct os *os, const struct os_links *links, struct inventory *inventory);

/* What the network device @link says of itself. */
void nic_fill_link(const struct os_links *links, const struct os_link *link, struct nic *nic);

/*
 * What sysfs says of the device in @folder: "/sys/class/net/NAME" or "/sys/class/infiniband/NAME".
 */
void nic_fill_device(struct os *os, const char *folder, struct nic *nic);
