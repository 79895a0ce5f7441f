/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Takes a bundle of a node: all that the product reads of it, and nothing else. What is collected
 * is one table in record.c.
 */
#pragma once

#include "lib/os/bundle.h"

/*
 * Read this node. What cannot be read is recorded with its errno, so that any user may do it.
 * Returns 0; the errno of listing the network devices; -ENOMEM; -E2BIG above a bundle's limits.
 */
int record_take(struct os *os, struct bundle *ret);
