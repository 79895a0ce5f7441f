// SPDX-License-Identifier: LGPL-2.1-or-later
/* Which ports a `nics` list means: items add up, `except` takes away, several selectors of one item
 * all have to match. */
#include "lib/spec/select.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/macro.h"

enum selector {
	SELECTOR_NAME,
	SELECTOR_DRIVER,
	SELECTOR_PCI,
	SELECTOR_RDMA,
	SELECTOR_MAC,
	SELECTOR_MAX
};

static const struct {
	const char *key;
	bool ignore_case;
	bool identifies; /* a single device, if it is no pattern */
} selectors[] = {
	[SELECTOR_NAME] = { "name", false, true }, [SELECTOR_DRIVER] = { "driver", false, false },
	[SELECTOR_PCI] = { "pci", true, true },	   [SELECTOR_RDMA] = { "rdma", false, true },
	[SELECTOR_MAC] = { "mac", true, true },
};
static_assert(ARRAY_SIZE(selectors) == SELECTOR_MAX, "a row for each");

static enum selector selector_find(const char *key)
{
	enum selector selector = 0;

	while (selector < SELECTOR_MAX && strcmp(selectors[selector].key, key) != 0)
		selector++;
	return selector;
}

static char fold(char c, bool ignore_case)
{
	return ignore_case ? (char)tolower((unsigned char)c) : c;
}

/* The set at @pattern, behind its [. Returns what follows its ], NULL if there is none. */
static const char *set_match(const char *pattern, char c, bool ignore_case, bool *ret)
{
	bool negated = *pattern == '!', found = false;
	const char *first = pattern += negated;

	for (; *pattern && (*pattern != ']' || pattern == first); pattern++) {
		char low = fold(*pattern, ignore_case), high = low;

		if (pattern[1] == '-' && pattern[2] && pattern[2] != ']') {
			pattern += 2;
			high = fold(*pattern, ignore_case);
		}
		found |= c >= low && c <= high;
	}
	*ret = found != negated;
	return *pattern ? pattern + 1 : NULL;
}

bool pattern_matches(const char *pattern, const char *text, bool ignore_case)
{
	const char *star = NULL, *retry = NULL, *next;
	bool good;

	while (*text) {
		char c = fold(*text, ignore_case);

		next = NULL;
		good = false;
		if (*pattern == '*') {
			star = ++pattern;
			retry = text;
			continue;
		}
		if (*pattern == '[')
			next = set_match(pattern + 1, c, ignore_case, &good);
		if (!next && *pattern) {
			good = *pattern == '?' || fold(*pattern, ignore_case) == c;
			next = pattern + 1;
		}
		if (good) {
			pattern = next;
			text++;
			continue;
		}
		if (!star)
			return false;
		pattern = star;
		text = ++retry;
	}
	while (*pattern == '*')
		pattern++;
	return *pattern == '\0';
}

static bool pci_matches(const char *pattern, const char *address)
{
	enum { DOMAIN = 5 }; /* "0000:" */

	return pattern_matches(pattern, address, true) ||
	       (strncmp(address, "0000:", DOMAIN) == 0 &&
		pattern_matches(pattern, address + DOMAIN, true));
}

static bool value_matches(enum selector selector, const char *pattern, const struct nic *nic)
{
	char mac[sizeof("00:00:00:00:00:00")];

	switch (selector) {
	case SELECTOR_NAME:
		/* The name of a bond stands for its slaves */
		return (nic->name[0] && pattern_matches(pattern, nic->name, false)) ||
		       (nic->master[0] && pattern_matches(pattern, nic->master, false));
	case SELECTOR_DRIVER:
		return nic->driver[0] && pattern_matches(pattern, nic->driver, false);
	case SELECTOR_PCI:
		return nic->pci[0] && pci_matches(pattern, nic->pci);
	case SELECTOR_RDMA:
		return nic->rdma[0] && pattern_matches(pattern, nic->rdma, false);
	case SELECTOR_MAC:
		if (nic->kind != NIC_PORT)
			return false; /* it has that of the port below */
		(void)snprintf(mac, sizeof(mac), "%02x:%02x:%02x:%02x:%02x:%02x", nic->mac[0],
			       nic->mac[1], nic->mac[2], nic->mac[3], nic->mac[4], nic->mac[5]);
		return pattern_matches(pattern, mac, true);
	case SELECTOR_MAX:
		break;
	}
	return false;
}

/* A single value or a list of them, alike. */
static size_t values_n(const struct yaml_node *node)
{
	return node->kind == YAML_LIST ? node->n : 1;
}

static const struct yaml_node *values_at(const struct yaml_node *node, size_t i)
{
	return node->kind == YAML_LIST ? &node->item[i] : node;
}

bool item_matches(const struct yaml_node *item, const struct nic *nic)
{
	for (size_t i = 0; i < item->n; i++) {
		enum selector selector = selector_find(yaml_key(item, i)->text);
		const struct yaml_node *value = yaml_value(item, i);
		bool any = false;

		for (size_t j = 0; selector < SELECTOR_MAX && j < values_n(value) && !any; j++)
			any = value_matches(selector, values_at(value, j)->text, nic);
		if (selector < SELECTOR_MAX && !any)
			return false;
	}
	return true;
}

/* True if the item means this port by a text that is no pattern and stands for one device. */
static bool item_identifies(const struct yaml_node *item, const struct nic *nic)
{
	for (size_t i = 0; i < item->n; i++) {
		enum selector selector = selector_find(yaml_key(item, i)->text);
		const struct yaml_node *value = yaml_value(item, i);

		if (selector == SELECTOR_MAX || !selectors[selector].identifies)
			continue;
		for (size_t j = 0; j < values_n(value); j++)
			if (!name_is_pattern(values_at(value, j)->text) &&
			    value_matches(selector, values_at(value, j)->text, nic))
				return true;
	}
	return false;
}

const struct yaml_node *item_except(const struct yaml_node *item)
{
	return yaml_find(item, "except");
}

bool item_has_settings(const struct yaml_node *item)
{
	return yaml_find(item, "roce") || yaml_find(item, "qos") || yaml_find(item, "ecn") ||
	       yaml_find(item, "mtu");
}

bool nics_begin_with_all(const struct yaml_node *list)
{
	return !list || (list->n > 0 && item_except(&list->item[0]));
}

struct selection nics_select(const struct yaml_node *list, const struct nic *nic)
{
	struct selection ret = { .selected = nics_begin_with_all(list) };

	for (size_t i = 0; list && i < list->n; i++) {
		const struct yaml_node *item = &list->item[i], *except = item_except(item);

		if (except && item_matches(except, nic)) {
			ret = (struct selection){};
		} else if (!except && item_matches(item, nic)) {
			ret.selected = true;
			ret.by_name |= item_identifies(item, nic);
		}
	}
	return ret;
}

static bool inventory_has(const struct inventory *inventory, enum selector selector,
			  const char *text)
{
	for (size_t i = 0; i < inventory->n; i++)
		if (value_matches(selector, text, &inventory->list[i]))
			return true;
	for (size_t i = 0; i < inventory->stacked.n; i++)
		if (value_matches(selector, text, &inventory->stacked.list[i]))
			return true;
	return false;
}

/* A later `except` may take away what is not even there. */
static bool missing_is_excepted(const struct yaml_node *list, size_t from, enum selector selector,
				const char *text)
{
	struct nic nic = {};

	if (selector == SELECTOR_NAME)
		(void)snprintf(nic.name, sizeof(nic.name), "%s", text);
	else if (selector == SELECTOR_RDMA)
		(void)snprintf(nic.rdma, sizeof(nic.rdma), "%s", text);
	else if (selector == SELECTOR_PCI)
		(void)snprintf(nic.pci, sizeof(nic.pci), "%s", text);
	for (size_t i = from; i < list->n; i++) {
		const struct yaml_node *except = item_except(&list->item[i]);

		if (except && item_matches(except, &nic))
			return true;
	}
	return false;
}

/* The next of what one item names and the inventory does not have. */
static const struct yaml_node *item_missing_next(const struct yaml_node *item,
						 const struct inventory *inventory,
						 struct nics_cursor *cursor, enum selector *ret)
{
	for (; cursor->pair < item->n; cursor->pair++, cursor->value = 0) {
		enum selector selector = selector_find(yaml_key(item, cursor->pair)->text);
		const struct yaml_node *value = yaml_value(item, cursor->pair);

		if (selector == SELECTOR_MAX || !selectors[selector].identifies)
			continue;
		while (cursor->value < values_n(value)) {
			const struct yaml_node *named = values_at(value, cursor->value++);

			*ret = selector;
			if (!name_is_pattern(named->text) &&
			    !inventory_has(inventory, selector, named->text))
				return named;
		}
	}
	return NULL;
}

const struct yaml_node *nics_missing_next(const struct yaml_node *list,
					  const struct inventory *inventory,
					  struct nics_cursor *cursor, const char **ret_key)
{
	enum selector selector = SELECTOR_MAX;

	while (list && cursor->item < list->n) {
		const struct yaml_node *item = &list->item[cursor->item];
		const struct yaml_node *named =
			item_missing_next(item, inventory, cursor, &selector);

		if (!named) {
			*cursor = (struct nics_cursor){ .item = cursor->item + 1 };
		} else if (!missing_is_excepted(list, cursor->item + 1, selector, named->text)) {
			*ret_key = selectors[selector].key;
			return named;
		}
	}
	return NULL;
}

/* Order of keys and of values in a list does not matter: a sum. */
uint64_t item_hash(const struct yaml_node *item)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < item->n; i++) {
		enum selector selector = selector_find(yaml_key(item, i)->text);
		const struct yaml_node *value = yaml_value(item, i);

		for (size_t j = 0; selector < SELECTOR_MAX && j < values_n(value); j++) {
			uint64_t hash = UINT64_C(14695981039346656037) + selector; /* FNV-1a */

			for (const char *c = values_at(value, j)->text; *c; c++)
				hash = (hash ^
					(unsigned char)fold(*c, selectors[selector].ignore_case)) *
				       UINT64_C(1099511628211);
			sum += hash;
		}
	}
	return sum;
}
