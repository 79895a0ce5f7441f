/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Event sources: what the kernel says, and writes to attributes, become marks of the manager. A
 * mark is all that an event costs; what came of it is read when the manager gets to it.
 */
#pragma once

#include <systemd/sd-event.h>

#include "daemon/manager.h"

struct watch;

/*
 * Listen before anything is read, so that nothing is missed in between. Returns 0 or a negative
 * errno.
 */
int watch_new(sd_event *event, struct manager *manager, struct watch **ret);
struct watch *watch_free(struct watch *watch);

/*
 * The devices as they were read just now (NULL: none): watch the attributes that they have. What is
 * under watch already stays so without a gap.
 */
void watch_targets(struct watch *watch, const struct inventory *inventory);
