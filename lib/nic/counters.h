/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Counters and GIDs of a port, for people to look at; nothing here needs root. */
#pragma once

#include "lib/model/counter.h"
#include "lib/model/gid.h"
#include "lib/os/os.h"

/*
 * Read all counters of the port under their common names. What this driver does not count stays
 * unknown. Returns 0; -ENODEV if the port is another one by now; -ENOMEM.
 */
int nic_counters_read(struct os *os, const struct nic *nic, struct counters *ret);

/*
 * The same of PFC pause frames alone, for a look now and then. Of the RDMA device nothing is read,
 * of which each counter may be a question to the firmware, and of DCB only where the driver's own
 * statistics name no priority. So on mlx5, once PFC is on anywhere, nothing is known of the others.
 */
int nic_pauses_read(struct os *os, const struct nic *nic, struct counters *ret);

/* Append the GIDs of the port in the order of its table. Returns 0; a negative errno. */
int nic_gids_read(struct os *os, const struct nic *nic, struct gids *ret);
