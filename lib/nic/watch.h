/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Which files stand for which objects of a port, for inotify: a hint that somebody wrote there. */
#pragma once

#include <stdint.h>

#include "lib/model/inventory.h"

/* The folder in which a device's group appears when somebody makes it. */
#define NIC_WATCH_CM_ROOT "/sys/kernel/config/rdma_cm"

/*
 * Call @each for every file (sysfs: a watch on the file) and folder (configfs: inotify sees writes
 * only by a watch on the folder) of @nic, with the objects, as bits, that it stands for. They need
 * not exist.
 */
void nic_watch_paths(const struct nic *nic,
		     void (*each)(const char *path, uint32_t objects, void *data), void *data);
