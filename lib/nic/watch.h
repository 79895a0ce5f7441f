/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Which files stand for which objects of a port, for inotify: a hint that somebody wrote there. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "lib/model/inventory.h"

/*
 * Call @each for every place of @nic with the objects, as bits, that it stands for: a file (sysfs:
 * a watch on the file) or a @folder (configfs: inotify sees writes only by a watch on the folder;
 * below it the device's own may come and go). A place may not exist, and several devices may share
 * one. @path is good during the call.
 *
 * Returns 0, or what @each returned, if that is not 0: it ends the walk.
 */
int nic_watch_paths(const struct nic *nic,
		    int (*each)(const char *path, bool folder, uint32_t objects, void *data),
		    void *data);
