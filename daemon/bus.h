/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * org.lossless.Node1 on the system bus and, with the same methods, on a socket of our own for
 * machines without a bus. Everybody may read; changing needs uid 0, or polkit's word on the bus.
 */
#pragma once

#include <systemd/sd-event.h>

#include "daemon/manager.h"

struct bus;

/*
 * Listen at @socket_path (0666, made anew). A system bus that is not there is no error. Returns 0
 * or a negative errno.
 */
int bus_new(sd_event *event, struct manager *manager, const char *socket_path, struct bus **ret);
struct bus *bus_free(struct bus *bus);

/* Becomes a signal. */
void bus_happening(struct bus *bus, const struct manager_happening *happening);
