/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Which ports a `nics` list means. */
#pragma once

#include "lib/model/inventory.h"
#include "lib/spec/settings.h"

enum { NICS_MAX = 256 }; /* items of one list */

/* Check one nics list. */
void nics_check(struct reader *reader, const struct yaml_node *list);

/* Shell patterns: *, ?, [a-c], [!a-c]. Never backtracks more than one star. */
bool pattern_matches(const char *pattern, const char *text, bool ignore_case);

/* True if all selectors of the item (or of an `except`) match; one value of a list is enough. */
bool item_matches(const struct yaml_node *item, const struct nic *nic);

/* The map below `except`, NULL if the item is none. */
const struct yaml_node *item_except(const struct yaml_node *item);

/* True if the item says more than which ports it means. */
bool item_has_settings(const struct yaml_node *item);

/* Without a list, and with one that begins with `except`, every Ethernet port is meant first. */
bool nics_begin_with_all(const struct yaml_node *list);

struct selection {
	bool selected;
	bool by_name; /* by an item that names it without a pattern */
};
struct selection nics_select(const struct yaml_node *list, const struct nic *nic);

/* Where a walk over a list is; begins with zero. */
struct nics_cursor {
	size_t item;
	size_t pair;
	size_t value;
};

/*
 * The devices that @list names without a pattern and @inventory does not have, one a call; NULL
 * when there are no more.
 * @ret_key is "name", "rdma", "pci" or "mac".
 */
const struct yaml_node *nics_missing_next(const struct yaml_node *list,
					  const struct inventory *inventory,
					  struct nics_cursor *cursor, const char **ret_key);

/* Equal for items with the same selectors, in whatever order they stand. 0: it has none. */
uint64_t item_hash(const struct yaml_node *item);
