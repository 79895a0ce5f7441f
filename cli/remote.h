/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Verbs that are asked of other hosts: -H, one of them; --fabric, all that the file names. */
#pragma once

#include "cli/session.h"

/* The verb as it stands, on the host that -H names; what comes is what that host says. */
int remote_host(const struct options *options);

/*
 * status, apply, confirm on every node of the file, a line for each. What changes begins on one
 * node and goes on with the others only if that went well.
 */
int remote_fabric(const struct options *options);
