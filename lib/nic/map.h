/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Which network device belongs to a port of an RDMA device; by what sysfs says, not by names that
 * look alike.
 */
#pragma once

#include <stdbool.h>

#include "lib/model/inventory.h"
#include "lib/os/link.h"
#include "lib/os/os.h"

/*
 * The network device of port @port (from 1) of the RDMA device @rdma; NULL if it has none among
 * @links.
 */
const struct os_link *map_port_link(struct os *os, const struct os_links *links, const char *rdma,
				    unsigned int port);

const struct os_link *map_link_by_name(const struct os_links *links, const char *name);
const struct os_link *map_link_by_index(const struct os_links *links, int ifindex);

/* "0000:17:00.0": domain, bus, device, function in hexadecimal. */
bool map_is_pci_address(const char *text);

/*
 * Is @nic still what its names say? The network device with its index has its name, and the RDMA
 * device, if @rdma is asked for, is there and on the same PCI device or network device (field case
 * L04). @ret is the link as it is now, zero without a network device; NULL: nobody needs it, then
 * the name alone is asked for.
 *
 * Returns 0; -ENODEV if not; another negative errno.
 */
int map_check(struct os *os, const struct nic *nic, bool rdma, struct os_link *ret);
