/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What lldpd of this machine knows, by its own program: nothing else here runs one. Fixed words, no
 * shell, a limit for its time and its output.
 */
#pragma once

#include <stddef.h>

#include "lib/model/lldp.h"

/*
 * Ask `lldpcli -f json0 show neighbors details`. Returns 0 and @ret; a negative errno with one line
 * in @ret_why that says what is the matter and what to do.
 */
int lldp_ask(struct lldp_neighbors *ret, char *ret_why, size_t size);

/* What it printed, from the file that --lldp names. As lldp_ask(). */
int lldp_read(const char *path, struct lldp_neighbors *ret, char *ret_why, size_t size);
