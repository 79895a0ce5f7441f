/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Names that travel further (to the kernel, a shell, a switch) and the closed set of characters of
 * each. */
#pragma once

#include <stdbool.h>

#include "lib/spec/number.h"

enum name {
	NAME_FABRIC,
	NAME_HOST, /* nodes and switches */
	NAME_ADDRESS, /* of a switch: a host name, IPv4 or IPv6 */
	NAME_SWITCH_PORT,
	NAME_NETDEV,
	NAME_CREDENTIAL, /* users and files in the credentials directory */
	NAME_DIALECT,
	NAME_VARIABLE, /* of a dialect */
	NAME_ALGORITHM,
	NAME_FINGERPRINT,
	NAME_DRIVER,
	NAME_PORT_PATTERN, /* of netdevs and RDMA devices */
	NAME_PCI_PATTERN,
	NAME_MAC_PATTERN,
	NAME_LINE, /* any text of one line */
	NAME_MAX,
};

bool name_check(enum name name, const char *text, struct trouble *ret_trouble);

/* "host name"; "A-Z a-z 0-9 . -"; how many characters it may have. */
const char *name_what(enum name name);
const char *name_set(enum name name);
size_t name_max(enum name name);

/* True if @text has *, ? or [ in it. */
bool name_is_pattern(const char *text);
