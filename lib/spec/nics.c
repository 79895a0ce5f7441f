// SPDX-License-Identifier: LGPL-2.1-or-later
/* Checks one `nics` list: what its items say, and that no two of them say it of the same ports. */
#include <errno.h>
#include <string.h>

#include "lib/spec/select.h"

static void brackets_check(struct reader *reader, const struct yaml_node *node)
{
	const char *open = strchr(node->text, '[');

	if (open && !strchr(open + 1, ']'))
		reader_error(reader, node, "'%s' has a [ without ]", shown(node->text).text);
}

static void patterns_check(struct reader *reader, const struct yaml_node *item)
{
	for (size_t i = 0; i < item->n; i++) {
		const struct yaml_node *value = yaml_value(item, i);
		const struct key_info *info = key_find(SECTION_EXCEPT, yaml_key(item, i)->text);

		if (!info)
			continue;
		if (value->kind == YAML_TEXT)
			brackets_check(reader, value);
		for (size_t j = 0; value->kind == YAML_LIST && j < value->n; j++)
			if (value->item[j].kind == YAML_TEXT)
				brackets_check(reader, &value->item[j]);
	}
}

static bool has_selector(const struct yaml_node *item)
{
	for (size_t i = 0; i < item->n; i++)
		if (key_find(SECTION_EXCEPT, yaml_key(item, i)->text))
			return true;
	return false;
}

/* `except` stands alone, and selects something itself. */
static void except_check(struct reader *reader, const struct yaml_node *item,
			 const struct yaml_node *except)
{
	for (size_t i = 0; i < item->n; i++) {
		const struct yaml_node *key = yaml_key(item, i);

		if (key_find(SECTION_NIC, key->text) && strcmp(key->text, "except") != 0)
			reader_error(
				reader, key,
				"'%s' beside except: an item that takes away says nothing else",
				key->text);
	}
	if (except->kind != YAML_MAP)
		return;
	if (!has_selector(except))
		reader_error(reader, except, "except needs name, driver, pci, rdma or mac");
	patterns_check(reader, except);
}

static bool item_check(struct reader *reader, const struct yaml_node *item)
{
	static const struct yaml_node nics = { .text = "nics", .n = 4, .kind = YAML_TEXT };
	const struct yaml_node *except;

	if (!reader_expects_map(reader, &nics, item))
		return false;
	section_read(reader, item, SECTION_NIC);
	except = item_except(item);
	if (except) {
		except_check(reader, item, except);
		return false;
	}
	if (!has_selector(item))
		reader_error(reader, item,
			     "an item of nics needs name, driver, pci, rdma or mac (name: \"*\" "
			     "for all)");
	patterns_check(reader, item);
	return has_selector(item);
}

void nics_check(struct reader *reader, const struct yaml_node *list)
{
	uint64_t hash[NICS_MAX];

	if (!list || list->kind != YAML_LIST)
		return;
	for (size_t i = 0; i < list->n; i++) {
		const struct yaml_node *item = &list->item[i];

		if (i == NICS_MAX) {
			reader_error(reader, item, "more than %d items in one nics list", NICS_MAX);
			return;
		}
		hash[i] = item_check(reader, item) ? item_hash(item) : 0;
		for (size_t j = 0; hash[i] && j < i; j++)
			if (hash[i] == hash[j]) {
				reader_error(reader, item, "the same selector as on line %u",
					     list->item[j].line);
				break;
			}
	}
}
