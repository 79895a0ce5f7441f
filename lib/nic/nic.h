/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The NIC provider: the ports of this node and their kernel objects. */
#pragma once

#include "lib/model/inventory.h"
#include "lib/os/os.h"
#include "lib/reconcile/provider.h"

/*
 * Find all ports with an RDMA device: netdev, RDMA device and port, PCI address, driver, link
 * layer, VF and PF.
 *
 * Returns 0; -EXDEV if sysfs and netlink show different network namespaces (field case V05); -EINTR
 * if the device list changed all the time; another negative errno. No RDMA device at all is not an
 * error.
 */
int nic_inventory(struct os *os, struct inventory *ret);

/* The provider for the targets of kind TARGET_PORT and TARGET_RDMA. @os has to outlive it. */
void nic_provider_init(struct provider *provider, struct os *os);

/*
 * Could an attribute of this port be written, by the look of its file system (an open for writing
 * that changes nothing)? Returns 0; -EROFS; -EACCES; 0 as well if the attribute does not exist.
 */
int nic_write_probe(struct os *os, const struct nic *nic);
