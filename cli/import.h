/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Asks the switches that an import is to have; nothing is written to them. */
#pragma once

#include "cli/session.h"
#include "lib/node/import.h"

struct import_ask;

/*
 * Read the fabric file that says how the switches of --switch are reached. Returns 0 and @ret, or
 * an exit status.
 */
int import_ask_open(struct session *session, const struct options *options,
		    struct import_ask **ret);
struct import_ask *import_ask_close(struct import_ask *ask);

/* Its fabric, and this node as it calls it. Good as long as @ask is. */
const char *import_ask_fabric(const struct import_ask *ask);
const char *import_ask_node(const struct import_ask *ask);

/* Ask them what they are. Returns 0 or an exit status. */
int import_ask_all(struct import_ask *ask, struct import *import);

/*
 * import_text() with what they are: asks them again, until it changes nothing. As import_text(), or
 * 1 with an exit status in @ret_status.
 */
int import_ask_text(struct import_ask *ask, struct import *import, char **ret, size_t *ret_size,
		    int *ret_status);
