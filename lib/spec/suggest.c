// SPDX-License-Identifier: LGPL-2.1-or-later
/* What somebody may have meant who wrote a key that is not known: a near one, or a known one in
 * another place. */
#include <stdio.h>
#include <string.h>

#include "lib/base/macro.h"
#include "lib/spec/key.h"

enum { KEY_BYTES = 32 }; /* of any key of ours, and longer than a typing error makes it */

/* Words of other tools for the same thing. */
static const char *const synonyms[][2] = {
	{ "dscp_map", "dscp_to_priority" },
	{ "dscp2prio", "dscp_to_priority" },
	{ "tclass", "traffic_class" },
	{ "tos", "traffic_class" },
	{ "roce_mode", "mode" },
	{ "prio", "priority" },
	{ "ets", "scheduler" },
	{ "rate_limit", "max_rate" },
	{ "kmin", "min" },
	{ "kmax", "max" },
	{ "pmax", "probability" },
	{ "interfaces", "nics" },
	{ "hosts", "nodes" },
	{ "user", "username" },
	{ "host", "address" },
};

/* Insertions, deletions, replacements and swaps of neighbours that make @b out of @a; 99 if one is
 * too long. */
static unsigned int edit_distance(const char *a, const char *b)
{
	unsigned int row[3][KEY_BYTES + 1];
	size_t n = strlen(a), m = strlen(b);

	if (n > KEY_BYTES || m > KEY_BYTES)
		return 99;
	for (size_t j = 0; j <= m; j++)
		row[0][j] = j;
	for (size_t i = 1; i <= n; i++) {
		unsigned int *now = row[i % 3], *before = row[(i - 1) % 3],
			     *older = row[(i + 1) % 3];

		now[0] = i;
		for (size_t j = 1; j <= m; j++) {
			unsigned int cost = before[j - 1] + (a[i - 1] != b[j - 1]);

			cost = MIN(cost, before[j] + 1);
			cost = MIN(cost, now[j - 1] + 1);
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				cost = MIN(cost, older[j - 2] + 1);
			now[j] = cost;
		}
	}
	return row[n % 3][m];
}

/* How far @name is from @key: edits, or one begins with the other (pfc_prios and pfc). */
static unsigned int key_distance(const char *name, const char *key)
{
	unsigned int distance = edit_distance(name, key);
	size_t shorter = MIN(strlen(name), strlen(key));

	if (distance <= 1 + strlen(key) / 4)
		return distance;
	if (shorter >= 3 && strncmp(name, key, shorter) == 0)
		return 10;
	return 99;
}

static const struct key_info *key_nearest(enum section section, const char *name)
{
	const struct key_info *best = NULL;
	unsigned int distance, least = 99;

	for (size_t i = 0; i < key_table_size; i++) {
		if (key_table[i].section != section)
			continue;
		distance = key_distance(name, key_table[i].name);
		if (distance < least) {
			least = distance;
			best = &key_table[i];
		}
	}
	for (size_t i = 0; i < ARRAY_SIZE(synonyms) && !best; i++)
		if (strcmp(synonyms[i][0], name) == 0)
			best = key_find(section, synonyms[i][1]);
	return best;
}

/* Where a key belongs that is known, but not here. The top level stands for all places of its keys.
 */
static void place_suggest(struct suggestion *ret, const struct key_info *found, bool exactly)
{
	char quoted[KEY_BYTES + 8] = "";

	if (!exactly)
		(void)snprintf(quoted, sizeof(quoted), "; '%s'", found->name);
	if (found->section == SECTION_TOP)
		(void)snprintf(ret->text, sizeof(ret->text), "%s belongs at the top level",
			       exactly ? ", it" : quoted);
	else
		(void)snprintf(ret->text, sizeof(ret->text), "%s belongs under %s",
			       exactly ? ", it" : quoted, section_name(found->section));
}

static void keys_list(struct suggestion *ret, enum section section)
{
	size_t used = (size_t)snprintf(ret->text, sizeof(ret->text), "; known here:");

	for (size_t i = 0; i < key_table_size && used < sizeof(ret->text); i++)
		if (key_table[i].section == section)
			used += (size_t)snprintf(ret->text + used, sizeof(ret->text) - used, " %s",
						 key_table[i].name);
}

struct suggestion key_suggest(enum section section, const char *name)
{
	const struct key_info *near = key_nearest(section, name);
	struct suggestion ret = {};
	size_t split;

	if (number_has_colon(name, &split)) {
		(void)snprintf(ret.text, sizeof(ret.text), ": write %.*s: %.60s, with a space",
			       (int)MIN(split, 60UL), name, name + split + 1);
		return ret;
	}
	if (near) {
		(void)snprintf(ret.text, sizeof(ret.text), ", did you mean '%s'?", near->name);
		return ret;
	}
	for (size_t i = 0; i < key_table_size; i++)
		if (strcmp(key_table[i].name, name) == 0) {
			place_suggest(&ret, &key_table[i], true);
			return ret;
		}
	for (enum section other = 0; other < SECTION_MAX; other++) {
		near = key_nearest(other, name);
		if (near) {
			place_suggest(&ret, near, false);
			return ret;
		}
	}
	keys_list(&ret, section);
	return ret;
}
