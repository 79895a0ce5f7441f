/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What `show` has to show of the fabric: what the file says of switches and cables. */
#pragma once

#include "cli/session.h"

/* Each returns an exit status. */
int show_cables(struct session *session, const struct options *options);
int show_switches(struct session *session, const struct options *options);
